"""Which platforms the operator has connected, and through whom."""

from collections.abc import Mapping

from pydantic import SecretStr

from sightline.platforms.catalog import PLATFORMS
from sightline.platforms.connectors import CONNECTORS, vendors_of
from sightline.platforms.gate import Gate
from sightline.platforms.models import Connection, Connector
from sightline.platforms.policy import Policy
from sightline.platforms.pricing import read_prices
from sightline.platforms.sandbox.plan import NEVER_CITES
from sightline.settings import Settings, SettingsError

_LOCAL = "local"  # needs no key: its address counts as its credential
# DataForSEO is told which of the platform's models to ask.
_MODEL_VENDORS = {"chatgpt": "openai", "claude": "anthropic", "gemini": "google", "perplexity": "perplexity"}

Access = Mapping[str, tuple[Connector, Connection]]


def connections(settings: Settings) -> Access:
    """Every platform that has credentials, paused ones included, with the vendor that is preferred."""
    found = {}
    for platform in PLATFORMS:
        for vendor in vendors_of(platform.key):
            if (connection := _connect(settings, platform.key, vendor)) is not None:
                found[platform.key] = (CONNECTORS[platform.key, vendor], connection)
                break
    return found


def is_sandbox(settings: Settings) -> bool:
    """No credentials at all: every platform is served by the sandbox."""
    return not connections(settings)


def paused(settings: Settings) -> frozenset[str]:
    named = frozenset(key.strip() for key in settings.paused_platforms.split(",") if key.strip())
    if unknown := named - {platform.key for platform in PLATFORMS}:
        raise SettingsError(f"SIGHTLINE_PAUSED_PLATFORMS names {min(unknown)!r}, which is no platform.")
    return named


def enabled(settings: Settings, *, livemode: bool = True) -> frozenset[str]:
    """The platforms that a check may ask: connected (in a sandbox and in test mode: all) and not paused."""
    connected = connections(settings).keys() if livemode else ()
    return frozenset(connected or (platform.key for platform in PLATFORMS)) - paused(settings)


def gates(settings: Settings) -> Mapping[str, Gate]:
    """One gate per platform, for one process: made once and shared by everybody who asks."""
    upper = settings.platform_concurrency
    lower = min(settings.platform_concurrency_floor, upper)
    return {platform.key: Gate(lower, upper) for platform in PLATFORMS}


def policy(settings: Settings) -> Policy:
    return Policy(
        timeout=settings.ask_timeout,
        deadline=settings.ask_deadline,
        attempts=settings.ask_attempts,
        prices=read_prices(settings.platform_prices),
    )


def ways_to_connect(platform: str) -> tuple[tuple[str, ...], ...]:
    """The settings that connect a platform, preferred way first; those of one way belong together."""
    if platform == _LOCAL:
        return (("SIGHTLINE_LOCAL_BASE_URL",),)
    parts = {"dataforseo": ("LOGIN", "PASSWORD")}
    return tuple(
        tuple(f"SIGHTLINE_{vendor.upper()}_{part}" for part in parts.get(vendor, ("API_KEY",)))
        for vendor in vendors_of(platform)
    )


def cites(platform: str) -> bool:
    """Whether a platform ever names sources, by any way to it."""
    return any(connector.cites for (key, _), connector in CONNECTORS.items() if key == platform)


def uncited(settings: Settings, *, sandbox: bool) -> frozenset[str]:
    """The platforms that structurally show no sources, by the way in which they are asked."""
    if sandbox:
        return NEVER_CITES
    return frozenset(key for key, (connector, _) in connections(settings).items() if not connector.cites)


def _connect(settings: Settings, platform: str, vendor: str) -> Connection | None:
    if platform == _LOCAL:
        address = (settings.local_base_url or "").strip()
        if not address:
            return None
        return Connection(
            platform=platform,
            vendor=vendor,
            base_url=address.rstrip("/"),
            secret=_reveal(settings.local_api_key),
            model=settings.local_model,
        )
    secret = _secret(settings, vendor)
    if not secret:
        return None
    return Connection(
        platform=platform,
        vendor=vendor,
        base_url=getattr(settings, f"{vendor}_base_url").strip().rstrip("/"),
        secret=secret,
        model=_model(settings, platform, vendor),
    )


def _model(settings: Settings, platform: str, vendor: str) -> str | None:
    if vendor != "dataforseo":
        return getattr(settings, f"{vendor}_model", None)
    model = getattr(settings, f"{_MODEL_VENDORS.get(platform)}_model", None)
    return model and model.rpartition("/")[2]  # Perplexity's own API puts its name in front


def _secret(settings: Settings, vendor: str) -> str:
    if vendor != "dataforseo":
        return _reveal(getattr(settings, f"{vendor}_api_key"))
    login, password = (settings.dataforseo_login or "").strip(), _reveal(settings.dataforseo_password)
    return f"{login}:{password}" if login and password else ""


def _reveal(secret: SecretStr | None) -> str:
    return "" if secret is None else secret.get_secret_value().strip()

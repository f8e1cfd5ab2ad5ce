"""The platforms that the operator has connected, and the vendor of each connection."""

from collections.abc import Iterator, Mapping
from typing import cast

import msgspec
from pydantic import SecretStr

from sightline.metrics.observation import Surface
from sightline.platforms.catalog import PLATFORMS
from sightline.platforms.connectors import find_connectors, find_vendors
from sightline.platforms.gate import Gate
from sightline.platforms.models import Connector, PlatformConnection
from sightline.platforms.policy import Policy
from sightline.platforms.pricing import read_prices
from sightline.platforms.sandbox.plan import NEVER_CITES
from sightline.settings import Settings, SettingsError

_LOCAL = "local"  # needs no key: its address counts as its credential
# Requests to DataForSEO name the model of the platform.
_MODEL_VENDORS = {"chatgpt": "openai", "claude": "anthropic", "gemini": "google", "perplexity": "perplexity"}

Access = Mapping[str, tuple[Connector, PlatformConnection]]


def find_connections(settings: Settings, surfaces: Mapping[str, Surface] | None = None) -> Access:
    """Return every platform that has credentials, paused ones included, with its preferred vendor.

    A platform whose surface the operator chose is never asked on another one: without credentials for it, the platform
    is not connected. `surfaces` are those of a check, which keeps the ones that it was accepted with.
    """
    chosen = {**read_surfaces(settings), **(surfaces or {})}
    found = {}
    for platform in PLATFORMS:
        for connector, connection in _list_ways(settings, platform.key):
            if connector.surface == chosen.get(platform.key, connector.surface):
                found[platform.key] = (connector, connection)
                break
    return found


def read_surfaces(settings: Settings) -> Mapping[str, Surface]:
    """Return the surfaces that the operator chose, by platform. Raise `SettingsError` for one that cannot be asked."""
    for platform, surface in settings.platform_surfaces.items():
        offered = [each.surface for each in find_connectors(platform)]
        if surface not in offered:
            known = f"{platform} has: {', '.join(dict.fromkeys(offered))}" if offered else "it is not a platform"
            raise SettingsError(f"SIGHTLINE_PLATFORM_SURFACES sets {surface!r} for {platform!r}: {known}.")
    return cast(Mapping[str, Surface], settings.platform_surfaces)


def find_surfaces(settings: Settings) -> Mapping[str, Surface] | None:
    """Return the surface on which each connected platform is asked; None in a sandbox."""
    if is_sandbox(settings):
        return None
    return {key: connector.surface for key, (connector, _) in find_connections(settings).items()}


def require_known_platforms(settings: Settings) -> None:
    """Raise `SettingsError` if a setting names a platform that does not exist, or that cannot be asked like this."""
    read_surfaces(settings)
    read_task_platforms(settings)
    find_paused_by_settings(settings)
    read_prices(settings.platform_prices)


def read_task_platforms(settings: Settings) -> frozenset[str]:
    """Return the platforms whose app is asked with tasks. Raise `SettingsError` for one that has no app to ask."""
    named = _split_keys(settings.platform_tasks)
    offered = [each.key for each in PLATFORMS if any(way.surface == "app" for way in find_connectors(each.key))]
    if unknown := named - set(offered):
        raise SettingsError(
            f"SIGHTLINE_PLATFORM_TASKS names {min(unknown)!r}, whose app cannot be asked. Possible: "
            f"{', '.join(offered)}."
        )
    return named


def _split_keys(setting: str) -> frozenset[str]:
    return frozenset(key.strip() for key in setting.split(",") if key.strip())


def list_surfaces(settings: Settings, platform: str) -> tuple[Surface, ...]:
    """Return the surfaces of a platform that are connected, the one that is used without a choice first."""
    return tuple(dict.fromkeys(connector.surface for connector, _ in _list_ways(settings, platform)))


def _list_ways(settings: Settings, platform: str) -> Iterator[tuple[Connector, PlatformConnection]]:
    for connector in find_connectors(platform):
        if (connection := _connect(settings, platform, connector.vendor)) is not None:
            if connector.surface == "app":  # it has its own model, and only one
                connection = msgspec.structs.replace(
                    connection, model=None, uses_tasks=platform in read_task_platforms(settings)
                )
            yield connector, connection


class CurrentConnections(Mapping[str, tuple[Connector, PlatformConnection]]):
    """The connected platforms as they are now: an operator may connect or disconnect one while scans run."""

    def __init__(self, settings: Settings, surfaces: Mapping[str, Surface] | None = None) -> None:
        self._settings = settings
        self._surfaces = surfaces
        self._revision = settings.revision
        self._found = find_connections(settings, surfaces)

    def _read(self) -> Access:
        if self._revision != self._settings.revision:
            self._revision, self._found = self._settings.revision, find_connections(self._settings, self._surfaces)
        return self._found

    def __getitem__(self, platform: str) -> tuple[Connector, PlatformConnection]:
        return self._read()[platform]

    def __iter__(self) -> Iterator[str]:
        return iter(self._read())

    def __len__(self) -> int:
        return len(self._read())


def is_sandbox(settings: Settings) -> bool:
    """Return whether the sandbox serves every platform: no platform is connected, and none ever was.

    An installation that has live answers does not get made-up ones again when its last platform is disconnected.
    """
    return not settings.sandbox_ended and not find_connections(settings)


def find_paused_by_settings(settings: Settings) -> frozenset[str]:
    named = _split_keys(settings.paused_platforms)
    if unknown := named - {platform.key for platform in PLATFORMS}:
        raise SettingsError(f"SIGHTLINE_PAUSED_PLATFORMS names {min(unknown)!r}, which is not a platform.")
    return named


def find_enabled_platforms(settings: Settings, *, livemode: bool = True) -> frozenset[str]:
    """Return the platforms that a scan may ask: connected and not paused.

    In a sandbox and in test mode all are connected.
    """
    return find_connected_platforms(settings, livemode=livemode) - find_paused_by_settings(settings)


def find_connected_platforms(settings: Settings, *, livemode: bool = True) -> frozenset[str]:
    """Return the platforms that can answer, paused ones included: all of them in a sandbox and in test mode."""
    everything = not livemode or is_sandbox(settings)
    return frozenset((platform.key for platform in PLATFORMS) if everything else find_connections(settings))


def build_gates(settings: Settings) -> Mapping[str, Gate]:
    """Build one gate per platform, to be shared by everything in this process that asks."""
    return {platform.key: Gate(1, settings.platform_concurrency) for platform in PLATFORMS}


def build_policy(settings: Settings) -> Policy:
    return Policy(
        timeout=settings.ask_timeout,
        deadline=settings.ask_deadline,
        attempts=settings.ask_attempts,
        prices=read_prices(settings.platform_prices),
    )


def connection_settings(platform: str) -> tuple[tuple[str, ...], ...]:
    """Return the settings that connect a platform, by vendor, the preferred one first."""
    if platform == _LOCAL:
        return (("SIGHTLINE_LOCAL_BASE_URL",),)
    parts = {"dataforseo": ("LOGIN", "PASSWORD")}
    return tuple(
        tuple(f"SIGHTLINE_{vendor.upper()}_{part}" for part in parts.get(vendor, ("API_KEY",)))
        for vendor in find_vendors(platform)
    )


def can_cite(platform: str) -> bool:
    """Return whether a platform ever names sources, through any vendor."""
    return any(connector.cites for connector in find_connectors(platform))


def find_uncited_platforms(settings: Settings, *, sandbox: bool) -> frozenset[str]:
    """Return the platforms that show no sources through the vendor that is used."""
    if sandbox:
        return NEVER_CITES
    return frozenset(key for key, (connector, _) in find_connections(settings).items() if not connector.cites)


def _connect(settings: Settings, platform: str, vendor: str) -> PlatformConnection | None:
    if platform == _LOCAL:
        address = (settings.local_base_url or "").strip()
        if not address:
            return None
        return PlatformConnection(
            platform=platform,
            vendor=vendor,
            base_url=address.rstrip("/"),
            secret=_reveal(settings.local_api_key),
            model=settings.local_model,
        )
    secret = _secret(settings, vendor)
    if not secret:
        return None
    return PlatformConnection(
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

"""What the operator's pages show of each platform: its state, how it is connected, and what it costs."""

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import NamedTuple

from sightline.db.engine import Reader
from sightline.metrics.observation import Surface
from sightline.platforms import access
from sightline.platforms.catalog import PLATFORMS
from sightline.platforms.connections.models import SavedCredential, SavedOptions
from sightline.platforms.connections.save import LOCAL_VENDOR, list_credentials, list_options, setting_of
from sightline.platforms.connections.trial_question import explain_fault
from sightline.platforms.connectors import find_vendors
from sightline.platforms.costs.spend import PlatformSpend, read_spend_any_workspace
from sightline.platforms.health import FailingPlatform, read_failing
from sightline.platforms.models import Fault
from sightline.platforms.queries import read_pause_reasons
from sightline.platforms.schemas import Platform
from sightline.presentation.dates import format_short_datetime
from sightline.presentation.language import gettext
from sightline.settings import Settings

VENDOR_NAMES = {
    "openai": "OpenAI",
    "anthropic": "Anthropic",
    "google": "Google",
    "perplexity": "Perplexity",
    "xai": "xAI",
    "mistral": "Mistral",
    "deepseek": "DeepSeek",
    "serpapi": "SerpApi",
    "dataforseo": "DataForSEO",
}


class PlatformState(NamedTuple):
    """One platform as the operator sees it."""

    platform: Platform
    vendor: str
    """The vendor that it is connected through, or else the one whose key it needs."""
    is_connected: bool
    environment_variable: str | None
    """The variable that connects it, which wins over what is saved."""
    saved: SavedCredential | None
    is_unreadable: bool
    """The saved key cannot be decrypted with this installation's secret key."""
    surface: Surface | None
    """The surface on which it is asked; None if it is not connected."""
    model: str | None
    model_variable: str | None
    pause: str | None
    """`setting`, `operator` or `monthly_limit`."""
    prices: Mapping[str, float]
    prices_by_environment: bool
    limit: Decimal | None
    spend: PlatformSpend
    failing: FailingPlatform | None

    @property
    def word(self) -> str:
        """Return the state in a word or two."""
        if not self.is_connected:
            if self.is_unreadable:
                return gettext("Key unreadable")
            return gettext("Needs a URL") if self.is_local else gettext("Needs a key")
        if self.pause:
            return gettext("Paused")
        if self.failing:
            return gettext("Failing since %(time)s", time=format_short_datetime(self.failing.failing_since))
        return gettext("Connected")

    @property
    def is_working(self) -> bool:
        """Return whether checks ask the platform and it answers."""
        return self.is_connected and not self.pause and not self.failing

    @property
    def failure(self) -> str | None:
        """Return why the platform fails and what to do, if it does."""
        return explain_fault(Fault(self.failing.fault, ""), self.model) if self.failing else None

    @property
    def is_local(self) -> bool:
        return self.vendor == LOCAL_VENDOR

    @property
    def vendor_name(self) -> str:
        return gettext("your own server") if self.is_local else VENDOR_NAMES[self.vendor]

    @property
    def siblings(self) -> list[str]:
        """Return the names of the other platforms that the same key connects."""
        return [
            each.name
            for each in PLATFORMS
            if each.key != self.platform.key and find_vendors(each.key)[0] == self.vendor
        ]


async def read_states(db: Reader, settings: Settings, *, now: datetime) -> list[PlatformState]:
    """Return every platform with its state, in the order of the catalog."""
    credentials, options = await list_credentials(db), await list_options(db)
    pauses = await read_pause_reasons(db) | dict.fromkeys(access.find_paused_by_settings(settings), "setting")
    spend = await read_spend_any_workspace(db, now=now)
    connections, failing = access.find_connections(settings), await read_failing(db)
    return [
        _build_state(
            each, settings, connections, credentials, options.get(each.key), pauses.get(each.key), spend
        )._replace(failing=failing.get(each.key))
        for each in PLATFORMS
    ]


def _build_state(
    platform: Platform,
    settings: Settings,
    connections: access.Access,
    credentials: Mapping[str, SavedCredential],
    options: SavedOptions | None,
    pause: str | None,
    spend: Mapping[str, PlatformSpend],
) -> PlatformState:
    key, way = platform.key, connections.get(platform.key)
    vendor = way[1].vendor if way else find_vendors(key)[0]
    setting = setting_of(vendor, "base_url" if vendor == LOCAL_VENDOR else "api_key")
    model = setting_of(vendor, "model")
    saved = credentials.get(vendor)
    return PlatformState(
        platform=platform,
        vendor=vendor,
        is_connected=way is not None,
        environment_variable=_variable(setting) if settings.is_set_by_environment(setting) else None,
        saved=saved,
        is_unreadable=way is None and saved is not None and saved.sealed is not None,
        surface=way[0].surface if way else None,
        model=way[1].model if way else getattr(settings, model, None),
        model_variable=_variable(model) if hasattr(settings, model) and settings.is_set_by_environment(model) else None,
        pause=pause,
        prices=settings.platform_prices.get(key, {}),
        prices_by_environment=key in settings.environment_prices,
        limit=options.monthly_limit_usd if options else None,
        spend=spend.get(key) or PlatformSpend(key, Decimal(0), Decimal(0), 0),
        failing=None,
    )


def _variable(setting: str) -> str:
    return f"SIGHTLINE_{setting.upper()}"

"""The names of platforms as people read them, in full and for narrow places."""

from sightline.metrics.observation import Surface
from sightline.platforms.catalog import PLATFORMS
from sightline.presentation.language import gettext, translatable

_LOCAL = "local"
_SURFACES: dict[Surface, str] = {
    "api": translatable("API"),
    "serp": translatable("search page"),
    "app": translatable("app"),
    "import": translatable("import"),
    "sandbox": translatable("sandbox"),
}
_NAMES = {platform.key: platform.name for platform in PLATFORMS}
_COMPANIES = {platform.key: platform.company for platform in PLATFORMS}
_SHORT_NAMES = {"google_ai_overviews": "AI Overviews", "google_ai_mode": "AI Mode"}


def platform_name(key: str) -> str:
    """Return a product's name, which is the same in every language; a local model is not a product."""
    return gettext("Local model") if key == _LOCAL else _NAMES.get(key, key)


def editor_name(editor: str) -> str:
    """Return the name of an editor, which is stored as its platform and its model."""
    key, _, model = editor.partition(":")
    return f"{platform_name(key)} ({model})" if model else platform_name(key)


def short_platform_name(key: str) -> str:
    return gettext("Local") if key == _LOCAL else _SHORT_NAMES.get(key) or platform_name(key)


def surface_name(surface: Surface) -> str:
    return gettext(_SURFACES[surface])


def describe_surface_change(platform: str, before: Surface | None, now: Surface) -> str:
    name = platform_name(platform)
    if before is None:
        return gettext("%(platform)s: %(now)s", platform=name, now=surface_name(now))
    return gettext(
        "%(platform)s: %(now)s instead of %(before)s",
        platform=name,
        now=surface_name(now),
        before=surface_name(before),
    )


def company_name(key: str) -> str:
    return gettext("Self-hosted") if key == _LOCAL else _COMPANIES[key]

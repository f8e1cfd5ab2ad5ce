"""The names of platforms as people read them, in full and for narrow places."""

from sightline.platforms.catalog import PLATFORMS

_NAMES = {platform.key: platform.name for platform in PLATFORMS}
_SHORT_NAMES = {"google_ai_overviews": "AI Overviews", "google_ai_mode": "AI Mode", "local": "Local"}


def platform_name(key: str) -> str:
    return _NAMES.get(key, key)


def short_platform_name(key: str) -> str:
    return _SHORT_NAMES.get(key) or platform_name(key)

"""Every connector. For a platform with several vendors, the preferred one comes first."""

from sightline.platforms import (
    anthropic,
    compatible,
    dataforseo,
    dataforseo_scraper,
    deepseek,
    google,
    mistral,
    openai,
    perplexity,
    serpapi,
    xai,
)
from sightline.platforms.models import Connector

# The platform's own API is preferred: it says which model served an answer, and what was only retrieved.
_ALL = (
    openai.CONNECTOR,
    anthropic.CONNECTOR,
    google.CONNECTOR,
    perplexity.CONNECTOR,
    xai.CONNECTOR,
    mistral.CONNECTOR,
    deepseek.CONNECTOR,
    compatible.CONNECTOR,
    *serpapi.CONNECTORS,
    *dataforseo.CONNECTORS,
    *dataforseo_scraper.CONNECTORS,
)
CONNECTORS: dict[tuple[str, str], Connector] = {
    (each.platform, each.vendor): each for each in _ALL if each.surface != "app"
}
"""Every connector by platform and vendor, except those of apps."""


def find_connectors(platform: str) -> tuple[Connector, ...]:
    """Return the ways to ask a platform, the preferred one first."""
    return tuple(each for each in _ALL if each.platform == platform)


def find_vendors(platform: str) -> tuple[str, ...]:
    """Return the vendors through which a platform can be asked, the preferred one first."""
    return tuple(dict.fromkeys(each.vendor for each in find_connectors(platform)))

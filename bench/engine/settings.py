"""The settings of an installation whose five platforms are one local server."""

from collections.abc import Mapping

PLACES = 62
"""The concurrent calls that a platform allows in total."""
AT_ONCE = 50
"""The share of one workspace, four fifths: the rest stays free for others."""


def platform_settings(port: int) -> Mapping[str, str]:
    url = f"http://127.0.0.1:{port}"
    return {
        "SIGHTLINE_PLATFORM_CONCURRENCY": str(PLACES),
        "SIGHTLINE_OPENAI_API_KEY": "k",
        "SIGHTLINE_OPENAI_BASE_URL": url,
        "SIGHTLINE_ANTHROPIC_API_KEY": "k",
        "SIGHTLINE_ANTHROPIC_BASE_URL": url,
        "SIGHTLINE_GOOGLE_API_KEY": "k",
        "SIGHTLINE_GOOGLE_BASE_URL": url,
        "SIGHTLINE_DEEPSEEK_API_KEY": "k",
        "SIGHTLINE_DEEPSEEK_BASE_URL": url,
        "SIGHTLINE_LOCAL_BASE_URL": f"{url}/local/v1",
        "SIGHTLINE_LOCAL_MODEL": "m",
    }

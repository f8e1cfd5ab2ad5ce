"""The settings of an installation whose five platforms are one local server."""

from collections.abc import Mapping

AT_ONCE = 50
"""The concurrent calls that a platform allows; a workspace that is alone may use all of them."""


def platform_settings(port: int) -> Mapping[str, str]:
    url = f"http://127.0.0.1:{port}"
    return {
        "SIGHTLINE_PLATFORM_CONCURRENCY": str(AT_ONCE),
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

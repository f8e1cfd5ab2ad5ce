"""The platforms that a scan can ask. Which plan includes which of them is in `plans/table.py`."""

from typing import cast

from sightline.plans.table import find_first_plan_with_platform, is_platform_sold_as_addon
from sightline.platforms.schemas import Platform, Tier


def _build_platform(key: str, name: str, company: str) -> Platform:
    first_plan = find_first_plan_with_platform(key)
    return Platform(
        key,
        name,
        company,
        enabled=True,
        min_tier=cast(Tier, first_plan.value),
        available_as_addon=is_platform_sold_as_addon(first_plan),
    )


# All platforms, as a sandbox serves them. Those that an installation has enabled are found in `access`.
PLATFORMS: tuple[Platform, ...] = (
    _build_platform("chatgpt", "ChatGPT", "OpenAI"),
    _build_platform("gemini", "Gemini", "Google"),
    _build_platform("perplexity", "Perplexity", "Perplexity"),
    _build_platform("google_ai_overviews", "Google AI Overviews", "Google"),
    _build_platform("claude", "Claude", "Anthropic"),
    _build_platform("copilot", "Copilot", "Microsoft"),
    _build_platform("grok", "Grok", "xAI"),
    _build_platform("mistral", "Mistral", "Mistral AI"),
    _build_platform("deepseek", "DeepSeek", "DeepSeek"),
    _build_platform("google_ai_mode", "Google AI Mode", "Google"),
    _build_platform("local", "Local model", "Self-hosted"),
)

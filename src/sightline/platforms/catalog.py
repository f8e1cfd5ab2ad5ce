"""The platforms that a scan can ask."""

from sightline.platforms.schemas import Platform, Tier


def _listed(key: str, name: str, company: str, min_tier: Tier) -> Platform:
    above_starter = min_tier in {"professional", "agency"}
    return Platform(key, name, company, enabled=True, min_tier=min_tier, available_as_addon=above_starter)


# As in a sandbox, which serves them all. What an installation has enabled is in `access`.
PLATFORMS: tuple[Platform, ...] = (
    _listed("chatgpt", "ChatGPT", "OpenAI", "trial"),
    _listed("gemini", "Gemini", "Google", "trial"),
    _listed("perplexity", "Perplexity", "Perplexity", "trial"),
    _listed("google_ai_overviews", "Google AI Overviews", "Google", "starter"),
    _listed("claude", "Claude", "Anthropic", "professional"),
    _listed("copilot", "Copilot", "Microsoft", "professional"),
    _listed("grok", "Grok", "xAI", "agency"),
    _listed("mistral", "Mistral", "Mistral AI", "agency"),
    _listed("deepseek", "DeepSeek", "DeepSeek", "agency"),
    _listed("google_ai_mode", "Google AI Mode", "Google", "agency"),
    _listed("local", "Local model", "Self-hosted", "agency"),
)

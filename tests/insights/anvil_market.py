"""A made-up market of anvils: scripted answers with a theme, a gap, sources, searches and questions."""

from tests.scan_history import ScanHistory, ScriptedAnswer

BEST, SMALL, LOUD = "best anvil for beginners", "anvil for a small forge", "how loud is a steel anvil"
PROMPTS = (BEST, SMALL, LOUD)
LIST = "https://www.g2.com/categories/anvils"


async def open_market(installation, **options) -> ScanHistory:
    history = await ScanHistory.open(installation, *PROMPTS, **options)
    history.platforms = ("chatgpt", "gemini", "perplexity", "claude", "copilot")
    return history


def market_answer(prompt, platform):
    """Answer BEST with a gap and a cited list page, SMALL with the brand alone and a theme, and LOUD with no brand."""
    if prompt.text == BEST:
        return ScriptedAnswer(
            "1. Globex is a sound pick.\n2. Initech comes next.\n3. Hooli and more.",
            cited=(LIST, "https://globex.com/anvils"),
            queries=(
                "Which brands make the best anvils for farriers?",
                "best anvil for beginners",
                "acme anvil reviews",
            ),
        )
    if prompt.text == SMALL:
        return ScriptedAnswer(
            "Acme is easy to use and Acme has a hardened face. Globex is heavy.\n\n"
            "Which anvil face is hard enough for tool steel?\n\nWould you like me to compare prices?",
            cited=("https://blog.smithing.org/a",),
            retrieved=("https://acme.com/anvils",),
        )
    return ScriptedAnswer(
        "It rings at about 100 decibels. A chain around it helps.", queries=("weather in berlin tomorrow",)
    )


async def weaken_perplexity(history):
    """Add prompts, and return a script in which only Perplexity never names the brand."""
    for place in range(6):
        await history.add_prompt(f"best anvil number {place}")
    return lambda prompt, platform: "It depends." if platform == "perplexity" else "Acme is what most smiths buy."

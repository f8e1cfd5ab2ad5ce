"""What platforms say about anvils: a market with a theme, a gap, sources, searches and questions."""

from tests.scan_history import Said

BEST, SMALL, LOUD = "best anvil for beginners", "anvil for a small forge", "how loud is a steel anvil"
PROMPTS = (BEST, SMALL, LOUD)
LIST = "https://www.g2.com/categories/anvils"


def market(prompt, platform):
    """For BEST a gap that a list page stands behind; for SMALL the brand alone, with a theme; for LOUD nobody."""
    if prompt.text == BEST:
        return Said(
            "1. Globex is a sound pick.\n2. Initech comes next.\n3. Hooli and more.",
            cited=(LIST, "https://globex.com/anvils"),
            queries=("best anvil brands for beginners 2026", "best anvil for beginners", "acme anvil reviews"),
        )
    if prompt.text == SMALL:
        return Said(
            "Acme is easy to use and Acme has a hardened face. Globex is heavy.\n\n"
            "Which anvil weight suits a small forge?\n\nWould you like me to compare prices?",
            cited=("https://blog.smithing.org/a",),
            retrieved=("https://acme.com/anvils",),
        )
    return Said("It rings at about 100 decibels. A chain around it helps.", queries=("weather in berlin tomorrow",))

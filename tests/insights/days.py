"""Days of a market: which brands each platform names for each of twelve prompts."""

import random

from tests.scan_history import History

PROMPTS = tuple(f"Which anvil is right for forge number {place}?" for place in range(12))


def place_of(prompt) -> int:
    return PROMPTS.index(prompt.text)


def naming(*names: str) -> str:
    """An answer that names these brands, and nothing else of interest."""
    return f"Smiths like {' and '.join(names)} for such work." if names else "That depends on the forge, as always."


def named_in(chatgpt: int = 12, gemini: int = 12, perplexity: int = 12, *, globex: int | None = None):
    """Acme is named for so many prompts on each platform; Globex everywhere, or for so many on chatgpt."""
    many = {"chatgpt": chatgpt, "gemini": gemini, "perplexity": perplexity}

    def say(prompt, platform):
        names = ["Acme"] if place_of(prompt) < many[platform] else []
        if globex is None or platform != "chatgpt" or place_of(prompt) < globex:
            names += ["Globex", "Initech"]
        return naming(*names)

    return say


def at_random(day: int, share: float = 0.5):
    """Every cell tosses its own coin, today as every day: nothing changes but the answers."""
    toss = random.Random(f"day {day}")
    return lambda prompt, platform: naming(*(["Acme", "Globex"] if toss.random() < share else ["Globex"]))


async def open_history(installation, **options) -> History:
    return await History.open(installation, *PROMPTS, **options)


async def alerts_of(history, **wanted) -> list[dict]:
    """Those that a person would look at first; by type and scope."""
    rows = await history.rows("alerts")
    return [row for row in rows if all(row[name] == value for name, value in wanted.items())]


async def states_of(history, scope="platform:chatgpt") -> list[str]:
    return [row["state"] for row in await alerts_of(history, scope=scope)]

"""Scripted Daily Checks: which brands each platform names for each of twelve prompts."""

import random

from tests.scan_history import ScanHistory

PROMPTS = tuple(f"Which anvil is right for forge number {place}?" for place in range(12))


def prompt_index(prompt) -> int:
    return PROMPTS.index(prompt.text)


def text_naming(*names: str) -> str:
    """Return an answer that names these brands and nothing else of interest."""
    return f"Smiths like {' and '.join(names)} for such work." if names else "That depends on the forge, as always."


def answers_naming(chatgpt: int = 12, gemini: int = 12, perplexity: int = 12, *, globex: int | None = None):
    """Name Acme for this many prompts on each platform, and Globex everywhere or for this many prompts on chatgpt."""
    many = {"chatgpt": chatgpt, "gemini": gemini, "perplexity": perplexity}

    def say(prompt, platform):
        names = ["Acme"] if prompt_index(prompt) < many[platform] else []
        if globex is None or platform != "chatgpt" or prompt_index(prompt) < globex:
            names += ["Globex", "Initech"]
        return text_naming(*names)

    return say


def random_answers(day: int, share: float = 0.5):
    """Name Acme in each cell with the same chance every day: answers differ, but nothing changes."""
    generator = random.Random(f"day {day}")
    return lambda prompt, platform: text_naming(*(["Acme", "Globex"] if generator.random() < share else ["Globex"]))


async def open_history(installation, **options) -> ScanHistory:
    return await ScanHistory.open(installation, *PROMPTS, **options)


async def find_alerts(history, **columns) -> list[dict]:
    """Return the alerts whose columns have these values."""
    rows = await history.rows("alerts")
    return [row for row in rows if all(row[name] == value for name, value in columns.items())]


async def list_states(history, scope="platform:chatgpt") -> list[str]:
    return [row["state"] for row in await find_alerts(history, scope=scope)]

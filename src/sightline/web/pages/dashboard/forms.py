"""What the forms of the dashboard send, and how a refusal is said beside them."""

from collections.abc import Sequence

from sightline.errors import Problem


def split_lines(text: str) -> list[str]:
    """One entry to a line, without blank ones."""
    return [line.strip() for line in text.splitlines() if line.strip()]


def split_names(text: str) -> list[str]:
    """Names beside each other, with commas between them."""
    return [name.strip() for line in text.splitlines() for name in line.split(",") if name.strip()]


def say_problem(problem: Problem | None) -> Sequence[str]:
    """In sentences: what is wrong with each field, else the problem's own words."""
    if problem is None:
        return ()
    faults = [str(fault["message"]) for fault in problem.members.get("errors", ())]
    return [_as_sentence(fault) for fault in faults] or [f"{problem.kind.title}. {problem.detail}"]


def _as_sentence(text: str) -> str:
    """With a capital, unless it begins with a domain."""
    start = text[:1] if "." in text.partition(" ")[0] else text[:1].upper()
    return start + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")

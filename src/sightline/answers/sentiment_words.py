"""English words of praise and blame. The lists are in `data/praise_and_blame.txt`."""

import re

from sightline.answers.word_lists import read_list

# Within a clause: "not slow, it is fast" denies slowness alone. "Not only" denies nothing.
_NEGATION = re.compile(
    r"\b(?:not(?!\W+(?:only|just|merely)\b)|no|never|neither|nor|without|hardly|barely|rarely|isn't|aren't|"
    r"wasn't|doesn't|don't|didn't|won't|can't|cannot|couldn't|wouldn't|shouldn't|hasn't|haven't|nothing|far from|"
    r"less|least|lacks|lack)"
    r"[^\w.,;:!?]+(?:[\w'-]+[^\w.,;:!?]+){0,3}$"
)
_WITHOUT = re.compile(r"\b(?:no|without|zero)\s(?:[\w-]+\s){0,2}$")


def _pattern(phrase: str) -> str:
    return re.escape(phrase).replace(r"\*", r"\w{0,6}")


def _evaluations() -> re.Pattern[str]:
    """Build one pattern for all phrases, so that the longest wins.

    "hard to beat" is praise although "hard to" is blame.
    """
    phrases = [
        (phrase, group)
        for group, section in (("praise", "praise"), ("blame", "blame"), ("cost", "costs"), ("nothing", "says nothing"))
        for phrase in read_list("praise_and_blame", section)
    ]
    phrases.sort(key=lambda item: (-len(item[0]), item))
    alternatives = "|".join(f"(?:{_pattern(phrase)})" for phrase, _ in phrases)
    return re.compile(rf"\b(?:{alternatives})\b")


_EVALUATION = _evaluations()
_EXACT = {
    section: re.compile("|".join(map(_pattern, sorted(read_list("praise_and_blame", section)))))
    for section in ("says nothing", "praise", "blame", "costs")
}


def count_praise_and_blame(text: str) -> tuple[float, float]:
    """Return points of praise and of blame in folded text.

    A negation turns one into the other. A cost is neither, and praise if it is not there: "no monthly fee".
    """
    good = bad = 0.0
    for match in _EVALUATION.finditer(text):
        kind = next(name for name, pattern in _EXACT.items() if pattern.fullmatch(match[0]))
        if kind == "says nothing":
            continue
        if kind == "costs":
            good += _WITHOUT.search(text, max(0, match.start() - 40), match.start()) is not None
            continue
        negated = _NEGATION.search(text, max(0, match.start() - 40), match.start()) is not None
        if kind == "praise":
            good, bad = (good, bad + 1) if negated else (good + 1, bad)
        else:
            good, bad = (good + 0.5, bad) if negated else (good, bad + 1)
    return good, bad

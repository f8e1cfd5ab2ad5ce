"""English words of praise and blame, as patterns. The lists themselves are in `data/praise_and_blame.txt`."""

import re

from sightline.answers.word_lists import read_list

NEGATION = re.compile(
    r"\b(?:not|no|never|neither|nor|without|hardly|barely|rarely|isn't|aren't|wasn't|doesn't|don't|didn't|won't|can't|"
    r"cannot|couldn't|wouldn't|shouldn't|hasn't|haven't|nothing|far from|less|least|lacks|lack)\W+(?:\w+\W+){0,3}$"
)


def _any_of(section: str) -> re.Pattern[str]:
    """One pattern for a whole section; the longest phrase wins, a star is any ending."""
    phrases = sorted(read_list("praise_and_blame", section), key=lambda phrase: (-len(phrase), phrase))
    return re.compile(r"\b(?:" + "|".join(re.escape(p).replace(r"\*", r"\w{0,6}") for p in phrases) + r")\b")


PRAISE = _any_of("praise")
BLAME = _any_of("blame")
SAYS_NOTHING = _any_of("says nothing")

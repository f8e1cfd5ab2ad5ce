"""How easily a password is guessed: by lists of common passwords, words and names, keyboard rows, repeats and dates."""

from collections.abc import Iterable

_MIN_SCORE = 3  # of 4: beyond what guessing at a sign-in form can reach
# The estimate tries every combination of the letters that these may stand for, so both bounds keep it within
# milliseconds. What it leaves out could only make a password stronger.
_LETTER_SUBSTITUTES = frozenset("4@8({[<369!1|705$+%2")
_MAX_SUBSTITUTES = 9
_MAX_LENGTH = 20


def is_easy_to_guess(password: str, known_words: Iterable[str]) -> bool:
    """Return whether the password is common or close to it. A guesser knows `known_words`."""
    from zxcvbn import zxcvbn  # loads lists of 100,000 words, which only a new password needs

    score: int = zxcvbn(_cut(password), user_inputs=list(known_words))["score"]
    return score < _MIN_SCORE


def _cut(password: str) -> str:
    """Return the beginning of the password that the estimate looks at."""
    substitutes: set[str] = set()
    for end, character in enumerate(password[:_MAX_LENGTH]):
        substitutes |= {character} & _LETTER_SUBSTITUTES
        if len(substitutes) > _MAX_SUBSTITUTES:
            return password[:end]
    return password[:_MAX_LENGTH]

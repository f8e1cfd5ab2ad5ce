"""Words of scripts without spaces that contain a brand's name and mean something else."""

from sightline.answers.word_lists import read_table


def is_longer_word(text: str, start: int, end: int) -> bool:
    """Return whether the name at this place is part of a longer word with a meaning of its own."""
    for pattern in read_table("longer_words", "words").get(text[start:end], ()):
        before, _, after = pattern.partition("*")
        if text.endswith(before, 0, start) and text.startswith(after, end):
            return True
    return False

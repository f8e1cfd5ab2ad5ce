"""The input of the sentiment model for one mention. Training and scoring build it here, so that both see the same.

    [CLS] what stands before [open] the name [close] what stands after [SEP]

The three parts are tokenized separately, so a text that contains "[SEP]" or a marker as words cannot imitate ours. A
number is read as 0: its digits cost tokens and do not change the verdict.
"""

import re
from collections.abc import Sequence
from typing import Protocol

LONGEST = 96  # tokens
_LONGEST_NAME = 16
_FRAME = 4  # [CLS], both markers, [SEP]
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")

PAD, CLS, SEP, OPEN, CLOSE = "[PAD]", "[CLS]", "[SEP]", "[OPEN]", "[CLOSE]"


class Encoding(Protocol):
    @property
    def ids(self) -> list[int]: ...


class Tokenizer(Protocol):
    """The methods of a tokenizer of the library `tokenizers` that are used here."""

    def encode(self, sequence: str, *, add_special_tokens: bool) -> Encoding: ...
    def token_to_id(self, token: str) -> int | None: ...


class InputBuilder:
    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self.first, self.last, self.open, self.close = (self._number(name) for name in (CLS, SEP, OPEN, CLOSE))

    def _number(self, token: str) -> int:
        found = self._tokenizer.token_to_id(token)
        if found is None:
            raise ValueError(f"the vocabulary has no {token}")
        return found

    def build(self, text: str, start: int, end: int) -> list[int]:
        """Return the tokens of a text whose name stands from `start` to `end`."""
        name = self._encode(text[start:end])[:_LONGEST_NAME]
        before, after = shorten(self._encode(text[:start]), self._encode(text[end:]), LONGEST - _FRAME - len(name))
        return [self.first, *before, self.open, *name, self.close, *after, self.last]

    def _encode(self, text: str) -> list[int]:
        return self._tokenizer.encode(_NUMBER.sub("0", text), add_special_tokens=False).ids if text else []


def shorten(before: Sequence[int], after: Sequence[int], room: int) -> tuple[Sequence[int], Sequence[int]]:
    """Keep what is nearest to the name. A side that needs less than its half leaves the rest to the other."""
    if len(before) + len(after) <= room:
        return before, after
    left = min(len(before), max(room // 2, room - len(after)))
    return before[len(before) - left :], after[: room - left]

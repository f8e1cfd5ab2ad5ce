"""The tokenizer: the base model's, with our markers, and without words that English answers do not contain."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer

from sightline.answers.sentiment_input import CLOSE, CLS, OPEN, PAD, SEP

_UNKNOWN = "[UNK]"
_SPECIAL = (PAD, _UNKNOWN, CLS, SEP, OPEN, CLOSE)
# Rows of the base model that were never trained lend themselves to the markers.
_BASE_ROWS = {OPEN: "[unused1]", CLOSE: "[unused2]"}


@dataclass(frozen=True)
class Vocabulary:
    tokenizer: Tokenizer
    rows: list[int]
    """For each of our tokens the row of the base model's table that it begins with."""


def make_vocabulary(base: Path, texts: Iterable[str], words: Iterable[str], *, trimmed: bool = True) -> Vocabulary:
    """Keep all single characters and every piece that the texts and the list of English words need.

    A word whose token is gone is still read, in smaller pieces.
    """
    given = json.loads(base.read_text("utf-8"))
    known: dict[str, int] = given["model"]["vocab"]
    kept = _used(base, [*texts, *words], known) if trimmed else set(known)
    pieces = sorted((token for token in kept if not token.startswith("[")), key=known.__getitem__)
    tokens = [*_SPECIAL, *pieces]
    given["model"]["vocab"] = {token: number for number, token in enumerate(tokens)}
    given["added_tokens"] = [_special_token(number, token) for number, token in enumerate(_SPECIAL)]
    given["post_processor"] = given["padding"] = given["truncation"] = None
    return Vocabulary(Tokenizer.from_str(json.dumps(given, ensure_ascii=False)), _find_rows(tokens, known))


def find_rows(base: Path, tokenizer: Tokenizer) -> list[int]:
    """Return for each token of a vocabulary that was made before the row of the base model's table."""
    known: dict[str, int] = json.loads(base.read_text("utf-8"))["model"]["vocab"]
    ours = tokenizer.get_vocab()
    return _find_rows(sorted(ours, key=ours.__getitem__), known)


def _find_rows(tokens: Sequence[str], known: dict[str, int]) -> list[int]:
    return [known[_BASE_ROWS.get(token, token)] for token in tokens]


def _used(base: Path, texts: Iterable[str], known: dict[str, int]) -> set[str]:
    tokenizer = Tokenizer.from_file(str(base))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    counted: Counter[str] = Counter()
    for found in tokenizer.encode_batch(list(texts), add_special_tokens=False):
        counted.update(found.tokens)
    single = {token for token in known if len(token.removeprefix("##")) == 1}
    return {token for token in counted if token in known} | single


def _special_token(number: int, token: str) -> dict[str, Any]:
    return {
        "id": number,
        "content": token,
        "single_word": False,
        "lstrip": False,
        "rstrip": False,
        "normalized": False,
        "special": True,
    }

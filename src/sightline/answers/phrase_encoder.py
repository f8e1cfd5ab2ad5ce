"""Compares short English texts by meaning: the wordings of an aspect, and prompts.

A text becomes a vector of length one, and two texts are as alike as the cosine of their vectors. The encoder is loaded
when the first text is compared, once in a process, and uses one core. `data/phrases/CARD.md` says what it is and how
well the thresholds tell same from different; `training/phrases` makes it. It reads no other language.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from sightline.answers.model_files import open_onnx_session, open_tokenizer
from sightline.answers.sentiment_input import CLS, LONGEST, SEP

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Vectors: TypeAlias = npt.NDArray[np.floating]

_WIDTH = 384  # numbers in a vector
_NEIGHBORS, _COMMON = 5, 0.6  # in `most_alike`: nearest prompts, and the part of their mean to subtract
REMEMBERED = 8192  # texts whose vector is kept, 1.5 kB each


class PhraseCalibration(msgspec.Struct, frozen=True):
    """The contents of `calibration.json`: how alike two texts have to be, fitted on labelled pairs."""

    version: str
    same_aspect: float
    """Two wordings name one aspect of a product."""
    same_prompt: float
    """Two prompts ask the same."""


class PhraseEncoder:
    def __init__(self, session: Any, tokens: Any, calibration: PhraseCalibration) -> None:
        self.calibration = calibration
        self._session = session
        self._tokens = tokens
        self._frame = tokens.token_to_id(CLS), tokens.token_to_id(SEP)
        self.known: dict[str, Vectors] = {}

    def embed(self, texts: Sequence[str]) -> "Vectors":
        """Return one vector of length one per text, in order. A text is read only once, even across calls."""
        import numpy as np  # heavy, and needed only once something is compared

        known = self.known
        found = {text: known[text] if text in known else self._run(text) for text in dict.fromkeys(texts)}
        self._remember(found)
        return np.array([found[text] for text in texts], np.float32).reshape(len(texts), _WIDTH)

    def forget(self) -> None:
        """Drop the vectors that are kept, so that every text is read again."""
        self.known = {}

    def _remember(self, found: "dict[str, Vectors]") -> None:
        """Keep the vectors, or only these when there are too many. Threads share the dict, so replace all of it."""
        both = {**self.known, **found}
        self.known = both if len(both) <= REMEMBERED else found

    def _run(self, text: str) -> "Vectors":
        """Read one text, never a batch: rounding inside the model would depend on the other texts."""
        import numpy as np

        ids = np.array([self._tokenize(text)], np.int64)
        vector: Vectors = self._session.run(None, {"ids": ids, "mask": np.ones_like(ids)})[0][0]
        return vector

    def _tokenize(self, text: str) -> list[int]:
        first, last = self._frame
        return [first, *self._tokens.encode(text, add_special_tokens=False).ids[: LONGEST - 2], last]


def group_by_meaning(
    counts: Mapping[str, int], threshold: float | None = None, *, encoder: PhraseEncoder | None = None
) -> dict[str, str]:
    """Map each wording to the commonest wording of its group.

    The commonest wording comes first (then by the alphabet). Each further one joins the group whose first wording it is
    most like, if that is at least the threshold, and otherwise starts a group of its own. Groups do not chain: every
    wording is like the one that names the group. The default threshold is that for aspects.
    """
    encoder = encoder or load_encoder()
    least = encoder.calibration.same_aspect if threshold is None else threshold
    wordings = sorted(counts, key=lambda wording: (-counts[wording], wording))
    vectors = encoder.embed(wordings)
    centers: list[int] = []
    groups: dict[str, str] = {}
    for number, wording in enumerate(wordings):
        alike = vectors[centers] @ vectors[number]
        if centers and alike.max() >= least:
            groups[wording] = wordings[centers[int(alike.argmax())]]
        else:
            centers.append(number)
            groups[wording] = wording
    return groups


def most_alike(text: str, others: Sequence[str], *, encoder: PhraseEncoder | None = None) -> float:
    """Return how alike the nearest of the other prompts is, from -1 to 1; -1 if there is none.

    At `calibration.same_prompt` or more, it asks the same. Most of what the five nearest have in common is taken out
    first: two questions about hotels in Lisbon are alike in that alone. The same text is always alike by 1.
    """
    import numpy as np

    if text in others:
        return 1.0
    if not others:
        return -1.0
    encoder = encoder or load_encoder()
    vectors, vector = encoder.embed(others), encoder.embed([text])[0]
    nearest = np.argsort(-(vectors @ vector), kind="stable")[:_NEIGHBORS]
    common = _COMMON * vectors[nearest].mean(0)
    return float((_scale(vectors[nearest] - common) @ _scale(vector - common)).max())


def _scale(vectors: "Vectors") -> "Vectors":
    """Scale vectors to length one; a zero vector stays as it is."""
    import numpy as np

    scaled: Vectors = vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-9)
    return scaled


@cache
def load_encoder() -> PhraseEncoder:
    """Load the encoder that ships, once in a process."""
    with as_file(files("sightline.answers").joinpath("data")) as folder:
        return open_encoder(folder / "phrases", folder / "sentiment" / "tokenizer.json")


def open_encoder(folder: Path, tokenizer: Path) -> PhraseEncoder:
    """Open an encoder. It shares its vocabulary with the sentiment model."""
    calibration = msgspec.json.decode((folder / "calibration.json").read_bytes(), type=PhraseCalibration)
    return PhraseEncoder(open_onnx_session(folder / "model.onnx"), open_tokenizer(tokenizer), calibration)

"""The labelled wordings and prompts, and how well likeness tells same from different on them.

A line of `aspects.jsonl` holds wordings of one aspect in one market, a line of `prompts.jsonl` wordings of one
question. Two wordings of a line are the same, two of different lines of a market are not. Thresholds are fitted
on the half `fit` and reported on the half `report`, which shares no market and no wording with it.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, groupby
from pathlib import Path
from typing import Any, Literal

import msgspec

from sightline.answers.phrase_encoder import PhraseEncoder, group_by_meaning, most_alike

_HERE = Path(__file__).parent
Half = Literal["fit", "report"]
Scored = list[tuple[float, bool]]
"""How alike two texts are, and whether they are the same."""


class Meaning(msgspec.Struct, frozen=True):
    """An aspect or a question, and wordings of it."""

    half: Half
    market: str
    wordings: list[str]


class Separation(msgspec.Struct, frozen=True):
    """How many pairs there are, how many of them are the same, and how many a threshold takes for the same."""

    pairs: int
    same: int
    taken: int
    right: int

    def as_dict(self) -> dict[str, Any]:
        return {
            **msgspec.to_builtins(self),
            "precision": round(self.right / self.taken, 3) if self.taken else None,
            "recall": round(self.right / self.same, 3) if self.same else None,
        }


def read_aspects() -> list[Meaning]:
    return _read(_HERE / "aspects.jsonl")


def read_prompts() -> list[Meaning]:
    return _read(_HERE / "prompts.jsonl")


def _read(path: Path) -> list[Meaning]:
    return msgspec.json.Decoder(Meaning).decode_lines(path.read_bytes())


def fit_threshold(scored: Scored, precision: float) -> float:
    """Return the lowest threshold (in thousandths) at which this share of what is taken is the same, or 1."""
    best, right = 1.0, 0
    ordered = sorted(scored, key=lambda pair: -pair[0])
    for number, (alike, same) in enumerate(ordered, start=1):
        right += same
        threshold = math.floor(1000 * alike) / 1000
        ends = number == len(ordered) or ordered[number][0] < threshold
        if ends and right / number >= precision:
            best = threshold
    return best


def separate(scored: Scored, threshold: float) -> Separation:
    """Count what a threshold takes for the same."""
    taken = [same for alike, same in scored if alike >= threshold]
    return Separation(len(scored), sum(same for _, same in scored), len(taken), sum(taken))


def score_pairs(meanings: Sequence[Meaning], half: Half, encoder: PhraseEncoder) -> Scored:
    """Score all pairs of wordings in a market."""
    scored: Scored = []
    for market in _markets(meanings, half):
        labelled = [(wording, number) for number, each in enumerate(market) for wording in each.wordings]
        vectors = encoder.embed([wording for wording, _ in labelled])
        alike = vectors @ vectors.T
        scored += [
            (float(alike[one, other]), labelled[one][1] == labelled[other][1])
            for one, other in combinations(range(len(labelled)), 2)
        ]
    return scored


def score_new_prompts(prompts: Sequence[Meaning], half: Half, encoder: PhraseEncoder) -> Scored:
    """Score each wording as a new prompt, where the first wordings of the market's questions are tracked.

    It is new where its own question is not tracked, and the same where it is.
    """
    scored: Scored = []
    for market in _markets(prompts, half):
        tracked = [question.wordings[0] for question in market]
        for question in market:
            others = [each for each in tracked if each != question.wordings[0]]
            scored += [(most_alike(each, others, encoder=encoder), False) for each in question.wordings]
            scored += [(most_alike(each, tracked, encoder=encoder), True) for each in question.wordings[1:]]
    return scored


def measure_groups(aspects: Sequence[Meaning], half: Half, encoder: PhraseEncoder) -> Separation:
    """Count the wordings that join a group, and those whose group is called by a wording of their own aspect.

    `same` counts the wordings that could join one: all but one of each aspect.
    """
    wordings = taken = right = possible = 0
    for market in _markets(aspects, half):
        label = {wording: number for number, each in enumerate(market) for wording in each.wordings}
        joined = _joined(group_by_meaning(dict.fromkeys(label, 1), encoder=encoder))
        wordings += len(label)
        taken += len(joined)
        right += sum(label[wording] == label[name] for wording, name in joined.items())
        possible += len(label) - len(market)
    return Separation(wordings, possible, taken, right)


def _joined(groups: Mapping[str, str]) -> dict[str, str]:
    return {wording: name for wording, name in groups.items() if wording != name}


def _markets(meanings: Sequence[Meaning], half: Half) -> Iterator[list[Meaning]]:
    for (of, _), found in groupby(meanings, key=lambda each: (each.half, each.market)):
        if of == half:
            yield list(found)

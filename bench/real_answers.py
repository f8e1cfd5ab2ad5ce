"""`python -m bench.real_answers FILE`: how well the extractor reads real answers that somebody else labeled.

Each line of the file is an object with `id`, `market`, `prompt`, `platform`, `text`, `sources` and `labels` (`brand`,
`product`, `rank`). Labels are incomplete: one that is missing proves nothing. The figures of each half of the markets
are reported apart, because rules are changed while looking at the first half only.
"""

import argparse
import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import msgspec

from sightline.answers.analyze import analyze, find_sources
from sightline.answers.candidates import find_candidates_prepared, merge_key
from sightline.answers.makers import FoundMaker, ReadAnswer, find_makers
from sightline.answers.models import AnswerAnalysis, Brand
from sightline.answers.names import Lexicon
from sightline.answers.ordinary_words import commonness
from sightline.answers.prepare import prepare
from sightline.metrics.discovery import MIN_ANSWERS, MIN_PROMPTS


class Label(msgspec.Struct, frozen=True):
    brand: str | None
    product: str | None = None
    rank: int = 0


class Source(msgspec.Struct, frozen=True):
    url: str
    title: str | None = None


class LabeledAnswer(msgspec.Struct, frozen=True):
    id: str
    market: str
    prompt: str
    platform: str
    text: str
    language: str = "en"
    run: int = 1
    sources: tuple[Source, ...] = ()
    labels: tuple[Label, ...] = ()

    @property
    def brands(self) -> list[str]:
        """The labeled brands in the order of their ranks, each once."""
        ordered = sorted(self.labels, key=lambda label: label.rank)
        return list(dict.fromkeys(label.brand.strip() for label in ordered if label.brand and label.brand.strip()))

    @property
    def cited(self) -> list[tuple[str, str | None]]:
        return [(source.url, source.title) for source in self.sources]


class Market:
    """The answers of one market on one platform, with all brands that are labeled in any of them."""

    def __init__(self, answers: Sequence[LabeledAnswer]) -> None:
        self.answers = answers
        self.names: dict[str, str] = {}
        for answer in answers:
            for name in answer.brands:
                self.names.setdefault(merge_key(name), name)
        self._lexicon = Lexicon([Brand(name) for name in self.names.values()])

    def analyze(self, answer: LabeledAnswer, lexicon: Lexicon | None = None) -> AnswerAnalysis:
        return analyze(answer.text, lexicon or self._lexicon, prompt=answer.prompt, cited=answer.cited, language="en")

    def count(self) -> Counter[str]:
        counted: Counter[str] = Counter()
        for answer in self.answers:
            found = self.analyze(answer)
            mentioned = {merge_key(brand.name) for brand in found.brands if brand.mentioned}
            for key in map(merge_key, answer.brands):
                if self._stands_in_text(key, answer.text):
                    kind = "ambiguous" if commonness(self.names[key]) else "plain"
                    counted[f"{kind}_named"] += 1
                    counted[f"{kind}_found"] += key in mentioned
            ranks = {merge_key(brand.name): brand.rank for brand in found.brands if brand.rank is not None}
            for first, second in combinations(map(merge_key, answer.brands), 2):
                if first in ranks and second in ranks and first != second:
                    counted["pairs"] += 1
                    counted["pairs_in_order"] += ranks[first] < ranks[second]
        suggested = {merge_key(maker.name) for maker in self.discover()}
        labeled = Counter(key for answer in self.answers for key in {merge_key(name) for name in answer.brands})
        recurring = {key for key, answers in labeled.items() if answers >= MIN_ANSWERS}
        counted["recurring"] += len(recurring)
        counted["discovered"] += len(recurring & suggested)
        return counted

    def _stands_in_text(self, key: str, text: str) -> bool:
        """Return whether the name stands in the text, and not only inside another labeled name."""
        name = self.names[key]
        longer = [
            span for other in self.names.values() if name.casefold() in other.casefold() and len(other) > len(name)
            for span in _find(other, text)
        ]  # fmt: skip
        return any(not any(start <= at and end <= stop for start, stop in longer) for at, end in _find(name, text))

    def discover(self) -> list[FoundMaker]:
        """Return the makers that would be suggested if nobody were tracked."""
        read = []
        for answer in self.answers:
            prepared = prepare(answer.text, answer.prompt)
            citations, _ = find_sources(prepared, answer.cited)
            candidates = find_candidates_prepared(prepared, Lexicon([]), citations)
            read.append(ReadAnswer(answer.prompt, answer.platform, candidates, citations))
        found = find_makers(read)
        return [each for each in found if each.sure and each.answers >= MIN_ANSWERS and each.prompts >= MIN_PROMPTS]

    def rank_alone(self) -> Iterator[dict[str, Any]]:
        """Yield the rank of each labeled brand, tracked without any rival."""
        for answer in self.answers:
            for name in answer.brands:
                found = self.analyze(answer, Lexicon([Brand(name)]))
                if found.brands[0].rank is not None:
                    yield {"id": answer.id, "brand": name, "rank": found.brands[0].rank, "of": found.n_brands}


def _find(name: str, text: str) -> Iterator[tuple[int, int]]:
    for match in re.finditer(rf"(?<![^\W_]){re.escape(name)}(?![^\W_])", _ADDRESS.sub(" ", text), re.IGNORECASE):
        yield match.span()


_ADDRESS = re.compile(r"https?://\S+")


def read_markets(path: Path, platform: str) -> dict[str, Market]:
    answers: defaultdict[str, list[LabeledAnswer]] = defaultdict(list)
    for line in path.read_text("utf-8").splitlines():
        answer = msgspec.json.decode(line, type=LabeledAnswer)
        if answer.platform == platform:
            answers[answer.market].append(answer)
    return {market: Market(answers[market]) for market in sorted(answers)}


def summarize(markets: Sequence[Market]) -> dict[str, Any]:
    counted = sum((market.count() for market in markets), Counter[str]())

    def rate(part: str, whole: str) -> dict[str, float | int]:
        return {"of": counted[whole], "share": round(counted[part] / max(1, counted[whole]), 4)}

    return {
        "recall_plain": rate("plain_found", "plain_named"),
        "recall_ambiguous": rate("ambiguous_found", "ambiguous_named"),
        "pairs_in_order": rate("pairs_in_order", "pairs"),
        "discovered": rate("discovered", "recurring"),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--platform", default="chatgpt")
    parser.add_argument("--suggestions", type=int, default=0, metavar="N", help="list N suggestions to judge by hand")
    parser.add_argument("--ranks", type=int, default=0, metavar="N", help="list N ranks to judge by hand")
    options = parser.parse_args()
    markets = read_markets(options.file, options.platform)
    names = list(markets)
    halves = {"first half": names[::2], "second half": names[1::2]}
    report: dict[str, Any] = {part: summarize([markets[name] for name in own]) for part, own in halves.items()}
    chosen = random.Random(17)
    if options.suggestions:
        found = [{"market": name, "name": maker.name} for name in names for maker in markets[name].discover()]
        report["suggestions"] = chosen.sample(found, min(options.suggestions, len(found)))
    if options.ranks:
        ranks = [rank for market in markets.values() for rank in market.rank_alone()]
        report["ranks"] = chosen.sample(ranks, min(options.ranks, len(ranks)))
    print(json.dumps(report, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()

"""The gold set: answers labeled by people, and how well the extractor agrees with them."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Literal

import msgspec

from sightline.answers.analyze import EXTRACTOR_VERSION, analyze
from sightline.answers.models import Brand, BrandAnalysis, Label, Stance
from sightline.answers.names import Lexicon
from sightline.answers.ordinary_words import commonness
from sightline.answers.scorers import DEFAULT_SCORER, LANGUAGES, SCORERS, Scorer

HELD_OUT = "held_out.jsonl"  # for measuring: never looked at while rules are changed
THEMES = "themes.jsonl"
THEMES_HELD_OUT = "themes_held_out.jsonl"


class GoldError(Exception):
    """The file is not in the gold format. The message names the line and what is wrong with it."""


class GoldSource(msgspec.Struct, frozen=True):
    url: str
    title: str | None = None
    cited: bool = True


class GoldBrand(msgspec.Struct, frozen=True):
    name: str
    aliases: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()
    category_words: tuple[str, ...] = ()


class GoldLabel(msgspec.Struct, frozen=True):
    """What one answer says of one name: labeled by a person, or predicted by the extractor in the same form."""

    mentioned: bool
    occurrences: int
    rank: int | None
    stance: Stance | None
    cited: bool
    cited_urls: int
    sentiment: Label | None


class AspectLabel(msgspec.Struct, frozen=True):
    """An aspect that a person found: its natural name, the words of the answer that say it, and how it is said."""

    name: str
    words: str
    polarity: Literal["positive", "negative", "neutral"]


class GoldAnswer(msgspec.Struct, frozen=True):
    id: str
    prompt: str
    text: str
    brand: GoldBrand
    platform: str = ""
    language: str | None = None
    sources: tuple[GoldSource, ...] = ()
    competitors: tuple[GoldBrand, ...] = ()
    labels: dict[str, GoldLabel] = {}
    aspects: dict[str, tuple[AspectLabel, ...]] = {}  # a brand with an empty list was labeled: nothing is said of it
    kind: str = ""
    file: str = ""  # set by the reader, whatever the line says


class Agreement(msgspec.Struct):
    """Counts over labels. The rates are derived, so that two of these can be added."""

    names: int = 0
    mentions_right: int = 0
    mentions_wrong: int = 0
    mentions_missed: int = 0
    occurrences_equal: int = 0
    ranked: int = 0
    ranks_equal: int = 0
    stances_equal: int = 0
    cited_equal: int = 0
    urls_equal: int = 0
    sentiments: Counter[tuple[str, str]] = msgspec.field(default_factory=Counter)  # (label, prediction)

    def add(self, label: GoldLabel, found: GoldLabel) -> None:
        self.names += 1
        self.mentions_right += label.mentioned and found.mentioned
        self.mentions_wrong += found.mentioned and not label.mentioned
        self.mentions_missed += label.mentioned and not found.mentioned
        self.occurrences_equal += label.occurrences == found.occurrences
        self.stances_equal += label.stance == found.stance
        self.cited_equal += label.cited == found.cited
        self.urls_equal += label.cited_urls == found.cited_urls
        if label.rank is not None or found.rank is not None:
            self.ranked += 1
            self.ranks_equal += label.rank == found.rank
        if label.sentiment is not None and found.mentioned:
            self.sentiments[label.sentiment, found.sentiment or "unscored"] += 1

    def rates(self) -> dict[str, float | int | None]:
        scored = sum(count for (_, found), count in self.sentiments.items() if found != "unscored")
        labeled = sum(self.sentiments.values())
        opposite = self.sentiments["positive", "negative"] + self.sentiments["negative", "positive"]
        return {
            "names": self.names,
            "mention_precision": _rate(self.mentions_right, self.mentions_right + self.mentions_wrong),
            "mention_recall": _rate(self.mentions_right, self.mentions_right + self.mentions_missed),
            "occurrences_exact": _rate(self.occurrences_equal, self.names),
            "rank_exact": _rate(self.ranks_equal, self.ranked),
            "stance_exact": _rate(self.stances_equal, self.names),
            "cited_exact": _rate(self.cited_equal, self.names),
            "cited_urls_exact": _rate(self.urls_equal, self.names),
            "sentiment_macro_f1": self._macro_f1(),
            "sentiment_abstained": _rate(labeled - scored, labeled),
            "sentiment_opposite": _rate(opposite, scored),
        }

    def _macro_f1(self) -> float | None:
        """Return the mean F1 of the labels that occur, over what was scored."""
        scores = []
        for label in ("positive", "neutral", "negative"):
            right = self.sentiments[label, label]
            said = sum(count for (_, found), count in self.sentiments.items() if found == label)
            true = sum(
                count for (real, found), count in self.sentiments.items() if real == label and found != "unscored"
            )
            if true:
                scores.append(2 * right / (said + true))
        return sum(scores) / len(scores) if scores else None


class Disagreement(msgspec.Struct, frozen=True):
    file: str
    id: str
    name: str
    field: Literal["mentioned", "rank", "stance", "cited_urls", "occurrences", "sentiment"]
    label: Any
    found: Any


class GoldReport(msgspec.Struct):
    answers: int
    groups: dict[str, Agreement]  # all, unambiguous, ambiguous
    by_language: dict[str, Agreement]
    by_kind: dict[str, Agreement]
    by_file: dict[str, Agreement]
    predictions: dict[str, dict[str, GoldLabel]]
    disagreements: list[Disagreement]

    def summary(self) -> dict[str, Any]:
        def rates(agreements: dict[str, Agreement]) -> dict[str, Any]:
            return {name: agreement.rates() for name, agreement in sorted(agreements.items())}

        return {
            "extractor_version": EXTRACTOR_VERSION,
            "answers": self.answers,
            **rates(self.groups),
            "languages": rates(self.by_language),
            "kinds": rates(self.by_kind),
            "files": rates(self.by_file),
        }


_DECODER = msgspec.json.Decoder(GoldAnswer)


def load_gold_set() -> list[GoldAnswer]:
    """Return the answers with labels of mentions, ranks, stances and sentiment."""
    names = sorted(item.name for item in _find_folder().iterdir() if item.name.endswith(".jsonl"))
    return _load(name for name in names if name not in {THEMES, THEMES_HELD_OUT})


def load_theme_set() -> list[GoldAnswer]:
    """Return the answers with labels of aspects."""
    return _load((THEMES, THEMES_HELD_OUT))


def _load(names: Iterable[str]) -> list[GoldAnswer]:
    texts = ((name, _find_folder().joinpath(name).read_text("utf-8")) for name in names)
    return [answer for name, text in texts for answer in read_lines(text.split("\n"), name)]


def _find_folder() -> Traversable:
    return files("sightline.answers").joinpath("gold")


def read_file(path: Path) -> list[GoldAnswer]:
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise GoldError(f"{path}: {error}") from error
    return list(read_lines(text.split("\n"), path.name))


def read_lines(lines: Iterable[str], source: str) -> Iterator[GoldAnswer]:
    seen: set[str] = set()
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            answer = _DECODER.decode(line)
        except msgspec.MsgspecError as error:
            raise GoldError(f"{source}, line {number}: {error}") from error
        names = [brand.name for brand in (answer.brand, *answer.competitors)]
        if answer.id in seen:
            raise GoldError(f"{source}, line {number}: the id {answer.id} is there twice")
        if len(set(names)) != len(names):
            raise GoldError(f"{source}, line {number}: a name is there twice")
        if unknown := (set(answer.labels) | set(answer.aspects)) - set(names):
            raise GoldError(
                f"{source}, line {number}: labels for {', '.join(sorted(unknown))}, which are not in the entry"
            )
        for label in (each for labels in answer.aspects.values() for each in labels):
            if label.words not in answer.text:
                raise GoldError(f"{source}, line {number}: the text does not contain {label.words!r}")
        seen.add(answer.id)
        yield msgspec.structs.replace(answer, file=source)


def predict(answer: GoldAnswer, scorer: Scorer | None = SCORERS[DEFAULT_SCORER]) -> dict[str, GoldLabel]:
    return {found.name: _as_label(found) for found in _read(answer, scorer)}


def _read(answer: GoldAnswer, scorer: Scorer | None) -> tuple[BrandAnalysis, ...]:
    brands = [Brand(b.name, b.aliases, b.domains, b.category_words) for b in (answer.brand, *answer.competitors)]
    return analyze(
        answer.text,
        Lexicon(brands),
        prompt=answer.prompt,
        cited=[(source.url, source.title) for source in answer.sources if source.cited],
        language=answer.language,
        sentiment=scorer,
    ).brands


def evaluate(answers: Iterable[GoldAnswer], scorer: Scorer | None = SCORERS[DEFAULT_SCORER]) -> GoldReport:
    report = GoldReport(
        0, {"all": Agreement(), "unambiguous": Agreement(), "ambiguous": Agreement()}, {}, {}, {}, {}, []
    )
    for answer in answers:
        report.answers += 1
        predicted = report.predictions[answer.id] = predict(answer, scorer)
        for name, label in answer.labels.items():
            found = predicted[name]
            doubt = "ambiguous" if commonness(name) else "unambiguous"
            for agreement in (
                report.groups["all"],
                report.groups[doubt],
                report.by_language.setdefault(answer.language or "?", Agreement()),
                report.by_kind.setdefault(answer.kind or "?", Agreement()),
                report.by_file.setdefault(answer.file or "?", Agreement()),
            ):
                agreement.add(label, found)
            report.disagreements += _differences(answer, name, label, found)
    return report


def compare_scorers(answers: Iterable[GoldAnswer], scorers: Mapping[Any, Scorer] = SCORERS) -> dict[str, Agreement]:
    """Return how each scorer agrees on sentiment, over the answers in a language that it supports."""
    known = [answer for answer in answers if answer.language is None or answer.language in LANGUAGES]
    return {name: evaluate(known, scorer).groups["all"] for name, scorer in scorers.items()}


def _differences(answer: GoldAnswer, name: str, label: GoldLabel, found: GoldLabel) -> Iterator[Disagreement]:
    for field in ("mentioned", "stance", "rank", "occurrences", "cited_urls", "sentiment"):
        expected, got = getattr(label, field), getattr(found, field)
        if expected != got and not (field == "sentiment" and got is None):
            yield Disagreement(answer.file, answer.id, name, field, expected, got)


def _as_label(found: BrandAnalysis) -> GoldLabel:
    return GoldLabel(
        mentioned=found.mentioned,
        occurrences=len(found.occurrences),
        rank=found.rank,
        stance=found.stance,
        cited=found.cited,
        cited_urls=len(found.cited_urls),
        sentiment=found.sentiment.label if found.sentiment else None,
    )


def _rate(part: int, whole: int) -> float | None:
    return part / whole if whole else None

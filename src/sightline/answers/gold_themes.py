"""The gold set of themes: the aspects that people found in answers, and how well the extractor agrees with them.

`gold/themes.jsonl` may be looked at while rules and word lists are changed, `gold/themes_held_out.jsonl` may not. All
labels were written before the extractor existed. Both files were written together, so they have the same mix.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any, Literal

import msgspec

from sightline.answers.aspects import ASPECT_LANGUAGE, Aspect, find_aspects
from sightline.answers.characters import fold, normalize
from sightline.answers.gold import AspectLabel, GoldAnswer
from sightline.answers.models import Brand
from sightline.answers.names import Lexicon

_SPACE = re.compile(r"\s+")


class ThemeAgreement(msgspec.Struct):
    """Counts over aspects. The rates are derived, so that two of these can be added."""

    labels: int = 0
    labels_found: int = 0
    found: int = 0
    found_right: int = 0
    polarities_equal: int = 0
    opposite: int = 0

    def add(self, labels: Sequence[AspectLabel], found: Sequence[Aspect]) -> None:
        self.labels += len(labels)
        self.found += len(found)
        self.found_right += sum(any(is_same_aspect(label, each) for label in labels) for each in found)
        for label in labels:
            same = [each.polarity for each in found if is_same_aspect(label, each)]
            self.labels_found += bool(same)
            self.polarities_equal += label.polarity in same
            self.opposite += {label.polarity, *same} >= {"positive", "negative"} and label.polarity not in same

    def rates(self) -> dict[str, float | int | None]:
        return {
            "labels": self.labels,
            "precision": _rate(self.found_right, self.found),
            "recall": _rate(self.labels_found, self.labels),
            "polarity_exact": _rate(self.polarities_equal, self.labels_found),
            "polarity_opposite": _rate(self.opposite, self.labels_found),
        }


class ThemeDisagreement(msgspec.Struct, frozen=True):
    """A label that was not found, an aspect that nobody labeled, or one whose polarity differs."""

    file: str
    id: str
    name: str
    field: Literal["missed", "wrong", "polarity"]
    label: str | None
    found: str | None


class ThemeReport(msgspec.Struct):
    answers: int
    every: ThemeAgreement
    by_kind: dict[str, ThemeAgreement]
    by_file: dict[str, ThemeAgreement]
    disagreements: list[ThemeDisagreement]

    def summary(self) -> dict[str, Any]:
        def rates(agreements: dict[str, ThemeAgreement]) -> dict[str, Any]:
            return {name: agreement.rates() for name, agreement in sorted(agreements.items())}

        return {
            "answers": self.answers,
            "all": self.every.rates(),
            "kinds": rates(self.by_kind),
            "files": rates(self.by_file),
        }


def is_same_aspect(label: AspectLabel, found: Aspect) -> bool:
    """Return whether an aspect has the label's name, or lies within the labeled words, or the words within it."""
    names = {_simplify(found.name), _simplify(found.wording)}
    words = _simplify(label.words)
    return _simplify(label.name) in names or any(_contains(words, name) or _contains(name, words) for name in names)


def _contains(text: str, part: str) -> bool:
    if not part:
        return False
    if not part.isascii():  # folded, so it is of a script that may be written without spaces
        return part in text
    return re.search(rf"(?<!\w){re.escape(part)}(?!\w)", text) is not None


def _simplify(text: str) -> str:
    return _SPACE.sub(" ", fold(normalize(text)[0]).replace("*", "")).strip()


def predict_aspects(answer: GoldAnswer) -> dict[str, tuple[Aspect, ...]]:
    """Return the aspects that rules find for each brand of the entry; none in a language that they do not read."""
    lexicon = _build_lexicon(answer)
    found = find_aspects(answer.text, lexicon, prompt=answer.prompt) if _is_read(answer) else {}
    return {brand.name: found.get(index, ()) for index, brand in enumerate(lexicon.brands)}


def _is_read(answer: GoldAnswer) -> bool:
    return (answer.language or ASPECT_LANGUAGE) == ASPECT_LANGUAGE


def _build_lexicon(answer: GoldAnswer) -> Lexicon:
    brands = (answer.brand, *answer.competitors)
    return Lexicon([Brand(each.name, each.aliases, each.domains, each.category_words) for each in brands])


def evaluate_themes(answers: Iterable[GoldAnswer]) -> ThemeReport:
    """Compare the extractor with the labels of the English answers that have labels of aspects."""
    report = ThemeReport(0, ThemeAgreement(), {}, {}, [])
    for answer in answers:
        if not answer.aspects or not _is_read(answer):
            continue
        report.answers += 1
        predicted = predict_aspects(answer)
        for name, labels in answer.aspects.items():
            for agreement in (
                report.every,
                report.by_kind.setdefault(answer.kind or "?", ThemeAgreement()),
                report.by_file.setdefault(answer.file or "?", ThemeAgreement()),
            ):
                agreement.add(labels, predicted[name])
            report.disagreements += _list_differences(answer, name, labels, predicted[name])
    return report


def _list_differences(
    answer: GoldAnswer, name: str, labels: Sequence[AspectLabel], found: Sequence[Aspect]
) -> Iterable[ThemeDisagreement]:
    for label in labels:
        same = [each for each in found if is_same_aspect(label, each)]
        said = f"{label.words} ({label.polarity})"
        if not same:
            yield ThemeDisagreement(answer.file, answer.id, name, "missed", said, None)
        elif label.polarity not in {each.polarity for each in same}:
            yield ThemeDisagreement(
                answer.file, answer.id, name, "polarity", said, f"{same[0].wording} ({same[0].polarity})"
            )
    for each in found:
        if not any(is_same_aspect(label, each) for label in labels):
            yield ThemeDisagreement(answer.file, answer.id, name, "wrong", None, f"{each.wording} ({each.polarity})")


def _rate(part: int, whole: int) -> float | None:
    return part / whole if whole else None

# ruff: noqa: E501, RUF001
"""Composes list items, comparisons and verdicts in the manner of AI answers, for training only.

The fragments were written and labelled for this project. Each composition gets its label from the fragments it is made
of, so that the same fact, praise or blame is seen in many surroundings: among specifications, before a "but", next to
what is said of another brand.
"""

import random
from collections.abc import Callable, Sequence

from training.sentiment.examples import COMPOSED, LABELS, Example
from training.sentiment.fragments import (
    BETTER,
    BLAME,
    BLAME_LABELS,
    BLAME_VERDICTS,
    BLAMED,
    FACT_LABELS,
    FACT_SENTENCES,
    FACTS,
    FIELDS,
    MAKERS,
    PASSING,
    PRAISE,
    PRAISE_LABELS,
    PRAISE_VERDICTS,
    PRAISED,
    PRODUCTS,
    SYLLABLES,
    WORSE,
)

_NEGATIVE, _NEUTRAL, _POSITIVE = range(len(LABELS))
_SEED = 17
_NAME = "\0"  # where the name of the target stands in a composition

Composition = tuple[str, int]
"""A text with `_NAME` for the target, and its label."""


def compose(number: int) -> list[Example]:
    """Return this many examples, always the same ones."""
    chance = random.Random(_SEED)  # noqa: S311 - reproducible, not secret
    writer = _Writer(chance)
    examples: list[Example] = []
    seen: set[str] = set()
    while len(examples) < number:
        text, label = writer.compose()
        name = writer.name()
        start = text.index(_NAME)
        text = text.replace(_NAME, name)
        if text not in seen:
            seen.add(text)
            examples.append(Example(text, start, start + len(name), label, COMPOSED))
    return examples


class _Writer:
    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._frames: list[tuple[int, Callable[[], Composition]]] = [
            (5, self._item),
            (6, self._fields),
            (3, self._sentence_item),
            (2, self._label_line),
            (3, self._pros_and_cons),
            (4, self._turn),
            (4, self._comparison),
            (4, self._neighbours),
            (3, self._verdict),
            (2, self._plain),
            (1, self._glued_prices),
        ]

    def compose(self) -> Composition:
        weights = [weight for weight, _ in self._frames]
        _, frame = self._chance.choices(self._frames, weights)[0]
        return frame()

    def name(self) -> str:
        """Return an invented or a real name, often with a product."""
        pick = self._chance.random()
        if pick < 0.45:
            maker = self._chance.choice(MAKERS)
        else:
            maker = "".join(self._some(SYLLABLES, self._chance.choice((2, 2, 3)))).capitalize()
        return f"{maker} {self._product()}" if self._chance.random() < 0.55 else maker

    def _product(self) -> str:
        number = self._chance.choice(("2", "3", "7", "10", "14", "55", "300", "800", "X1", "S6", "900XL", "Mk II"))
        word = self._chance.choice(PRODUCTS)
        return self._chance.choice((word, number, f"{word} {number}"))

    def _some(self, bank: Sequence[str], number: int) -> list[str]:
        return self._chance.sample(bank, number)

    def _signed(self) -> tuple[int, Sequence[str]]:
        """Return a label that is not neutral, and its phrases. There is more praise than blame, as in real answers."""
        return (_POSITIVE, PRAISE) if self._chance.random() < 0.62 else (_NEGATIVE, BLAME)

    def _price(self) -> str:
        amount = self._chance.choice(
            (19.99, 24, 35, 49.95, 79, 99.99, 129, 149.99, 180, 219, 349, 499.95, 799, 1099, 1495)
        )
        shown = f"{amount:,.2f}" if amount % 1 else f"{amount:,.0f}"
        return self._chance.choice((f"${shown}", f"~${shown}", f"Around ${shown}", f"€{shown}", f"${shown} on sale"))

    def _join(self, parts: Sequence[str]) -> str:
        if self._chance.random() < 0.25 and len(parts) > 1:
            return f"{', '.join(parts[:-1])} and {parts[-1]}"
        return ", ".join(parts)

    def _item(self) -> Composition:
        """Write "Name: quiet motor, 2.4 kg, easy to clean." Facts next to praise do not make it neutral."""
        mark = self._chance.choice((": ", " – ", " — ", ". ", ":"))
        if self._chance.random() < 0.3:
            parts = self._some(FACTS, self._chance.choice((2, 3, 4)))
            return f"{_NAME}{mark}{self._capital(self._join(parts))}{self._stop()}", _NEUTRAL
        label, bank = self._signed()
        parts = self._some(bank, self._chance.choice((1, 2, 2, 3)))
        parts += self._some(FACTS, self._chance.choice((0, 0, 1, 2)))
        self._chance.shuffle(parts)
        return f"{_NAME}{mark}{self._capital(self._join(parts))}{self._stop()}", label

    def _fields(self) -> Composition:
        """Write "Name.Price: $120.Why it's great: keeps cool.", which is how the blocks of an answer are joined."""
        gap = self._chance.choice((".", ".", ". ", " | "))
        rows = [f"{field}: {self._chance.choice(values)}" for field, values in self._chance.sample(FIELDS, 3)]
        rows = [*rows[: self._chance.choice((1, 2, 3))], f"Price: {self._price()}"]
        self._chance.shuffle(rows)
        label = _NEUTRAL
        if self._chance.random() < 0.72:
            label, bank = self._signed()
            good = ("Why it's great", "Highlights", "Pros", "Why", "Why choose it", "Best part", "Verdict", "Features")
            bad = ("Cons", "Drawbacks", "Why we'd pass", "Complaints", "Verdict", "Features", "Downsides")
            said = self._join(self._some(bank, self._chance.choice((1, 2, 3))))
            row = f"{self._chance.choice(good if label == _POSITIVE else bad)}: {self._capital(said)}"
            rows.insert(self._chance.randrange(len(rows) + 1), row)
        return f"{_NAME}{gap}{gap.join(rows)}", label

    def _sentence_item(self) -> Composition:
        if self._chance.random() < 0.25:
            return f"{_NAME}: {self._chance.choice(FACT_SENTENCES)}", _NEUTRAL
        label = _POSITIVE if self._chance.random() < 0.62 else _NEGATIVE
        said = self._chance.choice(PRAISED if label == _POSITIVE else BLAMED)
        if self._chance.random() < 0.35:
            fact = self._chance.choice(FACT_SENTENCES)
            pair = [said, fact]
            self._chance.shuffle(pair)
            said = " ".join(pair)
        return f"{_NAME}{self._chance.choice((': ', ' – ', '. ', ':'))}{said}", label

    def _label_line(self) -> Composition:
        bank, label = self._chance.choices(
            ((PRAISE_LABELS, _POSITIVE), (FACT_LABELS, _NEUTRAL), (BLAME_LABELS, _NEGATIVE)), (5, 4, 2)
        )[0]
        words = self._chance.choice(bank)
        price = self._chance.choice(("", f". {self._price()}", ". Price not available"))
        frames = (
            f"{_NAME}. {words}{price}",
            f"{words}: {_NAME}",
            f"{_NAME} – {words}{price}",
            f"{words} | {_NAME} | {self._price()}",
        )
        return self._chance.choice(frames), label

    def _pros_and_cons(self) -> Composition:
        """Write pros and cons of which one side clearly outweighs the other: people differ on balanced ones."""
        label = _POSITIVE if self._chance.random() < 0.55 else _NEGATIVE
        many, one = (PRAISE, BLAME) if label == _POSITIVE else (BLAME, PRAISE)
        more = self._join(self._some(many, self._chance.choice((2, 3))))
        less = self._some(one, 1)[0]
        pros, cons = (more, less) if label == _POSITIVE else (less, more)
        gap = self._chance.choice((".", ". ", ".  "))
        frames = (
            f"{_NAME}{gap}Pros: {self._capital(pros)}{gap}Cons: {self._capital(cons)}",
            f"{_NAME}{gap}✅ {self._capital(pros)} ❌ {self._capital(cons)}",
            f"{_NAME}: What we liked: {pros}. What we didn't: {cons}.",
            f"{_NAME}{gap}Price: {self._price()}{gap}Pros: {self._capital(pros)}{gap}Cons: {self._capital(cons)}",
        )
        return self._chance.choice(frames), label

    def _turn(self) -> Composition:
        """Write faint praise before a damning "but", or the reverse: what comes last decides."""
        if self._chance.random() < 0.6:
            first, last, label = self._some(PRAISE, 1)[0], self._chance.choice(BLAME_VERDICTS), _NEGATIVE
        else:
            first, last, label = self._some(BLAME, 1)[0], self._chance.choice(PRAISE_VERDICTS), _POSITIVE
        frames = (
            f"{_NAME}: {first}, but {last}.",
            f"{_NAME} has {first}; still, {last}." if " " in first else f"{_NAME} is {first}; still, {last}.",
            f"Despite {first}, {_NAME} is one where {last}.",
            f"For {_NAME} people note {first}, yet {last}.",
            f"{self._capital(first)} aside, {last}: that is {_NAME}.",
        )
        return self._chance.choice(frames), label

    def _comparison(self) -> Composition:
        """Write a sentence that speaks for one name and against the other."""
        other = self.name()
        wins = self._chance.random() < 0.5
        better, worse = (_NAME, other) if wins else (other, _NAME)
        frames = (
            f"{better} is {self._chance.choice(BETTER)} than {worse}.",
            f"{worse} is {self._chance.choice(WORSE)} than {better}.",
            f"Unlike {worse}, {better} has {self._some(PRAISE, 1)[0]}.",
            f"Unlike {better}, {worse} has {self._some(BLAME, 1)[0]}.",
            f"{better} beats {worse} on {self._chance.choice(('price', 'comfort', 'battery life', 'support', 'range', 'sound'))}.",
            f"Choose {better} over {worse}.",
            f"{worse} trails {better} by a wide margin.",
            f"{worse} can't keep up with {better}.",
            f"Compared with {worse}, {better} is {self._chance.choice(BETTER)}.",
            f"Compared with {better}, {worse} is {self._chance.choice(WORSE)}.",
            f"If you are tired of {worse}, try {better}.",
            f"We would take {better} rather than {worse} any day.",
            f"{better} outperforms {worse} and costs less.",
            f"Where {worse} falls short, {better} delivers.",
            f"{worse} looks dated next to {better}.",
            f"We went from {worse} to {better} and have not looked back.",
            f"{better} does what {worse} only claims to do.",
            f"{worse} comes a distant second to {better}.",
            f"{better} has {self._some(PRAISE, 1)[0]}, {worse} has {self._some(BLAME, 1)[0]}.",
            f"{worse} has {self._some(BLAME, 1)[0]}, whereas {better} has {self._some(PRAISE, 1)[0]}.",
            f"{better} is everything that {worse} is not: {self._chance.choice(('light, quick and quiet', 'fair, clear and kind', 'sturdy and simple'))}.",
            f"After {worse}, {better} comes as a relief.",
            f"Nobody who has tried {better} goes back to {worse}.",
        )
        if self._chance.random() < 0.2:
            plain = (
                f"{_NAME} and {other} are sold in the same shops.",
                f"{_NAME} weighs {self._chance.randrange(2, 9)} kg, {other} {self._chance.randrange(2, 9)} kg.",
                f"Whether {_NAME} or {other} suits you depends on your budget.",
                f"{other} belongs to the same group as {_NAME}.",
            )
            return self._chance.choice(plain), _NEUTRAL
        return self._chance.choice(frames), _POSITIVE if wins else _NEGATIVE

    def _neighbours(self) -> Composition:
        """Write of two brands with different labels: what is said of one must not count for the other."""
        other = self.name()
        label = self._chance.choice((_NEGATIVE, _NEUTRAL, _POSITIVE))
        contrary = self._chance.choice([each for each in (_NEGATIVE, _NEUTRAL, _POSITIVE) if each != label])
        banks = {_NEGATIVE: BLAME, _NEUTRAL: FACTS, _POSITIVE: PRAISE}
        own = self._join(self._some(banks[label], 2))
        theirs = self._join(self._some(banks[contrary], 2))
        frames = (
            f"{_NAME}: {own}. {other}: {theirs}.",
            f"{other}: {theirs}. {_NAME}: {own}.",
            f"{other}: {theirs}.{_NAME}:{self._capital(own)}.",
            f"{_NAME} – {own} / {other} – {theirs}",
            f"{_NAME} ({own}), {other} ({theirs})",
        )
        return self._chance.choice(frames), label

    def _verdict(self) -> Composition:
        label = _POSITIVE if self._chance.random() < 0.6 else _NEGATIVE
        said = self._chance.choice(PRAISE_VERDICTS if label == _POSITIVE else BLAME_VERDICTS)
        frames = (
            f"{_NAME}: {said}.",
            f"Verdict on {_NAME}: {said}.",
            f"As for {_NAME}, {said}.",
            f"With {_NAME}, {said}.",
        )
        return self._chance.choice(frames), label

    def _plain(self) -> Composition:
        return self._chance.choice(PASSING).replace("NAME", _NAME, 1), _NEUTRAL

    def _glued_prices(self) -> Composition:
        """Write shopping results without line breaks: names, prices, ratings."""

        def entry(name: str) -> str:
            rating = f"{self._chance.uniform(2.9, 4.9):.1f}({self._chance.choice(('57', '318', '1k+', '2k+', '9k+'))})"
            return f"{name}${self._chance.randrange(20, 900)}.{self._chance.choice(('00', '99', '95'))}{rating}"

        entries = [entry(self.name()) for _ in range(self._chance.choice((0, 1, 2)))]
        entries.insert(self._chance.randrange(len(entries) + 1), entry(_NAME))
        return "".join(entries) + self._chance.choice(("", "See more", "Factors to Consider: Size")), _NEUTRAL

    def _stop(self) -> str:
        return self._chance.choice((".", ".", ""))

    def _capital(self, text: str) -> str:
        return text[:1].upper() + text[1:] if self._chance.random() < 0.6 else text

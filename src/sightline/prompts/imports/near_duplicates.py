"""Finding prompts whose wording is almost the same (metrics 1.12), among many. Pure."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from sightline.metrics.suggestions import DUPLICATE_FROM, find_trigrams
from sightline.prompts.identity import normalize_text


def find_near_duplicates(texts: Sequence[str], known: Sequence[str]) -> dict[str, str]:
    """Return for each text a known or earlier one that is almost the same. The same text does not count.

    Two sets of trigrams that share four fifths also share one of the rarest fifth of each, so only texts that do are
    compared: thousands of texts take a fraction of a second.
    """
    written = {normalize_text(text): text for text in reversed([*known, *texts])}
    order = list(dict.fromkeys(normalize_text(text) for text in (*known, *texts)))
    grams = {key: find_trigrams(written[key]) for key in order}
    frequency = Counter(gram for each in grams.values() for gram in each)
    wanted = {normalize_text(text) for text in texts}
    seen: defaultdict[str, list[str]] = defaultdict(list)
    found: dict[str, str] = {}
    for key in order:
        own = grams[key]
        rarest = sorted(own, key=lambda gram: (frequency[gram], gram))
        prefix = rarest[: len(own) - math.ceil(DUPLICATE_FROM * len(own)) + 1]
        if key in wanted:
            near = _find_near(own, (seen[gram] for gram in prefix), grams)
            if near is not None:
                found[key] = written[near]
        for gram in prefix:
            seen[gram].append(key)
    return {text: found[normalize_text(text)] for text in texts if normalize_text(text) in found}


def _find_near(
    own: frozenset[str], candidates: Iterable[Sequence[str]], grams: Mapping[str, frozenset[str]]
) -> str | None:
    """Return the first candidate that is almost the same. Each is compared once, and none after the first."""
    compared: set[str] = set()
    for group in candidates:
        for other in group:
            if other not in compared and _is_near(own, grams[other]):
                return other
        compared.update(group)
    return None


def _is_near(one: frozenset[str], other: frozenset[str]) -> bool:
    return len(one & other) >= DUPLICATE_FROM * len(one | other)

"""Which names in an answer belong to tracked brands, and which to others."""

from collections.abc import Sequence
from functools import lru_cache

from sightline.answers.blocks import PreparedAnswer
from sightline.answers.candidates import Candidate
from sightline.answers.language import LanguageDetector
from sightline.answers.makers import list_makers
from sightline.answers.mentions import find_mentions
from sightline.answers.names import Lexicon
from sightline.answers.prepare import prepare
from sightline.answers.stance import combine_stances, find_stances


def is_named(prepared: PreparedAnswer, lexicon: Lexicon) -> bool:
    """Return whether the text, such as a prompt or a presented name, names the first brand of the lexicon.

    It is matched as in answers, but people write prompts without capitals, so a name in lower case counts, too.
    """
    mentions = find_mentions(prepared, lexicon, LanguageDetector(prepared.prose), "", reads_case=False)
    if not mentions:
        return False
    stances = find_stances(prepared, mentions)
    own = [stance for mention, stance in zip(mentions, stances, strict=True) if mention.brand == 0]
    return combine_stances(own) not in {None, "unknown"}


class TrackedNames:
    """Recognizes names of the tracked brands: "Acme CRM" belongs to Acme. Caches the few names that recur in a scan."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicons = [Lexicon([brand]) for brand in lexicon.brands]
        self._known: dict[str, bool] = {}

    def include(self, name: str) -> bool:
        known = self._known.get(name)
        if known is None:
            prepared = prepare(name)
            known = self._known[name] = any(is_named(prepared, lexicon) for lexicon in self._lexicons)
        return known


# One lexicon is matched in all answers of a scan.
tracked_names_of = lru_cache(maxsize=64)(TrackedNames)


def list_other_names(lexicon: Lexicon, candidates: Sequence[Candidate]) -> list[str]:
    """Return the makers of an answer's names that are not tracked."""
    tracked = tracked_names_of(lexicon)
    return [name for name in list_makers(candidates) if not tracked.include(name)]

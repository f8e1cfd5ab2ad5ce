"""Reads an answer: where it names the brands, how it presents them, and which passage is about each.

Analysis, sentiment and themes begin with it. Themes take the other names that the analysis has found and stored; where
brands stand is read again, because most rivals are known only after all answers of a scan.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import chain
from threading import Lock

from cachetools import FIFOCache, cached

from sightline.answers.blocks import PreparedAnswer
from sightline.answers.candidates import Candidate, find_candidates_prepared, list_known_keys, merge_key
from sightline.answers.corrections import Correction
from sightline.answers.mentions import Mention, find_mentions, find_mentions_with_others
from sightline.answers.models import Stance
from sightline.answers.names import Lexicon
from sightline.answers.prepare import prepare
from sightline.answers.scope import OTHER, bound_mentions, find_details, find_scopes
from sightline.answers.stance import find_stances
from sightline.answers.tracked_names import list_other_names

_CACHED_CHARACTERS = 2_000_000  # the answers of a check, in about 30 MB
_LONGEST_CACHED = 8_000  # characters


class Reading:
    """What an answer names. The brands of the lexicon are read as if no other brand existed."""

    def __init__(
        self,
        prepared: PreparedAnswer,
        lexicon: Lexicon,
        others: Sequence[str],
        language: Callable[[], str | None],
        prompt: str,
        corrections: Sequence[Correction] = (),
    ) -> None:
        """Read the answer. `others` are brands that are known only by their names, `corrections` those of the answer.

        `language` is called only if it matters.
        """
        self.prepared = prepared
        if others:
            self.mentions, self.all_mentions = find_mentions_with_others(
                prepared, lexicon, others, language, prompt, corrections
            )
        else:
            self.mentions = self.all_mentions = find_mentions(prepared, lexicon, language, prompt, corrections)
        self.stances: list[Stance] = find_stances(prepared, self.mentions)

    @cached_property
    def bounded(self) -> list[Mention]:
        """The mentions and, as `OTHER`, whatever else ends what is said of a brand."""
        return bound_mentions(self.prepared, self.mentions, self.all_mentions)

    @cached_property
    def bounded_stances(self) -> list[Stance]:
        """The stance of each of `bounded`."""
        known = {mention.start: stance for mention, stance in zip(self.mentions, self.stances, strict=True)}
        return [known[each.start] if each.brand != OTHER else "neutral" for each in self.bounded]

    @cached_property
    def passages(self) -> list[tuple[Mention, tuple[int, int]]]:
        """The mentions that say something of a brand, with each span of prose that is about it.

        The items below an entry follow with the mention that heads them; its scope may include some of them.
        """
        unknown = {
            mention.start for mention, stance in zip(self.mentions, self.stances, strict=True) if stance == "unknown"
        }
        return [
            (mention, span)
            for mention, span in chain(
                zip(self.bounded, find_scopes(self.prepared, self.bounded), strict=True),
                find_details(self.prepared, self.bounded),
            )
            if mention.brand != OTHER and mention.start not in unknown and not mention.derived
        ]


def _measure(reading: Reading) -> int:
    """Return what a reading takes of the cache: of a long one more than there is, so that it is not kept."""
    length = len(reading.prepared.raw)
    return length if length <= _LONGEST_CACHED else _CACHED_CHARACTERS + 1


# Limited by size and not by number, as `prepare` is. With a lock, because insights are found in threads.
@cached(FIFOCache(_CACHED_CHARACTERS, getsizeof=_measure), lock=Lock())
def read_answer(
    text: str,
    lexicon: Lexicon,
    prompt: str,
    language: str | None,
    corrections: tuple[Correction, ...] = (),
    candidates: tuple[Candidate, ...] | None = None,
) -> Reading:
    """Read an answer for all brands of the lexicon. `candidates` are its other names, where they are known.

    The result is shared and must not be changed. It is cached, because rules read what an editor could not sort.
    """
    prepared = prepare(text, prompt)
    if candidates is None:
        candidates = find_candidates_prepared(prepared, lexicon)
    # Brands that were found after the names have theirs among them, and need no second search as somebody else.
    others = [name for name in list_other_names(lexicon, candidates) if merge_key(name) not in list_known_keys(lexicon)]
    return Reading(prepared, lexicon, others, lambda: language, prompt, corrections)

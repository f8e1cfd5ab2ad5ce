"""Decides which matches of names mean a brand, and which brand."""

from collections.abc import Callable

from sightline.answers.blocks import PreparedAnswer
from sightline.answers.evidence.layout import Layout
from sightline.answers.evidence.matches import NameMatch
from sightline.answers.evidence.neighbors import Neighbors
from sightline.answers.evidence.other_senses import has_other_sense, is_foreign_to, is_spelled_out, is_unit
from sightline.answers.evidence.wording import follows_verb_of_choosing, has_company_verb, is_possessive
from sightline.answers.market_words import is_off_topic
from sightline.answers.models import Brand
from sightline.answers.names import Lexicon, Pattern
from sightline.answers.word_lists import read_list

NEEDED = 2  # points
_ACRONYM = 4  # letters
_ONE_WORD = 20  # characters that must follow an answer in one word


def resolve_matches(
    prepared: PreparedAnswer,
    lexicon: Lexicon,
    matches: list[NameMatch],
    language: Callable[[], str | None],
    prompt: str,
) -> list[tuple[NameMatch, int]]:
    """Return each match that means a brand, with its brand."""
    if all(match.is_unambiguous for match in matches):
        return [(match, match.pattern.brands[0]) for match in matches]
    scorer = EvidenceScorer(prepared, lexicon, matches, language, prompt)
    return [(match, brand) for match in matches if (brand := scorer.find_brand(match)) is not None]


class EvidenceScorer:
    """Scores the evidence for the ambiguous matches of one answer."""

    def __init__(
        self,
        prepared: PreparedAnswer,
        lexicon: Lexicon,
        matches: list[NameMatch],
        language: Callable[[], str | None],
        prompt: str,
    ) -> None:
        self._prepared = prepared
        self._prose = prepared.prose
        self._layout = Layout(prepared, language)
        self._neighbors = Neighbors(prepared, lexicon, matches, self._layout, prompt)
        self._expansions: dict[str, bool] = {}
        topics = {
            index: tuple(_topic_words(lexicon.brands[index]))
            for index in {brand for match in matches for brand in match.pattern.brands}
        }
        # Once for each market, because the brands of a scan share theirs.
        off_topic = {words for words in set(topics.values()) if is_off_topic(prepared.folded, prompt, words)}
        self._off_topic = {index for index, words in topics.items() if words in off_topic}
        self._points = {id(match): self._score(match) for match in matches if match.needs_evidence}
        clear = [
            match
            for match in matches
            if len(match.pattern.brands) == 1 and self._points.get(id(match), NEEDED) >= NEEDED
        ]
        self._clearly_named = {match.pattern.brands[0] for match in clear}
        self._without_capital = {match.pattern.brands[0] for match in clear if match.lost_capital}

    def find_brand(self, match: NameMatch) -> int | None:
        """Return the brand that a match means, or None if it means an ordinary word or cannot be told apart."""
        brands = match.pattern.brands
        points = self._points.get(id(match), NEEDED)
        if points < NEEDED and not self._is_named_elsewhere(match, points):
            return None
        return brands[0] if len(brands) == 1 else self._neighbors.find_most_likely(match)

    def _is_named_elsewhere(self, match: NameMatch, points: int) -> bool:
        """Return whether the rest of the answer makes up for missing evidence.

        For a name in lower case, that is another one in lower case: an answer that writes the name with a capital
        means something else by the word without it.
        """
        if match.lost_capital:
            return not self._without_capital.isdisjoint(match.pattern.brands)
        return points >= NEEDED - 1 and not self._clearly_named.isdisjoint(match.pattern.brands)

    def _score(self, match: NameMatch) -> int:
        pattern, prose = match.pattern, self._prose
        start, end = match.start, match.end
        written = prose[start:end]
        sentence = self._prepared.sentence_at(start)
        text = prose[sentence[0] : sentence[1]]
        if is_foreign_to(text, written):
            return NEEDED
        if match.lost_capital or (written.islower() and pattern.in_lower_case):
            return self._score_lower_case(match, sentence)
        strong = 2 * self._layout.is_head(start, end) - 2 * has_other_sense(self._prepared, pattern.text, start, end)
        is_lower = written == written.lower() != written.upper()
        off_topic = self._off_topic.issuperset(pattern.brands)
        is_acronym = written.isupper() and len(written) <= _ACRONYM
        if strong >= NEEDED and not is_lower and not is_acronym and not off_topic:
            return strong  # the remaining evidence takes nothing off
        strong += 2 * self._neighbors.has_own_site(match, sentence)
        if off_topic:
            return strong if self._neighbors.has_own_site(match, sentence) else 0
        if is_lower:
            near = self._neighbors.has_category_word(start, end) + self._neighbors.has_other_name(match, sentence)
            return strong - 2 + near + is_possessive(prose, start, end)
        strong += self._layout.score_product(end) or 2 * self._neighbors.precedes_category(end)
        points = strong + (pattern.doubt == 1) + _is_name_when_capital(pattern)
        shouting = text.isupper()
        if is_acronym and not shouting:
            points += 1 if pattern.spelling.isupper() else -2
            points -= 2 * (self._is_spelled_out(written) or is_unit(prose, start))
        points += self._layout.has_telling_capital(start, sentence, shouting=shouting)
        points += has_company_verb(prose, end, opens_sentence=self._layout.opens_sentence(start))
        points += follows_verb_of_choosing(prose, start)
        if len(prose) > len(written) + _ONE_WORD:  # the answer in one word, and then its reasons
            points += 2 * (text.strip(" *_.") == written)
        points += self._neighbors.has_category_word(start, end)
        points += self._neighbors.score_other_names(match, sentence)
        return points + is_possessive(prose, start, end)

    def _score_lower_case(self, match: NameMatch, sentence: tuple[int, int]) -> int:
        """Score a name in lower case whose case is no evidence against it, or that no list has as an ordinary word."""
        pattern, prose, start, end = match.pattern, self._prose, match.start, match.end
        if match.lost_capital and not (self._layout.capitalizes_sentences and self._neighbors.is_unprompted(pattern)):
            return NEEDED  # nobody writes capitals here, or the answer writes the name as the prompt does
        strong = 2 * self._neighbors.has_own_site(match, sentence)
        if self._off_topic.issuperset(pattern.brands):
            return strong
        strong -= 2 * has_other_sense(self._prepared, pattern.text, start, end)
        strong += (1 + pattern.in_lower_case) * self._layout.is_head(start, end)
        strong += 2 * self._layout.has_telling_small_letter(start)
        strong += 2 if self._layout.precedes_title(end) else self._layout.score_product(end)
        near = self._neighbors.has_category_word(start, end) or self._neighbors.has_other_name(match, sentence)
        return strong + near + is_possessive(prose, start, end) + follows_verb_of_choosing(prose, start)

    def _is_spelled_out(self, acronym: str) -> bool:
        known = self._expansions.get(acronym)
        if known is None:
            known = self._expansions[acronym] = is_spelled_out(self._prepared.folded, acronym)
        return known


def _topic_words(brand: Brand) -> tuple[str, ...]:
    return brand.category_words or brand.market_words


def _is_name_when_capital(pattern: Pattern) -> bool:
    """Return whether a capital makes it a name: several words, and a few words of other languages."""
    several = " " in pattern.text or "-" in pattern.text
    return several or pattern.spelling.casefold() in read_list("names_and_days", "rarer elsewhere")

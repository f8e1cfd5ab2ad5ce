"""What the answers of a check say about a brand's site: cited pages, statements next to a citation, questions. Pure."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from urllib.parse import unquote

from yarl import URL

from sightline.answers.characters import fold
from sightline.answers.citations import SiteOwners, normalize_url
from sightline.answers.word_lists import read_list
from sightline.platforms.models import Source
from sightline.scans.models import ScanAnswer, ScanPlan
from sightline.scans.observations import find_branded
from sightline.site_review.models import CitedPage, Question, ReviewContext, Statement, TouchedPrompt
from sightline.site_review.prices import find_prices

_OWN = 0
_MAX_STATEMENTS = 20
_MAX_PROOFS = 20
_MAX_RIVAL_PAGES = 3
_WORD = re.compile(r"[^\W\d_]{3,}")
_ENDS = re.compile(r"(?<=[.!?…])\s+(?=[^a-z])|\n+|\s\|\s")
# Next to these, a price is not the one that the page names.
_VAGUE = re.compile(
    r"\b(?:about|around|approx\w*|roughly|nearly|almost|over|under|below|above|less than|more than|up to|between|"
    r"average|converted|equivalent|saves?|discount|off|was|formerly|used to|competitors?|etwa|rund|circa|ca|ungefähr|"
    r"knapp|über|unter|bis zu|zwischen|durchschnitt\w*|sparen|rabatt|früher|omkring|cirka|mellem|op til|spar|tidligere|"
    r"environ|entre|jusqu|moins|plus de)\b|[~≈±\u2013-]\s?[$€£\d]|\d\s?[\u2013-]\s?[$€£]?\d",
    re.IGNORECASE,
)
_FEWEST_QUOTED_WORDS = 4


def build_context(
    plan: ScanPlan, domains: Sequence[str], answers: Sequence[ScanAnswer], themes: Sequence[Question] = ()
) -> ReviewContext:
    """Return what the valid answers say. `themes` come from the codebook; their rivals' pages are found here.

    The id of a theme's answers stands in its `rival_pages` until then.
    """
    valid = [answer for answer in answers if answer.analysis is not None]
    own = SiteOwners([domains])
    rivals = SiteOwners([brand.domains for brand in plan.competitors])
    branded = find_branded(plan)
    by_id = {answer.id: answer for answer in valid}
    questions = [
        Question(
            id=prompt.id,
            text=prompt.text,
            words=find_content_words(prompt.text, prompt.language, (plan.brand.name, *plan.brand.aliases)),
            language=prompt.language,
            prompts=(TouchedPrompt(prompt.id, prompt.text),),
            rival_pages=pages,
        )
        for prompt in plan.prompts
        if prompt.id not in branded and (pages := _list_rival_pages(_answers_to(valid, prompt.id), rivals, own))
    ]
    return ReviewContext(
        domains=tuple(domains),
        cited=tuple(_list_cited(valid, own)),
        questions=tuple(questions),
        themes=tuple(_attach_rivals(theme, by_id, rivals) for theme in themes),
        prompt_words=frozenset(
            word for prompt in plan.prompts for word in find_content_words(prompt.text, prompt.language, ())
        ),
    )


def find_content_words(text: str, language: str | None, names: Iterable[str]) -> tuple[str, ...]:
    """Return the words of a question that a page about it has, folded: no small words, and no names of the brand."""
    known = {*read_list("stop_words", "en"), *read_list("question_words", "words")}
    if language is not None and language != "en":
        known |= _read_stop_words(language)
    ignored = {fold(word) for word in known} | {part for name in names for part in _WORD.findall(fold(name))}
    shortest = 3 if language in {"en", "de", None} else 5
    return tuple(
        dict.fromkeys(word for word in _WORD.findall(fold(text)) if word not in ignored and len(word) >= shortest)
    )


def _read_stop_words(language: str) -> frozenset[str]:
    try:
        return read_list("stop_words", language)
    except KeyError:
        return frozenset()


def _answers_to(answers: Iterable[ScanAnswer], prompt_id: str) -> list[ScanAnswer]:
    return [answer for answer in answers if answer.prompt.id == prompt_id]


def _list_rival_pages(answers: Iterable[ScanAnswer], rivals: SiteOwners, own: SiteOwners | None) -> tuple[str, ...]:
    """Return the rivals' pages that these answers cite; none where one of them cites a page of the brand."""
    counted: Counter[str] = Counter()
    for answer in answers:
        assert answer.analysis is not None
        for citation in answer.analysis.citations:
            if own is not None and own.of(citation):
                return ()
            if rivals.of(citation):
                counted[citation.url] += 1
    return tuple(url for url, _ in counted.most_common(_MAX_RIVAL_PAGES))


def _attach_rivals(theme: Question, answers: Mapping[str, ScanAnswer], rivals: SiteOwners) -> Question:
    about = [answers[each] for each in theme.rival_pages if each in answers]
    prompts = {answer.prompt.id: answer.prompt.text for answer in about}
    return Question(
        id=theme.id,
        text=theme.text,
        words=theme.words,
        language=theme.language,
        is_theme=True,
        prompts=tuple(TouchedPrompt(*each) for each in prompts.items()),
        rival_pages=_list_rival_pages(about, rivals, None),
    )


def _list_cited(answers: Sequence[ScanAnswer], own: SiteOwners) -> Iterator[CitedPage]:
    """Yield the brand's pages that answers cite, most cited first."""
    citing: dict[str, list[ScanAnswer]] = {}
    addresses: dict[str, str] = {}
    statements: dict[str, list[Statement]] = {}
    for answer in answers:
        assert answer.analysis is not None
        for citation in answer.analysis.citations:
            if own.of(citation):
                citing.setdefault(citation.url, []).append(answer)
        for source in answer.cited:
            found = normalize_url(source.url, source.title)
            if found is not None and found.url in citing:
                if own.of(found) and _is_plain(source.url):
                    addresses.setdefault(found.url, source.url.partition("#")[0])
                statements.setdefault(found.url, []).extend(_list_statements(answer, source))
    for key, cited_by in sorted(citing.items(), key=lambda each: (-len(each[1]), each[0])):
        prompts = {answer.prompt.id: answer.prompt.text for answer in cited_by}
        yield CitedPage(
            key=key,
            url=addresses.get(key, f"https://{key}"),
            answers=len(cited_by),
            answer_ids=tuple(answer.id for answer in cited_by[:_MAX_PROOFS]),
            prompts=tuple(TouchedPrompt(*each) for each in prompts.items()),
            platforms=tuple(dict.fromkeys(answer.platform for answer in cited_by)),
            statements=tuple(statements.get(key, ())[:_MAX_STATEMENTS]),
        )


def _is_plain(url: str) -> bool:
    """Return whether an address leads to its page itself, and not by way of a redirect that contains it."""
    try:
        return URL(url).scheme in {"http", "https"} and "http" not in (URL(url).raw_query_string)
    except ValueError:
        return False


def _list_statements(answer: ScanAnswer, source: Source) -> Iterator[Statement]:
    quote = _read_quote(source.url)
    if quote is not None:
        yield Statement(answer_id=answer.id, text=quote, quote=quote)
    for span in source.spans:
        start, end = _widen(answer.text, span.start, span.end)
        text = answer.text[start:end]
        others = [
            each
            for other in answer.cited
            if other.url != source.url
            for each in other.spans
            if each.start < end and start < each.end
        ]
        prices = find_prices(text)
        if prices and not others and not _VAGUE.search(text):
            yield Statement(answer_id=answer.id, text=text.strip(), prices=tuple(price.text for price in prices))


def _widen(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the sentence around a part of a text: some platforms mark the sign of a citation only."""
    first = 0
    for match in _ENDS.finditer(text):
        if match.end() <= start:
            first = match.end()
        elif match.start() >= end:
            return first, match.start()
    return first, len(text)


def _read_quote(url: str) -> str | None:
    """Return the passage that an address points at: `#:~:text=prefix-,from,to,-suffix`."""
    directive = url.partition("#:~:text=")[2].partition("&")[0]
    parts = [part for part in directive.split(",") if part and not part.startswith("-") and not part.endswith("-")]
    if len(parts) != 1:
        return None  # two parts name the beginning and the end of a passage only
    quote = " ".join(unquote(parts[0]).split())
    return quote if len(quote.split()) >= _FEWEST_QUOTED_WORDS else None

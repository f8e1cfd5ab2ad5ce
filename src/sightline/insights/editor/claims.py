"""The question about facts: which fact a passage speaks about, and in which words. Pure but for the asking.

Code chooses the passages and compares what the words say (`facts/compare.py`). The editor is not told what is true.
"""

import asyncio
import uuid
from collections import Counter
from collections.abc import Sequence
from datetime import date

import msgspec

from sightline.answers.names import Lexicon
from sightline.answers.passages import find_stated
from sightline.facts.amounts import find_amounts, find_years
from sightline.facts.compare import Statement, compare, denies, find_countries, names_place, names_subject
from sightline.facts.models import Claim, Fact, Manner
from sightline.insights.aspect_counts import build_lexicon, find_language
from sightline.insights.editor.requests import (
    Dropped,
    Editor,
    EditorRequest,
    build_request,
    has_form,
    read_items,
    simplify,
    split_parts,
)
from sightline.insights.inputs import InsightInputs
from sightline.scans.models import ScanAnswer

_MAX_PASSAGES = 400
_MAX_OF_A_FACT = 120
_PASSAGES_A_REQUEST = 40
_LONGEST = 400  # characters of a passage
_MAX_SOURCES = 20
_TASK = (
    "These passages are from answers of AI assistants about one brand. What stands in square brackets is the heading "
    "or sentence before a passage. For each passage that says something about one of the facts, give the key of the "
    "fact, the number of the passage, and the fewest words of the passage that say it, copied letter for letter: with "
    "a price its amount, with a year the year. `manner` is `states` if the passage says as a plain present truth what "
    "the fact asks, `denies` if it says that it is not so, and `unclear` if it is a range, an estimate, a condition, a "
    "former or reduced price, a question, or may be about another product, plan, place or brand. A passage may speak "
    "about several facts, or about none: then leave it out."
)
_REPLY = '{"fact": "f1", "passage": 1, "words": "...", "manner": "states|denies|unclear"}'
_FOUNDING = (
    "found",
    "establish",
    "since",
    "gegrundet",
    "seit",
    "grundlagt",
    "stift",
    "siden",
    "start",
    "etabl",
    "began",
)
_SOLD = (
    "available",
    "in stock",
    "buy",
    "sold",
    "current",
    "erhaltlich",
    "verfugbar",
    "lieferbar",
    "kaufen",
    "kobes",
    "fas ",
)
_SEAT = ("based", "headquarter", "sitz", "hovedkontor", "hovedsaede", "hjemme")


class ClaimPassage(msgspec.Struct, frozen=True):
    """A passage that may speak about facts, with the answers that have it, word for word."""

    text: str
    context: str
    facts: tuple[uuid.UUID, ...]
    answers: tuple[ScanAnswer, ...]


def describe_fact(fact: Fact, brand: str) -> str:
    """Return what a fact is about, without saying what is true."""
    subject = fact.subject
    country = f" in {fact.country}" if fact.country else ""
    return {
        "price": f"what {subject} costs{country}",
        "founded": f"the year in which {brand} was founded",
        "place": f"where {brand} has its {subject or 'headquarters'}",
        "product": f"{subject} is a current product that is still sold",
        "availability": f"{subject or brand} is available{country}",
        "certification": f"{brand} or its products have: {subject}",
        "ability": f"{brand} has or does: {subject}",
    }[fact.kind]


def choose_passages(inputs: InsightInputs, facts: Sequence[Fact]) -> list[ClaimPassage]:
    """Return the passages about the brand that may speak about one of its facts, each once."""
    lexicon = _add_products(build_lexicon(inputs), facts)
    found: dict[tuple[str, str], ClaimPassage] = {}
    of_fact: Counter[uuid.UUID] = Counter()
    for answer in inputs.answers:
        language = find_language(answer)
        for each in find_stated(answer.text, lexicon, prompt=answer.prompt.text, language=language):
            text, context = each.text[:_LONGEST], each.context[:_LONGEST]
            known = found.get((text, context))
            if known is not None:
                if answer not in known.answers:
                    found[text, context] = msgspec.structs.replace(known, answers=(*known.answers, answer))
                continue
            about = tuple(
                fact.id for fact in facts if of_fact[fact.id] < _MAX_OF_A_FACT and may_speak_of(fact, text, context)
            )
            if about and len(found) < _MAX_PASSAGES:
                of_fact.update(about)
                found[text, context] = ClaimPassage(text, context, about, (answer,))
    return list(found.values())


def _add_products(lexicon: Lexicon, facts: Sequence[Fact]) -> Lexicon:
    """Let products of facts name the brand, so that what is said of them counts as said of it."""
    own, *rivals = lexicon.brands
    names = tuple(fact.subject for fact in facts if fact.is_own_product and _is_distinct(fact.subject))
    return Lexicon((msgspec.structs.replace(own, products=tuple(dict.fromkeys((*own.products, *names)))), *rivals))


def _is_distinct(name: str) -> bool:
    """Return whether a name is of several words or has a digit: a plan that is called "Pro" names nobody."""
    return " " in name.strip() or any(map(str.isdigit, name))


def may_speak_of(fact: Fact, text: str, context: str) -> bool:
    """Return whether a passage may speak about a fact: it has what one of its kind needs."""
    both = f"{context}\n{text}"
    plain = simplify(both)
    match fact.kind:
        case "price":
            return bool(find_amounts(text)) and names_subject(fact, both)
        case "founded":
            years = list(map(str, find_years(text)))
            known = {fact.value, *fact.name_former(date.max)}
            return not known.isdisjoint(years) or (bool(years) and any(word in plain for word in _FOUNDING))
        case "place":
            says_where = any(word in plain for word in _SEAT)
            return names_place(fact, text) or (says_where and bool(find_countries(text)))
        case "product":
            is_offered = fact.value == "no" and (bool(find_amounts(text)) or any(word in plain for word in _SOLD))
            return names_subject(fact, both) and (is_offered or denies(text))
        case "availability":
            return names_subject(fact, text) and (not fact.subject or simplify(fact.subject) in plain)
        case _:
            return names_subject(fact, text)


def ask_for_claims(
    brand: str, passages: Sequence[ClaimPassage], facts: Sequence[Fact]
) -> list[tuple[EditorRequest, Sequence[ClaimPassage]]]:
    """Return the requests, each with its own passages."""
    keys = _number(facts)
    found = []
    texts = [f"[{each.context}] {each.text}" if each.context else each.text for each in passages]
    start = 0
    for shown in split_parts(texts, most=_PASSAGES_A_REQUEST):
        part = passages[start : start + len(shown)]
        start += len(shown)
        asked = {fact_id for each in part for fact_id in each.facts}
        described = {keys[fact.id]: describe_fact(fact, brand) for fact in facts if fact.id in asked}
        numbered = [f"{number}. {text}" for number, text in enumerate(shown, 1)]
        given = {"brand": brand, "facts": described, "passages": numbered}
        found.append((build_request("claims", _TASK, _REPLY, given), part))
    return found


def _number(facts: Sequence[Fact]) -> dict[uuid.UUID, str]:
    return {fact.id: f"f{number}" for number, fact in enumerate(facts, 1)}


class _Pointed(msgspec.Struct, frozen=True):
    fact: str
    passage: int
    words: str
    manner: Manner


def read_claims(
    asked: Sequence[Sequence[ClaimPassage]],
    replies: Sequence[str | None],
    inputs: InsightInputs,
    facts: Sequence[Fact],
    dropped: Dropped,
    *,
    asked_on: date,
) -> list[Claim]:
    """Return the claims of the answers: of each one that is about a fact, and in the words that stand in the passage.

    A passage that the editor reads in two ways about one fact is dropped.
    """
    known = {key: fact for fact in facts for key in (_number(facts)[fact.id],)}
    found: dict[tuple[uuid.UUID, str], Claim] = {}
    for part, reply in zip(asked, replies, strict=True):
        items = read_items(reply, _Pointed, kind="claims", dropped=dropped, most=4 * _PASSAGES_A_REQUEST)
        twice = Counter((each.fact, each.passage) for each in items)
        for each in items:
            fact = known.get(each.fact)
            passage = part[each.passage - 1] if 0 < each.passage <= len(part) else None
            if (
                fact is None
                or passage is None
                or fact.id not in passage.facts
                or simplify(each.words) not in simplify(passage.text)
                or twice[each.fact, each.passage] > 1
            ):
                dropped["claims"] += 1
                continue
            for answer in passage.answers:
                claim = _compare(fact, passage, each, answer, inputs, facts, asked_on)
                _keep(found, claim)
    return list(found.values())


def _compare(
    fact: Fact,
    passage: ClaimPassage,
    pointed: _Pointed,
    answer: ScanAnswer,
    inputs: InsightInputs,
    facts: Sequence[Fact],
    asked_on: date,
) -> Claim:
    said = Statement(
        passage.text,
        pointed.words,
        pointed.manner,
        context=passage.context,
        market_words=inputs.plan.tracked[0].market_words,
        language=find_language(answer),
        country=answer.prompt.country,
        asked_on=asked_on,
    )
    others = [each.subject for each in facts if each.is_own_product and each.subject]
    assert answer.analysis is not None
    result = compare(fact, said, others=others, rivals=[rival.name for rival in inputs.rivals])
    return Claim(
        fact_id=fact.id,
        answer_id=uuid.UUID(answer.id),
        prompt_id=uuid.UUID(answer.prompt.id),
        platform=answer.platform,
        verdict=result.verdict,
        stated=result.stated,
        passage=passage.text,
        words=pointed.words,
        sources=tuple(dict.fromkeys(each.url for each in answer.analysis.citations))[:_MAX_SOURCES],
    )


def _keep(found: dict[tuple[uuid.UUID, str], Claim], claim: Claim) -> None:
    """Keep one claim of an answer about a fact. Where an answer says two different things, it cannot be told."""
    key = (claim.fact_id, str(claim.answer_id))
    known = found.get(key)
    if known is None or known.verdict == "cannot_tell":
        found[key] = claim
    elif claim.verdict not in ("cannot_tell", known.verdict):
        found[key] = msgspec.structs.replace(known, verdict="cannot_tell", stated=None)


async def find_claims(
    inputs: InsightInputs, facts: Sequence[Fact], editor: Editor, dropped: Dropped, *, asked_on: date
) -> list[Claim] | None:
    """Return the claims of all answers; None if there are no facts, or if not all passages could be read."""
    if not facts:
        return None
    passages = await asyncio.to_thread(choose_passages, inputs, facts)
    asked = ask_for_claims(inputs.brand.name, passages, facts)
    requests = [request for request, _ in asked]
    if not await editor.can_ask(requests):
        return None
    replies = await editor.ask(requests)
    if not all(map(has_form, replies)):
        return None
    return read_claims([part for _, part in asked], replies, inputs, facts, dropped, asked_on=asked_on)

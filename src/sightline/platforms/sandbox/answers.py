"""Writes the answer to one question on one platform on one day. `transport` sends it like a network reply."""

import json
import re
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Literal

import msgspec

from sightline.platforms.models import Question, Source, Usage
from sightline.platforms.sandbox.market import MarketBrand, Subject
from sightline.platforms.sandbox.phrasebook import capital
from sightline.platforms.sandbox.plan import AnswerPlan, plan_answer
from sightline.platforms.sandbox.seeded_random import uniform
from sightline.platforms.sandbox.writing import LAYOUTS, AnswerBuilder, Layout

_MIN_WORDS = 85
_LONGEST_SEARCH = 80  # characters
# The brand is named in a sentence of its own and nowhere else: in a list it would be recommended.
_SEPARATE_SENTENCES: Mapping[str, str] = {"contrast": "contrast", "discouraged": "discourage", "derived": "derived"}
# What people write in a question and leave out of a search: first at its start, then anywhere.
_ASKING = re.compile(r"^(?:(?:what|who|where|when|how|much|many|can|could|should|would|i|we|you)\b\s*)+", re.IGNORECASE)
_GRAMMAR = re.compile(r"\b(?:which|are|is|do|does|have|has|the|a|an)\b\s*", re.IGNORECASE)


class AskPayload(msgspec.Struct, frozen=True):
    platform: str
    prompt: str
    country: str | None = None
    language: str | None = None


class AnswerPayload(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    model: str
    status: Literal["ok", "no_surface"] = "ok"
    text: str = ""
    cited: tuple[Source, ...] = ()
    retrieved: tuple[Source, ...] = ()
    queries: tuple[str, ...] = ()
    usage: Usage


def answer_question(
    subject: Subject, question: Question, platform: str, day: date, *, refuse: bool = False
) -> AnswerPayload:
    """Return the answer. The same arguments give the same bytes.

    Raises KeyError for a platform that does not exist.
    """
    plan = plan_answer(subject, question, platform, day)
    if refuse:
        plan = msgspec.structs.replace(plan, form="refusal", named=False, cited=False, shown=True)
    return write_answer(plan)


def write_answer(plan: AnswerPlan) -> AnswerPayload:
    market, platform, day = plan.market, plan.cell.platform, plan.day
    planted = market.planted
    is_new = planted is not None and planted.story.has_new_model and planted.has_begun(day, platform)
    answer = AnswerPayload(
        id=f"sbx_{int(uniform('id', market.key, *plan.cell, day.toordinal()) * 16**12):012x}",
        model=f"sandbox-{platform}-2" if is_new else f"sandbox-{platform}",
        status="no_surface",
        usage=Usage(searches=1),
    )
    if not plan.shown:
        return answer
    builder = AnswerBuilder(plan)
    _write_text(builder)
    text = builder.text.rstrip()
    retrieved, queries = _list_sources(builder) if plan.cites and plan.form != "refusal" else ((), ())
    return msgspec.structs.replace(
        answer,
        status="ok",
        text=text,
        cited=builder.cited,
        retrieved=retrieved,
        queries=queries,
        usage=Usage(_count_tokens(plan.prompt), _count_tokens(text), len(queries) if plan.cites else None),
    )


def _count_tokens(text: str) -> int:
    return max(1, len(text.encode("utf-8", "replace")) // 4)  # four bytes a token is near enough for every script


def _write_text(builder: AnswerBuilder) -> None:
    plan = builder.plan
    if plan.form == "refusal":
        builder.add_paragraph(builder.write("refuse"))
    elif plan.form == "short":
        _write_short(builder)
    elif plan.form in {"unknown", "echo_only"}:
        _write_without_own(builder)
    elif plan.intent.pair and plan.form != "discouraged":
        _write_comparison(builder, plan.intent.pair)
    elif plan.intent.named:
        _write_review(builder, plan.intent.named[0])
    else:
        _write_overview(builder)


def _write_overview(builder: AnswerBuilder) -> None:
    plan, style, rng, write = builder.plan, builder.style, builder.rng, builder.write
    role = _SEPARATE_SENTENCES.get(plan.form)
    listed = [brand for brand in plan.brands if not (role and brand.is_own)]
    most = rng.between(*style.max_entries)
    main, rest = listed[:most], listed[most:]
    if plan.form == "table" and builder.own in rest:
        main.append(builder.own)
        rest.remove(builder.own)
    if plan.form == "echo":
        _write_echo(builder)
    _write_opening(builder)
    if style.headed and rng.chance(style.headed):
        _write_heading(builder, builder.words.labels.picks)
    layout: Layout = "table" if plan.form == "table" else rng.weighted(style.layouts)
    LAYOUTS[layout](builder, main)
    if role:
        links = builder.links_for(builder.own)
        builder.add_paragraph(write(role, main[0], b=builder.name(builder.own), r=builder.name(main[0])), links)
    _write_others(builder, rest, 0.3)
    if plan.form in {"code", "code_only"}:
        _write_code(builder, main)
    _write_closing(builder, listed[0])


def _write_opening(builder: AnswerBuilder) -> None:
    plan, rng, write = builder.plan, builder.rng, builder.write
    special = f"open_{plan.intent.answer_kind}"  # fits the question, as far as the language has it
    texts = [write(special if special in builder.words.sentences and rng.chance(0.7) else "open")]
    if plan.form == "only_cited":
        builder.add_paragraph(texts[0], builder.general_links(0.3))
        builder.add_paragraph(write("guide"), [builder.own_link()])
        return
    if rng.chance(builder.style.guide):
        texts.append(write("guide"))
    builder.add_sentences(texts, builder.general_links())
    builder.add("\n\n")


def _write_echo(builder: AnswerBuilder) -> None:
    """Write the question on a line of its own, as models repeat it, then a transition."""
    builder.add(" ".join(builder.plan.prompt.split()) + "\n\n")
    builder.add_paragraph(builder.write("echo"))


def _write_others(builder: AnswerBuilder, brands: Sequence[MarketBrand], cited: float) -> None:
    if brands:
        names = builder.words.join([builder.name(brand) for brand in brands])
        is_due = builder.own in brands and builder.own_due
        links = [builder.own_link()] if is_due else builder.links_about(brands, cited)
        builder.add_paragraph(builder.write("others", list=names), links)


def _write_code(builder: AnswerBuilder, brands: Sequence[MarketBrand]) -> None:
    shown = [*brands, *([builder.own] if builder.own not in brands else [])]
    rows = [{"name": brand.name, "url": f"https://{brand.domain}"} for brand in shown]
    builder.add_paragraph(builder.write("code_lead"))
    builder.add(f"```json\n{json.dumps(rows, ensure_ascii=False, indent=2)}\n```\n\n")


def _write_closing(builder: AnswerBuilder, top: MarketBrand | None = None) -> None:
    style, rng, labels, write = builder.style, builder.rng, builder.words.labels, builder.write
    if rng.chance(style.criteria) or builder.size < _MIN_WORDS:
        _write_heading(builder, labels.choose)
        for _ in range(rng.between(3, 4)):
            builder.add(f"{style.bullet}{write('criteria')}\n")
        builder.add("\n")
    if builder.own_due or builder.size < _MIN_WORDS:
        builder.add_paragraph(write("guide"), [builder.own_link()] if builder.own_due else builder.general_links())
    if top and rng.chance(style.verdict):
        verdict = write("verdict", top, r=builder.name(top))
        if rng.chance(0.4):
            builder.add(builder.head(rng.pick(labels.verdict)))
        builder.add_paragraph(verdict, builder.links_about([top], 0.3))
    if rng.chance(style.offer):
        builder.add_paragraph(write("offer"))


def _write_heading(builder: AnswerBuilder, options: Sequence[str]) -> None:
    builder.add_paragraph(builder.style.heading.format(builder.rng.pick(options)))


def _write_short(builder: AnswerBuilder) -> None:
    rivals = [brand for brand in builder.plan.brands if not brand.is_own]
    if builder.plan.named:
        text = builder.write("short_named", b=builder.name(builder.own), r=rivals[0].name)
    else:
        text = builder.write("short_unnamed", r=rivals[0].name, s=rivals[1].name)
    builder.add_paragraph(text, [builder.own_link()] if builder.own_due else builder.links_about(rivals[:1], 0.4))


def _write_comparison(builder: AnswerBuilder, pair: tuple[MarketBrand, MarketBrand]) -> None:
    (first, second), write = pair, builder.write
    one, other = builder.bold(first), builder.bold(second)
    if builder.plan.form == "echo":
        _write_echo(builder)
    builder.add_paragraph(write("cmp_open", a=one, b=other), builder.links_about(pair, 0.6))
    if builder.rng.chance(0.4):
        _write_heading(builder, builder.words.labels.compare)
        LAYOUTS["table"](builder, pair)
    for brand in pair:
        builder.add_paragraph(write("cmp_side", brand, b=builder.bold(brand)), builder.links_for(brand))
    _write_alternatives(builder, pair)
    builder.add_paragraph(write("cmp_pick", first, a=one, b=other))
    _write_closing(builder)


def _write_review(builder: AnswerBuilder, target: MarketBrand) -> None:
    plan, rng, write, bullet = builder.plan, builder.rng, builder.write, builder.style.bullet
    if plan.form == "echo":
        _write_echo(builder)
    if plan.form == "discouraged":
        builder.add_paragraph(write("discourage", target, b=builder.name(target)), builder.links_for(target))
        _write_alternatives(builder, (target,))
        _write_closing(builder, next(brand for brand in plan.brands if brand is not target))
        return
    builder.add_paragraph(write("review_open", target, b=builder.bold(target)), builder.links_for(target))
    builder.add(f"**{builder.strengths}**\n\n")
    for praise in builder.draw(target, "praise", rng.between(2, 3)):
        builder.add(f"{bullet}{capital(praise)}", builder.links_about([target], 0.5))
        builder.add("\n")
    builder.add(f"\n**{builder.weaknesses}**\n\n")
    for criticism in builder.draw(target, "criticism", rng.between(1, 2)):
        builder.add(f"{bullet}{capital(criticism)}\n")
    builder.add("\n")
    _write_alternatives(builder, (target,))
    builder.add_paragraph(write("review_close", target, b=builder.bold(target)))
    _write_closing(builder)


def _write_alternatives(builder: AnswerBuilder, besides: Sequence[MarketBrand]) -> None:
    _write_others(builder, [brand for brand in builder.plan.brands if brand not in besides], 0.4)


def _write_without_own(builder: AnswerBuilder) -> None:
    """Answer a question about the brand without naming it: it is not known, or only repeated."""
    plan = builder.plan
    if plan.form == "unknown":
        builder.add_paragraph(builder.write("unknown", b=builder.own.name))
    else:
        _write_echo(builder)
    builder.add_paragraph(builder.write("guide"), builder.general_links())
    other = next((brand for brand in plan.intent.pair or () if not brand.is_own), None)
    if other:
        builder.add_paragraph(builder.write("cmp_side", other, b=other.name), builder.links_for(other))
    _write_alternatives(builder, (builder.own, *([other] if other else [])))
    _write_closing(builder, other or next(brand for brand in plan.brands if not brand.is_own))


def _list_sources(builder: AnswerBuilder) -> tuple[tuple[Source, ...], tuple[str, ...]]:
    """Return the pages that were read, and the searches that found them."""
    plan, found = builder.plan, {source.url: Source(source.url, source.title) for source in builder.cited}
    links = [builder.draw_page() for _ in range(builder.rng.between(1, 5))]
    if plan.form == "retrieved" or (plan.form == "uncited" and builder.rng.chance(0.3)):
        links.append(builder.draw_page_of(builder.own))
    for link in links:
        found.setdefault(link.url, link)
    return tuple(found.values()), _draw_searches(builder)


def _draw_searches(builder: AnswerBuilder) -> tuple[str, ...]:
    """Draw one to four searches: the question in keywords first, then what belongs to it."""
    rng, words, plan = builder.rng, builder.words, builder.plan
    first, second = rng.shuffled(brand for brand in plan.brands if not brand.is_own)[:2]
    slots = {"u": rng.pick(words.uses), "t": rng.pick(words.aspects).name, "r": first.name, "s": second.name}
    others = rng.shuffled(words.fill_fitting("search", slots, plan.day.year))
    found = dict.fromkeys(query for query in (_to_keywords(plan.prompt, words.language), *others) if query)
    return tuple(found)[: rng.between(1, 4)]


def _to_keywords(prompt: str, language: str) -> str:
    asked = " ".join(prompt.split()).rstrip("?\uff1f!. ")
    if language == "en":
        asked = _GRAMMAR.sub("", _ASKING.sub("", asked)).strip() or asked
    return asked[:_LONGEST_SEARCH].strip()

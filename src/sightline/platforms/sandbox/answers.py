"""Writes the answer to one question on one platform on one day. `transport` sends it like a network reply."""

import json
import re
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Literal

import msgspec

from sightline.platforms.models import Question, Source, Usage
from sightline.platforms.sandbox.market import MarketBrand, Subject
from sightline.platforms.sandbox.phrasebook import Phrasebook, fill_template
from sightline.platforms.sandbox.plan import AnswerPlan, plan_answer
from sightline.platforms.sandbox.seeded_random import SeededRandom, uniform
from sightline.platforms.sandbox.writing import LAYOUTS, AnswerBuilder, Layout, bold, capital, head

_MIN_WORDS = 85
# The brand is named in a sentence of its own and nowhere else: in a list it would be recommended.
_SEPARATE_SENTENCES: Mapping[str, str] = {
    "contrast": "contrast",
    "discouraged": "discourage",
    "derived": "derived",
}


class WrittenAnswer(msgspec.Struct, frozen=True):
    """The text of an answer and its sources."""

    text: str
    cited: tuple[Source, ...]
    retrieved: tuple[Source, ...]
    queries: tuple[str, ...]


def write_answer(plan: AnswerPlan) -> WrittenAnswer:
    builder = AnswerBuilder(plan)
    if plan.form == "refusal":
        builder.paragraph([builder.writer.write("refuse")])
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
    return _finish(builder)


def _write_overview(builder: AnswerBuilder) -> None:
    plan, style, rng = builder.plan, builder.style, builder.rng
    apart = plan.form in _SEPARATE_SENTENCES
    listed = [brand for brand in plan.brands if not (apart and brand.is_own)]
    main, rest = _split(builder, listed)
    if plan.form == "echo":
        _write_echo(builder)
    _write_opening(builder)
    if style.headed and rng.chance(style.headed):
        _write_heading(builder, builder.words.labels.picks)
    layout: Layout = "table" if plan.form == "table" else rng.weighted(style.layouts)
    LAYOUTS[layout](builder, main)
    if apart:
        role = _SEPARATE_SENTENCES[plan.form]
        links = builder.links_for(builder.own)
        builder.paragraph(
            [builder.writer.write(role, main[0], b=builder.name(builder.own), r=builder.name(main[0]))], links
        )
    if rest:
        names = builder.words.join([builder.name(brand) for brand in rest])
        links = [builder.own_link()] if builder.own in rest and builder.own_due else builder.links_about(rest, 0.3)
        builder.paragraph([builder.writer.write("others", list=names)], links)
    if plan.form in {"code", "code_only"}:
        _write_code(builder, main)
    _write_closing(builder, listed[0])


def _split(builder: AnswerBuilder, listed: Sequence[MarketBrand]) -> tuple[list[MarketBrand], list[MarketBrand]]:
    """Split the brands into those with an entry and those that share the last sentence."""
    most = builder.rng.between(*builder.style.max_entries)
    main, rest = list(listed[:most]), list(listed[most:])
    if builder.plan.form == "table" and builder.own in rest:
        main.append(builder.own)
        rest.remove(builder.own)
    return main, rest


def _write_opening(builder: AnswerBuilder) -> None:
    texts = [builder.writer.write(_choose_opening(builder))]
    if builder.plan.form == "only_cited":
        builder.paragraph(texts, builder.general_links(0.3))
        builder.paragraph([builder.writer.write("guide")], [builder.own_link()])
        return
    if builder.rng.chance(builder.style.guide):
        texts.append(builder.writer.write("guide"))
    builder.paragraph(texts, builder.general_links())


def _choose_opening(builder: AnswerBuilder) -> str:
    """Return the kind of opening that fits the question, as far as the language has it."""
    special = f"open_{builder.plan.intent.answer_kind}"
    return special if special in builder.words.sentences and builder.rng.chance(0.7) else "open"


def _write_echo(builder: AnswerBuilder) -> None:
    """Write the question on a line of its own, as models repeat it, then a transition."""
    builder.output.add(" ".join(builder.plan.prompt.split()) + "\n\n")
    builder.paragraph([builder.writer.write("echo")])


def _write_code(builder: AnswerBuilder, brands: Sequence[MarketBrand]) -> None:
    shown = [*brands, *([builder.own] if builder.own not in brands else [])]
    rows = [{"name": brand.name, "url": f"https://{brand.domain}"} for brand in shown]
    builder.output.add(builder.writer.write("code_lead") + "\n\n")
    builder.output.add(f"```json\n{json.dumps(rows, ensure_ascii=False, indent=2)}\n```\n\n")


def _write_closing(builder: AnswerBuilder, top: MarketBrand | None = None) -> None:
    style, rng, labels = builder.style, builder.rng, builder.words.labels
    criteria = rng.chance(style.criteria)
    if criteria or builder.size() < _MIN_WORDS:
        _write_heading(builder, labels.choose)
        for _ in range(rng.between(3, 4)):
            builder.output.add(f"{style.bullet}{builder.writer.write('criteria')}\n")
        builder.output.add("\n")
    if builder.own_due or builder.size() < _MIN_WORDS:
        builder.paragraph(
            [builder.writer.write("guide")], [builder.own_link()] if builder.own_due else builder.general_links()
        )
    if top and rng.chance(style.verdict):
        verdict = builder.writer.write("verdict", top, r=builder.name(top))
        if rng.chance(0.4):
            builder.output.add(head(builder, rng.pick(labels.verdict)))
        builder.paragraph([verdict], builder.links_about([top], 0.3))
    if rng.chance(style.offer):
        builder.paragraph([builder.writer.write("offer")])


def _write_heading(builder: AnswerBuilder, options: Sequence[str]) -> None:
    text = builder.rng.pick(options)
    plain = builder.plan.cell.platform in {"claude", "copilot", "local", "google_ai_overviews"}
    builder.output.add(f"**{text}**\n\n" if plain else f"## {text}\n\n")


def _write_short(builder: AnswerBuilder) -> None:
    rivals = [brand for brand in builder.plan.brands if not brand.is_own]
    if builder.plan.named:
        text = builder.writer.write("short_named", b=builder.name(builder.own), r=rivals[0].name)
    else:
        text = builder.writer.write("short_unnamed", r=rivals[0].name, s=rivals[1].name)
    builder.paragraph([text], [builder.own_link()] if builder.own_due else builder.links_about(rivals[:1], 0.4))


def _write_comparison(builder: AnswerBuilder, pair: tuple[MarketBrand, MarketBrand]) -> None:
    first, second = pair
    one, other = bold(builder, first), bold(builder, second)
    if builder.plan.form == "echo":
        _write_echo(builder)
    builder.paragraph([builder.writer.write("cmp_open", a=one, b=other)], builder.links_about(pair, 0.6))
    if builder.rng.chance(0.4):
        _write_heading(builder, builder.words.labels.compare)
        LAYOUTS["table"](builder, pair)
    for brand in pair:
        builder.paragraph([builder.writer.write("cmp_side", brand, b=bold(builder, brand))], builder.links_for(brand))
    _write_alternatives(builder, pair)
    builder.paragraph([builder.writer.write("cmp_pick", first, a=one, b=other)])
    _write_closing(builder)


def _write_review(builder: AnswerBuilder, target: MarketBrand) -> None:
    writer, plan = builder.writer, builder.plan
    if plan.form == "echo":
        _write_echo(builder)
    if plan.form == "discouraged":
        builder.paragraph([writer.write("discourage", target, b=builder.name(target))], builder.links_for(target))
        _write_alternatives(builder, (target,))
        _write_closing(builder, next(brand for brand in plan.brands if brand is not target))
        return
    builder.paragraph([writer.write("review_open", target, b=bold(builder, target))], builder.links_for(target))
    bullet = builder.style.bullet
    builder.output.add(f"**{builder.strengths}**\n\n")
    for praise in writer.draw_praise(target, builder.rng.between(2, 3)):
        builder.output.add(f"{bullet}{capital(praise)}", builder.links_about([target], 0.5))
        builder.output.add("\n")
    builder.output.add(f"\n**{builder.weaknesses}**\n\n")
    for criticism in writer.draw_criticism(target, builder.rng.between(1, 2)):
        builder.output.add(f"{bullet}{capital(criticism)}\n")
    builder.output.add("\n")
    _write_alternatives(builder, (target,))
    builder.paragraph([writer.write("review_close", target, b=bold(builder, target))])
    _write_closing(builder)


def _write_alternatives(builder: AnswerBuilder, besides: Sequence[MarketBrand]) -> None:
    others = [brand for brand in builder.plan.brands if brand not in besides]
    if others:
        names = builder.words.join([builder.name(brand) for brand in others])
        links = [builder.own_link()] if builder.own in others and builder.own_due else builder.links_about(others, 0.4)
        builder.paragraph([builder.writer.write("others", list=names)], links)


def _write_without_own(builder: AnswerBuilder) -> None:
    """Answer a question about the brand without naming it: it is not known, or only repeated."""
    plan = builder.plan
    if plan.form == "unknown":
        builder.paragraph([builder.writer.write("unknown", b=builder.own.name)])
    else:
        _write_echo(builder)
    builder.paragraph([builder.writer.write("guide")], builder.general_links())
    other = next((brand for brand in plan.intent.pair or () if not brand.is_own), None)
    if other:
        builder.paragraph([builder.writer.write("cmp_side", other, b=other.name)], builder.links_for(other))
    _write_alternatives(builder, (builder.own, *([other] if other else [])))
    rival = other or next(brand for brand in plan.brands if not brand.is_own)
    _write_closing(builder, rival)


def _finish(builder: AnswerBuilder) -> WrittenAnswer:
    plan, output = builder.plan, builder.output
    text = output.text.rstrip()
    if not plan.cites or plan.form == "refusal":
        return WrittenAnswer(text, (), (), ())
    cited = output.cited
    found = {source.url: Source(source.url, source.title) for source in cited}
    for _ in range(builder.rng.between(1, 5)):
        link = builder.draw_page()
        found.setdefault(link.url, Source(link.url, link.title))
    if plan.form == "retrieved" or (plan.form == "uncited" and builder.rng.chance(0.3)):
        link = builder.draw_page_of(builder.own)
        found.setdefault(link.url, Source(link.url, link.title))
    rivals = [brand for brand in plan.brands if not brand.is_own]
    searches = draw_searches(plan.prompt, builder.words, rivals, plan.day, builder.rng)
    return WrittenAnswer(text, cited, tuple(found.values()), searches)


_LONGEST = 80  # characters


# What people write in a question and leave out of a search: first at its start, then anywhere.
_ASKING = re.compile(r"^(?:(?:what|who|where|when|how|much|many|can|could|should|would|i|we|you)\b\s*)+", re.IGNORECASE)
_GRAMMAR = re.compile(r"\b(?:which|are|is|do|does|have|has|the|a|an)\b\s*", re.IGNORECASE)


def draw_searches(
    prompt: str, words: Phrasebook, rivals: Sequence[MarketBrand], day: date, rng: SeededRandom
) -> tuple[str, ...]:
    """Draw one to four searches: the question in keywords first, then what belongs to it."""
    first, second = rng.shuffled(rivals)[:2] if len(rivals) > 1 else (None, None)
    slots = {
        "cats": words.category,
        "comparison": words.labels.comparison,
        "reviews": words.labels.reviews,
        "year": str(day.year),
        "u": rng.pick(words.uses),
        "t": rng.pick(words.aspects).name,
        **({"r": first.name, "s": second.name} if first and second else {}),
    }
    fitting = [template for template in words.searches if set(template[1::2]) <= set(slots)]
    others = [fill_template(template, slots) for template in rng.shuffled(fitting)]
    found = dict.fromkeys(query for query in (_to_keywords(prompt, words.language), *others) if query)
    return tuple(found)[: rng.between(1, 4)]


def _to_keywords(prompt: str, language: str) -> str:
    asked = " ".join(prompt.split()).rstrip("?\uff1f!. ")
    if language == "en":
        asked = _GRAMMAR.sub("", _ASKING.sub("", asked)).strip() or asked
    return asked[:_LONGEST].strip()


class AskPayload(msgspec.Struct, frozen=True):
    platform: str
    prompt: str
    country: str | None = None
    language: str | None = None


class AnswerPayload(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    model: str
    status: Literal["ok", "no_surface"]
    text: str
    cited: tuple[Source, ...]
    retrieved: tuple[Source, ...]
    queries: tuple[str, ...]
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
    written = write_answer(plan) if plan.shown else WrittenAnswer("", (), (), ())
    tokens = _count_tokens(plan.prompt), _count_tokens(written.text)
    searches = len(written.queries) if plan.cites else None
    return AnswerPayload(
        id=_build_id(plan),
        model=_name_model(plan),
        status="ok" if plan.shown else "no_surface",
        text=written.text,
        cited=written.cited,
        retrieved=written.retrieved,
        queries=written.queries,
        usage=Usage(*tokens, searches) if plan.shown else Usage(searches=1),
    )


def _name_model(plan: AnswerPlan) -> str:
    planted, platform = plan.market.planted, plan.cell.platform
    is_new = planted is not None and planted.story.has_new_model and planted.has_begun(plan.day, platform)
    return f"sandbox-{platform}-2" if is_new else f"sandbox-{platform}"


def _build_id(plan: AnswerPlan) -> str:
    return f"sbx_{int(uniform('id', plan.market.key, *plan.cell, plan.day.toordinal()) * 16**12):012x}"


def _count_tokens(text: str) -> int:
    return max(1, len(text.encode("utf-8", "replace")) // 4)  # four bytes a token is near enough for every script

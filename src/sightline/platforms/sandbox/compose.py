"""From a plan to the words of an answer."""

import json
from collections.abc import Mapping, Sequence

import msgspec

from sightline.platforms.models import Source
from sightline.platforms.sandbox.cases import Name
from sightline.platforms.sandbox.draft import Draft
from sightline.platforms.sandbox.layouts import LAYOUTS, bold, capital, head
from sightline.platforms.sandbox.market import Brand
from sightline.platforms.sandbox.plan import Plan
from sightline.platforms.sandbox.sources import own_page, queries_of
from sightline.platforms.sandbox.voices import Layout

_LEAST_WORDS = 85
# Named in a sentence of its own and nowhere else: in a list it would be recommended.
_APART: Mapping[Name, str] = {"contrast": "contrast", "discouraged": "discourage", "derived": "derived"}


class Written(msgspec.Struct, frozen=True):
    text: str
    cited: tuple[Source, ...]
    retrieved: tuple[Source, ...]
    queries: tuple[str, ...]


def write_answer(plan: Plan) -> Written:
    draft = Draft(plan)
    if plan.case == "refusal":
        draft.paragraph([draft.speech.say("refuse")])
    elif plan.case == "short":
        _short(draft)
    elif plan.case in {"unknown", "echo_only"}:
        _without_own(draft)
    elif plan.reading.pair and plan.case != "discouraged":
        _comparison(draft, plan.reading.pair)
    elif plan.reading.named:
        _review(draft, plan.reading.named[0])
    else:
        _overview(draft)
    return _finished(draft)


def write_refusal(plan: Plan) -> Written:
    """What `sandbox:refuse` answers, whatever the plan was."""
    return write_answer(msgspec.structs.replace(plan, case="refusal", named=False, cited=False))


def _overview(draft: Draft) -> None:
    plan, voice, dice = draft.plan, draft.voice, draft.dice
    apart = plan.case in _APART
    listed = [brand for brand in plan.brands if not (apart and brand.is_own)]
    main, rest = _split(draft, listed)
    if plan.case == "echo":
        _echo(draft)
    _open(draft)
    if voice.headed and dice.chance(voice.headed):
        _heading(draft, draft.words.labels.picks)
    layout: Layout = "table" if plan.case == "table" else dice.weighted(voice.layouts)
    LAYOUTS[layout](draft, main)
    if apart:
        role = _APART[plan.case]
        links = draft.links_for(draft.own)
        draft.paragraph([draft.speech.say(role, main[0], b=draft.name(draft.own), r=draft.name(main[0]))], links)
    if rest:
        names = draft.words.join([draft.name(brand) for brand in rest])
        links = [draft.own_link()] if draft.own in rest and draft.own_due else draft.general_links(0.3)
        draft.paragraph([draft.speech.say("others", list=names)], links)
    if plan.case in {"code", "code_only"}:
        _code(draft, main)
    _close(draft, listed[0])


def _split(draft: Draft, listed: Sequence[Brand]) -> tuple[list[Brand], list[Brand]]:
    """Who gets an entry, and who shares the last sentence."""
    most = draft.dice.between(*draft.voice.most)
    main, rest = list(listed[:most]), list(listed[most:])
    if draft.plan.case == "table" and draft.own in rest:
        main.append(draft.own)
        rest.remove(draft.own)
    return main, rest


def _open(draft: Draft) -> None:
    texts = [draft.speech.say("open")]
    if draft.plan.case == "only_cited":
        draft.paragraph(texts, draft.general_links(0.3))
        draft.paragraph([draft.speech.say("guide")], [draft.own_link()])
        return
    if draft.dice.chance(draft.voice.guide):
        texts.append(draft.speech.say("guide"))
    draft.paragraph(texts, draft.general_links())


def _echo(draft: Draft) -> None:
    """The question on a line of its own, as models repeat it, then a word of transition."""
    draft.page.add(" ".join(draft.plan.prompt.split()) + "\n\n")
    draft.paragraph([draft.speech.say("echo")])


def _code(draft: Draft, brands: Sequence[Brand]) -> None:
    shown = [*brands, *([draft.own] if draft.own not in brands else [])]
    rows = [{"name": brand.name, "url": f"https://{brand.domain}"} for brand in shown]
    draft.page.add(draft.speech.say("code_lead") + "\n\n")
    draft.page.add(f"```json\n{json.dumps(rows, ensure_ascii=False, indent=2)}\n```\n\n")


def _close(draft: Draft, top: Brand | None = None) -> None:
    voice, dice, labels = draft.voice, draft.dice, draft.words.labels
    criteria = dice.chance(voice.criteria)
    if criteria or draft.size() < _LEAST_WORDS:
        _heading(draft, labels.choose)
        for _ in range(dice.between(3, 4)):
            draft.page.add(f"{voice.bullet}{draft.speech.say('criteria')}\n")
        draft.page.add("\n")
    if draft.own_due or draft.size() < _LEAST_WORDS:
        draft.paragraph([draft.speech.say("guide")], [draft.own_link()] if draft.own_due else draft.general_links())
    if top and dice.chance(voice.verdict):
        verdict = draft.speech.say("verdict", top, r=draft.name(top))
        if dice.chance(0.4):
            draft.page.add(head(draft, dice.pick(labels.verdict)))
        draft.paragraph([verdict], draft.general_links(0.3))
    if dice.chance(voice.offer):
        draft.paragraph([draft.speech.say("offer")])


def _heading(draft: Draft, options: Sequence[str]) -> None:
    text = draft.dice.pick(options)
    plain = draft.plan.cell.platform in {"claude", "copilot", "local", "google_ai_overviews"}
    draft.page.add(f"**{text}**\n\n" if plain else f"## {text}\n\n")


def _short(draft: Draft) -> None:
    rivals = [brand for brand in draft.plan.brands if not brand.is_own]
    if draft.plan.named:
        text = draft.speech.say("short_named", b=draft.name(draft.own), r=rivals[0].name)
    else:
        text = draft.speech.say("short_unnamed", r=rivals[0].name, s=rivals[1].name)
    draft.paragraph([text], [draft.own_link()] if draft.own_due else draft.general_links(0.4))


def _comparison(draft: Draft, pair: tuple[Brand, Brand]) -> None:
    first, second = pair
    one, other = bold(draft, first), bold(draft, second)
    if draft.plan.case == "echo":
        _echo(draft)
    draft.paragraph([draft.speech.say("cmp_open", a=one, b=other)], draft.general_links())
    if draft.dice.chance(0.4):
        _heading(draft, draft.words.labels.compare)
        LAYOUTS["table"](draft, pair)
    for brand in pair:
        draft.paragraph([draft.speech.say("cmp_side", brand, b=bold(draft, brand))], draft.links_for(brand))
    _alternatives(draft, pair)
    draft.paragraph([draft.speech.say("cmp_pick", first, a=one, b=other)])
    _close(draft)


def _review(draft: Draft, target: Brand) -> None:
    speech, plan, labels = draft.speech, draft.plan, draft.words.labels
    if plan.case == "echo":
        _echo(draft)
    if plan.case == "discouraged":
        draft.paragraph([speech.say("discourage", target, b=draft.name(target))], draft.links_for(target))
        _alternatives(draft, (target,))
        _close(draft, next(brand for brand in plan.brands if brand is not target))
        return
    draft.paragraph([speech.say("review_open", target, b=bold(draft, target))], draft.links_for(target))
    bullet = draft.voice.bullet
    draft.page.add(f"**{labels.strengths}**\n\n")
    for feature in speech.two(target, "feature"):
        draft.page.add(f"{bullet}{capital(feature)}", draft.general_links(0.5))
        draft.page.add("\n")
    draft.page.add(f"\n**{labels.weaknesses}**\n\n{bullet}{capital(speech.trait(target, 'drawback'))}\n\n")
    _alternatives(draft, (target,))
    draft.paragraph([speech.say("review_close", target, b=bold(draft, target))])
    _close(draft)


def _alternatives(draft: Draft, besides: Sequence[Brand]) -> None:
    others = [brand for brand in draft.plan.brands if brand not in besides]
    if others:
        names = draft.words.join([draft.name(brand) for brand in others])
        links = [draft.own_link()] if draft.own in others and draft.own_due else draft.general_links(0.4)
        draft.paragraph([draft.speech.say("others", list=names)], links)


def _without_own(draft: Draft) -> None:
    """A question about the brand that is answered without naming it: not known, or only repeated."""
    plan = draft.plan
    if plan.case == "unknown":
        draft.paragraph([draft.speech.say("unknown", b=draft.own.name)])
    else:
        _echo(draft)
    draft.paragraph([draft.speech.say("guide")], draft.general_links())
    other = next((brand for brand in plan.reading.pair or () if not brand.is_own), None)
    if other:
        draft.paragraph([draft.speech.say("cmp_side", other, b=other.name)], draft.links_for(other))
    _alternatives(draft, (draft.own, *([other] if other else [])))
    rival = other or next(brand for brand in plan.brands if not brand.is_own)
    _close(draft, rival)


def _finished(draft: Draft) -> Written:
    plan, page = draft.plan, draft.page
    text = page.text.rstrip()
    if not plan.cites or plan.case == "refusal":
        return Written(text, (), (), ())
    cited = page.cited
    found = {source.url: Source(source.url, source.title) for source in cited}
    for _ in range(draft.dice.between(1, 5)):
        link = draft.third()
        found.setdefault(link.url, Source(link.url, link.title))
    if plan.case == "retrieved" or (plan.case == "uncited" and draft.dice.chance(0.3)):
        link = own_page(draft.own, plan.reading.sector, draft.dice)
        found.setdefault(link.url, Source(link.url, link.title))
    return Written(text, cited, tuple(found.values()), queries_of(plan.prompt, draft.words, plan.day, draft.dice))

"""A rename that reads only the answers it concerns ends exactly as if all answers had been read again."""

import random
import uuid
from datetime import UTC, datetime

import msgspec
import pytest

from sightline.answers.models import Brand
from sightline.answers.name_index import NameIndex, find_changed_names
from sightline.answers.names import Lexicon
from sightline.platforms.models import Source
from sightline.scans.analyze_answer import analyze_answer
from sightline.scans.brands import MeasuredBrands
from sightline.scans.models import Provenance, ScanAnswer, ScanPlan, ScanPrompt
from sightline.scans.renamed import Rename, find_concerned
from sightline.scans.running.analysis import ScanContext, summarize_answers
from sightline.scans.stored import AnswerRow, decode_record, to_record

# Names that are hard to find: inside words, inflected, joined, abbreviated, in other scripts, made of ordinary words.
NAMES = (
    "Acme", "Foobar", "foo-bar", "Nestlé", "Weiß", "McDonald's", "3M", "H&M", "Notion", "Apple", "Go", "Zoho",
    "サイボウズ", "삼성", "Яндекс", "Acme Inc.", "Globex GmbH", "booking.com", "Monday", "X", "A&W", "Straße", "ÖBB",
)  # fmt: skip
TEXTS = (
    "**{}** is best.", "1. {}: quiet\n2. {}\n3. Zorvex Pro 5", "{}s and {}-like tools", "Die {}en Geräte", "{}CRM, @{}",
    "**{}** und *{}*", "See [{}](https://{}.com/x).", "They like {}ben.", "No brand here.", "Zorvex Pro 5 beats {}.",
    "- **Zorvex**: fine\n- **Zeta Max**: loud\n- **{}**: ok", "**Ac**me and foo\u00adbar", "{}で{}を使う",
    "Zeta Max, {}!", "Zorvex is loud, {} is not.", "1. **{}**\n2. **Foo-Bar**",
)  # fmt: skip
DOMAINS = ("acme.com", "foobar.io", "booking.com", "shop.globex.com", "xn--bb-eka.at", "zorvex.com")
CONTEXT = ScanContext("live", suggested=False, started_at=0.0, scan_id=uuid.UUID(int=1), scope="full_check")
NOW = datetime(2026, 1, 1, tzinfo=UTC)


def choose_brands(chance, among):
    names = chance.sample(among, 4)
    brands = [
        Brand(
            name, tuple(chance.sample(among, chance.randrange(3))), tuple(chance.sample(DOMAINS, chance.randrange(2)))
        )
        for name in names
    ]
    return MeasuredBrands(brands[0], tuple(brands[1 : chance.randrange(1, 4)]))


def change_brands(chance, among, measured):
    """Add or remove an alias, a domain, a name or a competitor."""
    brand, rivals = measured.brand, list(measured.competitors)
    kind = chance.randrange(7)
    if kind == 0:
        brand = msgspec.structs.replace(brand, aliases=(*brand.aliases, chance.choice(among)))
    elif kind == 1:
        brand = msgspec.structs.replace(brand, aliases=brand.aliases[1:])
    elif kind == 2:
        brand = msgspec.structs.replace(brand, name=chance.choice(among))
    elif kind == 3:
        brand = msgspec.structs.replace(brand, domains=(chance.choice(DOMAINS),))
    elif kind == 4 and rivals:
        del rivals[chance.randrange(len(rivals))]
    elif kind == 5 and rivals:
        rivals[0] = msgspec.structs.replace(rivals[0], aliases=(chance.choice(among),))
    else:
        rivals.append(
            Brand(chance.choice(("Zorvex", "Zorvex Pro", "Zeta", "Foobar", *among)), (), (chance.choice(DOMAINS),))
        )
    return MeasuredBrands(brand, tuple({rival.name: rival for rival in rivals if rival.name != brand.name}.values()))


def build_plan(measured, prompts, platforms):
    return ScanPlan(
        domain="acme.com", brand=measured.brand, competitors=measured.competitors, prompts=prompts, platforms=platforms
    )


def store_scan(chance, among, plan, texts=()):
    """Return the rows of a finished scan."""
    lexicon, rows = Lexicon(plan.tracked), []
    for place, prompt in enumerate(plan.prompts):
        for platform in plan.platforms:
            parts = chance.choices(TEXTS, k=chance.randrange(1, 4))
            text = texts[place] if texts else "\n\n".join(part.format(*chance.choices(among, k=2)) for part in parts)
            domains = chance.sample(DOMAINS, 0 if texts else chance.randrange(3))
            cited = tuple(Source(f"https://{domain}/page") for domain in domains)
            answer = analyze_answer(
                ScanAnswer(
                    id=str(uuid.UUID(int=chance.getrandbits(128))),
                    prompt=prompt,
                    platform=platform,
                    status="ok",
                    text=text,
                    cited=cited,
                    provenance=Provenance(surface="api", vendor="test"),
                ),
                lexicon,
            )
            rows.append(
                AnswerRow(
                    uuid.UUID(int=1), uuid.UUID(answer.id), place, platform, None, "ok", text, to_record(answer), NOW
                )
            )
    summary = summarize_answers(plan, rows, CONTEXT, scorer=None)
    return update(rows, summary.updated_records), summary.name_index


def update(rows, records):
    return [msgspec.structs.replace(row, record=records.get(row.id, row.record)) for row in rows]


def rename(rows, index, former, plan, found):
    """Return the rows and the results after a rename, and how many answers were read."""
    concerned, prompts = found
    concerned = concerned | {row.id for row in rows if row.prompt_index in prompts}
    while True:
        cut = [msgspec.structs.replace(row, text=row.text if row.id in concerned else "") for row in rows]
        wanted = Rename(former, index, sorted(concerned & {row.id for row in rows}))
        summary = summarize_answers(plan, cut, CONTEXT, reanalyze=True, rename=wanted, scorer=None)
        if not summary.unread:
            return update(rows, summary.updated_records), summary.results, len(concerned)
        assert not concerned.issuperset(summary.unread)
        concerned |= set(summary.unread)


@pytest.mark.parametrize("seed", range(3))
def test_only_the_answers_that_a_rename_concerns_are_read_and_nothing_is_missed(seed):
    chance = random.Random(seed)
    read = stored = 0
    for _ in range(12):
        among = chance.sample(NAMES, 8)
        former = choose_brands(chance, among)
        prompts = tuple(
            ScanPrompt(id=str(place), text=f"best {chance.choice((*among, *['tool'] * 8))}", language="en")
            for place in range(4)
        )
        platforms = ("chatgpt", "gemini", "perplexity")
        rows, index = store_scan(chance, among, build_plan(former, prompts, platforms))
        measured = change_brands(chance, among, former)
        plan, before = build_plan(measured, prompts, platforms), build_plan(former, prompts, platforms)
        whole = summarize_answers(plan, rows, CONTEXT, reanalyze=True, scorer=None)
        found = find_concerned(index, former, measured, prompts)
        if found is None:
            continue
        after, results, number = rename(rows, index, before, plan, found)
        for row, expected in zip(after, update(rows, whole.updated_records), strict=True):
            assert decode_record(row.record) == decode_record(expected.record), (former, measured, row.text)
        assert results == whole.results
        read, stored = read + number, stored + len(rows)
    assert read < 0.8 * stored


def test_an_alias_that_no_answer_has_concerns_none():
    chance = random.Random(1)
    former = MeasuredBrands(Brand("Acme", (), ("acme.com",)))
    prompts = (ScanPrompt(id="0", text="best crm"),)
    _, index = store_scan(chance, NAMES, build_plan(former, prompts, ("chatgpt", "gemini")))
    measured = MeasuredBrands(Brand("Acme", ("Quxquux",), ("acme.com",)))
    assert find_concerned(index, former, measured, prompts) == (set(), set())
    changed = find_changed_names([former.brand], [measured.brand])
    assert "acme" not in changed.texts and "quxquux" in changed.texts
    assert NameIndex(index).find(changed) == set()


def test_an_answer_without_a_changed_name_is_read_if_its_ranks_depend_on_others():
    former = MeasuredBrands(Brand("Acme", (), ("acme.com",)))
    measured = MeasuredBrands(former.brand, (Brand("Zorvex Pro"),))
    prompts = tuple(ScanPrompt(id=str(place), text=f"best tool {place}", language="en") for place in range(4))
    before, plan = (build_plan(each, prompts, ("chatgpt",)) for each in (former, measured))
    texts = [
        *["1. **Zorvex Pro 5** is loud. Zorvex sells it.\n2. **Acme** is quiet"] * 3,
        "Zorvex is loud, Acme is quiet.",
    ]
    rows, index = store_scan(random.Random(1), texts, before, texts=texts)
    found = find_concerned(index, former, measured, prompts)
    assert found is not None and rows[3].id not in found[0]
    after, results, read = rename(rows, index, before, plan, found)
    whole = summarize_answers(plan, rows, CONTEXT, reanalyze=True, scorer=None)
    ranks = [decode_record(row.record).analysis.brands[0].rank for row in (rows[3], after[3])]
    assert results == whole.results and read == 4 and ranks == [2, 1]

"""The page, the PDF and the picture of a weekly report: one page, the same texts, and no markup from data."""

import re
from datetime import UTC, datetime, timedelta
from html import unescape
from pathlib import Path

import msgspec
import pytest
import typst

from sightline.answers.models import Brand
from sightline.insights.models import ActionWording, AskedPrompt
from sightline.kit.clock import to_iso
from sightline.metrics.effect import Effect, GroupShares, WatchedChecks
from sightline.metrics.intervals import Interval
from sightline.presentation.direction_controls import has_direction_controls
from sightline.presentation.language import LANGUAGES, in_language
from sightline.presentation.numbers import format_number
from sightline.reports.scan_report import render_scan_report
from sightline.reports.weekly import render
from sightline.reports.weekly.appendix import build_appendix
from sightline.reports.weekly.charts import build_trend
from sightline.reports.weekly.models import EffectFacts, EffectLine, ReportDocument, RivalTrend
from sightline.reports.weekly.phrases import build_title
from sightline.reports.weekly.read import read_html, read_pdf
from sightline.reports.weekly.render import list_missing_scripts, render_page, render_pdf, render_picture
from sightline.reports.weekly.view import build_view
from sightline.scans.record import summarize_scan
from tests.reports.stored_reports import (
    ABSENT,
    BASE_URL,
    FIRST,
    ReportedDomain,
    mixed_answers,
    to_report_row,
)
from tests.scans import small_scans

EVIL = '<script>alert(1)</script> #import "x": * #panic("y") $x^2$ \\ @label `raw` {{ 7*7 }} & "quoted"'
NO_BRAND = ("It depends on what you forge, and on how much room there is.",)
SHEET = re.compile(rb"/Type\s*/Page\b")
MADE_AT = datetime(2026, 11, 15, tzinfo=UTC)
LONG_REPORT = Path(__file__).parent / "data" / "document_of_long_report.json"


def list_texts(value) -> list[str]:
    if isinstance(value, str):
        return [value]
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    return [text for part in parts for text in list_texts(part)]


def visible_text(html: str) -> str:
    body = html[html.index("<body>") :]
    return " ".join(
        unescape(re.sub(r"<[^>]*>", "", re.sub(r"<(style|svg)\b.*?</\1>", "", body, flags=re.DOTALL))).split()
    )


async def write_second_report(tracked, answers=mixed_answers):
    """Write two reports, and return the second: its document, and its row."""
    await tracked.complete_scan()
    job = await tracked.complete_scan(answers, days=7)
    await tracked.store_insights(job)
    await tracked.write(job)
    stored = await tracked.report(job)
    return stored["document"], to_report_row(stored)


async def test_the_page_has_every_text_of_the_report_and_its_tables_only_on_demand(tracked):
    document, row = await write_second_report(tracked, lambda prompt, platform: mixed_answers(prompt, platform + 2))
    row = msgspec.structs.replace(row, note="We suggest to publish the guide.", owners=["Agency"])
    document = msgspec.structs.replace(document, edited_by="ChatGPT, gpt-9")
    view, appendix = build_view(document, row), build_appendix(document)
    assert view["basis"].endswith("Exploratory. Early reading. Edited by ChatGPT, gpt-9.")
    short, whole = [render_page(document, row, with_appendix=more, for_members=True) for more in (False, True)]
    shown = {str(text) for text in list_texts(view) if not text.startswith(("http", "<svg"))}
    shown -= {"own", "watch", view["title"]}
    unused = {view["labels"][name] for name in ("no_tasks", "effects", "trend_note")}
    for text in shown - unused:
        assert text in visible_text(short), text
    for text in list_texts(appendix):
        assert text.startswith("http") or " ".join(text.split()) in visible_text(whole), text
    assert "By platform" not in visible_text(short) and len(visible_text(short).split()) < 250


async def test_the_verdict_is_the_finding_and_the_league_has_the_figures_of_the_board(tracked):
    await tracked.complete_scan(lambda *_: ABSENT)
    job = await tracked.complete_scan(lambda *_: FIRST, days=7)
    await tracked.write(job)
    stored, board = await tracked.report(job), await tracked.board(job)
    view = build_view(stored["document"], to_report_row(stored))
    assert view["verdict"][0] == "Overall, Acme is named in 24 of 24 answers, up from 0 on 15 Nov."
    assert len(view["verdict"]) <= 2
    assert [row["name"] for row in view["league"]] == [row.name for row in board.competitors]
    for shown, measured in zip(view["league"], board.competitors, strict=True):
        market = measured.score.market
        assert shown["value"] == str(round(measured.score.value))
        assert shown["range"] == f"{format_number(market.low)}\u2013{format_number(market.high)}"
    own = next(row for row in view["league"] if row["tone"] == "own")
    assert (own["verdict"], own["verdict_tone"]) == ("named \u25b2 0 \u2192 24 of 24", "up")
    page = render_page(stored["document"], to_report_row(stored))
    assert '<span class="chip up">named \u25b2 0 \u2192 24 of 24</span>' in page


async def test_a_change_that_is_not_clear_has_no_color(tracked):
    document, row = await write_second_report(tracked)
    view = build_view(document, row)
    assert view["verdict"][0].startswith("No clear change.")
    assert {each["verdict_tone"] for each in view["league"]} <= {"", "watch"}
    page = render_page(document, row)
    assert 'class="chip up"' not in page and 'class="chip down"' not in page and "no clear change" in page


async def test_the_page_loads_nothing_and_a_stranger_gets_no_link_into_the_workspace(tracked):
    document, row = await write_second_report(tracked)
    html = render_page(document, row, with_appendix=True, for_members=True)
    assert html.startswith("<!doctype html>")
    assert not re.search(r"<(script|link|img|iframe|object|embed|form|base)\b", html)
    assert not re.search(r"@import|\son\w+=", html)
    assert set(re.findall(r"url\((.{5})", html)) == {"data:"}
    links = set(re.findall(r'href="([^"]*)"', html))
    assert links and all(link.startswith(f"{BASE_URL}/w/") for link in links)
    assert "prefers-color-scheme: dark" in html and "@media print" in html
    assert len(html) < 150_000
    shared = [render_page(document, row, with_appendix=more) for more in (False, True)]
    assert [set(re.findall(r'href="([^"]*)"', each)) for each in shared] == [
        {"?appendix=yes&amp;lang=en#proofs"},
        {"#proofs"},
    ]
    assert BASE_URL not in "".join(shared) and 'id="proofs"' in shared[1]


async def test_every_link_of_a_member_leads_to_the_answers_that_it_names(tracked):
    document, row = await write_second_report(tracked)
    view = build_view(document, row)
    page = f"{BASE_URL}/w/{tracked.tenant.id}/d/{tracked.domain_id}/answers"
    check = f"{page}?check={document.scan_id}"
    assert view["answers_url"] == check
    assert [each["url"] for each in view["league"]] == [
        f"{check}&competitor=Globex&counted=headline",
        f"{check}&competitor=Initech&counted=headline",
        f"{check}&brand=named&counted=headline",
    ]
    assert view["tasks"][1]["url"] == f"{page}?evidence=report%3A{document.scan_id}%3Atask%3A1"
    assert view["quote"]["url"].startswith(f"{page}/{document.scan_id}/")


def crowd(document: ReportDocument) -> ReportDocument:
    """Return the report with the longest texts and the largest numbers of everything."""
    long, replace = "Which of all the anvils that one can buy is the best? " * 9, msgspec.structs.replace
    facts = document.tasks[0].facts
    worded = replace(facts, wording=ActionWording(long[:200], long, (long,)), prompts=(AskedPrompt("1", long),))
    effect = Effect(
        status="up", points=20.0, interval=Interval(10.0, 30.0), treated=GroupShares(("1",), 18.2, 41.4), others=None
    )
    lines = [
        EffectLine(
            done_at=to_iso(datetime.fromisoformat(document.period_end) - timedelta(days=number)),
            facts=EffectFacts(
                action=worded, answers=3, effect=effect, checks=WatchedChecks((), None, ()), overlapping=0
            ),
        )
        for number in range(1, 9)
    ]
    rival = replace(document.competitors[0], name=long[:80])
    finding = replace(document.findings[0], prompt=long, competitor=long[:80])
    scores = document.trend[0].completed_at, 40.0
    return replace(
        document,
        brand=long[:80],
        tasks=(replace(document.tasks[0], facts=worded),) * 12,
        effects=tuple(lines),
        competitors=(rival,) * 30 + document.competitors,
        rivals=(RivalTrend(long[:80], (scores,)),) * 5,
        findings=(finding,) * 6,
        quote=replace(document.quote, parts=(replace(document.quote.parts[0], text=long),)),
    )


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_report_has_one_page_however_much_there_is_to_say(tracked, language):
    document, row = await write_second_report(tracked)
    crowded = crowd(document)
    noted = msgspec.structs.replace(row, note="Please read this. " * 33, owners=["A" * 40] * 3)
    with in_language(language):
        for each in (document, crowded):
            assert len(SHEET.findall(render_pdf(each, noted))) == 1
        view = build_view(crowded, noted)
        page = visible_text(render_page(crowded, noted))
    assert (len(view["league"]), len(view["effects"]), len(view["tasks"])) == (6, 2, 3)
    assert any(each["tone"] == "own" for each in view["league"]), "the own brand is always in the league"
    assert all(text.strip() in page for text in (noted.note, view["tasks"][2]["owner"]))
    assert len(SHEET.findall(render_pdf(document, row, with_appendix=True))) >= 2


async def test_the_chart_has_full_checks_rivals_and_a_pin_where_something_was_done(tracked):
    document, row = await write_second_report(tracked, lambda *_: FIRST)
    trend = build_trend(document)
    assert [each.at for each in trend.full] == [point.completed_at for point in document.trend]
    assert [each.name for each in trend.competitors] == ["Globex", "Initech"]
    assert [len(each.values) for each in trend.competitors] == [2, 2]
    assert {each.place for each in trend.competitors} == {None} and trend.marks == []
    assert "pins" not in render_page(document, row)
    done = crowd(document).effects[:1]
    changed = msgspec.structs.replace(document, effects=done, model_changes=(document.period_end,))
    assert [(mark.at, mark.label) for mark in build_trend(changed).marks] == [
        (done[0].done_at, "Which of all…"),
        (document.period_end, "New model"),
    ]
    page = render_page(changed, row)
    assert page.count("Which of all…") == 2, "in the wide and in the narrow chart"
    assert "named in 18% → 41% of these answers" in visible_text(page)


async def test_a_first_report_has_no_chart_and_compares_nothing(tracked):
    job = await tracked.complete_scan()
    await tracked.write(job)
    stored = await tracked.report(job)
    page = visible_text(render_page(stored["document"], to_report_row(stored)))
    assert "Acme is named in 10 of 24 answers (41.7%). Of 3 tracked brands, Acme ranks 3rd" in page
    assert "Over 1 week" not in page and "no clear change" not in page


@pytest.fixture
async def hostile_report(installation):
    """Write a report in which the brand, a competitor, a prompt, an answer, a note and an owner contain markup."""
    brand, rival = Brand(f"Acme {EVIL}", ("Acme",), ("acme.com",)), Brand(f"Rival {EVIL}", ("Rival",), ("rival.com",))
    tracked = await ReportedDomain.open(
        installation, brand=brand, rivals=(rival,), prompts=[f"{n} {EVIL}" for n in range(8)]
    )
    first = (f"1. **Acme** {EVIL}\n2. Rival", "https://acme.com/<script>")
    document, row = await write_second_report(tracked, lambda *_: first)
    return document, msgspec.structs.replace(row, note=EVIL, owners=[EVIL[:40], EVIL[:40]])


async def test_untrusted_text_is_inert_on_the_page(hostile_report):
    document, row = hostile_report
    html = render_page(document, row, with_appendix=True)
    assert "<script" not in html
    assert visible_text(html).count(EVIL) >= 4 and EVIL[:40] in visible_text(html)


async def test_untrusted_text_is_inert_in_the_pdf(hostile_report):
    """If any of it were parsed as markup, `#panic` or `#import` would make the compilation fail."""
    assert render_pdf(*hostile_report, with_appendix=True).startswith(b"%PDF-")
    assert render_picture(*hostile_report).startswith(b"\x89PNG")


async def test_direction_controls_are_visible_on_the_page_and_in_the_pdf(installation):
    """The PDF is the same as that of a brand whose name has the mark."""
    hidden, shown = Brand("Ac\u202eme", ("Acme",), ("acme.com",)), "Ac[U+202E]me"
    tracked = await ReportedDomain.open(installation, brand=hidden, prompts=[f"Which {n} \u2067?" for n in range(8)])
    document, row = await write_second_report(tracked)
    page = render_page(document, row, with_appendix=True)
    assert document.brand == hidden.name and shown in page
    assert not has_direction_controls(page)
    marked = msgspec.json.encode(document).decode().replace("\u202e", "[U+202E]").replace("\u2067", "[U+2067]")
    named = msgspec.json.decode(marked, type=ReportDocument)
    assert render_pdf(document, row, with_appendix=True) == render_pdf(named, row, with_appendix=True)
    assert "symbols" not in list_missing_scripts(build_view(document, row))


async def test_a_title_and_a_subject_are_one_printable_line():
    assert "\n" not in build_title("Ac\r\nme", MADE_AT, MADE_AT, is_first=True)


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        (lambda *_: None, "No answer could be measured, so there are no figures for Acme."),
        (lambda *_: NO_BRAND, "Acme is named in 0 of 24 answers (0.0%)"),
    ],
    ids=["nothing measured", "no brand named"],
)
@pytest.mark.parametrize("rivals", [(), (Brand("Globex", (), ("globex.com",)),)], ids=["alone", "with a rival"])
async def test_a_report_with_little_data_says_so(installation, answers, rivals, message):
    tracked = await ReportedDomain.open(installation, rivals=rivals)
    for days in (0, 7):
        job = await tracked.complete_scan(answers, days=days)
        await tracked.write(job)
    stored = await tracked.report(job)
    document, row = stored["document"], to_report_row(stored)
    page = visible_text(render_page(document, row, with_appendix=True))
    assert message in page and "None" not in page and "nan" not in page.lower().split()
    assert document.quote is None and "In their words" not in page
    assert len(SHEET.findall(render_pdf(document, row))) == 1 and render_picture(document, row)


async def test_a_scan_in_which_no_brand_is_named_has_a_report():
    plan = small_scans.plan("best anvil")
    answers = [small_scans.answer(plan, 1, platform, NO_BRAND[0]) for platform in plan.platforms]
    facts = {"answers_source": "live", "prompts_source": "given", "started_at": MADE_AT, "stopped": False}
    assert "is not ranked" in render_scan_report(summarize_scan(plan, answers, **facts))


async def test_a_report_of_the_commit_before_has_one_page_in_every_language(installation, tracked):
    """It was stored with four pages of HTML, and knows neither a quote nor the lines of rivals."""
    job = await tracked.complete_scan()
    await tracked.write(job)
    query = "UPDATE reports SET document = $1, html = 'the long page', note = DEFAULT, owners = DEFAULT"
    await installation.db.execute(query, LONG_REPORT.read_bytes())
    row = to_report_row(await installation.db.fetchrow("SELECT * FROM reports"))
    page = await read_html(installation.db, row, with_appendix=True)
    assert "No clear change. Worth watching: On Gemini, Acme was named in 1 of 8 Daily Check" in visible_text(page)
    assert "Get Acme into reviews0.com/anvils" in visible_text(page) and "By platform" in visible_text(page)
    assert "the long page" not in page and 'id="quote"' not in page
    german = await read_html(installation.db, row, language="de")
    assert "Keine deutliche Veränderung." in german
    assert len(SHEET.findall(await read_pdf(installation.db, row))) == 1


@pytest.fixture
def bundled_fonts(monkeypatch):
    """Hide the fonts of this machine, so that they cannot affect the result."""
    folder = Path(render.__file__).parents[2] / "presentation" / "fonts"
    fonts = typst.Fonts(include_system_fonts=False, font_paths=[str(folder)])
    # Fonts of this machine are hidden.
    monkeypatch.setattr(render, "load_fonts", lambda: fonts)
    render.has_glyphs.cache_clear()
    yield
    render.has_glyphs.cache_clear()


def test_the_bundled_fonts_cover_latin_greek_and_cyrillic(bundled_fonts):
    assert list_missing_scripts({"text": "Łódź, Ñandú, Привет, Ελλάδα, \u201cquoted\u201d \u2013 \u2026 \u25b2"}) == []


def test_scripts_without_a_font_are_missing_wherever_they_occur(bundled_fonts):
    view = {"title": "Acme", "text": "\U00016f00 \U0001e2c0", "rows": [["\u6700\u597d"], ["\u0439 \u03b1"]]}
    assert list_missing_scripts(view) == ["Chinese characters", "Miao", "Wancho"]


async def test_a_pdf_names_the_scripts_it_cannot_show(tracked, bundled_fonts, monkeypatch):
    document, row = await write_second_report(tracked)
    document, seen = msgspec.structs.replace(document, brand="\U00016f00"), []
    compiled = typst.compile

    def compile_and_record(*arguments, **options):
        seen.append(options["sys_inputs"])
        return compiled(*arguments, **options)

    # A PDF does not say which text the typesetter was given.
    monkeypatch.setattr(typst, "compile", compile_and_record)
    assert render_pdf(document, row).startswith(b"%PDF-")
    title, why = msgspec.json.decode(seen[-1]["report"])["missing"]
    assert title == "Some characters are missing in this PDF." and why.startswith("(Miao)")

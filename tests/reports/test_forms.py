"""The HTML and PDF of a weekly report: the same texts, no markup from data, color for established changes."""

import functools
import re
from datetime import UTC, datetime
from html import unescape

import msgspec
import pytest
import typst

from sightline.answers.models import Brand
from sightline.answers.plain_text import strip_markdown
from sightline.insights.models import StoredTheme
from sightline.metrics.figure import Comparison
from sightline.plans.table import Plan
from sightline.presentation.changes import is_established
from sightline.presentation.direction_controls import has_direction_controls, show_direction_controls
from sightline.presentation.language import LANGUAGES, in_language
from sightline.presentation.phrases import METRIC_NAMES
from sightline.reports.scan_report import render_scan_report
from sightline.reports.weekly import render
from sightline.reports.weekly.answer_links import remove_answer_links
from sightline.reports.weekly.html import render_html
from sightline.reports.weekly.labels import build_labels
from sightline.reports.weekly.models import EffectLine, Movement, ReportNotice, ReportTask
from sightline.reports.weekly.phrases import build_title
from sightline.reports.weekly.read import read_html
from sightline.reports.weekly.render import list_missing_scripts, render_charts, render_pdf
from sightline.reports.weekly.short_view import choose_different_tasks
from sightline.reports.weekly.view import build_view
from sightline.scans.record import summarize_scan
from tests.reports.stored_reports import (
    ABSENT,
    BASE_URL,
    FIRST,
    RIVALS,
    ReportedDomain,
    mixed_answers,
    read_stored_pdf,
    to_report_row,
)
from tests.scans import small_scans

EVIL = '<script>alert(1)</script> #import "x": * #panic("y") $x^2$ \\ @label `raw` {{ 7*7 }} & "quoted"'
NO_BRAND = ("It depends on what you forge, and on how much room there is.",)
PAGES = re.compile(rb"/Type\s*/Page\b")
MADE_AT = datetime(2026, 11, 15, tzinfo=UTC)


def list_texts(value) -> list[str]:
    if isinstance(value, str):
        return [value]
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for part in parts for text in list_texts(part)]


def visible_text(html: str) -> str:
    body = html[html.index("<body>") :]
    return " ".join(unescape(re.sub(r"<[^>]*>", "", body)).split())


async def write_second_report(tracked, answers=mixed_answers):
    """Write two reports, and return the second."""
    await tracked.complete_scan()
    job = await tracked.complete_scan(answers, days=7)
    await tracked.store_insights(job)
    await tracked.write(job)
    return await tracked.report(job)


async def test_every_text_of_the_report_is_on_the_page(tracked):
    row = await write_second_report(tracked, lambda prompt, platform: mixed_answers(prompt, platform + 2))
    view, page = build_view(row["document"], with_appendix=True), visible_text(row["appendix_html"])
    ids = {proof[name] for proof in view["proofs"] for name in ("id", "url")}
    marks = {"up", "down", "gained", "lost", *METRIC_NAMES}
    for text in set(list_texts(view)) - ids - marks - {view["title"]}:
        assert " ".join(text.split()) in page, text
    assert view["title"] in unescape(row["html"])


async def test_the_page_shows_the_figures_of_the_board(tracked):
    job = await tracked.complete_scan()
    await tracked.write(job)
    page, board = visible_text((await tracked.report(job))["html"]), await tracked.board(job)
    score, coverage = board.headline.visibility_score, board.headline.brand_coverage_pct
    assert (
        f"{score.value:.1f} {score.low:.1f}\u2013{score.high:.1f} for these prompts "
        f"{score.market.low:.1f}\u2013{score.market.high:.1f} for questions like these "
        f"of 100, based on {score.n} answers"
    ) in page
    assert f"{coverage.numerator} of {coverage.n} answers" in page
    for row in board.platforms:
        assert f"{row.visibility_score.value:.1f} {row.visibility_score.low:.1f}\u2013" in page
    for row in board.competitors:
        assert row.name in page and f"{row.share_of_voice_pct:.1f}%" in page
    assert f"metrics version {board.metrics_version}, extractor version {board.extractor_version}" in page


async def test_the_page_is_self_contained(tracked):
    html = remove_answer_links((await write_second_report(tracked))["appendix_html"])
    assert html.startswith("<!doctype html>")
    assert not re.search(r"<(script|link|img|iframe|object|embed|form|base)\b", html)
    assert not re.search(r"""(src|srcset|action|data|poster)\s*=""", html.replace("data-label", ""))
    assert not re.search(r"url\(|@import|\son\w+=", html)
    links = set(re.findall(r'href="([^"]*)"', html)) - set(re.findall(r'href="(#a\d+)"', html))
    assert links and all(re.fullmatch(rf"{BASE_URL}/w/[^/]+/d/[^/]+/answers/[^/]+/[^/]+#named", link) for link in links)
    assert html.count("<svg ") == 4 and "prefers-color-scheme: dark" in html and "@media print" in html
    for target in re.findall(r'href="#(a\d+)"', html):
        assert f'id="{target}"' in html


async def test_the_pdf_is_made_from_the_stored_document_and_has_pages(tracked):
    row = await write_second_report(tracked)
    assert row["pdf"] is None and row["appendix_pdf"] is None, "nobody has asked for them yet"
    short, whole = [await read_stored_pdf(tracked.installation, row, with_appendix=more) for more in (False, True)]
    assert short.startswith(b"%PDF-") and short.rstrip().endswith(b"%%EOF")
    assert 2 <= len(PAGES.findall(short)) <= 4 and len(PAGES.findall(short)) < len(PAGES.findall(whole))


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_report_has_at_most_four_pages_however_much_there_is_to_say(tracked, language):
    document = (await write_second_report(tracked, lambda prompt, platform: mixed_answers(prompt, platform + 2)))[
        "document"
    ]
    long, many = "Which of all the anvils that one can buy is the best? " * 9, msgspec.structs.replace
    task = many(document.tasks[0], action=long, reason=long * 2, effect=long, steps=(long,) * 5, quotes=(long,) * 3)
    theme = many(document.themes[0], descriptor=long, quotes=(long,) * 5)
    finding = many(document.findings[0], text=long)
    rival = many(document.competitors[1], name=long)
    cell = many(document.appeared.first[0], prompt=long)
    effect = EffectLine(action=long, done_at=document.period_end, status="worked", summary=long, prompts=3)
    crowded = many(
        document,
        tasks=(task,) * 12,
        themes=(theme,) * 10,
        findings=(finding,) * 6,
        effects=(effect,) * 30,
        platforms=document.platforms * 4,
        competitors=(document.competitors[0], *[rival] * 30),
        appeared=Movement(400, (cell,) * 8),
        disappeared=Movement(400, (cell,) * 8),
        sources=document.sources * 8,
        notices=(*document.notices, *[ReportNotice("Incomplete", "12 of 130 planned answers are valid.")] * 3),
    )
    charts = render_charts(document, font=render.FONT)
    with in_language(language):
        printed = render_pdf(build_view(crowded), charts, made_at=MADE_AT)
    assert len(PAGES.findall(printed)) <= 4


def test_the_tasks_of_the_mail_are_different_ones():
    def task(kind, number):
        return ReportTask(
            kind=kind, action=f"{kind} {number}", reason="", prompt=None, pages=(), answer_ids=(), answers=1
        )

    listed = [task("get_listed", number) for number in range(4)]
    other = [task("open_door", 0), task("win_back", 0)]
    assert choose_different_tasks([*listed, *other]) == [0, 4, 5], "not three times the same kind"
    assert choose_different_tasks([*listed, *other[:1]]) == [0, 1, 4]
    assert choose_different_tasks(listed[:2]) == [0, 1]
    assert choose_different_tasks([]) == []


@pytest.fixture
async def hostile_report(installation):
    """Write a report in which the brand, a competitor, a prompt, an answer and a theme contain markup."""
    brand, rival = Brand(f"Acme {EVIL}", ("Acme",), ("acme.com",)), Brand(f"Rival {EVIL}", ("Rival",), ("rival.com",))
    tracked = await ReportedDomain.open(
        installation, brand=brand, rivals=(rival,), prompts=[f"{n} {EVIL}" for n in range(8)]
    )
    first = (f"1. **Acme** {EVIL}\n2. Rival", "https://acme.com/<script>")
    await tracked.complete_scan(lambda *_: ABSENT)
    job = await tracked.complete_scan(lambda *_: first, days=7)
    await tracked.store_insights(job)
    theme = StoredTheme(
        descriptor=EVIL, kind="shared", answers=3, share=1.0, log_odds=0.0, z=0.0, polarity=None, polarity_label=None,
        quote=EVIL, answer_ids=(),
    )  # fmt: skip
    await installation.db.execute("UPDATE themes SET theme = $1", msgspec.json.encode(theme))
    await tracked.write(job)
    return await tracked.report(job)


async def test_untrusted_text_is_inert_on_the_page(hostile_report):
    html = hostile_report["appendix_html"]
    assert "<script" not in html + hostile_report["html"]
    assert EVIL in visible_text(html)
    assert hostile_report["document"].themes[0].quote == EVIL
    assert any(strip_markdown(EVIL) in proof.after for proof in hostile_report["document"].proofs)


async def test_untrusted_text_is_inert_in_the_pdf(installation, hostile_report):
    """If any of it were parsed as markup, `#panic` or `#import` would make the compilation fail."""
    assert (await read_stored_pdf(installation, hostile_report)).startswith(b"%PDF-")
    given = {"view": build_view(hostile_report["document"]), "charts": {}, "missing": [], "font": render.FONT}
    given |= {"with_appendix": True, "labels": build_labels(f"Acme {EVIL}"), "language": "en"}
    inputs = {"report": msgspec.json.encode(given).decode()}
    found = msgspec.json.decode(
        typst.Compiler(render.read_template(), sys_inputs=inputs).query("heading", field="body")
    )
    assert {"func": "text", "text": f"What answers say about Acme {EVIL}"} in found


async def test_direction_controls_are_visible_on_the_page_and_in_the_pdf(installation):
    """The PDF is the same as that of a brand whose name has the mark."""
    hidden, shown = Brand("Ac\u202eme", ("Acme",), ("acme.com",)), "Ac[U+202E]me"
    tracked = await ReportedDomain.open(installation, brand=hidden, prompts=[f"Which {n} \u2067?" for n in range(8)])
    row = await write_second_report(tracked)
    page = await read_html(installation.db, to_report_row(row), with_appendix=True)
    assert row["document"].brand == hidden.name and shown in page
    assert not has_direction_controls(page)
    view = build_view(row["document"], with_appendix=True)
    marked = msgspec.json.decode(show_direction_controls(msgspec.json.encode(view).decode()))
    charts = render_charts(row["document"], font=render.FONT)
    assert render_pdf(view, charts, made_at=MADE_AT, with_appendix=True) == render_pdf(
        marked, charts, made_at=MADE_AT, with_appendix=True
    )
    assert "symbols" not in list_missing_scripts(view)


async def test_a_title_and_a_subject_are_one_printable_line():
    assert "\n" not in build_title("Ac\r\nme", MADE_AT, MADE_AT, is_first=True)


def build_comparison(**changes) -> Comparison:
    counts = {
        "against_scan_id": "x",
        "trend_only": False,
        "reasons": (),
        "matched_cells": 24,
        "gained": 5,
        "lost": 4,
    }
    numbers = {"delta": 4.2, "low": -9.0, "high": 17.0, "p": 1.0, "verdict": "no_clear_change"}
    return Comparison(**{**counts, **numbers, **changes})


def test_only_an_established_change_is_colored():
    assert not is_established(None)
    assert not is_established(build_comparison())
    assert is_established(build_comparison(verdict="down"))
    assert not is_established(build_comparison(verdict="up", trend_only=True, reasons=("cells",)))


async def test_no_clear_change_is_never_colored(tracked):
    html = (await write_second_report(tracked))["html"]
    assert html.count("<b>No clear change</b>") == 6
    assert 'class="change up"' not in html and 'class="change down"' not in html and "\u25b2" not in html


async def test_an_established_change_has_a_color_an_arrow_and_a_word(tracked):
    row = await write_second_report(tracked, lambda *_: FIRST)
    assert '<span class="change up"><b>\u25b2 Up</b>' in row["html"]
    assert "newly named in 14 and no longer named in 0 of 24 answers" in visible_text(row["html"])
    cards = {card["name"]: card for card in build_view(row["document"])["cards"]}
    assert {name: cards[name]["tone"] for name in ("Visibility Score", "Brand Coverage", "Market Position")} == {
        "Visibility Score": "up",
        "Brand Coverage": "up",
        "Market Position": "up",
    }
    assert "2 positions higher" in cards["Market Position"]["detail"]


async def test_scans_that_are_not_exactly_comparable_are_marked_trend_only(tracked):
    await tracked.complete_scan(prompts=tracked.prompts[:6])
    job = await tracked.complete_scan(lambda *_: FIRST, days=7)
    await tracked.write(job)
    row = await tracked.report(job)
    assert '<span class="chip">Trend only</span>' in row["html"]
    assert "(the prompts, platforms or countries differ)" in visible_text(row["html"])
    assert 'class="change up"' not in row["html"] and "<b>Up</b>" in row["html"]


async def test_the_table_of_countries_needs_two_markets(installation, tracked):
    assert 'id="countries"' not in (await write_second_report(tracked))["appendix_html"]
    abroad = await ReportedDomain.open(installation, countries=(None, "DE"), prompts=list_prompts(3))
    assert "Germany" in visible_text((await write_second_report(abroad))["appendix_html"])


def list_prompts(number: int) -> list[str]:
    return [f"anvil for {use}" for use in ("smiths", "artists", "schools")[:number]]


async def test_a_tie_and_a_range_of_positions_are_shown(tracked):
    row = await write_second_report(tracked, lambda prompt, platform: FIRST if (prompt + platform) % 2 else ABSENT)
    ranges = [each for each in build_view(row["document"])["competitors"] if each["positions"]]
    assert ranges and all(re.fullmatch(r"\d\u2013\d", each["positions"]) for each in ranges)


@pytest.mark.parametrize(
    ("answers", "rivals", "message"),
    [
        (lambda *_: None, RIVALS, "No answer could be measured, so there are no figures for Acme."),
        (lambda *_: NO_BRAND, RIVALS, "Acme is named in 0 of 24 answers (0.0%)"),
        (mixed_answers, (), "No competitor is tracked, so Share of Voice and Market Position are not measured."),
    ],
    ids=["nothing measured", "no brand named", "no competitor"],
)
async def test_a_report_with_little_data_says_so(installation, answers, rivals, message):
    tracked = await ReportedDomain.open(installation, rivals=rivals)
    for days in (0, 7):
        job = await tracked.complete_scan(answers, days=days)
        await tracked.write(job)
    row = await tracked.report(job)
    assert message in visible_text(row["html"])
    assert (await read_stored_pdf(installation, row)).startswith(b"%PDF-")
    assert "None" not in visible_text(row["html"]) and "nan" not in visible_text(row["html"]).lower().split()


@pytest.mark.parametrize(
    ("plan", "message"),
    [
        (Plan.AGENCY, "No themes: no praise or criticism of Acme appears in at least 3 answers."),
        (Plan.STARTER, "Brand Themes are part of the Professional and Agency plans."),
    ],
)
async def test_without_themes_the_report_says_why(installation, plan, message):
    tracked = await ReportedDomain.open(installation, await installation.tenant(plan))
    job = await tracked.complete_scan()
    await tracked.write(job)
    assert message in visible_text((await tracked.report(job))["html"])


async def test_a_scan_in_which_no_brand_is_named_has_a_report():
    plan = small_scans.plan("best anvil")
    answers = [small_scans.answer(plan, 1, platform, NO_BRAND[0]) for platform in plan.platforms]
    facts = {"answers_source": "live", "prompts_source": "given", "started_at": MADE_AT, "stopped": False}
    assert "is not ranked" in render_scan_report(summarize_scan(plan, answers, **facts))


@pytest.fixture
def bundled_fonts(monkeypatch):
    """Hide the fonts of this machine, so that they cannot affect the result."""
    compile_with = functools.partial(typst.compile, ignore_system_fonts=True)
    # Fonts of this machine are hidden.
    monkeypatch.setattr(typst, "compile", compile_with)


def test_the_bundled_fonts_cover_latin_greek_and_cyrillic(bundled_fonts):
    assert list_missing_scripts({"text": "Łódź, Ñandú, Привет, Ελλάδα, \u201cquoted\u201d \u2013 \u2026 \u25b2"}) == []


def test_scripts_without_a_font_are_missing_wherever_they_occur(bundled_fonts):
    view = {"title": "Acme", "text": "\U00016f00 \U0001e2c0", "rows": [["\u6700\u597d"], ["\u0439 \u03b1"]]}
    assert list_missing_scripts(view) == ["Chinese characters", "Miao", "Wancho"]


async def test_a_pdf_names_the_scripts_it_cannot_show(tracked, bundled_fonts, monkeypatch):
    row = await write_second_report(tracked)
    view, seen = build_view(row["document"]) | {"brand": "\U00016f00"}, []
    compiled = typst.compile

    def compile_and_record(*arguments, **options):
        seen.append(options["sys_inputs"])
        return compiled(*arguments, **options)

    # A PDF does not say which text the typesetter was given.
    monkeypatch.setattr(typst, "compile", compile_and_record)
    assert render_pdf(view, {}, made_at=MADE_AT).startswith(b"%PDF-")
    assert msgspec.json.decode(seen[-1]["report"])["missing"] == ["Miao"]
    assert render_html(row["document"], view, {}).startswith("<!doctype html>"), "a page without charts is whole, too"

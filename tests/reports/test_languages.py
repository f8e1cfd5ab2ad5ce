"""Reports in other languages than English: everything but data is translated, and numbers and dates follow."""

from datetime import date

from sightline.presentation.catalogs import PSEUDO
from sightline.presentation.language import in_language
from sightline.reports.scan_report import render_scan_report
from sightline.reports.weekly import read
from tests.reports.stored_reports import mixed_answers
from tests.reports.test_scan_report import summarize
from tests.scans.small_scans import answer, small_scan
from tests.web.untranslated import find_untranslated


async def test_a_stored_report_is_read_in_every_language(tracked):
    await tracked.complete_scan()
    job = await tracked.complete_scan(lambda prompt, platform: mixed_answers(prompt, platform + 2), days=7)
    await tracked.store_insights(job)
    await tracked.write(job)
    db, row = tracked.installation.db, await tracked.report(job)
    report = await read.read_report(db, tracked.workspace_id, tracked.domain_id, row["id"])
    german = await read.read_html(db, report, with_appendix=True, language="de")
    assert '<html lang="de">' in german and "Wer genannt wird" in german
    assert (
        "in KI-Antworten: 15.\N{EN DASH}22. Nov 2026" in german and "Daily-Check-Antworten genannt, zuvor in" in german
    )
    assert "\xa0%" in german and "Who is named" not in german
    assert (await read.read_pdf(db, report, language="de")).startswith(b"%PDF-")
    page = await read.read_html(db, report, with_appendix=True, language=PSEUDO)
    assert find_untranslated(page) == []
    with in_language("de"):
        (listed,) = await read.describe_rows(db, [report])
    assert listed.title.startswith("Acme in KI-Antworten: ")
    assert listed.summary.startswith("Keine deutliche Veränderung.")
    assert report.title == "Acme in AI answers: 15\N{EN DASH}22 Nov 2026"

    # As an earlier release stored it, without facts.
    await db.execute("UPDATE reports SET document = '{}', html = 'Old'")
    assert await read.read_html(db, report, language="de") == "Old"


def test_the_report_of_a_check_has_no_text_outside_the_catalogs():
    made, answers = small_scan()
    failed = answer(made, 1, "chatgpt", "", fault="no_money")
    with in_language(PSEUDO):
        complete = render_scan_report(summarize(made, answers, answers_source="sandbox", day=date(2026, 1, 2)))
        stopped = render_scan_report(summarize(made, [failed], stopped=True))
    assert set(find_untranslated(complete) + find_untranslated(stopped)) <= {"ChatGPT", "DeepSeek", "UTC", "ms"}

"""Writing a report: once for each Full Check, with its event and e-mails, and with the figures of the board."""

import asyncio
import uuid

import msgspec
import pytest

from sightline.accounts.models import Role
from sightline.kit.ids import new_id
from sightline.mail.emails import OutgoingEmail
from sightline.metrics.figure import Figure
from sightline.metrics.recommendations import ExpectedEffect
from sightline.presentation.catalogs import PSEUDO
from sightline.reports.weekly import write
from sightline.reports.weekly.phrases import list_notices
from sightline.reports.weekly.read import read_html
from sightline.reports.weekly.view import build_view
from sightline.scans.jobs import ScanJob
from tests.reports.stored_reports import (
    ABSENT,
    BASE_URL,
    FIRST,
    PLATFORMS,
    ReportedDomain,
    mixed_answers,
    to_report_row,
)
from tests.sent_events import decode_event
from tests.web.untranslated import find_untranslated, find_untranslated_in_email

OF_SCAN = "SELECT id FROM answers WHERE scan_id = $1 ORDER BY id"


async def list_emails(installation) -> list[OutgoingEmail]:
    rows = await installation.db.fetch("SELECT payload FROM jobs WHERE kind = 'mail.send' ORDER BY id")
    return [msgspec.json.decode(row[0], type=OutgoingEmail) for row in rows]


async def list_events(installation) -> list[tuple[str, str, dict]]:
    rows = await installation.db.fetch("SELECT type, cause, body FROM events ORDER BY id")
    return [(kind, cause, decode_event(body)) for kind, cause, body in rows]


def plain(figure) -> dict:
    return {name: getattr(figure, name) for name in Figure.__struct_fields__}


async def test_every_figure_of_the_report_comes_from_the_board(tracked):
    before = await tracked.complete_scan()
    job = await tracked.complete_scan(lambda prompt, platform: mixed_answers(prompt + 1, platform), days=7)
    await tracked.store_insights(job)
    await tracked.write(job)
    document, board, old = (
        (await tracked.report(job))["document"],
        await tracked.board(job),
        await tracked.board(before),
    )
    for line in document.headline:
        assert line.figure == getattr(board.headline, line.key)
        assert plain(line.before) == plain(getattr(old.headline, line.key))
    assert {line.key for line in document.headline} == set(type(board.headline).__struct_fields__)
    assert (document.platforms, document.countries) == (board.platforms, board.countries)
    assert document.competitors == board.competitors
    assert document.sources == board.sources[:15] and document.sources_total == len(board.sources)
    method = document.method
    assert (method.planned, method.valid) == (board.planned, board.valid)
    assert (method.metrics_version, method.extractor_version) == (board.metrics_version, board.extractor_version)
    assert [point.scan_id for point in document.trend] == [before.scan_id, job.scan_id]
    scores = {row.name: row.score.value for row in board.competitors if not row.is_own}
    assert {each.name: each.scores[-1][1] for each in document.rivals} == scores
    assert plain(document.trend[-1].visibility_score) == plain(board.headline.visibility_score)


async def test_a_report_covers_the_time_since_the_previous_full_check(tracked):
    await tracked.complete_scan()
    await tracked.complete_scan(scope="daily_check", days=3)
    job = await tracked.complete_scan(days=4)
    await tracked.write(job)
    row = await tracked.report(job)
    assert row["title"] == "Acme in AI answers: 15\u201322 Nov 2026"
    assert (f"{row['period_start']:%d %H:%M}", f"{row['period_end']:%d %H:%M}") == ("15 09:32", "22 09:38")
    assert "No clear change since 15 Nov." in row["summary"]
    assert [point.scope for point in row["document"].trend] == ["full_check", "daily_check", "full_check"]


async def test_the_first_report_compares_with_nothing(tracked):
    await tracked.installation.db.execute("UPDATE workspaces SET timezone = 'Asia/Tokyo'")
    job = await tracked.complete_scan()
    await tracked.write(job)
    row = await tracked.report(job)
    document = row["document"]
    page = await read_html(tracked.installation.db, to_report_row(row), with_appendix=True)
    assert " JST" in page and " UTC" not in page, "in the workspace's time zone"
    assert document.is_first and row["title"] == "Acme in AI answers: first report, 15 Nov 2026"
    assert row["summary"].startswith(
        "Acme is named in 10 of 24 answers (41.7%). For questions like your prompts, expect"
    )
    assert "This is the first Full Check" in row["summary"]
    assert all(line.before is None for line in document.headline)
    assert row["period_start"] < row["period_end"]


async def test_recommendations_refer_to_the_answers_that_support_them(tracked):
    job = await tracked.complete_scan()
    await tracked.store_insights(job)
    await tracked.write(job)
    document = (await tracked.report(job))["document"]
    listed, platform = document.tasks
    assert [each["action"] for each in build_view(document, to_report_row(await tracked.report(job)))["tasks"]] == [
        "Get Acme into reviews0.com/anvils",
        "Find out why Perplexity names Acme less than other platforms do",
    ]
    assert (listed.facts.site, listed.facts.expected) == ("reviews0.com", ExpectedEffect(3.0, 1.2, 4.4))
    assert (listed.answers, len(listed.answer_ids)) == (5, 3)
    assert (platform.answers, len(platform.answer_ids)) == (2, 1), "what another check proves is counted, not shown"
    proofs = {proof.answer_id: proof for proof in document.proofs}
    assert set(listed.answer_ids) <= set(proofs)
    row = await tracked.installation.db.fetchrow("SELECT * FROM answers WHERE id = $1", listed.answer_ids[0])
    proof = proofs[listed.answer_ids[0]]
    assert proof.before + proof.marked + proof.after == row["text"].replace("**", "")
    page = f"{BASE_URL}/w/{tracked.tenant.id}/d/{tracked.domain_id}/answers/{job.scan_id}/{row['id']}#named"
    assert proof.url == page, "where people read it, at the sentence"


async def test_the_report_quotes_a_criticism_else_first_place_else_a_mention(tracked):
    async def quote(answers):
        job = await tracked.complete_scan(answers, days=7)
        await tracked.write(job)
        found = (await tracked.report(job))["document"].quote
        return found and ("".join(part.text for part in found.parts), found.platform)

    second = "1. Globex leads.\n2. Acme is good, too."
    assert await quote(lambda *_: ABSENT) is None
    assert await quote(lambda *_: (second,)) == ("Acme is good, too.", "perplexity"), "the newest"
    first = lambda prompt, platform: FIRST if (prompt, platform) == (2, 1) else (second,)  # noqa: E731
    assert await quote(first) == ("Acme is a solid and excellent choice.", "gemini")
    against = lambda prompt, platform: ("Avoid Acme at any price.",) if platform == 0 else FIRST  # noqa: E731
    assert await quote(against) == ("Avoid Acme at any price.", "chatgpt")


async def test_an_insight_that_cannot_be_read_is_left_out(tracked):
    job = await tracked.complete_scan()
    await tracked.store_insights(job)
    await tracked.installation.db.execute("UPDATE recommendations SET recommendation = '{\"kind\": 7}' WHERE place = 0")
    await tracked.write(job)
    assert [task.kind for task in (await tracked.report(job))["document"].tasks] == ["open_door"]


async def test_only_alerts_confirmed_in_the_period_are_told(tracked):
    await tracked.complete_scan()
    job = await tracked.complete_scan(days=7)
    await tracked.store_insights(job)
    execute = tracked.installation.db.execute
    copy = """INSERT INTO alerts SELECT workspace_id, $1, domain_id, type, $2, $3, $4, evidence, scan_id,
              watched_at, {} , resolved_at, notified_at, updated_at FROM alerts WHERE scope = 'platform:gemini'"""
    await execute(copy.format("NULL::timestamptz"), new_id(), "overall", "watch", None)
    await execute(copy.format("confirmed_at"), new_id(), "country:DE", "confirmed", "platform_wide")
    await execute(copy.format("confirmed_at - interval '9 days'"), new_id(), "country:FR", "resolved", None)
    await tracked.write(job)
    found = (await tracked.report(job))["document"].findings
    assert [each.platform for each in found if each.alert_id] == ["gemini"]


@pytest.mark.parametrize("scope", ["daily_check", "free_audit"])
async def test_only_a_full_check_has_a_report(tracked, scope):
    job = await tracked.complete_scan(scope=scope)
    await tracked.write(job)
    await tracked.write(ScanJob(tracked.workspace_id, new_id()))
    assert await tracked.installation.db.fetchval("SELECT count(*) FROM reports") == 0


async def test_a_removed_domain_gets_no_report(tracked):
    job = await tracked.complete_scan()
    query = "UPDATE domains SET status = 'removed', removed_at = $2 WHERE id = $1"
    await tracked.installation.db.execute(query, tracked.domain_id, tracked.installation.clock())
    await tracked.write(job)
    assert await tracked.installation.db.fetchval("SELECT count(*) FROM reports") == 0


async def test_the_event_and_the_emails_come_with_the_report(installation, tracked):
    editor = await installation.member(tracked.tenant, Role.EDITOR)
    await installation.db.execute("UPDATE users SET language = $2 WHERE id = $1", editor.id, PSEUDO)
    await installation.member(tracked.tenant, Role.VIEWER)
    unreachable = await installation.member(tracked.tenant, Role.EDITOR)
    stored_by_an_older_commit = "UPDATE users SET email = 'zoe,adam@acme.com' WHERE id = $1"
    await installation.db.execute(stored_by_an_older_commit, unreachable.id)
    job = await tracked.complete_scan()
    await tracked.store_insights(job)
    await tracked.write(job)
    row = await tracked.report(job)
    ((kind, cause, body),) = await list_events(installation)
    place = f"{BASE_URL}/api/v1/ext/domains/{tracked.domain_id}/reports/{row['id']}"
    assert (kind, cause, body["type"]) == ("report.ready", str(job.scan_id), "report.ready")
    assert body["data"] == {
        "id": str(row["id"]),
        "scan_id": str(job.scan_id),
        "title": row["title"],
        "period_start": "2026-11-15T09:30:10.000000+00:00",
        "period_end": "2026-11-15T09:32:10.000000+00:00",
        "summary": row["summary"],
        "html_url": f"{place}.html",
        "pdf_url": f"{place}.pdf",
        "created_at": "2026-11-15T09:33:10.000000+00:00",
        "note": None,
        "owners": [],
        "domain_id": str(tracked.domain_id),
        "workspace_id": str(tracked.tenant.workspace.id),
        "livemode": True,
    }
    emails = await list_emails(installation)
    assert {message.to for message in emails} == {tracked.tenant.owner.email, editor.email}, "viewers are left in peace"
    (translated,) = [message for message in emails if message.to == editor.email]
    assert find_untranslated_in_email(translated.subject, translated.text) == []
    assert find_untranslated(translated.html) == []
    for message in set(emails) - {translated}:
        assert message.subject == f"[Sandbox] {row['title']}"
        page = f"{BASE_URL}/w/{tracked.tenant.id}/d/{tracked.domain_id}"
        verdict = " ".join(build_view(row["document"], to_report_row(row))["verdict"])
        assert verdict in message.text and verdict in message.html
        assert f"{page}/reports/{row['id']}\n" in message.text and f'href="{page}/reports/{row["id"]}"' in message.html
        assert 'src="cid:report"' in message.html and message.picture.startswith(b"\x89PNG")
        assert len(message.picture) < 150_000 and "/api/" not in message.text + message.html
        assert f"To stop it:\n  {page}/settings#emails" in message.text
        assert "Sandbox: all answers are made up." in message.text
        assert "1. Get Acme into reviews0.com/anvils\n  2. Find out why" in message.text
        assert ">Get Acme into reviews0.com/anvils</li>" in message.html


async def test_live_answers_have_no_sandbox_notice(tracked):
    job = await tracked.complete_scan(source="live")
    await tracked.write(job)
    row = await tracked.report(job)
    (message,) = await list_emails(tracked.installation)
    page = await read_html(tracked.installation.db, to_report_row(row))
    assert "Sandbox" not in page and "andbox" not in message.text + message.html + message.subject
    assert row["document"].answers_source == "live"


async def test_a_scan_has_one_report_however_often_the_job_runs(installation, tracked):
    job = await tracked.complete_scan()
    await asyncio.gather(*(tracked.write(job) for _ in range(3)))
    first = await tracked.report(job)
    installation.clock.advance(days=1)
    await tracked.write(job)
    assert await tracked.report(job) == first
    assert await installation.db.fetchval("SELECT count(*) FROM reports") == 1
    assert len(await list_events(installation)) == len(await list_emails(installation)) == 1


async def test_a_crash_before_the_commit_leaves_nothing_behind(installation, tracked, monkeypatch):
    job = await tracked.complete_scan()
    # The process ends at this point.
    monkeypatch.setattr(write, "crash_point", lambda name: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        await tracked.write(job)
    counts = [await installation.db.fetchval(f"SELECT count(*) FROM {name}") for name in ("reports", "events")]
    assert counts == [0, 0] and await list_emails(installation) == []
    monkeypatch.undo()
    await tracked.write(job)
    assert len(await list_emails(installation)) == 1


async def test_a_scan_of_another_workspace_is_not_used(installation, tracked):
    other = await ReportedDomain.open(installation)
    await other.complete_scan(lambda *_: FIRST)
    job = await tracked.complete_scan(lambda *_: ABSENT, days=7)
    await tracked.write(job)
    document = (await tracked.report(job))["document"]
    assert document.is_first and len(document.trend) == 1
    assert document.figure("ai_mentions").value == 0


async def test_an_incomplete_scan_is_marked(tracked):
    job = await tracked.complete_scan(lambda prompt, platform: None if platform else FIRST)
    await tracked.write(job)
    document = (await tracked.report(job))["document"]
    (incomplete, text), (early, _) = list_notices(document)
    assert (incomplete, early) == ("Incomplete", "Early reading")
    assert text.startswith(f"8 of {8 * len(PLATFORMS)} planned answers are valid. Fewer than 80%")
    row = to_report_row(await tracked.report(job))
    assert build_view(document, row)["basis"] == (
        "8 answers, 3 platforms, 8 prompts. Exploratory. Incomplete. Early reading."
    )
    assert isinstance(document.scan_id, uuid.UUID)

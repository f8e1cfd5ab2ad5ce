"""Rule 1.0: each cell of the latest Full Check shows the newest valid answer at or after it."""

import uuid
from datetime import UTC, datetime, timedelta

from sightline.metrics.sentiment import summarize_sentiment
from sightline.scoreboard.cells import assemble_cells
from sightline.scoreboard.models import CellFacts, PromptScanRow, decode_facts, encode_facts

MONDAY = datetime(2026, 11, 16, 9, 30, tzinfo=UTC)
ONE, OTHER = uuid.UUID(int=1), uuid.UUID(int=2)


def prompt_scans(day: int, scope: str, **answers: str) -> list[PromptScanRow]:
    """Build the prompt scans of one scan; `one="ok failed"` are the statuses of prompt ONE on chatgpt and gemini."""
    scan_id = uuid.UUID(int=100 + day)
    rows = []
    for prompt, statuses in answers.items():
        cells = tuple(
            CellFacts(platform, status, str(uuid.uuid5(scan_id, prompt + platform)))
            for platform, status in zip(("chatgpt", "gemini"), statuses.split(), strict=False)
        )
        prompt_id = {"one": ONE, "other": OTHER}[prompt]
        valid = sum(cell.status == "ok" for cell in cells)
        at = MONDAY + timedelta(days=day)
        rows.append(
            PromptScanRow(prompt_id, scan_id, scope, "sandbox", at, valid, cited=False, cells=encode_facts(cells))
        )
    return rows


def map_cells(*scans: list[PromptScanRow]) -> dict[tuple[int, str], tuple[int, str, bool, bool]]:
    """Map (prompt, platform) to (day of the answer, status, stale, in the headline)."""
    cells = assemble_cells([row for rows in scans for row in rows])
    return {
        (cell.prompt_id.int, cell.platform): (cell.scan_id.int - 100, cell.status, cell.stale, cell.base)
        for cell in cells
    }


def test_the_scoreboard_uses_the_most_recent_full_check_as_its_base():
    cells = map_cells(prompt_scans(0, "full_check", one="ok ok"), prompt_scans(7, "full_check", one="ok ok"))
    assert cells == {(1, "chatgpt"): (7, "ok", False, True), (1, "gemini"): (7, "ok", False, True)}


def test_later_daily_checks_replace_the_cells_they_recheck():
    cells = map_cells(
        prompt_scans(0, "full_check", one="ok ok", other="ok ok"),
        prompt_scans(1, "daily_check", one="ok ok"),
        prompt_scans(2, "daily_check", one="ok"),
    )
    assert cells[1, "chatgpt"] == (2, "ok", False, True)
    assert cells[1, "gemini"] == (1, "ok", False, True)
    assert cells[2, "chatgpt"] == (0, "ok", False, True)


def test_a_failed_daily_recheck_does_not_replace_a_valid_cell():
    cells = map_cells(
        prompt_scans(0, "full_check", one="ok ok"), prompt_scans(1, "daily_check", one="failed no_surface")
    )
    assert cells == {(1, "chatgpt"): (0, "ok", True, True), (1, "gemini"): (0, "ok", True, True)}


def test_a_cell_that_failed_in_the_full_check_is_filled_by_a_later_valid_daily():
    cells = map_cells(
        prompt_scans(0, "full_check", one="failed no_surface"), prompt_scans(1, "daily_check", one="ok ok")
    )
    assert cells == {(1, "chatgpt"): (1, "ok", False, True), (1, "gemini"): (1, "ok", False, True)}


def test_a_valid_recheck_after_a_failed_one_is_no_longer_stale():
    cells = map_cells(
        prompt_scans(0, "full_check", one="ok"),
        prompt_scans(1, "daily_check", one="failed"),
        prompt_scans(2, "daily_check", one="ok"),
    )
    assert cells == {(1, "chatgpt"): (2, "ok", False, True)}


def test_a_cell_that_failed_in_the_full_check_does_not_show_an_answer_of_an_earlier_week():
    cells = map_cells(prompt_scans(0, "full_check", one="ok"), prompt_scans(7, "full_check", one="failed"))
    assert cells == {(1, "chatgpt"): (7, "failed", False, True)}


def test_cells_outside_the_full_checks_plan_are_shown_outside_the_headline_until_the_next_full_check():
    added = (prompt_scans(0, "full_check", one="ok"), prompt_scans(1, "daily_check", one="ok", other="ok"))
    assert map_cells(*added)[2, "chatgpt"] == (1, "ok", False, False)
    assert map_cells(*added, prompt_scans(7, "full_check", one="ok", other="ok"))[2, "chatgpt"] == (
        7,
        "ok",
        False,
        True,
    )


def test_daily_checks_before_the_full_check_are_ignored():
    cells = map_cells(prompt_scans(0, "daily_check", one="ok ok"), prompt_scans(1, "full_check", one="ok"))
    assert cells == {(1, "chatgpt"): (1, "ok", False, True)}


def test_without_a_full_check_daily_answers_are_shown_and_none_is_in_the_headline():
    assert map_cells(prompt_scans(1, "daily_check", one="ok")) == {(1, "chatgpt"): (1, "ok", False, False)}


def test_the_order_in_which_scans_are_applied_does_not_matter():
    told = (
        prompt_scans(0, "full_check", one="ok ok", other="failed ok"),
        prompt_scans(1, "daily_check", one="failed ok"),
        prompt_scans(2, "daily_check", one="ok failed", other="ok no_surface"),
    )
    assert map_cells(*told) == map_cells(*reversed(told))


def test_the_free_audit_is_a_base_like_a_full_check():
    assert map_cells(prompt_scans(0, "free_audit", one="ok")) == {(1, "chatgpt"): (0, "ok", False, True)}


def test_why_an_answer_has_no_sentiment_is_stored_and_counted():
    facts = (
        CellFacts("chatgpt", "ok", "1", mentioned=True, unscored="language"),
        CellFacts("gemini", "ok", "2", mentioned=True, unscored="doubt"),
        CellFacts("claude", "ok", "3", mentioned=True),  # as stored before reasons were
    )
    stored = decode_facts(encode_facts(facts))
    found = summarize_sentiment([cell.to_observation("p", None) for cell in stored])
    assert (found.unscored, found.unscored_reasons) == (3, {"language": 1, "doubt": 1})

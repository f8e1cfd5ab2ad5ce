"""The table of a campaign: what it holds of a run, and which seeds are run next."""

import re

from chaos.campaign import TABLE, Row, Table, fill_row
from chaos.checker import Violation
from chaos.run import Outcome

SUMMARY = {
    "scans": {"completed": 3, "failed": 1},
    "answers": 9,
    "webhooks": {"200": 4, "None": 1},
    "requests": {"submit:202": 4, "read:200": 7},
    "troubles": {"jump_clock": 2, "fill_disk": 1},
    "rest_after": 4.5,
}


def make_row(seed: int, result: str = "passed") -> Row:
    return Row(seed=seed, commit="0" * 12, seconds=20, result=result)


def test_a_row_sums_up_a_run():
    row = fill_row(make_row(7, "broke off"), Outcome(7, [], SUMMARY, []))
    assert row.has_passed
    assert (row.faults, row.scans, row.answers, row.webhooks, row.requests) == ("fill_disk jump_clock*2", 4, 9, 5, 11)


def test_a_row_of_a_failed_run_names_the_violations():
    violations = [Violation("answer_twice", "a"), Violation("answer_twice", "b"), Violation("lanes_left", "c")]
    row = fill_row(make_row(7), Outcome(7, violations, SUMMARY, []))
    assert (row.has_passed, row.result) == (False, "answer_twice*2 lanes_left")


def test_seeds_that_passed_are_not_run_again_and_others_are(tmp_path):
    table = Table(tmp_path / "seeds.csv")
    table.write(make_row(3, "answer_twice"))
    table.write(make_row(1))
    again = Table(tmp_path / "seeds.csv")
    assert again.rows == table.rows
    assert again.list_missing(range(1, 5)) == [2, 3, 4]
    again.write(make_row(3))
    assert Table(tmp_path / "seeds.csv").list_missing(range(1, 5)) == [2, 4]


def test_every_seed_of_the_committed_table_has_passed_on_a_commit():
    rows = Table(TABLE).rows.values()
    assert rows
    assert [row for row in rows if not row.has_passed or not re.fullmatch("[0-9a-f]{12}", row.commit)] == []

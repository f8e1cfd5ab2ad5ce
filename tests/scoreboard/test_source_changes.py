"""New and lost sources of a prompt: several answers have to agree, and the dates are those of the checks."""

import uuid
from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from sightline.scoreboard.history.source_changes import find_source_changes
from sightline.scoreboard.models import CellFacts, PromptScanRow, encode_facts

MONDAY = datetime(2026, 11, 2, 9, tzinfo=UTC)


def history(pattern, *, platform="chatgpt"):
    """Build one check a day. `x` cites the site and another one, `.` only the other, `-` has no sources, `f` failed."""
    rows = []
    for day, mark in enumerate(pattern):
        sites = {"x": ("g2.com", "other.com"), ".": ("other.com",)}.get(mark, ())
        status = "failed" if mark == "f" else "ok"
        facts = CellFacts(platform, status, "a", has_sources=bool(sites), source_domains=sites)
        at = MONDAY + timedelta(days=day)
        rows.append(
            PromptScanRow(
                uuid.UUID(int=1),
                uuid.UUID(int=day),
                "daily_check",
                "live",
                at,
                1,
                cited=False,
                cells=encode_facts((facts,)),
            )
        )
    return rows


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("..xx", ("new", 2, 2, 2)),
        ("..x.x", ("new", 2, 2, 3)),
        (".-.fx-x", ("new", 4, 2, 2)),
        ("xx..", ("lost", 1, 2, 2)),
        ("xxxx.f.-", ("lost", 3, 4, 4)),
        ("xxxxxxx", None),
        (".xx", None),  # only one answer before
        ("..x", None),
        ("..x..", None),  # one answer
        ("xx.", None),
        ("x..", None),
        ("..x...x....", None),  # now and then
        ("x...x..", None),
        ("----", None),
        ("", None),
    ],
)
def test_a_site_is_new_or_lost_once_several_answers_agree(pattern, expected):
    found = find_source_changes(history(pattern), since=MONDAY)
    if expected is None:
        assert found == []
        return
    (change,) = found
    assert (change.change, (change.at - MONDAY).days, change.cited, change.answers) == expected
    assert (change.platform, change.site) == ("chatgpt", "g2.com")


def test_the_days_of_a_change_are_known_unless_other_answers_share_them():
    rows = history("..xxx")
    (new,) = find_source_changes(rows, since=MONDAY)
    assert [(day - MONDAY.date()).days for day in new.days] == [2, 4]
    rows[1] = msgspec.structs.replace(rows[1], completed_at=rows[2].completed_at)
    assert find_source_changes(rows, since=MONDAY)[0].days is None
    rows = history("xx..")
    (lost,) = find_source_changes(rows, since=MONDAY)
    assert [(day - MONDAY.date()).days for day in lost.days] == [0, 1]
    rows[2] = msgspec.structs.replace(rows[2], completed_at=rows[1].completed_at)
    assert find_source_changes(rows, since=MONDAY)[0].days is None


def test_changes_before_the_period_are_not_listed_and_platforms_come_in_their_order():
    assert find_source_changes(history("..xxxx"), since=MONDAY + timedelta(days=3)) == []
    both = [*history("..xx", platform="perplexity"), *history("xx..")]
    both.sort(key=lambda row: row.completed_at)
    assert [each.platform for each in find_source_changes(both, since=MONDAY)] == ["chatgpt", "perplexity"]

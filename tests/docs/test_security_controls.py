"""The table of security controls is well formed, and every pointer leads to a file that exists."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "security" / "controls.md").read_text()
MOST_WORDS = 2_000
POINTER = re.compile(r"`((?:src|tests|docs|scripts)/[\w./-]+|[A-Z]+\.md|pyproject\.toml|Makefile)`")
ROWS = [[cell.strip() for cell in line.strip("|").split("|")] for line in TEXT.splitlines() if line.startswith("| ")]


def count(state):
    """Return how many requirements of the standard have a state. A cell such as `V1.1.1,2` has two."""
    found = [row for row in ROWS if row[0].startswith("V") and row[2].startswith(state)]
    return sum(len(row[0].split(",")) for row in found)


def test_the_table_is_short_and_each_row_has_what_its_state_needs():
    assert len(TEXT.split()) <= MOST_WORDS
    assert ROWS[0] == ["Requirement", "About", "State", "Test, or reason"]
    for name, about, state, text in ROWS[1:]:
        assert name and about and state in {"met", "not met", "not applicable"}, name
        assert (POINTER.search(text) is not None) if state == "met" else text, f"no test or reason: {name}"


def test_every_pointer_leads_to_a_file():
    for row in ROWS:
        for pointer in POINTER.findall(row[3]):
            assert (ROOT / pointer).exists(), (row[0], pointer)


def test_the_introduction_counts_the_states():
    met, missing = count("met"), count("not met")
    words = " ".join(TEXT.split())
    assert f"of 253 requirements, {met} are met, {253 - met - missing} do not apply and {missing} are not met" in words


def test_what_buyers_ask_is_met_but_for_what_is_said_to_be_missing():
    asked = {row[0]: row[2] for row in ROWS[1:] if not row[0].startswith("V")}
    assert {name for name, state in asked.items() if state == "not met"} == {
        "Single sign-on",
        "SCIM",
        "External review",
    }

"""The list of security controls is well formed, and every pointer leads to a file that exists."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "security" / "controls.md").read_text()
MOST_WORDS = 2_000
POINTER = re.compile(r"`((?:src|tests|docs|scripts)/[\w./-]+|[A-Z]+\.md|pyproject\.toml|Makefile)`")
STATES = ("Met", "Not met", "Not applicable")


def read_section(title):
    """Return the entries of a section, such as "V1.1.1,2 Decode input once", with the text after the colon."""
    section = TEXT.partition(f"\n## {title}")[2].partition("\n## ")[0]
    return dict(re.findall(r"^- ([^:]+): (.+)$", section, re.MULTILINE))


def count(title):
    """Return how many requirements of the standard a section has. An entry such as `V1.1.1,2` has two."""
    return sum(len(entry.split()[0].split(",")) for entry in read_section(title))


def test_the_list_is_short_and_each_entry_has_what_its_state_needs():
    assert len(TEXT.split()) <= MOST_WORDS
    assert re.findall(r"^## ([\w ]+)", TEXT, re.MULTILINE) == ["What buyers ask", *STATES]
    listed = [entry for title in ("What buyers ask", *STATES) for entry in read_section(title)]
    assert len(listed) == TEXT.count("\n- ")
    for entry, text in {**read_section("Met"), **read_section("What buyers ask")}.items():
        assert POINTER.search(text) or "**not met**, " in text, f"no test or reason: {entry}"


def test_every_pointer_leads_to_a_file():
    for pointer in POINTER.findall(TEXT):
        assert (ROOT / pointer).exists(), pointer


def test_the_introduction_counts_the_states():
    met, missing = count("Met"), count("Not met")
    words = " ".join(TEXT.split())
    assert f"of 253 requirements, {met} are met, {253 - met - missing} do not apply and {missing} are not met" in words


def test_what_buyers_ask_is_met_but_for_what_is_said_to_be_missing():
    asked = read_section("What buyers ask")
    assert {entry for entry, text in asked.items() if "**not met**" in text} == {
        "SCIM",
        "External review",
    }

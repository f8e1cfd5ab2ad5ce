"""The page of benchmarks shows the tables of the result files, and every section with figures has a file."""

import re

import pytest

from bench.results import PAGE, ResultFile, read_results, render_page, to_table

SECTION = "\n## `speed`: of something\n\nFast.\n\n|  | ms |\n|---|---:|\n| us | 1 |\n\nSlower on Mondays.\n\n## Next\n"


def make_result(*tables: list[str], commit: str | None = "0123456789") -> ResultFile:
    return ResultFile("`speed`", commit, "18 Nov 2026", "2 cores", list(tables))


def test_the_page_shows_what_the_result_files_contain():
    page = PAGE.read_text()
    assert render_page(page, read_results()) == page, "run: python -m bench.results"


def test_every_section_with_figures_has_a_result_file():
    sections = re.split(r"\n## ", PAGE.read_text())[1:]
    measured = [section.split("\n")[0] for section in sections if "---:" in section]
    headings = [result.heading for result in read_results()]
    assert len(measured) == len(headings)
    assert [name for name in measured if not any(name.startswith(heading) for heading in headings)] == []


def test_new_figures_take_the_place_of_the_old_and_name_their_commit():
    table = to_table(("", "ms"), [("us", "2")])
    page = render_page(SECTION, [make_result(table)])
    assert page == SECTION.replace(
        "| us | 1 |", "| us | 2 |\n\nMeasured at commit `01234567` (18 Nov 2026) on 2 cores."
    )
    assert render_page(page, [make_result(table)]) == page
    assert "Measured" not in render_page(page, [make_result(table, commit=None)])


def test_more_tables_than_before_follow_each_other():
    one, other = to_table(("", "ms"), [("us", "2")]), to_table(("", "s"), [("us", "3")])
    page = render_page(SECTION, [make_result(one, other)])
    assert page.index("| us | 2 |") < page.index("| us | 3 |") < page.index("Measured at") < page.index("Slower on")
    assert page.endswith("\n\n## Next\n")


def test_a_result_without_a_section_is_refused():
    with pytest.raises(LookupError, match="no section"):
        render_page("\n## Else\n", [make_result([])])

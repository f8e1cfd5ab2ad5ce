"""The parts of tools that need no application: figures, tables, and the entry for registries."""

import json
import tomllib
from pathlib import Path

import msgspec
import pytest
from mcp.server.mcpserver.exceptions import ToolError

from sightline import __version__
from sightline.mcp.figures import compare_ranges
from sightline.mcp.source import Reply
from sightline.mcp.tables import (
    ListPage,
    PagePosition,
    build_table,
    decode_position,
    encode_position,
    name_column,
    take_rows,
    take_text,
)
from sightline.mcp.tools.visibility import describe_board

ROOT = Path(__file__).parents[2]


def figure(value, low=None, high=None):
    return {"value": value, "low": low, "high": high, "n": 9}


@pytest.mark.parametrize(
    ("metric", "before", "now", "verdict"),
    [
        ("visibility_score", figure(20, 10, 30), figure(50, 40, 60), "up"),
        ("visibility_score", figure(50, 40, 60), figure(20, 10, 30), "down"),
        ("visibility_score", figure(20, 10, 30), figure(35, 29, 41), "no_clear_change"),
        ("market_position", figure(4, 4, 4), figure(1, 1, 2), "up"),
        ("market_position", figure(1, 1, 2), figure(4, 4, 4), "down"),
        ("ai_mentions", figure(3), figure(9), "no_clear_change"),
    ],
)
def test_ranges_that_overlap_are_no_change_and_a_better_place_is_up(metric, before, now, verdict):
    assert compare_ranges(metric, before, now, "scan").verdict == verdict
    assert compare_ranges(metric, figure(None), now, "scan") is None


@pytest.mark.parametrize(
    ("metric", "only_branded", "prompts"),
    [
        ("visibility_score", False, "the prompts whose text does not name the brand"),
        ("visibility_score", True, "all prompts, which all name the brand"),
        ("citation_count", False, "all prompts, including those that name the brand"),
    ],
)
def test_a_figure_says_which_prompts_count_and_how_many_answers_are_valid_in_all(metric, only_branded, prompts):
    board = {"only_branded": only_branded, "valid": 8, "planned": 8, "source": "scan"}
    said = f"the answers of this check on all platforms to {prompts}. Of 8 planned answers to all prompts, 8 are valid."
    assert describe_board(board, metric) == said
    board = {**board, "valid": 7, "source": "scoreboard"}
    assert describe_board(board, metric) == (
        f"the latest valid answers on all platforms to {prompts}. Of 8 planned answers to all prompts, 7 are valid. "
        "The others failed, are missing or showed no AI answer."
    )


def test_a_list_read_with_its_cursors_has_every_row_once():
    pages = {None: (list(range(40)), "b"), "b": (list(range(40, 75)), None)}
    seen, cursor = [], None
    for _ in range(100):
        position = decode_position(cursor)
        rows, following = pages[position.cursor]
        items = [{"n": n} for n in rows[position.skipped :]]
        page = ListPage(Reply(data=rows, next_cursor=following), items, position)
        table = build_table([name_column("n")], page, lambda row: [row["n"], "x" * 900])
        seen += [row[0] for row in table.rows]
        cursor = table.next_cursor
        if cursor is None:
            break
    assert seen == list(range(75))


@pytest.mark.parametrize("cursor", ["x", "é", "bm90IGpzb24", encode_position(PagePosition(None, -1)), "W10"])
def test_a_damaged_cursor_is_refused(cursor):
    with pytest.raises(ToolError, match="cursor is not valid"):
        decode_position(cursor)


@pytest.mark.parametrize("text", ["plain " * 2_000, "言" * 9_000, '"\n' * 5_000, ""])
def test_texts_and_rows_are_cut_by_their_size(text):
    part = take_text(text, 5_000)
    assert text.startswith(part) and len(msgspec.json.encode(part)) <= 5_000 and bool(part) == bool(text)
    assert len(take_rows([[text]] * 3, 100)) == (3 if not text else 1)


def test_the_entry_for_registries_is_of_this_package_and_version():
    entry = json.loads((ROOT / "server.json").read_text())
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    package = entry["packages"][0]
    assert (package["identifier"], package["version"], entry["version"]) == (project["name"], __version__, __version__)
    assert len(entry["description"]) <= 100
    # Clients run `uvx … sightline-ai mcp`, and the registry looks for its name in the description of the package.
    assert package["identifier"] in project["scripts"]
    assert f"mcp-name: {entry['name']} " in (ROOT / "README.md").read_text()

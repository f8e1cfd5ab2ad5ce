"""Finds the differences between what the application shows and what the oracle expects."""

from tests.scoreboard.oracle.stored_history import to_time


def find_differences(expected, got, at: str = "") -> list[str]:
    """Return each difference as `path: expected …, got …`. Keys that only the application has do not count."""
    if isinstance(expected, dict) and isinstance(got, dict):
        return [
            line
            for key in expected
            for line in (
                find_differences(expected[key], got[key], f"{at}.{key}") if key in got else [f"{at}.{key}: missing"]
            )
        ]
    if isinstance(expected, list) and isinstance(got, list) and len(expected) == len(got):
        pairs = enumerate(zip(expected, got, strict=True))
        return [line for place, (one, other) in pairs for line in find_differences(one, other, f"{at}[{place}]")]
    return [] if expected == got else [f"{at}: expected {expected!r}, got {got!r}"]


def index_board(board: dict) -> dict:
    """Return the board in the form of the oracle, with lists turned into mappings."""
    found = {**board}
    found["platforms"] = {row["platform"]: _surface(row) for row in board["platforms"]}
    found["countries"] = {row["country"]: row for row in board["countries"]}
    found["sources"] = {row["domain"]: row for row in board["sources"]}
    found["competitors"] = {row["name"]: row for row in board["competitors"]}
    found["prompts"] = {row["prompt_id"]: _prompt(row) for row in board["prompts"]}
    if board["sentiment"] is not None:
        found["sentiment"] = {**board["sentiment"], "net": board["sentiment"]["net"]["value"]}
    return found


def _surface(row: dict) -> dict:
    return {**row, "surface_rate": row["surface_rate"] and row["surface_rate"]["value"]}


def _prompt(row: dict) -> dict:
    cells = {
        cell["platform"]: {**cell, "checked_at": cell["checked_at"] and to_time(cell["checked_at"])}
        for cell in row["cells"]
    }
    return {**row, "cells": cells}


def find_key_differences(expected: dict, got: dict) -> list[str]:
    """Find differences in the keys of platforms, countries, sources, competitors and prompts.

    A platform may be listed without any cell in the headline.
    """
    got = {**got, "platforms": {name: row for name, row in got["platforms"].items() if row["planned"]}}
    return [
        f"{part}: expected {sorted(map(str, expected[part]))}, got {sorted(map(str, got[part]))}"
        for part in ("platforms", "countries", "sources", "competitors", "prompts")
        if part in expected and expected[part].keys() != got[part].keys()
    ]


def compare_boards(expected: dict, board: dict) -> list[str]:
    got = index_board(board)
    return find_key_differences(expected, got) + find_differences(expected, got) + find_invalid_shares(board)


def find_invalid_shares(board: dict) -> list[str]:
    """Find intervals of Share of Voice that do not contain their value; the texts define no formula for them."""
    found = []
    for row in (board["headline"], *board["platforms"], *board["countries"]):
        share = row["share_of_voice_pct"]
        if share["low"] is not None and not 0 <= share["low"] <= share["value"] <= share["high"] <= 100:
            found.append(f"share_of_voice_pct: {share}")
    return found


def compare_changes(expected: dict | None, headline: dict) -> list[str]:
    found = []
    for metric, figure in headline.items():
        want, got = (expected or {}).get(metric), figure["comparison"]
        if want is None or got is None:
            found += [] if want is got else [f"{metric}: expected {want}, got {got}"]
            continue
        got = {**got, "reasons": set(got["reasons"])}
        if want["p"] is None:  # too many differences to try all signs: the application draws at random
            want = {key: value for key, value in want.items() if key not in ("p", "verdict")}
        found += find_differences(want, got, metric)
    return found

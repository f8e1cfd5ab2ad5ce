"""Holds what the house shows against what the oracle says, and names every difference."""

from tests.scoreboard.oracle.feed import to_time


def differences(expected, got, at: str = "") -> list[str]:
    """Each as `path: expected …, got …`. A key that only the house has is none."""
    if isinstance(expected, dict) and isinstance(got, dict):
        return [
            line
            for key in expected
            for line in (
                differences(expected[key], got[key], f"{at}.{key}") if key in got else [f"{at}.{key}: missing"]
            )
        ]
    if isinstance(expected, list) and isinstance(got, list) and len(expected) == len(got):
        pairs = enumerate(zip(expected, got, strict=True))
        return [line for place, (one, other) in pairs for line in differences(one, other, f"{at}[{place}]")]
    return [] if expected == got else [f"{at}: expected {expected!r}, got {got!r}"]


def plain(board: dict) -> dict:
    """A board as the oracle writes one: lists by their keys, without what the oracle does not say."""
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


def same_keys(expected: dict, got: dict) -> list[str]:
    """The same platforms, countries, prompts, sources and competitors on both sides. A platform may be listed without
    any cell in the headline."""
    got = {**got, "platforms": {name: row for name, row in got["platforms"].items() if row["planned"]}}
    return [
        f"{part}: expected {sorted(map(str, expected[part]))}, got {sorted(map(str, got[part]))}"
        for part in ("platforms", "countries", "sources", "competitors", "prompts")
        if part in expected and expected[part].keys() != got[part].keys()
    ]


def compare_boards(expected: dict, board: dict) -> list[str]:
    got = plain(board)
    return same_keys(expected, got) + differences(expected, got) + outside_shares(board)


def outside_shares(board: dict) -> list[str]:
    """The texts define no interval for Share of Voice; one that is given holds its value."""
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
        if want["p"] is None:  # more differences than can be signed in every way: the draws are the house's own
            want = {key: value for key, value in want.items() if key not in ("p", "verdict")}
        found += differences(want, got, metric)
    return found

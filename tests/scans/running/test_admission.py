"""Admission reads only lanes whose turn it can be, and chooses what the rule of fairness chooses from all of them."""

import random
import uuid
from collections import Counter
from datetime import timedelta

import msgspec
import pytest

from sightline.scans.running.admission import admit
from sightline.scans.running.cells import CellJob, Lane
from sightline.scans.running.fairness import admit_cells

NAMES = ("live.chatgpt", "sandbox.grok")


def make_lanes(seed, now):
    """Return rows of `scan_lanes`: few workspaces with many scans or many with few, some lanes held or nearly done."""
    chance = random.Random(seed)
    workspaces = [uuid.UUID(int=number + 1) for number in range(chance.choice([2, 6, 40]))]
    rows = []
    for _ in range(chance.choice([5, 60, 200])):
        cells = chance.choice([1, 3, 50])
        admitted = chance.choice([0, 0, chance.randint(0, cells), cells])
        postponed = sorted(chance.sample(range(admitted), min(admitted, chance.choice([0, 0, 2]))))
        rows.append({
            "workspace_id": chance.choice(workspaces),
            "scan_id": uuid.UUID(int=chance.getrandbits(128)),
            "name": chance.choice(NAMES),
            "priority": chance.choice([10, 20, 40]),
            "cells": cells,
            "admitted": admitted,
            "settled": chance.randint(0, admitted - len(postponed)),
            "started_at": now - timedelta(minutes=chance.randint(-1, 5)),
            "postponed": postponed,
            "resume_at": now + timedelta(seconds=chance.choice([-9, 0, 9, 10**6])) if chance.random() < 0.3 else None,
        })  # fmt: skip
    return rows


async def insert_lanes(db, rows):
    async with db.transaction() as tx:
        await tx.execute("SET LOCAL session_replication_role = replica")  # these lanes have no scans
        await tx.executemany(
            """INSERT INTO scan_lanes (workspace_id, scan_id, platform, lane, priority, cells, admitted, settled,
                                       started_at, postponed, resume_at)
               VALUES ($1, $2, split_part($3, '.', 2), $3, $4, $5, $6, $7, $8, $9, $10)""",
            [tuple(row.values()) for row in rows],
        )


def choose_from_all(rows, free_slots, now):
    """Apply the rule of fairness to all lanes: return the cells of each name in order."""
    under_way = Counter()
    for row in rows:
        under_way[row["workspace_id"], row["name"]] += row["admitted"] - row["settled"] - len(row["postponed"])
    lanes = [
        Lane(
            row["workspace_id"], row["scan_id"], row["name"].partition(".")[2], row["name"], row["priority"],
            row["cells"], row["admitted"], row["postponed"], row["started_at"],
            under_way[row["workspace_id"], row["name"]],
        )
        for row in rows
        if row["resume_at"] is None or not timedelta() < row["resume_at"] - now <= timedelta(minutes=10)
    ]  # fmt: skip
    chosen = {name: [] for name in free_slots}
    for lane, index in admit_cells(lanes, free_slots):
        chosen[lane.lane].append((lane.scan_id, index))
    return chosen


@pytest.fixture
async def worker_id(installation):
    worker_id = uuid.uuid4()
    await installation.db.execute("INSERT INTO workers (id, seen_at) VALUES ($1, now())", worker_id)
    return worker_id


@pytest.mark.parametrize("seed", range(24))
async def test_the_cells_chosen_are_those_that_the_rule_chooses_from_all_lanes(installation, worker_id, seed):
    now = installation.clock()
    rows = make_lanes(seed, now)
    await insert_lanes(installation.db, rows)
    free_slots = {name: random.Random(-seed - 1).choice([1, 4, 20]) for name in NAMES}
    expected = choose_from_all(rows, free_slots, now)

    jobs = await admit(installation.db, worker_id, free_slots, clock=installation.clock)

    admitted = {name: [] for name in NAMES}
    for job in jobs:
        cell = msgspec.json.decode(job.payload, type=CellJob)
        admitted[job.kind.removeprefix("cell.")].append((cell.scan_id, cell.prompt_index))
    assert admitted == expected
    assert sum(map(len, expected.values())) > 0

"""The table of job kinds says what the code does: every enqueued kind has a row with its payload and its priority."""

import ast
import importlib
from pathlib import Path

import msgspec
import pytest

import sightline
from sightline.scans.running.cells import CELL_JOB
from sightline.worker.context import open_worker_context
from sightline.worker.job_kinds import JOB_KINDS, build_job_handlers

SOURCE = Path(sightline.__file__).parent
KINDS = {row.kind: row for row in JOB_KINDS}


def find_enqueued_jobs():
    """Yield (kind, whether it has a priority) for every `NewJob(...)` of the source."""
    for path in SOURCE.rglob("*.py"):
        text = path.read_text()
        if "NewJob(" not in text:
            continue
        module = importlib.import_module(".".join(("sightline", *path.relative_to(SOURCE).with_suffix("").parts)))
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "NewJob":
                given = {keyword.arg: keyword.value for keyword in node.keywords}
                kind = given["kind"]
                name = getattr(module, kind.id, CELL_JOB) if isinstance(kind, ast.Name) else CELL_JOB
                yield name, "priority" in given


def test_every_kind_that_is_enqueued_has_a_row_and_every_row_is_enqueued():
    assert {kind for kind, _ in find_enqueued_jobs()} == set(KINDS)


def test_jobs_of_a_scan_have_its_priority_and_others_have_none():
    for kind, has_priority in find_enqueued_jobs():
        assert has_priority == (KINDS[kind].priority == "of the scan"), kind


def test_each_kind_has_one_row():
    assert len(KINDS) == len(JOB_KINDS)


@pytest.mark.parametrize("row", JOB_KINDS, ids=lambda row: row.kind)
def test_a_payload_can_be_decoded(row):
    msgspec.json.Decoder(row.payload)


async def test_a_worker_has_a_handler_for_every_kind_and_for_each_lane(installation):
    settings = installation.app_context.settings
    async with open_worker_context(settings, installation.db, clock=installation.clock) as context:
        handlers = build_job_handlers(context)
    assert {"cell.live.chatgpt", "cell.sandbox.chatgpt"} <= set(handlers)
    assert set(KINDS) - {CELL_JOB} <= set(handlers)
    assert all(handlers[kind].retry == row.retry for kind, row in KINDS.items() if kind != CELL_JOB)
    computing = [kind for kind, row in KINDS.items() if row.concurrency and row.concurrency != "platform slots"]
    assert all(handlers[kind].capacity() == KINDS[kind].concurrency.limit for kind in computing)

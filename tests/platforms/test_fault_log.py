"""The log of platform faults: the first of each platform and code at once, a storm as one line a minute."""

import asyncio
import uuid

import pytest
from structlog.testing import capture_logs

from sightline.platforms.fault_log import FaultLog
from tests.running_worker import until

WORKSPACE, SCAN = uuid.UUID(int=1), uuid.UUID(int=2)
MINUTE = 0.05  # of these tests, in seconds


@pytest.fixture
def faults():
    return FaultLog(summary_seconds=MINUTE)


def note(faults, platform="chatgpt", code="unavailable", *, workspace_id=WORKSPACE, scan_id=SCAN):
    faults.note(platform, code, workspace_id=workspace_id, scan_id=scan_id)


async def wait_for_lines(lines, count):
    async def are_there():
        return len(lines) >= count

    await until(are_there, seconds=5)


async def test_the_first_fault_is_logged_at_once_with_platform_code_workspace_and_scan(faults):
    with capture_logs() as lines:
        note(faults)
    assert lines == [
        {
            "event": "platform_call_failed",
            "log_level": "warning",
            "platform": "chatgpt",
            "code": "unavailable",
            "workspace_id": str(WORKSPACE),
            "scan_id": str(SCAN),
        }
    ]


async def test_further_faults_within_the_minute_become_one_line_with_their_number(faults):
    other_workspace, other_scan = uuid.UUID(int=3), uuid.UUID(int=4)
    with capture_logs() as lines:
        note(faults)
        for _ in range(20):
            note(faults)
        note(faults, workspace_id=other_workspace, scan_id=other_scan)
        assert len(lines) == 1
        await wait_for_lines(lines, 2)
        await asyncio.sleep(MINUTE * 3)
    assert lines[1:] == [
        {
            "event": "platform_calls_failed",
            "log_level": "warning",
            "platform": "chatgpt",
            "code": "unavailable",
            "count": 21,
            "workspaces": [str(WORKSPACE), str(other_workspace)],
            "scans": [str(SCAN), str(other_scan)],
        }
    ]


async def test_a_storm_that_goes_on_has_one_line_for_every_minute(faults):
    with capture_logs() as lines:
        note(faults)
        for summaries in (1, 2, 3):
            note(faults)
            await wait_for_lines(lines, summaries + 1)
    assert [(line["event"], line.get("count")) for line in lines] == [
        ("platform_call_failed", None),
        ("platform_calls_failed", 1),
        ("platform_calls_failed", 1),
        ("platform_calls_failed", 1),
    ]


async def test_after_a_minute_without_faults_the_next_one_is_logged_at_once_again(faults):
    with capture_logs() as lines:
        note(faults)
        await asyncio.sleep(MINUTE * 3)
        assert len(lines) == 1, "a quiet minute has no summary"
        note(faults)
    assert [line["event"] for line in lines] == ["platform_call_failed", "platform_call_failed"]


async def test_platforms_and_codes_are_counted_separately(faults):
    with capture_logs() as lines:
        kinds = [("chatgpt", "unavailable"), ("chatgpt", "rate_limited"), ("gemini", "unavailable")]
        for platform, code in kinds:
            note(faults, platform, code)
        assert [(line["platform"], line["code"]) for line in lines] == kinds
        for times, (platform, code) in enumerate(kinds, 1):
            for _ in range(times):
                note(faults, platform, code)
        await wait_for_lines(lines, 6)
    assert {(line["platform"], line["code"]): line["count"] for line in lines[3:]} == {
        ("chatgpt", "unavailable"): 1,
        ("chatgpt", "rate_limited"): 2,
        ("gemini", "unavailable"): 3,
    }


async def test_a_summary_names_at_most_five_workspaces_and_scans(faults):
    with capture_logs() as lines:
        for number in range(10):
            note(faults, workspace_id=uuid.UUID(int=number), scan_id=uuid.UUID(int=number))
        await wait_for_lines(lines, 2)
    assert (lines[1]["count"], len(lines[1]["workspaces"]), len(lines[1]["scans"])) == (9, 5, 5)

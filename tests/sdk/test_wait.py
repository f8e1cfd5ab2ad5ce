"""Waiting for a scan: by its events, by reading it where that fails, until a deadline."""

import asyncio

import httpx2
import msgspec
import pytest

from sightline.api.openapi.examples import EXAMPLES
from sightline_sdk import NotFoundError, RateLimitError, Sightline, WaitTimeoutError
from tests.sdk.clients import open_client, open_plain_client
from tests.sdk.workspace import ConsoleWorkspace

SCAN = msgspec.json.decode(msgspec.json.encode(EXAMPLES["read_scan"].response))["data"]


def state(status: str, completed: int = 0) -> dict:
    return SCAN | {"status": status, "answers_completed": completed}


def scan(status: str) -> httpx2.Response:
    return httpx2.Response(200, json={"data": state(status)})


def stream(*states: dict, broken: bool = False) -> httpx2.Response:
    def chunks():
        yield b"retry: 1000\n\n: still there\n\n"
        for number, each in enumerate(states):
            event = b"id: %d\nevent: progress\ndata: %b\n\n" % (number, msgspec.json.encode(each))
            yield event[:40]
            yield event[40:]
        if broken:
            raise httpx2.RemoteProtocolError("the server went away")

    return httpx2.Response(200, headers={"Content-Type": "text/event-stream"}, content=chunks())


def problem(status: int, code: str, **headers: str) -> httpx2.Response:
    return httpx2.Response(status, json={"code": code}, headers=headers)


class ScriptedServer:
    """Gives its answers in turn, and remembers what was asked."""

    def __init__(self, *answers) -> None:
        self.answers, self.asked = list(answers), []
        http = httpx2.Client(transport=httpx2.MockTransport(self._answer))
        self.client = Sightline("sk_live_x", base_url="http://test", http_client=http)

    def _answer(self, request: httpx2.Request) -> httpx2.Response:
        ending = "events" if request.url.path.endswith("/events") else "read"
        self.asked.append((ending, request.headers.get("Last-Event-ID")))
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


@pytest.fixture
def clock(monkeypatch):
    """A clock that only sleeping advances."""

    class Clock:
        now = 0.0

        def sleep(self, seconds: float) -> None:
            self.now += max(seconds, 0.001)

    made = Clock()
    # Plain code has no clock to replace but that of Python.
    monkeypatch.setattr("time.monotonic", lambda: made.now)
    # The clock advances instead.
    monkeypatch.setattr("time.sleep", made.sleep)
    return made


async def test_a_scan_that_has_ended_is_returned_at_once_by_both_clients(installation):
    workspace = await ConsoleWorkspace.open(installation)
    seen: list = []
    ended = await open_client(installation, workspace.key).scans.wait(workspace.scan_id, on_progress=seen.append)
    assert ended.status == "completed" and [each.status for each in seen] == ["completed"]
    plain = open_plain_client(installation, workspace.key)
    assert (await asyncio.to_thread(plain.scans.wait, workspace.scan_id)).id == workspace.scan_id


def test_a_broken_stream_is_opened_again_after_the_last_event(clock):
    server = ScriptedServer(
        stream(state("running", 1), state("running", 2), broken=True),
        httpx2.ConnectError("refused"),
        httpx2.ConnectError("refused"),
        problem(503, "service_unavailable"),
        stream(state("running", 3), state("completed", 4)),
    )
    seen: list = []
    ended = server.client.scans.wait("s", on_progress=seen.append)
    assert ended.status == "completed"
    assert [each.answers_completed for each in seen] == [1, 2, 3, 4]
    assert server.asked == [("events", None), ("read", None), ("events", "1"), ("read", None), ("events", "1")]


def test_it_reads_the_scan_where_there_is_no_place_for_a_stream(clock):
    refused = problem(429, "rate_limited", **{"Retry-After": "30"})
    server = ScriptedServer(refused, scan("running"), refused, scan("failed"))
    assert server.client.scans.wait("s").status == "failed"
    assert [ending for ending, _ in server.asked] == ["events", "read", "events", "read"]
    assert clock.now < 10


def test_it_ends_at_the_deadline_and_says_the_status(clock):
    server = ScriptedServer(*[scan("running")] * 100)
    with pytest.raises(WaitTimeoutError, match="its status is running"):
        server.client.scans.wait("s", timeout=15)
    assert 15 <= clock.now < 15.1 and {ending for ending, _ in server.asked} == {"read"}


def test_a_server_that_stays_away_ends_at_the_deadline(clock):
    server = ScriptedServer(*[httpx2.ConnectError("refused")] * 100)
    with pytest.raises(WaitTimeoutError, match="unknown"):
        server.client.scans.wait("s", timeout=60)
    assert len(server.asked) < 40


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (problem(404, "scan_not_found"), NotFoundError),
        (problem(429, "quota_exceeded", **{"Retry-After": "1412998"}), RateLimitError),
    ],
)
def test_what_waiting_does_not_cure_is_raised(clock, answer, error):
    server = ScriptedServer(answer)
    with pytest.raises(error):
        server.client.scans.wait("s")
    assert len(server.asked) == 1

"""DataForSEO's envelope: one task in, one task out, and its own error codes inside a 200 reply."""

import base64
from typing import Any

import msgspec

from sightline.platforms.faults import ErrorText, describe
from sightline.platforms.models import AnswerLater, FaultKind, HttpReply, HttpRequest, PlatformConnection, PlatformFault
from sightline.platforms.payload import ABSENT, Money, read, read_all, read_reply
from sightline.platforms.wire import endpoint, post_json

_DONE = 20000
_CREATED = 20100
_NO_RESULTS = 40102
_NOT_DONE = frozenset({_CREATED, 40601, 40602})  # created, handed over, in the queue
_KINDS: dict[int, FaultKind] = {
    40100: "unauthorised",
    40101: "unavailable",  # the search engine stumbled
    40103: "unavailable",
    40104: "unauthorised",  # account not verified
    40200: "no_money",
    40201: "unauthorised",  # account paused
    40202: "rate_limited",  # per minute
    40203: "no_money",  # the limit of a day that the customer set
    40204: "unauthorised",  # no subscription
    40205: "rate_limited",  # the same task too often in an hour
    40206: "rate_limited",  # … in a day
    40207: "unauthorised",  # address not on the list
    40208: "unauthorised",  # account blocked
    40209: "rate_limited",  # too many at once
    40210: "no_money",
    40601: "unavailable",  # handed over, not done
    40602: "unavailable",  # in the queue
    50401: "timeout",
    50402: "timeout",
}


class DataForSeoTask(msgspec.Struct, frozen=True):
    """One completed task. `found` is False if the search engine had no result."""

    id: str | None
    cost_usd: float | None
    version: str | None
    results: msgspec.Raw
    found: bool = True


class _DoneTask(msgspec.Struct):
    id: str
    tag: msgspec.Raw = ABSENT


class _Envelope(msgspec.Struct):
    version: msgspec.Raw = ABSENT
    status_code: int | None = None
    status_message: msgspec.Raw = ABSENT
    tasks: msgspec.Raw = ABSENT


class _Task(msgspec.Struct):
    id: msgspec.Raw = ABSENT
    status_code: int | None = None
    status_message: msgspec.Raw = ABSENT
    cost: msgspec.Raw = ABSENT
    result: msgspec.Raw = ABSENT


def post_task(connection: PlatformConnection, path: str, task: dict[str, Any]) -> HttpRequest:
    """Build a request with one task."""
    return post_json(connection, path, [task], _authorize(connection))


def get_path(connection: PlatformConnection, path: str) -> HttpRequest:
    """Build a request about tasks that were posted. It costs nothing."""
    headers = {"accept": "application/json", **_authorize(connection)}
    return HttpRequest(method="GET", url=endpoint(connection, path), headers=headers)


def _authorize(connection: PlatformConnection) -> dict[str, str]:
    """Return the header. The secret of this vendor is `login:password`."""
    return {"authorization": f"Basic {base64.b64encode(connection.secret.encode()).decode()}"}


def read_task(reply: HttpReply) -> DataForSeoTask:
    """Return the task. Raises the fault that the envelope or its task names; only 20000 in both is an answer."""
    envelope = read_reply(reply, _Envelope)
    _require_done(envelope.status_code, envelope.status_message)
    tasks = read_all(envelope.tasks, _Task)
    if not tasks:
        raise PlatformFault("malformed", "the response has no task")
    task = tasks[0]
    found = task.status_code != _NO_RESULTS
    if found:
        _require_done(task.status_code, task.status_message)
    return DataForSeoTask(
        read(task.id, str),
        read(task.cost, Money),
        read(envelope.version, str),
        task.result,
        found,
    )


def require_done(reply: HttpReply) -> None:
    """Raise `AnswerLater` for a task that was posted or is not done."""
    envelope = read_reply(reply, _Envelope)
    for task in read_all(envelope.tasks, _Task)[:1]:
        if task.status_code in _NOT_DONE and (task_id := read(task.id, str)):
            raise AnswerLater(task_id, read(task.cost, Money) if task.status_code == _CREATED else None)


def find_task(reply: HttpReply, tag: str) -> str | None:
    """Return the id of the task with a tag from a list of those that are done; None if it is not in it."""
    listed = read_task(reply)
    done = read_all(listed.results, _DoneTask)
    return next((each.id for each in done if read(each.tag, str) == tag), None)


def _require_done(code: int | None, message: msgspec.Raw) -> None:
    if code == _DONE:
        return
    if code is None:
        raise PlatformFault("malformed", "the response has no status")
    kind = _KINDS.get(code) or ("unavailable" if code >= 50000 else "rejected")
    raise PlatformFault(kind, describe(f"status {code}", kind, ErrorText(message=read(message, str) or "")))

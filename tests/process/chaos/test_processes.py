"""A fall of the release before counts, unless a lost connection explains it."""

import json

import pytest

from chaos.processes import lost_connection


def broken_by(exception: str) -> str:
    return json.dumps({"event": "worker_broken", "exception": [{"exc_type": "Group"}, {"exc_type": exception}]})


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([broken_by("ConnectionDoesNotExistError"), '{"event":"process_started"}'], True),
        ([broken_by("ConnectionDoesNotExistError"), broken_by("UndefinedColumnError")], False),
        (["Traceback (most recent call last):", '{"event":"process_started"}'], False),
        ([], False),
    ],
)
def test_only_a_lost_connection_explains_a_fall(tmp_path, lines, expected):
    log = tmp_path / "worker-1.log"
    log.write_text("\n".join(lines))
    assert lost_connection(log, 0) is expected
    assert not lost_connection(log, log.stat().st_size), "an earlier process broke"

"""The process that reads: takes wishes from its standard input and gives what came of them to its standard output.

Started by a worker as `python -m sightline.scans.running.reader SCORER`, with who scores sentiment. It has no database,
no network and no secrets, and ends when its input does: a worker that is killed takes its reader with it.
"""

import os
import signal
import struct
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

import msgspec

from sightline.answers.names import Lexicon
from sightline.answers.scorers import DEFAULT_SCORER, ScorerName, parse_scorer_name
from sightline.kit.collecting import collect_rarely
from sightline.kit.crash import crash_point
from sightline.platforms.models import Outcome
from sightline.scans.models import Plan
from sightline.scans.running.reading import Concluded, Ended, Read, conclude, read_cell, reread
from sightline.scans.stored import AnswerRow

_LENGTH = struct.Struct("!I")
_NICENESS = 10


class Open(msgspec.Struct, frozen=True, tag=True):
    """The plan that later wishes speak of by its key."""

    key: str
    plan: Plan


class Close(msgspec.Struct, frozen=True, tag=True):
    key: str


class ReadWish(msgspec.Struct, frozen=True, tag=True):
    number: int
    key: str
    prompt_index: int
    answer_id: str
    outcome: Outcome


class ConcludeWish(msgspec.Struct, frozen=True, tag=True):
    number: int
    plan: Plan
    rows: list[AnswerRow]
    ended: Ended
    anew: bool = False
    """The answers are read again first: the brands have other names than when they were read."""


class Granted(msgspec.Struct, frozen=True):
    number: int
    read: Read | None = None
    concluded: Concluded | None = None
    error: str | None = None


Wish = ReadWish | ConcludeWish
Message = Open | Close | ReadWish | ConcludeWish
_encoder = msgspec.msgpack.Encoder()
_read_message = msgspec.msgpack.Decoder(Message).decode


def to_frame(message: msgspec.Struct) -> bytes:
    body = _encoder.encode(message)
    return _LENGTH.pack(len(body)) + body


def take_frames(buffer: bytearray) -> Iterator[bytes]:
    """The messages that are whole, off the front of what has come so far."""
    at = 0
    while (start := at + HEAD) <= len(buffer):
        end = start + length_of(buffer[at:start])
        if end > len(buffer):
            break
        yield bytes(buffer[start:end])
        at = end
    del buffer[:at]


def length_of(head: bytes | bytearray) -> int:
    (length,) = _LENGTH.unpack(head)
    return int(length)


HEAD = _LENGTH.size


def serve(given: BinaryIO, out: BinaryIO, scorer: ScorerName | None = DEFAULT_SCORER) -> None:
    plans: dict[str, tuple[Plan, Lexicon]] = {}
    while head := given.read(HEAD):
        message = _read_message(given.read(length_of(head)))
        if isinstance(message, Open):
            plans[message.key] = (message.plan, Lexicon(message.plan.tracked))
        elif isinstance(message, Close):
            plans.pop(message.key, None)
        else:
            out.write(to_frame(_grant(message, plans, scorer)))
            out.flush()


def _grant(wish: Wish, plans: dict[str, tuple[Plan, Lexicon]], scorer: ScorerName | None) -> Granted:
    try:
        if isinstance(wish, ConcludeWish):
            if wish.anew:
                return Granted(wish.number, concluded=reread(wish.plan, wish.rows, wish.ended, scorer))
            return Granted(wish.number, concluded=conclude(wish.plan, wish.rows, wish.ended))
        crash_point("while_reading")
        plan, lexicon = plans[wish.key]
        read = read_cell(wish.outcome, plan, wish.prompt_index, lexicon, wish.answer_id, scorer)
        return Granted(wish.number, read=read)
    except Exception as error:  # noqa: BLE001 - whoever asked decides; the next wish has done nothing wrong
        return Granted(wish.number, error=type(error).__name__)


def _step_behind() -> None:
    """Reading can wait, and the worker must not: a place at a platform stays empty until it has asked the next one."""
    os.nice(_NICENESS)
    with suppress(OSError):  # Linux may weigh whole sessions against each other, and this is one of its own
        Path("/proc/self/autogroup").write_text(str(_NICENESS))


if __name__ == "__main__":
    for number in (signal.SIGINT, signal.SIGTERM):  # meant for the worker, which closes our input when it is done
        signal.signal(number, signal.SIG_IGN)
    collect_rarely()
    _step_behind()
    serve(sys.stdin.buffer, sys.stdout.buffer, parse_scorer_name(*sys.argv[1:2]))

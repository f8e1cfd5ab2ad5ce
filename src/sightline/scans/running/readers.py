"""Where answers are read: in processes of their own, or, with none configured, inside of the worker's."""

import asyncio
import sys
from collections import OrderedDict
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Protocol

import msgspec
import structlog

from sightline.answers.names import Lexicon
from sightline.answers.scorers import DEFAULT_SCORER, ScorerName
from sightline.platforms.models import Outcome
from sightline.scans.models import Plan
from sightline.scans.running.reader import (
    Close,
    ConcludeWish,
    Granted,
    Open,
    ReadWish,
    Wish,
    take_frames,
    to_frame,
)
from sightline.scans.running.reading import Concluded, Ended, Read, conclude, give_up_reading, read_cell, reread
from sightline.scans.stored import AnswerRow

log = structlog.get_logger()

_MOST_PLANS = 256
_BEHIND = 16  # answers that a reader may have more than another one, and still gets the next of its scans
_MOST_TRIES = 2
_PAUSE_SECONDS = 0.5
_CHUNK = 1 << 16
_read_granted = msgspec.msgpack.Decoder(Granted).decode


class ReadingFailed(Exception):
    """The reader could not do it, or did not survive it."""


class Reader(Protocol):
    async def read(self, key: str, plan: Plan, prompt_index: int, answer_id: str, outcome: Outcome) -> Read: ...
    async def conclude(self, plan: Plan, rows: Sequence[AnswerRow], ended: Ended) -> Concluded: ...
    async def reread(self, plan: Plan, rows: Sequence[AnswerRow], ended: Ended) -> Concluded: ...


class ReaderHere:
    """In this process. A huge answer holds everything else up for as long as it takes."""

    def __init__(self, scorer: ScorerName | None = DEFAULT_SCORER) -> None:
        self._scorer = scorer
        self._lexicons: OrderedDict[str, Lexicon] = OrderedDict()

    async def read(self, key: str, plan: Plan, prompt_index: int, answer_id: str, outcome: Outcome) -> Read:
        lexicon = self._lexicons.get(key)
        if lexicon is None:
            lexicon = self._lexicons[key] = Lexicon(plan.tracked)
            if len(self._lexicons) > _MOST_PLANS:
                self._lexicons.popitem(last=False)
        return read_cell(outcome, plan, prompt_index, lexicon, answer_id, self._scorer)

    async def conclude(self, plan: Plan, rows: Sequence[AnswerRow], ended: Ended) -> Concluded:
        try:
            return await asyncio.to_thread(conclude, plan, rows, ended)
        except Exception as error:
            raise ReadingFailed(type(error).__name__) from error

    async def reread(self, plan: Plan, rows: Sequence[AnswerRow], ended: Ended) -> Concluded:
        return await asyncio.to_thread(reread, plan, rows, ended, self._scorer)


class ReaderBeside:
    """One child process. When it dies it is started again, and what it had been given is given to the next one."""

    def __init__(self, scorer: ScorerName | None = DEFAULT_SCORER) -> None:
        self._scorer = scorer
        self._child: asyncio.subprocess.Process | None = None
        self._plans: OrderedDict[str, Plan] = OrderedDict()
        self._wishes: dict[int, tuple[Wish, asyncio.Future[Granted]]] = {}
        self._tries: dict[int, int] = {}
        self._number = 0

    @property
    def open_wishes(self) -> int:
        return len(self._wishes)

    async def read(self, key: str, plan: Plan, prompt_index: int, answer_id: str, outcome: Outcome) -> Read:
        if key not in self._plans:
            self._plans[key] = plan
            self._send(Open(key, plan))
            if len(self._plans) > _MOST_PLANS:
                oldest, _ = self._plans.popitem(last=False)
                self._send(Close(oldest))
        self._number += 1
        unpacked = msgspec.structs.replace(outcome, raw=b"")  # the payload is not looked at
        wish = ReadWish(self._number, key, prompt_index, answer_id, unpacked)
        try:
            granted = await self._grant(wish)
        except ReadingFailed:
            return give_up_reading(unpacked, plan, prompt_index, answer_id)
        assert granted.read is not None
        return granted.read

    async def conclude(self, plan: Plan, rows: Sequence[AnswerRow], ended: Ended) -> Concluded:
        self._number += 1
        granted = await self._grant(ConcludeWish(self._number, plan, list(rows), ended))
        assert granted.concluded is not None
        return granted.concluded

    async def reread(self, plan: Plan, rows: Sequence[AnswerRow], ended: Ended) -> Concluded:
        self._number += 1
        granted = await self._grant(ConcludeWish(self._number, plan, list(rows), ended, anew=True))
        assert granted.concluded is not None
        return granted.concluded

    async def _grant(self, wish: Wish) -> Granted:
        granted: asyncio.Future[Granted] = asyncio.get_running_loop().create_future()
        self._wishes[wish.number] = (wish, granted)
        self._send(wish)
        try:
            found = await granted
        finally:
            self._wishes.pop(wish.number, None)
            self._tries.pop(wish.number, None)
        if found.error is not None:
            raise ReadingFailed(found.error)
        return found

    def _send(self, message: msgspec.Struct) -> None:
        """Without a child it waits: the next one is given everything that is open."""
        if self._child is not None and self._child.stdin is not None:
            self._child.stdin.write(to_frame(message))

    async def run(self) -> None:
        while True:
            try:
                await self._run_child()
                log.error("reader_died", open=len(self._wishes))
            except OSError as error:
                log.error("reader_not_started", reason=str(error))  # noqa: TRY400 - the reason says it all
            await asyncio.sleep(_PAUSE_SECONDS)

    async def _run_child(self) -> None:
        """Until it dies."""
        child = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "sightline.scans.running.reader",
            self._scorer or "off",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            start_new_session=True,  # a Ctrl-C is meant for the worker, which still needs its reader
        )
        self._child = child
        try:
            self._tell_again()
            await self._listen(child)
        finally:
            self._child = None
            await _end(child)

    def _tell_again(self) -> None:
        for key, plan in self._plans.items():
            self._send(Open(key, plan))
        open_wishes = [(wish, granted) for wish, granted in self._wishes.values() if not granted.done()]
        # They are taken in their order: the reader that died was at the first one, and the others are not to blame.
        if open_wishes:
            suspect, granted = open_wishes[0]
            self._tries[suspect.number] = self._tries.get(suspect.number, 0) + 1
            if self._tries[suspect.number] > _MOST_TRIES:
                granted.set_exception(ReadingFailed("the reader died of it"))
                del open_wishes[0]
        for wish, _ in open_wishes:
            self._send(wish)

    async def _listen(self, child: asyncio.subprocess.Process) -> None:
        assert child.stdout is not None
        buffer = bytearray()
        while came := await child.stdout.read(_CHUNK):
            buffer += came
            for body in take_frames(buffer):
                granted = _read_granted(body)
                _, future = self._wishes.get(granted.number, (None, None))
                if future is not None and not future.done():
                    future.set_result(granted)


class ReadersBeside:
    """Several child processes. The answers of a scan go to one of them, which still knows them when they are
    concluded, unless it has much more to do than another: those of one scan often come together."""

    def __init__(self, readers: Sequence[ReaderBeside]) -> None:
        self._readers = readers
        self._chosen: OrderedDict[str, ReaderBeside] = OrderedDict()

    async def read(self, key: str, plan: Plan, prompt_index: int, answer_id: str, outcome: Outcome) -> Read:
        reader, idlest = self._of(key), self._idlest()
        if reader.open_wishes > idlest.open_wishes + _BEHIND:
            reader = idlest
        return await reader.read(key, plan, prompt_index, answer_id, outcome)

    async def conclude(self, plan: Plan, rows: Sequence[AnswerRow], ended: Ended) -> Concluded:
        return await (self._of(str(rows[0].scan_id)) if rows else self._idlest()).conclude(plan, rows, ended)

    async def reread(self, plan: Plan, rows: Sequence[AnswerRow], ended: Ended) -> Concluded:
        return await self._idlest().reread(plan, rows, ended)

    def _of(self, key: str) -> ReaderBeside:
        if (reader := self._chosen.get(key)) is None:
            reader = self._chosen[key] = self._idlest()
            if len(self._chosen) > _MOST_PLANS:
                self._chosen.popitem(last=False)
        return reader

    def _idlest(self) -> ReaderBeside:
        return min(self._readers, key=lambda reader: reader.open_wishes)


async def _end(child: asyncio.subprocess.Process) -> None:
    if child.stdin is not None:
        child.stdin.close()
    with suppress(ProcessLookupError):
        child.kill()
    await child.wait()


@asynccontextmanager
async def open_reader(processes: int, scorer: ScorerName | None = DEFAULT_SCORER) -> AsyncIterator[Reader]:
    if processes == 0:
        yield ReaderHere(scorer)
        return
    readers = [ReaderBeside(scorer) for _ in range(processes)]
    running = [asyncio.create_task(reader.run()) for reader in readers]
    try:
        yield readers[0] if processes == 1 else ReadersBeside(readers)
    finally:
        for each in running:
            each.cancel()
        await asyncio.gather(*running, return_exceptions=True)

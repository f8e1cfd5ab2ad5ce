"""A worker with handlers of the test, which record the jobs they run, and a view of the queue's table."""

import asyncio
import uuid
from collections import Counter
from contextlib import asynccontextmanager

import msgspec

from sightline.jobs.queue import NewJob, enqueue
from sightline.jobs.worker import JobHandler, Worker
from tests.running_worker import until


class Note(msgspec.Struct, frozen=True):
    number: int = 0


async def admit_nothing(_worker_id, _capacities):
    return []


class JobRecorder:
    def __init__(self, db):
        self.db = db
        self.begun = []
        self.ended = []

    async def put(self, kind, *numbers, **more):
        await enqueue(self.db, *(NewJob(kind=kind, payload=Note(number), **more) for number in numbers))

    async def statuses(self, kind=None):
        """Count the jobs that are waiting, claimed and failed."""
        rows = await self.db.fetch(
            """SELECT CASE WHEN failed_at IS NOT NULL THEN 'failed'
                           WHEN worker_id IS NOT NULL THEN 'claimed' ELSE 'waiting' END
               FROM jobs WHERE $1::text IS NULL OR kind = $1""",
            kind,
        )
        return Counter(row[0] for row in rows)

    async def due_in(self):
        """Return the seconds until the only job may be claimed."""
        return await self.db.fetchval("SELECT extract(epoch FROM run_after - now())::float FROM jobs")

    async def register(self):
        """Register a worker that only claims jobs, and return its id."""
        worker_id = uuid.uuid4()
        await self.db.execute("INSERT INTO workers (id, seen_at) VALUES ($1, now())", worker_id)
        return worker_id

    async def wait_until_registered(self, worker):
        async def is_registered():
            return await self.db.fetchval("SELECT count(*) FROM workers WHERE id = $1", worker.id)

        await until(is_registered)

    def handler(self, act=None):
        async def handle(job):
            number = msgspec.json.decode(job.payload, type=Note).number
            self.begun.append(number)
            if act is not None:
                await act(job, number)
            self.ended.append(number)

        return handle

    def handlers(self, act=None, **more):
        return {"note": JobHandler(handle=self.handler(act), **more)}

    @asynccontextmanager
    async def open(self, handlers, *, timeout=2.0, grace=1.0, db=None, on_stopping=lambda: None):
        stopping = asyncio.Event()
        worker = Worker(
            db or self.db,
            self.db.url,
            handlers,
            timeout=timeout,
            grace=grace,
            admit=admit_nothing,
            on_stopping=on_stopping,
        )
        task = asyncio.create_task(worker.run(stopping))
        worker.stop = stopping.set  # type: ignore[attr-defined]  # as a signal does
        try:
            yield worker
        finally:
            stopping.set()
            await task

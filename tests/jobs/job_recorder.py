"""A worker with handlers of the test, which record the jobs they run, and a view of the queue's table."""

import asyncio
import uuid
from collections import Counter
from contextlib import asynccontextmanager
from datetime import timedelta

import msgspec

from sightline.jobs.queue import NewJob, enqueue
from sightline.jobs.worker import JobHandler, Worker


class Note(msgspec.Struct, frozen=True):
    number: int = 0


class JobRecorder:
    def __init__(self, db):
        self.db = db
        self.begun = []
        self.ended = []

    async def put(self, kind, *numbers, **more):
        await enqueue(self.db, *(NewJob(kind=kind, payload=Note(number), **more) for number in numbers))

    async def statuses(self, kind=None):
        rows = await self.db.fetch(
            "SELECT status::text FROM jobs.pgqueuer WHERE $1::text IS NULL OR entrypoint = $1", kind
        )
        return Counter(row[0] for row in rows)

    async def due_in(self):
        """Return the seconds until the only job may be claimed."""
        return await self.db.fetchval("SELECT extract(epoch FROM execute_after - now())::float FROM jobs.pgqueuer")

    async def claim_by_other_worker(self, *, last_heartbeat: float):
        """Assign all jobs to another worker, whose last heartbeat was so many seconds ago."""
        await self.db.execute(
            "UPDATE jobs.pgqueuer SET status = 'picked', queue_manager_id = $1, heartbeat = now() - $2::interval",
            uuid.uuid4(),
            timedelta(seconds=last_heartbeat),
        )

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
    async def open(self, handlers, *, heartbeat=2.0, grace=1.0, db=None, on_stopping=lambda: None):
        stopping = asyncio.Event()
        worker = Worker(
            db or self.db, self.db._url, handlers, heartbeat=heartbeat, grace=grace, on_stopping=on_stopping
        )
        task = asyncio.create_task(worker.run(stopping))
        worker.stop = stopping.set  # type: ignore[attr-defined]  # as a signal does
        try:
            yield worker
        finally:
            stopping.set()
            await task

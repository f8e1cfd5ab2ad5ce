"""Steps of webhook tests: the worker's handlers are called with jobs from the queue, one by one."""

import uuid

import msgspec

from sightline import events
from sightline.events import EventJob, record_event
from sightline.kit.ids import new_id
from sightline.mail import emails
from sightline.mail.emails import OutgoingEmail
from sightline.webhooks.deliveries import models
from sightline.webhooks.deliveries.deliver import deliver
from sightline.webhooks.deliveries.fan_out import fan_out
from sightline.webhooks.deliveries.models import DeliverJob
from tests.api.assertions import CONSOLE

URL = f"{CONSOLE}/webhooks"
PAYLOADS = {events.JOB: EventJob, models.JOB: DeliverJob, emails.JOB: OutgoingEmail}


class EventDataOfTest(msgspec.Struct):
    workspace_id: uuid.UUID
    livemode: bool
    name: str


class Job(msgspec.Struct):
    payload: object
    delay: float
    key: str | None


class WebhookSteps:
    def __init__(self, installation, client, sender, receiver) -> None:
        self.installation = installation
        self.client = client
        self.sender = sender
        self.receiver = receiver

    async def call(self, key, method, path="", **body):
        return await self.client.request(
            method, f"{URL}{path}", headers={"X-API-Key": key}, **({"json": body} if body else {})
        )

    async def register(self, key, url=None, **body) -> dict:
        answer = await self.call(key, "POST", url=url or self.receiver.url(), **body)
        assert answer.status_code == 201, answer.text
        return answer.json()["data"]

    async def read(self, key, webhook_id) -> dict:
        return (await self.call(key, "GET", f"/{webhook_id}")).json()["data"]

    async def deliveries(self, key, webhook_id) -> list[dict]:
        return (await self.call(key, "GET", f"/{webhook_id}/deliveries")).json()["data"]

    async def event(self, tenant, kind="scan.completed", *, livemode=True, cause=None, name="Acme"):
        data = EventDataOfTest(tenant.workspace.id, livemode, name)
        async with self.installation.db.transaction() as tx:
            return await record_event(tx, kind, data, cause=cause or str(new_id()), now=self.installation.clock())

    async def take(self, kind) -> list[Job]:
        """Remove all jobs of a kind from the queue, and return them."""
        rows = await self.installation.db.fetch(
            """DELETE FROM jobs WHERE kind = $1
               RETURNING id, payload, greatest(0, extract(epoch FROM run_after - now()))::float, key""",
            kind,
        )
        decode = msgspec.json.Decoder(PAYLOADS[kind]).decode
        return [Job(decode(row[1]), row[2], row[3]) for row in sorted(rows, key=lambda row: row[0])]

    async def fan_out(self) -> list[Job]:
        """Turn events into deliveries, and return the jobs of those."""
        for job in await self.take(events.JOB):
            await fan_out(self.installation.db, job.payload, now=self.installation.clock())
        return await self.take(models.JOB)

    async def deliver(self, *jobs) -> list[Job]:
        """Make these attempts, and return the jobs of the next ones, which are not due yet."""
        for job in jobs:
            await deliver(self.installation.db, self.sender, job.payload, clock=self.installation.clock)
        return await self.take(models.JOB)

    async def run(self) -> list[Job]:
        return await self.deliver(*await self.fan_out())

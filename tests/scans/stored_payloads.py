"""Payloads of stored answers, and a bucket that responds when a test wants it to."""

import asyncio
import zlib
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

from sightline.scans.payloads.object_store import open_payload_stores
from sightline.settings import Settings
from tests.web.dashboard.dashboard_history import DashboardHistory, answer_by_platform

SENT = zlib.compress(b'{"text": "Acme"}')
PRESENT = "SELECT count(*) FROM answer_payloads"


def open_stores(store, former=None):
    return open_payload_stores(Settings(payload_store=store, payload_store_former=former))


async def stored_answers(installation):
    """Store six answers of two scans with their payloads, and return the dashboard and the keys of the payloads."""
    dashboard = await DashboardHistory.open(installation, answer_by_platform)
    rows = await installation.db.fetch("SELECT workspace_id, scan_id, id FROM answers ORDER BY id")
    await installation.db.execute("INSERT INTO answer_payloads SELECT workspace_id, scan_id, id, $1 FROM answers", SENT)
    return dashboard, [tuple(row) for row in rows]


class HeldUploads:
    """A proxy before an S3 server. It holds back uploads, or only the responses to them, until they are released.

    With another method it holds back these requests instead.
    """

    def __init__(self, server, *, only_responses=False, method=b"PUT"):
        self._server = urlsplit(server)
        self._only_responses, self._method = only_responses, method
        self.begun, self.released = asyncio.Event(), asyncio.Event()

    @asynccontextmanager
    async def serve(self, monkeypatch):
        server = await asyncio.start_server(self._connect, "127.0.0.1", 0)
        monkeypatch.setenv("AWS_ENDPOINT", f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}")
        try:
            yield self
        finally:
            self.released.set()
            server.close()

    async def _connect(self, reader, writer):
        backend_reader, backend_writer = await asyncio.open_connection(self._server.hostname, self._server.port)
        is_held = False

        async def forward(source, target, *, is_request):
            nonlocal is_held
            while data := await source.read(65_536):
                if is_request:
                    is_held = data.startswith(self._method)
                if is_held and is_request is not self._only_responses:
                    self.begun.set()
                    await self.released.wait()
                target.write(data)
            target.close()

        await asyncio.gather(
            forward(reader, backend_writer, is_request=True), forward(backend_reader, writer, is_request=False)
        )

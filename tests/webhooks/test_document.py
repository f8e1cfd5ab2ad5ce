"""The examples of docs/guides/webhooks.md verify what we send, and refuse everything else."""

import json
import re
import shutil
import subprocess
from datetime import timedelta
from http.server import ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import msgspec
import pytest

from sightline.api.openapi.examples import EVENT_EXAMPLES
from sightline.http.session import open_session
from sightline.kit.clock import utc_now
from sightline.kit.ids import new_id
from sightline.webhooks.deliveries.retry import RETRY_DELAYS
from sightline.webhooks.deliveries.signing import sign_headers
from sightline.webhooks.secrets import format_secret, make_secret
from tests.docs.code_blocks import read_blocks
from tests.fakes.receiver import Receiver

DOCUMENT = (Path(__file__).parents[2] / "docs" / "guides" / "webhooks.md").read_text()
BODY = '{"type":"scan.completed","data":{"name":"Zoë"}}'.encode()


def cases() -> dict[str, tuple[bool, str, dict[str, str], bytes]]:
    """Return by name: whether it must be accepted, secret, headers and body."""
    secret, other, now = make_secret(), make_secret(), utc_now()
    shown = format_secret(secret)
    headers = sign_headers(new_id(), BODY, [secret], now=now)
    return {
        "good": (True, shown, headers, BODY),
        "rotating, new": (True, shown, sign_headers(new_id(), BODY, [secret, other], now=now), BODY),
        "rotating, old": (True, shown, sign_headers(new_id(), BODY, [other, secret], now=now), BODY),
        "other secret": (False, format_secret(other), headers, BODY),
        "other body": (False, shown, headers, BODY + b" "),
        "other id": (False, shown, {**headers, "webhook-id": "x"}, BODY),
        "old": (False, shown, sign_headers(new_id(), BODY, [secret], now=now - timedelta(minutes=6)), BODY),
        "future": (False, shown, sign_headers(new_id(), BODY, [secret], now=now + timedelta(minutes=6)), BODY),
        "no number": (False, shown, {**headers, "webhook-timestamp": "x"}, BODY),
        "nonsense": (False, shown, {**headers, "webhook-signature": "v1,é v2,x nonsense"}, BODY),
    }


@pytest.mark.parametrize("name", cases())
def test_the_python_example(name):
    space: dict = {}
    exec(read_blocks("docs/guides/webhooks.md", "python")[0], space)
    expected, *given = cases()[name]
    assert space["verify"](*given) is expected


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node")
def test_the_javascript_example():
    script = (
        read_blocks("docs/guides/webhooks.md", "js")[0]
        + "for (const [s, h, b] of JSON.parse(require('fs').readFileSync(0)))"
    )
    script += " console.log(verify(s, h, Buffer.from(b)));"
    made = cases().values()
    sent = json.dumps([[secret, headers, body.decode()] for _, secret, headers, body in made])
    done = subprocess.run(["node", "-e", script], input=sent, capture_output=True, text=True, check=False, timeout=30)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [str(expected).lower() for expected, *_ in made]


async def test_the_relay_posts_findings_to_another_chat(monkeypatch):
    """It runs against a server of ours, which answers as Discord does."""
    space: dict = {"__name__": "relay"}
    exec(read_blocks("docs/guides/webhooks.md", "python")[1], space)
    server = ThreadingHTTPServer(("127.0.0.1", 0), space["Relay"])
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        async with Receiver() as chat:
            chat.script(204)
            monkeypatch.setenv("DISCORD_WEBHOOK_URL", chat.url())
            url = f"http://127.0.0.1:{server.server_port}/"
            for kind in ("check.completed", "report.ready"):
                sent = msgspec.json.encode(EVENT_EXAMPLES[kind])
                async with open_session() as session, session.post(url, data=sent) as response:
                    assert response.status == 204
    finally:
        server.shutdown()
        server.server_close()
    (posted,) = chat.received
    message = json.loads(posted.body)
    assert message["content"] == "Acme: On ChatGPT, Acme is named in 12 of 40 answers, up from 5 on 7 Nov."
    assert message["allowed_mentions"] == {"parse": []}


def test_the_pauses_are_those_of_the_code():
    words = {"seconds": 1, "minutes": 60, "hours": 3_600}
    sentence = re.search(r"tries again after ([^.]*)\.", " ".join(DOCUMENT.split()))[1]
    told = [int(number) * words[unit] for number, unit in re.findall(r"(\d+) (seconds|minutes|hours)", sentence)]
    assert told == [pause.total_seconds() for pause in RETRY_DELAYS]

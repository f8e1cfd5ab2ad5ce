"""An S3-compatible server on this machine, for payloads in a bucket, and ids of the test clock."""

import uuid

import httpx
import pytest

import tests.scan_history
from sightline.scans.partitions import first_id_at

_UNVERIFIED = "AWS4-HMAC-SHA256 Credential=key/20260101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=0"


@pytest.fixture(scope="module")
def s3_server():
    """Run moto's server, which speaks S3, on loopback."""
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture
def bucket(s3_server, monkeypatch):
    """Create a bucket, and return its address."""
    environment = {"ACCESS_KEY_ID": "key", "SECRET_ACCESS_KEY": "secret", "REGION": "us-east-1"}
    for name, value in {**environment, "ENDPOINT": s3_server}.items():
        monkeypatch.setenv(f"AWS_{name}", value)
    name = f"payloads-{uuid.uuid4().hex}"
    created = httpx.put(f"{s3_server}/{name}", headers={"Authorization": _UNVERIFIED})
    assert created.status_code == 200, created.text
    return f"s3://{name}/sightline"


@pytest.fixture
def dated_ids(installation, monkeypatch):
    """Give rows of the history ids of the test clock, as a worker of that day would."""

    def new_id():
        return uuid.UUID(int=first_id_at(installation.clock()).int | uuid.uuid4().int >> 48)

    # Ids carry the real time, and retention goes by the time in ids.
    monkeypatch.setattr(tests.scan_history, "new_id", new_id)

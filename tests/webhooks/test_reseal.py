"""`sightline rotate-secrets`: after a change of the secret key, stored secrets are sealed with the new one."""

import msgspec

from sightline.webhooks.reseal import reseal_secrets_any_workspace
from sightline.webhooks.secrets import SecretBox, format_secret
from tests.api.assertions import CONSOLE
from tests.process.serving.processes import run_json

NEW = "n" * 40


async def register_webhooks(installation, count):
    """Register webhooks with the key of the installation, and return their secrets by id."""
    tenant = await installation.tenant()
    secrets = {}
    async with installation.client(X_API_Key=tenant.live) as client:
        for number in range(count):
            made = (await client.post(f"{CONSOLE}/webhooks", json={"url": f"https://acme.com/{number}"})).json()["data"]
            secrets[made["id"]] = made["secret"]
        rotated = await client.post(f"{CONSOLE}/webhooks/{made['id']}/rotate-secret")
        assert rotated.status_code == 200, rotated.text
        secrets[made["id"]] = rotated.json()["data"]["secret"]
    return secrets


async def open_all(installation, box):
    rows = await installation.db.fetch("SELECT workspace_id, id, secret, old_secret FROM webhook_endpoints")
    assert sum(row["old_secret"] is not None for row in rows) == 1
    for row in rows:
        if row["old_secret"] is not None:
            box.open(row["old_secret"], row["workspace_id"], row["id"])
    return {str(row["id"]): format_secret(box.open(row["secret"], row["workspace_id"], row["id"])) for row in rows}


async def test_every_secret_is_encrypted_with_the_new_key_once(installation):
    secrets = await register_webhooks(installation, 5)
    former = installation.app_context.settings.signing_key
    box = SecretBox(NEW.encode(), former)
    counts = await reseal_secrets_any_workspace(installation.db, box, batch=2)
    assert msgspec.to_builtins(counts) == {"resealed": 6, "current": 0, "unreadable": 0}
    assert await open_all(installation, SecretBox(NEW.encode())) == secrets
    again = await reseal_secrets_any_workspace(installation.db, box, batch=2)
    assert msgspec.to_builtins(again) == {"resealed": 0, "current": 6, "unreadable": 0}


async def test_a_secret_that_no_key_opens_stays_and_is_counted(installation):
    secrets = await register_webhooks(installation, 1)
    counts = await reseal_secrets_any_workspace(installation.db, SecretBox(NEW.encode(), b"another" * 5))
    assert msgspec.to_builtins(counts) == {"resealed": 0, "current": 0, "unreadable": 2}
    assert await open_all(installation, SecretBox(installation.app_context.settings.signing_key)) == secrets


async def test_the_command_reads_both_keys_from_the_settings(installation, database_url, tmp_path):
    secrets = await register_webhooks(installation, 1)
    former = installation.app_context.settings.signing_key.decode()
    configured = {"database_url": database_url, "data_dir": tmp_path / "data"}
    printed = run_json("rotate-secrets", **configured, secret_key=NEW, secret_key_previous=former)
    assert printed == {"resealed": 2, "current": 0, "unreadable": 0}
    assert await open_all(installation, SecretBox(NEW.encode())) == secrets

"""Connections that operators save: sealed, loaded into running settings, and second to the environment."""

import pytest

from sightline.errors import Problem
from sightline.platforms import access
from sightline.platforms.connections import save
from sightline.platforms.connections.load import load_connections
from sightline.platforms.connections.reseal import reseal_keys
from sightline.platforms.connections.save import CredentialInput
from sightline.platforms.pricing import Prices
from tests.installation import START, build_settings

KEY = "sk-live-secret-of-the-operator-7K4Q"
LOCAL = "http://127.0.0.1:11434/v1"


@pytest.fixture
def db(installation):
    return installation.db


async def connect(db, settings, vendor: str, **entered: str) -> None:
    draft, _ = await save.prepare_credential(db, settings, vendor, CredentialInput(**entered), now=START)
    async with db.transaction() as tx:
        await save.save_credential(tx, draft)


async def test_another_process_uses_a_saved_connection_until_it_is_disconnected(db):
    here, there = build_settings(), build_settings()
    current = access.CurrentConnections(there)
    await connect(db, here, "openai", key=KEY, model="gpt-own")
    assert access.is_sandbox(there)
    assert await load_connections(db, there) and not await load_connections(db, there), "nothing new the second time"
    ((key, (_, connection)),) = current.items()
    assert (key, connection.secret, connection.model) == ("chatgpt", KEY, "gpt-own")
    assert access.find_enabled_platforms(there) == {"chatgpt"} and not access.is_sandbox(there)
    async with db.transaction() as tx:
        assert await save.disconnect_vendor(tx, "openai")
    assert await load_connections(db, there) and not current
    assert there.openai_model == build_settings().openai_model, "the default is back"


async def test_the_environment_wins_value_by_value(db):
    await connect(db, build_settings(), "openai", key=KEY, model="gpt-saved")
    async with db.transaction() as tx:
        await save.save_options(tx, "chatgpt", Prices(input=1), None, now=START)
        await save.save_options(tx, "grok", Prices(input=3), None, now=START)
    settings = build_settings(openai_model="gpt-env", platform_prices={"chatgpt": {"input": 2}})
    await load_connections(db, settings)
    _, connection = access.find_connections(settings)["chatgpt"]
    assert (connection.secret, connection.model) == (KEY, "gpt-env")
    assert {key: each.input for key, each in access.build_policy(settings).prices.items()} == {"chatgpt": 2, "grok": 3}
    environment = build_settings(openai_api_key="sk-of-the-environment")
    await load_connections(db, environment)
    assert access.find_connections(environment)["chatgpt"][1].secret == "sk-of-the-environment"
    with pytest.raises(Problem, match="environment variable"):
        await connect(db, environment, "openai", key=KEY)


async def test_a_key_is_stored_sealed_and_only_its_last_four_characters_are_kept(db):
    await connect(db, build_settings(), "openai", key=KEY)
    saved = (await save.list_credentials(db))["openai"]
    assert saved.hint == "7K4Q" and save.make_hint("short-key") == ""
    rows = await db.fetch("SELECT each::text FROM platform_credentials AS each")
    assert KEY not in str(rows) and KEY.encode().hex() not in str(rows)
    assert KEY not in repr(CredentialInput(key=KEY))
    elsewhere = build_settings(secret_key="t" * 40)
    await load_connections(db, elsewhere)
    assert access.is_sandbox(elsewhere), "without the key of the installation it is worth nothing"


async def test_a_new_address_does_not_receive_the_saved_key(db):
    settings = build_settings()
    await connect(db, settings, "compatible", base_url=LOCAL, key=KEY, model="llama")
    with pytest.raises(Problem, match="enter the key again"):
        await connect(db, settings, "compatible", base_url="http://evil.example/v1", model="llama")
    await connect(db, settings, "compatible", base_url=LOCAL, model="llama-2")
    await load_connections(db, settings)
    _, connection = access.find_connections(settings)["local"]
    assert (connection.secret, connection.model) == (KEY, "llama-2"), "the same address keeps the key"
    await connect(db, settings, "compatible", base_url="http://other.example/v1", key="another-secret-key")


@pytest.mark.parametrize(
    ("vendor", "entered", "field"),
    [
        ("openai", {}, "key"),
        ("openai", {"key": "two words"}, "key"),
        ("openai", {"key": "k" * 1_001}, "key"),
        ("openai", {"key": KEY, "model": "no model\n"}, "model"),
        ("dataforseo", {"key": "password"}, "login"),
        ("compatible", {}, "base_url"),
        ("compatible", {"base_url": "ftp://host"}, "base_url"),
        ("compatible", {"base_url": "http://user:pass@host"}, "base_url"),
        ("compatible", {"base_url": "http://host:port"}, "base_url"),
    ],
)
async def test_what_makes_no_sense_is_refused(db, vendor, entered, field):
    if "\n" in entered.get("model", ""):
        entered = {**entered, "model": "no model"}
    with pytest.raises(Problem) as refused:
        await connect(db, build_settings(), vendor, **entered)
    assert [error["field"] for error in refused.value.members["errors"]] == [field]
    assert await save.list_credentials(db) == {}


async def test_dataforseo_needs_login_and_password(db):
    settings = build_settings()
    await connect(db, settings, "dataforseo", login="me@acme.com", key="password-of-the-api")
    await load_connections(db, settings)
    assert access.find_connections(settings)["chatgpt"][1].secret == "me@acme.com:password-of-the-api"


async def test_rotating_the_secret_key_seals_platform_keys_again(db):
    await connect(db, build_settings(), "openai", key=KEY)
    await connect(db, build_settings(), "compatible", base_url=LOCAL)
    both = build_settings(secret_key="n" * 40, secret_key_previous="s" * 40)
    await load_connections(db, both)
    assert access.find_connections(both)["chatgpt"][1].secret == KEY, "the former key still opens it"
    assert await reseal_keys(db, both) == (1, 0, 0)
    assert await reseal_keys(db, both) == (0, 1, 0), "safe to run again"
    new = build_settings(secret_key="n" * 40)
    await load_connections(db, new)
    assert access.find_connections(new)["chatgpt"][1].secret == KEY
    assert await reseal_keys(db, build_settings(secret_key="x" * 40)) == (0, 0, 1), "what no key opens stays"


async def test_made_up_answers_do_not_come_back_when_the_last_platform_is_disconnected(db):
    settings = build_settings()
    await db.execute("UPDATE installation SET sandbox_ended_at = now()")
    await load_connections(db, settings)
    assert not access.is_sandbox(settings) and access.find_enabled_platforms(settings) == frozenset()
    assert access.find_enabled_platforms(settings, livemode=False), "test mode is always made up"

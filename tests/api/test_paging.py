"""Pages together equal the list, whatever is inserted in the meantime."""

import asyncio
import random
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sightline.domains.models import BrandDetails
from sightline.domains.queries import insert_console_domain
from sightline.domains.tracking.queries import insert_tracked_domain
from sightline.kit.ids import new_id
from tests.api.assertions import CONSOLE, DATA, assert_problem
from tests.installation import START

DETAILS = BrandDetails("Acme", aliases=[], owned_domains=[], competitors=[])


async def fill(installation, tenant, count, *, kind="console", at=START, prefix="d"):
    """Create domains in random order of time, several in the same microsecond."""
    async with installation.db.transaction() as tx:
        for number in range(count):
            now = at + timedelta(microseconds=random.randrange(max(1, count // 3)))
            name = f"{prefix}{number}-{new_id().hex[-6:]}.com"
            if kind == "console":
                await insert_console_domain(tx, tenant.workspace.id, new_id(), name, DETAILS, livemode=True, now=now)
            else:
                await insert_tracked_domain(tx, tenant.workspace.id, new_id(), name, DETAILS, [], now=now)


async def read_all(client, url, key, **parameters):
    """Return all rows by following next_cursor until it is null."""
    rows, cursor = [], None
    while True:
        parameters = {**parameters, **({"cursor": cursor} if cursor else {})}
        response = await client.get(url, params=parameters, headers={"X-API-Key": key})
        assert response.status_code == 200, response.text
        page = response.json()
        rows.append(page["data"])
        cursor = page["meta"]["next_cursor"]
        assert page["meta"]["has_more"] is (cursor is not None)
        if cursor is None:
            return rows


@pytest.mark.parametrize(("front", "kind"), [(CONSOLE, "console"), (DATA, "tracked")])
async def test_50_most_recently_created_by_default(installation, client, front, kind):
    tenant = await installation.tenant()
    await fill(installation, tenant, 120, kind=kind)
    key = tenant.live if kind == "console" else tenant.data
    pages = await read_all(client, f"{front}/domains", key)
    assert [len(page) for page in pages] == [50, 50, 20]
    rows = [row for page in pages for row in page]
    expected = sorted(rows, key=lambda row: (row["created_at"], row["id"]), reverse=True)
    assert rows == expected
    assert len({row["id"] for row in rows}) == 120


async def test_exactly_one_page_has_no_cursor(installation, client):
    tenant = await installation.tenant()
    await fill(installation, tenant, 50)
    assert [len(page) for page in await read_all(client, f"{CONSOLE}/domains", tenant.live)] == [50]


async def test_page_size_from_1_to_200(installation, client):
    tenant = await installation.tenant()
    await fill(installation, tenant, 205)
    for size in (1, 200):
        response = await client.get(f"{CONSOLE}/domains?page_size={size}", headers={"X-API-Key": tenant.live})
        assert len(response.json()["data"]) == size
    for wrong in ("0", "201", "-1", "abc", "1.5", "%20"):
        response = await client.get(f"{CONSOLE}/domains?page_size={wrong}", headers={"X-API-Key": tenant.live})
        assert assert_problem(response, 422, "validation_failed")["errors"][0]["field"] == "page_size"


async def test_a_cursor_is_bound_to_its_list_workspace_and_mode(installation, client):
    tenant, other = await installation.tenant(), await installation.tenant()
    await fill(installation, tenant, 60)
    await fill(installation, tenant, 60, kind="tracked")
    response = await client.get(f"{CONSOLE}/domains", headers={"X-API-Key": tenant.live})
    cursor = response.json()["meta"]["next_cursor"]
    for url, key in (
        (f"{CONSOLE}/domains", other.live),
        (f"{CONSOLE}/domains", tenant.test),
        (f"{CONSOLE}/keys", tenant.live),
        (f"{DATA}/domains", tenant.data),
    ):
        response = await client.get(url, params={"cursor": cursor}, headers={"X-API-Key": key})
        assert_problem(response, 400, "invalid_cursor")
    for damaged in ("x", cursor[:-1], cursor + "A", cursor[::-1], "ä" * 40):
        response = await client.get(
            f"{CONSOLE}/domains", params={"cursor": damaged}, headers={"X-API-Key": tenant.live}
        )
        assert_problem(response, 400, "invalid_cursor")
    # The page size may change between pages.
    response = await client.get(
        f"{CONSOLE}/domains", params={"cursor": cursor, "page_size": 3}, headers={"X-API-Key": tenant.live}
    )
    assert len(response.json()["data"]) == 3


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(count=st.integers(0, 40), size=st.integers(1, 15), inserts=st.lists(st.integers(0, 4), max_size=12))
async def test_rows_inserted_while_a_client_pages_cause_no_repeat_and_no_gap(
    installation, client, count, size, inserts
):
    """Rows that existed at the start appear once each. Inserted rows come before, between and after them."""
    tenant = await installation.tenant()
    await fill(installation, tenant, count)
    rows = await installation.db.fetch(
        "SELECT id::text FROM domains WHERE workspace_id = $1 ORDER BY created_at DESC, id DESC", tenant.workspace.id
    )
    before = [row[0] for row in rows]
    moments = iter(inserts)
    seen, cursor = [], None
    while True:
        parameters = {"page_size": size, **({"cursor": cursor} if cursor else {})}
        installation.clock.advance(minutes=1)
        response = await client.get(f"{CONSOLE}/domains", params=parameters, headers={"X-API-Key": tenant.live})
        seen += [row["id"] for row in response.json()["data"]]
        cursor = response.json()["meta"]["next_cursor"]
        if cursor is None:
            break
        offset = timedelta(microseconds=random.randrange(-5, 20))
        await fill(installation, tenant, next(moments, 0), at=START + offset, prefix="late")
    assert len(seen) == len(set(seen))
    assert [row for row in seen if row in before] == before


async def test_a_concurrent_writer_does_not_disturb_a_reader(installation, client):
    tenant = await installation.tenant()
    await fill(installation, tenant, 150)
    before = {row[0] for row in await installation.db.fetch("SELECT id::text FROM domains")}
    stop = asyncio.Event()

    async def write():
        while not stop.is_set():
            await fill(installation, tenant, 3, at=START, prefix="w")

    writer = asyncio.create_task(write())
    pages = await read_all(client, f"{CONSOLE}/domains", tenant.live, page_size=7)
    stop.set()
    await writer
    seen = [row["id"] for page in pages for row in page]
    assert len(seen) == len(set(seen))
    assert before <= set(seen)

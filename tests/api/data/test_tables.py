"""Tables over HTTP: their list, pages and streams, and cursors that say what changed."""

import base64
import csv
import io
import json
import uuid

import msgspec
import pyarrow.parquet
import pytest

from sightline.api.edge.cursors import sign_cursor
from sightline.tables.catalog import TABLES
from tests.api.assertions import DATA, assert_problem
from tests.running_worker import until
from tests.tables.table_reader import ChangingDomain


@pytest.fixture
async def domain(installation):
    opened = await ChangingDomain.open(installation)
    await opened.check([0, 1, 2, 4])
    await opened.check([3, 3, 0, 0], "daily_check")
    await opened.compete("globex.com", hide=False)
    return opened


@pytest.fixture
async def get(domain, client):
    async def get(path: str, status: int = 200, *, accept: str = "*/*", **query):
        headers = {"X-API-Key": domain.history.tenant.data, "Accept": accept}
        url = f"{DATA}/domains/{domain.domain_id}/tables{path}"
        response = await client.get(url, params=query, headers=headers)
        assert response.status_code == status, response.text
        return response

    return get


async def read_pages(get, path: str, **query) -> tuple[list[dict], str]:
    """Return all rows, page by page, and the cursor for the next time."""
    rows = []
    while True:
        response = await get(path, **query)
        rows += response.json()["data"]
        meta = response.json()["meta"]
        assert ("x-next-cursor" in response.headers) == (not meta["has_more"])
        if not meta["has_more"]:
            return rows, response.headers["x-next-cursor"]
        query["cursor"] = meta["next_cursor"]


async def test_every_table_is_listed_and_has_the_same_rows_in_every_form(get):
    listed = (await get("")).json()["data"]
    assert [table["name"] for table in listed] == list(TABLES)
    for table in listed:
        names = [column["name"] for column in table["columns"] if not column["on_request"]]
        rows, _ = await read_pages(get, f"/{table['name']}", page_size=7)
        assert rows or table["name"] in {"alerts", "themes"}
        assert all(list(row) == names for row in rows)
        assert len({row["row_id"] for row in rows}) == len(rows), table["name"]
        lines = (await get(f"/{table['name']}.jsonl")).text.splitlines()
        by_id = {row["row_id"]: row for row in rows}
        assert {row["row_id"]: row for row in map(json.loads, lines)} == by_id
        cells = list(csv.DictReader(io.StringIO((await get(f"/{table['name']}.csv")).text)))
        assert {row["row_id"]: row for row in cells} == {
            key: {name: _to_cell(value) for name, value in row.items()} for key, row in by_id.items()
        }
        parquet = pyarrow.parquet.read_table(io.BytesIO((await get(f"/{table['name']}.parquet")).content))
        assert parquet.column_names == names and set(parquet["row_id"].to_pylist()) == set(by_id)


def _to_cell(value) -> str:
    return "" if value is None else json.dumps(value) if isinstance(value, bool | int | float) else value


async def test_the_form_follows_the_accept_header(get):
    for accept, media_type in {
        "text/csv": "text/csv; charset=utf-8",
        "application/json;q=0.5, application/jsonl": "application/jsonl",
        "application/vnd.apache.parquet": "application/vnd.apache.parquet",
        "text/html, */*": "application/json",
        "text/csv;q=x": "application/json",
    }.items():
        assert (await get("/sources", accept=accept)).headers["content-type"] == media_type


async def test_a_cursor_of_a_stream_continues_in_pages_with_what_changed(domain, get):
    async def stream_and_read_nothing():
        streamed = await get("/mentions.csv")
        rows, _ = await read_pages(get, "/mentions", cursor=streamed.headers["x-next-cursor"])
        return None if rows else streamed

    streamed = await until(stream_and_read_nothing)
    await domain.compete("globex.com", hide=True)
    rows, following = await read_pages(get, "/mentions", cursor=streamed.headers["x-next-cursor"], page_size=3)
    gone = [row for row in rows if row["removed_at"]]
    assert gone and all(row["row_id"].endswith("/globex.com") and row["brand"] is None for row in gone)
    assert {row["row_id"] for row in rows} == {row["row_id"] for row in csv.DictReader(io.StringIO(streamed.text))}

    async def follows_without_rows() -> bool:
        nonlocal following
        response = await get("/mentions.jsonl", cursor=following)
        following = response.headers["x-next-cursor"]
        return not response.text

    await until(follows_without_rows)
    assert not [row for row in (await read_pages(get, "/mentions"))[0] if row["removed_at"]]


async def test_rows_are_selected_by_day_and_by_time_of_change(domain, get):
    days = sorted({row["day"] for row in (await read_pages(get, "/daily_metrics"))[0]})
    assert len(days) == 2
    rows, _ = await read_pages(get, "/daily_metrics", **{"from": days[1]})
    assert {row["day"] for row in rows} == {days[1]}
    rows, _ = await read_pages(get, "/daily_metrics", **{"from": days[0], "to": days[0]})
    assert {row["day"] for row in rows} == {days[0]}
    newest = max(row["updated_at"] for row in (await read_pages(get, "/answers"))[0])
    assert (await read_pages(get, "/answers", changed_since=newest))[0]
    assert not (await read_pages(get, "/answers", changed_since="2999-01-01T00:00:00Z"))[0]


async def test_texts_come_on_request_and_cells_are_no_formulas(domain, get):
    await domain.installation.db.execute("UPDATE answers SET text = '=1+1' WHERE status = 'ok'")
    rows, _ = await read_pages(get, "/answers", text="yes")
    assert {row["text"] for row in rows} == {"=1+1", ""}
    cells = csv.DictReader(io.StringIO((await get("/answers.csv", text="yes")).text))
    assert {row["text"] for row in cells} == {"'=1+1", ""}


async def test_what_cannot_be_read_is_refused(domain, get, monkeypatch):
    assert_problem(await get("/secrets", 404), 404, "not_found")
    for query in ({"from": "yesterday"}, {"to": "2026-13-01"}, {"changed_since": "2026-11-01"}, {"text": "maybe"}):
        assert_problem(await get("/answers", 422, **query), 422, "validation_failed")
    assert_problem(await get("/answers", 422, **{"from": "2026-11-02", "to": "2026-11-01"}), 422, "validation_failed")
    wrong = {"from": "x", "to": "y", "changed_since": "z"}
    problem = assert_problem(await get("/answers", 422, **wrong), 422, "validation_failed")
    assert [error["field"] for error in problem["errors"]] == ["from", "to", "changed_since"], "all at once"
    with monkeypatch.context() as without_library:
        # As where the extra is not installed.
        without_library.setattr("sightline.tables.parquet.find_spec", lambda _: None)
        assert_problem(await get("/answers.parquet", 406), 406, "format_unavailable")
    cursor = (await get("/answers.csv")).headers["x-next-cursor"]
    for path, query in (("/mentions", {}), ("/answers", {"text": "yes"})):
        assert_problem(await get(path, 400, cursor=cursor, **query), 400, "invalid_cursor")


async def test_a_cursor_from_before_a_restore_is_refused(domain, get, monkeypatch):
    cursor = (await get("/answers.csv")).headers["x-next-cursor"]
    # A restore into another cluster takes seconds.
    monkeypatch.setattr("sightline.tables.queries.DATABASE_IDENTITY", "'another cluster'")
    problem = assert_problem(await get("/answers", 400, cursor=cursor), 400, "invalid_cursor")
    assert "restored" in problem["detail"]


async def list_forged_cursors(domain, client, get) -> dict[str, str]:
    """Return cursors that the table of answers must refuse, by what is wrong with them."""
    valid = (await get("/answers", page_size=2)).json()["meta"]["next_cursor"]
    raw = base64.urlsafe_b64decode(valid + "=" * (-len(valid) % 4))
    signature, key = raw[:16], raw[16:]
    other = await ChangingDomain.open(domain.installation)
    await other.check([0, 1, 2, 4])
    headers = {"X-API-Key": other.history.tenant.data}
    foreign = await client.get(f"{DATA}/domains/{other.domain_id}/tables/answers?page_size=2", headers=headers)
    answers = msgspec.json.encode(["data.answers", domain.history.tenant.id, True, {}])
    own_key = domain.installation.app_context.settings.signing_keys[0]
    everything = json.dumps([*json.loads(key)[:2], "", str(uuid.UUID(int=0)), ""]).encode()
    return {
        "another workspace": foreign.json()["meta"]["next_cursor"],
        "another list": sign_cursor(json.loads(key), answers, own_key),
        "another table": (await get("/mentions", page_size=2)).json()["meta"]["next_cursor"],
        "the end of another table": (await get("/mentions.csv")).headers["x-next-cursor"],
        "another filter": (await get("/answers", page_size=2, text="yes")).json()["meta"]["next_cursor"],
        "another key": sign_cursor(json.loads(key), b"data.tables", b"k" * 32),
        "another row": encode(signature + everything),
        "a name of SQL": encode(signature + json.dumps(["'; DROP TABLE answers; --", "0"]).encode()),
        "no signature": encode(key),
        "only a signature": encode(signature),
        "no bytes": "=",
        "damaged": valid[:-2],
        "twice": valid + valid,
        "NUL": valid + "\0",
        "no ASCII": "é" + valid,
        "huge": "A" * 7_000,
    }


def encode(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


async def test_forged_cursors_are_refused_in_every_form(domain, client, get):
    forged = await list_forged_cursors(domain, client, get)
    assert [what for what, cursor in forged.items() if not cursor] == []
    for what, cursor in forged.items():
        domain.installation.clock.advance(minutes=1)  # for the limit of requests
        for form in ("", ".csv", ".jsonl", ".parquet"):
            refused = await get(f"/answers{form}", 400, cursor=cursor)
            assert_problem(refused, 400, "invalid_cursor")
            assert "x-next-cursor" not in refused.headers, (what, form)

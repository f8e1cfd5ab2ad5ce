"""The ledger as CSV: every row once, in order, readable by any tool and safe in a spreadsheet."""

import csv
import io

import pytest

from sightline.credits import export, queries
from sightline.kit.clock import to_iso
from tests.credits.ledger_accounts import LedgerAccount

COLUMNS = ["id", "created_at", "reason", "delta", "scan_id", "payment_reference", "description"]


def open_export(account, **options):
    return export.ledger_csv(account.installation.db, account.workspace_id, livemode=account.livemode, **options)


async def text_of(account, **options) -> str:
    return b"".join([chunk async for chunk in open_export(account, **options)]).decode()


async def rows_of(account, **options) -> list[list[str]]:
    return list(csv.reader(io.StringIO(await text_of(account, **options), newline=""), strict=True))


async def listed(account) -> list[list[str]]:
    rows = await queries.list_entries(
        account.installation.db, account.workspace_id, livemode=account.livemode, reason=None, after=None, limit=1_000
    )
    return [
        [
            str(row.id), to_iso(row.created_at), row.reason, str(row.delta), str(row.scan_id or ""),
            row.payment_reference or "", row.description,
        ]
        for row in rows
    ]  # fmt: skip


async def test_an_empty_ledger_is_its_header(account):
    assert await text_of(account) == ",".join(COLUMNS) + "\r\n"


async def test_columns_in_order_newest_first_with_the_times_of_the_api(account):
    await account.grant(10)
    account.installation.clock.advance(seconds=1, microseconds=1)
    await account.charge(3)
    account.installation.clock.advance(days=100, microseconds=99_999)
    await account.post(50, "purchase", payment_reference="pi_1")
    header, *rows = await rows_of(account)
    assert header == COLUMNS
    assert rows == await listed(account)
    assert [row[3] for row in rows] == ["50", "-3", "10"], "numbers stay numbers"
    assert rows[2][1] == "2026-11-15T09:30:10.000000+00:00"


@pytest.mark.parametrize("rows", [4, 5, 6, 10, 11])
async def test_every_row_is_there_once_whatever_the_batches(account, rows):
    for number in range(rows):
        await account.post(number + 1, "promotional_grant")
        if number % 3 == 0:  # several entries of the same moment
            account.installation.clock.advance(seconds=1)
    found = await rows_of(account, batch_size=5)
    assert found[1:] == await listed(account)
    assert len(found) == rows + 1


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
async def test_a_text_that_looks_like_a_formula_gets_an_apostrophe(account, start):
    text = f"{start}HYPERLINK(1)"
    await account.post(-5, "refund", description=text, payment_reference=text)
    (_, row) = await rows_of(account)
    assert row[3] == "-5"
    assert row[5:] == [f"'{text}", f"'{text}"]


@pytest.mark.parametrize(
    "text",
    ['He said "no", twice', "two\nlines", "two\r\nlines", "a,b;c", "Ünïcødé 測試 🎈", "", "a=b", "back\\slash", "'x"],
)
async def test_any_text_comes_back_as_it_was(account, text):
    await account.post(1, "purchase", description=text, payment_reference=text)
    (_, row) = await rows_of(account)
    assert row[5:] == [text, text]


async def test_lines_end_as_rfc_4180_wants_and_an_absent_value_is_empty(account):
    await account.post(1, "promotional_grant", description="Plain")
    line = (await text_of(account)).split("\r\n")
    assert len(line) == 3 and line[2] == ""
    assert line[1].endswith(',promotional_grant,1,,,"Plain"')


async def test_another_workspace_and_the_other_mode_are_not_in_it(installation, account, test_mode_account):
    stranger = LedgerAccount(installation, await installation.tenant())
    await stranger.grant(7)
    await test_mode_account.balance()
    await account.grant(5)
    assert [row[3] for row in await rows_of(account)] == ["delta", "5"]
    assert [row[3] for row in await rows_of(test_mode_account)] == ["delta", "1000"]


async def test_a_client_that_stops_reading_holds_no_database_connection(account):
    """More readers than the pool has connections, all in the middle of the ledger: others still get in."""
    for _ in range(6):
        await account.grant(1)
    readers = [open_export(account, batch_size=2) for _ in range(12)]
    for reader in readers:
        await anext(reader)
        await anext(reader)
    assert await account.balance() == 6
    for reader in readers:
        await reader.aclose()


async def test_entries_that_are_written_meanwhile_are_not_in_it_and_hide_none(account):
    for _ in range(6):
        await account.grant(1)
    before = {row[0] for row in await listed(account)}
    reader = open_export(account, batch_size=2)
    chunks = [await anext(reader), await anext(reader)]
    account.installation.clock.advance(seconds=1)
    await account.grant(1)
    chunks += [chunk async for chunk in reader]
    found = [row[0] for row in csv.reader(io.StringIO(b"".join(chunks).decode(), newline=""))][1:]
    assert len(found) == 6 and set(found) == before


async def test_a_long_ledger_comes_in_pieces(account):
    await account.balance()
    await account.installation.db.execute(
        """INSERT INTO credit_entries (workspace_id, id, livemode, delta, reason, description, cause, created_at)
           SELECT $1, gen_random_uuid(), true, 1, 'promotional_grant', 'Gift', 'made:' || n, $2 FROM
           generate_series(1, 12000) n""",
        account.workspace_id,
        account.installation.clock(),
    )
    sizes = [len(c) async for c in export.ledger_csv(account.installation.db, account.workspace_id, livemode=True)]
    assert len(sizes) == 4 and max(sizes) < 2_000_000
    assert len({row[0] for row in await rows_of(account)}) == 12_001

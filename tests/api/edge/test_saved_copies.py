"""Saved copies of reads are private, bounded, and never shared between callers who might see different things."""

import asyncio
import os
import stat
import uuid
from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from sightline.accounts.models import Actor, Role
from sightline.api.edge import saved_copies
from sightline.api.edge.saved_copies import SavedActor, SavedCopies, SavedCopy, build_actor_name, build_copy_name
from sightline.plans.table import Plan

NOW = datetime(2026, 11, 14, 9, 30, 0, 123456, tzinfo=UTC)
DAY = 86_400
ACTOR = Actor(
    via="console",
    workspace_id=uuid.UUID(int=1),
    user_id=uuid.UUID(int=2),
    role=Role.EDITOR,
    plan=Plan.AGENCY,
    livemode=True,
    scopes=("read", "write"),
    key_id=uuid.UUID(int=3),
)
SAVED_ACTOR = SavedActor(ACTOR, 120)


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "data" / "copies"


def open_copies(folder, actor_age: int = DAY) -> SavedCopies:
    copies = SavedCopies(folder, actor_age=actor_age)
    copies.open(now=datetime.now(UTC))  # the age of files is that of the disk
    return copies


@pytest.fixture
def copies(folder):
    return open_copies(folder)


def read_mode(path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


async def test_a_copy_is_stored_and_found(copies):
    copies.store("a", b'{"data":[]', now=NOW)
    assert await copies.find("a") == SavedCopy(NOW, b'{"data":[]')  # before it is written
    await copies.close()
    assert await copies.find("a") == SavedCopy(NOW, b'{"data":[]')
    assert await copies.find("b") is None


async def test_a_copy_is_found_at_every_moment_of_its_writing(copies):
    for number in range(100):
        name = f"copy{number}"
        copies.store(name, b"x" * 100_000, now=NOW)
        for _ in range(5):
            assert await copies.find(name) is not None
            await asyncio.sleep(0)
    await copies.close()


async def test_a_copy_outlives_the_process(copies, folder):
    content = b'{"data": "\xc3\xa9\n\nline breaks\x00\xff"'
    copies.store("a", content, now=NOW)
    await copies.close()
    assert await open_copies(folder).find("a") == SavedCopy(NOW, content)


async def test_only_the_account_of_the_service_can_read_the_files(folder):
    previous = os.umask(0)
    try:
        copies = open_copies(folder)
        copies.store("a", b"content", now=NOW)
        copies.store_actor("b", SAVED_ACTOR, now=NOW)
        await copies.close()
    finally:
        os.umask(previous)
    assert read_mode(folder) == 0o700
    assert {file.name: read_mode(file) for file in folder.iterdir()} == {"a": 0o600, "b": 0o600}


async def test_opening_twice_is_fine(copies, folder):
    copies.store("a", b"content", now=NOW)
    await copies.close()
    open_copies(folder)
    assert await open_copies(folder).find("a") == SavedCopy(NOW, b"content")


async def test_closing_without_a_copy_is_fine(copies, folder):
    await copies.close()
    assert list(folder.iterdir()) == []


async def test_an_unchanged_copy_is_not_written_again(copies, folder):
    copies.store("a", b"same", now=NOW)
    await copies.close()
    before = (folder / "a").stat()
    copies.store("a", b"same", now=NOW + timedelta(seconds=59))
    await copies.close()
    after = (folder / "a").stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)
    assert (await copies.find("a")).saved_at == NOW


async def test_after_a_minute_the_time_of_an_unchanged_copy_is_renewed(copies):
    later = NOW + timedelta(seconds=60)
    copies.store("a", b"same", now=NOW)
    await copies.close()
    copies.store("a", b"same", now=later)
    await copies.close()
    assert await copies.find("a") == SavedCopy(later, b"same")


async def test_a_changed_copy_is_written_at_once(copies):
    for number in range(3):
        content, now = b"content %d" % number, NOW + timedelta(seconds=number)
        copies.store("a", content, now=now)
        assert await copies.find("a") == SavedCopy(now, content)
        await copies.close()
        assert await copies.find("a") == SavedCopy(now, content)


async def test_a_content_that_comes_back_is_written_again(copies):
    for content in (b"one", b"two", b"one"):
        copies.store("a", content, now=NOW)
        await copies.close()
    assert (await copies.find("a")).content == b"one"


async def test_copies_that_come_while_others_are_written_are_written_too(copies, folder):
    for number in range(200):
        copies.store(f"copy{number}", b"content %d" % number, now=NOW)
        if number % 20 == 0:
            await asyncio.sleep(0)
    await copies.close()
    assert len(list(folder.iterdir())) == 200  # and no draft is left behind
    for number in (0, 99, 199):
        assert await copies.find(f"copy{number}") == SavedCopy(NOW, b"content %d" % number)


async def test_the_number_of_copies_is_bounded_and_the_oldest_go(copies, folder):
    for number in range(saved_copies.CAPACITY):
        copies.store(f"copy{number}", b"x", now=NOW)
    await copies.close()
    copies.store("copy0", b"changed", now=NOW)  # the oldest becomes the newest
    await copies.close()
    for number in range(10):
        copies.store(f"new{number}", b"x", now=NOW)
    await copies.close()
    copies.store("last", b"x", now=NOW)
    await copies.close()
    assert len(list(folder.iterdir())) <= saved_copies.CAPACITY
    assert await copies.find("copy1") is None
    assert (await copies.find("copy0")).content == b"changed"
    assert await copies.find("last") is not None


def test_opening_deletes_old_and_surplus_copies(folder):
    folder.mkdir(parents=True)
    now = datetime.now(UTC)
    for name, age in (("fresh", 60), ("old", DAY + 60), ("draft.0011aabb", 2 * DAY)):
        (folder / name).write_bytes(b"x")
        os.utime(folder / name, (now.timestamp() - age,) * 2)
    SavedCopies(folder, actor_age=60).open(now=now)
    assert [file.name for file in folder.iterdir()] == ["fresh"]


def test_opening_keeps_copies_that_a_longer_age_needs(folder):
    folder.mkdir(parents=True)
    now = datetime.now(UTC)
    (folder / "a").write_bytes(b"x")
    os.utime(folder / "a", (now.timestamp() - 2 * DAY,) * 2)
    SavedCopies(folder, actor_age=3 * DAY).open(now=now)
    assert (folder / "a").exists()


async def test_the_service_continues_when_copies_cannot_be_written(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    copies = SavedCopies(blocked / "copies", actor_age=DAY)
    copies.store("a", b"content", now=NOW)
    await copies.close()
    assert await copies.find("a") is None


DAMAGED = {
    "empty": b"",
    "no time": b"content",
    "no time, but a line break": b"\ncontent",
    "half a time": b"2026-11-",
    "not a text": b"\xff\xfe\n{}",
    "zeros": b"\0" * 100,
}


@pytest.mark.parametrize("content", DAMAGED.values(), ids=DAMAGED)
async def test_a_damaged_file_is_no_copy(copies, folder, content):
    (folder / "a").write_bytes(content)
    assert await copies.find("a") is None
    assert await copies.find_actor("a", now=NOW) is None


async def test_a_folder_in_the_place_of_a_copy_is_no_copy(copies, folder):
    (folder / "a").mkdir()
    assert await copies.find("a") is None


# Callers


async def test_a_recent_caller_is_found_with_all_rights(copies, folder):
    copies.store_actor("a", SAVED_ACTOR, now=NOW)
    await copies.close()
    assert await open_copies(folder).find_actor("a", now=NOW + timedelta(hours=1)) == SAVED_ACTOR


async def test_a_caller_without_role_or_key_is_stored_unchanged(copies):
    saved = SavedActor(msgspec.structs.replace(ACTOR, via="session", role=None, key_id=None, billing=True), 600)
    copies.store_actor("a", saved, now=NOW)
    await copies.close()
    assert await copies.find_actor("a", now=NOW) == saved


@pytest.mark.parametrize(("age", "known"), [(0, True), (99, True), (100, True), (101, False), (DAY, False)])
async def test_credentials_used_too_long_ago_are_not_accepted(folder, age, known):
    copies = open_copies(folder, actor_age=100)
    copies.store_actor("a", SAVED_ACTOR, now=NOW)
    await copies.close()
    assert (await copies.find_actor("a", now=NOW + timedelta(seconds=age)) is not None) is known


async def test_a_copy_itself_has_no_age_limit(folder):
    copies = open_copies(folder, actor_age=1)
    copies.store("a", b"content", now=NOW - timedelta(days=1))
    await copies.close()
    assert await copies.find("a") is not None


GARBLED = {
    "cut off": msgspec.json.encode(SAVED_ACTOR)[:-20],
    "empty": b"",
    "another document": b'{"data": []}',
    "of an older version": msgspec.json.encode({"actor": {"via": "console"}, "per_minute": 1}),
    "a role that is gone": msgspec.json.encode(SAVED_ACTOR).replace(b'"editor"', b'"emperor"'),
    "not JSON": b"\xff",
}


@pytest.mark.parametrize("content", GARBLED.values(), ids=GARBLED)
async def test_a_damaged_file_is_no_caller(copies, folder, content):
    """Treat a damaged file, or one of an earlier version, as an unknown caller."""
    (folder / "a").write_bytes(b"2026-11-14T09:30:00.000000+00:00\n" + content)
    assert await copies.find_actor("a", now=NOW) is None


async def test_a_time_without_an_offset_is_damage(copies, folder):
    (folder / "a").write_bytes(b"2026-11-14T09:30:00\n" + msgspec.json.encode(SAVED_ACTOR))
    assert await copies.find_actor("a", now=NOW) is None


# Names

PATH, QUERY = "/api/v1/console/domains", "page_size=5"

OTHERS = {
    "workspace": (msgspec.structs.replace(ACTOR, workspace_id=uuid.UUID(int=9)), PATH, QUERY),
    "mode": (msgspec.structs.replace(ACTOR, livemode=False), PATH, QUERY),
    "plan": (msgspec.structs.replace(ACTOR, plan=Plan.FREE), PATH, QUERY),
    "role": (msgspec.structs.replace(ACTOR, role=Role.OWNER), PATH, QUERY),
    "no role": (msgspec.structs.replace(ACTOR, role=None), PATH, QUERY),
    "path": (ACTOR, PATH + "/1", QUERY),
    "query": (ACTOR, PATH, "page_size=6"),
    "no query": (ACTOR, PATH, ""),
    "query in the path": (ACTOR, f"{PATH}?{QUERY}", ""),
    "quotes in the path": (ACTOR, f"{PATH}', '{QUERY}", ""),
}


def test_copies_differ_by_workspace_mode_plan_role_path_and_query():
    names = {what: build_copy_name(*caller) for what, caller in OTHERS.items()} | {
        "": build_copy_name(ACTOR, PATH, QUERY)
    }
    assert len(set(names.values())) == len(names)


def test_the_same_read_has_the_same_name_in_every_process():
    loaded = msgspec.json.decode(msgspec.json.encode(ACTOR), type=Actor)
    assert build_copy_name(loaded, PATH, QUERY) == build_copy_name(ACTOR, PATH, QUERY)


def test_two_keys_with_the_same_rights_share_a_copy():
    twin = msgspec.structs.replace(ACTOR, key_id=uuid.UUID(int=8), user_id=uuid.UUID(int=9))
    assert build_copy_name(twin, PATH, QUERY) == build_copy_name(ACTOR, PATH, QUERY)


def test_names_of_callers_differ_by_credential_and_context():
    names = {
        build_actor_name(b"digest", "console"),
        build_actor_name(b"digest", "data"),
        build_actor_name(b"other", "console"),
        build_actor_name(b"digest", "workspace", "True"),
        build_actor_name(b"digest", "workspace", "False"),
        build_actor_name(b"digest"),
        build_copy_name(ACTOR, PATH, QUERY),
    }
    assert len(names) == 7


def test_file_names_are_safe_and_reveal_nothing():
    for name in (build_copy_name(ACTOR, "/../../etc/passwd", "\0"), build_actor_name(b"secret", "../x")):
        assert len(name) == 64 and set(name) <= set("0123456789abcdef")

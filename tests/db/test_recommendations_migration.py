"""Migration 0010: recommendations of the commit before become one row for each action, and marks are carried over."""

import hashlib
import importlib
import json
import uuid

import asyncpg
import msgspec

from sightline.db.migrate import migrate
from sightline.insights.models import StoredRecommendation
from sightline.insights.recommendations.tasks import task_key
from tests.databases import run_sql, with_database
from tests.db.test_stored_rows import TRACKED, WORKSPACE, restore

migration = importlib.import_module("sightline.db.migrations.versions.0010_recommendations")
P1, P2 = str(uuid.UUID(int=1)), str(uuid.UUID(int=2))
OLD_KINDS = (
    "get_listed publish_page make_citable name_the_claim tighten_page fix_source platform_access local_page "
    "entity_basics nothing_significant"
)


def old_row(kind, *, subject=None, prompt_id=None, pages=(), answers=3):
    proofs = [{"scan_id": P1, "answer_id": str(uuid.UUID(int=100 + number))} for number in range(answers)]
    return {
        "kind": kind,
        "subject": subject,
        "prompt_id": prompt_id,
        "prompt": prompt_id and f"prompt {prompt_id[-1]}",
        "pages": list(pages),
        "proofs": proofs,
    }


def key_of_before(row):
    """Return the key as the commit before computed it: the prompt and the subject, hashed."""
    prompt_id = None if row["prompt_id"] is None else uuid.UUID(row["prompt_id"])
    return f"{row['kind']}-{hashlib.sha256(msgspec.json.encode((prompt_id, row['subject']))).hexdigest()[:32]}"


def test_rows_about_one_page_become_one_row_and_no_page_is_in_two():
    rows = [
        old_row("get_listed", subject="g2.com/anvils", prompt_id=P1),
        old_row("get_listed", subject="g2.com/anvils", prompt_id=P2, answers=5),
        old_row("publish_page", prompt_id=P1, pages=["globex.com/a"]),
        old_row("publish_page", prompt_id=P2, pages=["globex.com/a", "globex.com/b"]),
        old_row("fix_source", subject="expensive", pages=["g2.com/anvils", "smithing.org/rant"]),
        old_row("platform_access", subject="perplexity", answers=1),
        *(old_row(kind, prompt_id=P1) for kind in OLD_KINDS.split() if kind not in migration.KINDS),
    ]
    found = migration.convert_rows(rows, {str(uuid.UUID(int=100)): "chatgpt"})
    read = [msgspec.json.decode(json.dumps(row), type=StoredRecommendation) for row in found]
    assert [(row.kind, row.subject) for row in read] == [
        ("get_listed", "g2.com/anvils"),
        ("answer_question", "page"),
        ("fix_claim", "expensive"),
        ("open_door", "perplexity"),
    ]
    assert [prompt.id for prompt in read[0].prompts] == [P1, P2] and len(read[0].proofs) == 5
    pages = [page.url for row in read for page in row.pages]
    assert pages == ["g2.com/anvils", "globex.com/a", "globex.com/b", "smithing.org/rant"]
    only_dropped = migration.convert_rows([old_row("tighten_page", prompt_id=P1)], {})
    assert [row["kind"] for row in only_dropped] == ["nothing_significant"], "there was a Full Check"


def test_marks_are_carried_over_where_kind_and_subject_agree():
    rows = [
        old_row("get_listed", subject='g2.com/ämboss"', prompt_id=P1),
        old_row("fix_source", subject="expensive"),
        old_row("publish_page", prompt_id=P1),
        old_row("tighten_page", prompt_id=P1),
    ]
    reported = [{"kind": "get_listed", "action": "Get listed or reviewed on old.com/x", "prompt": "prompt 2"}]
    keys = migration.carry_keys(migration.list_known_tasks(rows, reported, {"prompt 2": [P2]}))
    gone = old_row("get_listed", subject="old.com/x", prompt_id=P2)
    platform = old_row("platform_access", subject="perplexity")
    assert keys[key_of_before(rows[0])] == task_key("get_listed", 'g2.com/ämboss"')
    assert keys[key_of_before(rows[1])] == task_key("fix_claim", "expensive")
    assert keys[key_of_before(gone)] == task_key("get_listed", "old.com/x"), "known from a report only"
    assert keys[key_of_before(platform)] == task_key("open_door", "perplexity")
    assert not {key_of_before(rows[2]), key_of_before(rows[3])} & keys.keys()


async def test_rows_and_marks_of_the_commit_before_are_migrated(server_url):
    name = f"test_{uuid.uuid4().hex}"
    await restore(server_url, name)
    connection = await asyncpg.connect(with_database(server_url, name))
    try:
        before = [
            json.loads(row[0])
            for row in await connection.fetch(
                "SELECT recommendation FROM recommendations WHERE domain_id = $1 ORDER BY place", TRACKED
            )
        ]
        marks = {row[0] for row in await connection.fetch("SELECT subject FROM recommendation_marks")}
        done = [row for row in before if key_of_before(row) in marks]
        assert len(done) == 1 and done[0]["kind"] in migration.CARRIED
        await migrate(with_database(server_url, name))
        after = [
            msgspec.json.decode(row[0], type=StoredRecommendation)
            for row in await connection.fetch(
                "SELECT recommendation FROM recommendations WHERE domain_id = $1 ORDER BY place", TRACKED
            )
        ]
        expected = {
            (migration.KINDS[row["kind"]], "page" if row["kind"] == "publish_page" else row["subject"])
            for row in before
            if row["kind"] in migration.KINDS
        }
        assert {(row.kind, row.subject) for row in after} == expected and len(after) == len(expected) < len(before)
        assert all(row.platforms for row in after)
        kept = await connection.fetch(
            "SELECT workspace_id, subject FROM recommendation_marks WHERE domain_id = $1", TRACKED
        )
        carried = task_key(migration.KINDS[done[0]["kind"]], done[0]["subject"])
        assert [tuple(row) for row in kept] == [(WORKSPACE, carried)]
    finally:
        await connection.close()
        await run_sql(server_url, f'DROP DATABASE "{name}" WITH (FORCE)')

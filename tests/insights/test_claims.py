"""What answers of a Full Check claim about facts: found with an editor, compared by code, stored once."""

import json

import msgspec
import pytest

from sightline.accounts.models import build_operator_actor
from sightline.facts.contradictions import read_accuracy
from sightline.facts.record import enter_fact
from sightline.facts.schemas import FactInput
from sightline.insights.findings.read import read_story
from sightline.insights.models import ActionFacts, RecommendedPage, WrongFact
from sightline.insights.recommendations.actions import describe_action
from sightline.jobs.retry import Retry
from sightline.scans.queries import find_scan
from tests.fakes.editor import EditorModel
from tests.insights.anvil_market import LIST, SMALL, market_answer, open_market
from tests.insights.test_check_editor import run_edited, say_it_plainly
from tests.scan_history import ScriptedAnswer


def say_a_price(prompt, platform):
    """State a wrong price on two platforms, and the right one on the others."""
    if prompt.text != SMALL:
        return market_answer(prompt, platform)
    price = "$40" if platform in ("chatgpt", "gemini") else "$20"
    text = f"Acme Pro is easy to use and costs {price} per month.\n\nGlobex is heavy and costs $99."
    return ScriptedAnswer(text, cited=(LIST,))


async def open_facts(installation, **fields):
    history = await open_market(installation)
    entered = {"kind": "price", "subject": "Acme Pro", "value": "20", "currency": "USD", "unit": "month"} | fields
    owner = history.tenant.owner.id
    actor = build_operator_actor(history.workspace_id, user_id=owner)
    async with installation.db.transaction() as tx:
        await enter_fact(tx, actor, history.domain_id, FactInput(**entered), now=installation.clock())
    return history


async def read(history):
    return await read_accuracy(history.installation.db, history.workspace_id, history.domain_id)


async def test_a_wrong_price_is_found_with_its_answers_and_sources(installation):
    history, model = await open_facts(installation), EditorModel()
    scan_id = await run_edited(history, model, say=say_a_price)
    found = await read(history)
    assert (found.scan_id, found.right, found.wrong) == (scan_id, 3, 2)
    (wrong,) = found.statements
    assert (wrong.stated, wrong.truth, wrong.verdict) == ("USD 40 month", "USD 20 month", "contradicts")
    assert sorted(wrong.platforms) == ["chatgpt", "gemini"] and wrong.sources[0].answers == 2
    assert {quote.words for quote in wrong.quotes} == {"$40 per month"}
    assert {each.platform: each.accuracy_pct for each in found.platforms}["chatgpt"] == 0
    (asked,) = [text for text in model.texts if "one of the facts" in text]
    assert "what Acme Pro costs" in asked and "$99" not in asked and '"20"' not in asked


async def test_without_facts_nobody_is_asked(installation):
    history, model = await open_market(installation), EditorModel()
    await run_edited(history, model, say=say_a_price)
    assert model.asked["claims"] == 0 and (await read(history)).scan_id is None


async def test_while_the_editor_is_down_nothing_is_stored_and_later_all_of_it(installation):
    history, model = await open_facts(installation), EditorModel()
    model.fails_on = "claims"
    with pytest.raises(Retry):
        await run_edited(history, model, say=say_a_price)
    assert (await read(history)).scan_id is None
    model.fails_on = None
    await run_edited(history, model, say=say_a_price)
    assert (await read(history)).wrong == 2


@pytest.mark.parametrize(
    "item",
    [
        {"fact": "f9", "passage": 1, "words": "$40", "manner": "states"},
        {"fact": "f1", "passage": 99, "words": "$40", "manner": "states"},
        {"fact": "f1", "passage": 0, "words": "$40", "manner": "states"},
        {"fact": "f1", "passage": 1, "words": "$4,000 per month", "manner": "states"},
        {"fact": "f1", "passage": 1, "words": "$40 per month", "manner": "insists"},
        "f1",
    ],
)
async def test_what_a_reply_says_beyond_the_passages_is_dropped(installation, item):
    history, model = await open_facts(installation), EditorModel()
    model.replies["claims"] = json.dumps({"items": [item]})
    await run_edited(history, model, say=say_a_price)
    found = await read(history)
    assert (found.right, found.wrong, found.cannot_tell) == (0, 0, 0) and found.scan_id is not None


async def test_an_editor_that_points_at_too_little_or_twice_proves_nothing(installation):
    history, model = await open_facts(installation), EditorModel()
    twice = {"fact": "f1", "passage": 1, "words": "$40 per month", "manner": "states"}
    model.replies["claims"] = json.dumps({"items": [twice, twice | {"manner": "denies"}]})
    await run_edited(history, model, say=say_a_price)
    assert (await read(history)).wrong == 0
    history.installation.clock.advance(days=1)
    model.replies["claims"] = json.dumps({"items": [twice | {"words": "Acme Pro"}]})
    await run_edited(history, model, say=say_it_plainly)
    assert (await read(history)).wrong == 0


async def test_a_fact_that_is_removed_meanwhile_takes_its_claims_along(installation):
    history, model = await open_facts(installation), EditorModel()
    await run_edited(history, model, say=say_a_price)
    await installation.db.execute("DELETE FROM brand_facts")
    assert (await read(history)).wrong == 0


def say_more_wrongly(prompt, platform):
    """State a wrong price in every answer."""
    plain = market_answer(prompt, platform)
    return ScriptedAnswer(f"{plain.text}\n\nAcme Pro costs $40 per month.", cited=plain.cited)


async def read_findings(history, scan_id):
    scan = await find_scan(history.installation.db, history.workspace_id, scan_id)
    story = await read_story(history.installation.db, scan, "Acme")
    return [each for each in story.findings if each.kind == "fact"]


async def test_a_contradiction_that_spreads_is_a_finding_and_so_is_its_end(installation):
    history, model = await open_facts(installation), EditorModel()
    first = await run_edited(history, model, say=say_a_price)
    assert await read_findings(history, first) == []
    await run_edited(history, model, say=say_a_price)
    spread = await run_edited(history, model, say=say_more_wrongly)
    (finding,) = await read_findings(history, spread)
    assert (finding.direction, finding.before, finding.fact) == ("up", 2, "Acme Pro")
    assert finding.now == finding.now_answers and finding.p < 0.002 and finding.tier == "clear"
    assert "are wrong about Acme Pro, up from 2" in finding.text
    again = await run_edited(history, model, say=say_more_wrongly)
    assert await read_findings(history, again) == []
    ended = await run_edited(history, model, say=say_it_plainly)
    (finding,) = await read_findings(history, ended)
    assert (finding.direction, finding.now) == ("down", 0)


async def test_a_fact_that_changed_meanwhile_is_another_one(installation):
    history, model = await open_facts(installation), EditorModel()
    await run_edited(history, model, say=say_a_price)
    await installation.db.execute("UPDATE brand_facts SET updated_at = $1", installation.clock().replace(year=2099))
    spread = await run_edited(history, model, say=say_more_wrongly)
    assert await read_findings(history, spread) == []


async def test_a_wrong_statement_is_an_action_at_its_most_cited_page(installation):
    history, model = await open_facts(installation), EditorModel()
    await run_edited(history, model, say=say_a_price)
    rows = [json.loads(row["recommendation"]) for row in await history.rows("recommendations")]
    (found,) = [row for row in rows if row["kind"] == "correct_fact"]
    assert found["wrong"] == {"kind": "price", "about": "Acme Pro", "stated": "USD 40 month", "truth": "USD 20 month"}
    assert len(found["proofs"]) == 2 and found["pages"][0]["answers"] == 2
    plain = ActionFacts(
        kind="correct_fact", wrong=WrongFact(**found["wrong"]), pages=(RecommendedPage(url="g2.com/a", answers=2),)
    )
    texts = describe_action(plain, 2, "Acme")
    assert texts.action == "Correct Acme Pro at g2.com/a"
    assert "40 USD per month" in texts.why and "20 USD per month" in texts.why
    assert len(texts.steps) == 3 and texts.steps[0].startswith("Open the cited pages")
    no_page = describe_action(msgspec.structs.replace(plain, pages=()), 2, "Acme")
    assert no_page.action == "Say clearly on your own pages what is true of Acme Pro"

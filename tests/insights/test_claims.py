"""What answers of a Full Check claim about facts: found with an editor, compared by code, stored once."""

import json

import pytest

from sightline.accounts.models import build_operator_actor
from sightline.facts.contradictions import read_accuracy
from sightline.facts.record import enter_fact
from sightline.facts.schemas import FactInput
from sightline.jobs.retry import Retry
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

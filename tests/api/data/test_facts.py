"""Facts, and what answers state about them, through the Data API."""

from datetime import date

import pytest

from sightline.kit.ids import new_id
from sightline.plans.table import Plan
from tests.api.assertions import DATA, assert_problem
from tests.facts.stored_claims import build_claim, store_check

PRICE = {"kind": "price", "subject": "Acme Pro", "value": "20.00", "currency": "USD", "unit": "month"}


class Facts:
    """A tracked domain whose facts are read and written by key."""

    def __init__(self, installation, client, tenant, domain_id):
        self.installation, self.client, self.tenant, self.domain_id = installation, client, tenant, domain_id

    @classmethod
    async def open(cls, installation, client, plan=Plan.AGENCY):
        tenant = await installation.tenant(plan)
        return cls(installation, client, tenant, await installation.tracked_domain(tenant))

    async def call(self, method, path="/facts", body=None):
        headers = {"X-API-Key": self.tenant.data_write, "Idempotency-Key": str(new_id())}
        sent = {} if body is None else {"json": body}
        return await self.client.request(method, f"{DATA}/domains/{self.domain_id}{path}", headers=headers, **sent)

    async def enter(self, **fields):
        response = await self.call("POST", body=PRICE | fields)
        assert response.status_code == 201, response.text
        return response.json()["data"]

    async def claim(self, fact_id, *stated, **more):
        """Store a check whose answers state something about a fact."""
        claims = [build_claim(fact_id, each, **more) for each in stated]
        return await store_check(self.installation, self.domain_id, *claims)

    async def accuracy(self):
        return (await self.call("GET", "/fact-accuracy")).json()["data"]


@pytest.fixture
async def facts(installation, client):
    return await Facts.open(installation, client)


async def test_a_fact_is_entered_listed_changed_and_removed(facts):
    made = await facts.enter()
    assert (made["value"], made["status"], made["former"]) == ("20", "confirmed", [])
    changed = await facts.call("PATCH", f"/facts/{made['id']}", {"value": "25", "valid_from": "2026-11-01"})
    assert changed.json()["data"]["former"] == [{"value": "20", "until": "2026-11-01"}]
    listed = (await facts.call("GET")).json()["data"]
    assert [(each["id"], each["value"]) for each in listed] == [(made["id"], "25")]
    assert (await facts.call("DELETE", f"/facts/{made['id']}")).json()["data"]["deleted"] is True
    assert (await facts.call("GET")).json()["data"] == []
    assert_problem(await facts.call("DELETE", f"/facts/{made['id']}"), 404, "not_found")
    actions = await facts.installation.db.fetch("SELECT action FROM audit_entries WHERE action LIKE 'fact_%'")
    assert sorted(row[0] for row in actions) == ["fact_changed", "fact_entered", "fact_removed"]


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"value": "cheap"}, "value"),
        ({"value": "-3"}, "value"),
        ({"value": "1e400"}, "value"),
        ({"value": "NaN"}, "value"),
        ({"subject": " "}, "subject"),
        ({"currency": None}, "currency"),
        ({"currency": "XYZ"}, "currency"),
        ({"country": "ZX"}, "country"),
        ({"former": [{"value": "20"}]}, "former[0].value"),
        ({"kind": "founded", "value": "long ago", "currency": None, "unit": None}, "value"),
        ({"kind": "founded", "value": "1976"}, "currency"),
        ({"kind": "ability", "value": "perhaps", "currency": None, "unit": None}, "value"),
        ({"kind": "availability", "value": "yes", "currency": None, "unit": None}, "country"),
    ],
)
async def test_what_cannot_be_compared_is_refused(facts, fields, wrong):
    response = await facts.call("POST", body=PRICE | fields)
    assert_problem(response, 422, "validation_failed")
    assert wrong in {each["field"] for each in response.json()["errors"]}


async def test_a_second_fact_of_the_same_subject_is_refused(facts):
    await facts.enter()
    assert_problem(await facts.call("POST", body=PRICE | {"subject": "acme pro"}), 422, "validation_failed")
    assert (await facts.enter(unit="year", value="200"))["unit"] == "year"
    assert (await facts.enter(country="DE", currency="EUR"))["country"] == "DE"


async def test_facts_belong_to_plans_with_themes(installation, client):
    facts = await Facts.open(installation, client, Plan.STARTER)
    assert_problem(await facts.call("GET"), 403, "plan_required")


async def test_pages_of_facts_follow_each_other(facts):
    for number in range(53):
        await facts.enter(subject=f"Plan {number:02}")
    first = (await facts.call("GET")).json()
    second = (await facts.call("GET", f"/facts?cursor={first['meta']['next_cursor']}")).json()
    subjects = [each["subject"] for page in (first, second) for each in page["data"]]
    assert subjects == [f"Plan {number:02}" for number in range(53)]


async def test_what_is_wrong_has_its_answers_platforms_sources_and_since_when(facts):
    assert (await facts.accuracy())["scan_id"] is None
    made = await facts.enter()
    await facts.claim(made["id"], "USD 40 month")
    facts.installation.clock.advance(days=7)
    second = facts.installation.clock()
    await facts.claim(made["id"], "USD 20 month", verdict="agrees")
    facts.installation.clock.advance(days=7)
    third = facts.installation.clock()
    await facts.claim(made["id"], "USD 40 month", "USD 40 month", sources=("g2.com/acme",))
    facts.installation.clock.advance(days=7)
    scan_id = await facts.claim(made["id"], "USD 40 month", "USD 40 month", "USD 15 month", sources=("g2.com/acme",))
    found = await facts.accuracy()
    assert (found["scan_id"], found["right"], found["wrong"]) == (str(scan_id), 0, 3)
    (platform,) = found["platforms"]
    assert (platform["right"], platform["stated"], platform["accuracy_pct"]) == (0, 3, 0.0)
    assert 50 < platform["high"] < 60
    first = found["statements"][0]
    assert (first["stated"], first["truth"], first["answers"]) == ("USD 40 month", "USD 20 month", 2)
    assert first["since"][:10] == third.date().isoformat() > second.date().isoformat()
    assert first["sources"] == [{"url": "g2.com/acme", "answers": 2}]
    assert [each["words"] for each in first["quotes"]] == ["USD 40 month"] * 2


async def test_people_say_that_a_statement_is_right_after_all(facts):
    made = await facts.enter()
    await facts.claim(made["id"], "USD 40 month", "USD 40 month")
    body = {"stated": "USD 40 month", "answer": "right"}
    answered = await facts.call("POST", f"/facts/{made['id']}/answer", body)
    assert answered.json()["data"]["accepted"] == ["USD 40 month"]
    found = await facts.accuracy()
    assert (found["right"], found["wrong"], found["statements"]) == (2, 0, [])
    unknown = await facts.call("POST", f"/facts/{made['id']}/answer", body | {"stated": "USD 3 month"})
    assert_problem(unknown, 404, "not_found")


async def test_people_say_when_it_changed(facts):
    made = await facts.enter()
    await facts.claim(made["id"], "USD 15 month")
    body = {"stated": "USD 15 month", "answer": "changed"}
    assert_problem(await facts.call("POST", f"/facts/{made['id']}/answer", body), 422, "validation_failed")
    later = await facts.call("POST", f"/facts/{made['id']}/answer", body | {"on": "2099-01-01"})
    assert_problem(later, 422, "validation_failed")
    answered = await facts.call("POST", f"/facts/{made['id']}/answer", body | {"on": "2026-06-01"})
    fact = answered.json()["data"]
    assert (fact["former"], fact["valid_from"]) == ([{"value": "15", "until": "2026-06-01"}], str(date(2026, 6, 1)))
    assert [each["verdict"] for each in (await facts.accuracy())["statements"]] == ["outdated"]


async def test_nothing_is_proposed_in_the_sandbox(facts):
    response = await facts.call("POST", "/fact-proposals")
    assert response.json()["data"] == {"found": 0, "proposed": 0}

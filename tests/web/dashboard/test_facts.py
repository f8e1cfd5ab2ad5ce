"""The page Facts: what is wrong, where to correct it, and what people say about it."""

from sightline.facts.contradictions import read_accuracy
from sightline.facts.queries import list_facts
from sightline.plans.table import Plan
from tests.facts.stored_claims import build_claim, store_check
from tests.web.page_browser import open_browser

PRICE = {"kind": "price", "subject": "Acme Pro", "value": "20", "currency": "usd", "unit": "month", "former": "15"}


class FactsPage:
    def __init__(self, installation, tenant, domain_id):
        self.installation, self.tenant, self.domain_id = installation, tenant, domain_id
        self.path = f"/w/{tenant.id}/d/{domain_id}/facts"

    @classmethod
    async def open(cls, installation, plan=Plan.PROFESSIONAL):
        tenant = await installation.tenant(plan)
        return cls(installation, tenant, await installation.tracked_domain(tenant))

    async def facts(self):
        return await list_facts(self.installation.db, self.tenant.workspace.id, self.domain_id)


async def test_a_fact_is_added_and_a_wrong_statement_leads_to_its_page(installation):
    facts = await FactsPage.open(installation)
    async with open_browser(installation, facts.tenant.owner) as browser:
        assert "Enter what is true of Acme" in (await browser.get(facts.path)).text
        assert (await browser.post(facts.path, data=PRICE)).status_code == 303
        (fact,) = await facts.facts()
        assert (fact.value, fact.currency, fact.former[0].value) == ("20", "USD", "15")
        passage = "The **Acme Pro** plan costs \\$40 per month."
        claim = build_claim(fact.id, "USD 40 month", sources=("g2.com/acme",), passage=passage)
        await store_check(installation, facts.domain_id, claim, build_claim(fact.id, "USD 20 month", verdict="agrees"))
        shown = (await browser.get(facts.path)).text
        assert "1 of 2 statements about Acme are wrong." in shown
        assert "40 USD per month instead of 20 USD per month" in shown
        assert f'href="{facts.path.removesuffix("facts")}sources/g2.com"' in shown and "g2.com/acme" in shown
        assert f"answers/{(await latest(facts)).scan_id}/{claim.answer_id}" in shown


async def latest(facts):
    return await read_accuracy(facts.installation.db, facts.tenant.workspace.id, facts.domain_id)


async def test_answering_a_statement_and_changing_the_fact(installation):
    facts = await FactsPage.open(installation)
    async with open_browser(installation, facts.tenant.owner) as browser:
        await browser.post(facts.path, data=PRICE)
        (fact,) = await facts.facts()
        await store_check(installation, facts.domain_id, build_claim(fact.id, "USD 40 month"))
        answered = f"{facts.path}/{fact.id}/answered"
        body = {"stated": "USD 40 month", "answer": "changed"}
        refused = await browser.post(answered, data=body)
        assert refused.status_code == 422 and "Nothing was changed" in refused.text
        assert (await browser.post(answered, data=body | {"on": "2026-06-01"})).status_code == 303
        assert [each.verdict for each in (await latest(facts)).statements] == ["outdated"]
        assert (await browser.post(answered, data=body | {"answer": "right"})).status_code == 303
        assert (await latest(facts)).statements == ()
        await browser.post(f"{facts.path}/{fact.id}/changed", data={"value": "25", "valid_from": "2026-11-01"})
        assert [each.value for each in (await facts.facts())[0].former] == ["20", "40", "15"]
        await browser.post(f"{facts.path}/{fact.id}/removed")
        assert await facts.facts() == []


async def test_a_refused_fact_says_why(installation):
    facts = await FactsPage.open(installation)
    async with open_browser(installation, facts.tenant.owner) as browser:
        refused = await browser.post(facts.path, data=PRICE | {"value": "cheap"})
        assert refused.status_code == 422 and "an amount in digits" in refused.text
        assert (await browser.post(f"{facts.path}/none/changed", data={})).status_code == 404


async def test_the_sandbox_reads_no_site(installation):
    facts = await FactsPage.open(installation)
    async with open_browser(installation, facts.tenant.owner) as browser:
        done = await browser.post(f"{facts.path.removesuffix('facts')}fact-proposals")
        assert done.headers["location"].endswith("?done=nothing")


async def test_other_plans_are_told_which_ones_have_facts(installation):
    facts = await FactsPage.open(installation, Plan.STARTER)
    async with open_browser(installation, facts.tenant.owner) as browser:
        assert "These plans do" in (await browser.get(facts.path)).text
        assert (await browser.post(facts.path, data=PRICE)).status_code in (402, 403)
    assert await facts.facts() == []

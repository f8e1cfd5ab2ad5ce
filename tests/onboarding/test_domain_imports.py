"""Domains from a CSV file: what is read, what is refused with its line, what it costs, and all or nothing."""

import uuid

import pytest

from sightline.accounts.models import Role, build_operator_actor
from sightline.clients.manage import list_clients_by_name
from sightline.errors import Problem
from sightline.kit.ids import new_id
from sightline.onboarding.domain_imports.models import MAX_ROWS
from sightline.onboarding.domain_imports.parse import parse_domains
from sightline.onboarding.domain_imports.plan import find_template, plan_domain_import
from sightline.onboarding.domain_imports.save import save_domain_import
from sightline.onboarding.setup import SetupInput, complete_setup
from sightline.prompts.imports.decode import decode_file
from sightline.prompts.queries import list_prompts
from sightline.scans.scheduling.models import build_check_rules

URL = "/api/v1/ext/domain-imports"
PROMPTS = ["Is Acme good?", "best anvil", "ACME's anvils or others?", "acmed anvils"]


def parse(text: str) -> tuple[list[str], list[str]]:
    """Return the domains of a file, and what is wrong with it."""
    found = parse_domains(text)
    return [row.domain for row in found.rows], [fault.sentence for fault in found.faults]


class Import:
    """The steps of these tests, in a workspace with one set-up domain that serves as a template."""

    def __init__(self, installation, tenant, template_id) -> None:
        self.installation, self.tenant, self.template_id = installation, tenant, template_id
        self.db, self.actor = installation.db, build_operator_actor(tenant.workspace.id)
        self.rules = build_check_rules(installation.app_context.settings)

    async def plan(self, text: str, *, template: bool = True):
        context, typed = self.installation.app_context, parse_domains(text)
        assert typed.faults == ()
        return await plan_domain_import(
            self.db,
            self.actor,
            typed.rows,
            await find_template(self.db, self.actor, self.template_id) if template else None,
            settings=context.settings,
            plans=context.plans,
            now=self.installation.clock(),
        )

    async def refuse(self, text: str, *, template: bool = True) -> list[str]:
        return [fault.sentence for fault in (await self.plan(text, template=template)).faults]

    async def save(self, plan):
        async with self.db.transaction() as tx:
            return await save_domain_import(
                tx,
                self.actor,
                plan,
                rules=self.rules,
                plans=self.installation.app_context.plans,
                now=self.installation.clock(),
            )

    async def texts(self, domain_id):
        found = await list_prompts(self.db, self.tenant.workspace.id, domain_id, after=None, limit=100)
        return sorted(each.prompt for each in found)

    async def call(self, path="", key=None, **body):
        headers = {"X-API-Key": self.tenant.data_write, "Idempotency-Key": key or str(new_id())}
        async with self.installation.client() as client:
            return await client.post(URL + path, headers=headers, json=body)


@pytest.fixture
async def importing(installation):
    tenant = await installation.tenant()
    template_id = uuid.UUID(await installation.tracked_domain(tenant))
    setup = SetupInput(language_code="en", countries=["US"], prompts=PROMPTS, platforms=["chatgpt", "gemini"])
    rules = build_check_rules(installation.app_context.settings)
    async with installation.db.transaction() as tx:
        await complete_setup(tx, tenant.workspace.id, template_id, setup, rules=rules, now=installation.clock())
    await installation.db.execute("UPDATE prompts SET tags = '{crm}', pinned_at = now() WHERE prompt = 'best anvil'")
    installation.clock.advance(days=9, hours=3)
    return Import(installation, tenant, template_id)


def test_columns_are_recognized_in_english_and_german_in_any_order():
    for header in ("client;domain;competitors;brand", "Kunde;Domain;Wettbewerber;Marke"):
        (row,) = parse_domains(f'{header}\nGlobex Group;globex.com;"hooli.com|initech.com";Globex\n').rows
        assert (row.line, row.domain, row.brand, row.client) == (2, "globex.com", "Globex", "Globex Group")
        assert row.competitors == ("hooli.com", "initech.com")
    assert parse("globex.com\n\nhooli.com") == (["globex.com", "hooli.com"], [])
    assert parse_domains("domain,colour\nglobex.com,red").unused_columns == ("colour",)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("domain,brand\nglobex.com,=HYPERLINK(1)", "Line 2: “=HYPERLINK(1)” begins with"),
        ("domain,brand\nglobex.com,@SUM(A1)", "Line 2: “@SUM(A1)” begins with"),
        ("domain,brand\nglobex.com,-1+1", "Line 2: “-1+1” begins with"),
        ("name,client\nglobex.com,A", "Line 1: the first line must name the columns"),
        ("domain,website\na.com,b.com", "Line 1: two columns mean the same: domain"),
        ('domain,brand\nglobex.com,"Globex', "Line 2: a quotation mark is not closed"),
        ("domain,brand\n\n", "The file has no domains"),
        (" \n ", "Enter at least one domain"),
        ("\n".join(f"d{number}.com" for number in range(MAX_ROWS + 1)), f"at most {MAX_ROWS} domains"),
    ],
)
def test_a_hostile_file_is_refused_with_its_line(text, fault):
    rows, faults = parse(text)
    assert rows == [] and fault in faults[0]


@pytest.mark.parametrize("content", [b"PK\x03\x04workbook", b"a\x00b", b"\xff\xfe\x00", b"x" * 1_000_001, b" "])
def test_a_file_that_is_no_text_is_refused(content):
    with pytest.raises(ValueError, match=r"file|workbook"):
        decode_file(content)


async def test_rows_are_refused_with_their_lines(importing, installation):
    stranger = await installation.tenant()
    _, foreign = await installation.guest(stranger, Role.VIEWER)
    cases = {
        "domain\nnot a domain": "Line 2: ",
        "domain\nacme.com": "Line 2: acme.com is tracked already.",
        "domain\nglobex.com\nhttps://www.globex.com/": "Line 3: globex.com is on line 2, too.",
        f"domain,client\nglobex.com,{foreign}": "Line 2: the workspace has no client with this id.",
        f"domain,client\nglobex.com,{'x' * 101}": "Line 2: a client's name has 1 to 100 visible characters.",
        "domain,competitors\nglobex.com,shop.globex.com": "Line 2: shop.globex.com is the brand's own domain.",
        "domain,competitors\nglobex.com,nonsense": "Line 2: ",
        "domain,countries\nglobex.com,Atlantis": "Line 2: “Atlantis” is not a country",
        "domain,language\nglobex.com,Klingon!": "Line 2: “Klingon!” is not a language",
        "domain,language\nglobex.com,de": "Line 2: the template has no prompts in this language.",
        f"domain,prompts\nglobex.com,{'x' * 501}": "Line 2: “xxx",
    }
    for text, fault in cases.items():
        (told,) = await importing.refuse(text)
        assert told.startswith(fault), (text, told)
    (told,) = await importing.refuse("domain\nglobex.com", template=False)
    assert "a domain needs prompts" in told
    (told,) = await importing.refuse("domain,prompts\nglobex.com,best anvil", template=False)
    assert "need a language" in told


async def test_the_limits_of_the_plan_are_told_before(importing):
    many = "\n".join(f"d{number}.com" for number in range(60))
    told = await importing.refuse(f"domain\n{many}")
    assert told == ["The plan tracks 50 domains. 1 are used, and this import adds 60."]
    (told,) = await importing.refuse("domain,prompts\nglobex.com," + "|".join(f"prompt {n}" for n in range(500)))
    assert told == "The plan tracks 500 prompts. 4 are used, and this import adds 504."


async def test_thirty_domains_get_the_template_and_their_clients(importing, installation):
    rows = "\n".join(f"client{number}.com,Brand{number},Client {number % 10}" for number in range(30))
    plan = await importing.plan(f"domain,brand,client\n{rows}")
    assert plan.faults == () and len(plan.new_clients) == 10 and plan.added_prompts == 120
    assert (plan.answers.full, plan.answers.platforms) == (240, 2)
    made = await importing.save(plan)
    assert len(made) == 30 and {each.status for each in made} == {"active"}
    first = made[0]
    assert await importing.texts(first.id) == sorted(
        ["Is Brand0 good?", "best anvil", "Brand0's anvils or others?", "acmed anvils"]
    )
    assert first.chosen_platforms == ["chatgpt", "gemini"] and first.pinned_count == 1
    template = await importing.db.fetchrow("SELECT anchor_at FROM domains WHERE id = $1", importing.template_id)
    since = first.anchor_at - template["anchor_at"]
    assert since.days == 7 and since.seconds == 0 and first.anchor_at <= installation.clock() < first.next_check_at
    tagged = await importing.db.fetch("SELECT tags, country_iso_2 FROM prompts WHERE domain_id = $1", first.id)
    assert {tuple(row[0]) for row in tagged} == {(), ("crm",)} and {row[1] for row in tagged} == {"US"}
    clients = await list_clients_by_name(importing.db, importing.actor)
    assert [len(each.domain_ids) for each in clients] == [3] * 10
    assert await importing.db.fetchval("SELECT count(*) FROM scans WHERE status = 'pending'") == 31


async def test_a_known_client_keeps_its_domains(importing, installation):
    _, client_id = await installation.guest(importing.tenant, Role.VIEWER, str(importing.template_id))
    name = (await list_clients_by_name(importing.db, importing.actor))[0].name
    for text in (f"globex.com,{name.upper()}", f"hooli.com,{client_id}"):
        await importing.save(await importing.plan(f"domain,client\n{text}"))
    (client,) = await list_clients_by_name(importing.db, importing.actor)
    assert len(client.domain_ids) == 3 and importing.template_id in client.domain_ids


async def test_nothing_is_created_if_one_row_can_no_longer_be(importing, installation):
    plan = await importing.plan("domain,client\nglobex.com,New\nhooli.com,New")
    await installation.tracked_domain(importing.tenant, "hooli.com")
    with pytest.raises(Problem, match="domain"):
        await importing.save(plan)
    assert await importing.db.fetchval("SELECT count(*) FROM domains WHERE domain = 'globex.com'") == 0
    assert await list_clients_by_name(importing.db, importing.actor) == []


async def test_the_api_previews_refuses_and_creates_once(importing, installation):
    rows = [{"domain": "globex.com", "brand_name": "Globex", "client": "Globex Group", "countries": ["DE", "AT"]}]
    body = {"rows": rows, "template_domain_id": str(importing.template_id)}
    shown = (await importing.call("/preview", **body)).json()["data"]
    assert shown["prompts"] == 8 and shown["new_clients"] == ["Globex Group"] and shown["answers_first_check"] == 16
    assert await importing.db.fetchval("SELECT count(*) FROM domains") == 1, "a preview creates nothing"
    refused = await importing.call(**(body | {"rows": [*rows, {"domain": "globex.com", "language_code": "xx"}]}))
    assert refused.status_code == 422 and refused.json()["errors"][0]["field"] == "rows[1].language_code"
    stranger = await installation.tenant()
    foreign = await installation.tracked_domain(stranger, "foreign.com")
    assert (await importing.call(**(body | {"template_domain_id": foreign}))).json()["code"] == "domain_not_found"
    key = str(new_id())
    sent = [await importing.call(key=key, **body) for _ in range(2)]
    assert [each.status_code for each in sent] == [201, 201] and sent[0].json()["data"] == sent[1].json()["data"]
    again = await importing.call(**body)
    assert (again.status_code, again.json()["errors"][0]["field"]) == (422, "rows[0].domain")
    await installation.db.execute("UPDATE workspaces SET plan = 'professional'")
    assert (await importing.call("/preview", **body)).status_code == 403

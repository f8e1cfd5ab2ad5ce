"""The installation that browser tests use: a real server with a worker, on a database with demo data.

It holds the demo's users and workspaces with one week of checks of acme.com, and a second workspace with a confirmed
alert and a second Full Check that found the same drop.
"""

import contextlib
import uuid
from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from sightline.accounts.members import set_member_role
from sightline.accounts.models import Role
from sightline.accounts.operators.grant import grant_operator
from sightline.accounts.users import find_user
from sightline.credits.ledger import build_credit_rules
from sightline.kit.clock import utc_now
from sightline.onboarding.demo.build import build_demo, list_demo_domains
from sightline.onboarding.demo.history import build_demo_history
from sightline.onboarding.demo.replay import DemoReplay
from sightline.onboarding.setup import SetupInput, complete_setup
from sightline.scans.scheduling.models import build_check_rules
from sightline.worker.follow_up import follow_up_in_process
from tests.insights.daily_answers import answers_naming, find_alerts, open_history
from tests.installation import PASSWORD, Installation, Tenant
from tests.process.serving.processes import running

SECRET_KEY = "s" * 40
_WEEKS = 1
_DAYS_BEFORE_DROP = 2


class Login(msgspec.Struct, frozen=True):
    email: str
    password: str


class DemoSite(msgspec.Struct, frozen=True):
    users: dict[str, Login]
    """Login data by role."""
    agency: str
    acme: str
    forge: str
    """The workspace with the alert, in which the owner is an admin."""
    forge_domain: str
    starter: str
    """A workspace whose domain is not set up yet; in `professional`, the same holds for globex.com."""
    professional: str
    globex: str
    console_domain: str
    studio: str
    """A workspace on the Agency plan, in which the owner is an admin, with one set-up domain."""
    studio_domain: str
    bureau_owner: Login
    """The owner of one workspace alone, which is like `studio`."""
    bureau_domain: str
    alert: str
    """The confirmed alert of ChatGPT."""
    scan: str = ""
    """The newest Full Check of acme.com."""
    prompt: str = ""
    answer: str = ""
    report: str = ""
    competitor: str = ""
    site: str = ""
    """The site that the answers cite most."""

    @property
    def dashboard(self) -> str:
        return f"/w/{self.agency}/d/{self.acme}"

    @property
    def fallen(self) -> str:
        """Return the path of the domain whose figures fell."""
        return f"/w/{self.forge}/d/{self.forge_domain}"

    @property
    def alerts(self) -> str:
        return f"{self.fallen}/alerts"

    @property
    def console(self) -> str:
        return f"/w/{self.agency}/console"


async def build_demo_site(database_url: str, home: Path) -> DemoSite:
    async with Installation.open(database_url, home, secret_key=SECRET_KEY) as installation:
        settings, now = installation.app_context.settings, utc_now()
        demo = await build_demo(
            installation.db, base_url=settings.public_url, rules=build_credit_rules(settings), now=now
        )
        replay = DemoReplay.from_settings(settings, partial(follow_up_in_process, installation.db, settings), now=now)
        first = (await list_demo_domains(installation.db))[0]
        await build_demo_history(installation.db, replay, [first], weeks=_WEEKS)
        forge = await _create_workspace_with_alert(installation, demo)
        await _make_operator(installation, demo.users["owner"].email)
        site = DemoSite(
            users={role: Login(each.email, each.password) for role, each in demo.users.items()}
            | {"admin": await _add_admin(installation, first.workspace_id)},
            agency=str(first.workspace_id),
            acme=str(first.domain_id),
            forge=forge.tenant.id,
            forge_domain=str(forge.domain_id),
            starter=str(demo.workspaces["starter"]["id"]),
            professional=str(demo.workspaces["professional"]["id"]),
            globex=str(demo.other_workspace_domain_id),
            console_domain=str(demo.console_domain_id),
            **await _create_studio(installation, demo),
            **await _create_bureau(installation),
            alert=str((await find_alerts(forge, scope="platform:chatgpt"))[0]["id"]),
        )
        return msgspec.structs.replace(site, **await _find_examples(installation, first.workspace_id))


async def _create_workspace_with_alert(installation: Installation, demo):
    installation.clock.now = utc_now() - timedelta(days=_DAYS_BEFORE_DROP + 4, minutes=30)
    history = await open_history(installation)
    await history.run_full_check(answers_naming())
    for _ in range(_DAYS_BEFORE_DROP):
        await history.run_daily_check(answers_naming())
    for _ in range(2):
        await history.run_daily_check(answers_naming(chatgpt=1))
    await history.run_full_check(answers_naming(chatgpt=1))
    await installation.db.execute("UPDATE workspaces SET name = 'Forge' WHERE id = $1", history.workspace_id)
    owner = await installation.db.fetchval("SELECT id FROM users WHERE email = $1", demo.users["owner"].email)
    await installation.db.execute(
        """UPDATE domains SET status = 'active', anchor_at = $2, next_check_at = NULL, competitor_count = 2
           WHERE id = $1""",
        history.domain_id,
        installation.clock(),
    )
    await _add_member(installation, history.workspace_id, owner, Role.ADMIN)
    return history


async def _create_studio(installation: Installation, demo) -> dict[str, str]:
    tenant, domain_id = await _create_agency(installation, "Studio")
    owner = await installation.db.fetchval("SELECT id FROM users WHERE email = $1", demo.users["owner"].email)
    await _add_member(installation, tenant.workspace.id, owner, Role.ADMIN)
    return {"studio": tenant.id, "studio_domain": domain_id}


async def _create_bureau(installation: Installation) -> dict[str, Any]:
    tenant, domain_id = await _create_agency(installation, "Bureau")
    return {"bureau_owner": Login(tenant.owner.email, PASSWORD), "bureau_domain": domain_id}


async def _create_agency(installation: Installation, name: str) -> tuple[Tenant, str]:
    """Create a workspace on the Agency plan with a domain of ten prompts, which can be a template."""
    installation.clock.now = utc_now()
    tenant = await installation.tenant()
    domain_id = uuid.UUID(await installation.tracked_domain(tenant, "anvils.com"))
    rules = build_check_rules(installation.app_context.settings)
    prompts = [f"which anvil fits forge number {number}" for number in range(9)]
    setup = SetupInput(
        brand_name="Anvils", language_code="en", prompts=["is Anvils good", *prompts], platforms=["chatgpt"]
    )
    async with installation.db.transaction() as tx:
        await complete_setup(tx, tenant.workspace.id, domain_id, setup, rules=rules, now=installation.clock())
    await installation.db.execute("UPDATE workspaces SET name = $2 WHERE id = $1", tenant.workspace.id, name)
    return tenant, str(domain_id)


async def _make_operator(installation: Installation, email: str) -> None:
    async with installation.db.transaction() as tx:
        user = await find_user(tx, email)
        assert user is not None
        await grant_operator(tx, user.id, now=utc_now())


async def _add_admin(installation: Installation, workspace_id: uuid.UUID) -> Login:
    admin = await installation.user("admin@demo.example")
    await _add_member(installation, workspace_id, admin.id, Role.ADMIN)
    return Login(admin.email, PASSWORD)


async def _add_member(installation: Installation, workspace_id: uuid.UUID, user_id: uuid.UUID, role: Role) -> None:
    async with installation.db.transaction() as tx:
        await set_member_role(tx, workspace_id, user_id, role, billing=False, now=installation.clock())


async def _find_examples(installation: Installation, workspace_id: uuid.UUID) -> dict[str, str]:
    """Return ids of a scan, prompt, report, competitor and answer, and a site; the answer names the brand."""
    row = await installation.db.fetchrow(
        """SELECT s.id AS scan, a.id AS answer, p.id AS prompt, r.id AS report,
                  (SELECT id FROM competitors c WHERE (c.workspace_id, c.domain_id) = (s.workspace_id, s.domain_id)
                     AND c.status = 'confirmed' ORDER BY c.id LIMIT 1) AS competitor,
                  (SELECT substring(label from 6) FROM answer_facts f, unnest(f.labels) AS label
                   WHERE (f.workspace_id, f.scan_id) = (s.workspace_id, s.id) AND label LIKE 'site:%'
                   GROUP BY label ORDER BY count(*) DESC, label LIMIT 1) AS site
           FROM scans s
           JOIN answers a ON (a.workspace_id, a.scan_id) = (s.workspace_id, s.id) AND a.text LIKE '%Acme%'
           JOIN prompts p ON (p.workspace_id, p.domain_id) = (s.workspace_id, s.domain_id)
           JOIN reports r ON (r.workspace_id, r.domain_id) = (s.workspace_id, s.domain_id)
           WHERE s.workspace_id = $1 AND s.measurement_scope = 'full_check'
           ORDER BY s.id DESC LIMIT 1""",
        workspace_id,
    )
    return {name: str(value) for name, value in row.items()}


@contextlib.contextmanager
def run_server(database_url: str, home: Path) -> Iterator[str]:
    """Run the server and yield its URL. Sandbox answers are slowed down, so that tests can see progress."""
    with running(
        "serve",
        database_url=database_url,
        data_dir=home / "server",
        secret_key=SECRET_KEY,
        webhook_allow_loopback=1,
        sandbox_latency_ms=400,
        platform_concurrency=4,
        analyzer_processes=0,
        log_level="warning",
    ) as server:
        yield server.url
        server.stop()

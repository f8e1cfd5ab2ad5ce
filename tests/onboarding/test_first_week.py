"""The list of the first week: its steps tick themselves from what is stored, and it goes away."""

import msgspec
import pytest

from sightline.accounts.models import Role
from sightline.onboarding.first_week.queries import FirstWeekState
from sightline.onboarding.first_week.read import list_steps
from sightline.plans.table import Plan
from tests.tracked_domains import Tracker
from tests.web.page_browser import open_browser

NOTHING = FirstWeekState(*[None if name == "active_scan_id" else False for name in FirstWeekState.__struct_fields__])
DONE = ("First check", "Review your prompts", "Track at least one competitor", "Invite a teammate")


@pytest.mark.parametrize(
    ("plan", "role", "titles"),
    [
        (
            Plan.STARTER,
            Role.OWNER,
            [
                "First check",
                "Review your prompts",
                "Track at least one competitor",
                "Act on one recommendation",
                "Turn on e-mails for alerts or reports",
                "Share a report",
                "Invite a teammate",
            ],
        ),
        (Plan.FREE, Role.EDITOR, ["Free audit", "Review your prompts", "Track at least one competitor"]),
    ],
)
def test_the_list_has_what_the_plan_includes_and_the_role_may_do(plan, role, titles):
    assert [step.title for step in list_steps(NOTHING, plan, role, can_send_email=True)] == titles
    unsent = [step.title for step in list_steps(NOTHING, plan, role, can_send_email=False)]
    assert unsent == [title for title in titles if "e-mail" not in title], "nothing is sent without a mail server"


def test_emails_that_are_on_from_the_beginning_are_not_called_turned_on():
    state = msgspec.structs.replace(NOTHING, has_emails=True)
    done = [step.title for step in list_steps(state, Plan.STARTER, Role.EDITOR, can_send_email=True) if step.is_done]
    assert done == ["E-mails for alerts or reports are on"]


async def test_steps_tick_themselves_and_the_list_can_be_put_away(installation):
    db = installation.db
    async with Tracker.open(installation, Plan.STARTER) as tracker:
        made = await tracker.track(competitors=())
        path = f"/w/{tracker.tenant.id}/d/{made.domain.id}"
        viewer = await installation.member(tracker.tenant, Role.VIEWER)
    async with open_browser(installation, viewer) as browser:
        assert "Your first week" not in (await browser.get(path)).text, "a viewer can do none of it"
    await db.execute("DELETE FROM members WHERE user_id = $1", viewer.id)
    async with open_browser(installation, tracker.tenant.owner) as browser:
        page = (await browser.get(path)).text
        assert "0 of 6 done" in page and f'data-follow="{path}/checks/' in page
        steps = page.partition("Next steps")[2].partition("</ol>")[0]
        assert steps.count("<li>") == 3 and f'href="{path}/prompts"' in steps and f'href="{path}/competitors"' in steps
        await browser.post(f"{path}/competitors", data={"domain": "globex.com"})
        invited = {"role": "editor", "token": str(made.domain.id)}
        await browser.post(f"/w/{tracker.tenant.id}/members/invitations", data=invited)
        prompt_id = str(await db.fetchval("SELECT id FROM prompts LIMIT 1"))
        installation.clock.advance(minutes=1)
        await browser.post(f"{path}/prompts/act", data={"action": "pin", "prompt_id": prompt_id})
        await db.execute("UPDATE scans SET status = 'completed', completed_at = $1", installation.clock())
        unbuilt = (
            "INSERT INTO scoreboards (workspace_id, domain_id, as_of, revision, shown) VALUES ($1, $2, now(), 1, 0)"
        )
        await db.execute(unbuilt, tracker.workspace_id, made.domain.id)
        page = (await browser.get(path)).text
        assert "4 of 6 done" in page and "The results will be ready in a few seconds" in page
        for title in DONE:
            assert f'<span class="unseen">Done:</span> {title}' in page
        installation.clock.advance(days=6)
        assert "Your first week" in (await browser.get(path)).text
        installation.clock.advance(days=1)
        assert "Your first week" not in (await browser.get(path)).text
        await db.execute("UPDATE domains SET anchor_at = $1", installation.clock())
        assert "Your first week" in (await browser.get(path)).text
        closed = await browser.post(f"{path}/first-week/close")
        assert closed.headers["location"] == path
        assert "Your first week" not in (await browser.get(path)).text

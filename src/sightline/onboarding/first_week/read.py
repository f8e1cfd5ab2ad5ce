"""Reading and closing the list of the first week of a tracked domain."""

from collections.abc import Sequence
from datetime import datetime, timedelta

import msgspec

from sightline.accounts.models import Actor, Role
from sightline.db.engine import Reader, Transaction
from sightline.domains.models import TrackedDomainRow
from sightline.domains.tracking.queries import mark_first_week_closed
from sightline.onboarding.first_week import queries
from sightline.onboarding.first_week.queries import FirstWeekState
from sightline.plans.table import Plan, runs_scheduled_checks
from sightline.presentation.language import gettext
from sightline.scans.queries import find_scan
from sightline.scans.stored import ScanRow

_WEEK = timedelta(days=7)
_NEXT_STEPS = 3


class Step(msgspec.Struct, frozen=True):
    """One line of the list. `page` is where it is done: segments of a path below the domain, or `members`."""

    title: str
    reason: str
    page: str
    is_done: bool


class FirstWeek(msgspec.Struct, frozen=True):
    """The list, and the check that runs now."""

    steps: Sequence[Step]
    check: ScanRow | None
    is_settling: bool
    """A check is complete, and its figures are being computed."""

    @property
    def next_steps(self) -> Sequence[Step]:
        """Return the first three steps that are open. The first check completes without help, so it is left out."""
        return [step for step in self.steps[1:] if not step.is_done][:_NEXT_STEPS]

    @property
    def done(self) -> int:
        return sum(step.is_done for step in self.steps)


async def read_first_week(
    db: Reader, actor: Actor, domain: TrackedDomainRow, *, can_send_email: bool, now: datetime
) -> FirstWeek | None:
    """Return the list for those who can act on it; None after a week, or when somebody has closed it."""
    if domain.anchor_at is None or now >= domain.anchor_at + _WEEK:
        return None
    if actor.role is None or not actor.role.covers(Role.EDITOR):
        return None
    state = await queries.find_state(db, actor.workspace_id, domain.id, actor.user_id, now=now)
    if state is None or state.is_closed:
        return None
    scan_id = state.active_scan_id
    return FirstWeek(
        steps=list_steps(state, actor.plan, actor.role, can_send_email=can_send_email),
        check=None if scan_id is None else await find_scan(db, actor.workspace_id, scan_id),
        is_settling=state.has_check and not state.has_board,
    )


def list_steps(state: FirstWeekState, plan: Plan, role: Role, *, can_send_email: bool) -> list[Step]:
    """Return the steps that the plan includes, the role may do and the installation supports. Pure."""
    weekly, manages = runs_scheduled_checks(plan), role.covers(Role.ADMIN)
    check = gettext("First check") if weekly else gettext("Free audit")
    rows = (
        (True, check, gettext("It runs automatically."), "checks", state.has_check),
        (
            True,
            gettext("Review your prompts"),
            gettext("Pin the prompts that matter most, and remove those that nobody would ask."),
            "prompts",
            state.has_reviewed_prompts,
        ),
        (
            True,
            gettext("Track at least one competitor"),
            gettext("Market Position and Share of Voice need at least one competitor."),
            "competitors",
            state.has_competitors,
        ),
        (
            weekly,
            gettext("Act on one recommendation"),
            gettext(
                "Mark it as done when you have finished. Sightline can measure the effect if at least three Full "
                "Checks have run before you act."
            ),
            "recommendations",
            state.has_done_task,
        ),
        (
            weekly and can_send_email,
            # E-mails are on by default, so a done step must not claim that somebody turned them on.
            gettext("E-mails for alerts or reports are on")
            if state.has_emails
            else gettext("Turn on e-mails for alerts or reports"),
            gettext("You are notified of a change once a second check confirms it."),
            "settings",
            state.has_emails,
        ),
        (
            weekly,
            gettext("Share a report"),
            gettext("Anyone with the link can read it without signing in."),
            "reports",
            state.has_shared_report,
        ),
        (
            manages,
            gettext("Invite a teammate"),
            gettext("Teammates see the same figures and answers."),
            "members",
            state.has_company,
        ),
    )
    return [Step(title, reason, page, is_done) for is_shown, title, reason, page, is_done in rows if is_shown]


async def close_first_week(tx: Transaction, actor: Actor, domain: TrackedDomainRow, *, now: datetime) -> None:
    """Close the list for everybody in the workspace. Doing it again changes nothing."""
    await mark_first_week_closed(tx, actor.workspace_id, domain.id, now=now)

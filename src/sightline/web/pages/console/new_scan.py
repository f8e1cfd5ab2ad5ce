"""A new scan: choose, see what it would cost and ask, then submit it."""

from typing import Any

from litestar.params import FromPath, FromQuery

from sightline.accounts.models import Role
from sightline.credits.ledger import rules_of
from sightline.db.engine import Reader
from sightline.domains.models import ConsoleDomain
from sightline.domains.register import list_domains, read_domain
from sightline.errors import Problem, invalid_field
from sightline.kit.counting import count
from sightline.kit.ids import parse_id
from sightline.platforms.catalog import PLATFORMS
from sightline.platforms.pauses import read_enabled
from sightline.reports.words import platform_name
from sightline.scans import preview, submit
from sightline.scans.draft import Draft, draft_scan
from sightline.scans.schemas.submission import MAX_KEYWORDS, ScanInput, ScanPreview
from sightline.scans.suggest import LONGEST
from sightline.web.frame import Place, go_to
from sightline.web.pages.console.forms import Form, fit
from sightline.web.pages.console.once import act_once, make_token
from sightline.web.pages.console.overview import read_account
from sightline.web.pages.console.places import Shown, enter, looking, open_form, sending, show_page
from sightline.web.pages.console.scans import MOST_IN_CHOICE
from sightline.web.visits import Asked


@looking("/scans/new")
async def new_scan(request: Asked, workspace: FromPath[str], domain: FromQuery[str] = "") -> Shown:
    place = await enter(request, workspace, needs=Role.EDITOR)
    return await _ask(place, request, Form({"domain_id": [domain]}))


@sending("/scans/preview")
async def preview_scan(request: Asked, workspace: FromPath[str]) -> Shown:
    """Charges and keeps nothing."""
    place, form = await open_form(request, workspace, needs=Role.EDITOR)
    app_context = place.visit.app_context
    try:
        domain, draft = await _draft(app_context.db, place, _read_input(form), lock=False)
        seen = await preview.preview_scan(
            app_context.db, place.actor, domain, draft, rules=rules_of(app_context.settings), now=place.visit.now
        )
    except Problem as problem:
        return await _ask(place, request, form, problem=problem)
    return await _ask(place, request, form, seen=seen, previewed=domain)


@sending("/scans")
async def submit_scan(request: Asked, workspace: FromPath[str]) -> Shown:
    """Never for more than the preview said. The form sent again leads to the same scan and takes nothing."""
    place, form = await open_form(request, workspace, needs=Role.EDITOR)
    app_context = place.visit.app_context
    try:
        async with act_once(place, form) as once:
            if once.led_to:
                return go_to(once.led_to)
            async with app_context.db.transaction() as tx:
                domain, draft = await _draft(tx, place, _read_input(form), lock=True)
                scan = await submit.submit_scan(
                    tx, place.actor, domain, draft, rules=rules_of(app_context.settings), now=place.visit.now
                )
                path = await once.settle(tx, f"{place.console('scans', str(scan.id))}?done=submitted")
    except Problem as problem:
        return await _ask(place, request, form, problem=problem)
    return go_to(path)


def _read_input(form: Form) -> ScanInput:
    platforms, most = form.every("platforms"), form.text("max_credits")
    if not platforms:
        raise invalid_field("platforms", "choose at least one", "required")
    return fit(
        ScanInput,
        domain_id=form.text("domain_id"),
        keywords=form.lines("keywords") or None,
        platforms=platforms,
        max_credits=int(most) if most.isascii() and most.isdigit() and len(most) < 10 else None,
    )


async def _draft(db: Reader, place: Place, given: ScanInput, *, lock: bool) -> tuple[ConsoleDomain, Draft]:
    actor, app_context = place.actor, place.visit.app_context
    domain = await read_domain(db, actor, parse_id(given.domain_id), lock=lock)
    enabled = await read_enabled(db, app_context.platforms[actor.livemode])
    return domain, draft_scan(actor, domain, given, settings=app_context.settings, enabled=enabled)


async def _ask(
    place: Place,
    request: Asked,
    form: Form,
    *,
    problem: Problem | None = None,
    seen: ScanPreview | None = None,
    previewed: ConsoleDomain | None = None,
) -> Shown:
    app_context, actor = place.visit.app_context, place.actor
    known = await list_domains(app_context.db, actor, after=None, page_size=MOST_IN_CHOICE)
    enabled = await read_enabled(app_context.db, app_context.platforms[actor.livemode])
    balance, _ = await read_account(place)
    chosen = form.every("platforms") if problem or seen else list(enabled)
    choices: list[dict[str, Any]] = [
        {"key": each.key, "name": each.name, "enabled": each.key in enabled, "chosen": each.key in chosen}
        for each in PLATFORMS
    ]
    return show_page(
        place,
        request,
        "new_scan.html",
        here="scans",
        title="New scan",
        problem=problem,
        seen=seen,
        previewed=previewed,
        registered=known.rows,
        choices=choices,
        chosen_domain=form.text("domain_id"),
        keywords="\n".join(form.lines("keywords")),
        price=app_context.settings.credits_per_platform,
        balance=balance,
        token=make_token(),
        most_prompts=MAX_KEYWORDS,
        longest=LONGEST,
        platform_name=platform_name,
        count=count,
    )


PAGES = (new_scan, preview_scan, submit_scan)

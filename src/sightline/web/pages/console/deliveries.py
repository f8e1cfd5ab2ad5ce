"""What was sent to a webhook: one delivery with its attempts, sending it again, and trying a webhook out."""

from litestar.params import FromPath

from sightline.accounts.models import Role
from sightline.errors import Problem
from sightline.kit.ids import parse_id
from sightline.web.frame import go_to
from sightline.web.pages.console import words
from sightline.web.pages.console.once import act_once, make_token
from sightline.web.pages.console.places import Shown, enter, looking, open_form, sending, show_page
from sightline.web.pages.console.webhooks import show_webhook
from sightline.web.visits import Asked
from sightline.webhooks import endpoints, history
from sightline.webhooks.models import Attempt

_SHOWN_OF_BODY = 20_000
_SHOWN_OF_ANSWER = 2_000


@looking("/webhooks/{webhook:str}/deliveries/{delivery:str}")
async def delivery_detail(
    request: Asked, workspace: FromPath[str], webhook: FromPath[str], delivery: FromPath[str]
) -> Shown:
    place = await enter(request, workspace, needs=Role.ADMIN)
    db = place.visit.app_context.db
    endpoint = await endpoints.read_endpoint(db, place.actor, parse_id(webhook))
    story = await history.read_delivery(db, place.actor, endpoint, parse_id(delivery))
    return show_page(
        place,
        request,
        "delivery.html",
        here="webhooks",
        title=story.delivery.event_type,
        endpoint=endpoint,
        delivery=story.delivery,
        attempts=story.attempts[::-1],
        body=cut(story.delivery.body, _SHOWN_OF_BODY),
        answer_of=_answer_of,
        token=make_token(),
        words=words,
    )


@sending("/webhooks/{webhook:str}/test")
async def send_test(request: Asked, workspace: FromPath[str], webhook: FromPath[str]) -> Shown:
    place, form = await open_form(request, workspace, needs=Role.ADMIN)
    try:
        async with act_once(place, form) as once:
            if once.led_to:
                return go_to(once.led_to)
            async with place.visit.app_context.db.transaction() as tx:
                await history.send_test(tx, place.actor, parse_id(webhook), now=place.visit.now)
                path = await once.settle(tx, f"{place.console('webhooks', webhook)}?done=test_sent#deliveries")
    except Problem as problem:
        return await show_webhook(place, request, webhook, problem)
    return go_to(path)


@sending("/webhooks/{webhook:str}/deliveries/{delivery:str}/redeliver")
async def redeliver(request: Asked, workspace: FromPath[str], webhook: FromPath[str], delivery: FromPath[str]) -> Shown:
    place, form = await open_form(request, workspace, needs=Role.ADMIN)
    here = place.console("webhooks", webhook, "deliveries", delivery)
    try:
        async with act_once(place, form) as once:
            if once.led_to:
                return go_to(once.led_to)
            async with place.visit.app_context.db.transaction() as tx:
                await history.redeliver(tx, place.actor, parse_id(webhook), parse_id(delivery), now=place.visit.now)
                path = await once.settle(tx, f"{here}?done=redelivered")
    except Problem as problem:
        if problem.code == "not_found":
            raise
        return await show_webhook(place, request, webhook, problem)
    return go_to(path)


def cut(raw: bytes, most: int) -> str:
    """As text, whatever it was; the end of a long one is left out, and that is seen."""
    text = raw.decode(errors="replace")
    return text if len(text) <= most else f"{text[:most]}\n…"


def _answer_of(attempt: Attempt) -> str:
    return cut(attempt.response_body, _SHOWN_OF_ANSWER)


PAGES = (delivery_detail, send_test, redeliver)

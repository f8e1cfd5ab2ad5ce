"""Who may open an event stream: a caller who has too many is refused, and repeated attempts cost almost nothing."""

from collections.abc import Callable

from sightline.api.edge.event_streams import RefusedCaller
from sightline.api.edge.exchange import Exchange
from sightline.errors import Problem

EVENT_STREAM = "text/event-stream; charset=utf-8"


def take_stream_place(exchange: Exchange) -> Callable[[], None]:
    """Take a place for a stream and return a function that releases it. Refused: too many open streams (429)."""
    context, workspace_id, key_id = exchange.app_context, exchange.actor.workspace_id, exchange.key_id
    try:
        caller_key = key_id or (exchange.signed_in and exchange.signed_in.session_digest)
        return context.stream_places.take(caller_key, workspace_id)
    except Problem:
        if key_id is not None and exchange.credential is not None:
            caller = RefusedCaller(key_id, workspace_id, exchange.allowance, refused_at=exchange.now)
            context.refused_callers.note(exchange.credential[0], exchange.client_address, caller)
        raise


def refuse_repeated_attempt(exchange: Exchange) -> None:
    """Refuse a stream (429) before the database is asked, if the same key was just refused and has no place yet.

    The attempt is not counted against the limits of the key.
    """
    operation, context = exchange.operation, exchange.app_context
    if exchange.credential is None or operation is None or operation.stream_media_type != EVENT_STREAM:
        return
    caller = context.refused_callers.find(exchange.credential[0], exchange.client_address, now=exchange.now)
    if caller is None:
        return
    try:
        context.stream_places.require_place(caller.key_id, caller.workspace_id)
    except Problem:
        exchange.key_id, exchange.workspace_id = caller.key_id, caller.workspace_id
        exchange.allowance, exchange.turned_away = caller.allowance, True
        raise

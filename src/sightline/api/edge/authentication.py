"""Who is calling: a key, a session or nobody. Credentials are looked up in the database for every request."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from ipaddress import ip_network

from sightline.accounts.models import Actor, Role
from sightline.accounts.sign_in import sessions
from sightline.accounts.sign_in.models import SignedIn
from sightline.api.edge.anonymous_limit import REFUSALS
from sightline.api.edge.authorization import authorize
from sightline.api.edge.browsers import read_browser, require_same_site
from sightline.api.edge.exchange import Exchange
from sightline.api.edge.operations import Operation
from sightline.api.edge.saved_copies import SavedActor, build_actor_name
from sightline.api.edge.stream_admission import refuse_repeated_attempt
from sightline.api_keys.addresses import is_allowed
from sightline.api_keys.format import digest_key, parse_key
from sightline.db.engine import DatabaseUnavailable
from sightline.db.failures import WritesRefused
from sightline.errors import Problem, console_disabled, invalid_field
from sightline.kit.ids import parse_id
from sightline.usage.models import RecognizedKey
from sightline.usage.rate_limit import build_key_allowance, count_locally, rate_limited, require_within_limits
from sightline.usage.recognize import look_up_key, recognize_key, refund_minute

_READS = ("GET", "HEAD")


async def authenticate(exchange: Exchange) -> None:
    """Set the actor and the allowance, or refuse: 401, then the wrong kind of key, then the limits.

    A key takes precedence over a session. While the database is down, callers go on reading with credentials that were
    used within the last day. An address that has been refused too often is turned away (429) before anything is looked
    up, unless its credentials were recognized a few minutes ago. So is a key that was just refused an event stream.
    """
    operation = exchange.operation
    access = operation.access if operation else ("key_or_session" if exchange.api == "console" else "key")
    if access == "public":
        count_anonymous(exchange)
        return
    key = exchange.header(b"x-api-key")
    token = read_browser(exchange).session_token if access != "key" and not key else None
    exchange.credential = _find_credential(exchange, key, token)
    _turn_away(exchange)
    refuse_repeated_attempt(exchange)
    with _counting_refusals(exchange):
        await _recognize(exchange, key, token, session_only=access == "session")


async def identify_key(exchange: Exchange) -> Actor:
    """Return whom the key of the request acts for, whatever its kind. This does not count as a request of the key.

    Refused: a key that the API of its kind would refuse, and one that has exceeded its limit in this process and
    minute.
    """
    key = exchange.header(b"x-api-key")
    exchange.credential = (digest_key(key), "mcp") if key and parse_key(key) else None
    _turn_away(exchange)
    with _counting_refusals(exchange):
        if not key:
            raise Problem("key_missing")
        if parse_key(key) is None:
            raise Problem("key_invalid")
        app_context, address, now = exchange.app_context, exchange.client_address, exchange.now
        known = await look_up_key(app_context.db, digest_key(key), app_context.limits, client_address=address, now=now)
        if known is None:
            raise Problem("key_invalid")
        _require_usable(known, known.kind, now=now)
    exchange.allowance, allowed = app_context.windows.count(known.key_id, known.per_minute, now=now)
    if not allowed:
        raise rate_limited(now)
    _require_switched_on(known)
    return _to_key_actor(known)


async def identify_user(exchange: Exchange) -> SignedIn:
    """Return who is signed in, for a page; this counts as a request of the user.

    Refused: no session or one that has ended (401), an address that was refused too often, and too many requests (429).
    """
    token = read_browser(exchange).session_token
    if token is None:
        raise Problem("session_required")
    exchange.credential = sessions.digest_token(token), "session"
    _turn_away(exchange)
    with _counting_refusals(exchange):
        signed_in = await _find_session(exchange, sessions.digest_token(token))
        await _admit_session(exchange, signed_in)
    return signed_in


@contextmanager
def _counting_refusals(exchange: Exchange) -> Iterator[None]:
    """Count refused callers against their address, and remember the credentials of recognized ones."""
    anonymous, credential = exchange.app_context.anonymous, exchange.credential
    try:
        yield
    except Problem as problem:
        if problem.code in REFUSALS:
            if credential:
                anonymous.forget(*credential)
            count_anonymous(exchange)
        raise
    if credential and not exchange.degraded:
        anonymous.note_recognized(*credential, now=exchange.now)


async def _recognize(exchange: Exchange, key: str | None, token: str | None, *, session_only: bool) -> None:
    if key:
        await _authenticate_key(exchange, key, session_only=session_only)
        _require_mode_of_key(exchange)
    elif token:
        await _authenticate_session(exchange, token, exchange.operation)
    else:
        raise Problem("session_required" if session_only else "key_missing")


async def is_still_allowed(exchange: Exchange, now: datetime) -> bool:
    """Return whether the caller may still run the operation, long after it began. It is not counted as a request.

    While the database is down, nobody is turned away.
    """
    app_context, operation, before = exchange.app_context, exchange.operation, exchange.actor
    assert operation is not None
    try:
        if before.key_id is not None:
            digest = digest_key(exchange.header(b"x-api-key") or "")
            address = exchange.client_address
            key = await look_up_key(app_context.db, digest, app_context.limits, client_address=address, now=now)
            if key is None:
                return False
            _require_usable(key, before.via, now=now)
            _require_switched_on(key)
            actor = _to_key_actor(key)
        else:
            assert exchange.signed_in is not None
            signed_in = await sessions.read_session(app_context.db, exchange.signed_in.session_digest, now=now)
            actor = signed_in.build_actor(signed_in.find_membership(before.workspace_id), livemode=before.livemode)
        authorize(operation, actor, app_context.plans)
    except Problem:
        return False
    except DatabaseUnavailable:
        return True
    return True


def _find_credential(exchange: Exchange, key: str | None, token: str | None) -> tuple[bytes, str] | None:
    """Return the digest of the key or session, and what it is used for; None where there is nothing to look up."""
    if key:
        return (digest_key(key), _needed_kind(exchange)) if parse_key(key) else None
    return (sessions.digest_token(token), "session") if token else None


def _needed_kind(exchange: Exchange) -> str:
    return "console" if exchange.api == "console" else "data"


def _turn_away(exchange: Exchange) -> None:
    credential, anonymous, now = exchange.credential, exchange.app_context.anonymous, exchange.now
    allowance, allowed = anonymous.read(exchange.client_address, now=now)
    if not allowed and not (credential and anonymous.is_exempt(*credential, now=now)):
        exchange.allowance, exchange.turned_away = allowance, True
        raise rate_limited(now)


def count_anonymous(exchange: Exchange) -> None:
    """Count the request against the caller's address. Refused: too many in this minute (429)."""
    anonymous = exchange.app_context.anonymous
    exchange.allowance, allowed = anonymous.count(exchange.client_address, now=exchange.now)
    if not allowed:
        exchange.turned_away = True
        raise rate_limited(exchange.now)


async def _authenticate_key(exchange: Exchange, key: str, *, session_only: bool) -> None:
    if parse_key(key) is None:
        raise Problem("key_invalid")
    app_context, now, digest = exchange.app_context, exchange.now, digest_key(key)
    needed_kind = _needed_kind(exchange)
    actor_name = build_actor_name(digest, needed_kind)
    try:
        known, is_counted = await _find_key(exchange, digest, needed_kind)
    except DatabaseUnavailable:
        await _authenticate_from_copy(exchange, digest, actor_name)
        return
    if known is None:
        raise Problem("key_invalid")
    exchange.workspace_id, exchange.key_id = known.workspace_id, known.key_id
    _require_usable(known, needed_kind, now=now)
    exchange.authenticated = True
    if not is_counted:
        known = count_locally(app_context.windows, known, now=now)
    exchange.allowance = build_key_allowance(known, now=now)
    if known.minute_count is not None and known.month_count is None:
        await refund_minute(app_context.db, known.key_id, now=now)
    require_within_limits(known, now=now)
    _require_switched_on(known)
    if session_only:
        raise Problem("session_only")
    exchange.actor = _to_key_actor(known)
    networks = tuple(map(str, known.allowed_addresses))
    saved = SavedActor(exchange.actor, known.per_minute, known.ends_at, networks)
    app_context.copies.store_actor(actor_name, saved, now=now)


async def _find_key(exchange: Exchange, digest: bytes, needed_kind: str) -> tuple[RecognizedKey | None, bool]:
    """Return the key, and whether the request was counted: a full disk must not make a read fail."""
    app_context, address, now = exchange.app_context, exchange.client_address, exchange.now
    db, limits = app_context.db, app_context.limits
    try:
        return await recognize_key(db, digest, needed_kind, limits, client_address=address, now=now), True
    except WritesRefused:
        if exchange.scope["method"] not in _READS:
            raise
    return await look_up_key(db, digest, limits, client_address=address, now=now), False


def _require_usable(known: RecognizedKey, needed_kind: str, *, now: datetime) -> None:
    if known.revoked_at is not None:
        raise Problem("key_revoked")
    if known.ends_at is not None and known.ends_at <= now:
        if known.is_replaced:
            raise Problem("key_revoked", "This secret was replaced by a rotation. Use the new one.")
        raise Problem("key_expired")
    if known.kind != needed_kind:
        raise Problem("wrong_key_kind")
    if not known.address_allowed:
        raise Problem("address_not_allowed")


def _require_switched_on(known: RecognizedKey) -> None:
    """Refuse a Console key while the Console is switched off. This comes after its limits, so that it knows them."""
    if known.kind == "console" and not known.console_enabled:
        raise console_disabled()


def _to_key_actor(known: RecognizedKey) -> Actor:
    return Actor(
        via=known.kind,
        workspace_id=known.workspace_id,
        user_id=known.created_by,
        role=Role(known.role) if known.role else None,
        plan=known.plan,
        livemode=known.livemode,
        scopes=tuple(known.scopes),
        key_id=known.key_id,
    )


async def _authenticate_session(exchange: Exchange, token: str, operation: Operation | None) -> None:
    app_context = exchange.app_context
    requested_workspace = exchange.header(b"x-workspace-id")
    digest = sessions.digest_token(token)
    actor_name = build_actor_name(digest, requested_workspace or "", exchange.header(b"x-sightline-mode") or "")
    try:
        signed_in = await _find_session(exchange, digest)
    except DatabaseUnavailable:
        await _authenticate_from_copy(exchange, digest, actor_name)
        return
    require_same_site(exchange, digest)
    await _admit_session(exchange, signed_in)
    if operation is None or not operation.in_workspace:
        return
    if not signed_in.console_enabled:
        raise console_disabled()
    livemode = _read_mode(exchange)
    if not requested_workspace:
        raise invalid_field("X-Workspace-Id", "is required with a session; send the id of the workspace", "required")
    exchange.actor = signed_in.build_actor(signed_in.find_membership(parse_id(requested_workspace)), livemode=livemode)
    limit = app_context.settings.session_rate_per_minute
    app_context.copies.store_actor(actor_name, SavedActor(exchange.actor, limit), now=exchange.now)


async def _find_session(exchange: Exchange, digest: bytes) -> SignedIn:
    exchange.signed_in = await sessions.read_session(exchange.db, digest, now=exchange.now)
    return exchange.signed_in


async def _admit_session(exchange: Exchange, signed_in: SignedIn) -> None:
    """Note that the session is in use, and count the request of its user. Refused: too many (429)."""
    app_context, now = exchange.app_context, exchange.now
    await sessions.touch_session(app_context.db, app_context.settings, signed_in, now=now)
    exchange.authenticated = True
    limit = app_context.settings.session_rate_per_minute
    exchange.allowance, allowed = app_context.windows.count(signed_in.user.id, limit, now=now)
    if not allowed:
        raise rate_limited(now)


async def _authenticate_from_copy(exchange: Exchange, credential: bytes, actor_name: str) -> None:
    """Let recently used credentials read on while the database is down; this process alone counts their limit."""
    copies = exchange.app_context.copies
    if exchange.scope["method"] not in _READS:
        raise DatabaseUnavailable("writes need the database")
    saved = await copies.find_actor(actor_name, now=exchange.now)
    if saved is None:
        raise DatabaseUnavailable("these credentials were not used recently")
    if await exchange.app_context.ended_callers.has_ended(
        credential, saved.actor.workspace_id, saved.actor.user_id, now=exchange.now
    ):
        raise DatabaseUnavailable("these credentials have ended")
    if saved.ends_at is not None and saved.ends_at <= exchange.now:
        raise Problem("key_expired")
    if not is_allowed(exchange.client_address, map(ip_network, saved.allowed_addresses)):
        raise Problem("address_not_allowed")
    exchange.actor = saved.actor
    exchange.authenticated = exchange.degraded = True
    exchange.workspace_id, exchange.key_id = saved.actor.workspace_id, saved.actor.key_id
    subject = saved.actor.key_id or saved.actor.user_id
    exchange.allowance, allowed = exchange.app_context.windows.count(subject, saved.per_minute, now=exchange.now)
    if not allowed:
        raise rate_limited(exchange.now)


def _require_mode_of_key(exchange: Exchange) -> None:
    """Refuse a request whose header names another mode than the key has (400): live and test data would be confused."""
    mode = "live" if exchange.actor.livemode else "test"
    if (exchange.header(b"x-sightline-mode") or mode).lower() != mode:
        raise Problem(
            "mode_conflict", f"The key acts in {mode} mode. Leave `X-Sightline-Mode` out, or use another key."
        )


def _read_mode(exchange: Exchange) -> bool:
    """Return whether the session acts in live mode."""
    mode = (exchange.header(b"x-sightline-mode") or "live").lower()
    if mode not in {"live", "test"}:
        raise invalid_field("X-Sightline-Mode", "must be live or test", "invalid")
    return mode == "live"

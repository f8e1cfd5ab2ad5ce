"""Who is calling: a key, a session, or nobody. Read from the database at every request."""

import uuid

from sightline.accounts import sessions
from sightline.accounts.models import Actor, Role
from sightline.api.edge.csrf import require_same_site
from sightline.api.edge.degraded import SavedActor, name_of_actor
from sightline.api.edge.exchange import Exchange
from sightline.api.edge.operations import Operation
from sightline.api_keys.format import digest_key, read_shape
from sightline.db.engine import DatabaseUnavailable
from sightline.errors import Problem, invalid_field
from sightline.kit.clock import start_of_minute, start_of_month
from sightline.kit.ids import parse_id
from sightline.usage import queries
from sightline.usage.models import RecognizedKey, RecognizedSession
from sightline.usage.rate_limit import allowance_of_key, rate_limited, require_allowed

SESSION_COOKIE = "sightline_session"
SECURE_SESSION_COOKIE = "__Host-sightline_session"


async def authenticate(exchange: Exchange) -> None:
    """Sets the actor and the allowance, or refuses: 401, then the wrong kind of key, then the limits.

    A key wins over a session. While the database is away, reads go on with credentials seen within a day.
    """
    operation = exchange.operation
    access = operation.access if operation else ("key_or_session" if exchange.front == "console" else "key")
    if access == "public":
        _admit_anonymous(exchange)
    elif key := exchange.header(b"x-api-key"):
        await _by_key(exchange, key, session_only=access == "session")
    elif access != "key" and (token := read_session_token(exchange)):
        await _by_session(exchange, token, operation)
    else:
        raise Problem("session_required" if access == "session" else "key_missing")


def count_anonymous(exchange: Exchange) -> bool:
    """Every response carries rate headers: without a recognised key they describe the caller's address."""
    limit = exchange.app_context.settings.anonymous_rate_per_minute
    exchange.allowance, allowed = exchange.app_context.windows.count(
        f"address:{exchange.client_address}", limit, now=exchange.now
    )
    return allowed


def _admit_anonymous(exchange: Exchange) -> None:
    if not count_anonymous(exchange):
        raise rate_limited(exchange.now)


async def _by_key(exchange: Exchange, key: str, *, session_only: bool) -> None:
    if read_shape(key) is None:
        raise Problem("key_invalid")
    app_context, now, digest = exchange.app_context, exchange.now, digest_key(key)
    wanted = "console" if exchange.front == "console" else "data"
    try:
        known = await queries.recognize_key(
            app_context.db, digest, wanted, app_context.limits, minute=start_of_minute(now), month=start_of_month(now)
        )
    except DatabaseUnavailable:
        await _from_copy(exchange, digest, name_of_actor(digest, wanted))
        return
    if known is None:
        raise Problem("key_invalid")
    exchange.workspace_id, exchange.key_id = known.workspace_id, known.key_id
    if known.revoked_at is not None:
        app_context.copies.end_credential(digest, now=now)
    _require_usable(known, wanted, session_only=session_only)
    exchange.authenticated = True
    exchange.allowance = allowance_of_key(known, now=now)
    if known.minute_count is not None and known.month_count is None:
        await queries.give_back_minute(app_context.db, known.key_id, start_of_minute(now))
    require_allowed(known, now=now)
    exchange.actor = _actor_of_key(known)
    app_context.copies.keep_actor(name_of_actor(digest, wanted), SavedActor(exchange.actor, known.per_minute), now=now)


def _require_usable(known: RecognizedKey, wanted: str, *, session_only: bool) -> None:
    if known.revoked_at is not None:
        raise Problem("key_revoked")
    if known.kind != wanted:
        raise Problem("wrong_key_kind")
    if known.kind == "console" and not known.console_enabled:
        raise Problem("service_disabled")
    if session_only:
        raise Problem("session_only")


def _actor_of_key(known: RecognizedKey) -> Actor:
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


async def _by_session(exchange: Exchange, token: str, operation: Operation | None) -> None:
    app_context, now = exchange.app_context, exchange.now
    asked = exchange.header(b"x-workspace-id")
    digest = sessions.digest_of(token)
    name = name_of_actor(digest, asked or "", exchange.header(b"x-sightline-mode") or "")
    try:
        known = await queries.recognize_session(app_context.db, digest, parse_id(asked) if asked else None, now=now)
    except DatabaseUnavailable:
        await _from_copy(exchange, digest, name)
        return
    if known is None:
        app_context.copies.end_credential(digest, now=now)
        raise Problem("session_expired")
    exchange.session_digest = digest
    require_same_site(exchange, digest)
    exchange.authenticated = True
    _count_session(exchange, known.user_id)
    if operation is None or not operation.in_workspace:
        return
    if not known.console_enabled:
        raise Problem("service_disabled")
    exchange.actor = _actor_of_session(known, asked, livemode=_read_mode(exchange))
    limit = app_context.settings.session_rate_per_minute
    app_context.copies.keep_actor(name, SavedActor(exchange.actor, limit), now=now)


def _actor_of_session(known: RecognizedSession, asked: str | None, *, livemode: bool) -> Actor:
    if not asked:
        raise invalid_field("X-Workspace-Id", "is required when a session acts: name the workspace", "required")
    if known.workspace_id is None or known.plan is None:
        raise Problem("workspace_not_found")
    return Actor(
        via="session",
        workspace_id=known.workspace_id,
        user_id=known.user_id,
        role=known.role,
        plan=known.plan,
        livemode=livemode,
        billing=known.billing,
    )


def _count_session(exchange: Exchange, user_id: uuid.UUID) -> None:
    limit = exchange.app_context.settings.session_rate_per_minute
    exchange.allowance, allowed = exchange.app_context.windows.count(user_id, limit, now=exchange.now)
    if not allowed:
        raise rate_limited(exchange.now)


async def _from_copy(exchange: Exchange, credential: bytes, name: str) -> None:
    """The database is away. Known credentials may go on reading; their limit is then kept by this process alone."""
    copies = exchange.app_context.copies
    if exchange.scope["method"] not in {"GET", "HEAD"}:
        raise DatabaseUnavailable("writes need the database")
    saved = None if await copies.has_ended(credential) else await copies.find_actor(name, now=exchange.now)
    if saved is None:
        raise DatabaseUnavailable("these credentials were not seen lately")
    exchange.actor = saved.actor
    exchange.authenticated = exchange.degraded = True
    exchange.workspace_id, exchange.key_id = saved.actor.workspace_id, saved.actor.key_id
    subject = saved.actor.key_id or saved.actor.user_id
    exchange.allowance, allowed = exchange.app_context.windows.count(subject, saved.per_minute, now=exchange.now)
    if not allowed:
        raise rate_limited(exchange.now)


def _read_mode(exchange: Exchange) -> bool:
    mode = (exchange.header(b"x-sightline-mode") or "live").lower()
    if mode not in {"live", "test"}:
        raise invalid_field("X-Sightline-Mode", "must be live or test", "invalid")
    return mode == "live"


def read_session_token(exchange: Exchange) -> str | None:
    return find_session_token(exchange.header(b"cookie") or "", https=exchange.app_context.settings.is_https)


def find_session_token(cookies: str, *, https: bool) -> str | None:
    """In the header `Cookie`."""
    for part in cookies.split(";"):
        name, _, value = part.strip().partition("=")
        if name == _cookie_name(https=https) and value:
            return value
    return None


def session_cookie(token: str, seconds: int, *, https: bool) -> str:
    """The header `Set-Cookie`. An empty token takes the cookie away."""
    secure = "; Secure" if https else ""
    return f"{_cookie_name(https=https)}={token}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}"


def _cookie_name(*, https: bool) -> str:
    return SECURE_SESSION_COOKIE if https else SESSION_COOKIE

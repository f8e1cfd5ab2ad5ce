"""Sign in, sign out, and read the current session."""

from sightline.accounts import sessions
from sightline.accounts.schemas import Credentials, Session, SignedOut, to_session
from sightline.api.edge.authentication import read_session_token
from sightline.api.edge.csrf import refuse_foreign_site
from sightline.api.edge.envelope import Envelope
from sightline.api.edge.exchange import Exchange
from sightline.api.edge.operations import operation
from sightline.api.edge.session_cookies import format_session_cookie
from sightline.usage.sign_in import count_sign_in, refund_sign_in


@operation(
    "console",
    "POST",
    "/session",
    tag="Session",
    summary="Sign in",
    access="public",
    in_workspace=False,
    body=Credentials,
    idempotency="ignored",
    transactional=False,
    success_status=201,
    problems=("sign_in_failed", "csrf_failed"),
)
async def create_session(exchange: Exchange) -> Envelope[Session]:
    """Verify the e-mail address and the password, and set the session cookie.

    Failed attempts are limited per client address and per account. The response does not reveal whether the e-mail
    address or the password was wrong.
    """
    refuse_foreign_site(exchange)
    payload = exchange.decode_body(Credentials)
    email = payload.email.strip().lower()
    settings = exchange.app_context.settings
    attempt = await count_sign_in(
        exchange.db, exchange.client_address, email, limit=settings.sign_in_rate_per_minute, now=exchange.now
    )
    token, signed_in = await sessions.sign_in(
        exchange.db,
        email,
        payload.password,
        old_token=read_session_token(exchange),
        agent=exchange.header(b"user-agent"),
        lifetime=settings.session_lifetime,
        now=exchange.now,
    )
    await refund_sign_in(exchange.db, attempt, now=exchange.now)
    _set_cookie(exchange, token, settings.session_lifetime)
    return Envelope(_describe_session(exchange, signed_in, sessions.digest_token(token)))


@operation(
    "console",
    "GET",
    "/session",
    tag="Session",
    summary="Who is signed in",
    access="session",
    in_workspace=False,
    saves_copy=False,
)
async def read_session(exchange: Exchange) -> Envelope[Session]:
    """Return the user, the user's workspaces with role and plan, and the CSRF token."""
    assert exchange.session_digest is not None
    signed_in = await sessions.read_session(exchange.db, exchange.session_digest, now=exchange.now)
    return Envelope(_describe_session(exchange, signed_in, exchange.session_digest))


@operation(
    "console",
    "DELETE",
    "/session",
    tag="Session",
    summary="Sign out",
    access="session",
    in_workspace=False,
    idempotency="ignored",
)
async def delete_session(exchange: Exchange) -> Envelope[SignedOut]:
    """End the session on the server and clear the cookie."""
    assert exchange.session_digest is not None
    await sessions.sign_out(exchange.tx, exchange.session_digest)
    exchange.app_context.ended_callers.end_credential(exchange.session_digest)
    _set_cookie(exchange, "", 0)
    return Envelope(SignedOut(deleted=True))


def _set_cookie(exchange: Exchange, token: str, seconds: int) -> None:
    exchange.respond_with(
        set_cookie=format_session_cookie(token, seconds, https=exchange.app_context.settings.is_https)
    )


def _describe_session(exchange: Exchange, signed_in: sessions.SignedIn, digest: bytes) -> Session:
    return to_session(signed_in, sessions.build_csrf_token(digest, exchange.app_context.settings.signing_key))

"""Sign in, sign out, and read the current session."""

from sightline.accounts.schemas import ConfirmInput, Credentials, FactorInput, Session, SignedOut, to_session
from sightline.accounts.second_factor.models import FactorAnswer
from sightline.accounts.sign_in import sessions
from sightline.accounts.sign_in.factor import continue_sign_in
from sightline.accounts.sign_in.models import NewSession, SignedIn
from sightline.accounts.sign_in.recent import Proof, confirm
from sightline.accounts.users import normalize_email
from sightline.api.edge.browsers import format_device_cookie, format_session_cookie, read_browser, refuse_foreign_site
from sightline.api.edge.envelope import Envelope
from sightline.api.edge.exchange import Exchange
from sightline.api.edge.operations import Resource

RESOURCE = Resource(
    "console",
    "Session",
    "Sign in with e-mail and password, for people and for tools that act as a person.",
    {},
)


@RESOURCE.operation(
    "POST",
    "/session",
    summary="Sign in",
    access="public",
    in_workspace=False,
    body=Credentials,
    idempotency="ignored",
    transactional=False,
    success_status=201,
    problems=("sign_in_failed", "second_factor_required", "csrf_failed"),
)
async def create_session(exchange: Exchange) -> Envelope[Session]:
    """Verify the e-mail address and the password, and set the session cookie.

    After a few failed attempts for one account from one network, further attempts from there have to wait, longer each
    time. Separate limits slow down one network that tries many accounts, and many networks that try one account. Keep
    the cookie `sightline_device`, which a successful sign-in sets: with it, other people's failed attempts do not make
    you wait. The response does not reveal whether the e-mail address or the password was wrong. A
    sign-in from a web page of another site is refused (403 `csrf_failed`). An account with a second factor gets 401
    `second_factor_required`; continue at `POST /session/factor`.
    """
    refuse_foreign_site(exchange)
    payload = exchange.decode_body(Credentials)
    settings = exchange.app_context.settings
    opened, signed_in = await sessions.sign_in(
        exchange.db,
        settings,
        normalize_email(payload.email),
        payload.password,
        browser=read_browser(exchange),
        now=exchange.now,
    )
    return _respond_signed_in(exchange, opened, signed_in)


@RESOURCE.operation(
    "POST",
    "/session/factor",
    summary="Continue a sign-in with a second factor",
    access="public",
    in_workspace=False,
    body=FactorInput,
    idempotency="ignored",
    transactional=False,
    success_status=201,
    problems=("second_factor_failed", "sign_in_expired", "csrf_failed"),
)
async def continue_session(exchange: Exchange) -> Envelope[Session]:
    """Verify a code of the authenticator app or a recovery code, and set the session cookie.

    Each code works once. After ten wrong codes for an account, further attempts have to wait, longer each time.
    """
    refuse_foreign_site(exchange)
    payload = exchange.decode_body(FactorInput)
    opened, signed_in = await continue_sign_in(
        exchange.db,
        exchange.app_context.settings,
        payload.factor_token,
        FactorAnswer(code=payload.code),
        browser=read_browser(exchange),
        now=exchange.now,
    )
    return _respond_signed_in(exchange, opened, signed_in)


def _respond_signed_in(exchange: Exchange, opened: NewSession, signed_in: SignedIn) -> Envelope[Session]:
    settings = exchange.app_context.settings
    _set_cookie(exchange, opened.token, settings.session_lifetime)
    exchange.respond_with(set_cookie=format_device_cookie(opened.device, https=settings.is_https))
    return Envelope(_describe_session(exchange, signed_in))


@RESOURCE.operation(
    "POST",
    "/session/confirm",
    summary="Confirm who is signed in",
    access="session",
    in_workspace=False,
    body=ConfirmInput,
    idempotency="ignored",
    transactional=False,
    problems=("confirmation_failed",),
)
async def confirm_session(exchange: Exchange) -> Envelope[Session]:
    """Verify the password or a code of the authenticator app once more, so that the session may change keys.

    Wrong ones count like failed sign-ins.
    """
    assert exchange.signed_in is not None
    payload, signed_in = exchange.decode_body(ConfirmInput), exchange.signed_in
    proof = Proof(payload.password, FactorAnswer(code=payload.code))
    settings, address = exchange.app_context.settings, exchange.client_address
    await confirm(exchange.db, settings, signed_in, proof, address=address, now=exchange.now)
    confirmed = await sessions.read_session(exchange.db, signed_in.session_digest, now=exchange.now)
    return Envelope(_describe_session(exchange, confirmed))


@RESOURCE.operation(
    "GET",
    "/session",
    summary="Read the session",
    access="session",
    in_workspace=False,
    saves_copy=False,
)
async def read_session(exchange: Exchange) -> Envelope[Session]:
    """Return the user, the user's workspaces with role and plan, and the CSRF token."""
    assert exchange.signed_in is not None
    signed_in = await sessions.read_session(exchange.db, exchange.signed_in.session_digest, now=exchange.now)
    return Envelope(_describe_session(exchange, signed_in))  # read again: this request may have moved its end


@RESOURCE.operation(
    "DELETE",
    "/session",
    summary="Sign out",
    access="session",
    in_workspace=False,
    idempotency="ignored",
)
async def delete_session(exchange: Exchange) -> Envelope[SignedOut]:
    """End the session on the server and clear the cookie."""
    assert exchange.signed_in is not None
    await sessions.sign_out(exchange.tx, exchange.signed_in.session_digest)
    _set_cookie(exchange, "", 0)
    return Envelope(SignedOut(deleted=True))


def _set_cookie(exchange: Exchange, token: str, seconds: int) -> None:
    exchange.respond_with(
        set_cookie=format_session_cookie(token, seconds, https=exchange.app_context.settings.is_https)
    )


def _describe_session(exchange: Exchange, signed_in: SignedIn) -> Session:
    signing_key = exchange.app_context.settings.signing_key
    return to_session(signed_in, sessions.build_csrf_token(signed_in.session_digest, signing_key))

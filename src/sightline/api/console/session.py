"""Signing in and out, and who is signed in."""

import uuid
from typing import Annotated

import msgspec

from sightline.accounts import sessions
from sightline.accounts.models import Plan, Role
from sightline.api.edge.auth import read_session_token, session_cookie
from sightline.api.edge.csrf import refuse_foreign_site
from sightline.api.edge.envelope import One
from sightline.api.edge.exchange import Exchange
from sightline.api.edge.operations import operation
from sightline.kit.clock import Timestamp, to_iso
from sightline.usage.sign_in import count_sign_in, give_back_sign_in


class Credentials(msgspec.Struct, frozen=True):
    email: Annotated[str, msgspec.Meta(min_length=3, max_length=254, examples=["owner@acme.com"])]
    password: Annotated[str, msgspec.Meta(min_length=1, max_length=1_000, examples=["correct horse battery"])]


class SessionUser(msgspec.Struct, frozen=True):
    id: uuid.UUID
    email: str
    name: str


class SessionWorkspace(msgspec.Struct, frozen=True):
    id: uuid.UUID
    name: str
    plan: Plan
    role: Role
    billing: bool
    is_payer: bool


class Session(msgspec.Struct, frozen=True):
    """Who is signed in. Send `csrf_token` as `X-CSRF-Token` with writes that do not come from this origin's pages."""

    user: SessionUser
    workspaces: list[SessionWorkspace]
    csrf_token: str
    expires_at: Timestamp


class SignedOut(msgspec.Struct, frozen=True):
    deleted: bool


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
    success=201,
    problems=("sign_in_failed", "csrf_failed"),
)
async def create_session(exchange: Exchange) -> One[Session]:
    """Checks e-mail and password and sets the session cookie. Failed attempts are limited per address and per
    account; an unknown e-mail and a wrong password cannot be told apart."""
    refuse_foreign_site(exchange)
    given = exchange.given(Credentials)
    email = given.email.strip().lower()
    settings = exchange.app_context.settings
    attempt = await count_sign_in(
        exchange.db, exchange.client_address, email, limit=settings.sign_in_rate_per_minute, now=exchange.now
    )
    token, signed_in = await sessions.sign_in(
        exchange.db,
        email,
        given.password,
        old_token=read_session_token(exchange),
        agent=exchange.header(b"user-agent"),
        lifetime=settings.session_lifetime,
        now=exchange.now,
    )
    await give_back_sign_in(exchange.db, attempt, now=exchange.now)
    _set_cookie(exchange, token, settings.session_lifetime)
    return One(_shape(exchange, signed_in, sessions.digest_of(token)))


@operation(
    "console",
    "GET",
    "/session",
    tag="Session",
    summary="Who is signed in",
    access="session",
    in_workspace=False,
    keeps_copy=False,
)
async def read_session(exchange: Exchange) -> One[Session]:
    """The user, the workspaces with role and plan, and the CSRF token."""
    assert exchange.session_digest is not None
    signed_in = await sessions.read_session(exchange.db, exchange.session_digest, now=exchange.now)
    return One(_shape(exchange, signed_in, exchange.session_digest))


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
async def delete_session(exchange: Exchange) -> One[SignedOut]:
    """Ends the session on the server and clears the cookie."""
    assert exchange.session_digest is not None
    await sessions.sign_out(exchange.tx, exchange.session_digest)
    exchange.app_context.copies.end_credential(exchange.session_digest, now=exchange.now)
    _set_cookie(exchange, "", 0)
    return One(SignedOut(deleted=True))


def _set_cookie(exchange: Exchange, token: str, seconds: int) -> None:
    exchange.respond_with(set_cookie=session_cookie(token, seconds, https=exchange.app_context.settings.is_https))


def _shape(exchange: Exchange, signed_in: sessions.SignedIn, digest: bytes) -> Session:
    user = signed_in.user
    return Session(
        user=SessionUser(user.id, user.email, user.name),
        workspaces=[
            SessionWorkspace(m.workspace_id, m.name, m.plan, m.role, m.billing, m.is_payer)
            for m in signed_in.workspaces
        ],
        csrf_token=sessions.csrf_token_of(digest, exchange.app_context.settings.signing_key),
        expires_at=to_iso(signed_in.expires_at),
    )

"""OpenID Connect, the part that a client needs: discovery, the authorization request, the code, and the ID token.

Nothing is cached: discovery document and keys are read at every sign-in, so that rotated keys just work. All requests
go through the guard for outgoing HTTP, without redirects and with a limit of bytes.
"""

import base64
import hashlib
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import quote_plus, urlencode

import msgspec
from aiohttp import ClientError, ClientSession
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import import_key

from sightline.accounts.single_sign_on.models import Claims, Provider, SignInRefused
from sightline.accounts.users import normalize_email
from sightline.http.egress import EgressGuard, EgressRefused, open_guarded_session, send_guarded
from sightline.kit.email_addresses import is_email_address
from sightline.settings import Settings

_MAX_BYTES = 256 * 1024
_TIMEOUT = 5.0  # somebody waits for the page
_SCOPE = "openid email profile"
_ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519")
_MAX_KEYS = 50
_LEEWAY = timedelta(minutes=1)  # for clocks that differ


class Discovery(msgspec.Struct, frozen=True):
    """What a provider says about itself at `/.well-known/openid-configuration`."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    userinfo_endpoint: str | None = None
    token_endpoint_auth_methods_supported: tuple[str, ...] = ("client_secret_basic",)
    authorization_response_iss_parameter_supported: bool = False


class _Tokens(msgspec.Struct, frozen=True):
    id_token: str
    access_token: str = ""


class _KeySet(msgspec.Struct, frozen=True):
    keys: list[dict[str, Any]]


class ProviderClient:
    """The requests of one sign-in to a provider. Its answers may be wrong or hostile: each is checked or refused."""

    def __init__(self, session: ClientSession, guard: EgressGuard) -> None:
        self._session = session
        self._guard = guard

    async def discover(self, issuer: str) -> Discovery:
        """Return the provider's endpoints. Refused: a document of another issuer, and addresses that are not public."""
        found: Discovery = await self._fetch(
            Discovery, "discovery", "GET", f"{issuer.rstrip('/')}/.well-known/openid-configuration"
        )
        if found.issuer.rstrip("/") != issuer.rstrip("/"):
            raise SignInRefused("discovery_of_another_issuer")
        for endpoint in (found.authorization_endpoint, found.token_endpoint, found.jwks_uri, found.userinfo_endpoint):
            if endpoint is not None:
                self._require_address(endpoint)
        return found

    async def redeem(
        self,
        provider: Provider,
        known: Discovery,
        code: str,
        *,
        verifier: str,
        redirect_uri: str,
        nonce: str,
        now: datetime,
    ) -> Claims:
        """Exchange the code of a finished sign-in for what the provider says about the person."""
        sent = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": redirect_uri,
            "code_verifier": verifier,
        }
        headers = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}
        methods = known.token_endpoint_auth_methods_supported
        if "client_secret_post" in methods and "client_secret_basic" not in methods:
            sent |= {"client_id": provider.client_id, "client_secret": provider.client_secret}
        else:
            headers["Authorization"] = _build_basic(provider.client_id, provider.client_secret)
        body = urlencode(sent).encode()
        tokens = await self._fetch(_Tokens, "code", "POST", known.token_endpoint, headers=headers, body=body)
        keys = await self._fetch(_KeySet, "keys", "GET", known.jwks_uri)
        claims = verify_id_token(tokens.id_token, keys.keys, provider, nonce=nonce, now=now)
        if "email" not in claims and known.userinfo_endpoint is not None:
            bearer = {"Authorization": f"Bearer {tokens.access_token}", "Accept": "application/json"}
            told = await self._fetch(dict[str, Any], "userinfo", "GET", known.userinfo_endpoint, headers=bearer)
            if told.get("sub") != claims["sub"]:
                raise SignInRefused("userinfo_of_another_person")
            claims = {**told, **claims}
        return read_claims(claims)

    async def _fetch(
        self,
        kind: type[Any],
        what: str,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        body: bytes | None = None,
    ) -> Any:
        """Return the JSON of a successful response as `kind`. `what` names the step in the reason of a refusal."""
        try:
            reply = await send_guarded(
                self._session, self._guard, method, url,
                headers=headers, body=body, timeout=_TIMEOUT, max_bytes=_MAX_BYTES + 1,
            )  # fmt: skip
        except EgressRefused as refused:
            raise SignInRefused("address_refused") from refused
        except (ClientError, OSError) as error:  # a timeout is an OSError
            raise SignInRefused(f"{what}_unavailable", unavailable=True) from error
        if reply.status >= 500:
            raise SignInRefused(f"{what}_unavailable", unavailable=True)
        if reply.status != 200:
            raise SignInRefused(f"{what}_refused")
        if len(reply.body) > _MAX_BYTES:
            raise SignInRefused(f"{what}_too_large")
        try:
            return msgspec.json.decode(reply.body, type=kind)
        except (msgspec.DecodeError, RecursionError) as error:
            raise SignInRefused(f"{what}_unreadable") from error

    def _require_address(self, url: str) -> None:
        try:
            self._guard.require_url(url)
        except EgressRefused as refused:
            raise SignInRefused("address_refused") from refused


@asynccontextmanager
async def open_client(settings: Settings, *, of_installation: bool) -> AsyncIterator[ProviderClient]:
    """Open a client for one sign-in. Only the provider of the installation may be in a private network."""
    guard = EgressGuard(https_only=True, allow_loopback=settings.webhook_allow_loopback, allow_private=of_installation)
    async with open_guarded_session(guard) as session:
        yield ProviderClient(session, guard)


def build_authorization_url(
    provider: Provider,
    known: Discovery,
    *,
    state: str,
    nonce: str,
    verifier: str,
    redirect_uri: str,
    email: str,
    again: bool,
) -> str:
    """Return where the browser goes to sign in. With `again`, the provider has to ask even if it knows the person."""
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
    query = {
        "response_type": "code",
        "scope": _SCOPE,
        "client_id": provider.client_id,
        "redirect_uri": redirect_uri,
        "state": state,
        "nonce": nonce,
        "code_challenge": challenge,
        "code_challenge_method": "S256",
        **({"login_hint": email} if email else {}),
        **({"prompt": "login", "max_age": "0"} if again else {}),
    }
    joint = "&" if "?" in known.authorization_endpoint else "?"
    return known.authorization_endpoint + joint + urlencode(query)


def _build_basic(client_id: str, client_secret: str) -> str:
    """Return the header of HTTP Basic for OAuth, which encodes both parts as forms do (RFC 6749, 2.3.1)."""
    pair = f"{quote_plus(client_id)}:{quote_plus(client_secret)}"
    return f"Basic {base64.b64encode(pair.encode()).decode()}"


def verify_id_token(
    token: str, keys: list[dict[str, Any]], provider: Provider, *, nonce: str, now: datetime
) -> dict[str, Any]:
    """Return the claims of an ID token of this provider, for this client and this sign-in."""
    claims = _verify_signature(token, keys)
    audience = claims.get("aud")
    audiences = audience if isinstance(audience, list) else [audience]
    if claims.get("iss") != provider.issuer:
        raise SignInRefused("token_of_another_issuer")
    if provider.client_id not in audiences or (len(audiences) > 1 and claims.get("azp") != provider.client_id):
        raise SignInRefused("token_for_another_client")
    if claims.get("nonce") != nonce:
        raise SignInRefused("token_of_another_sign_in")
    expires, issued = _read_time(claims, "exp"), _read_time(claims, "iat")
    if expires is None or now >= expires + _LEEWAY:
        raise SignInRefused("token_expired")
    if issued is None or issued > now + _LEEWAY:
        raise SignInRefused("token_of_the_future")
    subject = claims.get("sub")
    if not isinstance(subject, str) or not 1 <= len(subject) <= 255 or not subject.isprintable():
        raise SignInRefused("subject_missing")
    return claims


def _verify_signature(token: str, keys: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the claims if any current key of the provider has signed them. Symmetric keys and `none` sign nothing."""
    for each in keys[:_MAX_KEYS]:
        if each.get("kty") not in {"RSA", "EC", "OKP"} or each.get("use", "sig") != "sig":
            continue
        try:
            return jwt.decode(token, import_key(each), algorithms=_ALGORITHMS).claims
        except (JoseError, ValueError, TypeError, KeyError):  # a key of another kind, or not this one
            continue
    raise SignInRefused("signature_wrong")


def _read_time(claims: Mapping[str, Any], name: str) -> datetime | None:
    value = claims.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return datetime.fromtimestamp(value, UTC)
    except (ValueError, OverflowError, OSError):
        return None


def read_claims(claims: Mapping[str, Any]) -> Claims:
    """Return who the person is. Refused: an address that the provider has not verified."""
    email, name = claims.get("email"), claims.get("name")
    if not isinstance(email, str) or not is_email_address(normalize_email(email)):
        raise SignInRefused("email_missing")
    if claims.get("email_verified") is not True:
        raise SignInRefused("email_unverified")
    shown = " ".join(name.split())[:200] if isinstance(name, str) and name.isprintable() else ""
    return Claims(claims["sub"], normalize_email(email), shown, _read_time(claims, "auth_time"))

"""Sightline keys as bearer tokens: who the key of a request acts for."""

from contextvars import ContextVar

from mcp.server.auth.provider import AccessToken, TokenVerifier
from pydantic import ConfigDict

from sightline.accounts.models import Actor
from sightline.api.edge.authentication import identify_key
from sightline.api.edge.exchange import Exchange

current_exchange: ContextVar[Exchange] = ContextVar("mcp_exchange")
"""The request that is being authenticated. The SDK passes only the token to a verifier."""


class KeyToken(AccessToken):
    """A recognized key, and the actor that it stands for."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    actor: Actor
    address: tuple[str, int] | None


class KeyVerifier(TokenVerifier):
    """Recognizes keys as the APIs do. A refusal is raised as a `Problem`."""

    async def verify_token(self, token: str) -> KeyToken:
        exchange = current_exchange.get()
        exchange.headers[b"x-api-key"] = token.encode("latin-1", "replace")
        actor = await identify_key(exchange)
        return KeyToken(
            token=token,
            client_id=str(actor.key_id),
            subject=str(actor.user_id),
            scopes=list(actor.scopes),
            actor=actor,
            address=exchange.scope.get("client"),
        )

"""Asking the person before credits are spent, where the client can show a question."""

from typing import Annotated, Any

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.resolve import AcceptedElicitation, Elicit, ElicitationResult, Resolve
from mcp_types.version import is_version_at_least
from pydantic import BaseModel, Field

from sightline.mcp.source import find_source

_ASKS_IN_RESULT = "2026-07-28"


class Confirmation(BaseModel):
    submit: Annotated[bool, Field(title="Submit the scan", description="Credits are charged immediately.")]


def gather_content(
    domain_id: str, keywords: list[str] | None, platforms: list[str] | None
) -> dict[str, str | list[str] | None]:
    """Return the content that a quote is bound to."""
    return {"domain_id": domain_id, "keywords": keywords, "platforms": platforms}


async def ask_person(
    context: Context[Any, Any], quote: str, domain_id: str, keywords: list[str] | None, platforms: list[str] | None
) -> Elicit[Confirmation] | None:
    """Return the question, or None if the client cannot ask a person. An invalid quote is refused."""
    source = await find_source(context)
    accepted = source.spending.accept(quote, gather_content(domain_id, keywords, platforms))
    if not can_ask(context):
        return None
    return Elicit(f"Submit this scan? {accepted.summary}", Confirmation)


Asked = Annotated[ElicitationResult[Confirmation], Resolve(ask_person)]


def require_consent(outcome: Any) -> bool:
    """Return whether a person was asked. Refused: they declined, closed the question, or left it unticked."""
    if isinstance(outcome, AcceptedElicitation):
        if outcome.data is None:
            return False
        if outcome.data.submit:
            return True
    raise ToolError("The person did not agree. Nothing was submitted or charged. Do not ask again unless they want it.")


def can_ask(context: Context[Any, Any]) -> bool:
    """Return whether the client shows forms and can be reached: earlier protocols need a way back to the client."""
    capabilities = context.client_capabilities
    elicitation = capabilities.elicitation if capabilities else None
    if elicitation is None or (elicitation.form is None and elicitation.url is not None):
        return False
    version = context.protocol_version
    return context.session.can_send_request or (version is not None and is_version_at_least(version, _ASKS_IN_RESULT))

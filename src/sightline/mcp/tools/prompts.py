"""The prompts of a tracked domain: how often answers name the brand, their history, and pins."""

from collections.abc import Mapping
from typing import Annotated, Any

from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

from sightline.kit.ids import new_id
from sightline.mcp.source import CurrentSource
from sightline.mcp.tables import (
    Cell,
    Table,
    build_table,
    build_whole_table,
    cut_text,
    name_column,
    read_page,
    take_rows,
)
from sightline.mcp.toolbox import Cursor, DomainId, ToolOutput, tool
from sightline.mcp.tools.visibility import list_cautions, read_cautions

PromptId = Annotated[str, Field(description="Id of the prompt, from list_prompts.")]
_PROMPTS = (
    name_column("prompt_id"),
    name_column("prompt"),
    name_column("language"),
    name_column("country", "Null if none is set."),
    name_column("pinned", "Pinned prompts are in every Daily Check."),
    name_column("named", "Platforms whose latest answer names the brand.", unit="answers"),
    name_column("n", "Platforms with a valid latest answer.", unit="answers"),
    name_column("cited", "Platforms whose latest answer cites the brand.", unit="answers"),
    name_column("best_place", "Best place of the brand in these answers.", metric="market_position"),
    name_column("monthly_searches", "Null if unknown.", unit="searches"),
    name_column("null_reason", "Why there is nothing to count."),
)
_HISTORY = (
    name_column("answered_at"),
    name_column("check", "full_check or daily_check."),
    name_column("platform"),
    name_column("status", "ok, no_surface or failed."),
    name_column("named", "Whether the answer names the brand. Null without an answer."),
    name_column("position", "Place in the answer. Null if it has none.", metric="market_position"),
    name_column("cited"),
    name_column("sentiment"),
    name_column("competitors", "Tracked competitors that it names."),
    name_column("scan_id"),
    name_column("answer_id"),
)
_CHANCES = (
    name_column("platform"),
    name_column("chance", "Chance that one answer names the brand.", metric="spot_check"),
    name_column("low", "Lower end of its 95% range.", metric="spot_check"),
    name_column("high", "Upper end of its 95% range.", metric="spot_check"),
    name_column("n", "How often the prompt was asked.", unit="answers"),
    name_column("null_reason"),
)


class Prompts(ToolOutput):
    prompts: Table


class PromptHistory(ToolOutput):
    prompt_id: str
    chances: Annotated[
        Table, Field(description="Chance of being named, over the last 90 days. Judge by it, not by one answer.")
    ]
    answers: Annotated[Table, Field(description="Answers of all checks, newest first.")]


class PinnedPrompt(ToolOutput):
    prompt_id: str
    prompt: str
    language: str | None
    country: str | None
    pinned: bool


@tool("List prompts", "list_prompts")
async def list_prompts(source: CurrentSource, domain_id: DomainId, cursor: Cursor = None) -> Prompts:
    """List the prompts of a tracked domain, pinned ones first, with the number of platforms that name the brand now.

    Use it for "which questions do we miss?" and to find prompt ids. For a trend, call get_prompt_history. For prompts
    that are worth winning, call list_opportunities.
    """
    page = await read_page(source, "list_prompts", cursor, path={"domain_id": domain_id})
    board = (await source.call("read_analytics", path={"domain_id": domain_id})).data
    cells = {prompt["prompt_id"]: prompt["cells"] for prompt in board["prompts"]}
    table = build_table(_PROMPTS, page, lambda row: _to_prompt(row, cells.get(row["id"], [])))
    return Prompts(prompts=table, notes=[*page.reply.notes, *list_cautions(board)])


def _to_prompt(row: Mapping[str, Any], cells: list[Mapping[str, Any]]) -> list[Cell]:
    valid = [cell for cell in cells if cell["state"] in {"named", "cited_only", "absent"}]
    places = [cell["position"] for cell in valid if cell["position"] is not None]
    return [
        *(row["id"], cut_text(row["prompt"], 200), row["language_code"], row["country_iso_2"], row["user_pinned"]),
        sum(cell["state"] == "named" for cell in valid) if valid else None,
        len(valid),
        sum(bool(cell["cited"]) for cell in valid) if valid else None,
        min(places, default=None),
        row["search_volume"],
        None if valid else "No check has a valid answer to this prompt yet.",
    ]


@tool("Get the history of a prompt", "read_prompt_spot_checks")
async def get_prompt_history(
    source: CurrentSource, domain_id: DomainId, prompt_id: PromptId, cursor: Cursor = None
) -> PromptHistory:
    """Read every answer to one prompt, newest first, and the chance that each platform names the brand.

    Use it for "are we losing this question?" and to find answers to quote with get_answer. Answers differ from day to
    day: judge by the chances and their ranges, never by two single answers.
    """
    path = {"domain_id": domain_id, "prompt_id": prompt_id}
    chances = await source.call("read_prompt_spot_checks", path=path)
    query = {"prompt": prompt_id, "checks": "all", "status": "any"}
    page = await read_page(source, "list_answers", cursor, path={"domain_id": domain_id}, query=query)
    return PromptHistory(
        prompt_id=prompt_id,
        chances=build_whole_table(_CHANCES, take_rows([_to_chance(row) for row in chances.data["platforms"]], 1_500)),
        answers=build_table(_HISTORY, page, _to_answer),
        notes=[*page.reply.notes, *await read_cautions(source, domain_id)],
    )


def _to_chance(row: Mapping[str, Any]) -> list[Cell]:
    chance = row["chance"]
    reason = None if chance["value"] is not None else "Asked fewer than five times in 90 days."
    return [row["platform"], chance["value"], chance["low"], chance["high"], chance["n"], reason]


def _to_answer(row: Mapping[str, Any]) -> list[Cell]:
    names = ("answered_at", "measurement_scope", "platform", "status", "mentioned", "position", "cited", "sentiment")
    return [*(row[name] for name in names), list(row["competitors"]), row["scan_id"], row["id"]]


@tool("Pin a prompt", "add_prompt", writes=True)
async def pin_prompt(
    source: CurrentSource,
    domain_id: DomainId,
    prompt: Annotated[str, Field(description="Text of the prompt, as people ask it.")],
    language_code: Annotated[
        str | None, Field(description="ISO 639-1 code. Required for a prompt that is not tracked yet.")
    ] = None,
    country_iso_2: Annotated[str | None, Field(description="ISO 3166-1 alpha-2 code. Leave it out for Global.")] = None,
    prompt_id: Annotated[str | None, Field(description="Id of a tracked prompt, sent with its text.")] = None,
) -> PinnedPrompt:
    """Pin a prompt, so that every Daily Check asks it. A new prompt is added and counts toward the prompt limit.

    Use it only when a person asks to track or pin a question. Pinning a pinned prompt changes nothing. No tool removes
    a prompt. unpin_prompt only unpins it.
    """
    body = {"prompt": prompt, "language_code": language_code, "country_iso_2": country_iso_2, "existing_id": prompt_id}
    given = {name: value for name, value in body.items() if value is not None}
    reply = await source.call("add_prompt", path={"domain_id": domain_id}, body=given, idempotency_key=_make_key())
    return _to_pinned(reply.data)


@tool("Unpin a prompt", "unpin_prompt", writes=True)
async def unpin_prompt(source: CurrentSource, domain_id: DomainId, prompt_id: PromptId) -> PinnedPrompt:
    """Unpin a prompt. The prompt stays tracked, and Full Checks still ask it.

    Use it only when a person asks for it. Unpinning a prompt that is not pinned changes nothing.
    """
    if not prompt_id.strip():
        raise ToolError("Name the prompt by its id, from list_prompts.")
    path = {"domain_id": domain_id, "prompt_id": prompt_id}
    return _to_pinned((await source.call("unpin_prompt", path=path, idempotency_key=_make_key())).data)


def _make_key() -> str:
    """Return a new key: both operations change nothing when they are repeated."""
    return f"mcp-{new_id()}"


def _to_pinned(row: Mapping[str, Any]) -> PinnedPrompt:
    return PinnedPrompt(
        prompt_id=row["id"],
        prompt=row["prompt"],
        language=row["language_code"],
        country=row["country_iso_2"],
        pinned=row["user_pinned"],
    )

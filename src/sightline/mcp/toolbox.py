"""How a tool is declared: a function over a source, with what it needs and what it does to the world."""

import functools
import inspect
from collections.abc import Awaitable, Callable
from typing import Annotated, Any, TypeVar, get_type_hints

import msgspec
from mcp_types import CallToolResult, TextContent, ToolAnnotations
from pydantic import BaseModel, Field

Output = TypeVar("Output", bound=BaseModel)

DomainId = Annotated[str, Field(description="Id of the domain, from list_domains.")]
ScanId = Annotated[str, Field(description="Id of a check or scan.")]
Cursor = Annotated[
    str | None, Field(description="`next_cursor` of the previous page. Leave it out for the first page.")
]


class Tool(msgspec.Struct, frozen=True, kw_only=True):
    """A tool of the server."""

    name: str
    title: str
    description: str
    function: Callable[..., Awaitable[Any]]
    operations: tuple[str, ...]
    """The key must be allowed to run one of these operations. If there are none, every key may use the tool."""
    annotations: ToolAnnotations


class ToolOutput(BaseModel):
    """What every tool returns."""

    notes: Annotated[list[str], Field(description="What you need to know before you use these figures.")] = []


def tool(
    title: str, *operations: str, writes: bool = False, open_world: bool = False
) -> Callable[[Callable[..., Awaitable[Output]]], Tool]:
    """Make a tool of a function; its docstring says when to use it. No tool removes anything."""

    def decorate(function: Callable[..., Awaitable[Output]]) -> Tool:
        return Tool(
            name=function.__name__,
            title=title,
            description=inspect.cleandoc(function.__doc__ or ""),
            function=_return_result(function),
            operations=operations,
            annotations=ToolAnnotations(
                title=title,
                read_only_hint=not writes,
                destructive_hint=False,
                idempotent_hint=True,
                open_world_hint=open_world,
            ),
        )

    return decorate


def _return_result(function: Callable[..., Awaitable[Output]]) -> Callable[..., Awaitable[CallToolResult]]:
    """Wrap a function to return its output as compact JSON, once as text and once structured."""
    hints = get_type_hints(function, include_extras=True)

    @functools.wraps(function)
    async def run(**arguments: Any) -> CallToolResult:
        output = await function(**arguments)
        text = output.model_dump_json()
        return CallToolResult(
            content=[TextContent(type="text", text=text)], structured_content=output.model_dump(mode="json")
        )

    hints["return"] = Annotated[CallToolResult, hints["return"]]
    signature = inspect.signature(function)
    parameters = [parameter.replace(annotation=hints[name]) for name, parameter in signature.parameters.items()]
    run.__annotations__ = hints
    run.__dict__["__signature__"] = signature.replace(parameters=parameters, return_annotation=hints["return"])
    return run

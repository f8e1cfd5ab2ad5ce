"""The server with its tools, resources and prompts. It lists and runs only the tools that the caller's key may use."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.request_state import RequestStateSecurity
from mcp_types import CallToolResult, InputRequiredResult
from mcp_types import Tool as ListedTool

from sightline import __version__
from sightline.mcp.prompt_texts import add_prompts
from sightline.mcp.resources import add_resources
from sightline.mcp.source import Source, SourceProvider
from sightline.mcp.toolbox import Tool
from sightline.mcp.tools import ALL_TOOLS

NAME = "sightline"
_INSTRUCTIONS = """\
Sightline measures how a brand appears in the answers of AI platforms. Start with list_domains. Every figure has a unit,
a direction, the number of answers, a 95% range, and a reason if it is null. A null is not a zero. A change is real only
if its verdict is up or down; no_clear_change means that chance alone may explain it. Market Position 1 is best."""


class SightlineServer(MCPServer[Any]):
    """An MCP server whose tools depend on the key of the caller."""

    def __init__(self, provider: SourceProvider, *, request_state: RequestStateSecurity | None = None) -> None:
        @asynccontextmanager
        async def lifespan(_: MCPServer[Any]) -> AsyncIterator[SourceProvider]:
            yield provider

        super().__init__(
            NAME,
            title="Sightline",
            description="How a brand appears in AI answers: figures, changes, competitors, sources and what to do.",
            instructions=_INSTRUCTIONS,
            version=__version__,
            lifespan=lifespan,
            request_state_security=request_state,
            subscriptions=False,
            log_level="WARNING",
        )
        self._provider = provider
        self._declared: Mapping[str, Tool] = {tool.name: tool for tool in ALL_TOOLS}
        for tool in ALL_TOOLS:
            self.add_tool(
                tool.function, tool.name, title=tool.title, description=tool.description, annotations=tool.annotations
            )
        add_resources(self)
        add_prompts(self)

    async def list_tools(self) -> list[ListedTool]:
        source = self._provider.find_source()
        return [tool for tool in await super().list_tools() if await self._is_allowed(source, tool.name)]

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """Run a tool. A tool that the key may not use answers like one that does not exist."""
        if not await self._is_allowed(self._provider.find_source(), name):
            raise ToolError(f"Unknown tool: {name}")
        return await super().call_tool(name, arguments, context)

    async def _is_allowed(self, source: Source, name: str) -> bool:
        tool = self._declared.get(name)
        if tool is None:
            return False
        if not tool.operations:
            return True
        for operation in tool.operations:
            if await source.allows(operation):
                return True
        return False

"""mcp: the MCP server for an assistant on this machine."""

import asyncio
from importlib.util import find_spec

from sightline.cli.context import load_settings
from sightline.cli.failures import fail
from sightline.kit.shell_command import format_install


def mcp() -> None:
    """Run the MCP server for an assistant, over stdin and stdout.

    Set SIGHTLINE_DATA_KEY to a Data key, SIGHTLINE_API_KEY to a Console key,
    or both. Set SIGHTLINE_BASE_URL to the address of the server.
    """
    for package, requirement in (("mcp", "sightline-ai[mcp]"), ("sightline_sdk", "sightline-sdk")):
        if find_spec(package) is None:
            command = format_install(requirement)
            fail(f"This command needs a package that is not installed. Install it with: {command}")
    from sightline.mcp.stdio.run import StdioError, run_stdio

    try:
        asyncio.run(run_stdio(load_settings()))
    except StdioError as refusal:
        fail(str(refusal))

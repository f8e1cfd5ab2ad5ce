"""mcp: the MCP server for an assistant on this machine."""

import asyncio
from importlib.util import find_spec

from sightline.cli.context import load_settings
from sightline.cli.failures import fail


def mcp() -> None:
    """Run the MCP server for an assistant, over stdin and stdout.

    Set SIGHTLINE_DATA_KEY to a Data key, SIGHTLINE_API_KEY to a Console key,
    or both. Set SIGHTLINE_BASE_URL to the address of the server.
    """
    for package, remedy in (("mcp", "pip install 'sightline-ai[mcp]'"), ("sightline_sdk", "pip install sightline-sdk")):
        if find_spec(package) is None:
            fail(f"This command needs a package that is not installed. Install it with: {remedy}")
    from sightline.mcp.stdio.run import StdioError, run_stdio

    try:
        asyncio.run(run_stdio(load_settings()))
    except StdioError as refusal:
        fail(str(refusal))

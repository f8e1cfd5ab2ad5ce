"""The paths of the MCP server, which are known without the MCP SDK."""

PATH = "/mcp"
METADATA_PATHS = frozenset({"/.well-known/oauth-protected-resource", f"/.well-known/oauth-protected-resource{PATH}"})

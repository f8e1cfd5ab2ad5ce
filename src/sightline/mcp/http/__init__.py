"""The MCP server over HTTP, at `/mcp` of the API process: keys as bearer tokens, operations run in this process."""

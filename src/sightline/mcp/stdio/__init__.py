"""The MCP server over stdio, `sightline mcp`: a Sightline server, called through the SDK."""

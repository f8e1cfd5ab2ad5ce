"""The MCP server: tools with which an assistant reads the figures of a workspace, over stdio and over HTTP.

Tools are declared once, in `tools/`, over the protocol `Source`. `http/` runs operations of the APIs in this process,
`stdio/` calls them through the SDK. What a tool returns is read from the APIs; nothing here queries the database.
"""

"""Pages about people: one's own account, the members of a workspace, joining one, and the demonstration."""

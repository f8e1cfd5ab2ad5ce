"""Where the rows of each table come from."""

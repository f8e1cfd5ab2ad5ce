"""The queue and its worker, on a real PostgreSQL. What the jobs of a feature do is tested with that feature."""

"""The queue and its worker, on a real PostgreSQL. What the jobs of a room do is tested with that room."""

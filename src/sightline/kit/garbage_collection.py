"""How often Python searches for cyclic garbage."""

import gc

# Hundreds of calls under way are tens of thousands of objects, none of which is garbage. Searching them after every 700
# new ones, Python's default, takes a seventh of a worker's time.
_ALLOCATIONS_BEFORE_COLLECTION = 50_000


def collect_rarely() -> None:
    """Collect rarely, and never search what exists now. For a process that has just started and will run for long."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(_ALLOCATIONS_BEFORE_COLLECTION, 10, 10)

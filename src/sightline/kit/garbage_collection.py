"""How often Python looks for garbage that only a search finds: rings of objects that nobody else knows any more."""

import gc

# Hundreds of calls under way are tens of thousands of objects, none of which is garbage: looking through them after
# every 700 new ones, as Python does by itself, takes a seventh of a worker's time.
_ALLOCATIONS_BEFORE_COLLECTION = 50_000


def collect_rarely() -> None:
    """For a process that has just started and will run for long: what is there now is never looked at again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(_ALLOCATIONS_BEFORE_COLLECTION, 10, 10)

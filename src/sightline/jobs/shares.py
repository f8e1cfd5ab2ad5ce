"""How a worker's places for one kind of job are shared evenly, by workspace and then by endpoint. Pure.

A share gets a further place only while more places are free than its workspace and its endpoint have taken. So a
workspace that is alone never fills the worker, and the next one begins at once, however slow the first one's jobs are.
"""

import heapq
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime

import msgspec


class WaitingShare(msgspec.Struct, frozen=True):
    """The due jobs of one share, which is written as `workspace/endpoint`."""

    share: str
    due_since: datetime
    count: int


def share_places(
    waiting: Sequence[WaitingShare], running: Mapping[str, int], free: int, *, at_most: int
) -> Mapping[str, int]:
    """Return how many jobs of each share begin now.

    The next place goes to the workspace with the fewest jobs under way, in it to the endpoint with the fewest, and
    among equals to the one that has waited longest.
    """
    by_share = Counter(running)
    by_workspace: Counter[str] = Counter()
    for share, count in running.items():
        by_workspace[_workspace(share)] += count

    def turn(each: WaitingShare) -> tuple[int, int, datetime, str]:
        return by_workspace[_workspace(each.share)], by_share[each.share], each.due_since, each.share

    left = {each.share: each for each in waiting if each.count}
    turns = [turn(each) for each in left.values()]
    heapq.heapify(turns)
    granted: Counter[str] = Counter()
    while turns and granted.total() < at_most:
        each = left[turns[0][-1]]
        if turns[0] != turn(each):  # another endpoint of the workspace has got a place meanwhile
            heapq.heapreplace(turns, turn(each))
        elif granted[each.share] == each.count or by_workspace[_workspace(each.share)] + by_share[each.share] >= free:
            heapq.heappop(turns)
        else:
            free -= 1
            for counter, name in (
                (granted, each.share),
                (by_share, each.share),
                (by_workspace, _workspace(each.share)),
            ):
                counter[name] += 1
    return granted


def _workspace(share: str) -> str:
    return share.partition("/")[0]

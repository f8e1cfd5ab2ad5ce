"""What a run consists of: its conditions and its faults with their times, drawn from the seed alone."""

import random

import msgspec


class Conditions(msgspec.Struct, frozen=True):
    """What is the same for a whole run."""

    asks_over_network: bool = False
    """Whether platforms are asked over HTTP, where they can fail and lie, or are those of the sandbox."""
    runs_two_releases: bool = False
    """Whether half of the processes run the release before this one when the run begins."""


class Trouble(msgspec.Struct, frozen=True):
    """A fault with its time, in seconds from the start, and its duration."""

    at: float
    kind: str
    place: int
    """Selects one of several processes, or how bad the fault is."""
    lasts: float


# The weight of each kind, and its shortest and longest duration in seconds.
_KINDS: dict[str, tuple[int, float, float]] = {
    "kill_api": (3, 0.2, 2.0),
    "kill_worker": (4, 0.2, 3.0),
    "end_worker": (1, 0.2, 1.0),
    "freeze_api": (2, 0.5, 10.0),
    "freeze_worker": (3, 1.0, 10.0),
    "crash_postgresql": (1, 0.2, 2.0),
    "kill_postgresql": (1, 0.2, 2.0),
    "fill_disk": (2, 1.0, 5.0),
    "reset": (4, 0.0, 0.1),
    "delay": (2, 1.0, 4.0),
    "drip": (2, 1.0, 4.0),
    "refuse": (1, 0.5, 3.0),
    "hang": (1, 1.0, 12.0),
    "delay_worker": (2, 2.0, 8.0),
    "part_worker": (3, 1.0, 12.0),
    "jump_clock": (4, 1.0, 8.0),
}
_PLATFORM_KINDS: dict[str, tuple[int, float, float]] = {
    "platform_truncates": (2, 1.0, 5.0),
    "platform_lies": (2, 1.0, 5.0),
    "platform_limits": (2, 1.0, 5.0),
    "platform_hangs": (2, 1.0, 5.0),
    "platform_drips": (2, 1.0, 5.0),
}
_RELEASE_KINDS = {"replace_process": (8, 0.1, 0.5)}


def draw_conditions(seed: int) -> Conditions:
    chance = random.Random(f"conditions {seed}")
    return Conditions(asks_over_network=chance.random() < 0.5, runs_two_releases=chance.random() < 0.3)


def list_kinds(conditions: Conditions) -> dict[str, tuple[int, float, float]]:
    """Return the faults that can happen under these conditions."""
    return (
        _KINDS
        | (_PLATFORM_KINDS if conditions.asks_over_network else {})
        | (_RELEASE_KINDS if conditions.runs_two_releases else {})
    )


def plan_troubles(seed: int, seconds: float) -> list[Trouble]:
    """Draw the faults of a run. None begins in the last second, so that each has an effect."""
    chance = random.Random(f"nemesis {seed}")
    possible = list_kinds(draw_conditions(seed))
    kinds, weights = list(possible), [weight for weight, _, _ in possible.values()]
    troubles: list[Trouble] = []
    at = chance.uniform(0.5, 2.0)
    while at < seconds - 1:
        kind = chance.choices(kinds, weights)[0]
        _, least, most = possible[kind]
        troubles.append(Trouble(round(at, 2), kind, chance.randrange(1_000), round(chance.uniform(least, most), 2)))
        at += chance.uniform(0.5, 4.0)
    return troubles

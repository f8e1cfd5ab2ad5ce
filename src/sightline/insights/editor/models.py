"""Rows of the editor: what a domain's editions build on, and how the latest one went."""

import uuid
from typing import Literal

import msgspec

from sightline.insights.editor.market import Market
from sightline.insights.editor.names import NameVerdict
from sightline.insights.editor.requests import RequestKind
from sightline.insights.editor.sorting import CodebookTheme, SortedPassage

RulesReason = Literal["off", "declined", "paused", "unavailable"]
"""Why rules alone made the insights: no editor is set or connected, the workspace declined, the platform is paused, or
it did not answer in time."""


class StoredMemory(msgspec.Struct, frozen=True):
    """The JSON in `editions.memory`."""

    names: dict[str, NameVerdict] = {}
    version: int = 0
    """The codebook that the passages were sorted into."""
    sorted: dict[str, tuple[SortedPassage, ...]] = {}


class EditionAccount(msgspec.Struct, frozen=True, kw_only=True):
    """The JSON in `editions.account`: how the latest edition went."""

    reason: RulesReason | None = None
    """None if there was an edition."""
    former_editor: str | None = None
    """Who edited before, if this is the first edition of another editor or model."""
    themes_edited: bool = False
    dropped: dict[str, int] = {}
    """Items of replies that did not verify and replies that cannot be read, as `Dropped` counts them."""
    over_budget: dict[str, int] = {}
    """Requests that were left to rules because of their cost."""
    failed: dict[str, int] = {}
    """Requests that the platform did not reply to."""
    fault: str | None = None
    """What went wrong last, as the platform says it."""
    cost_usd: float = 0.0


class EditionRow(msgspec.Struct, frozen=True, kw_only=True):
    """What is stored of the editions of a domain."""

    scan_id: uuid.UUID | None = None
    editor: str | None = None
    version: int = 0
    market: Market | None = None
    is_corrected: bool = False
    """Whether people have said what the market is."""
    memory: StoredMemory = StoredMemory()
    account: EditionAccount | None = None
    codebook: tuple[CodebookTheme, ...] = ()


ProblemReason = Literal["unreadable", "unproven", "over_budget", "failed"]


class EditorProblem(msgspec.Struct, frozen=True):
    """What could not be used of the latest edition of all domains, for one kind of request and one reason."""

    kind: RequestKind
    reason: ProblemReason
    number: int


class EditorUse(msgspec.Struct, frozen=True):
    """What all workspaces used the editor for in some days."""

    requests: int
    checks: int
    cost_usd: float | None
    problems: tuple[EditorProblem, ...]
    """Most frequent first."""
    faults: tuple[str, ...]
    """What platforms said when they did not reply, most frequent first, at most five."""

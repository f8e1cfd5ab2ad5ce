"""Market Position and Share of Voice of stored checks. Pure.

A Full Check sets them, and they are measured again only when the tracked competitors change. So a Daily Check has
neither, and a correction or a new alias of the brand changes them with the next Full Check.
"""

from collections.abc import Callable, Iterable, Sequence
from operator import attrgetter
from typing import TypeVar

import msgspec

from sightline.kit.structs import convert_struct
from sightline.metrics.figure import Figure
from sightline.scans.schemas.results import CompetitorResult, Headline, ScanMeasurements
from sightline.scoreboard.compare import Comparisons
from sightline.scoreboard.schemas import Board, ComparedFigure, ComparedHeadline

AnyHeadline = TypeVar("AnyHeadline", bound=Headline)

MARKET_FIGURES = ("market_position", "share_of_voice_pct")
UNMEASURED = Figure(
    value=None, low=None, high=None, n=0, numerator=None, denominator=None, early_reading=False, incomplete=False
)
"""A figure that a check does not measure."""
_UNMEASURED = dict.fromkeys(MARKET_FIGURES, msgspec.Raw(msgspec.json.encode(UNMEASURED)))
_read_members = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode


def drop_market_figures(board: Board) -> Board:
    """Return the board of a Daily Check without what only a Full Check measures."""
    return msgspec.structs.replace(
        board,
        headline=_drop_compared(board.headline),
        platforms=tuple(map(_drop, board.platforms)),
        countries=tuple(map(_drop, board.countries)),
        competitors=(),
        branded=board.branded and _drop(board.branded),
    )


def drop_market_point(point: bytes) -> bytes:
    """Return the stored trend point of a Daily Check without what only a Full Check measures."""
    return msgspec.json.encode(_read_members(point) | _UNMEASURED)


def keep_market_results(now: ScanMeasurements, before: ScanMeasurements) -> ScanMeasurements:
    """Return the results of a check that was analyzed again, with the market figures that it had before."""
    return msgspec.structs.replace(
        now,
        headline=keep_market_figures(now.headline, before.headline),
        details=msgspec.structs.replace(
            now.details, weighted_share_of_voice_pct=before.details.weighted_share_of_voice_pct
        ),
        branded=now.branded and keep_market_figures(now.branded, before.branded),
        platforms=keep_by(now.platforms, before.platforms, key=attrgetter("platform")),
        competitors=_keep_ranking(now.competitors, before.competitors),
    )


def keep_market_comparisons(now: Comparisons, before: Board) -> Comparisons:
    """Return the comparisons with those of the market figures that the stored board of the check has."""
    kept = {name: getattr(before.headline, name).comparison for name in MARKET_FIGURES}
    return msgspec.structs.replace(now, **kept)


def keep_market_countries(now: Board, before: Board) -> Board:
    """Return the board of a check with the market figures of countries that its stored board has."""
    kept = keep_by(now.countries, before.countries, key=attrgetter("country"))
    return msgspec.structs.replace(now, countries=kept)


def has_same_ranking(now: Sequence[CompetitorResult], before: Sequence[CompetitorResult]) -> bool:
    """Return whether the ranking was kept. The brand may have another name and other domains."""
    return tuple(now) == _keep_ranking(now, before)


def keep_market_figures(now: AnyHeadline, before: Headline | ComparedHeadline | None) -> AnyHeadline:
    """Return the figures with the market figures of before, if there are any, without their comparisons."""
    if before is None:
        return now
    kept = {name: convert_struct(Figure, getattr(before, name)) for name in MARKET_FIGURES}
    return msgspec.structs.replace(now, **kept)


def keep_by(
    now: Iterable[AnyHeadline], before: Iterable[AnyHeadline], *, key: Callable[[AnyHeadline], str | None]
) -> tuple[AnyHeadline, ...]:
    """Return the rows with the market figures of the rows of before that have the same key."""
    known = {key(row): row for row in before}
    return tuple(keep_market_figures(row, known.get(key(row))) for row in now)


def _keep_ranking(now: Sequence[CompetitorResult], before: Sequence[CompetitorResult]) -> tuple[CompetitorResult, ...]:
    """Return the ranking as it was, with the name and the domains that the brand has now."""
    own = next((row for row in now if row.is_own), None)
    if own is None:
        return tuple(before)
    renamed = {"name": own.name, "domains": own.domains}
    return tuple(msgspec.structs.replace(row, **renamed) if row.is_own else row for row in before)


def _drop(row: AnyHeadline) -> AnyHeadline:
    return msgspec.structs.replace(row, **dict.fromkeys(MARKET_FIGURES, UNMEASURED))


def _drop_compared(headline: ComparedHeadline) -> ComparedHeadline:
    unmeasured = convert_struct(ComparedFigure, UNMEASURED, comparison=None)
    return msgspec.structs.replace(headline, **dict.fromkeys(MARKET_FIGURES, unmeasured))

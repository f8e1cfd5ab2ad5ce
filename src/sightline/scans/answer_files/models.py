"""What is said about a file of answers, beyond the results that a scan has, too."""

from datetime import date
from typing import Literal

import msgspec

from sightline.scans.answer_files.changes import DayComparison
from sightline.scans.answer_files.columns import MissingPart
from sightline.scans.answer_files.markets import OtherMarkets
from sightline.scans.answer_files.misread_names import MisreadName
from sightline.scans.schemas.results import Headline


class FileReading(msgspec.Struct, frozen=True, kw_only=True):
    """How a file was read, and what of it was not."""

    unit: Literal["row", "line"] = "line"
    """What the answers are counted in, and named by where the file has no ids."""
    columns: dict[str, str]
    """The column of each field."""
    unused: tuple[str, ...]
    missing: tuple[MissingPart, ...]
    """The fields that the file does not have, among those that make a difference."""
    left_out: int
    bad_lines: tuple[tuple[int, str], ...]
    """The first lines that were left out, and why."""
    recoded: int
    cut: int
    ambiguous_dates: int
    days: int


class FileWeek(msgspec.Struct, frozen=True, kw_only=True):
    """The figures of the answers of one week, alone."""

    first_day: date
    """The Monday of the week, in UTC."""
    last_day: date
    """The day of its last answer."""
    platforms: tuple[str, ...]
    headline: Headline


class FileOpinion(msgspec.Struct, frozen=True, kw_only=True):
    """What a file tells beyond the results of a scan. `comparison` is None without two days to compare."""

    reading: FileReading
    comparison: DayComparison | None
    misread_names: tuple[MisreadName, ...]
    are_rivals_chosen: bool
    """Whether nobody named the competitors, so that the most named brands are compared."""
    other_markets: OtherMarkets | None = None
    """What the file says about other markets; None if it is about one."""
    weeks: tuple[FileWeek, ...] = ()
    """The weeks of the file, oldest first, where they were measured."""

    @property
    def is_market_known(self) -> bool:
        """Return whether a ranking means something: the file is about one market, or names the brand in one."""
        return self.other_markets is None or self.other_markets.prompts > 0

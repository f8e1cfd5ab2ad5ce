"""A first look at a file of answers: which prompts and platforms it holds, and which of its lines are not answers."""

from collections import Counter
from collections.abc import Collection
from datetime import date, datetime
from pathlib import Path

import msgspec

from sightline.answers.models import Brand
from sightline.platforms.access import can_cite
from sightline.platforms.catalog import PLATFORMS
from sightline.prompts.identity import normalize_text
from sightline.scans.answer_files.columns import FileLayout
from sightline.scans.answer_files.lines import BadLine
from sightline.scans.answer_files.records import SPREADSHEET_LIMIT, FileAnswer, read_answers
from sightline.scans.models import ScanPlan, ScanPrompt

MAX_ANSWERS = 200_000
MAX_PLATFORMS = 50
MAX_PROMPTS = 20_000
MAX_BAD_SHARE = 0.1
"""Of the lines. If more of them are not answers, the figures would be about something else than the file."""
MAX_BAD_LINES = 20  # that are listed; the others are counted

_PromptKey = tuple[str, str | None, str | None]
_KNOWN = [platform.key for platform in PLATFORMS]


class FileSurvey(msgspec.Struct):
    """What a file of answers holds. Its size grows with the prompts, not with the answers."""

    layout: FileLayout
    answers: int = 0
    prompts: dict[_PromptKey, ScanPrompt] = {}
    """By what makes two prompts the same: the normalized text, the country and the language."""
    platforms: dict[str, bool] = {}
    """Every platform, and whether an answer of it names sources."""
    cells: Counter[tuple[str, str]] = msgspec.field(default_factory=Counter)
    """The number of answers by the id of the prompt and the platform."""
    first_answered_at: datetime | None = None
    last_answered_at: datetime | None = None
    days: Counter[date] = msgspec.field(default_factory=Counter)
    """The number of answers on each day, in UTC."""
    recoded: int = 0
    """Answers whose line is not UTF-8."""
    cut: int = 0
    """Answers as long as a cell of a spreadsheet can be."""
    ambiguous_dates: int = 0
    left_out: set[int] = set()
    """The numbers of the lines that are not used."""
    bad_lines: list[BadLine] = []
    more_bad_lines: int = 0
    is_cut_short: bool = False
    """Whether reading ended before the end of the file."""

    @property
    def bad_count(self) -> int:
        return len(self.bad_lines) + self.more_bad_lines

    @property
    def is_usable(self) -> bool:
        """Return whether the figures would be those of the file: it was read to the end, and hardly a line is bad."""
        lines = self.answers + self.bad_count
        return self.answers > 0 and not self.is_cut_short and self.bad_count <= MAX_BAD_SHARE * lines

    def find_prompt(self, answer: FileAnswer) -> ScanPrompt:
        """Return the prompt of an answer. Raises `KeyError` if the file did not hold it when it was surveyed."""
        return self.prompts[_prompt_key(answer)]

    def build_plan(self, brand: Brand, competitors: tuple[Brand, ...], *, left_out: Collection[str] = ()) -> ScanPlan:
        """Return the plan of a scan that would have asked what the file answers, without some prompts.

        A platform never cites if none of its connectors does and no answer in the file names a source.
        """
        asked = {platform for prompt, platform in self.cells if prompt not in left_out}
        ordered = sorted(asked, key=lambda key: _KNOWN.index(key) if key in _KNOWN else len(_KNOWN))
        return ScanPlan(
            domain=brand.domains[0] if brand.domains else "",
            brand=brand,
            competitors=competitors,
            prompts=tuple(prompt for prompt in self.prompts.values() if prompt.id not in left_out),
            platforms=tuple(ordered),
            uncited=frozenset(
                key for key, cites in self.platforms.items() if key in _KNOWN and not can_cite(key) and not cites
            ),
        )

    def add(self, answer: FileAnswer) -> None:
        self.answers += 1
        self.platforms[answer.platform] = self.platforms.get(answer.platform, False) or bool(answer.sources)
        key = _prompt_key(answer)
        if key not in self.prompts:
            number = str(len(self.prompts) + 1)
            self.prompts[key] = ScanPrompt(
                id=number, text=answer.prompt, language=answer.language, country=answer.country
            )
        self.cells[self.prompts[key].id, answer.platform] += 1
        self.recoded += answer.was_recoded
        self.cut += self.layout.format == "csv" and len(answer.text) == SPREADSHEET_LIMIT
        self.ambiguous_dates += answer.has_ambiguous_date
        if (at := answer.answered_at) is not None:
            self.days[at.date()] += 1
            self.first_answered_at = min(at, self.first_answered_at or at)
            self.last_answered_at = max(at, self.last_answered_at or at)

    def leave_out(self, bad: BadLine) -> None:
        self.left_out.add(bad.number)
        self.is_cut_short = self.is_cut_short or bad.is_final
        if len(self.bad_lines) < MAX_BAD_LINES:
            self.bad_lines.append(bad)
        else:
            self.more_bad_lines += 1


def survey_file(path: Path, layout: FileLayout, *, most: int = MAX_ANSWERS) -> FileSurvey:
    """Read the whole file and return what it holds, with every bad line. Raises `OSError` if it cannot be read."""
    survey = FileSurvey(layout)
    lines: dict[str, int] = {}
    for found in read_answers(path, layout):
        if isinstance(found, BadLine):
            survey.leave_out(found)
            continue
        first = lines.setdefault(found.id, found.line)
        if first != found.line:
            survey.leave_out(BadLine(found.line, f"The id {found.id!r} is used twice, first in {layout.unit} {first}."))
        elif survey.answers == most:
            survey.leave_out(BadLine(found.line, f"The file has more than {most:,} answers. Split it.", is_final=True))
            break
        elif found.platform not in survey.platforms and len(survey.platforms) == MAX_PLATFORMS:
            survey.leave_out(BadLine(found.line, f"The file has more than {MAX_PLATFORMS} platforms."))
        elif len(survey.prompts) == MAX_PROMPTS and _prompt_key(found) not in survey.prompts:
            survey.leave_out(BadLine(found.line, f"The file has more than {MAX_PROMPTS:,} prompts."))
        else:
            survey.add(found)
    return survey


def _prompt_key(answer: FileAnswer) -> _PromptKey:
    return (normalize_text(answer.prompt), answer.country, answer.language)

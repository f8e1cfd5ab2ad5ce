"""A first look at a file of answers: which prompts and platforms it holds, and which of its lines are not answers."""

from datetime import datetime
from pathlib import Path

import msgspec

from sightline.answers.models import Brand
from sightline.platforms.access import can_cite
from sightline.platforms.catalog import PLATFORMS
from sightline.prompts.identity import normalize_text
from sightline.scans.answer_file import BadLine, FileAnswer, read_answers
from sightline.scans.models import ScanPlan, ScanPrompt

MAX_ANSWERS = 100_000
MAX_PLATFORMS = 50
MAX_BAD_LINES = 20  # that are listed; the others are counted

_PromptKey = tuple[str, str | None, str | None]
_KNOWN = [platform.key for platform in PLATFORMS]


class FileSurvey(msgspec.Struct):
    """What a file of answers holds. Its size grows with the prompts, not with the answers."""

    answers: int = 0
    prompts: dict[_PromptKey, ScanPrompt] = {}
    """By what makes two prompts the same: the normalized text, the country and the language."""
    platforms: dict[str, bool] = {}
    """Every platform, and whether an answer of it names sources."""
    first_answered_at: datetime | None = None
    last_answered_at: datetime | None = None
    bad_lines: list[BadLine] = []
    more_bad_lines: int = 0

    def find_prompt(self, answer: FileAnswer) -> ScanPrompt:
        """Return the prompt of an answer. Raises `KeyError` if the file did not hold it when it was surveyed."""
        return self.prompts[_prompt_key(answer)]

    def build_plan(self, domain: str, brand: Brand, competitors: tuple[Brand, ...]) -> ScanPlan:
        """Return the plan of a scan that would have asked what the file answers.

        A platform never cites if none of its connectors does and no answer in the file names a source.
        """
        ordered = sorted(self.platforms, key=lambda key: _KNOWN.index(key) if key in _KNOWN else len(_KNOWN))
        return ScanPlan(
            domain=domain,
            brand=brand,
            competitors=competitors,
            prompts=tuple(self.prompts.values()),
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
        if (at := answer.answered_at) is not None:
            self.first_answered_at = min(at, self.first_answered_at or at)
            self.last_answered_at = max(at, self.last_answered_at or at)

    def refuse(self, bad: BadLine) -> None:
        if len(self.bad_lines) < MAX_BAD_LINES:
            self.bad_lines.append(bad)
        else:
            self.more_bad_lines += 1


def survey_file(path: Path) -> FileSurvey:
    """Read the whole file and return what it holds, with every bad line. Raises `OSError` if it cannot be read."""
    survey = FileSurvey()
    lines: dict[str, int] = {}
    for found in read_answers(path):
        if isinstance(found, BadLine):
            survey.refuse(found)
            continue
        first = lines.setdefault(found.id, found.line)
        if first != found.line:
            survey.refuse(BadLine(found.line, f"The id {found.id!r} is used twice, first in line {first}."))
        elif survey.answers == MAX_ANSWERS:
            survey.refuse(BadLine(found.line, f"The file has more than {MAX_ANSWERS:,} answers. Split it."))
            break
        elif found.platform not in survey.platforms and len(survey.platforms) == MAX_PLATFORMS:
            survey.refuse(BadLine(found.line, f"The file has more than {MAX_PLATFORMS} platforms."))
        else:
            survey.add(found)
    return survey


def _prompt_key(answer: FileAnswer) -> _PromptKey:
    return (normalize_text(answer.prompt), answer.country, answer.language)

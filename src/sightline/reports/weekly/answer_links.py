"""Links from the counts of a report to the answers that they count, for readers who are signed in.

They are relative to the page of the report. Readers who are not signed in get the report without them.
"""

import re
from typing import NamedTuple

from sightline.presentation.language import gettext
from sightline.presentation.numbers import format_number
from sightline.presentation.phrases import count_answers
from sightline.reports.sentiment import count_negative, count_neutral, count_positive, count_scored_answers
from sightline.reports.weekly.models import HeadlineLine, ReportDocument
from sightline.scans.schemas.results import PlatformResult
from sightline.scoreboard.answer_list.filter import AnswerFilter
from sightline.scoreboard.schemas import CountryResult

_ANSWERS = "../answers"
_LINK = re.compile(r'<a class="count"[^>]*>(.*?)</a>', re.DOTALL)


class TextPart(NamedTuple):
    """A part of a sentence; a count has the path of its answers."""

    text: str
    number: int | None = None
    path: str = ""


def remove_answer_links(html: str) -> str:
    """Return the page without the links of its counts. The counts stay."""
    return _LINK.sub(r"\1", html)


class AnswerLinks:
    """The paths of the answers of one report, by what they count."""

    def __init__(self, document: ReportDocument) -> None:
        self._document = document
        comparison = document.figure("brand_coverage_pct").comparison
        self._against = str(comparison.against_scan_id) if comparison else ""

    def find(self, **fields: str | None) -> str:
        """Return the path of answers of this check."""
        wanted = AnswerFilter(check=str(self._document.scan_id))
        return _ANSWERS + wanted.to_query(**{name: value or "" for name, value in fields.items()})

    def find_moved(self, change: str = "") -> str:
        """Return the path of answers that were asked both times, and of those that were gained or lost."""
        return self.find(against=self._against, counted="headline", change=change)

    def split_basis(self, line: HeadlineLine, text: str) -> list[TextPart]:
        """Split what a card is made of, such as `57 of 130 answers`, at its counts."""
        figure, counts = line.figure, []
        if figure.value is not None and line.key not in ("share_of_voice_pct", "market_position"):
            if line.key == "brand_coverage_pct":
                named = int(figure.numerator or 0)
                counts.append(TextPart(format_number(named), named, self.find(counted="headline", brand="named")))
            # Citations are counted in the answers to branded prompts, too.
            counted = "" if line.key == "citation_count" else "headline"
            counts.append(TextPart(count_answers(figure.n), figure.n, self.find(counted=counted)))
        return _split(text, counts)

    def split_detail(self, line: HeadlineLine, text: str) -> list[TextPart]:
        """Split how a card changed at its counts: `newly named in 3 and no longer named in 5 of 130 answers`."""
        change = line.figure.comparison
        if change is None or line.key not in ("brand_coverage_pct", "ai_mentions"):
            return [TextPart(text)]
        was, _, flips = text.rpartition("; ")
        counts = [
            TextPart(format_number(change.gained), change.gained, self.find_moved("gained")),
            TextPart(format_number(change.lost), change.lost, self.find_moved("lost")),
            TextPart(count_answers(change.matched_cells), change.matched_cells, self.find_moved()),
        ]
        return [*([TextPart(f"{was}; ")] if was else []), *_split(flips, counts)]

    def split_column(self, column: str, row: PlatformResult | CountryResult, text: str) -> list[TextPart]:
        """Split a cell of the table by platform or country at its count."""
        place = {"platform": row.platform} if isinstance(row, PlatformResult) else {"country": row.country or "global"}
        if column == "answers":
            return _split(text, [TextPart(format_number(row.valid), row.valid, self.find(**place))])
        mentions = row.ai_mentions.value
        if column == "mentions" and mentions is not None:
            path = self.find(counted="headline", brand="named", **place)
            return [TextPart(text, int(mentions), path)]
        return [TextPart(text)]

    def split_sentiment(self, text: str) -> list[TextPart]:
        """Split the sentence about sentiment at its counts."""
        found = self._document.sentiment
        if found is None or found.low_data:
            return [TextPart(text)]
        head, colon, rest = text.partition(": ")
        counts = [
            TextPart(count_positive(found.positive), found.positive, self.find(sentiment="positive")),
            TextPart(count_neutral(found.neutral), found.neutral, self.find(sentiment="neutral")),
            TextPart(count_negative(found.negative), found.negative, self.find(sentiment="negative")),
            TextPart(
                count_scored_answers(found.responses_analyzed),
                found.responses_analyzed,
                self.find(sentiment="scored"),
            ),
        ]
        return [TextPart(head + colon), *_split(rest, counts)]

    def split_theme(self, place: int, text: str) -> list[TextPart]:
        """Split what is said of a theme, such as `5 answers. New since the last check`, at its count."""
        found = self._document.themes[place].proofs
        counts = [TextPart(count_answers(len(found)), len(found), self._find_proofs("theme", place))]
        return _split(text, counts if found else [])

    def list_proofs(self, place: int) -> list[TextPart]:
        """Return the sentence about the answers that prove a recommendation; it is empty without any."""
        found = self._document.tasks[place].proofs
        if not found:
            return []
        answers = count_answers(len(found))
        counts = [TextPart(answers, len(found), self._find_proofs("task", place))]
        return _split(gettext("Evidence: %(answers)s.", answers=answers), counts)

    def _find_proofs(self, kind: str, place: int) -> str:
        """Return the path of the answers that prove a finding. The report keeps them when the finding is replaced."""
        return _ANSWERS + AnswerFilter(evidence=f"report:{self._document.scan_id}:{kind}:{place}").to_query()


def _split(text: str, counts: list[TextPart]) -> list[TextPart]:
    """Split a text at its counts, whose order depends on the language. A count that is not found is left out."""
    parts = []
    for each in sorted(counts, key=lambda count: text.find(count.text)):
        before, found, after = text.partition(each.text)
        if found:
            parts += [TextPart(before), each]
            text = after
    return [part for part in (*parts, TextPart(text)) if part.text]

"""The short report: what fits on four pages. The appendix has the rest."""

from collections.abc import Sequence
from typing import Any

from sightline.presentation.language import gettext, ngettext
from sightline.presentation.numbers import format_number
from sightline.reports.weekly.models import ReportTask

View = dict[str, Any]

MAX_TASKS = 3
_MAX_EFFECTS = 1
_MAX_FINDINGS = 3
_MAX_MOVED = 3
_MAX_COMPETITORS = 8
_MAX_THEMES = 3
_MAX_SOURCES = 5
_NAME_LENGTH = 60
_LINE_LENGTH = 140
_TEXT_LENGTH = 420


def choose_different_tasks(tasks: Sequence[ReportTask], limit: int = MAX_TASKS) -> list[int]:
    """Return the places of a few tasks in the order of their rank, of different kinds as far as possible."""
    firsts = {task.kind: place for place, task in reversed(list(enumerate(tasks)))}
    chosen = sorted(firsts.values())[:limit]
    rest = [place for place in range(len(tasks)) if place not in chosen]
    return sorted([*chosen, *rest[: limit - len(chosen)]])


def build_short_view(view: View, tasks: Sequence[ReportTask], total_tasks: int, *, with_appendix: bool) -> View:
    """Shorten the lists and texts of a report. Numbers stay as they are; a note says how much is left out."""
    places = choose_different_tasks(tasks)
    return {
        "tasks": [_shorten_task(view["tasks"][place]) for place in places],
        "tasks_note": _describe_tasks(places, len(tasks), total_tasks, with_appendix=with_appendix),
        "findings": [_cut(row, _LINE_LENGTH) for row in view["findings"][:_MAX_FINDINGS]],
        "effects": [_cut(row, _TEXT_LENGTH) for row in view["effects"][:_MAX_EFFECTS]],
        "moved": [_shorten_group(group) for group in view["moved"]],
        "competitors": _choose_competitors(view["competitors"]),
        "competitors_note": _count_more_brands(len(view["competitors"]), with_appendix=with_appendix),
        "themes": [_shorten_theme(row) for row in view["themes"][:_MAX_THEMES]],
        "themes_note": " ".join(
            filter(None, (view["themes_note"], _count_more_themes(len(view["themes"]), with_appendix=with_appendix)))
        ),
        "sources": view["sources"][:_MAX_SOURCES],
        "sources_note": view["sources_note"]
        if len(view["sources"]) <= _MAX_SOURCES
        else gettext("The most cited sites."),
    }


def cut_text(text: str, limit: int) -> str:
    """Cut a text at the end of a word; a script without spaces is cut anywhere."""
    if len(text) <= limit:
        return text
    head = text[: limit - 2]
    whole = head.rpartition(" ")[0]
    return f"{whole if len(whole) > limit // 2 else head} …"


def _cut(row: View, limit: int) -> View:
    return {name: cut_text(value, limit) if isinstance(value, str) else value for name, value in row.items()}


def _shorten_task(task: View) -> View:
    """Leave out the steps and quotes of a task."""
    short = _cut(task, _TEXT_LENGTH)
    return short | {"action": cut_text(task["action"], _LINE_LENGTH), "steps": [], "quotes": [], "pages": []}


def _shorten_group(group: View) -> View:
    """Show a few rows, of different prompts as far as possible."""
    firsts = {row["prompt"]: row for row in reversed(group["rows"])}
    rest = [row for row in group["rows"] if row is not firsts[row["prompt"]]]
    rows = [_cut(row, _LINE_LENGTH) for row in [*reversed(firsts.values()), *rest][:_MAX_MOVED]]
    is_cut = group["note"] or len(group["rows"]) > len(rows)
    return group | {
        "note": gettext("%(number)s examples:", number=len(rows)) if is_cut else "",
        "rows": rows,
    }


def _shorten_theme(theme: View) -> View:
    quotes = [cut_text(quote, _LINE_LENGTH) for quote in theme["quotes"][:1]]
    return theme | {"name": cut_text(theme["name"], _NAME_LENGTH), "quotes": quotes}


def _choose_competitors(rows: Sequence[View]) -> list[View]:
    """Return the first brands; the own one is always among them."""
    first = list(rows[:_MAX_COMPETITORS])
    own = [row for row in rows[_MAX_COMPETITORS:] if row["own"]]
    shown = [*first[: _MAX_COMPETITORS - len(own)], *own]
    return [row | {"name": cut_text(row["name"], _NAME_LENGTH)} for row in shown]


def _describe_tasks(places: Sequence[int], listed: int, total: int, *, with_appendix: bool) -> str:
    """Say how the tasks at `places` were chosen, and where the rest is; `listed` is the number in the appendix."""
    if total <= len(places):
        return ""
    numbers = {"shown": format_number(len(places)), "listed": format_number(listed), "total": format_number(total)}
    if list(places) == list(range(len(places))):
        chosen = gettext(
            "These are the %(shown)s of %(total)s recommendations with the largest expected effect.", **numbers
        )
    else:
        chosen = gettext(
            "These are %(shown)s of %(total)s recommendations, chosen by expected effect and to cover different kinds "
            "of action.",
            **numbers,
        )
    if with_appendix and listed < total:
        rest = gettext("The appendix lists %(listed)s of them, and the app lists all %(total)s.", **numbers)
    elif with_appendix:
        rest = gettext("The appendix lists all %(total)s recommendations.", **numbers)
    elif listed < total:
        rest = gettext("The report with appendix lists %(listed)s of them, and the app lists all %(total)s.", **numbers)
    else:
        rest = gettext("The report with appendix lists all %(total)s recommendations.", **numbers)
    return f"{chosen} {rest}"


def _count_more_brands(total: int, *, with_appendix: bool) -> str:
    more = total - _MAX_COMPETITORS
    if more <= 0:
        return ""
    if with_appendix:
        return gettext("The appendix lists all %(total)s brands.", total=format_number(total))
    return ngettext(
        "The report with appendix lists %(number)s more brand.",
        "The report with appendix lists %(number)s more brands.",
        more,
        number=format_number(more),
    )


def _count_more_themes(total: int, *, with_appendix: bool) -> str:
    more = total - _MAX_THEMES
    if more <= 0:
        return ""
    if with_appendix:
        return gettext("The appendix lists all %(total)s themes.", total=format_number(total))
    return ngettext(
        "The report with appendix lists %(number)s more theme.",
        "The report with appendix lists %(number)s more themes.",
        more,
        number=format_number(more),
    )

"""The summary of an alert in one or two sentences. The API has them in English, pages in the reader's language."""

from sightline.insights.alerts.models import DIRECTIONS, AlertRow, Evidence
from sightline.insights.alerts.reported_change import is_against_previous
from sightline.insights.alerts.scopes import AlertScope, parse_scope
from sightline.kit.rounding import round_half_away
from sightline.platforms.names import platform_name
from sightline.presentation.changes import format_p
from sightline.presentation.language import gettext, ngettext
from sightline.presentation.numbers import format_number, format_signed
from sightline.presentation.phrases import country_name


def summarize_alert(row: AlertRow, evidence: Evidence, brand: str) -> str:
    """Report the change from one Daily Check to the next, then what else decided, and what followed."""
    scope = parse_scope(row.scope)
    summarize = _summarize_cell if scope.kind == "cell" else _summarize
    sentences = summarize(row, evidence, scope, brand)
    if row.hushed == "platform_wide":
        sentences.append(gettext("The whole platform changed, not only %(brand)s.", brand=brand))
    return " ".join(sentences)


def _summarize(row: AlertRow, evidence: Evidence, scope: AlertScope, brand: str) -> list[str]:
    is_found_by_previous = "previous_daily" in evidence.rules
    name = scope.competitor or brand
    sentences = [_summarize_segment(row, evidence, scope, name, with_chance=is_found_by_previous)]
    if not is_found_by_previous:
        # Compared with one Daily Check alone the change may be chance; the earlier Daily Checks then give the evidence.
        is_down, chance = DIRECTIONS[row.type] == "down", format_p(evidence.p)
        sentences.append(
            gettext("This is below the range of the recent Daily Checks (%(chance)s).", chance=chance)
            if is_down
            else gettext("This is above the range of the recent Daily Checks (%(chance)s).", chance=chance)
        )
    if evidence.confirmation is not None:
        found = evidence.confirmation.now
        sentences.append(
            gettext(
                "A later Daily Check confirmed it, with %(named)s of %(answers)s answers.",
                named=format_number(found.named),
                answers=format_number(found.answers),
            )
        )
    return sentences


def _describe_place(scope: AlertScope) -> str:
    if scope.platform == "local":
        return gettext("On the local model")
    if scope.platform:
        return gettext("On %(platform)s", platform=platform_name(scope.platform))
    if scope.kind == "country" and scope.country is None:
        return gettext("In the Global market")
    return gettext("In %(country)s", country=country_name(scope.country)) if scope.country else gettext("Overall")


def _summarize_cell(row: AlertRow, evidence: Evidence, scope: AlertScope, brand: str) -> list[str]:
    before, now = evidence.before, evidence.now
    values = {
        "place": _describe_place(scope),
        "brand": brand,
        "named": format_number(before.named),
        "last": format_number(now.answers),
        "chance": format_p(evidence.p),
    }
    if row.type == "cell_gained":
        sentences = ngettext(
            "%(place)s, answers to one prompt began to name %(brand)s from one Daily Check to the next. They named it "
            "in %(named)s of %(num)s earlier Daily Check, and in all of the last %(last)s (%(chance)s).",
            "%(place)s, answers to one prompt began to name %(brand)s from one Daily Check to the next. They named it "
            "in %(named)s of %(num)s earlier Daily Checks, and in all of the last %(last)s (%(chance)s).",
            before.answers,
            **values,
        )
    else:
        sentences = ngettext(
            "%(place)s, answers to one prompt stopped naming %(brand)s from one Daily Check to the next. They named it "
            "in %(named)s of %(num)s earlier Daily Check, but in none of the last %(last)s (%(chance)s).",
            "%(place)s, answers to one prompt stopped naming %(brand)s from one Daily Check to the next. They named it "
            "in %(named)s of %(num)s earlier Daily Checks, but in none of the last %(last)s (%(chance)s).",
            before.answers,
            **values,
        )
    return [sentences]


def _describe_change(evidence: Evidence, *, with_chance: bool) -> str:
    points = format_signed(round_half_away(evidence.delta))
    if with_chance:
        return gettext("%(points)s points, %(chance)s", points=points, chance=format_p(evidence.p))
    return gettext("%(points)s points", points=points)


def _summarize_segment(row: AlertRow, evidence: Evidence, scope: AlertScope, name: str, *, with_chance: bool) -> str:
    before, now = evidence.before, evidence.now
    values = {
        "place": _describe_place(scope),
        "named": format_number(now.named),
        "answers": format_number(now.answers),
        "name": name,
        "before": format_number(before.named),
        "total": format_number(before.answers),
        "when": gettext("in the previous Daily Check")
        if is_against_previous(row, evidence)
        else gettext("before the change"),
        "change": _describe_change(evidence, with_chance=with_chance),
    }
    if evidence.delta > 0:
        return ngettext(
            "%(place)s, %(named)s of %(answers)s answers names %(name)s, up from %(before)s of %(total)s %(when)s "
            "(%(change)s).",
            "%(place)s, %(named)s of %(answers)s answers name %(name)s, up from %(before)s of %(total)s %(when)s "
            "(%(change)s).",
            now.named,
            **values,
        )
    if evidence.delta < 0:
        return ngettext(
            "%(place)s, %(named)s of %(answers)s answers names %(name)s, down from %(before)s of %(total)s %(when)s "
            "(%(change)s).",
            "%(place)s, %(named)s of %(answers)s answers name %(name)s, down from %(before)s of %(total)s %(when)s "
            "(%(change)s).",
            now.named,
            **values,
        )
    return ngettext(
        "%(place)s, %(named)s of %(answers)s answers names %(name)s, as many as %(when)s.",
        "%(place)s, %(named)s of %(answers)s answers name %(name)s, as many as %(when)s.",
        now.named,
        **values,
    )

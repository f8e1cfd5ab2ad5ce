"""Rendering of pages: one template environment and one set of response headers."""

import re
from functools import cache
from typing import Any

from heroicons.jinja import heroicon_outline
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape
from starlette.responses import Response

from sightline import __version__
from sightline.accounts.role_names import name_role
from sightline.errors import Problem
from sightline.metrics.metric import Metric
from sightline.metrics.registry import REGISTRY
from sightline.platforms.names import company_name, editor_name, platform_name, surface_name
from sightline.platforms.pricing import LIST_PRICES_READ_ON
from sightline.presentation.dates import (
    current_time_zone,
    format_date,
    format_datetime,
    format_period,
    format_short_date,
    format_short_datetime,
)
from sightline.presentation.direction_controls import show_direction_controls_in_html
from sightline.presentation.language import add_to_templates, gettext
from sightline.presentation.numbers import (
    add_unit,
    format_cost,
    format_money,
    format_number,
    format_ordinal,
    format_percent,
    format_signed,
    format_unit_price,
)
from sightline.presentation.phrases import (
    count_answers,
    count_platforms,
    count_prompts,
    count_sites,
    country_name,
    language_name,
)
from sightline.presentation.ranges import GRADES, describe_good_for, format_interval
from sightline.presentation.sizes import format_bytes, format_duration
from sightline.scoreboard.answer_list.filter import AnswerFilter
from sightline.web.fault_texts import list_faults, list_field_faults
from sightline.web.problem_texts import explain_problem
from sightline.web.returned_forms import return_forms
from sightline.web.theme import current_theme

# Nothing inline and nothing from other hosts: pages work offline, and injected text cannot become a script.
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "Referrer-Policy": "no-referrer",
}

_CODE = re.compile(r"`([^`]+)`")
_BUTTON = re.compile(r'popovertarget="about-(\w+)"')


def prose(text: str) -> Markup:
    """Return plain text as HTML, with `code` in backticks as the only markup."""
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(text))))  # noqa: S704 - escaped on this very line


def answers_query(**fields: object) -> str:
    """Return the query of the Answers page for a filter. Fields that are null do not filter."""
    return AnswerFilter(**{name: "" if value is None else str(value) for name, value in fields.items()}).to_query()


@cache
def icon(name: str) -> Markup:
    """Return an icon of the package heroicons, which is only decoration."""
    return Markup(heroicon_outline(name, size=18, **{"class": "icon"}))  # noqa: S704 - files of the package


# Explanations: a page has one for each metric that a button on it (`components.about`) asks about.


def find_explained(content: str) -> list[Metric]:
    """Return the metrics that the buttons of a page ask about, each once."""
    return [REGISTRY[key] for key in dict.fromkeys(_BUTTON.findall(content))]


def metric_docs_path(metric: Metric) -> str:
    """Return the address of the section of the documentation that defines a metric."""
    return f"/docs/measure/metrics#{metric.name.lower().replace(' ', '-')}"


def describe_scale(metric: Metric) -> str:
    """Describe between which values a metric lies; empty for a list."""
    if metric.scale is None:
        return ""
    write = format_percent if metric.unit == "percent" else format_number
    low, high = metric.scale
    if metric.unit == "position":
        return gettext("%(low)s is the best position", low=write(low))
    if high is None:
        return gettext("%(low)s or more", low=write(low))
    return gettext("%(low)s to %(high)s", low=write(low).replace("-", "\u2212"), high=write(high))


# Every template writes numbers, dates, names and the explanation of ranges through these.
_FORMATTERS: dict[str, Any] = {
    "add_unit": add_unit,
    "format_date": format_date,
    "format_datetime": format_datetime,
    "format_interval": format_interval,
    "grades": GRADES,
    "describe_good_for": describe_good_for,
    "format_bytes": format_bytes,
    "format_cost": format_cost,
    "format_duration": format_duration,
    "format_money": format_money,
    "format_unit_price": format_unit_price,
    "format_number": format_number,
    "format_ordinal": format_ordinal,
    "format_percent": format_percent,
    "format_period": format_period,
    "format_short_date": format_short_date,
    "format_short_datetime": format_short_datetime,
    "format_signed": format_signed,
    "country_name": country_name,
    "count_answers": count_answers,
    "count_platforms": count_platforms,
    "count_prompts": count_prompts,
    "count_sites": count_sites,
    "language_name": language_name,
    "editor_name": editor_name,
    "platform_name": platform_name,
    "surface_name": surface_name,
    "list_prices_read_on": LIST_PRICES_READ_ON,
    "company_name": company_name,
    "describe_scale": describe_scale,
    "find_explained": find_explained,
    "metric_docs_path": metric_docs_path,
    "metric_names": {key: metric.name for key, metric in REGISTRY.items()},
    "answers_query": answers_query,
    "explain_problem": explain_problem,
    "list_faults": list_faults,
    "list_field_faults": list_field_faults,
    "name_role": name_role,
    "icon": icon,
}

_environment = Environment(
    loader=PackageLoader("sightline.web"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
add_to_templates(_environment)
_environment.filters["prose"] = prose
_environment.globals.update(_FORMATTERS)
_environment.globals["version"] = __version__
_environment.globals["current_theme"] = current_theme
_environment.globals["current_time_zone"] = current_time_zone


def list_templates() -> list[str]:
    return _environment.list_templates(extensions=["html"])


def load_template(name: str) -> None:
    """Compile a template, unless it is compiled already."""
    _environment.get_template(name)


def render(template: str, **context: Any) -> str:
    return _environment.get_template(template).render(context)


def render_message(
    title: str, *sentences: str, link: tuple[str, str] | None = None, code: str = "", request_id: str = ""
) -> str:
    """Render a page that only says something. `link` is a path with its words; `code` is that of a problem."""
    return render("message.html", title=title, sentences=sentences, link=link, code=code, request_id=request_id)


def link_start_page() -> tuple[str, str]:
    return "/", gettext("Back to the start page")


def html_response(html: str, *, status: int = 200, cache: str = "no-cache") -> Response:
    """Return a response for a page, in which direction controls are visible marks."""
    shown = show_direction_controls_in_html(html)
    return Response(shown, status_code=status, media_type="text/html", headers={**HEADERS, "Cache-Control": cache})


def private_html_response(html: str, *, status: int = 200, problem: Problem | None = None) -> Response:
    """Return a response for a page of one person, which no cache may store; a problem sets status and `Retry-After`.

    It sends a referrer to this site: without any, a browser also hides the origin of a form, and the same-origin check
    could not tell it from a form of another site.
    """
    status = problem.kind.status if problem else status
    response = html_response(return_forms(html, status=status, problem=problem), status=status, cache="no-store")
    response.headers["Referrer-Policy"] = "same-origin"
    if problem and "retry_after" in problem.members:
        response.headers["Retry-After"] = str(problem.members["retry_after"])
    return response

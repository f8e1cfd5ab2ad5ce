"""The API reference: `/docs` renders the OpenAPI document, `/docs/errors` explains every problem code."""

import json
from functools import cache
from http import HTTPStatus
from itertools import groupby
from typing import Any

from litestar import Response, route
from litestar.datastructures import State
from litestar.enums import HttpMethod

from sightline.api.openapi.document import openapi_document
from sightline.api.openapi.examples.example import REQUEST_ID
from sightline.api.openapi.problems import MEMBERS, problem_example
from sightline.errors import CATALOG
from sightline.web.pages.reference_outline import build_outline, list_common_headers, list_events
from sightline.web.render import html_response, render
from sightline.web.theme import current_theme, load_theme

_READ_METHODS = [HttpMethod.GET, HttpMethod.HEAD]


@route("/docs", http_method=_READ_METHODS, sync_to_thread=False, before_request=load_theme)
def reference(state: State) -> Response[str]:
    settings: Any = state.app_context.settings
    return html_response(_reference_html(settings.public_url, current_theme()))


@route("/docs/errors", http_method=_READ_METHODS, sync_to_thread=False, before_request=load_theme)
def errors(state: State) -> Response[str]:
    """Show every problem code under its own anchor, to which the `type` of a problem document links."""
    settings: Any = state.app_context.settings
    return html_response(_errors_html(settings.public_url, current_theme()))


@cache
def _reference_html(base_url: str, _theme: str) -> str:
    document = openapi_document(base_url)
    return render(
        "reference.html",
        groups=build_outline(document),
        events=list_events(document),
        base_url=base_url,
        common_headers=list_common_headers(document),
        response_headers=document["components"]["headers"],
    )


@cache
def _errors_html(base_url: str, _theme: str) -> str:
    by_status = sorted(CATALOG.items(), key=lambda entry: entry[1].status)
    statuses = [
        (HTTPStatus(status), list(entries)) for status, entries in groupby(by_status, key=lambda entry: entry[1].status)
    ]
    return render(
        "errors.html",
        statuses=statuses,
        members=MEMBERS,
        examples=_write_examples(base_url),
    )


def _write_examples(base_url: str) -> dict[str, str]:
    """Return a problem document of each code: those of the API reference, and others for codes of pages."""
    documented = openapi_document(base_url)["components"]["examples"]
    examples = {
        code: documented.get(code) or problem_example(code, path="/", request_id=REQUEST_ID, base_url=base_url)
        for code in CATALOG
    }
    return {code: json.dumps(each["value"], indent=2, ensure_ascii=False) for code, each in examples.items()}


PAGES = (reference, errors)

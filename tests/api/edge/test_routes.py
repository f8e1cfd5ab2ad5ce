"""An unknown path is 404, an unknown method 405 with `Allow`; HEAD matches GET; a trailing slash is another path."""

import pytest

from sightline.api.edge.operations import Operation, Resource
from sightline.api.edge.routes import Routes

DOMAIN = "0190abcd-1234-7000-8000-0123456789ab"


def operation(method: str, path: str, api: str = "console") -> Operation:
    async def handler(exchange: object) -> None: ...

    return Operation(
        resource=Resource(api, "Things", ""),
        method=method,
        path=path,
        name=f"{method} {path}",
        summary="",
        description="",
        access="key_or_session",
        scope="read",
        handler=handler,
        response_type=None,
    )


OPERATIONS = [
    operation("GET", "/domains"),
    operation("POST", "/domains"),
    operation("GET", "/domains/{domain_id}"),
    operation("PATCH", "/domains/{domain_id}"),
    operation("DELETE", "/domains/{domain_id}"),
    operation("POST", "/scans/preview"),
    operation("GET", "/scans/{scan_id}"),
    operation("POST", "/scans/{scan_id}/cancel"),
    operation("GET", "/domains/{domain_id}/prompts", "data"),
    operation("DELETE", "/domains/{domain_id}/prompts/{prompt_id}", "data"),
    operation("GET", "/domains", "data"),
    operation("GET", "/domains/{domain_id}/reports/{report_id}", "data"),
    operation("GET", "/domains/{domain_id}/reports/{report_id}.pdf", "data"),
]
CONSOLE = "/api/v1/console"
DATA = "/api/v1/ext"


@pytest.fixture
def routes():
    return Routes(OPERATIONS)


def matched_name(match) -> str | None:
    return match.operation.name if match.operation else None


@pytest.mark.parametrize(
    ("method", "path", "name"),
    [
        ("GET", f"{CONSOLE}/domains", "GET /domains"),
        ("POST", f"{CONSOLE}/domains", "POST /domains"),
        ("GET", f"{CONSOLE}/domains/{DOMAIN}", "GET /domains/{domain_id}"),
        ("GET", f"{CONSOLE}/domains/anything at all", "GET /domains/{domain_id}"),
        ("PATCH", f"{CONSOLE}/domains/{DOMAIN}", "PATCH /domains/{domain_id}"),
        ("DELETE", f"{CONSOLE}/domains/{DOMAIN}", "DELETE /domains/{domain_id}"),
        ("POST", f"{CONSOLE}/scans/preview", "POST /scans/preview"),
        ("POST", f"{CONSOLE}/scans/{DOMAIN}/cancel", "POST /scans/{scan_id}/cancel"),
        ("GET", f"{DATA}/domains/a/prompts", "GET /domains/{domain_id}/prompts"),
        ("DELETE", f"{DATA}/domains/a/prompts/b", "DELETE /domains/{domain_id}/prompts/{prompt_id}"),
        ("GET", f"{DATA}/domains/a/reports/b", "GET /domains/{domain_id}/reports/{report_id}"),
        ("GET", f"{DATA}/domains/a/reports/b.pdf", "GET /domains/{domain_id}/reports/{report_id}.pdf"),
        ("GET", f"{DATA}/domains/a/reports/.pdf", "GET /domains/{domain_id}/reports/{report_id}"),
    ],
)
def test_a_request_matches_its_operation(routes, method, path, name):
    match = routes.match(method, path)
    assert matched_name(match) == name
    assert match.operation.method == method
    assert match.allowed == ()


def test_a_suffix_is_not_part_of_the_id(routes):
    assert routes.match("GET", f"{DATA}/domains/a/reports/b.pdf").parameters == {"domain_id": "a", "report_id": "b"}
    assert routes.match("GET", f"{DATA}/domains/a/reports/b.txt").parameters["report_id"] == "b.txt"


def test_the_same_path_in_the_other_api_is_another_operation(routes):
    assert routes.match("GET", f"{CONSOLE}/domains").operation.api == "console"
    assert routes.match("GET", f"{DATA}/domains").operation.api == "data"


@pytest.mark.parametrize("path", [f"{CONSOLE}/domains", f"{CONSOLE}/domains/{DOMAIN}", f"{DATA}/domains/a/prompts"])
def test_head_answers_as_get(routes, path):
    assert routes.match("HEAD", path) == routes.match("GET", path)
    assert routes.match("HEAD", path).operation.method == "GET"


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("PUT", f"{CONSOLE}/domains", ("GET", "HEAD", "POST")),
        ("DELETE", f"{CONSOLE}/domains", ("GET", "HEAD", "POST")),
        ("OPTIONS", f"{CONSOLE}/domains", ("GET", "HEAD", "POST")),
        ("POST", f"{CONSOLE}/domains/{DOMAIN}", ("DELETE", "GET", "HEAD", "PATCH")),
        ("GET", f"{CONSOLE}/scans/{DOMAIN}/cancel", ("POST",)),
        ("HEAD", f"{CONSOLE}/scans/{DOMAIN}/cancel", ("POST",)),
        ("HEAD", f"{CONSOLE}/scans/preview", ("POST",)),
        ("POST", f"{DATA}/domains", ("GET", "HEAD")),
        ("get", f"{CONSOLE}/domains", ("GET", "HEAD", "POST")),  # methods are case-sensitive
        ("BREW", f"{CONSOLE}/domains", ("GET", "HEAD", "POST")),
    ],
)
def test_an_undeclared_method_finds_no_operation_and_the_allowed_ones_are_listed(routes, method, path, allowed):
    match = routes.match(method, path)
    assert match.operation is None
    assert match.allowed == allowed


@pytest.mark.parametrize(
    "path",
    [
        "",
        "/",
        CONSOLE,
        f"{CONSOLE}/",
        f"{CONSOLE}/nothing",
        f"{CONSOLE}/Domains",
        f"{CONSOLE}/domain",
        f"{CONSOLE}//domains",
        f"{CONSOLE}/domains/a/b",
        f"{CONSOLE}/domains/a/prompts",  # of the other front
        f"{DATA}/domains/a",
        "/api/v2/console/domains",
        "/domains",
        f"{CONSOLE}/domains/{{domain_id}}/x",
    ],
)
def test_an_unknown_path_matches_nothing(routes, path):
    match = routes.match("GET", path)
    assert match.operation is None
    assert match.allowed == ()


@pytest.mark.parametrize(
    "path",
    [
        f"{CONSOLE}/domains/",  # also: the parameter is empty
        f"{CONSOLE}/domains/{DOMAIN}/",
        f"{CONSOLE}/scans/preview/",
        f"{DATA}/domains/a/prompts/",
    ],
)
def test_a_trailing_slash_is_another_path(routes, path):
    for method in ("GET", "POST", "DELETE", "HEAD"):
        match = routes.match(method, path)
        assert match.operation is None and match.allowed == ()


@pytest.mark.parametrize("path", [f"{CONSOLE}/scans//cancel", f"{DATA}/domains//prompts", f"{DATA}/domains/a/prompts/"])
def test_an_empty_parameter_does_not_match(routes, path):
    for method in ("GET", "POST", "DELETE"):
        assert routes.match(method, path).operation is None
        assert routes.match(method, path).allowed == ()


def test_a_fixed_path_wins_over_a_parameter_whatever_the_order():
    for order in (OPERATIONS, OPERATIONS[::-1]):
        match = Routes(order).match("POST", f"{CONSOLE}/scans/preview")
        assert matched_name(match) == "POST /scans/preview"


def test_without_operations_nothing_matches():
    assert Routes([]).match("GET", f"{CONSOLE}/domains").operation is None

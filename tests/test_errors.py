"""The catalog of problem codes holds every code that is raised anywhere, with its status, title, cause and fix."""

import ast
import re
from pathlib import Path

import pytest

import sightline
from sightline.api.edge.problems import build_problem_response
from sightline.errors import CATALOG, FaultCollector, Problem, invalid_field, invalid_fields, retry_later

# The errors of the specification, which gives no code for 429.
SPECIFIED = {
    "idempotency_required": 400,
    "key_revoked": 401,
    "insufficient_credits": 402,
    "workspace_access_required": 403,
    "not_found": 404,
    "domain_not_found": 404,
    "results_not_ready": 409,
    "idempotency_in_progress": 409,
    "idempotency_conflict": 409,
    "pin_limit_reached": 409,
    "prompt_limit_reached": 409,
    "platform_unavailable": 422,
    "service_disabled": 503,
    "service_unavailable": 503,
}

# Codes beyond those of the specification.
DECIDED = {
    "invalid_json": 400,
    "invalid_cursor": 400,
    "mode_conflict": 400,
    "key_missing": 401,
    "key_invalid": 401,
    "session_required": 401,
    "session_expired": 401,
    "session_only": 403,
    "wrong_key_kind": 403,
    "plan_required": 403,
    "scope_required": 403,
    "billing_permission_required": 403,
    "workspace_access_required": 403,
    "csrf_failed": 403,
    "not_found": 404,
    "domain_not_found": 404,
    "scan_not_found": 404,
    "workspace_not_found": 404,
    "method_not_allowed": 405,
    "scan_in_progress": 409,
    "scan_not_cancellable": 409,
    "domain_exists": 409,
    "language_conflict": 409,
    "max_credits_exceeded": 409,
    "spend_cap_exceeded": 409,
    "last_owner": 409,
    "payload_too_large": 413,
    "unsupported_media_type": 415,
    "validation_failed": 422,
    "invalid_domain": 422,
    "unknown_platform": 422,
    "invalid_webhook_url": 422,
    "rate_limited": 429,
    "quota_exceeded": 429,
    "internal_error": 500,
    "service_disabled": 503,
    "service_unavailable": 503,
}

# The extra members of each problem.
MEMBERS = {
    "results_not_ready": {"scan_status"},
    "pin_limit_reached": {"current", "limit"},
    "prompt_limit_reached": {"current", "limit"},
    "plan_required": {"required_plans"},
    "scan_in_progress": {"active_scan_id"},
    "scan_not_cancellable": {"scan_status"},
    "domain_exists": {"domain_id"},
    "language_conflict": {"language_code"},
    "max_credits_exceeded": {"required_credits"},
    "spend_cap_exceeded": {"spend_cap_cents", "current_month_spend_cents"},
    "validation_failed": {"errors"},
    "workspace_access_required": {"reason"},
    "insufficient_credits": {"required_credits", "balance"},
    "idempotency_in_progress": {"retry_after"},
    "rate_limited": {"retry_after"},
    "quota_exceeded": {"retry_after"},
}

SOURCE = Path(sightline.__file__).parent
# These build problems from codes that are passed to them: the catalog itself, and the examples built from it.
GENERIC_FILES = {"errors/__init__.py", "api/openapi/problems.py"}


@pytest.mark.parametrize(("code", "status"), [*SPECIFIED.items(), *DECIDED.items()])
def test_every_code_of_the_contract_has_its_status(code, status):
    assert CATALOG[code].status == status


@pytest.mark.parametrize(("code", "members"), list(MEMBERS.items()))
def test_a_problem_declares_its_members(code, members):
    assert members <= set(CATALOG[code].members)


@pytest.mark.parametrize("code", list(CATALOG))
def test_an_entry_is_complete(code):
    kind = CATALOG[code]
    assert re.fullmatch(r"[a-z]+(_[a-z]+)*", code)
    assert 400 <= kind.status <= 599
    assert kind.title.strip() == kind.title and kind.title[0].isupper() and not kind.title.endswith(".")
    for sentence in (kind.cause, kind.fix):
        assert sentence.strip() == sentence and len(sentence.split()) >= 3
        assert sentence.endswith(".") and (sentence[0].isupper() or sentence[0] == "`")
        assert sentence.count("`") % 2 == 0
    assert isinstance(kind.members, tuple)  # a forgotten comma would make it a text
    assert all(re.fullmatch(r"[a-z]+(_[a-z]+)*", member) for member in kind.members)
    standard = {"type", "title", "status", "detail", "instance", "code", "request_id"}
    assert not standard & set(kind.members)  # a member of its own must not hide one that every document has


# The codes that are raised


def called_name(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")


def find_texts(node: ast.expr) -> list[str] | None:
    """Return the texts that an expression may have; None when the code does not show them."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    if isinstance(node, ast.IfExp):
        first, second = find_texts(node.body), find_texts(node.orelse)
        return None if first is None or second is None else first + second
    return None


def find_codes(tree: ast.AST):
    """Yield each code that the module names, with its line; None for a code known only at run time."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        given = {keyword.arg: keyword.value for keyword in node.keywords}
        if called_name(node) in {"Problem", "retry_later"}:
            code = node.args[0] if node.args else given.get("code")
            yield node.lineno, find_texts(code) if code is not None else None
        if called_name(node) in {"invalid_fields", "partial"} and "problem" in given:
            yield node.lineno, find_texts(given["problem"])
        if isinstance(problems := given.get("problems"), ast.Tuple | ast.List):
            for element in problems.elts:
                if not isinstance(element, ast.Starred):
                    yield element.lineno, find_texts(element)


def find_all_uses() -> list[tuple[str, int, list[str] | None]]:
    uses = []
    for file in sorted(SOURCE.rglob("*.py")):
        place = file.relative_to(SOURCE).as_posix()
        uses += [(place, line, codes) for line, codes in find_codes(ast.parse(file.read_text(encoding="utf-8")))]
    return uses


def test_every_raised_code_is_in_the_catalog():
    uses = [use for use in find_all_uses() if use[0] not in GENERIC_FILES]
    assert len(uses) > 30  # the search finds something
    unreadable = [f"{place}:{line}" for place, line, codes in uses if codes is None]
    assert not unreadable, "write the code as a text where it is raised, so that this test can see it"
    unknown = [f"{place}:{line} {code}" for place, line, codes in uses for code in codes or () if code not in CATALOG]
    assert not unknown


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('raise Problem("a")', [["a"]]),
        ('raise errors.Problem("a", "detail", limit=1)', [["a"]]),
        ('raise Problem(code="a")', [["a"]]),
        ('raise Problem("a" if x else "b")', [["a", "b"]]),
        ('raise retry_later("a", 5)', [["a"]]),
        ('raise invalid_fields(("x", "y", "z"), problem="a")', [["a"]]),
        ("raise Problem(code)", [None]),
        ('raise Problem(f"{x}_not_found")', [None]),
        ('RESOURCE.operation("GET", problems=("a", "b"))', [["a"], ["b"]]),
        ('raise ValueError("a")', []),
    ],
)
def test_the_search_sees_every_way_of_writing_it(source, found):
    assert [codes for _, codes in find_codes(ast.parse(source))] == found


# The exception


def test_a_problem_without_a_detail_has_that_of_the_catalog():
    problem = Problem("not_found")
    assert problem.kind is CATALOG["not_found"]
    assert problem.detail == CATALOG["not_found"].explain({})
    assert problem.members == {}


@pytest.mark.parametrize("code", [code for code, kind in CATALOG.items() if kind.exact_cause])
def test_a_problem_says_the_values_of_its_members_and_without_them_what_all_have_in_common(code):
    kind = CATALOG[code]
    values = {name: f"value-{name}" for name in kind.members}
    detail = Problem(code, **values).detail
    assert any(value in detail for value in values.values()) and detail.endswith(kind.fix) and "{" not in detail
    assert Problem(code).detail == f"{kind.cause} {kind.fix}"


def test_a_code_outside_the_catalog_cannot_be_raised():
    with pytest.raises(KeyError):
        Problem("no_such_code")


def test_errors_is_a_list_of_field_message_code():
    problem = invalid_field("keywords[3]", "is too long", "length")
    assert problem.code == "validation_failed"
    assert problem.members == {"errors": [{"field": "keywords[3]", "message": "is too long", "code": "length"}]}
    assert problem.detail == "keywords[3] is too long"


def test_several_faults_share_one_problem():
    problem = invalid_fields(("a", "is wrong", "x"), ("b", "is too", "y"), problem="invalid_domain")
    assert problem.code == "invalid_domain"
    assert [error["field"] for error in problem.members["errors"]] == ["a", "b"]
    assert problem.detail == "a is wrong; b is too"


def test_a_message_with_a_subject_of_its_own_follows_the_field():
    assert invalid_field("platforms", "choose at least one").detail == "platforms: choose at least one"


def test_the_faults_of_several_checks_become_one_problem_with_the_most_specific_code():
    faults = FaultCollector()
    with faults.catch(at="brand."):
        raise invalid_field("name", "must not be empty", "required")
    with faults.catch():
        raise invalid_fields(("domain", "has no public suffix", "invalid_domain"), problem="invalid_domain")
    with pytest.raises(Problem, match="not_found"), faults.catch():
        raise Problem("not_found")
    with pytest.raises(Problem) as raised:
        faults.raise_if_any()
    assert raised.value.code == "invalid_domain"
    assert raised.value.detail == "brand.name must not be empty; domain has no public suffix"
    FaultCollector().raise_if_any()


def test_retry_after_is_in_the_header_and_in_the_body():
    problem = retry_later("idempotency_in_progress", 5)
    assert problem.members == {"retry_after": 5}
    response = build_problem_response(problem, request_id="r", path="/", base_url="http://127.0.0.1")
    assert (b"retry-after", b"5") in response.headers

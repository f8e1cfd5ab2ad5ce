"""Addresses of both APIs, and the assertion that every error response has to pass."""

from sightline.errors import CATALOG

CONSOLE = "/api/v1/console"
DATA = "/api/v1/ext"


def assert_problem(answer, status, code):
    """Errors are application/problem+json; every error carries request_id, equal to the header X-Request-Id."""
    assert (answer.status_code, answer.json().get("code")) == (status, code), answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    document = answer.json()
    assert document["status"] == status == CATALOG[code].status
    assert document["type"] == f"http://test/docs/errors#{code}"
    assert document["title"] and document["detail"]
    assert document["instance"] == answer.request.url.path
    assert document["request_id"] == answer.headers["x-request-id"]
    return document

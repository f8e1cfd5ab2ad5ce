"""Addresses of both APIs, and the assertion that every error response has to pass."""

from sightline.errors import CATALOG

CONSOLE = "/api/v1/console"
DATA = "/api/v1/ext"


def assert_problem(response, status, code):
    """Errors are application/problem+json; every error carries request_id, equal to the header X-Request-Id."""
    assert (response.status_code, response.json().get("code")) == (status, code), response.text
    assert response.headers["content-type"] == "application/problem+json"
    document = response.json()
    assert document["status"] == status == CATALOG[code].status
    assert document["type"] == f"http://test/docs/errors#{code}"
    assert document["title"] and document["detail"]
    assert document["instance"] == response.request.url.path
    assert document["request_id"] == response.headers["x-request-id"]
    return document

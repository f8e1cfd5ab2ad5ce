"""Unsafe methods by session need a same-origin `Origin` or `Sec-Fetch-Site`, or the session's `X-CSRF-Token`."""

from datetime import UTC, datetime

import pytest

from sightline.accounts.sign_in.sessions import build_csrf_token, digest_token
from sightline.api.app_context import build_app_context
from sightline.api.edge.browsers import refuse_foreign_site, require_same_site
from sightline.api.edge.exchange import Exchange
from sightline.api.edge.routes import RouteMatch
from sightline.db.engine import Database
from sightline.errors import Problem
from sightline.settings import Settings

KEY, PREVIOUS = "k" * 40, "p" * 40
SESSION = digest_token("session token")
TOKEN = build_csrf_token(SESSION, KEY.encode())
UNSAFE = ["POST", "PATCH", "PUT", "DELETE", "post", "BREW"]


def exchange(tmp_path, method: str = "POST", base_url: str = "https://sightline.acme.com", **headers: str) -> Exchange:
    """Build a request; its database is never opened."""
    settings = Settings(data_dir=tmp_path, secret_key=KEY, secret_key_previous=PREVIOUS, base_url=base_url)
    app_context = build_app_context(
        settings, Database("postgresql://nowhere/x", pool_size=1), lambda: datetime(2026, 11, 14, tzinfo=UTC)
    )
    scope = {
        "method": method,
        "path": "/api/v1/console/domains",
        "query_string": b"",
        "headers": [(name.replace("_", "-").encode(), value.encode("latin-1")) for name, value in headers.items()],
    }
    return Exchange(scope, "console", RouteMatch(None), app_context)


def passes(request: Exchange) -> bool:
    try:
        require_same_site(request, SESSION)
    except Problem as problem:
        assert (problem.code, problem.kind.status) == ("csrf_failed", 403)  # noqa: PT017
        return False
    return True


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS"])
@pytest.mark.parametrize("site", ["same-origin", "cross-site", ""])
def test_safe_methods_need_no_proof(tmp_path, method, site):
    assert passes(exchange(tmp_path, method, sec_fetch_site=site, origin="https://evil.example"))


@pytest.mark.parametrize("method", UNSAFE)
def test_unsafe_methods_without_any_proof_are_refused(tmp_path, method):
    assert not passes(exchange(tmp_path, method))


def test_a_token_made_with_the_previous_key_is_a_proof(tmp_path):
    assert passes(exchange(tmp_path, x_csrf_token=build_csrf_token(SESSION, PREVIOUS.encode())))
    assert not passes(exchange(tmp_path, x_csrf_token=build_csrf_token(SESSION, b"o" * 40)))


@pytest.mark.parametrize("method", UNSAFE)
def test_the_token_of_the_session_is_a_proof(tmp_path, method):
    assert passes(exchange(tmp_path, method, x_csrf_token=TOKEN))
    assert passes(exchange(tmp_path, method, x_csrf_token=TOKEN, origin="https://other.org"))


@pytest.mark.parametrize(
    "token",
    [
        "",
        TOKEN[:-1],
        TOKEN + "0",
        TOKEN.upper(),
        "0" * len(TOKEN),
        "é" * len(TOKEN),
        build_csrf_token(digest_token("another session"), KEY.encode()),
        build_csrf_token(SESSION, b"another installation"),
        SESSION.hex(),
    ],
)
def test_any_other_csrf_token_is_refused(tmp_path, token):
    assert not passes(exchange(tmp_path, x_csrf_token=token))


@pytest.mark.parametrize(
    ("site", "passing"),
    [
        ("same-origin", True),
        ("none", True),
        ("same-site", False),
        ("cross-site", False),
        ("", False),
        ("Same-Origin", False),
    ],
)
def test_sec_fetch_site(tmp_path, site, passing):
    assert passes(exchange(tmp_path, sec_fetch_site=site)) is passing


@pytest.mark.parametrize(
    ("origin", "passing"),
    [
        ("https://sightline.acme.com", True),
        ("http://sightline.acme.com", False),
        ("https://sightline.acme.com:8443", False),
        ("https://sightline.acme.com.evil.org", False),
        ("https://evil.org/https://sightline.acme.com", False),
        ("https://acme.com", False),
        ("https://sub.sightline.acme.com", False),
        ("null", False),
        ("", False),
    ],
)
def test_origin(tmp_path, origin, passing):
    assert passes(exchange(tmp_path, origin=origin)) is passing


def test_the_base_url_may_have_a_path(tmp_path):
    assert passes(exchange(tmp_path, base_url="https://acme.com/sightline", origin="https://acme.com"))


def test_the_host_that_the_browser_used_is_same_origin(tmp_path):
    """Accept the host that the browser used, for example localhost instead of 127.0.0.1."""
    local = {"base_url": "http://127.0.0.1:8080", "host": "localhost:8080"}
    assert passes(exchange(tmp_path, **local, origin="http://localhost:8080"))
    assert not passes(exchange(tmp_path, **local, origin="http://localhost:9090"))
    assert not passes(exchange(tmp_path, **local, origin="https://localhost:8080"))


def test_sec_fetch_site_takes_precedence_over_origin(tmp_path):
    assert not passes(exchange(tmp_path, sec_fetch_site="cross-site", origin="https://sightline.acme.com"))


# Signing in, where there is no session yet


@pytest.mark.parametrize(
    "headers",
    [{}, {"sec_fetch_site": "same-origin"}, {"sec_fetch_site": "none"}, {"origin": "https://sightline.acme.com"}],
)
def test_signing_in_from_our_pages_or_a_script_passes(tmp_path, headers):
    refuse_foreign_site(exchange(tmp_path, **headers))


@pytest.mark.parametrize(
    "headers",
    [
        {"sec_fetch_site": "cross-site"},
        {"sec_fetch_site": "same-site"},
        {"origin": "https://evil.org"},
        {"origin": "null"},
    ],
)
def test_another_site_must_not_sign_a_visitor_in(tmp_path, headers):
    with pytest.raises(Problem) as refusal:
        refuse_foreign_site(exchange(tmp_path, **headers))
    assert refusal.value.code == "csrf_failed"
    with pytest.raises(Problem):  # not even with a token: there is no session that it could belong to
        refuse_foreign_site(exchange(tmp_path, **headers, x_csrf_token=TOKEN))

"""Every page: it cannot be framed, stays small, never runs a stored script, and shows direction controls.

The scripts and controls are stored in prompts, brands, aliases, answers, source titles and webhook responses.
"""

import html
import re

from selectolax.lexbor import LexborHTMLParser

from sightline.accounts.models import Role
from sightline.accounts.operators.grant import grant_operator
from sightline.web.app import PAGES
from tests.web.form_catalog import FORMS
from tests.web.page_browser import open_browser
from tests.web.populated_tenant import SCRIPT, populate_tenant
from tests.web.untranslated import IN_PSEUDO, find_untranslated

MAX_BYTES = 150_000
# Event streams, documents and files are no pages.
_NOT_PAGES = (
    "/events",
    "/progress",
    "/api/openapi.json",
    "/static/",
    "ledger.csv",
    "export.csv",
    "audit.csv",
    ".zip",
    "/docs/anchors/",
)
_DOCUMENTS = ("/docs/{", "/docs/api/{")  # have no data of a tenant
_WITHOUT_MEANS = ("/shared/", "/join", "/reset-password", "/confirm-email", "/sign-in/sso/", "/account/confirm/sso")
_SETTINGS = ("/settings", "/share", "/members", "/single-sign-on")
# The reference shows every operation on one page.
_LARGE = {"/docs"}


def list_urls(ids: dict[str, str]) -> list[str]:
    """Return the URLs of all pages, with ids of the tenant filled in."""
    found = []
    for path in sorted({path for page in PAGES if "GET" in page.methods for path in page.paths}):
        if any(other in path for other in (*_NOT_PAGES, *_DOCUMENTS)):
            continue
        known = {**ids, "scan_id": ids["check"], "answer_id": ids["check_answer"]}
        known["prompt_id"], known["token"], known["platform"] = ids["prompt"], "x", "chatgpt"
        known["provider"] = "installation"
        if path.startswith("/checkout/"):
            known["session"] = ids["order"]
        if "/console/" in path:
            known |= {"domain": ids["console_domain"], "scan": ids["done_scan"], "answer": ids["done_answer"]}
        plain = re.sub(r":\w+\}", "}", path)
        found.append(re.sub(r"\{(\w+)\}", lambda name, known=known: known[name[1]], plain))
    return [*found, f"{found[0]}?done={SCRIPT}"]


def drop_form_values(text: str) -> str:
    """Return a page without what its forms send."""
    page = LexborHTMLParser(text)
    for control in page.css("[value]"):
        del control.attrs["value"]
    for control in page.css("textarea"):
        control.decompose()
    return page.html or ""


async def test_no_page_can_be_framed_or_runs_a_stored_script(installation, client):
    mine, ids = await populate_tenant(installation, client)
    scripts = marks = 0
    async with installation.db.transaction() as tx:
        await grant_operator(tx, mine.owner.id, now=installation.clock())
    async with open_browser(installation, mine.owner) as browser:
        for url in list_urls(ids):
            shown = await browser.get(url)
            # Live objects do not exist in test mode, the token `x` opens nothing, and there is no identity provider.
            gone = {401, 404} if "/console/test/" in url or url.startswith(_WITHOUT_MEANS) else set()
            assert shown.status_code in {200, 303} | gone, url
            policy = shown.headers["content-security-policy"]
            assert "frame-ancestors 'none'" in policy and "default-src 'none'" in policy, url
            assert "unsafe-eval" not in policy and "*" not in policy, url
            assert "script-src 'self'" in policy or "script-src" not in policy, url
            assert shown.headers["x-content-type-options"] == "nosniff", url
            ours = rf'<img [^>]*src="(?:/w/{ids["workspace"]}/clients/|data:image/png;base64,)'
            own_pictures = len(re.findall(ours, shown.text))
            assert SCRIPT not in shown.text and shown.text.count("<img") == own_pictures, url
            assert (
                "/reports/" in url
                or url.endswith("/preview")
                or not re.search(r'\sstyle="|<style|\son\w+="', shown.text)
            ), url
            assert len(shown.content) < MAX_BYTES or url in _LARGE, f"{url} has {len(shown.content)} bytes"
            assert "\u202e" not in drop_form_values(shown.text), url
            scripts += "&lt;script&gt;" in shown.text
            marks += "&lt;/script&gt;[U+202E]" in shown.text
    assert scripts > 20 and marks > 20, "the scripts and controls are where they should be, as text"


def list_form_actions(page) -> set[str]:
    """Return the paths of a page's forms; those of test mode count as live ones."""
    actions = re.findall(r'<form\b[^>]*\bmethod="post"[^>]*>', page.text)
    found = {html.unescape(re.search(r'action="([^"?#]*)', each)[1]) or page.url.path for each in actions}
    return {path.replace("/console/test", "/console", 1) for path in found}


def is_translated_area(url: str) -> bool:
    """Return whether a URL belongs to people, to their settings or to the Console."""
    return url.startswith(("/account", "/checkout/")) or "/console" in url or url.endswith(_SETTINGS)


async def test_pages_offer_no_form_that_the_role_may_not_send_and_have_all_text_in_the_catalog(installation, client):
    mine, ids = await populate_tenant(installation, client)
    shown, untranslated = {}, {}
    for role in (Role.VIEWER, Role.EDITOR, Role.ADMIN):
        seen = set()
        async with open_browser(installation, await installation.member(mine, role), **IN_PSEUDO) as browser:
            for url in list_urls(ids):
                page = await browser.get(url)
                seen |= list_form_actions(page)
                if is_translated_area(url) and (words := find_untranslated(page.text)):
                    untranslated[url] = words
        shown[role] = {form.path for form in FORMS for path in seen if form.matches(path)}
        refused = {form.path for form in FORMS if not role.covers(form.min_role)}
        assert shown[role] & refused == set(), role
    assert len(shown[Role.VIEWER]) < len(shown[Role.EDITOR]) < len(shown[Role.ADMIN])
    assert untranslated == {}

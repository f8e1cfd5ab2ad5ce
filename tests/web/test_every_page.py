"""Every page to look at: not to be framed, small, and with nothing in it that others could have made run.

"Clickjacking, stored script in prompt, brand, alias, answer, source title and webhook response: each refused."
"""

import html
import re

from sightline.accounts.models import Role
from sightline.web.app import PAGES
from tests.web.browser import visiting
from tests.web.every_form import FORMS
from tests.web.full_tenant import SCRIPT, furnish

LARGEST = 150_000
# Neither is a page: lines of events, documents, files.
_OTHERS = ("/events", "/progress", "/api/openapi.json", "/static/", "ledger.csv")
# The reference shows every operation at once, and is the same for all.
_LARGE = {"/docs"}


def addresses(estate: dict[str, str]) -> list[str]:
    """Of all pages, with the names in them replaced by what the tenant owns."""
    found = []
    for path in sorted({path for page in PAGES if "GET" in page.http_methods for path in page.paths}):
        if any(other in path for other in _OTHERS):
            continue
        known = {**estate, "scan_id": estate["check"], "answer_id": estate["check_answer"]}
        known["prompt_id"], known["token"] = estate["prompt"], "x"
        if path.startswith("/checkout/"):
            known["session"] = estate["order"]
        if "/console/" in path:
            known |= {"domain": estate["console_domain"], "scan": estate["done_scan"], "answer": estate["done_answer"]}
        plain = re.sub(r":\w+\}", "}", path)
        found.append(re.sub(r"\{(\w+)\}", lambda name, known=known: known[name[1]], plain))
    return [*found, f"{found[0]}?done={SCRIPT}"]


async def test_no_page_can_be_framed_or_runs_what_others_wrote(installation, client):
    mine, estate = await furnish(installation, client)
    scripts = 0
    async with visiting(installation, mine.owner) as browser:
        for address in addresses(estate):
            shown = await browser.get(address)
            # A thing of live mode is not there in test mode, and neither is what a token opens that nobody was given.
            gone = {404} if "/console/test/" in address or address.startswith(("/shared/", "/join")) else set()
            assert shown.status_code in {200, 303} | gone, address
            policy = shown.headers["content-security-policy"]
            assert "frame-ancestors 'none'" in policy and "default-src 'none'" in policy, address
            assert "unsafe-eval" not in policy and "*" not in policy, address
            assert "script-src 'self'" in policy or "script-src" not in policy, address
            assert shown.headers["x-content-type-options"] == "nosniff", address
            assert SCRIPT not in shown.text and "<img" not in shown.text, address
            assert "/reports/" in address or not re.search(r'\sstyle="|<style|\son\w+="', shown.text), address
            assert len(shown.content) < LARGEST or address in _LARGE, f"{address} has {len(shown.content)} bytes"
            scripts += "&lt;script&gt;" in shown.text
    assert scripts > 20, "the scripts are where they should be, as text"


def forms_on(page) -> set[str]:
    """Where the forms of a page lead to; those of the Console's test mode count as its own."""
    actions = re.findall(r'<form\b[^>]*\bmethod="post"[^>]*>', page.text)
    found = {html.unescape(re.search(r'action="([^"?#]*)', each)[1]) or page.url.path for each in actions}
    return {path.replace("/console/test", "/console", 1) for path in found}


async def test_nobody_is_shown_an_action_that_would_be_refused(installation, client):
    mine, estate = await furnish(installation, client)
    shown = {}
    for role in (Role.VIEWER, Role.EDITOR, Role.ADMIN):
        seen = set()
        async with visiting(installation, await installation.member(mine, role)) as browser:
            for address in addresses(estate):
                seen |= forms_on(await browser.get(address))
        shown[role] = {form.path for form in FORMS for path in seen if form.fits(path)}
        refused = {form.path for form in FORMS if not role.covers(form.needs)}
        assert shown[role] & refused == set(), role
    assert len(shown[Role.VIEWER]) < len(shown[Role.EDITOR]) < len(shown[Role.ADMIN])

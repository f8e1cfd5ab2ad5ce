"""Pages of accounts, the Console and the operator, before and after sign-in, in the pseudo-language.

`test_every_page.py` looks at the same pages with data.
"""

from sightline.accounts.operators.grant import grant_operator
from sightline.errors import CATALOG
from sightline.web.problem_texts import TEXTS
from tests.web.page_browser import open_browser
from tests.web.untranslated import IN_PSEUDO, assert_translated, find_untranslated

_PUBLIC = (
    "/sign-in?done=everywhere",
    "/forgot-password",
    "/reset-password",
    "/confirm-email",
    "/welcome",
    "/join",
    "/nowhere",
)
_OPERATOR = ("/operator/status", "/operator/platforms", "/operator/platforms/chatgpt", "/operator/platforms/local")
_CONSOLE = ("", "/scans", "/scans/new", "/domains", "/credits", "/keys", "/webhooks", "/usage")
# Only programs see these: they are about headers, keys, sessions and bodies, or the pages show it in
# their own words.
_API_ONLY = """address_not_allowed format_unavailable imported_history_exists invalid_domain invalid_json
    invalid_webhook_url key_expired key_invalid key_missing key_revoked method_not_allowed
    mode_conflict quota_exceeded scope_required second_factor_required second_opinion_limit_reached
    second_opinion_not_ready session_expired session_only session_required unsupported_media_type
    wrong_key_kind"""


async def test_pages_without_data_and_their_refusals_have_no_text_outside_the_catalog(installation):
    tenant = await installation.tenant()
    async with installation.db.transaction() as tx:
        await grant_operator(tx, tenant.owner.id, now=installation.clock())
    console, members = f"/w/{tenant.id}/console", f"/w/{tenant.id}/members"
    refused = {
        f"{console}/domains": {"domain": "localhost", "competitors": "a\nb"},
        f"{console}/keys": {"name": "CI", "kind": "console", "addresses": "everywhere"},
        f"{console}/webhooks": {"url": "http://a"},
        f"{console}/scans/preview": {"domain_id": "x"},
        f"{members}/{tenant.owner.id}/change": {"role": "viewer"},
        f"{members}/invitations": {"role": "viewer", "email": "nobody"},
        "/account/password": {"current_password": "wrong", "new_password": "short"},
        "/account/timezone": {"timezone": "Mars"},
        "/operator/platforms/chatgpt/options": {"input": "much"},
    }
    async with open_browser(installation, tenant.owner, **IN_PSEUDO) as browser:
        await assert_translated(browser, [members, "/account", *_OPERATOR, *(console + page for page in _CONSOLE)])
        for path, fields in refused.items():
            page = await browser.post(path, data=fields)
            assert (page.status_code >= 400, find_untranslated(page.text)) == (True, []), path
    async with open_browser(installation, **IN_PSEUDO) as browser:
        await assert_translated(browser, _PUBLIC)
        wrong = await browser.post("/sign-in", data={"email": "nobody@acme.com", "password": "wrong"})
        assert find_untranslated(wrong.text) == []


def test_every_problem_that_a_page_can_show_has_a_text():
    assert CATALOG.keys() - TEXTS.keys() == set(_API_ONLY.split())

"""Every form of the pages with its fields, as a table for `test_every_form`.

A case has the least role that may send the form, and the status of the response. Placeholders in braces, in path and
fields, stand for ids of the sender; the tests also fill in ids of another tenant. The cases are in an order in which
all of them can be sent one after the other, with removals last.
"""

import re
from typing import Any

import msgspec

from sightline.accounts.models import Role
from sightline.kit.ids import new_id
from tests.web.populated_tenant import HOSTILE

D = "/w/{workspace}/d/{domain}"
C = "/w/{workspace}/console"
M = "/w/{workspace}/members"
TOKEN = "{token}"
EDITED = f"WHICH anvil is right for forge number 7 {HOSTILE}"  # the same question: the prompt keeps its id

# Placeholders that belong to no tenant: packs are shared, and a task or a site has the same key in every workspace.
SHARED = {"token", "pack", "task", "site", "theme"}


class FormCase(msgspec.Struct, frozen=True, kw_only=True):
    path: str
    fields: dict[str, Any] = {}
    min_role: Role = Role.EDITOR
    status: int = 303
    id_names: dict[str, str] = {}
    """The names of ids under which a placeholder is looked up, where they differ from its own."""

    @property
    def placeholders(self) -> list[str]:
        return re.findall(r"\{(\w+)\}", self.path)

    @property
    def private_placeholders(self) -> list[str]:
        return [place for place in self.placeholders if place not in SHARED]

    def matches(self, path: str) -> bool:
        return re.fullmatch(re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(self.path)), path) is not None

    def url(self, ids: dict[str, str], **other: str) -> str:
        named = {place: ids[self.id_names.get(place, place)] for place in self.placeholders} | other
        return self.path.format(**named)

    def body(self, ids: dict[str, str], **other: str) -> dict[str, Any]:
        known = {**ids, "token": str(new_id())} | other
        return {name: _fill(value, known) for name, value in self.fields.items()}

    @property
    def named_in_fields(self) -> list[str]:
        found = re.findall(r"\{(\w+)\}", repr(self.fields))
        return [name for name in dict.fromkeys(found) if name not in SHARED]


def _fill(value: Any, known: dict[str, str]) -> Any:
    if isinstance(value, list):
        return [_fill(each, known) for each in value]
    return value.format(**known) if value.startswith("{") else value


_CONSOLE_DOMAIN = {"domain": "console_domain"}
_SCAN = {"token": TOKEN, "domain_id": "{console_domain}", "keywords": "best crm", "platforms": ["chatgpt"]}
_WEBHOOK = {"url": "https://hooks.acme.com/new", "description": "Ours"}

_CHANNEL = {"name": "#acme", "url": "https://hooks.slack.com/services/T1/B1/x", "client_id": "{client}"}

# Forms that need no session and have their own tests. All of them refuse requests from other sites.
PUBLIC_FORMS = {
    "/sign-in": "tests/web/test_sign_in.py",
    "/sign-in/factor": "tests/accounts/second_factor",
    "/sign-in/sso": "tests/accounts/single_sign_on",
    "/forgot-password": "tests/web/test_password_reset.py",
    "/confirm-email": "tests/web/accounts/test_email_change.py",
    "/reset-password": "tests/web/test_password_reset.py",
    "/welcome": "tests/web/accounts",
    "/join": "tests/web/accounts",
    "/join/new": "tests/web/accounts",
    "/theme": "tests/web/test_theme.py",
    "/shared/latest/{token}": "tests/reports/test_mailings.py",
    "/shared/emails/{token}/unsubscribe": "tests/reports/test_mailings.py",
    "/checkout/local/{session}": "tests/web/test_checkout_pages.py",
}

FORMS = (
    FormCase(path="/w/{workspace}/second-opinion", fields={"brand": "Acme"}, status=422),  # without a file
    FormCase(path="/w/{workspace}/second-opinion/{opinion}", fields={"text": "text", "prompt": "prompt"}),
    # The file of the populated tenant waits, so it cannot be kept.
    FormCase(path="/w/{workspace}/second-opinion/{opinion}/keep", fields={"domain_id": "{domain}"}, status=409),
    FormCase(path="/w/{workspace}/second-opinion/history/{domain}/remove"),
    FormCase(path=f"{D}/prompts/add", fields={"prompt": "which anvil is light", "language_code": "en"}),
    FormCase(
        path=f"{D}/prompts/import",
        fields={"go": "preview", "text": "which anvil is flat", "language": "en"},
        status=200,
    ),
    FormCase(path=f"{D}/prompts/{{prompt}}/edit", fields={"prompt": EDITED, "tags": "flat"}),
    FormCase(path=f"{D}/prompts/act", fields={"action": "tag", "prompt_id": ["{prompt}"], "tags": "flat"}),
    FormCase(path=f"{D}/prompts/act", fields={"pin": "{prompt}"}),
    FormCase(path=f"{D}/prompts/act", fields={"action": "unpin", "prompt_id": ["{prompt}"]}),
    FormCase(path=f"{D}/prompts/suggestions", fields={"accept": "{suggestion}"}),
    FormCase(path=f"{D}/searches/track", fields={"prompt_id": "{prompt}", "search": "anvil reviews"}),
    FormCase(path=f"{D}/checks/retry", status=404),
    FormCase(path=f"{D}/alerts/{{alert}}/mute"),
    FormCase(path=f"{D}/alerts/{{alert}}/unmute"),
    FormCase(path=f"{D}/answers/{{check}}/{{check_answer}}/corrections", fields={"words": "Initech"}),
    FormCase(path=f"{D}/corrections/{{correction}}/undo", fields={"back": "settings"}),
    FormCase(path=f"{D}/recommendations/{{task}}/done"),
    FormCase(path=f"{D}/recommendations/{{task}}/undo"),
    FormCase(path=f"{D}/recommendations/{{task}}/dismiss", fields={"reason": HOSTILE}),
    FormCase(path=f"{D}/recommendations/{{task}}/restore"),
    FormCase(path=f"{D}/site-review/start"),
    FormCase(path=f"{D}/site-review/findings/{{finding}}/ignore", fields={"reason": HOSTILE}),
    FormCase(path=f"{D}/site-review/findings/{{finding}}/reopen"),
    FormCase(path=f"{D}/reports/{{report}}/share", fields={"token": TOKEN, "days": "7"}, status=200),
    FormCase(path=f"{D}/reports/{{report}}/share/text", fields={"note": HOSTILE, "owner_1": HOSTILE[:40]}),
    FormCase(path=f"{D}/reports/{{report}}/share/{{link}}/revoke"),
    FormCase(path=f"{D}/competitors", fields={"domain": "hooli.com", "names": "Hooli"}),
    FormCase(path=f"{D}/competitors/track", fields={"competitor": "{competitor}"}),
    FormCase(path=f"{D}/competitors/{{competitor}}/rename", fields={"names": "Globex, Globex Anvils"}),
    FormCase(path=f"{D}/competitors/{{competitor}}/hide"),
    FormCase(path=f"{D}/competitors/{{competitor}}/unhide"),
    FormCase(path=f"{D}/competitors/{{competitor}}/confirm"),
    FormCase(path=f"{D}/competitors/{{competitor}}/dismiss"),
    FormCase(path=f"{D}/sources/{{site}}/ignore"),
    FormCase(path=f"{D}/sources/{{site}}/unignore"),
    FormCase(path=f"{D}/sources/{{site}}/own"),
    FormCase(path=f"{D}/sources/{{site}}/not-own"),
    FormCase(path=f"{D}/sources/{{site}}/competitor"),
    FormCase(path=f"{D}/sources/{{site}}/not-competitor"),
    FormCase(path=f"{D}/settings/preview", fields={"brand_name": "Acme", "aliases": "Anvils"}, status=200),
    FormCase(path=f"{D}/settings/platforms", fields={"platform": "chatgpt"}),
    FormCase(path=f"{D}/settings/emails", fields={"alert_emails": "yes"}),
    FormCase(path=f"{D}/settings", fields={"brand_name": "Acme", "aliases": "Acme Anvils"}),
    FormCase(
        path=f"{D}/settings/market",
        fields={"singular": "anvil", "plural": "anvils", "audience": "smiths", "language": "en"},
    ),
    FormCase(path=f"{D}/settings/editor", min_role=Role.ADMIN),
    FormCase(path=f"{D}/themes/{{theme}}", fields={"label": "ease of use", "pinned": "yes"}),
    FormCase(
        path=f"{D}/facts",
        fields={"kind": "price", "subject": "Acme Pro", "value": "20", "currency": "EUR", "unit": "month"},
    ),
    FormCase(path=f"{D}/fact-proposals"),
    FormCase(path=f"{D}/facts/{{fact}}/changed", fields={"value": "25", "valid_from": "2026-06-01"}),
    FormCase(path=f"{D}/facts/{{fact}}/answered", fields={"stated": "USD 40", "answer": "right"}),
    FormCase(path=f"{D}/facts/{{fact}}/removed"),
    FormCase(path="/w/{workspace}/new", fields={"domain": "acme.org"}),
    FormCase(
        path="/w/{workspace}/new/{domain}",
        fields={"go": "summary", "brand_name": "Acme", "language": "en", "prompts": "which anvil is quiet"},
        status=200,
    ),
    FormCase(path=f"{C}/domains", fields={"domain": "acme.net", "token": TOKEN}),
    FormCase(path=f"{C}/domains/{{domain}}", fields={"brand_name": "Acme"}, id_names=_CONSOLE_DOMAIN),
    FormCase(path=f"{C}/scans/preview", fields=_SCAN, status=200),
    FormCase(path=f"{C}/scans/{{scan}}/cancel"),
    FormCase(path=f"{C}/scans", fields=_SCAN),
    FormCase(path=f"{C}/credits/checkout", fields={"token": TOKEN, "pricing_id": "{pack}"}, min_role=Role.OWNER),
    FormCase(path=f"{C}/credits/checkouts/{{reference}}/recover", min_role=Role.OWNER),
    FormCase(
        path=f"{C}/keys",
        fields={"token": TOKEN, "name": "CI", "kind": "console", "mode": "live"},
        min_role=Role.ADMIN,
        status=200,
    ),
    FormCase(path=f"{C}/keys/{{key}}/rotate", fields={"token": TOKEN}, min_role=Role.OWNER, status=200),
    FormCase(path=f"{C}/keys/{{key}}/revoke", min_role=Role.ADMIN),
    FormCase(path=f"{C}/keys/revoke-all", min_role=Role.OWNER),
    FormCase(path=f"{C}/webhooks", fields={**_WEBHOOK, "token": TOKEN}, min_role=Role.ADMIN, status=200),
    FormCase(path=f"{C}/webhooks/{{webhook}}", fields=_WEBHOOK, min_role=Role.ADMIN),
    FormCase(path=f"{C}/webhooks/{{webhook}}/rotate", fields={"token": TOKEN}, min_role=Role.ADMIN, status=200),
    FormCase(path=f"{C}/webhooks/{{webhook}}/test", fields={"token": TOKEN}, min_role=Role.ADMIN),
    FormCase(
        path=f"{C}/webhooks/{{webhook}}/deliveries/{{delivery}}/redeliver",
        fields={"token": TOKEN},
        min_role=Role.ADMIN,
    ),
    FormCase(path=f"{C}/webhooks/{{webhook}}/remove", min_role=Role.ADMIN),
    FormCase(path=f"{C}/domains/{{domain}}/remove", id_names=_CONSOLE_DOMAIN, status=409),
    FormCase(path=f"{D}/prompts/act", fields={"action": "remove", "prompt_id": ["{prompt}"]}),
    FormCase(path=f"{M}/{{guest}}/remove-guest", fields={"client": "{client}"}, min_role=Role.ADMIN),
    FormCase(path="/w/{workspace}/clients", fields={"token": TOKEN, "name": "Hooli Group"}, min_role=Role.ADMIN),
    FormCase(
        path="/w/{workspace}/clients/{client}",
        fields={"name": "Acme Group", "domain": ["{domain}"]},
        min_role=Role.ADMIN,
    ),
    FormCase(
        path="/w/{workspace}/clients/{client}/settings",
        fields={"color": "#7a1f5c", "recipients": "ben@acme.com", "rhythm": "weekly", "weekday": "1", "hour": "8"},
        min_role=Role.ADMIN,
    ),
    FormCase(path="/w/{workspace}/clients/{client}/links", fields={"token": TOKEN}, min_role=Role.ADMIN, status=200),
    FormCase(
        path="/w/{workspace}/clients/{client}/links/{link}/revoke",
        min_role=Role.ADMIN,
        id_names={"link": "client_link"},
    ),
    FormCase(path="/w/{workspace}/clients/{client}/test", min_role=Role.ADMIN),
    FormCase(
        path="/w/{workspace}/import",
        fields={"token": TOKEN, "go": "preview", "text": "globex.org", "template": "{domain}"},
        min_role=Role.ADMIN,
        status=200,
    ),
    FormCase(path="/w/{workspace}/slack", fields={"token": TOKEN, **_CHANNEL}, min_role=Role.ADMIN),
    FormCase(path="/w/{workspace}/slack/{channel}", fields=_CHANNEL, min_role=Role.ADMIN),
    FormCase(path="/w/{workspace}/slack/{channel}/test", fields={"token": TOKEN}, min_role=Role.ADMIN),
    FormCase(path="/w/{workspace}/slack/{channel}/remove", min_role=Role.ADMIN),
    FormCase(path="/w/{workspace}/clients/{client}/remove", min_role=Role.ADMIN),
    FormCase(path=f"{D}/settings/remove", fields={"confirmation": "acme.com"}, min_role=Role.ADMIN),
    FormCase(path=f"{M}/invitations", fields={"token": TOKEN, "role": "viewer"}, min_role=Role.ADMIN, status=200),
    FormCase(path=f"{M}/invitations/{{invitation}}/revoke", min_role=Role.ADMIN),
    FormCase(path=f"{M}/{{member}}/change", fields={"role": "editor"}, min_role=Role.ADMIN),
    FormCase(path=f"{M}/{{member}}/payer", min_role=Role.OWNER),
    FormCase(path=f"{M}/{{member}}/reset-factors", min_role=Role.OWNER),
    FormCase(path=f"{M}/second-factor", min_role=Role.OWNER),
    FormCase(path=f"{M}/{{member}}/remove", min_role=Role.ADMIN, status=409),  # who pays has to stay
    FormCase(path="/w/{workspace}/demo", min_role=Role.OWNER, status=409),  # the workspace is not empty
    FormCase(path=f"{M}/timezone", fields={"timezone": "Europe/Berlin"}, min_role=Role.ADMIN),
    FormCase(path="/w/{workspace}/data/export", min_role=Role.OWNER),
    FormCase(path="/w/{workspace}/data/delete", fields={"name": "another name"}, min_role=Role.OWNER, status=422),
    FormCase(path="/w/{workspace}/data/cancel", min_role=Role.OWNER),
    FormCase(path="/w/{workspace}/single-sign-on", fields={"issuer": "acme"}, min_role=Role.OWNER, status=422),
    FormCase(path="/w/{workspace}/single-sign-on/require", fields={"required": "y"}, min_role=Role.OWNER, status=409),
    FormCase(path="/w/{workspace}/single-sign-on/remove", min_role=Role.OWNER),
    FormCase(path=f"{M}/leave", min_role=Role.VIEWER),
    FormCase(path="/account/name", fields={"name": "Somebody"}, min_role=Role.VIEWER),
    FormCase(path="/account/timezone", fields={"timezone": "Asia/Tokyo"}, min_role=Role.VIEWER),
    FormCase(path="/account/language", fields={"language": "en"}, min_role=Role.VIEWER),
    FormCase(path="/account/email", fields={"email": "no address"}, min_role=Role.VIEWER, status=200),
    FormCase(path="/account/sessions/{session}/end", min_role=Role.VIEWER),
    FormCase(path="/account/sessions/end-others", min_role=Role.VIEWER),
    FormCase(path="/account/confirm", fields={"next": "/account"}, min_role=Role.VIEWER),
    FormCase(path="/account/factors/app", fields={"code": "000000"}, min_role=Role.VIEWER, status=422),
    FormCase(path="/account/factors/passkey", fields={"name": "Mine"}, min_role=Role.VIEWER, status=422),
    FormCase(path="/account/factors/codes", min_role=Role.VIEWER, status=200),
    FormCase(path="/account/factors/{factor}/remove", min_role=Role.VIEWER),
    FormCase(path="/account/password", fields={"current_password": "wrong"}, min_role=Role.VIEWER, status=422),
    FormCase(path="/sign-out", min_role=Role.VIEWER),
    FormCase(path="/account/sessions/end-all", min_role=Role.VIEWER),
    FormCase(path="/w/{workspace}/second-opinion/{opinion}/delete"),
)

# Forms of the operator's area. They name no workspace, and exist for operators alone: all others get a 404.
_P = "/operator/platforms/chatgpt"
OPERATOR_FORMS: tuple[FormCase, ...] = (
    FormCase(path=f"{_P}/connect", fields={"key": "", "model": "gpt"}, status=422),
    FormCase(path=f"{_P}/test", status=200),
    FormCase(path=f"{_P}/options", fields={"input": "1", "output": "5", "search": "", "monthly_limit": "20"}),
    FormCase(path=f"{_P}/surface", fields={"surface": ""}),
    FormCase(path=f"{_P}/pause"),
    FormCase(path=f"{_P}/resume"),
    FormCase(path=f"{_P}/disconnect"),
    FormCase(path="/operator/status/retry", fields={"job": "1"}, status=404),  # there is no such job
)

"""Every form of the pages, with what its page would send: a table that `test_every_form` walks through.

A row says the least role that may send it, and how the server answers then. Names in braces stand for what the sender
owns, in the address and in the fields alike; the walk puts somebody else's in their place. Rows stand in an order in
which all of them can be sent one after the other: what removes something comes last.
"""

import re
from typing import Any

import msgspec

from sightline.accounts.models import Role
from sightline.kit.ids import new_id

D = "/w/{workspace}/d/{domain}"
C = "/w/{workspace}/console"
M = "/w/{workspace}/members"
TOKEN = "{token}"

# Names for what is not somebody's own: packs are the same for all, and a task is called the same wherever it arises.
SHARED = {"token", "pack", "task"}


class Form(msgspec.Struct, frozen=True, kw_only=True):
    path: str
    fields: dict[str, Any] = {}
    needs: Role = Role.EDITOR
    answer: int = 303
    owns: dict[str, str] = {}
    """Where a name of the address means another thing than the estate calls so."""

    @property
    def places(self) -> list[str]:
        """The names in the address that stand for somebody's property."""
        return re.findall(r"\{(\w+)\}", self.path)

    @property
    def foreign(self) -> list[str]:
        return [place for place in self.places if place not in SHARED]

    def fits(self, path: str) -> bool:
        return re.fullmatch(re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(self.path)), path) is not None

    def address(self, estate: dict[str, str], **other: str) -> str:
        named = {place: estate[self.owns.get(place, place)] for place in self.places} | other
        return self.path.format(**named)

    def body(self, estate: dict[str, str], **other: str) -> dict[str, Any]:
        known = {**estate, "token": str(new_id())} | other
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

# Sent by those who are not signed in, and checked by tests of their own. All of them refuse forms of other sites.
OPEN = {
    "/sign-in": "tests/web/test_sign_in.py",
    "/welcome": "tests/web/accounts",
    "/join": "tests/web/accounts",
    "/join/new": "tests/web/accounts",
    "/theme": "tests/web/test_theme.py",
    "/checkout/local/{session}": "tests/web/test_checkout_pages.py",
}

FORMS = (
    Form(path=f"{D}/prompts/add", fields={"prompt": "which anvil is light", "language_code": "en"}),
    Form(path=f"{D}/prompts/act", fields={"pin": "{prompt}"}),
    Form(path=f"{D}/prompts/act", fields={"action": "unpin", "prompt_id": ["{prompt}"]}),
    Form(path=f"{D}/prompts/suggestions", fields={"accept": "{suggestion}"}),
    Form(path=f"{D}/checks/retry", answer=404),
    Form(path=f"{D}/alerts/{{alert}}/mute"),
    Form(path=f"{D}/alerts/{{alert}}/unmute"),
    Form(path=f"{D}/recommendations/{{task}}/done"),
    Form(path=f"{D}/recommendations/{{task}}/undo"),
    Form(path=f"{D}/reports/{{report}}/share", fields={"token": TOKEN, "days": "7"}, answer=200),
    Form(path=f"{D}/reports/{{report}}/share/{{link}}/revoke"),
    Form(path=f"{D}/competitors", fields={"domain": "hooli.com", "names": "Hooli"}),
    Form(path=f"{D}/competitors/{{competitor}}/rename", fields={"names": "Globex, Globex Anvils"}),
    Form(path=f"{D}/competitors/{{competitor}}/hide"),
    Form(path=f"{D}/competitors/{{competitor}}/unhide"),
    Form(path=f"{D}/competitors/{{competitor}}/confirm"),
    Form(path=f"{D}/competitors/{{competitor}}/dismiss"),
    Form(path=f"{D}/settings/preview", fields={"brand_name": "Acme", "aliases": "Anvils"}, answer=200),
    Form(path=f"{D}/settings/letters", fields={"alert_letters": "yes"}),
    Form(path=f"{D}/settings", fields={"brand_name": "Acme", "aliases": "Acme Anvils"}),
    Form(path="/w/{workspace}/new", fields={"domain": "acme.org"}),
    Form(
        path="/w/{workspace}/new/{domain}",
        fields={"go": "summary", "brand_name": "Acme", "language": "en", "prompts": "which anvil is quiet"},
        answer=200,
    ),
    Form(path=f"{C}/domains", fields={"domain": "acme.net", "token": TOKEN}),
    Form(path=f"{C}/domains/{{domain}}", fields={"brand_name": "Acme"}, owns=_CONSOLE_DOMAIN),
    Form(path=f"{C}/scans/preview", fields=_SCAN, answer=200),
    Form(path=f"{C}/scans/{{scan}}/cancel"),
    Form(path=f"{C}/scans", fields=_SCAN),
    Form(path=f"{C}/credits/checkout", fields={"token": TOKEN, "pricing_id": "{pack}"}, needs=Role.OWNER),
    Form(path=f"{C}/credits/checkouts/{{reference}}/recover", needs=Role.OWNER),
    Form(
        path=f"{C}/keys",
        fields={"token": TOKEN, "name": "CI", "kind": "console", "mode": "live"},
        needs=Role.ADMIN,
        answer=200,
    ),
    Form(path=f"{C}/keys/{{key}}/revoke", needs=Role.ADMIN),
    Form(path=f"{C}/webhooks", fields={**_WEBHOOK, "token": TOKEN}, needs=Role.ADMIN, answer=200),
    Form(path=f"{C}/webhooks/{{webhook}}", fields=_WEBHOOK, needs=Role.ADMIN),
    Form(path=f"{C}/webhooks/{{webhook}}/rotate", fields={"token": TOKEN}, needs=Role.ADMIN, answer=200),
    Form(path=f"{C}/webhooks/{{webhook}}/test", fields={"token": TOKEN}, needs=Role.ADMIN),
    Form(
        path=f"{C}/webhooks/{{webhook}}/deliveries/{{delivery}}/redeliver",
        fields={"token": TOKEN},
        needs=Role.ADMIN,
    ),
    Form(path=f"{C}/webhooks/{{webhook}}/remove", needs=Role.ADMIN),
    Form(path=f"{C}/domains/{{domain}}/remove", owns=_CONSOLE_DOMAIN, answer=409),
    Form(path=f"{D}/prompts/act", fields={"action": "remove", "prompt_id": ["{prompt}"]}),
    Form(path=f"{D}/settings/remove", fields={"confirmation": "acme.com"}, needs=Role.ADMIN),
    Form(path=f"{M}/invitations", fields={"token": TOKEN, "role": "viewer"}, needs=Role.ADMIN, answer=200),
    Form(path=f"{M}/invitations/{{invitation}}/revoke", needs=Role.ADMIN),
    Form(path=f"{M}/{{member}}/change", fields={"role": "editor"}, needs=Role.ADMIN),
    Form(path=f"{M}/{{member}}/payer", needs=Role.OWNER),
    Form(path=f"{M}/{{member}}/remove", needs=Role.ADMIN, answer=409),  # who pays has to stay
    Form(path="/w/{workspace}/demo", needs=Role.OWNER, answer=409),  # there is something here already
    Form(path=f"{M}/leave", needs=Role.VIEWER),
    Form(path="/account/name", fields={"name": "Somebody"}, needs=Role.VIEWER),
    Form(path="/account/sessions/{session}/end", needs=Role.VIEWER),
    Form(path="/account/sessions/end-others", needs=Role.VIEWER),
    Form(path="/account/password", fields={"current_password": "wrong"}, needs=Role.VIEWER, answer=422),
    Form(path="/sign-out", needs=Role.VIEWER),
)

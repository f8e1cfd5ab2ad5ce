"""Every form that is refused comes back as it was typed, marks what is wrong, and leads there, without a script.

The walk opens all pages and sends each form that has something to fill in, with one wrong value. A form that is in
neither table below fails these tests.
"""

from typing import NamedTuple

import pytest
from selectolax.lexbor import LexborHTMLParser, LexborNode

from sightline.accounts.operators.grant import grant_operator
from sightline.platforms.connections import save
from sightline.platforms.connections.load import load_connections
from sightline.platforms.connections.save import CredentialInput
from sightline.web.returned_forms import list_controls
from tests.accounts.test_invitations import create_invitation
from tests.installation import PASSWORD
from tests.web.accounts.test_welcome import create_welcome_token
from tests.web.form_catalog import C, D, M
from tests.web.page_browser import open_browser
from tests.web.populated_tenant import SCRIPT, populate_tenant
from tests.web.test_every_form import covers
from tests.web.test_every_page import list_urls

LONG = "long " * 60
P = "/operator/platforms/{platform}"
PRICES: dict[str, str | None] = {"input": "much", "output": "-1", "search": "x", "monthly_limit": "1e9"}

# By the path of a form: the wrong values to send, one at a time. None sends nothing, such as no ticked box.
WRONG: dict[str, dict[str, str | None]] = {
    f"{D}/prompts/add": {"prompt": "x", "language_code": "Klingon", "country_iso_2": "Atlantis"},
    f"{D}/prompts/import": {"text": "x", "countries": "Atlantis", "language": "Klingon", "tags": LONG},
    f"{D}/prompts/act": {"prompt_id": None, "tags": ""},
    f"{D}/prompts/{{prompt}}/edit": {"prompt": "x", "tags": LONG},
    f"{D}/answers/{{scan}}/{{answer}}/corrections": {"words": "no such words"},
    f"{D}/recommendations/{{task}}/done": {"done_on": "2999-01-01"},
    f"{D}/reports/{{report}}/share": {"days": "12345"},
    f"{D}/reports/{{report}}/share/text": {"note": LONG * 3, "owner_1": LONG},
    f"{D}/facts": {"value": "", "subject": LONG, "currency": "money"},
    f"{D}/facts/{{fact}}/changed": {"value": LONG},
    f"{D}/settings/market": {"singular": LONG, "plural": LONG, "audience": LONG * 2, "language": "Klingon"},
    f"{D}/competitors": {"domain": "no domain", "names": LONG},
    f"{D}/competitors/{{competitor}}/rename": {"names": LONG},
    f"{D}/competitors/{{competitor}}/confirm": {"domain": "no domain"},
    f"{D}/settings": {"brand_name": "", "aliases": f"Anvils\n\n{LONG}", "owned_domains": "anvils.com\n\nno domain"},
    f"{D}/settings/platforms": {"platform": None},
    f"{D}/settings/remove": {"confirmation": "acme"},
    "/w/{workspace}/new": {"domain": "no domain"},
    "/w/{workspace}/new/{domain}": {
        "brand_name": "", "countries": "Atlantis", "language": "Klingon", "prompts": "which anvil\n\nx",
        "platform": None,
    },
    "/w/{workspace}/single-sign-on": {"issuer": "no address"},
    f"{D}/recommendations/{{key}}/dismiss": {"reason": " "},
    f"{C}/domains": {"domain": "no domain", "aliases": LONG, "owned_domains": "no domain", "competitors": "no domain"},
    f"{C}/domains/{{domain}}": {"brand_name": "", "aliases": LONG, "owned_domains": "no domain", "competitors": "x y"},
    f"{C}/scans/preview": {"keywords": "best crm\n\nx", "platforms": None},
    f"{C}/keys": {"name": "", "kind": "other", "mode": "other", "addresses": "203.0.113.0/24\n\nx", "expires": "7"},
    f"{C}/webhooks": {"url": "https://localhost/in", "description": LONG * 2},
    f"{C}/webhooks/{{webhook}}": {"url": "http://acme.com", "description": LONG * 2},
    f"{M}/invitations": {"email": "nobody", "role": "owner"},
    f"{M}/{{member}}/change": {"role": "emperor"},
    "/w/{workspace}/clients": {"name": LONG},
    "/w/{workspace}/clients/{client}": {"name": LONG},
    "/w/{workspace}/clients/{client}/settings": {
        "color": "#ffee00", "recipients": "ben@acme.com\n\nnobody", "timezone": "Mars",
    },
    "/w/{workspace}/clients/{client}/links": {"link_password": "short"},
    f"{M}/timezone": {"timezone": "Mars"},
    "/w/{workspace}/import": {"text": "no domain"},
    "/w/{workspace}/slack": {"name": LONG, "url": "https://acme.com/in"},
    "/w/{workspace}/slack/{channel}": {"name": LONG, "url": "https://acme.com/in"},
    "/w/{workspace}/data/delete": {"name": "another name"},
    "/account/factors/app": {"code": "000000"},
    "/account/name": {"name": ""},
    "/account/timezone": {"timezone": "Mars"},
    "/account/language": {"language": "tlh"},
    "/account/password": {"current_password": "wrong"},
    f"{P}/connect": {"key": "two words", "model": "two words", **PRICES},
}  # fmt: skip
# The button that sends a form with several.
BUTTONS = {
    f"{D}/prompts/act": {"action": "tag"},
    "/w/{workspace}/new/{domain}": {"go": "start"},
    "/w/{workspace}/import": {"go": "preview"},
}
# Forms without a value that can be wrong, and those that have their own tests: below, and where a file is uploaded.
NEVER_WRONG: dict[str, dict[str, str | None]] = {
    f"{D}/fact-proposals",
    f"{D}/facts/{{fact}}/answered",
    f"{D}/facts/{{fact}}/removed",
    f"{D}/settings/emails",
    f"{D}/settings/editor",
    f"{C}/keys/{{key}}/revoke",
    f"{M}/{{member}}/remove-guest",
    "/w/{workspace}/second-opinion",
    "/w/{workspace}/second-opinion/{opinion}",
    "/theme",
}
PUBLIC = {
    "/sign-in",
    "/shared/latest/{token}",
    "/shared/emails/{token}/unsubscribe",
    "/forgot-password",
    "/reset-password",
    "/welcome",
    "/join/new",
    "/checkout/local/{session}",
}


class OfferedForm(NamedTuple):
    path: str
    values: dict[str, list[str]]
    """What a browser would send, with a distinct text in every text field."""
    typed: dict[str, str]
    chosen: set[tuple[str, str]]


def read_forms(page: str) -> list[OfferedForm]:
    """Return the forms of a page that a person fills in."""
    forms = LexborHTMLParser(page).css("main form[method=post]")
    return [fill_distinctly(form) for form in forms if list_names(form)]


def list_names(form: LexborNode) -> set[str]:
    return {each.attrs["name"] for each in list_controls(form) if each.attrs.get("name")}


def fill_distinctly(form: LexborNode) -> OfferedForm:
    """Fill a form in: each text field with another text, and of boxes and options the last of each name."""
    values: dict[str, list[str]] = {}
    typed: dict[str, str] = {}
    chosen: dict[str, str] = {}
    for each in form.css("input[type=hidden][name]"):
        values.setdefault(each.attrs["name"], []).append(each.attrs.get("value") or "")
    for number, each in enumerate(list_controls(form)):
        name, kind = each.attrs.get("name"), each.attrs.get("type") or each.tag
        if not name or "disabled" in each.attrs or "readonly" in each.attrs:
            continue
        if kind in {"checkbox", "radio"}:
            chosen[name] = each.attrs.get("value") or "on"
        elif kind == "select":
            chosen[name] = read_option(each.css("option")[-1])
        else:
            typed[name] = write_text("decimal" if each.attrs.get("inputmode") == "decimal" else kind, number)
    values |= {name: [text] for name, text in (chosen | typed).items()}
    return OfferedForm((form.attrs["action"] or "").partition("?")[0], values, typed, set(chosen.items()))


def read_option(option: LexborNode) -> str:
    value = option.attrs.get("value")
    return option.text() if value is None else value


def write_text(kind: str, number: int) -> str:
    """Return a text of the kind that a field asks for; where that may be any text, with what HTML escapes."""
    match kind:
        case "date":
            return "2026-11-02"
        case "email":
            return f"n{number}@acme.com"
        case "url":
            return f"https://n{number}.acme.com/?a=1&b=2"
        case "decimal":
            return f"{number + 1}.5"
        case _:
            return f" n{number} <b> & “é” "


def find_returned(page: LexborHTMLParser, form: OfferedForm) -> LexborNode:
    """Return the form on the page that answers: the one with the same path and fields."""
    names = form.typed.keys() | dict(form.chosen).keys()
    offered = [each for each in page.css("main form[method=post]") if names <= list_names(each)]
    same = [each for each in offered if (each.attrs["action"] or "").partition("?")[0] == form.path]
    assert same, f"{form.path}: the page does not have the form"
    return same[0]


def assert_as_typed(returned: LexborNode, form: OfferedForm, wrong: str) -> None:
    """Assert that each value that was sent is in the form again, and nothing secret is."""
    shown, ticked = {}, set()
    for each in list_controls(returned):
        name, kind = each.attrs.get("name"), each.attrs.get("type") or each.tag
        if kind in {"checkbox", "radio"}:
            if "checked" in each.attrs:
                ticked.add((name, each.attrs.get("value") or "on"))
        elif kind == "select":
            ticked |= {(name, read_option(option)) for option in each.css("option[selected]")}
        else:
            shown[name] = each.text() if each.tag == "textarea" else each.attrs.get("value") or ""
    for name, text in form.typed.items():
        assert shown[name] == text, (form.path, wrong, name)
    for name, value in form.chosen:
        assert name == wrong or (name, value) in ticked, (form.path, wrong, name)
    for secret in returned.css("input[type=password]"):
        assert not secret.attrs.get("value"), (form.path, secret.attrs["name"])


def assert_leads_to_field(page: LexborHTMLParser, form: OfferedForm, wrong: str) -> None:
    """Assert that the page has the cursor in one marked field, says there what is wrong, and links to it at the top."""
    focused = page.css("[autofocus]")
    assert len(focused) == 1, (form.path, wrong, [each.html for each in focused])
    control = focused[0]
    said = page.css_first(f"#{control.attrs['aria-describedby'].split()[0]}")
    assert said is not None and said.text().strip(), (form.path, wrong)
    assert "fault" in said.attrs["class"] and (control.tag == "button" or control.attrs["aria-invalid"] == "true")
    banner = page.css_first("main [role=alert]")
    assert banner is not None and banner.css_first(f'a[href="#{control.attrs["id"]}"]') is not None, (form.path, wrong)
    assert said.text() not in banner.text(), f"{form.path}: the same sentence twice"
    parent = control.parent
    while parent is not None:
        assert parent.tag != "details" or "open" in parent.attrs, (form.path, wrong)
        parent = parent.parent


async def send_wrong(browser, form: OfferedForm, name: str, value: str | None) -> None:
    """Send the form with one wrong value, and look at what comes back."""
    sent = (
        {**form.values, name: [value]}
        if value is not None
        else {key: each for key, each in form.values.items() if key != name}
    )
    answer = await browser.post(form.path, data=sent)
    assert answer.status_code in {409, 422}, (form.path, name, answer.status_code)
    page = LexborHTMLParser(answer.text)
    typed = {key: value if key == name else text for key, text in form.typed.items()}
    chosen = {each for each in form.chosen if each[0] != name}
    asked = OfferedForm(form.path, sent, typed, chosen)
    assert_as_typed(find_returned(page, asked), asked, name)
    assert_leads_to_field(page, asked, name)
    assert SCRIPT not in answer.text


def find_pattern(path: str, table) -> str | None:
    matches = [pattern for pattern in table if covers(pattern, path)]
    return min(matches, key=lambda pattern: pattern.count("{")) if matches else None


async def test_every_refused_form_is_as_it_was_typed_and_leads_to_the_wrong_field(installation, client):
    tenant, ids = await populate_tenant(installation, client)
    async with installation.db.transaction() as tx:
        await grant_operator(tx, tenant.owner.id, now=installation.clock())
    seen: set[str] = set()
    faults: list[str] = []
    async with open_browser(installation, tenant.owner) as browser:
        started = await browser.post(f"/w/{tenant.id}/new", data={"domain": "anvils.org"})
        urls = [
            *list_urls(ids),
            started.headers["location"],
            f"/w/{tenant.id}/d/{ids['domain']}/answers/{ids['check']}/{ids['check_answer']}",
        ]
        for url in urls:
            page = await browser.get(url, follow_redirects=True)
            for form in read_forms(page.text):
                live = form.path.replace("/console/test", "/console", 1)
                assert find_pattern(live, WRONG) or find_pattern(live, NEVER_WRONG | PUBLIC), f"{url}: {form.path}"
                pattern = find_pattern(live, WRONG)
                if pattern is None or pattern in seen or live != form.path:
                    continue
                seen.add(pattern)
                form.values.update({name: [value] for name, value in BUTTONS.get(pattern, {}).items()})
                for name, value in WRONG[pattern].items():
                    try:
                        await send_wrong(browser, form, name, value)
                    except AssertionError as error:
                        faults.append(str(error).partition("\n")[0])
    assert faults == [], "\n".join(faults)
    assert seen == WRONG.keys(), WRONG.keys() - seen


async def test_refused_prices_of_a_connected_platform_are_as_they_were_typed(installation):
    tenant, settings = await installation.tenant(), installation.app_context.settings
    draft, _ = await save.prepare_credential(
        installation.db, settings, "openai", CredentialInput(key="sk-test"), now=installation.clock()
    )
    async with installation.db.transaction() as tx:
        await grant_operator(tx, tenant.owner.id, now=installation.clock())
        await save.save_credential(tx, draft)
    await load_connections(installation.db, settings)
    async with open_browser(installation, tenant.owner) as browser:
        forms = read_forms((await browser.get("/operator/platforms/chatgpt")).text)
        (form,) = [each for each in forms if each.path.endswith("/options")]
        for name, value in PRICES.items():
            await send_wrong(browser, form, name, value)


@pytest.mark.parametrize(
    ("page", "wrong"),
    [
        ("welcome", {"name": "", "email": "nobody", "password": "short", "workspace_name": LONG}),
        ("join", {"name": LONG, "email": "nobody", "password": "short"}),
    ],
)
async def test_forms_of_people_without_an_account_lead_to_the_wrong_field(installation, page, wrong):
    if page == "welcome":
        token = await create_welcome_token(installation)
    else:
        _, token = await create_invitation(installation, await installation.tenant())
    async with open_browser(installation) as browser:
        (form,) = read_forms((await browser.get(f"/{page}?token={token}")).text)
        form.values["password"] = [PASSWORD]
        for name, value in wrong.items():
            await send_wrong(browser, form, name, value)


async def test_a_fault_of_a_password_is_said_once_and_without_the_password(installation):
    tenant = await installation.tenant()
    async with open_browser(installation, tenant.owner) as browser:
        weak = await browser.post(
            "/account/password", data={"current_password": PASSWORD, "new_password": "sightline1234"}
        )
    assert weak.status_code == 422 and weak.text.count("This password is too easy to guess.") == 1
    assert "sightline1234" not in weak.text and PASSWORD not in weak.text

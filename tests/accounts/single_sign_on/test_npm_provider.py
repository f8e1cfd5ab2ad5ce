"""Single sign-on through npm's `oidc-provider`, with its own pages for signing in and consent."""

import os
import subprocess
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urljoin

import httpx

from sightline.accounts.models import Role
from tests.accounts.single_sign_on.test_single_sign_on import DOMAIN, SECRET, SESSION, assign, leave, refused
from tests.installation import Installation
from tests.process.serving.processes import free_port
from tests.web.page_browser import open_browser

SCRIPT = Path(__file__).parents[2] / "fakes" / "npm_oidc_provider.mjs"


class Person(httpx.Client):
    """A browser at the provider. It keeps its session there until it is closed."""

    def sign_in(self, location, email):
        """Follow the provider's own pages; return where the browser is sent back to."""
        answer = self.get(location)
        pages = []
        for _ in range(12):
            while answer.is_redirect and "/sign-in/sso/" not in answer.headers["location"]:
                answer = self.get(urljoin(str(answer.url), answer.headers["location"]))
            if answer.is_redirect:
                return answer.headers["location"], pages
            assert answer.status_code == 200, answer.text
            pages.append("login" if 'name="login"' in answer.text else "consent")
            form = {"prompt": pages[-1]} | ({"login": email, "password": "any"} if pages[-1] == "login" else {})
            answer = self.post(answer.url, data=form)
        raise AssertionError(pages)


@contextmanager
def run_provider(port, redirect_uri):
    environment = os.environ | {"OIDC_PROVIDER": os.environ["SIGHTLINE_TEST_OIDC"]}
    command = ["node", str(SCRIPT), str(port), redirect_uri]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        try:
            assert process.stdout.readline() == b"ready\n"
            yield
        finally:
            process.kill()


async def test_people_sign_in_and_confirm_through_a_provider_of_others(database_url, tmp_path):
    port = free_port()
    issuer = f"http://127.0.0.1:{port}"
    given = {"webhook_allow_loopback": True, "smtp_url": "smtp://127.0.0.1:9"}
    async with Installation.open(database_url, tmp_path, **given) as site:
        site.clock.now = datetime.now(UTC)
        tenant = await site.tenant()
        await assign(site, tenant)
        member = await site.member(tenant, Role.OWNER)
        page = f"/w/{tenant.id}/single-sign-on"
        with run_provider(port, f"http://test/sign-in/sso/{tenant.id}/callback"), Person() as person:
            fields = {"issuer": issuer, "client_id": "sightline", "client_secret": SECRET}
            async with open_browser(site, tenant.owner) as owner:
                assert (await owner.post(page, data=fields)).status_code == 303
            async with open_browser(site) as browser:
                back, pages = person.sign_in(await leave(browser, member.email), member.email)
                assert pages == ["login", "consent"] and f"iss=http%3A%2F%2F127.0.0.1%3A{port}" in back
                assert (await browser.get(back)).status_code == 303
                signed_in = (await browser.get(SESSION)).json()["data"]
                assert (signed_in["signed_in_by"], signed_in["user"]["email"]) == ("single_sign_on", member.email)
            async with open_browser(site) as other:
                async with refused(site, tenant):
                    assert (await other.get(back)).status_code in (400, 401), "a code and a state of another browser"
                back, pages = person.sign_in(await leave(other, member.email), member.email)
                assert pages == [], "the provider still knows the person"
                assert (await other.get(back)).status_code == 303
                async with refused(site, tenant):
                    assert (await other.get(back)).status_code in (400, 401), "a code works once"
            async with open_browser(site) as browser:
                await browser.get(person.sign_in(await leave(browser, member.email), member.email)[0])
                site.clock.now += timedelta(minutes=20)
                assert (await browser.post(f"{page}/require", data={"required": "yes"})).status_code == 403
        with run_provider(port, f"http://test/sign-in/sso/{tenant.id}/callback"), Person() as stranger:
            async with open_browser(site) as browser, refused(site, tenant):
                back, _ = stranger.sign_in(await leave(browser, member.email), f"eve@elsewhere.{DOMAIN}")
                assert (await browser.get(back)).status_code == 401, "an address of a domain that is not assigned"
            fields["client_secret"] = "wrong"
            async with open_browser(site, tenant.owner) as owner:
                await owner.post(page, data=fields)
            async with open_browser(site) as browser, refused(site, tenant):
                back, _ = stranger.sign_in(await leave(browser, member.email), member.email)
                assert (await browser.get(back)).status_code in (401, 502, 503)

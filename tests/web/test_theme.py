"""The theme switch: "light, dark, as the system says; remembered", without a script and without a wrong flash."""

import msgspec
import pytest

from tests.web.page_browser import open_browser

SIGN_IN = "/sign-in"


async def choose(browser, theme, **headers):
    return await browser.post("/theme", data={"theme": theme}, headers=headers)


async def test_a_chosen_theme_is_in_the_html_of_every_page_until_system_is_chosen(installation):
    async with open_browser(installation) as browser:
        assert "data-theme" not in (await browser.get(SIGN_IN)).text
        for theme in ("dark", "light"):
            assert (await choose(browser, theme)).status_code == 303
            for path in (SIGN_IN, "/docs", "/docs/errors"):
                page = (await browser.get(path)).text
                assert f'<html lang="en" data-theme="{theme}">' in page, path
                assert f'<meta name="color-scheme" content="{theme}">' in page
        gone = await choose(browser, "system")
        assert "Max-Age=0" in gone.headers["set-cookie"] and "HttpOnly; SameSite=Lax" in gone.headers["set-cookie"]
        assert "data-theme" not in (await browser.get(SIGN_IN)).text


async def test_over_https_the_cookie_is_bound_to_this_host(installation):
    settings = installation.app_context.settings.model_copy(update={"base_url": "https://test"})
    installation.app_context = msgspec.structs.replace(installation.app_context, settings=settings)
    async with open_browser(installation) as browser:
        browser.base_url = "https://test"
        chosen = (await choose(browser, "dark")).headers["set-cookie"]
        assert chosen.startswith("__Host-sightline_theme=dark; Path=/;") and chosen.endswith("; Secure")
        assert 'data-theme="dark"' in (await browser.get(SIGN_IN)).text
        browser.cookies.clear()
        without = await browser.get(SIGN_IN, headers={"Cookie": "sightline_theme=dark"})
        assert "data-theme" not in without.text, "another host of the domain could have set it"


async def test_changing_the_theme_returns_to_the_same_page_and_never_to_another_site(installation):
    tenant = await installation.tenant()
    async with open_browser(installation, tenant.owner) as browser:
        back = await choose(browser, "dark", Referer=f"http://test/w/{tenant.id}/console/scans?domain=x")
        assert back.headers["location"] == f"/w/{tenant.id}/console/scans?domain=x"
        page = (await browser.get(f"/w/{tenant.id}/console")).text
        assert 'data-theme="dark"' in page and 'value="dark" aria-pressed="true"' in page
        for referer in ("https://evil.example/w", "http://test//evil.example/", "nonsense"):
            assert (await choose(browser, "dark", Referer=referer)).headers["location"] == "/"


async def test_another_site_may_not_choose_and_what_is_no_theme_is_refused(installation):
    async with open_browser(installation) as browser:
        crossed = await browser.post("/theme", data={"theme": "dark"}, headers={"Sec-Fetch-Site": "cross-site"})
        assert crossed.status_code == 403 and "set-cookie" not in crossed.headers
        for theme in ("", '"><script>', "blue"):
            assert (await choose(browser, theme)).status_code == 422


@pytest.mark.parametrize(
    "cookie", ['sightline_theme="><script>', "sightline_theme=blue", "sightline_theme", "a=b; ;;=c"]
)
async def test_a_cookie_that_says_anything_else_is_as_none(installation, cookie):
    async with open_browser(installation, Cookie=cookie) as browser:
        page = await browser.get(SIGN_IN)
        assert page.status_code == 200 and '<html lang="en">' in page.text

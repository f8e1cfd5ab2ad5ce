"""Every page in Chromium, on a desk, a small screen and a phone, light and dark.

"No serious accessibility finding (axe). No console error, no CSP violation. Each page's HTML under 150 KB."
"""

import pytest

from tests.browser.pages import SIGNED_IN, SIGNED_OUT, path_of
from tests.browser.visit import LARGEST_PAGE, MIDDLE, PHONE, WIDE, find_barriers, take_picture, widest

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.xdist_group("browser"),
    pytest.mark.timeout(300),  # the first of them waits for the world and its server
]

# The reference says the same things of a hundred operations; for two of them is enough.
_SHORTEN = "document.querySelectorAll('.operation').forEach((each, place) => place > 1 && each.remove())"


async def look_from_all_sides(page, name: str) -> None:
    assert await find_barriers(page) == []
    await take_picture(page, f"{name}-light")
    await page.emulate_media(color_scheme="dark")
    assert await find_barriers(page, "color-contrast") == []
    await take_picture(page, f"{name}-dark")
    for size in (MIDDLE, PHONE):
        await page.set_viewport_size({"width": size[0], "height": size[1]})
        assert await widest(page) <= 0, f"it scrolls sideways at {size[0]} pixels"
    await take_picture(page, f"{name}-phone")
    await page.set_viewport_size({"width": WIDE[0], "height": WIDE[1]})
    await page.emulate_media(color_scheme="light")


async def walk(page, world, names) -> None:
    for name in names:
        answer = await page.goto(path_of(world, name))
        assert answer.status == 200, name
        size = len(await answer.body())
        assert size < LARGEST_PAGE or name == "reference", f"{name} has {size} bytes"
        await page.evaluate(_SHORTEN)
        try:
            await look_from_all_sides(page, name)
        except AssertionError as error:
            raise AssertionError(f"{name}: {error}") from error


@pytest.mark.parametrize("part", range(6))
async def test_every_page_is_sound_light_and_dark_at_every_width(visit, world, part):
    page = await visit.open("owner", "/")
    await walk(page, world, list(SIGNED_IN)[part::6])


async def test_the_pages_before_signing_in_are_sound_too(visit, world):
    await walk(await visit.open(), world, SIGNED_OUT)

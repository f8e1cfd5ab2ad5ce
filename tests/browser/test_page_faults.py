"""What only a browser shows: the rail in view, whole words, and the cursor in the wrong field of a refused form."""

import pytest
from playwright.async_api import Page, expect

from tests.browser.windows import PHONE, WIDE

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.timeout(300),  # the first one waits for the demo site and its server
]

# Words of tables and lists of terms that are on two lines. Names, addresses and words with soft hyphens may break.
_BROKEN_WORDS = r"""() => {
  const found = [], range = document.createRange();
  const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode, element = text.parentElement;
    if (!element.closest("td, tbody th, dd") || element.closest("[translate=no], .unseen, code, svg")) continue;
    if (!element.checkVisibility() || text.data.includes("\u00ad")) continue;
    for (const word of text.data.matchAll(/[\p{L}\p{N}]{2,14}/gu)) {
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      const lines = new Set([...range.getClientRects()].map((box) => Math.round(box.top)));
      if (lines.size > 1) found.push(word[0]);
    }
  }
  return found;
}"""
_LABEL_GAPS = """() => [...document.querySelectorAll("td[data-name]")]
  .filter((cell) => cell.checkVisibility())
  .map((cell) => parseFloat(getComputedStyle(cell, "::before").marginRight))"""


async def is_in_view(page: Page, selector: str) -> bool:
    """Return whether an element is in the window, and not behind the bar at the bottom of a phone."""
    box, bar = await page.locator(selector).bounding_box(), await page.locator(".bar").bounding_box()
    size = page.viewport_size
    assert box is not None and size is not None
    return box["y"] >= 0 and box["y"] + box["height"] <= (bar["y"] if bar else size["height"])


@pytest.mark.parametrize("path", ["{dashboard}/prompts", "/operator/platforms"])
async def test_the_rail_stays_in_view(windows, path):
    page = await windows.open("owner", path.format(dashboard=windows.site.dashboard), size=(1440, 500))
    await page.evaluate("scrollTo(0, document.body.scrollHeight)")
    assert await page.evaluate("scrollY") > 0
    side = await page.locator("#side").bounding_box()
    assert (round(side["y"]), round(side["height"])) == (0, 500)


@pytest.mark.parametrize("language", ["en", "de"])
async def test_words_and_dates_are_not_broken_and_labels_keep_their_distance(windows, language):
    page = await windows.open("owner", windows.site.dashboard, locale=language)
    for width in (1440, 1180, 1024, 390):
        await page.set_viewport_size({"width": width, "height": 900})
        for path in ("", "/prompts", "/searches", "/competitors", "/sources", "/checks", "/recommendations"):
            await page.goto(windows.site.dashboard + path)
            assert await page.evaluate(_BROKEN_WORDS) == [], f"{path} at {width} pixels"
            if width == PHONE[0]:
                assert all(gap >= 8 for gap in await page.evaluate(_LABEL_GAPS)), path


@pytest.mark.parametrize("scripts", [True, False])
@pytest.mark.parametrize("size", [WIDE, PHONE])
async def test_a_refused_form_has_the_cursor_in_the_wrong_field(windows, size, scripts):
    page = await windows.open("owner", f"{windows.site.console}/keys", size=size, java_script_enabled=scripts)
    await page.get_by_label("Name", exact=True).fill("CI")
    await page.get_by_label("Allowed IP addresses").fill("nowhere")
    windows.faults.clear()
    await page.get_by_role("button", name="Create key").click()
    field = page.get_by_label("Allowed IP addresses")
    await expect(field).to_be_focused()
    assert await is_in_view(page, "#addresses") and await is_in_view(page, "#addresses-fault")
    await expect(field).to_have_value("nowhere")
    await expect(page.get_by_label("Name", exact=True)).to_have_value("CI")
    await expect(page.locator("#addresses-fault")).to_contain_text("Line 1:")
    windows.forget_refusals(422)


async def test_a_wrong_field_near_the_bottom_of_a_phone_is_scrolled_into_view(windows):
    page = await windows.open("owner", f"{windows.site.dashboard}/settings", size=PHONE)
    await page.get_by_label("Your other domains").fill("no domain")
    await page.get_by_role("button", name="Save").first.click()
    await expect(page.locator("#owned_domains")).to_be_focused()
    assert await is_in_view(page, "#owned_domains-fault")
    windows.forget_refusals(422)


async def test_a_refused_form_in_a_dialog_opens_it_again(windows):
    page = await windows.open("owner", f"/w/{windows.site.agency}/members")
    await page.locator("summary", has_text="Change role").first.click()
    dialog = page.locator("dialog[open]")
    await expect(dialog.get_by_role("button")).to_have_text(["Save", "Go back"])
    await dialog.locator("select").evaluate("each => each.append(new Option('Emperor', 'emperor', true, true))")
    await dialog.get_by_role("button", name="Save").click()
    await expect(page.locator("dialog[open] select")).to_be_focused()
    windows.forget_refusals(422)

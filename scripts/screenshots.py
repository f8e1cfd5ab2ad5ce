"""Take the screenshots of the README with Chromium: `python -m scripts.screenshots`.

The demo is built in a temporary folder (two minutes), or taken from `--data-dir`, where an earlier run or `sightline
demo` has built it. Its passwords are then reset; everything else stays.
"""

import argparse
import asyncio
import base64
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.async_api import Page, async_playwright

from tests.browser.conftest import find_chromium
from tests.process.serving.processes import SIGHTLINE, environment, running

FOLDER = Path(__file__).parents[1] / "docs" / "images"
_SIZE = {"width": 1440, "height": 900}
_MAX_BYTES = 150_000
_MIN_BRANDS, _MIN_SOURCES = 3, 4
_TO_WEBP = """async (address) => {
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
  canvas.getContext("2d").drawImage(image, 0, 0);
  return canvas.toDataURL("image/webp", 0.82);
}"""


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m scripts.screenshots", description="Take the screenshots of the README."
    )
    parser.add_argument("--data-dir", type=Path, help="the data directory of an existing demo")
    existing = parser.parse_args().data_dir
    chromium = find_chromium()
    if chromium is None:
        sys.exit("No Chromium was found to take screenshots with.")
    with _demo_folder(existing) as data_dir, running("serve", data_dir=data_dir) as server:
        demo = subprocess.run(  # noqa: S603 - our own command
            [*SIGHTLINE, "demo", "--json"],
            env=environment(data_dir=data_dir, port=server.port),
            stdout=subprocess.PIPE,
            check=True,
        )
        asyncio.run(_take_screenshots(chromium, server.url, json.loads(demo.stdout)))
        server.stop()


@contextmanager
def _demo_folder(existing: Path | None) -> Iterator[Path]:
    if existing is not None:
        yield existing.absolute()
        return
    home = Path(tempfile.mkdtemp(prefix="sightline-pictures-"))
    home.chmod(0o711)  # as root, PostgreSQL runs as another user and has to get through
    try:
        yield home / "data"
    finally:
        shutil.rmtree(home, ignore_errors=True)


async def _take_screenshots(chromium: str, url: str, demo: dict[str, Any]) -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    owner = demo["users"]["owner"]
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        context = await browser.new_context(base_url=url, viewport=_SIZE, color_scheme="light", reduced_motion="reduce")
        page = await context.new_page()
        await page.goto("/sign-in")
        await page.get_by_label("E-mail").fill(owner["email"])
        await page.get_by_label("Password").fill(owner["password"])
        await page.get_by_role("button", name="Sign in").click()
        await page.wait_for_url("**/w/*")
        domain = f"/w/{demo['workspaces']['agency']['id']}/d/{demo['tracked_domain_id']}"
        await page.goto(domain, wait_until="networkidle")
        await _take_screenshot(page, "overview")
        await page.goto(f"{domain}/recommendations", wait_until="networkidle")
        await _take_screenshot(page, "recommendations")
        await page.goto(f"{domain}/answers?brand=named")
        await _open_good_answer(page)
        await _take_screenshot(page, "answer")
        await browser.close()


async def _open_good_answer(page: Page) -> None:
    """Open the first answer that names the brand and two others, with sources and without a table."""
    found = await page.locator(".decisive a").all()
    for url in [await each.evaluate("link => link.href.split('#')[0]") for each in found]:
        await page.goto(url)
        marked = await page.locator(".said mark").all_inner_texts()
        sources = await page.locator(".sources a").count()
        is_table = await page.locator(".said table").count() > 0
        if "Acme" in marked and len(set(marked)) >= _MIN_BRANDS and sources >= _MIN_SOURCES and not is_table:
            return
    sys.exit("No answer of the demo names the brand and two others, with sources.")


async def _take_screenshot(page: Page, name: str) -> None:
    """Save the page as WebP, encoded by Chromium: smaller than a PNG, and as sharp."""
    picture = base64.b64encode(await page.screenshot(type="png")).decode()
    blank = await page.context.new_page()  # the app's own pages would not let a script do this
    image = base64.b64decode((await blank.evaluate(_TO_WEBP, f"data:image/png;base64,{picture}")).partition(",")[2])
    await blank.close()
    if len(image) > _MAX_BYTES:
        sys.exit(f"{name}.webp would have {len(image)} bytes; at most {_MAX_BYTES} are allowed")
    path = FOLDER / f"{name}.webp"
    path.write_bytes(image)
    sys.stdout.write(f"{path.relative_to(FOLDER.parents[1])}  {len(image) / 1000:.0f} kB\n")


if __name__ == "__main__":
    main()

"""`python -m scripts.screenshots`: the pictures of the README, taken by Chromium of the demonstration world.

The world is built for it in a folder of its own (two minutes), or taken from `--data-dir`, where an earlier call or
`sightline demo` has built it. Its passwords are then made anew; everything else in it stays.
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
_LARGEST = 150_000
_BRANDS, _SOURCES = 3, 4
_TO_WEBP = """async (address) => {
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
  canvas.getContext("2d").drawImage(image, 0, 0);
  return canvas.toDataURL("image/webp", 0.92);
}"""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m scripts.screenshots", description="The pictures of the README.")
    parser.add_argument("--data-dir", type=Path, help="a demonstration world that exists already")
    given = parser.parse_args().data_dir
    chromium = find_chromium()
    if chromium is None:
        sys.exit("There is no Chromium here to take pictures with.")
    with _folder(given) as data_dir, running("serve", data_dir=data_dir) as server:
        told = subprocess.run(  # noqa: S603 - our own command
            [*SIGHTLINE, "demo", "--json"],
            env=environment(data_dir=data_dir, port=server.port),
            stdout=subprocess.PIPE,
            check=True,
        )
        asyncio.run(_take_all(chromium, server.url, json.loads(told.stdout)))
        server.stop()


@contextmanager
def _folder(given: Path | None) -> Iterator[Path]:
    if given is not None:
        yield given.absolute()
        return
    home = Path(tempfile.mkdtemp(prefix="sightline-pictures-"))
    home.chmod(0o711)  # as root, PostgreSQL runs as another user and has to get through
    try:
        yield home / "data"
    finally:
        shutil.rmtree(home, ignore_errors=True)


async def _take_all(chromium: str, url: str, demo: dict[str, Any]) -> None:
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
        await _take(page, "overview")
        await page.goto(f"{domain}/prompts")
        await _open_telling_answer(page)
        await _take(page, "answer")
        await browser.close()


async def _open_telling_answer(page: Page) -> None:
    """The first that names the brand in plain letters, and others beside it: the sandbox is not always that kind."""
    squares = await page.locator("a.q[title*=': named']").all()
    for address in [await each.evaluate("link => link.href") for each in squares]:
        await page.goto(address)
        marked = await page.locator(".said mark").all_inner_texts()
        sources = await page.locator(".sources a").count()
        is_table = "|" in await page.locator(".said").inner_text()
        if "Acme" in marked and len(set(marked)) >= _BRANDS and sources >= _SOURCES and not is_table:
            return
    sys.exit("No answer of the demonstration names the brand and two others, with sources.")


async def _take(page: Page, name: str) -> None:
    """As WebP, which Chromium makes of it by itself: a third of the size, and as sharp."""
    picture = base64.b64encode(await page.screenshot(type="png")).decode()
    blank = await page.context.new_page()  # the app's own pages would not let a script do this
    made = base64.b64decode((await blank.evaluate(_TO_WEBP, f"data:image/png;base64,{picture}")).partition(",")[2])
    await blank.close()
    if len(made) > _LARGEST:
        sys.exit(f"{name}.webp would have {len(made)} bytes; {_LARGEST} are the most")
    path = FOLDER / f"{name}.webp"
    path.write_bytes(made)
    sys.stdout.write(f"{path.relative_to(FOLDER.parents[1])}  {len(made) / 1000:.0f} kB\n")


if __name__ == "__main__":
    main()

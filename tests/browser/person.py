"""A person on a page, whose work is counted."""

from playwright.async_api import Locator, Page


class Person:
    """Counts what a person does on a page: clicks, fields they fill in, and files they choose."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.clicks = self.fields = self.files = 0

    @property
    def actions(self) -> int:
        return self.clicks + self.fields + self.files

    async def click(self, role, name: str) -> None:
        await self.page.get_by_role(role, name=name, exact=True).first.click()
        self.clicks += 1

    async def open_menu(self, name: str) -> None:
        await self.page.locator("summary", has_text=name).click()
        self.clicks += 1

    async def fill(self, label: str, text: str) -> None:
        await self._field(label).fill(text)
        self.fields += 1

    async def select(self, label: str, value: str) -> None:
        await self._field(label).select_option(value)
        self.fields += 1

    async def choose_file(self, label: str, name: str, kind: str, content: bytes) -> None:
        await self._field(label).set_input_files({"name": name, "mimeType": kind, "buffer": content})
        self.files += 1

    def _field(self, label: str) -> Locator:
        return self.page.get_by_label(label, exact=True)

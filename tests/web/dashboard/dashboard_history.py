"""A tracked domain with a few finished checks, and the paths of its pages."""

import re

from tests.scan_history import ScanHistory, ScriptedAnswer

FORGE, QUIET = "best anvil for a small forge", "which anvil is quiet"
SCRIPT = "<script>alert(1)</script>"


def answer_by_platform(prompt, platform):
    """Name Acme first on ChatGPT, only cite it on Gemini, and name Globex instead on Perplexity."""
    if platform == "chatgpt":
        return ScriptedAnswer(f"## Best\n1. **Acme** is best.\n2. Globex {SCRIPT}", cited=("https://acme.com/anvils",))
    if platform == "gemini":
        return ScriptedAnswer(
            "There are many anvils.", cited=("https://www.acme.com/guide",), retrieved=("https://forum.org/x",)
        )
    return ScriptedAnswer(
        "Globex and Initech are good. See [a test](https://anvil-reviews.com/best).",
        cited=("https://anvil-reviews.com/best", "javascript:alert(1)"),
    )


def answer_without_chatgpt(prompt, platform):
    return None if platform == "chatgpt" else "Globex is good."


def without_count_links(page):
    """Return the page with plain numbers in place of links to answers."""
    return re.sub(r'<a class="count"[^>]*>([^<]*)</a>', r"\1", page)


class DashboardHistory:
    def __init__(self, history):
        self.history, self.tenant = history, history.tenant
        self.scans = []

    @classmethod
    async def open(cls, installation, *checks, prompts=(FORGE, QUIET), **options):
        dashboard = cls(await ScanHistory.open(installation, *prompts, **options))
        dashboard.scans = [await dashboard.history.run_full_check(each) for each in checks]
        return dashboard

    @property
    def path(self):
        return f"/w/{self.tenant.id}/d/{self.history.domain_id}"

    async def prompt_ids(self, status="active"):
        rows = await self.history.rows("prompts")
        return {row["prompt"]: str(row["id"]) for row in rows if row["status"] == status}

    async def answers(self, scan_id, prompt_index=0):
        rows = await self.history.installation.db.fetch(
            "SELECT platform, id FROM answers WHERE scan_id = $1 AND prompt_index = $2", scan_id, prompt_index
        )
        return {row[0]: f"{self.path}/answers/{scan_id}/{row[1]}" for row in rows}

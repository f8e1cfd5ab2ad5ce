"""A tracked domain with a few checks behind it, and addresses of its pages."""

from tests.scan_history import ScanHistory, ScriptedAnswer

FORGE, QUIET = "best anvil for a small forge", "which anvil is quiet"
SCRIPT = "<script>alert(1)</script>"


def say(prompt, platform):
    """Acme is named first on ChatGPT, only cited on Gemini, and left out on Perplexity, where Globex is named."""
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


def say_nothing(prompt, platform):
    return None if platform == "chatgpt" else "Globex is good."


class Shelf:
    def __init__(self, history):
        self.history, self.tenant = history, history.tenant

    @classmethod
    async def open(cls, installation, *checks, prompts=(FORGE, QUIET), **options):
        shelf = cls(await ScanHistory.open(installation, *prompts, **options))
        shelf.scans = [await shelf.history.run_full_check(each) for each in checks]
        return shelf

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

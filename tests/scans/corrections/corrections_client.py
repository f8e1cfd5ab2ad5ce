"""A client for the corrections of one tracked domain whose answers a test has written."""

from sightline.kit.ids import new_id
from tests.api.assertions import DATA
from tests.scan_history import ScanHistory


class CorrectionsClient:
    def __init__(self, installation, client, history: ScanHistory) -> None:
        self.installation, self.client, self.history = installation, client, history
        self.key = history.tenant.data_write
        self.scans: list[str] = []

    @classmethod
    async def open(cls, installation, client, *texts: str):
        """Open a domain with one Full Check on one platform, which gave each of the texts to a prompt of its own."""
        history = await ScanHistory.open(installation, *(f"question {number}" for number in range(len(texts))))
        history.platforms, history.competitors = ("chatgpt",), ()
        opened = cls(installation, client, history)
        await opened.check(*texts)
        return opened

    async def check(self, *texts: str) -> str:
        said = {f"question {number}": text for number, text in enumerate(texts)}
        scan_id = await self.history.run_scan("full_check", lambda prompt, _: said[prompt.text], insights=False)
        self.scans.append(str(scan_id))
        return str(scan_id)

    @property
    def url(self) -> str:
        return f"{DATA}/domains/{self.history.domain_id}/corrections"

    def headers(self, key=None, idempotency=None):
        return {"X-API-Key": key or self.key, "Idempotency-Key": idempotency or str(new_id())}

    async def get(self, path: str, **query):
        response = await self.client.get(f"{DATA}{path}", params=query, headers={"X-API-Key": self.key})
        assert response.status_code == 200, response.text
        return response.json()

    async def answer(self, text: str, scan_id: str | None = None) -> dict:
        """Return the answer that has this text, in the given or the first check."""
        answers = (await self.get(f"/scans/{scan_id or self.scans[0]}/answers"))["data"]
        return next(each for each in answers if each["text"] == text)

    async def own(self, text: str, scan_id: str | None = None) -> dict:
        """Return what the answer with this text says of the brand."""
        return (await self.answer(text, scan_id))["brands"][0]

    async def body(self, kind: str, answer_text: str, words: str, *, nth: int = 0, **more) -> dict:
        start = -1
        for _ in range(nth + 1):
            start = answer_text.index(words, start + 1)
        return {
            "scan_id": self.scans[0],
            "answer_id": (await self.answer(answer_text))["id"],
            "kind": kind,
            "start": start,
            "end": start + len(words),
            "text": words,
            **more,
        }

    async def post(self, body: dict, *, key=None, idempotency=None):
        return await self.client.post(self.url, json=body, headers=self.headers(key, idempotency))

    async def correct(self, kind: str, answer_text: str, words: str, **more) -> dict:
        response = await self.post(await self.body(kind, answer_text, words, **more))
        assert response.status_code == 201, response.text
        return response.json()["data"]

    async def delete(self, correction_id: str, *, key=None, idempotency=None):
        return await self.client.delete(f"{self.url}/{correction_id}", headers=self.headers(key, idempotency))

    async def undo(self, correction_id: str) -> None:
        response = await self.delete(correction_id)
        assert response.status_code == 200, response.text

    async def listed(self) -> list[dict]:
        return (await self.get(f"/domains/{self.history.domain_id}/corrections"))["data"]

    async def domain(self) -> dict:
        return (await self.get(f"/domains/{self.history.domain_id}"))["data"]

    async def recomputations(self) -> list[tuple[str, str]]:
        rows = await self.installation.db.fetch("SELECT status, reason FROM recomputations ORDER BY created_at, id")
        return [tuple(row) for row in rows]

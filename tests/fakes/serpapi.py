"""SerpApi: Google with and without an AI Overview, AI Mode, Copilot."""

from typing import Any

from tests.fakes.content import CITED, RETRIEVED, SOURCES, Statement
from tests.fakes.provider import Provider, ProviderRequest, Reply

ENGINES = {"google": "q", "google_ai_overview": "page_token", "google_ai_mode": "q", "bing_copilot": "q"}
TOKEN = "fake-page-token-KIVu-nnC"


def blocks(statements: tuple[Statement, ...]) -> list[dict[str, Any]]:
    """Return the first statement as a paragraph under a heading, the others as a nested list, and a table."""
    first, *others = statements
    items = [{"snippet": each.text.strip(" ,.\n"), "reference_indexes": list(each.sources)} for each in others]
    if not items:
        return [{"type": "paragraph", "snippet": first.text}]
    items[0] = {"title": "Acme CRM:", **items[0], "list": [{"snippet": "Free for three seats, no card needed"}]}
    return [
        {"type": "paragraph", "snippet": first.text, "snippet_highlighted_words": ["CRM"]},
        {"type": "heading", "snippet": "Worth a look"},
        {"type": "list", "list": items},
        {"type": "table", "table": [["CRM", "Seats"], ["Acme | One", "3"], ["Globex", "10"]]},
    ]


def references() -> list[dict[str, Any]]:
    return [
        {
            "title": SOURCES[n][1],
            "link": SOURCES[n][0],
            "snippet": "…",
            "source": SOURCES[n][0].split("/")[2],
            "index": n,
        }
        for n in (*CITED, *RETRIEVED)
    ]


class SerpApi(Provider):
    name = "serpapi"
    key = "fake0serpapi0123456789abcdef0123456789abcdef"
    paths = (("GET", "/search.json"), ("GET", "/search"))

    def refusal(self, request: ProviderRequest) -> Reply | None:
        if request.query.get("api_key") != self.key:
            return self.error("unauthorised", 401)
        engine = request.query.get("engine", "google")
        if engine not in ENGINES:
            return Reply({"error": f"Unsupported `{engine}` search engine."}, 400)
        if not request.query.get(ENGINES[engine]):
            return Reply({"error": f"Missing query `{ENGINES[engine]}` parameter."}, 400)
        if engine == "google_ai_overview" and not request.query["page_token"].startswith(TOKEN):
            return Reply(self._search(request) | {"error": "The page token has expired."})
        return None

    def prompt(self, request: ProviderRequest) -> str:
        return request.query.get("q", "")

    def answer(self, request: ProviderRequest, statements: tuple[Statement, ...]) -> Reply:
        written = {"text_blocks": blocks(statements), "references": references()}
        engine = request.query["engine"]
        if engine == "google" and "page token" in self.prompt(request):
            link = f"{request.base_url}/search.json?engine=google_ai_overview&page_token={TOKEN}"
            return Reply(self._search(request) | {"ai_overview": {"page_token": TOKEN, "serpapi_link": link}})
        if engine in {"google", "google_ai_overview"}:
            return Reply(self._search(request) | {"ai_overview": written})
        return Reply(self._search(request) | written)

    def _search(self, request: ProviderRequest) -> dict[str, Any]:
        # SerpApi repeats the address of the search in its metadata, but without the key.
        metadata = {"id": "68f0c3a1b2d4e5f6a7b8c9d0", "status": "Success", "total_time_taken": 2.13}
        parameters = {name: value for name, value in request.query.items() if name != "api_key"}
        organic = [{"position": 1, "title": SOURCES[0][1], "link": SOURCES[0][0]}]
        return {"search_metadata": metadata, "search_parameters": parameters, "organic_results": organic}

    def error(self, kind: str, status: int) -> Reply:
        replies = {
            "rate_limited": Reply({"error": "You are exceeding the hourly throughput limit of your plan."}, 429),
            "no_money": Reply({"error": "Your account has run out of searches."}, 429),
            "unauthorised": Reply(
                {
                    "error": f"Invalid API key. Your API key should be here: https://serpapi.com/manage-api-key?api_key={self.key}"
                },
                401,
            ),
            "overloaded": Reply(
                {
                    "search_metadata": {"id": "x", "status": "Error"},
                    "error": "We couldn't get valid results for this search. Please try again later.",
                },
                503,
            ),
        }
        return replies.get(kind) or Reply({"error": "Internal server error"}, status)

    def inner_error(self, request: ProviderRequest) -> Reply:
        failed = {"id": "68f0c3a1b2d4e5f6a7b8c9d0", "status": "Error"}
        return Reply({"search_metadata": failed, "error": f"Proxy timed out for /search.json?api_key={self.key}"})

    def nothing_found(self, request: ProviderRequest) -> Reply:
        return Reply(self._search(request))

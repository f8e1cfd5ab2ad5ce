"""DataForSEO: search pages, model responses, volumes. Every reply is a 200; errors are in its status codes."""

import base64
import uuid
from typing import Any

from tests.fakes.content import CITED, QUERIES, RETRIEVED, SOURCES, Statement
from tests.fakes.provider import Provider, ProviderRequest, Reply

UNSUPPORTED = 2408  # the vendor's list of countries has some gaps; which ones is not documented
# Fields as in the vendor's TypeScript client, `ChatGptProductsElement`, and in the page of 6 June 2026.
PRODUCTS = [
    {"type": "chat_gpt_products_element", "title": "Hooli Phone 3", "price": 499.5, "currency": "USD",
     "merchants": "Hooli Store", "domain": "shop.hooli.com", "url": "https://shop.hooli.com/phone", "rating": None},
    {"type": "chat_gpt_products_element", "title": "Anvil S", "brand": "Acme", "price": None, "currency": None,
     "domain": "acme.com", "url": "https://acme.com/s", "tag": "Best value"},
    {"type": "chat_gpt_products_element", "title": None},
]  # fmt: skip
TASK_COST = 0.0012
EXPIRED = "results-that-expired"
VOLUMES = "/v3/ai_optimization/ai_keyword_data/keywords_search_volume/live"


def envelope(task: dict[str, Any], status: int = 20000, message: str = "Ok.") -> dict[str, Any]:
    tasks = [task] if task else []
    head = {"version": "0.1.20260820", "status_code": status, "status_message": message, "time": "3.1 sec."}
    return head | {"cost": 0.0123, "tasks_count": len(tasks), "tasks_error": 0, "tasks": tasks}


def task(result: list[dict[str, Any]] | None, status: int = 20000, message: str = "Ok.") -> dict[str, Any]:
    head = {"id": "11150912-1535-0139-0000-99c1c52351b3", "status_code": status, "status_message": message}
    return head | {"time": "3.0 sec.", "cost": 0.0123, "result_count": len(result or []), "result": result}


class DataForSEO(Provider):
    name = "dataforseo"
    key = "fake-login:fake-password"
    paths = (
        ("POST", "/v3/ai_optimization/{model}/llm_responses/live"),
        ("POST", "/v3/ai_optimization/{model}/llm_scraper/live/advanced"),
        ("POST", "/v3/ai_optimization/{model}/llm_scraper/task_post"),
        ("GET", "/v3/ai_optimization/{model}/llm_scraper/tasks_ready"),
        ("GET", "/v3/ai_optimization/{model}/llm_scraper/task_get/advanced/{task}"),
        ("POST", "/v3/serp/google/{kind}/live/advanced"),
        ("POST", VOLUMES),
    )
    model = "fake-model-1-2026-08-01"

    def __init__(self) -> None:
        self.tasks: dict[str, tuple[ProviderRequest, int]] = {}
        """The request of each posted task, and how often its answer was asked for. It is done the second time."""

    def refusal(self, request: ProviderRequest) -> Reply | None:
        expected = "Basic " + base64.b64encode(self.key.encode()).decode()
        if request.header("authorization") != expected:
            return self.error("unauthorised", 401)
        if request.method == "GET":
            return None
        if not isinstance(request.body, list) or len(request.body) != 1:
            return Reply(envelope({}, 40503, "POST Data Is Invalid."))
        if missing := [name for name in self._required(request.path) if not request.body[0].get(name)]:
            return Reply(envelope(task(None, 40501, f"Invalid Field: '{missing[0]}'.")))
        if len(request.body[0].get("user_prompt", "")) > 500 or len(request.body[0].get("keywords", [])) > 1000:
            return Reply(envelope(task(None, 40501, "Invalid Field: too long.")))
        if "/perplexity/" in request.path and "web_search" in request.body[0]:
            return Reply(envelope(task(None, 40506, "Unknown Fields in POST Data: 'web_search'.")))
        if "/gemini/" in request.path and "web_search_country_iso_code" in request.body[0]:
            return Reply(envelope(task(None, 40506, "Unknown Fields in POST Data: 'web_search_country_iso_code'.")))
        if "/llm_scraper/" in request.path and request.body[0]["location_code"] == UNSUPPORTED:
            return Reply(envelope(task(None, 40501, "Invalid Field: 'location_code'.")))
        return None

    def _required(self, path: str) -> tuple[str, ...]:
        if path.endswith(VOLUMES):
            return ("keywords", "location_code", "language_code")
        return (
            ("user_prompt", "model_name")
            if "/llm_responses/" in path
            else ("keyword", "location_code", "language_code")
        )

    def prompt(self, request: ProviderRequest) -> str:
        if request.method == "GET":
            posted, _ = self.tasks.get(request.path.rpartition("/")[2], (None, 0))
            return "" if posted is None else self.prompt(posted)
        sent = request.body[0]
        return str(sent.get("user_prompt") or sent.get("keyword") or " ".join(sent.get("keywords", [])))

    def answer(self, request: ProviderRequest, statements: tuple[Statement, ...]) -> Reply:
        if request.path.endswith(VOLUMES):
            return Reply(envelope(task([{"location_code": 2840, "items": self._volumes(request.body[0]["keywords"])}])))
        if request.path.endswith("/task_post"):
            self.tasks[task_id := str(uuid.uuid4())] = request, 0
            return Reply(envelope(task(None, 20100, "Task Created.") | {"id": task_id, "cost": TASK_COST}))
        if request.path.endswith("/tasks_ready"):
            same = request.path.removesuffix("tasks_ready")
            found = {key: posted for key, (posted, _) in self.tasks.items() if posted.path.startswith(same)}
            done = [{"id": key, "tag": posted.body[0].get("tag")} for key, posted in found.items()]
            return Reply(envelope(task(done) | {"cost": 0}))
        if "/task_get/" in request.path:
            return self._fetch(request, statements)
        if "/llm_responses/" in request.path:
            return Reply(envelope(task([self._response(statements)])))
        if "/llm_scraper/" in request.path:
            return Reply(envelope(task([self._app(request, statements)])))
        return Reply(envelope(task([self._page(request, statements)])))

    def _fetch(self, request: ProviderRequest, statements: tuple[Statement, ...]) -> Reply:
        task_id = request.path.rpartition("/")[2]
        if task_id == EXPIRED:
            return Reply(envelope(task(None, 40403, "Results Expired.")))
        if task_id not in self.tasks:
            return Reply(envelope(task(None, 40401, "Task Not Found.")))
        posted, asked = self.tasks[task_id]
        self.tasks[task_id] = posted, asked + 1
        if not asked:
            return Reply(envelope(task(None, 40602, "Task In Queue.") | {"id": task_id, "cost": 0}))
        return Reply(envelope(task([self._app(posted, statements)]) | {"id": task_id, "cost": 0}))

    def _volumes(self, keywords: list[str]) -> list[dict[str, Any]]:
        months = [{"year": 2026, "month": month, "ai_search_volume": 100 * month} for month in (9, 10)]
        return [
            {"keyword": keyword, "ai_search_volume": 10 * number, "ai_monthly_searches": months}
            for number, keyword in enumerate(keywords)
        ]

    def _response(self, statements: tuple[Statement, ...]) -> dict[str, Any]:
        text, annotations = "", []
        for each in statements:
            start, end = len(text), len(text) + len(each.text)
            text += each.text
            annotations += [
                {
                    "title": SOURCES[n][1],
                    "url": f"https://redirect.example/{n}",
                    "direct_url": SOURCES[n][0],
                    "start_index": start,
                    "end_index": end,
                }
                for n in each.sources
            ]
        section = {"type": "text", "text": text, "annotations": annotations or None}
        thoughts = {"type": "reasoning", "sections": [{"type": "summary_text", "text": "**Thinking** about Hooli."}]}
        return {
            "model_name": self.model,
            "input_tokens": 8210,
            "output_tokens": 355,
            "web_search": True,
            "money_spent": 0.0117,
            "items": [thoughts, {"type": "message", "sections": [section]}],
            "fan_out_queries": list(QUERIES),
        }

    def _app(self, request: ProviderRequest, statements: tuple[Statement, ...]) -> dict[str, Any]:
        """Return what the app shows. Only ChatGPT has products, search results and fan-out queries."""

        def source(n: int) -> dict[str, Any]:
            return {"type": "chat_gpt_source", "url": SOURCES[n][0], "title": SOURCES[n][1], "domain": "…"}

        kind = "gemini" if "/gemini/" in request.path else "chat_gpt"
        text = "".join(each.text for each in statements)
        found = {
            "keyword": self.prompt(request),
            "model": self.model,
            "markdown": text,
            "sources": [source(n) for n in CITED],
            "items": [{"type": f"{kind}_text", "markdown": text, "sources": None}],
        }
        if kind == "gemini":
            return found
        cards = {"type": "chat_gpt_products", "items": PRODUCTS}
        return found | {
            "search_results": [source(n) for n in (*CITED, *RETRIEVED)],
            "fan_out_queries": list(QUERIES),
            "items": [*found["items"], cards],
        }

    def _page(self, request: ProviderRequest, statements: tuple[Statement, ...]) -> dict[str, Any]:
        def source(n: int) -> dict[str, Any]:
            return {"type": "ai_overview_reference", "url": SOURCES[n][0], "title": SOURCES[n][1], "source": "…"}

        elements = [
            {
                "type": "ai_overview_element",
                "title": None,
                "text": each.text.strip(" ,.\n"),
                "markdown": each.text.strip(" ,.\n"),
                "links": None,
                "references": [source(n) for n in each.sources] or None,
            }
            for each in statements
        ]
        overview = {
            "type": "ai_overview",
            "rank_absolute": 1,
            "asynchronous_ai_overview": True,
            "markdown": "\n\n".join(each["markdown"] for each in elements),
            "items": elements,
            "references": [source(n) for n in (*CITED, *RETRIEVED)],
        }
        organic = {"type": "organic", "rank_absolute": 2, "url": SOURCES[0][0], "title": SOURCES[0][1]}
        return {"keyword": self.prompt(request), "items": [overview, organic]}

    def error(self, kind: str, status: int) -> Reply:
        replies = {
            "rate_limited": Reply(envelope({}, 40202, "You have exceeded the rate limit per minute.")),
            "no_money": Reply(envelope(task(None, 40210, "Insufficient Funds."))),
            "unauthorised": Reply(envelope({}, 40100, "You are not authorized to access this resource."), 401),
            "overloaded": Reply(envelope(task(None, 50301, "3rd Party API Service Unavailable."))),
        }
        return replies.get(kind) or Reply(envelope({}, 50000, "Internal Error."), status)

    def inner_error(self, request: ProviderRequest) -> Reply:
        return Reply(envelope(task(None, 40101, "Internal SE Server Error. Please, try again later.")))

    def missing_fields(self, request: ProviderRequest) -> Reply:
        return Reply(envelope(task(None)))

    def nothing_found(self, request: ProviderRequest) -> Reply:
        return Reply(envelope(task([{"keyword": self.prompt(request), "items": [{"type": "organic"}]}])))

    def settings(self, base_url: str) -> dict[str, str]:
        login, password = self.key.split(":")
        prefix = "SIGHTLINE_DATAFORSEO"
        return {f"{prefix}_BASE_URL": base_url, f"{prefix}_LOGIN": login, f"{prefix}_PASSWORD": password}

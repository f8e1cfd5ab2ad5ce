"""Perplexity's agent API."""

from tests.fakes import content
from tests.fakes.content import QUERIES, SOURCES, Statement
from tests.fakes.provider import Asked, Provider, Reply, bearer_of


def error(status: int, message: str, kind: str) -> Reply:
    return Reply({"error": {"message": message, "type": kind, "code": str(status)}}, status)


def marked(told: tuple[Statement, ...]) -> str:
    return "".join(each.text + "".join(f"[{number + 1}]" for number in each.sources) for each in told)


class Perplexity(Provider):
    name = "perplexity"
    key = "pplx-fake-0123456789"
    paths = (("POST", "/v1/agent"), ("POST", "/v1/responses"))
    model = "perplexity/sonar"

    def refusal(self, asked: Asked) -> Reply | None:
        if bearer_of(asked) != self.key:
            return self.error("unauthorised", 401)
        if not asked.fields.get("model") and not asked.fields.get("preset"):
            return error(400, "one of model, models or preset is required", "invalid_request")
        if not asked.fields.get("input"):
            return error(400, "input is required", "invalid_request")
        return None

    def prompt(self, asked: Asked) -> str:
        return str(asked.fields["input"])

    def answer(self, asked: Asked, told: tuple[Statement, ...]) -> Reply:
        results = [
            {"id": n, "url": url, "title": title, "snippet": "…", "date": "2026-10-02", "source": "web"}
            for n, (url, title) in enumerate(SOURCES, start=1)
        ]
        payload = {
            "id": "resp_9d2f",
            "object": "response",
            "created_at": 1786523445,
            "status": "completed",
            "model": self.model,
            "output": [
                {"type": "search_results", "queries": list(QUERIES), "results": results},
                {
                    "id": "msg_1",
                    "type": "message",
                    "role": "assistant",
                    "status": "completed",
                    "content": [{"type": "output_text", "text": marked(told), "annotations": []}],
                },
            ],
            "usage": {
                "input_tokens": 4120,
                "output_tokens": 289,
                "total_tokens": 4409,
                "cost": {"currency": "USD", "input_cost": 0.004, "output_cost": 0.003, "total_cost": 0.0121},
                "tool_calls_details": {"web_search": {"invocation": 2}},
            },
        }
        return Reply(payload)

    def error(self, kind: str, status: int) -> Reply:
        replies = {
            "rate_limited": error(429, "Request rate limit exceeded, please try again later.", "rate_limit_exceeded"),
            "no_money": error(
                401,
                "You exceeded your current quota, please check your plan and billing details.",
                "insufficient_quota",
            ),
            "unauthorised": error(401, "Invalid API key provided.", "invalid_api_key"),
            "overloaded": error(503, "Service temporarily unavailable", "service_unavailable"),
        }
        return replies.get(kind) or error(status, "Internal server error", "internal_server_error")

    def inner_error(self, asked: Asked) -> Reply:
        whole = self.answer(asked, content.statements()).payload
        return Reply(
            whole | {"status": "failed", "error": {"message": "upstream model failed", "code": "server_error"}}
        )

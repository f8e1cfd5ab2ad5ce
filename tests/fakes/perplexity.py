"""Perplexity's agent API."""

from tests.fakes import content
from tests.fakes.content import QUERIES, SOURCES, Statement
from tests.fakes.provider import Provider, ProviderRequest, Reply, bearer_token


def error(status: int, message: str, kind: str) -> Reply:
    return Reply({"error": {"message": message, "type": kind, "code": str(status)}}, status)


def marked(statements: tuple[Statement, ...]) -> str:
    return "".join(each.text + "".join(f"[{number + 1}]" for number in each.sources) for each in statements)


class Perplexity(Provider):
    name = "perplexity"
    key = "pplx-fake-0123456789"
    paths = (("POST", "/v1/agent"), ("POST", "/v1/responses"))
    model = "perplexity/sonar"

    def refusal(self, request: ProviderRequest) -> Reply | None:
        if bearer_token(request) != self.key:
            return self.error("unauthorised", 401)
        if not request.fields.get("model") and not request.fields.get("preset"):
            return error(400, "one of model, models or preset is required", "invalid_request")
        if not request.fields.get("input"):
            return error(400, "input is required", "invalid_request")
        return None

    def prompt(self, request: ProviderRequest) -> str:
        return str(request.fields["input"])

    def answer(self, request: ProviderRequest, statements: tuple[Statement, ...]) -> Reply:
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
                    "content": [{"type": "output_text", "text": marked(statements), "annotations": []}],
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

    def inner_error(self, request: ProviderRequest) -> Reply:
        whole = self.answer(request, content.statements()).payload
        return Reply(
            whole | {"status": "failed", "error": {"message": "upstream model failed", "code": "server_error"}}
        )

"""xAI's Responses API."""

from tests.fakes import content
from tests.fakes.content import QUERIES, SOURCES, Statement
from tests.fakes.provider import Provider, ProviderRequest, Reply, bearer_token


def error(status: int, code: str, message: str) -> Reply:
    return Reply({"code": code, "error": message}, status)


class XAI(Provider):
    name = "xai"
    key = "xai-fake-0123456789"
    paths = (("POST", "/v1/responses"),)
    model = "grok-fake-4-1"

    def refusal(self, request: ProviderRequest) -> Reply | None:
        if bearer_token(request) != self.key:
            return self.error("unauthorised", 400)
        if not request.fields.get("model"):
            return error(422, "Failed to deserialize the JSON body into the target type", "missing field `model`")
        if not isinstance(request.fields.get("input"), list):
            return error(422, "Failed to deserialize the JSON body into the target type", "missing field `input`")
        return None

    def prompt(self, request: ProviderRequest) -> str:
        return str(request.fields["input"][-1]["content"])

    def answer(self, request: ProviderRequest, statements: tuple[Statement, ...]) -> Reply:
        text, annotations = "", []
        for each in statements:
            text += each.text
            for number in each.sources:
                link = f"[[{number + 1}]]({SOURCES[number][0]})"
                place = {"start_index": len(text), "end_index": len(text) + len(link)}
                annotations.append(
                    {"type": "url_citation", "url": SOURCES[number][0], "title": str(number + 1)} | place
                )
                text += link
        calls = [
            {
                "type": "web_search_call",
                "id": f"ws_{n}",
                "status": "completed",
                "action": {"type": "search", "query": query},
            }
            for n, query in enumerate(QUERIES)
        ]
        message = {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "status": "completed",
            "content": [{"type": "output_text", "text": text, "annotations": annotations, "logprobs": None}],
        }
        payload = {
            "id": "8f5c1e0a-2b1d-4f1b-9c39-7a6c5d4e3f21",
            "object": "response",
            "created_at": 1786523445,
            "status": "completed",
            "model": self.model,
            "output": [*calls, message],
            "citations": [url for url, _ in SOURCES],
            "usage": {
                "input_tokens": 9212,
                "output_tokens": 341,
                "total_tokens": 9553,
                "num_sources_used": 3,
                "num_server_side_tools_used": 3,
                "cost_in_usd_ticks": 318_319_000,
                "server_side_tool_usage_details": {"web_search_calls": 3, "x_search_calls": 0},
            },
        }
        return Reply(payload)

    def error(self, kind: str, status: int) -> Reply:
        replies = {
            "rate_limited": error(
                429,
                "Some resource has been exhausted",
                "Too many requests for team fake and model grok-fake-4-1. Your team's rate limit is RPS: 1.",
            ),
            "no_money": error(
                429,
                "Some resource has been exhausted",
                "Your team fake has either used all available credits or reached its monthly spending limit. "
                "To continue making API requests, please purchase more credits or raise your spending limit.",
            ),
            "unauthorised": error(
                400,
                "Client specified an invalid argument",
                f"Incorrect API key provided: {self.key}. You can obtain an API key from https://console.x.ai.",
            ),
            "overloaded": error(
                503,
                "The service is currently unavailable",
                "Service temporarily unavailable. The model is at capacity.",
            ),
        }
        return replies.get(kind) or error(status, "Internal error", "Internal server error")

    def inner_error(self, request: ProviderRequest) -> Reply:
        whole = self.answer(request, content.statements()).payload
        return Reply(whole | {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}})

"""Mistral's conversations."""

import json

from tests.fakes.content import QUERIES, SOURCES, Statement
from tests.fakes.provider import Provider, ProviderRequest, Reply, bearer_token


def error(status: int, message: str, kind: str, code: str) -> Reply:
    return Reply({"object": "error", "message": message, "type": kind, "param": None, "code": code}, status)


class Mistral(Provider):
    name = "mistral"
    key = "fakeMistral0123456789abcdef"
    paths = (("POST", "/v1/conversations"),)
    model = "mistral-fake-2609"

    def refusal(self, request: ProviderRequest) -> Reply | None:
        if bearer_token(request) != self.key:
            return self.error("unauthorised", 401)
        missing = [name for name in ("model", "inputs") if not request.fields.get(name)]
        if missing:
            detail = [
                {"type": "missing", "loc": ["body", name], "msg": "Field required", "input": {}} for name in missing
            ]
            return Reply({"detail": detail}, 422)
        return None

    def prompt(self, request: ProviderRequest) -> str:
        return str(request.fields["inputs"])

    def answer(self, request: ProviderRequest, statements: tuple[Statement, ...]) -> Reply:
        chunks: list[dict[str, object]] = []
        for each in statements:
            chunks.append({"type": "text", "text": each.text})
            for number in each.sources:
                url, title = SOURCES[number]
                chunks.append(
                    {"type": "tool_reference", "tool": "web_search", "title": title, "url": url, "source": "brave"}
                )
        executions = [
            {
                "object": "entry",
                "type": "tool.execution",
                "id": f"tool_exec_{number}",
                "name": "web_search",
                "arguments": json.dumps({"query": query}),
            }
            for number, query in enumerate(QUERIES)
        ]
        message = {
            "object": "entry",
            "type": "message.output",
            "id": "msg_06835b9dc35772be800073298138bacc",
            "model": self.model,
            "role": "assistant",
            "content": chunks,
        }
        payload = {
            "object": "conversation.response",
            "conversation_id": "conv_06835bb1996079898000435d8a0b1afd",
            "outputs": [*executions, message],
            "usage": {
                "prompt_tokens": 188,
                "completion_tokens": 302,
                "total_tokens": 7311,
                "connector_tokens": 6821,
                "connectors": {"web_search": 3},
            },
        }
        return Reply(payload, headers={"mistral-correlation-id": "01989f3e-44a8"})

    def error(self, kind: str, status: int) -> Reply:
        replies = {
            "rate_limited": error(429, "Rate limit exceeded", "rate_limited", "1300"),
            "no_money": Reply({"detail": "Payment required: your subscription is inactive."}, 402),
            "unauthorised": Reply({"detail": "Unauthorized"}, 401),
            "overloaded": error(503, "Service tier capacity exceeded for this model.", "service_unavailable", "3505"),
        }
        return replies.get(kind) or error(status, "Internal Server Error", "internal_server_error", "1000")

    def inner_error(self, request: ProviderRequest) -> Reply:
        return error(200, "Connector web_search timed out", "connector_error", "1500")

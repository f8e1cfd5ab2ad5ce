"""Anthropic's Messages API."""

from tests.fakes import content
from tests.fakes.content import QUERIES, SOURCES, Statement
from tests.fakes.provider import Provider, ProviderRequest, Reply


def error(status: int, kind: str, message: str) -> Reply:
    payload = {
        "type": "error",
        "error": {"type": kind, "message": message},
        "request_id": "req_011CSHoEeqs5C35K2UUqR7Fy",
    }
    return Reply(payload, status, {"request-id": "req_011CSHoEeqs5C35K2UUqR7Fy"})


def block(each: Statement) -> dict[str, object]:
    citations = [
        {
            "type": "web_search_result_location",
            "url": SOURCES[number][0],
            "title": SOURCES[number][1],
            "encrypted_index": "Eo8BCioIAhgBIiQyYjQ0OWJmZi1lNm",
            "cited_text": "Fake CRM is praised for …",
        }
        for number in each.sources
    ]
    return {"type": "text", "text": each.text, "citations": citations or None}


class Anthropic(Provider):
    name = "anthropic"
    key = "sk-ant-fake-0123456789"
    paths = (("POST", "/v1/messages"),)
    model = "claude-fake-5-20260801"

    def refusal(self, request: ProviderRequest) -> Reply | None:
        if request.header("x-api-key") != self.key:
            return self.error("unauthorised", 401)
        if not request.header("anthropic-version"):
            return error(400, "invalid_request_error", "anthropic-version: header is required")
        for name in ("model", "max_tokens", "messages"):
            if not request.fields.get(name):
                return error(400, "invalid_request_error", f"{name}: Field required")
        return None

    def prompt(self, request: ProviderRequest) -> str:
        return str(request.fields["messages"][-1]["content"])

    def answer(self, request: ProviderRequest, statements: tuple[Statement, ...]) -> Reply:
        found = [
            {
                "type": "web_search_result",
                "url": url,
                "title": title,
                "encrypted_content": "EqgfCioIARgB",
                "page_age": None,
            }
            for url, title in SOURCES
        ]
        return Reply(
            self._message([*self._searches(found), *map(block, statements)]), headers={"request-id": "req_013Z"}
        )

    def _searches(self, found: object) -> list[dict[str, object]]:
        blocks: list[dict[str, object]] = [{"type": "text", "text": "One moment."}]
        for number, query in enumerate(QUERIES):
            use = {
                "type": "server_tool_use",
                "id": f"srvtoolu_{number}",
                "name": "web_search",
                "input": {"query": query},
            }
            blocks += [use, {"type": "web_search_tool_result", "tool_use_id": f"srvtoolu_{number}", "content": found}]
        return blocks

    def _message(self, blocks: list[dict[str, object]]) -> dict[str, object]:
        return {
            "id": "msg_01RBYuhtTEECDfDpXVgPYbnE",
            "type": "message",
            "role": "assistant",
            "model": self.model,
            "content": blocks,
            "stop_reason": "end_turn",
            "stop_sequence": None,
            "usage": {
                "input_tokens": 10210,
                "cache_creation_input_tokens": 0,
                "output_tokens": 377,
                "server_tool_use": {"web_search_requests": len(QUERIES)},
            },
        }

    def error(self, kind: str, status: int) -> Reply:
        replies = {
            "rate_limited": error(
                429,
                "rate_limit_error",
                "This request would exceed your organization's rate limit of 50 requests per minute.",
            ),
            "no_money": error(
                400,
                "invalid_request_error",
                "Your credit balance is too low to access the Anthropic API. "
                "Please go to Plans & Billing to upgrade or purchase credits.",
            ),
            "unauthorised": error(401, "authentication_error", "invalid x-api-key"),
            "overloaded": error(529, "overloaded_error", "Overloaded"),
        }
        return replies.get(kind) or error(status, "api_error", "Internal server error")

    def inner_error(self, request: ProviderRequest) -> Reply:
        failed = {"type": "web_search_tool_result_error", "error_code": "too_many_requests"}
        return Reply(self._message([*self._searches(failed), *map(block, content.statements())]))

"""OpenAI's Responses API."""

from tests.fakes import content
from tests.fakes.content import QUERIES, SOURCES, Statement
from tests.fakes.provider import Provider, ProviderRequest, Reply, bearer_token


def error(status: int, message: str, kind: str, code: str | None, param: str | None = None) -> Reply:
    detail = {"message": message, "type": kind, "param": param, "code": code}
    return Reply({"error": detail}, status, {"x-request-id": "req_0f5b1c2d3e4f"})


def written(statements: tuple[Statement, ...]) -> tuple[str, list[dict[str, object]]]:
    """Return the text with a link after every statement that has a source, and an annotation for each link."""
    text, annotations = "", []
    for each in statements:
        text += each.text
        for number in each.sources:
            url, title = SOURCES[number]
            link = f" ([{url.split('/')[2]}]({url}?utm_source=openai))"
            annotations.append(
                {
                    "type": "url_citation",
                    "start_index": len(text),
                    "end_index": len(text) + len(link),
                    "url": f"{url}?utm_source=openai",
                    "title": title,
                }
            )
            text += link
    return text, annotations


class OpenAI(Provider):
    name = "openai"
    key = "sk-fake-openai-0123456789"
    paths = (("POST", "/v1/responses"),)
    model = "gpt-fake-5-2026-08-01"

    def refusal(self, request: ProviderRequest) -> Reply | None:
        if bearer_token(request) != self.key:
            return self.error("unauthorised", 401)
        if not request.fields.get("model"):
            return error(
                400,
                "Missing required parameter: 'model'.",
                "invalid_request_error",
                "missing_required_parameter",
                "model",
            )
        if not isinstance(request.fields.get("input"), str | list):
            return error(
                400,
                "Missing required parameter: 'input'.",
                "invalid_request_error",
                "missing_required_parameter",
                "input",
            )
        for tool in request.fields.get("tools", []):
            country = (tool.get("user_location") or {}).get("country")
            if country is not None and not (len(country) == 2 and country.isupper()):
                return error(
                    400, "Invalid 'tools[0].user_location.country'.", "invalid_request_error", "invalid_value", "tools"
                )
        return None

    def prompt(self, request: ProviderRequest) -> str:
        return str(request.fields["input"])

    def answer(self, request: ProviderRequest, statements: tuple[Statement, ...]) -> Reply:
        text, annotations = written(statements)
        urls = [{"type": "url", "url": url} for url, _ in SOURCES]
        payload = {
            "id": "resp_68af4030baa48193b0b43b4c2a176a1a",
            "object": "response",
            "created_at": 1786523445,
            "status": "completed",
            "error": None,
            "incomplete_details": None,
            "model": self.model,
            "output": [
                {"id": "rs_1", "type": "reasoning", "summary": []},
                {
                    "id": "ws_1",
                    "type": "web_search_call",
                    "status": "completed",
                    "action": {"type": "search", "query": QUERIES[0], "queries": list(QUERIES), "sources": urls},
                },
                {
                    "id": "ws_2",
                    "type": "web_search_call",
                    "status": "completed",
                    "action": {"type": "open_page", "url": SOURCES[0][0]},
                },
                {
                    "id": "msg_1",
                    "type": "message",
                    "status": "completed",
                    "role": "assistant",
                    "content": [{"type": "output_text", "text": text, "annotations": annotations, "logprobs": []}],
                },
            ],
            "store": False,
            "tools": request.fields.get("tools", []),
            "usage": {
                "input_tokens": 8341,
                "input_tokens_details": {"cached_tokens": 0},
                "output_tokens": 412,
                "output_tokens_details": {"reasoning_tokens": 128},
                "total_tokens": 8753,
            },
            "tool_usage": {"web_search": {"num_requests": 1}},
        }
        return Reply(payload, headers={"x-request-id": "req_5c3f9a7d21e84b06"})

    def error(self, kind: str, status: int) -> Reply:
        replies = {
            "rate_limited": error(
                429,
                "Rate limit reached for gpt-fake-5 in organization org-fake on requests per min (RPM): Limit 3, "
                "Used 3, Requested 1. Please try again in 20s. "
                "You can increase your rate limit by adding a payment method "
                "to your account at https://platform.openai.com/account/billing.",
                "requests",
                "rate_limit_exceeded",
            ),
            "no_money": error(
                429,
                "You exceeded your current quota, please check your plan and billing details.",
                "insufficient_quota",
                "insufficient_quota",
            ),
            "unauthorised": error(
                401, f"Incorrect API key provided: {self.key}.", "invalid_request_error", "invalid_api_key"
            ),
            "overloaded": error(
                503, "The engine is currently overloaded, please try again later.", "server_error", None
            ),
        }
        return replies.get(kind) or error(
            status, "The server had an error while processing your request.", "server_error", None
        )

    def inner_error(self, request: ProviderRequest) -> Reply:
        whole = self.answer(request, content.statements()).payload
        failed = {"status": "failed", "error": {"code": "server_error", "message": "The model produced an error."}}
        return Reply(whole | failed | {"output": []})

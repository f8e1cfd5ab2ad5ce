"""Chat completions: DeepSeek, and a self-hosted model."""

from tests.fakes import content
from tests.fakes.content import Statement
from tests.fakes.provider import Provider, ProviderRequest, Reply, bearer_token


def error(status: int, message: str, kind: str, code: str) -> Reply:
    return Reply({"error": {"message": message, "type": kind, "param": None, "code": code}}, status)


class _Chat(Provider):
    def refusal(self, request: ProviderRequest) -> Reply | None:
        if bearer_token(request) != self.key:
            return self.error("unauthorised", 401)
        for name in ("model", "messages"):
            if not request.fields.get(name):
                message = f"Failed to deserialize the JSON body into the target type: missing field `{name}`"
                return error(400, message, "invalid_request_error", "invalid_request_error")
        return None

    def prompt(self, request: ProviderRequest) -> str:
        return str(request.fields["messages"][-1]["content"])

    def answer(self, request: ProviderRequest, statements: tuple[Statement, ...]) -> Reply:
        text = "".join(each.text for each in statements)
        message = {"role": "assistant", "content": text, "reasoning_content": "The user wants a CRM."}
        payload = {
            "id": "930c60df-bf64-41c9-a88e-3ec75f81e00e",
            "object": "chat.completion",
            "created": 1786523445,
            "model": self.model,
            "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 17, "completion_tokens": 233, "total_tokens": 250},
            "system_fingerprint": "fp_fake",
        }
        return Reply(payload)

    def inner_error(self, request: ProviderRequest) -> Reply:
        whole = self.answer(request, content.statements()).payload
        whole["choices"][0]["finish_reason"] = "insufficient_system_resource"
        return Reply(whole)


class DeepSeek(_Chat):
    name = "deepseek"
    key = "sk-fakedeepseek0123456789"
    paths = (("POST", "/chat/completions"),)
    model = "deepseek-fake-4"

    def error(self, kind: str, status: int) -> Reply:
        replies = {
            "rate_limited": error(429, "Rate limit reached", "rate_limit_error", "rate_limit"),
            "no_money": error(402, "Insufficient Balance", "unknown_error", "invalid_request_error"),
            "unauthorised": error(
                401,
                "Authentication Fails, Your api key: ****6789 is invalid",
                "authentication_error",
                "invalid_request_error",
            ),
            "overloaded": error(503, "Server overloaded", "service_unavailable_error", "service_unavailable_error"),
        }
        return replies.get(kind) or error(status, "Server error", "server_error", "server_error")


class Local(_Chat):
    name = "local"
    key = "fake-local"
    paths = (("POST", "/v1/chat/completions"),)
    base_path = "/v1"
    model = "llama-fake"

    def answer(self, request: ProviderRequest, statements: tuple[Statement, ...]) -> Reply:
        reply = super().answer(request, statements)
        message = reply.payload["choices"][0]["message"]
        message["content"] = "<think>\nThe user wants a CRM.\n</think>\n\n" + message["content"]
        return reply

    def error(self, kind: str, status: int) -> Reply:
        replies = {
            "rate_limited": error(429, "too many requests", "rate_limit_error", "rate_limited"),
            "no_money": error(402, "insufficient credits", "payment_required", "payment_required"),
            "unauthorised": error(401, f"Invalid API Key: {self.key}", "authentication_error", "401"),
            "overloaded": error(503, "Loading model", "unavailable_error", "503"),
        }
        return replies.get(kind) or error(status, "llama runner process has terminated", "api_error", str(status))

    def settings(self, base_url: str) -> dict[str, str]:
        return super().settings(base_url) | {"SIGHTLINE_LOCAL_MODEL": self.model}

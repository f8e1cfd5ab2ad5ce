"""Google's generateContent with grounding, and the redirects behind its links."""

from tests.fakes import content
from tests.fakes.content import CITED, QUERIES, RETRIEVED, SOURCES, Statement
from tests.fakes.provider import Provider, ProviderRequest, Reply

REDIRECTS = "https://vertexaisearch.cloud.google.com"


def error(status: int, name: str, message: str, details: list[dict[str, object]] | None = None) -> Reply:
    body: dict[str, object] = {"code": status, "message": message, "status": name}
    return Reply({"error": body | ({"details": details} if details else {})}, status)


def quota(quota_id: str) -> Reply:
    """Return the error of a quota. Limits per minute and per day differ only in the quota's name."""
    details: list[dict[str, object]] = [
        {
            "@type": "type.googleapis.com/google.rpc.QuotaFailure",
            "violations": [
                {
                    "quotaMetric": "generativelanguage.googleapis.com/generate_content_free_tier_requests",
                    "quotaId": quota_id,
                    "quotaDimensions": {"location": "global", "model": "gemini-fake"},
                    "quotaValue": "20",
                }
            ],
        },
        {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "2s"},
    ]
    message = "You exceeded your current quota, please check your plan and billing details."
    return error(429, "RESOURCE_EXHAUSTED", message, details)


def redirect_url(number: int) -> str:
    return f"{REDIRECTS}/grounding-api-redirect/AUZIYQ{number}"


class Google(Provider):
    name = "google"
    key = "AIzaSyFake-0123456789abcdefghij"
    paths = (("POST", "/v1beta/models/{model}"),)
    model = "gemini-fake-3-flash"

    def refusal(self, request: ProviderRequest) -> Reply | None:
        if request.header("x-goog-api-key") != self.key:
            return self.error("unauthorised", 400)
        if not request.path.endswith(":generateContent") or request.path.endswith("/:generateContent"):
            return error(404, "NOT_FOUND", "models/ is not found for API version v1beta.")
        if not request.fields.get("contents"):
            return error(400, "INVALID_ARGUMENT", "* GenerateContentRequest.contents: contents is not specified")
        return None

    def prompt(self, request: ProviderRequest) -> str:
        return str(request.fields["contents"][-1]["parts"][0]["text"])

    def answer(self, request: ProviderRequest, statements: tuple[Statement, ...]) -> Reply:
        text, supports = "", []
        order = [*CITED, *RETRIEVED]
        at = 0
        for each in statements:
            start, at = at, at + len(each.text.encode())
            text += each.text
            if each.sources:
                segment = {"startIndex": start, "endIndex": at, "text": each.text}
                indices = [order.index(number) for number in each.sources]
                supports.append({"segment": segment, "groundingChunkIndices": indices, "confidenceScores": [0.9]})
        chunks = [
            {"web": {"uri": redirect_url(n), "title": SOURCES[n][0].split("/")[2].removeprefix("www.")}} for n in order
        ]
        payload = {
            "candidates": [
                {
                    "content": {"role": "model", "parts": [{"text": "Let me think.", "thought": True}, {"text": text}]},
                    "finishReason": "STOP",
                    "index": 0,
                    "groundingMetadata": {
                        "searchEntryPoint": {"renderedContent": "<div>…</div>"},
                        "groundingChunks": chunks,
                        "groundingSupports": [{**s, "segment": {**s["segment"], "partIndex": 1}} for s in supports],
                        "webSearchQueries": list(QUERIES),
                    },
                }
            ],
            "usageMetadata": {
                "promptTokenCount": 14,
                "candidatesTokenCount": 401,
                "thoughtsTokenCount": 90,
                "totalTokenCount": 505,
            },
            "modelVersion": self.model,
            "responseId": "kq2PaLCcE4uZ-8YPqfXPoA8",
        }
        return Reply(payload)

    def error(self, kind: str, status: int) -> Reply:
        key_info: list[dict[str, object]] = [
            {
                "@type": "type.googleapis.com/google.rpc.ErrorInfo",
                "reason": "API_KEY_INVALID",
                "domain": "googleapis.com",
            }
        ]
        replies = {
            "rate_limited": quota("GenerateRequestsPerMinutePerProjectPerModel-FreeTier"),
            "no_money": quota("GenerateRequestsPerDayPerProjectPerModel-FreeTier"),
            "unauthorised": error(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.", key_info),
            "overloaded": error(503, "UNAVAILABLE", "The model is overloaded. Please try again later."),
        }
        return replies.get(kind) or error(status, "INTERNAL", "An internal error has occurred.")

    def inner_error(self, request: ProviderRequest) -> Reply:
        return Reply({"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}, "modelVersion": self.model})

    def missing_fields(self, request: ProviderRequest) -> Reply:
        whole = self.answer(request, content.statements()).payload
        return Reply({"candidates": [{"finishReason": "STOP", "index": 0}], "usageMetadata": whole["usageMetadata"]})

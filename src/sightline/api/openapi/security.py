"""Ways to authenticate in the OpenAPI document."""

from sightline.api.edge.browsers import SECURE_SESSION_COOKIE, SESSION_COOKIE
from sightline.api.edge.operations import Operation
from sightline.api.openapi.components import Json


def security_schemes(base_url: str) -> dict[str, Json]:
    cookie = SECURE_SESSION_COOKIE if base_url.startswith("https://") else SESSION_COOKIE
    key = {"type": "apiKey", "in": "header", "name": "X-API-Key"}
    return {
        "ConsoleKey": {
            **key,
            "description": "A key `sk_live_…` or `sk_test_…`. A key that has scopes needs the one in "
            "`x-required-scope` of the operation.",
        },
        "DataKey": {**key, "description": "A key `dk_live_…`."},
        "Session": {
            "type": "apiKey",
            "in": "cookie",
            "name": cookie,
            "description": "The cookie that signing in sets. If a key is sent with it, the key is used.",
        },
    }


def build_security(operation: Operation) -> list[Json]:
    key: Json = {"ConsoleKey" if operation.api == "console" else "DataKey": []}
    session: Json = {"Session": []}
    return {"public": [], "key": [key], "session": [session], "key_or_session": [key, session]}[operation.access]

"""The headers of every response, from the APIs, pages, assets, monitoring and the server itself."""

from typing import Any

from sightline.api.edge.responses import Header, Send

_FEATURES = ("camera", "display-capture", "geolocation", "microphone", "payment", "usb")
_HEADERS: list[Header] = [
    (b"x-content-type-options", b"nosniff"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", ", ".join(f"{feature}=()" for feature in _FEATURES).encode()),
    # For whatever is not a page: nothing in it may load, run, be framed or send a form. Pages bring their own policy.
    (
        b"content-security-policy",
        b"default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
]
_HSTS: Header = (b"strict-transport-security", b"max-age=31536000")


def build_security_headers(*, https: bool) -> list[Header]:
    """Return the headers. HSTS is sent only for https: browsers ignore it over http, and it could lock people out."""
    return [*_HEADERS, _HSTS] if https else list(_HEADERS)


def add_headers(send: Send, headers: list[Header]) -> Send:
    """Return a `send` that adds to the start of the response the headers that it does not have itself."""

    async def send_with_headers(message: Any) -> None:
        if message["type"] == "http.response.start":
            own = list(message.get("headers", ()))
            names = {name.lower() for name, _ in own}
            message = {**message, "headers": own + [header for header in headers if header[0] not in names]}
        await send(message)

    return send_with_headers

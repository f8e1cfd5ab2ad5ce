"""An identity provider that others wrote, `oidc-provider-mock`, on the loopback interface, with faults before it."""

import io
import json
import threading
import warnings
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qs

import flask
import httpx
import werkzeug.serving

with warnings.catch_warnings():
    import authlib.deprecate  # it has its warnings shown always, even those that the provider causes itself

    warnings.simplefilter("ignore", authlib.deprecate.AuthlibDeprecationWarning)
    import oidc_provider_mock
    from authlib.jose import RSAKey

Answer = tuple[int, bytes]
DISCOVERY = "/.well-known/openid-configuration"


class IdentityProvider:
    """`with IdentityProvider() as provider`. A fault replaces the answer of one path, or changes it."""

    def __init__(self) -> None:
        self.faults: dict[str, Answer | Callable[[bytes], bytes]] = {}
        self.requests: list[tuple[str, dict[str, list[str]]]] = []
        """The requests for tokens: who sent them, and what."""
        self._storage: Any = None
        app = oidc_provider_mock.app()
        app.before_request(self._keep_storage)
        app.wsgi_app, self._answer = self._serve, app.wsgi_app  # type: ignore[method-assign]
        self._server = werkzeug.serving.make_server("127.0.0.1", 0, app, threaded=True, request_handler=_Quiet)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._thread.join(5)
        self._server.server_close()

    def _keep_storage(self) -> None:
        self._storage = flask.g.oidc_provider_mock_storage

    def _serve(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        path = environ["PATH_INFO"]
        if path.endswith("/token"):
            body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
            environ["wsgi.input"] = io.BytesIO(body)
            self.requests.append((environ.get("HTTP_AUTHORIZATION", ""), parse_qs(body.decode())))
        fault = self.faults.get(path)
        if fault is None:
            return self._answer(environ, start_response)
        if isinstance(fault, tuple):
            start_response(f"{fault[0]} Fault", [("Content-Type", "application/json")])
            return [fault[1]]
        kept: list[Any] = []

        def keep(*given: Any) -> Callable[[bytes], object]:
            kept.append(given)
            return lambda _: None

        changed = fault(b"".join(self._answer(environ, keep)))
        headers = [(name, value) for name, value in kept[0][1] if name.lower() != "content-length"]
        start_response(kept[0][0], headers)
        return [changed]

    def declare(self, **changes: Any) -> None:
        """Change the discovery document; None leaves a field out."""

        def change(body: bytes) -> bytes:
            document = {**json.loads(body), **changes}
            return json.dumps({name: value for name, value in document.items() if value is not None}).encode()

        self.faults[DISCOVERY] = change

    def set_person(self, subject: str, email: str | None, *, verified: Any = True, **claims: Any) -> None:
        """Set what the provider says about a person. Claims replace those of the ID token, such as `aud` or `exp`."""
        told = {"email_verified": verified, **claims} | ({} if email is None else {"email": email})
        httpx.put(f"{self.url}/users/{subject}", json=told).raise_for_status()

    def rotate_key(self) -> None:
        self._storage.jwk = RSAKey.generate_key(is_private=True)

    def sign_in(self, location: str, subject: str) -> str:
        """Sign in as a person at the address that the browser was sent to; return where it is sent back to."""
        answer = httpx.post(location, data={"sub": subject})
        assert answer.status_code == 302, answer.text
        return answer.headers["location"]


class _Quiet(werkzeug.serving.WSGIRequestHandler):
    def log(self, *_: Any) -> None:
        """Write nothing: each request would be a line on the terminal."""

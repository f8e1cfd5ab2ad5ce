"""The uvicorn server, with our own handling of signals and an announcement when it listens."""

import asyncio
import signal
import socket
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, cast

import uvicorn
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from sightline.api.edge.security_headers import build_security_headers
from sightline.cli.http_protocol import ConnectionCounts, LimitedHttpProtocol, read_request_limits
from sightline.settings import Settings, SettingsError

_STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM)


def listen(settings: Settings) -> tuple[socket.socket, Settings]:
    """Open the port, and return it with the settings that name its number: port 0 means any free one."""
    listening = open_port(settings.host, settings.port, "SIGHTLINE_PORT")
    return listening, settings.model_copy(update={"port": listening.getsockname()[1]})


def open_port(host: str, port: int, setting: str) -> socket.socket:
    """Return a socket that listens. If the port is taken, the error names the setting to change."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        raise SettingsError(
            f"Cannot listen on port {port} of {host}: {error.strerror}. "
            f"Set {setting} (and SIGHTLINE_HOST) to one that is free."
        ) from error


class Server(uvicorn.Server):
    """A server that stops on SIGINT and SIGTERM and then returns.

    uvicorn itself raises the signal again at the end, which would end the process before PostgreSQL is stopped.
    """

    def __init__(
        self, application: Any, settings: Settings, when_listening: Callable[[], Coroutine[Any, Any, None]]
    ) -> None:
        super().__init__(
            uvicorn.Config(
                application,
                http=build_protocol(settings),
                ws="none",
                lifespan="on",
                log_config=None,
                access_log=False,
                server_header=False,
                proxy_headers=bool(settings.trusted_proxies),
                forwarded_allow_ips=settings.trusted_proxies or None,
                timeout_keep_alive=settings.http_keep_alive,
                timeout_graceful_shutdown=30,
            )
        )
        self._when_listening = when_listening

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        await self._when_listening()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        loop = asyncio.get_running_loop()
        for number in _STOP_SIGNALS:
            loop.add_signal_handler(number, self._stop)
        try:
            yield
        finally:
            for number in _STOP_SIGNALS:
                loop.remove_signal_handler(number)

    def _stop(self) -> None:
        self.force_exit = self.should_exit  # the second signal: do not wait for open connections
        self.should_exit = True


def build_protocol(settings: Settings) -> type[asyncio.Protocol]:
    """Return a factory of connection protocols, with the limits of the settings."""
    # uvicorn exposes its rule for trusted proxies only through this attribute.
    trusted = ProxyHeadersMiddleware(cast(Any, None), settings.trusted_proxies).trusted_hosts
    protocol = partial(
        LimitedHttpProtocol,
        limits=read_request_limits(settings),
        counts=ConnectionCounts(settings.http_connections_per_address, is_exempt=trusted.__contains__),
        response_headers=build_security_headers(https=settings.is_https),
    )
    return cast(type[asyncio.Protocol], protocol)

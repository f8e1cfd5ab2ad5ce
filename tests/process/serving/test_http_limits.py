"""A real server ends requests that are too large, too slow or too many, and needs little memory for them."""

import contextlib
import socket
import time

import psutil
import pytest

from tests.process.serving.processes import running

KIB = 1024
LIMITS = {
    "http_max_header_bytes": 8 * KIB,
    "http_max_headers": 20,
    "http_header_timeout": 1,
    "http_min_body_rate": 1_000,
    "http_body_grace": 0.5,
    "http_keep_alive": 1,
    "http_connections_per_address": 10,
}
PROXY = "127.0.0.9"
HEALTH = b"GET /healthz HTTP/1.1\r\nHost: x\r\n"
SIGN_IN = b"POST /api/v1/console/session HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"


@pytest.fixture(scope="module")
def server():
    """Run the API without a database, which none of these requests reaches."""
    nowhere = "postgresql://127.0.0.1:1/nothing"
    with running("api", database_url=nowhere, secret_key="s" * 40, trusted_proxies=PROXY, **LIMITS) as started:
        yield started


def connect(server, address="127.0.0.1") -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), timeout=10, source_address=(address, 0))


def read_to_end(connection: socket.socket) -> bytes:
    """Return everything that the server sends before it closes the connection."""
    received = b""
    with contextlib.suppress(ConnectionError):
        while data := connection.recv(65_536):
            received += data
    return received


def ask(server, request: bytes, address="127.0.0.1") -> bytes:
    """Send a request and return the first bytes of the response."""
    with connect(server, address) as connection:
        connection.sendall(request)
        return connection.recv(65_536)


def status_of(response: bytes) -> int:
    return int(response.split(b" ", 2)[1])


def flood(server, opening: bytes, part: bytes, *, megabytes: int) -> int:
    """Send the part again and again until the server closes the connection; return the number of bytes sent."""
    sent = 0
    with connect(server) as connection, contextlib.suppress(ConnectionError):
        connection.sendall(opening)
        while sent < megabytes * KIB * KIB:
            connection.sendall(part)
            sent += len(part)
    return sent


def test_headers_are_limited_in_size_and_number_and_cost_little_memory(server):
    def with_headers(count: int, size: int) -> bytes:
        return HEALTH + b"".join(b"X-%d: %s\r\n" % (n, b"v" * size) for n in range(count)) + b"\r\n"

    assert status_of(ask(server, with_headers(19, 10))) == 200, "with Host it has 20 headers"
    too_many = ask(server, with_headers(20, 10))
    assert status_of(too_many) == 431 and b"\r\nx-content-type-options: nosniff\r\n" in too_many
    assert status_of(ask(server, with_headers(1, 7 * KIB))) == 200
    assert status_of(ask(server, with_headers(1, 8 * KIB))) == 431
    assert status_of(ask(server, b"GET /" + b"x" * 8 * KIB + b" HTTP/1.1\r\nHost: x\r\n\r\n")) == 431
    broken = ask(server, b"nonsense\r\n\r\n")
    assert status_of(broken) == 400 and b"\r\ncross-origin-opener-policy: same-origin\r\n" in broken

    process = psutil.Process(server.process.pid)
    before = process.memory_info().rss
    chunked = SIGN_IN + b"Transfer-Encoding: chunked\r\n\r\n0\r\n"
    for opening, part in (
        (HEALTH + b"X-Endless: ", b"v" * 64 * KIB),
        (HEALTH, b"X-Many: " + b"v" * KIB + b"\r\n"),
        (b"GET /", b"x" * 64 * KIB),
        (chunked + b"X-Trailer: ", b"v" * 64 * KIB),
        (chunked, b"X-Trailer: v\r\n"),
        (SIGN_IN + b"Transfer-Encoding: chunked\r\n\r\n2;extension=", b"v" * 64 * KIB),
        (b"", b"\r\n" * KIB),
        (b"", HEALTH + b"\r\n" + HEALTH + b"\r\n" * 500),
    ):
        assert flood(server, opening, part, megabytes=64) < 32 * KIB * KIB, opening
    assert process.memory_info().rss - before < 24 * KIB * KIB
    assert status_of(ask(server, HEALTH + b"\r\n")) == 200


@pytest.mark.slow
def test_requests_that_arrive_too_slowly_are_aborted(server):
    never_complete = {
        b"": None,
        HEALTH: 408,
        b"\r\n": None,
        HEALTH + b"\r\n": 200,  # complete, and then idle for longer than the keep-alive
        HEALTH + b"\r\n\r\n": 200,
        HEALTH + b"\r\n" + HEALTH: 200,
        SIGN_IN + b"Content-Length: 500\r\n\r\n": 408,
        SIGN_IN + b"Content-Length: 500\r\n\r\n{": 408,
        SIGN_IN + b"Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n": 408,
    }
    started = time.monotonic()
    connections = {}
    for opening in never_complete:
        connections[opening] = connect(server, "127.0.0.2")
        connections[opening].sendall(opening)
    for opening, status in never_complete.items():
        response = read_to_end(connections[opening])
        connections[opening].close()
        assert (status_of(response) if response else None) == status, opening
        assert not response or b"\r\npermissions-policy: " in response
    assert time.monotonic() - started < 8


@pytest.mark.slow
def test_a_body_may_be_slow_as_long_as_it_keeps_the_rate(server):
    body = b'{"email": "a@acme.com", "password": "%s"}' % (b"x" * 3_000)
    with connect(server, "127.0.0.3") as steady, connect(server, "127.0.0.3") as dripping:
        dripping.sendall(SIGN_IN + b"Content-Length: 5000\r\n\r\n")
        steady.sendall(SIGN_IN + b"Content-Length: %d\r\n\r\n" % len(body))
        for start in range(0, len(body), 250):  # 2,500 bytes a second, for longer than the grace
            steady.sendall(body[start : start + 250])
            with contextlib.suppress(ConnectionError):
                dripping.sendall(b"x")
            time.sleep(0.1)
        assert status_of(steady.recv(65_536)) == 422, "read to its end; the password is too long"
        assert status_of(read_to_end(dripping) or b"HTTP/1.1 408 lost") == 408


def test_connections_are_limited_per_address_except_for_a_trusted_proxy(server):
    with contextlib.ExitStack() as opened:
        for _ in range(10):
            opened.enter_context(connect(server, "127.0.0.4"))
        refused = ask(server, HEALTH + b"\r\n", "127.0.0.4")
        assert status_of(refused) == 429 and b"\r\nretry-after: 5\r\n" in refused
        assert status_of(ask(server, HEALTH + b"\r\n", "127.0.0.5")) == 200, "another address"
        for _ in range(15):
            opened.enter_context(connect(server, PROXY))
        assert status_of(ask(server, HEALTH + b"\r\n", PROXY)) == 200
    deadline = time.monotonic() + 10
    while status_of(ask(server, HEALTH + b"\r\n", "127.0.0.4")) != 200:  # closed connections count no more
        assert time.monotonic() < deadline

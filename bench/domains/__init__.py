"""The paged `GET /api/v1/console/domains`: the whole application, a bare baseline, and a well-known stack."""

import json
import re

from bench.comparison import Aborted, Benchmark, Goal, Question
from bench.domains.fill import PATH, prepare
from bench.process import Server

_REQUEST_ID = re.compile(rb'"request_id":"[^"]*"')
_EDGE, _FLOOR, _FASTAPI = "edge", "floor", "fastapi"


def _verify(servers: dict[str, Server], question: Question) -> None:
    """Check that application and baseline send the same bytes and headers, and FastAPI the same document."""
    answers = {name: server.get(PATH, question.headers[0]) for name, server in servers.items()}
    for name, (status, _, body) in answers.items():
        if status != 200:
            raise Aborted(f"{name} answered {status}: {body[:600].decode(errors='replace')}")
    bodies = {name: _REQUEST_ID.sub(b"", body) for name, (_, _, body) in answers.items()}
    if bodies[_EDGE] != bodies[_FLOOR]:
        raise Aborted(f"edge and floor differ in their bodies:\n{bodies[_EDGE][:600]}\n{bodies[_FLOOR][:600]}")
    headers = {name: sorted(headers) for name, (_, headers, _) in answers.items()}
    if headers[_EDGE] != headers[_FLOOR]:
        raise Aborted(f"edge and floor differ in their headers:\n{headers[_EDGE]}\n{headers[_FLOOR]}")
    documents = {name: json.loads(body) for name, (_, _, body) in answers.items()}
    for document in documents.values():
        del document["meta"]["request_id"]
    if documents[_EDGE] != documents[_FASTAPI]:
        raise Aborted(f"edge and FastAPI differ:\n{bodies[_EDGE][:600]}\n{bodies[_FASTAPI][:600]}")
    if headers[_EDGE] != headers[_FASTAPI]:
        raise Aborted(f"edge and FastAPI differ in their headers:\n{headers[_EDGE]}\n{headers[_FASTAPI]}")


BENCHMARK = Benchmark(
    name="domains",
    title="GET /api/v1/console/domains, 50 rows a page",
    servers={_EDGE: "bench.edge", _FLOOR: "bench.domains.baseline", _FASTAPI: "bench.domains.orm"},
    base=_FLOOR,
    prepare=prepare,
    verify=_verify,
    goals=(Goal(_EDGE, _FLOOR, 0.6), Goal(_EDGE, _FASTAPI, 1.8)),
)

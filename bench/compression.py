"""A page of the domain list as it is, as gzip and as zstd: what compressing costs in requests per second."""

import gzip
import sys

from bench.comparison import Aborted, Benchmark, Goal, Question
from bench.domains.fill import PATH, prepare
from bench.process import Server
from sightline.api.edge.compression import zstd

_PLAIN, _GZIP, _ZSTD = "plain", "gzip", "zstd"
_HEADERS = {name: {"Accept-Encoding": name} for name in (_GZIP, _ZSTD)}
_DECODERS = {_PLAIN: bytes, _GZIP: gzip.decompress, _ZSTD: zstd.decompress}


def _verify(servers: dict[str, Server], question: Question) -> None:
    """Check that all send the same rows, and print how many bytes each needs for them."""
    rows = set()
    for name, server in servers.items():
        status, headers, body = server.get(PATH, {**question.headers[0], **_HEADERS.get(name, {})})
        if status != 200 or headers.get("content-encoding", _PLAIN) != name:
            raise Aborted(f"{name} answered {status} with Content-Encoding {headers.get('content-encoding')}")
        rows.add(_DECODERS[name](body).partition(b'"request_id"')[0])
        print(f"{name}: {len(body):,} bytes", file=sys.stderr)
    if len(rows) > 1:
        raise Aborted("the compressed responses have other rows")


BENCHMARK = Benchmark(
    name="compression",
    title="GET /api/v1/console/domains, 50 rows a page, compressed",
    servers=dict.fromkeys((_PLAIN, _GZIP, _ZSTD), "bench.edge"),
    base=_PLAIN,
    prepare=prepare,
    verify=_verify,
    goals=(Goal(_ZSTD, _PLAIN, 0.85), Goal(_GZIP, _PLAIN, 0.6)),
    headers=_HEADERS,
)

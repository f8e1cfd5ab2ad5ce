"""The installation of a soak: API, worker, a platform that answers at once and a receiver of webhooks."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import msgspec

from bench.engine.installation import (
    Child,
    run_limited,
    running_api,
    running_fake,
    running_worker,
    wait_for_workers,
)
from bench.environment import BenchEnvironment
from bench.soak.memory import tree_megabytes
from bench.tracking.brand import TrackedDomain
from bench.tracking.daily import set_up_domains, six_platform_settings
from bench.tracking.databases import read_settings
from sightline.db.embedded import describe
from sightline.settings import Settings

_SETTINGS = {
    "SIGHTLINE_WEBHOOK_ALLOW_LOOPBACK": "1",
    "SIGHTLINE_SESSION_RATE_PER_MINUTE": "1000000000",
    "SIGHTLINE_DATA_RATE_PER_MINUTE": "1000000000",
    # The model takes most of the time of an answer, and no space.
    "SIGHTLINE_SENTIMENT": "off",
    # Minutes instead of a day, so that keys expire during the soak.
    "SIGHTLINE_IDEMPOTENCY_RETENTION": "300",
}
_SET_UP_SECONDS = 120


class SoakSite(msgspec.Struct, frozen=True):
    environment: BenchEnvironment
    settings: Settings
    url: str
    receiver_port: int
    tracked: Sequence[TrackedDomain]
    children: Mapping[str, Child]

    def read_megabytes(self) -> dict[str, float]:
        pids = {name: child.pid for name, child in self.children.items()}
        if (postgresql := describe(self.environment.folder / "data").pid) is not None:
            pids["postgresql"] = postgresql
        return {name: tree_megabytes(pid) for name, pid in pids.items()}


@contextmanager
def open_site(environment: BenchEnvironment, *, domains: int, prompts: int) -> Iterator[SoakSite]:
    with (
        running_fake("platform", environment, "bench.engine.platform", "0") as (_, platform_port),
        running_fake("receiver", environment, "bench.webhooks.receiver") as (_, receiver_port),
    ):
        given = {**six_platform_settings(platform_port), **_SETTINGS}
        plans = {"agency": {"data_rate_per_month": 1_000_000_000}}
        given["SIGHTLINE_PLANS"] = msgspec.json.encode(plans).decode()
        tracked = run_limited(set_up_domains(environment, given, domains, prompts), _SET_UP_SECONDS)
        with running_api(environment, given) as (api, port), running_worker(environment, given) as worker:
            wait_for_workers(environment, worker)
            settings, url = read_settings(environment, given), f"http://127.0.0.1:{port}"
            yield SoakSite(environment, settings, url, receiver_port, tracked, {"API": api, "worker": worker})

"""The installation that is measured: API, fake platforms, and one worker or two."""

from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any, TypeVar

import aiohttp
import msgspec

from bench.comparison import Aborted
from bench.engine.cpu import Cpu, ReadCpu, postgres_cpu_seconds
from bench.engine.installation import (
    Child,
    run_limited,
    running_api,
    running_fake,
    running_worker,
    wait_for_workers,
)
from bench.engine.settings import AT_ONCE, platform_settings
from bench.environment import BenchEnvironment

_LIMIT_SECONDS = 600

T = TypeVar("T")


class Calls(msgspec.Struct, frozen=True):
    """The calls to one platform, as it counted them."""

    calls: int
    most_at_once: int


class Site(msgspec.Struct, frozen=True):
    environment: BenchEnvironment
    api: Child
    api_port: int
    platform: Child
    platform_port: int
    settings: Mapping[str, str]

    def read_cpu(self, *workers: Child) -> Cpu:
        used = [worker.cpu_seconds() for worker in workers]
        return {
            "worker": None if None in used else sum(filter(None, used)),
            "api": self.api.cpu_seconds(),
            "postgresql": postgres_cpu_seconds(self.environment),
            "platform": self.platform.cpu_seconds(),
        }

    def run(self, work: Coroutine[Any, Any, T], *workers: Child) -> T:
        return run_limited(work, _LIMIT_SECONDS, self.api, *workers)

    async def reset_calls(self) -> dict[str, Calls]:
        """Return the calls to each platform since the last reset. Abort if there were ever too many at once."""
        async with (
            aiohttp.ClientSession() as session,
            session.get(f"http://127.0.0.1:{self.platform_port}/reset") as response,
        ):
            counted = msgspec.json.decode(await response.read(), type=dict[str, Calls])
        if any(one.most_at_once > AT_ONCE for one in counted.values()):
            raise Aborted(f"a platform allows {AT_ONCE} calls at once, but there were more: {counted}")
        return counted


@contextmanager
def open_site(environment: BenchEnvironment, latency: str) -> Iterator[Site]:
    """Run the API and platforms with the given latency: milliseconds, or `drawn`."""
    with running_fake("platform", environment, "bench.engine.platform", latency) as (platform, platform_port):
        settings = platform_settings(platform_port)
        with running_api(environment, settings) as (api, api_port):
            yield Site(environment, api, api_port, platform, platform_port, settings)


def measure_with_workers(site: Site, measure: Callable[[Site, ReadCpu], Coroutine[Any, Any, T]]) -> dict[str, T]:
    """Measure with one worker, then with two."""
    with running_worker(site.environment, site.settings) as first:
        wait_for_workers(site.environment, first)
        one = site.run(measure(site, partial(site.read_cpu, first)), first)
        with running_worker(site.environment, site.settings, number=2) as second:
            wait_for_workers(site.environment, first, second)
            two = site.run(measure(site, partial(site.read_cpu, first, second)), first, second)
    return {"one worker": one, "two workers": two}

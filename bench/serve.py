"""`python -m bench.serve <module> [<file for a profile>]`: one server under test, the same uvicorn for each.

The module has `opened(settings)`, an asynchronous context manager that gives the ASGI application. The port is chosen
by the system and printed as the one line of standard output.
"""

import cProfile
import importlib
import signal
import socket
import sys

import uvicorn
import uvloop

from sightline.settings import Settings


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, profiler: cProfile.Profile | None) -> None:
        super().__init__(config)
        self._profiler = profiler

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self._profiler is not None:
            self._profiler.enable()  # only now: importing everything would drown what we look for


async def _serve(module: str, profiler: cProfile.Profile | None) -> None:
    settings = Settings()
    listening = socket.create_server(("127.0.0.1", 0))
    async with importlib.import_module(module).opened(settings) as application:
        config = uvicorn.Config(
            application,
            http="httptools",
            lifespan="on",
            log_config=None,
            log_level="warning",
            access_log=False,
            server_header=False,
            proxy_headers=False,
        )
        print(listening.getsockname()[1], flush=True)
        await _Server(config, profiler).serve(sockets=[listening])


def main() -> None:
    # uvicorn stops on SIGTERM, and then sends the signal on: without this the profile would never be written.
    signal.signal(signal.SIGTERM, lambda *_: None)
    module, *profile = sys.argv[1:]
    profiler = cProfile.Profile() if profile else None
    uvloop.run(_serve(module, profiler))
    if profiler is not None:
        profiler.disable()
        profiler.dump_stats(profile[0])


if __name__ == "__main__":
    main()

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


async def _serve(module: str) -> None:
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
        )
        print(listening.getsockname()[1], flush=True)
        await uvicorn.Server(config).serve(sockets=[listening])


def main() -> None:
    # uvicorn stops on SIGTERM, and then sends the signal on: without this the profile would never be written.
    signal.signal(signal.SIGTERM, lambda *_: None)
    module, *profile = sys.argv[1:]
    if not profile:
        uvloop.run(_serve(module))
        return
    profiler = cProfile.Profile()
    try:
        profiler.runcall(uvloop.run, _serve(module))
    finally:
        profiler.dump_stats(profile[0])


if __name__ == "__main__":
    main()

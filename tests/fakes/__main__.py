"""`python -m tests.fakes [port]`: run all fakes. Prints what to export; a word in the prompt causes a fault."""

import asyncio
import shlex
import sys

from tests.fakes.faults import Faults
from tests.fakes.server import FakeServer


async def main() -> None:
    server = FakeServer()
    await server.start(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
    for name, value in server.settings().items():
        print(f"export {name}={shlex.quote(value)}")  # noqa: T201 - this is its output
    kinds = sorted(name for name in vars(Faults) if not name.startswith("_"))
    print(f"# in a prompt: {' '.join(f'fake:{kind}' for kind in kinds)}", flush=True)  # noqa: T201
    try:
        await asyncio.Event().wait()
    finally:
        await server.stop()


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except KeyboardInterrupt:
        sys.exit(130)

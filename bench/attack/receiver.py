"""A receiver of webhooks that keeps each sender waiting for almost as long as it may.

Run as `python -m bench.attack.receiver`; prints its port.
"""

import asyncio

_ADDRESS = "127.0.0.4"
_DELAY_SECONDS = 14  # senders give up after 15
_DONE = b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"


async def _answer_late(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        await reader.readuntil(b"\r\n\r\n")
        await asyncio.sleep(_DELAY_SECONDS)
        writer.write(_DONE)
        await writer.drain()
    except (OSError, asyncio.IncompleteReadError):
        pass  # the sender has given up
    finally:
        writer.close()


async def _serve() -> None:
    server = await asyncio.start_server(_answer_late, _ADDRESS, 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(_serve())

"""A program that draws an uploaded logo again as a small PNG. It runs in a process of its own, with limits.

It reads the file from its standard input, writes the PNG to its standard output, and exits with `REFUSED` and the code
of the reason if the file cannot be drawn. The library that draws executes no scripts, and reads no other files and no
addresses. The PNG contains nothing but pixels.
"""

import json
import os
import struct
import sys
import zlib

import typst

MAX_BYTES = 200 * 1024
REFUSED = 3
# Several times the size at which a page shows it, for sharp displays. A logo that is too detailed is drawn smaller: at
# the last size, even noise stays below the limit.
_SIZES = ((480, 144), (240, 72))
_CPU_SECONDS = 4
_MEMORY_BYTES = 1 << 30
_TEMPLATE = b"""
#set page(width: auto, height: auto, margin: 0pt, fill: none)
#let logo = bytes(json(bytes(sys.inputs.logo)))
#let draw(..size) = image(logo, format: sys.inputs.format, ..size)
#context {
  let size = measure(draw())
  let factor = calc.min(int(sys.inputs.width) * 1pt / size.width, int(sys.inputs.height) * 1pt / size.height)
  draw(width: size.width * factor, height: size.height * factor)
}
"""


def draw_logo(content: bytes, image_format: str) -> bytes:
    """Return the logo as a PNG. Raises a `ValueError` with the code of a reason, and what the library raises."""
    given = {"logo": json.dumps(list(content)), "format": image_format}
    drawn = b""
    for width, height in _SIZES:
        size = {"width": str(width), "height": str(height)}
        drawn = typst.compile(_TEMPLATE, sys_inputs=given | size, format="png", ppi=72.0, ignore_system_fonts=True)
        if len(drawn) <= MAX_BYTES:
            break
    if min(struct.unpack(">II", drawn[16:24])) < 8:
        raise ValueError("shape")
    if _is_blank(drawn):
        raise ValueError("blank")
    return drawn


def _is_blank(png: bytes) -> bool:
    """Return whether every pixel is transparent. Rows of zeros stay rows of zeros under each filter of a PNG."""
    width = struct.unpack(">I", png[16:20])[0]
    compressed, place = b"", 8
    while place < len(png):
        (length,) = struct.unpack(">I", png[place : place + 4])
        if png[place + 4 : place + 8] == b"IDAT":
            compressed += png[place + 8 : place + 8 + length]
        place += length + 12
    pixels, row = zlib.decompress(compressed), width * 4 + 1
    return not any(any(pixels[start + 1 : start + row]) for start in range(0, len(pixels), row))


def _limit_process() -> None:
    try:
        import resource  # not on Windows, where only the timeout of the caller holds
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_CPU, (_CPU_SECONDS, _CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES, _MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def main() -> None:
    _limit_process()
    content = sys.stdin.buffer.read(MAX_BYTES + 1)
    image_format, empty_folder = sys.argv[1:]
    os.chdir(empty_folder)  # the only folder from which the library would read
    try:
        sys.stdout.buffer.write(draw_logo(content, image_format))
    except ValueError as error:
        sys.stderr.write(str(error))
        sys.exit(REFUSED)
    except typst.TypstError as error:
        sys.stderr.write("references" if "linked image" in str(error) else "damaged")
        sys.exit(REFUSED)


if __name__ == "__main__":
    main()

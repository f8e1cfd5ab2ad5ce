"""Logos are drawn again as a PNG: nothing of a file but what it shows is stored, and hostile files are refused."""

import os
import struct

import pytest

from sightline.clients.draw_logo import MAX_BYTES
from sightline.clients.logos import decode_logo, read_logo
from sightline.errors import Problem
from tests.logos import SVG, make_png, make_png_of

RED = b'<rect width="100" height="40" fill="#ff0000"/>'
TOO_MANY = b'<g id="a0"><rect width="9" height="9"/></g>' + b"".join(
    b'<g id="a%d">%s</g>' % (level, b'<use href="#a%d"/>' % (level - 1) * 10) for level in range(1, 9)
)


def read_size(png: bytes) -> tuple[int, int]:
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", png[16:24])
    return width, height


async def test_a_png_is_encoded_again_without_what_it_carried():
    carried = make_png() + b"<script>alert(1)</script>"
    drawn = await read_logo(carried)
    assert read_size(drawn) == (432, 144) and b"script" not in drawn and len(drawn) < MAX_BYTES


async def test_an_svg_becomes_pixels_and_its_scripts_are_gone():
    hostile = (
        b"""<script>alert(1)</script>
        <style>@import url(http://127.0.0.1/a.css); .a { fill: url(http://x/) }</style>
        <a href="javascript:alert(1)" onclick="alert(1)">%s</a><foreignObject><p>hello</p></foreignObject>"""
        % RED
    )
    drawn = await read_logo(b'<?xml version="1.0"?>\n' + SVG % hostile)
    assert read_size(drawn) == (360, 144) and b"script" not in drawn and b"alert" not in drawn


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "format"),
        (b"GIF89a" + bytes(40), "format"),
        (b"<html><svg></html>", "damaged"),
        (make_png()[:-40], "damaged"),
        (make_png()[:20], "too_large"),
        (make_png(5_000, 2), "too_large"),
        (make_png(pixel=bytes(4)), "blank"),
        (SVG % b"", "blank"),
        (make_png(2_000, 2), "shape"),
        (b" " * (MAX_BYTES + 1), "too_large"),
        (SVG % b'<image href="/etc/hostname" width="9" height="9"/>', "references"),
        (SVG % b'<image href="pyproject.toml" width="9" height="9"/>', "references"),
        (SVG % b'<image href="http://127.0.0.1:1/a.png" width="9" height="9"/>', "references"),
        (b'<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>' + SVG % b"<text>&x;</text>", "damaged"),
        (SVG % (b"<g>" * 20_000 + b"</g>" * 20_000), "limits"),
        (SVG % (b"<defs>%s</defs><use href='#a8'/>" % TOO_MANY), "damaged"),
        (
            SVG % b'<filter id="f"><feTurbulence baseFrequency=".9" numOctaves="999999"/></filter>'
            b'<rect width="100" height="40" filter="url(#f)"/>',
            "limits",
        ),
    ],
)
async def test_a_hostile_or_useless_file_is_refused_with_its_reason(content, code):
    with pytest.raises(Problem) as refused:
        await read_logo(content)
    (error,) = refused.value.members["errors"]
    assert (error["field"], error["code"]) == ("logo", code)
    assert "/tmp" not in error["message"] and "/etc" not in error["message"]


async def test_even_noise_stays_below_the_limit():
    drawn = await read_logo(make_png_of(200, 60, os.urandom(200 * 60 * 4)))
    assert len(drawn) <= MAX_BYTES


def test_text_that_is_not_base64_is_refused():
    with pytest.raises(Problem):
        decode_logo("<svg>")

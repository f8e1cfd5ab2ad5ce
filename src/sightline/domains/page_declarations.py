"""Extracting what a page declares about itself: language, title, first heading, meta tags and JSON-LD. Pure.

A parser builds a tree, and a page of deeply nested tags takes it most of a minute. So a page is cut first, in one pass
whose cost grows with the length of the page, and only the cut tags are parsed. None of them nests.
"""

import re

JSON_LD = "application/ld+json"
MAX_TEXT_LENGTH = 4_096  # characters that are read of a title or a heading
_MAX_META_TAGS = 2_000
_MAX_TAG_LENGTH = 8_192
_MAX_BROKEN_TAGS = 200
_OPENING = re.compile(r"<(?:(!--)|([a-zA-Z][a-zA-Z0-9]*))")
_REST_OF_TAG = re.compile(r"""(?:[^>"']++|"[^"]*+"|'[^']*+')*+>""")
# Elements whose content is read or skipped as a whole. Within svg, a title is that of a drawing.
_CLOSING = {
    name: re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE)
    for name in ("title", "h1", "script", "style", "textarea", "svg")
}
_ONCE = frozenset({"title", "h1"})


def cut_declarations(html: str) -> str:
    """Return the tags of a page that declare something, as a short page of its own. Cutting it again changes nothing.

    A comment, script or style that never ends hides everything behind it, as in a browser.
    """
    pieces: list[str] = []
    done: set[str] = set()
    place, meta_tags, broken_tags = 0, 0, 0
    while (opening := _OPENING.search(html, place)) and meta_tags < _MAX_META_TAGS and broken_tags < _MAX_BROKEN_TAGS:
        if opening[1]:
            place = html.find("-->", opening.end())
            if place < 0:
                break
            continue
        name = opening[2].lower()
        rest = _REST_OF_TAG.match(html, opening.end(), opening.end() + _MAX_TAG_LENGTH)
        place = opening.end() if rest is None else rest.end()
        broken_tags += rest is None
        if rest is None or name in done:
            continue
        tag = html[opening.start() : place]
        if name in ("html", "meta"):
            pieces.append(tag)
            meta_tags += 1
        elif name in _CLOSING:
            closing = _CLOSING[name].search(html, place)
            if closing is None and name not in _ONCE:
                break
            end = len(html) if closing is None else closing.start()
            if name in _ONCE:
                done.add(name)
                pieces.append(f"{tag}{html[place : min(end, place + MAX_TEXT_LENGTH)]}</{name}>")
            elif name == "script" and JSON_LD in tag.lower():
                pieces.append(f"{tag}{html[place:end]}</{name}>")
            place = place if closing is None else end
    return "".join(pieces)

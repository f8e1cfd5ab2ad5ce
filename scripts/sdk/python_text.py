"""Pieces of Python source: docstrings and imports."""

import json
import keyword
import textwrap
from collections.abc import Iterable, Mapping

_WIDTH = 112
HEADER = '"""{title}\n\nGenerated from the operations of the server by `make sdk`: do not edit.\n"""\n\n'


def write_docstring(
    text: str, indent: str, arguments: Mapping[str, str] | None = None, *, one_block: bool = False
) -> str:
    """Return a docstring: the first sentence, the rest, and a section about the arguments."""
    text = " ".join(text.split())
    summary, rest = (text, "") if one_block else _split_sentence(text)
    blocks = [_wrap(summary, indent)]
    if rest:
        blocks.append(_wrap(rest, indent))
    if arguments:
        lines = [_wrap(f"{name}: {meaning}", f"{indent}    ", hanging="    ") for name, meaning in arguments.items()]
        blocks.append("\n".join([f"{indent}Args:", *lines]))
    content = "\n\n".join(blocks).lstrip()
    assert '"""' not in content and "\\" not in content
    closing = f"\n{indent}" if "\n" in content else ""
    return f'{indent}"""{content}{closing}"""\n'


def _split_sentence(text: str) -> tuple[str, str]:
    """Return the first sentence, and what follows it."""
    first, _, rest = text.partition(". ")
    return (first + ".", rest) if rest else (text, "")


def _wrap(text: str, indent: str, hanging: str = "") -> str:
    return textwrap.fill(
        text,
        _WIDTH,
        initial_indent=indent,
        subsequent_indent=indent + hanging,
        break_long_words=False,
        break_on_hyphens=False,
    )


def write_import(module: str, names: Iterable[str]) -> str:
    """Return an import of exactly these names, or nothing without names."""
    ordered = sorted(set(names), key=_import_order)
    return f"from {module} import {', '.join(ordered)}\n" if ordered else ""


def _import_order(name: str) -> tuple[int, str]:
    return (0 if name.isupper() else 1 if name[0].isupper() else 2, name)


def write_one_of(values: Iterable[str]) -> str:
    """Return the annotation of a value that is one of these, or one that a newer server has added."""
    return f"OneOf[Literal[{', '.join(json.dumps(value) for value in dict.fromkeys(values))}]]"


def to_identifier(name: str) -> str:
    return f"{name}_" if keyword.iskeyword(name) else name

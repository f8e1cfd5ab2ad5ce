"""Texts that an assistant can read: how figures are measured, and what the words mean. They are pages of the docs."""

from collections.abc import Callable
from importlib.resources import files

from mcp.server.mcpserver import MCPServer

_TEXTS = (
    (
        "methodology",
        "how-we-measure.md",
        "Methodology",
        "How answers are gathered and figures are measured and compared.",
    ),
    ("metrics", "metrics.md", "Metrics", "What each figure means, with an example and its formula."),
    ("glossary", "glossary.md", "Glossary", "The terms that Sightline uses."),
)


def add_resources(server: MCPServer[object]) -> None:
    for name, file, title, description in _TEXTS:
        add = server.resource(
            f"sightline://{name}", name=name, title=title, description=description, mime_type="text/markdown"
        )
        add(_build_reader(file))


def _build_reader(file: str) -> Callable[[], str]:
    def read() -> str:
        return (files("sightline.mcp") / "texts" / file).read_text(encoding="utf-8")

    return read

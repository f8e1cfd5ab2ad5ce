"""DataForSEO's LLM Scraper: the answers of ChatGPT and Gemini as people see them in the app.

Written from the vendor's pages about ChatGPT of 6 June 2026, those about its tasks of 7 April 2026 and, for Gemini, its
TypeScript client.
`docs/operate/platforms.md` says what could not be read.
"""

from functools import partial
from typing import Annotated
from urllib.parse import quote

import msgspec

from sightline.platforms.assemble import Sources, assemble_answer
from sightline.platforms.dataforseo_tasks import find_task, get_path, post_task, read_task, require_done
from sightline.platforms.faults import read_fault
from sightline.platforms.google import REDIRECT_HOSTS
from sightline.platforms.locations import location_code
from sightline.platforms.markdown_page import MarkdownPage
from sightline.platforms.models import (
    Connector,
    HttpReply,
    HttpRequest,
    PlatformConnection,
    PlatformFault,
    ProductCard,
    ProviderAnswer,
    Question,
    TaskMode,
    Usage,
)
from sightline.platforms.payload import ABSENT, PageLink, read, read_all

_LONGEST_PROMPT = 2000
_APPS = {"chatgpt": "chat_gpt", "gemini": "gemini"}
_MAX_CARDS = 50
_Price = Annotated[float, msgspec.Meta(ge=0, le=1e12)]


class _Result(msgspec.Struct):
    model: msgspec.Raw = ABSENT
    markdown: msgspec.Raw = ABSENT
    search_results: msgspec.Raw = ABSENT
    sources: msgspec.Raw = ABSENT
    fan_out_queries: msgspec.Raw = ABSENT
    items: msgspec.Raw = ABSENT


class _Item(msgspec.Struct):
    """A part of the answer: `chat_gpt_text`, `chat_gpt_table`, `chat_gpt_products`, `gemini_text` and so on."""

    type: str | None = None
    markdown: msgspec.Raw = ABSENT
    text: msgspec.Raw = ABSENT
    table: msgspec.Raw = ABSENT
    sources: msgspec.Raw = ABSENT
    items: msgspec.Raw = ABSENT


class _Table(msgspec.Struct):
    table_header: msgspec.Raw = ABSENT
    table_content: msgspec.Raw = ABSENT


class _Card(msgspec.Struct):
    title: str | None = None
    brand: msgspec.Raw = ABSENT
    price: msgspec.Raw = ABSENT
    currency: msgspec.Raw = ABSENT
    merchants: msgspec.Raw = ABSENT
    domain: msgspec.Raw = ABSENT
    url: msgspec.Raw = ABSENT


def request_app(question: Question, connection: PlatformConnection, *, platform: str) -> HttpRequest:
    """Build a request for an answer at once (live mode)."""
    return post_task(connection, f"{_path(platform)}/live/advanced", _build_task(question))


def post_question(question: Question, connection: PlatformConnection, tag: str, *, platform: str) -> HttpRequest:
    """Build a request that posts a question as a task, which costs less and is answered within minutes."""
    return post_task(connection, f"{_path(platform)}/task_post", _build_task(question) | {"tag": tag})


def fetch_answer(task_id: str, connection: PlatformConnection, *, platform: str) -> HttpRequest:
    return get_path(connection, f"{_path(platform)}/task_get/advanced/{quote(task_id, safe='')}")


def list_done(connection: PlatformConnection, *, platform: str) -> HttpRequest:
    return get_path(connection, f"{_path(platform)}/tasks_ready")


def _path(platform: str) -> str:
    return f"/v3/ai_optimization/{_APPS[platform]}/llm_scraper"


def _build_task(question: Question) -> dict[str, object]:
    """Return what is asked. It always needs a place and a language; the default is the United States, in English.

    Web search is not forced: the app decides, as it does for people. Raises "rejected" for prompts of more than 2,000
    characters, and for a country that the vendor does not know.
    """
    if len(question.prompt) > _LONGEST_PROMPT:
        raise PlatformFault("rejected", f"this provider accepts prompts of at most {_LONGEST_PROMPT} characters")
    return {
        # The vendor decodes the keyword as a part of an address.
        "keyword": question.prompt.replace("%", "%25").replace("+", "%2B"),
        "location_code": location_code(question.country or "US"),
        "language_code": question.language or "en",
    }


def parse_app(reply: HttpReply, question: Question, connection: PlatformConnection) -> ProviderAnswer:  # noqa: ARG001
    task = read_task(reply)
    results = read_all(task.results, _Result)
    if not results:
        raise PlatformFault("malformed", "the task has no result")
    result, sources = results[0], Sources()
    items = read_all(result.items, _Item)
    for each in (result.sources, *(item.sources for item in items)):
        for link in read_all(each, PageLink):
            sources.cite(link.url, read(link.title, str))
    for link in read_all(result.search_results, PageLink):
        sources.retrieve(link.url, read(link.title, str))
    cards = _read_cards(items)
    answer = assemble_answer(
        _write_text(read(result.markdown, str) or "", items, cards),
        sources,
        question,
        carries_country=True,
        queries=read_all(result.fan_out_queries, str),
        model=read(result.model, str),
        request_id=task.id,
        tool_version=task.version,
        usage=Usage(searches=1),
        cost_usd=task.cost_usd,
    )
    return msgspec.structs.replace(answer, products=cards)


def parse_task(reply: HttpReply, question: Question, connection: PlatformConnection) -> ProviderAnswer:
    """Return the answer of a task. Raises `AnswerLater` for one that was posted or is not done."""
    require_done(reply)
    return parse_app(reply, question, connection)


def _write_text(whole: str, items: tuple[_Item, ...], cards: tuple[ProductCard, ...]) -> str:
    """Return the whole markdown if there is one, else its parts, and then the product cards that it does not name.

    People see the cards with the text, so the brands on them are named.
    """
    page = MarkdownPage()
    if whole.strip():
        page.paragraph(whole)
    else:
        for item in items:
            written = read(item.markdown, str) or read(item.text, str) or ""
            if written.strip():
                page.paragraph(written)
            elif rows := _read_table(item):
                page.table(rows)
    shown = page.text
    for place, card in enumerate(each for each in cards if each.name not in shown):
        brand = "" if card.brand is None or card.brand in card.name else f"{card.brand} "
        price = " ".join(part for part in (card.price, card.currency) if part)
        about = ", ".join(part for part in (price, card.seller) if part)
        page.item(f"**{brand}{card.name}**{f' ({about})' if about else ''}", indent=0, first=place == 0)
    return page.text


def _read_table(item: _Item) -> list[list[str]]:
    table = read(item.table, _Table)
    if table is None:
        return []
    rows = [
        read_all(table.table_header, str),
        *(read_all(row, str) for row in read_all(table.table_content, msgspec.Raw)),
    ]
    return [list(row) for row in rows if row]


def _read_cards(items: tuple[_Item, ...]) -> tuple[ProductCard, ...]:
    """Return the product cards of the answer, in their order. One without a name is left out."""
    cards = [card for item in items if item.type == "chat_gpt_products" for card in read_all(item.items, _Card)]
    named = [(card, title) for card in cards[:_MAX_CARDS] if card.title and (title := _clean(card.title))]
    return tuple(
        ProductCard(
            name=title,
            brand=_read_name(card.brand),
            price=None if (price := read(card.price, _Price)) is None else f"{price:g}",
            currency=_read_name(card.currency),
            seller=_read_name(card.merchants) or _read_name(card.domain),
            url=read(card.url, str),
            place=place,
        )
        for place, (card, title) in enumerate(named, 1)
    )


def _read_name(raw: msgspec.Raw) -> str | None:
    return _clean(read(raw, str) or "") or None


def _clean(text: str) -> str:
    return " ".join("".join(each if each.isprintable() else " " for each in text).split())[:200]


def _connector(platform: str) -> Connector:
    return Connector(
        platform=platform,
        vendor="dataforseo",
        surface="app",
        request=partial(request_app, platform=platform),
        parse=parse_app,
        redirect_hosts=REDIRECT_HOSTS if platform == "gemini" else frozenset(),
        fault=read_fault,
        tasks=TaskMode(
            post=partial(post_question, platform=platform),
            fetch=partial(fetch_answer, platform=platform),
            parse=parse_task,
            list_done=partial(list_done, platform=platform),
            find_tag=find_task,
        ),
    )


CONNECTORS = tuple(map(_connector, _APPS))

"""DataForSEO: the second vendor for several platforms, and the only one for search volumes.

Volumes are estimated from what people ask search engines, not from chat logs. Wherever they are shown, this is stated.
"""

from collections.abc import Sequence
from functools import partial

import msgspec

from sightline.platforms.assemble import Sources, assemble_answer, build_no_surface
from sightline.platforms.dataforseo_tasks import DataForSeoTask, post_task, read_task
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
    ProviderAnswer,
    Question,
    Span,
    Usage,
)
from sightline.platforms.payload import ABSENT, Count, PageLink, read, read_all
from sightline.platforms.responses import Annotation, cite_annotation
from sightline.platforms.wire import require_model

MOST_KEYWORDS = 1000
_LONGEST_PROMPT = 500
_DEEPEST = 4
_MODELS = {"chatgpt": "chat_gpt", "claude": "claude", "gemini": "gemini", "perplexity": "perplexity"}
# Gemini's own search takes no country, so the vendor has no field for it either.
_TAKE_COUNTRY = frozenset({"chatgpt", "claude", "perplexity"})
_SEARCHES = {"google_ai_overviews": "organic", "google_ai_mode": "ai_mode"}


class Month(msgspec.Struct, frozen=True):
    year: int
    month: int
    volume: int


class Volume(msgspec.Struct, frozen=True):
    """How often a keyword is asked per month, as the vendor estimates. None without an estimate."""

    keyword: str
    volume: int | None
    months: tuple[Month, ...] = ()


class _Result(msgspec.Struct):
    model_name: msgspec.Raw = ABSENT
    input_tokens: msgspec.Raw = ABSENT
    output_tokens: msgspec.Raw = ABSENT
    fan_out_queries: msgspec.Raw = ABSENT
    items: msgspec.Raw = ABSENT


class _Item(msgspec.Struct):
    """An item of a result: of a model's response, of a search page, or an element of an overview."""

    type: str | None = None
    sections: msgspec.Raw = ABSENT
    title: msgspec.Raw = ABSENT
    text: msgspec.Raw = ABSENT
    markdown: msgspec.Raw = ABSENT
    items: msgspec.Raw = ABSENT
    components: msgspec.Raw = ABSENT
    references: msgspec.Raw = ABSENT
    links: msgspec.Raw = ABSENT


class _Section(msgspec.Struct):
    text: str | None = None
    annotations: msgspec.Raw = ABSENT


class _Annotation(Annotation):
    direct_url: str | None = None


class _Keyword(msgspec.Struct):
    keyword: str
    ai_search_volume: msgspec.Raw = ABSENT
    ai_monthly_searches: msgspec.Raw = ABSENT


class _Month(msgspec.Struct):
    year: int
    month: int
    ai_search_volume: Count


def request_response(question: Question, connection: PlatformConnection, *, platform: str) -> HttpRequest:
    """Build a request to a model.

    Raises "rejected" if no model is set, and for prompts of more than 500 characters, which the vendor refuses.
    """
    if len(question.prompt) > _LONGEST_PROMPT:
        raise PlatformFault("rejected", f"this provider accepts prompts of at most {_LONGEST_PROMPT} characters")
    task: dict[str, object] = {"user_prompt": question.prompt, "model_name": require_model(connection)}
    if platform != "perplexity":  # it always searches, and the vendor refuses the field
        task["web_search"] = True
    if question.country and platform in _TAKE_COUNTRY:
        task["web_search_country_iso_code"] = question.country
    return post_task(connection, f"/v3/ai_optimization/{_MODELS[platform]}/llm_responses/live", task)


def parse_response(
    reply: HttpReply, question: Question, connection: PlatformConnection, *, platform: str
) -> ProviderAnswer:
    task = read_task(reply)
    result = _first_result(task)
    text, sources = "", Sources()
    for item in read_all(result.items, _Item):
        if item.type not in {None, "message"}:
            continue
        for section in read_all(item.sections, _Section):
            text += "\n\n" if text and section.text else ""
            for annotation in read_all(section.annotations, _Annotation):
                annotation.url = annotation.direct_url or annotation.url
                cite_annotation(annotation, sources, offset=len(text))
            text += section.text or ""
    return assemble_answer(
        text,
        sources,
        question,
        carries_country=platform in _TAKE_COUNTRY,
        queries=read_all(result.fan_out_queries, str),
        model=read(result.model_name, str) or connection.model,
        request_id=task.id,
        tool_version=task.version,
        usage=Usage(read(result.input_tokens, Count), read(result.output_tokens, Count)),
        cost_usd=task.cost_usd,
    )


def request_search(question: Question, connection: PlatformConnection, *, platform: str) -> HttpRequest:
    """Build a search. It always needs a place and a language; the default is the United States."""
    task: dict[str, object] = {
        "keyword": question.prompt,
        "location_code": location_code(question.country or "US"),
        "language_code": question.language or "en",
    }
    if platform == "google_ai_overviews":
        task |= {"load_async_ai_overview": True, "depth": 10}
    return post_task(connection, f"/v3/serp/google/{_SEARCHES[platform]}/live/advanced", task)


def parse_search(reply: HttpReply, question: Question, connection: PlatformConnection) -> ProviderAnswer:  # noqa: ARG001
    task = read_task(reply)
    items = read_all(_first_result(task).items, _Item) if task.found else ()
    overview = next((item for item in items if item.type == "ai_overview"), None)
    if overview is None:
        return build_no_surface(
            question, carries_country=True, request_id=task.id, tool_version=task.version, cost_usd=task.cost_usd
        )
    text, sources = _read_overview(overview)
    return assemble_answer(
        text,
        sources,
        question,
        carries_country=True,
        request_id=task.id,
        tool_version=task.version,
        usage=Usage(searches=1),
        cost_usd=task.cost_usd,
    )


def volumes_request(
    keywords: Sequence[str], country: str, language: str, connection: PlatformConnection
) -> HttpRequest:
    """Build a request for volumes. Raises `ValueError` for no keyword and for more than 1000."""
    if not 0 < len(keywords) <= MOST_KEYWORDS:
        raise ValueError(f"between 1 and {MOST_KEYWORDS} keywords can be asked for at once, not {len(keywords)}")
    task = {"keywords": list(keywords), "location_code": location_code(country), "language_code": language}
    return post_task(connection, "/v3/ai_optimization/ai_keyword_data/keywords_search_volume/live", task)


def parse_volumes(reply: HttpReply) -> tuple[Volume, ...]:
    """Return the volumes. Raises `PlatformFault` if there are none. Unknown keywords are missing from the result."""
    task = read_task(reply)
    if not task.found:
        return ()
    return tuple(
        Volume(
            each.keyword,
            read(each.ai_search_volume, Count),
            tuple(
                Month(month.year, month.month, month.ai_search_volume)
                for month in read_all(each.ai_monthly_searches, _Month)
            ),
        )
        for each in read_all(_first_result(task).items, _Keyword)
    )


def _first_result(task: DataForSeoTask) -> _Result:
    results = read_all(task.results, _Result)
    if not results:
        raise PlatformFault("malformed", "the task has no result")
    return results[0]


def _read_overview(overview: _Item) -> tuple[str, Sources]:
    """Return the whole markdown if there is one, else its elements. Each element is cited for its own part."""
    page, sources = MarkdownPage(), Sources()
    elements = _flatten(overview.items, depth=0)
    whole = read(overview.markdown, str) or ""
    at = 0
    for element in elements:
        title = read(element.title, str) or ""
        written = read(element.markdown, str) or "\n\n".join(filter(None, (title, read(element.text, str))))
        if whole.strip():
            found = whole.find(written.strip(), at) if written.strip() else -1
            span = Span(found, found + len(written.strip())) if found >= 0 else None
            at = span.end if span else at
        else:
            span = page.paragraph(written) if written.strip() else None
        for source in (*read_all(element.references, PageLink), *read_all(element.links, PageLink)):
            sources.cite(source.url, read(source.title, str), span)
    referred = sources.cites_any()
    for source in read_all(overview.references, PageLink):
        (sources.retrieve if referred else sources.cite)(source.url, read(source.title, str))
    return whole if whole.strip() else page.text, sources


def _flatten(raw: msgspec.Raw, *, depth: int) -> tuple[_Item, ...]:
    if depth > _DEEPEST:
        return ()
    return tuple(
        each
        for item in read_all(raw, _Item)
        for each in (item, *_flatten(item.components, depth=depth + 1), *_flatten(item.items, depth=depth + 1))
    )


def _response_connector(platform: str) -> Connector:
    return Connector(
        platform=platform,
        vendor="dataforseo",
        surface="api",
        request=partial(request_response, platform=platform),
        parse=partial(parse_response, platform=platform),
        redirect_hosts=REDIRECT_HOSTS if platform == "gemini" else frozenset(),
        fault=read_fault,
    )


def _search_connector(platform: str) -> Connector:
    return Connector(
        platform=platform,
        vendor="dataforseo",
        surface="serp",
        request=partial(request_search, platform=platform),
        parse=parse_search,
        fault=read_fault,
    )


CONNECTORS = (*map(_search_connector, _SEARCHES), *map(_response_connector, _MODELS))

"""Every page of the documentation as Markdown, for assistants and scripts, and the list of pages for them."""

from collections.abc import Iterable

from sightline.tables.catalog import TABLES
from sightline.web.pages.docs.api_outline import COLUMNS_ADDRESS, EVENTS_ADDRESS, EventDoc, OperationDoc, OperationGroup
from sightline.web.pages.docs.api_reference import list_columns, list_problems, read_events, read_groups
from sightline.web.pages.docs.contents import list_pages, read_contents
from sightline.web.pages.docs.schema_fields import FieldDoc

_SUMMARY = (
    "Sightline measures how a brand appears in the answers of AI platforms. Every page is Markdown at these addresses."
)


def write_markdown(base_url: str, address: str) -> str | None:
    """Return a page as Markdown, or None if there is no such page."""
    if address in list_pages():
        return list_pages()[address].read_text()
    groups = read_groups(base_url)
    if address == "/docs/api":
        return "\n".join(["# API reference\n", *_list_resources(base_url), f"\nOpenAPI: {base_url}/api/openapi.json\n"])
    if address == EVENTS_ADDRESS:
        return "\n\n".join(["# Webhook events", *map(_write_event, read_events(base_url))]) + "\n"
    if address == COLUMNS_ADDRESS:
        return _write_columns()
    if address == "/docs/errors":
        return _write_errors(base_url)
    return _write_group(groups[address]) if address in groups else None


def write_page_list(base_url: str) -> str:
    """Return `llms.txt` (https://llmstxt.org): every page with its address and what it is about."""
    lines = ["# Sightline", f"\n> {_SUMMARY}"]
    for section in read_contents():
        lines.append(f"\n## {section.title}\n")
        lines += [f"- [{page.title}]({base_url}{page.address}.md): {page.summary}" for page in section.pages]
    lines += ["\n## API reference\n", *_list_resources(base_url)]
    lines += [f"- [Errors]({base_url}/docs/errors.md): every code, its cause and its fix"]
    return "\n".join(lines) + "\n"


def _list_resources(base_url: str) -> list[str]:
    groups = [
        f"- [{group.api}: {group.name}]({base_url}{group.address}.md): {group.description}"
        for group in read_groups(base_url).values()
    ]
    return [
        *groups,
        f"- [Webhook events]({base_url}{EVENTS_ADDRESS}.md): what webhooks receive",
        f"- [Columns of the export tables]({base_url}{COLUMNS_ADDRESS}.md): every column of every table",
    ]


def _write_group(group: OperationGroup) -> str:
    title = [f"# {group.api} API: {group.name}", group.description]
    return "\n\n".join([*title, *map(_write_operation, group.operations)]) + "\n"


def _write_operation(operation: OperationDoc) -> str:
    needs = [operation.access, *([f"role {operation.role}"] if operation.role else [])]
    needs += [f"scope `{operation.scope}`"] if operation.scope else []
    response, errors = (
        operation.response,
        ", ".join(f"{code} ({status})" for status, codes in operation.problems.items() for code in codes),
    )
    parts = [
        f"## {operation.summary}",
        f"`{operation.method} {operation.path}`: {', '.join(needs)}",
        operation.description,
    ]
    parts += _write_fields("Parameters", operation.parameters) + _write_fields("Body", operation.body)
    parts += [_fence("sh", operation.command), f"Response {response.status}: `{response.resource}`"]
    parts += _write_fields("Fields", response.fields)
    return "\n\n".join([*parts, _fence("json", response.example), f"Errors: {errors}"])


def _write_event(event: EventDoc) -> str:
    return "\n\n".join(
        [f"## {event.type}", event.description, *_write_fields("Fields", event.fields), _fence("json", event.example)]
    )


def _write_columns() -> str:
    parts = ["# Columns of the export tables"]
    for name, columns in list_columns().items():
        parts += [f"## {name}", TABLES[name].meaning, *_write_fields("Columns", columns)]
    return "\n\n".join(parts) + "\n"


def _write_errors(base_url: str) -> str:
    parts = ["# Errors"]
    for status, entries in list_problems(base_url)["statuses"]:
        for code, kind in entries:
            parts += [f"## {code}", f"{status.value}: {kind.title}. Cause: {kind.cause} Fix: {kind.fix}"]
    return "\n\n".join(parts) + "\n"


def _write_fields(title: str, fields: Iterable[FieldDoc]) -> list[str]:
    rows = [
        f"- `{field.name}` ({field.type}{', required' if field.required else ''}): {field.description}"
        for field in fields
    ]
    return [f"{title}:", "\n".join(rows)] if rows else []


def _fence(language: str, text: str) -> str:
    return f"```{language}\n{text}\n```"

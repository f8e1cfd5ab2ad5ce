"""Finding a form in the HTML of a page and filling it in, as somebody typed it. Nothing is sent."""

from collections.abc import Mapping, Sequence

from selectolax.lexbor import LexborHTMLParser, LexborNode

_NOT_FILLED = frozenset({"hidden", "password", "file", "submit", "button", "reset", "image"})
SentFields = Mapping[str, Sequence[str]]


def find_form(page: LexborHTMLParser, action: str, fields: SentFields) -> LexborNode | None:
    """Return the form that is sent to this path, or else the one with most of its fields: the first step of several.

    Of several forms with the same path, the one with most of the fields is meant.
    """
    offered = [each for each in page.css("main form") if (each.attrs.get("method") or "").lower() == "post"]
    exact = [each for each in offered if action in _list_actions(each)]
    counts = [len(fields.keys() & {_name(each) for each in form.css("[name]")}) for form in exact]
    if exact:
        return exact[counts.index(max(counts))]
    counts = [len(fields.keys() & {_name(control) for control in list_controls(form)}) for form in offered]
    return offered[counts.index(max(counts))] if any(counts) else None


def _list_actions(form: LexborNode) -> set[str]:
    """Return the paths to which the buttons of a form send it."""
    targets = [form.attrs.get("action"), *(button.attrs.get("formaction") for button in form.css("[formaction]"))]
    return {(target or "").partition("#")[0].partition("?")[0] for target in targets}


def list_controls(element: LexborNode) -> list[LexborNode]:
    """Return the controls that a person fills in and that may be filled in again: no passwords, no files."""
    return [each for each in element.css("input, textarea, select") if _kind(each) not in _NOT_FILLED]


def fill_form(element: LexborNode, fields: SentFields) -> None:
    """Fill the controls in, and open what a text is folded away in."""
    left = {name: list(values) for name, values in fields.items()}
    for control in list_controls(element):
        _fill_control(control, left.get(_name(control)))


def reveal(node: LexborNode | None) -> None:
    """Open everything that the node is folded away in."""
    while node is not None:
        if node.tag == "details":
            node.attrs["open"] = ""
        node = node.parent


def _name(control: LexborNode) -> str:
    return control.attrs.get("name") or ""


def _kind(control: LexborNode) -> str:
    return (control.attrs.get("type") or "text").lower() if control.tag == "input" else control.tag or ""


def _fill_control(control: LexborNode, values: list[str] | None) -> None:
    """Fill one control in. Boxes that were not sent are not ticked; of a repeated field each gets the next value."""
    kind = _kind(control)
    if kind in {"checkbox", "radio"}:
        _mark(control, "checked", chosen=(control.attrs.get("value") or "on") in (values or ()))
    elif kind == "select":
        for option in control.css("option"):
            value = option.attrs.get("value")
            _mark(option, "selected", chosen=(option.text() if value is None else value) in (values or ()))
    elif values:
        text = values.pop(0)
        if kind == "textarea":
            for child in list(control.iter(include_text=True)):
                child.remove()
            control.insert_child(f"\n{text}" if text.startswith("\n") else text)
        else:
            control.attrs["value"] = text
        if text.strip():
            reveal(control)


def _mark(node: LexborNode, name: str, *, chosen: bool) -> None:
    if chosen:
        node.attrs[name] = ""
    elif name in node.attrs:
        del node.attrs[name]

"""Forms that come back to their sender because they were refused.

They are filled into the page that has them, as they were typed. The page says next to each field what is wrong with it,
links to these fields at its top, and puts the cursor into the first of them. This happens in the finished HTML, so it
holds for every form, and without a script.
"""

import weakref
from collections.abc import Mapping, Sequence
from contextvars import ContextVar

import msgspec
from markupsafe import Markup, escape
from selectolax.lexbor import LexborHTMLParser, LexborNode

from sightline.errors import Problem
from sightline.presentation.language import gettext, translatable
from sightline.web.fault_texts import list_field_faults
from sightline.web.form_parsing import FormFields

_CORRECT = translatable("<strong>Nothing was changed.</strong> Correct %(links)s.")
_CONTROLS = frozenset({"input", "textarea", "select"})
_REFUSED = 400  # the lowest status of a refusal
_NOT_FILLED = frozenset({"hidden", "password", "file", "submit", "button", "reset", "image"})
SentFields = Mapping[str, Sequence[str]]


class SentForm(msgspec.Struct, weakref=True):
    """The form of the request that is being answered. Only the request keeps it: it may contain a password."""

    action: str
    fields: SentFields


_sent: ContextVar[weakref.ref[SentForm] | None] = ContextVar("sent form", default=None)


def note_sent_form(form: SentForm | None) -> None:
    """Return this form if it is refused, for as long as the request keeps it; None for a request without one."""
    _sent.set(None if form is None else weakref.ref(form))


def replace_sent_form(fields: SentFields, *, action: str | None = None) -> None:
    """Return other values instead of some that were sent, or another form than the one that was sent."""
    if (sent := _find_sent_form()) is None:
        return
    sent.fields = {**sent.fields, **fields} if action is None else fields
    sent.action = action or sent.action


def _find_sent_form() -> SentForm | None:
    kept = _sent.get()
    return None if kept is None else kept()


def list_fields(form: FormFields) -> dict[str, list[str]]:
    """Return the values of each text field, without files."""
    fields: dict[str, list[str]] = {}
    for name, value in form.multi_items():
        if isinstance(value, str):
            fields.setdefault(name, []).append(value)
    return fields


def return_forms(html: str, *, status: int, problem: Problem | None) -> str:
    """Return the page with the refused form filled in, or as it is if there is none."""
    sent = _find_sent_form()
    if sent is not None and status >= _REFUSED:
        return _fill_refused(html, sent, problem)
    return html


def _fill_refused(html: str, sent: SentForm, problem: Problem | None) -> str:
    page = LexborHTMLParser(html)
    form = find_form(page, sent.action, sent.fields)
    if form is None:
        return html
    fill_form(form, sent.fields)
    _mark_faults(page, form, list_field_faults(problem, sent.fields))
    return page.html or html


def _mark_faults(page: LexborHTMLParser, form: LexborNode, faults: dict[str, list[str]]) -> None:
    """Move the faults of this form's fields from the top of the page to the fields."""
    links: list[Markup] = []
    for name, sentences in faults.items():
        group, control = _find_field(form, name)
        if control is None:
            continue
        reveal(control)
        control_id = _describe_control(group, control, name, sentences)
        if not links:
            control.attrs["autofocus"] = ""
        links.append(Markup('<a href="#{}">{}</a>').format(control_id, _find_label(page, group, control)))
        for said in page.css(f'[data-fault-of="{name}"]'):
            said.decompose()
    banner = page.css_first("[data-refused]")
    if links and banner is not None:
        text = Markup(gettext(_CORRECT, links=Markup(", ").join(links)))  # noqa: S704 - escaped in the links
        _insert_first(banner, Markup("<p>{}</p>").format(text))


def _find_field(form: LexborNode, name: str) -> tuple[LexborNode | None, LexborNode | None]:
    """Return the group and the control of a field: by its name or, in a list of objects, by that of the list.

    What has another name than the field has the field in `data-faults`. A single control has no group.
    """
    for wanted in dict.fromkeys((name, name.partition(".")[0], name.rpartition(".")[2])):
        found = form.css_first(f'[data-faults~="{wanted}"]') or form.css_first(
            f'[name="{wanted}"]:not([type="hidden"])'
        )
        if found is None:
            continue
        if found.tag not in _CONTROLS:
            return found, found.css_first("input:not([disabled]):not([type='hidden']), button")
        return _find_fieldset(found), found
    return None, None


def _find_fieldset(control: LexborNode) -> LexborNode | None:
    """Return the group of a box to tick; None for other controls."""
    if control.attrs.get("type") not in {"checkbox", "radio"}:
        return None
    parent = control.parent
    while parent is not None and parent.tag != "fieldset":
        parent = parent.parent
    return parent


def _describe_control(group: LexborNode | None, control: LexborNode, name: str, sentences: Sequence[str]) -> str:
    """Say next to a control, or at the top of its group, what is wrong with it, and return its id."""
    if not control.attrs.get("id"):
        control.attrs["id"] = f"field-{name.replace('.', '-')}"
    control_id = str(control.attrs["id"])
    said = Markup("<br>").join(escape(each) for each in sentences)
    fault = Markup('<span class="fault" id="{}-fault">{}</span>').format(control_id, said)
    if control.tag != "button":
        control.attrs["aria-invalid"] = "true"
    control.attrs["aria-describedby"] = " ".join(
        filter(None, (f"{control_id}-fault", control.attrs.get("aria-describedby")))
    )
    legend = None if group is None else group.css_first("legend")
    if group is None or legend is not None:
        (legend or control).insert_after(_parse(fault))
    else:
        _insert_first(group, fault)
    return control_id


def _find_label(page: LexborHTMLParser, group: LexborNode | None, control: LexborNode) -> str:
    own = f'label[for="{control.attrs["id"]}"]'
    label = page.css_first(own) if group is None else group.css_first("legend")
    if label is not None:
        return " ".join(label.text().split())
    return (group or control).attrs.get("aria-label") or str(control.attrs["id"])


def _insert_first(parent: LexborNode, html: str) -> None:
    node, first = _parse(html), parent.first_child
    parent.insert_child(node) if first is None else first.insert_before(node)


def _parse(html: str) -> LexborNode:
    body = LexborHTMLParser(html).body
    assert body is not None and body.first_child is not None
    return body.first_child


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

"""Filling a kept form into the page that has it: nothing is sent, the person looks and sends it again."""

from contextvars import ContextVar

from markupsafe import escape
from selectolax.lexbor import LexborHTMLParser, LexborNode

from sightline.accounts.kept_forms.models import KeptForm
from sightline.presentation.language import gettext, translatable

RESTORE = "restore"
"""The query parameter of a page that is to be filled in."""
_NOTICE = translatable("You were signed out, and nothing was saved. Check your form and send it again.")
_NOT_FILLED = frozenset({"hidden", "password", "file", "submit", "button", "reset", "image"})
_form: ContextVar[KeptForm | None] = ContextVar("kept form", default=None)


def fill_next_page(form: KeptForm | None) -> None:
    """Fill this form into the page about to be rendered, if that page has it."""
    _form.set(form)


def fill_in(html: str) -> str:
    """Return the page with the kept form filled in and a notice, or as it is if there is none."""
    form = _form.get()
    if form is None:
        return html
    page = LexborHTMLParser(html)
    found = _find_form(page, form)
    if found is not None:
        _fill_form(found, form)
    main = page.css_first("main")
    if main is not None:
        notice = LexborHTMLParser(f'<p class="strip" role="status">{escape(gettext(_NOTICE))}</p>').css_first("p")
        assert notice is not None
        main.insert_child(notice) if main.first_child is None else main.first_child.insert_before(notice)
    return page.html or html


def _find_form(page: LexborHTMLParser, form: KeptForm) -> LexborNode | None:
    """Return the form with the same action, or else the one with most of its fields: the first step of several."""
    offered = [each for each in page.css("main form") if (each.attrs.get("method") or "").lower() == "post"]
    for each in offered:
        targets = [each.attrs.get("action"), *(button.attrs.get("formaction") for button in each.css("[formaction]"))]
        if form.action in {(target or "").partition("?")[0] for target in targets}:
            return each
    counts = [len(form.fields.keys() & {_name(control) for control in _list_controls(each)}) for each in offered]
    return offered[counts.index(max(counts))] if any(counts) else None


def _list_controls(element: LexborNode) -> list[LexborNode]:
    """Return the controls that a person fills in."""
    return [each for each in element.css("input, textarea, select") if _kind(each) not in _NOT_FILLED]


def _name(control: LexborNode) -> str:
    return control.attrs.get("name") or ""


def _kind(control: LexborNode) -> str:
    return (control.attrs.get("type") or "text").lower() if control.tag == "input" else control.tag or ""


def _fill_form(element: LexborNode, form: KeptForm) -> None:
    """Fill the controls in and reveal them where they are folded away."""
    left = {name: list(values) for name, values in form.fields.items()}
    for control in _list_controls(element):
        _fill_control(control, left.get(_name(control)))
    parent: LexborNode | None = element
    while parent is not None:
        if parent.tag == "details":
            parent.attrs["open"] = ""
        parent = parent.parent


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


def _mark(node: LexborNode, name: str, *, chosen: bool) -> None:
    if chosen:
        node.attrs[name] = ""
    elif name in node.attrs:
        del node.attrs[name]

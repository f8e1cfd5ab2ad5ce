"""What Slack shows of an event, and what its refusals mean. Pure.

Names and findings come from people and platforms. They are escaped, and `verbatim` keeps Slack from reading mentions or
links into them, so that no brand can notify a channel.
"""

import uuid
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from sightline.accounts.page_paths import domain_path, workspace_path
from sightline.presentation.language import gettext, translatable

_MAX_TEXT = 2_900  # Slack refuses a text of more than 3,000 characters
_MAX_FINDINGS = 3

REFUSALS: Mapping[str, str] = {
    "action_prohibited": translatable(
        "Slack refused the message: the Slack workspace does not let this webhook post. Ask one of its admins."
    ),
    "channel_is_archived": translatable(
        "The channel is archived in Slack. Unarchive it, or create a webhook for another channel."
    ),
    "channel_not_found": translatable("The channel no longer exists in Slack. Create a webhook for another channel."),
    "invalid_payload": translatable("Slack could not read the message. Please report this as a bug of Sightline."),
    "invalid_token": translatable("Slack does not know this address. Copy it again from your Slack app."),
    "no_active_hooks": translatable("The webhook is disabled in Slack. Create a new one in your Slack app."),
    "no_service": translatable("The webhook was removed or disabled in Slack. Create a new one in your Slack app."),
    "no_team": translatable("The Slack workspace no longer exists, or this address is incomplete."),
    "posting_to_general_channel_denied": translatable(
        "Slack refused the message: not everybody may post to this channel. Ask an admin of the Slack workspace."
    ),
    "rate_limited": translatable("Slack receives too many messages for this channel at the moment."),
    "team_disabled": translatable("The Slack workspace is disabled."),
}
"""Sentences about the short texts with which Slack refuses a message."""


def explain_refusal(body: bytes) -> str | None:
    """Return the English sentence about a refusal of Slack, or None if the text is not known."""
    return REFUSALS.get(body[:100].decode(errors="replace").strip())


class _Told(msgspec.Struct):
    tier: str = "rest"
    text: str = ""


class _EventData(msgspec.Struct):
    """What messages show of the data of any event."""

    workspace_id: uuid.UUID
    domain_id: uuid.UUID | None = None
    id: uuid.UUID | None = None
    domain: str = ""
    brand_name: str = ""
    answers_source: str = "live"
    headline: str = ""
    findings: list[_Told] = []
    summary: str = ""
    title: str = ""


class _Event(msgspec.Struct):
    type: str
    data: _EventData


class _Message(msgspec.Struct):
    """A message: a bold title, paragraphs, and a link to a page of the installation."""

    title: str
    paragraphs: list[str]
    link: str
    path: str


_decode = msgspec.json.Decoder(_Event).decode


def build_message(body: bytes, base_url: str) -> bytes:
    """Return the request body for Slack about an event. `base_url` is the public address of the installation."""
    event = _decode(body)
    message = _WRITERS[event.type](event.data)
    shown = [each for each in message.paragraphs if each]
    link = f"<{base_url}{message.path}|{escape(message.link)}>"
    blocks = [_section(f"*{_fit(message.title)}*"), *(_section(_fit(each)) for each in shown), _section(link)]
    notice = _fit(" · ".join([message.title, *shown[:1]]))
    sent: dict[str, Any] = {"text": notice, "blocks": blocks, "unfurl_links": False, "unfurl_media": False}
    return msgspec.json.encode(sent)


def escape(text: str) -> str:
    """Escape the three characters with which mentions, links and entities begin in Slack."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _fit(text: str) -> str:
    """Return the escaped text, shortened where Slack would refuse it."""
    while len(escape(text)) > _MAX_TEXT:
        text = f"{text[: len(text) * 3 // 4]}…"
    return escape(text)


def _section(text: str) -> dict[str, Any]:
    return {"type": "section", "text": {"type": "mrkdwn", "text": text, "verbatim": True}}


def _write_check(data: _EventData) -> _Message:
    assert data.domain_id is not None
    clear = [each.text for each in data.findings if each.tier == "clear" and each.text != data.headline]
    sandbox = gettext("Sandbox: these answers are made up.") if data.answers_source == "sandbox" else ""
    return _Message(
        title=f"{data.brand_name} ({data.domain})" if data.domain else data.brand_name,
        paragraphs=[data.headline, "\n".join(f"• {each}" for each in clear[:_MAX_FINDINGS]), sandbox],
        link=gettext("Open the check"),
        path=domain_path(data.workspace_id, data.domain_id),
    )


def _write_alert(data: _EventData) -> _Message:
    assert data.domain_id is not None
    return _Message(
        title=gettext("Confirmed change"),
        paragraphs=[data.summary],
        link=gettext("Open the alerts"),
        path=domain_path(data.workspace_id, data.domain_id, "alerts"),
    )


def _write_report(data: _EventData) -> _Message:
    assert data.domain_id is not None
    return _Message(
        title=data.title,
        paragraphs=[data.summary],
        link=gettext("Open the report"),
        path=domain_path(data.workspace_id, data.domain_id, "reports", str(data.id)),
    )


def _write_test(data: _EventData) -> _Message:
    return _Message(
        title=gettext("Sightline can post here"),
        paragraphs=[gettext("This is a test message. Real messages take the same path.")],
        link=gettext("Change what is sent"),
        path=workspace_path(data.workspace_id, "slack"),
    )


_WRITERS: Mapping[str, Callable[[_EventData], _Message]] = {
    "check.completed": _write_check,
    "alert.raised": _write_alert,
    "report.ready": _write_report,
    "webhook.test": _write_test,
}

"""The filter of a list of answers, as query parameters. Pages, links to answers and the Data API share it. Pure."""

import re
from collections.abc import Mapping
from datetime import date
from typing import get_args
from urllib.parse import quote_plus

import msgspec

from sightline.errors import FaultCollector, invalid_field
from sightline.kit.ids import parse_id
from sightline.platforms.models import FaultKind

MAX_LENGTH = 200
CHOICES: Mapping[str, tuple[str, ...]] = {
    "checks": ("all",),
    "sandbox": ("yes",),
    "brand": ("named", "absent"),
    "order": ("ahead", "behind"),
    "rivals": ("named",),
    "cited": ("yes",),
    "sources": ("yes",),
    "sentiment": ("positive", "neutral", "negative", "scored", "unscored"),
    "unscored": ("language", "doubt", "no_opinion"),
    "stance": ("neutral", "contrast", "discouraged", "unknown"),
    "change": ("gained", "lost"),
    "change_of": ("competitor", "site"),
    "sites": ("new", "lost"),
    "counted": ("headline", "board"),
    "status": ("failed", "no_surface", "not_failed", "any"),
    "fault": get_args(FaultKind),
}
EVIDENCE_KINDS = ("alert", "theme", "opportunity", "recommendation", "suggestion", "report")
_PLAIN = re.compile(r"[A-Za-z0-9_.~-]*")
_IDS = ("check", "against", "prompt")
_DAYS = ("since", "until")
_YEARS = range(2000, 3000)  # so that a period before or after a day is still in the calendar


def _quote(value: str) -> str:
    """Encode a value for an address. A long page has a thousand filters, and most of their values need no encoding."""
    return value if _PLAIN.fullmatch(value) else quote_plus(value)


class AddressFilter(msgspec.Struct, frozen=True):
    """A filter whose fields are the parameters of an address. An empty field does not filter."""

    def to_query(self, **changes: str) -> str:
        """Return the query string, with some changes. It is empty if nothing is filtered."""
        values = {**msgspec.structs.asdict(self), **changes}
        fields = [f"{name}={_quote(value)}" for name, value in values.items() if value]
        return f"?{'&'.join(fields)}" if fields else ""

    @property
    def values(self) -> dict[str, str]:
        """Return the fields that are set."""
        return {name: value for name, value in msgspec.structs.asdict(self).items() if value}


class AnswerFilter(AddressFilter, frozen=True, kw_only=True, omit_defaults=True):
    """Which answers a list shows. An empty field does not filter.

    Without `check`, `checks`, `sandbox`, `since`, `until` and `evidence` these are the latest answers: the latest
    known answer of each cell.
    """

    check: str = ""
    """All answers of one check."""
    against: str = ""
    """Only cells with a valid answer in this check, too. `change` then compares with it."""
    checks: str = ""
    """`all`: the answers of all checks."""
    sandbox: str = ""
    """`yes`: the answers of all sandbox checks, which are made up and otherwise hidden after the sandbox."""
    since: str = ""
    until: str = ""
    """The last day. Both are days in UTC on which checks were completed."""
    platform: str = ""
    country: str = ""
    """A code, or `global`."""
    language: str = ""
    prompt: str = ""
    tag: str = ""
    """A tag that the prompt has now."""
    brand: str = ""
    competitor: str = ""
    without: str = ""
    """A competitor that the answer does not name."""
    order: str = ""
    """Whether the answer ranks the brand `ahead` of the competitor or `behind` it."""
    rivals: str = ""
    """`named`: at least one competitor is named."""
    site: str = ""
    cited: str = ""
    """`yes`: a page of the brand is cited."""
    sources: str = ""
    """`yes`: the answer shows sources."""
    sentiment: str = ""
    unscored: str = ""
    """Why an answer that names the brand is not scored."""
    stance: str = ""
    change: str = ""
    """`gained` or `lost` since the check before, or since `against`."""
    change_of: str = ""
    """`competitor` or `site`: that competitor or site was gained or lost since `against`, instead of the brand."""
    sites: str = ""
    """`new`: it cites a site that its platform did not cite in `against`. `lost`: one that it no longer cites there."""
    counted: str = ""
    """`headline`: only what the headline figures count. `board`: what the latest Full Check asked, branded, too."""
    status: str = ""
    """Answers that failed, where no AI answer was shown, that did not fail, or of any status.

    Without it, those that can be read.
    """
    fault: str = ""
    """Why there is no answer, with `status` failed."""
    model: str = ""
    """The model that answered."""
    search: str = ""
    """A search that the platform made for the answer."""
    evidence: str = ""
    """The answers that prove a finding, such as `alert:` and its id, or a part of it, such as its `:page:0`."""
    q: str = ""
    """Words that the text of the answer contains."""

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> "AnswerFilter":
        """Parse the parameters of an address. Unknown parameters are ignored.

        Refused with 422: a value that the field cannot have.
        """
        values = {name: query.get(name, "").strip() for name in cls.__struct_fields__}
        faults = FaultCollector()
        for name, value in values.items():
            if value:
                with faults.catch():
                    require_value(name, value)
        faults.raise_if_any()
        found = cls(**values)
        if found.since and found.until and found.since > found.until:
            faults.add("until", "must not be before since")
        if found.order and not found.competitor:
            faults.add("order", "requires competitor")
        if found.change_of and not (found.change and found.against and getattr(found, found.change_of)):
            faults.add("change_of", f"requires change, against and {found.change_of}")
        if found.sites and not (found.check and found.against):
            faults.add("sites", "requires check and against")
        faults.raise_if_any()
        return found

    @property
    def is_latest(self) -> bool:
        """Return whether the list shows the latest known answer of each cell."""
        return not (self.check or self.checks or self.sandbox or self.since or self.until or self.evidence)


def require_value(name: str, value: str) -> None:
    """Refuse a value that the field cannot have (422)."""
    if len(value) > MAX_LENGTH:
        raise invalid_field(name, f"must not be longer than {MAX_LENGTH} characters", "length")
    if name in CHOICES and value not in CHOICES[name]:
        raise invalid_field(name, f"must be one of {', '.join(CHOICES[name])}")
    if name in _IDS and parse_id(value) is None:
        raise invalid_field(name, "must be an id")
    if name in _DAYS and not _is_day(value):
        raise invalid_field(name, "must be a day, such as 2026-11-16")
    if name == "evidence":
        kind, _, found = value.partition(":")
        if kind not in EVIDENCE_KINDS or not found:
            raise invalid_field(name, f"must be one of {', '.join(EVIDENCE_KINDS)}, a colon and an id")


def _is_day(text: str) -> bool:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return False
    return day.isoformat() == text and day.year in _YEARS

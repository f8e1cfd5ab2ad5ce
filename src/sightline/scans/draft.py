"""A scan before it is accepted: validated, cleaned and priced. What is refused here, submit and preview both refuse."""

from collections.abc import Collection, Mapping, Sequence

import msgspec

from sightline.accounts.models import Actor
from sightline.domains.models import ConsoleDomainRow
from sightline.errors import FaultCollector, Problem, invalid_fields
from sightline.metrics.observation import Surface
from sightline.platforms import access
from sightline.platforms.catalog import PLATFORMS
from sightline.scans.brands import MeasuredBrands, build_console_brands
from sightline.scans.models import AnswersSource, ScanPrompt
from sightline.scans.platform_clients import build_subject
from sightline.scans.schemas.submission import KeywordsSource, ScanInput
from sightline.scans.stored import number_prompts
from sightline.scans.suggest import MAX_PROMPT_LENGTH, MIN_PROMPT_LENGTH, SUGGESTED_PROMPTS, suggest_in_sandbox
from sightline.scans.suggestions.templates import read_category
from sightline.settings import Settings

_KEYS = [platform.key for platform in PLATFORMS]


class ScanDraft(msgspec.Struct, frozen=True, kw_only=True):
    """Everything about a scan that is decided before anything is written."""

    measured: MeasuredBrands
    answers_source: AnswersSource
    platforms: tuple[str, ...]
    keywords: tuple[str, ...]
    """The customer's keywords, cleaned. Empty: keywords are suggested."""
    prompts: tuple[ScanPrompt, ...] | None
    """None lets a connected platform suggest prompts when the scan starts."""
    credits: int
    max_credits: float | None
    """The highest price that the caller accepts."""
    content_project_id: str | None
    surfaces: Mapping[str, Surface] | None
    """The surface of each live platform."""

    @property
    def exceeds_max_credits(self) -> bool | None:
        """Return whether the scan costs more than the caller accepts; None if the caller names no price."""
        return None if self.max_credits is None else self.credits > self.max_credits

    @property
    def keywords_source(self) -> KeywordsSource:
        return "given" if self.keywords else "suggested"

    @property
    def answers_total(self) -> int:
        return len(self.platforms) * (SUGGESTED_PROMPTS if self.prompts is None else len(self.prompts))


def draft_scan(
    actor: Actor, domain: ConsoleDomainRow, request: ScanInput, *, settings: Settings, enabled: Collection[str]
) -> ScanDraft:
    """Build the draft. Refuse invalid keywords and platforms (422).

    `enabled` are the platforms that may be asked in the mode of the caller.
    """
    keywords: tuple[str, ...] = ()
    faults = FaultCollector()
    with faults.catch():
        keywords = clean_keywords(request.keywords or ())
    category = None
    with faults.catch():
        category = read_category(request.category)
    if faults:  # alone, an unknown platform is a problem of its own
        for place, key in enumerate(request.platforms or ()):
            if key not in _KEYS:
                faults.add(f"platforms[{place}]", f"must be one of {', '.join(_KEYS)}", "unknown_platform")
    faults.raise_if_any()
    platforms = choose_platforms(
        request.platforms, enabled, access.find_connected_platforms(settings, livemode=actor.livemode)
    )
    measured = build_console_brands(
        domain.domain, domain.brand_name, domain.aliases, domain.owned_domains, domain.competitors
    )
    source: AnswersSource = "live" if actor.livemode and not access.is_sandbox(settings) else "sandbox"
    return ScanDraft(
        measured=msgspec.structs.replace(measured, category=category),
        answers_source=source,
        platforms=platforms,
        keywords=keywords,
        prompts=_prompts(domain.domain, measured, keywords, source),
        credits=len(platforms) * settings.credits_per_platform,
        max_credits=request.max_credits,
        content_project_id=request.content_project_id,
        surfaces=access.find_surfaces(settings) if source == "live" else None,
    )


def clean_keywords(keywords: Collection[str]) -> tuple[str, ...]:
    """Return the keywords trimmed, each once ignoring case, in their order. Refuse all of invalid length at once."""
    trimmed = [keyword.strip() for keyword in keywords]
    length = f"must have {MIN_PROMPT_LENGTH} to {MAX_PROMPT_LENGTH} characters"
    faults = [
        (
            f"keywords[{place}]",
            f"{length}, white space around it apart",
            "length",
        )
        for place, keyword in enumerate(trimmed)
        if not MIN_PROMPT_LENGTH <= len(keyword) <= MAX_PROMPT_LENGTH
    ]
    if faults:
        raise invalid_fields(*faults)
    found: dict[str, str] = {}
    for keyword in trimmed:
        found.setdefault(keyword.casefold(), keyword)
    return tuple(found.values())


def choose_platforms(
    requested: Collection[str] | None, enabled: Collection[str], connected: Collection[str]
) -> tuple[str, ...]:
    """Return the requested platforms, each once, or all enabled ones in the order of the catalog.

    Refused (422): an unknown platform, and one that is paused or not connected.
    """
    if requested is None:
        chosen = tuple(key for key in _KEYS if key in enabled)
        if not chosen:
            raise _refuse_unavailable([key for key in _KEYS if key in connected] or _KEYS, connected)
        return chosen
    named = tuple(dict.fromkeys(requested))
    if unknown := [key for key in named if key not in _KEYS]:
        raise Problem("unknown_platform", platforms=unknown)
    if unavailable := [key for key in named if key not in enabled]:
        raise _refuse_unavailable(unavailable, connected)
    return named


def _refuse_unavailable(keys: Sequence[str], connected: Collection[str]) -> Problem:
    """Return the refusal of platforms, which says for each of them whether waiting helps."""
    paused = [key for key in keys if key in connected]
    missing = [key for key in keys if key not in connected]
    sentences = []
    if missing:
        state = "is not connected" if len(missing) == 1 else "are not connected"
        sentences.append(f"{', '.join(missing)} {state}: an operator can change that under Operator → Platforms.")
    if paused:
        state = "is paused" if len(paused) == 1 else "are paused"
        sentences.append(f"{', '.join(paused)} {state}: ask the other platforms, or try later.")
    detail = " ".join([*sentences, "Nothing was charged."])
    return Problem("platform_unavailable", detail, platforms=list(keys), not_connected=missing)


def _prompts(
    domain: str, measured: MeasuredBrands, keywords: tuple[str, ...], source: AnswersSource
) -> tuple[ScanPrompt, ...] | None:
    if keywords:
        return number_prompts(keywords)
    if source == "live":
        return None
    subject = build_subject(domain, measured.brand, measured.competitors)
    return number_prompts(suggest_in_sandbox(subject, language=None, country=None).prompts)

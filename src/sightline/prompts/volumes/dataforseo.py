"""DataForSEO as the source of volumes.

AI search volume comes from one endpoint, search volume and cost per click from another. Building requests and parsing
replies are pure functions; `DataForSeoVolumes` only sends them.

AI volumes exist for one country and one language. Search data exists for the whole world too, but Google Ads accepts
only short phrases without most punctuation, so the prompt is looked up as a searcher would type it.
"""

import unicodedata
from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal

import msgspec
import structlog
from aiohttp import ClientSession

from sightline.platforms.dataforseo import MOST_KEYWORDS, parse_volumes, volumes_request
from sightline.platforms.dataforseo_tasks import post_task, read_task
from sightline.platforms.faults import read_fault
from sightline.platforms.locations import location_code
from sightline.platforms.models import HttpReply, HttpRequest, PlatformConnection, PlatformFault, Transport
from sightline.platforms.payload import ABSENT, Count, Money, read, read_all
from sightline.platforms.transport import NetworkTransport
from sightline.prompts.identity import normalize_text
from sightline.prompts.volumes.lookup import VolumeSource
from sightline.prompts.volumes.models import Estimate, Market
from sightline.settings import Settings

log = structlog.get_logger()

MAX_QUESTION_LENGTH = 250
MAX_PHRASE_LENGTH = 80
MAX_WORDS = 10
_ALLOWED_MARKS = frozenset("&'-.+#$/")
_CENT = Decimal("0.01")


class SearchFigures(msgspec.Struct, frozen=True):
    search_volume: int | None
    cpc_usd: Decimal | None


class _Phrase(msgspec.Struct):
    keyword: str
    search_volume: msgspec.Raw = ABSENT
    cpc: msgspec.Raw = ABSENT


def to_phrase(prompt: str) -> str | None:
    """Return the prompt as a searcher would type it, or None when Google Ads would not accept it."""
    words = "".join(
        character
        if character.isalnum() or character in _ALLOWED_MARKS or unicodedata.category(character)[0] == "M"
        else " "
        for character in prompt.casefold()
    ).split()
    phrase = " ".join(words)
    return phrase if 0 < len(phrase) <= MAX_PHRASE_LENGTH and len(words) <= MAX_WORDS else None


def searches_request(phrases: Sequence[str], market: Market, connection: PlatformConnection) -> HttpRequest:
    """Build the request: without a country for the whole world, without a language for all languages.

    Raises "rejected" for an unknown country.
    """
    if not 0 < len(phrases) <= MOST_KEYWORDS:
        raise ValueError(f"between 1 and {MOST_KEYWORDS} phrases can be requested at once, not {len(phrases)}")
    task: dict[str, object] = {"keywords": list(phrases)}
    if market.country is not None:
        task["location_code"] = location_code(market.country)
    if market.language is not None:
        task["language_code"] = market.language
    return post_task(connection, "/v3/keywords_data/google_ads/search_volume/live", task)


def parse_searches(reply: HttpReply) -> dict[str, SearchFigures]:
    """Return the figures by normalized phrase. Raises `PlatformFault` when the vendor gave no answer."""
    task = read_task(reply)
    return {
        normalize_text(each.keyword): SearchFigures(read(each.search_volume, Count), _to_cents(read(each.cpc, Money)))
        for each in read_all(task.results, _Phrase)
    }


def _to_cents(value: float | None) -> Decimal | None:
    return None if value is None else Decimal(repr(value)).quantize(_CENT, rounding=ROUND_HALF_UP)


class DataForSeoVolumes:
    """A `VolumeSource` that makes two calls per market, whatever the number of prompts."""

    def __init__(self, transport: Transport, connection: PlatformConnection, *, timeout: float) -> None:
        self._transport = transport
        self._connection = connection
        self._timeout = timeout

    async def estimate_volumes(self, market: Market, prompts: Sequence[str]) -> list[Estimate]:
        estimates = await self._fetch_ai_volumes(market, prompts)
        searches = await self._fetch_searches(market, prompts)
        return [
            estimate if searches is None else _with_search(estimate, searches.get(to_phrase(prompt) or ""))
            for estimate, prompt in zip(estimates, prompts, strict=True)
        ]

    async def _fetch_ai_volumes(self, market: Market, prompts: Sequence[str]) -> list[Estimate]:
        """Return AI volumes. Prompts and markets that the vendor does not accept are `unsupported`."""
        supported = [prompt for prompt in prompts if len(prompt) <= MAX_QUESTION_LENGTH]
        if market.country is None or market.language is None or not supported:
            return [Estimate(state="unsupported")] * len(prompts)
        try:
            request = volumes_request(supported, market.country, market.language, self._connection)
            found = {normalize_text(each.keyword): each.volume for each in parse_volumes(await self._send(request))}
        except PlatformFault as fault:
            log.warning("volumes_unavailable", fault=fault.kind, message=fault.message)
            refused = Estimate(state="unsupported" if fault.kind == "rejected" else "failed")
            return [refused if prompt in supported else Estimate(state="unsupported") for prompt in prompts]
        return [
            _estimate(found.get(normalize_text(prompt))) if prompt in supported else Estimate(state="unsupported")
            for prompt in prompts
        ]

    async def _fetch_searches(self, market: Market, prompts: Sequence[str]) -> dict[str, SearchFigures] | None:
        """Return search figures by phrase, or None when they could not be fetched."""
        phrases = list(dict.fromkeys(filter(None, map(to_phrase, prompts))))
        if not phrases:
            return {}
        try:
            found = parse_searches(await self._send(searches_request(phrases, market, self._connection)))
        except PlatformFault as fault:
            log.warning("searches_unavailable", fault=fault.kind, message=fault.message)
            return None
        nothing = SearchFigures(None, None)
        return {phrase: found.get(normalize_text(phrase), nothing) for phrase in phrases}

    async def _send(self, request: HttpRequest) -> HttpReply:
        reply = await self._transport.send(request, timeout=self._timeout, attempt=1)
        if not 200 <= reply.status < 300:
            raise read_fault(reply)
        return reply


def _estimate(volume: int | None) -> Estimate:
    """Build the estimate. Zero is an estimate; a missing volume is not."""
    return Estimate(state="no_estimate") if volume is None else Estimate(state="estimated", ai_search_volume=volume)


def _with_search(estimate: Estimate, found: SearchFigures | None) -> Estimate:
    figures = found or SearchFigures(None, None)
    return msgspec.structs.replace(
        estimate, searched=True, search_volume=figures.search_volume, cpc_usd=figures.cpc_usd
    )


def has_volume_source(settings: Settings) -> bool:
    """Return whether search volumes are looked up, so that demand can be known at all."""
    return _read_credentials(settings) is not None


def _read_credentials(settings: Settings) -> str | None:
    login = (settings.dataforseo_login or "").strip()
    password = "" if settings.dataforseo_password is None else settings.dataforseo_password.get_secret_value().strip()
    return f"{login}:{password}" if login and password else None


def open_volume_source(settings: Settings, session: ClientSession) -> VolumeSource | None:
    """Return the source, or None while the vendor's credentials are not set."""
    secret = _read_credentials(settings)
    if secret is None:
        return None
    connection = PlatformConnection(
        platform="volumes",
        vendor="dataforseo",
        base_url=settings.dataforseo_base_url.strip().rstrip("/"),
        secret=secret,
    )
    return DataForSeoVolumes(NetworkTransport(session), connection, timeout=settings.ask_timeout)

"""Opportunities (metrics 6): one for each unbranded prompt that is still tracked. Pure."""

import uuid
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean

import msgspec

from sightline.answers.candidates import merge_key
from sightline.insights.inputs import InsightInputs, to_uuids
from sightline.insights.models import BestRival, CitedSource, DecidingPage, NamedCompetitor, StoredOpportunity
from sightline.insights.recommendations.cited_pages import CitedPages, list_rivals
from sightline.metrics.opportunity import PromptEvidence, RankedOpportunity, rank_opportunities
from sightline.scans.models import ScanAnswer, ScanPrompt
from sightline.scans.profile_pages import is_profile_page
from sightline.scans.rivals import map_makers
from sightline.scans.schemas.results import SourceType
from sightline.scans.sources import SiteFinder, classify_site

WINNABLE: frozenset[SourceType] = frozenset({"review", "list", "forum", "news", "video"})
_MAX_LISTED = 10
_MAX_PAGES = 5

Repeats = Mapping[str, Sequence[frozenset[str]]]
"""The brands that each repeat of a prompt named, by prompt id, as "platform: brand"."""


class _NamedBrand(msgspec.Struct, frozen=True):
    name: str
    mentioned: bool


class _Analysis(msgspec.Struct, frozen=True):
    brands: tuple[_NamedBrand, ...]


class _Record(msgspec.Struct, frozen=True):
    """The part of a stored answer with the named brands. A month of answers is read, so the rest is not decoded."""

    analysis: _Analysis | None = msgspec.field(name="reading", default=None)


_record = msgspec.json.Decoder(_Record)


class _AnswersBy:
    """The answers that have something to do with a name, a site or a page."""

    def __init__(self) -> None:
        self._ids: dict[str, dict[str, None]] = {}

    def add(self, key: str, answer: ScanAnswer) -> None:
        self._ids.setdefault(key, {})[answer.id] = None

    def list_ids(self, key: str) -> tuple[uuid.UUID, ...]:
        return to_uuids(list(self._ids[key]))

    def most_first(self) -> list[tuple[str, tuple[uuid.UUID, ...]]]:
        return sorted(((key, self.list_ids(key)) for key in self._ids), key=lambda item: (-len(item[1]), item[0]))


class _Evidence(msgspec.Struct, frozen=True):
    prompt: ScanPrompt
    weighed: PromptEvidence
    competitors: tuple[NamedCompetitor, ...]
    sources: tuple[CitedSource, ...]
    pages: tuple[DecidingPage, ...]
    best_rival: BestRival | None


def gather_named_brands(
    prompts: Sequence[ScanPrompt], records: Iterable[tuple[int, str, str, bytes]]
) -> dict[str, frozenset[str]]:
    """Gather the brands that a scan named for each prompt, leaving out prompts with a failed answer.

    Platforms are kept apart: two platforms that name different brands are not a change from one day to the next.
    """
    found: dict[str, set[str]] = {}
    failed: set[str] = set()
    for index, platform, status, record in records:
        prompt_id = prompts[index].id
        named = found.setdefault(prompt_id, set())
        if status == "failed":
            failed.add(prompt_id)
        elif (analysis := _record.decode(record).analysis) is not None:
            named.update(f"{platform}: {brand.name}" for brand in analysis.brands if brand.mentioned)
    return {prompt_id: frozenset(named) for prompt_id, named in found.items() if prompt_id not in failed}


def find_opportunities(
    inputs: InsightInputs, volumes: Mapping[str, int | None], repeats: Repeats
) -> list[StoredOpportunity]:
    """Return the opportunities of prompts that are still tracked, best first.

    `volumes` has the search volume of each tracked prompt by its id, None where it is unknown.
    """
    prompts = [each for each in inputs.plan.prompts if each.id in volumes and each.id not in inputs.branded]
    answers = inputs.group_answers_by_prompt()
    reader = _EvidenceReader(inputs)
    evidence = {
        prompt.id: reader.read(prompt, answers.get(prompt.id, ()), volumes[prompt.id], repeats.get(prompt.id, ()))
        for prompt in prompts
    }
    ranked = rank_opportunities([each.weighed for each in evidence.values()])
    return [_to_stored(each, evidence[each.prompt_id]) for each in ranked]


class _EvidenceReader:
    """Reads the evidence on one prompt from its answers, with what is known from all answers of the check."""

    def __init__(self, inputs: InsightInputs) -> None:
        self._inputs = inputs
        self._gaps = inputs.find_gap_answers()
        self._cited = CitedPages(inputs)
        self._rivals = [rival.name for rival in list_rivals(inputs)]
        self._makers = map_makers(inputs.answers)
        urls: dict[str, set[str]] = {}
        for page in self._cited.pages:
            urls.setdefault(page.site, set()).add(page.url)
        owners = self._find_owners()
        self._types: dict[str, SourceType] = {
            site: owners.get(site) or classify_site(site, addresses) for site, addresses in urls.items()
        }
        taken = {page.site for page in self._cited.pages if page.owner in ("own", "rival")}
        self._winnable = {site for site, kind in self._types.items() if kind in WINNABLE and site not in taken}

    def _find_owners(self) -> dict[str, SourceType]:
        """Return the type of each site of the brand or of a tracked competitor, as the sources of a scan have it."""
        finder = SiteFinder(self._inputs.plan)
        found: dict[str, SourceType] = {}
        for answer in self._inputs.answers:
            for citation in answer.analysis.citations if answer.analysis else ():
                if (owner := finder.find(citation)[1]) is not None:
                    found[self._cited.find(citation).site] = owner
        return found

    def read(
        self,
        prompt: ScanPrompt,
        answers: Sequence[ScanAnswer],
        volume: int | None,
        repeats: Sequence[frozenset[str]],
    ) -> _Evidence:
        sites: Counter[str] = Counter()
        pages, citing, named = _AnswersBy(), _AnswersBy(), _AnswersBy()
        for answer in answers:
            for citation in answer.analysis.citations if answer.analysis else ():
                page = self._cited.find(citation)
                sites[page.site] += 1
                pages.add(page.url, answer)
                citing.add(page.site, answer)
        lost = [answer for answer in answers if answer.id in self._gaps]
        for answer in lost:
            for name in self._list_named(answer):
                named.add(name, answer)
        weighed = PromptEvidence(
            prompt_id=prompt.id,
            country=prompt.country,
            volume=volume,
            valid=len(answers),
            gap_answers=len(lost),
            citations=dict(sites),
            winnable_citations=sum(times for site, times in sites.items() if site in self._winnable),
            brand_sets=tuple(repeats),
            answer_ids=tuple(answer.id for answer in lost),
        )
        return _Evidence(
            prompt,
            weighed,
            tuple(NamedCompetitor(name, len(ids), ids) for name, ids in named.most_first()[:_MAX_LISTED]),
            tuple(
                CitedSource(site, self._types[site], times, site in self._winnable, citing.list_ids(site))
                for site, times in _most_first(sites)[:_MAX_LISTED]
            ),
            tuple(self._describe_page(url, ids) for url, ids in pages.most_first()[:_MAX_PAGES]),
            self._find_best_rival(answers),
        )

    def _list_named(self, answer: ScanAnswer) -> list[str]:
        named = self._inputs.named[answer.id]
        return [name for name in self._rivals if name in named]

    def _describe_page(self, url: str, answer_ids: tuple[uuid.UUID, ...]) -> DecidingPage:
        page = self._cited.by_url[url]
        kind = self._types[page.site]
        names = (*self._inputs.brand_names, *self._rivals)
        is_winnable = page.site in self._winnable and not is_profile_page(url, names)
        return DecidingPage(url, page.title, page.site, kind, len(answer_ids), is_winnable, answer_ids)

    def _find_best_rival(self, answers: Sequence[ScanAnswer]) -> BestRival | None:
        """Find the rival that most answers name; of several, the one that stands higher in them."""
        named: dict[str, list[ScanAnswer]] = {}
        for answer in answers:
            for name in self._list_named(answer):
                named.setdefault(name, []).append(answer)
        if not named:
            return None
        places = {name: self._measure_place(name, theirs) for name, theirs in named.items()}
        best = min(named, key=lambda name: (-len(named[name]), places[name] or len(self._rivals), name))
        own = Counter(
            each.url
            for answer in named[best]
            if answer.analysis
            for each in answer.analysis.citations
            if self._cited.find(each).rival == best
        )
        return BestRival(
            name=best,
            answers=len(named[best]),
            mean_place=places[best],
            pages=tuple(url for url, _ in _most_first(own)[:_MAX_PAGES]),
            answer_ids=to_uuids([answer.id for answer in named[best]]),
        )

    def _measure_place(self, name: str, answers: Sequence[ScanAnswer]) -> float | None:
        """Return the mean place of a rival among the names of these answers, or None if no answer ranks it."""
        key = merge_key(name)
        places: list[int] = []
        for answer in answers:
            tracked = [each.rank for each in answer.analysis.brands if each.name == name] if answer.analysis else []
            presented = [
                each.rank
                for each in answer.candidates
                if each.name in self._makers and merge_key(self._makers[each.name]) == key
            ]
            known = [rank for rank in (tracked or presented) if rank is not None]
            places += [min(known)] if known else []
        return fmean(places) if places else None


def _most_first(counted: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counted.items(), key=lambda item: (-item[1], item[0]))


def _to_stored(found: RankedOpportunity, evidence: _Evidence) -> StoredOpportunity:
    return StoredOpportunity(
        prompt_id=uuid.UUID(found.prompt_id),
        prompt=evidence.prompt.text,
        language_code=evidence.prompt.language,
        country_iso_2=evidence.prompt.country,
        score=found.score,
        demand=found.demand,
        gap=found.gap,
        winnability=found.winnability,
        demand_unknown=found.demand is None,
        low_evidence=found.low_evidence,
        competitors=evidence.competitors,
        sources=evidence.sources,
        answer_ids=to_uuids(found.answer_ids),
        valid_answers=evidence.weighed.valid,
        gap_answers=evidence.weighed.gap_answers,
        citations=sum(evidence.weighed.citations.values()),
        winnable_citations=evidence.weighed.winnable_citations,
        pages=evidence.pages,
        best_rival=evidence.best_rival,
    )

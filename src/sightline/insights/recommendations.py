"""Recommendations (metrics 6): one row for each action, found in the answers of a check or a file. Pure.

A page is in one row only: where a criticism likely comes from it, it is to be corrected; else, where answers that cite
it name rivals and not the brand, the brand should get onto it; else, where it carries the brand, it is to be kept.
"""

import uuid
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from sightline.insights.cited_pages import (
    CitedPage,
    CitedPages,
    find_page_kind,
    find_site_type,
    is_about_one_product,
    is_about_rival,
    is_search_page,
    list_rivals,
    names_brand,
)
from sightline.insights.inputs import OWN_BRAND, InsightInputs, Rival
from sightline.insights.lost_prompts import find_lost
from sightline.insights.models import (
    AskedPrompt,
    NamedShare,
    Proof,
    ProposedAction,
    QuotedClaim,
    RecommendedPage,
    StoredRecommendation,
)
from sightline.insights.page_kinds import PageKind
from sightline.metrics.recommendations import (
    MIN_ANSWERS,
    ClaimFacts,
    Kind,
    Rate,
    average_share,
    expect_change,
    find_repeat_rate,
    find_weak_platforms,
    shrink_rate,
)
from sightline.scans.models import ScanAnswer
from sightline.scoreboard.models import decode_facts

_ORDER: Sequence[Kind] = ("fix_claim", "win_back", "open_door", "get_listed", "answer_question", "keep")
_MIN_EXPECTED = 0.5  # answers: an action that would likely change less than one is not worth its effort
_GAP_SHARE = 0.75  # of the answers that cite a page and name anybody
_SITE_GAP_SHARE = 0.5
_MAIN_PAGE_SHARE = 0.8
_KEPT_SHARE = 0.75
_KEPT_LEAD = 0.2  # over other answers: on the same platforms, and to the same prompts
_MIN_KEPT = 4
_MIN_OTHERS = 5
_MIN_AT_STAKE = 1.5
_CLAIM_SHARE = 0.5
_MIN_CLAIM_PAGE = 2
_MAX_PAGES = 10
_MAX_KEPT = 3
_MAX_RIVALS = 3
_MAX_QUOTES = 3
# Weak candidates among the discovered names are often no brands at all.
_STRONGEST_RIVALS = 8
_SHOWN_RIVALS = 5


def find_recommendations(inputs: InsightInputs, claims: Sequence[ClaimFacts]) -> list[ProposedAction]:
    """Return one row for each action, largest expected effect first, or a single row that says there is none.

    Actions that would likely change less than one answer are left out.
    """
    evidence = _Evidence(inputs)
    fixes = _find_claims(evidence, claims)
    taken = {page.url for row in fixes for page in row.pages}
    listings = _find_listings(evidence, taken)
    taken |= {page.url for row in listings for page in row.pages}
    kept = _find_kept(evidence, taken)
    known = {row.site for row in kept} | _find_sites_with_own_entry(evidence)
    found = [
        *fixes,
        *(row for row in listings if not (_is_about_entry(row) and row.site in known)),
        *_find_unanswered(evidence),
        *kept,
        *_find_closed_doors(evidence),
        *find_lost(inputs),
    ]
    worthwhile = [row for row in found if row.expected is None or row.expected.answers >= _MIN_EXPECTED]
    named = NamedShare(len(evidence.naming), len(evidence.answers))
    return sorted(worthwhile, key=_rank) or [ProposedAction(kind="nothing_significant", share=named)]


def to_stored(found: Iterable[ProposedAction], inputs: InsightInputs, scan_id: uuid.UUID) -> list[StoredRecommendation]:
    """Return the rows as they are stored, each answer with the check that it belongs to."""
    scans = {
        cell.answer_id: prompt_scan.scan_id
        for prompt_scan in inputs.prompt_scans
        for cell in decode_facts(prompt_scan.cells)
    } | {answer.id: scan_id for answer in inputs.answers}
    return [
        StoredRecommendation(
            proofs=tuple(Proof(scans[each], uuid.UUID(each)) for each in row.answer_ids if each in scans),
            **{name: getattr(row, name) for name in ProposedAction.__struct_fields__ if name != "answer_ids"},
        )
        for row in found
    ]


def _rank(row: ProposedAction) -> tuple[float, int, int, str]:
    expected = 0.0 if row.expected is None else row.expected.answers
    return (-expected, -len(row.answer_ids), _ORDER.index(row.kind), row.subject or "")


class _Evidence:
    """What all rules look at. Prompts that name the brand are left out: their answers nearly have to name it."""

    def __init__(self, inputs: InsightInputs) -> None:
        self.inputs = inputs
        self.pages = CitedPages(inputs)
        self.answers: dict[str, ScanAnswer] = {
            answer.id: answer for answer in inputs.answers if answer.prompt.id not in inputs.branded
        }
        self.naming = frozenset(
            answer.id
            for answer, own in zip(inputs.answers, inputs.observations[OWN_BRAND], strict=True)
            if own.mentioned and answer.id in self.answers
        )
        rivals = self._list_relevant_rivals()
        self.gaps = self._find_gaps(rivals)
        tracked = sum(rival.tracked for rival in rivals)
        self.strongest = [rival.name for rival in rivals][: tracked + _STRONGEST_RIVALS]
        self.shown = frozenset(self.strongest[: tracked + _SHOWN_RIVALS])
        self.carry_rate = self._find_carry_rate()

    def _list_relevant_rivals(self) -> list[Rival]:
        """Return the tracked competitors, and the discovered brands that answers to the brand's own prompts name.

        Its own prompts are those with an answer that names it. A brand that no answer names has all rivals.
        """
        rivals = list_rivals(self.inputs)
        own = {self.answers[each].prompt.id for each in self.naming}
        met = {
            name
            for each, answer in self.answers.items()
            if not own or answer.prompt.id in own
            for name in self.inputs.named[each]
        }
        return [rival for rival in rivals if rival.tracked or rival.name in met]

    def _find_gaps(self, rivals: Sequence[Rival]) -> frozenset[str]:
        """Return the answers that name a competitor or mostly relevant rivals, and not the brand.

        Prompts on other markets have rivals of their own: an answer that mostly names those is no gap.
        """
        relevant = {rival.name for rival in rivals}
        tracked = {rival.name for rival in rivals if rival.tracked}
        found = []
        for each in self.inputs.find_gap_answers() & self.answers.keys():
            named = self.inputs.named[each]
            if named & tracked or 2 * len(named & relevant) >= len(named):
                found.append(each)
        return frozenset(found)

    def _find_carry_rate(self) -> Rate:
        """Return how often an answer names the brand if another one that cites the same third-party page does."""
        groups = [
            [each for each in page.answer_ids if each in self.answers]
            for page in self.pages.list_owned_by("third_party")
        ]
        rivals = (
            find_repeat_rate(groups, {each for each in self.answers if rival in self.inputs.named[each]})
            for rival in self.strongest
        )
        return shrink_rate(find_repeat_rate(groups, self.naming), average_share(rivals))

    def describe(self, answer_ids: Iterable[str]) -> tuple[tuple[AskedPrompt, ...], tuple[str, ...]]:
        """Return the prompts and the platforms of these answers, in the order of the plan."""
        found = [answer for each in answer_ids if (answer := self.answers.get(each)) is not None]
        asked, platforms = {answer.prompt.id for answer in found}, {answer.platform for answer in found}
        return (
            tuple(AskedPrompt(prompt.id, prompt.text) for prompt in self.inputs.plan.prompts if prompt.id in asked),
            tuple(platform for platform in self.inputs.plan.platforms if platform in platforms),
        )

    def list_rivals(self, answer_ids: Collection[str]) -> tuple[str, ...]:
        """Return the rivals that these answers name most often."""
        counts = _count(name for each in answer_ids for name in self.inputs.named[each] if name in self.shown)
        enough = min(2, len(answer_ids))
        return tuple(name for name, times in counts.items() if times >= enough)[:_MAX_RIVALS]


def _to_pages(pages: Iterable[CitedPage], answer_ids: Collection[str]) -> tuple[RecommendedPage, ...]:
    """Return the pages with the number of these answers that cite each, most cited first."""
    counted = [
        RecommendedPage(url=page.url, title=page.title, answers=len({*page.answer_ids} & {*answer_ids}))
        for page in pages
    ]
    return tuple(sorted(counted, key=lambda page: (-page.answers, page.url))[:_MAX_PAGES])


def _unite(pages: Iterable[CitedPage], within: Collection[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each for page in pages for each in page.answer_ids if each in within))


def _group_by_site(pages: Iterable[CitedPage]) -> dict[str, list[CitedPage]]:
    found: dict[str, list[CitedPage]] = {}
    for page in pages:
        found.setdefault(page.site, []).append(page)
    return found


def _count(names: Iterable[str]) -> dict[str, int]:
    """Count names, most frequent first, in a fixed order where they are equally frequent."""
    return dict(sorted(Counter(names).items(), key=lambda item: (-item[1], item[0])))


# Get listed


def _find_listings(evidence: _Evidence, taken: Collection[str]) -> list[ProposedAction]:
    """Find the sites whose pages answers cite that name rivals and not the brand: one row for each site.

    A page counts if three quarters of the answers that cite it and name anybody leave the brand out.
    """
    found = []
    for site, cited in _group_by_site(evidence.pages.list_owned_by("third_party")).items():
        gap, naming = _unite(cited, evidence.gaps), _unite(cited, evidence.naming)
        if not gap or len(gap) < _SITE_GAP_SHARE * (len(gap) + len(naming)):
            continue
        pages = [page for page in cited if page.url not in taken and _is_gap(evidence, page)]
        if len(_unite(pages, evidence.gaps)) >= MIN_ANSWERS:
            found.append(_build_listing(evidence, site, pages))
    return found


def _is_gap(evidence: _Evidence, page: CitedPage) -> bool:
    gap = sum(each in evidence.gaps for each in page.answer_ids)
    naming = sum(each in evidence.naming for each in page.answer_ids)
    return gap > 0 and gap >= _GAP_SHARE * (gap + naming)


def _build_listing(evidence: _Evidence, site: str, pages: Sequence[CitedPage]) -> ProposedAction:
    selections = [page for page in pages if not is_about_one_product(page, evidence.strongest)]
    is_review = len(_unite(selections, evidence.gaps)) < MIN_ANSWERS
    pages = pages if is_review else selections
    answer_ids = _unite(pages, evidence.gaps)
    strong = [page for page in pages if len(_unite([page], evidence.gaps)) >= MIN_ANSWERS]
    is_one_page = (
        not is_review
        and len(strong) == 1
        and strong[0].has_path
        and not is_search_page(strong[0].url)
        and len(_unite(strong, evidence.gaps)) >= _MAIN_PAGE_SHARE * len(answer_ids)
    )
    if is_one_page:
        pages, answer_ids = strong, _unite(strong, evidence.gaps)
    prompts, platforms = evidence.describe(answer_ids)
    return ProposedAction(
        kind="get_listed",
        subject=strong[0].url if is_one_page else site,
        site=site,
        site_name=evidence.pages.site_names.get(site),
        site_type=find_site_type(site, [page.url for page in pages]),
        is_review=is_review,
        pages=_to_pages(pages, answer_ids),
        page_count=len(pages),
        prompts=prompts,
        platforms=platforms,
        rivals=evidence.list_rivals(answer_ids),
        share=_count_named(evidence, pages),
        expected=expect_change(len(answer_ids), evidence.carry_rate),
        answer_ids=answer_ids,
    )


def _is_about_entry(row: ProposedAction) -> bool:
    """Return whether the row asks for an entry or a review on a site, not for a place in a page that exists."""
    return row.subject == row.site and (row.is_review or row.site_type in {"directory", "retailer"})


def _find_sites_with_own_entry(evidence: _Evidence) -> set[str]:
    """Return the sites that have a page on the brand: it is cited, so nobody has to ask for one."""
    brand = evidence.inputs.brand
    return {
        page.site
        for page in evidence.pages.list_owned_by("third_party")
        if names_brand(page.url, (brand.name, *brand.domains))
    }


def _count_named(evidence: _Evidence, pages: Iterable[CitedPage]) -> NamedShare:
    citing = _unite(pages, evidence.answers)
    return NamedShare(sum(each in evidence.naming for each in citing), len(citing))


# Keep


def _find_kept(evidence: _Evidence, taken: Collection[str]) -> list[ProposedAction]:
    """Find the sites that carry the brand: answers that cite them name it, and other answers often do not.

    At stake is the number of answers that cite the pages and name the brand, times the share of the other answers on
    the same platforms that do not name it. Where the brand is named nearly as often anyway, no page carries it. Answers
    that name a brand like to cite its own site: of them only those count that no third-party page carries as well. A
    site of which nobody knows what it is may be a rival's, and is left out.
    """
    found = []
    carried = _find_carried(evidence)
    for site, cited in _group_by_site(evidence.pages.list_owned_by("own", "third_party")).items():
        pages = [page for page in cited if page.url not in taken and _is_carrying(evidence, page)]
        citing, others = _compare_within_platforms(evidence, pages)
        answer_ids = tuple(each for each in citing if each in evidence.naming)
        site_type = None if cited[0].owner == "own" else find_site_type(site, [page.url for page in pages])
        if len(answer_ids) < _MIN_KEPT or site_type == "other" or not _leads(evidence, citing, others):
            continue
        without = Rate(sum(each not in evidence.naming for each in others), len(others))
        at_stake = [each for each in answer_ids if pages[0].owner != "own" or each not in carried]
        expected = expect_change(len(at_stake), without)
        if len(others) < _MIN_OTHERS or expected.answers < _MIN_AT_STAKE:
            continue
        prompts, platforms = evidence.describe(answer_ids)
        found.append(
            ProposedAction(
                kind="keep",
                subject=pages[0].url if len(pages) == 1 else site,
                site=site,
                site_name=evidence.pages.site_names.get(site),
                site_type=site_type,
                pages=_to_pages(pages, answer_ids),
                page_count=len(pages),
                prompts=prompts,
                platforms=platforms,
                share=NamedShare(len(answer_ids), len(citing)),
                other_share=NamedShare(len(others) - int(without.hits), len(others)),
                expected=expected,
                answer_ids=answer_ids,
            )
        )
    return sorted(found, key=_rank)[:_MAX_KEPT]


def _compare_within_platforms(evidence: _Evidence, pages: Iterable[CitedPage]) -> tuple[list[str], list[str]]:
    """Return the answers that cite the pages and the others of those platforms where the pages make a difference.

    Platforms differ in whom they name and in whom they cite: the answers of one prove nothing about another. Prompts
    differ, too, so other answers to the same prompts must name the brand less often as well.
    """
    cited = _unite(pages, evidence.answers)
    citing: list[str] = []
    others: list[str] = []
    for platform in dict.fromkeys(evidence.answers[each].platform for each in cited):
        every = [each for each, answer in evidence.answers.items() if answer.platform == platform]
        own, rest = [each for each in every if each in cited], [each for each in every if each not in cited]
        if _leads(evidence, own, rest):
            citing += own
            others += rest
    asked = {evidence.answers[each].prompt.id for each in citing}
    same = [each for each, answer in evidence.answers.items() if answer.prompt.id in asked and each not in cited]
    return (citing, others) if not same or _leads(evidence, citing, same) else ([], [])


def _leads(evidence: _Evidence, citing: Collection[str], others: Collection[str]) -> bool:
    if not citing or not others:
        return False
    named, named_elsewhere = (sum(each in evidence.naming for each in group) for group in (citing, others))
    return named / len(citing) - named_elsewhere / len(others) >= _KEPT_LEAD


def _find_carried(evidence: _Evidence) -> frozenset[str]:
    """Return the answers that name the brand and cite a third-party page that another one of them cites, too."""
    shared = (
        [each for each in page.answer_ids if each in evidence.naming]
        for page in evidence.pages.list_owned_by("third_party")
    )
    return frozenset(each for group in shared if len(group) > 1 for each in group)


def _is_carrying(evidence: _Evidence, page: CitedPage) -> bool:
    citing = [each for each in page.answer_ids if each in evidence.answers]
    naming = sum(each in evidence.naming for each in citing)
    is_ours = page.owner == "own" or not (is_search_page(page.url) or is_about_one_product(page, evidence.strongest))
    return is_ours and naming > 0 and naming >= _KEPT_SHARE * len(citing)


# Answer the question


def _find_unanswered(evidence: _Evidence) -> list[ProposedAction]:
    """Find the prompts for which rivals' own pages are cited and none of the brand: one row for each kind of page."""
    if not evidence.inputs.brand.domains:
        return []  # nobody knows which pages are the brand's own
    by_prompt: dict[str, list[str]] = {}
    for each, answer in evidence.answers.items():
        assert answer.analysis is not None
        if answer.analysis.citations:
            by_prompt.setdefault(answer.prompt.id, []).append(each)
    own = set(_unite(evidence.pages.list_owned_by("own"), evidence.answers))
    unanswered = {prompt_id for prompt_id, sourced in by_prompt.items() if not own.intersection(sourced)}
    open_answers = {each for prompt_id in unanswered for each in by_prompt[prompt_id]}
    # Every brand has a home page, and a page of ours that answers to other prompts cite shows that we have its kind.
    settled = {"home", *(find_page_kind(page.url, page.title) for page in evidence.pages.list_owned_by("own"))}
    by_kind: dict[PageKind, list[CitedPage]] = {}
    for page in evidence.pages.list_owned_by("rival"):
        kind = find_page_kind(page.url, page.title)
        if kind not in settled and page.rival in evidence.strongest and open_answers.intersection(page.answer_ids):
            by_kind.setdefault(kind, []).append(page)
    rate = _find_citation_rate(evidence, by_prompt, own)
    often = {kind: pages for kind, pages in by_kind.items() if len(_unite(pages, open_answers)) >= MIN_ANSWERS}
    if len(often) > 1:
        often.pop("page", None)  # it would only repeat the others, less clearly
    return [_build_question(evidence, kind, pages, open_answers, by_prompt, rate) for kind, pages in often.items()]


def _find_citation_rate(evidence: _Evidence, by_prompt: Mapping[str, Sequence[str]], own: Collection[str]) -> Rate:
    """Return how often an answer cites a brand's own pages if another one to the same prompt does."""
    cited: dict[str, set[str]] = {}
    for page in evidence.pages.list_owned_by("rival"):
        cited.setdefault(page.rival or "", set()).update(page.answer_ids)
    rivals = (find_repeat_rate(by_prompt.values(), citing) for citing in cited.values())
    return shrink_rate(find_repeat_rate(by_prompt.values(), own), average_share(rivals))


def _build_question(
    evidence: _Evidence,
    kind: PageKind,
    pages: Sequence[CitedPage],
    open_answers: Collection[str],
    by_prompt: Mapping[str, Sequence[str]],
    rate: Rate,
) -> ProposedAction:
    answer_ids = _unite(pages, open_answers)
    prompts, platforms = evidence.describe(answer_ids)
    rivals = _count(page.rival or "" for page in pages for each in page.answer_ids if each in open_answers)
    return ProposedAction(
        kind="answer_question",
        subject=kind,
        site=evidence.inputs.plan.domain or evidence.inputs.brand.domains[0],
        page_kind=kind,
        pages=_to_pages(pages, answer_ids),
        page_count=len(pages),
        prompts=prompts,
        platforms=platforms,
        rivals=tuple(rivals)[:_MAX_RIVALS],
        expected=expect_change(sum(len(by_prompt[prompt.id]) for prompt in prompts), rate),
        answer_ids=answer_ids,
    )


# Fix a claim


def _find_claims(evidence: _Evidence, claims: Iterable[ClaimFacts]) -> list[ProposedAction]:
    """Find criticisms that recur, each with the third-party pages that mostly answers with this criticism cite."""
    found = []
    taken: set[str] = set()
    answers = {answer.id: answer for answer in evidence.inputs.answers}
    for claim in claims:
        said = [answers[each] for each in claim.answer_ids]
        asked = {answer.prompt.id for answer in said}
        pages = [page for url in claim.pages if url not in taken and (page := _find_source(evidence, url, claim))]
        taken |= {page.url for page in pages[:_MAX_PAGES]}
        used = {answer.platform for answer in said}
        found.append(
            ProposedAction(
                kind="fix_claim",
                subject=claim.descriptor,
                pages=_to_pages(pages[:_MAX_PAGES], claim.answer_ids),
                prompts=tuple(
                    AskedPrompt(prompt.id, prompt.text) for prompt in evidence.inputs.plan.prompts if prompt.id in asked
                ),
                platforms=tuple(platform for platform in evidence.inputs.plan.platforms if platform in used),
                quotes=tuple(QuotedClaim(quote.answer_id, quote.text) for quote in claim.quotes[:_MAX_QUOTES]),
                expected=expect_change(len(claim.answer_ids), _find_claim_rate(evidence, claim)),
                answer_ids=claim.answer_ids,
            )
        )
    return found


def _find_claim_rate(evidence: _Evidence, claim: ClaimFacts) -> Rate:
    """Return how often an answer makes the claim if another one that cites the same third-party page does.

    The higher it is, the more the claim comes from pages, and the more a correction there changes. Where little is
    known, the share of the answers that name the brand and make the claim counts.
    """
    groups = [page.answer_ids for page in evidence.pages.list_owned_by("third_party")]
    naming = sum(observation.mentioned for observation in evidence.inputs.observations[OWN_BRAND])
    return shrink_rate(find_repeat_rate(groups, frozenset(claim.answer_ids)), len(claim.answer_ids) / max(1, naming))


def _find_source(evidence: _Evidence, url: str, claim: ClaimFacts) -> CitedPage | None:
    """Return the page if the claim likely comes from it: two answers or more, and half of those that name the brand."""
    page = evidence.pages.by_url.get(url)
    if page is None or page.owner != "third_party":
        return None
    if is_about_rival(page, evidence.strongest, evidence.inputs.brand.name):
        return None
    saying = sum(each in claim.answer_ids for each in page.answer_ids)
    naming = sum(each in evidence.naming or each in claim.answer_ids for each in page.answer_ids)
    return page if saying >= _MIN_CLAIM_PAGE and saying >= _CLAIM_SHARE * naming else None


# Open the door


def _find_closed_doors(evidence: _Evidence) -> list[ProposedAction]:
    """Find the platforms that name the brand significantly less than the others do for the same prompts."""
    observations = evidence.inputs.observations[OWN_BRAND]
    valid = [each for each in observations if each.is_valid]
    asked = {answer.id: answer.prompt for answer in evidence.inputs.answers}
    found = []
    for weak in find_weak_platforms(observations):
        here = [each.mentioned for each in valid if each.platform == weak.platform]
        others = [each.mentioned for each in valid if each.platform != weak.platform]
        missing = {asked[each].id for each in weak.answer_ids}
        found.append(
            ProposedAction(
                kind="open_door",
                subject=weak.platform,
                site=evidence.inputs.plan.domain or next(iter(evidence.inputs.brand.domains), None),
                prompts=tuple(
                    AskedPrompt(prompt.id, prompt.text)
                    for prompt in evidence.inputs.plan.prompts
                    if prompt.id in missing
                ),
                platforms=(weak.platform,),
                share=NamedShare(sum(here), len(here)),
                other_share=NamedShare(sum(others), len(others)),
                expected=weak.expected,
                answer_ids=weak.answer_ids,
            )
        )
    return found

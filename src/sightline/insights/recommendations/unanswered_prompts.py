"""Answer the question: prompts for which rivals' own pages are cited, and none of the brand. Pure."""

from collections.abc import Collection, Mapping, Sequence

from sightline.insights.models import (
    PageKind,
    ProposedAction,
)
from sightline.insights.recommendations.cited_pages import CitedPage
from sightline.insights.recommendations.evidence import (
    MAX_RIVALS,
    Evidence,
    count_names,
    to_recommended_pages,
    unite_answers,
)
from sightline.insights.recommendations.page_addresses import find_page_kind, names_brand
from sightline.metrics.recommendations import (
    MIN_ANSWERS,
    Rate,
    average_share,
    expect_change,
    find_repeat_rate,
    shrink_rate,
)
from sightline.scans.sources import classify_site


def find_unanswered_prompts(evidence: Evidence) -> list[ProposedAction]:
    """Find the prompts for which rivals' own pages are cited and none of the brand: one row for each kind of page."""
    if not evidence.inputs.brand.domains:
        return []  # nobody knows which pages are the brand's own
    by_prompt: dict[str, list[str]] = {}
    for each, answer in evidence.answers.items():
        assert answer.analysis is not None
        if answer.analysis.citations:
            by_prompt.setdefault(answer.prompt.id, []).append(each)
    own = set(unite_answers(evidence.pages.list_owned_by("own"), evidence.answers))
    unanswered = {prompt_id for prompt_id, sourced in by_prompt.items() if not own.intersection(sourced)}
    open_answers = {each for prompt_id in unanswered for each in by_prompt[prompt_id]}
    # Every brand has a home page, and a page of ours that answers to other prompts cite shows that we have its kind.
    settled = {"home", *(find_page_kind(page.url, page.title) for page in evidence.pages.list_owned_by("own"))}
    by_kind: dict[PageKind, list[CitedPage]] = {}
    for page in evidence.pages.list_owned_by("rival"):
        if classify_site(page.site) == "shop":
            continue  # it shows what the shop sells, which no page of the brand can answer
        kind = _find_rivals_page_kind(evidence, page)
        if kind not in settled and page.rival in evidence.strongest and open_answers.intersection(page.answer_ids):
            by_kind.setdefault(kind, []).append(page)
    rate = _find_citation_rate(evidence, by_prompt, own)
    often = {kind: pages for kind, pages in by_kind.items() if len(unite_answers(pages, open_answers)) >= MIN_ANSWERS}
    if len(often) > 1:
        often.pop("page", None)  # it would only repeat the others, less clearly
    return [_build_question(evidence, kind, pages, open_answers, rate) for kind, pages in often.items()]


def _find_rivals_page_kind(evidence: Evidence, page: CitedPage) -> PageKind:
    """Return the kind of a rival's page. A comparison of other things than brands ("mesh or router?") is a guide."""
    kind = find_page_kind(page.url, page.title)
    others = {evidence.inputs.brand.name, *(rival.name for rival in evidence.inputs.rivals)} - {page.rival}
    return "guide" if kind == "comparison" and not names_brand(page.url, others) else kind


def _find_citation_rate(evidence: Evidence, by_prompt: Mapping[str, Sequence[str]], own: Collection[str]) -> Rate:
    """Return how often an answer cites a brand's own pages if another one to the same prompt does."""
    cited: dict[str, set[str]] = {}
    for page in evidence.pages.list_owned_by("rival"):
        cited.setdefault(page.rival or "", set()).update(page.answer_ids)
    rivals = (find_repeat_rate(by_prompt.values(), citing) for citing in cited.values())
    return shrink_rate(find_repeat_rate(by_prompt.values(), own), average_share(rivals))


def _build_question(
    evidence: Evidence,
    kind: PageKind,
    pages: Sequence[CitedPage],
    open_answers: Collection[str],
    rate: Rate,
) -> ProposedAction:
    answer_ids = unite_answers(pages, open_answers)
    prompts, platforms = evidence.describe(answer_ids)
    rivals = count_names(page.rival or "" for page in pages for each in page.answer_ids if each in open_answers)
    return ProposedAction(
        kind="answer_question",
        subject=kind,
        site=evidence.inputs.plan.domain or evidence.inputs.brand.domains[0],
        page_kind=kind,
        pages=to_recommended_pages(pages, answer_ids),
        page_count=len(pages),
        prompts=prompts,
        platforms=platforms,
        rivals=tuple(rivals)[:MAX_RIVALS],
        expected=expect_change(len(answer_ids), rate),
        answer_ids=answer_ids,
    )

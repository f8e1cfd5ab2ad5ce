"""Get listed: third-party pages that answers cite and that name rivals and not the brand. Pure."""

from collections.abc import Collection, Iterable, Sequence

from sightline.insights.models import (
    NamedShare,
    ProposedAction,
)
from sightline.insights.recommendations.cited_pages import CitedPage, find_site_type
from sightline.insights.recommendations.evidence import (
    Evidence,
    group_by_site,
    lead_with_fitting,
    to_recommended_pages,
    unite_answers,
)
from sightline.insights.recommendations.page_addresses import is_about_one_product, is_search_page, names_brand
from sightline.metrics.recommendations import (
    MIN_ANSWERS,
    expect_change,
)

_GAP_SHARE = 0.75  # of the answers that cite a page and name anybody
_SITE_GAP_SHARE = 0.5
_MAIN_PAGE_SHARE = 0.8


def find_listings(evidence: Evidence, taken: Collection[str]) -> list[ProposedAction]:
    """Find the sites whose pages answers cite that name rivals and not the brand: one row for each site.

    A page counts if three quarters of the answers that cite it and name anybody leave the brand out, and if no cited
    passage of it names the brand.
    """
    found = []
    for site, cited in group_by_site(evidence.pages.list_owned_by("third_party")).items():
        gap, naming = unite_answers(cited, evidence.gaps), unite_answers(cited, evidence.naming)
        if not gap or len(gap) < _SITE_GAP_SHARE * (len(gap) + len(naming)):
            continue
        pages = [page for page in cited if page.url not in taken and not page.names_us and _is_gap(evidence, page)]
        if len(unite_answers(pages, evidence.gaps)) >= MIN_ANSWERS:
            found.append(_build_listing(evidence, site, pages))
    # Where a shop is cited for products of rivals alone, there is no selection to get into.
    return [row for row in found if not (row.is_review and row.site_type == "retailer")]


def _is_gap(evidence: Evidence, page: CitedPage) -> bool:
    gap = sum(each in evidence.gaps for each in page.answer_ids)
    naming = sum(each in evidence.naming for each in page.answer_ids)
    return gap > 0 and gap >= _GAP_SHARE * (gap + naming)


def _build_listing(evidence: Evidence, site: str, pages: Sequence[CitedPage]) -> ProposedAction:
    selections = [page for page in pages if not is_about_one_product(page.url, evidence.strongest)]
    is_review = len(unite_answers(selections, evidence.gaps)) < MIN_ANSWERS
    pages = pages if is_review else selections
    answer_ids = unite_answers(pages, evidence.gaps)
    strong = [page for page in pages if len(unite_answers([page], evidence.gaps)) >= MIN_ANSWERS]
    is_one_page = (
        not is_review
        and len(strong) == 1
        and strong[0].has_path
        and not is_search_page(strong[0].url)
        and len(unite_answers(strong, evidence.gaps)) >= _MAIN_PAGE_SHARE * len(answer_ids)
    )
    if is_one_page:
        pages, answer_ids = strong, unite_answers(strong, evidence.gaps)
    prompts, platforms = evidence.describe(answer_ids)
    return ProposedAction(
        kind="get_listed",
        subject=strong[0].url if is_one_page else site,
        site=site,
        site_name=evidence.pages.site_names.get(site),
        site_type=find_site_type(site, [page.url for page in pages]),
        is_review=is_review,
        pages=lead_with_fitting(to_recommended_pages(pages, answer_ids), prompts),
        page_count=len(pages),
        prompts=prompts,
        platforms=platforms,
        rivals=evidence.list_rivals(answer_ids),
        share=_count_named(evidence, pages),
        expected=expect_change(len(answer_ids), evidence.carry_rate),
        answer_ids=answer_ids,
    )


def asks_for_entry(row: ProposedAction) -> bool:
    """Return whether the row asks for an entry or a review on a site, not for a place in a page that exists."""
    return row.subject == row.site and (row.is_review or row.site_type in {"directory", "retailer"})


def find_sites_with_own_entry(evidence: Evidence) -> set[str]:
    """Return the sites that have a page on the brand: it is cited, so nobody has to ask for one."""
    brand = evidence.inputs.brand
    return {
        page.site
        for page in evidence.pages.list_owned_by("third_party")
        if names_brand(page.url, (brand.name, *brand.domains))
    }


def _count_named(evidence: Evidence, pages: Iterable[CitedPage]) -> NamedShare:
    citing = unite_answers(pages, evidence.answers)
    return NamedShare(sum(each in evidence.naming for each in citing), len(citing))

"""Keep: pages that carry the brand today and would hurt if they were lost. Pure."""

from collections.abc import Collection, Iterable

from sightline.insights.models import (
    NamedShare,
    ProposedAction,
)
from sightline.insights.recommendations.cited_pages import CitedPage, find_site_type
from sightline.insights.recommendations.evidence import Evidence, group_by_site, to_recommended_pages, unite_answers
from sightline.insights.recommendations.page_addresses import is_about_one_product, is_search_page
from sightline.metrics.recommendations import (
    Rate,
    expect_change,
    is_lead_by_chance,
)
from sightline.scans.profile_pages import is_profile_page

_KEPT_SHARE = 0.75
_KEPT_LEAD = 0.2  # over other answers: on the same platforms, and to the same prompts
_MIN_KEPT = 4
_MIN_OTHERS = 5
_MIN_AT_STAKE = 1.5


def find_kept_pages(evidence: Evidence, taken: Collection[str]) -> list[ProposedAction]:
    """Find the sites that carry the brand: answers that cite them name it, and other answers often do not.

    The effect is the number of answers that cite the pages and name the brand, times the share of the other answers on
    the same platforms that do not name it. Where the brand is named nearly as often anyway, no page carries it. Answers
    that name a brand tend to cite its own site, so for that site only answers count that no third-party page carries.
    A site of unknown type may be a rival's, and is left out. So is a profile page: it always names its company.
    """
    found = []
    carried = _find_carried(evidence)
    for site, cited in group_by_site(evidence.pages.list_owned_by("own", "third_party")).items():
        pages = [page for page in cited if page.url not in taken and _is_carrying(evidence, page)]
        citing, others = _compare_within_platforms(evidence, pages)
        answer_ids = tuple(each for each in citing if each in evidence.naming)
        site_type = None if cited[0].owner == "own" else find_site_type(site, [page.url for page in pages])
        if len(answer_ids) < _MIN_KEPT or site_type == "other" or not _leads(evidence, citing, others):
            continue
        without = Rate(sum(each not in evidence.naming for each in others), len(others))
        at_stake = [each for each in answer_ids if pages[0].owner != "own" or each not in carried]
        expected = expect_change(len(at_stake), without)
        others_naming = len(others) - int(without.hits)
        if is_lead_by_chance(len(answer_ids), len(citing), others_naming, len(others)):
            continue
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
                pages=to_recommended_pages(pages, answer_ids),
                page_count=len(pages),
                prompts=prompts,
                platforms=platforms,
                share=NamedShare(len(answer_ids), len(citing)),
                other_share=NamedShare(others_naming, len(others)),
                expected=expected,
                answer_ids=answer_ids,
            )
        )
    return found


def _compare_within_platforms(evidence: Evidence, pages: Iterable[CitedPage]) -> tuple[list[str], list[str]]:
    """Return the answers that cite the pages and the others of those platforms where the pages make a difference.

    Platforms differ in whom they name and in whom they cite: the answers of one prove nothing about another. Prompts
    differ, too, so other answers to the same prompts must name the brand less often as well.
    """
    cited = unite_answers(pages, evidence.answers)
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


def _leads(evidence: Evidence, citing: Collection[str], others: Collection[str]) -> bool:
    if not citing or not others:
        return False
    named, named_elsewhere = (sum(each in evidence.naming for each in group) for group in (citing, others))
    return named / len(citing) - named_elsewhere / len(others) >= _KEPT_LEAD


def _find_carried(evidence: Evidence) -> frozenset[str]:
    """Return the answers that name the brand and cite a third-party page that another one of them cites, too."""
    shared = (
        [each for each in page.answer_ids if each in evidence.naming]
        for page in evidence.pages.list_owned_by("third_party")
    )
    return frozenset(each for group in shared if len(group) > 1 for each in group)


def _is_carrying(evidence: Evidence, page: CitedPage) -> bool:
    citing = [each for each in page.answer_ids if each in evidence.answers]
    naming = sum(each in evidence.naming for each in citing)
    is_ours = page.owner == "own" or not (
        is_search_page(page.url)
        or is_profile_page(page.url, evidence.inputs.brand_names)
        or is_about_one_product(page.url, evidence.strongest)
    )
    return is_ours and naming > 0 and naming >= _KEPT_SHARE * len(citing)

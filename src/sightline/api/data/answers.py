"""Answers of a tracked domain over all its checks, filtered and searched."""

from sightline.answers.models import STANCE_MEANING
from sightline.api.data.checks import RESOURCE
from sightline.api.edge.envelope import Page
from sightline.api.edge.exchange import Exchange
from sightline.api.edge.operations import Filter
from sightline.domains.tracking.read import read_tracked_domain
from sightline.insights.answer_evidence import read_evidence
from sightline.kit.ids import parse_id
from sightline.metrics.observation import UNSCORED_MEANING
from sightline.platforms.models import FAULT_KIND_MEANING
from sightline.scans.console_scans import require_answers
from sightline.scans.sealed.store import SEALED_PROBLEMS
from sightline.scans.tracked_scans import read_tracked_scan
from sightline.scoreboard.answer_list.filter import CHOICES, AnswerFilter, require_value
from sightline.scoreboard.answer_list.read import list_answers as list_selected_answers
from sightline.scoreboard.answer_list.read import select_answers
from sightline.scoreboard.answer_list.schemas import CHANGE_MEANING, ListedAnswer

_FILTERS = (
    Filter("check", "Only answers of this check, by its `scan_id`."),
    Filter(
        "against",
        "`scan_id` of a second check: only answers whose prompt and platform also have a valid "
        "answer in that check. `change` then compares with that check.",
    ),
    Filter(
        "checks",
        "`all`: answers of all checks instead of the latest answer of each prompt on each platform.",
        CHOICES["checks"],
    ),
    Filter(
        "sandbox",
        "`yes`: the made-up answers of all sandbox checks. Checks use the sandbox until the first platform is "
        "connected. After that, made-up answers are listed only if you send `sandbox`, `check` or `evidence`.",
        CHOICES["sandbox"],
    ),
    Filter("since", "Only checks that were completed on this day (UTC) or later, such as `2026-11-01`."),
    Filter("until", "Only checks that were completed on this day (UTC) or earlier."),
    Filter("platform", "Key of a platform."),
    Filter("country", "Country of the prompt, such as `DE`, or `global` for prompts without a country."),
    Filter("language", "Language of the prompt, such as `de`."),
    Filter("prompt", "Id of a prompt."),
    Filter("tag", "A tag that the prompt has now."),
    Filter("brand", "Whether the answer names the brand.", CHOICES["brand"]),
    Filter("competitor", "Name of a tracked competitor that the answer names."),
    Filter("without", "Name of a tracked competitor that the answer does not name."),
    Filter(
        "order",
        "Whether the answer ranks the brand ahead of the competitor in `competitor`, or behind it.",
        CHOICES["order"],
    ),
    Filter("rivals", "`named`: the answer names at least one tracked competitor.", CHOICES["rivals"]),
    Filter("site", "Domain of a site that the answer cites."),
    Filter("cited", "`yes`: the answer cites a page of the brand.", CHOICES["cited"]),
    Filter("sources", "`yes`: the answer shows sources.", CHOICES["sources"]),
    Filter(
        "sentiment",
        "How the answer speaks of the brand. Only answers of Full Checks have a sentiment.",
        CHOICES["sentiment"],
    ),
    Filter("unscored", f"Why an answer that names the brand has no sentiment. {UNSCORED_MEANING}", CHOICES["unscored"]),
    Filter("stance", f"How the answer presents the brand: {STANCE_MEANING}", CHOICES["stance"]),
    Filter("change", CHANGE_MEANING, CHOICES["change"]),
    Filter(
        "change_of",
        "`competitor`: `change` is about the competitor in the parameter `competitor`, not about the brand. `site`: "
        "`change` is about the site in the parameter `site`. Requires `change` and `against`.",
        CHOICES["change_of"],
    ),
    Filter(
        "sites",
        "Requires `check` and `against`, two consecutive Full Checks. `new`: send the later one as `check`. The "
        "list contains its answers that cite a new site. `lost`: send the earlier one as `check`. The list contains "
        "its answers that cite a lost site. `GET /domains/{domain_id}/changes` lists these sites by platform.",
        CHOICES["sites"],
    ),
    Filter(
        "counted",
        "`headline`: only answers that count in all headline figures. Answers to branded prompts are left out, unless "
        "every prompt is branded. `board`: the same, but with answers to branded prompts. In the list of the latest "
        "answers, both leave out prompts that the latest Full Check did not ask.",
        CHOICES["counted"],
    ),
    Filter(
        "status",
        "Status of the answers. By default, only answers with a text are listed. `no_surface`: the platform showed no "
        "AI answer. `failed`: no answer could be obtained. `not_failed`: answers with a text, and `no_surface`. `any`: "
        "all.",
        CHOICES["status"],
    ),
    Filter("fault", f"Kind of failure: {FAULT_KIND_MEANING} Use it with `status=failed`.", CHOICES["fault"]),
    Filter("model", "The model that answered, as in `provenance.model_served`."),
    Filter(
        "search", "A search that the platform made for the answer, as `GET /domains/{domain_id}/searches` lists it."
    ),
    Filter(
        "evidence",
        "Answers that support a finding: `alert:ID`, `theme:ID`, `opportunity:ID` or `recommendation:KEY`. "
        "A suffix selects some of these answers. `theme:ID:positive` (or `neutral`, `negative`) selects answers with "
        "this opinion. `opportunity:ID:best` selects answers that name its `best_rival`. `opportunity:ID:competitor:N` "
        "selects answers that name entry N of its `competitors` but not the brand. `opportunity:ID:source:N` and "
        "`opportunity:ID:page:N` select answers that cite entry N of its `sources` or `pages`. N starts at 0.",
    ),
    Filter("q", "Words that the answer contains. All of them must occur, in any inflected form."),
)


@RESOURCE.operation(
    "GET",
    "/domains/{domain_id}/answers",
    summary="List answers of a domain",
    sdk="answers.list",
    paged=True,
    filters=_FILTERS,
    verify_filter=require_value,
    data_api="read",
    problems=("domain_not_found", "scan_not_found", "not_found", "answers_expired", *SEALED_PROBLEMS),
)
async def list_answers(exchange: Exchange, domain_id: str) -> Page[ListedAnswer]:
    """List answers, newest check first, 50 per page, each with one sentence of its text.

    If you send none of `check`, `checks`, `sandbox`, `since`, `until` and `evidence`, the list contains the latest
    valid answer of each prompt on each platform.
    """
    db, workspace_id = exchange.db, exchange.actor.workspace_id
    domain = await read_tracked_domain(db, exchange.actor, parse_id(domain_id))
    wanted = AnswerFilter.from_query(exchange.filters)
    if wanted.check:
        require_answers(await read_tracked_scan(db, exchange.actor, parse_id(wanted.check)))
    paging = exchange.paging(f"data.domains.{domain.id}.answers")
    evidence = await read_evidence(db, workspace_id, domain.id, wanted.evidence)
    selection = await select_answers(db, workspace_id, domain, wanted, evidence)
    return paging.page(
        await list_selected_answers(
            db, exchange.app_context.sealed, selection, after=paging.after, page_size=paging.size
        )
    )

"""Schemas of recommendations in the Data API. Figures are rounded only here."""

import uuid
from datetime import datetime
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from sightline.insights.models import DismissedAction, ProvingAnswer, StoredRecommendation
from sightline.insights.recommendations.actions import Effort, describe_action
from sightline.insights.recommendations.done_actions import DoneAction
from sightline.insights.recommendations.effects import ActionEffect
from sightline.insights.recommendations.tasks import RecommendationTask
from sightline.kit.clock import Timestamp, to_iso
from sightline.kit.examples import CHECK_ANSWER_ID, CHECK_ID, CHECKED_PROMPT, CHECKED_PROMPT_ID, Example
from sightline.kit.rounding import round_half_away, round_half_away_or_none
from sightline.metrics.effect import EffectStatus, GroupShares
from sightline.metrics.recommendations import KIND_MEANING, ExpectedEffect, Kind
from sightline.presentation.effects import describe_effect

EDITED_MEANING = (
    "Whether a language model worded `action`, `why` and `steps`. It does so in the language of the workspace; "
    "requests in another language get sentences of Sightline."
)


class RecommendedPrompt(msgspec.Struct, frozen=True):
    """A prompt that a recommendation concerns."""

    id: Annotated[uuid.UUID, Meta(description="Id of the prompt.")]
    text: Annotated[str, Meta(description="Text of the prompt.")]


class EffectShares(msgspec.Struct, frozen=True):
    """How often the answers to a group of prompts named the brand, before and after `done_at`."""

    prompts: Annotated[int, Meta(description="Number of prompts that were compared.")]
    before_pct: Annotated[
        float, Meta(description="Share of answers that named the brand before `done_at`, in percent.")
    ]
    after_pct: Annotated[float, Meta(description="The same share after `done_at`.")]


class MeasuredEffect(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a completed action worked. Its prompts are compared with the other prompts."""

    status: Annotated[
        EffectStatus,
        Meta(
            description="`up` or `down`: an established effect. `no_clear_effect`: none is established. `too_early`: "
            "fewer than two Full Checks since `done_at`. `not_enough_history`: there are too few Full Checks before "
            "`done_at`, or too few prompts to compare. `summary` gives the reason."
        ),
    ]
    summary: Annotated[str, Meta(description="The result in words.")]
    points: Annotated[
        float | None,
        Meta(
            description="Rise in the share of answers that name the brand: the rise for the action's prompts minus the "
            "rise for the other prompts, in percentage points. Null if not measured."
        ),
    ]
    low: Annotated[float | None, Meta(description="Lower end of the 95% range of `points`.")]
    high: Annotated[float | None, Meta(description="Upper end of the range.")]
    is_final: Annotated[
        bool,
        Meta(
            description="Whether four Full Checks have completed since `done_at`. After that, the result does not "
            "change."
        ),
    ]
    concerned: Annotated[
        EffectShares | None, Meta(description="The prompts of the action. Null if nothing was measured.")
    ]
    others: Annotated[
        EffectShares | None, Meta(description="The prompts that the action's prompts were compared with.")
    ]
    baseline_checks: Annotated[
        tuple[uuid.UUID, ...],
        Meta(
            description="Full Checks before `done_at` that `later_checks` are compared with. `led_by_check` is not "
            "among them."
        ),
    ]
    led_by_check: Annotated[
        uuid.UUID | None,
        Meta(description="Full Check that led to the action. Null if there was none before `done_at`."),
    ]
    later_checks: Annotated[tuple[uuid.UUID, ...], Meta(description="The first four Full Checks since `done_at`.")]
    treated_prompts: Annotated[
        tuple[RecommendedPrompt, ...], Meta(description="Prompts that the action concerned when it was marked.")
    ]
    overlapping_actions: Annotated[
        int,
        Meta(
            description="Number of other actions that concern some of these prompts and were done between the compared "
            "checks."
        ),
    ]


class DoneInput(msgspec.Struct, frozen=True, omit_defaults=True):
    """When an action was done."""

    done_at: Annotated[
        Annotated[datetime, Meta(tz=True)] | None,
        Meta(
            description="When the action was done, with a time zone; not in the future. Null or omitted: now, or no "
            "change if the action is already marked."
        ),
    ] = None


class DoneRecommendation(msgspec.Struct, frozen=True, kw_only=True):
    """An action that somebody marked as done, as it was recommended then."""

    key: Annotated[str, Meta(description="Key of the action, the same in every Full Check that finds it again.")]
    kind: Annotated[Kind, Meta(description=KIND_MEANING)]
    action: Annotated[str, Meta(description="What to do, and where.")]
    edited: Annotated[bool, Meta(description="Whether a language model worded `action`.")]
    done_at: Annotated[Timestamp, Meta(description="When the action was done.")]
    done_by: Annotated[str, Meta(description="Name of the member who marked it, or whose key did.")]
    still_recommended: Annotated[bool, Meta(description="Whether the latest Full Check recommends it again.")]
    effect: Annotated[MeasuredEffect, Meta(description="What the action changed since it was done.")]


LONGEST_REASON = 500  # characters


class DismissInput(msgspec.Struct, frozen=True):
    """Why an action is dismissed."""

    reason: Annotated[
        Annotated[str, Meta(min_length=1, max_length=LONGEST_REASON)],
        Meta(description="Why nobody will do it, in your words."),
    ]


class DismissedRecommendation(msgspec.Struct, frozen=True, kw_only=True):
    """An action that somebody dismissed, as it was recommended then."""

    key: Annotated[str, Meta(description="Key of the action, the same in every Full Check that finds it again.")]
    kind: Annotated[Kind, Meta(description=KIND_MEANING)]
    action: Annotated[str, Meta(description="What to do, and where.")]
    edited: Annotated[bool, Meta(description="Whether a language model worded `action`.")]
    reason: Annotated[str, Meta(description="Why it was dismissed.")]
    dismissed_at: Annotated[Timestamp, Meta(description="When it was dismissed.")]
    dismissed_by: Annotated[str, Meta(description="Name of the member who dismissed it, or whose key did.")]


class RestoredRecommendation(msgspec.Struct, frozen=True):
    """Confirmation that an action is no longer dismissed."""

    key: Annotated[str, Meta(description="Key of the action.")]
    dismissed: Annotated[bool, Meta(description="Always false.")]


class ReopenedRecommendation(msgspec.Struct, frozen=True):
    """Confirmation that an action is no longer marked as done."""

    key: Annotated[str, Meta(description="Key of the action.")]
    done: Annotated[bool, Meta(description="Always false.")]


class Recommendation(msgspec.Struct, frozen=True, kw_only=True):
    """One action to take after a Full Check, and the answers that support it."""

    id: Annotated[uuid.UUID, Meta(description="Id of the recommendation. Each Full Check gives new ids.")]
    key: Annotated[str, Meta(description="Key of the action, the same in every Full Check that finds it again.")]
    scan_id: Annotated[uuid.UUID, Meta(description="Full Check that the recommendation is based on.")]
    rank: Annotated[int, Meta(description="Place by the expected effect. 1 has the largest effect.")]
    kind: Annotated[Kind, Meta(description=KIND_MEANING)]
    action: Annotated[str, Meta(description="What to do, and where.")]
    why: Annotated[str, Meta(description="What the answers show, with counts.")]
    steps: Annotated[tuple[str, ...], Meta(description="How to do it, in three steps.")]
    edited: Annotated[bool, Meta(description=EDITED_MEANING)]
    effort: Annotated[Effort | None, Meta(description="`low`, `medium` or `high`. Null for `nothing_significant`.")]
    expected: Annotated[
        ExpectedEffect | None,
        Meta(
            description="Estimated number of answers that the action could change. They are counted among the answers "
            "of one Full Check. For `win_back`, they are counted, for each prompt, among the answers of the last two "
            "checks (Full or Daily) that asked it. `expected_summary` says how the answers could change. Null for "
            "`nothing_significant`, or if the effect is not estimated yet."
        ),
    ]
    expected_summary: Annotated[str, Meta(description="The expected effect in words. Empty if `expected` is null.")]
    state: Annotated[
        Literal["open", "done"], Meta(description="`done` if somebody marked the action as done, otherwise `open`.")
    ]
    done_at: Annotated[Timestamp | None, Meta(description="When the action was done. Null if it is open.")]
    effect: Annotated[
        MeasuredEffect | None, Meta(description="What the action changed since it was done. Null if it is open.")
    ]
    subject: Annotated[
        str | None,
        Meta(
            description="Subject of the action. `get_listed` and `keep`: a page or a site. `answer_question`: a kind "
            "of page. `fix_claim`: the criticized aspect. `correct_fact`: what is stated. `open_door`: a platform. "
            "`mend_page`: a page. `admit_agent`: "
            "an agent. `win_back`: the date when an answer to the prompts of the action last named the brand. "
            "`move_up`: a competitor. `earn_praise`: a "
            "property. Null for `nothing_significant`."
        ),
    ]
    site: Annotated[
        str | None, Meta(description="Site to act on: the brand's own or another one. Null if there is none.")
    ]
    page: Annotated[str | None, Meta(description="Page to act on. Null if the action concerns several pages or none.")]
    pages: Annotated[
        tuple[str, ...],
        Meta(
            description="Pages that the recommendation is based on, most cited first. Each page belongs to one "
            "recommendation only."
        ),
    ]
    rivals: Annotated[
        tuple[str, ...], Meta(description="Competitors that the answers name or cite, most often named first.")
    ]
    platforms: Annotated[tuple[str, ...], Meta(description="Platforms of the answers.")]
    quotes: Annotated[
        tuple[str, ...],
        Meta(
            description="Sentences of answers that criticize the brand, or state something wrong of it."
            " Only for `fix_claim` and `correct_fact`."
        ),
    ]
    prompts: Annotated[tuple[RecommendedPrompt, ...], Meta(description="Prompts that the action concerns.")]
    prompt_id: Annotated[uuid.UUID | None, Meta(description="Id of the first of these prompts. Null if there is none.")]
    prompt: Annotated[str | None, Meta(description="Text of the first of these prompts.")]
    answer_ids: Annotated[tuple[uuid.UUID, ...], Meta(description="Answers that support the recommendation.")]
    answers: Annotated[
        tuple[ProvingAnswer, ...],
        Meta(description="The same answers, each with its check. Some of them may belong to earlier checks."),
    ]


_decode_stored = msgspec.json.Decoder(StoredRecommendation).decode


def to_recommendation(task: RecommendationTask, brand: str, effect: ActionEffect | None = None) -> Recommendation:
    found = task.found
    texts = describe_action(found, len(found.proofs), brand)
    prompts = tuple(RecommendedPrompt(uuid.UUID(prompt.id), prompt.text) for prompt in found.prompts)
    pages = tuple(page.url for page in found.pages)
    return Recommendation(
        id=task.id,
        key=task.key,
        scan_id=task.scan_id,
        rank=task.rank,
        kind=found.kind,
        action=texts.action,
        why=texts.why,
        steps=texts.steps,
        edited=texts.edited,
        effort=texts.effort,
        expected=None if found.expected is None else _round_expected(found.expected),
        expected_summary=texts.effect,
        state="open" if task.done is None else "done",
        done_at=None if task.done is None else to_iso(task.done.done_at),
        effect=None if effect is None else to_measured_effect(effect),
        subject=found.subject,
        site=found.site,
        page=pages[0] if pages == (found.subject,) else None,
        pages=pages,
        rivals=found.rivals,
        platforms=found.platforms,
        quotes=tuple(quote.text for quote in found.quotes),
        prompts=prompts,
        prompt_id=prompts[0].id if prompts else None,
        prompt=prompts[0].text if prompts else None,
        answer_ids=tuple(proof.answer_id for proof in found.proofs),
        answers=found.proofs,
    )


def to_done_recommendation(done: DoneAction, brand: str) -> DoneRecommendation:
    texts = describe_action(done.found, len(done.found.proofs), brand)
    return DoneRecommendation(
        key=done.mark.subject,
        kind=done.found.kind,
        action=texts.action,
        edited=texts.edited,
        done_at=to_iso(done.mark.done_at),
        done_by=done.mark.done_by,
        still_recommended=done.still_recommended,
        effect=to_measured_effect(done.effect),
    )


def to_dismissed_recommendation(row: DismissedAction, brand: str) -> DismissedRecommendation:
    found = _decode_stored(row.recommendation)
    texts = describe_action(found, len(found.proofs), brand)
    return DismissedRecommendation(
        key=row.subject,
        kind=found.kind,
        action=texts.action,
        edited=texts.edited,
        reason=row.reason,
        dismissed_at=to_iso(row.dismissed_at),
        dismissed_by=row.dismissed_by,
    )


def to_measured_effect(found: ActionEffect) -> MeasuredEffect:
    effect, checks = found.effect, found.checks
    return MeasuredEffect(
        status=effect.status,
        summary=describe_effect(effect, checks, done_at=found.mark.done_at, overlapping=found.overlapping),
        points=round_half_away_or_none(effect.points),
        low=None if effect.interval is None else round_half_away(effect.interval.low),
        high=None if effect.interval is None else round_half_away(effect.interval.high),
        is_final=effect.is_final,
        concerned=_round_shares(effect.treated),
        others=_round_shares(effect.others),
        baseline_checks=checks.baseline,
        led_by_check=checks.led_by,
        later_checks=checks.later,
        treated_prompts=tuple(RecommendedPrompt(prompt.id, prompt.text) for prompt in found.prompts),
        overlapping_actions=found.overlapping,
    )


def _round_shares(shares: GroupShares | None) -> EffectShares | None:
    if shares is None:
        return None
    return EffectShares(len(shares.prompts), round_half_away(shares.before), round_half_away(shares.after))


def _round_expected(expected: ExpectedEffect) -> ExpectedEffect:
    return ExpectedEffect(*(round_half_away(value) for value in (expected.answers, expected.low, expected.high)))


# Examples

_KEY = "get_listed-2c1f6d0b7a9e4c538f0d1b6a7e92c4d5"
PATH_IDS = {"data": {"recommendation_key": _KEY}}
_RECOMMENDATION = Recommendation(
    id=uuid.UUID("01990f71-41b5-7e72-9a08-5c63d0f8b29e"),
    key=_KEY,
    scan_id=CHECK_ID,
    rank=1,
    kind="get_listed",
    action="Get Acme into \u201cThe 9 best anvils for small forges\u201d on Forge Review",
    edited=False,
    why="9 answers to 4 prompts on 2 platforms cite it and name other brands, most often Globex and Initech, but not "
    "Acme.",
    steps=(
        "Read the page as its editor would. Note what it compares, at which prices, how it tests, and when it was last "  # noqa: ISC004
        "updated.",
        "Write to its author with one reason why Acme belongs next to Globex and Initech, the figures that the page "  # noqa: ISC004
        "compares, and a sample or a test account.",
        "Ask for a place in the next update of this page, not for a separate article: answers cite this page.",
    ),
    effort="medium",
    expected=ExpectedEffect(4.4, 2.1, 6.6),
    expected_summary="About 4 answers (2 to 7) could start to name Acme.",
    state="open",
    done_at=None,
    effect=None,
    subject="forgereview.com/best-anvils-small-forge",
    site="forgereview.com",
    page="forgereview.com/best-anvils-small-forge",
    pages=("forgereview.com/best-anvils-small-forge",),
    rivals=("Globex", "Initech"),
    platforms=("chatgpt", "perplexity"),
    quotes=(),
    prompts=(RecommendedPrompt(CHECKED_PROMPT_ID, CHECKED_PROMPT),),
    prompt_id=CHECKED_PROMPT_ID,
    prompt=CHECKED_PROMPT,
    answer_ids=(CHECK_ANSWER_ID,),
    answers=(ProvingAnswer(CHECK_ID, CHECK_ANSWER_ID),),
)
_DONE = DoneRecommendation(
    key=_KEY,
    kind="get_listed",
    action="Get Acme into \u201cThe 9 best anvils for small forges\u201d on Forge Review",
    edited=False,
    done_at="2026-11-15T00:00:00.000000+00:00",
    done_by="Ada Smith",
    still_recommended=False,
    effect=MeasuredEffect(
        status="up",
        summary="Up by 12 points (3 to 21) compared with the other prompts. This result is from "
        "2 Full Checks. The final result follows after 4.",
        points=12.4,
        low=3.2,
        high=20.6,
        is_final=False,
        concerned=EffectShares(4, 10.4, 25.0),
        others=EffectShares(36, 31.2, 33.4),
        baseline_checks=(
            uuid.UUID("0198eb64-51c2-7e6f-a3d8-47b0c95e1f28"),
            uuid.UUID("0198fd6a-51c2-7e6f-a3d8-47b0c95e1f28"),
        ),
        led_by_check=CHECK_ID,
        later_checks=(
            uuid.UUID("01993376-51c2-7e6f-a3d8-47b0c95e1f28"),
            uuid.UUID("0199577c-51c2-7e6f-a3d8-47b0c95e1f28"),
        ),
        treated_prompts=(RecommendedPrompt(CHECKED_PROMPT_ID, CHECKED_PROMPT),),
        overlapping_actions=0,
    ),
)

_DISMISSED = DismissedRecommendation(
    key=_KEY,
    kind="get_listed",
    action="Get listed on g2.com/categories/anvils",
    edited=False,
    reason="We do not sell there.",
    dismissed_at="2026-11-15T09:12:44.031870+00:00",
    dismissed_by="Acme Owner",
)
EXAMPLES = {
    "list_dismissed_recommendations": Example([_DISMISSED]),
    "dismiss_recommendation": Example(_DISMISSED, {"reason": "We do not sell there."}),
    "restore_recommendation": Example(RestoredRecommendation(_KEY, dismissed=False)),
    "list_recommendations": Example([_RECOMMENDATION]),
    "list_done_recommendations": Example([_DONE]),
    "mark_recommendation_done": Example(_DONE, {"done_at": "2026-11-15T00:00:00+00:00"}),
    "reopen_recommendation": Example(ReopenedRecommendation(_KEY, done=False)),
}

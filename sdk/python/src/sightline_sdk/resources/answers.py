"""Answers of a tracked domain over all its checks.

Generated from the operations of the server by `make sdk`: do not edit.
"""

from __future__ import annotations

from typing import Literal

from sightline_sdk._calls import build_call, to_segment
from sightline_sdk._models import OneOf
from sightline_sdk._pages import AsyncPagedList, PagedList
from sightline_sdk._resource import AsyncResource, Resource
from sightline_sdk.models import ListedAnswer


class AnswersResource(Resource):
    """Answers of a tracked domain over all its checks (Data API)."""

    def list(
        self,
        domain_id: str,
        *,
        check: str | None = None,
        against: str | None = None,
        checks: OneOf[Literal["all"]] | None = None,
        sandbox: OneOf[Literal["yes"]] | None = None,
        since: str | None = None,
        until: str | None = None,
        platform: str | None = None,
        country: str | None = None,
        language: str | None = None,
        prompt: str | None = None,
        tag: str | None = None,
        brand: OneOf[Literal["named", "absent"]] | None = None,
        competitor: str | None = None,
        without: str | None = None,
        order: OneOf[Literal["ahead", "behind"]] | None = None,
        rivals: OneOf[Literal["named"]] | None = None,
        site: str | None = None,
        cited: OneOf[Literal["yes"]] | None = None,
        sources: OneOf[Literal["yes"]] | None = None,
        sentiment: OneOf[Literal["positive", "neutral", "negative", "scored", "unscored"]] | None = None,
        unscored: OneOf[Literal["language", "doubt", "no_opinion"]] | None = None,
        stance: OneOf[Literal["neutral", "contrast", "discouraged", "unknown"]] | None = None,
        change: OneOf[Literal["gained", "lost"]] | None = None,
        change_of: OneOf[Literal["competitor", "site"]] | None = None,
        sites: OneOf[Literal["new", "lost"]] | None = None,
        counted: OneOf[Literal["headline", "board"]] | None = None,
        status: OneOf[Literal["failed", "no_surface", "not_failed", "any"]] | None = None,
        fault: OneOf[
            Literal[
                "rate_limited", "unavailable", "timeout", "malformed", "blank", "no_money", "unauthorised", "rejected"
            ]
        ]
        | None = None,
        model: str | None = None,
        search: str | None = None,
        evidence: str | None = None,
        q: str | None = None,
        cursor: str | None = None,
    ) -> PagedList[ListedAnswer]:
        """List answers, newest check first, 50 per page, each with one sentence of its text.

        If you send none of `check`, `checks`, `sandbox`, `since`, `until` and `evidence`, the list contains the
        latest valid answer of each prompt on each platform.

        Args:
            domain_id: Id of the domain.
            check: Only answers of this check, by its `scan_id`.
            against: `scan_id` of a second check: only answers whose prompt and platform also have a valid
                answer in that check. `change` then compares with that check.
            checks: `all`: answers of all checks instead of the latest answer of each prompt on each platform.
            sandbox: `yes`: the made-up answers of all sandbox checks. Checks use the sandbox until the first
                platform is connected. After that, made-up answers are listed only if you send `sandbox`,
                `check` or `evidence`.
            since: Only checks that were completed on this day (UTC) or later, such as `2026-11-01`.
            until: Only checks that were completed on this day (UTC) or earlier.
            platform: Key of a platform.
            country: Country of the prompt, such as `DE`, or `global` for prompts without a country.
            language: Language of the prompt, such as `de`.
            prompt: Id of a prompt.
            tag: A tag that the prompt has now.
            brand: Whether the answer names the brand.
            competitor: Name of a tracked competitor that the answer names.
            without: Name of a tracked competitor that the answer does not name.
            order: Whether the answer ranks the brand ahead of the competitor in `competitor`, or behind it.
            rivals: `named`: the answer names at least one tracked competitor.
            site: Domain of a site that the answer cites.
            cited: `yes`: the answer cites a page of the brand.
            sources: `yes`: the answer shows sources.
            sentiment: How the answer speaks of the brand. Only answers of Full Checks have a sentiment.
            unscored: Why an answer that names the brand has no sentiment. `language`: no scorer supports the
                language of the answer. `doubt`: the scorer is not sure enough. `no_opinion`: the brand is named
                only in passing.
            stance: How the answer presents the brand: `contrast` (others are contrasted with the brand, as in
                "unlike Acme" or "better than Acme"), `discouraged` (the answer advises against the brand),
                `unknown` (the answer only says that it does not know the brand) or `neutral` (any other
                mention, including praise).
            change: `gained`: the answer names the brand, and the answer to the same prompt on the same platform
                in the previous check did not. `lost`: the reverse.
            change_of: `competitor`: `change` is about the competitor in the parameter `competitor`, not about
                the brand. `site`: `change` is about the site in the parameter `site`. Requires `change` and
                `against`.
            sites: Requires `check` and `against`, two consecutive Full Checks. `new`: send the later one as
                `check`. The list contains its answers that cite a new site. `lost`: send the earlier one as
                `check`. The list contains its answers that cite a lost site. `GET /domains/{domain_id}/changes`
                lists these sites by platform.
            counted: `headline`: only answers that count in all headline figures. Answers to branded prompts are
                left out, unless every prompt is branded. `board`: the same, but with answers to branded
                prompts. In the list of the latest answers, both leave out prompts that the latest Full Check
                did not ask.
            status: Status of the answers. By default, only answers with a text are listed. `no_surface`: the
                platform showed no AI answer. `failed`: no answer could be obtained. `not_failed`: answers with
                a text, and `no_surface`. `any`: all.
            fault: Kind of failure: `rate_limited` (too many requests to the platform), `unavailable` (the
                platform or the connection failed), `timeout`, `malformed` (the reply cannot be parsed), `blank`
                (the answer has fewer than 20 characters), `no_money` (the operator's balance with the platform
                is used up), `unauthorised` (the platform does not accept the operator's credentials) or
                `rejected` (the platform refuses this request). Use it with `status=failed`.
            model: The model that answered, as in `provenance.model_served`.
            search: A search that the platform made for the answer, as `GET /domains/{domain_id}/searches` lists
                it.
            evidence: Answers that support a finding: `alert:ID`, `theme:ID`, `opportunity:ID` or
                `recommendation:KEY`. A suffix selects some of these answers. `theme:ID:positive` (or `neutral`,
                `negative`) selects answers with this opinion. `opportunity:ID:best` selects answers that name
                its `best_rival`. `opportunity:ID:competitor:N` selects answers that name entry N of its
                `competitors` but not the brand. `opportunity:ID:source:N` and `opportunity:ID:page:N` select
                answers that cite entry N of its `sources` or `pages`. N starts at 0.
            q: Words that the answer contains. All of them must occur, in any inflected form.
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
        """
        call = build_call(
            "data",
            "GET",
            f"/domains/{to_segment(domain_id)}/answers",
            query={
                "check": check,
                "against": against,
                "checks": checks,
                "sandbox": sandbox,
                "since": since,
                "until": until,
                "platform": platform,
                "country": country,
                "language": language,
                "prompt": prompt,
                "tag": tag,
                "brand": brand,
                "competitor": competitor,
                "without": without,
                "order": order,
                "rivals": rivals,
                "site": site,
                "cited": cited,
                "sources": sources,
                "sentiment": sentiment,
                "unscored": unscored,
                "stance": stance,
                "change": change,
                "change_of": change_of,
                "sites": sites,
                "counted": counted,
                "status": status,
                "fault": fault,
                "model": model,
                "search": search,
                "evidence": evidence,
                "q": q,
                "cursor": cursor,
            },
        )
        return PagedList(self._transport, call, ListedAnswer)


class AsyncAnswersResource(AsyncResource):
    """Answers of a tracked domain over all its checks (Data API)."""

    def list(
        self,
        domain_id: str,
        *,
        check: str | None = None,
        against: str | None = None,
        checks: OneOf[Literal["all"]] | None = None,
        sandbox: OneOf[Literal["yes"]] | None = None,
        since: str | None = None,
        until: str | None = None,
        platform: str | None = None,
        country: str | None = None,
        language: str | None = None,
        prompt: str | None = None,
        tag: str | None = None,
        brand: OneOf[Literal["named", "absent"]] | None = None,
        competitor: str | None = None,
        without: str | None = None,
        order: OneOf[Literal["ahead", "behind"]] | None = None,
        rivals: OneOf[Literal["named"]] | None = None,
        site: str | None = None,
        cited: OneOf[Literal["yes"]] | None = None,
        sources: OneOf[Literal["yes"]] | None = None,
        sentiment: OneOf[Literal["positive", "neutral", "negative", "scored", "unscored"]] | None = None,
        unscored: OneOf[Literal["language", "doubt", "no_opinion"]] | None = None,
        stance: OneOf[Literal["neutral", "contrast", "discouraged", "unknown"]] | None = None,
        change: OneOf[Literal["gained", "lost"]] | None = None,
        change_of: OneOf[Literal["competitor", "site"]] | None = None,
        sites: OneOf[Literal["new", "lost"]] | None = None,
        counted: OneOf[Literal["headline", "board"]] | None = None,
        status: OneOf[Literal["failed", "no_surface", "not_failed", "any"]] | None = None,
        fault: OneOf[
            Literal[
                "rate_limited", "unavailable", "timeout", "malformed", "blank", "no_money", "unauthorised", "rejected"
            ]
        ]
        | None = None,
        model: str | None = None,
        search: str | None = None,
        evidence: str | None = None,
        q: str | None = None,
        cursor: str | None = None,
    ) -> AsyncPagedList[ListedAnswer]:
        """List answers, newest check first, 50 per page, each with one sentence of its text.

        If you send none of `check`, `checks`, `sandbox`, `since`, `until` and `evidence`, the list contains the
        latest valid answer of each prompt on each platform.

        Args:
            domain_id: Id of the domain.
            check: Only answers of this check, by its `scan_id`.
            against: `scan_id` of a second check: only answers whose prompt and platform also have a valid
                answer in that check. `change` then compares with that check.
            checks: `all`: answers of all checks instead of the latest answer of each prompt on each platform.
            sandbox: `yes`: the made-up answers of all sandbox checks. Checks use the sandbox until the first
                platform is connected. After that, made-up answers are listed only if you send `sandbox`,
                `check` or `evidence`.
            since: Only checks that were completed on this day (UTC) or later, such as `2026-11-01`.
            until: Only checks that were completed on this day (UTC) or earlier.
            platform: Key of a platform.
            country: Country of the prompt, such as `DE`, or `global` for prompts without a country.
            language: Language of the prompt, such as `de`.
            prompt: Id of a prompt.
            tag: A tag that the prompt has now.
            brand: Whether the answer names the brand.
            competitor: Name of a tracked competitor that the answer names.
            without: Name of a tracked competitor that the answer does not name.
            order: Whether the answer ranks the brand ahead of the competitor in `competitor`, or behind it.
            rivals: `named`: the answer names at least one tracked competitor.
            site: Domain of a site that the answer cites.
            cited: `yes`: the answer cites a page of the brand.
            sources: `yes`: the answer shows sources.
            sentiment: How the answer speaks of the brand. Only answers of Full Checks have a sentiment.
            unscored: Why an answer that names the brand has no sentiment. `language`: no scorer supports the
                language of the answer. `doubt`: the scorer is not sure enough. `no_opinion`: the brand is named
                only in passing.
            stance: How the answer presents the brand: `contrast` (others are contrasted with the brand, as in
                "unlike Acme" or "better than Acme"), `discouraged` (the answer advises against the brand),
                `unknown` (the answer only says that it does not know the brand) or `neutral` (any other
                mention, including praise).
            change: `gained`: the answer names the brand, and the answer to the same prompt on the same platform
                in the previous check did not. `lost`: the reverse.
            change_of: `competitor`: `change` is about the competitor in the parameter `competitor`, not about
                the brand. `site`: `change` is about the site in the parameter `site`. Requires `change` and
                `against`.
            sites: Requires `check` and `against`, two consecutive Full Checks. `new`: send the later one as
                `check`. The list contains its answers that cite a new site. `lost`: send the earlier one as
                `check`. The list contains its answers that cite a lost site. `GET /domains/{domain_id}/changes`
                lists these sites by platform.
            counted: `headline`: only answers that count in all headline figures. Answers to branded prompts are
                left out, unless every prompt is branded. `board`: the same, but with answers to branded
                prompts. In the list of the latest answers, both leave out prompts that the latest Full Check
                did not ask.
            status: Status of the answers. By default, only answers with a text are listed. `no_surface`: the
                platform showed no AI answer. `failed`: no answer could be obtained. `not_failed`: answers with
                a text, and `no_surface`. `any`: all.
            fault: Kind of failure: `rate_limited` (too many requests to the platform), `unavailable` (the
                platform or the connection failed), `timeout`, `malformed` (the reply cannot be parsed), `blank`
                (the answer has fewer than 20 characters), `no_money` (the operator's balance with the platform
                is used up), `unauthorised` (the platform does not accept the operator's credentials) or
                `rejected` (the platform refuses this request). Use it with `status=failed`.
            model: The model that answered, as in `provenance.model_served`.
            search: A search that the platform made for the answer, as `GET /domains/{domain_id}/searches` lists
                it.
            evidence: Answers that support a finding: `alert:ID`, `theme:ID`, `opportunity:ID` or
                `recommendation:KEY`. A suffix selects some of these answers. `theme:ID:positive` (or `neutral`,
                `negative`) selects answers with this opinion. `opportunity:ID:best` selects answers that name
                its `best_rival`. `opportunity:ID:competitor:N` selects answers that name entry N of its
                `competitors` but not the brand. `opportunity:ID:source:N` and `opportunity:ID:page:N` select
                answers that cite entry N of its `sources` or `pages`. N starts at 0.
            q: Words that the answer contains. All of them must occur, in any inflected form.
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
        """
        call = build_call(
            "data",
            "GET",
            f"/domains/{to_segment(domain_id)}/answers",
            query={
                "check": check,
                "against": against,
                "checks": checks,
                "sandbox": sandbox,
                "since": since,
                "until": until,
                "platform": platform,
                "country": country,
                "language": language,
                "prompt": prompt,
                "tag": tag,
                "brand": brand,
                "competitor": competitor,
                "without": without,
                "order": order,
                "rivals": rivals,
                "site": site,
                "cited": cited,
                "sources": sources,
                "sentiment": sentiment,
                "unscored": unscored,
                "stance": stance,
                "change": change,
                "change_of": change_of,
                "sites": sites,
                "counted": counted,
                "status": status,
                "fault": fault,
                "model": model,
                "search": search,
                "evidence": evidence,
                "q": q,
                "cursor": cursor,
            },
        )
        return AsyncPagedList(self._transport, call, ListedAnswer)

"""Prompts of a tracked domain.

Generated from the operations of the server by `make sdk`: do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET, UnsetType

from sightline_sdk._calls import build_call, omit_none, to_segment
from sightline_sdk._pages import AsyncPagedList, PagedList
from sightline_sdk._resource import AsyncResource, Resource
from sightline_sdk.models import (
    ImportedPromptInput,
    Prompt,
    PromptImport,
    PromptSourceChanges,
    PromptSpotChecks,
    PromptSuggestion,
    PromptTags,
    Removed,
)


class PromptsResource(Resource):
    """Prompts of a tracked domain (Data API)."""

    def list(self, domain_id: str, *, cursor: str | None = None) -> PagedList[Prompt]:
        """List active prompts, pinned ones first, then most recently added, 50 per page.

        Args:
            domain_id: Id of the domain.
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
        """
        call = build_call("data", "GET", f"/domains/{to_segment(domain_id)}/prompts", query={"cursor": cursor})
        return PagedList(self._transport, call, Prompt)

    def spot_checks(self, domain_id: str, prompt_id: str) -> PromptSpotChecks:
        """Return, for each platform, the chance that one answer to the prompt names the brand.

        The chance is measured over all checks of the last 90 days that asked the prompt. For a platform that
        was asked fewer than five times, `value` is null, and `summary` says so. A removed prompt keeps its
        history.

        Args:
            domain_id: Id of the domain.
            prompt_id: Id of the prompt.
        """
        call = build_call(
            "data", "GET", f"/domains/{to_segment(domain_id)}/prompts/{to_segment(prompt_id)}/spot-checks"
        )
        return self._transport.fetch(call, PromptSpotChecks)

    def source_changes(self, domain_id: str, prompt_id: str) -> PromptSourceChanges:
        """Return the sites that each platform began to cite or stopped citing for the prompt in the last 30 days.

        Several answers have to agree before a site counts as new or lost. A removed prompt keeps its history.

        Args:
            domain_id: Id of the domain.
            prompt_id: Id of the prompt.
        """
        call = build_call(
            "data", "GET", f"/domains/{to_segment(domain_id)}/prompts/{to_segment(prompt_id)}/source-changes"
        )
        return self._transport.fetch(call, PromptSourceChanges)

    def suggestions(self, domain_id: str, *, cursor: str | None = None) -> PagedList[PromptSuggestion]:
        """List open suggestions, best first, each with its origin.

        Members accept or dismiss them in the app.

        Args:
            domain_id: Id of the domain.
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
        """
        call = build_call(
            "data", "GET", f"/domains/{to_segment(domain_id)}/prompt-suggestions", query={"cursor": cursor}
        )
        return PagedList(self._transport, call, PromptSuggestion)

    def add(
        self,
        domain_id: str,
        *,
        prompt: str,
        language_code: str | None = None,
        country_iso_2: str | None = None,
        existing_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> Prompt:
        """Add a prompt and pin it.

        A prompt is identified by its text, country and language. A new prompt counts toward the prompt limit of
        the workspace. A prompt that the domain tracks, or tracked before, becomes active and pinned under its
        existing id, even if the prompt limit is reached. If the prompt is already pinned, nothing changes.

        Args:
            domain_id: Id of the domain.
            prompt: Text of 2 to 500 characters after trimming. Prompts are compared after Unicode NFKC
                normalization, ignoring case and white space.
            language_code: ISO 639-1 code. Required for a new prompt. With `existing_id` it is optional, and
                must match the language of that prompt.
            country_iso_2: ISO 3166-1 alpha-2 code. Null or omitted means Global. With `existing_id` the country
                of that prompt stays.
            existing_id: Id of a prompt of this domain to pin, sent together with its text. The prompt keeps its
                country and language.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data",
            "POST",
            f"/domains/{to_segment(domain_id)}/prompts",
            body={
                "prompt": prompt,
                "language_code": omit_none(language_code),
                "country_iso_2": omit_none(country_iso_2),
                "existing_id": omit_none(existing_id),
            },
            idempotency_key=idempotency_key,
        )
        return self._transport.fetch(call, Prompt)

    def unpin(self, domain_id: str, prompt_id: str, *, idempotency_key: str | None = None) -> Prompt:
        """Unpin a prompt.

        It stays tracked. If the prompt is not pinned, nothing changes. Returns 404 if the prompt is not active
        or belongs to another domain.

        Args:
            domain_id: Id of the domain.
            prompt_id: Id of the prompt.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data",
            "POST",
            f"/domains/{to_segment(domain_id)}/prompts/{to_segment(prompt_id)}/unpin",
            idempotency_key=idempotency_key,
        )
        return self._transport.fetch(call, Prompt)

    def remove(self, domain_id: str, prompt_id: str, *, idempotency_key: str | None = None) -> Removed:
        """Remove a prompt from the list and from the current figures.

        Checks no longer ask the prompt, and it no longer counts toward the limits of prompts and pins. Past
        results remain in the history. Returns 404 if the prompt is not active or belongs to another domain.

        Args:
            domain_id: Id of the domain.
            prompt_id: Id of the prompt.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data",
            "DELETE",
            f"/domains/{to_segment(domain_id)}/prompts/{to_segment(prompt_id)}",
            idempotency_key=idempotency_key,
        )
        return self._transport.fetch(call, Removed)

    def import_many(
        self, domain_id: str, *, prompts: Sequence[ImportedPromptInput], idempotency_key: str | None = None
    ) -> PromptImport:
        """Add up to 500 prompts, optionally with tags and pins.

        If one prompt is refused, none is saved. A prompt that the domain tracks, or tracked before, becomes
        active and gets the tags, even if the prompt limit is reached. An import never unpins a prompt or
        removes a tag. Repeating an import changes nothing.

        Args:
            domain_id: Id of the domain.
            prompts: Prompts in any order.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data",
            "POST",
            f"/domains/{to_segment(domain_id)}/prompt-imports",
            body={"prompts": prompts},
            idempotency_key=idempotency_key,
        )
        return self._transport.fetch(call, PromptImport)

    def tags(self, domain_id: str) -> PromptTags:
        """Return every tag with the figures of its prompts, from the latest valid answers.

        Each figure has its own number of answers and its own range. A tag whose prompts were not measured has
        null values.

        Args:
            domain_id: Id of the domain.
        """
        call = build_call("data", "GET", f"/domains/{to_segment(domain_id)}/prompt-tags")
        return self._transport.fetch(call, PromptTags)

    def change_tags(
        self,
        domain_id: str,
        *,
        prompt_ids: Sequence[str],
        add: Sequence[str] | UnsetType = UNSET,
        remove: Sequence[str] | UnsetType = UNSET,
        idempotency_key: str | None = None,
    ) -> PromptTags:
        """Add tags to prompts, and remove tags from them.

        If one prompt is refused, nothing changes. Returns all tags of the domain, or 404 if a prompt is not
        active or belongs to another domain.

        Args:
            domain_id: Id of the domain.
            prompt_ids: Ids of active prompts of the domain.
            add: Tags to add. A tag has 1 to 40 characters, must not contain commas or semicolons, and is stored
                in lower case. A prompt can have at most 10 tags.
            remove: Tags to remove.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data",
            "POST",
            f"/domains/{to_segment(domain_id)}/prompt-tags",
            body={"prompt_ids": prompt_ids, "add": add, "remove": remove},
            idempotency_key=idempotency_key,
        )
        return self._transport.fetch(call, PromptTags)


class AsyncPromptsResource(AsyncResource):
    """Prompts of a tracked domain (Data API)."""

    def list(self, domain_id: str, *, cursor: str | None = None) -> AsyncPagedList[Prompt]:
        """List active prompts, pinned ones first, then most recently added, 50 per page.

        Args:
            domain_id: Id of the domain.
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
        """
        call = build_call("data", "GET", f"/domains/{to_segment(domain_id)}/prompts", query={"cursor": cursor})
        return AsyncPagedList(self._transport, call, Prompt)

    async def spot_checks(self, domain_id: str, prompt_id: str) -> PromptSpotChecks:
        """Return, for each platform, the chance that one answer to the prompt names the brand.

        The chance is measured over all checks of the last 90 days that asked the prompt. For a platform that
        was asked fewer than five times, `value` is null, and `summary` says so. A removed prompt keeps its
        history.

        Args:
            domain_id: Id of the domain.
            prompt_id: Id of the prompt.
        """
        call = build_call(
            "data", "GET", f"/domains/{to_segment(domain_id)}/prompts/{to_segment(prompt_id)}/spot-checks"
        )
        return await self._transport.fetch(call, PromptSpotChecks)

    async def source_changes(self, domain_id: str, prompt_id: str) -> PromptSourceChanges:
        """Return the sites that each platform began to cite or stopped citing for the prompt in the last 30 days.

        Several answers have to agree before a site counts as new or lost. A removed prompt keeps its history.

        Args:
            domain_id: Id of the domain.
            prompt_id: Id of the prompt.
        """
        call = build_call(
            "data", "GET", f"/domains/{to_segment(domain_id)}/prompts/{to_segment(prompt_id)}/source-changes"
        )
        return await self._transport.fetch(call, PromptSourceChanges)

    def suggestions(self, domain_id: str, *, cursor: str | None = None) -> AsyncPagedList[PromptSuggestion]:
        """List open suggestions, best first, each with its origin.

        Members accept or dismiss them in the app.

        Args:
            domain_id: Id of the domain.
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
        """
        call = build_call(
            "data", "GET", f"/domains/{to_segment(domain_id)}/prompt-suggestions", query={"cursor": cursor}
        )
        return AsyncPagedList(self._transport, call, PromptSuggestion)

    async def add(
        self,
        domain_id: str,
        *,
        prompt: str,
        language_code: str | None = None,
        country_iso_2: str | None = None,
        existing_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> Prompt:
        """Add a prompt and pin it.

        A prompt is identified by its text, country and language. A new prompt counts toward the prompt limit of
        the workspace. A prompt that the domain tracks, or tracked before, becomes active and pinned under its
        existing id, even if the prompt limit is reached. If the prompt is already pinned, nothing changes.

        Args:
            domain_id: Id of the domain.
            prompt: Text of 2 to 500 characters after trimming. Prompts are compared after Unicode NFKC
                normalization, ignoring case and white space.
            language_code: ISO 639-1 code. Required for a new prompt. With `existing_id` it is optional, and
                must match the language of that prompt.
            country_iso_2: ISO 3166-1 alpha-2 code. Null or omitted means Global. With `existing_id` the country
                of that prompt stays.
            existing_id: Id of a prompt of this domain to pin, sent together with its text. The prompt keeps its
                country and language.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data",
            "POST",
            f"/domains/{to_segment(domain_id)}/prompts",
            body={
                "prompt": prompt,
                "language_code": omit_none(language_code),
                "country_iso_2": omit_none(country_iso_2),
                "existing_id": omit_none(existing_id),
            },
            idempotency_key=idempotency_key,
        )
        return await self._transport.fetch(call, Prompt)

    async def unpin(self, domain_id: str, prompt_id: str, *, idempotency_key: str | None = None) -> Prompt:
        """Unpin a prompt.

        It stays tracked. If the prompt is not pinned, nothing changes. Returns 404 if the prompt is not active
        or belongs to another domain.

        Args:
            domain_id: Id of the domain.
            prompt_id: Id of the prompt.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data",
            "POST",
            f"/domains/{to_segment(domain_id)}/prompts/{to_segment(prompt_id)}/unpin",
            idempotency_key=idempotency_key,
        )
        return await self._transport.fetch(call, Prompt)

    async def remove(self, domain_id: str, prompt_id: str, *, idempotency_key: str | None = None) -> Removed:
        """Remove a prompt from the list and from the current figures.

        Checks no longer ask the prompt, and it no longer counts toward the limits of prompts and pins. Past
        results remain in the history. Returns 404 if the prompt is not active or belongs to another domain.

        Args:
            domain_id: Id of the domain.
            prompt_id: Id of the prompt.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data",
            "DELETE",
            f"/domains/{to_segment(domain_id)}/prompts/{to_segment(prompt_id)}",
            idempotency_key=idempotency_key,
        )
        return await self._transport.fetch(call, Removed)

    async def import_many(
        self, domain_id: str, *, prompts: Sequence[ImportedPromptInput], idempotency_key: str | None = None
    ) -> PromptImport:
        """Add up to 500 prompts, optionally with tags and pins.

        If one prompt is refused, none is saved. A prompt that the domain tracks, or tracked before, becomes
        active and gets the tags, even if the prompt limit is reached. An import never unpins a prompt or
        removes a tag. Repeating an import changes nothing.

        Args:
            domain_id: Id of the domain.
            prompts: Prompts in any order.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data",
            "POST",
            f"/domains/{to_segment(domain_id)}/prompt-imports",
            body={"prompts": prompts},
            idempotency_key=idempotency_key,
        )
        return await self._transport.fetch(call, PromptImport)

    async def tags(self, domain_id: str) -> PromptTags:
        """Return every tag with the figures of its prompts, from the latest valid answers.

        Each figure has its own number of answers and its own range. A tag whose prompts were not measured has
        null values.

        Args:
            domain_id: Id of the domain.
        """
        call = build_call("data", "GET", f"/domains/{to_segment(domain_id)}/prompt-tags")
        return await self._transport.fetch(call, PromptTags)

    async def change_tags(
        self,
        domain_id: str,
        *,
        prompt_ids: Sequence[str],
        add: Sequence[str] | UnsetType = UNSET,
        remove: Sequence[str] | UnsetType = UNSET,
        idempotency_key: str | None = None,
    ) -> PromptTags:
        """Add tags to prompts, and remove tags from them.

        If one prompt is refused, nothing changes. Returns all tags of the domain, or 404 if a prompt is not
        active or belongs to another domain.

        Args:
            domain_id: Id of the domain.
            prompt_ids: Ids of active prompts of the domain.
            add: Tags to add. A tag has 1 to 40 characters, must not contain commas or semicolons, and is stored
                in lower case. A prompt can have at most 10 tags.
            remove: Tags to remove.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data",
            "POST",
            f"/domains/{to_segment(domain_id)}/prompt-tags",
            body={"prompt_ids": prompt_ids, "add": add, "remove": remove},
            idempotency_key=idempotency_key,
        )
        return await self._transport.fetch(call, PromptTags)

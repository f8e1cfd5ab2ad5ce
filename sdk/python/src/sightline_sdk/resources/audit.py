"""The audit log of the workspace.

Generated from the operations of the server by `make sdk`: do not edit.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from sightline_sdk._calls import build_call
from sightline_sdk._models import OneOf
from sightline_sdk._pages import AsyncPagedList, PagedList
from sightline_sdk._resource import AsyncResource, Resource
from sightline_sdk._streams import AsyncByteStream, ByteStream
from sightline_sdk.models import AuditRow


class AuditResource(Resource):
    """The audit log of the workspace (Console API)."""

    def list(
        self,
        *,
        group: OneOf[Literal["sign_in", "members", "keys", "domains", "data", "billing", "workspace"]] | None = None,
        action: OneOf[
            Literal[
                "session_started",
                "signed_out",
                "sessions_ended",
                "sign_in_failed",
                "confirmation_failed",
                "single_sign_on_refused",
                "identity_linked",
                "second_factor_used",
                "second_factor_failed",
                "second_factor_added",
                "second_factor_removed",
                "second_factors_reset",
                "recovery_codes_made",
                "password_changed",
                "password_change_failed",
                "email_change_requested",
                "email_changed",
                "password_reset_sent",
                "password_reset_used",
                "member_role_set",
                "member_removed",
                "payer_set",
                "member_invited",
                "invitation_revoked",
                "guest_added",
                "guest_removed",
                "client_removed",
                "client_domains_set",
                "key_created",
                "key_rotated",
                "keys_revoked",
                "slack_channel_added",
                "webhook_created",
                "webhook_changed",
                "webhook_removed",
                "webhook_secret_rotated",
                "domain_tracked",
                "domain_removed",
                "platforms_chosen",
                "prompts_imported",
                "prompts_tagged",
                "answer_corrected",
                "correction_undone",
                "market_corrected",
                "theme_changed",
                "site_finding_ignored",
                "site_finding_reopened",
                "fact_entered",
                "fact_changed",
                "fact_removed",
                "claim_answered",
                "audit_exported",
                "ledger_exported",
                "prompts_exported",
                "table_exported",
                "export_requested",
                "export_downloaded",
                "share_link_created",
                "share_link_revoked",
                "plan_set",
                "trial_ended",
                "checkout_started",
                "payment_moved",
                "credits_granted",
                "spend_limit_set",
                "workspace_created",
                "workspace_changed",
                "second_factor_required_set",
                "identity_provider_set",
                "identity_provider_removed",
                "single_sign_on_required_set",
                "sign_in_domain_assigned",
                "sign_in_domain_removed",
                "workspace_closed",
                "deletion_requested",
                "deletion_canceled",
            ]
        ]
        | None = None,
        by: str | None = None,
        since: datetime | str | None = None,
        before: datetime | str | None = None,
        cursor: str | None = None,
        page_size: int | None = None,
    ) -> PagedList[AuditRow]:
        """List who did what in the workspace, newest first.

        The log has sign-ins and refused ones, and changes of members, roles, keys, platforms, corrections,
        exports, share links, payments and plans, also by operators. Entries are never changed. They are deleted
        after the operator's retention time, 730 days by default. Requires the role admin and the scope `audit`.
        Live and test mode share the log, so a test key cannot read it.

        Args:
            group: Only actions of this group.
            action: Only this action.
            by: Only what the person or key with this id did.
            since: Only entries from this time on, such as `2026-11-01T00:00:00Z`.
            before: Only entries before this time.
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
            page_size: Rows per page, 1 to 200. By default 50.
        """
        call = build_call(
            "console",
            "GET",
            "/audit",
            query={
                "group": group,
                "action": action,
                "by": by,
                "since": since,
                "before": before,
                "cursor": cursor,
                "page_size": page_size,
            },
        )
        return PagedList(self._transport, call, AuditRow)

    def csv(
        self,
        *,
        group: OneOf[Literal["sign_in", "members", "keys", "domains", "data", "billing", "workspace"]] | None = None,
        action: OneOf[
            Literal[
                "session_started",
                "signed_out",
                "sessions_ended",
                "sign_in_failed",
                "confirmation_failed",
                "single_sign_on_refused",
                "identity_linked",
                "second_factor_used",
                "second_factor_failed",
                "second_factor_added",
                "second_factor_removed",
                "second_factors_reset",
                "recovery_codes_made",
                "password_changed",
                "password_change_failed",
                "email_change_requested",
                "email_changed",
                "password_reset_sent",
                "password_reset_used",
                "member_role_set",
                "member_removed",
                "payer_set",
                "member_invited",
                "invitation_revoked",
                "guest_added",
                "guest_removed",
                "client_removed",
                "client_domains_set",
                "key_created",
                "key_rotated",
                "keys_revoked",
                "slack_channel_added",
                "webhook_created",
                "webhook_changed",
                "webhook_removed",
                "webhook_secret_rotated",
                "domain_tracked",
                "domain_removed",
                "platforms_chosen",
                "prompts_imported",
                "prompts_tagged",
                "answer_corrected",
                "correction_undone",
                "market_corrected",
                "theme_changed",
                "site_finding_ignored",
                "site_finding_reopened",
                "fact_entered",
                "fact_changed",
                "fact_removed",
                "claim_answered",
                "audit_exported",
                "ledger_exported",
                "prompts_exported",
                "table_exported",
                "export_requested",
                "export_downloaded",
                "share_link_created",
                "share_link_revoked",
                "plan_set",
                "trial_ended",
                "checkout_started",
                "payment_moved",
                "credits_granted",
                "spend_limit_set",
                "workspace_created",
                "workspace_changed",
                "second_factor_required_set",
                "identity_provider_set",
                "identity_provider_removed",
                "single_sign_on_required_set",
                "sign_in_domain_assigned",
                "sign_in_domain_removed",
                "workspace_closed",
                "deletion_requested",
                "deletion_canceled",
            ]
        ]
        | None = None,
        by: str | None = None,
        since: datetime | str | None = None,
        before: datetime | str | None = None,
    ) -> ByteStream:
        """Stream the audit log as CSV (RFC 4180), newest first, with the same filters.

        The export is an entry itself. Text that a spreadsheet would treat as a formula is prefixed with an
        apostrophe.

        Args:
            group: Only actions of this group.
            action: Only this action.
            by: Only what the person or key with this id did.
            since: Only entries from this time on, such as `2026-11-01T00:00:00Z`.
            before: Only entries before this time.
        """
        call = build_call(
            "console",
            "GET",
            "/audit.csv",
            query={"group": group, "action": action, "by": by, "since": since, "before": before},
        )
        return ByteStream(self._transport, call)


class AsyncAuditResource(AsyncResource):
    """The audit log of the workspace (Console API)."""

    def list(
        self,
        *,
        group: OneOf[Literal["sign_in", "members", "keys", "domains", "data", "billing", "workspace"]] | None = None,
        action: OneOf[
            Literal[
                "session_started",
                "signed_out",
                "sessions_ended",
                "sign_in_failed",
                "confirmation_failed",
                "single_sign_on_refused",
                "identity_linked",
                "second_factor_used",
                "second_factor_failed",
                "second_factor_added",
                "second_factor_removed",
                "second_factors_reset",
                "recovery_codes_made",
                "password_changed",
                "password_change_failed",
                "email_change_requested",
                "email_changed",
                "password_reset_sent",
                "password_reset_used",
                "member_role_set",
                "member_removed",
                "payer_set",
                "member_invited",
                "invitation_revoked",
                "guest_added",
                "guest_removed",
                "client_removed",
                "client_domains_set",
                "key_created",
                "key_rotated",
                "keys_revoked",
                "slack_channel_added",
                "webhook_created",
                "webhook_changed",
                "webhook_removed",
                "webhook_secret_rotated",
                "domain_tracked",
                "domain_removed",
                "platforms_chosen",
                "prompts_imported",
                "prompts_tagged",
                "answer_corrected",
                "correction_undone",
                "market_corrected",
                "theme_changed",
                "site_finding_ignored",
                "site_finding_reopened",
                "fact_entered",
                "fact_changed",
                "fact_removed",
                "claim_answered",
                "audit_exported",
                "ledger_exported",
                "prompts_exported",
                "table_exported",
                "export_requested",
                "export_downloaded",
                "share_link_created",
                "share_link_revoked",
                "plan_set",
                "trial_ended",
                "checkout_started",
                "payment_moved",
                "credits_granted",
                "spend_limit_set",
                "workspace_created",
                "workspace_changed",
                "second_factor_required_set",
                "identity_provider_set",
                "identity_provider_removed",
                "single_sign_on_required_set",
                "sign_in_domain_assigned",
                "sign_in_domain_removed",
                "workspace_closed",
                "deletion_requested",
                "deletion_canceled",
            ]
        ]
        | None = None,
        by: str | None = None,
        since: datetime | str | None = None,
        before: datetime | str | None = None,
        cursor: str | None = None,
        page_size: int | None = None,
    ) -> AsyncPagedList[AuditRow]:
        """List who did what in the workspace, newest first.

        The log has sign-ins and refused ones, and changes of members, roles, keys, platforms, corrections,
        exports, share links, payments and plans, also by operators. Entries are never changed. They are deleted
        after the operator's retention time, 730 days by default. Requires the role admin and the scope `audit`.
        Live and test mode share the log, so a test key cannot read it.

        Args:
            group: Only actions of this group.
            action: Only this action.
            by: Only what the person or key with this id did.
            since: Only entries from this time on, such as `2026-11-01T00:00:00Z`.
            before: Only entries before this time.
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
            page_size: Rows per page, 1 to 200. By default 50.
        """
        call = build_call(
            "console",
            "GET",
            "/audit",
            query={
                "group": group,
                "action": action,
                "by": by,
                "since": since,
                "before": before,
                "cursor": cursor,
                "page_size": page_size,
            },
        )
        return AsyncPagedList(self._transport, call, AuditRow)

    def csv(
        self,
        *,
        group: OneOf[Literal["sign_in", "members", "keys", "domains", "data", "billing", "workspace"]] | None = None,
        action: OneOf[
            Literal[
                "session_started",
                "signed_out",
                "sessions_ended",
                "sign_in_failed",
                "confirmation_failed",
                "single_sign_on_refused",
                "identity_linked",
                "second_factor_used",
                "second_factor_failed",
                "second_factor_added",
                "second_factor_removed",
                "second_factors_reset",
                "recovery_codes_made",
                "password_changed",
                "password_change_failed",
                "email_change_requested",
                "email_changed",
                "password_reset_sent",
                "password_reset_used",
                "member_role_set",
                "member_removed",
                "payer_set",
                "member_invited",
                "invitation_revoked",
                "guest_added",
                "guest_removed",
                "client_removed",
                "client_domains_set",
                "key_created",
                "key_rotated",
                "keys_revoked",
                "slack_channel_added",
                "webhook_created",
                "webhook_changed",
                "webhook_removed",
                "webhook_secret_rotated",
                "domain_tracked",
                "domain_removed",
                "platforms_chosen",
                "prompts_imported",
                "prompts_tagged",
                "answer_corrected",
                "correction_undone",
                "market_corrected",
                "theme_changed",
                "site_finding_ignored",
                "site_finding_reopened",
                "fact_entered",
                "fact_changed",
                "fact_removed",
                "claim_answered",
                "audit_exported",
                "ledger_exported",
                "prompts_exported",
                "table_exported",
                "export_requested",
                "export_downloaded",
                "share_link_created",
                "share_link_revoked",
                "plan_set",
                "trial_ended",
                "checkout_started",
                "payment_moved",
                "credits_granted",
                "spend_limit_set",
                "workspace_created",
                "workspace_changed",
                "second_factor_required_set",
                "identity_provider_set",
                "identity_provider_removed",
                "single_sign_on_required_set",
                "sign_in_domain_assigned",
                "sign_in_domain_removed",
                "workspace_closed",
                "deletion_requested",
                "deletion_canceled",
            ]
        ]
        | None = None,
        by: str | None = None,
        since: datetime | str | None = None,
        before: datetime | str | None = None,
    ) -> AsyncByteStream:
        """Stream the audit log as CSV (RFC 4180), newest first, with the same filters.

        The export is an entry itself. Text that a spreadsheet would treat as a formula is prefixed with an
        apostrophe.

        Args:
            group: Only actions of this group.
            action: Only this action.
            by: Only what the person or key with this id did.
            since: Only entries from this time on, such as `2026-11-01T00:00:00Z`.
            before: Only entries before this time.
        """
        call = build_call(
            "console",
            "GET",
            "/audit.csv",
            query={"group": group, "action": action, "by": by, "since": since, "before": before},
        )
        return AsyncByteStream(self._transport, call)

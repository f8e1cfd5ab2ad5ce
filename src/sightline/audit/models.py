"""The actions that the audit log records, and its entries."""

import uuid
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal

import msgspec

from sightline.presentation.language import translatable

ActorType = Literal["person", "key", "operator", "system"]

# Groups of actions, the label of each, and its actions with their labels: all that the log ever records.
_GROUPS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "sign_in": (
        translatable("Sign-in"),
        {
            "session_started": translatable("Signed in"),
            "signed_out": translatable("Signed out"),
            "sessions_ended": translatable("Sessions ended"),
            "sign_in_failed": translatable("Sign-in refused: wrong password"),
            "confirmation_failed": translatable("Confirmation refused: wrong password or code"),
            "single_sign_on_refused": translatable("Single sign-on refused"),
            "identity_linked": translatable("Account linked to single sign-on"),
            "second_factor_used": translatable("Second factor used"),
            "second_factor_failed": translatable("Sign-in refused: wrong second factor"),
            "second_factor_added": translatable("Second factor added"),
            "second_factor_removed": translatable("Second factor removed"),
            "second_factors_reset": translatable("Second factors of a person reset"),
            "recovery_codes_made": translatable("Recovery codes created"),
            "password_changed": translatable("Password changed"),
            "password_change_failed": translatable("Password change refused: wrong password"),
            "email_change_requested": translatable("Change of the e-mail address requested"),
            "email_changed": translatable("E-mail address changed"),
            "password_reset_sent": translatable("Link to reset the password sent"),
            "password_reset_used": translatable("Password reset by link"),
        },
    ),
    "members": (
        translatable("Members"),
        {
            "member_role_set": translatable("Member added or role changed"),
            "member_removed": translatable("Member removed"),
            "payer_set": translatable("Payer chosen"),
            "member_invited": translatable("Invitation created"),
            "invitation_revoked": translatable("Invitation revoked"),
            "guest_added": translatable("Guest added"),
            "guest_removed": translatable("Guest removed"),
            "client_removed": translatable("Client removed"),
            "client_domains_set": translatable("Domains of a client set"),
        },
    ),
    "keys": (
        translatable("Keys and webhooks"),
        {
            "key_created": translatable("Key created"),
            "key_rotated": translatable("Key rotated"),
            "keys_revoked": translatable("Keys revoked"),
            "slack_channel_added": translatable("Slack channel added"),
            "webhook_created": translatable("Webhook created"),
            "webhook_changed": translatable("Webhook changed"),
            "webhook_removed": translatable("Webhook removed"),
            "webhook_secret_rotated": translatable("Secret of a webhook rotated"),
        },
    ),
    "domains": (
        translatable("Domains and prompts"),
        {
            "domain_tracked": translatable("Domain tracked"),
            "domain_removed": translatable("Domain removed"),
            "platforms_chosen": translatable("Platforms of a domain chosen"),
            "prompts_imported": translatable("Prompts imported"),
            "prompts_tagged": translatable("Tags of prompts changed"),
            "answer_corrected": translatable("Answer corrected"),
            "correction_undone": translatable("Correction undone"),
            "market_corrected": translatable("Market corrected"),
            "theme_changed": translatable("Theme changed"),
            "site_finding_ignored": translatable("Finding of the site review ignored"),
            "site_finding_reopened": translatable("Finding of the site review reopened"),
            "fact_entered": translatable("Fact entered"),
            "fact_changed": translatable("Fact changed"),
            "fact_removed": translatable("Fact removed"),
            "claim_answered": translatable("Statement of answers judged"),
        },
    ),
    "data": (
        translatable("Exports and share links"),
        {
            "audit_exported": translatable("Audit log exported"),
            "ledger_exported": translatable("Credit ledger exported"),
            "prompts_exported": translatable("Prompts exported"),
            "table_exported": translatable("Table exported"),
            "export_requested": translatable("Export of the workspace requested"),
            "export_downloaded": translatable("Export of the workspace downloaded"),
            "share_link_created": translatable("Share link created"),
            "share_link_revoked": translatable("Share link revoked"),
        },
    ),
    "billing": (
        translatable("Plan and payments"),
        {
            "plan_set": translatable("Plan set"),
            "trial_ended": translatable("Trial ended"),
            "checkout_started": translatable("Checkout started"),
            "payment_moved": translatable("State of a payment changed"),
            "credits_granted": translatable("Credits granted or adjusted by the operator"),
            "spend_limit_set": translatable("Spending limit set"),
        },
    ),
    "workspace": (
        translatable("Workspace"),
        {
            "workspace_created": translatable("Workspace created"),
            "workspace_changed": translatable("Workspace profile changed"),
            "second_factor_required_set": translatable("Second factor required, or no longer"),
            "identity_provider_set": translatable("Identity provider set"),
            "identity_provider_removed": translatable("Identity provider removed"),
            "single_sign_on_required_set": translatable("Single sign-on required, or no longer"),
            "sign_in_domain_assigned": translatable("E-mail domain for single sign-on assigned"),
            "sign_in_domain_removed": translatable("E-mail domain for single sign-on removed"),
            "workspace_closed": translatable("Workspace closed"),
            "deletion_requested": translatable("Deletion of the workspace requested"),
            "deletion_canceled": translatable("Deletion of the workspace canceled"),
        },
    ),
    "installation": (
        translatable("Installation"),
        {
            "operator_granted": translatable("Operator added"),
            "operator_removed": translatable("Operator removed"),
            "platform_connected": translatable("Platform connected"),
            "platform_disconnected": translatable("Platform disconnected"),
            "platform_connection_refused": translatable("Connection of a platform refused"),
            "platform_paused": translatable("Platform paused"),
            "platform_resumed": translatable("Platform resumed"),
            "platform_options_changed": translatable("Options of a platform changed"),
            "console_switched": translatable("Console API switched on or off"),
            "purchases_switched": translatable("Purchases switched on or off"),
        },
    ),
}
INSTALLATION_GROUP = "installation"
INSTALLATION_ID = uuid.UUID(int=0)
"""The workspace of entries about the whole installation, which only its operators read."""
GROUP_LABELS: Mapping[str, str] = {group: label for group, (label, _) in _GROUPS.items()}
ACTION_LABELS: Mapping[str, str] = {
    action: label for _, actions in _GROUPS.values() for action, label in actions.items()
}
ACTION_GROUPS: Mapping[str, str] = {action: group for group, (_, actions) in _GROUPS.items() for action in actions}


class AuditEntry(msgspec.Struct, frozen=True):
    """One action. Names of people and keys are those of today; other names are as they were."""

    id: uuid.UUID
    recorded_at: datetime
    action: str
    by_type: ActorType
    by_id: uuid.UUID | None
    by_name: str | None
    name: str | None
    details: dict[str, Any]
    address: str | None
    request_id: str | None


class AuditFilter(msgspec.Struct, frozen=True, kw_only=True):
    """Which entries to list; None stands for all."""

    group: str | None = None
    action: str | None = None
    by: uuid.UUID | None = None
    since: datetime | None = None
    before: datetime | None = None

    @property
    def actions(self) -> list[str] | None:
        """Return the actions that the filter allows."""
        if self.group is None and self.action is None:
            return None
        return [
            action
            for action, group in ACTION_GROUPS.items()
            if self.action in {None, action} and self.group in {None, group}
        ]

"""What people read when a page or a form is refused.

The API describes a problem in English and by the names of its fields. A page chooses its own text by the code of the
problem, in the reader's language. What is wrong with a field of a form is in `fault_texts.py`.
"""

from collections.abc import Mapping
from typing import NamedTuple

from markupsafe import Markup

from sightline.accounts.models import Role
from sightline.accounts.role_names import name_role
from sightline.errors import Problem
from sightline.presentation.language import gettext, ngettext, translatable
from sightline.presentation.numbers import format_money, format_number
from sightline.presentation.phrases import language_name


class ProblemText(NamedTuple):
    """A heading without a full stop, and a sentence or two: what happened, and what to do next."""

    title: str
    text: str


_MISSING = translatable("It may have been removed, or you may not have access to it.")
_LINK = translatable("This link is not valid")
_FORM = translatable("The form could not be read")
_AGAIN = translatable("Reload the page and send the form again.")

TEXTS: Mapping[str, tuple[str, str]] = {
    "invalid_cursor": (
        translatable("This page of the list is not available"),
        translatable("The link is incomplete or no longer valid. Open the list from its first page."),
    ),
    "site_review_too_soon": (
        translatable("The site was reviewed today"),
        translatable("A site review can be started once a day."),
    ),
    "site_review_without_check": (
        translatable("There is no Full Check with live answers yet"),
        translatable("A site review reads the pages that live answers cite. In the sandbox, no site is read."),
    ),
    "deletion_under_way": (
        translatable("The workspace is being deleted"),
        translatable("The seven days in which the deletion could be canceled are over."),
    ),
    "idempotency_required": (_FORM, _AGAIN),
    "idempotency_conflict": (_FORM, _AGAIN),
    "idempotency_in_progress": (
        translatable("Your form is still being processed"),
        translatable("Wait a few seconds, then reload the page."),
    ),
    "csrf_failed": (
        translatable("This form was sent from another site"),
        translatable("Open the page here and send the form again."),
    ),
    "validation_failed": (
        translatable("Something in this request is not valid"),
        translatable("The link may be incomplete or no longer valid. Go back and try again."),
    ),
    "payload_too_large": (
        translatable("This form or file is too large"),
        translatable("Nothing was saved. Go back and shorten the text or choose a smaller file."),
    ),
    "sign_in_failed": (
        translatable("E-mail or password is wrong"),
        translatable("Check both and try again."),
    ),
    "reauthentication_required": (
        translatable("Confirm that it is you"),
        translatable("This changes who has access, and you signed in more than 15 minutes ago."),
    ),
    "confirmation_failed": (
        translatable("That was not right"),
        translatable("Check the password or the code and try again."),
    ),
    "second_factor_failed": (
        translatable("The second factor is wrong"),
        translatable("Enter the code that your app shows now, or a recovery code that you have not used yet."),
    ),
    "sign_in_expired": (
        translatable("The sign-in has expired"),
        translatable("Sign in with your password again."),
    ),
    "second_factor_setup_required": (
        translatable("This workspace requires a second factor"),
        translatable("Add an authenticator app or a passkey to your account to open it."),
    ),
    "single_sign_on_required": (
        translatable("This workspace requires single sign-on"),
        translatable("Sign in again, and choose single sign-on."),
    ),
    "single_sign_on_failed": (
        translatable("Single sign-on did not succeed"),
        translatable("Start again. If it fails again, ask an owner of your workspace: the reason is in the audit log."),
    ),
    "single_sign_on_account_missing": (
        translatable("There is no account for this address"),
        translatable("Your identity provider knows you. Ask an admin of the workspace to invite this e-mail address."),
    ),
    "identity_provider_unavailable": (
        translatable("The identity provider does not respond"),
        translatable("Try again in a minute. If it stays down, ask the operator of this installation."),
    ),
    "single_sign_on_not_used": (
        translatable("You have not signed in through the identity provider"),
        translatable("Sign out, sign in with single sign-on, and require it then. So you cannot lock yourself out."),
    ),
    "single_sign_on_in_use": (
        translatable("This workspace requires single sign-on"),
        translatable("Let members sign in with passwords first."),
    ),
    "second_factor_reset_refused": (
        translatable("Only the operator can reset this second factor"),
        translatable(
            "The person also has access elsewhere, or it is your own account. Ask the operator to run `sightline user "
            "reset-factors`."
        ),
    ),
    "second_factor_missing": (
        translatable("You have no second factor"),
        translatable("Add an authenticator app or a passkey to your own account first."),
    ),
    "rate_limited": (translatable("Too many attempts"), translatable("Wait a moment, then try again.")),
    "bootstrap_token_invalid": (
        _LINK,
        translatable("It is incomplete or no longer works. Run `sightline bootstrap-token` to get a new one."),
    ),
    "invitation_invalid": (
        translatable("This invitation is not valid"),
        translatable(
            "It is incomplete, has been used or revoked, or is older than seven days. Ask for a new invitation."
        ),
    ),
    "email_change_invalid": (
        _LINK,
        translatable(
            "It is incomplete, has been used or replaced, or is older than a day, or the address cannot be used. "
            "Request the change again on the page of your account."
        ),
    ),
    "reset_link_invalid": (
        _LINK,
        translatable("It is incomplete, has been used or replaced, or is older than 30 minutes. Request a new link."),
    ),
    "workspace_access_required": (
        translatable("You don't have permission"),
        translatable("Your role does not allow this. An admin or owner of the workspace can change your role."),
    ),
    "billing_permission_required": (
        translatable("Billing permission required"),
        translatable(
            "This requires billing permission, which an owner can grant. To buy credits, you must also be the payer."
        ),
    ),
    "plan_required": (
        translatable("Not included in your plan"),
        translatable("Your plan does not include this, or its limit is reached."),
    ),
    "last_owner": (
        translatable("A workspace needs an owner"),
        translatable("The last owner cannot leave or get a lower role. Make another member an owner first."),
    ),
    "payer_stays": (
        translatable("This member pays for the workspace"),
        translatable(
            "The payer cannot leave or lose the billing permission. To change the payer, an owner grants another "
            "member billing permission, then selects “Make payer”."
        ),
    ),
    "not_found": (translatable("Page not found"), _MISSING),
    "domain_not_found": (translatable("Domain not found"), _MISSING),
    "scan_not_found": (translatable("Scan not found"), _MISSING),
    "workspace_not_found": (
        translatable("Workspace not found"),
        translatable("There is no workspace at this address, or you are not a member of it."),
    ),
    "results_not_ready": (
        translatable("No results yet"),
        translatable("Results are available once the scan has completed."),
    ),
    "answers_expired": (
        translatable("These answers are no longer stored"),
        translatable("The operator has set how long answers are kept. The figures of the scan stay available."),
    ),
    "answers_sealed": (
        translatable("These answers are sealed"),
        translatable("They are in a sealed month: they can be read, but no longer corrected."),
    ),
    "sealed_months_unavailable": (
        translatable("These answers cannot be read at the moment"),
        translatable(
            "They are in a sealed month, whose store does not respond. Try again later, or with fewer checks."
        ),
    ),
    "sealed_reader_missing": (
        translatable("These answers cannot be read here"),
        translatable(
            "They are in a sealed month, and this server lacks the packages that read it. The operator can install "
            'them with: pip install "sightline-ai[sealed]"'
        ),
    ),
    "domain_exists": (
        translatable("This domain already exists"),
        translatable("The workspace already has this domain."),
    ),
    "scan_in_progress": (
        translatable("A scan of this domain is active"),
        translatable("A domain can have one scan at a time. Wait until it ends, or cancel it."),
    ),
    "scan_not_cancellable": (
        translatable("The scan has ended"),
        translatable("A scan that has ended cannot be canceled."),
    ),
    "check_not_retryable": (
        translatable("This check cannot be repeated"),
        translatable("Only a failed first check can be repeated. Later checks run on their schedule."),
    ),
    "platform_unavailable": (
        translatable("Platforms are not available"),
        translatable(
            "At least one of the selected platforms is paused or not connected. Choose other platforms, or ask the "
            "operator of this installation to connect it."
        ),
    ),
    "unknown_platform": (translatable("Unknown platform"), translatable("Choose platforms from the list.")),
    "insufficient_credits": (
        translatable("Not enough credits"),
        translatable(
            "Credits needed: %(required_credits)s. Balance: %(balance)s. Buy credits or choose fewer platforms."
        ),
    ),
    "max_credits_exceeded": (
        translatable("The price has changed"),
        translatable("Credits needed now: %(required_credits)s. Preview the scan again."),
    ),
    "spend_cap_exceeded": (
        translatable("Monthly spending limit reached"),
        translatable(
            "This purchase would exceed the limit. Spent this month: %(current_month_spend_cents)s of "
            "%(spend_cap_cents)s. Wait until next month, or ask the operator to raise the limit."
        ),
    ),
    "pin_limit_reached": (
        translatable("Too many pinned prompts"),
        translatable("Pinned prompts of this domain: %(current)s of %(limit)s. Unpin a prompt first."),
    ),
    "prompt_limit_reached": (
        translatable("Too many prompts for your plan"),
        translatable(
            "Tracked prompts: %(current)s of %(limit)s. Remove a prompt, or ask the operator to change the plan."
        ),
    ),
    "key_limit_reached": (
        translatable("Too many active keys"),
        translatable("Active keys of this kind: %(current)s of %(limit)s. Revoke one that is no longer used."),
    ),
    "correction_limit_reached": (
        translatable("Too many corrections"),
        translatable("Corrections of this domain: %(current)s of %(limit)s. Undo one that is no longer needed."),
    ),
    "correction_conflict": (
        translatable("These words are already corrected"),
        translatable("Another correction covers some of the same words. Undo it first."),
    ),
    "language_conflict": (
        translatable("This prompt exists in another language"),
        translatable(
            "The prompt already exists in this language: %(language_code)s. Choose that language, or reword the prompt."
        ),
    ),
    "sandbox_only": (
        translatable("The demo cannot be loaded here"),
        translatable(
            "The answers of the demo are made up, so the demo is available only while no platform is connected and the "
            "workspace tracks no domain."
        ),
    ),
    "internal_error": (
        translatable("Something went wrong"),
        translatable(
            "An error on our side stopped this request. Nothing was saved. Try again. If it fails again, contact the "
            "operator of this installation."
        ),
    ),
    "service_disabled": (
        translatable("The Console is switched off"),
        translatable("The operator of this installation has switched it off."),
    ),
    "service_unavailable": (
        translatable("Temporarily unavailable"),
        translatable("Part of the service is paused or not responding. Nothing was changed. Try again later."),
    ),
}
"""Title and text by the code of the problem. Codes that are missing here occur in the API only."""
_MONEY = ("spend_cap_cents", "current_month_spend_cents")


def explain_problem(problem: Problem) -> ProblemText:
    """Return what to show of a problem, in the reader's language; what only the API says is marked as English."""
    if problem.code not in TEXTS:
        return ProblemText(_mark_english(problem.kind.title), _mark_english(problem.detail))
    title, text = TEXTS[problem.code]
    return ProblemText(gettext(title), _find_special_text(problem) or gettext(text, **_list_values(problem)))


def _find_special_text(problem: Problem) -> str | None:
    """Return a text that depends on more than the code."""
    if problem.code == "workspace_access_required" and "required_role" in problem.members:
        return gettext(
            "This needs the role %(role)s or above. An admin or owner of the workspace can change your role.",
            role=name_role(Role(problem.members["required_role"])),
        )
    if problem.code == "rate_limited" and "retry_after" in problem.members:
        seconds = problem.members["retry_after"]
        if seconds <= 60:
            return ngettext("Try again in %(num)s second.", "Try again in %(num)s seconds.", seconds)
        return ngettext("Try again in %(num)s minute.", "Try again in %(num)s minutes.", -(-seconds // 60))
    return None


def _list_values(problem: Problem) -> dict[str, str]:
    """Return the members of a problem as a text shows them."""
    values = {}
    for name, value in problem.members.items():
        if name in _MONEY:
            values[name] = format_money(value)
        elif name == "language_code":
            values[name] = language_name(value)
        else:
            values[name] = format_number(value) if isinstance(value, int) else str(value)
    return values


def _mark_english(text: str) -> Markup:
    return Markup('<span lang="en">{}</span>').format(text)

"""The catalog of problem codes: what each of them means, why it happens and what to do about it."""

from collections.abc import Mapping
from typing import NamedTuple


class ProblemKind(NamedTuple):
    """What all problems of one code have in common. `members` are the extra members of their documents."""

    status: int
    title: str
    cause: str
    """Why a request is refused with this code."""
    fix: str
    """What the caller can do about it."""
    members: tuple[str, ...] = ()
    exact_cause: str = ""
    """The cause with the values of `members`, where these are known."""

    def explain(self, values: Mapping[str, object]) -> str:
        """Return cause and fix, as the detail of a problem that has none of its own."""
        is_exact = self.exact_cause and values.keys() >= set(self.members)
        return f"{self.exact_cause.format_map(values) if is_exact else self.cause} {self.fix}"


CATALOG: Mapping[str, ProblemKind] = {
    # 400
    "invalid_json": ProblemKind(
        400, "The body is not JSON", "The body cannot be parsed as JSON.", "Send one JSON document in UTF-8."
    ),
    "invalid_cursor": ProblemKind(
        400,
        "The cursor is not valid here",
        "The cursor was changed, or belongs to another list, other filters or another workspace.",
        "Pass `meta.next_cursor` of the same list with the same filters, unchanged, or leave `cursor` out to start "
        "from the first page.",
    ),
    "idempotency_required": ProblemKind(
        400,
        "Idempotency-Key is required",
        "This operation must not run twice. Sightline recognizes a repeated request by its idempotency key.",
        "Send the header `Idempotency-Key` with a new UUID for each operation, and with the same UUID when you retry.",
    ),
    "mode_conflict": ProblemKind(
        400,
        "The mode does not match the key",
        "`X-Sightline-Mode` differs from the mode in the prefix of the key.",
        "Leave the header out, or use a key with the other mode.",
    ),
    # 401
    "key_missing": ProblemKind(
        401, "No API key", "The request has no API key.", "Send your key in the header `X-API-Key`."
    ),
    "key_invalid": ProblemKind(
        401,
        "The API key is not valid",
        "There is no such key. It may be mistyped or incomplete.",
        "Check that you sent the whole key, or create a new one.",
    ),
    "key_revoked": ProblemKind(
        401,
        "The API key is revoked",
        "The key, or the key that created it, was revoked. Or the request has an old secret of a rotated key.",
        "If the key was rotated, use its new secret. Otherwise, create a new key.",
    ),
    "key_expired": ProblemKind(
        401,
        "The API key has expired",
        "The key has reached its `expires_at`.",
        "Create a new key and use it instead.",
    ),
    "session_required": ProblemKind(
        401, "Sign in first", "This operation needs a signed-in session.", "Sign in and send the session's cookie."
    ),
    "session_expired": ProblemKind(
        401,
        "The session has ended",
        "The session expired, was signed out, or ended when the password changed.",
        "Sign in again.",
    ),
    "sign_in_failed": ProblemKind(
        401,
        "E-mail or password is wrong",
        "The e-mail address and the password do not match. For security, we do not say which of them is wrong.",
        "Check both and try again.",
    ),
    "second_factor_required": ProblemKind(
        401,
        "A second factor is required",
        "The password is right, and the account has a second factor. `methods` names with what you can continue.",
        "Send `factor_token` and a code to `POST /session/factor` within ten minutes. Passkeys work on the sign-in "
        "page only.",
        ("factor_token", "methods"),
    ),
    "second_factor_failed": ProblemKind(
        401,
        "The second factor is wrong",
        "The code or the passkey is not one of this account. A code works once, and a code of an app for about a "
        "minute.",
        "Enter the code that the app shows now, or a recovery code that was not used before.",
    ),
    "sign_in_expired": ProblemKind(
        401,
        "The sign-in has expired",
        "The second factor was not sent within ten minutes, or the sign-in was completed or ended before.",
        "Sign in with the password again.",
    ),
    "single_sign_on_failed": ProblemKind(
        401,
        "Single sign-on did not succeed",
        "The identity provider refused, or its answer was not for this browser, was too old, or names no verified "
        "e-mail address of its domains. The audit log has the reason.",
        "Start the sign-in again. If it fails again, ask an owner of the workspace to look into the audit log.",
    ),
    "bootstrap_token_invalid": ProblemKind(
        401,
        "The bootstrap token is not valid",
        "The token is wrong or has expired, or was used for another e-mail address. "
        "The token of the first start also ends when an owner exists.",
        "Run `sightline bootstrap-token` to get a new one.",
    ),
    # 402
    "insufficient_credits": ProblemKind(
        402,
        "Not enough credits",
        "The scan costs more credits than the workspace has. Nothing was charged.",
        "Buy credits, or choose fewer platforms.",
        ("required_credits", "balance"),
    ),
    # 403
    "session_only": ProblemKind(
        403,
        "API keys cannot do this",
        "Only a signed-in person may do this.",
        "Use a session instead of a key.",
    ),
    "wrong_key_kind": ProblemKind(
        403,
        "The key is for the other API",
        "A key that begins with `sk_` works with the Console API, and a key that begins with `dk_` with the Data API.",
        "Use a key of the other kind, or call the other API.",
    ),
    "address_not_allowed": ProblemKind(
        403,
        "The key does not work from this IP address",
        "The key is limited to `allowed_addresses`, and the request came from another IP address.",
        "Call from one of these addresses, or create a key without that limit.",
    ),
    "plan_required": ProblemKind(
        403,
        "The plan does not include this",
        "The plan of the workspace does not include this operation. Writes to the Data API return "
        "`workspace_access_required` instead.",
        "Ask the operator to change the plan to one of `required_plans`.",
        ("required_plans",),
    ),
    "scope_required": ProblemKind(
        403,
        "The key lacks a scope",
        "The key does not have the scope that this operation needs.",
        "Create a key with the scope that `required_scope` names.",
        ("required_scope",),
        "The key lacks the scope `{required_scope}`.",
    ),
    "billing_permission_required": ProblemKind(
        403,
        "Only the payer can do this",
        "Only the payer of the workspace can buy credits or check a payment.",
        "Ask the payer to do it, or ask an owner to grant you billing permission and make you the payer.",
    ),
    "workspace_access_required": ProblemKind(
        403,
        "You do not have permission",
        "The role or the mode does not allow this operation. For a write to the Data API, it can also be the plan or "
        "the scope. `reason` says which. A key has the role of the member who created it.",
        "Ask an admin or owner of the workspace to change the role, ask the operator to change the plan, or use a key "
        "with the right scope and mode.",
        ("reason", "required_role"),
    ),
    "reauthentication_required": ProblemKind(
        403,
        "Confirm that it is you",
        "This changes who has access, and the session last proved who you are more than 15 minutes ago.",
        "Send the password or a code of the authenticator app to `POST /session/confirm`, then repeat the request.",
    ),
    "confirmation_failed": ProblemKind(
        403,
        "The password or the code is wrong",
        "Neither the password, nor a code of the app, nor a passkey of this account was sent.",
        "Send one of them. A code works once.",
    ),
    "second_factor_setup_required": ProblemKind(
        403,
        "The workspace requires a second factor",
        "Only people with a second factor can open this workspace, and your account has none.",
        "Add an authenticator app or a passkey on the page `/account/factors`.",
    ),
    "single_sign_on_required": ProblemKind(
        403,
        "The workspace requires single sign-on",
        "Members can open this workspace only after they have signed in through its identity provider.",
        "Sign in on the page `/sign-in` with single sign-on.",
    ),
    "single_sign_on_account_missing": ProblemKind(
        403,
        "There is no account for this address",
        "The identity provider confirmed the address, and neither an account nor an open invitation has it.",
        "Ask an admin of the workspace for an invitation to this address.",
    ),
    "second_factor_reset_refused": ProblemKind(
        403,
        "Only the operator can reset this second factor",
        "The person also belongs to another workspace or operates the installation, or it is your own account.",
        "Ask the operator of the installation to run `sightline user reset-factors`.",
    ),
    "csrf_failed": ProblemKind(
        403,
        "The request may have come from another site",
        "A write request with a session has no valid `X-CSRF-Token` and does not come from a page of Sightline. "
        "Or a web page of another site tried to sign in.",
        "For a write, send the header `X-CSRF-Token` with the `csrf_token` of `GET /session`. To sign in, use "
        "Sightline's own page, or a client that is not a web page.",
    ),
    # 404
    "not_found": ProblemKind(
        404,
        "Not found",
        "Nothing exists at this URL, or you do not have access to it.",
        "Check the path and the id, and that the key belongs to the right workspace and mode.",
    ),
    "domain_not_found": ProblemKind(
        404,
        "Domain not found",
        "The domain does not exist, or these credentials cannot read it.",
        "List the domains to find the right id. Console domains and tracked domains are separate, and so are live and "
        "test mode.",
    ),
    "scan_not_found": ProblemKind(
        404,
        "Scan not found",
        "The scan does not exist, or these credentials cannot read it.",
        "List the scans to find the right id. Live and test mode are separate.",
    ),
    "workspace_not_found": ProblemKind(
        404,
        "Workspace not found",
        "`X-Workspace-Id` does not name a workspace that you are a member of.",
        "Send one of the ids that `GET /session` lists.",
    ),
    "invitation_invalid": ProblemKind(
        404,
        "The invitation is not valid",
        "The invitation is incomplete, has already been used, was revoked or is older than seven days.",
        "Ask for a new one.",
    ),
    "email_change_invalid": ProblemKind(
        404,
        "The link is not valid",
        "The link is incomplete, has already been used, was replaced by a newer one or is older than a day, or the "
        "address cannot be used.",
        "Request the change again.",
    ),
    "reset_link_invalid": ProblemKind(
        404,
        "The link is not valid",
        "The link is incomplete, has already been used, was replaced by a newer one or is older than 30 minutes.",
        "Request a new one.",
    ),
    # 405
    "method_not_allowed": ProblemKind(
        405,
        "Method not allowed",
        "This path does not support this method.",
        "Use one of the methods that the header `Allow` lists.",
    ),
    # 406
    "format_unavailable": ProblemKind(
        406,
        "The format is not available",
        "This installation cannot write Parquet files: it was installed without the optional extra named `parquet`.",
        "Read CSV or JSON Lines, or ask the operator of this installation to install that extra.",
    ),
    # 409
    "results_not_ready": ProblemKind(
        409,
        "No results",
        "Only a completed scan has results. `scan_status` is the current status of the scan.",
        "Wait until the scan has completed. A scan that failed or was canceled gets no results.",
        ("scan_status",),
        "The scan is {scan_status}.",
    ),
    "idempotency_in_progress": ProblemKind(
        409,
        "The original request is still running",
        "A request with the same Idempotency-Key has not been answered yet.",
        "Wait as long as `Retry-After` says and send the same request again.",
        ("retry_after",),
    ),
    "idempotency_conflict": ProblemKind(
        409,
        "The Idempotency-Key was used with a different body",
        "An earlier request with the same Idempotency-Key had a different body.",
        "Send the first body again, byte for byte, or use a new Idempotency-Key for a new operation.",
    ),
    "pin_limit_reached": ProblemKind(
        409,
        "Too many pinned prompts",
        "A domain can have at most 10 pinned prompts, and this one has reached that limit.",
        "Unpin a prompt of this domain first.",
        ("current", "limit"),
        "A domain can have at most {limit} pinned prompts, and this one has {current}.",
    ),
    "prompt_limit_reached": ProblemKind(
        409,
        "The workspace's prompt limit is reached",
        "The workspace has reached the plan's limit of tracked prompts.",
        "Remove a prompt, or ask the operator to change the plan.",
        ("current", "limit"),
        "The plan limits tracked prompts to {limit}, and the workspace has {current}.",
    ),
    "key_limit_reached": ProblemKind(
        409,
        "Too many active keys",
        "The workspace has reached its limit of active keys of this kind.",
        "Revoke a key of this kind that is no longer used.",
        ("current", "limit"),
        "A workspace can have at most {limit} active keys of each kind, and this one has {current} of this kind.",
    ),
    "correction_limit_reached": ProblemKind(
        409,
        "Too many corrections",
        "The domain has reached its limit of corrections.",
        "Undo a correction of this domain first.",
        ("current", "limit"),
        "A domain can have at most {limit} corrections, and this one has {current}.",
    ),
    "correction_conflict": ProblemKind(
        409,
        "This part of the answer is already corrected",
        "Another correction covers some of the same words.",
        "Undo the correction named by `correction_id` first, or correct another part.",
        ("correction_id",),
    ),
    "scan_in_progress": ProblemKind(
        409,
        "A scan of this domain is active",
        "The domain has a pending or running scan. Until it ends, you cannot start another scan of the domain or "
        "remove the domain.",
        "Wait until the scan named by `active_scan_id` ends, or cancel it.",
        ("active_scan_id",),
    ),
    "site_review_too_soon": ProblemKind(
        409,
        "The site was reviewed today",
        "A review of the site runs, or one was requested within the last 24 hours.",
        "Read its result, or try again tomorrow.",
    ),
    "site_review_without_check": ProblemKind(
        409,
        "There is no Full Check with live answers",
        "A site review reads the pages that live answers cite. The domain has no Full Check with live answers yet.",
        "Wait for the first Full Check. In a sandbox, no site is read.",
    ),
    "check_not_retryable": ProblemKind(
        409,
        "The check cannot be tried again",
        "Only the first check of a new domain can be tried again, and only after it failed.",
        "Wait for the next scheduled check.",
    ),
    "scan_not_cancellable": ProblemKind(
        409,
        "The scan has ended",
        "A scan that has ended cannot be canceled. `scan_status` says how it ended.",
        "You do not need to do anything.",
        ("scan_status",),
        "The scan is already {scan_status}.",
    ),
    "second_opinion_not_ready": ProblemKind(
        409,
        "The file is not measured",
        "Only a second opinion with the status `done` has a result.",
        "Read the second opinion until its status is `done` or `failed`.",
    ),
    "second_opinion_limit_reached": ProblemKind(
        409,
        "Too many second opinions",
        "A workspace can have 3 files that are not measured yet, and 20 second opinions within 24 hours.",
        "Wait until they are measured or expire, or delete some.",
    ),
    "imported_history_exists": ProblemKind(
        409,
        "The domain has an imported history",
        "A domain can have one imported history, and this one has it already.",
        "Remove the imported history of the domain first.",
    ),
    "domain_exists": ProblemKind(
        409,
        "The domain is already registered",
        "The workspace already has this domain.",
        "Use the domain named by `domain_id`.",
        ("domain_id",),
        "The workspace already has this domain, with the id {domain_id}.",
    ),
    "language_conflict": ProblemKind(
        409,
        "The prompt exists in another language",
        "The prompt that `existing_id` names has a language other than the one you sent. A prompt keeps its language.",
        "Leave the language out, or leave `existing_id` out to add a new prompt in the language that you sent.",
        ("language_code",),
    ),
    "max_credits_exceeded": ProblemKind(
        409,
        "The scan costs more than max_credits",
        "The scan costs more credits than `max_credits` allows. `required_credits` is its cost. Nothing was charged.",
        "Raise `max_credits`, or choose fewer platforms.",
        ("required_credits",),
    ),
    "spend_cap_exceeded": ProblemKind(
        409,
        "The monthly spending limit would be exceeded",
        "With this purchase, the workspace would spend more than its limit for this calendar month. Payments that are "
        "being processed count, too, and so do unpaid checkouts whose payment page could not be closed yet.",
        "Wait for the next month, or ask the operator to raise the limit. If you have an unpaid checkout, try again "
        "later.",
        ("spend_cap_cents", "current_month_spend_cents"),
    ),
    "second_factor_missing": ProblemKind(
        409,
        "You have no second factor",
        "This needs a second factor on your own account.",
        "Add an authenticator app or a passkey on the page `/account/factors` first.",
    ),
    "single_sign_on_not_used": ProblemKind(
        409,
        "You have not signed in through the identity provider",
        "Single sign-on can be required only by an owner whose own session began through it.",
        "Sign out, sign in with single sign-on, and require it then.",
    ),
    "single_sign_on_in_use": ProblemKind(
        409,
        "The workspace requires single sign-on",
        "The identity provider that members have to use cannot be changed or removed.",
        "Let members sign in with passwords first.",
    ),
    "last_owner": ProblemKind(
        409,
        "A workspace needs an owner",
        "The last owner of a workspace cannot leave or get a lower role.",
        "Make another member an owner first.",
    ),
    "deletion_under_way": ProblemKind(
        409,
        "The workspace is being deleted",
        "The seven days in which the deletion could be canceled are over.",
        "Ask the operator for a backup if the workspace has to come back.",
    ),
    "payer_stays": ProblemKind(
        409,
        "This member pays for the workspace",
        "The member who pays cannot leave or lose the billing permission.",
        "An owner can first make another member the payer on the Members page.",
    ),
    "sandbox_only": ProblemKind(
        409,
        "The demo cannot be loaded here",
        "The demo fills a workspace with made-up checks. It is available only while no platform is connected and the "
        "workspace tracks no domain.",
        "Load the demo in an installation without a connected platform, into a workspace without a tracked domain.",
    ),
    "answers_sealed": ProblemKind(
        409,
        "The answers are sealed",
        "The answers of this scan are in a sealed month: they can be read, but they are no longer analyzed again.",
        "Correct an answer of a newer check. The operator sets after how many days answers are sealed.",
    ),
    # 410
    "answers_expired": ProblemKind(
        410,
        "The answers are no longer stored",
        "The operator of this installation limits how long answers are stored, and those of this scan were deleted.",
        "You can still read the scan and its results. `answers_expired_at` of the scan says when the "
        "answers were deleted.",
    ),
    # 413, 415, 422
    "payload_too_large": ProblemKind(
        413,
        "The body is too large",
        "The body is larger than the number of bytes in `limit`.",
        "Send a smaller body, or split the data over several requests.",
        ("limit",),
        "The body may have at most {limit} bytes.",
    ),
    "unsupported_media_type": ProblemKind(
        415,
        "Send application/json",
        "The body is not declared as JSON, or is compressed.",
        "Send uncompressed JSON in UTF-8 with `Content-Type: application/json`.",
    ),
    "validation_failed": ProblemKind(
        422,
        "The request is not valid",
        "One or more fields, headers or parameters have invalid values.",
        "Correct the values that `errors` lists, and send the request again. Each entry says what is allowed.",
        ("errors",),
    ),
    "invalid_domain": ProblemKind(
        422,
        "The domain name is not valid",
        "The name is not a host name, or it is an IP address, a single label, a reserved name or a public suffix such "
        "as `co.uk`.",
        "Send a public host name such as `acme.com` or `shop.acme.com`.",
        ("errors",),
    ),
    "unknown_platform": ProblemKind(
        422,
        "Unknown platform",
        "`platforms` contains a value that `GET /platforms` does not list.",
        "Send values of `key` from `GET /platforms`, such as `chatgpt`.",
        ("platforms",),
    ),
    "platform_unavailable": ProblemKind(
        422,
        "A platform is not available",
        "A platform is paused or not connected. `not_connected` lists the platforms that an operator must connect "
        "first. Nothing was charged.",
        "Leave the platform out. If it is paused, you can also try again later. If it is not connected, an operator "
        "can connect it under Operator → Platforms.",
        ("platforms", "not_connected"),
    ),
    "invalid_webhook_url": ProblemKind(
        422,
        "The webhook URL is not valid",
        "The URL is not an https URL on port 443 of a public host, or it has a user name, password or fragment.",
        "Send another URL. `errors` says what is wrong with this one.",
        ("errors",),
    ),
    # 429
    "rate_limited": ProblemKind(
        429,
        "Too many requests",
        "You have reached a limit: requests per minute, open streams, test events and redeliveries, failed attempts to "
        "sign in, or wrong bootstrap tokens.",
        "Wait as long as `Retry-After` says.",
        ("retry_after",),
    ),
    "quota_exceeded": ProblemKind(
        429,
        "The month's quota is used up",
        "The key has reached its limit of requests per calendar month (UTC). The operator sets this limit for Console "
        "keys, and the plan sets it for Data keys.",
        "Wait for the next month, or ask the operator for a higher limit or another plan.",
        ("retry_after",),
    ),
    # 5xx
    "internal_error": ProblemKind(
        500,
        "Something went wrong on our side",
        "The server had an internal error. Nothing was saved.",
        "Send `request_id` to the operator, who can find the error in the logs. The same request would most likely "
        "fail again.",
    ),
    "identity_provider_unavailable": ProblemKind(
        503,
        "The identity provider does not respond",
        "Sightline cannot reach the identity provider, or it fails.",
        "Try again in a minute. If it stays down, the operator can let members sign in with passwords.",
    ),
    "sealed_months_unavailable": ProblemKind(
        503,
        "The sealed months cannot be read",
        "The answers are in a sealed month, whose store is away, or reading them took too long.",
        "Try again later, or ask for fewer checks.",
    ),
    "sealed_reader_missing": ProblemKind(
        503,
        "The sealed months cannot be read here",
        "The answers are in a sealed month. This server lacks the packages that read it.",
        'Ask the operator of this installation to install the extra `sealed`: `pip install "sightline-ai[sealed]"`.',
    ),
    "service_disabled": ProblemKind(
        503,
        "The Console API is switched off",
        "The operator has switched the Console API off.",
        "Ask the operator when it will be on again, or try again after `retry_after` seconds.",
        ("retry_after",),
    ),
    "service_unavailable": ProblemKind(
        503,
        "Temporarily unavailable",
        "A part of the service is not available, such as the database or the purchase of credits.",
        "Try again after `retry_after` seconds. Send the same Idempotency-Key, so that the operation runs only once.",
        ("retry_after",),
    ),
}

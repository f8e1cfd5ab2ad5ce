"""Every setting, with its default and its description. `Settings` reads and verifies them."""

import os
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings


class SettingsError(Exception):
    """A setting is missing or not valid. The message says what to set."""


def _default_data_dir() -> Path:
    if os.geteuid() == 0:
        return Path("/var/lib/sightline")
    base = os.environ.get("XDG_DATA_HOME")
    try:
        return (Path(base) if base else Path.home() / ".local" / "share") / "sightline"
    except RuntimeError as error:
        raise SettingsError("This user has no home directory: set SIGHTLINE_DATA_DIR.") from error


class SettingFields(BaseSettings):
    """The fields of `Settings`."""

    # Locations and network
    data_dir: Path = Field(
        default_factory=_default_data_dir,
        description="Directory of the embedded database, the generated secret key and the saved copies of responses.",
    )
    database_url: SecretStr | None = Field(
        None,
        description="Address of a PostgreSQL server, version 15 or newer; with replicas, all hosts, separated by "
        "commas. Unset: an embedded PostgreSQL in the data directory.",
    )
    database_direct_url: SecretStr | None = Field(
        None,
        description="Direct address of the same database, if SIGHTLINE_DATABASE_URL is the address of PgBouncer in "
        "transaction mode: for migrations, backups, and one connection of each worker.",
    )
    database_pool_size: int = Field(10, ge=1, description="Maximum number of database connections of one process.")
    host: str = Field("127.0.0.1", description="Address that the service listens on.")
    port: int = Field(8080, ge=0, le=65535, description="Port that the service listens on.")
    worker_port: int | None = Field(
        None,
        ge=0,
        le=65535,
        description="Port on which `sightline worker` serves /healthz, /readyz and /metrics. Unset: no port.",
    )
    base_url: str | None = Field(
        None, description="Public address, without a slash at the end. Unset: built from host and port."
    )
    trusted_proxies: str = Field(
        "", description="Comma-separated addresses of proxies whose X-Forwarded-For and X-Forwarded-Proto are trusted."
    )
    cors_origins: str = Field(
        "", description="Comma-separated origins from which browsers may call the APIs. Unset: none."
    )

    # Secrets
    secret_key: SecretStr | None = Field(
        None,
        description="Signs cursors and CSRF tokens, and encrypts webhook secrets, saved platform keys, keys of "
        "authenticator apps and client secrets of identity providers; 32 characters or more. Generated in the data "
        "directory if the database is embedded; otherwise required, and the same for all processes.",
    )
    secret_key_previous: SecretStr | None = Field(
        None,
        description="The previous secret key, which is still accepted. `sightline rotate-secrets` encrypts all secrets "
        "with the new key.",
    )
    metrics_token: SecretStr | None = Field(
        None,
        description="Bearer token for /metrics. Unset: /metrics can be read only from the server itself, and only if "
        "the host and the base URL are loopback addresses such as 127.0.0.1.",
    )

    # Single sign-on with OpenID Connect, for people of the whole installation
    oidc_issuer: str | None = Field(
        None,
        description="Identity provider through which people of all workspaces sign in, such as "
        "https://login.acme.com. It may be in a private network. Unset: only workspaces can have one.",
    )
    oidc_client_id: str | None = Field(None, description="Client id of Sightline at the identity provider.")
    oidc_client_secret: SecretStr | None = Field(
        None, description="Client secret of Sightline at the identity provider."
    )
    oidc_domains: str = Field(
        "",
        description="Comma-separated e-mail domains of the people who sign in there. Empty: all but those that are "
        "assigned to a workspace with an identity provider of its own.",
    )

    # Limits
    console_rate_per_minute: int = Field(120, ge=1, description="Console API requests per minute for each key.")
    console_rate_per_month: int = Field(100_000, ge=1, description="Console API requests per month for each key.")
    data_rate_per_minute: int = Field(60, ge=1, description="Data API requests per minute for each key.")
    anonymous_rate_per_minute: int = Field(
        60, ge=1, description="Requests per minute from each address, without a recognized key or session."
    )
    session_rate_per_minute: int = Field(
        600, ge=1, description="API and page requests per minute for each signed-in user."
    )
    plans: dict[str, dict[str, Any]] = Field(
        default_factory=dict,
        description='Changes to the plan table as JSON, for example {"starter": {"tracked_prompts": 100}}.',
    )

    # Assistants, over the MCP server
    mcp_hosts: str = Field(
        "",
        description="Comma-separated host names at which clients may call `/mcp`, such as sightline.acme.com or "
        "10.0.0.5:8080. The host of the public address is always allowed.",
    )
    mcp_quote_credits: int = Field(20, ge=0, description="Maximum number of credits for one scan of an assistant.")
    mcp_daily_credits: int = Field(
        50,
        ge=0,
        description="Maximum number of credits that assistants may spend per day (UTC): at `/mcp` with one key and the "
        "keys that it created, with `sightline mcp` in one workspace.",
    )

    # HTTP connections
    http_max_header_bytes: int = Field(
        32_768, ge=1_024, description="Maximum size of the request line and all headers of a request, in bytes."
    )
    http_max_headers: int = Field(100, ge=10, description="Maximum number of headers of a request.")
    http_header_timeout: float = Field(10, gt=0, description="Seconds in which the headers of a request must arrive.")
    http_min_body_rate: int = Field(
        1_024, ge=1, description="Minimum average speed of a request body after the grace period, in bytes per second."
    )
    http_body_grace: float = Field(10, ge=0, description="Seconds during which a request body may arrive at any speed.")
    http_keep_alive: int = Field(75, ge=1, description="Seconds after which an idle connection is closed.")
    http_connections_per_address: int = Field(
        100,
        ge=1,
        description="Maximum number of open connections per address, in one process. Trusted proxies have no limit.",
    )

    # Platforms: those with credentials are asked over the network; with none at all the installation is a sandbox
    openai_api_key: SecretStr | None = Field(None, description="Key for ChatGPT through OpenAI.")
    openai_model: str = Field("gpt-6.1-terra", description="Model that ChatGPT is asked with.")
    openai_base_url: str = Field("https://api.openai.com", description="Address of OpenAI's API.")
    anthropic_api_key: SecretStr | None = Field(None, description="Key for Claude through Anthropic.")
    anthropic_model: str = Field("claude-sonnet-5-5", description="Model that Claude is asked with.")
    anthropic_base_url: str = Field("https://api.anthropic.com", description="Address of Anthropic's API.")
    google_api_key: SecretStr | None = Field(None, description="Key for Gemini through Google.")
    google_model: str = Field("gemini-3.8-flash", description="Model that Gemini is asked with.")
    google_base_url: str = Field(
        "https://generativelanguage.googleapis.com", description="Address of Google's Gemini API."
    )
    perplexity_api_key: SecretStr | None = Field(None, description="Key for Perplexity.")
    perplexity_model: str = Field("perplexity/sonar", description="Model that Perplexity is asked with.")
    perplexity_base_url: str = Field("https://api.perplexity.ai", description="Address of Perplexity's API.")
    xai_api_key: SecretStr | None = Field(None, description="Key for Grok through xAI.")
    xai_model: str = Field("grok-4.6", description="Model that Grok is asked with.")
    xai_base_url: str = Field("https://api.x.ai", description="Address of xAI's API.")
    mistral_api_key: SecretStr | None = Field(None, description="Key for Mistral.")
    mistral_model: str = Field("mistral-large-latest", description="Model that Mistral is asked with.")
    mistral_base_url: str = Field("https://api.mistral.ai", description="Address of Mistral's API.")
    deepseek_api_key: SecretStr | None = Field(None, description="Key for DeepSeek.")
    deepseek_model: str = Field("deepseek-flash", description="Model that DeepSeek is asked with.")
    deepseek_base_url: str = Field("https://api.deepseek.com", description="Address of DeepSeek's API.")
    local_base_url: str | None = Field(
        None, description="Address of an OpenAI-compatible server, for example http://127.0.0.1:11434/v1."
    )
    local_model: str | None = Field(None, description="Model that the local server is asked with.")
    local_api_key: SecretStr | None = Field(None, description="Key for the local server, if it needs one.")
    serpapi_api_key: SecretStr | None = Field(
        None, description="Key for SerpApi: Google AI Overviews, Google AI Mode and Copilot."
    )
    serpapi_base_url: str = Field("https://serpapi.com", description="Address of SerpApi.")
    dataforseo_login: str | None = Field(
        None, description="Login for DataForSEO, which serves platforms that have no credentials of their own."
    )
    dataforseo_password: SecretStr | None = Field(None, description="Password for DataForSEO's API.")
    dataforseo_base_url: str = Field("https://api.dataforseo.com", description="Address of DataForSEO's API.")
    paused_platforms: str = Field("", description="Comma-separated short names of paused platforms.")
    platform_surfaces: dict[str, str] = Field(
        default_factory=dict,
        description="Where platforms are asked that are connected in more than one way, as JSON, for example "
        '{"chatgpt": "app"}. Default: the platform\'s own API.',
    )
    platform_tasks: str = Field(
        "",
        description="Comma-separated short names of platforms whose app is asked with tasks, which cost less and are "
        "answered minutes later.",
    )
    platform_prices: dict[str, dict[str, float]] = Field(
        default_factory=dict,
        description="Prices in US dollars as JSON, per million tokens and per thousand searches, for example "
        '{"chatgpt": {"input": 1, "output": 5, "search": 10}}.',
    )

    # Asking platforms
    platform_concurrency: int = Field(
        20, ge=1, description="Maximum number of concurrent calls to one platform, all workers together."
    )
    ask_timeout: float = Field(
        120, gt=0, description="Maximum seconds for one attempt, to the last byte of the answer."
    )
    ask_deadline: float = Field(300, gt=0, description="Maximum seconds for one question, including all attempts.")
    ask_attempts: int = Field(4, ge=1, description="Maximum number of attempts for one question.")
    sandbox_latency_ms: int = Field(
        300,
        ge=0,
        description="Typical duration of a sandbox answer in milliseconds; each takes half to twice this time.",
    )

    # Checks and the worker
    scan_deadline: int = Field(
        3_600,
        ge=1,
        description="Seconds after which a running scan ends. Missing answers count as failed.",
    )
    scan_patience: int = Field(
        7_200,
        ge=0,
        description="Seconds from the start of a scheduled check for which it waits for a platform that is down or "
        "overloaded.",
    )
    worker_timeout: float = Field(
        5,
        gt=0,
        description="Seconds after which a worker without a database session counts as dead, and other workers take "
        "its jobs.",
    )
    analyzer_processes: int = Field(
        2,
        ge=0,
        le=64,
        description="Number of child processes that analyze answers for a worker or for `sightline analyze`. 0: no "
        "child processes.",
    )
    sentiment: Literal["model", "off"] = Field(
        "model",
        description="How the sentiment of English answers is scored: `model` (a trained model in the package) or "
        "`off`.",
    )
    editor: str = Field(
        "auto",
        description="The language model that names competitors, sorts themes, words recommendations and suggests "
        "prompts after Full Checks, during setup and for checks without prompts: `auto` (the first connected one), a "
        "connected platform such as `claude`, a platform and its model such as `claude:claude-sonnet-5-5`, or `off`. "
        "It costs at most 5% of what the check costs.",
    )
    worker_grace: float = Field(20, ge=0, description="Maximum seconds that a stopping worker waits for running calls.")

    # Credits and payments
    credits_per_platform: int = Field(1, ge=0, description="Credits that a Console Check costs for each platform.")
    credits_low: int = Field(10, ge=0, description="If a balance drops below this, the event `credits.low` is sent.")
    test_credits: int = Field(1_000, ge=0, description="Test credits that a workspace starts with.")
    spend_cap_cents: int = Field(
        150_000,
        ge=0,
        description="Maximum US cents that a workspace may spend per month (UTC), unless it has its own cap.",
    )
    checkout_lifetime: int = Field(86_400, ge=60, description="Seconds after which an unpaid checkout expires.")
    stripe_api_key: SecretStr | None = Field(None, description="Secret key of the Stripe account that sells credits.")
    stripe_webhook_secret: SecretStr | None = Field(
        None, description="Signing secret of the Stripe webhook that points at /webhooks/stripe."
    )
    stripe_automatic_tax: bool = Field(
        default=True, description="Stripe adds tax at checkout. The account needs Stripe Tax."
    )
    stripe_base_url: str = Field("https://api.stripe.com", description="Address of Stripe's API.")

    # Webhooks and mail
    webhook_allow_loopback: bool = Field(
        default=False,
        description="Allow webhooks and identity providers at http addresses of the server itself, for testing.",
    )
    webhook_timeout: float = Field(15, gt=0, description="Maximum seconds for the response of a webhook's receiver.")
    webhook_retention_days: int = Field(30, ge=1, description="Days after which webhook deliveries are deleted.")
    smtp_url: SecretStr | None = Field(
        None,
        description="Mail server, for example smtps://user:password@mail.acme.com:465. Unset: e-mails are written as "
        "files into the data directory.",
    )
    mail_from: str = Field("sightline@localhost", description="Sender of e-mails.")
    operator_email: str | None = Field(
        None, description="Address that gets an e-mail about payments that need review. Unset: they are only logged."
    )

    # Backups
    backup_folder: Path | None = Field(
        None,
        description="Folder for backups. With the embedded database, a worker writes a backup into it every day. "
        "Unset: no daily backup.",
    )
    backup_hour: int = Field(3, ge=0, le=23, description="Hour (UTC) after which the daily backup is written.")
    backup_keep: int = Field(7, ge=1, description="Number of backups to keep in the folder.")
    backup_passphrase: SecretStr | None = Field(
        None,
        description="Passphrase that encrypts the secret key in backups; 12 characters or more. A restore needs it.",
    )
    backup_passphrase_file: Path | None = Field(
        None, description="File whose first line is the passphrase. SIGHTLINE_BACKUP_PASSPHRASE takes precedence."
    )

    # Retention, in days. Scans, results, scoreboards, trends and the ledger are never deleted.
    answer_retention_days: int | None = Field(
        None,
        ge=35,
        description="Days from the creation of a scan until its answers are deleted. Minimum: 35. Figures stay. "
        "Unset: never.",
    )
    seal_answers_after_days: int | None = Field(
        None,
        ge=0,
        description="Days after which a complete month of answers moves from the database to Parquet files in the "
        "store of payloads. Minimum: 35; 0: never. Unset: 400 in a new installation, and never "
        "in one that was made before this setting existed.",
    )
    payload_retention_days: int | None = Field(
        None,
        ge=0,
        description="Days after which payloads, the raw responses of platforms, are deleted. 0: with the answer. "
        "Unset: 90 in a new installation, and with the answer in one that was made before sealed months existed.",
    )
    payload_store: str = Field(
        "database",
        description="Where payloads are stored: `database`, a folder such as `file:/srv/payloads`, or a bucket such as "
        "`s3://bucket/folder`, with region and credentials in `AWS_…`. Folder and bucket need the extra `objects`.",
    )
    payload_store_former: str | None = Field(
        None,
        description="The previous store. It is still read, and workers move its payloads to the current store. "
        "Payloads in the database are always moved.",
    )
    report_retention_days: int | None = Field(
        None, ge=1, description="Days after which reports and their share links are deleted. Unset: never."
    )

    audit_retention_days: int = Field(
        730, ge=90, description="Days after which entries of the audit log are deleted. Minimum: 90."
    )

    # Lifetimes, in seconds
    session_lifetime: int = Field(14 * 86_400, ge=60, description="Seconds after sign-in until a session ends.")
    session_idle_lifetime: int = Field(7 * 86_400, ge=600, description="Seconds until an unused session ends.")
    idempotency_lease: int = Field(
        3_600, ge=1, description="Seconds until an idempotency key can be used again if its request does not finish."
    )
    idempotency_retention: int = Field(
        86_400, ge=1, description="Minimum seconds for which the stored response to an idempotency key is repeated."
    )
    degraded_auth_age: int = Field(
        86_400,
        ge=0,
        description="While the database is down, keys and sessions used within these seconds can read saved copies.",
    )

    # Logs
    log_level: Literal["debug", "info", "warning", "error"] = Field("info", description="Lowest level that is logged.")
    log_format: Literal["auto", "json", "console"] = Field(
        "auto", description="`json` or `console`. auto: `console` on a terminal, `json` elsewhere."
    )

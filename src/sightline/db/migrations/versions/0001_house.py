"""Create users, workspaces, sessions, API keys, domains, rate limits, usage and idempotency keys."""

from sightline.db.migrations.steps import run_sql

revision = "0001"
down_revision = None

STATEMENTS = """
CREATE TABLE users (
    id            uuid PRIMARY KEY,
    email         text NOT NULL UNIQUE CHECK (email = lower(email)),
    name          text NOT NULL,
    password_hash text NOT NULL,
    created_at    timestamptz NOT NULL
);

CREATE TABLE workspaces (
    id            uuid PRIMARY KEY,
    name          text NOT NULL,
    company       text,
    billing_email text,
    website       text,
    timezone      text NOT NULL DEFAULT 'UTC',
    plan          text NOT NULL CHECK (plan IN ('free', 'trial', 'starter', 'professional', 'agency')),
    payer_user_id uuid REFERENCES users,
    created_at    timestamptz NOT NULL
);

CREATE TABLE members (
    workspace_id uuid NOT NULL REFERENCES workspaces,
    user_id      uuid NOT NULL REFERENCES users,
    role         text NOT NULL CHECK (role IN ('viewer', 'editor', 'admin', 'owner')),
    billing      boolean NOT NULL DEFAULT false,
    created_at   timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, user_id)
);
CREATE INDEX members_by_user ON members (user_id);

CREATE TABLE sessions (
    digest     bytea PRIMARY KEY,
    user_id    uuid NOT NULL REFERENCES users,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL
);
CREATE INDEX sessions_by_user ON sessions (user_id);
CREATE INDEX sessions_by_expiry ON sessions (expires_at);

CREATE TABLE bootstrap_tokens (
    digest     bytea PRIMARY KEY,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    used_by    uuid REFERENCES users
);

CREATE TABLE api_keys (
    workspace_id uuid NOT NULL REFERENCES workspaces,
    id           uuid NOT NULL,
    kind         text NOT NULL CHECK (kind IN ('console', 'data')),
    livemode     boolean NOT NULL,
    scopes       text[] NOT NULL,
    name         text NOT NULL,
    digest       bytea NOT NULL UNIQUE,
    last_four    text NOT NULL,
    created_by   uuid NOT NULL REFERENCES users,
    created_at   timestamptz NOT NULL,
    last_used_at timestamptz,
    revoked_at   timestamptz,
    PRIMARY KEY (workspace_id, id),
    CHECK (kind = 'console' OR livemode)
);
CREATE INDEX api_keys_newest ON api_keys (workspace_id, created_at DESC, id DESC);

CREATE TABLE domains (
    workspace_id              uuid NOT NULL REFERENCES workspaces,
    id                        uuid NOT NULL,
    kind                      text NOT NULL CHECK (kind IN ('console', 'tracked')),
    livemode                  boolean NOT NULL,
    domain                    text NOT NULL,
    brand_name                text NOT NULL,
    aliases                   text[] NOT NULL DEFAULT '{}',
    owned_domains             text[] NOT NULL DEFAULT '{}',
    competitors               jsonb NOT NULL DEFAULT '[]',
    status                    text NOT NULL CHECK (status IN ('setup', 'active', 'removed')),
    created_at                timestamptz NOT NULL,
    removed_at                timestamptz,
    latest_visibility_score   double precision,
    latest_brand_coverage_pct double precision,
    latest_ai_mentions        integer,
    latest_market_position    integer,
    last_scan_at              timestamptz,
    scan_count                integer NOT NULL DEFAULT 0,
    platforms                 text[] NOT NULL DEFAULT '{}',
    last_full_check_at        timestamptz,
    last_daily_check_at       timestamptz,
    next_check_at             timestamptz,
    next_check_scope          text,
    prompt_count              integer NOT NULL DEFAULT 0,
    pinned_count              integer NOT NULL DEFAULT 0,
    competitor_count          integer NOT NULL DEFAULT 0,
    PRIMARY KEY (workspace_id, id),
    UNIQUE (workspace_id, kind, livemode, domain),
    CHECK ((status = 'removed') = (removed_at IS NOT NULL)),
    CHECK (kind = 'console' OR livemode)
);
CREATE INDEX domains_newest ON domains (workspace_id, kind, livemode, created_at DESC, id DESC)
    WHERE status <> 'removed';

-- Minute windows are worth nothing after a crash, so they are not logged; months are.
CREATE UNLOGGED TABLE rate_minutes (
    subject uuid NOT NULL,
    minute  timestamptz NOT NULL,
    n       integer NOT NULL,
    PRIMARY KEY (subject, minute)
) WITH (fillfactor = 50);
CREATE INDEX rate_minutes_by_minute ON rate_minutes (minute);

CREATE TABLE rate_months (
    workspace_id uuid NOT NULL,
    key_id       uuid NOT NULL,
    month        timestamptz NOT NULL,
    n            integer NOT NULL,
    PRIMARY KEY (workspace_id, key_id, month)
) WITH (fillfactor = 50);

CREATE TABLE usage_minutes (
    workspace_id uuid NOT NULL,
    minute       timestamptz NOT NULL,
    requests     integer NOT NULL,
    errors       integer NOT NULL,
    PRIMARY KEY (workspace_id, minute)
);
CREATE INDEX usage_minutes_by_minute ON usage_minutes (minute);

CREATE TABLE idempotency_keys (
    workspace_id uuid NOT NULL,
    subject      uuid NOT NULL,
    method       text NOT NULL,
    path_hash    bytea NOT NULL,
    key          text NOT NULL,
    body_hash    bytea NOT NULL,
    claim        uuid NOT NULL,
    claimed_at   timestamptz NOT NULL,
    stored_at    timestamptz,
    status       integer,
    headers      jsonb,
    body         bytea,
    PRIMARY KEY (workspace_id, subject, method, path_hash, key),
    CHECK ((stored_at IS NULL) = (status IS NULL))
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (claimed_at);

-- The operator's switches, one row.
CREATE TABLE installation (
    one             boolean PRIMARY KEY DEFAULT true CHECK (one),
    console_enabled boolean NOT NULL DEFAULT true,
    demo            jsonb -- the ids of the demonstration world, once it is built
);
INSERT INTO installation DEFAULT VALUES
"""


def upgrade() -> None:
    run_sql(STATEMENTS)

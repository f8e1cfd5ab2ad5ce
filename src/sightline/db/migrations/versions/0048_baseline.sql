CREATE TABLE users (
    id uuid NOT NULL,
    email text NOT NULL,
    name text NOT NULL,
    password_hash text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    timezone text, -- of the IANA database; null: the workspace's
    language text,
    CONSTRAINT users_pkey PRIMARY KEY (id),
    CONSTRAINT users_email_key UNIQUE (email),
    CONSTRAINT users_email_check CHECK ((email = lower(email)))
);

CREATE TABLE workspaces (
    id uuid NOT NULL,
    name text NOT NULL,
    company text,
    billing_email text,
    website text,
    timezone text DEFAULT 'UTC'::text NOT NULL,
    plan text NOT NULL,
    payer_user_id uuid,
    created_at timestamp with time zone NOT NULL,
    trial_ends_at timestamp with time zone,
    audited_at timestamp with time zone,
    made_for_demo boolean DEFAULT false NOT NULL,
    closed_at timestamp with time zone,
    CONSTRAINT workspaces_pkey PRIMARY KEY (id),
    CONSTRAINT workspaces_plan_check CHECK ((plan = ANY (ARRAY['free'::text, 'trial'::text, 'starter'::text, 'professional'::text, 'agency'::text]))),
    CONSTRAINT workspaces_payer_user_id_fkey FOREIGN KEY (payer_user_id) REFERENCES users(id)
);
CREATE INDEX workspaces_on_trial ON workspaces USING btree (trial_ends_at) WHERE (plan = 'trial'::text);

CREATE TABLE domains (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    kind text NOT NULL,
    livemode boolean NOT NULL,
    domain text NOT NULL,
    brand_name text NOT NULL,
    aliases text[] DEFAULT '{}'::text[] NOT NULL,
    owned_domains text[] DEFAULT '{}'::text[] NOT NULL,
    competitors jsonb DEFAULT '[]'::jsonb NOT NULL,
    status text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    removed_at timestamp with time zone,
    latest_visibility_score double precision,
    latest_brand_coverage_pct double precision,
    latest_ai_mentions integer,
    latest_market_position integer,
    last_scan_at timestamp with time zone,
    scan_count integer DEFAULT 0 NOT NULL,
    platforms text[] DEFAULT '{}'::text[] NOT NULL,
    last_full_check_at timestamp with time zone,
    last_daily_check_at timestamp with time zone,
    next_check_at timestamp with time zone,
    next_check_scope text,
    prompt_count integer DEFAULT 0 NOT NULL,
    pinned_count integer DEFAULT 0 NOT NULL,
    competitor_count integer DEFAULT 0 NOT NULL,
    language_code text,
    countries text[] DEFAULT '{}'::text[] NOT NULL,
    anchor_at timestamp with time zone, -- the end of the setup: weeks are counted from it
    made_for_demo boolean DEFAULT false NOT NULL,
    chosen_platforms text[], -- null: all platforms of the plan
    first_week_closed_at timestamp with time zone, -- when somebody closed the checklist of the first week
    last_audit_at timestamp with time zone,
    CONSTRAINT domains_pkey PRIMARY KEY (workspace_id, id),
    CONSTRAINT domains_workspace_id_kind_livemode_domain_key UNIQUE (workspace_id, kind, livemode, domain),
    CONSTRAINT domains_check CHECK (((status = 'removed'::text) = (removed_at IS NOT NULL))),
    CONSTRAINT domains_check1 CHECK (((kind = 'console'::text) OR livemode)),
    CONSTRAINT domains_kind_check CHECK ((kind = ANY (ARRAY['console'::text, 'tracked'::text]))),
    CONSTRAINT domains_status_check CHECK ((status = ANY (ARRAY['setup'::text, 'active'::text, 'removed'::text]))),
    CONSTRAINT domains_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);
CREATE INDEX domains_due ON domains USING btree (next_check_at) WHERE ((kind = 'tracked'::text) AND (status = 'active'::text));
CREATE INDEX domains_newest ON domains USING btree (workspace_id, kind, livemode, created_at DESC, id DESC) WHERE (status <> 'removed'::text);

-- Alerts of this type and scope are stored and shown, but nobody is notified.
CREATE TABLE alert_mutes (
    workspace_id uuid NOT NULL,
    domain_id uuid NOT NULL,
    type text NOT NULL,
    scope text NOT NULL,
    muted_by uuid NOT NULL,
    muted_at timestamp with time zone NOT NULL,
    CONSTRAINT alert_mutes_pkey PRIMARY KEY (workspace_id, domain_id, type, scope),
    CONSTRAINT alert_mutes_muted_by_fkey FOREIGN KEY (muted_by) REFERENCES users(id),
    CONSTRAINT alert_mutes_workspace_id_domain_id_fkey FOREIGN KEY (workspace_id, domain_id) REFERENCES domains(workspace_id, id)
);

CREATE TABLE alerts (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    domain_id uuid NOT NULL,
    type text NOT NULL,
    scope text NOT NULL, -- overall, platform:chatgpt, country:DE, cell:<prompt>:<platform>
    state text NOT NULL,
    hushed text, -- why nobody was notified
    evidence bytea NOT NULL, -- JSON: figures, tests, answers
    scan_id uuid NOT NULL, -- the latest Daily Check that changed its state
    watched_at timestamp with time zone NOT NULL,
    confirmed_at timestamp with time zone,
    resolved_at timestamp with time zone,
    notified_at timestamp with time zone,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT alerts_pkey PRIMARY KEY (workspace_id, id),
    CONSTRAINT alerts_state_check CHECK ((state = ANY (ARRAY['watch'::text, 'confirmed'::text, 'resolved'::text, 'lapsed'::text]))),
    CONSTRAINT alerts_workspace_id_domain_id_fkey FOREIGN KEY (workspace_id, domain_id) REFERENCES domains(workspace_id, id)
);
CREATE INDEX alerts_newest ON alerts USING btree (workspace_id, domain_id, watched_at DESC, id DESC);
CREATE UNIQUE INDEX alerts_one_open ON alerts USING btree (workspace_id, domain_id, type, scope) WHERE (state = ANY (ARRAY['watch'::text, 'confirmed'::text]));

-- One row for each answer of a completed check of a tracked domain, with the same partitions as `answers`.
CREATE TABLE answer_facts (
    workspace_id uuid NOT NULL,
    domain_id uuid NOT NULL,
    scan_id uuid NOT NULL,
    answer_id uuid NOT NULL,
    prompt_id uuid NOT NULL,
    platform text NOT NULL,
    labels text[] NOT NULL, -- the values that lists filter by: platform:chatgpt, named, site:g2.com
    words tsvector NOT NULL, -- of the text, by the rules of its language
    latency_ms integer, -- null if the platform was never asked
    CONSTRAINT answer_facts_pkey PRIMARY KEY (workspace_id, domain_id, scan_id, answer_id)
) PARTITION BY RANGE (scan_id);
CREATE INDEX answer_facts_search ON ONLY answer_facts USING gin (labels, words);

CREATE TABLE answer_facts_default PARTITION OF answer_facts DEFAULT;

CREATE TABLE answer_payloads (
    workspace_id uuid NOT NULL,
    scan_id uuid NOT NULL,
    answer_id uuid NOT NULL,
    payload bytea NOT NULL, -- the platform's response, compressed
    CONSTRAINT answer_payloads_pkey PRIMARY KEY (workspace_id, scan_id, answer_id)
) PARTITION BY RANGE (scan_id);

CREATE TABLE answer_payloads_default PARTITION OF answer_payloads DEFAULT;
ALTER TABLE answer_payloads_default ALTER COLUMN payload SET STORAGE EXTERNAL;

-- One row for each answer, in one partition per month of the scan, which its id (UUIDv7) contains.
CREATE TABLE answers (
    workspace_id uuid NOT NULL,
    scan_id uuid NOT NULL,
    id uuid NOT NULL,
    prompt_index integer NOT NULL,
    platform text NOT NULL,
    country text,
    status text NOT NULL,
    text text NOT NULL,
    record bytea NOT NULL, -- sources, reading, provenance: JSON, read by one struct
    answered_at timestamp with time zone NOT NULL,
    CONSTRAINT answers_pkey PRIMARY KEY (workspace_id, scan_id, id),
    CONSTRAINT answers_workspace_id_scan_id_prompt_index_platform_country_key UNIQUE NULLS NOT DISTINCT (workspace_id, scan_id, prompt_index, platform, country),
    CONSTRAINT answers_status_check CHECK ((status = ANY (ARRAY['ok'::text, 'no_surface'::text, 'failed'::text])))
) PARTITION BY RANGE (scan_id);

CREATE TABLE answers_default PARTITION OF answers DEFAULT;

CREATE TABLE api_keys (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    kind text NOT NULL,
    livemode boolean NOT NULL,
    scopes text[] NOT NULL,
    name text NOT NULL,
    digest bytea NOT NULL,
    last_four text NOT NULL,
    created_by uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    last_used_at timestamp with time zone,
    revoked_at timestamp with time zone,
    parent_id uuid, -- the key that created this one; null if a person did
    expires_at timestamp with time zone,
    allowed_addresses cidr[] DEFAULT '{}'::cidr[] NOT NULL, -- empty: any address
    previous_digest bytea,
    previous_ends_at timestamp with time zone,
    CONSTRAINT api_keys_pkey PRIMARY KEY (workspace_id, id),
    CONSTRAINT api_keys_digest_key UNIQUE (digest),
    CONSTRAINT api_keys_previous_digest_key UNIQUE (previous_digest),
    CONSTRAINT api_keys_check CHECK (((kind = 'console'::text) OR livemode)),
    CONSTRAINT api_keys_check1 CHECK (((previous_digest IS NULL) = (previous_ends_at IS NULL))),
    CONSTRAINT api_keys_kind_check CHECK ((kind = ANY (ARRAY['console'::text, 'data'::text]))),
    CONSTRAINT api_keys_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
    CONSTRAINT api_keys_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id),
    CONSTRAINT api_keys_workspace_id_parent_id_fkey FOREIGN KEY (workspace_id, parent_id) REFERENCES api_keys(workspace_id, id)
);
CREATE INDEX api_keys_children ON api_keys USING btree (workspace_id, parent_id) WHERE (parent_id IS NOT NULL);
CREATE INDEX api_keys_newest ON api_keys USING btree (workspace_id, created_at DESC, id DESC);

CREATE TABLE bootstrap_tokens (
    digest bytea NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    used_by uuid,
    first_owner_only boolean DEFAULT false NOT NULL,
    CONSTRAINT bootstrap_tokens_pkey PRIMARY KEY (digest),
    CONSTRAINT bootstrap_tokens_used_by_fkey FOREIGN KEY (used_by) REFERENCES users(id)
);

-- The scoreboard: the latest known answer of each cell.
CREATE TABLE cells (
    workspace_id uuid NOT NULL,
    domain_id uuid NOT NULL,
    prompt_id uuid NOT NULL,
    platform text NOT NULL,
    base boolean NOT NULL, -- planned by the latest Full Check; only these count in the headline
    scan_id uuid NOT NULL, -- the check whose answer is shown
    scope text NOT NULL,
    answer_id uuid NOT NULL,
    status text NOT NULL,
    stale boolean NOT NULL, -- a later check asked again and got no valid answer
    checked_at timestamp with time zone NOT NULL, -- when the check that is shown was completed
    seen_at timestamp with time zone NOT NULL, -- when the last check that asked was completed
    CONSTRAINT cells_pkey PRIMARY KEY (workspace_id, domain_id, prompt_id, platform),
    CONSTRAINT cells_status_check CHECK ((status = ANY (ARRAY['ok'::text, 'no_surface'::text, 'failed'::text]))),
    CONSTRAINT cells_workspace_id_domain_id_fkey FOREIGN KEY (workspace_id, domain_id) REFERENCES domains(workspace_id, id)
);

CREATE TABLE credit_packs (
    pricing_id integer GENERATED BY DEFAULT AS IDENTITY,
    credits integer NOT NULL,
    price_cents integer NOT NULL,
    currency text DEFAULT 'usd'::text NOT NULL,
    name text NOT NULL,
    description text NOT NULL,
    badge text,
    active boolean DEFAULT true NOT NULL,
    CONSTRAINT credit_packs_pkey PRIMARY KEY (pricing_id),
    CONSTRAINT credit_packs_credits_check CHECK ((credits > 0)),
    CONSTRAINT credit_packs_price_cents_check CHECK ((price_cents > 0))
);

CREATE TABLE checkout_attempts (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    reference text NOT NULL,
    livemode boolean NOT NULL,
    user_id uuid NOT NULL,
    pricing_id integer NOT NULL,
    credits integer NOT NULL,
    amount_cents integer NOT NULL,
    currency text NOT NULL,
    provider text NOT NULL,
    provider_session text,
    checkout_url text,
    status text NOT NULL,
    reason text, -- why a person must review it
    payment_reference text,
    refunded_cents integer DEFAULT 0 NOT NULL,
    refunded_credits integer DEFAULT 0 NOT NULL,
    credited_at timestamp with time zone,
    expires_at timestamp with time zone NOT NULL,
    checked_at timestamp with time zone, -- when the provider was last asked by the reconciler
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    cancelled_at timestamp with time zone, -- the buyer left or replaced it, and its page must be closed
    reported_at timestamp with time zone, -- when the operator was asked to review it
    CONSTRAINT checkout_attempts_pkey PRIMARY KEY (workspace_id, id),
    CONSTRAINT checkout_attempts_provider_session_key UNIQUE (provider_session),
    CONSTRAINT checkout_attempts_reference_key UNIQUE (reference),
    CONSTRAINT checkout_attempts_amount_cents_check CHECK ((amount_cents > 0)),
    CONSTRAINT checkout_attempts_credits_check CHECK ((credits > 0)),
    CONSTRAINT checkout_attempts_provider_check CHECK ((provider = ANY (ARRAY['stripe'::text, 'local'::text]))),
    CONSTRAINT checkout_attempts_status_check CHECK ((status = ANY (ARRAY['unpaid'::text, 'pending'::text, 'credited'::text, 'reconciliation'::text, 'refund_required'::text, 'expired'::text, 'refunded'::text]))),
    CONSTRAINT checkout_attempts_pricing_id_fkey FOREIGN KEY (pricing_id) REFERENCES credit_packs(pricing_id),
    CONSTRAINT checkout_attempts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
    CONSTRAINT checkout_attempts_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);
-- Attempts that the operator must review, in any workspace.
CREATE INDEX checkout_attempts_in_review ON checkout_attempts USING btree (updated_at) WHERE (status = ANY (ARRAY['reconciliation'::text, 'refund_required'::text]));
CREATE INDEX checkout_attempts_newest ON checkout_attempts USING btree (workspace_id, livemode, created_at DESC, id DESC);
CREATE INDEX checkout_attempts_open ON checkout_attempts USING btree (created_at) WHERE (status = ANY (ARRAY['unpaid'::text, 'pending'::text]));

-- Refunds and disputes of paid checkouts, one row each, with the credits that they took back.
CREATE TABLE checkout_reversals (
    workspace_id uuid NOT NULL,
    attempt_id uuid NOT NULL,
    id text NOT NULL, -- the provider's
    kind text NOT NULL,
    cents integer NOT NULL,
    credits integer NOT NULL,
    undone boolean NOT NULL, -- a failed refund or a won dispute: it no longer counts
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT checkout_reversals_pkey PRIMARY KEY (workspace_id, attempt_id, id),
    CONSTRAINT checkout_reversals_cents_check CHECK ((cents >= 0)),
    CONSTRAINT checkout_reversals_credits_check CHECK ((credits >= 0)),
    CONSTRAINT checkout_reversals_kind_check CHECK ((kind = ANY (ARRAY['refund'::text, 'dispute'::text]))),
    CONSTRAINT checkout_reversals_workspace_id_attempt_id_fkey FOREIGN KEY (workspace_id, attempt_id) REFERENCES checkout_attempts(workspace_id, id)
);

-- Competitors of a tracked domain. Only confirmed ones are measured.
CREATE TABLE competitors (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    domain_id uuid NOT NULL,
    competitor_domain text, -- null: found by name alone; it cannot be confirmed without a domain
    found_as text, -- the name that answers use
    names text[] DEFAULT '{}'::text[] NOT NULL, -- entered by members of the workspace
    display_name text, -- as the competitor's own site declares it
    site_read_at timestamp with time zone,
    discovery_source text NOT NULL,
    status text NOT NULL,
    score double precision, -- how strongly the answers suggest a detected competitor
    discovered_at timestamp with time zone NOT NULL,
    last_updated timestamp with time zone NOT NULL,
    -- its color depends on it, and stays when the competitor is hidden and confirmed again
    confirmed_at timestamp with time zone,
    CONSTRAINT competitors_pkey PRIMARY KEY (workspace_id, id),
    CONSTRAINT competitors_check CHECK (((competitor_domain IS NOT NULL) OR ((found_as IS NOT NULL) AND (status = ANY (ARRAY['suggested'::text, 'dismissed'::text]))))),
    CONSTRAINT competitors_discovery_source_check CHECK ((discovery_source = ANY (ARRAY['added_by_you'::text, 'detected'::text]))),
    CONSTRAINT competitors_status_check CHECK ((status = ANY (ARRAY['suggested'::text, 'confirmed'::text, 'dismissed'::text, 'hidden'::text]))),
    CONSTRAINT competitors_workspace_id_domain_id_fkey FOREIGN KEY (workspace_id, domain_id) REFERENCES domains(workspace_id, id)
);
CREATE UNIQUE INDEX competitors_by_domain ON competitors USING btree (workspace_id, domain_id, competitor_domain) WHERE (competitor_domain IS NOT NULL);
CREATE UNIQUE INDEX competitors_by_name ON competitors USING btree (workspace_id, domain_id, lower(found_as)) WHERE (competitor_domain IS NULL);
CREATE INDEX competitors_listed ON competitors USING btree (workspace_id, domain_id, last_updated DESC, id DESC) WHERE (status = 'confirmed'::text);

-- Users' corrections of answers. A correction stays when its answer is removed.
CREATE TABLE corrections (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    domain_id uuid NOT NULL,
    scan_id uuid NOT NULL,
    answer_id uuid NOT NULL,
    kind text NOT NULL,
    span_start integer NOT NULL, -- characters of the answer
    span_end integer NOT NULL,
    words text NOT NULL,
    phrase text, -- a phrase in which the name means something else, in every answer
    name text, -- the name that it added to the brand
    created_by uuid NOT NULL,
    api_key_id uuid, -- the key that was used, or null for a session
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT corrections_pkey PRIMARY KEY (workspace_id, id),
    CONSTRAINT corrections_check CHECK ((span_end > span_start)),
    CONSTRAINT corrections_check1 CHECK ((
CASE kind
    WHEN 'missing'::text THEN phrase
    ELSE name
END IS NULL)),
    CONSTRAINT corrections_kind_check CHECK ((kind = ANY (ARRAY['not_this_brand'::text, 'missing'::text]))),
    CONSTRAINT corrections_span_start_check CHECK ((span_start >= 0)),
    CONSTRAINT corrections_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
    CONSTRAINT corrections_workspace_id_api_key_id_fkey FOREIGN KEY (workspace_id, api_key_id) REFERENCES api_keys(workspace_id, id),
    CONSTRAINT corrections_workspace_id_domain_id_fkey FOREIGN KEY (workspace_id, domain_id) REFERENCES domains(workspace_id, id)
);
CREATE INDEX corrections_newest ON corrections USING btree (workspace_id, domain_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX corrections_one_per_place ON corrections USING btree (workspace_id, scan_id, answer_id, span_start, span_end);

-- Batches of calls that platform_costs contains, so that none counts twice. Kept for a day.
CREATE TABLE cost_batches (
    id uuid NOT NULL,
    written_at timestamp with time zone NOT NULL,
    CONSTRAINT cost_batches_pkey PRIMARY KEY (id)
);
CREATE INDEX cost_batches_by_age ON cost_batches USING btree (written_at);

-- The balance is the sum of the account's entries. Its row is the lock of the account.
CREATE TABLE credit_accounts (
    workspace_id uuid NOT NULL,
    livemode boolean NOT NULL,
    balance bigint DEFAULT 0 NOT NULL,
    spend_cap_cents bigint, -- null: the installation's default
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT credit_accounts_pkey PRIMARY KEY (workspace_id, livemode),
    CONSTRAINT credit_accounts_spend_cap_cents_check CHECK ((spend_cap_cents >= 0)),
    CONSTRAINT credit_accounts_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);

CREATE TABLE credit_entries (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    livemode boolean NOT NULL,
    delta bigint NOT NULL,
    reason text NOT NULL,
    scan_id uuid,
    payment_reference text,
    description text NOT NULL,
    cause text NOT NULL, -- one entry per cause: scan:<id>, scan-refund:<id>, checkout:<id>, …
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT credit_entries_pkey PRIMARY KEY (workspace_id, id),
    CONSTRAINT credit_entries_workspace_id_livemode_cause_key UNIQUE (workspace_id, livemode, cause),
    CONSTRAINT credit_entries_delta_check CHECK ((delta <> 0)),
    CONSTRAINT credit_entries_reason_check CHECK ((reason = ANY (ARRAY['purchase'::text, 'scan_consumption'::text, 'refund'::text, 'action_consumption'::text, 'manual_adjustment'::text, 'promotional_grant'::text]))),
    CONSTRAINT credit_entries_workspace_id_livemode_fkey FOREIGN KEY (workspace_id, livemode) REFERENCES credit_accounts(workspace_id, livemode)
);
CREATE INDEX credit_entries_by_reason ON credit_entries USING btree (workspace_id, livemode, reason, created_at DESC, id DESC);
CREATE INDEX credit_entries_newest ON credit_entries USING btree (workspace_id, livemode, created_at DESC, id DESC);

-- Demonstrations that users requested on a page, at most one for each workspace.
CREATE TABLE demonstrations (
    workspace_id uuid NOT NULL, -- where it was requested
    shown_in uuid NOT NULL, -- the same, or a workspace that was created for it
    domain_id uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    completed_at timestamp with time zone,
    CONSTRAINT demonstrations_pkey PRIMARY KEY (workspace_id),
    CONSTRAINT demonstrations_shown_in_fkey FOREIGN KEY (shown_in) REFERENCES workspaces(id),
    CONSTRAINT demonstrations_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);

-- The latest change to what all units of a domain share: tags of prompts, or done recommendations.
CREATE TABLE domain_changes (
    workspace_id uuid NOT NULL,
    domain_id uuid NOT NULL,
    subject text NOT NULL,
    changed_xid xid8 DEFAULT pg_current_xact_id() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT domain_changes_pkey PRIMARY KEY (workspace_id, domain_id, subject),
    CONSTRAINT domain_changes_subject_check CHECK ((subject = ANY (ARRAY['tags'::text, 'marks'::text])))
);

-- The latest check from which each part of the insights was written, so that no older check replaces it.
CREATE TABLE drawn_insights (
    workspace_id uuid NOT NULL,
    domain_id uuid NOT NULL,
    part text NOT NULL,
    scan_id uuid NOT NULL,
    completed_at timestamp with time zone NOT NULL,
    CONSTRAINT drawn_insights_pkey PRIMARY KEY (workspace_id, domain_id, part),
    CONSTRAINT drawn_insights_part_check CHECK ((part = ANY (ARRAY['alerts'::text, 'competitors'::text, 'themes'::text, 'recommendations'::text, 'opportunities'::text, 'suggestions'::text]))),
    CONSTRAINT drawn_insights_workspace_id_domain_id_fkey FOREIGN KEY (workspace_id, domain_id) REFERENCES domains(workspace_id, id)
);

-- Written by triggers, so that every way of ending access records it: page, API, command line or SQL.
CREATE TABLE ended_access (
    subject text NOT NULL, -- 'credential <digest>' or 'member <workspace> <user>'
    is_over boolean NOT NULL, -- false: the member has joined again
    ends_at timestamp with time zone, -- null: at once
    recorded_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT ended_access_pkey PRIMARY KEY (subject)
);
CREATE INDEX ended_access_newest ON ended_access USING btree (recorded_at);

-- The outbox: one row for each cause, written in the same transaction.
CREATE TABLE events (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    livemode boolean NOT NULL,
    type text NOT NULL,
    cause text NOT NULL,
    body bytea NOT NULL, -- the JSON that every endpoint receives, the same at every attempt
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT events_pkey PRIMARY KEY (workspace_id, id),
    CONSTRAINT events_workspace_id_livemode_type_cause_key UNIQUE (workspace_id, livemode, type, cause),
    CONSTRAINT events_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);
CREATE INDEX events_by_age ON events USING btree (created_at);

-- Failed attempts of strangers, such as sign-ins. Unlogged, because a crash may lose them.
CREATE UNLOGGED TABLE failed_attempts (
    subject uuid NOT NULL, -- a hash of the account, the network or both
    failures double precision NOT NULL, -- as of `counted_at`; the number falls over time
    counted_at timestamp with time zone NOT NULL,
    wait_until timestamp with time zone NOT NULL,
    CONSTRAINT failed_attempts_pkey PRIMARY KEY (subject)
) WITH (fillfactor=50);
CREATE INDEX failed_attempts_by_age ON failed_attempts USING btree (counted_at);

CREATE TABLE idempotency_keys (
    workspace_id uuid NOT NULL,
    subject uuid NOT NULL,
    method text NOT NULL,
    path_hash bytea NOT NULL,
    key text NOT NULL,
    body_hash bytea NOT NULL,
    claim uuid NOT NULL,
    claimed_at timestamp with time zone NOT NULL,
    stored_at timestamp with time zone,
    status integer,
    headers jsonb,
    body bytea,
    renewed_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT idempotency_keys_pkey PRIMARY KEY (workspace_id, subject, method, path_hash, key),
    CONSTRAINT idempotency_keys_check CHECK (((stored_at IS NULL) = (status IS NULL)))
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys USING btree (claimed_at);

CREATE TABLE ignored_sites (
    workspace_id uuid NOT NULL,
    domain_id uuid NOT NULL,
    site text NOT NULL,
    ignored_by uuid NOT NULL,
    ignored_at timestamp with time zone NOT NULL,
    CONSTRAINT ignored_sites_pkey PRIMARY KEY (workspace_id, domain_id, site),
    CONSTRAINT ignored_sites_ignored_by_fkey FOREIGN KEY (ignored_by) REFERENCES users(id),
    CONSTRAINT ignored_sites_workspace_id_domain_id_fkey FOREIGN KEY (workspace_id, domain_id) REFERENCES domains(workspace_id, id)
);

-- Facts and settings of the installation, in one row.
CREATE TABLE installation (
    one boolean DEFAULT true NOT NULL,
    console_enabled boolean DEFAULT true NOT NULL,
    demo jsonb, -- the ids of the demonstration, once it exists
    purchases_enabled boolean DEFAULT true NOT NULL,
    sandbox_ended_at timestamp with time zone, -- when the first platform was connected
    first_operator_at timestamp with time zone, -- a removed operator does not come back after a restart
    payloads_removed_to uuid, -- the newest scan whose payloads retention has removed, like those of all earlier ones
    payloads_checked_to text, -- workspace and scan; null between two runs
    payloads_checked_at timestamp with time zone,
    CONSTRAINT installation_pkey PRIMARY KEY (one),
    CONSTRAINT installation_one_check CHECK (one)
);

-- An invitation can be used once, and sets the role. Only the digest of its link is stored.
CREATE TABLE invitations (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    digest bytea NOT NULL,
    email text, -- shown in the list; the link alone decides who may join
    role text NOT NULL,
    billing boolean DEFAULT false NOT NULL,
    invited_by uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    revoked_at timestamp with time zone,
    accepted_at timestamp with time zone,
    accepted_by uuid,
    CONSTRAINT invitations_pkey PRIMARY KEY (workspace_id, id),
    CONSTRAINT invitations_digest_key UNIQUE (digest),
    CONSTRAINT invitations_check CHECK (((accepted_at IS NULL) = (accepted_by IS NULL))),
    CONSTRAINT invitations_email_check CHECK ((email = lower(email))),
    CONSTRAINT invitations_role_check CHECK ((role = ANY (ARRAY['viewer'::text, 'editor'::text, 'admin'::text]))),
    CONSTRAINT invitations_accepted_by_fkey FOREIGN KEY (accepted_by) REFERENCES users(id),
    CONSTRAINT invitations_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES users(id),
    CONSTRAINT invitations_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);
CREATE INDEX invitations_newest ON invitations USING btree (workspace_id, created_at DESC, id DESC);

-- A job without a worker waits; a job with `failed_at` is not tried again. Rows live for a second: unless they are
-- vacuumed early, every poll of the queue reads through dead ones.
CREATE TABLE jobs (
    id bigint GENERATED BY DEFAULT AS IDENTITY,
    kind text NOT NULL,
    payload bytea NOT NULL,
    priority integer NOT NULL,
    key text,
    run_after timestamp with time zone NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    worker_id uuid,
    failed_at timestamp with time zone,
    share text COLLATE "C" DEFAULT ''::text NOT NULL, -- `workspace/endpoint` of a webhook delivery, else empty
    failure text, -- the last error, for operators
    traceparent text, -- the W3C trace context of the cause
    CONSTRAINT jobs_pkey PRIMARY KEY (id),
    CONSTRAINT jobs_check CHECK (((worker_id IS NULL) OR (failed_at IS NULL)))
) WITH (fillfactor=70, autovacuum_vacuum_scale_factor=0.01, autovacuum_vacuum_threshold=1000, autovacuum_vacuum_cost_delay=0, autovacuum_analyze_scale_factor=0.05);
CREATE INDEX jobs_held ON jobs USING btree (failed_at) WHERE (failed_at IS NOT NULL);
CREATE UNIQUE INDEX jobs_key ON jobs USING btree (key) WHERE (failed_at IS NULL);
CREATE INDEX jobs_shares ON jobs USING btree (kind, share, run_after, id) WHERE ((worker_id IS NULL) AND (failed_at IS NULL));
CREATE INDEX jobs_waiting ON jobs USING btree (kind, priority DESC, id) WHERE ((worker_id IS NULL) AND (failed_at IS NULL));

-- Kept until the next Full Check, so that a second run of the job does not ask a judge again.
CREATE TABLE judged_answers (
    workspace_id uuid NOT NULL,
    domain_id uuid NOT NULL,
    answer_id uuid NOT NULL,
    scan_id uuid NOT NULL,
    aspects bytea NOT NULL, -- JSON, by brand; empty if the answer contains none
    CONSTRAINT judged_answers_pkey PRIMARY KEY (workspace_id, domain_id, answer_id),
    CONSTRAINT judged_answers_workspace_id_domain_id_fkey FOREIGN KEY (workspace_id, domain_id) REFERENCES domains(workspace_id, id)
);

-- The last form that each person sent after the session ended, until they have signed in again and seen it.
CREATE TABLE kept_forms (
    user_id uuid NOT NULL,
    sealed bytea NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT kept_forms_pkey PRIMARY KEY (user_id),
    CONSTRAINT kept_forms_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

-- Orders of the local test provider, which stands for a payment service and only happens to use this database.
CREATE TABLE local_orders (
    session text NOT NULL,
    reference text NOT NULL,
    workspace_id uuid NOT NULL,
    amount_cents integer NOT NULL,
    currency text NOT NULL,
    description text NOT NULL,
    return_url text NOT NULL,
    status text NOT NULL,
    order_id text,
    paid_at timestamp with time zone,
    expires_at timestamp with time zone NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    livemode boolean DEFAULT true NOT NULL,
    cancel_url text DEFAULT '/'::text NOT NULL,
    CONSTRAINT local_orders_pkey PRIMARY KEY (session),
    CONSTRAINT local_orders_reference_key UNIQUE (reference),
    CONSTRAINT local_orders_status_check CHECK ((status = ANY (ARRAY['open'::text, 'processing'::text, 'paid'::text, 'declined'::text, 'closed'::text])))
);

CREATE TABLE members (
    workspace_id uuid NOT NULL,
    user_id uuid NOT NULL,
    role text NOT NULL,
    billing boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone NOT NULL,
    alert_letters boolean DEFAULT true NOT NULL,
    report_letters boolean DEFAULT true NOT NULL,
    CONSTRAINT members_pkey PRIMARY KEY (workspace_id, user_id),
    CONSTRAINT members_role_check CHECK ((role = ANY (ARRAY['viewer'::text, 'editor'::text, 'admin'::text, 'owner'::text]))),
    CONSTRAINT members_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
    CONSTRAINT members_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);
CREATE INDEX members_by_user ON members USING btree (user_id);

CREATE TABLE operators (
    user_id uuid NOT NULL,
    granted_at timestamp with time zone NOT NULL,
    CONSTRAINT operators_pkey PRIMARY KEY (user_id),
    CONSTRAINT operators_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

CREATE TABLE opportunities (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    domain_id uuid NOT NULL,
    scan_id uuid NOT NULL,
    prompt_id uuid NOT NULL,
    opportunity_score double precision NOT NULL,
    low_evidence boolean NOT NULL,
    opportunity bytea NOT NULL, -- JSON
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT opportunities_pkey PRIMARY KEY (workspace_id, id),
    CONSTRAINT opportunities_workspace_id_domain_id_prompt_id_key UNIQUE (workspace_id, domain_id, prompt_id),
    CONSTRAINT opportunities_workspace_id_domain_id_fkey FOREIGN KEY (workspace_id, domain_id) REFERENCES domains(workspace_id, id)
);
CREATE INDEX opportunities_ranked ON opportunities USING btree (workspace_id, domain_id, low_evidence, opportunity_score DESC, id DESC);

-- The newest link of each user. Only its digest is stored.
CREATE TABLE password_resets (
    user_id uuid NOT NULL,
    digest bytea NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT password_resets_pkey PRIMARY KEY (user_id),
    CONSTRAINT password_resets_digest_key UNIQUE (digest),
    CONSTRAINT password_resets_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

-- Calls to live platforms by day (UTC). A sum is null until a call has reported the value.
CREATE TABLE platform_costs (
    workspace_id uuid NOT NULL,
    day date NOT NULL,
    domain_id uuid NOT NULL,
    platform text NOT NULL,
    calls bigint NOT NULL,
    failed_calls bigint NOT NULL,
    priced_calls bigint NOT NULL, -- calls whose cost is in cost_usd
    input_tokens bigint,
    output_tokens bigint,
    searches bigint,
    cost_usd numeric(20,9),
    CONSTRAINT platform_costs_pkey PRIMARY KEY (workspace_id, day, domain_id, platform)
) WITH (fillfactor=50);
-- What all workspaces spent in a month.
CREATE INDEX platform_costs_by_day ON platform_costs USING btree (day);

CREATE TABLE platform_credentials (
    vendor text NOT NULL,
    sealed bytea, -- the key; null for a server that needs none, and if only a model is saved
    hint text NOT NULL, -- the last four characters of the key
    base_url text, -- of the operator's own server
    model text,
    saved_at timestamp with time zone NOT NULL,
    CONSTRAINT platform_credentials_pkey PRIMARY KEY (vendor)
);

-- Platforms whose latest calls all failed. A call that succeeds deletes the row.
CREATE TABLE platform_failures (
    platform text NOT NULL,
    failing_since timestamp with time zone NOT NULL,
    calls bigint NOT NULL,
    fault text NOT NULL,
    CONSTRAINT platform_failures_pkey PRIMARY KEY (platform)
);

-- How many calls each running worker may have in flight on each platform.
CREATE TABLE workers (
    id uuid NOT NULL,
    seen_at timestamp with time zone NOT NULL,
    version text,
    started_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT workers_pkey PRIMARY KEY (id)
);

CREATE TABLE platform_leases (
    lane text NOT NULL, -- live.chatgpt, sandbox.chatgpt
    worker_id uuid NOT NULL,
    slots integer NOT NULL,
    CONSTRAINT platform_leases_pkey PRIMARY KEY (lane, worker_id),
    CONSTRAINT platform_leases_slots_check CHECK ((slots >= 0)),
    CONSTRAINT platform_leases_worker_id_fkey FOREIGN KEY (worker_id) REFERENCES workers(id) ON DELETE CASCADE
);

CREATE TABLE platform_options (
    platform text NOT NULL,
    prices jsonb, -- in US dollars: tokens per million, searches per thousand
    monthly_limit_usd numeric,
    saved_at timestamp with time zone NOT NULL,
    CONSTRAINT platform_options_pkey PRIMARY KEY (platform),
    CONSTRAINT platform_options_monthly_limit_usd_check CHECK ((monthly_limit_usd >= (0)::numeric))
);

CREATE TABLE platform_pauses (
    platform text NOT NULL,
    paused_at timestamp with time zone NOT NULL,
    reason text DEFAULT 'operator'::text NOT NULL,
    CONSTRAINT platform_pauses_pkey PRIMARY KEY (platform),
    CONSTRAINT platform_pauses_reason_check CHECK ((reason = ANY (ARRAY['operator'::text, 'monthly_limit'::text])))
);

-- Prompts of tracked domains, identified by text, country and language. They are never deleted, because past answers
-- refer to them.
CREATE TABLE prompts (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    domain_id uuid NOT NULL,
    prompt text NOT NULL,
    identity text NOT NULL, -- the normalized text that is compared
    language_code text, -- null: history from before languages were recorded
    country_iso_2 text, -- null: Global
    source text NOT NULL,
    status text NOT NULL,
    pinned_at timestamp with time zone,
    daily boolean DEFAULT false NOT NULL, -- asked by the Daily Checks until the next Full Check
    search_volume integer,
    ai_search_volume integer,
    ai_search_volume_state text DEFAULT 'pending'::text NOT NULL,
    cpc_usd numeric(12,2),
    volumes_due_at timestamp with time zone, -- when to look them up again; null: at once
    period_end timestamp with time zone,
    sentiment bytea, -- JSON
    co_mentioned_brands text[] DEFAULT '{}'::text[] NOT NULL,
    named_share double precision, -- share of the period's valid answers that name the brand, 0 to 1
    consecutive_uncited integer DEFAULT 0 NOT NULL,
    last_scanned_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    removed_at timestamp with time zone,
    consecutive_unnamed integer DEFAULT 0 NOT NULL, -- checks whose answers name nobody
    tags text[] DEFAULT '{}'::text[] NOT NULL, -- in lower case, sorted
    replaces uuid, -- the prompt of which this is the edited text
    CONSTRAINT prompts_pkey PRIMARY KEY (workspace_id, id),
    CONSTRAINT prompts_workspace_id_domain_id_identity_country_iso_2_langu_key UNIQUE NULLS NOT DISTINCT (workspace_id, domain_id, identity, country_iso_2, language_code),
    CONSTRAINT prompts_ai_search_volume_check CHECK ((ai_search_volume >= 0)),
    CONSTRAINT prompts_ai_search_volume_state_check CHECK ((ai_search_volume_state = ANY (ARRAY['estimated'::text, 'no_estimate'::text, 'pending'::text, 'failed'::text, 'unsupported'::text, 'legacy_unknown'::text]))),
    CONSTRAINT prompts_check CHECK (((ai_search_volume IS NOT NULL) = (ai_search_volume_state = 'estimated'::text))),
    CONSTRAINT prompts_check1 CHECK (((status = 'removed'::text) = (removed_at IS NOT NULL))),
    CONSTRAINT prompts_check2 CHECK (((status = 'active'::text) OR (pinned_at IS NULL))),
    CONSTRAINT prompts_cpc_usd_check CHECK ((cpc_usd >= (0)::numeric)),
    CONSTRAINT prompts_search_volume_check CHECK ((search_volume >= 0)),
    CONSTRAINT prompts_source_check CHECK ((source = ANY (ARRAY['added_by_you'::text, 'suggested'::text]))),
    CONSTRAINT prompts_status_check CHECK ((status = ANY (ARRAY['active'::text, 'removed'::text]))),
    CONSTRAINT prompts_workspace_id_domain_id_fkey FOREIGN KEY (workspace_id, domain_id) REFERENCES domains(workspace_id, id)
);
CREATE INDEX prompts_listed ON prompts USING btree (workspace_id, domain_id, ((pinned_at IS NULL)), created_at DESC, id DESC) WHERE (status = 'active'::text);

-- A summary of each prompt of a check. Histories are read from here, never from the answers.
CREATE TABLE prompt_checks (
    workspace_id uuid NOT NULL,
    domain_id uuid NOT NULL,
    prompt_id uuid NOT NULL,
    scan_id uuid NOT NULL,
    scope text NOT NULL,
    answers_source text NOT NULL, -- made-up and real answers are never counted together
    completed_at timestamp with time zone NOT NULL,
    valid integer NOT NULL, -- answers that can be read
    cited boolean NOT NULL, -- at least one of them cites the brand
    cells bytea NOT NULL, -- JSON: what each platform's answer says about the brand
    named boolean, -- an answer names a brand, tracked or not; null: not recorded
    CONSTRAINT prompt_checks_pkey PRIMARY KEY (workspace_id, domain_id, prompt_id, completed_at, scan_id),
    CONSTRAINT prompt_checks_workspace_id_prompt_id_fkey FOREIGN KEY (workspace_id, prompt_id) REFERENCES prompts(workspace_id, id)
);
CREATE INDEX prompt_checks_by_time ON prompt_checks USING btree (workspace_id, domain_id, completed_at);
CREATE INDEX prompt_checks_of_scan ON prompt_checks USING btree (workspace_id, scan_id);

-- Suggested prompts, which are not asked until somebody accepts them.
CREATE TABLE prompt_suggestions (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    domain_id uuid NOT NULL,
    scan_id uuid, -- the check whose answers led to it
    prompt text NOT NULL,
    identity text NOT NULL,
    language_code text,
    country_iso_2 text,
    priority double precision NOT NULL,
    origin text NOT NULL,
    status text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    decided_at timestamp with time zone,
    origin_subjects text[] DEFAULT '{}'::text[] NOT NULL, -- platforms, an aspect, a use, rivals or a stage
    origin_answers integer, -- how many answers led to it; null: not recorded
    CONSTRAINT prompt_suggestions_pkey PRIMARY KEY (workspace_id, id),
    CONSTRAINT prompt_suggestions_workspace_id_domain_id_identity_country__key UNIQUE NULLS NOT DISTINCT (workspace_id, domain_id, identity, country_iso_2, language_code),
    CONSTRAINT prompt_suggestions_origin_check CHECK ((origin = ANY (ARRAY['fan_out'::text, 'question'::text, 'aspect'::text, 'use'::text, 'rivals'::text, 'stage'::text, 'template'::text, 'setup'::text]))),
    CONSTRAINT prompt_suggestions_status_check CHECK ((status = ANY (ARRAY['open'::text, 'accepted'::text, 'dismissed'::text]))),
    CONSTRAINT prompt_suggestions_workspace_id_domain_id_fkey FOREIGN KEY (workspace_id, domain_id) REFERENCES domains(workspace_id, id)
);

-- Every tag that a prompt has or had.
CREATE TABLE prompt_tags_seen (
    workspace_id uuid NOT NULL,
    domain_id uuid NOT NULL,
    prompt_id uuid NOT NULL,
    tag text NOT NULL,
    CONSTRAINT prompt_tags_seen_pkey PRIMARY KEY (workspace_id, domain_id, prompt_id, tag)
);

-- Unlogged, because a crash may lose the counts of a minute. Those of months are logged.
CREATE UNLOGGED TABLE rate_minutes (
    subject uuid NOT NULL,
    minute timestamp with time zone NOT NULL,
    n integer NOT NULL,
    CONSTRAINT rate_minutes_pkey PRIMARY KEY (subject, minute)
) WITH (fillfactor=50);
CREATE INDEX rate_minutes_by_minute ON rate_minutes USING btree (minute);

CREATE TABLE rate_months (
    workspace_id uuid NOT NULL,
    key_id uuid NOT NULL,
    month timestamp with time zone NOT NULL,
    n integer NOT NULL,
    CONSTRAINT rate_months_pkey PRIMARY KEY (workspace_id, key_id, month)
) WITH (fillfactor=50);

-- Each Full Check replaces the recommendations, so marks refer to the subject of a recommendation, not to its row.
CREATE TABLE recommendation_marks (
    workspace_id uuid NOT NULL,
    domain_id uuid NOT NULL,
    subject text NOT NULL,
    done_by uuid NOT NULL,
    done_at timestamp with time zone NOT NULL,
    scan_id uuid, -- the Full Check that recommended it
    prompt_ids uuid[], -- the prompts that it was about
    recommendation bytea, -- JSON
    CONSTRAINT recommendation_marks_pkey PRIMARY KEY (workspace_id, domain_id, subject),
    CONSTRAINT recommendation_marks_done_by_fkey FOREIGN KEY (done_by) REFERENCES users(id),
    CONSTRAINT recommendation_marks_workspace_id_domain_id_fkey FOREIGN KEY (workspace_id, domain_id) REFERENCES domains(workspace_id, id)
);

CREATE TABLE recommendations (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    domain_id uuid NOT NULL,
    scan_id uuid NOT NULL,
    place integer NOT NULL,
    recommendation bytea NOT NULL, -- JSON
    CONSTRAINT recommendations_pkey PRIMARY KEY (workspace_id, id),
    CONSTRAINT recommendations_workspace_id_domain_id_scan_id_place_key UNIQUE (workspace_id, domain_id, scan_id, place),
    CONSTRAINT recommendations_workspace_id_domain_id_fkey FOREIGN KEY (workspace_id, domain_id) REFERENCES domains(workspace_id, id)
);

-- New analyses of stored answers, for example after a name was added.
CREATE TABLE recomputations (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    domain_id uuid NOT NULL,
    reason text NOT NULL,
    status text NOT NULL,
    scans_total integer DEFAULT 0 NOT NULL,
    scans_done integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    scans_expired integer DEFAULT 0 NOT NULL,
    CONSTRAINT recomputations_pkey PRIMARY KEY (workspace_id, id),
    CONSTRAINT recomputations_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'running'::text, 'done'::text, 'failed'::text]))),
    CONSTRAINT recomputations_workspace_id_domain_id_fkey FOREIGN KEY (workspace_id, domain_id) REFERENCES domains(workspace_id, id)
);
CREATE INDEX recomputations_newest ON recomputations USING btree (workspace_id, domain_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX recomputations_one_waiting ON recomputations USING btree (workspace_id, domain_id) WHERE (status = 'waiting'::text);

-- Rows of a scan that a later analysis of its answers removed.
CREATE TABLE removed_rows (
    workspace_id uuid NOT NULL,
    domain_id uuid NOT NULL,
    table_name text NOT NULL,
    scan_id uuid NOT NULL,
    row_id text NOT NULL,
    removed_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT removed_rows_pkey PRIMARY KEY (workspace_id, domain_id, scan_id, table_name, row_id)
);

CREATE TABLE reports (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    domain_id uuid NOT NULL,
    scan_id uuid NOT NULL,
    title text NOT NULL,
    summary text NOT NULL,
    period_start timestamp with time zone NOT NULL,
    period_end timestamp with time zone NOT NULL,
    document bytea NOT NULL, -- JSON: the data of the page and the PDF
    html text NOT NULL,
    pdf bytea NOT NULL,
    created_at timestamp with time zone NOT NULL,
    appendix_html text,
    appendix_pdf bytea,
    CONSTRAINT reports_pkey PRIMARY KEY (workspace_id, id),
    CONSTRAINT reports_workspace_id_scan_id_key UNIQUE (workspace_id, scan_id),
    CONSTRAINT reports_workspace_id_domain_id_fkey FOREIGN KEY (workspace_id, domain_id) REFERENCES domains(workspace_id, id)
);
-- Retention deletes the oldest reports of all workspaces.
CREATE INDEX reports_by_age ON reports USING btree (created_at);
CREATE INDEX reports_newest ON reports USING btree (workspace_id, domain_id, created_at DESC, id DESC);

-- Share links: each opens one report until it expires. Only the digest of a link is stored.
CREATE TABLE report_shares (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    report_id uuid NOT NULL,
    digest bytea NOT NULL,
    shared_by uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    revoked_at timestamp with time zone,
    CONSTRAINT report_shares_pkey PRIMARY KEY (workspace_id, id),
    CONSTRAINT report_shares_digest_key UNIQUE (digest),
    CONSTRAINT report_shares_shared_by_fkey FOREIGN KEY (shared_by) REFERENCES users(id),
    CONSTRAINT report_shares_workspace_id_report_id_fkey FOREIGN KEY (workspace_id, report_id) REFERENCES reports(workspace_id, id)
);
CREATE INDEX report_shares_newest ON report_shares USING btree (workspace_id, report_id, created_at DESC, id DESC);

CREATE TABLE sandbox_endings (
    workspace_id uuid NOT NULL,
    closes boolean NOT NULL, -- its workspace was created for a demonstration
    domains text[] NOT NULL, -- demonstrations that are no longer tracked
    credits bigint NOT NULL, -- live credits that were removed
    ended_at timestamp with time zone NOT NULL,
    CONSTRAINT sandbox_endings_pkey PRIMARY KEY (workspace_id),
    CONSTRAINT sandbox_endings_credits_check CHECK ((credits >= 0)),
    CONSTRAINT sandbox_endings_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);

-- A scan's prompts and platforms are fixed when it is accepted.
CREATE TABLE scans (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    domain_id uuid NOT NULL,
    domain text NOT NULL,
    livemode boolean NOT NULL,
    measurement_scope text NOT NULL,
    status text NOT NULL,
    priority integer NOT NULL,
    answers_source text NOT NULL,
    brand jsonb NOT NULL, -- the measured brand and its competitors
    selected_platforms text[] NOT NULL,
    customer_keywords text[] NOT NULL,
    prompts jsonb, -- null until they are known: a live scan without keywords gets them when it starts
    content_project_id text,
    credits_charged integer NOT NULL,
    answers_total integer NOT NULL,
    answers_completed integer DEFAULT 0 NOT NULL,
    answers_failed integer DEFAULT 0 NOT NULL,
    visibility_score double precision,
    brand_coverage_pct double precision,
    ai_mentions integer,
    citation_count integer,
    market_position integer,
    error_message text,
    created_at timestamp with time zone NOT NULL,
    started_at timestamp with time zone,
    completed_at timestamp with time zone,
    keywords_note text,
    credits_refunded integer DEFAULT 0 NOT NULL,
    answers_expired_at timestamp with time zone, -- when retention removed the answers; results and figures stay
    CONSTRAINT scans_pkey PRIMARY KEY (workspace_id, id),
    CONSTRAINT scans_answers_source_check CHECK ((answers_source = ANY (ARRAY['live'::text, 'sandbox'::text]))),
    CONSTRAINT scans_answers_total_check CHECK ((answers_total > 0)),
    CONSTRAINT scans_check CHECK (((answers_completed + answers_failed) <= answers_total)),
    CONSTRAINT scans_check1 CHECK (((completed_at IS NOT NULL) = (status = ANY (ARRAY['completed'::text, 'failed'::text, 'cancelled'::text])))),
    CONSTRAINT scans_credits_charged_check CHECK ((credits_charged >= 0)),
    CONSTRAINT scans_credits_refunded_check CHECK ((credits_refunded >= 0)),
    CONSTRAINT scans_measurement_scope_check CHECK ((measurement_scope = ANY (ARRAY['console_check'::text, 'full_check'::text, 'daily_check'::text, 'free_audit'::text]))),
    CONSTRAINT scans_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'running'::text, 'completed'::text, 'failed'::text, 'cancelled'::text]))),
    CONSTRAINT scans_workspace_id_domain_id_fkey FOREIGN KEY (workspace_id, domain_id) REFERENCES domains(workspace_id, id)
) WITH (fillfactor=70);
CREATE INDEX scans_active ON scans USING btree (created_at) WHERE (status = ANY (ARRAY['pending'::text, 'running'::text]));
CREATE INDEX scans_by_domain ON scans USING btree (workspace_id, domain_id, created_at DESC, id DESC);
CREATE INDEX scans_by_start ON scans USING btree (workspace_id, domain_id, COALESCE(started_at, created_at) DESC, id DESC);
CREATE INDEX scans_newest ON scans USING btree (workspace_id, livemode, measurement_scope, created_at DESC, id DESC);
CREATE UNIQUE INDEX scans_one_active ON scans USING btree (workspace_id, domain_id) WHERE (status = ANY (ARRAY['pending'::text, 'running'::text]));
-- A scan's id begins with its time, so the oldest come first.
CREATE INDEX scans_with_answers ON scans USING btree (id) WHERE (answers_expired_at IS NULL);

-- Progress of a running scan on one platform: its cells in order, and how many of them were started and settled.
CREATE TABLE scan_lanes (
    workspace_id uuid NOT NULL,
    scan_id uuid NOT NULL,
    platform text NOT NULL,
    lane text NOT NULL,
    priority integer NOT NULL,
    cells integer NOT NULL,
    admitted integer DEFAULT 0 NOT NULL,
    settled integer DEFAULT 0 NOT NULL,
    started_at timestamp with time zone NOT NULL,
    postponed integer[] DEFAULT '{}'::integer[] NOT NULL,
    holds integer DEFAULT 0 NOT NULL, -- how often the lane had to wait because its platform was down
    resume_at timestamp with time zone,
    traceparent text,
    CONSTRAINT scan_lanes_pkey PRIMARY KEY (workspace_id, scan_id, platform),
    CONSTRAINT scan_lanes_check CHECK (((settled <= admitted) AND (admitted <= cells))),
    CONSTRAINT scan_lanes_workspace_id_scan_id_fkey FOREIGN KEY (workspace_id, scan_id) REFERENCES scans(workspace_id, id)
) WITH (fillfactor=50);

CREATE TABLE scan_results (
    workspace_id uuid NOT NULL,
    scan_id uuid NOT NULL,
    results bytea NOT NULL, -- JSON
    metrics_version text NOT NULL,
    extractor_version text NOT NULL,
    point bytea,
    board bytea,
    changes bytea,
    has_facts boolean DEFAULT false NOT NULL, -- false: workers must write the facts of its answers
    name_index bytea, -- compressed; null: all answers are analyzed again, and it is made then
    CONSTRAINT scan_results_pkey PRIMARY KEY (workspace_id, scan_id),
    CONSTRAINT scan_results_workspace_id_scan_id_fkey FOREIGN KEY (workspace_id, scan_id) REFERENCES scans(workspace_id, id)
);
ALTER TABLE scan_results ALTER COLUMN name_index SET STORAGE EXTERNAL;

-- Figures of the cells, computed outside of the transaction that changes the cells.
CREATE TABLE scoreboards (
    workspace_id uuid NOT NULL,
    domain_id uuid NOT NULL,
    base_scan_id uuid, -- the latest Full Check (or the free audit)
    latest_scan_id uuid, -- the latest check of any kind that it contains
    as_of timestamp with time zone NOT NULL, -- when that was completed
    revision bigint NOT NULL, -- counts changes to the data of the board
    shown bigint NOT NULL, -- the revision of `board`
    board bytea, -- JSON
    CONSTRAINT scoreboards_pkey PRIMARY KEY (workspace_id, domain_id),
    CONSTRAINT scoreboards_workspace_id_domain_id_fkey FOREIGN KEY (workspace_id, domain_id) REFERENCES domains(workspace_id, id)
);

CREATE TABLE sessions (
    digest bytea NOT NULL,
    user_id uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL, -- each use moves it
    id uuid DEFAULT gen_random_uuid() NOT NULL, -- shown to users, because the digest never leaves the database
    agent text, -- the User-Agent header, shortened
    seen_at timestamp with time zone, -- accurate to a few minutes
    CONSTRAINT sessions_pkey PRIMARY KEY (digest),
    CONSTRAINT sessions_id_key UNIQUE (id),
    CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX sessions_by_expiry ON sessions USING btree (expires_at);
CREATE INDEX sessions_by_user ON sessions USING btree (user_id);

-- A platform's suggestions for a domain and an input, reused for the same input. Kept for 30 days.
CREATE TABLE setup_suggestions (
    workspace_id uuid NOT NULL,
    domain_id uuid NOT NULL,
    digest bytea NOT NULL, -- of the input
    requested_at timestamp with time zone NOT NULL,
    prompts text[], -- null until a worker has answered
    language text,
    note text,
    from_templates integer DEFAULT 0 NOT NULL,
    CONSTRAINT setup_suggestions_pkey PRIMARY KEY (workspace_id, domain_id, digest),
    CONSTRAINT setup_suggestions_workspace_id_domain_id_fkey FOREIGN KEY (workspace_id, domain_id) REFERENCES domains(workspace_id, id)
);

-- Requests of a workspace on a day (UTC). Its plan limits them.
CREATE TABLE suggestion_days (
    workspace_id uuid NOT NULL,
    day date NOT NULL,
    requests integer NOT NULL,
    CONSTRAINT suggestion_days_pkey PRIMARY KEY (workspace_id, day)
);

-- The latest change of each unit (ADR 36): a scan, or one row of the insights.
CREATE TABLE table_changes (
    workspace_id uuid NOT NULL,
    domain_id uuid NOT NULL,
    unit text NOT NULL,
    key uuid NOT NULL, -- id of the scan or of the row
    scan_id uuid NOT NULL,
    measured_at timestamp with time zone NOT NULL,
    changed_xid xid8 DEFAULT pg_current_xact_id() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    removed_at timestamp with time zone,
    metrics_version text, -- of the scan at that time: insights keep the version that they were written with
    extractor_version text,
    CONSTRAINT table_changes_pkey PRIMARY KEY (workspace_id, domain_id, unit, key),
    CONSTRAINT table_changes_unit_check CHECK ((unit = ANY (ARRAY['scan'::text, 'theme'::text, 'recommendation'::text, 'alert'::text])))
) WITH (fillfactor=70);
CREATE INDEX table_changes_newest ON table_changes USING btree (workspace_id, domain_id, unit, changed_xid);

-- Which cells of the latest Full Check state which aspects of the brand. The next Full Check compares and replaces it.
CREATE TABLE theme_traces (
    workspace_id uuid NOT NULL,
    domain_id uuid NOT NULL,
    scan_id uuid NOT NULL,
    trace bytea NOT NULL, -- JSON
    CONSTRAINT theme_traces_pkey PRIMARY KEY (workspace_id, domain_id),
    CONSTRAINT theme_traces_workspace_id_domain_id_fkey FOREIGN KEY (workspace_id, domain_id) REFERENCES domains(workspace_id, id)
);

-- Each Full Check replaces the themes, recommendations and opportunities.
CREATE TABLE themes (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    domain_id uuid NOT NULL,
    scan_id uuid NOT NULL,
    place integer NOT NULL,
    theme bytea NOT NULL, -- JSON
    CONSTRAINT themes_pkey PRIMARY KEY (workspace_id, id),
    CONSTRAINT themes_workspace_id_domain_id_scan_id_place_key UNIQUE (workspace_id, domain_id, scan_id, place),
    CONSTRAINT themes_workspace_id_domain_id_fkey FOREIGN KEY (workspace_id, domain_id) REFERENCES domains(workspace_id, id)
);

CREATE TABLE usage_minutes (
    workspace_id uuid NOT NULL,
    minute timestamp with time zone NOT NULL,
    requests integer NOT NULL,
    errors integer NOT NULL,
    CONSTRAINT usage_minutes_pkey PRIMARY KEY (workspace_id, minute)
);
CREATE INDEX usage_minutes_by_minute ON usage_minutes USING btree (minute);

CREATE TABLE webhook_endpoints (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    livemode boolean NOT NULL,
    url text NOT NULL,
    description text DEFAULT ''::text NOT NULL,
    events text[] NOT NULL, -- types that are sent; empty: all
    status text NOT NULL,
    disabled_reason text,
    secret bytea NOT NULL, -- encrypted with the key of the installation
    old_secret bytea,
    old_secret_until timestamp with time zone,
    failing_since timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT webhook_endpoints_pkey PRIMARY KEY (workspace_id, id),
    CONSTRAINT webhook_endpoints_status_check CHECK ((status = ANY (ARRAY['enabled'::text, 'disabled'::text, 'removed'::text]))),
    CONSTRAINT webhook_endpoints_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);
CREATE INDEX webhook_endpoints_newest ON webhook_endpoints USING btree (workspace_id, livemode, created_at DESC, id DESC);

CREATE TABLE webhook_deliveries (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    endpoint_id uuid NOT NULL,
    event_id uuid NOT NULL,
    event_type text NOT NULL,
    status text NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    attempts_before integer DEFAULT 0 NOT NULL, -- before the latest redelivery, which starts new waits
    next_attempt_at timestamp with time zone,
    failure_reason text,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (workspace_id, id),
    CONSTRAINT webhook_deliveries_workspace_id_event_id_endpoint_id_key UNIQUE (workspace_id, event_id, endpoint_id),
    CONSTRAINT webhook_deliveries_check CHECK (((status = 'pending'::text) = (next_attempt_at IS NOT NULL))),
    CONSTRAINT webhook_deliveries_check1 CHECK (((status = 'failed'::text) = (failure_reason IS NOT NULL))),
    CONSTRAINT webhook_deliveries_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'succeeded'::text, 'failed'::text]))),
    CONSTRAINT webhook_deliveries_workspace_id_endpoint_id_fkey FOREIGN KEY (workspace_id, endpoint_id) REFERENCES webhook_endpoints(workspace_id, id),
    CONSTRAINT webhook_deliveries_workspace_id_event_id_fkey FOREIGN KEY (workspace_id, event_id) REFERENCES events(workspace_id, id)
);
CREATE INDEX webhook_deliveries_by_age ON webhook_deliveries USING btree (created_at);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries USING btree (next_attempt_at) WHERE (status = 'pending'::text);
CREATE INDEX webhook_deliveries_newest ON webhook_deliveries USING btree (workspace_id, endpoint_id, created_at DESC, id DESC);
CREATE INDEX webhook_deliveries_pending ON webhook_deliveries USING btree (workspace_id, endpoint_id) WHERE (status = 'pending'::text);

CREATE TABLE webhook_attempts (
    workspace_id uuid NOT NULL,
    delivery_id uuid NOT NULL,
    attempt integer NOT NULL,
    attempted_at timestamp with time zone NOT NULL,
    request_headers jsonb NOT NULL,
    response_status integer,
    response_body bytea NOT NULL, -- its first 4 KiB
    error text,
    duration_ms integer NOT NULL,
    CONSTRAINT webhook_attempts_pkey PRIMARY KEY (workspace_id, delivery_id, attempt),
    CONSTRAINT webhook_attempts_workspace_id_delivery_id_fkey FOREIGN KEY (workspace_id, delivery_id) REFERENCES webhook_deliveries(workspace_id, id) ON DELETE CASCADE
);

CREATE FUNCTION record_ended_credential(digest bytea, at timestamp with time zone)
 RETURNS void
 LANGUAGE sql
AS $function$
    INSERT INTO ended_access (subject, is_over, ends_at) VALUES ('credential ' || encode(digest, 'hex'), true, at)
    ON CONFLICT (subject) DO UPDATE SET ends_at = EXCLUDED.ends_at, recorded_at = clock_timestamp();
$function$;

CREATE FUNCTION record_ended_key()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    IF NEW.previous_digest IS DISTINCT FROM OLD.previous_digest THEN
        IF OLD.previous_digest IS NOT NULL THEN
            PERFORM record_ended_credential(OLD.previous_digest, NULL);
        END IF;
        IF NEW.previous_digest IS NOT NULL THEN
            PERFORM record_ended_credential(NEW.previous_digest, NEW.previous_ends_at);
        END IF;
    END IF;
    IF NEW.revoked_at IS NOT NULL AND OLD.revoked_at IS NULL THEN
        PERFORM record_ended_credential(NEW.digest, NULL);
        IF NEW.previous_digest IS NOT NULL THEN
            PERFORM record_ended_credential(NEW.previous_digest, NULL);
        END IF;
    END IF;
    RETURN NULL;
END $function$;

CREATE FUNCTION record_ended_session()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    PERFORM record_ended_credential(OLD.digest, NULL);
    RETURN NULL;
END $function$;

CREATE FUNCTION record_membership()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    IF TG_OP = 'INSERT' THEN
        UPDATE ended_access SET is_over = false, recorded_at = clock_timestamp()
        WHERE subject = 'member ' || NEW.workspace_id || ' ' || NEW.user_id;
    ELSE
        INSERT INTO ended_access (subject, is_over) VALUES ('member ' || OLD.workspace_id || ' ' || OLD.user_id, true)
        ON CONFLICT (subject) DO UPDATE SET is_over = true, recorded_at = clock_timestamp();
        UPDATE report_shares SET revoked_at = now()
        WHERE workspace_id = OLD.workspace_id AND shared_by = OLD.user_id AND revoked_at IS NULL;
    END IF;
    RETURN NULL;
END $function$;

CREATE FUNCTION refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    RAISE EXCEPTION '% is append-only: write a new row that corrects the old one', TG_TABLE_NAME;
END $function$;

CREATE FUNCTION stamp_alert()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    IF TG_OP = 'DELETE' THEN
        UPDATE table_changes SET changed_xid = pg_current_xact_id(), updated_at = now(), removed_at = now()
        WHERE workspace_id = OLD.workspace_id AND domain_id = OLD.domain_id AND unit = 'alert' AND key = OLD.id;
    ELSE
        PERFORM stamp_table_change(NEW.workspace_id, NEW.domain_id, 'alert', NEW.id, NEW.scan_id, NEW.watched_at);
    END IF;
    RETURN NULL;
END $function$;

-- Results can be stored before the scan is completed, and the names that it measures can change alone.
CREATE FUNCTION stamp_completed_scan()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    PERFORM stamp_table_change(NEW.workspace_id, NEW.domain_id, 'scan', NEW.id, NEW.id, NEW.completed_at);
    RETURN NULL;
END $function$;

CREATE FUNCTION stamp_domain_change(workspace uuid, domain uuid, changed text)
 RETURNS void
 LANGUAGE sql
AS $function$
    INSERT INTO domain_changes (workspace_id, domain_id, subject) VALUES (workspace, domain, changed)
    ON CONFLICT (workspace_id, domain_id, subject) DO UPDATE
    SET changed_xid = pg_current_xact_id(), updated_at = now();
$function$;

-- For themes and recommendations: the unit is the argument of the trigger.
CREATE FUNCTION stamp_insight()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    IF TG_OP = 'DELETE' THEN
        UPDATE table_changes SET changed_xid = pg_current_xact_id(), updated_at = now(), removed_at = now()
        WHERE workspace_id = OLD.workspace_id AND domain_id = OLD.domain_id AND unit = TG_ARGV[0] AND key = OLD.id;
    ELSE
        PERFORM stamp_table_change(
            NEW.workspace_id, NEW.domain_id, TG_ARGV[0], NEW.id, NEW.scan_id,
            coalesce((SELECT completed_at FROM scans WHERE workspace_id = NEW.workspace_id AND id = NEW.scan_id),
                     now()));
    END IF;
    RETURN NULL;
END $function$;

CREATE FUNCTION stamp_marks()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE mark recommendation_marks%ROWTYPE := coalesce(NEW, OLD);
BEGIN
    PERFORM stamp_domain_change(mark.workspace_id, mark.domain_id, 'marks');
    RETURN NULL;
END $function$;

CREATE FUNCTION stamp_scan_results()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    PERFORM stamp_table_change(s.workspace_id, s.domain_id, 'scan', s.id, s.id, s.completed_at)
    FROM scans s
    WHERE s.workspace_id = NEW.workspace_id AND s.id = NEW.scan_id AND s.status = 'completed'
      AND s.measurement_scope <> 'console_check';
    RETURN NULL;
END $function$;

CREATE FUNCTION stamp_table_change(workspace uuid, domain uuid, changed_unit text, unit_key uuid, scan uuid, measured timestamp with time zone)
 RETURNS void
 LANGUAGE sql
AS $function$
    INSERT INTO table_changes (
        workspace_id, domain_id, unit, key, scan_id, measured_at, metrics_version, extractor_version)
    SELECT workspace, domain, changed_unit, unit_key, scan, measured, r.metrics_version, r.extractor_version
    FROM (SELECT) one LEFT JOIN scan_results r ON r.workspace_id = workspace AND r.scan_id = scan
    ON CONFLICT (workspace_id, domain_id, unit, key) DO UPDATE
    SET scan_id = excluded.scan_id, measured_at = excluded.measured_at, changed_xid = pg_current_xact_id(),
        updated_at = now(), removed_at = NULL, metrics_version = excluded.metrics_version,
        extractor_version = excluded.extractor_version;
$function$;

CREATE FUNCTION stamp_tags()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    INSERT INTO prompt_tags_seen (workspace_id, domain_id, prompt_id, tag)
    SELECT NEW.workspace_id, NEW.domain_id, NEW.id, tag FROM unnest(NEW.tags) AS tag ON CONFLICT DO NOTHING;
    PERFORM stamp_domain_change(NEW.workspace_id, NEW.domain_id, 'tags');
    RETURN NULL;
END $function$;

CREATE TRIGGER alerts_changed AFTER INSERT OR DELETE OR UPDATE ON alerts FOR EACH ROW EXECUTE FUNCTION stamp_alert();
CREATE TRIGGER api_keys_ended AFTER UPDATE OF revoked_at, previous_digest ON api_keys FOR EACH ROW EXECUTE FUNCTION record_ended_key();
CREATE TRIGGER credit_entries_append_only BEFORE DELETE OR UPDATE ON credit_entries FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER credit_entries_never_emptied BEFORE TRUNCATE ON credit_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER members_ended AFTER INSERT OR DELETE ON members FOR EACH ROW EXECUTE FUNCTION record_membership();
CREATE TRIGGER prompts_retagged AFTER UPDATE OF tags ON prompts FOR EACH ROW WHEN ((new.tags IS DISTINCT FROM old.tags)) EXECUTE FUNCTION stamp_tags();
CREATE TRIGGER prompts_tagged AFTER INSERT ON prompts FOR EACH ROW WHEN ((new.tags <> '{}'::text[])) EXECUTE FUNCTION stamp_tags();
CREATE TRIGGER recommendation_marks_changed AFTER INSERT OR DELETE OR UPDATE ON recommendation_marks FOR EACH ROW EXECUTE FUNCTION stamp_marks();
CREATE TRIGGER recommendations_changed AFTER INSERT OR DELETE OR UPDATE ON recommendations FOR EACH ROW EXECUTE FUNCTION stamp_insight('recommendation');
CREATE TRIGGER scan_results_changed AFTER INSERT OR UPDATE OF results, metrics_version, extractor_version ON scan_results FOR EACH ROW EXECUTE FUNCTION stamp_scan_results();
CREATE TRIGGER scans_changed AFTER UPDATE OF status, brand, prompts ON scans FOR EACH ROW WHEN (((new.status = 'completed'::text) AND (new.measurement_scope <> 'console_check'::text))) EXECUTE FUNCTION stamp_completed_scan();
CREATE TRIGGER sessions_ended AFTER DELETE ON sessions FOR EACH ROW EXECUTE FUNCTION record_ended_session();
CREATE TRIGGER themes_changed AFTER INSERT OR DELETE OR UPDATE ON themes FOR EACH ROW EXECUTE FUNCTION stamp_insight('theme');

INSERT INTO installation DEFAULT VALUES;

INSERT INTO credit_packs (credits, price_cents, name, description, badge) VALUES
    (10, 1900, '10 credits', 'Ten scans on one platform, or one scan on ten platforms.', NULL),
    (50, 7900, '50 credits', 'Ten scans on five platforms.', 'Popular'),
    (200, 24900, '200 credits',
     'One scan a week for four weeks, for each of ten domains, on five platforms.', NULL),
    (1000, 99000, '1,000 credits',
     'One scan a week for four weeks, for each of 50 domains, on five platforms.', NULL);

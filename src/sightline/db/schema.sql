CREATE TABLE users (
    id uuid NOT NULL,
    email text NOT NULL,
    name text NOT NULL,
    password_hash text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    timezone text,
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
    editor_declined boolean DEFAULT false NOT NULL,
    requires_second_factor boolean DEFAULT false NOT NULL,
    required_provider_id uuid,
    CONSTRAINT workspaces_pkey PRIMARY KEY (id),
    CONSTRAINT workspaces_plan_check CHECK ((plan = ANY (ARRAY['free'::text, 'trial'::text, 'starter'::text, 'professional'::text, 'agency'::text]))),
    CONSTRAINT workspaces_payer_user_id_fkey FOREIGN KEY (payer_user_id) REFERENCES users(id)
);
CREATE INDEX workspaces_on_trial ON workspaces USING btree (trial_ends_at) WHERE (plan = 'trial'::text);

CREATE TABLE clients (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    logo bytea,
    color text,
    sender_name text,
    shows_maker boolean DEFAULT true NOT NULL,
    recipients text[] DEFAULT '{}'::text[] NOT NULL,
    language text,
    timezone text,
    CONSTRAINT clients_pkey PRIMARY KEY (workspace_id, id),
    CONSTRAINT clients_logo_check CHECK ((octet_length(logo) <= 204800)),
    CONSTRAINT clients_recipients_check CHECK ((cardinality(recipients) <= 20)),
    CONSTRAINT clients_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);
CREATE UNIQUE INDEX clients_name ON clients USING btree (workspace_id, lower(name));

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
    anchor_at timestamp with time zone,
    made_for_demo boolean DEFAULT false NOT NULL,
    chosen_platforms text[],
    first_week_closed_at timestamp with time zone,
    last_audit_at timestamp with time zone,
    client_id uuid,
    CONSTRAINT domains_pkey PRIMARY KEY (workspace_id, id),
    CONSTRAINT domains_workspace_id_kind_livemode_domain_key UNIQUE (workspace_id, kind, livemode, domain),
    CONSTRAINT domains_check CHECK (((status = 'removed'::text) = (removed_at IS NOT NULL))),
    CONSTRAINT domains_check1 CHECK (((kind = 'console'::text) OR livemode)),
    CONSTRAINT domains_kind_check CHECK ((kind = ANY (ARRAY['console'::text, 'tracked'::text]))),
    CONSTRAINT domains_status_check CHECK ((status = ANY (ARRAY['setup'::text, 'active'::text, 'removed'::text]))),
    CONSTRAINT domains_workspace_id_client_id_fkey FOREIGN KEY (workspace_id, client_id) REFERENCES clients(workspace_id, id),
    CONSTRAINT domains_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);
CREATE INDEX domains_by_client ON domains USING btree (workspace_id, client_id) WHERE (client_id IS NOT NULL);
CREATE INDEX domains_due ON domains USING btree (next_check_at) WHERE ((kind = 'tracked'::text) AND (status = 'active'::text));
CREATE INDEX domains_newest ON domains USING btree (workspace_id, kind, livemode, created_at DESC, id DESC) WHERE (status <> 'removed'::text);

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
    scope text NOT NULL,
    state text NOT NULL,
    hushed text,
    evidence bytea NOT NULL,
    scan_id uuid NOT NULL,
    watched_at timestamp with time zone NOT NULL,
    confirmed_at timestamp with time zone,
    resolved_at timestamp with time zone,
    notified_at timestamp with time zone,
    updated_at timestamp with time zone NOT NULL,
    table_row jsonb,
    CONSTRAINT alerts_pkey PRIMARY KEY (workspace_id, id),
    CONSTRAINT alerts_state_check CHECK ((state = ANY (ARRAY['watch'::text, 'confirmed'::text, 'resolved'::text, 'lapsed'::text]))),
    CONSTRAINT alerts_workspace_id_domain_id_fkey FOREIGN KEY (workspace_id, domain_id) REFERENCES domains(workspace_id, id)
);
CREATE INDEX alerts_newest ON alerts USING btree (workspace_id, domain_id, watched_at DESC, id DESC);
CREATE UNIQUE INDEX alerts_one_open ON alerts USING btree (workspace_id, domain_id, type, scope) WHERE (state = ANY (ARRAY['watch'::text, 'confirmed'::text]));

CREATE TABLE answer_facts (
    workspace_id uuid NOT NULL,
    domain_id uuid NOT NULL,
    scan_id uuid NOT NULL,
    answer_id uuid NOT NULL,
    prompt_id uuid NOT NULL,
    platform text NOT NULL,
    labels text[] NOT NULL,
    words tsvector NOT NULL,
    latency_ms integer,
    CONSTRAINT answer_facts_pkey PRIMARY KEY (workspace_id, domain_id, scan_id, answer_id)
) PARTITION BY RANGE (scan_id);
CREATE INDEX answer_facts_search ON ONLY answer_facts USING gin (labels, words);

CREATE TABLE answer_facts_default PARTITION OF answer_facts DEFAULT;

CREATE TABLE answer_payloads (
    workspace_id uuid NOT NULL,
    scan_id uuid NOT NULL,
    answer_id uuid NOT NULL,
    payload bytea NOT NULL,
    CONSTRAINT answer_payloads_pkey PRIMARY KEY (workspace_id, scan_id, answer_id)
) PARTITION BY RANGE (scan_id);

CREATE TABLE answer_payloads_default PARTITION OF answer_payloads DEFAULT;
ALTER TABLE answer_payloads_default ALTER COLUMN payload SET STORAGE EXTERNAL;

CREATE TABLE answers (
    workspace_id uuid NOT NULL,
    scan_id uuid NOT NULL,
    id uuid NOT NULL,
    prompt_index integer NOT NULL,
    platform text NOT NULL,
    country text,
    status text NOT NULL,
    text text NOT NULL,
    record bytea NOT NULL,
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
    parent_id uuid,
    expires_at timestamp with time zone,
    allowed_addresses cidr[] DEFAULT '{}'::cidr[] NOT NULL,
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

CREATE TABLE audit_entries (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    recorded_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    action text NOT NULL,
    by_type text NOT NULL,
    by_id uuid,
    name text,
    details jsonb NOT NULL,
    address text,
    request_id text,
    CONSTRAINT audit_entries_pkey PRIMARY KEY (workspace_id, id),
    CONSTRAINT audit_entries_by_type_check CHECK ((by_type = ANY (ARRAY['person'::text, 'key'::text, 'operator'::text, 'system'::text])))
);
CREATE INDEX audit_entries_by_age ON audit_entries USING btree (recorded_at);
CREATE INDEX audit_entries_newest ON audit_entries USING btree (workspace_id, recorded_at DESC, id DESC);

CREATE TABLE bootstrap_tokens (
    digest bytea NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    used_by uuid,
    first_owner_only boolean DEFAULT false NOT NULL,
    CONSTRAINT bootstrap_tokens_pkey PRIMARY KEY (digest),
    CONSTRAINT bootstrap_tokens_used_by_fkey FOREIGN KEY (used_by) REFERENCES users(id)
);

CREATE TABLE brand_facts (
    workspace_id uuid NOT NULL,
    domain_id uuid NOT NULL,
    id uuid NOT NULL,
    kind text NOT NULL,
    subject text NOT NULL,
    value text NOT NULL,
    currency text,
    unit text,
    country text,
    valid_from date,
    former_values text[] DEFAULT '{}'::text[] NOT NULL,
    former_until date[] DEFAULT '{}'::date[] NOT NULL,
    accepted text[] DEFAULT '{}'::text[] NOT NULL,
    status text NOT NULL,
    source text,
    changed_by uuid,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT brand_facts_pkey PRIMARY KEY (workspace_id, domain_id, id),
    CONSTRAINT brand_facts_status_check CHECK ((status = ANY (ARRAY['proposed'::text, 'confirmed'::text]))),
    CONSTRAINT brand_facts_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES users(id),
    CONSTRAINT brand_facts_workspace_id_domain_id_fkey FOREIGN KEY (workspace_id, domain_id) REFERENCES domains(workspace_id, id)
);
CREATE UNIQUE INDEX brand_facts_once ON brand_facts USING btree (workspace_id, domain_id, kind, lower(subject), COALESCE(country, ''::text), COALESCE(unit, ''::text));

CREATE TABLE cells (
    workspace_id uuid NOT NULL,
    domain_id uuid NOT NULL,
    prompt_id uuid NOT NULL,
    platform text NOT NULL,
    base boolean NOT NULL,
    scan_id uuid NOT NULL,
    scope text NOT NULL,
    answer_id uuid NOT NULL,
    status text NOT NULL,
    stale boolean NOT NULL,
    checked_at timestamp with time zone NOT NULL,
    seen_at timestamp with time zone NOT NULL,
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
    reason text,
    payment_reference text,
    refunded_cents integer DEFAULT 0 NOT NULL,
    refunded_credits integer DEFAULT 0 NOT NULL,
    credited_at timestamp with time zone,
    expires_at timestamp with time zone NOT NULL,
    checked_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    cancelled_at timestamp with time zone,
    reported_at timestamp with time zone,
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
CREATE INDEX checkout_attempts_in_review ON checkout_attempts USING btree (updated_at) WHERE (status = ANY (ARRAY['reconciliation'::text, 'refund_required'::text]));
CREATE INDEX checkout_attempts_newest ON checkout_attempts USING btree (workspace_id, livemode, created_at DESC, id DESC);
CREATE INDEX checkout_attempts_open ON checkout_attempts USING btree (created_at) WHERE (status = ANY (ARRAY['unpaid'::text, 'pending'::text]));

CREATE TABLE checkout_reversals (
    workspace_id uuid NOT NULL,
    attempt_id uuid NOT NULL,
    id text NOT NULL,
    kind text NOT NULL,
    cents integer NOT NULL,
    credits integer NOT NULL,
    undone boolean NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT checkout_reversals_pkey PRIMARY KEY (workspace_id, attempt_id, id),
    CONSTRAINT checkout_reversals_cents_check CHECK ((cents >= 0)),
    CONSTRAINT checkout_reversals_credits_check CHECK ((credits >= 0)),
    CONSTRAINT checkout_reversals_kind_check CHECK ((kind = ANY (ARRAY['refund'::text, 'dispute'::text]))),
    CONSTRAINT checkout_reversals_workspace_id_attempt_id_fkey FOREIGN KEY (workspace_id, attempt_id) REFERENCES checkout_attempts(workspace_id, id)
);

CREATE TABLE codebook_themes (
    workspace_id uuid NOT NULL,
    domain_id uuid NOT NULL,
    theme text NOT NULL,
    label text NOT NULL,
    definition text NOT NULL,
    examples text[] NOT NULL,
    own_label text,
    merged_into text,
    hidden boolean DEFAULT false NOT NULL,
    pinned boolean DEFAULT false NOT NULL,
    CONSTRAINT codebook_themes_pkey PRIMARY KEY (workspace_id, domain_id, theme),
    CONSTRAINT codebook_themes_workspace_id_domain_id_fkey FOREIGN KEY (workspace_id, domain_id) REFERENCES domains(workspace_id, id)
);

CREATE TABLE competitors (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    domain_id uuid NOT NULL,
    competitor_domain text,
    found_as text,
    names text[] DEFAULT '{}'::text[] NOT NULL,
    display_name text,
    site_read_at timestamp with time zone,
    discovery_source text NOT NULL,
    status text NOT NULL,
    score double precision,
    discovered_at timestamp with time zone NOT NULL,
    last_updated timestamp with time zone NOT NULL,
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

CREATE TABLE corrections (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    domain_id uuid NOT NULL,
    scan_id uuid NOT NULL,
    answer_id uuid NOT NULL,
    kind text NOT NULL,
    span_start integer NOT NULL,
    span_end integer NOT NULL,
    words text NOT NULL,
    phrase text,
    name text,
    created_by uuid NOT NULL,
    api_key_id uuid,
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

CREATE TABLE cost_batches (
    id uuid NOT NULL,
    written_at timestamp with time zone NOT NULL,
    CONSTRAINT cost_batches_pkey PRIMARY KEY (id)
);
CREATE INDEX cost_batches_by_age ON cost_batches USING btree (written_at);

CREATE TABLE credit_accounts (
    workspace_id uuid NOT NULL,
    livemode boolean NOT NULL,
    balance bigint DEFAULT 0 NOT NULL,
    spend_cap_cents bigint,
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
    cause text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT credit_entries_pkey PRIMARY KEY (workspace_id, id),
    CONSTRAINT credit_entries_workspace_id_livemode_cause_key UNIQUE (workspace_id, livemode, cause),
    CONSTRAINT credit_entries_delta_check CHECK ((delta <> 0)),
    CONSTRAINT credit_entries_reason_check CHECK ((reason = ANY (ARRAY['purchase'::text, 'scan_consumption'::text, 'refund'::text, 'action_consumption'::text, 'manual_adjustment'::text, 'promotional_grant'::text]))),
    CONSTRAINT credit_entries_workspace_id_livemode_fkey FOREIGN KEY (workspace_id, livemode) REFERENCES credit_accounts(workspace_id, livemode)
);
CREATE INDEX credit_entries_by_reason ON credit_entries USING btree (workspace_id, livemode, reason, created_at DESC, id DESC);
CREATE INDEX credit_entries_newest ON credit_entries USING btree (workspace_id, livemode, created_at DESC, id DESC);

CREATE TABLE demonstrations (
    workspace_id uuid NOT NULL,
    shown_in uuid NOT NULL,
    domain_id uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    completed_at timestamp with time zone,
    CONSTRAINT demonstrations_pkey PRIMARY KEY (workspace_id),
    CONSTRAINT demonstrations_shown_in_fkey FOREIGN KEY (shown_in) REFERENCES workspaces(id),
    CONSTRAINT demonstrations_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);

CREATE TABLE dismissed_recommendations (
    workspace_id uuid NOT NULL,
    domain_id uuid NOT NULL,
    subject text NOT NULL,
    reason text NOT NULL,
    dismissed_by uuid NOT NULL,
    dismissed_at timestamp with time zone NOT NULL,
    recommendation bytea NOT NULL,
    CONSTRAINT dismissed_recommendations_pkey PRIMARY KEY (workspace_id, domain_id, subject),
    CONSTRAINT dismissed_recommendations_dismissed_by_fkey FOREIGN KEY (dismissed_by) REFERENCES users(id),
    CONSTRAINT dismissed_recommendations_workspace_id_domain_id_fkey FOREIGN KEY (workspace_id, domain_id) REFERENCES domains(workspace_id, id)
);

CREATE TABLE domain_changes (
    workspace_id uuid NOT NULL,
    domain_id uuid NOT NULL,
    subject text NOT NULL,
    changed_xid xid8 DEFAULT pg_current_xact_id() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT domain_changes_pkey PRIMARY KEY (workspace_id, domain_id, subject),
    CONSTRAINT domain_changes_subject_check CHECK ((subject = ANY (ARRAY['tags'::text, 'marks'::text])))
);

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

CREATE TABLE editions (
    workspace_id uuid NOT NULL,
    domain_id uuid NOT NULL,
    scan_id uuid,
    editor text,
    codebook_version integer DEFAULT 0 NOT NULL,
    market bytea,
    market_corrected_by uuid,
    memory bytea,
    account bytea,
    CONSTRAINT editions_pkey PRIMARY KEY (workspace_id, domain_id),
    CONSTRAINT editions_market_corrected_by_fkey FOREIGN KEY (market_corrected_by) REFERENCES users(id),
    CONSTRAINT editions_workspace_id_domain_id_fkey FOREIGN KEY (workspace_id, domain_id) REFERENCES domains(workspace_id, id)
);

CREATE TABLE editor_replies (
    workspace_id uuid NOT NULL,
    domain_id uuid NOT NULL,
    request_key text NOT NULL,
    editor text NOT NULL,
    scan_id uuid,
    request bytea NOT NULL,
    reply bytea NOT NULL,
    model_served text,
    latency_ms integer NOT NULL,
    cost_usd double precision,
    asked_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone NOT NULL,
    CONSTRAINT editor_replies_pkey PRIMARY KEY (workspace_id, domain_id, request_key, editor),
    CONSTRAINT editor_replies_workspace_id_domain_id_fkey FOREIGN KEY (workspace_id, domain_id) REFERENCES domains(workspace_id, id)
);

CREATE TABLE email_changes (
    user_id uuid NOT NULL,
    email text NOT NULL,
    requested_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    old_digest bytea,
    new_digest bytea,
    old_confirmed boolean DEFAULT false NOT NULL,
    new_confirmed boolean DEFAULT false NOT NULL,
    CONSTRAINT email_changes_pkey PRIMARY KEY (user_id),
    CONSTRAINT email_changes_new_digest_key UNIQUE (new_digest),
    CONSTRAINT email_changes_old_digest_key UNIQUE (old_digest),
    CONSTRAINT email_changes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

CREATE TABLE ended_access (
    subject text NOT NULL,
    is_over boolean NOT NULL,
    ends_at timestamp with time zone,
    recorded_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT ended_access_pkey PRIMARY KEY (subject)
);
CREATE INDEX ended_access_newest ON ended_access USING btree (recorded_at);

CREATE TABLE events (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    livemode boolean NOT NULL,
    type text NOT NULL,
    cause text NOT NULL,
    body bytea NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT events_pkey PRIMARY KEY (workspace_id, id),
    CONSTRAINT events_workspace_id_livemode_type_cause_key UNIQUE (workspace_id, livemode, type, cause),
    CONSTRAINT events_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);
CREATE INDEX events_by_age ON events USING btree (created_at);

CREATE TABLE fact_checks (
    workspace_id uuid NOT NULL,
    domain_id uuid NOT NULL,
    scan_id uuid NOT NULL,
    completed_at timestamp with time zone NOT NULL,
    CONSTRAINT fact_checks_pkey PRIMARY KEY (workspace_id, domain_id, scan_id),
    CONSTRAINT fact_checks_workspace_id_domain_id_fkey FOREIGN KEY (workspace_id, domain_id) REFERENCES domains(workspace_id, id)
);

CREATE TABLE fact_claims (
    workspace_id uuid NOT NULL,
    domain_id uuid NOT NULL,
    scan_id uuid NOT NULL,
    fact_id uuid NOT NULL,
    answer_id uuid NOT NULL,
    prompt_id uuid NOT NULL,
    platform text NOT NULL,
    verdict text NOT NULL,
    stated text,
    passage text NOT NULL,
    words text NOT NULL,
    sources text[] NOT NULL,
    CONSTRAINT fact_claims_pkey PRIMARY KEY (workspace_id, domain_id, scan_id, fact_id, answer_id),
    CONSTRAINT fact_claims_workspace_id_domain_id_fact_id_fkey FOREIGN KEY (workspace_id, domain_id, fact_id) REFERENCES brand_facts(workspace_id, domain_id, id) ON DELETE CASCADE,
    CONSTRAINT fact_claims_workspace_id_domain_id_scan_id_fkey FOREIGN KEY (workspace_id, domain_id, scan_id) REFERENCES fact_checks(workspace_id, domain_id, scan_id) ON DELETE CASCADE
);

CREATE UNLOGGED TABLE failed_attempts (
    subject uuid NOT NULL,
    failures double precision NOT NULL,
    counted_at timestamp with time zone NOT NULL,
    wait_until timestamp with time zone NOT NULL,
    CONSTRAINT failed_attempts_pkey PRIMARY KEY (subject)
) WITH (fillfactor=50);
CREATE INDEX failed_attempts_by_age ON failed_attempts USING btree (counted_at);

CREATE TABLE guests (
    workspace_id uuid NOT NULL,
    client_id uuid NOT NULL,
    user_id uuid NOT NULL,
    role text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT guests_pkey PRIMARY KEY (workspace_id, client_id, user_id),
    CONSTRAINT guests_role_check CHECK ((role = ANY (ARRAY['viewer'::text, 'editor'::text]))),
    CONSTRAINT guests_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
    CONSTRAINT guests_workspace_id_client_id_fkey FOREIGN KEY (workspace_id, client_id) REFERENCES clients(workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX guests_by_user ON guests USING btree (user_id);

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

CREATE TABLE identities (
    issuer text NOT NULL,
    subject text NOT NULL,
    user_id uuid NOT NULL,
    linked_at timestamp with time zone NOT NULL,
    CONSTRAINT identities_pkey PRIMARY KEY (issuer, subject),
    CONSTRAINT identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX identities_of_user ON identities USING btree (user_id);

CREATE TABLE identity_providers (
    workspace_id uuid NOT NULL,
    issuer text NOT NULL,
    client_id text NOT NULL,
    client_secret bytea NOT NULL,
    changed_at timestamp with time zone NOT NULL,
    CONSTRAINT identity_providers_pkey PRIMARY KEY (workspace_id),
    CONSTRAINT identity_providers_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);

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

CREATE TABLE imported_weeks (
    workspace_id uuid NOT NULL,
    domain_id uuid NOT NULL,
    first_day date NOT NULL,
    last_day date NOT NULL,
    file_name text NOT NULL,
    platforms text[] NOT NULL,
    figures bytea NOT NULL,
    kept_at timestamp with time zone NOT NULL,
    CONSTRAINT imported_weeks_pkey PRIMARY KEY (workspace_id, domain_id, first_day),
    CONSTRAINT imported_weeks_workspace_id_domain_id_fkey FOREIGN KEY (workspace_id, domain_id) REFERENCES domains(workspace_id, id)
);

CREATE TABLE installation (
    one boolean DEFAULT true NOT NULL,
    console_enabled boolean DEFAULT true NOT NULL,
    demo jsonb,
    purchases_enabled boolean DEFAULT true NOT NULL,
    sandbox_ended_at timestamp with time zone,
    first_operator_at timestamp with time zone,
    payloads_removed_to uuid,
    payloads_checked_to text,
    payloads_checked_at timestamp with time zone,
    has_default_retention boolean DEFAULT false NOT NULL,
    CONSTRAINT installation_pkey PRIMARY KEY (one),
    CONSTRAINT installation_one_check CHECK (one)
);

CREATE TABLE invitations (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    digest bytea NOT NULL,
    email text,
    role text NOT NULL,
    billing boolean DEFAULT false NOT NULL,
    invited_by uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    revoked_at timestamp with time zone,
    accepted_at timestamp with time zone,
    accepted_by uuid,
    client_id uuid,
    CONSTRAINT invitations_pkey PRIMARY KEY (workspace_id, id),
    CONSTRAINT invitations_digest_key UNIQUE (digest),
    CONSTRAINT invitations_check CHECK (((accepted_at IS NULL) = (accepted_by IS NULL))),
    CONSTRAINT invitations_check1 CHECK (((client_id IS NULL) OR ((role = ANY (ARRAY['viewer'::text, 'editor'::text])) AND (NOT billing)))),
    CONSTRAINT invitations_email_check CHECK ((email = lower(email))),
    CONSTRAINT invitations_role_check CHECK ((role = ANY (ARRAY['viewer'::text, 'editor'::text, 'admin'::text]))),
    CONSTRAINT invitations_accepted_by_fkey FOREIGN KEY (accepted_by) REFERENCES users(id),
    CONSTRAINT invitations_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES users(id),
    CONSTRAINT invitations_workspace_id_client_id_fkey FOREIGN KEY (workspace_id, client_id) REFERENCES clients(workspace_id, id) ON DELETE CASCADE,
    CONSTRAINT invitations_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);
CREATE INDEX invitations_newest ON invitations USING btree (workspace_id, created_at DESC, id DESC);

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
    share text COLLATE "C" DEFAULT ''::text NOT NULL,
    failure text,
    traceparent text,
    CONSTRAINT jobs_pkey PRIMARY KEY (id),
    CONSTRAINT jobs_check CHECK (((worker_id IS NULL) OR (failed_at IS NULL)))
) WITH (fillfactor=70, autovacuum_vacuum_scale_factor=0.01, autovacuum_vacuum_threshold=1000, autovacuum_vacuum_cost_delay=0, autovacuum_analyze_scale_factor=0.05);
CREATE INDEX jobs_held ON jobs USING btree (failed_at) WHERE (failed_at IS NOT NULL);
CREATE UNIQUE INDEX jobs_key ON jobs USING btree (key) WHERE (failed_at IS NULL);
CREATE INDEX jobs_shares ON jobs USING btree (kind, share, run_after, id) WHERE ((worker_id IS NULL) AND (failed_at IS NULL));
CREATE INDEX jobs_waiting ON jobs USING btree (kind, priority DESC, id) WHERE ((worker_id IS NULL) AND (failed_at IS NULL));

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
    opportunity bytea NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT opportunities_pkey PRIMARY KEY (workspace_id, id),
    CONSTRAINT opportunities_workspace_id_domain_id_prompt_id_key UNIQUE (workspace_id, domain_id, prompt_id),
    CONSTRAINT opportunities_workspace_id_domain_id_fkey FOREIGN KEY (workspace_id, domain_id) REFERENCES domains(workspace_id, id)
);
CREATE INDEX opportunities_ranked ON opportunities USING btree (workspace_id, domain_id, low_evidence, opportunity_score DESC, id DESC);

CREATE TABLE password_resets (
    user_id uuid NOT NULL,
    digest bytea NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT password_resets_pkey PRIMARY KEY (user_id),
    CONSTRAINT password_resets_digest_key UNIQUE (digest),
    CONSTRAINT password_resets_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

CREATE TABLE pending_sign_ins (
    digest bytea NOT NULL,
    user_id uuid NOT NULL,
    challenge bytea,
    started_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    provider_id uuid,
    CONSTRAINT pending_sign_ins_pkey PRIMARY KEY (digest),
    CONSTRAINT pending_sign_ins_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX pending_sign_ins_by_expiry ON pending_sign_ins USING btree (expires_at);
CREATE INDEX pending_sign_ins_by_user ON pending_sign_ins USING btree (user_id);

CREATE TABLE platform_costs (
    workspace_id uuid NOT NULL,
    day date NOT NULL,
    domain_id uuid NOT NULL,
    platform text NOT NULL,
    calls bigint NOT NULL,
    failed_calls bigint NOT NULL,
    priced_calls bigint NOT NULL,
    input_tokens bigint,
    output_tokens bigint,
    searches bigint,
    cost_usd numeric(20,9),
    editor_calls bigint DEFAULT 0 NOT NULL,
    editor_cost_usd numeric(20,9),
    answers bigint DEFAULT 0 NOT NULL,
    priced_answers bigint DEFAULT 0 NOT NULL,
    CONSTRAINT platform_costs_pkey PRIMARY KEY (workspace_id, day, domain_id, platform)
) WITH (fillfactor=50);
CREATE INDEX platform_costs_by_day ON platform_costs USING btree (day);

CREATE TABLE platform_credentials (
    vendor text NOT NULL,
    sealed bytea,
    hint text NOT NULL,
    base_url text,
    model text,
    saved_at timestamp with time zone NOT NULL,
    CONSTRAINT platform_credentials_pkey PRIMARY KEY (vendor)
);

CREATE TABLE platform_failures (
    platform text NOT NULL,
    failing_since timestamp with time zone NOT NULL,
    calls bigint NOT NULL,
    fault text NOT NULL,
    CONSTRAINT platform_failures_pkey PRIMARY KEY (platform)
);

CREATE TABLE workers (
    id uuid NOT NULL,
    seen_at timestamp with time zone NOT NULL,
    version text,
    started_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT workers_pkey PRIMARY KEY (id)
);

CREATE TABLE platform_leases (
    lane text NOT NULL,
    worker_id uuid NOT NULL,
    slots integer NOT NULL,
    CONSTRAINT platform_leases_pkey PRIMARY KEY (lane, worker_id),
    CONSTRAINT platform_leases_slots_check CHECK ((slots >= 0)),
    CONSTRAINT platform_leases_worker_id_fkey FOREIGN KEY (worker_id) REFERENCES workers(id) ON DELETE CASCADE
);

CREATE TABLE platform_options (
    platform text NOT NULL,
    prices jsonb,
    monthly_limit_usd numeric,
    saved_at timestamp with time zone NOT NULL,
    announced_on date,
    announced_limit_usd numeric,
    surface text,
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
    brand jsonb NOT NULL,
    selected_platforms text[] NOT NULL,
    customer_keywords text[] NOT NULL,
    prompts jsonb,
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
    answers_expired_at timestamp with time zone,
    surfaces text,
    answers_sealed_at timestamp with time zone,
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
CREATE INDEX scans_sealed ON scans USING btree (workspace_id, domain_id, id) WHERE (answers_sealed_at IS NOT NULL);
CREATE INDEX scans_with_answers ON scans USING btree (id) WHERE (answers_expired_at IS NULL);

CREATE TABLE platform_tasks (
    workspace_id uuid NOT NULL,
    scan_id uuid NOT NULL,
    platform text NOT NULL,
    prompt_index integer NOT NULL,
    tag text NOT NULL,
    task_id text,
    cost_usd double precision,
    posted_at timestamp with time zone NOT NULL,
    CONSTRAINT platform_tasks_pkey PRIMARY KEY (workspace_id, scan_id, platform, prompt_index),
    CONSTRAINT platform_tasks_workspace_id_scan_id_fkey FOREIGN KEY (workspace_id, scan_id) REFERENCES scans(workspace_id, id)
);

CREATE TABLE prompts (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    domain_id uuid NOT NULL,
    prompt text NOT NULL,
    identity text NOT NULL,
    language_code text,
    country_iso_2 text,
    source text NOT NULL,
    status text NOT NULL,
    pinned_at timestamp with time zone,
    daily boolean DEFAULT false NOT NULL,
    search_volume integer,
    ai_search_volume integer,
    ai_search_volume_state text DEFAULT 'pending'::text NOT NULL,
    cpc_usd numeric(12,2),
    volumes_due_at timestamp with time zone,
    period_end timestamp with time zone,
    sentiment bytea,
    co_mentioned_brands text[] DEFAULT '{}'::text[] NOT NULL,
    named_share double precision,
    consecutive_uncited integer DEFAULT 0 NOT NULL,
    last_scanned_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    removed_at timestamp with time zone,
    consecutive_unnamed integer DEFAULT 0 NOT NULL,
    tags text[] DEFAULT '{}'::text[] NOT NULL,
    replaces uuid,
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

CREATE TABLE prompt_checks (
    workspace_id uuid NOT NULL,
    domain_id uuid NOT NULL,
    prompt_id uuid NOT NULL,
    scan_id uuid NOT NULL,
    scope text NOT NULL,
    answers_source text NOT NULL,
    completed_at timestamp with time zone NOT NULL,
    valid integer NOT NULL,
    cited boolean NOT NULL,
    cells bytea NOT NULL,
    named boolean,
    CONSTRAINT prompt_checks_pkey PRIMARY KEY (workspace_id, domain_id, prompt_id, completed_at, scan_id),
    CONSTRAINT prompt_checks_workspace_id_prompt_id_fkey FOREIGN KEY (workspace_id, prompt_id) REFERENCES prompts(workspace_id, id)
);
CREATE INDEX prompt_checks_by_time ON prompt_checks USING btree (workspace_id, domain_id, completed_at);
CREATE INDEX prompt_checks_of_scan ON prompt_checks USING btree (workspace_id, scan_id);

CREATE TABLE prompt_suggestions (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    domain_id uuid NOT NULL,
    scan_id uuid,
    prompt text NOT NULL,
    identity text NOT NULL,
    language_code text,
    country_iso_2 text,
    priority double precision NOT NULL,
    origin text NOT NULL,
    status text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    decided_at timestamp with time zone,
    origin_subjects text[] DEFAULT '{}'::text[] NOT NULL,
    origin_answers integer,
    CONSTRAINT prompt_suggestions_pkey PRIMARY KEY (workspace_id, id),
    CONSTRAINT prompt_suggestions_workspace_id_domain_id_identity_country__key UNIQUE NULLS NOT DISTINCT (workspace_id, domain_id, identity, country_iso_2, language_code),
    CONSTRAINT prompt_suggestions_origin_check CHECK ((origin = ANY (ARRAY['fan_out'::text, 'question'::text, 'aspect'::text, 'use'::text, 'rivals'::text, 'stage'::text, 'template'::text, 'setup'::text]))),
    CONSTRAINT prompt_suggestions_status_check CHECK ((status = ANY (ARRAY['open'::text, 'accepted'::text, 'dismissed'::text]))),
    CONSTRAINT prompt_suggestions_workspace_id_domain_id_fkey FOREIGN KEY (workspace_id, domain_id) REFERENCES domains(workspace_id, id)
);

CREATE TABLE prompt_tags_seen (
    workspace_id uuid NOT NULL,
    domain_id uuid NOT NULL,
    prompt_id uuid NOT NULL,
    tag text NOT NULL,
    CONSTRAINT prompt_tags_seen_pkey PRIMARY KEY (workspace_id, domain_id, prompt_id, tag)
);

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

CREATE TABLE recommendation_marks (
    workspace_id uuid NOT NULL,
    domain_id uuid NOT NULL,
    subject text NOT NULL,
    done_by uuid NOT NULL,
    done_at timestamp with time zone NOT NULL,
    scan_id uuid,
    prompt_ids uuid[],
    recommendation bytea,
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
    recommendation bytea NOT NULL,
    table_row jsonb,
    CONSTRAINT recommendations_pkey PRIMARY KEY (workspace_id, id),
    CONSTRAINT recommendations_workspace_id_domain_id_scan_id_place_key UNIQUE (workspace_id, domain_id, scan_id, place),
    CONSTRAINT recommendations_workspace_id_domain_id_fkey FOREIGN KEY (workspace_id, domain_id) REFERENCES domains(workspace_id, id)
);

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

CREATE TABLE recovery_codes (
    user_id uuid NOT NULL,
    digest bytea NOT NULL,
    CONSTRAINT recovery_codes_pkey PRIMARY KEY (user_id, digest),
    CONSTRAINT recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

CREATE TABLE removed_rows (
    workspace_id uuid NOT NULL,
    domain_id uuid NOT NULL,
    table_name text NOT NULL,
    scan_id uuid NOT NULL,
    row_id text NOT NULL,
    removed_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT removed_rows_pkey PRIMARY KEY (workspace_id, domain_id, scan_id, table_name, row_id)
);

CREATE TABLE report_emails (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    client_id uuid NOT NULL,
    due_at timestamp with time zone,
    address text NOT NULL,
    report_ids uuid[] NOT NULL,
    digest bytea NOT NULL,
    created_at timestamp with time zone NOT NULL,
    sent_at timestamp with time zone,
    failed_at timestamp with time zone,
    failure text,
    CONSTRAINT report_emails_pkey PRIMARY KEY (workspace_id, id),
    CONSTRAINT report_emails_workspace_id_client_id_fkey FOREIGN KEY (workspace_id, client_id) REFERENCES clients(workspace_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX report_emails_digest ON report_emails USING btree (digest);
CREATE UNIQUE INDEX report_emails_once ON report_emails USING btree (workspace_id, client_id, due_at, address);

CREATE TABLE report_links (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    client_id uuid NOT NULL,
    digest bytea NOT NULL,
    password_hash text,
    created_by uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone,
    revoked_at timestamp with time zone,
    CONSTRAINT report_links_pkey PRIMARY KEY (workspace_id, id),
    CONSTRAINT report_links_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
    CONSTRAINT report_links_workspace_id_client_id_fkey FOREIGN KEY (workspace_id, client_id) REFERENCES clients(workspace_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX report_links_digest ON report_links USING btree (digest);
CREATE INDEX report_links_of_client ON report_links USING btree (workspace_id, client_id);

CREATE TABLE report_schedules (
    workspace_id uuid NOT NULL,
    client_id uuid NOT NULL,
    rhythm text NOT NULL,
    day smallint NOT NULL,
    hour smallint NOT NULL,
    timezone text NOT NULL,
    next_at timestamp with time zone NOT NULL,
    last_at timestamp with time zone,
    last_outcome text,
    CONSTRAINT report_schedules_pkey PRIMARY KEY (workspace_id, client_id),
    CONSTRAINT report_schedules_check CHECK (((day >= 1) AND (day <=
CASE rhythm
    WHEN 'weekly'::text THEN 7
    ELSE 28
END))),
    CONSTRAINT report_schedules_hour_check CHECK (((hour >= 0) AND (hour <= 23))),
    CONSTRAINT report_schedules_rhythm_check CHECK ((rhythm = ANY (ARRAY['weekly'::text, 'monthly'::text]))),
    CONSTRAINT report_schedules_workspace_id_client_id_fkey FOREIGN KEY (workspace_id, client_id) REFERENCES clients(workspace_id, id) ON DELETE CASCADE
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
    document bytea NOT NULL,
    html text,
    pdf bytea,
    created_at timestamp with time zone NOT NULL,
    appendix_html text,
    appendix_pdf bytea,
    note text,
    owners text[] DEFAULT '{}'::text[] NOT NULL,
    CONSTRAINT reports_pkey PRIMARY KEY (workspace_id, id),
    CONSTRAINT reports_workspace_id_scan_id_key UNIQUE (workspace_id, scan_id),
    CONSTRAINT reports_workspace_id_domain_id_fkey FOREIGN KEY (workspace_id, domain_id) REFERENCES domains(workspace_id, id)
);
CREATE INDEX reports_by_age ON reports USING btree (created_at);
CREATE INDEX reports_newest ON reports USING btree (workspace_id, domain_id, created_at DESC, id DESC);

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

CREATE TABLE report_unsubscriptions (
    workspace_id uuid NOT NULL,
    client_id uuid NOT NULL,
    address text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT report_unsubscriptions_pkey PRIMARY KEY (workspace_id, client_id, address),
    CONSTRAINT report_unsubscriptions_workspace_id_client_id_fkey FOREIGN KEY (workspace_id, client_id) REFERENCES clients(workspace_id, id) ON DELETE CASCADE
);

CREATE TABLE sandbox_endings (
    workspace_id uuid NOT NULL,
    closes boolean NOT NULL,
    domains text[] NOT NULL,
    credits bigint NOT NULL,
    ended_at timestamp with time zone NOT NULL,
    CONSTRAINT sandbox_endings_pkey PRIMARY KEY (workspace_id),
    CONSTRAINT sandbox_endings_credits_check CHECK ((credits >= 0)),
    CONSTRAINT sandbox_endings_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);

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
    holds integer DEFAULT 0 NOT NULL,
    resume_at timestamp with time zone,
    traceparent text,
    CONSTRAINT scan_lanes_pkey PRIMARY KEY (workspace_id, scan_id, platform),
    CONSTRAINT scan_lanes_check CHECK (((settled <= admitted) AND (admitted <= cells))),
    CONSTRAINT scan_lanes_workspace_id_scan_id_fkey FOREIGN KEY (workspace_id, scan_id) REFERENCES scans(workspace_id, id)
) WITH (fillfactor=50);
CREATE INDEX scan_lanes_in_turn ON scan_lanes USING btree (lane, ((- priority)), started_at, scan_id) WHERE ((admitted < cells) OR (postponed <> '{}'::integer[]));
CREATE INDEX scan_lanes_of_workspace ON scan_lanes USING btree (workspace_id, lane, ((- priority)), started_at, scan_id) WHERE ((admitted < cells) OR (postponed <> '{}'::integer[]));
CREATE INDEX scan_lanes_under_way ON scan_lanes USING btree (lane, workspace_id) WHERE (admitted > (settled + cardinality(postponed)));

CREATE TABLE scan_results (
    workspace_id uuid NOT NULL,
    scan_id uuid NOT NULL,
    results bytea NOT NULL,
    metrics_version text NOT NULL,
    extractor_version text NOT NULL,
    point bytea,
    board bytea,
    changes bytea,
    has_facts boolean DEFAULT false NOT NULL,
    name_index bytea,
    CONSTRAINT scan_results_pkey PRIMARY KEY (workspace_id, scan_id),
    CONSTRAINT scan_results_workspace_id_scan_id_fkey FOREIGN KEY (workspace_id, scan_id) REFERENCES scans(workspace_id, id)
);
ALTER TABLE scan_results ALTER COLUMN name_index SET STORAGE EXTERNAL;

CREATE TABLE scan_rows (
    workspace_id uuid NOT NULL,
    scan_id uuid NOT NULL,
    name text NOT NULL,
    rows jsonb NOT NULL,
    CONSTRAINT scan_rows_pkey PRIMARY KEY (workspace_id, scan_id, name),
    CONSTRAINT scan_rows_workspace_id_scan_id_fkey FOREIGN KEY (workspace_id, scan_id) REFERENCES scans(workspace_id, id)
);

CREATE TABLE scoreboards (
    workspace_id uuid NOT NULL,
    domain_id uuid NOT NULL,
    base_scan_id uuid,
    latest_scan_id uuid,
    as_of timestamp with time zone NOT NULL,
    revision bigint NOT NULL,
    shown bigint NOT NULL,
    board bytea,
    CONSTRAINT scoreboards_pkey PRIMARY KEY (workspace_id, domain_id),
    CONSTRAINT scoreboards_workspace_id_domain_id_fkey FOREIGN KEY (workspace_id, domain_id) REFERENCES domains(workspace_id, id)
);

CREATE TABLE sealed_months (
    workspace_id uuid NOT NULL,
    month date NOT NULL,
    seal uuid NOT NULL,
    scans integer NOT NULL,
    files jsonb NOT NULL,
    sealed_at timestamp with time zone NOT NULL,
    CONSTRAINT sealed_months_pkey PRIMARY KEY (workspace_id, month, seal),
    CONSTRAINT sealed_months_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);

CREATE TABLE second_factors (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    kind text NOT NULL,
    name text NOT NULL,
    secret bytea NOT NULL,
    credential_id bytea,
    counter bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone,
    CONSTRAINT second_factors_pkey PRIMARY KEY (user_id, id),
    CONSTRAINT second_factors_credential_id_key UNIQUE (credential_id),
    CONSTRAINT second_factors_check CHECK (((kind = 'passkey'::text) = (credential_id IS NOT NULL))),
    CONSTRAINT second_factors_kind_check CHECK ((kind = ANY (ARRAY['app'::text, 'passkey'::text]))),
    CONSTRAINT second_factors_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE UNIQUE INDEX second_factors_app ON second_factors USING btree (user_id) WHERE (kind = 'app'::text);

CREATE TABLE second_opinions (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    file_name text NOT NULL,
    state text NOT NULL,
    request bytea NOT NULL,
    head bytea NOT NULL,
    content bytea,
    record bytea,
    fault text,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT second_opinions_pkey PRIMARY KEY (workspace_id, id),
    CONSTRAINT second_opinions_state_check CHECK ((state = ANY (ARRAY['uploaded'::text, 'queued'::text, 'done'::text, 'failed'::text]))),
    CONSTRAINT second_opinions_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);
ALTER TABLE second_opinions ALTER COLUMN content SET STORAGE EXTERNAL;
CREATE INDEX second_opinions_by_expiry ON second_opinions USING btree (expires_at);

CREATE TABLE sessions (
    digest bytea NOT NULL,
    user_id uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    agent text,
    seen_at timestamp with time zone,
    challenge bytea,
    confirmed_at timestamp with time zone,
    provider_id uuid,
    CONSTRAINT sessions_pkey PRIMARY KEY (digest),
    CONSTRAINT sessions_id_key UNIQUE (id),
    CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX sessions_by_expiry ON sessions USING btree (expires_at);
CREATE INDEX sessions_by_user ON sessions USING btree (user_id);

CREATE TABLE setup_suggestions (
    workspace_id uuid NOT NULL,
    domain_id uuid NOT NULL,
    digest bytea NOT NULL,
    requested_at timestamp with time zone NOT NULL,
    prompts text[],
    language text,
    note text,
    from_templates integer DEFAULT 0 NOT NULL,
    CONSTRAINT setup_suggestions_pkey PRIMARY KEY (workspace_id, domain_id, digest),
    CONSTRAINT setup_suggestions_workspace_id_domain_id_fkey FOREIGN KEY (workspace_id, domain_id) REFERENCES domains(workspace_id, id)
);

CREATE TABLE sign_in_domains (
    workspace_id uuid NOT NULL,
    domain text NOT NULL,
    assigned_at timestamp with time zone NOT NULL,
    CONSTRAINT sign_in_domains_pkey PRIMARY KEY (workspace_id, domain),
    CONSTRAINT sign_in_domains_domain_key UNIQUE (domain),
    CONSTRAINT sign_in_domains_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);

CREATE TABLE site_findings (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    domain_id uuid NOT NULL,
    key text NOT NULL,
    kind text NOT NULL,
    state text NOT NULL,
    finding bytea NOT NULL,
    rank integer NOT NULL,
    first_seen_at timestamp with time zone NOT NULL,
    last_seen_at timestamp with time zone NOT NULL,
    mended_at timestamp with time zone,
    ignored_at timestamp with time zone,
    ignored_by uuid,
    reason text,
    CONSTRAINT site_findings_pkey PRIMARY KEY (workspace_id, id),
    CONSTRAINT site_findings_workspace_id_domain_id_key_key UNIQUE (workspace_id, domain_id, key),
    CONSTRAINT site_findings_state_check CHECK ((state = ANY (ARRAY['open'::text, 'mended'::text, 'ignored'::text]))),
    CONSTRAINT site_findings_ignored_by_fkey FOREIGN KEY (ignored_by) REFERENCES users(id),
    CONSTRAINT site_findings_workspace_id_domain_id_fkey FOREIGN KEY (workspace_id, domain_id) REFERENCES domains(workspace_id, id)
);

CREATE TABLE site_reviews (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    domain_id uuid NOT NULL,
    scan_id uuid NOT NULL,
    requested_by uuid,
    requested_at timestamp with time zone NOT NULL,
    started_at timestamp with time zone,
    completed_at timestamp with time zone,
    site bytea,
    CONSTRAINT site_reviews_pkey PRIMARY KEY (workspace_id, id),
    CONSTRAINT site_reviews_requested_by_fkey FOREIGN KEY (requested_by) REFERENCES users(id),
    CONSTRAINT site_reviews_workspace_id_domain_id_fkey FOREIGN KEY (workspace_id, domain_id) REFERENCES domains(workspace_id, id)
);
CREATE INDEX site_reviews_of_domain ON site_reviews USING btree (workspace_id, domain_id, requested_at DESC);
CREATE UNIQUE INDEX site_reviews_open ON site_reviews USING btree (workspace_id, domain_id) WHERE (completed_at IS NULL);

CREATE TABLE site_pages (
    workspace_id uuid NOT NULL,
    review_id uuid NOT NULL,
    place integer NOT NULL,
    url text NOT NULL,
    chosen text NOT NULL,
    page bytea,
    text text,
    CONSTRAINT site_pages_pkey PRIMARY KEY (workspace_id, review_id, place),
    CONSTRAINT site_pages_workspace_id_review_id_fkey FOREIGN KEY (workspace_id, review_id) REFERENCES site_reviews(workspace_id, id) ON DELETE CASCADE
);

CREATE TABLE suggestion_days (
    workspace_id uuid NOT NULL,
    day date NOT NULL,
    requests integer NOT NULL,
    CONSTRAINT suggestion_days_pkey PRIMARY KEY (workspace_id, day)
);

CREATE TABLE table_changes (
    workspace_id uuid NOT NULL,
    domain_id uuid NOT NULL,
    unit text NOT NULL,
    key uuid NOT NULL,
    scan_id uuid NOT NULL,
    measured_at timestamp with time zone NOT NULL,
    changed_xid xid8 DEFAULT pg_current_xact_id() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    removed_at timestamp with time zone,
    metrics_version text,
    extractor_version text,
    CONSTRAINT table_changes_pkey PRIMARY KEY (workspace_id, domain_id, unit, key),
    CONSTRAINT table_changes_unit_check CHECK ((unit = ANY (ARRAY['scan'::text, 'theme'::text, 'recommendation'::text, 'alert'::text])))
) WITH (fillfactor=70);
CREATE INDEX table_changes_newest ON table_changes USING btree (workspace_id, domain_id, unit, changed_xid);

CREATE TABLE theme_traces (
    workspace_id uuid NOT NULL,
    domain_id uuid NOT NULL,
    scan_id uuid NOT NULL,
    trace bytea NOT NULL,
    CONSTRAINT theme_traces_pkey PRIMARY KEY (workspace_id, domain_id),
    CONSTRAINT theme_traces_workspace_id_domain_id_fkey FOREIGN KEY (workspace_id, domain_id) REFERENCES domains(workspace_id, id)
);

CREATE TABLE themes (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    domain_id uuid NOT NULL,
    scan_id uuid NOT NULL,
    place integer NOT NULL,
    theme bytea NOT NULL,
    table_row jsonb,
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
    events text[] NOT NULL,
    status text NOT NULL,
    disabled_reason text,
    secret bytea NOT NULL,
    old_secret bytea,
    old_secret_until timestamp with time zone,
    failing_since timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    kind text DEFAULT 'webhook'::text NOT NULL,
    client_id uuid,
    CONSTRAINT webhook_endpoints_pkey PRIMARY KEY (workspace_id, id),
    CONSTRAINT webhook_endpoints_kind_check CHECK ((kind = ANY (ARRAY['webhook'::text, 'slack'::text]))),
    CONSTRAINT webhook_endpoints_status_check CHECK ((status = ANY (ARRAY['enabled'::text, 'disabled'::text, 'removed'::text]))),
    CONSTRAINT webhook_endpoints_workspace_id_client_id_fkey FOREIGN KEY (workspace_id, client_id) REFERENCES clients(workspace_id, id) ON DELETE CASCADE,
    CONSTRAINT webhook_endpoints_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);
CREATE INDEX webhook_endpoints_by_client ON webhook_endpoints USING btree (workspace_id, client_id) WHERE (client_id IS NOT NULL);
CREATE INDEX webhook_endpoints_newest ON webhook_endpoints USING btree (workspace_id, livemode, created_at DESC, id DESC);

CREATE TABLE webhook_deliveries (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    endpoint_id uuid NOT NULL,
    event_id uuid NOT NULL,
    event_type text NOT NULL,
    status text NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    attempts_before integer DEFAULT 0 NOT NULL,
    next_attempt_at timestamp with time zone,
    failure_reason text,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (workspace_id, id),
    CONSTRAINT webhook_deliveries_workspace_id_event_id_endpoint_id_key UNIQUE (workspace_id, event_id, endpoint_id),
    CONSTRAINT webhook_deliveries_check CHECK (((status = 'pending'::text) = (next_attempt_at IS NOT NULL))),
    CONSTRAINT webhook_deliveries_check1 CHECK (((status = 'failed'::text) = (failure_reason IS NOT NULL))),
    CONSTRAINT webhook_deliveries_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'succeeded'::text, 'failed'::text]))),
    CONSTRAINT webhook_deliveries_workspace_id_endpoint_id_fkey FOREIGN KEY (workspace_id, endpoint_id) REFERENCES webhook_endpoints(workspace_id, id) ON DELETE CASCADE,
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
    response_body bytea NOT NULL,
    error text,
    duration_ms integer NOT NULL,
    CONSTRAINT webhook_attempts_pkey PRIMARY KEY (workspace_id, delivery_id, attempt),
    CONSTRAINT webhook_attempts_workspace_id_delivery_id_fkey FOREIGN KEY (workspace_id, delivery_id) REFERENCES webhook_deliveries(workspace_id, id) ON DELETE CASCADE
);

CREATE TABLE workspace_deletions (
    workspace_id uuid NOT NULL,
    requested_by uuid NOT NULL,
    requested_at timestamp with time zone NOT NULL,
    due_at timestamp with time zone NOT NULL,
    CONSTRAINT workspace_deletions_pkey PRIMARY KEY (workspace_id),
    CONSTRAINT workspace_deletions_requested_by_fkey FOREIGN KEY (requested_by) REFERENCES users(id),
    CONSTRAINT workspace_deletions_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);

CREATE TABLE workspace_exports (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    requested_by uuid NOT NULL,
    requested_at timestamp with time zone NOT NULL,
    completed_at timestamp with time zone,
    size bigint,
    expires_at timestamp with time zone,
    CONSTRAINT workspace_exports_pkey PRIMARY KEY (workspace_id, id),
    CONSTRAINT workspace_exports_check CHECK ((((completed_at IS NULL) = (size IS NULL)) AND ((completed_at IS NULL) = (expires_at IS NULL)))),
    CONSTRAINT workspace_exports_requested_by_fkey FOREIGN KEY (requested_by) REFERENCES users(id),
    CONSTRAINT workspace_exports_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);
CREATE UNIQUE INDEX workspace_exports_one_open ON workspace_exports USING btree (workspace_id) WHERE (completed_at IS NULL);

CREATE TABLE workspace_export_parts (
    workspace_id uuid NOT NULL,
    export_id uuid NOT NULL,
    number integer NOT NULL,
    content bytea NOT NULL,
    CONSTRAINT workspace_export_parts_pkey PRIMARY KEY (workspace_id, export_id, number),
    CONSTRAINT workspace_export_parts_workspace_id_export_id_fkey FOREIGN KEY (workspace_id, export_id) REFERENCES workspace_exports(workspace_id, id) ON DELETE CASCADE
);
ALTER TABLE workspace_export_parts ALTER COLUMN content SET STORAGE EXTERNAL;

CREATE FUNCTION drop_table_row()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    NEW.table_row := NULL;
    RETURN NEW;
END $function$;

CREATE FUNCTION find_secret_end(key api_keys, secret bytea)
 RETURNS timestamp with time zone
 LANGUAGE sql
 IMMUTABLE
AS $function$
    SELECT CASE WHEN key.revoked_at IS NOT NULL THEN '-infinity'
                WHEN key.digest = secret THEN coalesce(key.expires_at, 'infinity')
                WHEN key.previous_digest = secret
                THEN coalesce(least(key.expires_at, key.previous_ends_at), 'infinity')
                ELSE '-infinity' END
$function$;

CREATE FUNCTION keep_audit_entry()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    -- Also for the owner of the table and for superusers, whom privileges do not bind.
    IF TG_OP = 'DELETE' AND (OLD.recorded_at < clock_timestamp() - interval '90 days' OR EXISTS (
        SELECT FROM workspaces w JOIN workspace_deletions d ON d.workspace_id = w.id
        WHERE w.id = OLD.workspace_id AND w.closed_at IS NOT NULL))
    THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'audit_entries is append-only: entries of the last 90 days cannot be changed or removed';
END $function$;

CREATE FUNCTION keep_ledger_entry()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    IF TG_OP = 'DELETE' AND EXISTS (
        SELECT FROM workspaces w JOIN workspace_deletions d ON d.workspace_id = w.id
        WHERE w.id = OLD.workspace_id AND w.closed_at IS NOT NULL)
    THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'credit_entries is append-only: write a new row that corrects the old one';
END $function$;

CREATE FUNCTION record_closed_workspace()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    INSERT INTO ended_access (subject, is_over)
    SELECT 'member ' || workspace_id || ' ' || user_id, true FROM members WHERE workspace_id = NEW.id
    ON CONFLICT (subject) DO UPDATE SET is_over = true, recorded_at = clock_timestamp();
    RETURN NULL;
END $function$;

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
DECLARE
    secret bytea;
    ends timestamptz;
BEGIN
    FOREACH secret IN ARRAY ARRAY[OLD.digest, OLD.previous_digest] LOOP
        ends := CASE WHEN TG_OP = 'DELETE' THEN '-infinity' ELSE find_secret_end(NEW, secret) END;
        IF ends < find_secret_end(OLD, secret) THEN
            PERFORM record_ended_credential(secret, nullif(ends, '-infinity'));
        END IF;
    END LOOP;
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

CREATE FUNCTION record_shortened_session()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    PERFORM record_ended_credential(OLD.digest, NEW.expires_at);
    RETURN NULL;
END $function$;

CREATE FUNCTION refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    RAISE EXCEPTION '% is append-only: write a new row that corrects the old one', TG_TABLE_NAME;
END $function$;

CREATE FUNCTION remove_old_audit_entries(days integer, at_most integer)
 RETURNS integer
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
    WITH removed AS (
        DELETE FROM audit_entries WHERE (workspace_id, id) IN (
            SELECT workspace_id, id FROM audit_entries
            WHERE recorded_at < clock_timestamp() - make_interval(days => greatest(days, 90))
            ORDER BY recorded_at LIMIT at_most)
        RETURNING 1)
    SELECT count(*)::integer FROM removed;
$function$;

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

CREATE TRIGGER alerts_changed AFTER INSERT OR DELETE OR UPDATE OF state, evidence, scan_id, watched_at, confirmed_at, resolved_at ON alerts FOR EACH ROW EXECUTE FUNCTION stamp_alert();
CREATE TRIGGER alerts_evidence_replaced BEFORE UPDATE OF evidence ON alerts FOR EACH ROW WHEN ((new.evidence IS DISTINCT FROM old.evidence)) EXECUTE FUNCTION drop_table_row();
CREATE TRIGGER api_keys_ended AFTER DELETE OR UPDATE OF revoked_at, expires_at, digest, previous_digest, previous_ends_at ON api_keys FOR EACH ROW EXECUTE FUNCTION record_ended_key();
CREATE TRIGGER audit_entries_kept BEFORE DELETE OR UPDATE ON audit_entries FOR EACH ROW EXECUTE FUNCTION keep_audit_entry();
CREATE TRIGGER audit_entries_never_emptied BEFORE TRUNCATE ON audit_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER credit_entries_append_only BEFORE DELETE OR UPDATE ON credit_entries FOR EACH ROW EXECUTE FUNCTION keep_ledger_entry();
CREATE TRIGGER credit_entries_never_emptied BEFORE TRUNCATE ON credit_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER members_ended AFTER INSERT OR DELETE ON members FOR EACH ROW EXECUTE FUNCTION record_membership();
CREATE TRIGGER prompts_retagged AFTER UPDATE OF tags ON prompts FOR EACH ROW WHEN ((new.tags IS DISTINCT FROM old.tags)) EXECUTE FUNCTION stamp_tags();
CREATE TRIGGER prompts_tagged AFTER INSERT ON prompts FOR EACH ROW WHEN ((new.tags <> '{}'::text[])) EXECUTE FUNCTION stamp_tags();
CREATE TRIGGER recommendation_marks_changed AFTER INSERT OR DELETE OR UPDATE ON recommendation_marks FOR EACH ROW EXECUTE FUNCTION stamp_marks();
CREATE TRIGGER recommendations_changed AFTER INSERT OR DELETE OR UPDATE OF scan_id, place, recommendation ON recommendations FOR EACH ROW EXECUTE FUNCTION stamp_insight('recommendation');
CREATE TRIGGER scan_results_changed AFTER INSERT OR UPDATE OF results, metrics_version, extractor_version ON scan_results FOR EACH ROW EXECUTE FUNCTION stamp_scan_results();
CREATE TRIGGER scans_changed AFTER UPDATE OF status, brand, prompts ON scans FOR EACH ROW WHEN (((new.status = 'completed'::text) AND (new.measurement_scope <> 'console_check'::text))) EXECUTE FUNCTION stamp_completed_scan();
CREATE TRIGGER sessions_ended AFTER DELETE ON sessions FOR EACH ROW EXECUTE FUNCTION record_ended_session();
CREATE TRIGGER sessions_shortened AFTER UPDATE OF expires_at ON sessions FOR EACH ROW WHEN ((new.expires_at < old.expires_at)) EXECUTE FUNCTION record_shortened_session();
CREATE TRIGGER themes_changed AFTER INSERT OR DELETE OR UPDATE OF scan_id, place, theme ON themes FOR EACH ROW EXECUTE FUNCTION stamp_insight('theme');
CREATE TRIGGER workspaces_closed AFTER UPDATE OF closed_at ON workspaces FOR EACH ROW WHEN ((new.closed_at IS NOT NULL)) EXECUTE FUNCTION record_closed_workspace();

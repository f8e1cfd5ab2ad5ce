"""Create prompts, competitors, schedules, the scoreboard, insights and reports of tracked domains."""

from sightline.db.migrations.steps import run_sql

revision = "0003"
down_revision = "0002"

STATEMENTS = """
-- A trial ends by itself; the free audit is given once.
ALTER TABLE workspaces ADD COLUMN trial_ends_at timestamptz, ADD COLUMN audited_at timestamptz;
UPDATE workspaces SET trial_ends_at = created_at + interval '14 days' WHERE plan = 'trial';
CREATE INDEX workspaces_on_trial ON workspaces (trial_ends_at) WHERE plan = 'trial';

-- The markets of a tracked domain, and the moment from which its weeks are counted: the end of its setup.
ALTER TABLE domains
    ADD COLUMN language_code text,
    ADD COLUMN countries     text[] NOT NULL DEFAULT '{}',
    ADD COLUMN anchor_at     timestamptz;
CREATE INDEX domains_due ON domains (next_check_at) WHERE kind = 'tracked' AND status = 'active';

-- What is asked for a tracked domain. A prompt is its text, country and language; it is never deleted, only no longer
-- asked, because past answers speak of it.
CREATE TABLE prompts (
    workspace_id           uuid NOT NULL,
    id                     uuid NOT NULL,
    domain_id              uuid NOT NULL,
    prompt                 text NOT NULL,
    identity               text NOT NULL, -- the text as it is compared
    language_code          text,          -- null: history from before languages were recorded
    country_iso_2          text,          -- null: Global
    source                 text NOT NULL CHECK (source IN ('added_by_you', 'suggested')),
    status                 text NOT NULL CHECK (status IN ('active', 'removed')),
    pinned_at              timestamptz,
    daily                  boolean NOT NULL DEFAULT false, -- in the set of the Daily Checks until the next Full Check
    search_volume          integer CHECK (search_volume >= 0),
    ai_search_volume       integer CHECK (ai_search_volume >= 0),
    ai_search_volume_state text NOT NULL DEFAULT 'pending'
        CHECK (ai_search_volume_state IN ('estimated', 'no_estimate', 'pending', 'failed', 'unsupported',
                                          'legacy_unknown')),
    cpc_usd                numeric(12, 2) CHECK (cpc_usd >= 0),
    volumes_due_at         timestamptz,   -- when they are to be looked up again; null: at once
    -- What the checks of the recorded period say, refreshed after each check.
    period_end             timestamptz,
    sentiment              bytea,         -- JSON
    co_mentioned_brands    text[] NOT NULL DEFAULT '{}',
    named_share            double precision, -- of the period's valid answers that name the brand, 0 to 1
    consecutive_uncited    integer NOT NULL DEFAULT 0,
    last_scanned_at        timestamptz,
    created_at             timestamptz NOT NULL,
    removed_at             timestamptz,
    PRIMARY KEY (workspace_id, id),
    UNIQUE NULLS NOT DISTINCT (workspace_id, domain_id, identity, country_iso_2, language_code),
    FOREIGN KEY (workspace_id, domain_id) REFERENCES domains,
    CHECK ((ai_search_volume IS NOT NULL) = (ai_search_volume_state = 'estimated')),
    CHECK ((status = 'removed') = (removed_at IS NOT NULL)),
    CHECK (status = 'active' OR pinned_at IS NULL)
);
CREATE INDEX prompts_listed ON prompts
    (workspace_id, domain_id, (pinned_at IS NULL), created_at DESC, id DESC) WHERE status = 'active';

-- Prompts that we propose. They are outside of the list until somebody accepts them.
CREATE TABLE prompt_suggestions (
    workspace_id  uuid NOT NULL,
    id            uuid NOT NULL,
    domain_id     uuid NOT NULL,
    scan_id       uuid,          -- the check whose answers led to it
    prompt        text NOT NULL,
    identity      text NOT NULL,
    language_code text,
    country_iso_2 text,
    priority      double precision NOT NULL,
    origin        text NOT NULL CHECK (origin IN ('fan_out', 'question', 'template', 'setup')),
    status        text NOT NULL CHECK (status IN ('open', 'accepted', 'dismissed')),
    created_at    timestamptz NOT NULL,
    decided_at    timestamptz,
    PRIMARY KEY (workspace_id, id),
    UNIQUE NULLS NOT DISTINCT (workspace_id, domain_id, identity, country_iso_2, language_code),
    FOREIGN KEY (workspace_id, domain_id) REFERENCES domains
);

-- Competitors of a tracked domain. Only those that somebody confirmed are measured.
CREATE TABLE competitors (
    workspace_id      uuid NOT NULL,
    id                uuid NOT NULL,
    domain_id         uuid NOT NULL,
    competitor_domain text,      -- null: found by name alone; it cannot be confirmed without a domain
    found_as          text,      -- the name that answers use
    names             text[] NOT NULL DEFAULT '{}', -- given by people of the workspace
    display_name      text,      -- as the competitor's own site declares it
    site_read_at      timestamptz,
    discovery_source  text NOT NULL CHECK (discovery_source IN ('added_by_you', 'detected')),
    status            text NOT NULL CHECK (status IN ('suggested', 'confirmed', 'dismissed', 'hidden')),
    score             double precision, -- of a detected one: how strongly the answers suggest it
    discovered_at     timestamptz NOT NULL,
    last_updated      timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, domain_id) REFERENCES domains,
    CHECK (competitor_domain IS NOT NULL OR (found_as IS NOT NULL AND status IN ('suggested', 'dismissed')))
);
CREATE UNIQUE INDEX competitors_by_domain ON competitors (workspace_id, domain_id, competitor_domain)
    WHERE competitor_domain IS NOT NULL;
CREATE UNIQUE INDEX competitors_by_name ON competitors (workspace_id, domain_id, lower(found_as))
    WHERE competitor_domain IS NULL;
CREATE INDEX competitors_listed ON competitors (workspace_id, domain_id, last_updated DESC, id DESC)
    WHERE status = 'confirmed';

CREATE INDEX scans_by_start ON scans (workspace_id, domain_id, (coalesce(started_at, created_at)) DESC, id DESC);

-- What a check says of one prompt, in short: histories are read from here and never from the answers themselves.
CREATE TABLE prompt_checks (
    workspace_id uuid NOT NULL,
    domain_id    uuid NOT NULL,
    prompt_id    uuid NOT NULL,
    scan_id      uuid NOT NULL,
    scope        text NOT NULL,
    answers_source text NOT NULL,  -- made-up answers and real ones are never counted together
    completed_at timestamptz NOT NULL,
    valid        integer NOT NULL, -- answers that can be read
    cited        boolean NOT NULL, -- at least one of them cites the brand
    cells        bytea NOT NULL,   -- JSON: what each platform's answer says of the brand
    PRIMARY KEY (workspace_id, domain_id, prompt_id, completed_at, scan_id),
    FOREIGN KEY (workspace_id, prompt_id) REFERENCES prompts
);
CREATE INDEX prompt_checks_of_scan ON prompt_checks (workspace_id, scan_id);
CREATE INDEX prompt_checks_by_time ON prompt_checks (workspace_id, domain_id, completed_at);

-- The scoreboard: for each cell the latest known answer.
CREATE TABLE cells (
    workspace_id uuid NOT NULL,
    domain_id    uuid NOT NULL,
    prompt_id    uuid NOT NULL,
    platform     text NOT NULL,
    base         boolean NOT NULL, -- planned by the latest Full Check; the others stay outside of the headline
    scan_id      uuid NOT NULL,    -- the check whose answer is shown
    scope        text NOT NULL,
    answer_id    uuid NOT NULL,
    status       text NOT NULL CHECK (status IN ('ok', 'no_surface', 'failed')),
    stale        boolean NOT NULL, -- a later check asked again and got no valid answer
    checked_at   timestamptz NOT NULL, -- when the check that is shown was completed
    seen_at      timestamptz NOT NULL, -- when the last check that asked was completed
    PRIMARY KEY (workspace_id, domain_id, prompt_id, platform),
    FOREIGN KEY (workspace_id, domain_id) REFERENCES domains
);

-- What the cells amount to, computed outside of the transaction that changes them.
CREATE TABLE scoreboards (
    workspace_id   uuid NOT NULL,
    domain_id      uuid NOT NULL,
    base_scan_id   uuid,            -- the latest Full Check (or the free audit)
    latest_scan_id uuid,            -- the latest check of any kind that is in it
    as_of          timestamptz NOT NULL, -- when that was completed
    revision       bigint NOT NULL, -- counts the changes of what the board is made from
    shown          bigint NOT NULL, -- the revision that `board` was made from
    board          bytea,           -- JSON
    PRIMARY KEY (workspace_id, domain_id),
    FOREIGN KEY (workspace_id, domain_id) REFERENCES domains
);

-- Of checks of tracked domains: one point of the trend, and all that is shown of the check.
ALTER TABLE scan_results ADD COLUMN point bytea, ADD COLUMN board bytea;

-- Reading stored answers again, because a name was added.
CREATE TABLE recomputations (
    workspace_id uuid NOT NULL,
    id           uuid NOT NULL,
    domain_id    uuid NOT NULL,
    reason       text NOT NULL,
    status       text NOT NULL CHECK (status IN ('waiting', 'running', 'done', 'failed')),
    scans_total  integer NOT NULL DEFAULT 0,
    scans_done   integer NOT NULL DEFAULT 0,
    created_at   timestamptz NOT NULL,
    updated_at   timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, domain_id) REFERENCES domains
);
CREATE INDEX recomputations_newest ON recomputations (workspace_id, domain_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX recomputations_one_waiting ON recomputations (workspace_id, domain_id) WHERE status = 'waiting';

-- Insights
CREATE TABLE alerts (
    workspace_id uuid NOT NULL,
    id           uuid NOT NULL,
    domain_id    uuid NOT NULL,
    type         text NOT NULL,
    scope        text NOT NULL, -- overall, platform:chatgpt, country:DE, cell:<prompt>:<platform>
    state        text NOT NULL CHECK (state IN ('watch', 'confirmed', 'resolved', 'lapsed')),
    hushed       text,          -- why nobody was told
    evidence     bytea NOT NULL, -- JSON: figures, tests, answers
    scan_id      uuid NOT NULL, -- the Daily Check that moved it last
    watched_at   timestamptz NOT NULL,
    confirmed_at timestamptz,
    resolved_at  timestamptz,
    notified_at  timestamptz,
    updated_at   timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, domain_id) REFERENCES domains
);
CREATE UNIQUE INDEX alerts_one_open ON alerts (workspace_id, domain_id, type, scope)
    WHERE state IN ('watch', 'confirmed');
CREATE INDEX alerts_newest ON alerts (workspace_id, domain_id, watched_at DESC, id DESC);

-- The check that each part of the insights was drawn from last: it is drawn once, and never from an older one.
CREATE TABLE drawn_insights (
    workspace_id uuid NOT NULL,
    domain_id    uuid NOT NULL,
    part         text NOT NULL CHECK (part IN ('alerts', 'competitors', 'themes', 'recommendations', 'opportunities',
                                               'suggestions')),
    scan_id      uuid NOT NULL,
    completed_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, domain_id, part),
    FOREIGN KEY (workspace_id, domain_id) REFERENCES domains
);

-- Themes, recommendations and opportunities are those of the latest Full Check; each replaces the ones before.
CREATE TABLE themes (
    workspace_id uuid NOT NULL,
    id           uuid NOT NULL,
    domain_id    uuid NOT NULL,
    scan_id      uuid NOT NULL,
    place        integer NOT NULL,
    theme        bytea NOT NULL, -- JSON
    PRIMARY KEY (workspace_id, id),
    UNIQUE (workspace_id, domain_id, scan_id, place),
    FOREIGN KEY (workspace_id, domain_id) REFERENCES domains
);
CREATE TABLE recommendations (
    workspace_id   uuid NOT NULL,
    id             uuid NOT NULL,
    domain_id      uuid NOT NULL,
    scan_id        uuid NOT NULL,
    place          integer NOT NULL,
    recommendation bytea NOT NULL, -- JSON
    PRIMARY KEY (workspace_id, id),
    UNIQUE (workspace_id, domain_id, scan_id, place),
    FOREIGN KEY (workspace_id, domain_id) REFERENCES domains
);
CREATE TABLE opportunities (
    workspace_id      uuid NOT NULL,
    id                uuid NOT NULL,
    domain_id         uuid NOT NULL,
    scan_id           uuid NOT NULL,
    prompt_id         uuid NOT NULL,
    opportunity_score double precision NOT NULL,
    low_evidence      boolean NOT NULL,
    opportunity       bytea NOT NULL, -- JSON
    updated_at        timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, id),
    UNIQUE (workspace_id, domain_id, prompt_id),
    FOREIGN KEY (workspace_id, domain_id) REFERENCES domains
);
CREATE INDEX opportunities_ranked ON opportunities
    (workspace_id, domain_id, low_evidence, opportunity_score DESC, id DESC);

CREATE TABLE reports (
    workspace_id uuid NOT NULL,
    id           uuid NOT NULL,
    domain_id    uuid NOT NULL,
    scan_id      uuid NOT NULL,
    title        text NOT NULL,
    summary      text NOT NULL,
    period_start timestamptz NOT NULL,
    period_end   timestamptz NOT NULL,
    document     bytea NOT NULL, -- JSON: all that both forms are made from
    html         text NOT NULL,
    pdf          bytea NOT NULL,
    created_at   timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, id),
    UNIQUE (workspace_id, scan_id),
    FOREIGN KEY (workspace_id, domain_id) REFERENCES domains
);
CREATE INDEX reports_newest ON reports (workspace_id, domain_id, created_at DESC, id DESC)
"""


def upgrade() -> None:
    run_sql(STATEMENTS)

"""Facts of brands, and what answers claim about them."""

from sightline.db.migrations.steps import run_sql

revision = "0071"
down_revision = "0070"

STATEMENTS = """
CREATE TABLE brand_facts (
    workspace_id  uuid NOT NULL,
    domain_id     uuid NOT NULL,
    id            uuid NOT NULL,
    kind          text NOT NULL,
    subject       text NOT NULL, -- the product, plan, certificate or ability
    value         text NOT NULL, -- an amount, a year, a place, yes or no
    currency      text,
    unit          text,
    country       text,
    valid_from    date,
    former_values text[] NOT NULL DEFAULT '{}',
    former_until  date[] NOT NULL DEFAULT '{}', -- of each former value; null if it is not known
    accepted      text[] NOT NULL DEFAULT '{}', -- statements that people have said are right, too
    status        text NOT NULL CHECK (status IN ('proposed', 'confirmed')),
    source        text, -- the page that declares it; null if a person entered it
    changed_by    uuid REFERENCES users, -- null for API keys and for proposals
    created_at    timestamptz NOT NULL,
    updated_at    timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, domain_id, id),
    FOREIGN KEY (workspace_id, domain_id) REFERENCES domains
);
CREATE UNIQUE INDEX brand_facts_once
    ON brand_facts (workspace_id, domain_id, kind, lower(subject), coalesce(country, ''), coalesce(unit, ''));

-- The Full Checks whose answers were compared with the facts.
CREATE TABLE fact_checks (
    workspace_id uuid NOT NULL,
    domain_id    uuid NOT NULL,
    scan_id      uuid NOT NULL,
    completed_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, domain_id, scan_id),
    FOREIGN KEY (workspace_id, domain_id) REFERENCES domains
);

CREATE TABLE fact_claims (
    workspace_id uuid NOT NULL,
    domain_id    uuid NOT NULL,
    scan_id      uuid NOT NULL,
    fact_id      uuid NOT NULL,
    answer_id    uuid NOT NULL,
    prompt_id    uuid NOT NULL,
    platform     text NOT NULL,
    verdict      text NOT NULL,
    stated       text, -- in a form that is equal for equal statements; null if it cannot be read
    passage      text NOT NULL,
    words        text NOT NULL,
    sources      text[] NOT NULL, -- the pages that the answer cites
    PRIMARY KEY (workspace_id, domain_id, scan_id, fact_id, answer_id),
    FOREIGN KEY (workspace_id, domain_id, fact_id) REFERENCES brand_facts ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, domain_id, scan_id) REFERENCES fact_checks ON DELETE CASCADE
);
"""


def upgrade() -> None:
    run_sql(STATEMENTS)

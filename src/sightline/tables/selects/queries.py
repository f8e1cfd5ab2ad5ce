"""The SELECT of each table, over what other features have stored.

Parameters: $1 workspace, $2 domain, $3 keys of the units, $4 whether removed rows are listed. Tables of scans have two
more, $5 and $6: the platforms that show no sources by design, of live and of made-up answers.
"""

from collections.abc import Mapping

from sightline.metrics.visibility import CITATION, PRESENCE, PROMINENCE


def _json(column: str, name: str) -> str:
    r"""Return a lateral join that decodes a stored JSON document once.

    jsonb cannot hold the character NUL, which a platform may have sent: it becomes the replacement character.
    """
    return rf"""CROSS JOIN LATERAL (
        SELECT (CASE WHEN strpos(t.j, '\u0000') = 0 THEN t.j
                     ELSE regexp_replace(t.j, '(?<!\\)((?:\\\\)*)\\u0000', '\1\\ufffd', 'g') END)::jsonb AS found
        FROM (SELECT convert_from({column}, 'UTF8') AS j OFFSET 0) t OFFSET 0) {name}"""


def _value(mentioned: str, rank: str, cited: str, cites: str) -> str:
    """Return the value of an answer, as `metrics.visibility.value_answer`."""
    discount = f"coalesce(ln(2) / ln({rank} + 1.0::float8), 0)"
    named = f"(CASE WHEN {mentioned} THEN {PRESENCE} + {PROMINENCE} * {discount} ELSE 0 END)"
    return f"""(CASE WHEN {cites} THEN {named} + CASE WHEN {cited} THEN {CITATION} ELSE 0 END
                     ELSE {named} / ({PRESENCE} + {PROMINENCE}) END)::float8"""


def _of_full_check(column: str) -> str:
    """Return a column that Full Checks set: null in the rows of Daily Checks."""
    return f"CASE WHEN u.scope <> 'daily_check' THEN {column} END AS {column.partition('.')[2]}"


def _of_alert(stored: str, *, lost: object, gained: object) -> str:
    """Return a figure of an alert. A cell stores its history; what it reports follows from its type."""
    return f"CASE t.type WHEN 'cell_lost' THEN {lost} WHEN 'cell_gained' THEN {gained} ELSE {stored} END"


_VERSIONS = "metrics_version, extractor_version"

_UNITS = f"""u AS MATERIALIZED (
    SELECT s.id AS unit_key, s.id AS scan_id, s.domain_id, c.measured_at, c.updated_at, s.answers_source,
           s.measurement_scope AS scope, s.prompts, results.found AS results, r.metrics_version, r.extractor_version,
           CASE s.answers_source WHEN 'live' THEN $5::text[] ELSE $6::text[] END AS uncited,
           ARRAY[s.brand -> 'brand' -> 'domains' ->> 0] || ARRAY(
               SELECT rival -> 'domains' ->> 0
               FROM jsonb_array_elements(s.brand -> 'competitors') WITH ORDINALITY AS e (rival, place)
               ORDER BY place) AS brand_ids
    FROM table_changes c
    JOIN scans s ON s.workspace_id = c.workspace_id AND s.id = c.key
    JOIN scan_results r ON r.workspace_id = c.workspace_id AND r.scan_id = c.key
    {_json("r.results", "results")}
    WHERE c.workspace_id = $1 AND c.domain_id = $2 AND c.unit = 'scan' AND c.key = ANY($3::uuid[])
)"""

_ASKED = f"""{_UNITS}, asked AS MATERIALIZED (
    SELECT u.unit_key, u.scan_id, u.domain_id, u.measured_at, u.updated_at, u.answers_source, u.scope,
           u.metrics_version, u.extractor_version, u.uncited, u.brand_ids, (p.plan ->> 'id')::uuid AS prompt_id,
           p.plan ->> 'text' AS prompt, p.plan ->> 'language' AS language,
           p.plan ->> 'country' AS country, (p.found ->> 'branded')::boolean AS branded,
           p.found -> 'platforms' AS cells, p.place - 1 AS prompt_index
    FROM u CROSS JOIN LATERAL ROWS FROM (
        jsonb_array_elements(u.prompts), jsonb_array_elements(u.results -> 'prompts')
    ) WITH ORDINALITY AS p (plan, found, place)
)"""

# One row for each planned answer, from the results alone.
_CELLS = f"""{_ASKED}, cells AS (
    SELECT asked.*, c.platform, c.status, coalesce(c.mentioned, false) AS mentioned, coalesce(c.cited, false) AS cited,
           CASE WHEN c.status = 'ok'
                THEN {_value("c.mentioned", "c.position", "c.cited", "c.platform <> ALL(asked.uncited)")} END AS value
    FROM asked CROSS JOIN LATERAL jsonb_to_recordset(asked.cells) AS c (
        platform text, status text, mentioned boolean, cited boolean, position integer)
)"""


def _counts(condition: str = "true") -> str:
    """Return the counts of a group of cells, of those that meet the condition."""
    wanted = {
        "planned": "true",
        "valid": "status = 'ok'",
        "no_surface": "status = 'no_surface'",
        "failed": "status NOT IN ('ok', 'no_surface')",
        "mentioned": "status = 'ok' AND mentioned",
        "cited": "status = 'ok' AND cited",
    }
    counts = [f"count(*) FILTER (WHERE {condition} AND {each}) AS {name}" for name, each in wanted.items()]
    return ", ".join([*counts, f"coalesce(sum(value) FILTER (WHERE {condition}), 0) AS visibility_sum"])


_BY_SCAN = "unit_key, domain_id, scan_id, scope, answers_source, measured_at"

# A tag that no prompt has any more leaves a removed row behind.
_DAILY_METRICS = f"""WITH {_CELLS}, tags AS MATERIALIZED (
    SELECT h.prompt_id, h.tag, h.tag = ANY(p.tags) AS is_present
    FROM prompt_tags_seen h JOIN prompts p ON p.workspace_id = h.workspace_id AND p.id = h.prompt_id
    WHERE h.workspace_id = $1 AND h.domain_id = $2
), tagged AS (
    SELECT cells.*, NULL AS tag, true AS is_present FROM cells
    UNION ALL SELECT cells.*, tags.tag, tags.is_present FROM cells JOIN tags USING (prompt_id)
), grouped AS (
    SELECT {_BY_SCAN}, platform, country, tag, {_VERSIONS}, bool_or(is_present) AS is_present,
           greatest(updated_at, (SELECT max(d.updated_at) FROM domain_changes d WHERE d.workspace_id = $1
                                 AND d.domain_id = $2 AND d.subject = 'tags' AND tag IS NOT NULL)) AS updated_at,
           {_counts("is_present AND NOT branded")}
    FROM tagged GROUP BY {_BY_SCAN}, platform, country, tag, updated_at, {_VERSIONS}
)
SELECT unit_key, concat_ws('/', scan_id, platform, coalesce(country, 'global'), tag) AS row_id,
       domain_id, scan_id, (measured_at AT TIME ZONE 'UTC')::date AS day, scope, answers_source, platform, country, tag,
       planned, valid, no_surface, failed, mentioned, cited, visibility_sum, measured_at, updated_at,
       CASE WHEN NOT is_present THEN updated_at END AS removed_at, {_VERSIONS}
FROM grouped WHERE is_present OR $4"""

_PROMPT_METRICS = f"""WITH {_CELLS}
SELECT concat_ws('/', scan_id, prompt_id) AS row_id, {_BY_SCAN}, updated_at,
       NULL::timestamptz AS removed_at, {_VERSIONS}, prompt_id, prompt, language, country, branded, {_counts()}
FROM cells GROUP BY {_BY_SCAN}, updated_at, {_VERSIONS}, prompt_id, prompt, language, country, branded"""

_ANSWERED = f"""answers a
    ON a.workspace_id = $1 AND a.scan_id = q.scan_id AND a.prompt_index = q.prompt_index AND a.scan_id = ANY($3::uuid[])
    {_json("a.record", "record")}"""

_ANSWERS = f"""WITH {_ASKED}
SELECT q.*, a.id::text AS row_id, a.id AS answer_id, a.platform, a.status, a.text, a.answered_at,
       NULL::timestamptz AS removed_at, own.cites AS platform_cites,
       own.mentioned, own.rank, own.brand ->> 'stance' AS stance,
       (own.brand -> 'sentiment' ->> 'score')::float8 AS sentiment, own.pages > 0 AS cited,
       CASE WHEN own.brand IS NOT NULL
            THEN {_value("own.mentioned", "own.rank", "own.pages > 0", "own.cites")} END AS visibility,
       jsonb_array_length(record.found -> 'reading' -> 'citations') AS citations, own.pages AS brand_citations,
       record.found -> 'provenance' ->> 'vendor' AS vendor, record.found -> 'provenance' ->> 'model_served' AS model,
       (record.found -> 'provenance' ->> 'latency_ms')::bigint AS latency_ms,
       (record.found -> 'provenance' ->> 'cost_usd')::float8 AS cost_usd
FROM asked q JOIN {_ANSWERED}
CROSS JOIN LATERAL (
    SELECT brand, (brand ->> 'mentioned')::boolean AS mentioned, (brand ->> 'rank')::integer AS rank,
           jsonb_array_length(brand -> 'cited_urls') AS pages, a.platform <> ALL(q.uncited) AS cites
    FROM (SELECT record.found -> 'reading' -> 'brands' -> 0 AS brand) b) own"""

_MENTIONS = f"""WITH {_ASKED}
SELECT q.*, concat_ws('/', a.id, b.brand_id) AS row_id, a.id AS answer_id, a.platform, NULL::timestamptz AS removed_at,
       b.brand_id, b.found ->> 'name' AS brand, b.place = 1 AS is_own, c.mentioned,
       jsonb_array_length(b.found -> 'occurrences') AS occurrences, c.rank, b.found ->> 'stance' AS stance,
       (b.found -> 'sentiment' ->> 'score')::float8 AS sentiment,
       b.found -> 'sentiment' ->> 'label' AS sentiment_label, c.pages AS cited_pages,
       {_value("c.mentioned", "c.rank", "c.pages > 0", "a.platform <> ALL(q.uncited)")} AS visibility
FROM asked q JOIN {_ANSWERED}
CROSS JOIN LATERAL ROWS FROM (jsonb_array_elements(record.found -> 'reading' -> 'brands'), unnest(q.brand_ids))
    WITH ORDINALITY AS b (found, brand_id, place)
CROSS JOIN LATERAL (SELECT (b.found ->> 'mentioned')::boolean AS mentioned, (b.found ->> 'rank')::integer AS rank,
                           jsonb_array_length(b.found -> 'cited_urls') AS pages) c
WHERE a.status = 'ok' AND (c.mentioned OR c.pages > 0)"""

_CITATIONS = f"""WITH {_ASKED}
SELECT q.*, concat_ws('/', a.id, c.found ->> 'url') AS row_id, a.id AS answer_id, a.platform,
       NULL::timestamptz AS removed_at, c.place, c.found ->> 'url' AS url, c.found ->> 'domain' AS site,
       q.brand_ids[owner.place] AS brand_id, coalesce(owner.place = 1, false) AS is_own
FROM asked q JOIN {_ANSWERED}
CROSS JOIN LATERAL jsonb_array_elements(record.found -> 'reading' -> 'citations') WITH ORDINALITY AS c (found, place)
LEFT JOIN LATERAL (
    SELECT min(place) AS place
    FROM jsonb_array_elements(record.found -> 'reading' -> 'brands') WITH ORDINALITY AS b (found, place)
    WHERE b.found -> 'cited_urls' ? (c.found ->> 'url')) owner ON true
WHERE a.status = 'ok'"""

_SOURCES = f"""WITH {_UNITS}
SELECT concat_ws('/', scan_id, s.domain) AS row_id, {_BY_SCAN}, updated_at,
       NULL::timestamptz AS removed_at, {_VERSIONS}, s.domain AS site, s.type, s.urls AS pages, s.answers,
       s.is_own, s.is_competitor
FROM u CROSS JOIN LATERAL jsonb_to_recordset(u.results -> 'sources') AS s (
    domain text, type text, urls bigint, answers bigint, is_own boolean, is_competitor boolean)"""

_COMPETITORS = f"""WITH {_UNITS}
SELECT concat_ws('/', scan_id, s.domains ->> 0) AS row_id, {_BY_SCAN}, updated_at, NULL::timestamptz AS removed_at,
       {_VERSIONS}, s.domains ->> 0 AS brand_id, s.name AS brand, s.is_own,
       (s.score ->> 'value')::float8 AS visibility_score, (s.score ->> 'low')::float8 AS visibility_low,
       (s.score ->> 'high')::float8 AS visibility_high, {_of_full_check("s.position")},
       {_of_full_check("s.position_low")}, {_of_full_check("s.position_high")}, s.mentions,
       {_of_full_check("s.share_of_voice_pct")}
FROM u CROSS JOIN LATERAL jsonb_to_recordset(u.results -> 'competitors') AS s (
    name text, domains jsonb, is_own boolean, score jsonb, position bigint, position_low bigint, position_high bigint,
    mentions bigint, share_of_voice_pct float8)"""


def _insights(table: str, unit: str, document: str) -> str:
    """Return the source of a table whose units are rows of their own. Those that are gone have only ids and times."""
    return f"""table_changes c
    LEFT JOIN {table} t ON t.workspace_id = c.workspace_id AND t.id = c.key
    {_json(f"t.{document}", "d")}
    WHERE c.workspace_id = $1 AND c.domain_id = $2 AND c.unit = '{unit}' AND c.key = ANY($3::uuid[])
      AND (t.id IS NOT NULL OR $4 AND c.removed_at IS NOT NULL)"""


_OF_UNIT = """c.key AS unit_key, c.key::text AS row_id, c.domain_id, c.scan_id, c.measured_at, c.removed_at,
       c.metrics_version, c.extractor_version"""

_THEMES = f"""SELECT {_OF_UNIT}, c.updated_at, t.place + 1 AS place, d.found ->> 'descriptor' AS theme,
       d.found ->> 'kind' AS kind, (d.found ->> 'answers')::bigint AS answers,
       (d.found ->> 'share')::float8 AS share_pct, (d.found ->> 'share_low')::float8 AS share_low_pct,
       (d.found ->> 'share_high')::float8 AS share_high_pct, d.found ->> 'polarity_label' AS polarity_label,
       (d.found ->> 'positive')::bigint AS positive, (d.found ->> 'neutral')::bigint AS neutral,
       (d.found ->> 'negative')::bigint AS negative
FROM {_insights("themes", "theme", "theme")}"""


def _task_key(subject: str) -> str:
    """Return the key of an action, as `insights.recommendations.tasks.task_key`."""
    digest = f"encode(sha256(convert_to(coalesce({subject}, ''), 'UTF8')), 'hex')"
    return f"(d.found ->> 'kind') || '-' || left({digest}, 32)"


# A site that is marked covers its pages, as in `insights.recommendations.tasks.find_mark`.
_RECOMMENDATIONS = f"""SELECT {_OF_UNIT},
       greatest(c.updated_at, (SELECT max(g.updated_at) FROM domain_changes g WHERE g.workspace_id = $1
                               AND g.domain_id = $2 AND g.subject = 'marks')) AS updated_at,
       t.place + 1 AS place, {_task_key("d.found ->> 'subject'")} AS key, d.found ->> 'kind' AS kind,
       d.found ->> 'subject' AS subject, d.found ->> 'site' AS site,
       (SELECT string_agg(each, ',') FROM jsonb_array_elements_text(d.found -> 'platforms') AS each) AS platforms,
       jsonb_array_length(d.found -> 'prompts') AS prompts, jsonb_array_length(d.found -> 'proofs') AS answers,
       (d.found -> 'expected' ->> 'answers')::float8 AS expected_answers,
       (d.found -> 'expected' ->> 'low')::float8 AS expected_low,
       (d.found -> 'expected' ->> 'high')::float8 AS expected_high,
       coalesce((SELECT m.done_at FROM recommendation_marks m WHERE m.workspace_id = $1 AND m.domain_id = $2
                 AND m.subject = {_task_key("d.found ->> 'subject'")}),
                (SELECT m.done_at FROM recommendation_marks m WHERE m.workspace_id = $1 AND m.domain_id = $2
                 AND d.found ->> 'kind' IN ('get_listed', 'keep') AND d.found ->> 'site' <> ''
                 AND m.subject = {_task_key("d.found ->> 'site'")})) AS done_at
FROM {_insights("recommendations", "recommendation", "recommendation")}"""

_ALERT_PARTS = "(SELECT *, split_part(scope, ' competitor:', 1) AS part FROM alerts WHERE workspace_id = $1)"

# The text of a scope is that of `insights.alerts.scopes`: a part, and the name of a competitor.
_ALERTS = f"""SELECT {_OF_UNIT}, c.updated_at, t.type, split_part(t.part, ':', 1) AS scope,
       CASE split_part(t.part, ':', 1) WHEN 'platform' THEN split_part(t.part, ':', 2)
                                       WHEN 'cell' THEN split_part(t.part, ':', 3) END AS platform,
       CASE WHEN t.part LIKE 'country:%' THEN nullif(split_part(t.part, ':', 2), 'global') END AS country,
       CASE WHEN t.part LIKE 'cell:%' THEN split_part(t.part, ':', 2)::uuid END AS prompt_id,
       nullif(substr(t.scope, length(t.part) + length(' competitor:') + 1), '') AS competitor,
       t.state, {_of_alert("(d.found -> 'before' ->> 'named')::bigint", lost=1, gained=0)} AS named_before,
       {_of_alert("(d.found -> 'before' ->> 'answers')::bigint", lost=1, gained=1)} AS answers_before,
       {_of_alert("(d.found -> 'now' ->> 'named')::bigint", lost=0, gained=1)} AS named_now,
       {_of_alert("(d.found -> 'now' ->> 'answers')::bigint", lost=1, gained=1)} AS answers_now,
       {_of_alert("(d.found ->> 'delta')::float8", lost=-100, gained=100)} AS delta_points,
       (d.found ->> 'p')::float8 AS p,
       {_of_alert("d.found ->> 'verdict'", lost="'no_clear_change'", gained="'no_clear_change'")} AS verdict,
       t.confirmed_at, t.resolved_at
FROM {_insights(_ALERT_PARTS, "alert", "evidence")}"""

SELECTS: Mapping[str, str] = {
    "daily_metrics": _DAILY_METRICS,
    "prompt_metrics": _PROMPT_METRICS,
    "answers": _ANSWERS,
    "mentions": _MENTIONS,
    "citations": _CITATIONS,
    "sources": _SOURCES,
    "competitors": _COMPETITORS,
    "themes": _THEMES,
    "recommendations": _RECOMMENDATIONS,
    "alerts": _ALERTS,
}

"""The tables and their columns. The API, the documentation and the Parquet schema are built from this."""

from collections.abc import Iterable, Mapping

from sightline.answers.models import SITE_TYPE_MEANING, STANCE_MEANING
from sightline.metrics.observation import BRANDED_MEANING, SURFACE_MEANING
from sightline.tables.models import Column, ColumnType, DataTable


def _columns(kind: ColumnType, **meanings: str) -> Iterable[Column]:
    return (Column(name, kind, meaning) for name, meaning in meanings.items())


_ROW = (
    Column(
        "row_id", "text", "Id of the row, unique in the table and the same in every read. Use it to update your copy."
    ),
    Column("domain_id", "uuid", "Id of the tracked domain."),
    Column("scan_id", "uuid", "Id of the check that produced the row."),
)
_STAMPS = (
    Column("measured_at", "timestamp", "When the check was completed. `from` and `to` filter by this time."),
    Column("updated_at", "timestamp", "When the row was last written. Renames and corrections also write rows again."),
    Column(
        "removed_at",
        "timestamp",
        "When the row was removed. Removed rows appear only if you request changes, with `changed_since` or "
        "the cursor of an earlier read. Most of their other columns are null.",
    ),
    Column("metrics_version", "text", "Version of the formulas."),
    Column("extractor_version", "text", "Version of the analyzer that found brands and sources in the answers."),
)
_SCAN = (
    Column(
        "scope", "text", "Kind of check: `full_check`, `daily_check` or `free_audit` (the only check of the Free plan)."
    ),
    Column("answers_source", "text", "`live`, or `sandbox` for made-up answers. Never combine live and sandbox rows."),
)
_PROMPT = (
    Column("prompt_id", "uuid", "Id of the prompt."),
    Column("prompt", "text", "Text of the prompt."),
    Column("language", "text", "Language of the prompt. Null if none was set."),
    Column("country", "text", "Country that the prompt was asked from. Null if none was set."),
    Column(
        "branded",
        "boolean",
        f"Whether the prompt names the brand of the tracked domain. {BRANDED_MEANING}",
    ),
)
_SURFACE = Column(
    "surface",
    "text",
    f"{SURFACE_MEANING} Never add up rows of different surfaces. Null in rows of older checks, and if every answer "
    "of the platform failed.",
)
_COUNTS = (
    *_columns(
        "integer",
        planned="Number of answers that were planned.",
        valid="Number of valid answers.",
        no_surface="Number of times that no AI answer was shown.",
        failed="Number of answers that could not be obtained.",
        mentioned="Number of valid answers that name the brand.",
        cited="Number of valid answers that cite a page of the brand.",
    ),
    Column(
        "visibility_sum",
        "number",
        "Sum of the column `visibility` of the table `answers` over the valid answers. The Visibility Score is "
        "100 * visibility_sum / valid.",
    ),
)
_ANSWER = (
    Column("answer_id", "uuid", "Id of the answer."),
    *_PROMPT,
    Column("platform", "text", "Id of the AI platform, such as `chatgpt`."),
    _SURFACE,
)

_RANK_AND_STANCE = (
    Column("rank", "integer", "Rank of the brand among the brands in the answer. 1 is first. Null if it has none."),
    Column(
        "stance",
        "text",
        f"{STANCE_MEANING} Null if the answer does not contain the name.",
    ),
)
_SENTIMENT = Column(
    "sentiment",
    "number",
    "Sentiment about the brand, 0 to 100. 60 or more is positive, 40 or less is negative. Null if not scored.",
)

_DAILY_METRICS = DataTable(
    name="daily_metrics",
    meaning="How the brand appeared: one row for each check, platform, country and tag. Prompts that name "
    "the brand are left out, even if all prompts name it; `prompt_metrics` includes them. Rows with a null `tag` count "
    "each remaining prompt once, so you can add them up. A prompt with two tags is in the rows of both tags.",
    shared_change="tags",
    columns=(
        *_ROW,
        Column("day", "date", "Day of the check (UTC)."),
        *_SCAN,
        Column("platform", "text", "Id of the AI platform, such as `chatgpt`."),
        _SURFACE,
        Column("country", "text", "Country that the prompts were asked from. Null if none was set."),
        Column("tag", "text", "Tag that the prompts have now. Null in rows that cover all prompts, tagged or not."),
        *_COUNTS,
        *_STAMPS,
    ),
)
_PROMPT_METRICS = DataTable(
    name="prompt_metrics",
    meaning="How the brand appeared on all platforms together: one row for each check and prompt.",
    columns=(*_ROW, *_SCAN, *_PROMPT, *_COUNTS, *_STAMPS),
)
_ANSWERS = DataTable(
    name="answers",
    meaning="Every answer of every completed check, and what it says about the brand.",
    columns=(
        *_ROW,
        *_SCAN,
        *_ANSWER,
        Column("status", "text", "`ok` (a valid answer), `no_surface` (no AI answer was shown) or `failed`."),
        Column(
            "platform_cites",
            "boolean",
            "Whether the platform can show sources. If not, `visibility` is computed without citations.",
        ),
        Column(
            "mentioned",
            "boolean",
            "Whether the answer names the brand. False if `stance` is `unknown`. Null without a valid answer.",
        ),
        *_RANK_AND_STANCE,
        _SENTIMENT,
        Column("cited", "boolean", "Whether the answer cites a page of the brand. Null without a valid answer."),
        Column(
            "visibility",
            "number",
            "What the answer contributes to the Visibility Score, 0 to 1. Null without a valid answer.",
        ),
        Column("citations", "integer", "Number of pages that the answer cites. Null without a valid answer."),
        Column(
            "brand_citations",
            "integer",
            "Number of cited pages that belong to the brand. Null without a valid answer.",
        ),
        Column("vendor", "text", "Company whose API was called, such as `openai`."),
        Column("model", "text", "Model that answered, as the platform reports it. Null if not reported."),
        Column("latency_ms", "integer", "How long the last attempt to get the answer took, in milliseconds."),
        Column("cost_usd", "number", "What the answer cost, in US dollars. Null if unknown."),
        Column("answered_at", "timestamp", "When the answer was stored."),
        Column("text", "text", "Text of the answer. Included only if you request it with `text=yes`.", on_request=True),
        *_STAMPS,
    ),
)
_MENTIONS = DataTable(
    name="mentions",
    meaning="Brands in answers: one row for each brand (the measured brand or a competitor) that an answer names or "
    "cites.",
    columns=(
        *_ROW,
        *_SCAN,
        *_ANSWER,
        Column("brand_id", "text", "Id of the brand: its main domain, such as `acme.com`. The same in every table."),
        Column("brand", "text", "Name of the brand."),
        Column("is_own", "boolean", "True for the measured brand, false for a competitor."),
        Column("mentioned", "boolean", "Whether the answer names the brand. False if `stance` is `unknown`."),
        Column("occurrences", "integer", "How often the answer names the brand. 0 if `mentioned` is false."),
        *_RANK_AND_STANCE,
        Column(
            "sentiment",
            "number",
            "Sentiment about the measured brand, 0 to 100. 60 or more is positive, 40 or less is negative. Null if not "
            "scored, and for competitors.",
        ),
        Column(
            "sentiment_label",
            "text",
            "`positive`, `neutral` or `negative`. Null if not scored, and for competitors.",
        ),
        Column("cited_pages", "integer", "Number of pages of the brand that the answer cites."),
        Column("visibility", "number", "What the answer contributes to the Visibility Score of the brand, 0 to 1."),
        *_STAMPS,
    ),
)
_CITATIONS = DataTable(
    name="citations",
    meaning="Pages that valid answers cite: one row for each page of each answer.",
    columns=(
        *_ROW,
        *_SCAN,
        *_ANSWER,
        Column("place", "integer", "Place of the page among the cited pages of the answer. 1 is first."),
        Column("url", "text", "Normalized address of the page, without scheme, `www.` and tracking parameters."),
        Column("site", "text", "Site of the page, such as `example.com` for pages of `blog.example.com`."),
        Column(
            "brand_id", "text", "Id of the brand or competitor that the page belongs to. Null if it belongs to none."
        ),
        Column("is_own", "boolean", "Whether the page belongs to the measured brand."),
        *_STAMPS,
    ),
)
_SOURCES = DataTable(
    name="sources",
    meaning="Sites that the answers of a check cite.",
    columns=(
        *_ROW,
        *_SCAN,
        Column("site", "text", "Domain of the site."),
        Column("type", "text", SITE_TYPE_MEANING),
        Column("pages", "integer", "Number of different pages of the site that are cited."),
        Column("answers", "integer", "Number of answers that cite the site."),
        Column("is_own", "boolean", "Whether the site belongs to the brand."),
        Column("is_competitor", "boolean", "Whether the site belongs to a competitor."),
        *_STAMPS,
    ),
)
_COMPETITORS = DataTable(
    name="competitors",
    meaning="The measured brand and its competitors in each check. Full Checks rank them. Prompts that name the "
    "measured brand "
    "are left out, unless all prompts name it. The 95% ranges show where the values would settle if the same prompts "
    "were asked again and again.",
    columns=(
        *_ROW,
        *_SCAN,
        Column("brand_id", "text", "Id of the brand: its main domain, such as `acme.com`. The same in every table."),
        Column("brand", "text", "Name of the brand."),
        Column("is_own", "boolean", "True for the measured brand."),
        Column("visibility_score", "number", "Visibility Score, 0 to 100, with one decimal."),
        Column("visibility_low", "number", "Lower end of the 95% range of `visibility_score`."),
        Column("visibility_high", "number", "Upper end of the 95% range of `visibility_score`."),
        Column(
            "position",
            "integer",
            "Place in the ranking. 1 is first. Null if the brand is neither named nor cited, and for a Daily Check.",
        ),
        Column("position_low", "integer", "Best place in the 95% range of `position`. Null for a Daily Check."),
        Column("position_high", "integer", "Worst place in the 95% range of `position`. Null for a Daily Check."),
        Column("mentions", "integer", "Number of answers that name the brand."),
        Column(
            "share_of_voice_pct",
            "number",
            "Mentions of the brand as a percentage of the mentions of all brands in the ranking, with one decimal. "
            "Null for a Daily Check.",
        ),
        *_STAMPS,
    ),
)
_THEMES = DataTable(
    name="themes",
    meaning="Aspects of the brand in the answers of the latest Full Check. The next Full Check replaces these rows.",
    unit="theme",
    columns=(
        *_ROW,
        Column("place", "integer", "Place in the list. 1 is first."),
        Column("theme", "text", "Aspect of the brand that answers mention."),
        Column(
            "kind",
            "text",
            "`distinctive` if answers mention it significantly more often for the brand than for all competitors "
            "together, otherwise `shared`.",
        ),
        Column("answers", "integer", "Number of answers that mention the theme."),
        Column("share_pct", "number", "These answers as a percentage of all answers that name the brand."),
        Column(
            "share_low_pct",
            "number",
            "Lower end of the 95% range of `share_pct`. Null if an older version of Sightline found the theme.",
        ),
        Column(
            "share_high_pct", "number", "Upper end of the 95% range of `share_pct`. Null if `share_low_pct` is null."
        ),
        Column(
            "polarity_label",
            "text",
            "`neutral` if more than half of these answers are neutral. Otherwise, only answers that praise or "
            "criticize the aspect count: `positive` if at least two thirds of them praise it, `negative` if at least "
            "two thirds of them criticize it, and `neutral` if they are divided. Null if an older version of Sightline "
            "found the theme.",
        ),
        Column("positive", "integer", "Number of answers that praise the aspect."),
        Column("neutral", "integer", "Number of answers that are neutral about the aspect."),
        Column("negative", "integer", "Number of answers that criticize the aspect."),
        *_STAMPS,
    ),
)
_RECOMMENDATIONS = DataTable(
    name="recommendations",
    meaning="What to do after the latest Full Check. The next Full Check replaces these rows.",
    unit="recommendation",
    shared_change="marks",
    columns=(
        *_ROW,
        Column("place", "integer", "Place in the list. 1 is first."),
        Column("key", "text", "Key of the action, the same in every Full Check that finds it again."),
        Column("kind", "text", "Kind of recommendation, such as `get_listed`."),
        Column(
            "subject",
            "text",
            "What the action is about: a page, a site, an aspect or a platform. For `win_back`, the date of the "
            "last answer that named the brand.",
        ),
        Column("site", "text", "Site that the action is about. Null if it is about no site."),
        Column("platforms", "text", "Platforms that the action concerns, separated by commas."),
        Column("prompts", "integer", "Number of prompts that the action concerns."),
        Column("answers", "integer", "Number of answers that support the recommendation."),
        Column(
            "expected_answers",
            "number",
            "Estimated number of answers that the action could change or, for the kind `keep`, that could be lost. "
            "Null for the kind `nothing_significant`, which means that the answers suggest no action.",
        ),
        Column("expected_low", "number", "Lower end of the 95% range of `expected_answers`."),
        Column("expected_high", "number", "Upper end of the 95% range of `expected_answers`."),
        Column("done_at", "timestamp", "When the action was done. Null if it is open."),
        *_STAMPS,
    ),
)
_ALERTS = DataTable(
    name="alerts",
    meaning="Changes between Daily Checks: answers name the brand less or more often, or a competitor more often. An "
    "alert compares the Daily Check that first showed the change with the previous Daily Check. Only cells with a "
    "valid answer in both checks are counted. A longer history may decide whether there is an alert. It is not in this "
    "table.",
    unit="alert",
    columns=(
        *_ROW,
        Column("type", "text", "Type of alert, such as `coverage_drop`."),
        Column(
            "scope",
            "text",
            "What the alert covers: `overall` (all answers), `platform`, `country` or `cell` (one prompt on one "
            "platform).",
        ),
        Column("platform", "text", "Platform of a `platform` or `cell` alert. Null otherwise."),
        Column(
            "country",
            "text",
            "Country of a `country` alert. Null if the alert is about prompts without a country, and for other alerts.",
        ),
        Column("prompt_id", "uuid", "Prompt of a `cell` alert. Null otherwise."),
        Column("competitor", "text", "Name of the competitor of a `competitor_rise` alert. Null otherwise."),
        Column(
            "state",
            "text",
            "`watch` (found, not yet confirmed), `confirmed` (by a later Daily Check), `lapsed` (not confirmed) or "
            "`resolved` (confirmed before, and now over).",
        ),
        Column(
            "named_before",
            "integer",
            "Number of answers in the previous Daily Check that name the brand or competitor.",
        ),
        Column("answers_before", "integer", "Number of answers in the previous Daily Check."),
        Column(
            "named_now",
            "integer",
            "Number of answers that name the brand or competitor in the Daily Check that first showed the change.",
        ),
        Column("answers_now", "integer", "Number of answers in the Daily Check that first showed the change."),
        Column(
            "delta_points",
            "number",
            "Share of answers that name the brand or competitor, now minus before, in percentage points.",
        ),
        Column(
            "p",
            "number",
            "Probability of a change at least this large if nothing but chance and the usual day-to-day variation of "
            "platforms were at work. If several tests found the change, the smallest probability.",
        ),
        Column(
            "verdict",
            "text",
            "Verdict on the change from before to now: `up`, `down` or `no_clear_change`.",
        ),
        Column("confirmed_at", "timestamp", "When the alert was confirmed. Null if it was not."),
        Column("resolved_at", "timestamp", "When the alert was resolved. Null if it was not."),
        *_STAMPS,
    ),
)

TABLES: Mapping[str, DataTable] = {
    table.name: table
    for table in (
        _DAILY_METRICS,
        _PROMPT_METRICS,
        _ANSWERS,
        _MENTIONS,
        _CITATIONS,
        _SOURCES,
        _COMPETITORS,
        _THEMES,
        _RECOMMENDATIONS,
        _ALERTS,
    )
}

SEALED_TABLES = frozenset(("answers", "mentions", "citations"))
"""The tables whose rows leave the database when the answers of a check are sealed."""

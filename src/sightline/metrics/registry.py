"""The versioned register of every figure: its formula, null rule, interval, and explanation for people.

The dashboard, the API reference and the docs page read it. A change of any formula of a result changes METRICS_VERSION,
which is stored with every result: results of two versions compare as Trend only. Themes, opportunities and suggestions
are no part of a result: each Full Check replaces them, and nothing compares them with older ones.
"""

from collections.abc import Mapping
from typing import Literal

import msgspec

METRICS_VERSION = "2"

Unit = Literal["score", "percent", "points", "answers", "count", "position", "list"]
IntervalKind = Literal["none", "wilson", "wilson_effective", "position_range", "student_t"]
Segment = Literal["unbranded", "all"]
Direction = Literal["higher_is_better", "lower_is_better"]


class Metric(msgspec.Struct, frozen=True, kw_only=True):
    """The definition of a figure."""

    key: str
    name: str
    section: str
    """The section of metrics.md."""
    unit: Unit
    formula: str
    null_rule: str
    explanation: str
    function: str
    """Module and function below `sightline.metrics`."""
    digits: int = 1
    """Decimals that it is rounded to, half away from zero."""
    interval: IntervalKind = "none"
    market_interval: bool = False
    segment: Segment = "unbranded"
    """Whether branded prompts count. A plan of only branded prompts is measured on them, and flagged."""
    direction: Direction = "higher_is_better"


_NO_VALID = "null without a valid answer"

_METRICS = (
    Metric(
        key="visibility_score",
        name="Visibility Score",
        section="1.4",
        unit="score",
        formula="100 · mean of v; v = m · (0.5 + 0.3 · g(r)) + 0.2 · k; g(r) = 1/log2(r + 1), g(none) = 0; "
        "on platforms that never cite v = m · (0.625 + 0.375 · g(r))",
        null_rule=_NO_VALID,
        explanation="How visible the brand is over all answers, from 0 to 100. An answer gives half its worth for "
        "naming the brand, up to three tenths for naming it early, and two tenths for citing its site. 100 means named "
        "first and cited in every answer. Whether the brand is liked plays no part.",
        function="visibility.measure_visibility",
        interval="wilson",
        market_interval=True,
    ),
    Metric(
        key="brand_coverage_pct",
        name="Brand Coverage",
        section="1.3",
        unit="percent",
        formula="100 · answers that name the brand / valid answers",
        null_rule=_NO_VALID,
        explanation="The share of answers that name the brand. Each answer counts once, so the figure does not grow "
        "just because more platforms are asked.",
        function="coverage.measure_coverage",
        interval="wilson",
        market_interval=True,
    ),
    Metric(
        key="ai_mentions",
        name="AI Mentions",
        section="1.2",
        unit="count",
        formula="number of valid answers that name the brand",
        null_rule=_NO_VALID,
        explanation="How many answers name the brand in their text. An answer that only links to the site is a "
        "citation, not a mention; one that names the brand five times is one mention.",
        function="coverage.count_mentions",
        digits=0,
    ),
    Metric(
        key="mention_occurrences",
        name="Mention occurrences",
        section="1.2",
        unit="count",
        formula="sum over valid answers of the times the brand is named",
        null_rule=_NO_VALID,
        explanation="How often the brand is named in all answers together. Kept apart from AI Mentions, because one "
        "talkative answer is not many answers.",
        function="coverage.count_occurrences",
        digits=0,
    ),
    Metric(
        key="prompt_reach",
        name="Prompt reach",
        section="1.3",
        unit="percent",
        formula="100 · prompts with at least one mention / prompts with a valid answer",
        null_rule=_NO_VALID,
        explanation="The share of questions for which at least one platform names the brand. It grows with the number "
        "of platforms asked, so compare it only between checks of the same platforms.",
        function="coverage.measure_prompt_reach",
        interval="wilson",
    ),
    Metric(
        key="surface_rate",
        name="Surface rate",
        section="1.0",
        unit="percent",
        formula="100 · answers shown / (answers shown + times no answer was shown)",
        null_rule="null where nothing could be seen",
        explanation="How often a search page shows an AI overview at all. A question without an overview is neither a "
        "success nor a failure of the brand and stays out of every other figure.",
        function="coverage.measure_surface_rate",
        interval="wilson",
        segment="all",
    ),
    Metric(
        key="valid_pct",
        name="Valid answers",
        section="1.0",
        unit="percent",
        formula="100 · valid answers / planned answers",
        null_rule="null without a plan",
        explanation="How much of what was planned could be measured. Below 80 percent, over all or on one platform, "
        "figures are marked incomplete, and overviews that were not shown do not count against it.",
        function="coverage.measure_validity",
        segment="all",
    ),
    Metric(
        key="citation_count",
        name="Citations",
        section="1.5",
        unit="count",
        formula="sum over valid answers of distinct owned URLs cited",
        null_rule=_NO_VALID,
        explanation="How many pages of the brand the answers cite, each page once per answer. Platforms differ widely "
        "in how many sources they show, so compare them by citation rate or citation share.",
        function="citations.count_citations",
        digits=0,
        segment="all",
    ),
    Metric(
        key="cited_answers",
        name="Cited answers",
        section="1.5",
        unit="count",
        formula="number of valid answers that cite an owned domain",
        null_rule=_NO_VALID,
        explanation="How many answers cite the brand's site at least once.",
        function="citations.count_cited_answers",
        digits=0,
        segment="all",
    ),
    Metric(
        key="citation_rate",
        name="Citation rate",
        section="1.5",
        unit="percent",
        formula="100 · cited answers / answers with at least one source",
        null_rule="null where no answer has a source",
        explanation="Of the answers that show sources, the share that cites the brand's site.",
        function="citations.measure_citation_rate",
        interval="wilson",
        segment="all",
    ),
    Metric(
        key="citation_share",
        name="Citation share",
        section="1.5",
        unit="percent",
        formula="100 · owned URLs cited / all URLs cited",
        null_rule="null where no answer cites a URL",
        explanation="The brand's part of everything that the answers cite.",
        function="citations.measure_citation_share",
        interval="wilson_effective",
        segment="all",
    ),
    Metric(
        key="consecutive_uncited",
        name="Uncited streak",
        section="1.9",
        unit="count",
        direction="lower_is_better",
        formula="newest consecutive checks with a valid answer to the prompt and none that cites the brand",
        null_rule="0 where no check has a valid answer",
        explanation="For how many checks running a question was tested without citing the brand. Failed answers "
        "neither add to the streak nor end it.",
        function="citations.count_consecutive_uncited",
        digits=0,
        segment="all",
    ),
    Metric(
        key="co_mentioned_brands",
        name="Cited alongside",
        section="1.10",
        unit="list",
        formula="source domains by answers that name the brand (else: cite it), then lift, then name; at most 5",
        null_rule="empty where the brand is neither named nor cited",
        explanation="The sites that answers cite when they speak of the brand.",
        function="citations.rank_co_mentioned",
        digits=0,
        segment="all",
    ),
    Metric(
        key="share_of_voice_pct",
        name="Share of Voice",
        section="1.6",
        unit="percent",
        formula="100 · mentions of the brand / mentions of the brand and all tracked competitors",
        null_rule="null without a competitor or where nobody is named",
        explanation="The brand's part of all mentions in its tracked market. Adding or removing a competitor changes "
        "it by construction.",
        function="share_of_voice.measure_share_of_voice",
        interval="wilson_effective",
        market_interval=True,
    ),
    Metric(
        key="weighted_share_of_voice_pct",
        name="Weighted Share of Voice",
        section="1.6",
        unit="percent",
        formula="100 · sum of g(r) of the brand / sum of g(r) of the brand and all tracked competitors",
        null_rule="null without a competitor or where nobody has a rank",
        explanation="Share of Voice in which a mention counts more the earlier it comes.",
        function="share_of_voice.measure_weighted_share_of_voice",
        interval="wilson_effective",
        market_interval=True,
    ),
    Metric(
        key="market_position",
        name="Market Position",
        section="1.7",
        unit="position",
        direction="lower_is_better",
        formula="1 + number of tracked competitors with a higher unrounded Visibility Score",
        null_rule="null without a competitor, or where the brand is neither named nor cited",
        explanation="The place of the brand among its tracked competitors by Visibility Score. The range says which "
        "places are possible, given which differences are established.",
        function="position.measure_position",
        digits=0,
        interval="position_range",
        market_interval=True,
    ),
    Metric(
        key="sentiment",
        name="Sentiment",
        section="1.8",
        unit="score",
        formula="median of the scores of confidently scored answers that name the brand; label: their mode",
        null_rule="null below 3 scored answers",
        explanation="How the answers speak of the brand: 50 is neutral, 60 and more positive, 40 and less negative. "
        "An answer that could not be scored never counts as neutral.",
        function="sentiment.summarize_sentiment",
        segment="all",
    ),
    Metric(
        key="net_sentiment",
        name="Net sentiment",
        section="1.8",
        unit="points",
        formula="mean over prompts of 100 · (positive - negative) / scored answers",
        null_rule="null below 3 prompts with a scored answer",
        explanation="Positive less negative answers, from -100 to 100, each question counting once.",
        function="sentiment.measure_net_sentiment",
        market_interval=True,
        segment="all",
    ),
    Metric(
        key="stability",
        name="Stability",
        section="7",
        unit="score",
        formula="100 · mean over cells of the share of pairs of repeated answers that agree on naming the brand",
        null_rule="null where no cell was answered twice",
        explanation="How steady the answers to a question are from day to day. 100 means that every repeat said the "
        "same, 50 is no better than chance. It does not tell how often the brand is named.",
        function="stability.measure_stability",
        interval="student_t",
        segment="all",
    ),
    Metric(
        key="spot_check",
        name="Spot check",
        section="7",
        unit="percent",
        formula="100 · answers that name the brand / times that one prompt was asked on one platform; no AI answer "
        "shown counts as asked, a failed answer does not",
        null_rule="null below 5 repeats",
        explanation="How likely someone who asks this question once sees the brand. Where the chance is well below "
        "100%, asking once and not seeing it says little.",
        function="spot_check.measure_spot_check",
        interval="wilson",
        segment="all",
    ),
    Metric(
        key="opportunity_score",
        name="Opportunity",
        section="6",
        unit="score",
        formula="100 · D^0.3 · G^0.4 · W^0.3; demand D = ln(1 + volume)/ln(1 + highest volume), and without a "
        "known volume 100 · G^(4/7) · W^(3/7); gap G = share of answers with a rival, tracked or discovered, and "
        "without the brand; W = 0.2 + 0.8 · mean of winnable sources, openness, "
        "variability",
        null_rule="not listed where it is 0 or nothing valid was measured; below 3 answers marked low evidence",
        explanation="Where rivals are named and the brand is not, people ask, and the answer rests on sources that "
        "can be won.",
        function="opportunity.score_opportunity",
    ),
    Metric(
        key="expected_answers",
        name="Expected effect of a recommendation",
        section="6",
        unit="answers",
        formula="answers in question · rate. For a page to get into: the answers that cite it, name rivals and leave "
        "the brand out, times (x + 4μ)/(n + 4); n are the answers that name the brand and share a third-party page "
        "with others, x is the sum of the shares of these others that name it, too, and μ the mean share of its "
        "rivals. Example: answers 1, 2 and 4 name the brand; page P is cited by answers 1 to 4, page Q by 4 and "
        "5. Of the others next to answer 1, 2/3 name it, next to 2 also 2/3, next to 4 1/2: x = 1.83, n = 3. With"
        " μ = 0.5 the rate is 3.83/7 = 54.8% (23.4 to 82.8), and of nine answers 4.9 could change (2.1 to 7.4). "
        "The rate for a claim is how often other answers that cite the same pages make it, too; for a page to keep "
        "it is the share of other answers on the same platforms that do not name the brand; for a "
        "page to publish, how often answers to one prompt cite the same brand's own pages; for a "
        "platform, how much less it names the brand than the others do; for prompts to win back, how often they "
        "named it before",
        null_rule="null where there is nothing to do",
        explanation="How many answers of one Full Check an action could change, with a range: the answers that it is "
        "about, times how often answers that use the same pages treat a brand alike.",
        function="recommendations.expect_change",
        interval="wilson",
    ),
    Metric(
        key="competitor_score",
        name="Competitor score",
        section="4",
        unit="points",
        formula="sum of g(r) · log2(1 + prompts) · (1 + platforms)/2",
        null_rule="none below 3 answers and 2 prompts",
        explanation="How strongly answers present a name as an alternative. It orders suggestions; nobody is tracked "
        "by it alone.",
        function="discovery.score_competitor",
    ),
    Metric(
        key="theme_z",
        name="Brand Themes",
        section="5",
        unit="list",
        formula="log-odds of the aspect against all rivals with a Dirichlet prior of 10, over their standard error; "
        "distinctive from 1.96 where Benjamini-Hochberg (q = .10) over all themes selects it",
        null_rule="dropped below 3 answers, with 1 prompt on 1 platform, or without a quote",
        explanation="What answers praise and criticize about the brand, what of it sets the brand apart from all "
        "rivals, and what has changed.",
        function="themes.rank_themes",
        digits=2,
        segment="all",
    ),
    Metric(
        key="prompt_priority",
        name="Suggestion priority",
        section="1.12",
        unit="score",
        formula="100 · (0.4 · demand + 0.3 · novelty + 0.3 · gap)",
        null_rule="branded, off-topic and near-duplicate prompts are dropped",
        explanation="Which suggested question would add most to the tracked set.",
        function="suggestions.prioritize_prompt",
    ),
    Metric(
        key="action_effect",
        name="Effect of an action",
        section="6",
        unit="points",
        formula="change of the prompts that the action concerns - change of the other prompts; change = share of "
        "answers that name the brand after the date - before it, over matched cells",
        null_rule="not enough history below 2 Full Checks before the date, not counting the one that led to the "
        "action, or 5 other prompts; too early below 2 Full Checks after it",
        explanation="Whether an action that was marked as done worked: how much more the prompts that it concerns rose "
        "than the other prompts. Up means that both hold: they rose, and they rose more than the others.",
        function="effect.measure_effect",
        interval="student_t",
    ),
)

REGISTRY: Mapping[str, Metric] = {metric.key: metric for metric in _METRICS}

"""The figures of answers: visibility, mentions, citations, Share of Voice, position, sentiment and stability."""

from sightline.kit.messages import translatable
from sightline.metrics.metric import Metric

_NO_VALID_ANSWER = translatable("There is no valid answer.")

RESULT_METRICS = (
    Metric(
        key="visibility_score",
        name=translatable("Visibility Score"),
        section="1.4",
        unit="score",
        explanation=translatable(
            "How visible the brand is in answers. The score is 100 if every answer names the brand first and cites its "
            "site. Sentiment does not affect the score."
        ),
        calculation=translatable(
            "The average over all valid answers. An answer earns 50 points for naming the brand, up to 30 more for "
            "naming it early, and 20 for citing its site. On platforms that never cite sources, naming the brand earns "
            "62.5 points, and naming it early up to 37.5 more."
        ),
        formula="100 · mean of v over all valid answers. v = m · (0.5 + 0.3 · g(r)) + 0.2 · k. On platforms that "
        "never cite sources, v = m · (0.625 + 0.375 · g(r)). g(r) = 1/log2(r + 1), or 0 if the brand has no position, "
        "for example because the answer warns against it.",
        scale=(0, 100),
        null_rule=_NO_VALID_ANSWER,
        function="visibility.measure_visibility",
        interval="wilson",
        market_interval=True,
    ),
    Metric(
        key="brand_coverage_pct",
        name=translatable("Brand Coverage"),
        section="1.3",
        unit="percent",
        explanation=translatable(
            "The share of answers that name the brand. An answer counts once, however often it names the brand. "
            "Adding platforms does not raise this share by itself."
        ),
        calculation=translatable("Answers that name the brand, divided by all valid answers."),
        scale=(0, 100),
        null_rule=_NO_VALID_ANSWER,
        function="coverage.measure_coverage",
        interval="wilson",
        market_interval=True,
    ),
    Metric(
        key="ai_mentions",
        name=translatable("AI Mentions"),
        section="1.2",
        unit="count",
        explanation=translatable(
            "How many answers name the brand in their text. An answer that only links to the brand's site is a "
            "citation, not a mention. An answer that names the brand five times counts as one mention."
        ),
        calculation=translatable("The number of valid answers that name the brand."),
        scale=(0, None),
        null_rule=_NO_VALID_ANSWER,
        function="coverage.count_mentions",
        digits=0,
    ),
    Metric(
        key="mention_occurrences",
        name=translatable("Mention occurrences"),
        section="1.2",
        unit="count",
        explanation=translatable(
            "How many times answers name the brand, including repetitions within one answer. AI Mentions counts each "
            "answer only once."
        ),
        calculation=translatable(
            "For each valid answer, the number of times that it names the brand. These numbers are added up."
        ),
        scale=(0, None),
        null_rule=_NO_VALID_ANSWER,
        function="coverage.count_occurrences",
        digits=0,
    ),
    Metric(
        key="prompt_reach",
        name=translatable("Prompt reach"),
        section="1.3",
        unit="percent",
        explanation=translatable(
            "The share of prompts for which at least one answer names the brand. More platforms raise the figure, so "
            "compare it only between checks on the same platforms."
        ),
        calculation=translatable("Prompts with at least one mention, divided by all prompts with a valid answer."),
        scale=(0, 100),
        null_rule=_NO_VALID_ANSWER,
        function="coverage.measure_prompt_reach",
        interval="wilson",
    ),
    Metric(
        key="surface_rate",
        name=translatable("Surface rate"),
        section="1.0",
        unit="percent",
        explanation=translatable(
            "How often a search results page, such as Google's, shows an AI answer. A page without an AI answer is "
            "neither a success nor a failure for the brand."
        ),
        calculation=translatable(
            "Search results pages with an AI answer, divided by all search results pages that Sightline could read."
        ),
        scale=(0, 100),
        null_rule=translatable("Sightline could not read any search results page."),
        function="coverage.measure_surface_rate",
        interval="wilson",
        segment="all",
    ),
    Metric(
        key="valid_pct",
        name=translatable("Valid answers"),
        section="1.0",
        unit="percent",
        explanation=translatable(
            "The share of planned answers that Sightline could measure. Figures are marked as incomplete if more than "
            "20 percent of the answers failed, overall or on one platform."
        ),
        calculation=translatable(
            "Valid answers, divided by planned answers. A search results page without an AI answer is planned but not "
            "valid. It does not count as failed."
        ),
        scale=(0, 100),
        null_rule=translatable("No answer was planned."),
        function="coverage.measure_validity",
        segment="all",
    ),
    Metric(
        key="citation_count",
        name=translatable("Citations"),
        section="1.5",
        unit="count",
        explanation=translatable(
            "How many times answers cite a page of the brand's site. A page counts once for each answer that cites it. "
            "Platforms differ widely in how many sources they show, so do not compare this count between platforms."
        ),
        calculation=translatable(
            "For each valid answer, the number of different pages of the brand's site that it cites. These numbers are "
            "added up."
        ),
        scale=(0, None),
        null_rule=_NO_VALID_ANSWER,
        function="citations.count_citations",
        digits=0,
        segment="all",
    ),
    Metric(
        key="cited_answers",
        name=translatable("Answers that cite the brand"),
        section="1.5",
        unit="count",
        explanation=translatable("How many answers cite the brand's site at least once."),
        calculation=translatable("The number of valid answers with at least one source on the brand's domains."),
        scale=(0, None),
        null_rule=_NO_VALID_ANSWER,
        function="citations.count_cited_answers",
        digits=0,
        segment="all",
    ),
    Metric(
        key="citation_rate",
        name=translatable("Citation rate"),
        section="1.5",
        unit="percent",
        explanation=translatable(
            "How often answers cite the brand's site, among the answers that show sources. To compare platforms, use "
            "this rate, not the number of citations."
        ),
        calculation=translatable("Answers that cite the brand's site, divided by answers with at least one source."),
        scale=(0, 100),
        null_rule=translatable("No valid answer shows a source."),
        function="citations.measure_citation_rate",
        interval="wilson",
        segment="all",
    ),
    Metric(
        key="citation_share",
        name=translatable("Citation share"),
        section="1.5",
        unit="percent",
        explanation=translatable("The share of all cited pages that belong to the brand."),
        calculation=translatable("Cited pages of the brand, divided by all cited pages."),
        scale=(0, 100),
        null_rule=translatable("No valid answer cites a page."),
        function="citations.measure_citation_share",
        interval="wilson_effective",
        segment="all",
    ),
    Metric(
        key="consecutive_uncited",
        name=translatable("Citation gap"),
        section="1.9",
        unit="count",
        direction="lower_is_better",
        explanation=translatable(
            "How many checks have passed without a citation of the brand in the answers to a prompt."
        ),
        calculation=translatable(
            "The number of consecutive checks, counted back from the latest, in which no answer to the prompt cites "
            "the brand. Checks without a valid answer to the prompt do not count."
        ),
        scale=(0, None),
        null_rule=translatable("Never. The value is 0 if no check has a valid answer."),
        function="citations.count_consecutive_uncited",
        digits=0,
        segment="all",
    ),
    Metric(
        key="co_mentioned_brands",
        name=translatable("Sites cited when the brand is named"),
        section="1.10",
        unit="list",
        explanation=translatable("The sites that answers cite most often when they name the brand."),
        calculation=translatable(
            "Up to five sites, sorted by the number of answers that name the brand and cite the site. If no answer "
            "names the brand, the answers that cite the brand's site count instead."
        ),
        formula="Sites in the order of the number of answers that name the brand and cite the site, then lift, then "
        "name. Lift = (share that cite the site, among answers that name the brand) / (the same share among all "
        "answers). The brand's own domains and search engines are left out.",
        scale=None,
        null_rule=translatable("Never. The list is empty if no answer names or cites the brand."),
        function="citations.rank_co_mentioned",
        digits=0,
        segment="all",
    ),
    Metric(
        key="share_of_voice_pct",
        name=translatable("Share of Voice"),
        section="1.6",
        unit="percent",
        explanation=translatable(
            "The brand's share of all mentions of the brand and its competitors. Adding or removing a competitor "
            "changes the figure."
        ),
        calculation=translatable(
            "Mentions of the brand, divided by mentions of the brand and all competitors. Each answer counts "
            "once for each brand that it names."
        ),
        scale=(0, 100),
        null_rule=translatable(
            "The brand has no competitors, or no answer names the brand or a competitor. Daily Checks do not measure "
            "it."
        ),
        function="share_of_voice.measure_share_of_voice",
        interval="wilson_effective",
        market_interval=True,
    ),
    Metric(
        key="weighted_share_of_voice_pct",
        name=translatable("Weighted Share of Voice"),
        section="1.6",
        unit="percent",
        explanation=translatable(
            "Share of Voice that gives a mention more weight if the brand comes earlier in the answer."
        ),
        calculation=translatable(
            "Calculated like Share of Voice, but each mention is weighted by its position in the answer: 1 for the "
            "first brand, 0.63 for the second, 0.5 for the third, and so on."
        ),
        formula="100 · sum of g(r) of the brand / sum of g(r) of the brand and all competitors. g(r) is "
        "defined under Visibility Score.",
        scale=(0, 100),
        null_rule=translatable("The brand has no competitors, or neither the brand nor a competitor has a position."),
        function="share_of_voice.measure_weighted_share_of_voice",
        interval="wilson_effective",
        market_interval=True,
    ),
    Metric(
        key="market_position",
        name=translatable("Market Position"),
        section="1.7",
        unit="position",
        direction="lower_is_better",
        explanation=translatable(
            "The brand's position among its competitors, by Visibility Score. Close scores may differ by "
            "chance, so a position can have a range of likely positions, such as 1 to 3."
        ),
        calculation=translatable("The number of competitors with a higher Visibility Score before rounding, plus one."),
        scale=(1, None),
        null_rule=translatable(
            "The brand has no competitors, or no answer names or cites the brand. Daily Checks do not measure it."
        ),
        function="position.measure_position",
        digits=0,
        interval="position_range",
        market_interval=True,
    ),
    Metric(
        key="sentiment",
        name=translatable("Sentiment"),
        section="1.8",
        unit="score",
        explanation=translatable(
            "How positively answers speak of the brand. An answer with a score of 60 or more is positive, an answer "
            "with 40 or less is negative, and an answer with a score in between is neutral."
        ),
        calculation=translatable(
            "The median score of the answers that name the brand. The overall rating is the most common rating of "
            "these answers, so it can differ from the rating of the median. Answers in Daily Checks, and "
            "answers that Sightline cannot score, are left out."
        ),
        scale=(0, 100),
        null_rule=translatable("Fewer than 3 answers have a score."),
        function="sentiment.summarize_sentiment",
        segment="all",
    ),
    Metric(
        key="net_sentiment",
        name=translatable("Net sentiment"),
        section="1.8",
        unit="points",
        explanation=translatable(
            "How much more often answers are positive than negative about the brand. Each prompt has the same weight."
        ),
        calculation=translatable(
            "For each prompt, the percentage of scored answers that are positive, minus the percentage that are "
            "negative. The figure is the average over all prompts with a scored answer."
        ),
        formula="mean over prompts of 100 · (positive answers - negative answers) / scored answers",
        scale=(-100, 100),
        null_rule=translatable("Fewer than 3 prompts have a scored answer."),
        function="sentiment.measure_net_sentiment",
        market_interval=True,
        segment="all",
    ),
    Metric(
        key="stability",
        name=translatable("Stability"),
        section="7",
        unit="percent",
        explanation=translatable(
            "How consistent the answers to a prompt are from day to day. It is 100 percent if all answers agree, "
            "and about 50 percent if each answer is as likely to name the brand as not to name it. Stability does "
            "not show how often answers name the brand."
        ),
        calculation=translatable(
            "For each platform, the share of pairs of answers that agree, then the average of these shares. Two "
            "answers agree if both name the brand or neither does. The answers are those of the period that you select "
            "on the page of the prompt."
        ),
        formula="100 · mean over cells of (pairs of answers that agree / all pairs of answers). A cell is one prompt "
        "on one platform.",
        scale=(0, 100),
        null_rule=translatable("No platform has answered the prompt twice."),
        function="stability.measure_stability",
        interval="student_t",
        segment="all",
    ),
    Metric(
        key="spot_check",
        name=translatable("Chance that one answer names the brand"),
        section="7",
        unit="percent",
        explanation=translatable(
            "How likely someone is to see the brand after asking this prompt once. If the chance is well below 100 "
            "percent, one answer without the brand says little."
        ),
        calculation=translatable(
            "Answers that name the brand, divided by the number of times Sightline asked the prompt on one platform in "
            "the last 90 days. A search results page without an AI answer counts as asked. A failed answer does not."
        ),
        scale=(0, 100),
        null_rule=translatable("Sightline asked the prompt fewer than 5 times on the platform in the last 90 days."),
        function="spot_check.measure_spot_check",
        interval="wilson",
        segment="all",
    ),
)

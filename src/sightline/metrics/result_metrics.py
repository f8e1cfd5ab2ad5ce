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
            "How visible the brand is across all answers. 100 means that every answer names the brand first and cites "
            "its site. Praise or criticism does not affect the score."
        ),
        calculation=translatable(
            "The average over all valid answers. An answer earns 50 points for naming the brand, up to 30 more for "
            "naming it early, and 20 for citing its site. On platforms that never cite sources, naming the brand earns "
            "up to 100."
        ),
        formula="100 · mean of v; v = m · (0.5 + 0.3 · g(r)) + 0.2 · k; g(r) = 1/log2(r + 1), g(none) = 0; on "
        "platforms that never cite v = m · (0.625 + 0.375 · g(r))",
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
            "The share of answers that name the brand. Each answer counts once, so the figure does not grow just "
            "because more platforms are asked."
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
            "citation, not a mention. An answer that names the brand five times is one mention."
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
            "How often the brand is named in all answers together. AI Mentions counts each answer once instead, so "
            "that one long answer does not outweigh the others."
        ),
        calculation=translatable("The number of times that the brand is named, added up over all valid answers."),
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
            "The share of prompts for which at least one platform names the brand. It grows with the number of "
            "platforms, so compare it only between checks of the same platforms."
        ),
        calculation=translatable("Prompts with at least one mention, divided by prompts with a valid answer."),
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
            "How often a search page shows an AI answer at all. A prompt without an AI answer is neither a success "
            "nor a failure for the brand, and no other figure counts it."
        ),
        calculation=translatable("AI answers shown, divided by all search pages that were read."),
        scale=(0, 100),
        null_rule=translatable("No search page could be read."),
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
            "How much of what was planned could be measured. Below 80 percent, overall or on one platform, figures are "
            "marked as incomplete. AI answers that were not shown do not count against it."
        ),
        calculation=translatable("Valid answers, divided by planned answers."),
        scale=(0, 100),
        null_rule=translatable("No answers were planned."),
        function="coverage.measure_validity",
        segment="all",
    ),
    Metric(
        key="citation_count",
        name=translatable("Citations"),
        section="1.5",
        unit="count",
        explanation=translatable(
            "The number of the brand's pages that answers cite. Each page counts once per answer. Platforms differ "
            "widely in how many sources they show, so compare platforms by citation rate or citation share."
        ),
        calculation=translatable(
            "The number of different pages of the brand that an answer cites, added up over all valid answers."
        ),
        scale=(0, None),
        null_rule=_NO_VALID_ANSWER,
        function="citations.count_citations",
        digits=0,
        segment="all",
    ),
    Metric(
        key="cited_answers",
        name=translatable("Cited answers"),
        section="1.5",
        unit="count",
        explanation=translatable("How many answers cite the brand's site at least once."),
        calculation=translatable("The number of valid answers that cite one of the brand's domains."),
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
        explanation=translatable("How often answers that show sources cite the brand's site."),
        calculation=translatable("Answers that cite the brand's site, divided by answers with at least one source."),
        scale=(0, 100),
        null_rule=translatable("No answer has a source."),
        function="citations.measure_citation_rate",
        interval="wilson",
        segment="all",
    ),
    Metric(
        key="citation_share",
        name=translatable("Citation share"),
        section="1.5",
        unit="percent",
        explanation=translatable("The brand's share of all cited pages."),
        calculation=translatable("Cited pages of the brand, divided by all cited pages."),
        scale=(0, 100),
        null_rule=translatable("No answer cites a page."),
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
            "The number of consecutive checks in which no answer to a prompt cited the brand. Failed answers neither "
            "add to the gap nor end it."
        ),
        calculation=translatable(
            "Counts back from the latest check, skips checks without valid answers to the prompt, and stops at the "
            "first citation of the brand."
        ),
        scale=(0, None),
        null_rule=translatable("Never: it is 0 if no check has a valid answer."),
        function="citations.count_consecutive_uncited",
        digits=0,
        segment="all",
    ),
    Metric(
        key="co_mentioned_brands",
        name=translatable("Cited with the brand"),
        section="1.10",
        unit="list",
        explanation=translatable("The sites that answers cite when they name the brand."),
        calculation=translatable(
            "The sites cited most in answers that name the brand. If no answer names it, the sites cited together "
            "with its own. At most five."
        ),
        formula="source domains by answers that name the brand (else: cite it), then lift, then name; at most 5",
        scale=None,
        null_rule=translatable("Never: the list is empty if the brand is neither named nor cited."),
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
            "The brand's share of all mentions of tracked brands. Adding or removing a competitor changes the figure, "
            "because it changes the set of brands compared."
        ),
        calculation=translatable(
            "Mentions of the brand, divided by mentions of the brand and all tracked competitors together."
        ),
        scale=(0, 100),
        null_rule=translatable("No competitor is tracked, or no answer names a tracked brand."),
        function="share_of_voice.measure_share_of_voice",
        interval="wilson_effective",
        market_interval=True,
    ),
    Metric(
        key="weighted_share_of_voice_pct",
        name=translatable("Weighted Share of Voice"),
        section="1.6",
        unit="percent",
        explanation=translatable("Share of Voice in which a mention counts more the earlier it comes in the answer."),
        calculation=translatable(
            "As Share of Voice, but the first brand in an answer counts 1, the second 0.63, the third 0.5, and so on."
        ),
        formula="100 · sum of g(r) of the brand / sum of g(r) of the brand and all tracked competitors",
        scale=(0, 100),
        null_rule=translatable("No competitor is tracked, or no tracked brand has a position."),
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
            "The position of the brand among its tracked competitors by Visibility Score. Close scores do not "
            "prove who is ahead, so the range shows the possible positions."
        ),
        calculation=translatable(
            "The number of tracked competitors with a higher Visibility Score (before rounding), plus one."
        ),
        scale=(1, None),
        null_rule=translatable("No competitor is tracked, or the brand is neither named nor cited."),
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
            "How positively answers speak of the brand. 50 is neutral, 60 or more is positive, 40 or less is negative. "
            "An answer that could not be scored never counts as neutral."
        ),
        calculation=translatable(
            "The median score of the answers that name the brand and could be scored. The label is the most common "
            "rating among them."
        ),
        scale=(0, 100),
        null_rule=translatable("Fewer than 3 answers could be scored."),
        function="sentiment.summarize_sentiment",
        segment="all",
    ),
    Metric(
        key="net_sentiment",
        name=translatable("Net sentiment"),
        section="1.8",
        unit="points",
        explanation=translatable(
            "How much more often answers are positive about the brand than negative. Each prompt counts once."
        ),
        calculation=translatable(
            "For each prompt, positive minus negative answers, as a percentage of its scored answers. Then the average "
            "over all prompts."
        ),
        formula="mean over prompts of 100 · (positive - negative) / scored answers",
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
        unit="score",
        explanation=translatable(
            "How consistent the answers to a prompt are from day to day. 100 means that all repeated "
            "answers agreed. 50 is no better than chance. It does not show how often the brand is named."
        ),
        calculation=translatable(
            "For each platform, the share of pairs of repeated answers that agree on naming the brand; then the "
            "average."
        ),
        formula="100 · mean over cells of the share of pairs of repeated answers that agree on naming the brand",
        scale=(0, 100),
        null_rule=translatable("No platform answered the prompt twice."),
        function="stability.measure_stability",
        interval="student_t",
        segment="all",
    ),
    Metric(
        key="spot_check",
        name=translatable("Spot check"),
        section="7",
        unit="percent",
        explanation=translatable(
            "How likely someone is to see the brand after asking this question once. If the chance is well below 100, "
            "one answer without the brand says little."
        ),
        calculation=translatable(
            "Answers that name the brand, divided by the times that the prompt was asked on one platform. A search "
            "page without an AI answer counts as asked. A failed answer does not."
        ),
        scale=(0, 100),
        null_rule=translatable("The prompt was asked fewer than 5 times on the platform."),
        function="spot_check.measure_spot_check",
        interval="wilson",
        segment="all",
    ),
)

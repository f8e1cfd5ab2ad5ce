"""The figures of what follows from answers: opportunities, recommendations and their effect, suggestions, themes."""

from sightline.kit.messages import translatable
from sightline.metrics.metric import Metric

INSIGHT_METRICS = (
    Metric(
        key="opportunity_score",
        name=translatable("Opportunity"),
        section="6",
        unit="score",
        explanation=translatable(
            "How much the brand can gain from a prompt. The score is high if many people ask the prompt, answers name "
            "other brands but not this one, and answers cite sites where a brand can get mentioned, such as review "
            "sites, lists and forums."
        ),
        calculation=translatable(
            "The weighted geometric mean of demand, gap and openness, so one low factor keeps the score low. Demand is "
            "how often people ask the prompt. The gap is the share of answers that name another brand, tracked or not, "
            "but not this one. Openness estimates how easily the answers can change, based on the sites they cite and "
            "how much they vary. If demand is unknown, only gap and openness count."
        ),
        formula="100 · D^0.3 · G^0.4 · W^0.3, or 100 · G^(4/7) · W^(3/7) if demand is unknown. Demand D = ln(1 + "
        "estimated number of times per month that people ask the prompt, ai_search_volume in the API) / ln(1 + the "
        "highest such number among the domain's prompts). Gap G = (answers that name another brand, tracked or not, "
        "but not this one) / (valid answers). "
        "Openness W = 0.2 + 0.8 · (E + F + V)/3. E = share of citations on sites where a brand can get mentioned "
        "(reviews, lists, forums, news and videos). F = variety of cited sites = 1 - sum of squared shares of the "
        "sites. V = variability of answers = 1 - mean overlap (Jaccard index) of the brands in two answers. If E, F "
        "or V is unknown, it is 0.5.",
        scale=(0, 100),
        null_rule=translatable(
            "Never. A prompt with a score of 0 is not listed. A score from fewer than 3 answers is marked as low "
            "evidence."
        ),
        function="opportunity.score_opportunity",
    ),
    Metric(
        key="expected_answers",
        name=translatable("Expected effect of a recommendation"),
        section="6",
        unit="answers",
        explanation=translatable(
            "How many answers in one Full Check an action could change. If the action is meant to win back lost "
            "mentions, the figure counts answers from the last two checks, Full or Daily, instead."
        ),
        calculation=translatable(
            "The number of affected answers, multiplied by the share of them that is likely to change. The share is "
            "estimated from similar answers."
        ),
        formula="affected answers · rate. The rate depends on the kind of recommendation (see Expected effect).",
        scale=(0, None),
        null_rule=translatable("There are no recommendations after the latest Full Check."),
        function="recommendations.expect_change",
        interval="wilson",
    ),
    Metric(
        key="competitor_score",
        name=translatable("Competitor score"),
        section="4",
        unit="points",
        explanation=translatable(
            "How strongly answers present a competitor as an alternative to the brand. Suggested competitors are "
            "sorted by this score. A suggested competitor is tracked only after someone confirms it."
        ),
        calculation=translatable(
            "The mentions of the competitor, weighted by position, multiplied by factors that grow with the number of "
            "prompts and platforms."
        ),
        formula="sum of g(r) · log2(1 + prompts) · (1 + platforms)/2. g(r) is defined under Visibility Score.",
        scale=(0, None),
        null_rule=translatable(
            "Fewer than 3 answers name the competitor, or they answer fewer than 2 prompts. The competitor is then not "
            "suggested."
        ),
        function="discovery.score_competitor",
    ),
    Metric(
        key="theme_z",
        name=translatable("Brand Themes"),
        section="5",
        unit="list",
        explanation=translatable(
            "What answers praise and criticize about the brand, what sets the brand apart from competitors, and what "
            "has changed."
        ),
        calculation=translatable(
            "A theme sets the brand apart if answers that describe the brand mention it significantly more often than "
            "answers that describe competitors."
        ),
        formula="z = log odds ratio of the theme (brand against all competitors, with a Dirichlet prior of 10), "
        "divided by its standard error. A theme sets the brand apart if z is at least 1.96 and Benjamini-Hochberg "
        "(q = 0.10) selects the theme (see Themes).",
        scale=None,
        null_rule=translatable(
            "A new theme is not listed if fewer than 3 answers mention it, or if all answers that mention it come from "
            "one prompt on one platform. No theme is listed if Sightline cannot quote any of these answers."
        ),
        function="themes.rank_themes",
        digits=2,
        segment="all",
    ),
    Metric(
        key="prompt_priority",
        name=translatable("Suggestion priority"),
        section="1.12",
        unit="score",
        explanation=translatable("How much a suggested prompt would add to the tracked prompts."),
        calculation=translatable(
            "Up to 40 points for demand, up to 30 for novelty, and up to 30 for the gap. Demand depends on how "
            "many answers led to the suggestion, compared with other suggestions that were found in the same way. "
            "Novelty is how much the prompt differs from every prompt that was tracked or suggested before. The gap "
            "shows how many of the answers that led to the suggestion name a competitor but not the brand."
        ),
        formula="100 · (0.4 · demand + 0.3 · novelty + 0.3 · gap). Each of the three is between 0 and 1. Demand = "
        "ln(1 + answers that led to the suggestion) / ln(1 + the largest such number among suggestions found in the "
        "same way), or 0.5 if unknown. Demand in the metric Opportunity is calculated differently. Suggestions are "
        "found in six ways: from web searches that platforms ran, questions in answers, aspects of products, uses of "
        "products, comparisons of competitors, and stages of a purchase that no prompt covers.",
        scale=(0, 100),
        null_rule=translatable(
            "The prompt names the brand, is off-topic, or is too similar to another prompt. The prompt is then not "
            "suggested."
        ),
        function="suggestions.prioritize_prompt",
    ),
    Metric(
        key="action_effect",
        name=translatable("Effect of an action"),
        section="6",
        unit="points",
        explanation=translatable(
            "Whether a completed action worked. The effect compares how the share of answers that name the brand "
            "changed for the affected prompts and for other prompts. The action worked if the share "
            "rose significantly, and significantly more than for other prompts."
        ),
        calculation=translatable(
            "The change for the affected prompts, minus the change for all other prompts. A change is the share of "
            "answers that name the brand after the action, minus the share before it."
        ),
        formula="change for the affected prompts - change for the other prompts, over matched cells (see Did it work?)",
        scale=(-200, 200),
        null_rule=translatable(
            "There are fewer than 2 Full Checks before the action (not counting the one that led to it), fewer than 2 "
            "after it, or fewer than 5 other prompts."
        ),
        function="effect.measure_effect",
        interval="student_t",
    ),
    Metric(
        key="period_change",
        name=translatable("Change over a period"),
        section="3.6",
        unit="points",
        explanation=translatable(
            "How the number of answers that name a brand changed since the previous Full Check, over four weeks or "
            "over twelve weeks. Each change is a clear change, worth watching, or part of the rest."
        ),
        calculation=translatable(
            "The share of answers that name the brand at the end of the period, minus the share at its beginning. Each "
            "end is a third of the checks. The slope over all checks decides whether chance explains the change."
        ),
        formula="z = sum of d · y / sqrt(sum of v · d^2 + sum over platforms and checks of s^2 · (sum of v · d)^2). "
        "For each answer, d is the time of its check minus the mean time of its cell, and y is 1 if the answer names "
        "the brand. v is the variance of the answers of a cell, and s is the spread of the days of a platform. For two "
        "checks, p is that of the alerts' rule A. Benjamini-Hochberg selects clear changes (q = 0.002) and "
        "changes worth watching (q = 0.02) in each family of tests (see Tiers).",
        scale=(-100, 100),
        null_rule=translatable(
            "There are fewer than 2 Full Checks, fewer than 4 in the last four weeks or fewer than 8 in the last "
            "twelve weeks, or no cell was answered at both ends of the period and in most of its checks."
        ),
        function="period_change.measure_change",
    ),
)

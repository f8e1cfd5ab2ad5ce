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
            "How much you can gain from a prompt. The score is high if answers name competitors but not the brand, "
            "many people ask the prompt, and the brand can get listed in the sources."
        ),
        calculation=translatable(
            "Gap, openness and demand, multiplied so that one low part keeps the score low. The gap counts slightly "
            "more than the others. If the demand is unknown, only gap and openness count."
        ),
        formula="100 · D^0.3 · G^0.4 · W^0.3; demand D = ln(1 + volume)/ln(1 + highest volume), and without a "
        "known volume 100 · G^(4/7) · W^(3/7); gap G = share of answers with a competitor, "
        "tracked or discovered, and without the brand; openness W = 0.2 + 0.8 · mean of the share of citations on "
        "sites that can list the brand, the variety of cited sites, and the variability of the answers",
        scale=(0, 100),
        null_rule=translatable(
            "Never: a prompt without an opportunity is not listed. With fewer than 3 answers it is marked as low "
            "evidence."
        ),
        function="opportunity.score_opportunity",
    ),
    Metric(
        key="expected_answers",
        name=translatable("Expected effect of a recommendation"),
        section="6",
        unit="answers",
        explanation=translatable("How many answers of one Full Check an action could change, with a range."),
        calculation=translatable(
            "The affected answers, multiplied by how often answers that cite the same pages name the same brand."
        ),
        formula="affected answers · rate. For a page to get into: the answers that cite it, name competitors and "
        "leave the brand out, times (x + 4μ)/(n + 4); n is the number of answers that name the brand and share a "
        "third-party page with other answers, x is the sum, over these n answers, of the share of those other answers "
        "that also name it, and μ is the mean share of its competitors. Example: (1) answers 1, 2 and 4 name the "
        "brand; page P is cited by answers 1 to 4, page Q by answers 4 and 5. (2) Answer 1 shares a page with answers "
        "2, 3 and 4, and 2/3 of these name the brand. Answer 2 shares one with answers 1, 3 and 4: 2/3. Answer 4 "
        "shares P with 1, 2 and 3, and Q with 5: 2/4. (3) So n = 3 and x = 2/3 + 2/3 + 1/2 = 1.83. (4) With μ = 0.5, "
        "the rate is 3.83/7 = 54.8% (23.4 to 82.8), and of nine answers 4.9 could change (2.1 to 7.4). "
        "The rate for a claim is how often other answers "
        "that cite the same pages make it, too; for a page to keep it is the share of other answers on the "
        "same platforms that do not name the brand; for a page to publish, how often answers to one prompt "
        "cite the same brand's own pages; for a platform, how much less it names the brand than the others "
        "do; for prompts to win back, how often they named it before",
        scale=(0, None),
        null_rule=translatable("There are no recommendations."),
        function="recommendations.expect_change",
        interval="wilson",
    ),
    Metric(
        key="competitor_score",
        name=translatable("Competitor score"),
        section="4",
        unit="points",
        explanation=translatable(
            "How strongly answers present a name as an alternative. Suggestions are sorted by it. A competitor is "
            "tracked only after someone confirms it."
        ),
        calculation=translatable(
            "The weighted mentions of the name, multiplied by factors that grow with the number of prompts and "
            "platforms."
        ),
        formula="sum of g(r) · log2(1 + prompts) · (1 + platforms)/2",
        scale=(0, None),
        null_rule=translatable(
            "Fewer than 3 answers name it, or answers to fewer than 2 prompts: it is then not suggested."
        ),
        function="discovery.score_competitor",
    ),
    Metric(
        key="theme_z",
        name=translatable("Brand Themes"),
        section="5",
        unit="list",
        explanation=translatable(
            "What answers praise and criticize about the brand, what sets it apart from its competitors, and what "
            "has changed."
        ),
        calculation=translatable(
            "A theme sets the brand apart if answers mention it significantly more often for the brand than for all "
            "competitors together."
        ),
        formula="log-odds of the theme against all competitors with a Dirichlet prior of 10, over their standard "
        "error; sets the brand apart from 1.96 where Benjamini-Hochberg (q = .10) over all themes selects it",
        scale=None,
        null_rule=translatable(
            "Fewer than 3 answers mention the theme, all of them answer one prompt on one platform, or none can be "
            "quoted."
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
        explanation=translatable("Which suggested prompt would add most to the tracked prompts."),
        calculation=translatable(
            "Up to 40 points for demand, up to 30 for how new the prompt is, and up to 30 for the gap to competitors."
        ),
        formula="100 · (0.4 · demand + 0.3 · novelty + 0.3 · gap)",
        scale=(0, 100),
        null_rule=translatable(
            "The prompt is branded, off-topic or too similar to another one: it is then not suggested."
        ),
        function="suggestions.prioritize_prompt",
    ),
    Metric(
        key="action_effect",
        name=translatable("Effect of an action"),
        section="6",
        unit="points",
        explanation=translatable(
            "Whether an action that was marked as done worked: how much more often answers to its prompts name the "
            "brand than before, compared with other prompts. Up means that this share rose, and that it rose more than "
            "for the others."
        ),
        calculation=translatable(
            "The change of the affected prompts, minus the change of all other prompts. A change is the share of "
            "answers that name the brand after the date, minus the share before it."
        ),
        formula="change of the affected prompts - change of the other prompts; change = share of "
        "answers that name the brand after the date - before it, over matched cells",
        scale=(-100, 100),
        null_rule=translatable(
            "There are fewer than 2 Full Checks before the date, not counting the one that led to the action; fewer "
            "than 2 after it; or fewer than 5 other prompts."
        ),
        function="effect.measure_effect",
        interval="student_t",
    ),
)

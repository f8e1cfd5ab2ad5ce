"""One row for each action: what the rules find in answers, and what they leave alone."""

import msgspec
import pytest

from sightline.answers.models import Brand
from sightline.answers.names import Lexicon
from sightline.insights.inputs import build_insight_inputs
from sightline.insights.recommendations.actions import describe_action
from sightline.insights.recommendations.cited_pages import CitedPages
from sightline.insights.recommendations.find import find_recommendations
from sightline.insights.recommendations.page_addresses import find_page_kind, find_topic
from sightline.metrics.recommendations import ClaimFacts, ClaimQuote, PraiseFacts
from sightline.platforms.models import Source
from sightline.scans.analyze_answer import analyze_answer
from sightline.scans.models import Provenance, ScanAnswer, ScanPlan, ScanPrompt

PROMPTS = tuple(
    ScanPrompt(id=str(number), text=text)
    for number, text in enumerate(("best anvil", "anvil for a small forge", "quiet anvil", "cheap anvil"))
)
PLAN = ScanPlan(
    domain="acme.com",
    brand=Brand("Acme", domains=("acme.com",)),
    competitors=(Brand("Globex", domains=("globex.com",)), Brand("Initech", domains=("initech.com",))),
    prompts=PROMPTS,
    platforms=("chatgpt", "gemini", "claude"),
)
RIVALS = "1. **Globex** - heavy and loud.\n2. **Initech** - cheap, and it rusts."
OURS = "1. **Acme** - a sound choice.\n2. **Globex** - heavy and loud."


def find(answers, *, plan=PLAN, claims=(), praised=()):
    """Return the rows for answers given as (prompt, platform, text, cited pages)."""
    read = [
        analyze_answer(
            ScanAnswer(
                id=f"{number}",
                prompt=PROMPTS[prompt],
                platform=platform,
                status="ok",
                text=text,
                cited=tuple(Source(*page) if isinstance(page, tuple) else Source(page) for page in pages),
                provenance=Provenance(surface="api", vendor="file"),
            ),
            Lexicon(plan.tracked),
        )
        for number, (prompt, platform, text, pages) in enumerate(answers)
    ]
    return find_recommendations(build_insight_inputs(plan, read), claims, praised)


def ask(text, pages, prompts=range(4), platforms=PLAN.platforms):
    return [(prompt, platform, text, pages) for prompt in prompts for platform in platforms]


def by_kind(rows, kind):
    return [row for row in rows if row.kind == kind]


def describe(row):
    return describe_action(row, len(row.answer_ids), "Acme")


def test_one_row_for_a_page_whatever_the_number_of_prompts():
    page = ("https://www.forgereview.com/best-anvils-tested", "The 9 best anvils, tested | Forge Review")
    (row,) = find(ask(RIVALS, [page]))
    assert (row.kind, row.subject, row.site_type) == (
        "get_listed",
        "forgereview.com/best-anvils-tested",
        "review_site",
    )
    assert [prompt.id for prompt in row.prompts] == ["0", "1", "2", "3"]
    assert len(row.answer_ids) == 12
    texts = describe(row)
    assert texts.action == "Get Acme into \u201cThe 9 best anvils, tested\u201d on forgereview.com"
    assert texts.why == (
        "12 answers to 4 prompts on 3 platforms cite it and name other brands, most often Globex and Initech, but not "
        "Acme."
    )
    assert len(texts.steps) == 3 and not any("%" in step for step in texts.steps)


def test_several_pages_of_a_site_are_one_action_and_a_review_of_a_rival_is_no_place_to_get_into():
    pages = [f"https://smithing.org/{path}" for path in ("best-anvils", "best-quiet-anvils", "globex-300-review")]
    (row,) = find(ask(RIVALS, pages))
    assert (row.subject, row.site) == ("smithing.org", "smithing.org")
    assert [page.url for page in row.pages] == ["smithing.org/best-anvils", "smithing.org/best-quiet-anvils"]
    quiet = msgspec.structs.replace(row, pages=row.pages[::-1])
    assert describe(quiet).action == "Get Acme into 2 pages of smithing.org, first the one on best quiet anvils"
    (review,) = find(ask(RIVALS, [pages[2]]))
    assert describe(review).action == "Get Acme reviewed by smithing.org"
    threads = [f"https://reddit.com/r/anvils/comments/{number}" for number in range(12)]
    (forum,) = find(ask(RIVALS, threads))
    assert describe(forum).action == "Join the discussion in 12 threads on reddit.com" and len(forum.pages) == 10
    (shop,) = find(ask(RIVALS, ["https://www.amazon.com/s?k=anvils"]))
    assert describe(shop).action == "Get Acme onto amazon.com, or strengthen its listing there"
    (host,) = find(ask(RIVALS, ["https://smithing.org/"]))
    assert describe(host).action == "Get Acme into smithing.org"


@pytest.mark.parametrize(
    "page",
    [
        "https://globex.com/anvils",  # a rival's own
        "https://acme.com/anvils",  # ours
        "https://www.youtube.com/watch?v=abc",  # a single video
        "https://www.google.com/search?q=anvils",
        "https://chatgpt.com/?q=anvil",
        "https://d1234.cloudfront.net/anvils",
        "https://www.cpsc.gov/anvils",
        "https://www.instagram.com/p/abc",
        "https://forge.edu/best-anvils",
        "https://heavytools.com/blogs/news/best-anvils",  # the blog of a shop
        "https://heavytools.com/products/globex-300?_gsid=a1",  # a product carousel
    ],
)
def test_sites_without_a_way_in_are_not_suggested(page):
    assert by_kind(find(ask(RIVALS, [page])), "get_listed") == []


def test_pages_of_a_discovered_rival_are_not_suggested_and_a_shop_that_sells_several_is():
    text = "1. **Vandelay** - heavy.\n2. **Globex** - loud.\n3. **Hooli** - light."
    rows = find(ask(text, ["https://vandelay.com/anvils/best", "https://vandelay.com/compare/globex"]))
    assert by_kind(rows, "get_listed") == []
    sold = [
        f"https://hooli.com/{path}" for path in ("products/globex-300", "products/vandelay-20", "collections/anvils")
    ]
    (row,) = by_kind(find(ask(text, sold)), "get_listed")
    assert (row.site_type, describe(row).action) == ("retailer", "Get Acme into hooli.com/collections/anvils")


def test_a_page_whose_answers_name_us_is_no_gap_but_may_carry_us():
    page = "https://smithing.org/best-anvils"
    rows = find([*ask(OURS, [page], prompts=(0, 1)), *ask(RIVALS, [], prompts=(0, 1))])
    (row,) = rows
    assert (row.kind, row.subject) == ("keep", "smithing.org/best-anvils")
    assert (row.share.named, row.share.answers, row.other_share.named, row.other_share.answers) == (6, 6, 0, 6)
    assert (row.expected.answers, round(row.expected.low, 1)) == (6.0, 3.7)
    named_anyway = find([*ask(OURS, [page], prompts=(0, 1)), *ask(OURS, [], prompts=(0, 1))])
    assert [row.kind for row in named_anyway] == ["nothing_significant"], "the page does not matter"
    assert describe(named_anyway[0]).why.startswith("12 of 12 answers name Acme. We found no criticism")


def test_a_page_of_a_platform_that_names_us_anyway_carries_nothing():
    page = "https://smithing.org/best-anvils"
    chatgpt = [*ask(OURS, [page], platforms=("chatgpt",)), *ask(OURS, [], platforms=("chatgpt",))]
    rows = find([*chatgpt, *ask(RIVALS, [], platforms=("gemini", "claude"))])
    assert by_kind(rows, "keep") == []


def test_of_answers_that_cite_our_own_site_only_those_count_that_nothing_else_carries():
    own, other = "https://acme.com/anvils", "https://smithing.org/best-anvils"
    left_out = ask(RIVALS, [], prompts=(0, 1))
    (row,) = find([*ask(OURS, [own], prompts=(0, 1)), *left_out])
    assert (row.kind, row.subject, row.expected.answers) == ("keep", "acme.com/anvils", 6.0)
    assert describe(row).action == "Keep in place and up to date: acme.com/anvils"
    (row,) = find([*ask(OURS, [own, other], prompts=(0, 1)), *left_out])
    assert row.subject == "smithing.org/best-anvils"


def test_a_site_that_has_an_entry_on_us_is_not_asked_for_one():
    rivals = [f"https://www.trustpilot.com/review/{name}.com" for name in ("globex", "initech")]
    left_out = ask(RIVALS, rivals)
    (row,) = find(left_out)
    assert describe(row).action == "Get Acme listed on trustpilot.com"
    listed = find([*left_out, *ask(OURS, ["https://www.trustpilot.com/review/acme.com"], prompts=(0, 1))])
    assert by_kind(listed, "get_listed") == []


@pytest.mark.parametrize("profile", ["trustpilot.com/review/acme.com", "g2.com/products/acme/reviews"])
def test_a_profile_page_on_us_is_not_kept_because_it_cannot_drop_us(profile):
    rows = find([*ask(OURS, [f"https://www.{profile}"], prompts=(0, 1)), *ask(RIVALS, [], prompts=(0, 1))])
    assert by_kind(rows, "keep") == []


def test_a_profile_page_on_a_brand_that_nobody_tracks_is_no_place_to_get_into():
    page = "https://www.trustpilot.com/review/elvison.com"
    (row,) = find(ask(RIVALS, [page]))
    assert (row.kind, row.subject, row.is_review) == ("get_listed", "trustpilot.com", True)
    assert describe(row).action == "Get Acme listed on trustpilot.com"
    (row,) = find(ask(RIVALS, [page, "https://www.trustpilot.com/categories/anvils"]))
    assert [each.url for each in row.pages] == ["trustpilot.com/categories/anvils"]


def test_rivals_pages_of_one_kind_are_one_action_for_all_prompts():
    pages = ["https://globex.com/blog/how-to-choose-an-anvil", "https://initech.com/products/anvil-20"]
    rows = by_kind(find(ask(RIVALS, pages)), "answer_question")
    assert {(row.subject, row.pages[0].url, len(row.prompts)) for row in rows} == {
        ("guide", "globex.com/blog/how-to-choose-an-anvil", 4),
        ("product", "initech.com/products/anvil-20", 4),
    }
    guide = next(row for row in rows if row.subject == "guide")
    assert describe(guide).action == (
        "Publish or improve a guide on acme.com that answers \u201cbest anvil\u201d and 3 more prompts"
    )
    assert describe(guide).why == (
        "12 answers to 4 prompts on 3 platforms cite guides published by Globex. No answer to these prompts cites a "
        "page published by Acme."
    )
    answered = find(ask(RIVALS, [*pages, "https://acme.com/guide"]))
    assert by_kind(answered, "answer_question") == [], "a page of ours is cited"
    shop = Brand("Target", domains=("target.com",))
    shelves = find(
        ask("**Target** sells several.", ["https://target.com/c/anvils"]),
        plan=msgspec.structs.replace(PLAN, competitors=(shop,)),
    )
    assert by_kind(shelves, "answer_question") == [], "what a shop sells answers nothing"
    home = find(ask(RIVALS, ["https://globex.com/"]))
    assert by_kind(home, "answer_question") == [], "everybody has a home page"
    unknown = msgspec.structs.replace(PLAN, brand=Brand("Acme"))
    assert by_kind(find(ask(RIVALS, pages), plan=unknown), "answer_question") == [], "nobody knows our pages"


def test_a_claim_takes_its_page_from_other_rows():
    """A page never gets a listing and a correction at once."""
    page, other = "https://smithing.org/best-anvils", "https://forgetalk.org/best-anvils"
    text = "1. **Acme** - overpriced.\n2. **Globex** - loud."
    answers = [*ask(text, [page], prompts=(0, 1)), *ask(RIVALS, [page, other], prompts=(2, 3))]
    claim = ClaimFacts(
        descriptor="price",
        platforms=3,
        answer_ids=tuple(str(number) for number in range(6)),
        pages=("smithing.org/best-anvils",),
        quotes=(ClaimQuote("0", "Acme is overpriced."),),
    )
    rows = find(answers, claims=[claim])
    assert {(row.kind, row.subject) for row in rows} == {
        ("fix_claim", "price"),
        ("get_listed", "forgetalk.org/best-anvils"),
    }
    (fix,) = by_kind(rows, "fix_claim")
    review = msgspec.structs.replace(claim, pages=("smithing.org/globex-review",))
    about_globex = [
        (prompt, platform, text, ["https://smithing.org/globex-review"]) for prompt, platform, *_ in answers
    ]
    assert by_kind(find(about_globex, claims=[review]), "fix_claim")[0].pages == (), "not where a rival is reviewed"
    assert describe(fix).why == "6 answers to 2 prompts on 3 platforms criticize Acme for \u201cprice\u201d."
    rare = msgspec.structs.replace(claim, answer_ids=("0",))
    assert by_kind(find(answers, claims=[rare]), "fix_claim") == [], "less than one answer would change"


def test_criticism_that_is_too_rare_for_a_task_is_told_with_nothing_significant():
    claims = [
        ClaimFacts(descriptor=name, platforms=2, answer_ids=tuple(str(each) for each in range(answers)))
        for name, answers in (("price", 2), ("noise level", 2))
    ]
    (row,) = find(ask(OURS, []), claims=claims)
    assert row.kind == "nothing_significant"
    assert describe(row).why == (
        "12 of 12 answers name Acme. Criticism is rare: \u201cprice\u201d in 2 answers and \u201cnoise level\u201d in "
        "2 answers. We found no page, prompt or platform where acting would likely change an answer."
    )


def test_a_page_with_a_cited_passage_on_us_is_no_place_to_get_into():
    page = "https://smithing.org/best-anvils"
    assert [row.kind for row in find(ask(RIVALS, [page]))] == ["get_listed"]
    cited = [*ask(RIVALS, [page]), *ask(RIVALS, [f"{page}#:~:text=The%20new%20Acme%20Mini"], prompts=(0,))]
    assert by_kind(find(cited), "get_listed") == []


def test_a_page_whose_site_is_credited_with_naming_us_is_no_place_to_get_into():
    page = ("https://forgetalk.org/best-anvils", "Forge Talk")
    left_out = ask(RIVALS, [page])
    credited = "**Acme** - the best value, says Forge Talk.\n**Globex** - heavy."
    beside = "**Acme** - a sound choice.\n**Globex** - heavy. (Forge Talk)"
    assert by_kind(find([*left_out, *ask(credited, [page], prompts=(0,))]), "get_listed") == []
    assert by_kind(find([*left_out, *ask(beside, [page], prompts=(0,))]), "get_listed") != []


def test_a_shop_is_a_place_to_get_onto_only_where_it_lists_several_products():
    rivals = [f"https://www.lowes.com/products/{name}-anvil" for name in ("globex", "initech")]
    branch = "https://www.lowes.com/stores/dulles/1790"
    assert by_kind(find(ask(RIVALS, [*rivals, branch])), "get_listed") == []
    (row,) = by_kind(find(ask(RIVALS, [*rivals, "https://www.lowes.com/c/anvils"])), "get_listed")
    assert [page.url for page in row.pages] == ["lowes.com/c/anvils"]


def test_the_page_that_fits_the_prompts_leads():
    pages = [f"https://smithing.org/{name}" for name in ("best-gaming-anvils-for-jewelers", "best-quiet-steel-anvils")]
    answers = [*ask(RIVALS, pages, prompts=(0, 1)), *ask(RIVALS, pages[:1], prompts=(2,))]
    (row,) = by_kind(find(answers), "get_listed")
    assert [page.url for page in row.pages] == [
        "smithing.org/best-quiet-steel-anvils",
        "smithing.org/best-gaming-anvils-for-jewelers",
    ]


def test_a_page_that_compares_no_brands_is_a_guide():
    pages = ["https://globex.com/anvil-vs-block-of-wood", "https://globex.com/globex-vs-initech"]
    rows = {row.subject: row for row in by_kind(find(ask(RIVALS, pages)), "answer_question")}
    assert [page.url for page in rows["guide"].pages] == ["globex.com/anvil-vs-block-of-wood"]
    assert [page.url for page in rows["comparison"].pages] == ["globex.com/globex-vs-initech"]
    assert all(row.expected.high <= len(row.answer_ids) for row in rows.values())


def test_a_page_is_in_one_row_only_and_rows_are_ranked_by_effect():
    pages = [
        f"https://{site}/best-anvils" for site in ("smithing.org", "g2.com", "forgetalk.org", "reddit.com/r/anvils")
    ]
    answers = [
        (number % 4, PLAN.platforms[number % 3], (RIVALS, OURS)[number % 5 == 0], pages[: 1 + number % 4])
        for number in range(48)
    ]
    rows = find(answers)
    cited = [page.url for row in rows for page in row.pages]
    assert len(rows) > 1 and len(cited) == len(set(cited))
    effects = [row.expected.answers for row in rows]
    assert effects == sorted(effects, reverse=True)


def test_a_weak_platform_is_told_with_its_counts():
    prompts = tuple(ScanPrompt(id=str(number), text=f"anvil question {number}") for number in range(8))
    plan = msgspec.structs.replace(PLAN, prompts=prompts)
    answers = [
        analyze_answer(
            ScanAnswer(
                id=f"{prompt.id}{platform}",
                prompt=prompt,
                platform=platform,
                status="ok",
                text="It depends on the forge." if platform == "claude" else OURS,
                provenance=Provenance(surface="api", vendor="file"),
            ),
            Lexicon(plan.tracked),
        )
        for prompt in prompts
        for platform in plan.platforms
    ]
    (row,) = find_recommendations(build_insight_inputs(plan, answers), ())
    assert (row.kind, row.subject, row.site) == ("open_door", "claude", "acme.com")
    assert describe(row).why == (
        "Claude names Acme in 0 of 8 answers, the other platforms in 16 of 16 answers to the same prompts."
    )
    (logs,) = [step for step in describe(row).steps if "server logs" in step]
    assert "the crawlers that Claude uses (Claude-SearchBot, Claude-User, ClaudeBot)." in logs


def test_prompts_of_another_market_are_no_gap():
    """Answers about kettles name Vandelay and Kruger, which no answer to a prompt that names Acme does."""
    kettles = "1. **Vandelay X200** - a fine kettle.\n2. **Kruger X300** - a small kettle."
    plan = msgspec.structs.replace(PLAN, competitors=())
    page = ["https://kitchentalk.org/best-kettles"]
    other_market = ask(kettles, page, prompts=(2, 3))
    rows = find([*ask(OURS, [], prompts=(0, 1)), *other_market], plan=plan)
    assert [row.kind for row in rows] == ["nothing_significant"]
    assert [row.kind for row in find(other_market, plan=plan)] == ["get_listed"], "nobody knows the market yet"
    crowd = "1. **Globex**\n2. **Vandelay**\n3. **Kruger**\n4. **Hooli**"
    found = find([*ask(OURS, [], prompts=(0, 1)), *ask(crowd, page, prompts=(2, 3))])
    assert [row.kind for row in found] == ["get_listed"], "a tracked competitor is one in any market"


def test_branded_prompts_and_too_few_answers_prove_nothing():
    page = ["https://smithing.org/best-anvils"]
    assert find(ask(RIVALS, page, prompts=(0,), platforms=("chatgpt", "gemini")))[0].kind == "nothing_significant"
    plan = msgspec.structs.replace(PLAN, brand=Brand("Acme", aliases=("best anvil",)))
    assert find(ask(RIVALS, page, prompts=(0,)), plan=plan)[0].kind == "nothing_significant"
    assert find(ask(RIVALS, page, prompts=(1,)), plan=plan)[0].kind == "get_listed"


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("globex.com", "home"),
        ("globex.com/globex-vs-initech", "comparison"),
        ("globex.com/pricing", "pricing"),
        ("globex.com/docs/setup", "docs"),
        ("globex.com/blog/what-is-an-anvil", "guide"),
        ("globex.com/collections/anvils", "category"),
        ("globex.com/products/anvil-20", "product"),
        ("globex.com/anvils", "page"),
    ],
)
def test_the_kind_of_a_page_by_its_address(url, kind):
    assert find_page_kind(url, None) == kind


@pytest.mark.parametrize(
    ("url", "topic"),
    [
        ("smithing.org/a/best-quiet-anvils-2719.html", "best quiet anvils"),
        ("smithing.org/best-quiet-anvils-1247572", "best quiet anvils"),
        ("smithing.org/best-anvils-under-1000", "best anvils under 1000"),
        ("smithing.org/best-anvils-under-1000-2.html", "best anvils under 1000"),
        ("smithing.org/best-anvils-2026", "best anvils 2026"),
        ("smithing.org/f/quiet-anvils-for-forges-3208-x-ratings-1570051", "quiet anvils for forges"),
        ("smithing.org/anvils", None),
        ("smithing.org/%E9%89%84/best-quiet-anvils%26c", None),
    ],
)
def test_the_topic_of_a_page_by_its_address(url, topic):
    assert find_topic(url) == topic


def test_a_title_is_used_only_if_it_is_one_of_this_page():
    """Platforms report products and the names of sites as titles, too."""
    pages = [
        ("https://smithing.org/best-quiet-anvils", "Globex 300 Deluxe"),
        ("https://smithing.org/best-quiet-anvils?utm_source=x", "The best quiet anvils - Smithing"),
        ("https://forgetalk.org/t/1234", "Forge Talk"),
    ]
    answers = [
        ScanAnswer(
            id="a",
            prompt=PROMPTS[0],
            platform="chatgpt",
            status="ok",
            text=RIVALS,
            cited=tuple(Source(*page) for page in pages),
            provenance=Provenance(surface="api", vendor="file"),
        )
    ]
    found = CitedPages(build_insight_inputs(PLAN, [analyze_answer(each, Lexicon(PLAN.tracked)) for each in answers]))
    assert found.by_url["smithing.org/best-quiet-anvils"].title == "The best quiet anvils"
    assert found.by_url["forgetalk.org/t/1234"].title is None
    assert found.site_names == {"forgetalk.org": "Forge Talk"}


BELOW = "1. **Globex** - heavy and loud.\n2. **Acme** - a sound choice."


def test_a_rival_that_answers_mostly_place_above_the_brand_is_a_fact_for_leaders_too():
    rows = find(ask(BELOW, []))
    (row,) = by_kind(rows, "move_up")
    assert (row.subject, row.share.named, row.share.answers, len(row.answer_ids)) == ("Globex", 12, 12, 12)
    texts = describe(row)
    assert texts.action == "Find out why answers place Globex above Acme"
    assert texts.why == "Globex stands above Acme in 12 of 12 answers that rank both."
    assert len(texts.steps) == 3 and "nothing_significant" not in {row.kind for row in rows}


def test_a_place_below_is_no_fact_where_chance_explains_it():
    mixed = [*ask(BELOW, [], prompts=[0, 1]), *ask(OURS, [], prompts=[2, 3])]
    assert by_kind(find(mixed), "move_up") == []
    assert by_kind(find(ask(BELOW, [], prompts=[0], platforms=["chatgpt", "gemini"])), "move_up") == []


def test_an_untracked_rival_is_above_only_where_its_place_is_certain():
    plan = msgspec.structs.replace(PLAN, competitors=(Brand("Globex", domains=("globex.com",)),))
    text = (
        "1. **Globex** - heavy.\n2. **Zorvex X200** - loud.\n3. **Acme** - a sound choice.\n4. **Lumio X300** - small."
    )
    rows = by_kind(find(ask(text, []), plan=plan), "move_up")
    assert {row.subject for row in rows} == {"Globex", "Zorvex"}


def praise(**changes):
    counted = {"answer_ids": tuple("012345"), "rival_answers": 12, "own": 0, "own_answers": 12}
    return PraiseFacts(descriptor="noise", rivals=("Globex",), **(counted | changes))


def test_praise_that_rivals_have_and_the_brand_lacks_is_a_fact_of_its_own():
    (row,) = by_kind(find(ask(OURS, []), praised=[praise()]), "earn_praise")
    texts = describe(row)
    assert (row.subject, row.rivals) == ("noise", ("Globex",))
    assert texts.action == "Show how Acme compares with Globex on \u201cnoise\u201d"
    assert texts.why == (
        "We found praise of Globex on \u201cnoise\u201d in 6 of 12 answers that name Globex. "
        "For Acme, we found it in 0 of 12 answers."
    )
    assert len(texts.steps) == 3 and texts.effect == ""


@pytest.mark.parametrize(
    "changes",
    [
        {"own": 4},
        {"akin": 4},
        {"rival_answers": 13},
        {"answer_ids": ("0", "1", "2"), "rival_answers": 3, "own_answers": 2},
    ],
    ids=["praised, too", "praised for the like", "in few answers", "by chance"],
)  # fmt: skip
def test_praise_that_proves_no_lead_is_left_alone(changes):
    assert by_kind(find(ask(OURS, []), praised=[praise(**changes)]), "earn_praise") == []


def test_criticism_that_recurs_is_told_even_if_acting_would_hardly_change_an_answer():
    claim = ClaimFacts(descriptor="noise", platforms=2, answer_ids=("0", "1", "2"))
    assert [row.subject for row in by_kind(find(ask(OURS, []), claims=[claim]), "fix_claim")] == ["noise"]

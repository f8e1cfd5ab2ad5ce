"""The steps of recommendations, three for each. %(brand)s, %(site)s, %(rivals)s and %(platform)s are filled in."""

from sightline.insights.models import PageKind, SiteType
from sightline.metrics.recommendations import Kind
from sightline.presentation.language import translatable

_Steps = tuple[str, str, str]

GET_LISTED: dict[SiteType, _Steps] = {
    "editorial": (
        translatable(
            "Read the page as its editor would. Note what it compares, at which prices, how it tests, and when it was "
            "last updated."
        ),
        translatable(
            "Write to its author. Include the figures that the page compares, a sample or a test account, and one "
            "reason why %(brand)s belongs on the page."
        ),
        translatable(
            "Ask for a place in the next update of this page, not for a separate article: answers cite this page."
        ),
    ),
    "review_site": (
        translatable(
            "Find out how %(site)s chooses what it tests: look for “how we test”, or ask the category editor."
        ),
        translatable("Offer %(site)s your product for a test, without conditions."),
        translatable(
            "Once the test is published, ask to be added to the lists that answers cite, and link to the test from "
            "your own pages."
        ),
    ),
    "directory": (
        translatable("Claim or create the profile of %(brand)s on %(site)s, in the category of the cited page."),
        translatable(
            "Fill in every field that the page compares with %(rivals)s: features, prices, pictures, integrations."
        ),
        translatable(
            "Ask customers of the last quarter for a review there, and reply to each review. Such sites sort their "
            "lists by the number and age of reviews."
        ),
    ),
    "retailer": (
        translatable(
            "Check whether %(site)s sells %(brand)s. If not, apply as a seller or ask your distributor. If it does, "
            "compare your listing with those of %(rivals)s."
        ),
        translatable(
            "Use the words of the prompts in the title and attributes of your listing. Fill in every attribute that "
            "shoppers can filter by, such as price, size and purpose."
        ),
        translatable("Collect verified reviews there: shops use them to sort category pages and “top rated” lists."),
    ),
    "forum": (
        translatable(
            "Read the cited threads: what people ask for, why they name %(rivals)s, and what they criticize about "
            "products like yours."
        ),
        translatable(
            "Reply where %(brand)s really fits, from an account that says who you are, and follow the rules of the "
            "community. Readers notice fake praise, and answers may quote their criticism."
        ),
        translatable(
            "If a thread is closed, ask customers who know several products to share their experience in a new thread."
        ),
    ),
    "encyclopedia": (
        translatable("Check whether %(brand)s meets the notability rules of %(site)s: independent, detailed coverage."),
        translatable(
            "Collect that coverage and propose the change on the talk page of the article. Disclose your interest."
        ),
        translatable(
            "Correct plain facts in Wikidata or the site's own data (name, owner, products, year): they need no "
            "article."
        ),
    ),
    "other": (
        translatable(
            "Find out who runs %(site)s and how %(rivals)s got onto it: in an editorial list, as a partner or through "
            "advertising."
        ),
        translatable("Offer what the page needs: figures, a picture, a sample, or an expert who answers questions."),
        translatable("If it accepts no suggestions, focus on the pages from which it takes its facts."),
    ),
}
GET_REVIEWED: _Steps = (
    translatable("Find out who wrote the cited reviews, and how %(site)s chooses what it reviews."),
    translatable("Offer %(site)s your product for a review, without conditions."),
    translatable(
        "Once the review is published, link to it from your product page, and ask %(site)s to include you in its lists."
    ),
)
KEEP: dict[SiteType | None, _Steps] = {
    None: (
        translatable("Do not move or rename these pages without a permanent redirect from the old address."),
        translatable("Keep figures, prices and the date current, and keep the passages that answers quote."),
        translatable(
            "Make sure crawlers can read them without JavaScript or a login, and check Sources after each Full Check."
        ),
    ),
    "retailer": (
        translatable(
            "Check the listings of %(brand)s on %(site)s that answers cite: price, pictures, questions and the newest "
            "reviews."
        ),
        translatable("Keep the products in stock. If one is replaced, keep its page and link to the successor."),
        translatable("Reply to critical reviews there within a week: answers quote them."),
    ),
    "forum": (
        translatable(
            "Read what people write about %(brand)s there today, and correct wrong facts from an account that says who "
            "you are."
        ),
        translatable("Mention new versions and prices only where people ask for them."),
        translatable(
            "Check Sources after each Full Check: if answers stop citing the thread, find the one that replaced it."
        ),
    ),
}
KEEP_OTHERS: _Steps = (
    translatable("Read what the page says about %(brand)s today, and have wrong or outdated facts corrected early."),
    translatable(
        "Tell its author about new versions, prices and names before the next update. Keep selling the product that "
        "the page names, or say what replaces it."
    ),
    translatable(
        "Check Sources after each Full Check: if answers stop citing the page, find out why before they stop naming "
        "you."
    ),
)
WIN_BACK: _Steps = (
    translatable(
        "Open a prompt and compare its last answer that named %(brand)s with the newest: which sources are new, which "
        "are gone?"
    ),
    translatable(
        "If a page that named you was changed or replaced, ask its author to name you again. If a new page took over, "
        "get listed there."
    ),
    translatable(
        "Check that your own pages on the subject still have the same URL and are not blocked. Then wait for two "
        "Full Checks."
    ),
)
MOVE_UP: _Steps = (
    translatable("Read the answers that place %(subject)s higher, and note what they praise it for."),
    translatable("Compare how your pages and the pages that these answers cite describe %(brand)s and %(subject)s."),
    translatable(
        "Add what is missing on your own pages: figures, tests and uses for which %(brand)s is the better choice."
    ),
)
EARN_PRAISE: _Steps = (
    translatable("Read what these answers say about %(rivals)s, and which pages they cite for it."),
    translatable("If %(brand)s compares well, say so on the pages that buyers read, with figures or test results."),
    translatable(
        "Ask customers and reviewers to report on it. If it is a weakness, leave it out and stress another strength."
    ),
)
_JUDGE_CLAIM = translatable(
    "Decide whether the criticism is wrong, outdated or true. If it is a deliberate choice, say whom it suits, and "
    "what you offer everyone else."
)
_PUBLISH_FACTS = translatable(
    "Publish the facts on a page of your own, with figures and a date, so that answers have something newer to cite."
)
FIX_CLAIM: _Steps = (
    _JUDGE_CLAIM,
    translatable(
        "Write to the authors of the pages below with what has changed and a proof, and ask for a correction."
    ),
    _PUBLISH_FACTS,
)
FIX_CLAIM_WITHOUT_SOURCE: _Steps = (
    _JUDGE_CLAIM,
    translatable(
        "Open the answers and follow their sources. No single page stands out, so find out where each answer got the "
        "claim."
    ),
    _PUBLISH_FACTS,
)
FIX_PRICE: _Steps = (
    translatable(
        "Compare what answers say with your price list: correct outdated figures and missing entry-level models first."
    ),
    translatable(
        "Publish what the price includes and what the product costs over its lifetime, next to %(rivals)s, on one page "
        "with a date."
    ),
    translatable(
        "Give the authors of the cited pages a current offer, an entry-level model, or a reason to write that the "
        "product is worth its price."
    ),
)
READ_CITED_PAGES = translatable(
    "Read the cited pages of %(rivals)s. Note which questions they answer, with which figures and in which order."
)
ANSWER_QUESTION: dict[PageKind, str] = {
    "comparison": translatable(
        "On %(site)s, publish one table that compares the same products as the cited pages: price, strengths, "
        "limitations, and who each product is best for. Say where %(brand)s is not the best choice: one-sided pages "
        "are rarely cited."
    ),
    "pricing": translatable(
        "Publish your prices on %(site)s in plain text: each plan, what it includes, and since when the price applies."
    ),
    "docs": translatable(
        "Answer the question on a help page of %(site)s: the answer first, then the steps, each with its own heading."
    ),
    "guide": translatable(
        "Write a guide on %(site)s whose headings are these prompts, with a short answer right below each heading, "
        "your own figures, and a date."
    ),
    "category": translatable(
        "Create a category page for this need on %(site)s: the products that meet it, how to choose, and a table with "
        "the figures that matter."
    ),
    "product": translatable(
        "Give the product its own page on %(site)s: what it is for, specifications, price and rating, in text and as "
        "schema.org/Product."
    ),
    "page": translatable(
        "Publish a page on %(site)s that answers these prompts in its first paragraph, with figures and a date."
    ),
}
LINK_TO_PAGE = translatable(
    "Link to the page from your menu and sitemap, make it readable without JavaScript, and check whether answers in "
    "the next two Full Checks cite it."
)
ALLOW_CRAWLERS = translatable("Allow %(crawlers)s in %(robots)s: give each its own group with “Allow: /”.")
COMPARE_SOURCES = translatable(
    "Compare the sources: which pages does %(platform)s cite for these prompts, and which of them name %(brand)s?"
)
SEARCH_LOGS = translatable(
    "Search your server logs for %(agents)s. If you find no requests, or only errors, a firewall or CDN may block "
    "them, even if robots.txt allows them."
)
GET_CITED = translatable("Get listed on the pages that %(platform)s cites most for these prompts.")
_INDEXED_WITH_SNIPPETS = translatable(
    "Check in Google Search Console that your pages for these prompts are indexed and allow snippets."
)
INDEX: dict[str, str] = {
    "copilot": translatable("Submit your sitemap in Bing Webmaster Tools: Copilot searches with Bing."),
    "chatgpt": translatable(
        "Submit your sitemap in Bing Webmaster Tools, too: ChatGPT's search uses more than its own index."
    ),
    "gemini": translatable("Check in Google Search Console that your pages for these prompts are indexed."),
    "google_ai_overviews": _INDEXED_WITH_SNIPPETS,
    "google_ai_mode": _INDEXED_WITH_SNIPPETS,
}
MEND = "%(remedy)s"  # what the site review says about this fault
LOOK_AGAIN = translatable(
    "Open %(page)s without signing in and with scripts switched off: agents see what you see then."
)
SEE_REVIEW = translatable("Start a site review: it says whether the fault is mended.")
CORRECT_FACT: _Steps = (
    translatable("Open the cited pages and look for the statement. Correct your own pages first."),
    translatable(
        "Write to the owners of the others: quote the statement, and link to the page that says what is true."
    ),
    translatable("Check Facts after the next Full Checks: an answer changes once the platform reads the page again."),
)
CORRECT_FACT_WITHOUT_SOURCE: _Steps = (
    translatable(
        "State the fact in one plain sentence on the page of yours that people ask about, and in its JSON-LD."
    ),
    translatable("Search the web for the wrong statement, and have the pages that make it corrected."),
    translatable("Check Facts after the next Full Checks: a model may need its next version to change its answer."),
)
OTHER: dict[Kind, _Steps] = {"win_back": WIN_BACK, "move_up": MOVE_UP, "earn_praise": EARN_PRAISE}

"""What each kind of recommendation tells a brand to do."""

from collections.abc import Mapping

from sightline.metrics.recommendations import Kind

ACTIONS: Mapping[Kind, str] = {
    "get_listed": "Get listed or reviewed on this page: answers to the prompt cite it, and name competitors.",
    "publish_page": "Publish or upgrade a page for this question: answers cite a competitor's page, and none of yours.",
    "make_citable": "Make your own page citable: answers name you for this prompt, and hardly ever cite you.",
    "name_the_claim": "Name the brand next to the claim: answers cite your page without naming you.",
    "tighten_page": "Tighten the page to the question: platforms look at it for this prompt, and do not cite it.",
    "fix_source": "Fix the source: these pages stand behind answers that say this of you.",
    "platform_access": "Look after this platform: its crawler's access to your site, and its index. You are named less "
    "there than elsewhere for the same questions.",
    "local_page": "Offer a page in the local language, and win reviews there. You are named less in this country than "
    "elsewhere for the same questions.",
    "entity_basics": "See to the basics: profiles and encyclopaedic entries that say who you are. Platforms answer "
    "that they do not know you.",
    "nothing_significant": "Nothing significant: the answers of this check carry no task.",
}

"""A language model that edits: it answers each kind of request from its contents, and counts what it is asked."""

import json
import re
from collections import Counter

import msgspec

from sightline.platforms import compatible
from sightline.platforms.gate import Gate
from sightline.platforms.models import HttpReply, HttpRequest, PlatformConnection, PlatformFault
from sightline.platforms.policy import Policy
from sightline.platforms.pricing import Prices
from sightline.scans.editor_platform import EditorChoice, EditorPlatform
from sightline.scans.platform_clients import PlatformClients

_THINGS = ("anvil", "hammer", "tong", "forge", "stand", "vise", "apron", "blower", "quench tank", "chisel")
MARKET = {"singular": "anvil", "plural": "anvils", "audience": "smiths", "language": "en"}


def read_given(text):
    fence = text.strip().splitlines()[-1].removesuffix(">>>")
    return json.loads(text.split(f"<<<{fence}\n")[1].split(f"\n{fence}>>>")[0])


class EditorModel:
    """The transport to an OpenAI-compatible server whose model edits.

    `themes` are words by the label of their theme, `features` names that are no brands. While it `is_down`, it fails.
    """

    def __init__(self, themes=None, features=()):
        self.themes = themes if themes is not None else {"ease of use": "easy to use", "price": "overpriced"}
        self.features = features
        self.is_down = False
        self.fails_on = None
        self.asked = Counter()
        self.texts = []
        self.replies = {}
        """Replies to a kind of request, instead of sensible ones."""

    async def send(self, request: HttpRequest, *, timeout: float, attempt: int) -> HttpReply:
        assert request.body is not None
        text = json.loads(request.body)["messages"][0]["content"]
        if self.is_down or find_kind(text) == self.fails_on:
            raise PlatformFault("unavailable", "the model is down")
        reply = self.reply(text)
        body = {
            "model": "editor-1",
            "choices": [{"message": {"role": "assistant", "content": reply}}],
            "usage": {"prompt_tokens": len(text) // 4, "completion_tokens": len(reply) // 4},
        }
        return HttpReply(200, {"content-type": "application/json"}, msgspec.json.encode(body))

    def reply(self, text: str) -> str:
        """Answer a request, and count it."""
        kind = find_kind(text)
        self.asked[kind] += 1
        self.texts.append(text)
        return self.replies.get(kind) or json.dumps({"items": getattr(self, f"_{kind}")(read_given(text))})

    def _market(self, given):
        return [MARKET]

    def _names(self, given):
        return [
            {
                "name": each["name"],
                "kind": "feature" if each["name"] in self.features else "brand",
                "maker": None,
                "competes": each["name"] not in self.features,
                "full_name": None,
            }
            for each in given["names"]
        ]

    def _themes(self, given):
        known = {each["definition"].removeprefix("what is said about ") for each in given["themes"]}
        return [
            {"label": label, "definition": f"what is said about {label}", "passages": numbers}
            for label, words in self.themes.items()
            if label not in known and (numbers := _find(given["passages"], words))
        ]

    def _sorting(self, given):
        return [
            {"theme": key, "opinion": "criticism" if words == "overpriced" else "praise"}
            | {"passages": _find(given["passages"], words)}
            for key, theme in given["themes"].items()
            if (words := self.themes.get(theme["definition"].removeprefix("what is said about ")))
        ]

    def _wording(self, given):
        return [
            {"action": int(number), "title": f"{facts['draft']['title']} now"[:110]}
            | {"reason": facts["draft"]["reason"][:320], "steps": facts["draft"]["steps"]}
            for number, facts in given["actions"].items()
        ]

    def _first_prompts(self, given):
        return [{"question": f"Which {thing} is best for a small forge?"} for thing in _THINGS]

    def _site(self, given):
        return [{"name": given["title of the website"].split(" - ")[0], "plural": "anvils", "rivals": ["hooli.com"]}]

    def _claims(self, given):
        """Point at each price, for the one fact that is asked for."""
        return [
            {"fact": next(iter(given["facts"])), "passage": int(number), "words": price, "manner": "states"}
            for number, _, text in (line.partition(". ") for line in given["passages"])
            for price in re.findall(r"\$\d+(?: per month)?", text)[:1]
        ]

    def _prompts(self, given):
        return [{"question": "Which anvil rings least in a small forge?", "reason": "use", "subject": "small forge"}]


_KINDS = {
    "market": "Say what is sold in this market",
    "names": "Say for each what it is",
    "themes": "List the themes that recur",
    "sorting": "into themes. For each theme",
    "claims": "says something about one of the facts",
    "wording": "Word these actions",
    "prompts": "Propose questions",
    "first_prompts": "Look at the company behind",
    "site": "Say what the brand behind",
}


def find_kind(text):
    return next(kind for kind, task in _KINDS.items() if task in text)


def _find(passages, words):
    return [int(line.split(".")[0]) for line in passages if words in line]


def open_editor(model, name="editor-1", prices=None):
    """Return a function that opens the model as the editor of a scan."""
    connection = PlatformConnection(platform="local", vendor="compatible", base_url="http://127.0.0.1", model=name)
    policy = Policy(timeout=5, deadline=5, attempts=1, prices={"local": Prices(*prices)} if prices else {})
    ways = {"local": (compatible.CONNECTOR, connection)}
    clients = PlatformClients("live", ways, model, {"local": Gate(4, 4)}, policy)
    return lambda scan: EditorPlatform.open(clients, EditorChoice("local"))

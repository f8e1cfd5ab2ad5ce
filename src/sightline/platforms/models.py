"""What is sent to a platform and what comes back, for every connector, the transport and the sandbox."""

from collections.abc import Callable, Mapping
from typing import Annotated, Literal, Protocol

import msgspec
from msgspec import Meta

from sightline.metrics.observation import Status, Surface

FaultKind = Literal[
    "rate_limited",  # the same question may succeed later
    "unavailable",  # 5xx, overload, a broken connection
    "timeout",  # no complete answer within the deadline
    "malformed",  # an answer that cannot be read
    "blank",  # an answer without text, or of fewer than 20 characters
    "no_money",  # quota, balance or credit is used up: a retry only costs time
    "unauthorised",  # the credentials are wrong or may not do this
    "rejected",  # the platform refuses this request as it is
]
FAULT_KIND_MEANING = (
    "`rate_limited` (too many requests to the platform), `unavailable` (the platform or the connection failed), "
    "`timeout`, `malformed` (the reply cannot be parsed), `blank` (the answer has fewer than 20 characters), "
    "`no_money` (the operator's balance with the platform is used up), `unauthorised` (the platform does not accept "
    "the operator's credentials) or `rejected` (the platform refuses this request)."
)
RETRYABLE: frozenset[FaultKind] = frozenset({"rate_limited", "unavailable", "timeout", "malformed", "blank"})
OUTAGES: frozenset[FaultKind] = frozenset({"rate_limited", "unavailable", "timeout"})
"""Faults that usually pass after minutes or hours."""


class Question(msgspec.Struct, frozen=True):
    """One prompt as a person in one market would ask it. Country is ISO 3166 alpha-2, language ISO 639-1."""

    prompt: str
    country: str | None = None
    language: str | None = None
    is_task: bool = False
    """Whether it is a task on given text: nothing is searched for, and a reply of a few characters is one."""


class PlatformConnection(msgspec.Struct, frozen=True, kw_only=True):
    """How the operator reaches one platform. Never logged: `secret` is the key itself."""

    platform: str
    vendor: str
    base_url: str
    secret: str = msgspec.field(default="")
    model: str | None = None
    uses_tasks: bool = False
    """Whether questions are posted as tasks, which are answered minutes later."""

    def __repr__(self) -> str:
        return f"Connection({self.platform!r}, vendor={self.vendor!r}, base_url={self.base_url!r})"


class HttpRequest(msgspec.Struct, frozen=True, kw_only=True):
    method: Literal["GET", "POST"] = "POST"
    url: str
    headers: Mapping[str, str] = msgspec.field(default_factory=dict)
    params: Mapping[str, str] = msgspec.field(default_factory=dict)
    body: bytes | None = None


class HttpReply(msgspec.Struct, frozen=True):
    status: int
    headers: Mapping[str, str]  # names in lower case
    body: bytes


class Span(msgspec.Struct, frozen=True):
    """A part of an answer's text, in characters (code points), end excluded."""

    start: Annotated[
        int, Meta(description="Offset of the first character in the text, counted from 0 in Unicode code points.")
    ]
    end: Annotated[int, Meta(description="Offset after the last character, counted like `start`.")]


class Source(msgspec.Struct, frozen=True):
    """A page that an answer cites or that the platform retrieved. A page that was only retrieved has no spans."""

    url: Annotated[str, Meta(description="Address of the page.")]
    title: Annotated[str | None, Meta(description="Title of the page. Null if the platform does not report one.")] = (
        None
    )
    spans: Annotated[tuple[Span, ...], Meta(description="Parts of the text that cite the page.")] = ()


class Usage(msgspec.Struct, frozen=True):
    """What one request to a platform used."""

    input_tokens: Annotated[
        int | None, Meta(description="Number of input tokens. Null if the platform does not report it.")
    ] = None
    output_tokens: Annotated[
        int | None, Meta(description="Number of output tokens. Null if the platform does not report it.")
    ] = None
    searches: Annotated[
        int | None, Meta(description="Number of searches. Null if the platform does not report it.")
    ] = None


class ProductCard(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A product that an app shows next to its answer."""

    name: Annotated[str, Meta(description="Name of the product, as the card shows it.")]
    brand: Annotated[str | None, Meta(description="Brand. Null if the platform does not report it.")] = None
    price: Annotated[str | None, Meta(description="Price as a decimal number. Null if the card has none.")] = None
    currency: Annotated[str | None, Meta(description="Currency of the price, such as `USD`.")] = None
    seller: Annotated[str | None, Meta(description="Who sells it, or the site that the card leads to.")] = None
    url: Annotated[str | None, Meta(description="Address that the card leads to.")] = None
    place: Annotated[int, Meta(description="Place among the cards of the answer. 1 is first.")]


class ProviderAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The contents of a platform's payload. `cited` and `retrieved` are two facts and never merged."""

    status: Literal["ok", "no_surface"] = "ok"
    text: str = ""
    cited: tuple[Source, ...] = ()
    retrieved: tuple[Source, ...] = ()
    queries: tuple[str, ...] = ()  # the searches that the platform made for the prompt (fan-out)
    products: tuple[ProductCard, ...] = ()
    model: str | None = None  # the model that served the answer
    request_id: str | None = None
    tool_version: str | None = None
    usage: Usage = Usage()
    cost_usd: float | None = None  # only if the provider itself reports it
    country_honoured: bool | None = None  # None: no country was asked for


class FollowUp(msgspec.Struct, frozen=True):
    """The payload has no answer yet: send this request next (at most once per answer)."""

    request: HttpRequest


BuildRequest = Callable[[Question, PlatformConnection], HttpRequest]
ParseReply = Callable[[HttpReply, Question, PlatformConnection], "ProviderAnswer | FollowUp"]


class AnswerLater(Exception):
    """The platform has accepted the question as a task, and answers later. `cost_usd` is what posting it cost."""

    def __init__(self, task_id: str, cost_usd: float | None = None) -> None:
        super().__init__(task_id)
        self.task_id = task_id
        self.cost_usd = cost_usd


class TaskMode(msgspec.Struct, frozen=True, kw_only=True):
    """How a question is posted as a task and fetched later."""

    post: Callable[[Question, PlatformConnection, str], HttpRequest]
    """Post the question with a tag of ours."""
    fetch: Callable[[str, PlatformConnection], HttpRequest]
    """Fetch the answer of a task by its id."""
    parse: ParseReply
    """Read the reply to both. Raises `AnswerLater` for a task that was accepted or is not done."""
    list_done: Callable[[PlatformConnection], HttpRequest]
    """List the tasks that are done and were not fetched."""
    find_tag: Callable[[HttpReply, str], str | None]
    """Return the id of the task with a tag from that list."""


CUT_OFF = "the answer was cut off at the token limit"


class PlatformFault(Exception):
    """There is no answer, and why. The message is for operators and never contains a secret."""

    def __init__(self, kind: FaultKind, message: str, *, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.kind: FaultKind = kind
        self.message = message
        self.retry_after = retry_after

    @property
    def retryable(self) -> bool:
        return self.kind in RETRYABLE


class Connector(msgspec.Struct, frozen=True, kw_only=True):
    """One way to ask one platform: two pure functions, and what is true of the platform whatever it answers."""

    platform: str
    vendor: str
    surface: Surface
    request: BuildRequest
    parse: ParseReply
    cites: bool = True  # False if the platform never names sources: the Visibility Score then leaves citations out
    # Hosts whose links are short-lived redirects: `ask` resolves each before the answer is stored.
    redirect_hosts: frozenset[str] = frozenset()
    tasks: TaskMode | None = None
    # Classifies a reply other than 2xx by its status, headers and body, and never raises.
    fault: Callable[[HttpReply], PlatformFault]


class Transport(Protocol):
    """Sends one request: over the network, or inside the process for the sandbox."""

    async def send(self, request: HttpRequest, *, timeout: float, attempt: int) -> HttpReply:
        """Return the whole reply within `timeout` seconds, or raise `PlatformFault`. `attempt` counts from 1."""
        ...


class PlatformCall(msgspec.Struct, frozen=True, kw_only=True):
    """One attempt to get an answer. Its cost is counted even if it failed or was given up."""

    platform: str
    requests: int
    """How many requests were sent: two if the platform postponed its answer."""
    failed: bool
    is_answer: bool = True
    """False for a task that was posted or is not done: its answer is another call."""
    fault: FaultKind | None = None
    """Why it failed; None also where it was cancelled."""
    usage: Usage = Usage()
    cost_usd: float | None = None


OnCall = Callable[[PlatformCall], None]


class Fault(msgspec.Struct, frozen=True):
    """Why there is no answer."""

    kind: Annotated[FaultKind, Meta(description=f"Kind of failure: {FAULT_KIND_MEANING}")]
    message: Annotated[str, Meta(description="What happened.")]


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """The result of asking one platform one question, with everything needed to trust the answer later."""

    platform: str
    surface: Surface
    vendor: str
    question: Question
    status: Status
    answer: ProviderAnswer  # empty when failed
    model_asked: str | None
    cost_usd: float | None
    latency_ms: int
    attempts: int
    raw: bytes  # the provider's payload, zlib-compressed; empty when there was none
    fault: Fault | None = None

    @classmethod
    def build_failed(cls, platform: str, question: Question, fault: Fault) -> "Outcome":
        """Build the outcome of a question that was never asked."""
        return cls(
            platform=platform,
            surface="api",
            vendor="none",
            question=question,
            status="failed",
            answer=ProviderAnswer(),
            model_asked=None,
            cost_usd=None,
            latency_ms=0,
            attempts=0,
            raw=b"",
            fault=fault,
        )

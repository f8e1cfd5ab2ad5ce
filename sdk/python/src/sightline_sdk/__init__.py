"""The Python client of Sightline: `Sightline` for plain code, `AsyncSightline` for asyncio."""

from msgspec import UNSET

from sightline_sdk import models, webhook_events
from sightline_sdk._errors import (
    AuthenticationError,
    BadRequestError,
    ConfigurationError,
    ConflictError,
    ConnectionFailedError,
    FieldError,
    InsufficientCreditsError,
    NotFoundError,
    PermissionDeniedError,
    ProblemError,
    RateLimitError,
    RequestTimeoutError,
    ServerError,
    SightlineError,
    UnreadableResponseError,
    ValidationError,
    WaitTimeoutError,
    WebhookVerificationError,
    WrongKeyKindError,
)
from sightline_sdk._events import ServerEvent
from sightline_sdk._models import Model, Page, ResponseInfo
from sightline_sdk._pages import AsyncPagedList, PagedList
from sightline_sdk._streams import AsyncByteStream, AsyncEventStream, ByteStream, EventStream
from sightline_sdk._version import __version__
from sightline_sdk.client import AsyncSightline, Sightline

__all__ = [
    "UNSET",
    "AsyncByteStream",
    "AsyncEventStream",
    "AsyncPagedList",
    "AsyncSightline",
    "AuthenticationError",
    "BadRequestError",
    "ByteStream",
    "ConfigurationError",
    "ConflictError",
    "ConnectionFailedError",
    "EventStream",
    "FieldError",
    "InsufficientCreditsError",
    "Model",
    "NotFoundError",
    "Page",
    "PagedList",
    "PermissionDeniedError",
    "ProblemError",
    "RateLimitError",
    "RequestTimeoutError",
    "ResponseInfo",
    "ServerError",
    "ServerEvent",
    "Sightline",
    "SightlineError",
    "UnreadableResponseError",
    "ValidationError",
    "WaitTimeoutError",
    "WebhookVerificationError",
    "WrongKeyKindError",
    "__version__",
    "models",
    "webhook_events",
]

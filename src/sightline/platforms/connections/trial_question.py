"""The test of a connection: one cheap question, and its result in words."""

import math

import msgspec

from sightline.http.egress import EgressGuard, open_guarded_session, resolve_redirect
from sightline.http.session import open_session
from sightline.kit.security_log import record_security_event
from sightline.platforms import access
from sightline.platforms.ask import PlatformClient, ask
from sightline.platforms.gate import Gate
from sightline.platforms.models import CUT_OFF, Connector, Fault, Outcome, PlatformConnection, Question
from sightline.platforms.transport import NetworkTransport
from sightline.presentation.language import gettext, translatable
from sightline.settings import Settings

TEST_PROMPT = "Name three well-known web search engines in one short sentence."
_TIMEOUT_SECONDS = 60.0


async def ask_test_question(
    settings: Settings, platform: str, question: Question | None = None, *, timeout: float = _TIMEOUT_SECONDS
) -> Outcome:
    """Ask a connected platform one question, once. The provider charges for it; no workspace does.

    A platform that is not connected is a failed outcome.
    """
    question = question or Question(TEST_PROMPT)
    way = access.find_connections(settings).get(platform)
    if way is None:
        return Outcome.build_failed(platform, question, Fault("unauthorised", "the platform is not connected"))
    return await ask_once(settings, way, question, timeout=timeout)


async def ask_once(
    settings: Settings,
    way: tuple[Connector, PlatformConnection],
    question: Question,
    *,
    timeout: float = math.inf,
) -> Outcome:
    """Ask a platform without retries. The timeout is that of the settings, if it is shorter."""
    policy = access.build_policy(settings)
    guard = EgressGuard()
    async with open_session() as session, open_guarded_session(guard) as guarded:
        client = PlatformClient(
            connector=way[0],
            connection=way[1],
            transport=NetworkTransport(session),
            gate=Gate(1, 1),
            policy=msgspec.structs.replace(policy, attempts=1, timeout=min(policy.timeout, timeout)),
            resolve_redirect=lambda url: resolve_redirect(guarded, guard, url),
        )
        return await ask(client, question)


async def try_connection(candidate: Settings, vendor: str, platform: str) -> Outcome:
    """Ask a platform one question with settings that are not saved yet. A failure is a security event."""
    outcome = await ask_test_question(candidate, platform)
    if outcome.fault is not None:
        record_security_event("platform_connection_refused", vendor=vendor, reason=outcome.fault.kind)
    return outcome


_NO_ACCESS = translatable(
    "This account has no access to the model %(model)s, or the key lacks a permission. Check both at the provider."
)
_NO_ACCESS_TO_SERVICE = translatable(
    "This account has no access to this service, or the key lacks a permission. Check both at the provider."
)
_NO_MODEL = translatable("There is no model %(model)s, or this account has no access to it. Check the model ID.")
_CUT_OFF = translatable(
    "The platform answers, but its model reaches the token limit before the end of the answer. Choose a model that "
    "reasons less, or raise the limit of your own server."
)
_EXPLANATIONS = {
    "unauthorised": translatable("The key was rejected. Copy it again from the provider's site."),
    "rejected": translatable("The provider rejects the request. Check the model and the URL."),
    "no_money": translatable("The account at the provider has no credit left. Add credit there."),
    "rate_limited": translatable("The rate limit of the provider is reached. Try again in a minute."),
    "unavailable": translatable(
        "The provider cannot be reached. Check the URL, the network and the provider's status page."
    ),
    "timeout": translatable("No complete answer arrived in time. Try again."),
    "malformed": translatable("The response cannot be parsed. Check the URL: it may belong to another kind of server."),
    "blank": translatable("The platform returned no text. Try another model."),
}


def explain_fault(fault: Fault, model: str | None) -> str:
    """Return one or two sentences: what is wrong with the connection, and what to do."""
    if fault.kind == "unauthorised" and fault.message.startswith("HTTP 403"):
        return gettext(_NO_ACCESS, model=model) if model else gettext(_NO_ACCESS_TO_SERVICE)
    if fault.kind == "rejected" and model and "model" in fault.message.lower():
        return gettext(_NO_MODEL, model=model)
    return gettext(_CUT_OFF if fault.message == CUT_OFF else _EXPLANATIONS[fault.kind])

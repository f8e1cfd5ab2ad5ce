"""The transport of the sandbox: the same interface as real platforms, magic prompts, delays."""

import statistics

import pytest

from sightline.platforms.models import Connector, HttpReply, PlatformFault, ProviderAnswer, Question
from sightline.platforms.sandbox.transport import (
    SandboxTransport,
    sandbox_connection,
    sandbox_connector,
    split_magic,
)
from tests.platforms.sandbox.samples import ACME, DAY, PLATFORMS, days


class Clock:
    """A replacement for sleep that only records the requested durations."""

    def __init__(self):
        self.slept = []

    async def __call__(self, seconds):
        self.slept.append(seconds)


def transport(clock=None, latency_ms=0, day=DAY, subject=ACME):
    return SandboxTransport(subject, day, latency_ms=latency_ms, sleep=clock or Clock())


async def ask(prompt, platform="chatgpt", *, attempt=1, clock=None, timeout=60.0, country="US", **more):
    connector, connection = sandbox_connector(platform), sandbox_connection(platform)
    question = Question(prompt, country, "en")
    request = connector.request(question, connection)
    reply = await transport(clock, **more).send(request, timeout=timeout, attempt=attempt)
    if not 200 <= reply.status < 300:
        raise connector.fault(reply)
    return connector.parse(reply, question, connection)


@pytest.mark.parametrize("platform", PLATFORMS)
async def test_an_answer_arrives_complete(platform):
    connector = sandbox_connector(platform)
    assert isinstance(connector, Connector)
    assert (connector.surface, connector.vendor) == ("sandbox", "sandbox")
    assert connector.cites == (platform not in {"deepseek", "local"})
    answers = [await ask("best crm for small teams", platform, day=day) for day in days(6)]
    shown = [answer for answer in answers if answer.status == "ok"]
    assert shown and all(isinstance(answer, ProviderAnswer) for answer in answers)
    for answer in shown:
        assert answer.model == sandbox_connection(platform).model == f"sandbox-{platform}"
        assert len(answer.text) >= 20 and answer.request_id and answer.country_honoured is True
        assert bool(answer.cited) <= connector.cites
        for source in answer.cited:
            assert all(answer.text[span.start : span.end].strip() for span in source.spans)


async def test_without_a_country_nothing_is_said_about_it():
    assert (await ask("best crm", country=None)).country_honoured is None


async def test_no_surface_is_an_answer():
    answers = [await ask(f"best crm {n}", "google_ai_overviews") for n in range(60)]
    nothing = [answer for answer in answers if answer.status == "no_surface"]
    assert nothing and all(answer.text == "" for answer in nothing)


def test_a_platform_that_does_not_exist_has_no_connector():
    with pytest.raises(KeyError):
        sandbox_connector("altavista")


def test_the_connection_has_an_invalid_address_and_no_secret():
    connection = sandbox_connection("chatgpt")
    assert connection.base_url == "https://sandbox.invalid" and connection.secret == ""


async def test_a_lone_surrogate_can_be_sent():
    assert (await ask("best crm \ud800")).status == "ok"


# Magic prompts


@pytest.mark.parametrize("prompt", ["sandbox:fail", "  sandbox:fail \n", "sandbox:fail best crm", "SANDBOX:FAIL"])
@pytest.mark.parametrize("attempt", [1, 2, 5])
async def test_fail_is_a_provider_error_on_every_attempt(prompt, attempt):
    with pytest.raises(PlatformFault) as fault:
        await ask(prompt, attempt=attempt)
    assert fault.value.kind == "unavailable" and fault.value.retryable


async def test_slow_answers_after_twenty_seconds():
    clock = Clock()
    answer = await ask("sandbox:slow best crm", clock=clock, latency_ms=300)
    assert clock.slept == [20.0] and answer.status == "ok" and len(answer.text) >= 20


async def test_slow_exceeds_a_short_timeout():
    clock = Clock()
    with pytest.raises(PlatformFault) as fault:
        await ask("sandbox:slow", clock=clock, timeout=5.0)
    assert fault.value.kind == "timeout" and clock.slept == [5.0]


@pytest.mark.parametrize("attempt", [1, 2])
async def test_ratelimit_refuses_twice(attempt):
    with pytest.raises(PlatformFault) as fault:
        await ask("sandbox:ratelimit", attempt=attempt)
    assert fault.value.kind == "rate_limited" and fault.value.retry_after == 1.0


async def test_ratelimit_answers_the_third_attempt():
    assert len((await ask("sandbox:ratelimit", attempt=3)).text) > 20


async def test_refuse_is_a_valid_answer_without_brands():
    for day in days(20):
        for platform in PLATFORMS:
            answer = await ask("sandbox:refuse Is Acme good?", platform, day=day)
            assert answer.status == "ok" and len(answer.text) > 50 and "Acme" not in answer.text and not answer.cited


async def test_garbage_is_malformed():
    with pytest.raises(PlatformFault) as fault:
        await ask("sandbox:garbage")
    assert fault.value.kind == "malformed"


async def test_a_magic_prompt_is_answered_like_the_question_it_contains():
    plain = await ask("best crm for small teams")
    assert (await ask("sandbox:ratelimit best crm for small teams", attempt=3)).text == plain.text


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("sandbox:slow", ("sandbox:slow", "")),
        (" sandbox:slow  best crm ", ("sandbox:slow", "best crm")),
        ("sandbox:slower best crm", (None, "sandbox:slower best crm")),
        ("sandbox:other", (None, "sandbox:other")),
        ("what is sandbox:fail", (None, "what is sandbox:fail")),
        ("", (None, "")),
    ],
)
def test_which_prompts_are_magic(prompt, expected):
    assert split_magic(prompt) == expected


# Latency


async def test_latency_varies_by_platform_and_cell_and_is_deterministic():
    clock = Clock()
    for _ in range(2):
        for platform in PLATFORMS:
            for number in range(30):
                await ask(f"best crm {number}", platform, clock=clock, latency_ms=300)
    once, again = clock.slept[: len(clock.slept) // 2], clock.slept[len(clock.slept) // 2 :]
    assert once == again and len(set(once)) == len(once)
    assert 0.15 <= min(once) < 0.2 and 0.45 < max(once) <= 0.6
    means = [statistics.mean(once[start : start + 30]) for start in range(0, len(once), 30)]
    assert max(means) > 1.2 * min(means)


async def test_without_latency_the_event_loop_still_gets_a_turn():
    clock = Clock()
    await ask("best crm", clock=clock)
    assert clock.slept == [0.0]


def test_an_unknown_payload_is_malformed():
    reply = HttpReply(200, {}, b'{"text": "x"}')
    with pytest.raises(PlatformFault) as fault:
        sandbox_connector("chatgpt").parse(reply, Question("x"), sandbox_connection("chatgpt"))
    assert fault.value.kind == "malformed"

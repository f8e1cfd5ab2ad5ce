"""Retry delays, decisions after failures, secrets, signatures and e-mails: all that needs no database."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from standardwebhooks.webhooks import Webhook

from sightline.http.session import USER_AGENT
from sightline.kit.clock import utc_now
from sightline.kit.ids import new_id
from sightline.mail.emails import Recipient
from sightline.webhooks.deliveries.emails import build_disabled_emails
from sightline.webhooks.deliveries.models import build_delivery_job
from sightline.webhooks.deliveries.retry import RetryDecision, decide_after_failure, delay_after
from sightline.webhooks.deliveries.signing import sign_headers
from sightline.webhooks.models import EndpointHealth
from sightline.webhooks.secrets import SecretBox, SecretUnreadable, format_secret, make_secret
from tests.fakes.receiver import Received
from tests.property_testing import prove

SECONDS = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000]
NOW = datetime(2026, 11, 15, 9, 30, tzinfo=UTC)


def test_retries_after_5_s_5_min_30_min_2_h_5_h_10_h_10_h():
    assert [delay_after(attempt, 0.5).total_seconds() for attempt in range(1, 8)] == pytest.approx(SECONDS)
    assert delay_after(8, 0.5) is None


@prove
@given(st.integers(1, 7), st.floats(0, 1))
def test_with_jitter_of_a_tenth_either_way(attempt, random_share):
    seconds = delay_after(attempt, random_share).total_seconds()
    assert 0.9 * SECONDS[attempt - 1] - 0.001 <= seconds <= 1.1 * SECONDS[attempt - 1] + 0.001


def test_chance_makes_a_difference():
    assert delay_after(1, 0) < delay_after(1, 0.5) < delay_after(1, 1)


@pytest.mark.parametrize(
    ("status", "attempt", "failing_days", "verdict"),
    [
        (500, 1, None, RetryDecision(timedelta(seconds=5))),
        (None, 2, 1, RetryDecision(timedelta(minutes=5))),
        (500, 8, 1, RetryDecision(None)),
        (410, 1, None, RetryDecision(None, "gone")),
        (500, 1, 4.999, RetryDecision(timedelta(seconds=5))),
        (500, 1, 5, RetryDecision(None, "failing")),
        (410, 1, 6, RetryDecision(None, "gone")),
    ],
)
def test_what_follows_from_a_failure(status, attempt, failing_days, verdict):
    since = None if failing_days is None else NOW - timedelta(days=failing_days)
    assert decide_after_failure(status, attempt, since, 0.5, now=NOW) == verdict


def test_jobs_of_one_attempt_and_round_share_a_key():
    workspace, endpoint, delivery = new_id(), new_id(), new_id()
    keys = {(a, b): build_delivery_job(workspace, endpoint, delivery, a, before=b).key for a in (1, 2) for b in (0, 1)}
    assert len(set(keys.values())) == 4
    assert build_delivery_job(workspace, endpoint, delivery, 1, before=0, delay=timedelta(1)).key == keys[1, 0]


class TestSecrets:
    workspace, endpoint = new_id(), new_id()

    def test_a_secret_is_whsec_and_base64_of_32_random_bytes(self):
        shown = format_secret(make_secret())
        assert shown.startswith("whsec_") and len(shown) == 6 + 44
        assert shown != format_secret(make_secret())

    def test_a_secret_can_be_decrypted_only_for_its_endpoint(self):
        box, secret = SecretBox(b"k" * 40), make_secret()
        sealed = box.seal(secret, self.workspace, self.endpoint)
        assert box.open(sealed, self.workspace, self.endpoint) == secret
        assert secret not in sealed
        assert box.seal(secret, self.workspace, self.endpoint) != sealed, "never the same nonce"
        for ids in ((new_id(), self.endpoint), (self.workspace, new_id()), (self.endpoint, self.workspace)):
            with pytest.raises(SecretUnreadable):
                box.open(sealed, *ids)

    def test_another_installation_cannot_open_it(self):
        sealed = SecretBox(b"k" * 40).seal(make_secret(), self.workspace, self.endpoint)
        with pytest.raises(SecretUnreadable):
            SecretBox(b"K" * 40).open(sealed, self.workspace, self.endpoint)

    def test_the_previous_key_opens_and_the_new_one_seals(self):
        old, both, new = SecretBox(b"k" * 40), SecretBox(b"n" * 40, b"k" * 40), SecretBox(b"n" * 40)
        secret, ids = make_secret(), (self.workspace, self.endpoint)
        sealed = old.seal(secret, *ids)
        assert both.open(sealed, *ids) == secret and not both.is_current(sealed, *ids)
        sealed = both.seal(secret, *ids)
        assert new.open(sealed, *ids) == secret and both.is_current(sealed, *ids)
        with pytest.raises(SecretUnreadable):
            old.open(sealed, *ids)

    @pytest.mark.parametrize("place", [0, 1, 13, -1])
    def test_a_damaged_secret_cannot_be_decrypted(self, place):
        box = SecretBox(b"k" * 40)
        sealed = bytearray(box.seal(make_secret(), self.workspace, self.endpoint))
        sealed[place] ^= 1
        with pytest.raises(SecretUnreadable):
            box.open(bytes(sealed), self.workspace, self.endpoint)

    @pytest.mark.parametrize("sealed", [b"", b"\x01", b"\x01" + bytes(12), b"\x01" + bytes(20)])
    def test_nothing_cut_short_opens(self, sealed):
        with pytest.raises(SecretUnreadable):
            SecretBox(b"k" * 40).open(sealed, self.workspace, self.endpoint)


class TestSigning:
    def test_the_official_library_and_our_own_code_accept_the_signature(self):
        secret, body, event_id = make_secret(), '{"type":"x","data":{"name":"Zoë"}}'.encode(), new_id()
        headers = sign_headers(event_id, body, [secret], now=utc_now())
        assert Webhook(format_secret(secret)).verify(body, headers)["type"] == "x"
        assert Received("/", headers, body, ("", 0)).signed_by(format_secret(secret))
        assert not Received("/", headers, body + b" ", ("", 0)).signed_by(format_secret(secret))
        assert not Received("/", headers, body, ("", 0)).signed_by(format_secret(make_secret()))

    def test_a_known_signature(self):
        """The example of the Standard Webhooks specification's libraries."""
        import base64

        secret = base64.b64decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
        body = b'{"test": 2432232314}'
        signed = Webhook(secret).sign(
            "msg_p5jXN8AQM9LWM0D4loKWxJek", datetime.fromtimestamp(1614265330, UTC), body.decode()
        )
        assert signed == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
        headers = sign_headers(new_id(), body, [secret], now=datetime.fromtimestamp(1614265330.9, UTC))
        assert headers["webhook-timestamp"] == "1614265330"

    def test_two_secrets_give_two_signatures_separated_by_a_space(self):
        one, two = make_secret(), make_secret()
        headers = sign_headers(new_id(), b"{}", [one, two], now=NOW)
        first, second = headers["webhook-signature"].split(" ")
        assert first.startswith("v1,") and second.startswith("v1,") and first != second
        assert headers["user-agent"] == USER_AGENT


def test_the_letter_names_the_host_and_how_to_go_on():
    webhook_id = new_id()
    url = "https://user-facing.acme.com/path?token=abc"
    health = EndpointHealth("enabled", NOW, url, livemode=False, kind="webhook", description="")
    (email,) = build_disabled_emails([Recipient("owner@acme.com", None)], webhook_id, health, "failing", None)
    assert email.to == "owner@acme.com"
    assert "user-facing.acme.com" in email.subject
    assert "5 days" in email.text and str(webhook_id) in email.text and "test" in email.text
    assert "token" not in email.text + email.subject and "/path" not in email.text

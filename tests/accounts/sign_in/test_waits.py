"""Waits after failed sign-ins: who has to wait for whose failures. Passwords are not checked here."""

from datetime import timedelta

import pytest

from sightline.accounts import passwords
from sightline.accounts.sign_in.devices import is_known_device, make_device_token
from sightline.accounts.sign_in.models import FailureCount
from sightline.accounts.sign_in.sessions import change_password
from sightline.accounts.sign_in.waits import WaitRule, add_failure, attempt_sign_in, count_reset_request
from sightline.errors import Problem
from sightline.kit.ids import new_id
from tests.accounts.hashers import RecordingHasher
from tests.installation import PASSWORD_HASH, START
from tests.web.page_browser import open_browser

EMAIL = "ada@acme.com"


class Attempts:
    """Failed sign-ins with an installation's clock. `fail` returns how long the next attempt has to wait, or 0."""

    def __init__(self, installation) -> None:
        self.db, self.clock = installation.db, installation.clock

    async def fail(self, address: str, email: str = EMAIL, *, device: str | None = None, times: int = 1) -> int:
        for _ in range(times):
            try:
                await self._fail_once(address, email, device)
            except Problem as problem:
                if problem.code == "rate_limited":
                    return problem.members["retry_after"]
        return 0

    async def _fail_once(self, address: str, email: str, device: str | None) -> None:
        async with attempt_sign_in(self.db, address, email, device=device, now=self.clock()):
            raise Problem("sign_in_failed")


def test_waits_double_up_to_the_maximum_and_old_failures_are_forgotten():
    rule, count = WaitRule(first_wait_at=3, longest=60), FailureCount(new_id(), 0, START, START)
    waits = []
    for _ in range(15):
        count = add_failure(count, rule, now=count.wait_until)
        waits.append((count.wait_until - count.counted_at).total_seconds())
    assert waits[:3] == [0, 0, 2] and 3.5 < waits[3] < 4 and 55 < waits[-1] <= 60, waits
    assert sorted(waits) == waits
    later = add_failure(count, rule, now=count.counted_at + timedelta(hours=1))
    assert (later.failures, later.wait_until) == (1, later.counted_at)


async def test_a_stranger_who_fails_makes_nobody_else_wait(installation):
    attempts = Attempts(installation)
    waits = []
    for _ in range(12):
        waits.append(await attempts.fail("198.51.100.1", times=6))
        installation.clock.advance(seconds=waits[-1])
    assert waits[0] == 2 and waits[3] > 10 and waits[-1] > 900 and sorted(waits) == waits
    assert await attempts.fail("198.51.100.1") > 0 or await attempts.fail("198.51.100.1") > 0
    assert await attempts.fail("203.0.113.7", times=5) == 0, "the owner, from another network"
    assert await attempts.fail("198.51.100.1", "bob@acme.com") == 0, "another account"


async def test_one_network_that_tries_many_accounts_has_to_wait(installation):
    attempts = Attempts(installation)
    for number in range(20):
        assert await attempts.fail(f"2001:db8::{number:x}", f"user{number}@acme.com") == 0
    assert await attempts.fail("2001:db8::ffff", "new@acme.com") == 2, "an IPv6 network is one caller"
    assert await attempts.fail("2001:db8:0:1::1", "new@acme.com") == 0


async def test_many_networks_that_try_one_account_wait_but_a_known_browser_does_not(installation):
    attempts = Attempts(installation)
    for number in range(25):
        assert await attempts.fail(f"198.51.100.{number}", times=4) == 0
    assert await attempts.fail("203.0.113.7") == 2
    assert await attempts.fail("203.0.113.7", device="known", times=5) == 0
    assert await attempts.fail("203.0.113.7", device="known") == 2, "its own failures make it wait"
    assert await attempts.fail("203.0.113.7", device="another") == 0


async def test_success_takes_the_attempt_back(installation):
    attempts = Attempts(installation)
    for _ in range(30):
        async with attempt_sign_in(attempts.db, "203.0.113.7", EMAIL, now=attempts.clock()):
            pass
        with pytest.raises(Problem, match="too many passwords"):
            async with attempt_sign_in(attempts.db, "203.0.113.7", EMAIL, now=attempts.clock()):
                raise Problem("rate_limited", "The server is checking too many passwords.")
    assert await attempts.fail("203.0.113.7", times=5) == 0


async def test_requests_for_reset_links_wait_by_account_and_by_network(installation):
    async def request(address: str, email: str) -> None:
        await count_reset_request(installation.db, address, email, now=installation.clock())

    for number in range(3):
        await request(f"198.51.100.{number}", EMAIL)
    with pytest.raises(Problem, match="rate_limited"):
        await request("203.0.113.7", EMAIL)
    for number in range(10):
        await request("203.0.113.7", f"user{number}@acme.com")
    with pytest.raises(Problem, match="rate_limited"):
        await request("203.0.113.7", "new@acme.com")
    assert await Attempts(installation).fail("203.0.113.7") == 0, "signing in is not concerned"


async def test_a_browser_that_signed_in_is_known_until_the_password_changes(installation):
    user, other = await installation.user(), await installation.user()
    db, key, now = installation.db, installation.app_context.settings.signing_key, installation.clock()
    token = await make_device_token(db, user.id, key, now=now)
    assert await is_known_device(db, user.email, token, key, now=now + timedelta(days=180))
    assert not await is_known_device(db, user.email, token, key, now=now + timedelta(days=181))
    assert not await is_known_device(db, other.email, token, key, now=now)
    assert await is_known_device(db, user.email, token, b"a new key of the installation", key, now=now)
    assert not await is_known_device(db, user.email, token, b"another key of the installation", now=now)
    for forged in (None, "", "x", "é", token[:-1], f"{token}A", token.swapcase()):
        assert not await is_known_device(db, user.email, forged, key, now=now), forged
    async with db.transaction() as tx:
        await change_password(tx, user.id, PASSWORD_HASH + "=")
    assert not await is_known_device(db, user.email, token, key, now=now)


async def test_a_password_is_verified_once_for_known_and_unknown_accounts(installation, monkeypatch):
    """Verifying takes nearly all of the time, so both take the same."""
    user, verified = (await installation.tenant()).owner, []

    class Verifier(RecordingHasher):
        def verify(self, stored: str, password: str) -> bool:
            verified.append(password)
            return super().verify(stored, password)

    # How long a sign-in takes depends on how often it hashes, which cannot be seen from outside.
    monkeypatch.setattr(passwords, "hasher", Verifier())
    async with open_browser(installation) as browser:
        for email in (user.email, "nobody@acme.com"):
            answer = await browser.post("/sign-in", data={"email": email, "password": "wrong"})
            assert (answer.status_code, verified) == (401, ["wrong"]), email
            verified.clear()


async def test_an_unknown_browser_has_to_wait_and_a_known_browser_can_sign_in(installation):
    """The same address tries and signs in, as in one office."""
    user = (await installation.tenant()).owner
    right, wrong = ({"email": user.email, "password": each} for each in ("correct horse battery", "wrong"))
    async with open_browser(installation) as known, open_browser(installation) as stranger:
        first = await known.post("/sign-in", data=right)
        assert first.status_code == 303 and len(first.headers.get_list("set-cookie")) == 2
        device = first.headers.get_list("set-cookie")[1]
        assert device.startswith("sightline_device=") and "HttpOnly" in device and "SameSite=Lax" in device
        for email in (user.email, "nobody@acme.com"):
            answers = [await stranger.post("/sign-in", data={**wrong, "email": email}) for _ in range(6)]
            assert [answer.status_code for answer in answers] == [401] * 5 + [429]
            assert answers[-1].headers["retry-after"] == "2" and "Try again in 2 seconds" in answers[-1].text
        assert (await stranger.post("/sign-in", data=right)).status_code == 429
        assert (await known.post("/sign-in", data=right)).status_code == 303

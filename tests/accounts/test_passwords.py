"""Decisions 2: passwords are hashed with argon2id and 64 MiB. Other tests use cheaper parameters: see `conftest.py`."""

import asyncio
import importlib.util
import time

import pytest
from argon2 import Type, extract_parameters

from sightline.accounts import passwords
from sightline.errors import Problem
from tests.accounts.hashers import BlockingHasher


def test_passwords_are_hashed_with_argon2id_and_64_mib():
    spec = importlib.util.find_spec(passwords.__name__)
    fresh = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(fresh)
    used = extract_parameters(fresh.hash_now("correct horse battery"))
    assert used.type is Type.ID and used.memory_cost >= 65_536 and used.time_cost >= 2


async def test_two_passwords_are_hashed_at_a_time_32_wait_and_the_next_is_refused(monkeypatch):
    """The event loop stays free: this test goes on while threads hash."""
    hasher = BlockingHasher()
    # Hashing has to last until the queue is full.
    monkeypatch.setattr(passwords, "hasher", hasher)
    accepted = [asyncio.create_task(passwords.hash_password("correct horse")) for _ in range(34)]
    await hasher.wait_until_running(2)
    for refused in (passwords.hash_password("one more"), passwords.verify_password(None, "one more")):
        with pytest.raises(Problem) as refusal:
            await refused
        assert (refusal.value.kind.status, refusal.value.members) == (429, {"retry_after": 5})
    assert len(hasher.hashed) == 2
    hasher.finish.set()
    assert len(await asyncio.gather(*accepted)) == 34
    assert await passwords.hash_password("there is a place again")


@pytest.mark.parametrize(
    "password",
    [
        "password12", "qwertyuiop", "1234567890", "iloveyou123", "Passw0rd2026", "liverpoolfc", "aaaaaaaaaaaaaaa",
        "Summer2026!", "1234567890!@#$%^&*()", "passwordpasswordpasswordpassword", "ada.lovelace1", "example2026",
        "s1ghtl1ne42", "My Sightline is a long passphrase", "ADA.LOVELACE@example.com and more words",
    ],
)  # fmt: skip
def test_common_passwords_and_those_with_the_email_address_or_product_name_are_refused(password):
    with pytest.raises(Problem, match=r"new_password (is too easy to guess|must not contain your e-mail address)"):
        passwords.require_strong_now(password, "new_password", email="ada.lovelace@example.com")


@pytest.mark.parametrize(
    "password", ["correct horse battery", "tr0ub4dor&3x", "4@8({[<369!1|705$+%2" * 50, "ünïcödé wörds hérè"]
)
def test_long_passwords_and_unusual_characters_are_accepted_quickly(password):
    began = time.perf_counter()
    passwords.require_strong_now(password, email="ada.lovelace@example.com")
    assert time.perf_counter() - began < 5, "the estimate would take minutes for the longest one"

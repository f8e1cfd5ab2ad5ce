"""Decisions 2: passwords are hashed with argon2id and 64 MiB. Other tests use cheaper parameters: see `conftest.py`."""

import importlib.util

from argon2 import Type, extract_parameters

from sightline.accounts import passwords


def test_passwords_are_hashed_with_argon2id_and_64_mib():
    spec = importlib.util.find_spec(passwords.__name__)
    fresh = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(fresh)
    used = extract_parameters(fresh.hash_now("correct horse battery"))
    assert used.type is Type.ID and used.memory_cost >= 65_536 and used.time_cost >= 2

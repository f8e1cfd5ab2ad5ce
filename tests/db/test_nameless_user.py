"""PostgreSQL's programs under a user id without an account."""

import os
from pathlib import Path

import pytest

from sightline.db.embedded.account import EmbeddedError, SystemAccount, find_account, name_user

NAMELESS = SystemAccount(1_234_567, 89, "1234567")


def test_a_user_with_an_account_needs_nothing():
    with name_user(find_account(os.geteuid())) as variables:
        assert variables == {}


def test_a_user_without_one_gets_a_name_while_the_program_runs(tmp_path):
    library = tmp_path / "x86_64-linux-gnu/libnss_wrapper.so"
    library.parent.mkdir()
    library.touch()
    with name_user(NAMELESS, tmp_path) as variables:
        assert variables["LD_PRELOAD"] == str(library)
        users = Path(variables["NSS_WRAPPER_PASSWD"])
        assert users.read_text().split(":")[:4] == ["sightline", "x", "1234567", "89"]
        assert Path(variables["NSS_WRAPPER_GROUP"]).read_text() == "sightline:x:89:\n"
    assert not users.exists()


def test_without_the_library_the_refusal_says_what_to_do(tmp_path):
    with pytest.raises(EmbeddedError) as refused, name_user(NAMELESS, tmp_path):
        pass
    for part in ("user id 1234567 has no account", "libnss-wrapper", "SIGHTLINE_DATABASE_URL"):
        assert part in str(refused.value)

"""Child processes get what a program needs to run, and none of our settings."""

from sightline.kit.child_environment import build_child_environment


def test_secrets_stay_and_what_a_program_needs_goes_along():
    needed = {"PATH": "/bin", "HOME": "/home/me", "LC_ALL": "C", "PYTHONPATH": "/src", "LD_LIBRARY_PATH": "/lib"}
    secrets = {"SIGHTLINE_SECRET_KEY": "s", "SIGHTLINE_DATABASE_URL": "s", "PGPASSWORD": "s", "STRIPE_KEY": "s"}
    assert build_child_environment({**needed, **secrets}) == needed

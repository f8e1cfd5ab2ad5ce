"""A user id without an account, as containers often have it.

PostgreSQL's initdb looks its user up and gives up if there is none. The library nss_wrapper answers such questions from
a file instead.
"""

import pwd
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .account import SystemAccount
from .errors import DATABASE_HINT, EmbeddedError

_LIBRARY = "libnss_wrapper.so"


@contextmanager
def name_user(account: SystemAccount, libraries: Path = Path("/usr/lib")) -> Iterator[dict[str, str]]:
    """Provide the environment variables that give the account a name: none if it has one."""
    if _has_name(account):
        yield {}
        return
    with tempfile.TemporaryDirectory(prefix="sightline-user-") as folder:
        users, groups = Path(folder, "passwd"), Path(folder, "group")
        users.write_text(f"sightline:x:{account.uid}:{account.gid}:Sightline:/:/bin/false\n")
        groups.write_text(f"sightline:x:{account.gid}:\n")
        yield {
            "LD_PRELOAD": str(_find_library(account, libraries)),
            "NSS_WRAPPER_PASSWD": str(users),
            "NSS_WRAPPER_GROUP": str(groups),
        }


def _has_name(account: SystemAccount) -> bool:
    try:
        pwd.getpwuid(account.uid)
    except KeyError:
        return False
    return True


def _find_library(account: SystemAccount, libraries: Path) -> Path:
    for found in (*libraries.glob(_LIBRARY), *libraries.glob(f"*/{_LIBRARY}")):
        return found
    raise EmbeddedError(
        f"PostgreSQL cannot create its cluster: the user id {account.uid} has no account on this system. "
        f"Run Sightline as a user with an account, or install {_LIBRARY} (Debian: libnss-wrapper). {DATABASE_HINT}"
    )

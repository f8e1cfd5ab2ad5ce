"""The account that PostgreSQL runs as: ours, or an unprivileged one when we are root, which PostgreSQL refuses."""

import grp
import os
import pwd
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import structlog

log = structlog.get_logger()

HELPER = "sightline"
DATABASE_HINT = "You can also set SIGHTLINE_DATABASE_URL to a PostgreSQL 15 or newer of your own."
_NSS_WRAPPER = "libnss_wrapper.so"


class EmbeddedError(Exception):
    """The embedded database cannot be used. The message says why, and what to do."""


class SystemAccount(NamedTuple):
    uid: int
    gid: int
    name: str

    @property
    def is_us(self) -> bool:
        return self.uid == os.geteuid()

    def run(
        self, *command: object, text: str = "", variables: Mapping[str, str] | None = None, failure: str = ""
    ) -> subprocess.CompletedProcess[str]:
        """Run a command as this account, in its own session, so that Ctrl-C in our terminal does not reach it.

        The environment has only PATH, LC_ALL and `variables`: PG* would change the server, and ours may hold secrets.
        Raises `EmbeddedError` if the command cannot be run and, with a text for it, if it fails.
        """
        other: dict[str, Any] = {} if self.is_us else {"user": self.uid, "group": self.gid, "extra_groups": []}
        try:
            done = subprocess.run(  # noqa: S603 - PostgreSQL's programs, and /bin/sh with our scripts
                [str(part) for part in command],
                check=False,
                input=text,
                capture_output=True,
                text=True,
                errors="replace",
                cwd="/",
                env={"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C", **(variables or {})},
                umask=0o077,
                start_new_session=True,
                **other,
            )
        except OSError as error:
            raise EmbeddedError(f"{command[0]} cannot be run as {self.name}: {error}.") from error
        if failure and done.returncode:
            raise EmbeddedError(f"{failure}: {(done.stderr or done.stdout).strip()}")
        return done

    def write(self, path: Path, content: str) -> None:
        """Replace a file in one step as this account: root must not follow links in folders of others."""
        script = 'cat >"$1.new" && mv -f "$1.new" "$1"'
        self.run("/bin/sh", "-c", script, "sh", path, text=content, failure=f"{path} cannot be written as {self.name}")

    def make_dir(self, path: Path) -> None:
        """Create a private folder of this account. It must not exist yet."""
        path.mkdir(mode=0o700)
        if not self.is_us:
            os.chown(path, self.uid, self.gid, follow_symlinks=False)

    def can_enter(self, folder: Path) -> bool:
        return self.run("/bin/sh", "-c", 'test -x "$1"', "sh", folder).returncode == 0

    def can_run(self, program: Path) -> bool:
        return self.run("/bin/sh", "-c", '"$1" --version', "sh", program).returncode == 0


def find_account(uid: int) -> SystemAccount:
    try:
        entry = pwd.getpwuid(uid)
    except KeyError:
        return SystemAccount(uid, os.getegid() if uid == os.geteuid() else uid, str(uid))
    return SystemAccount(uid, entry.pw_gid, entry.pw_name)


def find_helper() -> SystemAccount | None:
    """Return the account that PostgreSQL runs as if we are root, if it exists."""
    try:
        entry = pwd.getpwnam(HELPER)
    except KeyError:
        return None
    if entry.pw_uid == 0:
        raise EmbeddedError(f"The account {HELPER} is root, which PostgreSQL refuses. {DATABASE_HINT}")
    return SystemAccount(entry.pw_uid, entry.pw_gid, HELPER)


def ensure_helper() -> SystemAccount:
    """Return the helper account, creating it if it is missing. Another process may be creating it."""
    complaint = "useradd is not installed"
    path = os.pathsep.join((os.environ.get("PATH", os.defpath), "/usr/sbin", "/sbin"))
    for _ in range(20):
        if helper := find_helper():
            return helper
        if useradd := shutil.which("useradd", path=path):
            group = ["--gid", HELPER] if any(group.gr_name == HELPER for group in grp.getgrall()) else []
            command = [useradd, "--system", "--no-create-home", "--shell", "/usr/sbin/nologin", *group, HELPER]
            done = subprocess.run(command, check=False, capture_output=True, text=True, stdin=subprocess.DEVNULL)  # noqa: S603
            if done.returncode == 0:
                log.warning("system_account_created", account=HELPER, reason="PostgreSQL refuses to run as root")
                continue
            complaint = done.stderr.strip()
            time.sleep(0.1)
    raise EmbeddedError(
        f"PostgreSQL refuses to run as root, and the system account {HELPER} cannot be created ({complaint}). "
        f"Create it, or run Sightline as an ordinary user. {DATABASE_HINT}"
    )


@contextmanager
def name_user(account: SystemAccount, libraries: Path = Path("/usr/lib")) -> Iterator[dict[str, str]]:
    """Provide variables that give a uid without an account a name from a file: containers have it, initdb needs it."""
    if find_account(account.uid).name != str(account.uid):
        yield {}
        return
    found = [*libraries.glob(_NSS_WRAPPER), *libraries.glob(f"*/{_NSS_WRAPPER}")]
    if not found:
        raise EmbeddedError(
            f"PostgreSQL cannot create its cluster: the user id {account.uid} has no account on this system. Run "
            f"Sightline as a user with an account, or install {_NSS_WRAPPER} (Debian: libnss-wrapper). {DATABASE_HINT}"
        )
    with tempfile.TemporaryDirectory(prefix="sightline-user-") as folder:
        users, groups = Path(folder, "passwd"), Path(folder, "group")
        users.write_text(f"sightline:x:{account.uid}:{account.gid}:Sightline:/:/bin/false\n")
        groups.write_text(f"sightline:x:{account.gid}:\n")
        yield {"LD_PRELOAD": str(found[0]), "NSS_WRAPPER_PASSWD": str(users), "NSS_WRAPPER_GROUP": str(groups)}

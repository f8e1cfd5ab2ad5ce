"""The account that PostgreSQL runs as: ours, or an unprivileged one when we are root, which PostgreSQL refuses."""

import grp
import os
import pwd
import shutil
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import structlog

from .errors import DATABASE_HINT, EmbeddedError

log = structlog.get_logger()

HELPER = "sightline"
_SEARCH = 0o1
_READ_AND_SEARCH = 0o5


@dataclass(frozen=True)
class SystemAccount:
    uid: int
    gid: int
    name: str

    @property
    def is_us(self) -> bool:
        return self.uid == os.geteuid()

    def run(
        self,
        *command: str | Path,
        text: str = "",
        cwd: Path = Path("/"),
        variables: Mapping[str, str] | None = None,
    ) -> subprocess.CompletedProcess[str]:
        """Run a command as this account, in its own session, so that Ctrl-C in our terminal does not reach it.

        The environment has only PATH, LC_ALL and `variables`: PG* would change the server, and ours may hold secrets.
        """
        try:
            return subprocess.run(  # noqa: S603 - PostgreSQL's programs, and /bin/sh with our scripts
                [str(part) for part in command],
                check=False,
                input=text,
                capture_output=True,
                text=True,
                errors="replace",
                cwd=cwd,
                env={"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C", **(variables or {})},
                umask=0o077,
                start_new_session=True,
                user=None if self.is_us else self.uid,
                group=None if self.is_us else self.gid,
                extra_groups=None if self.is_us else [],
            )
        except OSError as error:
            raise EmbeddedError(f"{command[0]} cannot be run as {self.name}: {error}.") from error

    def write(self, path: Path, content: str) -> None:
        """Replace a file in one step as this account: root must not follow links in folders of others."""
        script = 'cat >"$1.new" && mv -f "$1.new" "$1"'
        done = self.run("/bin/sh", "-c", script, "sh", path, text=content)
        if done.returncode:
            raise EmbeddedError(f"{path} cannot be written as {self.name}: {done.stderr.strip()}")

    def make_dir(self, path: Path) -> None:
        """Create a private folder of this account. It must not exist yet."""
        path.mkdir(mode=0o700)
        if not self.is_us:
            os.chown(path, self.uid, self.gid, follow_symlinks=False)

    def can_enter(self, folder: Path) -> bool:
        """Return whether the mode bits let this account search the folder and all of its parents."""
        return all(self._is_allowed(part, _SEARCH) for part in (folder, *folder.parents))

    def can_execute(self, program: Path) -> bool:
        return self.can_enter(program.parent) and self._is_allowed(program, _READ_AND_SEARCH)

    def _is_allowed(self, path: Path, bits: int) -> bool:
        if self.is_us:
            return os.access(path, os.X_OK)
        status = path.stat()
        shift = 6 if status.st_uid == self.uid else 3 if status.st_gid == self.gid else 0
        return (status.st_mode >> shift) & bits == bits


def find_account(uid: int) -> SystemAccount:
    try:
        entry = pwd.getpwuid(uid)
    except KeyError:
        # Containers often run with a uid that has no account.
        return SystemAccount(uid, os.getegid() if uid == os.geteuid() else uid, str(uid))
    return SystemAccount(uid, entry.pw_gid, entry.pw_name)


def has_helper() -> bool:
    try:
        pwd.getpwnam(HELPER)
    except KeyError:
        return False
    return True


def find_helper() -> SystemAccount | None:
    try:
        entry = pwd.getpwnam(HELPER)
    except KeyError:
        return None
    if entry.pw_uid == 0:
        raise EmbeddedError(
            f"The account {HELPER} is root under another name, and PostgreSQL refuses root. {DATABASE_HINT}"
        )
    return SystemAccount(entry.pw_uid, entry.pw_gid, HELPER)


def ensure_helper() -> SystemAccount:
    """Return the helper account, creating it if it is missing. Another process may be creating it."""
    complaint = ""
    for attempt in range(20):
        if helper := find_helper():
            return helper
        if attempt:
            # The process that holds the lock of the password file may be creating the account.
            time.sleep(0.1)
        complaint = _add_helper()
    if helper := find_helper():
        return helper
    raise EmbeddedError(
        f"PostgreSQL refuses to run as root, and the system account {HELPER} cannot be made ({complaint}). "
        f"Create it, or run Sightline as an ordinary user. {DATABASE_HINT}"
    )


def _add_helper() -> str:
    """Try once to create the account. Return the error message of the tool, empty on success."""
    if useradd := shutil.which("useradd", path=_admin_path()):
        command = [useradd, "--system", "--no-create-home", "--shell", "/usr/sbin/nologin"]
        if _group_exists():
            command += ["--gid", HELPER]
    elif adduser := shutil.which("adduser", path=_admin_path()):
        command = [adduser, "-S", "-D", "-H"]
    else:
        return "neither useradd nor adduser is here"
    command.append(HELPER)
    done = subprocess.run(command, check=False, capture_output=True, text=True, stdin=subprocess.DEVNULL)  # noqa: S603
    if done.returncode == 0:
        log.warning("system_account_created", account=HELPER, reason="PostgreSQL refuses to run as root")
    return done.stderr.strip()


def _group_exists() -> bool:
    try:
        grp.getgrnam(HELPER)
    except KeyError:
        return False
    return True


def _admin_path() -> str:
    return os.pathsep.join((os.environ.get("PATH", os.defpath), "/usr/sbin", "/sbin"))

"""The settings of an installation: environment variables with the prefix SIGHTLINE_, and what operators saved.

Each setting with its default and its description is in `fields.py`.
"""

import os
import re
import secrets
import warnings
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from pydantic import PrivateAttr, SecretStr, ValidationInfo, field_validator, model_validator
from pydantic_settings import SettingsConfigDict

from sightline.kit.addresses import is_loopback
from sightline.kit.email_addresses import is_email_address
from sightline.settings.fields import SettingFields, SettingsError

__all__ = ["FORMER_NAMES", "REMOVED", "Settings", "SettingsError"]

# Environment variables under their names of the previous release. They are read for one more release, with a warning.
FORMER_NAMES = {"SIGHTLINE_READER_PROCESSES": "analyzer_processes", "SIGHTLINE_JOB_HEARTBEAT": "worker_timeout"}
_FIXED = "it is no longer a setting, and the value is fixed"
# Environment variables of the previous release that no longer have an effect, and why.
REMOVED = {
    "SIGHTLINE_PLATFORM_SHARE": "workspaces share a platform's calls evenly, and one alone may use all of them",
    "SIGHTLINE_SIGN_IN_RATE_PER_MINUTE": "after failed sign-ins the next attempt waits longer each time",
    "SIGHTLINE_STREAMS_PER_KEY": f"{_FIXED}, 10 open event streams",
    "SIGHTLINE_STREAMS_PER_WORKSPACE": f"{_FIXED}, 50 open event streams",
    "SIGHTLINE_STREAMS_PER_PROCESS": f"{_FIXED}, 1,000 open event streams",
    "SIGHTLINE_STREAM_LIFETIME": f"{_FIXED}, 600 seconds",
    "SIGHTLINE_PLATFORM_CONCURRENCY_FLOOR": f"{_FIXED}, one call",
    "SIGHTLINE_BOOTSTRAP_LIFETIME": f"{_FIXED}, 7 days",
    "SIGHTLINE_USAGE_CACHE": f"{_FIXED}, 60 seconds",
    "SIGHTLINE_THEME_JUDGE": "the editor sorts themes in every language. To choose its platform, set SIGHTLINE_EDITOR",
    "SIGHTLINE_SENTIMENT_JUDGE": "sentiment comes from the trained model alone. To choose the platform that sorts "
    "themes, set SIGHTLINE_EDITOR",
}


_SECRET_KEY_LENGTH = 32
_MIN_SEAL_DAYS = 35
_MAKE_KEY = 'Make one with: python3 -c "import secrets; print(secrets.token_urlsafe(32))"'


class Settings(SettingFields):
    """The settings of an installation, read from the environment."""

    model_config = SettingsConfigDict(env_prefix="SIGHTLINE_", env_ignore_empty=True, frozen=True, extra="ignore")

    _saved: dict[str, Any] = PrivateAttr(default_factory=dict)
    """What operators saved in the database, and what these values replace here."""
    _replaced: dict[str, Any] = PrivateAttr(default_factory=dict)
    _sandbox_ended: bool = PrivateAttr(default=False)
    _revision: int = PrivateAttr(default=0)

    @field_validator("payload_store", "payload_store_former")
    @classmethod
    def _check_payload_store(cls, value: str | None) -> str | None:
        if value in (None, "database") or re.fullmatch(r"file:(//)?/.+|s3://[^/\s]+(/\S*)?", str(value)):
            return value
        raise ValueError("must be database, file:/a/folder or s3://bucket/folder")

    @field_validator("payload_store_former")
    @classmethod
    def _refuse_same_store(cls, former: str | None, info: ValidationInfo) -> str | None:
        """Refuse the current store as the former one: whatever is moved is deleted from the former store."""
        current = info.data.get("payload_store", "database")
        if former in (None, "database") or _locate_store(str(former)) != _locate_store(current):
            return former
        raise ValueError("must be another place than SIGHTLINE_PAYLOAD_STORE. Unset it if you use this store again")

    @model_validator(mode="before")
    @classmethod
    def _read_former_names(cls, values: dict[str, Any]) -> dict[str, Any]:
        """Read variables that still have their former name, and warn about those that no longer have an effect.

        The new name wins where both are set.
        """
        for former, field in FORMER_NAMES.items():
            if value := os.environ.get(former):
                name = f"SIGHTLINE_{field.upper()}"
                warnings.warn(f"{former} is now called {name}. Rename it.", FutureWarning, stacklevel=2)
                values.setdefault(field, value)
        for removed, reason in REMOVED.items():
            if os.environ.get(removed):
                warnings.warn(f"{removed} has no effect: {reason}. Remove it.", FutureWarning, stacklevel=2)
        return values

    @field_validator("seal_answers_after_days")
    @classmethod
    def _keep_recent_answers(cls, days: int | None) -> int | None:
        if days in (None, 0) or days >= _MIN_SEAL_DAYS:
            return days
        raise ValueError(f"must be 0 or at least {_MIN_SEAL_DAYS}: newer answers are compared and analyzed again")

    @field_validator("operator_email")
    @classmethod
    def _require_one_address(cls, address: str | None) -> str | None:
        if address is not None and not is_email_address(address):
            raise ValueError("must be one e-mail address")
        return address

    @model_validator(mode="after")
    def _require_whole_provider(self) -> "Settings":
        if self.oidc_issuer is not None and not (self.oidc_client_id and self.oidc_client_secret):
            raise ValueError("SIGHTLINE_OIDC_ISSUER needs SIGHTLINE_OIDC_CLIENT_ID and SIGHTLINE_OIDC_CLIENT_SECRET")
        return self

    @field_validator("data_dir", "backup_folder", "backup_passphrase_file")
    @classmethod
    def _make_absolute(cls, path: Path | None) -> Path | None:
        return None if path is None else path.expanduser().absolute()

    @field_validator("secret_key")
    @classmethod
    def _refuse_short_key(cls, key: SecretStr | None) -> SecretStr | None:
        if key is not None and len(key.get_secret_value().strip()) < _SECRET_KEY_LENGTH:
            raise ValueError(f"must have {_SECRET_KEY_LENGTH} characters or more. {_MAKE_KEY}")
        return key

    def is_set_by_environment(self, name: str) -> bool:
        """Return whether the environment sets this value, which then wins over a saved one."""
        value = self._replaced.get(name, getattr(self, name))
        text = value.get_secret_value() if isinstance(value, SecretStr) else value
        return name in self.model_fields_set and (bool(text.strip()) if isinstance(text, str) else text is not None)

    def use_saved(
        self, values: Mapping[str, Any], *, prices: Mapping[str, Mapping[str, float]], sandbox_ended: bool
    ) -> bool:
        """Use what operators saved where the environment sets nothing, and return whether that changed anything.

        It replaces everything that was saved before. Prices are merged by platform.
        """
        self._sandbox_ended = sandbox_ended
        saved = {**values, "platform_prices": dict(prices)}
        if saved == (self._saved or {"platform_prices": {}}):
            return False
        self.__dict__.update(self._replaced)
        self._saved, self._replaced = saved, {"platform_prices": self.platform_prices}
        self._replaced |= {name: getattr(self, name) for name in values if not self.is_set_by_environment(name)}
        self.__dict__.update({name: saved[name] for name in self._replaced})
        self.__dict__["platform_prices"] = {**prices, **self._replaced["platform_prices"]}
        self._revision += 1
        return True

    @property
    def environment_prices(self) -> Mapping[str, Mapping[str, float]]:
        """Return the prices that the environment sets, by platform."""
        found: Mapping[str, Mapping[str, float]] = self._replaced.get("platform_prices", self.platform_prices)
        return found

    @property
    def sandbox_ended(self) -> bool:
        """Return whether a platform was ever connected, as the database says."""
        return self._sandbox_ended

    @property
    def revision(self) -> int:
        """Return a number that changes whenever a saved value does."""
        return self._revision

    @property
    def is_embedded(self) -> bool:
        return self.database_url is None

    @property
    def public_url(self) -> str:
        if self.base_url:
            return self.base_url.rstrip("/")
        host = "127.0.0.1" if self.host in {"0.0.0.0", "::"} else self.host  # noqa: S104 - compared, not bound
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}"

    @property
    def is_public(self) -> bool:
        """Return whether others reach the service: it listens beyond this machine, or has an address beyond it."""
        return not (is_loopback(self.host) and is_loopback(urlsplit(self.public_url).hostname or ""))

    @property
    def is_https(self) -> bool:
        return self.public_url.startswith("https://")

    @cached_property
    def signing_key(self) -> bytes:
        """Return the secret that signs cursors and tokens; with an embedded database it is generated once."""
        if self.secret_key is not None and (key := self.secret_key.get_secret_value().strip()):
            return key.encode()
        if not self.is_embedded:
            raise SettingsError(
                f"SIGHTLINE_SECRET_KEY must be set when SIGHTLINE_DATABASE_URL is: all processes share it. {_MAKE_KEY}"
            )
        stored = _read_or_make_secret(self.data_dir / "secret_key")
        if len(stored) >= _SECRET_KEY_LENGTH:
            return stored
        raise SettingsError(
            f"{self.data_dir / 'secret_key'} is too short or empty. Set SIGHTLINE_SECRET_KEY to a new key, and "
            "SIGHTLINE_SECRET_KEY_PREVIOUS to what is in the file, if anything is."
        )

    @cached_property
    def signing_keys(self) -> tuple[bytes, ...]:
        """Return the keys whose signatures and seals are accepted. The first one signs and seals."""
        previous = self.secret_key_previous.get_secret_value().strip() if self.secret_key_previous else ""
        return (self.signing_key, previous.encode()) if previous else (self.signing_key,)


def _locate_store(address: str) -> str:
    """Return the same text for every spelling of the address of one store."""
    kind, _, path = address.partition(":")
    path = f"/{path.strip('/')}"
    return f"{kind}:{os.path.realpath(path) if kind == 'file' else path}"


def _read_or_make_secret(path: Path) -> bytes:
    if path.exists():
        return path.read_text().strip().encode()
    # As root, PostgreSQL runs as another user and needs to pass through the directory, but not to list it.
    path.parent.mkdir(mode=0o711 if os.geteuid() == 0 else 0o700, parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(secrets.token_urlsafe(32))
    try:
        os.link(draft, path)  # fails when another process was faster: its secret is then used
    except FileExistsError:
        pass
    finally:
        draft.unlink()
    return path.read_text().strip().encode()

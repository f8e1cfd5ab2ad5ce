"""Environment variables that look like a setting but are none, such as one with a spelling mistake."""

import re
from collections.abc import Iterable, Mapping

import msgspec

from sightline.settings import FORMER_NAMES, REMOVED, Settings

_PREFIX = "SIGHTLINE_"
# Read by other parts of the product: the SDK, compose.yaml, the embedded PostgreSQL, tests, and scripts.
_OTHER_NAMES = {
    "SIGHTLINE_API_KEY",
    "SIGHTLINE_DATA_KEY",
    "SIGHTLINE_EMBEDDED_FAST",
    "SIGHTLINE_HOST_NAME",
    "SIGHTLINE_IMAGE",
    "SIGHTLINE_ROOT_STORE",
}
_OTHER_PREFIXES = ("SIGHTLINE_TEST_", "SIGHTLINE_TRY_")
# Kubernetes sets such variables for each service whose name begins with "sightline".
_KUBERNETES_NAME = re.compile(r"\w+(_SERVICE_HOST|_SERVICE_PORT\w*|_PORT_\d+_(TCP|UDP|SCTP)\w*)")
_KUBERNETES_VALUE = re.compile(r"(tcp|udp|sctp)://")


class UnknownName(msgspec.Struct, frozen=True):
    """A variable that nothing reads, and the setting whose name is most similar."""

    name: str
    nearest: str


def find_unknown_names(environment: Mapping[str, str]) -> list[UnknownName]:
    """Return the variables with our prefix that no part of the product reads, by name. Values are never returned."""
    settings = {f"{_PREFIX}{field.upper()}" for field in Settings.model_fields}
    known = settings | set(FORMER_NAMES) | set(REMOVED) | _OTHER_NAMES
    unknown = [
        name
        for name, value in environment.items()
        if name.upper().startswith(_PREFIX)
        and name.upper() not in known
        and not name.upper().startswith(_OTHER_PREFIXES)
        and not _is_from_kubernetes(name, value)
    ]
    return [UnknownName(name, _find_nearest(name, settings)) for name in sorted(unknown)]


def _is_from_kubernetes(name: str, value: str) -> bool:
    return bool(_KUBERNETES_NAME.fullmatch(name) or _KUBERNETES_VALUE.match(value))


def _find_nearest(name: str, settings: Iterable[str]) -> str:
    from rapidfuzz import process  # rarely needed, and takes a while to import
    from rapidfuzz.distance import JaroWinkler

    wanted = name.upper().removeprefix(_PREFIX)
    choices = sorted(each.removeprefix(_PREFIX) for each in settings)
    nearest, *_ = process.extractOne(wanted, choices, scorer=JaroWinkler.normalized_similarity)
    return _PREFIX + nearest

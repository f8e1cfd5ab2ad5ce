"""The names of the roles, as people read them."""

from collections.abc import Mapping

from sightline.accounts.models import Role
from sightline.presentation.language import gettext, translatable

_NAMES: Mapping[Role, str] = {
    Role.GUEST: translatable("Guest"),
    Role.VIEWER: translatable("Viewer"),
    Role.EDITOR: translatable("Editor"),
    Role.ADMIN: translatable("Admin"),
    Role.OWNER: translatable("Owner"),
}


def name_role(role: Role) -> str:
    """Return the name of a role in the reader's language."""
    return gettext(_NAMES[role])

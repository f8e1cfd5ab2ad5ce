"""The platform that edits insights: which one the settings choose, and how it is asked.

It is asked like the platforms that a check measures, through the same gates and limits. Its calls are counted as the
editor's.
"""

import msgspec

from sightline.platforms import access
from sightline.platforms.access import Access
from sightline.platforms.catalog import PLATFORMS
from sightline.platforms.models import Outcome, Question, Usage
from sightline.platforms.pricing import compute_cost
from sightline.scans.platform_clients import PlatformClients, list_advisors, open_sandbox_clients
from sightline.scans.stored import ScanRow
from sightline.settings import Settings, SettingsError

_AUTO, _OFF = "auto", "off"


class EditorChoice(msgspec.Struct, frozen=True):
    """A platform, and its model if it is not the one that the platform is measured with."""

    platform: str
    model: str | None = None


def read_editor_setting(settings: Settings) -> EditorChoice | None:
    """Return what `SIGHTLINE_EDITOR` names; None for `auto` and `off`. Refused: a platform that does not exist."""
    if settings.editor in {_AUTO, _OFF}:
        return None
    platform, _, model = settings.editor.partition(":")
    if platform not in {each.key for each in PLATFORMS}:
        raise SettingsError(
            f"SIGHTLINE_EDITOR is {settings.editor!r}. Set it to auto, off, a platform or PLATFORM:MODEL."
        )
    return EditorChoice(platform, model or None)


def choose_editor(settings: Settings, connections: Access) -> EditorChoice | None:
    """Return the editor: what the settings name, or by `auto` the first language model of the catalog.

    None where the editor is off, or where no platform, or not the named one, can edit. The settings may pause some.
    """
    if settings.editor == _OFF:
        return None
    paused = access.find_paused_by_settings(settings)
    able = [key for key in list_advisors(connections) if key not in paused]
    named = read_editor_setting(settings)
    if named is not None:
        return named if named.platform in able else None
    return EditorChoice(able[0]) if able else None


def open_sandbox_editor(settings: Settings, scan: ScanRow) -> "EditorPlatform | None":
    """Return the sandbox as the editor of one of its own scans, without waiting; None if the operator wants none."""
    clients = open_sandbox_clients(scan, access.build_gates(settings), access.build_policy(settings), latency_ms=0)
    chosen = choose_editor(settings, clients.connectors)
    return None if chosen is None else EditorPlatform.open(clients, chosen)


class EditorPlatform(msgspec.Struct, frozen=True):
    """A platform that can be asked to edit. `name` is the platform and its model, as they are asked."""

    clients: PlatformClients
    platform: str
    name: str

    @classmethod
    def open(cls, clients: PlatformClients, chosen: EditorChoice) -> "EditorPlatform":
        connector, connection = clients.connectors[chosen.platform]
        if chosen.model is not None and clients.source == "live":
            connection = msgspec.structs.replace(connection, model=chosen.model)
        pinned = {chosen.platform: (connector, connection)}
        return cls(
            msgspec.structs.replace(clients, connectors=pinned),
            chosen.platform,
            f"{chosen.platform}:{connection.model}" if connection.model else chosen.platform,
        )

    async def ask(self, text: str) -> Outcome:
        return await self.clients.ask(self.platform, Question(text, is_task=True))

    def estimate_cost(self, characters: int, reply_tokens: int) -> float | None:
        """Return what a request may cost at the operator's prices; None without prices."""
        prices = self.clients.policy.prices.get(self.platform)
        return None if prices is None else compute_cost(Usage(characters // 3, reply_tokens, 0), prices)

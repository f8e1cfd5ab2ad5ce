"""The editor of `sightline analyze`: a platform whose key is in the settings, or a folder of requests and replies."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec

from sightline.answers.models import Brand
from sightline.cli.check_input import refuse
from sightline.cli.failures import err
from sightline.errors import Problem, name_errors
from sightline.facts.models import Fact
from sightline.facts.record import build_fact
from sightline.facts.schemas import FactInput
from sightline.insights.editor.caller import PlatformEditor
from sightline.insights.editor.folder import FolderEditor
from sightline.insights.editor.requests import Editor
from sightline.insights.editor.sorting import CodebookTheme
from sightline.kit.clock import utc_now
from sightline.kit.counting import count
from sightline.platforms.access import find_connections
from sightline.platforms.names import platform_name
from sightline.scans.editor_platform import EditorChoice, EditorPlatform
from sightline.scans.platform_clients import build_subject, list_advisors, open_platform_clients
from sightline.settings import Settings

_NOBODY = Brand("nobody", ())


class OpenedEditor(msgspec.Struct, frozen=True):
    """An editor, and the themes of its edition before."""

    editor: Editor | None = None
    codebook: tuple[CodebookTheme, ...] = ()


def read_facts(path: Path | None) -> tuple[Fact, ...]:
    """Return the facts of a file: a JSON list of what the API takes. Exits with 2 if one cannot be compared."""
    if path is None:
        return ()
    try:
        entered = msgspec.json.decode(path.read_bytes(), type=list[FactInput])
    except OSError as error:
        refuse(f"{path} cannot be read: {error.strerror}.")
    except msgspec.DecodeError as error:
        refuse(f"{path} is not a list of facts: {error}.")
    found = []
    for number, each in enumerate(entered, 1):
        try:
            found.append(build_fact(each, now=utc_now()))
        except Problem as problem:
            faults = "; ".join(str(fault["message"]) for fault in name_errors(problem)["errors"])
            refuse(f"{path}, fact {number}: {faults}.")
    return tuple(found)


def require_editor(settings: Settings, platform: str | None, folder: Path | None, *, has_facts: bool = False) -> None:
    """Refuse, with exit code 2, an editor that cannot be asked, and facts without one."""
    if has_facts and not platform and not folder:
        refuse("Facts need an editor: give --editor or --editor-dir.")
    if platform and folder:
        refuse("Give either --editor or --editor-dir, not both.")
    if folder is not None and folder.exists() and not folder.is_dir():
        refuse(f"{folder} is not a folder.")
    if platform is not None:
        connections = find_connections(settings)
        able = list_advisors(connections)
        if platform not in able:
            none = "No language model is connected: set its API key."
            known = f"Connected: {', '.join(sorted(able))}." if able else none
            refuse(f"{platform} cannot be the editor. {known}")


@asynccontextmanager
async def open_editor(settings: Settings, platform: str | None, folder: Path | None) -> AsyncIterator[OpenedEditor]:
    if folder is not None:
        async with _open_folder(folder) as opened:
            yield opened
    elif platform is not None:
        async with open_platform_clients(settings, build_subject("", _NOBODY, ()), utc_now().date()) as clients:
            caller = PlatformEditor(EditorPlatform.open(clients, EditorChoice(platform)))
            yield OpenedEditor(caller)
            if left := caller.left.total():
                name = platform_name(platform)
                err.print(f"{name} did not reply to {count(left, 'question')} of the editor.", highlight=False)
    else:
        yield OpenedEditor()


@asynccontextmanager
async def _open_folder(path: Path) -> AsyncIterator[OpenedEditor]:
    """Open a folder, and say afterwards how many replies are missing."""
    editor = FolderEditor(path)
    try:
        codebook = editor.read_codebook()
    except (msgspec.DecodeError, ValueError) as error:
        refuse(f"The themes in {path} cannot be read: {error}.")
    yield OpenedEditor(editor, codebook)
    if editor.missing:
        missing = count(len(editor.missing), "question")
        err.print(
            f"{missing} in {path} have no reply yet. Put each reply next to its question, with the ending .json, and "
            "run the command again.",
            highlight=False,
        )

"""What people say about the market and the themes of a domain. It wins over the editor, now and in later editions."""

import uuid

import msgspec

from sightline.accounts.models import Actor
from sightline.audit.record import record_audit
from sightline.db.engine import Transaction
from sightline.domains.tracking.read import lock_domain
from sightline.errors import FaultCollector, Problem, invalid_field
from sightline.insights.editor import queries
from sightline.insights.editor.market import Market
from sightline.insights.editor.models import EditionRow
from sightline.insights.editor.read import read_edition
from sightline.insights.editor.requests import is_short_phrase
from sightline.insights.editor.sorting import MAX_THEMES, CodebookTheme, find_target, list_sortable
from sightline.insights.schemas.edition import MarketInput, ThemeChanges


async def correct_market(tx: Transaction, actor: Actor, domain_id: uuid.UUID, entered: MarketInput) -> EditionRow:
    """Store what people say is sold. It is not asked for any more. Refused: text that is no phrase (422)."""
    faults = FaultCollector()
    for field, words, characters in (("singular", 8, 60), ("plural", 8, 60), ("audience", 25, 160)):
        if not is_short_phrase(getattr(entered, field), words=words, characters=characters):
            faults.add(field, f"must be a phrase of at most {words} words", "format")
    faults.raise_if_any()
    await lock_domain(tx, actor.workspace_id, domain_id)
    market = Market(*(" ".join(getattr(entered, field).split()) for field in Market.__struct_fields__))
    await queries.store_correction(tx, actor.workspace_id, domain_id, market, actor.user_id)
    await record_audit(tx, actor.workspace_id, "market_corrected", domain_id=domain_id)
    return await read_edition(tx, actor.workspace_id, domain_id)


async def store_category(
    tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, category: str, language: str
) -> None:
    """Store what is sold, as it was named when the domain was set up. An edition asks for the rest of the market."""
    market = Market(singular=category, plural=category, audience="", language=language)
    await queries.store_correction(tx, workspace_id, domain_id, market, None)


async def forget_market(tx: Transaction, actor: Actor, domain_id: uuid.UUID) -> EditionRow:
    """Forget the market, so that the next edition asks for it."""
    await lock_domain(tx, actor.workspace_id, domain_id)
    await queries.store_correction(tx, actor.workspace_id, domain_id, None, None)
    await record_audit(tx, actor.workspace_id, "market_corrected", domain_id=domain_id, forgotten=True)
    return await read_edition(tx, actor.workspace_id, domain_id)


async def change_theme(
    tx: Transaction, actor: Actor, domain_id: uuid.UUID, theme_key: str, changes: ThemeChanges
) -> CodebookTheme:
    """Rename, merge, hide or pin a theme. Its answers move to the theme that it was merged into with the next check.

    Refused: a theme that does not exist (404), a label that another theme has, a merge into itself or into a theme
    that was merged into it, and more than 30 themes (422).
    """
    await lock_domain(tx, actor.workspace_id, domain_id)
    codebook = {theme.id: theme for theme in await queries.list_themes(tx, actor.workspace_id, domain_id)}
    theme = codebook.get(theme_key)
    if theme is None:
        raise Problem("not_found")
    given = {
        name: value for name in changes.__struct_fields__ if (value := getattr(changes, name)) is not msgspec.UNSET
    }
    changed = msgspec.structs.replace(theme, **given)
    if "label" in given:
        changed = msgspec.structs.replace(changed, label=_clean_label(changed.label, theme, codebook))
    if changed.merged_into is not None and find_target(changed.merged_into, codebook) in {None, theme.id}:
        raise invalid_field("merged_into", "must be the key of another theme that is not merged into this one")
    returns = theme.merged_into is not None and changed.merged_into is None
    if returns and len(list_sortable(list(codebook.values()))) >= MAX_THEMES:
        raise invalid_field("merged_into", f"a domain has at most {MAX_THEMES} themes. Merge others first", "too_many")
    await queries.store_theme(tx, actor.workspace_id, domain_id, changed, is_renamed="label" in given)
    await record_audit(
        tx, actor.workspace_id, "theme_changed", domain_id=domain_id, theme=theme.id, fields=sorted(given)
    )
    if returns:  # passages were not sorted into it meanwhile
        await queries.raise_version(tx, actor.workspace_id, domain_id)
    return changed


def _clean_label(label: str, theme: CodebookTheme, codebook: dict[str, CodebookTheme]) -> str:
    cleaned = " ".join(label.split())
    if not is_short_phrase(cleaned, words=4, characters=40):
        raise invalid_field("label", "must be a phrase of at most four words", "format")
    taken = {each.label.casefold() for each in codebook.values() if each.id != theme.id and each.merged_into is None}
    if cleaned.casefold() in taken:
        raise invalid_field("label", "is the label of another theme. Merge the two instead", "duplicate")
    return cleaned

"""One real sentence about the brand, chosen by code: the newest criticism, else first place, else mention."""

import uuid

import msgspec

from sightline.db.engine import Reader
from sightline.domains.models import TrackedDomainRow
from sightline.scoreboard.answer_list.filter import AnswerFilter
from sightline.scoreboard.answer_list.read import list_answers, select_answers
from sightline.scoreboard.answer_list.schemas import ListedAnswer

_MAX_READ = 50
_MIN_SAID = 4  # characters next to the names


async def read_quote(
    db: Reader, workspace_id: uuid.UUID, domain: TrackedDomainRow, counted: AnswerFilter
) -> ListedAnswer | None:
    """Return the answer whose decisive sentence is quoted, of those that count; None if none of them names the brand.

    Criticism is an answer that advises against the brand, or else one with negative sentiment.
    """
    for fields in ({"stance": "discouraged"}, {"sentiment": "negative"}):
        if found := await _list(db, workspace_id, domain, msgspec.structs.replace(counted, **fields)):
            return found[0]
    named = await _list(db, workspace_id, domain, msgspec.structs.replace(counted, brand="named"))
    first = (each for each in named if each.position == 1)
    return next(first, named[0] if named else None)


async def _list(
    db: Reader, workspace_id: uuid.UUID, domain: TrackedDomainRow, wanted: AnswerFilter
) -> list[ListedAnswer]:
    """Return the answers whose sentence names the brand and says something about it, the newest first."""
    selection = await select_answers(db, workspace_id, domain, wanted, None)
    page = await list_answers(db, None, selection, after=None, page_size=_MAX_READ)
    return [each for each in page.rows if _is_telling(each, domain.brand_name)]


def _is_telling(row: ListedAnswer, brand: str) -> bool:
    """Return whether the sentence names the brand, and is more than names, such as the title of a list item."""
    said = sum(len(part.text.strip()) for part in row.sentence if not part.brand)
    return said >= _MIN_SAID and any(part.brand == brand for part in row.sentence)

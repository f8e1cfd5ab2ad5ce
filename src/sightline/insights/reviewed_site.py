"""What insights and the review of the brand's own site tell each other."""

import uuid
from collections.abc import Sequence

from sightline.answers.language import detect_language
from sightline.db.engine import Reader
from sightline.insights.read import read_themes
from sightline.site_review.context import find_content_words
from sightline.site_review.models import Question


async def list_reviewed_themes(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> Sequence[Question]:
    """Return the themes of the codebook with the answers that have them, for the review to look for on the site.

    There are none if the language of their labels is not clear.
    """
    themes = [theme for theme in await read_themes(db, workspace_id, domain_id) if theme.theme_key is not None]
    language = detect_language(". ".join(theme.descriptor for theme in themes))
    if language is None:
        return ()
    return [
        Question(
            id=theme.theme_key or "",
            text=theme.descriptor,
            words=find_content_words(theme.descriptor, language, ()),
            language=language,
            is_theme=True,
            rival_pages=tuple(map(str, theme.answer_ids)),
        )
        for theme in themes
    ]

"""What a page has to know of its reader before anybody is signed in: the theme and the language of the browser."""

from starlette.requests import Request

from sightline.presentation.dates import forget_time_zone
from sightline.presentation.language import find_language, write_in
from sightline.web.theme import load_theme


async def prepare_for_reader(request: Request) -> None:
    """Set the theme and the language of the page about to be rendered."""
    await load_theme(request)
    forget_time_zone()  # of an earlier page, until the reader is known
    write_in(find_language(request.headers.get("accept-language", "")))

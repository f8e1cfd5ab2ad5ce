"""Language and country codes of prompts: ISO 639-1 in lower case, ISO 3166-1 alpha-2 in upper case."""

from sightline.platforms.locations import location_code
from sightline.platforms.models import PlatformFault

_CODES = """
    aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en
    eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv
    ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne
    ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st
    su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
"""
LANGUAGES = frozenset(_CODES.split())


def clean_language(text: str) -> str:
    """Return the code in lower case. Raises `ValueError` for an unknown language."""
    code = text.strip().lower()
    if code not in LANGUAGES:
        raise ValueError("a language has two letters, such as en or de (ISO 639-1)")
    return code


def clean_country(text: str) -> str:
    """Return the code in upper case. Raises `ValueError` for an unknown country.

    Only ASCII is accepted: a ligature would become two letters in upper case.
    """
    code = text.strip()
    try:
        location_code(code if code.isascii() else "")
    except PlatformFault as fault:
        raise ValueError("a country has two letters, such as US or DE (ISO 3166-1)") from fault
    return code.upper()

"""What people read when a field of a form is refused.

Each fault has a field and a code; the sentence is chosen by both, or by the code alone. The API's own message, which is
English, is shown only where neither is known. A page that refuses a form itself writes its sentence with
`refuse_input`.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from sightline.errors import Problem, invalid_fields
from sightline.presentation.language import gettext, translatable
from sightline.presentation.numbers import format_number
from sightline.web.problem_texts import explain_problem

_WRITTEN = "written"
"""The code of a fault whose message is a sentence in the reader's language."""
_INDEX = re.compile(r"\[(\d+)\]")
_LINES = frozenset(
    {"aliases", "owned_domains", "competitors", "allowed_addresses", "keywords", "prompts", "recipients"}
)
"""The fields with one entry per line."""
_NAMES = frozenset({"countries", "country_iso_2", "language_code"})
"""The fields whose unknown names `prompts/market_names.py` refuses in the reader's language."""

_PASSWORD_LENGTH = translatable("Use a password of 10 to 1,000 characters.")
_PASSWORD_COMMON = translatable(
    "This password is too easy to guess. Use several unrelated words, but not your e-mail "
    "address or the name Sightline. A password manager can also create one."
)
_NAME = translatable("Enter a name of 1 to 200 characters.")
_BRAND_NAME = translatable("Enter a brand name of 1 to 200 characters.")
_ALIASES = translatable("Enter at most 50 other names of 1 to 200 characters each.")
_COMPETITORS = translatable("Enter at most 20 competitors, with names of 1 to 200 characters.")
_TAG = translatable("Enter a tag of 1 to 40 characters, without commas and semicolons.")
_TAGS = translatable("A prompt can have at most 10 tags.")
_CATEGORY = translatable("Enter a short noun in the plural, such as running shoes.")
_PROMPT = translatable("Enter a prompt of 2 to 500 characters.")
_SCOPES = translatable("Choose scopes from the list.")
_DOMAIN = translatable("Enter a public domain, such as acme.com.")
_KEY = translatable("Enter one line without spaces.")

_BY_FIELD: Mapping[tuple[str, str], str] = {
    ("email", "email"): translatable("Enter one e-mail address, such as name@example.com."),
    ("email", "taken"): translatable("This e-mail address already has an account. Sign in with it to join."),
    ("email", "limit"): translatable("Too many invitations are open. Revoke some of them first."),
    ("email", "same"): translatable("This is already the e-mail address of your account."),
    ("email", "no_provider"): translatable(
        "There is no single sign-on for this e-mail address. Sign in with your password."
    ),
    ("issuer", "url"): translatable("Enter the address of the issuer, such as https://login.acme.com."),
    ("issuer", "issuer"): translatable(
        "No identity provider answers at this address. It needs a public https address and a discovery document that "
        "names the same issuer."
    ),
    ("client_id", "length"): translatable("Enter the client id, with at most 500 characters."),
    ("client_secret", "length"): translatable("Enter the client secret, with at most 500 characters."),
    ("client_secret", "required"): translatable("Enter the client secret for this issuer."),
    ("role", "invalid"): translatable("An invitation cannot make somebody an owner. Choose another role."),
    ("name", "length"): _NAME,
    ("name", "invalid"): _NAME,
    ("name", "required"): translatable("Enter a name."),
    ("name", "mismatch"): translatable("This is not the name of the workspace."),
    ("workspace_name", "length"): translatable("Enter a workspace name of 1 to 200 characters."),
    ("password", "length"): _PASSWORD_LENGTH,
    ("new_password", "length"): _PASSWORD_LENGTH,
    ("password", "common"): _PASSWORD_COMMON,
    ("new_password", "common"): _PASSWORD_COMMON,
    ("current_password", "wrong"): translatable("The current password is wrong."),
    ("timezone", "unsupported"): translatable("Choose a time zone from the list, such as Europe/Berlin."),
    ("language", "invalid"): translatable("Choose a language from the list."),
    ("language", "unsupported"): translatable("Choose a language from the list."),
    ("allowed_addresses", "invalid"): translatable(
        "Enter an IP address or a network such as 203.0.113.0/24 or 2001:db8::/32."
    ),
    ("allowed_addresses", "too_many"): translatable("Too many addresses. Enter a network to cover several addresses."),
    ("scopes", "unsupported"): _SCOPES,
    ("scopes", "invalid"): _SCOPES,
    ("kind", "invalid"): translatable("Choose an API from the list."),
    ("mode", "invalid"): translatable("Choose a mode from the list."),
    ("brand_name", "required"): _BRAND_NAME,
    ("brand_name", "length"): _BRAND_NAME,
    ("brand_name", "invalid"): _BRAND_NAME,
    ("owned_domains", "competitor"): translatable("This domain belongs to a competitor. It cannot be yours as well."),
    ("owned_domains", "too_many"): translatable("A brand can have at most 50 other domains."),
    ("owned_domains", "invalid"): translatable("A brand can have at most 50 other domains."),
    ("aliases", "invalid"): _ALIASES,
    ("aliases", "length"): _ALIASES,
    ("competitors", "invalid"): _COMPETITORS,
    ("competitors", "length"): _COMPETITORS,
    ("countries", "length"): translatable("Enter at most 50 countries."),
    ("prompts", "length"): translatable("Enter at most 500 prompts."),
    ("domain", "invalid"): _DOMAIN,
    ("domain", "other_domain"): translatable("This competitor is already known under another domain."),
    ("domain", "required"): translatable("Only the name of this competitor was found. Enter its domain."),
    ("domain", "limit"): translatable("No more competitors can be added. Dismiss or hide one of them first."),
    ("competitor_id", "state"): translatable("This competitor has changed meanwhile. Reload the page and try again."),
    ("names", "invalid"): translatable("Enter names of 1 to 200 characters."),
    ("names", "too_many"): translatable("Too many names. Remove some of them."),
    ("prompts", "required"): translatable("Choose or enter at least one prompt."),
    ("prompt", "required"): _PROMPT,
    ("prompt", "length"): _PROMPT,
    ("prompt", "invisible"): translatable("A prompt needs at least 2 visible characters."),
    ("prompt", "tracked"): translatable("This prompt is already tracked for this country and language."),
    ("prompt_id", "required"): translatable("Select at least one prompt first."),
    ("keywords", "length"): _PROMPT,
    ("category", "invalid"): _CATEGORY,
    ("category", "length"): _CATEGORY,
    ("keywords", "invalid"): translatable("Enter at most 50 prompts of 2 to 500 characters each."),
    ("language_code", "required"): translatable("Choose a language."),
    ("language_code", "invalid"): translatable(
        "No language is recorded for this prompt. Add the search on the Prompts page."
    ),
    ("tags", "required"): translatable("Enter at least one tag."),
    ("tags", "invalid"): _TAG,
    ("tags", "limit"): _TAGS,
    ("add", "invalid"): _TAG,
    ("add", "limit"): _TAGS,
    ("platforms", "required"): translatable("Choose at least one platform."),
    ("platforms", "plan"): translatable("Your plan does not include all of these platforms."),
    ("platforms", "unknown_platform"): translatable("Choose platforms from the list."),
    ("days", "invalid"): translatable("Choose from the list how long the link works."),
    ("days", "too_many"): translatable("This report has too many active links. Revoke one first."),
    ("pricing_id", "unknown"): translatable("This pack is no longer on sale. Choose another one."),
    ("url", "invalid_webhook_url"): translatable(
        "Enter an https URL on port 443 of a public host, without a user name, password or fragment."
    ),
    ("url", "invalid"): translatable("Enter an https URL of at most 2,048 characters."),
    ("url", "limit"): translatable("No more webhooks can be added in this mode. Remove one first."),
    ("description", "invalid"): translatable("Enter a description of at most 500 characters."),
    ("events", "invalid"): translatable("Choose events from the list."),
    ("webhook_id", "disabled"): translatable("The webhook is disabled. Enable it first."),
    ("key", "required"): translatable("Enter the key. A saved key is never sent to a new address."),
    ("key", "format"): _KEY,
    ("login", "format"): _KEY,
    ("key", "environment"): translatable("This key is set by an environment variable. Change it there."),
    ("base_url", "format"): translatable("Enter a URL such as http://127.0.0.1:11434/v1."),
    ("model", "format"): translatable("Enter the ID of a model, such as gpt-6.1-terra."),
    ("monthly_limit", "limit"): translatable("The monthly limit is reached. Raise or remove it first."),
    ("text", "marked"): translatable("These words are already marked as the brand."),
    ("text", "not_marked"): translatable("The brand is not marked at this position."),
    ("text", "mismatch"): translatable("The text at this position has changed. Reload the page and try again."),
    ("text", "not_prose"): translatable(
        "These words are not part of the text: they are code, an address, a list of sources or the repeated question."
    ),
    ("end", "invalid"): translatable("This position is not in the answer. Reload the page and try again."),
    ("end", "too_long"): translatable("Select fewer words: a correction covers at most 200 characters."),
    ("phrase", "invalid"): translatable("Enter a phrase of 1 to 200 characters."),
    ("phrase", "too_short"): translatable("Enter a phrase with the name and at least one more word next to it."),
    ("phrase", "mismatch"): translatable("Enter a phrase of the answer that contains the corrected words."),
    ("phrase", "name"): translatable("This phrase is a name of the brand. Remove that name in the settings instead."),
    ("add_name", "limit"): translatable(
        "The brand cannot have more names. Remove one in the settings, or correct only this answer."
    ),
    ("logo", "blank"): translatable("This logo shows nothing: every pixel is transparent."),
    ("logo", "damaged"): translatable("This file is damaged, or not a valid PNG or SVG."),
    ("logo", "format"): translatable("Choose a PNG or SVG file."),
    ("logo", "limits"): translatable("This logo takes too long or too much memory to draw. Save it as a PNG."),
    ("logo", "references"): translatable(
        "This SVG refers to other files or addresses, which are never loaded. Embed its pictures, or save it as a PNG."
    ),
    ("logo", "shape"): translatable("This logo is too narrow or too flat."),
    ("logo", "too_large"): translatable("A logo can have at most 200 KB and 4,096 pixels on each side."),
    ("color", "format"): translatable("Enter # and six digits or letters from a to f, such as #0e6e78."),
    ("color", "length"): translatable("Enter # and six digits or letters from a to f, such as #0e6e78."),
    ("color", "contrast"): translatable("Text in this color cannot be read on white. Choose a darker shade."),
    ("sender_name", "format"): translatable("Enter a name of at most 80 characters, without @, <, >, quotes or \\."),
    ("sender_name", "length"): translatable("Enter a name of at most 80 characters, without @, <, >, quotes or \\."),
    ("client_id", "no_report"): translatable("There is no report yet: reports come with each Full Check."),
    ("client_id", "limit"): translatable("Too many tests today. Try again tomorrow."),
    ("day", "invalid"): translatable("Choose a day from the list."),
    ("link_password", "length"): translatable("Use a password of 8 to 1,000 characters."),
    ("link_password", "wrong"): translatable("This password is wrong."),
    ("recipients", "email"): translatable("Enter one e-mail address per line, such as name@example.com."),
    ("recipients", "length"): translatable("A client can have at most 20 recipients."),
    ("done_at", "invalid"): translatable("Choose a day that is not in the future."),
}
_FIELD_OF_PROBLEM = {
    "domain_exists": "domain",
    "language_conflict": "language_code",
    "platform_unavailable": "platforms",
    "unknown_platform": "platforms",
}
"""The field that a problem is about, by its code."""
_BY_CODE: Mapping[str, str] = {
    "invalid_domain": _DOMAIN,
    "own_domain": translatable("This is your own domain. Enter the domain of a competitor."),
}


def refuse_input(field: str, sentence: str) -> Problem:
    """Return the refusal of a field with a sentence in the reader's language."""
    return refuse_inputs((field, sentence))


def refuse_inputs(*faults: tuple[str, str]) -> Problem:
    """Return the refusal of several fields, each with a sentence in the reader's language."""
    return invalid_fields(*((field, sentence, _WRITTEN) for field, sentence in faults))


def list_faults(problem: Problem | None) -> list[str]:
    """Return one sentence for each field that is refused, in the reader's language."""
    errors = problem.members.get("errors", ()) if problem else ()
    return list(dict.fromkeys(_describe_fault(each, {}) for each in errors))


def list_field_faults(problem: Problem | None, typed: Mapping[str, Sequence[str]] = {}) -> dict[str, list[str]]:
    """Return the sentences of `list_faults` by field, such as `aliases` or `competitors.domain`.

    Lines are counted as in the `typed` texts of the form, with the blank ones. A few problems are about one field
    although they do not name it.
    """
    if problem is None:
        return {}
    found: dict[str, list[str]] = {}
    for each in problem.members.get("errors", ()):
        sentences = found.setdefault(_name_field(each), [])
        if (sentence := _describe_fault(each, typed)) not in sentences:
            sentences.append(sentence)
    if not found and problem.code in _FIELD_OF_PROBLEM:
        found[_FIELD_OF_PROBLEM[problem.code]] = [explain_problem(problem).text]
    return found


def _name_field(error: Mapping[str, Any]) -> str:
    """Return the field without the places in its lists: `competitors.domain` for `competitors[2].domain`."""
    return _INDEX.sub("", str(error["field"]))


def _describe_fault(error: Mapping[str, Any], typed: Mapping[str, Sequence[str]]) -> str:
    """Return what is wrong with a field as a sentence, with the line of an entry in a list."""
    sentence, place = _find_sentence(error), _INDEX.search(str(error["field"]))
    name = _name_field(error).partition(".")[0]
    if place is None or name not in _LINES:
        return sentence
    line = format_number(_find_line("\n".join(typed.get(name, ())), int(place[1])))
    return Markup("{} {}").format(gettext("Line %(line)s:", line=line), sentence)


def _find_line(text: str, index: int) -> int:
    """Return the number of the line with an entry. Lists leave out blank lines."""
    filled = [number for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    return filled[index] if index < len(filled) else index + 1


def _find_sentence(error: Mapping[str, Any]) -> str:
    field, code, message = _name_field(error), str(error["code"]), str(error["message"])
    if code == _WRITTEN or (code == "unknown" and field.rpartition(".")[2] in _NAMES):
        return _as_sentence(message)
    for name in (field, field.rpartition(".")[2], field.partition(".")[0]):
        if (name, code) in _BY_FIELD:
            return gettext(_BY_FIELD[name, code])
    if code in _BY_CODE:
        return gettext(_BY_CODE[code])
    return Markup('<span lang="en">{}</span>').format(_as_sentence(f"{field}: {message}"))


def _as_sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")

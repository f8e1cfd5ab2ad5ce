"""What moved since the Full Check before, in at most three sentences, the same on the Overview, in reports and e-mails.

Only established changes have a sentence. Pure.
"""

from collections import Counter

from sightline.kit.counting import count
from sightline.platforms.names import platform_name
from sightline.presentation.changes import list_reasons
from sightline.presentation.dates import format_short_date
from sightline.scoreboard.check_changes.schemas import CheckChanges, EstablishedChange, WinnerChange

_MAX_SENTENCES = 3
_MAX_OF_A_KIND = 2


def describe_changes(changes: CheckChanges, brand: str) -> list[str]:
    """Return one to three sentences, the most important first. Without an established change, one says so."""
    since = format_short_date(changes.since)
    if shown := choose_changes(changes):
        return [
            f"{_describe(change, brand)}, {change.verdict} from {change.before:,} (since {since})." for change in shown
        ]
    if changes.reasons:
        return [f"No change since {since} can be established: {list_reasons(changes.reasons)}."]
    return [f"No significant changes since {since}."]


def choose_changes(changes: CheckChanges) -> list[EstablishedChange]:
    """Return the changes that have a sentence, in the order of the sentences."""
    shown: list[EstablishedChange] = []
    kinds: Counter[str] = Counter()
    for change in changes.established:
        if len(shown) < _MAX_SENTENCES and kinds[change.kind] < _MAX_OF_A_KIND:
            kinds[change.kind] += 1
            shown.append(change)
    return shown


def describe_winners(change: WinnerChange) -> str:
    """Describe who won a prompt before and who wins it now, with the answers that name them."""
    before, now = change.before, change.now
    return f"{before.name} before ({before.named} of {change.answers}), {now.name} now ({now.named})"


def _describe(change: EstablishedChange, brand: str) -> str:
    subject = change.subject or ""
    if change.kind == "lead":
        return f"{brand} is named most in {change.now:,} of {count(change.total, 'prompt')}"
    answers = f"{change.now:,} of {count(change.total, 'answer')}"
    if change.kind == "platform":
        return f"{platform_name(subject)} names {brand} in {answers}"
    if change.kind == "source":
        return f"{subject} is cited in {answers} with sources"
    return f"{subject or brand} is named in {answers}"

"""The insights of an analyzed file in the terminal: themes, actions and suggested prompts, for 80 columns."""

from typing import Any

from rich.console import Console
from rich.markup import escape

from sightline.answers.plain_text import strip_markdown
from sightline.insights.file_insights import FileInsights
from sightline.kit.counting import count
from sightline.presentation.lists import join_names

_MAX_THEMES, _MAX_ACTIONS, _MAX_PROMPTS = 8, 5, 5


def print_insights(insights: FileInsights, console: Console) -> None:
    """Print what the answers say about the brand, what to do, and what to ask next."""
    _print_list(
        console, "What answers say about the brand", [_describe_theme(each) for each in insights.themes], _MAX_THEMES
    )
    if insights.facts is not None:
        _print_facts(insights.facts, console)
    _print_list(console, "What to do", [_describe_action(each) for each in insights.recommendations], _MAX_ACTIONS)
    _print_list(
        console, "Prompts to add", [escape(each["prompt"]) for each in insights.prompt_suggestions], _MAX_PROMPTS
    )
    if insights.edited_by:
        console.print(f"\n[dim]Edited by {escape(insights.edited_by)}.[/dim]", highlight=False)
    if insights.edition is None:
        console.print(f"\n[dim]{_describe_left_out(insights)}[/dim]", highlight=False)


def _print_facts(found: dict[str, Any], console: Console) -> None:
    """Print how many statements agree with the facts, and those that do not."""
    stated = found["right"] + found["wrong"]
    wrong = [_describe_statement(each) for each in found["statements"]]
    console.print(
        f"\n[bold]Facts[/bold]  {found['right']} of {count(stated, 'statement')} agree with your facts; "
        f"{found['cannot_tell']} do not say plainly what they mean.",
        highlight=False,
    )
    _print_list(console, "What answers get wrong", wrong, _MAX_THEMES)


def _describe_statement(found: dict[str, Any]) -> str:
    quote, sources = found["quotes"][0], ", ".join(escape(each["url"]) for each in found["sources"][:3])
    said = f"{escape(found['subject'] or found['kind'])}: {escape(found['stated'])}, but it is {escape(found['truth'])}"
    cited = f"\n     [dim]Cited: {sources}[/dim]" if sources else ""
    text = escape(" ".join(strip_markdown(quote["text"]).split()))
    return f"{said}  [dim]{count(found['answers'], 'answer')}[/dim]\n     [dim]“{text}”[/dim]{cited}"


def _describe_left_out(insights: FileInsights) -> str:
    """Say in one sentence what rules leave out, and how to get it."""
    left_out = ["names that nothing proves to be competitors"]
    if insights.unread_answers:
        left_out.append(f"themes of {count(insights.unread_answers, 'answer')} not in English")
    if insights.category is None:
        return (
            f"Rules leave out {join_names([*left_out, 'questions about what you sell'])}: add --editor, or --category."
        )
    return f"Rules leave out {join_names(left_out)}: add --editor."


def _print_list(console: Console, title: str, lines: list[str], most: int) -> None:
    if not lines:
        return
    console.print(f"\n[bold]{title}[/bold]")
    for number, line in enumerate(lines[:most], 1):
        console.print(f"{number:>3}. {line}", highlight=False)
    if len(lines) > most:
        console.print(f"[dim]     and {len(lines) - most} more, with --json[/dim]", highlight=False)


def _describe_theme(theme: dict[str, Any]) -> str:
    opinions = {name: theme[name] or 0 for name in ("positive", "negative")}
    said = f"{count(theme['answers'], 'answer')}: {opinions['positive']} praise, {opinions['negative']} criticize"
    quotes = theme["quotes"]
    quote = f"\n     [dim]“{escape(quotes[0]['text'])}”[/dim]" if quotes else ""
    return f"{escape(theme['descriptor'])}  [dim]{said}[/dim]{quote}"


def _describe_action(action: dict[str, Any]) -> str:
    effect = f"\n     [dim]{escape(action['expected_summary'])}[/dim]" if action["expected_summary"] else ""
    quote = "".join(f"\n     “{escape(' '.join(strip_markdown(each).split()))}”" for each in action["quotes"][:1])
    return f"{escape(action['action'])}\n     {escape(action['why'])}{quote}{effect}"

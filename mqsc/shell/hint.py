"""The line of help under the prompt: what the command or the open parameter takes."""

from mqsc.console.shell_words import SETTINGS
from mqsc.language import command_table, syntax_text
from mqsc.language.request import CommandSyntax
from mqsc.shell.completion import CursorPlace, limits_of, place_in
from mqsc.shell.own_commands import OWN_COMMANDS, first_word
from mqsc.store.catalog.types import Flag

NOTHING = "Tab completes, Ctrl-R searches the history, help explains"


def hint(command: str) -> str:
    """What may follow an unfinished command, in one line; the toolbar cuts what does not fit."""
    word = first_word(command)
    if not word:
        return NOTHING
    if word in OWN_COMMANDS:
        row = OWN_COMMANDS[word]
        return f"{row.name} {row.takes}".rstrip() + f" — {row.about}"
    if word.startswith("\\"):
        values, about = SETTINGS.get(
            word[1:],
            ((), "settings: " + ", ".join(f"\\{name}" for name in SETTINGS)),
        )
        return f"{word} {' | '.join(values)}".rstrip() + f" — {about}"
    return _of_command(place_in(command))


def _of_command(place: CursorPlace) -> str:
    if place.verb is None:
        return ""
    if place.syntax is None:
        return f"{place.verb} {' | '.join(sorted(command_table.COMMANDS[place.verb]))}"
    attribute = place.open_attribute
    opened = place.state.opened
    if attribute is not None and not isinstance(attribute.type, Flag):
        return f"{attribute.keyword}( {limits_of(attribute)} ) — {attribute.help}"
    if opened is not None and opened is not place.noun:
        return f"{opened.keyword} is not a parameter of {place.syntax.title}"
    return _summary(place.syntax)


def _summary(syntax: CommandSyntax) -> str:
    rows = {id(row): row for row, _ in syntax.words.values()}.values()
    needed = [syntax_text.notation(row) for row in rows if row.required]
    others = len(rows) - len(needed)
    parts = [f"{syntax.title}{syntax_text.name_notation(syntax)}", *needed]
    return " ".join(parts) + (f" … and {others} parameters" if others else "")

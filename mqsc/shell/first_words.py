"""Suggestions for a first word that is neither MQSC nor a command of the shell."""

from mqsc.console.likely_commands import nearest_word
from mqsc.language import command_table
from mqsc.shell import command_text, own_commands
from mqsc.store.catalog.spelling import did_you_mean


def hint_for(word: str) -> str:
    """What to type instead; blank if MQSC's own error is better."""
    if not word.isalpha() or command_table.verb_of(word.upper()):
        return ""
    if word == "mqsc":
        return "this is the shell of mqsc: type commands without mqsc before them"
    endings = {*map(str.lower, command_text.ENDINGS)}
    if word in endings:
        return f"{word} is typed alone, without words after it"
    own = {*own_commands.OWN_COMMANDS, *endings}
    near = nearest_word(word, own)
    return f"'{word}' is not a command; {did_you_mean([near])}" if near in own else ""

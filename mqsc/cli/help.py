"""`mqsc help`: the help of a command, or the explanation of words."""

from __future__ import annotations

import click

from mqsc.cli.explain import explain_words, words_to_complete
from mqsc.console.options import HELP_IS_WANTED, HELP_OPTIONS, Choices, command


@command(name="help")
@click.argument("words", nargs=-1, metavar="[COMMAND|WORD]...", shell_complete=words_to_complete)
def help_(choices: Choices, words: tuple[str, ...]) -> None:
    """Show the help of a COMMAND, as `mqsc COMMAND --help` does, or explain each WORD, as `mqsc explain` does.

    Without a word, shows all commands.
    """
    root = click.get_current_context().find_root()
    assert isinstance(root.command, click.Group)
    if words and root.command.get_command(root, words[0]) is None:
        explain_words(words, choices.format)
        return
    arguments = [*words, HELP_OPTIONS[-1]]
    with root.command.make_context(root.info_name, arguments, terminal_width=root.terminal_width) as asked:
        asked.meta[HELP_IS_WANTED] = True
        root.command.invoke(asked)

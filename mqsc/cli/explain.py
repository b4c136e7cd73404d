"""`mqsc explain`: the meaning of a code, a message, a command, a keyword, a concept or a rule."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from mqsc.console.json_output import print_json
from mqsc.console.options import Choices, command
from mqsc.console.target import CommandFailedError
from mqsc.explain.lookup import known_words, topics, unknown

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

WIDTH = 100


def words_to_complete(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """For `shell_complete`: the words that can be explained, once one is begun."""
    from click.shell_completion import CompletionItem

    found = sorted({each for each in known_words() if each.startswith(incomplete.upper())}) if incomplete else []
    return [CompletionItem(each) for each in found]


@command()
@click.argument("words", nargs=-1, required=True, metavar="WORD...", shell_complete=words_to_complete)
def explain(choices: Choices, words: tuple[str, ...]) -> None:
    """Explain each word: a reason code (2053, MQRC_Q_FULL), a message (AMQ8405), a keyword, verb or object type of
    MQSC, a command (DEFINE QLOCAL), a concept (backout, "queue full"), a keyword of rules tables, or a rule of
    `mqsc check` or `mqsc dlq check`.

    Exit code 10 when a word is unknown.
    """
    explain_words(words, choices.format)


def explain_words(words: Sequence[str], format: str | None) -> None:
    """Print the explanations; CommandFailedError if a word is unknown."""
    found = [*topics(words)]
    if not print_json(format, (each.as_json() for each in (each for _, several in found for each in several))):
        width = min(shutil.get_terminal_size((WIDTH, 24)).columns, WIDTH)
        texts = ["\n".join(each.lines(width)) for _, several in found for each in several]
        if texts:
            click.echo("\n\n".join(texts))
    sentences = [unknown(word) for word, several in found if not several]
    if sentences:
        raise CommandFailedError("\nmqsc: ".join(sentences))

"""`mqsc explain`: the meaning of a code, a message, a keyword or a rule."""

from __future__ import annotations

import shutil
import sys
from typing import TYPE_CHECKING

import click

from mqsc.console.json_output import JSON_FORMATS, JsonRows
from mqsc.console.options import choices_of, common_options
from mqsc.console.target import CommandFailedError
from mqsc.explain.lookup import explanations, known_words, unknown

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

WIDTH = 100


def words_to_complete(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """For `shell_complete`: the words that can be explained, once one is begun."""
    from click.shell_completion import CompletionItem

    found = sorted({each for each in known_words() if each.startswith(incomplete.upper())}) if incomplete else []
    return [CompletionItem(each) for each in found]


@click.command()
@click.argument(
    "words", nargs=-1, required=True, metavar="CODE|NAME|MESSAGE|KEYWORD|RULE...", shell_complete=words_to_complete
)
@common_options
@click.pass_context
def explain(context: click.Context, /, words: tuple[str, ...]) -> None:
    """Explain each word: a reason code (2053, MQRC_Q_FULL), a message (AMQ8405), a keyword, verb or object type of
    MQSC, a keyword of rules tables, or a rule of `mqsc check` or `mqsc dlq check`.

    Exit code 10 when a word is unknown.
    """
    found = {word: explanations(word) for word in words}
    choices = choices_of(context)
    if choices.format in JSON_FORMATS:
        with JsonRows(sys.stdout, array=choices.format == "json") as rows:
            for each in (each for several in found.values() for each in several):
                rows.write(each.as_json())
    else:
        width = min(shutil.get_terminal_size((WIDTH, 24)).columns, WIDTH)
        texts = ["\n".join(each.lines(width)) for several in found.values() for each in several]
        if texts:
            click.echo("\n\n".join(texts))
    sentences = [unknown(word) for word, several in found.items() if not several]
    if sentences:
        raise CommandFailedError("\nmqsc: ".join(sentences))

"""`mqsc explain`: what a code, a message, a keyword or a rule means."""

from __future__ import annotations

import shutil
import sys

import click

from mqsc.console.json_output import JSON_FORMATS, Rows
from mqsc.console.options import choices_of, common_options
from mqsc.console.target import CommandFailedError

WIDTH = 100


@click.command()
@click.argument("words", nargs=-1, required=True, metavar="CODE|NAME|MESSAGE|KEYWORD|RULE...")
@common_options
@click.pass_context
def explain(context: click.Context, /, words: tuple[str, ...]) -> None:
    """Say what each word means: a reason code (2053, MQRC_Q_FULL), a message (AMQ8405), a keyword, verb or object of
    MQSC, a keyword of rules tables, a rule of `mqsc check` or `mqsc dlq check`.

    Exit code 10 when a word means nothing.
    """
    from mqsc.explain.lookup import explanations, unknown

    found = {word: explanations(word) for word in words}
    choices = choices_of(context)
    if choices.format in JSON_FORMATS:
        with Rows(sys.stdout, array=choices.format == "json") as rows:
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

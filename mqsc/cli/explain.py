"""`mqsc explain` and `mqsc help`, which give the same answers."""

import shutil
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

import click
from click.shell_completion import CompletionItem

from mqsc.console import json_rows, target
from mqsc.console.commands import EARLIER_WORDS
from mqsc.console.object_names import objects
from mqsc.console.options import HELP_IS_WANTED, Choices, command
from mqsc.explain.lookup import known_words, topics, unknown
from mqsc.language.explanation import Explanation
from mqsc.store.catalog.spelling import similar, suggesting
from mqsc.store.rules.names import is_object_name

WIDTH = 100


def words_to_complete(
    context: click.Context,
    parameter: click.Parameter,
    incomplete: str,
) -> list[CompletionItem]:
    """For `shell_complete`: the words that can be explained, once one is begun."""
    completing = (
        sorted({each for each in known_words() if each.startswith(incomplete.upper())})
        if incomplete
        else []
    )
    return [CompletionItem(each) for each in completing]


@command()
@click.argument(
    "words",
    nargs=-1,
    required=True,
    metavar="WORD...",
    shell_complete=words_to_complete,
)
def explain(choices: Choices, words: tuple[str, ...]) -> None:
    """Explain each word: a reason code (2053, MQRC_Q_FULL), a message (AMQ8405), a keyword, verb or
    object type of MQSC, a command of MQSC (DEFINE QLOCAL) or of mqsc (put, dlq run), a concept
    (backout, "queue full"), a keyword of rules tables, or a rule of `mqsc check` or `mqsc dlq
    check`.

    Exit code 10 when a word is unknown.
    """
    _explain(words, choices)


@command(name="help")
@click.argument("words", nargs=-1, metavar="[WORD]...", shell_complete=words_to_complete)
def help_(choices: Choices, words: tuple[str, ...]) -> None:
    """Explain each WORD, as `mqsc explain` does: a command, a code, a message, a keyword, a
    concept.

    Without a word, shows all commands.
    """
    if words:
        _explain(words, choices)
        return
    click.echo(click.get_current_context().find_root().get_help())


class Page(NamedTuple):
    """What is known about a word: the help of the command of this name, and explanations."""

    word: str
    help: str
    explanations: list[Explanation]


def _explain(words: Sequence[str], choices: Choices) -> None:
    """Print the help of commands, then explanations; CommandFailedError if a word is unknown."""
    pages = _pages(words)
    if not json_rows.print_data(choices.format, chain.from_iterable(map(_records, pages))):
        width = min(shutil.get_terminal_size((WIDTH, 24)).columns, WIDTH)
        texts = [text for page in pages for text in _texts(page, width)]
        if texts:
            click.echo("\n\n".join(texts))
    unknown_words = [page.word for page in pages if not (page.help or page.explanations)]
    if unknown_words:
        sentences = (_unknown(word, choices) for word in unknown_words)
        raise target.CommandFailedError("\nmqsc: ".join(sentences))


def _unknown(word: str, choices: Choices) -> str:
    """The message for an unknown word, which may be the name of an object of the store."""
    sentence = unknown(word)
    if sentence.endswith("?") or not is_object_name(word):
        return sentence
    names = objects(choices)
    name = next((each for each in (word, word.upper()) if each in names), "")
    if name:
        return f"{sentence}; {name} is an object of the store, which DISPLAY shows"
    return suggesting(similar(word, names), sentence)


def _pages(words: Sequence[str]) -> list[Page]:
    path = " ".join(words).split()
    whole = _help_of(path)
    if whole and len(path) > 1:
        # Of several words, such as dlq run, the command alone is meant.
        return [Page(" ".join(path), whole, [])]
    return [Page(word, _help_of(word.split()), found) for word, found in topics(words)]


def _records(page: Page) -> Iterator[dict[str, object]]:
    if page.help:
        yield {"kind": "program", "name": f"mqsc {page.word.strip()}", "help": page.help}
    for each in page.explanations:
        yield each.as_json()


def _texts(page: Page, width: int) -> Iterator[str]:
    if page.help:
        yield page.help
    for each in page.explanations:
        yield "\n".join(each.lines(width))


def _help_of(path: Sequence[str]) -> str:
    """The help of a command such as put, or dlq run; blank if there is none."""
    if not path:
        return ""
    context = click.get_current_context().find_root()
    context.meta[HELP_IS_WANTED] = True
    for name in (EARLIER_WORDS.get(path[0], path[0]), *path[1:]):
        described = (
            context.command.get_command(context, name)
            if isinstance(context.command, click.Group)
            else None
        )
        if described is None:
            return ""
        context = click.Context(described, context, name, terminal_width=context.terminal_width)
    return context.get_help()

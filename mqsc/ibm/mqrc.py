"""`mqrc`: codes and messages, with IBM's arguments."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

import click
from msgspec import Struct

from mqsc.console.target import CommandFailedError
from mqsc.console.terminal import columns
from mqsc.ibm.options import (
    flag,
    ibm_command,
    ignored_value,
    number,
    refused_flag,
    refused_value,
    text,
    wrong,
)

if TYPE_CHECKING:
    from mqsc.language.explanation import Explanation


WIDTH = 100


class _MqrcOptions(Struct, frozen=True):
    """How `mqrc` shows what it finds, and the limits of a range."""

    every: bool
    brief: bool
    first: int | None
    last: int | None

    @property
    def has_limits(self) -> bool:
        return self.first is not None or self.last is not None


_NO_LOGS = "there are no error logs"


@ibm_command(
    "mqrc",
    "[-a] [-b] [-r] ReturnCode | [-s] Symbol | [-m] AMQmessage | -R [-f First -l Last] | -M -f "
    "First -l Last | -",
)
@flag("-a", "every")
@flag("-b", "brief")
@number("-f", "first")
@number("-l", "last")
@text("-r", "reason")
@text("-s", "symbol")
@text("-m", "message")
@flag("-R", "all_codes")
@flag("-M", "all_messages")
@ignored_value("-d", why="there is only one language")
@refused_value("-i", "-o", why=_NO_LOGS)
@refused_flag("-p", "-u", "-x", why=_NO_LOGS)
@click.argument("word", required=False)
def mqrc(
    context: click.Context,
    every: bool,
    brief: bool,
    first: int | None,
    last: int | None,
    reason: str | None,
    symbol: str | None,
    message: str | None,
    all_codes: bool,
    all_messages: bool,
    word: str | None,
) -> None:
    """Print the number and name of a code, or the text of a message with an explanation.

    Numbers are decimal, or hexadecimal after 0x. -a searches all families of codes; -b prints a
    message without its explanation; -R and -M print all codes or messages from First to Last; -
    reads words from standard input. Exit code 10 when a code or message is unknown, 20 when the
    arguments are wrong.
    """
    options = _MqrcOptions(every, brief, first, last)
    wanted = [
        (argument, look_up)
        for argument, look_up in (
            (reason, _numbers),
            (symbol, _symbols),
            (message, _messages_of),
            (word, _anything),
        )
        if argument is not None
    ]
    # -f First alone is for a range of codes.
    all_codes = all_codes or (first is not None and not wanted and not all_messages)
    if len(wanted) + all_codes + all_messages != 1 or (options.has_limits and wanted):
        raise wrong(context, "give one code, symbol, message or range")
    if all_codes or all_messages:
        _print_range(context, options, _code_range if all_codes else _message_range)
        return
    ((argument, look_up),) = wanted
    words = (
        [entered for line in sys.stdin for entered in line.split()]
        if (argument, look_up) == ("-", _anything)
        else [argument]
    )
    unknown = [entered for entered in words if not _print_word(entered, look_up, options)]
    if unknown:
        raise CommandFailedError(
            f"{', '.join(unknown)} {'is' if len(unknown) == 1 else 'are'} not a known reason code "
            "or message",
        )


def _codes(word: str, every: bool) -> list[str]:
    from mqsc.language.codes import codes_of

    codes = codes_of(word)
    return [_line(each.number, each.name) for each in (codes if every else codes[:1])]


def _symbols(word: str, every: bool) -> list[str]:
    from mqsc.language.codes import number_of

    return [] if number_of(word) is not None else _codes(word, every)


def _numbers(word: str, every: bool) -> list[str]:
    from mqsc.language.codes import number_of

    return _codes(word, every) if number_of(word) is not None else []


def _messages(word: str, every: bool) -> list[Explanation]:
    """A message with the given severity; with -a, with any severity if that one does not exist."""
    from mqsc.explain.lint_rules import explain_rule
    from mqsc.explain.rules_tables import explain_notice
    from mqsc.language.codes import explain_message

    errors = explain_rule(word) if word.upper().startswith("AMQ") else ()
    explanations = [*explain_message(word)] or [*explain_notice(word)] or [*errors]
    return explanations or (_messages(word[:-1], every=False) if every else [])


def _messages_of(word: str, every: bool) -> list[Explanation]:
    """A message, of which the number is enough."""
    return _messages(f"AMQ{word}" if word.isdigit() else word, every)


def _anything(word: str, every: bool) -> list[str] | list[Explanation]:
    return _codes(word, every) or _messages(word, every)


def _print_word(
    word: str,
    look_up: Callable[[str, bool], list[str] | list[Explanation]],
    options: _MqrcOptions,
) -> bool:
    """Print the meaning of a word between blank lines; False when it is unknown."""
    results = look_up(word, options.every)
    if results:
        click.echo("")
        for each in results:
            click.echo(each if isinstance(each, str) else _text(each, brief=options.brief))
        click.echo("")
    return bool(results)


def _print_range(
    context: click.Context,
    options: _MqrcOptions,
    lines: Callable[[int, int, _MqrcOptions], list[str]],
) -> None:
    first, last = options.first, options.last
    if first is None and (last is not None or lines is _message_range):
        raise wrong(context, "a range needs -f First")
    if first is None:
        begin, end = 0, sys.maxsize
    else:
        begin, end = first, first if last is None else last
    texts = lines(begin, end, options)
    if not texts:
        raise CommandFailedError(f"there is no code or message from {begin} to {end}")
    click.echo("\n".join(["", *texts, ""]))


def _code_range(first: int, last: int, options: _MqrcOptions) -> list[str]:
    from mqsc.language.codes import all_codes

    return [_line(code.number, code.name) for code in all_codes() if first <= code.number <= last]


def _message_range(first: int, last: int, options: _MqrcOptions) -> list[str]:
    from mqsc.language.codes import all_message_ids, explain_message

    ids = [
        message_id
        for message_id in all_message_ids()
        if message_id.startswith("AMQ") and first <= int(message_id[3:7]) <= last
    ]
    return [
        _text(explanation, brief=options.brief)
        for each in ids
        for explanation in explain_message(each)
    ]


def _line(code_number: int, name: str) -> str:
    return f"{code_number:>10}  0x{code_number:08x}  {name}"


def _text(message: Explanation, *, brief: bool) -> str:
    return message.heading if brief else "\n".join(message.lines(min(columns(), WIDTH)))

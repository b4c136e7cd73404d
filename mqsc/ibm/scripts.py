"""`runmqsc` and `mqrc`: MQSC scripts and codes, with IBM's arguments (mqsc-lexical §4)."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

import click
from msgspec import Struct

from mqsc.console.choices import Choices
from mqsc.console.json_rows import DATA_FORMATS
from mqsc.console.target import (
    CommandFailedError,
    NothingRunError,
    UnknownQueueManagerError,
    opened_queue_manager,
)
from mqsc.console.terminal import columns, is_terminal
from mqsc.ibm.given_password import skip_password
from mqsc.ibm.options import (
    OPENED_DIRECTLY,
    choices_with,
    flag,
    ibm_command,
    ignored_flag,
    ignored_value,
    number,
    refused_flag,
    refused_value,
    text,
    wrong,
)
from mqsc.main import mqsc, run_to_exit_code

if TYPE_CHECKING:
    from mqsc.language.explanation import Explanation


@ibm_command(
    "runmqsc",
    "[-e] [-v] [-f File] [-u User] [QMgrName]",
    common=("store", "qmgr", "format", "quiet"),
)
@flag("-e", "no_echo")
@flag("-v", "verify")
@text("-f", "path")
@text("-u", "user")
@ignored_flag("-c", why=OPENED_DIRECTLY)
@ignored_value("-m", "-w", why="the commands are run directly on QMgrName")
@ignored_flag("-p", why="no password is asked for")
@refused_flag("-n", why="there is no separate client channel definition table")
@refused_flag("-x", why="no queue manager of a store is one for z/OS")
@click.argument("name", required=False)
def runmqsc(
    context: click.Context,
    name: str | None,
    path: str | None,
    user: str | None,
    no_echo: bool,
    verify: bool,
) -> None:
    """Run MQSC commands from standard input, or from File, against QMgrName or the default queue
    manager.

    -e does not echo the commands; -v only checks them; -u acts as another user: a password in the
    first line of standard input is read, and not looked at. Exit code 0 when every command
    succeeded, 10 when one failed, 20 when nothing could be run.
    """
    from mqsc.console.inputs import InputSource
    from mqsc.scripts.run import RunOptions, run_sources

    choices = choices_with(context, name)
    if user is not None:
        choices = choices._replace(user=user)
        _check_connect(choices, user)
    source = InputSource(path="-" if path is None else path)
    typed = source.path == "-" and is_terminal(sys.stdin) and is_terminal(sys.stdout) and not verify
    how = RunOptions(echo=not no_echo, verify=verify, create=False)
    if user is not None and source.path == "-" and not typed and skip_password(sys.stdin.buffer):
        choices.inform("runmqsc: ignored the first line: no password is asked for")
    try:
        code = _shell(choices) if typed else run_sources(choices, [source], how)
    except (NothingRunError, CommandFailedError) as error:
        if os.path.isfile(name or ""):
            how_to = f"{name} is a file: use `runmqsc -f {name}` or `runmqsc < {name}`"
            raise type(error)(f"{error.message}\n{how_to}") from error
        if not isinstance(error, UnknownQueueManagerError) or choices.format in DATA_FORMATS:
            raise
        code = _run_nothing(choices, name or "")
    context.exit(code)


def _run_nothing(choices: Choices, name: str) -> int:
    """The output of runmqsc when there is no such queue manager, and its exit code."""
    from mqsc.scripts.run import nothing_run

    return nothing_run(choices, name, "AMQ8118E: IBM MQ queue manager does not exist.")


def _shell(choices: Choices) -> int:
    from mqsc.shell.start import run_shell

    return run_shell(choices, run_to_exit_code, mqsc, create=False, classic=True)


def _check_connect(choices: Choices, user: str) -> None:
    """NothingRunError if authorities are enforced and the user may not connect."""
    from mqsc.store.admin.authority_explanation import judge
    from mqsc.store.rules.authorization import ENFORCE
    from mqsc.store.rules.wanted_authorities import CONNECT

    with opened_queue_manager(choices, for_users=True) as qmgr:
        judged = judge(qmgr, user, CONNECT)
    if judged.missing and judged.mode == ENFORCE:
        raise NothingRunError(
            f"AMQ8135E: Not authorized: {user} lacks +connect. No MQSC commands read.",
        )


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

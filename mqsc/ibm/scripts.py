"""`runmqsc`, `dmpmqcfg` and `mqrc`: MQSC scripts, definitions and codes, with IBM's arguments
(mqsc-lexical §4).
"""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
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
from mqsc.console.terminal import columns, in_utf8, is_terminal, shown_on
from mqsc.ibm.options import (
    choice,
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
    from mqsc.scripts.export import Definition

_OPENED_DIRECTLY = "a store is opened directly"


@ibm_command(
    "runmqsc",
    "[-e] [-v] [-f File] [-u User] [QMgrName]",
    common=("store", "qmgr", "format", "quiet"),
)
@flag("-e", "no_echo")
@flag("-v", "verify")
@text("-f", "path")
@text("-u", "user")
@ignored_flag("-c", why=_OPENED_DIRECTLY)
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

    -e does not echo the commands; -v only checks them; -u acts as another user. Exit code 0 when
    every command succeeded, 10 when one failed, 20 when nothing could be run.
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


# What tells a reader that the output is whole.
ENDING = "* Script ended"
QUEUES = "QLOCAL QMODEL QALIAS QREMOTE"
_CLIENT = "CLNTCONN"
# The values of -t, including IBM's short forms, and the kinds of object they mean.
TYPES: Mapping[str, str] = {
    "all": "",
    "authinfo": "AUTHINFO",
    "channel": "CHANNEL",
    "chl": "CHANNEL",
    "clcn": _CLIENT,
    "clntconn": _CLIENT,
    "comminfo": "COMMINFO",
    "listener": "LISTENER",
    "lstr": "LISTENER",
    "namelist": "NAMELIST",
    "nl": "NAMELIST",
    "prcs": "PROCESS",
    "process": "PROCESS",
    "q": QUEUES,
    "qmgr": "QMGR",
    "queue": QUEUES,
    "service": "SERVICE",
    "srvc": "SERVICE",
    "sub": "SUB",
    "top": "TOPIC",
    "topic": "TOPIC",
}
_NO_TYPES = {"mqttchl": "there are no telemetry channels"}
# The values of -x, and the kinds they mean; blank for "all" and "object", which are handled apart.
EXPORTS: Mapping[str, str] = {
    "all": "",
    "authrec": "AUTHREC",
    "chlauth": "CHLAUTH",
    "object": "",
    "sub": "SUB",
}
_NO_EXPORTS = {"policy": "there are no security policies"}
FORMS: Mapping[str, str] = {"1line": "1line", "mqsc": "mqsc", "setmqaut": "setmqaut"}
_NO_FORMS = {"grtmqmaut": "grtmqmaut is a command of IBM i"}


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


@ibm_command(
    "dmpmqcfg",
    "[-a] [-m QMgrName] [-n ObjectName] [-o mqsc | 1line | setmqaut] [-t Type] [-x Export]",
    common=("store", "qmgr", "quiet"),
)
@flag("-a", "all_attributes")
@text("-m", "qmgr_name")
@text("-n", "name")
@text("-o", "form")
@text("-t", "type_")
@text("-x", "export")
@ignored_value("-c", "-l", "-q", "-w", why=_OPENED_DIRECTLY)
@ignored_value("-u", why="no command needs a password")
@ignored_flag("-z", why="there are no warnings to suppress")
@refused_value("-r", why="-m names the queue manager")
@refused_value("-s", why="use RESET CHANNEL to set a sequence number")
def dmpmqcfg(
    context: click.Context,
    all_attributes: bool,
    qmgr_name: str | None,
    name: str | None,
    form: str | None,
    type_: str | None,
    export: str | None,
) -> None:
    """Write the definitions of a queue manager as MQSC, or its authority records as setmqaut
    commands.

    -a includes attributes at their default values; -n selects a name, or a generic name such as
    APP*; -o 1line writes each command on one line. Secrets are left out; a comment names each of
    them. Exit code 0, or 20 when there is no such queue manager.
    """
    from mqsc.scripts.export import ExportSelection, export_commands
    from mqsc.scripts.export_output import script_lines
    from mqsc.scripts.selection import Selection

    choices = choices_with(context, qmgr_name)
    layout = choice(context, "-o", _or(form, "mqsc"), FORMS, _NO_FORMS)
    exported = _or(export, "all" if layout != "setmqaut" else "authrec")
    there_are_none = _NO_TYPES.get(_or(type_, "all")) or _NO_EXPORTS.get(exported)
    if there_are_none:
        choices.inform(f"dmpmqcfg: nothing to write: {there_are_none}")
        return
    type = choice(context, "-t", _or(type_, "all"), TYPES, {})
    records = choice(context, "-x", exported, EXPORTS, {})
    kinds = _kinds(records or type, only_objects=exported == "object" and not type)
    # The queue manager has a blank name.
    selection = ExportSelection(
        all_attributes,
        Selection(include=(_or(name, "*"), ""), kinds=kinds),
    )
    with opened_queue_manager(choices) as qmgr:
        steps = (step for step in export_commands(qmgr, selection) if _is_of(type, step.definition))
        lines: Iterable[str]
        if layout == "setmqaut":
            lines = setmqaut_lines(qmgr.name, (step.definition for step in steps))
        else:
            lines = chain(script_lines(steps, one_line=layout == "1line"), (ENDING,))
        for line in lines:
            in_utf8(sys.stdout).write(f"{shown_on(sys.stdout, line)}\n")


def _or(value: str | None, default: str) -> str:
    return default if value is None else value


def _is_of(type_: str, definition: Definition) -> bool:
    """Whether -t selects it: a client connection by CHLTYPE, an authority record by the type of
    its object.
    """
    if definition.kind.keyword == "AUTHREC":
        object_type = str(definition.values["OBJTYPE"])
        return type_ in ("", QUEUES if object_type == "QUEUE" else object_type)
    return type_ != _CLIENT or definition.subtype == _CLIENT


def _kinds(words: str, *, only_objects: bool) -> frozenset[str]:
    """The kinds of object that -t and -x together select; empty for all."""
    from mqsc.scripts.export import kinds_in_order

    if only_objects:
        records = {part for exported in EXPORTS.values() for part in exported.split()}
        return frozenset(kind.keyword for kind in kinds_in_order() if kind.keyword not in records)
    return frozenset(words.replace(_CLIENT, "CHANNEL").split())


_ENTITIES = {"GROUP": "-g", "PRINCIPAL": "-p"}


def setmqaut_lines(qmgr: str, definitions: Iterable[Definition]) -> Iterator[str]:
    """A setmqaut command for each authority record, with all its rights; +none for a record
    without rights.
    """
    for record in definitions:
        if record.kind.keyword != "AUTHREC":
            continue
        values = record.values
        type_ = str(values["OBJTYPE"])
        profile = [] if type_ == "QMGR" else ["-n", record.name]
        rights = values["AUTHLIST"] if isinstance(values["AUTHLIST"], list) else []
        entity = [_ENTITIES[str(values["ENTTYPE"])], str(values["ENTITY"])]
        granted = [f"+{right.lower()}" for right in rights or ["NONE"]]
        yield shlex.join(["setmqaut", "-m", qmgr, *profile, "-t", type_.lower(), *entity, *granted])


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

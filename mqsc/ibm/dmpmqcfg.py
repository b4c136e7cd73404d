"""`dmpmqcfg`: the definitions of a queue manager as IBM's command writes them."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, NoReturn

import click

from mqsc.console.options import choices_of, long_options
from mqsc.console.target import opened_queue_manager
from mqsc.ibm.arguments import FLAG, VALUE, Usage, choice, pointless, read
from mqsc.ibm.command import NamedCommand

if TYPE_CHECKING:
    from mqsc.export.definition import Definition

_NETWORK = "a store is opened directly"
USAGE = Usage(
    "dmpmqcfg",
    "dmpmqcfg [-a] [-m QMgrName] [-n ObjectName] [-o mqsc | 1line | setmqaut] [-t Type] [-x Export]",
    {
        "-a": FLAG, "-m": VALUE, "-n": VALUE, "-o": VALUE, "-t": VALUE, "-x": VALUE,
        "-c": pointless(_NETWORK, value=True),
        "-l": pointless(_NETWORK, value=True),
        "-q": pointless(_NETWORK, value=True),
        "-r": pointless(_NETWORK, value=True),
        "-s": pointless("write RESET CHANNEL where a number is wanted", value=True),
        "-u": pointless("no user is checked", value=True),
        "-w": pointless(_NETWORK, value=True),
        "-z": pointless("there are no warnings to leave out"),
    },
    0,
    0,
)  # fmt: skip
_QUEUES = "QLOCAL QMODEL QALIAS QREMOTE"
_CLIENT = "CLNTCONN"
# What -t stands for: kinds of object, with the short words that IBM's command takes.
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
    "q": _QUEUES,
    "qmgr": "QMGR",
    "queue": _QUEUES,
    "service": "SERVICE",
    "srvc": "SERVICE",
    "sub": "SUB",
    "top": "TOPIC",
    "topic": "TOPIC",
}
_NO_TYPES = {"mqttchl": "there are no telemetry channels"}
# What -x stands for: records and subscriptions, or whatever is neither.
EXPORTS: Mapping[str, str] = {"all": "", "authrec": "AUTHREC", "chlauth": "CHLAUTH", "object": "", "sub": "SUB"}
_NO_EXPORTS = {"policy": "there are no security policies"}
FORMS: Mapping[str, str] = {"1line": "1line", "mqsc": "mqsc", "setmqaut": "setmqaut"}
_NO_FORMS = {"grtmqmaut": "it is a command of IBM i"}


@click.command(cls=NamedCommand, options_metavar=USAGE.line.removeprefix("dmpmqcfg "))
@long_options("store", "qmgr", "quiet")
@click.pass_context
def dmpmqcfg(context: click.Context) -> None:
    """Write the definitions of a queue manager as MQSC, or its authority records as setmqaut commands.

    -a writes attributes that are as by default, too; -n is a name, perhaps with an asterisk at its end; 1line is a line
    for a command. Secrets are left out: a comment says which. Ends with 0, or 20 when there is nothing to write from.
    """
    from mqsc.export.export_commands import ExportSelection, export_commands
    from mqsc.export.mqsc_output import script_lines
    from mqsc.ibm.setmqaut import setmqaut_lines

    given = read(USAGE, context.args)
    form = choice(USAGE, "-o", given.options.get("-o", "mqsc"), FORMS, _NO_FORMS)
    type_ = choice(USAGE, "-t", given.options.get("-t", "all"), TYPES, _NO_TYPES)
    export = given.options.get("-x", "all" if form != "setmqaut" else "authrec")
    records = choice(USAGE, "-x", export, EXPORTS, _NO_EXPORTS)
    kinds = _kinds(records or type_, only_objects=export == "object" and not type_)
    selection = ExportSelection(given.has("-a"), kinds, given.options.get("-n", "*"))
    choices = choices_of(context)
    with opened_queue_manager(replace(choices, qmgr=given.options.get("-m") or choices.qmgr)) as qmgr:
        found = (step for step in export_commands(qmgr, selection) if _is_of(type_, step.definition))
        rights = setmqaut_lines(qmgr.name, (step.definition for step in found)) if form == "setmqaut" else None
        for line in rights or script_lines(found, one_line=form == "1line"):
            sys.stdout.write(f"{line}\n")


def _is_of(type_: str, definition: Definition) -> bool:
    """Whether -t means it beyond its kind: a client connection by its CHLTYPE, a record by what it is about."""
    if definition.kind.keyword == "AUTHREC":
        about = str(definition.values["OBJTYPE"])
        return type_ in ("", _QUEUES if about == "QUEUE" else about)
    return type_ != _CLIENT or definition.subtype == _CLIENT


def _kinds(words: str, *, only_objects: bool) -> frozenset[str]:
    """The kinds of object that -t and -x together ask for; none for all."""
    from mqsc.export.definition import kinds_in_order

    if only_objects:
        records = {each for exported in EXPORTS.values() for each in exported.split()}
        return frozenset(kind.keyword for kind in kinds_in_order() if kind.keyword not in records)
    return frozenset(words.replace(_CLIENT, "CHANNEL").split())


def main() -> NoReturn:
    """The command `dmpmqcfg` with the arguments of this process."""
    from mqsc.cli.main import main as command_line

    command_line(["dmpmqcfg", *sys.argv[1:]])

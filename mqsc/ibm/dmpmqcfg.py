"""`dmpmqcfg`: the definitions of a queue manager, with IBM's arguments and in IBM's layout."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import partial

import click
from msgspec.structs import replace

from mqsc.cli.main import run_program
from mqsc.console.options import choices_of, long_options
from mqsc.console.target import opened_queue_manager
from mqsc.console.terminal import shown_on
from mqsc.export.definition import Definition, kinds_in_order
from mqsc.export.export_commands import ExportSelection, export_commands
from mqsc.export.mqsc_output import script_lines
from mqsc.ibm.arguments import FLAG, VALUE, IbmCommand, Usage, choice, read_arguments, unsupported

_NETWORK = "a store is opened directly"
USAGE = Usage(
    "dmpmqcfg",
    "dmpmqcfg [-a] [-m QMgrName] [-n ObjectName] [-o mqsc | 1line | setmqaut] [-t Type] [-x Export]",
    {
        "-a": FLAG, "-m": VALUE, "-n": VALUE, "-o": VALUE, "-t": VALUE, "-x": VALUE,
        "-c": unsupported(_NETWORK, value=True),
        "-l": unsupported(_NETWORK, value=True),
        "-q": unsupported(_NETWORK, value=True),
        "-r": unsupported(_NETWORK, value=True),
        "-s": unsupported("use RESET CHANNEL to set a sequence number", value=True),
        "-u": unsupported("no command needs a password", value=True),
        "-w": unsupported(_NETWORK, value=True),
        "-z": unsupported("there are no warnings to suppress"),
    },
    0,
    0,
)  # fmt: skip
_QUEUES = "QLOCAL QMODEL QALIAS QREMOTE"
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
# The values of -x, and the kinds they mean; blank for "all" and "object", which are handled apart.
EXPORTS: Mapping[str, str] = {"all": "", "authrec": "AUTHREC", "chlauth": "CHLAUTH", "object": "", "sub": "SUB"}
_NO_EXPORTS = {"policy": "there are no security policies"}
FORMS: Mapping[str, str] = {"1line": "1line", "mqsc": "mqsc", "setmqaut": "setmqaut"}
_NO_FORMS = {"grtmqmaut": "grtmqmaut is a command of IBM i"}


@click.command(cls=IbmCommand, options_metavar=USAGE.line.removeprefix("dmpmqcfg "))
@long_options("store", "qmgr", "quiet")
@click.pass_context
def dmpmqcfg(context: click.Context) -> None:
    """Write the definitions of a queue manager as MQSC, or its authority records as setmqaut commands.

    -a includes attributes at their default values; -n selects a name, or a generic name such as APP*; -o 1line writes
    each command on one line. Secrets are left out; a comment names each of them. Exit code 0, or 10 when there is no
    such queue manager.
    """
    given = read_arguments(USAGE, context.args)
    form = choice(USAGE, "-o", given.options.get("-o", "mqsc"), FORMS, _NO_FORMS)
    type_ = choice(USAGE, "-t", given.options.get("-t", "all"), TYPES, _NO_TYPES)
    export = given.options.get("-x", "all" if form != "setmqaut" else "authrec")
    records = choice(USAGE, "-x", export, EXPORTS, _NO_EXPORTS)
    kinds = _kinds(records or type_, only_objects=export == "object" and not type_)
    selection = ExportSelection(given.has("-a"), kinds, given.options.get("-n", "*"))
    choices = choices_of(context)
    with opened_queue_manager(replace(choices, qmgr=given.options.get("-m") or choices.qmgr)) as qmgr:
        found = (step for step in export_commands(qmgr, selection) if _is_of(type_, step.definition))
        lines: Iterable[str]
        if form == "setmqaut":
            lines = setmqaut_lines(qmgr.name, (step.definition for step in found))
        else:
            lines = script_lines(found, one_line=form == "1line")
        for line in lines:
            sys.stdout.write(f"{shown_on(sys.stdout, line)}\n")


def _is_of(type_: str, definition: Definition) -> bool:
    """Whether -t selects it: a client connection by CHLTYPE, an authority record by the type of its object."""
    if definition.kind.keyword == "AUTHREC":
        object_type = str(definition.values["OBJTYPE"])
        return type_ in ("", _QUEUES if object_type == "QUEUE" else object_type)
    return type_ != _CLIENT or definition.subtype == _CLIENT


def _kinds(words: str, *, only_objects: bool) -> frozenset[str]:
    """The kinds of object that -t and -x together select; empty for all."""
    if only_objects:
        records = {each for exported in EXPORTS.values() for each in exported.split()}
        return frozenset(kind.keyword for kind in kinds_in_order() if kind.keyword not in records)
    return frozenset(words.replace(_CLIENT, "CHANNEL").split())


_ENTITIES = {"GROUP": "-g", "PRINCIPAL": "-p"}


def setmqaut_lines(qmgr: str, definitions: Iterable[Definition]) -> Iterator[str]:
    """A setmqaut command for each authority record, with all its rights; +none for a record without rights."""
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


main = partial(run_program, "dmpmqcfg")

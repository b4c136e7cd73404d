"""`dmpmqcfg`: the definitions of a queue manager as IBM's command writes them."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import replace
from typing import NoReturn

import click

from mqsc.options import choices_of
from mqsc.resolve import opened_queue_manager

_QUEUES = "QLOCAL QMODEL QALIAS QREMOTE"
# What -t stands for: kinds of object, with the short words that IBM's command takes.
TYPES: Mapping[str, str] = {
    "all": "",
    "authinfo": "AUTHINFO",
    "channel": "CHANNEL",
    "chl": "CHANNEL",
    "listener": "LISTENER",
    "lstr": "LISTENER",
    "namelist": "NAMELIST",
    "nl": "NAMELIST",
    "process": "PROCESS",
    "prcs": "PROCESS",
    "q": _QUEUES,
    "qmgr": "QMGR",
    "queue": _QUEUES,
    "service": "SERVICE",
    "srvc": "SERVICE",
    "top": "TOPIC",
    "topic": "TOPIC",
}
# What -x stands for: records and subscriptions, or whatever is neither.
EXPORTS: Mapping[str, str] = {"all": "", "authrec": "AUTHREC", "chlauth": "CHLAUTH", "object": "", "sub": "SUB"}


@click.command()
@click.option("-m", "qmgr", metavar="QMgrName", help="The queue manager, else the default one.")
@click.option("-n", "name", metavar="Name", default="*", help="Only objects of this name; NAME* for many.")
@click.option("-t", "type_", type=click.Choice(list(TYPES)), default="all", help="Only objects of this type.")
@click.option("-x", "export", type=click.Choice(list(EXPORTS)), default="all", help="Only objects, or only records.")
@click.option("-o", "form", type=click.Choice(("mqsc", "1line")), default="mqsc", help="1line: a line for a command.")
@click.option("-a", "everything", is_flag=True, help="Write attributes that are as by default, too.")
@click.pass_context
def dmpmqcfg(
    context: click.Context, /, qmgr: str | None, name: str, type_: str, export: str, form: str, everything: bool
) -> None:
    """Write the definitions of a queue manager as MQSC.

    Secrets are left out: a comment says which. Ends with 0, or 20 when there is nothing to write them from.
    """
    from mqsc.export.script import script_lines
    from mqsc.export.steps import Selection, steps

    choices = choices_of(context)
    with opened_queue_manager(replace(choices, qmgr=qmgr or choices.qmgr)) as found:
        selection = Selection(everything, _kinds(type_, export), name)
        for line in script_lines(steps(found, selection), one_line=form == "1line"):
            sys.stdout.write(f"{line}\n")


def _kinds(type_: str, export: str) -> frozenset[str]:
    """The kinds of object that -t and -x together ask for; none for all."""
    from mqsc.export.definition import kinds_in_order

    if export == "object" and type_ == "all":
        records = {each for words in EXPORTS.values() for each in words.split()}
        return frozenset(kind.keyword for kind in kinds_in_order() if kind.keyword not in records)
    return frozenset((EXPORTS[export] or TYPES[type_]).split())


def main() -> NoReturn:
    """The command `dmpmqcfg` with the arguments of this process."""
    from mqsc.cli import main as command_line

    command_line(["dmpmqcfg", *sys.argv[1:]])

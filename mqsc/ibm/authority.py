"""setmqaut, dspmqaut and dmpmqaut: authority records, with IBM's arguments and exit codes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from mqsc.console.options import confirm
from mqsc.console.plain_failure import PlainFailureError
from mqsc.console.target import opened_queue_manager, running
from mqsc.console.terminal import print_line, printable
from mqsc.ibm.dmpmqcfg import QUEUES, TYPES as KINDS_OF, setmqaut_lines
from mqsc.ibm.failures import Code, ExitCodes
from mqsc.ibm.options import IbmCommand, choices_with, flag, ibm_command, ignored_value, text, texts
from mqsc.store.catalog import KINDS
from mqsc.store.constants import MQRCCF
from mqsc.store.error import MQError
from mqsc.store.rules.authority import authorities, expanded
from mqsc.store.rules.authority_profiles import SELF, is_generic_profile, profile_fault
from mqsc.store.rules.authorization import GROUP, PRINCIPAL

if TYPE_CHECKING:
    from mqsc.store.client.queue_manager import QueueManager

TYPES = {
    word: "QUEUE" if kinds == QUEUES else kinds
    for word, kinds in KINDS_OF.items()
    if kinds not in ("", "SUB")
}
TYPES |= {"commi": "COMMINFO", "rqmn": "RQMNAME", "rqmname": "RQMNAME"}
_GROUPS = ("ALL", "ALLADM", "ALLMQI", "NONE")
WORDS = {word for type in TYPES.values() for word in authorities(type)} | {*_GROUPS}
# IBM's exit codes.
_NAME = 146
_TYPE_MISSING = 147
_TYPE = 148
_ENTITY = 149
_NO_WORD = 150
_WORD = 151
_UNKNOWN_OBJECT = 133
_WITHOUT_OBJECT = frozenset({"QMGR", "RQMNAME"})

_CODES = ExitCodes(
    wrong_arguments=Code.WRONG_ARGUMENTS,
    unknown_queue_manager=Code.WRONG_NAME,
    not_running=Code.NOT_AVAILABLE,
    not_authorized=Code.UNEXPECTED,
    not_begun=Code.UNEXPECTED,
    failed=Code.UNEXPECTED,
)
_NO_SERVICES = "there are no service components"


class _WithWords(IbmCommand):
    """A command whose arguments +put and -get are authorities; they are in `meta` of the
    context, in order.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As for others, without the authorities."""
        words = [
            argument
            for argument in args
            if argument[:1] in "+-" and (argument[:1] == "+" or argument[1:].upper() in WORDS)
        ]
        ctx.meta[__name__] = words
        return super().parse_args(ctx, [argument for argument in args if argument not in words])


def _entities(users: Sequence[str], groups: Sequence[str]) -> list[tuple[str, str]]:
    return [*((PRINCIPAL, user) for user in users), *((GROUP, group) for group in groups)]


def _about(type_: str | None, name: str | None) -> tuple[str, str]:
    """(profile, type) of a command."""
    if type_ is None:
        raise PlainFailureError("the type of object is missing: -t", _TYPE_MISSING)
    type = TYPES.get(type_)
    if type is None:
        raise PlainFailureError(
            f"{printable(type_)} is not a type of object: {', '.join(sorted(TYPES))}",
            _TYPE,
        )
    if type == "QMGR":
        return SELF, type
    if not name or profile_fault(name):
        raise PlainFailureError(
            profile_fault(name or "") or "the name of the object is missing: -n",
            _NAME,
        )
    return name, type


@ibm_command(
    "setmqaut",
    "[-m QMgrName] -t Type [-n Profile] [-p Principal]... [-g Group]... [-remove] +Word | -Word "
    "...",
    common=("store", "quiet"),
    codes=_CODES,
    cls=_WithWords,
)
@text("-m", "qmgr_name")
@text("-n", "name")
@text("-t", "type_")
@texts("-p", "users")
@texts("-g", "groups")
@flag("-remove", "remove")
@ignored_value("-s", why=_NO_SERVICES)
def setmqaut(
    context: click.Context,
    qmgr_name: str | None,
    name: str | None,
    type_: str | None,
    users: Sequence[str],
    groups: Sequence[str],
    remove: bool,
) -> None:
    """Change the authorities of users and groups: +put grants, -put revokes. +all or -all applies
    before the others.

    -remove deletes the records of the profile. Types are q, qmgr, prcs, nl, authinfo, chl, clcn,
    lstr, srvc, top, rqmn.
    """
    from mqsc.store.admin.authority_records import delete_authority, set_authority

    profile, type = _about(type_, name)
    entities = _entities(users, groups)
    words: list[str] = context.meta[__name__]
    if not entities:
        raise PlainFailureError("name a user or a group: -p or -g", _ENTITY)
    if not (words or remove):
        raise PlainFailureError("no authority is given, such as +put", _NO_WORD)
    for word in words:
        if expanded(type, [word[1:].upper()]) is None:
            fault = f"{printable(word)} is not an authority for the type {printable(str(type_))}"
            raise PlainFailureError(fault, _WORD)
    added, taken = ([word[1:].upper() for word in words if word[0] == sign] for sign in "+-")
    with opened_queue_manager(choices_with(context, qmgr_name)) as qmgr:
        running(qmgr)
        if not remove:
            _check_object(qmgr, type, profile)
        try:
            with qmgr.store.database.one_transaction():
                if remove:
                    delete_authority(qmgr, (profile, type), entities)
                if words:
                    set_authority(qmgr, (profile, type), entities, added, taken)
        except MQError as error:
            code = _WORD if error.reason == MQRCCF.AUTH_VALUE_ERROR else _NAME
            raise PlainFailureError(f"no record is changed: {error}", code) from error
    confirm("The setmqaut command completed successfully.")


def _check_object(qmgr: QueueManager, type: str, name: str) -> None:
    """AMQ7085E unless there is an object of that name: a generic profile, a class, the queue
    manager and a queue manager elsewhere need none.
    """
    from mqsc.store.admin.command_authority import exists

    if type in _WITHOUT_OBJECT or is_generic_profile(name) or name.startswith("@"):
        return
    if not exists(qmgr, type, name):
        raise PlainFailureError(
            f"AMQ7085E: Object {printable(name)}, type {type.lower()} not found.",
            _UNKNOWN_OBJECT,
        )


@ibm_command(
    "dspmqaut",
    "[-m QMgrName] -t Type [-n ObjectName] -p Principal | -g Group",
    common=("store", "quiet"),
    codes=_CODES,
)
@text("-m", "qmgr_name")
@text("-n", "name")
@text("-t", "type_")
@text("-p", "user")
@text("-g", "group")
@ignored_value("-s", why=_NO_SERVICES)
def dspmqaut(
    context: click.Context,
    qmgr_name: str | None,
    name: str | None,
    type_: str | None,
    user: str | None,
    group: str | None,
) -> None:
    """Show what a user may do with an object, its groups included, or what a group grants."""
    from mqsc.store.admin.authority_records import entity_authority

    about, type = _about(type_, name)
    entities = _entities(*([each] if each else [] for each in (user, group)))
    if len(entities) != 1:
        raise PlainFailureError("name a user or a group: -p or -g", _ENTITY)
    choices = choices_with(context, qmgr_name, only_reads=True)
    with opened_queue_manager(choices) as qmgr:
        running(qmgr)
        _check_object(qmgr, type, about)
        words = entity_authority(qmgr, about, type, entities[0])["AUTHLIST"]
        object_name = qmgr.name if type == "QMGR" else about
    print_line(
        f"Entity {printable(entities[0][1])} has the following authorizations for object "
        f"{printable(object_name)}:",
    )
    for word in words:
        print_line(f"\t{word.lower()}")


@ibm_command(
    "dmpmqaut",
    "[-m QMgrName] [-n Profile | -l | -a] [-t Type] [-p Principal | -g Group] [-e | -x]",
    common=("store", "quiet"),
    codes=_CODES,
)
@text("-m", "qmgr_name")
@text("-n", "name")
@text("-t", "type_")
@text("-p", "user")
@text("-g", "group")
@flag("-l", "only_names")
@flag("-a", "as_commands")
@flag("-e", "every_covering")
@flag("-x", "exact")
@ignored_value("-s", why=_NO_SERVICES)
def dmpmqaut(
    context: click.Context,
    qmgr_name: str | None,
    name: str | None,
    type_: str | None,
    user: str | None,
    group: str | None,
    only_names: bool,
    as_commands: bool,
    every_covering: bool,
    exact: bool,
) -> None:
    """List authority records: all, or those that cover the profile; with -x only those of exactly
    this profile.

    -l lists names and types only, -a setmqaut commands that make the same records.
    """
    from mqsc.scripts.export import Definition
    from mqsc.store.admin.authority_records import authority_records

    type = "ALL" if type_ is None else _about(type_, name or "*")[1]
    entities = _entities(*([each] if each else [] for each in (user, group)))
    match = "EXACT" if exact else "PROFILE"
    choices = choices_with(context, qmgr_name, only_reads=True)
    with opened_queue_manager(choices) as qmgr:
        running(qmgr)
        records = list(authority_records(qmgr, name or "", type, entities, match))
        manager = qmgr.name
    if as_commands:
        definitions = (
            Definition(KINDS["AUTHREC"], str(record["PROFILE"]), record) for record in records
        )
        for line in setmqaut_lines(manager, definitions):
            print_line(line)
        return
    for number, record in enumerate(records):
        if number:
            print_line("- " * 8)
        print_line(f"profile:     {printable(str(record['PROFILE']))}")
        print_line(f"object type: {str(record['OBJTYPE']).lower()}")
        if not only_names:
            print_line(f"entity:      {printable(str(record['ENTITY']))}")
            print_line(f"entity type: {str(record['ENTTYPE']).lower()}")
            print_line(f"authority:   {' '.join(record['AUTHLIST']).lower() or 'none'}")

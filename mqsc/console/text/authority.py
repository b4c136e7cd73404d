"""An explanation of what a user may do, in words: the verdict, who is asked for what, the
records, and the cure.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from mqsc.console.terminal import printable
from mqsc.language.command_table import meant
from mqsc.store.admin import user_accounts
from mqsc.store.admin.authority_explanation import Cure, Judged
from mqsc.store.constants import MQOO
from mqsc.store.rules import opening
from mqsc.store.rules.authorization import OFF, PRINCIPAL, WARN

if TYPE_CHECKING:
    from mqsc.store.client.queue_manager import QueueManager

# What can be asked about, as MQOO options.
OPERATIONS = {
    "put": opening.OUTPUT,
    "put1": opening.OUTPUT,
    "get": opening.INPUT_SHARED,
    "browse": opening.BROWSE,
    "inq": opening.INQUIRE,
    "set": opening.SET,
    "passid": opening.OUTPUT | opening.PASS_IDENTITY_CONTEXT,
    "passall": opening.OUTPUT | opening.PASS_ALL_CONTEXT,
    "setid": opening.OUTPUT | opening.SET_IDENTITY_CONTEXT,
    "setall": opening.OUTPUT | opening.SET_ALL_CONTEXT,
}
# How they read before the name of an object.
PHRASES = {
    "put": "put on",
    "put1": "put on",
    "get": "get from",
    "inq": "inquire",
    "set": "set attributes of",
    "passid": "pass identity context to",
    "passall": "pass all context to",
    "setid": "set identity context of messages to",
    "setall": "set all context of messages to",
}


def open_options(words: Iterable[str]) -> int:
    """The MQOO options of operations, names and numbers; ValueError for a word that is none, or
    a contradiction.
    """
    options = 0
    for word in words:
        name = word.upper().removeprefix("MQOO_")
        if word.lower() in OPERATIONS:
            options |= OPERATIONS[word.lower()]
        elif word.isdigit():
            options |= int(word)
        elif name in MQOO.__members__:
            options |= int(MQOO[name])
        else:
            near = meant(word.lower(), [*OPERATIONS]) or f"; operations are {', '.join(OPERATIONS)}"
            raise ValueError(f"{word!r} is not an operation{near}")
    if opening.option_conflict(options):
        raise ValueError(f"MQRC_OPTIONS_ERROR: {opening.option_conflict(options)}")
    return options


def doing(words: Iterable[str], place: str) -> str:
    """What is asked about, for people: `put on ORDERS`."""
    return f"{' and '.join(PHRASES.get(each.lower(), each) for each in words)} {place}"


def lines(qmgr: str, judged: Judged, acting: str, instead: str = "") -> Iterator[str]:
    """The explanation, each line with its label."""
    user = printable(judged.who.user)
    would = "" if judged.mode not in (WARN, OFF, "") else "WOULD BE "
    yield (
        f"{would}REFUSED 2035: {user} may not {acting}."
        if judged.missing
        else f"ALLOWED: {user} may {acting}."
    )
    groups = [*map(printable, judged.who.groups)]
    kind = (
        "an administrator, who is never asked"
        if judged.who.is_administrator
        else "not an administrator"
    )
    yield line_of("who", f"{user}, in {_groups(groups)}; {kind}")
    for wanted_authority in judged.wanted:
        state = "missing" if wanted_authority in judged.missing else "held"
        yield line_of("asked", f"{printable(wanted_authority.text)}: {state}")
    if instead:
        yield line_of("note", instead)
    for grant in judged.counting:
        kind, entity = grant.entity
        words = " ".join(sorted(grant.words)).lower() or "nothing"
        yield line_of(
            "held",
            f"{words}, by {kind}({printable(entity)}) PROFILE({printable(grant.profile)})",
        )
    if not judged.counting and not judged.who.is_administrator:
        yield line_of("held", "nothing")
    for note in judged.notes:
        yield line_of("note", printable(note))
    for cure in judged.cures:
        yield line_of("cure", mqsc_of(cure))
        yield line_of("", setmqaut_of(qmgr, cure))
    if judged.mode in (WARN, OFF, ""):
        yield line_of("mode", f"{judged.mode or 'auto, without users'}: nothing is refused now")


def _groups(names: Sequence[str]) -> str:
    if not names:
        return "no group"
    listed = " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
    return f"the group{'s' if len(names) > 1 else ''} {listed}"


# What comes before the text of a line, if that is continued.
HANGING = " " * 9


def line_of(label: str, text: str) -> str:
    """A line of an explanation."""
    return f"  {label:<6} {text}"


def mqsc_of(cure: Cure, verb: str = "AUTHADD") -> str:
    """The command that grants what is missing."""
    kind, entity = cure.entity
    profile = "" if cure.type == "QMGR" else f"PROFILE({_quoted(cure.profile)}) "
    return (
        f"SET AUTHREC {profile}OBJTYPE({cure.type}) {kind}('{doubled(entity)}') "
        f"{verb}({','.join(cure.words)})"
    )


def _quoted(name: str) -> str:
    return name if re.fullmatch(r"[A-Z0-9._/%*?@]+", name) else f"'{doubled(name)}'"


def doubled(text: str) -> str:
    """The text with its quotes doubled, as MQSC has it between quotes."""
    return printable(text.replace("'", "''"))


def setmqaut_of(qmgr: str, cure: Cure) -> str:
    """The same under IBM's name."""
    kind, entity = cure.entity
    name = "" if cure.type == "QMGR" else f" -n {_shell(cure.profile)}"
    words = " ".join(f"+{word.lower()}" for word in cure.words)
    who = f"{'-p' if kind == PRINCIPAL else '-g'} {_shell(entity)}"
    return f"setmqaut -m {qmgr} -t {cure.type.lower()}{name} {who} {words}"


def user_commands(qmgr: QueueManager) -> Iterator[str]:
    """The commands of a shell that add the users of the store, with their groups, and set the
    mode; none by default.
    """
    members = user_accounts.groups(qmgr.store)
    for user in user_accounts.users(qmgr.store):
        groups = [
            f" --group {_shell(group)}" for group, names in members.items() if user.name in names
        ]
        administrator = " --administrator" if user.administrator else ""
        yield f"mqsc user add{administrator}{''.join(groups)} {_shell(user.name)}"
    row = qmgr.row()
    if row.os_groups:
        yield "mqsc auth os-groups on"
    if row.authority_mode:
        yield f"mqsc auth mode {row.authority_mode}"


def _shell(text: str) -> str:
    return shlex.quote(printable(text))

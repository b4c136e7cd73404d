"""The authorities that a command needs (authority §5) if its user is not the owner of the store.

A row of `permissions` says for which commands which authority is asked, and of what. Commands
without a row ask for CHG on the queue manager.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from itertools import product

from msgspec.structs import replace

from mqsc.language.reply import Answer, ReplyRow, failed
from mqsc.language.request import Request
from mqsc.store.admin import command_authority
from mqsc.store.catalog.pcf import pcf_command
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.error import NotAuthorizedError
from mqsc.store.rules.authority_profiles import CLASS, SELF
from mqsc.store.rules.names import is_generic
from mqsc.store.rules.object_events import QUEUE_TYPES
from mqsc.store.rules.wanted_authorities import Wanted
from mqsc.verbs.permissions import PERMISSIONS, Subject

_FAILED = 2
# The topic object at the root of the tree, which decides about every topic string: topics do not
# act here.
ROOT = "SYSTEM.BASE.TOPIC"
_STATUS = {
    "QSTATUS": "QUEUE",
    "CHSTATUS": "CHANNEL",
    "LSSTATUS": "LISTENER",
    "SVSTATUS": "SERVICE",
    "QSTATS": "QUEUE",
}


@cache
def _permissions() -> Mapping[tuple[str, str], tuple[Subject, tuple[str, ...]]]:
    """The subject and the authorities by verb and noun; a blank noun means every other one."""
    rows = {}
    for permission in reversed(PERMISSIONS):
        for command in product(permission.verbs, permission.nouns or ("",)):
            rows[command] = (permission.of, permission.authorities)
    return rows


def needed(request: Request) -> tuple[Subject, tuple[str, ...]]:
    """What a command asks: of what, and for which authorities."""
    rows = _permissions()
    return (
        rows.get((request.verb, request.noun))
        or rows.get((request.verb, ""))
        or (Subject.QMGR, ("CHG",))
    )


def object_type(request: Request) -> str:
    """The type of object in authority records that a command is about."""
    noun = _STATUS.get(request.noun, request.noun)
    if noun in QUEUE_TYPES or noun == "QUEUE":
        return "QUEUE"
    client = "CLNTCONN" in (request.attributes.get("CHLTYPE"), request.options.get("CHLTYPE"))
    return (
        "CLNTCONN"
        if noun == "CHANNEL" and (client or request.options.get("CHLTABLE") == "CLNTTBL")
        else noun
    )


def wanted_by(request: Request, exists: Callable[[str, str], bool]) -> list[Wanted]:
    """The authorities for a command, besides those for each row of a DISPLAY; `exists` is asked
    for (type, name).
    """
    of, words = needed(request)
    type, name = object_type(request), request.name
    wanted = [Wanted("QMGR", SELF, "CONNECT"), Wanted("QMGR", SELF, "DSP")]
    if of is Subject.QMGR:
        wanted += [Wanted("QMGR", SELF, word) for word in words]
    elif of is Subject.TOPIC:
        topic = str(request.attributes.get("TOPICOBJ") or ROOT)
        wanted += [Wanted("TOPIC", topic, word) for word in words]
    elif of is Subject.NEW:
        subtype = str(request.attributes.get(request.kind.selector, ""))
        like = str(request.options.get("LIKE") or request.kind.default_object_of(subtype))
        is_there = exists(type, name)
        wanted.append(Wanted(type, name, "CHG") if is_there else Wanted(type, CLASS, "CRT"))
        wanted += [Wanted(type, like, "DSP")] if like else []
    elif of is Subject.OBJECT:
        wanted += [Wanted(type, name, word) for word in words]
    if request.verb == "MOVE":
        wanted.append(Wanted("QUEUE", str(request.options.get("TOQLOCAL", "")), "PUT"))
    stream = request.attributes.get("STREAMQ")
    if stream and of in (Subject.NEW, Subject.OBJECT):
        wanted.append(Wanted("QUEUE", str(stream), "CHG"))
    return list(dict.fromkeys(wanted))


def permitted(
    qmgr: QueueManager,
    request: Request,
    performer: Callable[[QueueManager, Request], Answer],
) -> Answer:
    """The answer to a command if its user may give it, else AMQ8135E; a DISPLAY shows what the
    user may see.
    """
    user = command_authority.user_of(qmgr)
    if user is None:
        return performer(qmgr, request)
    command = pcf_command(request.verb, request.noun, like=request.has("LIKE"))
    number = 0 if command is None else command.number
    what = f"{request.verb} {request.noun}"
    try:
        names = _names(qmgr, request)
        wanted = wanted_by(request, lambda type, name: command_authority.exists(qmgr, type, name))
        for name in names:
            each = replace(request, name=name)
            wanted += wanted_by(each, lambda type, name: True)
        defines = needed(request)[0] is Subject.NEW and not command_authority.exists(
            qmgr,
            object_type(request),
            request.name,
        )
        command_authority.check(qmgr, what, request.name, tuple(dict.fromkeys(wanted)), number)
        answer = performer(qmgr, request)
        if needed(request)[0] is Subject.ROWS and answer.completion != _FAILED:
            return _visible_rows(qmgr, request, answer, number)
    except NotAuthorizedError as error:
        return failed(error, *([] if qmgr.issuer is not None else [f"{error.explanation}."]))
    if defines and answer.completion != _FAILED:
        command_authority.grant_creator(qmgr, object_type(request), request.name)
    return answer


def _names(qmgr: QueueManager, request: Request) -> list[str]:
    """The objects that a generic name of a command that changes something means."""
    if (
        request.verb == "DISPLAY"
        or needed(request)[0] is not Subject.OBJECT
        or not is_generic(request.name)
    ):
        return []
    return command_authority.names_of(qmgr, object_type(request), request.name)


def _visible_rows(qmgr: QueueManager, request: Request, answer: Answer, number: int) -> Answer:
    """The rows of a DISPLAY that the user may see; NotAuthorizedError if there were some and
    none is left.
    """
    if command_authority.sees_everything(qmgr):
        # Its rows are read as they are shown.
        return answer
    type = object_type(request)
    rows = list(answer.rows)
    authorities = [_to_see(type, row) for row in rows]
    wanted = tuple(dict.fromkeys(filter(None, authorities)))
    hidden = command_authority.hidden(qmgr, wanted)
    kept: Iterable[ReplyRow] = [
        row for row, each in zip(rows, authorities, strict=True) if each not in hidden
    ]
    if rows and not kept:
        command_authority.check(qmgr, f"DISPLAY {request.noun}", request.name, wanted, number)
    left_out = (
        () if not hidden or qmgr.issuer is not None else (_left_out(qmgr, type, len(hidden)),)
    )
    return replace(answer, rows=kept, once=(*answer.once, *left_out))


def _left_out(qmgr: QueueManager, type: str, count: int) -> str:
    what = (
        f"{count} object of type {type.lower()} is"
        if count == 1
        else f"{count} objects of type {type.lower()} are"
    )
    return f"{what} not shown: {command_authority.user_of(qmgr)} lacks +dsp."


def _to_see(type: str, row: ReplyRow) -> Wanted | None:
    """What a row asks, by the name of its object, which is its first value; None for a row about
    none.
    """
    name = str(next(iter(row.values()), ""))
    if not name:
        return None
    return Wanted("CLNTCONN" if row.get("CHLTYPE") == "CLNTCONN" else type, name, "DSP")

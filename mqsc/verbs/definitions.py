"""DEFINE, ALTER, DELETE, SET, CLEAR and MOVE."""

from collections.abc import Iterator, Mapping

from mqsc.language.command_table import answer_with_reason
from mqsc.language.reply import Answer, done, message_line, message_text
from mqsc.language.request import Naming, Request
from mqsc.store.admin import defining, deleting, records
from mqsc.store.admin.channel.sync_records import SavedRecord
from mqsc.store.catalog import Stored
from mqsc.store.client.api import QueueManager
from mqsc.store.constants import MQRC, MQRCCF, name_of
from mqsc.store.error import MQError, refuse_if
from mqsc.store.rules.sharing import GROUP
from mqsc.verbs import authority_parameters, group_copies, preconditions, removed_records
from mqsc.verbs.command_options import verb
from mqsc.verbs.options import disposition_of, ignores_state, words_of
from mqsc.verbs.row_sources import NAMED_OR_IDENTIFIED, name_in

# DEFINE: create an object; attributes that are not given come from the LIKE object or the default
# object.


def perform_define(qmgr: QueueManager, request: Request) -> Answer:
    """Create or replace the object; MQError if it exists without REPLACE, or if the LIKE object
    does not exist.
    """
    kind, name, disposition = request.kind, request.name, disposition_of(request)
    like = str(request.options["LIKE"]) if "LIKE" in request.options else None
    replaces = request.options.get("REPLACE") == "REPLACE"
    unusable = defining.create(
        qmgr,
        kind,
        name,
        request.given,
        like=like,
        replace=replaces,
        disposition=disposition,
    )
    warnings = group_copies.refreshed(qmgr, kind, name) if disposition == GROUP else []
    for member in unusable:
        why = "is not usable there, because of a queue of that name: MQOPEN answers 2343"
        warnings.append(message_line("MQSC0032W", member, f"{name} {why}"))
    return done(request.verb, kind.namespace, *warnings)


DEFINE = verb("DEFINE", Naming.EXACT, perform_define, takes_attributes=True)


# ALTER: change the given attributes of an object.


def perform_alter(qmgr: QueueManager, request: Request) -> Answer:
    """Change the object; MQError if it is missing, of another type, or open and the change needs
    FORCE.
    """
    from mqsc.store.admin.altering import change, change_queue_manager

    force, kind, disposition = (
        request.has("FORCE"),
        request.kind,
        disposition_of(request),
    )
    if request.noun == "QMGR":
        intervals = change_queue_manager(qmgr, request.given, force=force)
        remarks = [
            *_warning(intervals, request.yet_to_perform),
            *_dead_letter_queue(qmgr, request.given),
        ]
        return done(request.verb, kind.namespace, *remarks)
    change(qmgr, kind, name_in(qmgr, request), request.given, force=force, disposition=disposition)
    return done(
        request.verb,
        kind.namespace,
        *(group_copies.refreshed(qmgr, kind, request.name) if disposition == GROUP else ()),
    )


def _warning(intervals: Mapping[str, int], yet_to_perform: frozenset[str]) -> Iterator[str]:
    """The warning about members with different EXPRYINT, without those that the same command is
    about to change.
    """
    settled = {name: interval for name, interval in intervals.items() if name not in yet_to_perform}
    if len(set(settled.values())) > 1:
        yield message_line(
            "MQSC0033W",
            detail=", ".join(f"{name} {interval}" for name, interval in settled.items()),
        )


def _dead_letter_queue(qmgr: QueueManager, given: Mapping[str, Stored]) -> Iterator[str]:
    """The warning about a DEADQ that exists, but takes no messages because of its type."""
    from mqsc.store.admin.put_preview import PutPreview

    name = str(given.get("DEADQ", ""))
    reason = PutPreview(qmgr).reason_for(name, "") if name else 0
    if reason not in (0, MQRC.UNKNOWN_OBJECT_NAME):
        yield message_line("MQSC0047W", name, f"{reason} {name_of('MQRC', reason)}")


ALTER = verb(
    "ALTER",
    Naming.EXACT,
    perform_alter,
    takes_attributes=True,
    namings=NAMED_OR_IDENTIFIED,
)


# DELETE: delete an object, or authority records.

_MISSING = (
    int(MQRC.UNKNOWN_OBJECT_NAME),
    int(MQRCCF.CHANNEL_NOT_FOUND),
    authority_parameters.AUTHORITY_MISSING,
)
# The reasons that IGNSTATE(YES) ignores, as what is said of the object.
_NOT_THERE: Mapping[int, str] = {
    **dict.fromkeys(_MISSING, "did not exist"),
    int(MQRCCF.OBJECT_WRONG_TYPE): "was not a {}",
}


def perform_delete(qmgr: QueueManager, request: Request) -> Answer:
    """Delete the object; MQError if it is open, or a queue with messages.

    Without IGNSTATE(YES) also if it is missing, or if the name is that of an object of another
    type.
    """
    removed = _records(qmgr, request)
    try:
        _delete(qmgr, request)
    except MQError as error:
        what = _NOT_THERE.get(int(error.reason))
        if what is None or not ignores_state(request):
            raise
        remark = (
            f"{error.object_name} {what.format(request.noun)}; IGNSTATE(YES) counts this as "
            "success."
        )
        return done(request.verb, request.kind.namespace, remark)
    with_authority = request.options.get("AUTHREC", "YES") == "YES"
    namespace, of_group = request.kind.namespace, disposition_of(request) == GROUP
    refused = (
        group_copies.refreshed(qmgr, request.kind, request.name, with_authority=with_authority)
        if of_group
        else ()
    )
    return done(request.verb, namespace, *refused, *removed_records.cost_of(removed))


def _records(qmgr: QueueManager, request: Request) -> list[SavedRecord]:
    """The synchronization records of channels that go with the object."""
    if request.noun == "CHANNEL" and request.options.get("CHLTABLE") != "CLNTTBL":
        return removed_records.records_of(qmgr, request.name)
    return removed_records.records_on(qmgr, request.name) if request.noun == "QLOCAL" else []


def _delete(qmgr: QueueManager, request: Request) -> None:
    if request.noun == "AUTHREC":
        records.delete_authority(
            qmgr,
            authority_parameters.authority_of(request),
            authority_parameters.entities_of(request),
        )
        return
    options = request.options
    how = {
        "purge": options.get("PURGE") == "PURGE",
        "with_authority": options.get("AUTHREC", "YES") == "YES",
        "client": options.get("CHLTABLE") == "CLNTTBL",
    }
    name, disposition = name_in(qmgr, request), disposition_of(request)
    deleting.delete(qmgr, request.kind, name, disposition=disposition, **how)


_NAMINGS = {**NAMED_OR_IDENTIFIED, "AUTHREC": Naming.NONE}
DELETE = verb("DELETE", Naming.EXACT, perform_delete, namings=_NAMINGS, takes_attributes=True)


# SET: add, replace and remove channel authentication records and authority records.


def perform_set(qmgr: QueueManager, request: Request) -> Answer:
    """Change the records; MQError if the parameters conflict, or a record is missing or exists
    already.
    """
    options, answer = request.options, done(request.verb, request.kind.namespace)
    if request.noun == "CHLAUTH":
        records.set_channel_rule(
            qmgr,
            request.name,
            request.given,
            str(options.get("ACTION", "ADD")),
        )
        return answer
    words = [words_of(request, option) for option in ("AUTHADD", "AUTHRMV")]
    refuse_if(not any(words), MQRCCF.AUTH_VALUE_MISSING, request.noun)
    doubts = records.set_authority(
        qmgr,
        authority_parameters.authority_of(request),
        authority_parameters.entities_of(request),
        *words,
    )
    return done(request.verb, request.kind.namespace, *doubts) if doubts else answer


SET = verb(
    "SET",
    Naming.EXACT,
    perform_set,
    takes_attributes=True,
    namings={"AUTHREC": Naming.NONE},
)


# CLEAR: remove all messages from a local queue.


def perform_clear(qmgr: QueueManager, request: Request) -> Answer:
    """Remove the messages; MQError if the queue is open or has uncommitted messages."""
    if request.noun == "TOPICSTR":
        preconditions.check_running(qmgr)
        return answer_with_reason(request.verb, request.noun)
    removed = removed_records.records_on(qmgr, request.name)
    deleting.clear(qmgr, request.name, disposition=disposition_of(request, "PRIVATE"))
    return done(request.verb, request.kind.namespace, *removed_records.cost_of(removed))


CLEAR = verb("CLEAR", Naming.EXACT, perform_clear)


# MOVE: move all messages of a local queue to another one.


def perform_move(qmgr: QueueManager, request: Request) -> Answer:
    """Move the messages; MQError if a queue is open, or the target is full or, with TYPE(MOVE),
    not empty.
    """
    removed = removed_records.records_on(qmgr, request.name)
    target, add = str(request.options["TOQLOCAL"]), request.options.get("TYPE") == "ADD"
    disposition = disposition_of(request, "PRIVATE")
    moved = deleting.move(qmgr, request.name, target, add=add, disposition=disposition)
    detail = f"{moved} to {target}"
    rows = [{"QUEUE": request.name, "TOQLOCAL": target, "MOVED": moved}]
    lines = (message_text("MQSC0007I", request.name, detail), *removed_records.cost_of(removed))
    return Answer("MQSC0007I", "\n".join(lines), rows=rows)


MOVE = verb("MOVE", Naming.EXACT, perform_move)

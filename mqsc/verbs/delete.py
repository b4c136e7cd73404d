"""DELETE: delete an object, or authority records."""

from collections.abc import Iterable, Mapping

from mqsc.language.reply import Answer, done
from mqsc.language.request import Naming, Request
from mqsc.store.admin import authority_records, deleting, topics
from mqsc.store.admin.channel.sync_records import SavedRecord
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQRC, MQRCCF
from mqsc.store.error import MQError
from mqsc.store.rules.sharing import GROUP
from mqsc.verbs import authority_parameters, group_copies, removed_records
from mqsc.verbs.command_options import verb
from mqsc.verbs.options import disposition_of, ignores_state
from mqsc.verbs.row_sources import NAMED_OR_IDENTIFIED, name_in

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
        state = _NOT_THERE.get(int(error.reason))
        if state is None or not ignores_state(request):
            raise
        remark = (
            f"{error.object_name} {state.format(request.noun)}; IGNSTATE(YES) counts this as "
            "success."
        )
        return done(request.verb, request.kind.namespace, remark)
    with_authority = request.options.get("AUTHREC", "YES") == "YES"
    refused: Iterable[str] = ()
    if disposition_of(request) == GROUP:
        refused = group_copies.refreshed(
            qmgr,
            request.kind,
            request.name,
            with_authority=with_authority,
        )
    return done(
        request.verb,
        request.kind.namespace,
        *refused,
        *removed_records.cost_of(removed),
    )


def _records(qmgr: QueueManager, request: Request) -> list[SavedRecord]:
    """The synchronization records of channels that go with the object."""
    if request.noun == "CHANNEL" and request.options.get("CHLTABLE") != "CLNTTBL":
        return removed_records.records_of(qmgr, request.name)
    return removed_records.records_on(qmgr, request.name) if request.noun == "QLOCAL" else []


def _delete(qmgr: QueueManager, request: Request) -> None:
    if request.noun == "AUTHREC":
        authority_records.delete_authority(
            qmgr,
            authority_parameters.authority_of(request),
            authority_parameters.entities_of(request),
        )
        return
    options = request.options
    if request.noun == "SUB":
        own = topics.own_subscription(qmgr, request.name, str(options.get("SUBID", "")))
        if own:
            topics.delete_own(qmgr, own)
            return
    deleting.delete(
        qmgr,
        request.kind,
        name_in(qmgr, request),
        disposition=disposition_of(request),
        purge=options.get("PURGE") == "PURGE",
        with_authority=options.get("AUTHREC", "YES") == "YES",
        client=options.get("CHLTABLE") == "CLNTTBL",
    )


_NAMINGS = {**NAMED_OR_IDENTIFIED, "AUTHREC": Naming.NONE}
DELETE = verb("DELETE", Naming.EXACT, perform_delete, namings=_NAMINGS, takes_attributes=True)

"""DELETE: delete an object, or authority records."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from mqsc.language.request import Naming, Request
from mqsc.reply import Answer, done
from mqsc.verbs.authority_parameters import AUTHORITY_MISSING, authority_of, entities_of
from mqsc.verbs.command_options import verb
from mqsc.verbs.common_options import disposition_of, ignores_state
from mqsc.verbs.group_copies import refreshed
from mqsc.verbs.subscription_names import NAMED_OR_IDENTIFIED, name_in
from store.constants import MQRC, MQRCCF
from store.error import MQError
from store.rules.sharing import GROUP

if TYPE_CHECKING:
    from store.admin.sync_records import SavedRecord
    from store.client.api import QueueManager

_MISSING = (int(MQRC.UNKNOWN_OBJECT_NAME), int(MQRCCF.CHANNEL_NOT_FOUND), AUTHORITY_MISSING)
# The reasons that IGNSTATE(YES) ignores, as what is said of the object.
_NOT_THERE: Mapping[int, str] = {
    **dict.fromkeys(_MISSING, "did not exist"),
    int(MQRCCF.OBJECT_WRONG_TYPE): "was not a {}",
}


def perform(qmgr: QueueManager, request: Request) -> Answer:
    """Delete the object; MQError if it is open, or a queue with messages.

    Without IGNSTATE(YES) also if it is missing, or if the name is that of an object of another type.
    """
    from mqsc.verbs.channel_records import cost_of

    records = _records(qmgr, request)
    try:
        _delete(qmgr, request)
    except MQError as error:
        what = _NOT_THERE.get(int(error.reason))
        if what is None or not ignores_state(request):
            raise
        remark = f"{error.object_name} {what.format(request.noun)}; IGNSTATE(YES) counts this as success."
        return done(request.verb, request.kind.namespace, remark)
    with_authority = request.options.get("AUTHREC", "YES") == "YES"
    namespace, of_group = request.kind.namespace, disposition_of(request) == GROUP
    refused = refreshed(qmgr, request.kind, request.name, with_authority=with_authority) if of_group else ()
    return done(request.verb, namespace, *refused, *cost_of(records))


def _records(qmgr: QueueManager, request: Request) -> list[SavedRecord]:
    """The synchronization records of channels that go with the object."""
    from mqsc.verbs.channel_records import records_of, records_on

    if request.noun == "CHANNEL" and request.options.get("CHLTABLE") != "CLNTTBL":
        return records_of(qmgr, request.name)
    return records_on(qmgr, request.name) if request.noun == "QLOCAL" else []


def _delete(qmgr: QueueManager, request: Request) -> None:
    from store.admin.authorities import delete_authority
    from store.admin.deleting import delete

    if request.noun == "AUTHREC":
        delete_authority(qmgr, authority_of(request), entities_of(request))
        return
    options = request.options
    delete(
        qmgr,
        request.kind,
        name_in(qmgr, request),
        purge=options.get("PURGE") == "PURGE",
        with_authority=options.get("AUTHREC", "YES") == "YES",
        client=options.get("CHLTABLE") == "CLNTTBL",
        disposition=disposition_of(request),
    )


_NAMINGS = {**NAMED_OR_IDENTIFIED, "AUTHREC": Naming.NONE}
VERB = verb("DELETE", Naming.EXACT, perform, namings=_NAMINGS, takes_attributes=True)

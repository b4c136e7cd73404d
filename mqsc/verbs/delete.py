"""DELETE: remove an object, or authority records."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mqsc.language.request import Naming, Request, Verb
from mqsc.language.support import NO_AUTHORITY
from mqsc.reply import Answer, done
from mqsc.verbs.identifiers import NAMED_OR_IDENTIFIED, SUBID, name_in
from mqsc.verbs.objects import objects_of
from mqsc.verbs.options import GROUP_OPTIONS, MQTT_CHANNEL, flag, ignores_state, ignstate, option
from mqsc.verbs.rights import AUTHORITY_MISSING, authority_of, entities_of
from store.catalog.types import Word
from store.constants import MQRC, MQRCCF
from store.error import MQError

if TYPE_CHECKING:
    from store.client.api import QueueManager

_QUEUES = ("QALIAS", "QLOCAL", "QMODEL", "QREMOTE")
# Objects whose absence can be made a success; what only z/OS has cannot.
_WITH_STATE = (
    "AUTHINFO", "AUTHREC", "CHANNEL", "LISTENER", "NAMELIST", "PROCESS", "SERVICE", "SUB", "TOPIC", *_QUEUES,
)  # fmt: skip
_MISSING = frozenset({int(MQRC.UNKNOWN_OBJECT_NAME), int(MQRCCF.CHANNEL_NOT_FOUND), AUTHORITY_MISSING})


def perform(qmgr: QueueManager, request: Request) -> Answer:
    """Delete the object; MQError when it is missing (unless IGNSTATE(YES)), open, or a queue with messages."""
    try:
        name = _delete(qmgr, request)
    except MQError as error:
        if int(error.reason) not in _MISSING or not ignores_state(request):
            raise
        remark = f"{error.object_name} did not exist, which IGNSTATE(YES) accepts."
        return done(request.verb, request.kind.namespace, remark)
    answer = done(request.verb, request.kind.namespace)
    return answer if name else _of_records(answer)


def _delete(qmgr: QueueManager, request: Request) -> str:
    from store.admin import delete, delete_authority

    if request.noun == "AUTHREC":
        delete_authority(qmgr, authority_of(request), entities_of(request))
        return ""
    options = request.options
    name = name_in(qmgr, request)
    delete(
        qmgr,
        request.kind,
        name,
        purge=options.get("PURGE") == "PURGE",
        with_authority=options.get("AUTHREC", "YES") == "YES",
        client=options.get("CHLTABLE") == "CLNTTBL",
    )
    return name


def _of_records(answer: Answer) -> Answer:
    return Answer(answer.message_id, answer.text, once=NO_AUTHORITY)


VERB = Verb(
    "DELETE",
    objects_of("DELETE"),
    Naming.EXACT,
    perform,
    (
        flag("PURGE", "NOPURGE", "Whether committed messages are deleted with the queue.", "QLOCAL"),
        option("AUTHREC", Word(("YES", "NO")), "Whether its authority records go with it.", "YES", "TOPIC", *_QUEUES),
        MQTT_CHANNEL,
        option("CHLTABLE", Word(("QMGRTBL", "CLNTTBL")), "Where the channel is defined.", "QMGRTBL", "CHANNEL"),
        SUBID,
        ignstate(*_WITH_STATE),
        *GROUP_OPTIONS,
    ),
    namings={**NAMED_OR_IDENTIFIED, "AUTHREC": Naming.NONE},
    takes_attributes=True,
)

"""STOP: break a connection. The other things that MQ stops do not run here, and the answer says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mqsc.language.nouns import objects_of
from mqsc.language.request import Naming, Request, Verb
from mqsc.language.support import answer_with_reason
from mqsc.reply import Answer, done
from mqsc.verbs.common_options import CHLDISP, MQTT_CHANNEL, ignores_state, ignstate, option, scope
from mqsc.verbs.preconditions import channel_of, check_running, existing_object
from store.catalog.channels import TYPES
from store.catalog.types import Name, Number, Text, Word
from store.constants import MQRCCF
from store.error import MQError

if TYPE_CHECKING:
    from store.client.api import QueueManager

_STOPPABLE = frozenset(TYPES) - {"CLNTCONN"}
_NAMED = frozenset({"LISTENER", "SERVICE"})


def perform(qmgr: QueueManager, request: Request) -> Answer:
    """Break the connection; MQError if the object does not exist or is not active."""
    check_running(qmgr)
    if request.noun == "CONN":
        return _connection(qmgr, request)
    if request.noun == "CHANNEL":
        channel_of(qmgr, request.name, _STOPPABLE)
        if ignores_state(request):
            return done(
                request.verb,
                request.kind.namespace,
                "The channel was not active; IGNSTATE(YES) counts this as success.",
            )
        raise MQError(MQRCCF.CHANNEL_NOT_ACTIVE, request.name)
    if request.noun in _NAMED and request.name:
        existing_object(qmgr, request)
    return answer_with_reason(request.verb, request.noun)


def _connection(qmgr: QueueManager, request: Request) -> Answer:
    from store.admin.stop import stop_connections

    stop_connections(qmgr, request.name, str(request.options.get("EXTCONN", "")))
    return done(request.verb, request.kind.namespace)


VERB = Verb(
    "STOP",
    objects_of("STOP"),
    Naming.EXACT,
    perform,
    (
        option("MODE", Word(("QUIESCE", "FORCE", "TERMINATE")), "How to stop the channel.", "QUIESCE", "CHANNEL"),
        option("STATUS", Word(("STOPPED", "INACTIVE")), "The status after the stop.", "STOPPED", "CHANNEL"),
        option("CONNAME", Text(264), "Only instances with this connection name.", "", "CHANNEL"),
        option("QMNAME", Name(48), "Only instances connected to this queue manager.", "", "CHANNEL"),
        MQTT_CHANNEL,
        CHLDISP,
        option("CLIENTID", Text(23), "Only this MQTT client.", "", "CHANNEL"),
        ignstate("CHANNEL", "LISTENER", "SERVICE"),
        option("SHARED", Text(12), "What happens to shared channels.", "", "CHINIT"),
        option("INDISP", Word(("QMGR", "GROUP")), "Where connections go.", "QMGR", "LISTENER"),
        option("IPADDR", Text(48), "The address it listens on.", "", "LISTENER"),
        option("PORT", Number(1, 65_535), "The port it listens on.", None, "LISTENER"),
        option("TRPTYPE", Word(("TCP", "LU62")), "The transport it listens on.", None, "LISTENER"),
        option("EXTCONN", Text(32), "Only a connection with this EXTCONN.", "", "CONN"),
        scope("CHANNEL", "CHINIT", "LISTENER"),
    ),
    namings={
        "CHINIT": Naming.NONE, "CMDSERV": Naming.NONE, "CONN": Naming.OPTIONAL, "LISTENER": Naming.OPTIONAL,
    },
)  # fmt: skip

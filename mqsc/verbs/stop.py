"""STOP: break a connection; of what else MQ stops nothing runs here, and the answer says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mqsc.language.request import Naming, Request, Verb
from mqsc.language.support import decided
from mqsc.reply import Answer, done
from mqsc.verbs.objects import objects_of
from mqsc.verbs.options import CHLDISP, MQTT_CHANNEL, ignores_state, ignstate, option, scope
from mqsc.verbs.state import channel_of, check_running, found
from store.catalog.channels import TYPES
from store.catalog.types import Name, Number, Text, Word
from store.constants import MQRCCF
from store.error import MQError

if TYPE_CHECKING:
    from store.client.api import QueueManager

_STOPPED = frozenset(TYPES) - {"CLNTCONN"}
_NAMED = frozenset({"LISTENER", "SERVICE"})


def perform(qmgr: QueueManager, request: Request) -> Answer:
    """Break the connection; MQError when there is no such object, or nothing that could be stopped."""
    check_running(qmgr)
    if request.noun == "CONN":
        return _connection(qmgr, request)
    if request.noun == "CHANNEL":
        channel_of(qmgr, request.name, _STOPPED)
        if ignores_state(request):
            return done(request.verb, request.kind.namespace, "It was not active, which IGNSTATE(YES) accepts.")
        raise MQError(MQRCCF.CHANNEL_NOT_ACTIVE, request.name)
    if request.noun in _NAMED and request.name:
        found(qmgr, request)
    return decided(request.verb, request.noun)


def _connection(qmgr: QueueManager, request: Request) -> Answer:
    from store.admin import stop_connections

    stop_connections(qmgr, request.name, str(request.options.get("EXTCONN", "")))
    return done(request.verb, request.kind.namespace)


VERB = Verb(
    "STOP",
    objects_of("STOP"),
    Naming.EXACT,
    perform,
    (
        option("MODE", Word(("QUIESCE", "FORCE", "TERMINATE")), "How it is stopped.", "QUIESCE", "CHANNEL"),
        option("STATUS", Word(("STOPPED", "INACTIVE")), "What its status is then.", "STOPPED", "CHANNEL"),
        option("CONNAME", Text(264), "Only what comes from here.", "", "CHANNEL"),
        option("QMNAME", Name(48), "Only what this queue manager brought.", "", "CHANNEL"),
        MQTT_CHANNEL,
        CHLDISP,
        option("CLIENTID", Text(23), "Only this MQTT client.", "", "CHANNEL"),
        ignstate("CHANNEL", "LISTENER", "SERVICE"),
        option("SHARED", Text(12), "What becomes of shared channels.", "", "CHINIT"),
        option("INDISP", Word(("QMGR", "GROUP")), "Where connections went.", "QMGR", "LISTENER"),
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

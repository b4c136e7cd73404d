"""START: what would run in MQ; here nothing does, and the answer says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mqsc.language.request import Naming, Request, Verb
from mqsc.language.support import decided
from mqsc.reply import Answer
from mqsc.verbs.objects import objects_of
from mqsc.verbs.options import MQTT_CHANNEL, ignstate, option, scope
from mqsc.verbs.state import channel_of, check_running, found
from store.catalog.channels import TYPES
from store.catalog.types import Name, Number, Text, Word

if TYPE_CHECKING:
    from store.client.api import QueueManager

_STARTED = frozenset(TYPES) - {"CLNTCONN"}
_NAMED = frozenset({"LISTENER", "SERVICE"})


def perform(qmgr: QueueManager, request: Request) -> Answer:
    """The answer of MQ, and that nothing runs; MQError when there is no such object or it cannot be started."""
    check_running(qmgr)
    if request.noun == "CHANNEL":
        channel_of(qmgr, request.name, _STARTED)
    if request.noun in _NAMED and request.name:
        found(qmgr, request)
    return decided(request.verb, request.noun)


VERB = Verb(
    "START",
    objects_of("START"),
    Naming.EXACT,
    perform,
    (
        ignstate("CHANNEL", "LISTENER", "SERVICE"),
        MQTT_CHANNEL,
        option("CHLDISP", Word(("DEFAULT", "FIXSHARED", "PRIVATE", "SHARED")), "Where it runs.", None, "CHANNEL"),
        option("ENVPARM", Text(1024), "Parameters of the started task.", "", "CHINIT"),
        option("INITQ", Name(48), "The initiation queue.", "SYSTEM.CHANNEL.INITQ", "CHINIT"),
        option("INDISP", Word(("QMGR", "GROUP")), "Where connections go.", "QMGR", "LISTENER"),
        option("IPADDR", Text(48), "The address to listen on.", "", "LISTENER"),
        option("LUNAME", Text(8), "The LU 6.2 name to listen on.", "", "LISTENER"),
        option("PORT", Number(1, 65_535), "The port to listen on.", None, "LISTENER"),
        option("TRPTYPE", Word(("TCP", "LU62")), "The transport to listen on.", None, "LISTENER"),
        scope("CHANNEL", "CHINIT", "LISTENER"),
    ),
    namings={"CHINIT": Naming.NONE, "CMDSERV": Naming.NONE, "LISTENER": Naming.OPTIONAL},
)

"""START: accepted as in MQ, but nothing runs here, and the answer says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mqsc.language.nouns import objects_of
from mqsc.language.request import Naming, Request, Verb
from mqsc.language.support import answer_with_reason
from mqsc.reply import Answer
from mqsc.verbs.common_options import MQTT_CHANNEL, ignstate, option, scope
from mqsc.verbs.preconditions import channel_of, check_running, existing_object
from store.catalog.channels import TYPES
from store.catalog.types import Name, Number, Text, Word

if TYPE_CHECKING:
    from store.client.api import QueueManager

_STARTABLE = frozenset(TYPES) - {"CLNTCONN"}
_NAMED = frozenset({"LISTENER", "SERVICE"})


def perform(qmgr: QueueManager, request: Request) -> Answer:
    """Answer as MQ does and say that nothing runs; MQError if the object is missing or cannot be started."""
    check_running(qmgr)
    if request.noun == "CHANNEL":
        channel_of(qmgr, request.name, _STARTABLE)
    if request.noun in _NAMED and request.name:
        existing_object(qmgr, request)
    return answer_with_reason(request.verb, request.noun)


VERB = Verb(
    "START",
    objects_of("START"),
    Naming.EXACT,
    perform,
    (
        ignstate("CHANNEL", "LISTENER", "SERVICE"),
        MQTT_CHANNEL,
        option(
            "CHLDISP", Word(("DEFAULT", "FIXSHARED", "PRIVATE", "SHARED")), "Where the channel runs.", None, "CHANNEL"
        ),
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

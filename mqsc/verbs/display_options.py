"""The parameters of DISPLAY besides the attributes: what to show, and for which objects."""

from __future__ import annotations

from collections.abc import Mapping

from mqsc.language.nouns import objects_of
from mqsc.language.request import Conflict, Naming
from mqsc.language.value_types import GenericName, WordList
from mqsc.verbs.common_options import CMDSCOPE, SHOWN_QSGDISP, flag, option, scope
from store.catalog import KINDS, QUEUES
from store.catalog.types import Hex, Items, Name, Number, Text, Word

QUEUE_WORDS = ("QUEUE", "QCLUSTER", *(kind.keyword for kind in QUEUES))
GROUPS = ("CHINIT", "CLUSTER", "EVENT", "PUBSUB", "SYSTEM")
_WITHOUT_NAME = ("AUTHREC", "CHINIT", "CMDSERV", "ENTAUTH", "GROUP", "PUBSUB", "QMSTATUS")
_WITHOUT_FILTER = ("CHINIT", "CMDSERV", "PUBSUB", "QMGR")
_OF_GROUP = ("CHINIT", "CHSTATUS", "CLUSQMGR", "CONN", "PUBSUB", "QSTATUS", "SBSTATUS", "TPSTATUS")
_ALL_TYPES = ("ALL",)
_ENTITIES = Items(Text(64), 256)

NAMINGS: Mapping[str, Naming] = {
    **dict.fromkeys(_WITHOUT_NAME, Naming.NONE),
    **dict.fromkeys(("SBSTATUS", "SUB"), Naming.OPTIONAL),
    "TPSTATUS": Naming.TOPIC,
}
CONFLICTS = (Conflict("CHSTATUS", "CURRENT", ("SAVED", "SHORT")), Conflict("CHSTATUS", "SAVED", ("SHORT",)))


def _type(noun: str, *words: str) -> tuple[str, Word, str, None, str]:
    return "TYPE", Word((*words, *_ALL_TYPES)), "What each row describes.", None, noun


OPTIONS = (
    flag("ALL", "", "Show every attribute."),
    option("WHERE", WordList("a keyword, an operator and a value"), "Show only objects that satisfy it.", None,
           *(noun for noun in objects_of("DISPLAY") if noun not in _WITHOUT_FILTER)),
    option("CLUSTER", GenericName(), "Only objects in these clusters.", None,
           *QUEUE_WORDS, "CLUSQMGR", "TCLUSTER", "TOPIC"),
    option("CLUSNL", GenericName(), "Only queues with these cluster namelists.", None, *QUEUE_WORDS),
    # There are no cluster queues or topics here, so this flag adds nothing.
    flag("CLUSINFO", "", "Show cluster information too.", *QUEUE_WORDS, "TOPIC"),
    option("CFSTRUCT", GenericName(Name(12)), "Only queues in these structures.", None, *QUEUE_WORDS),
    option("PSID", Number(0, 99), "Only queues on this page set.", None, *QUEUE_WORDS),
    option("STGCLASS", GenericName(Name(8)), "Only queues of these storage classes.", None, *QUEUE_WORDS),
    *(flag(group, "", f"The attributes of the group {group}.", "QMGR") for group in GROUPS),
    option(*_type("QSTATUS", "QUEUE", "HANDLE")),
    option("OPENTYPE", Word(("ALL", "INPUT", "OUTPUT")), "Only handles with this type of access.", None, "QSTATUS"),
    flag("MONITOR", "", "Show monitoring data.", "QSTATUS", "CHSTATUS"),
    option("EXTCONN", GenericName(Text(32)), "Only connections with this EXTCONN.", None, "CONN"),
    option("TYPE", Word(("CONN", "HANDLE", "*", "ALL")), "What each row describes.", None, "CONN"),
    option("URDISP", Word(("ALL", "GROUP", "QMGR")), "Which units of work.", None, "CONN"),
    option("CONNAME", Text(264), "Only channels with this connection name.", None, "CHSTATUS"),
    option("XMITQ", Name(48), "Only channels with this transmission queue.", None, "CHSTATUS"),
    *(flag(word, "", "Which status to show.", "CHSTATUS") for word in ("CURRENT", "SAVED", "SHORT", "SUMMARY")),
    option("CHLDISP", Word(("ALL", "PRIVATE", "SHARED")), "Where the channels run.", None, "CHSTATUS"),
    option("CHLTYPE", Word(("AMQP", "MQTT")), "Only channels of this type.", None, "CHSTATUS"),
    option("CLIENTID", GenericName(Text(1024)), "Only these clients.", None, "CHSTATUS"),
    option("CHANNEL", GenericName(Name(20)), "Only queue managers reached through these channels.", None, "CLUSQMGR"),
    option("TYPE", Word(("APPL", "QMGR", "LOCAL")), "What each row describes.", None, "APSTATUS"),
    option(*_type("PUBSUB", "LOCAL", "CHILD", "PARENT")),
    option(*_type("QMSTATUS", "QMGR", "NATIVEHA")),
    flag("LOG", "", "Show the attributes of the log.", "QMSTATUS"),
    option("NHATYPE", Word(("ALL", "INSTANCE", "GROUP")), "Which part of Native HA.", None, "QMSTATUS"),
    option("TYPE", Word(("TOPIC", "PUB", "SUB")), "What each row describes.", None, "TPSTATUS"),
    option("DISTYPE", Word(("RESOLVED", "DEFINED")), "Whether to show resolved values.", None, "SUB"),
    flag("SUMMARY", "", "Show topic and destination only.", "SUB"),
    option("DURABLE", Word(("ALL", "NO", "YES")), "Only durable or non-durable subscriptions.", None, "SBSTATUS"),
    option("SUBTYPE", Word(("USER", "PROXY", "ADMIN", "API", "ALL")), "Only this type.", None, "SBSTATUS"),
    option("SUBID", Hex(48), "The identifier of the subscription, instead of its name.", None, "SBSTATUS"),
    option("PRINCIPAL", _ENTITIES, "The user.", None, "ENTAUTH"),
    option("GROUP", _ENTITIES, "The group.", None, "ENTAUTH"),
    option("OBJNAME", Name(48), "The object.", None, "ENTAUTH"),
    option("OBJTYPE", KINDS["AUTHREC"].attributes["OBJTYPE"].type, "The type of object.", None, "ENTAUTH"),
    option("SERVCOMP", Text(48), "The authorization service.", None, "ENTAUTH"),
    # With MATCH(RUNCHECK): the client or queue manager that connects.
    option("ADDRESS", Text(48), "The address of the client or queue manager.", None, "CHLAUTH"),
    option("CLNTUSER", Text(64), "The user that the client asserts.", None, "CHLAUTH"),
    option("QMNAME", Text(48), "The queue manager that connects.", None, "CHLAUTH"),
    option("SSLPEER", Text(1024), "The distinguished name in the certificate.", None, "CHLAUTH"),
    option("SSLCERTI", Text(1024), "The issuer of the certificate.", None, "CHLAUTH"),
    option("TYPE", Word(("SUMMARY", "CONNECT", "BACKUP", "SMDS")), "What each row describes.", None, "CFSTATUS"),
    option("OBSMSGS", Word(("NO", "YES")), "Whether to look for obsolete Db2 messages: none here.", None, "GROUP"),
    scope(*_OF_GROUP),
    CMDSCOPE,
    SHOWN_QSGDISP,
)  # fmt: skip

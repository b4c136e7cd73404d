"""The parameters of commands that are not attributes of objects, by verb."""

from collections.abc import Mapping
from typing import NamedTuple

from mqsc.language.value_types import GenericName, WordList
from mqsc.store.catalog import KINDS, Stored
from mqsc.store.catalog.types import Flag, Hex, Items, Name, Number, Text, Type, Word


class Parameter(NamedTuple):
    """A parameter of a command.

    It belongs to the commands on `nouns`, or to all but those on `not_for`, or with `of_kind` to
    those on kinds of object that have an attribute of this name.
    """

    keyword: str
    type: Type
    help: str
    default: Stored | None = None
    required: bool = False
    nouns: tuple[str, ...] = ()
    not_for: tuple[str, ...] = ()
    of_kind: bool = False


_SCOPE_OF_KIND = Parameter(
    "CMDSCOPE",
    Text(48),
    "The queue manager that performs the command: blank or its name for this one, * for all.",
    default="",
    of_kind=True,
)


def _scope(*nouns: str) -> Parameter:
    return _SCOPE_OF_KIND._replace(nouns=nouns, of_kind=False)


_QUEUES = ("QALIAS", "QCLUSTER", "QLOCAL", "QMODEL", "QREMOTE", "QUEUE")

# The commands on clusters.
_OF_CLUSTERS = (
    Parameter("CLUSTER", Name(48), "The cluster.", default=""),
    Parameter("CLUSNL", Name(48), "The namelist with the clusters.", default=""),
    Parameter("FACILITY", Text(12), "The z/OS facility.", default=""),
    Parameter("LOG", Flag("LOG"), "The log."),
    _scope(),
)
PARAMETERS: Mapping[str, tuple[Parameter, ...]] = {
    "ALTER": (
        Parameter(
            "FORCE",
            Flag("FORCE"),
            "Change the object even if it is open.",
            nouns=("QALIAS", "QLOCAL", "QMGR", "QREMOTE"),
        ),
        Parameter(
            "SUBID",
            Hex(48),
            "The identifier of the subscription, instead of its name.",
            default="",
            nouns=("SUB",),
        ),
        _SCOPE_OF_KIND,
        Parameter(
            "QSGDISP",
            Word(("QMGR", "COPY", "GROUP", "SHARED", "PRIVATE")),
            "Where the definition is kept.",
            default="QMGR",
            of_kind=True,
        ),
    ),
    "CLEAR": (
        Parameter(
            "CLRTYPE", Word(("RETAINED",)), "What to remove.", required=True, nouns=("TOPICSTR",)
        ),
        Parameter(
            "SCOPE", Word(("LOCAL",)), "Where to remove it.", default="LOCAL", nouns=("TOPICSTR",)
        ),
        _scope("TOPICSTR"),
        _SCOPE_OF_KIND,
        Parameter(
            "QSGDISP",
            Word(("PRIVATE", "SHARED")),
            "Where the messages are kept.",
            default="PRIVATE",
            of_kind=True,
        ),
    ),
    "DEFINE": (
        Parameter("LIKE", Name(48), "The object to copy attributes from.", not_for=("SUB",)),
        Parameter("LIKE", Text(10240), "The object to copy attributes from.", nouns=("SUB",)),
        Parameter(
            "REPLACE", Flag("REPLACE", "NOREPLACE"), "Whether to replace an existing object."
        ),
        _SCOPE_OF_KIND,
        Parameter(
            "QSGDISP",
            Word(("QMGR", "COPY", "GROUP", "SHARED")),
            "Where the definition is kept.",
            default="QMGR",
            of_kind=True,
        ),
    ),
    "DELETE": (
        Parameter(
            "PURGE",
            Flag("PURGE", "NOPURGE"),
            "Whether to delete the queue even if it has messages.",
            nouns=("QLOCAL",),
        ),
        Parameter(
            "AUTHREC",
            Word(("YES", "NO")),
            "Whether to delete its authority records too.",
            default="YES",
            nouns=("QALIAS", "QLOCAL", "QMODEL", "QREMOTE", "TOPIC"),
        ),
        Parameter("CHLTYPE", Word(("MQTT",)), "Selects an MQTT channel.", nouns=("CHANNEL",)),
        Parameter(
            "CHLTABLE",
            Word(("QMGRTBL", "CLNTTBL")),
            "Where the channel is defined.",
            default="QMGRTBL",
            nouns=("CHANNEL",),
        ),
        Parameter(
            "SUBID",
            Hex(48),
            "The identifier of the subscription, instead of its name.",
            default="",
            nouns=("SUB",),
        ),
        Parameter(
            "IGNSTATE",
            Word(("NO", "YES")),
            "Whether the command succeeds if there is nothing to do.",
            default="NO",
            not_for=("CFSTRUCT", "STGCLASS"),
        ),
        _SCOPE_OF_KIND,
        Parameter(
            "QSGDISP",
            Word(("QMGR", "COPY", "GROUP", "SHARED")),
            "Where the definition is kept.",
            default="QMGR",
            of_kind=True,
        ),
    ),
    "DISPLAY": (
        Parameter("ALL", Flag("ALL"), "Show every attribute."),
        Parameter(
            "WHERE",
            WordList("a keyword, an operator and a value"),
            "Show only objects that satisfy it.",
            not_for=("CHINIT", "CMDSERV", "PUBSUB", "QMGR"),
        ),
        Parameter(
            "CLUSTER",
            GenericName(Name(48)),
            "Only objects in these clusters.",
            nouns=(
                "CLUSQMGR",
                "QALIAS",
                "QCLUSTER",
                "QLOCAL",
                "QMODEL",
                "QREMOTE",
                "QUEUE",
                "TCLUSTER",
                "TOPIC",
            ),
        ),
        Parameter(
            "CLUSNL",
            GenericName(Name(48)),
            "Only queues with these cluster namelists.",
            nouns=_QUEUES,
        ),
        Parameter(
            "CLUSINFO",
            Flag("CLUSINFO"),
            "Show cluster information too.",
            nouns=("QALIAS", "QCLUSTER", "QLOCAL", "QMODEL", "QREMOTE", "QUEUE", "TOPIC"),
        ),
        Parameter(
            "CFSTRUCT", GenericName(Name(12)), "Only queues in these structures.", nouns=_QUEUES
        ),
        Parameter("PSID", Number(0, 99), "Only queues on this page set.", nouns=_QUEUES),
        Parameter(
            "STGCLASS", GenericName(Name(8)), "Only queues of these storage classes.", nouns=_QUEUES
        ),
        Parameter("CHINIT", Flag("CHINIT"), "The attributes of the group CHINIT.", nouns=("QMGR",)),
        Parameter(
            "CLUSTER", Flag("CLUSTER"), "The attributes of the group CLUSTER.", nouns=("QMGR",)
        ),
        Parameter("EVENT", Flag("EVENT"), "The attributes of the group EVENT.", nouns=("QMGR",)),
        Parameter("PUBSUB", Flag("PUBSUB"), "The attributes of the group PUBSUB.", nouns=("QMGR",)),
        Parameter("SYSTEM", Flag("SYSTEM"), "The attributes of the group SYSTEM.", nouns=("QMGR",)),
        Parameter(
            "TYPE", Word(("QUEUE", "HANDLE", "ALL")), "What each row describes.", nouns=("QSTATUS",)
        ),
        Parameter(
            "OPENTYPE",
            Word(("ALL", "INPUT", "OUTPUT")),
            "Only handles with this type of access.",
            nouns=("QSTATUS",),
        ),
        Parameter(
            "MONITOR", Flag("MONITOR"), "Show monitoring data.", nouns=("CHSTATUS", "QSTATUS")
        ),
        Parameter(
            "EXTCONN", GenericName(Text(32)), "Only connections with this EXTCONN.", nouns=("CONN",)
        ),
        Parameter(
            "TYPE",
            Word(("CONN", "HANDLE", "*", "ALL")),
            "What each row describes.",
            nouns=("CONN",),
        ),
        Parameter(
            "URDISP", Word(("ALL", "GROUP", "QMGR")), "Which units of work.", nouns=("CONN",)
        ),
        Parameter(
            "CONNAME", Text(264), "Only channels with this connection name.", nouns=("CHSTATUS",)
        ),
        Parameter(
            "XMITQ", Name(48), "Only channels with this transmission queue.", nouns=("CHSTATUS",)
        ),
        Parameter("CURRENT", Flag("CURRENT"), "Which status to show.", nouns=("CHSTATUS",)),
        Parameter("SAVED", Flag("SAVED"), "Which status to show.", nouns=("CHSTATUS",)),
        Parameter("SHORT", Flag("SHORT"), "Which status to show.", nouns=("CHSTATUS",)),
        Parameter("SUMMARY", Flag("SUMMARY"), "Which status to show.", nouns=("CHSTATUS",)),
        Parameter(
            "CHLDISP",
            Word(("ALL", "PRIVATE", "SHARED")),
            "Where the channels run.",
            nouns=("CHSTATUS",),
        ),
        Parameter(
            "CHLTYPE", Word(("AMQP", "MQTT")), "Only channels of this type.", nouns=("CHSTATUS",)
        ),
        Parameter("CLIENTID", GenericName(Text(1024)), "Only these clients.", nouns=("CHSTATUS",)),
        Parameter(
            "CHANNEL",
            GenericName(Name(20)),
            "Only queue managers reached through these channels.",
            nouns=("CLUSQMGR",),
        ),
        Parameter(
            "TYPE", Word(("APPL", "QMGR", "LOCAL")), "What each row describes.", nouns=("APSTATUS",)
        ),
        Parameter(
            "TYPE",
            Word(("LOCAL", "CHILD", "PARENT", "ALL")),
            "What each row describes.",
            nouns=("PUBSUB",),
        ),
        Parameter(
            "TYPE",
            Word(("QMGR", "NATIVEHA", "ALL")),
            "What each row describes.",
            nouns=("QMSTATUS",),
        ),
        Parameter("LOG", Flag("LOG"), "Show the attributes of the log.", nouns=("QMSTATUS",)),
        Parameter(
            "NHATYPE",
            Word(("ALL", "INSTANCE", "GROUP")),
            "Which part of Native HA.",
            nouns=("QMSTATUS",),
        ),
        Parameter(
            "TYPE", Word(("TOPIC", "PUB", "SUB")), "What each row describes.", nouns=("TPSTATUS",)
        ),
        Parameter(
            "DISTYPE",
            Word(("RESOLVED", "DEFINED")),
            "Whether to show resolved values.",
            nouns=("SUB",),
        ),
        Parameter("SUMMARY", Flag("SUMMARY"), "Show topic and destination only.", nouns=("SUB",)),
        Parameter(
            "DURABLE",
            Word(("ALL", "NO", "YES")),
            "Only durable or non-durable subscriptions.",
            nouns=("SBSTATUS",),
        ),
        Parameter(
            "SUBTYPE",
            Word(("USER", "PROXY", "ADMIN", "API", "ALL")),
            "Only this type.",
            nouns=("SBSTATUS",),
        ),
        Parameter(
            "SUBID",
            Hex(48),
            "The identifier of the subscription, instead of its name.",
            nouns=("SBSTATUS",),
        ),
        Parameter("PRINCIPAL", Items(Text(64), 256), "The user.", nouns=("ENTAUTH",)),
        Parameter("GROUP", Items(Text(64), 256), "The group.", nouns=("ENTAUTH",)),
        Parameter("OBJNAME", Name(48), "The object.", nouns=("ENTAUTH",)),
        Parameter(
            "OBJTYPE",
            KINDS["AUTHREC"].attributes["OBJTYPE"].type,
            "The type of object.",
            nouns=("ENTAUTH",),
        ),
        Parameter("SERVCOMP", Text(48), "The authorization service.", nouns=("ENTAUTH",)),
        Parameter(
            "ADDRESS", Text(48), "The address of the client or queue manager.", nouns=("CHLAUTH",)
        ),
        Parameter("CLNTUSER", Text(64), "The user that the client asserts.", nouns=("CHLAUTH",)),
        Parameter("QMNAME", Text(48), "The queue manager that connects.", nouns=("CHLAUTH",)),
        Parameter(
            "SSLPEER", Text(1024), "The distinguished name in the certificate.", nouns=("CHLAUTH",)
        ),
        Parameter("SSLCERTI", Text(1024), "The issuer of the certificate.", nouns=("CHLAUTH",)),
        Parameter(
            "TYPE",
            Word(("SUMMARY", "CONNECT", "BACKUP", "SMDS")),
            "What each row describes.",
            nouns=("CFSTATUS",),
        ),
        Parameter(
            "OBSMSGS",
            Word(("NO", "YES")),
            "Whether to look for obsolete Db2 messages: none here.",
            nouns=("GROUP",),
        ),
        _scope(
            "CHINIT", "CHSTATUS", "CLUSQMGR", "CONN", "PUBSUB", "QSTATUS", "SBSTATUS", "TPSTATUS"
        ),
        _SCOPE_OF_KIND,
        Parameter(
            "QSGDISP",
            Word(("QMGR", "COPY", "GROUP", "SHARED", "PRIVATE", "LIVE", "ALL")),
            "Where the definitions are kept.",
            default="LIVE",
            of_kind=True,
        ),
    ),
    "MOVE": (
        Parameter("TOQLOCAL", Name(48), "The target queue.", required=True),
        Parameter(
            "TYPE",
            Word(("MOVE", "ADD")),
            "MOVE needs an empty target queue, ADD does not.",
            default="MOVE",
        ),
        _SCOPE_OF_KIND,
        Parameter(
            "QSGDISP",
            Word(("PRIVATE", "SHARED")),
            "Where the messages are kept.",
            default="PRIVATE",
            of_kind=True,
        ),
    ),
    "PING": (
        Parameter(
            "DATALEN",
            Number(16, 32768),
            "The number of bytes to send.",
            default=16,
            nouns=("CHANNEL",),
        ),
        Parameter(
            "CHLDISP",
            Word(("DEFAULT", "PRIVATE", "SHARED")),
            "Where the channel runs.",
            nouns=("CHANNEL",),
        ),
        _scope("CHANNEL"),
    ),
    "REFRESH": (
        Parameter(
            "TYPE",
            Word(("EXPIRY", "CONFIGEV", "PROXYSUB", "EARLY")),
            "What to refresh.",
            required=True,
            nouns=("QMGR",),
        ),
        Parameter(
            "NAME",
            GenericName(Name(48)),
            "The queues to scan, or the objects to report.",
            default="*",
            nouns=("QMGR",),
        ),
        Parameter(
            "OBJECT",
            Word(
                (
                    "ALL",
                    "AUTHINFO",
                    "AUTHREC",
                    "CFSTRUCT",
                    "CHANNEL",
                    "CHLAUTH",
                    "COMMINFO",
                    "LISTENER",
                    "NAMELIST",
                    "PROCESS",
                    "QALIAS",
                    "QLOCAL",
                    "QMGR",
                    "QMODEL",
                    "QREMOTE",
                    "QUEUE",
                    "SERVICE",
                    "STGCLASS",
                    "TOPIC",
                )
            ),
            "The objects to report.",
            default="ALL",
            nouns=("QMGR",),
        ),
        Parameter(
            "INCLINT",
            Number(0, 999999),
            "Only objects changed within so many minutes; 0 for all.",
            default=0,
            nouns=("QMGR",),
        ),
        Parameter(
            "TYPE",
            Word(("AUTHSERV", "SSL", "CONNAUTH", "CLASSES")),
            "What to refresh.",
            default="AUTHSERV",
            nouns=("SECURITY",),
        ),
        Parameter(
            "REPOS",
            Word(("NO", "YES")),
            "Whether to forget full repositories too.",
            default="NO",
            nouns=("CLUSTER",),
        ),
        _scope("CLUSTER", "QMGR", "SECURITY"),
    ),
    "RESET": (
        Parameter(
            "SEQNUM",
            Number(1, 999999999),
            "The next message number.",
            default=1,
            nouns=("CHANNEL",),
        ),
        Parameter(
            "CHLDISP",
            Word(("DEFAULT", "PRIVATE", "SHARED")),
            "Where the channel runs.",
            nouns=("CHANNEL",),
        ),
        Parameter(
            "ACTION", Word(("FORCEREMOVE",)), "What to do.", required=True, nouns=("CLUSTER",)
        ),
        Parameter(
            "QMNAME", Name(48), "The queue manager to remove.", default="", nouns=("CLUSTER",)
        ),
        Parameter("QMID", Text(48), "The queue manager to remove.", default="", nouns=("CLUSTER",)),
        Parameter(
            "QUEUES",
            Word(("NO", "YES")),
            "Whether to remove its queues too.",
            default="NO",
            nouns=("CLUSTER",),
        ),
        Parameter(
            "TYPE",
            Word(("PUBSUB", "STATISTICS", "ADVANCELOG", "ARCHIVED", "REDUCELOG")),
            "What to reset.",
            required=True,
            nouns=("QMGR",),
        ),
        Parameter(
            "CHILD",
            Name(48),
            "The child to remove from the hierarchy.",
            default="",
            nouns=("QMGR",),
        ),
        Parameter(
            "PARENT", Name(48), "The parent to disconnect from.", default="", nouns=("QMGR",)
        ),
        Parameter(
            "ARCHIVED",
            Text(48),
            "The last log extent that was archived.",
            default="",
            nouns=("QMGR",),
        ),
        Parameter(
            "REDUCE", Text(12), "The number of log extents to remove.", default="", nouns=("QMGR",)
        ),
        _scope("CHANNEL", "CLUSTER", "QMGR", "QSTATS"),
    ),
    "RESOLVE": (
        Parameter(
            "ACTION",
            Word(("COMMIT", "BACKOUT")),
            "Whether to commit or back out the batch.",
            required=True,
        ),
        Parameter(
            "CHLDISP",
            Word(("DEFAULT", "PRIVATE", "SHARED")),
            "Where the channel runs.",
            nouns=("CHANNEL",),
        ),
        _scope("CHANNEL"),
    ),
    "SET": (_scope("CHLAUTH"),),
    "START": (
        Parameter(
            "IGNSTATE",
            Word(("NO", "YES")),
            "Whether the command succeeds if there is nothing to do.",
            default="NO",
            nouns=("CHANNEL", "LISTENER", "SERVICE"),
        ),
        Parameter("CHLTYPE", Word(("MQTT",)), "Selects an MQTT channel.", nouns=("CHANNEL",)),
        Parameter(
            "CHLDISP",
            Word(("DEFAULT", "FIXSHARED", "PRIVATE", "SHARED")),
            "Where the channel runs.",
            nouns=("CHANNEL",),
        ),
        Parameter(
            "ENVPARM", Text(1024), "Parameters of the started task.", default="", nouns=("CHINIT",)
        ),
        Parameter(
            "INITQ",
            Name(48),
            "The initiation queue.",
            default="SYSTEM.CHANNEL.INITQ",
            nouns=("CHINIT",),
        ),
        Parameter(
            "INDISP",
            Word(("QMGR", "GROUP")),
            "Where connections go.",
            default="QMGR",
            nouns=("LISTENER",),
        ),
        Parameter("IPADDR", Text(48), "The address to listen on.", default="", nouns=("LISTENER",)),
        Parameter(
            "LUNAME", Text(8), "The LU 6.2 name to listen on.", default="", nouns=("LISTENER",)
        ),
        Parameter("PORT", Number(1, 65535), "The port to listen on.", nouns=("LISTENER",)),
        Parameter(
            "TRPTYPE", Word(("TCP", "LU62")), "The transport to listen on.", nouns=("LISTENER",)
        ),
        _scope("CHANNEL", "CHINIT", "LISTENER"),
    ),
    "STOP": (
        Parameter(
            "MODE",
            Word(("QUIESCE", "FORCE", "TERMINATE")),
            "How to stop the channel.",
            default="QUIESCE",
            nouns=("CHANNEL",),
        ),
        Parameter(
            "STATUS",
            Word(("STOPPED", "INACTIVE")),
            "The status after the stop.",
            default="STOPPED",
            nouns=("CHANNEL",),
        ),
        Parameter(
            "CONNAME",
            Text(264),
            "Only instances with this connection name.",
            default="",
            nouns=("CHANNEL",),
        ),
        Parameter(
            "QMNAME",
            Name(48),
            "Only instances connected to this queue manager.",
            default="",
            nouns=("CHANNEL",),
        ),
        Parameter("CHLTYPE", Word(("MQTT",)), "Selects an MQTT channel.", nouns=("CHANNEL",)),
        Parameter(
            "CHLDISP",
            Word(("DEFAULT", "PRIVATE", "SHARED")),
            "Where the channel runs.",
            nouns=("CHANNEL",),
        ),
        Parameter("CLIENTID", Text(23), "Only this MQTT client.", default="", nouns=("CHANNEL",)),
        Parameter(
            "IGNSTATE",
            Word(("NO", "YES")),
            "Whether the command succeeds if there is nothing to do.",
            default="NO",
            nouns=("CHANNEL", "LISTENER", "SERVICE"),
        ),
        Parameter(
            "SHARED", Text(12), "What happens to shared channels.", default="", nouns=("CHINIT",)
        ),
        Parameter(
            "INDISP",
            Word(("QMGR", "GROUP")),
            "Where connections go.",
            default="QMGR",
            nouns=("LISTENER",),
        ),
        Parameter(
            "IPADDR", Text(48), "The address it listens on.", default="", nouns=("LISTENER",)
        ),
        Parameter("PORT", Number(1, 65535), "The port it listens on.", nouns=("LISTENER",)),
        Parameter(
            "TRPTYPE", Word(("TCP", "LU62")), "The transport it listens on.", nouns=("LISTENER",)
        ),
        Parameter(
            "EXTCONN", Text(32), "Only a connection with this EXTCONN.", default="", nouns=("CONN",)
        ),
        _scope("CHANNEL", "CHINIT", "LISTENER"),
    ),
    "RESUME": _OF_CLUSTERS,
    "SUSPEND": (
        *_OF_CLUSTERS,
        Parameter(
            "MODE",
            Word(("QUIESCE", "FORCE")),
            "Whether to stop channels at once.",
            default="QUIESCE",
        ),
    ),
}

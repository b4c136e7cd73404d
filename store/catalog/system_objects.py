"""The objects of a new queue manager. Each row lists the attributes that differ from the defaults of the kind."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

from store.catalog.common import MOST
from store.catalog.kind import defaults
from store.catalog.kinds import KINDS
from store.catalog.types import Stored


class SystemObject(Struct, frozen=True):
    """An object that is created with the queue manager; `kind` is the keyword of its kind."""

    kind: str
    name: str
    overrides: Mapping[str, Stored] = field(default_factory=dict)
    subtype: str = ""

    @property
    def namespace(self) -> str:
        return KINDS[self.kind].namespace_of(self.subtype)

    def attributes(self) -> dict[str, Stored]:
        """All attributes to store, including the defaults."""
        return {**defaults(KINDS[self.kind], self.subtype, self.name), **self.overrides}


_BIG: Mapping[str, Stored] = {"MAXDEPTH": MOST}
_EVENTS: Mapping[str, Stored] = {"MAXDEPTH": 3000}
_INITIATION: Mapping[str, Stored] = {"MAXDEPTH": 1000, "MAXMSGL": 1000}
_XMITQ: Mapping[str, Stored] = {"MAXDEPTH": MOST, "USAGE": "XMITQ"}
_KEPT: Mapping[str, Stored] = {"DEFPSIST": "YES"}
_BIG_KEPT: Mapping[str, Stored] = {**_BIG, **_KEPT}
_DYNAMIC: Mapping[str, Stored] = {"MAXDEPTH": MOST, "DEFTYPE": "TEMPDYN"}
_SHARED_PERMANENT: Mapping[str, Stored] = {"DEFTYPE": "PERMDYN", "SHARE": "SHARE", "DEFSOPT": "SHARED"}
_PERMANENT: Mapping[str, Stored] = {**_BIG, **_SHARED_PERMANENT}

# Name, description, and the attributes that differ from SYSTEM.DEFAULT.LOCAL.QUEUE.
_LOCAL_QUEUES: tuple[tuple[str, str, Mapping[str, Stored]], ...] = (
    ("SYSTEM.DEFAULT.LOCAL.QUEUE", "", {}),
    ("SYSTEM.ADMIN.ACCOUNTING.QUEUE", "Accounting records", _EVENTS),
    ("SYSTEM.ADMIN.ACTIVITY.QUEUE", "Activity reports", _EVENTS),
    ("SYSTEM.ADMIN.CHANNEL.EVENT", "Channel events", _EVENTS),
    ("SYSTEM.ADMIN.COMMAND.EVENT", "Command events", _EVENTS),
    ("SYSTEM.ADMIN.COMMAND.QUEUE", "Commands for the command server", {"MAXDEPTH": 3000}),
    ("SYSTEM.ADMIN.CONFIG.EVENT", "Configuration events", _EVENTS),
    ("SYSTEM.ADMIN.LOGGER.EVENT", "Logger events", _EVENTS),
    ("SYSTEM.ADMIN.PERFM.EVENT", "Performance events", _EVENTS),
    ("SYSTEM.ADMIN.PUBSUB.EVENT", "Publish/subscribe events", _EVENTS),
    ("SYSTEM.ADMIN.QMGR.EVENT", "Queue manager events", _EVENTS),
    ("SYSTEM.ADMIN.STATISTICS.QUEUE", "Statistics records", _EVENTS),
    ("SYSTEM.ADMIN.TRACE.ACTIVITY.QUEUE", "Activity trace", _EVENTS),
    ("SYSTEM.ADMIN.TRACE.ROUTE.QUEUE", "Replies to trace-route messages", _EVENTS),
    ("SYSTEM.AMQP.COMMAND.QUEUE", "Commands of AMQP channels", {}),
    ("SYSTEM.AUTH.DATA.QUEUE", "Authority records", _BIG_KEPT),
    ("SYSTEM.BROKER.ADMIN.STREAM", "Administration of publish/subscribe", {}),
    ("SYSTEM.BROKER.CONTROL.QUEUE", "Control of publish/subscribe", {}),
    ("SYSTEM.BROKER.DEFAULT.STREAM", "The default publication stream", {}),
    ("SYSTEM.BROKER.INTER.BROKER.COMMUNICATIONS", "Publish/subscribe between queue managers", {}),
    ("SYSTEM.CHANNEL.INITQ", "IBM MQ Channel Initiation Queue", _INITIATION),
    ("SYSTEM.CHANNEL.SYNCQ", "Channel synchronization", _KEPT),
    ("SYSTEM.CHLAUTH.DATA.QUEUE", "Channel authentication records", _KEPT),
    ("SYSTEM.CICS.INITIATION.QUEUE", "Trigger messages for CICS", _INITIATION),
    ("SYSTEM.CLUSTER.COMMAND.QUEUE", "Commands of the cluster repository", _BIG_KEPT),
    ("SYSTEM.CLUSTER.HISTORY.QUEUE", "History of the cluster repository", _BIG_KEPT),
    ("SYSTEM.CLUSTER.REPOSITORY.QUEUE", "Contents of the cluster repository", _BIG_KEPT),
    ("SYSTEM.CLUSTER.TRANSMIT.QUEUE", "Messages for the cluster", _XMITQ),
    ("SYSTEM.DDELAY.LOCAL.QUEUE", "Messages with a delivery delay", _BIG_KEPT),
    ("SYSTEM.DEAD.LETTER.QUEUE", "IBM MQ Default Dead Letter Queue", _BIG),
    ("SYSTEM.DEFAULT.INITIATION.QUEUE", "IBM MQ Default Initiation Queue", _INITIATION),
    ("SYSTEM.DOTNET.XARECOVERY.QUEUE", "Recovery of .NET transactions", _BIG_KEPT),
    ("SYSTEM.DURABLE.SUBSCRIBER.QUEUE", "Durable subscriptions", _BIG_KEPT),
    ("SYSTEM.HIERARCHY.STATE", "State of the publish/subscribe hierarchy", _BIG_KEPT),
    ("SYSTEM.INTER.QMGR.CONTROL", "Control of distributed publish/subscribe", {}),
    ("SYSTEM.INTER.QMGR.FANREQ", "Proxy subscriptions", {}),
    ("SYSTEM.INTER.QMGR.PUBS", "Publications of other queue managers", {}),
    ("SYSTEM.INTERNAL.REPLY.QUEUE", "Replies between internal tasks", {}),
    ("SYSTEM.PENDING.DATA.QUEUE", "Messages waiting for an internal task", _BIG_KEPT),
    ("SYSTEM.PROTECTION.ERROR.QUEUE", "Messages that break a protection policy", _BIG),
    ("SYSTEM.PROTECTION.POLICY.QUEUE", "Protection policies", _BIG_KEPT),
    ("SYSTEM.REST.REPLY.QUEUE", "Replies for the REST interface", {}),
    ("SYSTEM.RETAINED.PUB.QUEUE", "Retained publications", _BIG_KEPT),
    ("SYSTEM.SELECTION.EVALUATION.QUEUE", "Selectors to evaluate", {}),
    ("SYSTEM.SELECTION.VALIDATION.QUEUE", "Selectors to validate", {}),
)

# The same for model queues.
_MODEL_QUEUES: tuple[tuple[str, str, Mapping[str, Stored]], ...] = (
    ("SYSTEM.DEFAULT.MODEL.QUEUE", "", {}),
    ("SYSTEM.CLUSTER.TRANSMIT.MODEL.QUEUE", "For a transmission queue of each cluster sender",
     {**_PERMANENT, "USAGE": "XMITQ"}),
    ("SYSTEM.DURABLE.MODEL.QUEUE", "For managed durable subscriptions", _PERMANENT),
    ("SYSTEM.JMS.MODEL.QUEUE", "For JMS subscriptions", _SHARED_PERMANENT),
    ("SYSTEM.JMS.TEMPQ.MODEL", "For temporary JMS queues", _DYNAMIC),
    ("SYSTEM.MQEXPLORER.REPLY.MODEL", "For replies to administrators", _DYNAMIC),
    ("SYSTEM.MQSC.REPLY.QUEUE", "For replies to MQSC commands", {**_DYNAMIC, "MAXDEPTH": 3000}),
    ("SYSTEM.NDURABLE.MODEL.QUEUE", "For managed non-durable subscriptions", _DYNAMIC),
)  # fmt: skip


def _described(kind: str, rows: tuple[tuple[str, str, Mapping[str, Stored]], ...]) -> tuple[SystemObject, ...]:
    return tuple(SystemObject(kind, name, {"DESCR": text, **overrides}) for name, text, overrides in rows)


def _default_objects(kind: str) -> tuple[SystemObject, ...]:
    rows = KINDS[kind].default_objects.items()
    return tuple(SystemObject(kind, name, subtype=subtype) for subtype, name in rows)


def _topic(name: str, string: str, text: str, **overrides: Stored) -> SystemObject:
    return SystemObject("TOPIC", name, {"TOPICSTR": string, "DESCR": text, **overrides})


def _rule(profile: str, subtype: str, text: str, **overrides: Stored) -> SystemObject:
    return SystemObject("CHLAUTH", profile, {"DESCR": text, **overrides}, subtype)


_NAMELISTS = (
    SystemObject("NAMELIST", "SYSTEM.DEFAULT.NAMELIST"),
    SystemObject("NAMELIST", "SYSTEM.QPUBSUB.QUEUE.NAMELIST",
                 {"DESCR": "A list of queues for the queued Pub/Sub interface to monitor",
                  "NAMES": ["SYSTEM.BROKER.DEFAULT.STREAM", "SYSTEM.BROKER.ADMIN.STREAM"]}),
    SystemObject("NAMELIST", "SYSTEM.QPUBSUB.SUBPOINT.NAMELIST",
                 {"DESCR": "Subpoints of publish/subscribe", "NAMES": ["SYSTEM.BROKER.DEFAULT.SUBPOINT"]}),
)  # fmt: skip
_CHANNELS = (
    *_default_objects("CHANNEL"),
    SystemObject("CHANNEL", "SYSTEM.AUTO.RECEIVER", {"DESCR": "Auto-defined by"}, "RCVR"),
    SystemObject("CHANNEL", "SYSTEM.AUTO.SVRCONN", {"DESCR": "Auto-defined by"},
                 "SVRCONN"),
)  # fmt: skip
_SERVICES = (
    *_default_objects("LISTENER"),
    *_default_objects("SERVICE"),
    SystemObject("SERVICE", "SYSTEM.AMQP.SERVICE", {"DESCR": "AMQP channels", "SERVTYPE": "SERVER"}),
    SystemObject("SERVICE", "SYSTEM.BROKER", {"DESCR": "Publish/subscribe", "SERVTYPE": "SERVER"}),
)
_TOPICS = (
    SystemObject("TOPIC", "SYSTEM.DEFAULT.TOPIC"),
    _topic("SYSTEM.BASE.TOPIC", "", "Where attributes are found that no topic has", CAPEXPRY="NOLIMIT", DEFPRTY=0,
           DEFPSIST="NO", DEFPRESP="SYNC", DURSUB="YES", MCAST="DISABLED", NPMSGDLV="ALLAVAIL", PMSGDLV="ALLDUR",
           PUB="ENABLED", SUB="ENABLED", PUBSCOPE="ALL", SUBSCOPE="ALL", USEDLQ="YES",
           MDURMDL="SYSTEM.DURABLE.MODEL.QUEUE", MNDURMDL="SYSTEM.NDURABLE.MODEL.QUEUE"),
    _topic("SYSTEM.ADMIN.TOPIC", "$SYS/MQ", "Resource monitoring"),
    _topic("SYSTEM.BROKER.ADMIN.STREAM", "SYSTEM.BROKER.ADMIN.STREAM", "Administration of publish/subscribe"),
    _topic("SYSTEM.BROKER.DEFAULT.STREAM", "SYSTEM.BROKER.DEFAULT.STREAM", "The default publication stream"),
    _topic("SYSTEM.BROKER.DEFAULT.SUBPOINT", "SYSTEM.BROKER.DEFAULT.SUBPOINT", "The default subpoint"),
)  # fmt: skip
_CHANNEL_RULES = (
    _rule("*", "BLOCKUSER", "Default rule to disallow privileged users", USERLIST=["*MQADMIN"]),
    _rule("SYSTEM.*", "ADDRESSMAP", "Default rule to disable all SYSTEM channels", ADDRESS="*", USERSRC="NOACCESS"),
    _rule(
        "SYSTEM.ADMIN.SVRCONN", "ADDRESSMAP", "Default rule to allow MQ Explorer access", ADDRESS="*", USERSRC="CHANNEL"
    ),
)

SYSTEM_OBJECTS: tuple[SystemObject, ...] = (
    *_described("QLOCAL", _LOCAL_QUEUES),
    *_described("QMODEL", _MODEL_QUEUES),
    SystemObject("QALIAS", "SYSTEM.DEFAULT.ALIAS.QUEUE"),
    SystemObject("QREMOTE", "SYSTEM.DEFAULT.REMOTE.QUEUE"),
    SystemObject("PROCESS", "SYSTEM.DEFAULT.PROCESS"),
    *_NAMELISTS,
    *_CHANNELS,
    *_SERVICES,
    *_TOPICS,
    SystemObject("SUB", "SYSTEM.DEFAULT.SUB"),
    *_default_objects("AUTHINFO"),
    *_CHANNEL_RULES,
    SystemObject("STGCLASS", "SYSTEMST"),
)

"""The objects that every queue manager has."""

from collections.abc import Mapping

from msgspec import Struct, field

from mqsc.store.catalog.kinds import KINDS
from mqsc.store.catalog.object_kind import defaults
from mqsc.store.catalog.types import Stored


class SystemObject(Struct, frozen=True):
    """An object that is created with the queue manager; `kind` is the keyword of its kind.

    `overrides` are the attributes that differ from the defaults of the kind.
    """

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


SYSTEM_OBJECTS = (
    SystemObject("QLOCAL", "SYSTEM.DEFAULT.LOCAL.QUEUE"),
    SystemObject(
        "QLOCAL", "SYSTEM.ADMIN.ACCOUNTING.QUEUE", {"DESCR": "Accounting records", "MAXDEPTH": 3000}
    ),
    SystemObject(
        "QLOCAL", "SYSTEM.ADMIN.ACTIVITY.QUEUE", {"DESCR": "Activity reports", "MAXDEPTH": 3000}
    ),
    SystemObject(
        "QLOCAL", "SYSTEM.ADMIN.CHANNEL.EVENT", {"DESCR": "Channel events", "MAXDEPTH": 3000}
    ),
    SystemObject(
        "QLOCAL", "SYSTEM.ADMIN.COMMAND.EVENT", {"DESCR": "Command events", "MAXDEPTH": 3000}
    ),
    SystemObject(
        "QLOCAL",
        "SYSTEM.ADMIN.COMMAND.QUEUE",
        {"DESCR": "Commands for the command server", "MAXDEPTH": 3000},
    ),
    SystemObject(
        "QLOCAL", "SYSTEM.ADMIN.CONFIG.EVENT", {"DESCR": "Configuration events", "MAXDEPTH": 3000}
    ),
    SystemObject(
        "QLOCAL", "SYSTEM.ADMIN.LOGGER.EVENT", {"DESCR": "Logger events", "MAXDEPTH": 3000}
    ),
    SystemObject(
        "QLOCAL", "SYSTEM.ADMIN.PERFM.EVENT", {"DESCR": "Performance events", "MAXDEPTH": 3000}
    ),
    SystemObject(
        "QLOCAL",
        "SYSTEM.ADMIN.PUBSUB.EVENT",
        {"DESCR": "Publish/subscribe events", "MAXDEPTH": 3000},
    ),
    SystemObject(
        "QLOCAL", "SYSTEM.ADMIN.QMGR.EVENT", {"DESCR": "Queue manager events", "MAXDEPTH": 3000}
    ),
    SystemObject(
        "QLOCAL", "SYSTEM.ADMIN.STATISTICS.QUEUE", {"DESCR": "Statistics records", "MAXDEPTH": 3000}
    ),
    SystemObject(
        "QLOCAL", "SYSTEM.ADMIN.TRACE.ACTIVITY.QUEUE", {"DESCR": "Activity trace", "MAXDEPTH": 3000}
    ),
    SystemObject(
        "QLOCAL",
        "SYSTEM.ADMIN.TRACE.ROUTE.QUEUE",
        {"DESCR": "Replies to trace-route messages", "MAXDEPTH": 3000},
    ),
    SystemObject("QLOCAL", "SYSTEM.AMQP.COMMAND.QUEUE", {"DESCR": "Commands of AMQP channels"}),
    SystemObject(
        "QLOCAL",
        "SYSTEM.AUTH.DATA.QUEUE",
        {"DESCR": "Authority records", "MAXDEPTH": 999999999, "DEFPSIST": "YES"},
    ),
    SystemObject(
        "QLOCAL", "SYSTEM.BROKER.ADMIN.STREAM", {"DESCR": "Administration of publish/subscribe"}
    ),
    SystemObject(
        "QLOCAL", "SYSTEM.BROKER.CONTROL.QUEUE", {"DESCR": "Control of publish/subscribe"}
    ),
    SystemObject(
        "QLOCAL", "SYSTEM.BROKER.DEFAULT.STREAM", {"DESCR": "The default publication stream"}
    ),
    SystemObject(
        "QLOCAL",
        "SYSTEM.BROKER.INTER.BROKER.COMMUNICATIONS",
        {"DESCR": "Publish/subscribe between queue managers"},
    ),
    SystemObject(
        "QLOCAL",
        "SYSTEM.CHANNEL.INITQ",
        {"DESCR": "IBM MQ Channel Initiation Queue", "MAXDEPTH": 1000, "MAXMSGL": 1000},
    ),
    SystemObject(
        "QLOCAL", "SYSTEM.CHANNEL.SYNCQ", {"DESCR": "Channel synchronization", "DEFPSIST": "YES"}
    ),
    SystemObject(
        "QLOCAL",
        "SYSTEM.CHLAUTH.DATA.QUEUE",
        {"DESCR": "Channel authentication records", "DEFPSIST": "YES"},
    ),
    SystemObject(
        "QLOCAL",
        "SYSTEM.CICS.INITIATION.QUEUE",
        {"DESCR": "Trigger messages for CICS", "MAXDEPTH": 1000, "MAXMSGL": 1000},
    ),
    SystemObject(
        "QLOCAL",
        "SYSTEM.CLUSTER.COMMAND.QUEUE",
        {"DESCR": "Commands of the cluster repository", "MAXDEPTH": 999999999, "DEFPSIST": "YES"},
    ),
    SystemObject(
        "QLOCAL",
        "SYSTEM.CLUSTER.HISTORY.QUEUE",
        {"DESCR": "History of the cluster repository", "MAXDEPTH": 999999999, "DEFPSIST": "YES"},
    ),
    SystemObject(
        "QLOCAL",
        "SYSTEM.CLUSTER.REPOSITORY.QUEUE",
        {"DESCR": "Contents of the cluster repository", "MAXDEPTH": 999999999, "DEFPSIST": "YES"},
    ),
    SystemObject(
        "QLOCAL",
        "SYSTEM.CLUSTER.TRANSMIT.QUEUE",
        {"DESCR": "Messages for the cluster", "MAXDEPTH": 999999999, "USAGE": "XMITQ"},
    ),
    SystemObject(
        "QLOCAL",
        "SYSTEM.DDELAY.LOCAL.QUEUE",
        {"DESCR": "Messages with a delivery delay", "MAXDEPTH": 999999999, "DEFPSIST": "YES"},
    ),
    SystemObject(
        "QLOCAL",
        "SYSTEM.DEAD.LETTER.QUEUE",
        {"DESCR": "IBM MQ Default Dead Letter Queue", "MAXDEPTH": 999999999},
    ),
    SystemObject(
        "QLOCAL",
        "SYSTEM.DEFAULT.INITIATION.QUEUE",
        {"DESCR": "IBM MQ Default Initiation Queue", "MAXDEPTH": 1000, "MAXMSGL": 1000},
    ),
    SystemObject(
        "QLOCAL",
        "SYSTEM.DOTNET.XARECOVERY.QUEUE",
        {"DESCR": "Recovery of .NET transactions", "MAXDEPTH": 999999999, "DEFPSIST": "YES"},
    ),
    SystemObject(
        "QLOCAL",
        "SYSTEM.DURABLE.SUBSCRIBER.QUEUE",
        {"DESCR": "Durable subscriptions", "MAXDEPTH": 999999999, "DEFPSIST": "YES"},
    ),
    SystemObject(
        "QLOCAL",
        "SYSTEM.HIERARCHY.STATE",
        {
            "DESCR": "State of the publish/subscribe hierarchy",
            "MAXDEPTH": 999999999,
            "DEFPSIST": "YES",
        },
    ),
    SystemObject(
        "QLOCAL", "SYSTEM.INTER.QMGR.CONTROL", {"DESCR": "Control of distributed publish/subscribe"}
    ),
    SystemObject("QLOCAL", "SYSTEM.INTER.QMGR.FANREQ", {"DESCR": "Proxy subscriptions"}),
    SystemObject(
        "QLOCAL", "SYSTEM.INTER.QMGR.PUBS", {"DESCR": "Publications of other queue managers"}
    ),
    SystemObject(
        "QLOCAL", "SYSTEM.INTERNAL.REPLY.QUEUE", {"DESCR": "Replies between internal tasks"}
    ),
    SystemObject(
        "QLOCAL",
        "SYSTEM.PENDING.DATA.QUEUE",
        {
            "DESCR": "Messages waiting for an internal task",
            "MAXDEPTH": 999999999,
            "DEFPSIST": "YES",
        },
    ),
    SystemObject(
        "QLOCAL",
        "SYSTEM.PROTECTION.ERROR.QUEUE",
        {"DESCR": "Messages that break a protection policy", "MAXDEPTH": 999999999},
    ),
    SystemObject(
        "QLOCAL",
        "SYSTEM.PROTECTION.POLICY.QUEUE",
        {"DESCR": "Protection policies", "MAXDEPTH": 999999999, "DEFPSIST": "YES"},
    ),
    SystemObject("QLOCAL", "SYSTEM.REST.REPLY.QUEUE", {"DESCR": "Replies for the REST interface"}),
    SystemObject(
        "QLOCAL",
        "SYSTEM.RETAINED.PUB.QUEUE",
        {"DESCR": "Retained publications", "MAXDEPTH": 999999999, "DEFPSIST": "YES"},
    ),
    SystemObject("QLOCAL", "SYSTEM.SELECTION.EVALUATION.QUEUE", {"DESCR": "Selectors to evaluate"}),
    SystemObject("QLOCAL", "SYSTEM.SELECTION.VALIDATION.QUEUE", {"DESCR": "Selectors to validate"}),
    SystemObject("QMODEL", "SYSTEM.DEFAULT.MODEL.QUEUE"),
    SystemObject(
        "QMODEL",
        "SYSTEM.CLUSTER.TRANSMIT.MODEL.QUEUE",
        {
            "DESCR": "For a transmission queue of each cluster sender",
            "MAXDEPTH": 999999999,
            "DEFTYPE": "PERMDYN",
            "SHARE": "SHARE",
            "DEFSOPT": "SHARED",
            "USAGE": "XMITQ",
        },
    ),
    SystemObject(
        "QMODEL",
        "SYSTEM.DURABLE.MODEL.QUEUE",
        {
            "DESCR": "For managed durable subscriptions",
            "MAXDEPTH": 999999999,
            "DEFTYPE": "PERMDYN",
            "SHARE": "SHARE",
            "DEFSOPT": "SHARED",
        },
    ),
    SystemObject(
        "QMODEL",
        "SYSTEM.JMS.MODEL.QUEUE",
        {
            "DESCR": "For JMS subscriptions",
            "DEFTYPE": "PERMDYN",
            "SHARE": "SHARE",
            "DEFSOPT": "SHARED",
        },
    ),
    SystemObject(
        "QMODEL",
        "SYSTEM.JMS.TEMPQ.MODEL",
        {"DESCR": "For temporary JMS queues", "MAXDEPTH": 999999999, "DEFTYPE": "TEMPDYN"},
    ),
    SystemObject(
        "QMODEL",
        "SYSTEM.MQEXPLORER.REPLY.MODEL",
        {"DESCR": "For replies to administrators", "MAXDEPTH": 999999999, "DEFTYPE": "TEMPDYN"},
    ),
    SystemObject(
        "QMODEL",
        "SYSTEM.MQSC.REPLY.QUEUE",
        {"DESCR": "For replies to MQSC commands", "MAXDEPTH": 3000, "DEFTYPE": "TEMPDYN"},
    ),
    SystemObject(
        "QMODEL",
        "SYSTEM.NDURABLE.MODEL.QUEUE",
        {
            "DESCR": "For managed non-durable subscriptions",
            "MAXDEPTH": 999999999,
            "DEFTYPE": "TEMPDYN",
        },
    ),
    SystemObject("QALIAS", "SYSTEM.DEFAULT.ALIAS.QUEUE"),
    SystemObject("QREMOTE", "SYSTEM.DEFAULT.REMOTE.QUEUE"),
    SystemObject("PROCESS", "SYSTEM.DEFAULT.PROCESS"),
    SystemObject("NAMELIST", "SYSTEM.DEFAULT.NAMELIST"),
    SystemObject(
        "NAMELIST",
        "SYSTEM.QPUBSUB.QUEUE.NAMELIST",
        {
            "DESCR": "A list of queues for the queued Pub/Sub interface to monitor",
            "NAMES": ["SYSTEM.BROKER.DEFAULT.STREAM", "SYSTEM.BROKER.ADMIN.STREAM"],
        },
    ),
    SystemObject(
        "NAMELIST",
        "SYSTEM.QPUBSUB.SUBPOINT.NAMELIST",
        {"DESCR": "Subpoints of publish/subscribe", "NAMES": ["SYSTEM.BROKER.DEFAULT.SUBPOINT"]},
    ),
    SystemObject("CHANNEL", "SYSTEM.DEF.SENDER", subtype="SDR"),
    SystemObject("CHANNEL", "SYSTEM.DEF.SERVER", subtype="SVR"),
    SystemObject("CHANNEL", "SYSTEM.DEF.RECEIVER", subtype="RCVR"),
    SystemObject("CHANNEL", "SYSTEM.DEF.REQUESTER", subtype="RQSTR"),
    SystemObject("CHANNEL", "SYSTEM.DEF.CLNTCONN", subtype="CLNTCONN"),
    SystemObject("CHANNEL", "SYSTEM.DEF.SVRCONN", subtype="SVRCONN"),
    SystemObject("CHANNEL", "SYSTEM.DEF.CLUSSDR", subtype="CLUSSDR"),
    SystemObject("CHANNEL", "SYSTEM.DEF.CLUSRCVR", subtype="CLUSRCVR"),
    SystemObject("CHANNEL", "SYSTEM.DEF.AMQP", subtype="AMQP"),
    SystemObject("CHANNEL", "SYSTEM.AUTO.RECEIVER", {"DESCR": "Auto-defined by"}, subtype="RCVR"),
    SystemObject("CHANNEL", "SYSTEM.AUTO.SVRCONN", {"DESCR": "Auto-defined by"}, subtype="SVRCONN"),
    SystemObject("LISTENER", "SYSTEM.DEFAULT.LISTENER.TCP", subtype="TCP"),
    SystemObject("LISTENER", "SYSTEM.DEFAULT.LISTENER.LU62", subtype="LU62"),
    SystemObject("LISTENER", "SYSTEM.DEFAULT.LISTENER.NETBIOS", subtype="NETBIOS"),
    SystemObject("LISTENER", "SYSTEM.DEFAULT.LISTENER.SPX", subtype="SPX"),
    SystemObject("SERVICE", "SYSTEM.DEFAULT.SERVICE"),
    SystemObject(
        "SERVICE",
        "SYSTEM.AMQP.SERVICE",
        {
            "DESCR": "AMQP channels",
            "SERVTYPE": "SERVER",
            "STARTCMD": "+MQ_INSTALL_PATH+bin/amqp.sh",
            "STOPCMD": "+MQ_INSTALL_PATH+bin/endmqsde",
        },
    ),
    SystemObject(
        "SERVICE",
        "SYSTEM.BROKER",
        {
            "DESCR": "Publish/subscribe",
            "SERVTYPE": "SERVER",
            "STARTCMD": "+MQ_INSTALL_PATH+bin/runmqbrk",
            "STOPCMD": "+MQ_INSTALL_PATH+bin/endmqbrk",
        },
    ),
    SystemObject("TOPIC", "SYSTEM.DEFAULT.TOPIC"),
    SystemObject(
        "TOPIC",
        "SYSTEM.BASE.TOPIC",
        {
            "DESCR": "Where attributes are found that no topic has",
            "TOPICSTR": "",
            "CAPEXPRY": "NOLIMIT",
            "DEFPRTY": 0,
            "DEFPSIST": "NO",
            "DEFPRESP": "SYNC",
            "DURSUB": "YES",
            "MCAST": "DISABLED",
            "NPMSGDLV": "ALLAVAIL",
            "PMSGDLV": "ALLDUR",
            "PUB": "ENABLED",
            "SUB": "ENABLED",
            "PUBSCOPE": "ALL",
            "SUBSCOPE": "ALL",
            "USEDLQ": "YES",
            "MDURMDL": "SYSTEM.DURABLE.MODEL.QUEUE",
            "MNDURMDL": "SYSTEM.NDURABLE.MODEL.QUEUE",
        },
    ),
    SystemObject(
        "TOPIC",
        "SYSTEM.ADMIN.TOPIC",
        {"DESCR": "Resource monitoring", "TOPICSTR": "$SYS/MQ", "WILDCARD": "BLOCK"},
    ),
    SystemObject(
        "TOPIC",
        "SYSTEM.BROKER.ADMIN.STREAM",
        {"DESCR": "Administration of publish/subscribe", "TOPICSTR": "SYSTEM.BROKER.ADMIN.STREAM"},
    ),
    SystemObject(
        "TOPIC",
        "SYSTEM.BROKER.DEFAULT.STREAM",
        {"DESCR": "The default publication stream", "TOPICSTR": "SYSTEM.BROKER.DEFAULT.STREAM"},
    ),
    SystemObject(
        "TOPIC",
        "SYSTEM.BROKER.DEFAULT.SUBPOINT",
        {"DESCR": "The default subpoint", "TOPICSTR": "SYSTEM.BROKER.DEFAULT.SUBPOINT"},
    ),
    SystemObject("SUB", "SYSTEM.DEFAULT.SUB"),
    SystemObject("AUTHINFO", "SYSTEM.DEFAULT.AUTHINFO.CRLLDAP", subtype="CRLLDAP"),
    SystemObject("AUTHINFO", "SYSTEM.DEFAULT.AUTHINFO.OCSP", subtype="OCSP"),
    SystemObject("AUTHINFO", "SYSTEM.DEFAULT.AUTHINFO.IDPWOS", subtype="IDPWOS"),
    SystemObject("AUTHINFO", "SYSTEM.DEFAULT.AUTHINFO.IDPWLDAP", subtype="IDPWLDAP"),
    SystemObject(
        "CHLAUTH",
        "*",
        {"DESCR": "Default rule to disallow privileged users", "USERLIST": ["*MQADMIN"]},
        subtype="BLOCKUSER",
    ),
    SystemObject(
        "CHLAUTH",
        "SYSTEM.*",
        {
            "DESCR": "Default rule to disable all SYSTEM channels",
            "ADDRESS": "*",
            "USERSRC": "NOACCESS",
        },
        subtype="ADDRESSMAP",
    ),
    SystemObject(
        "CHLAUTH",
        "SYSTEM.ADMIN.SVRCONN",
        {"DESCR": "Default rule to allow MQ Explorer access", "ADDRESS": "*", "USERSRC": "CHANNEL"},
        subtype="ADDRESSMAP",
    ),
    SystemObject("STGCLASS", "SYSTEMST"),
)

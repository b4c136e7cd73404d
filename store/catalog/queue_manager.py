"""The attributes of the queue manager, except those of z/OS, which are in queue_manager_zos."""

from __future__ import annotations

from store.catalog import common
from store.catalog.attribute import Attribute, Force, HotColumn, altered, shown
from store.catalog.common import COUNT, ENABLED, MOST, MOST_MESSAGE, ON_OFF, QUEUE_NAME, YES_NO, enabled_column
from store.catalog.kind import make_kind
from store.catalog.queue_manager_zos import ZOS_ROWS
from store.catalog.types import Custom, Items, Name, Number, Text, Word

# Programs read CMDLEVEL, VERSION and PLATFORM before they use a feature.
COMMAND_LEVEL, VERSION, PLATFORM = 942, "09040200", "UNIX"

_MANUAL = Word(("QMGR", "MANUAL"))
_ROUTE = Word(("DISABLED", "MSG", "QUEUE"))
_GATHER = Word(("OFF", "ON", "NONE"))
_CHANNEL_GATHER = Word(("OFF", "NONE", "LOW", "MEDIUM", "HIGH"))
_YES = Word(("YES", "NO"))
_SECONDS = Number(1, 604_800)
_IMAGE_SPAN = Number(1, MOST, {"OFF": 0})


def _certificate_label(name: str) -> str:
    return f"ibmwebspheremq{name.lower()}"


_COMMAND_EVENTS = {"DISABLED": 0, "ENABLED": 1, "NODISPLAY": 2}


def _event(keyword: str, help: str, column: str = "", default: str = "DISABLED", **more: object) -> Attribute:
    words = more.pop("words", ENABLED)
    hot = enabled_column(column) if column else more.pop("hot", None)
    return altered(keyword, words, default, help, group="EVENT", column=hot, **more)  # type: ignore[arg-type]


_EVENTS = (
    _event("AUTHOREV", "Whether a failed authority check causes an event.", platform="multi"),
    _event("CHADEV", "Whether the automatic definition of a channel causes an event.", platform="multi"),
    _event("CHLEV", "Whether channels cause events.", words=Word(("DISABLED", "ENABLED", "EXCEPTION"))),
    _event(
        "CMDEV",
        "Whether commands cause events.",
        words=Word(tuple(_COMMAND_EVENTS)),
        hot=HotColumn("command_event", _COMMAND_EVENTS),
    ),
    _event("CONFIGEV", "Whether changes of definitions cause events.", "configuration_event"),
    _event("INHIBTEV", "Whether a put or get on an inhibited queue causes an event.", "inhibit_event"),
    _event("LOCALEV", "Whether an unknown or unusable local object causes an event.", "local_event"),
    _event("LOGGEREV", "Whether a new log extent causes an event.", platform="multi"),
    _event("PERFMEV", "Whether queues cause performance events.", "performance_event"),
    _event("REMOTEEV", "Whether an unknown or unusable remote object causes an event.", "remote_event"),
    _event("SSLEV", "Whether a TLS failure causes an event."),
    _event("STRSTPEV", "Whether the start and the end of the queue manager cause events.", default="ENABLED"),
)

_CLUSTER = (
    altered("CLWLDATA", Text(32), "", "Text passed to the cluster workload exit.", group="CLUSTER"),
    altered("CLWLEXIT", Text(128), "",
            "The cluster workload exit, which chooses the destinations of cluster messages.", group="CLUSTER"),
    altered("CLWLLEN", COUNT, 100,
            "The maximum number of bytes of a message passed to the cluster workload exit.", group="CLUSTER"),
    altered("CLWLMRUC", Number(1, MOST), MOST,
            "The maximum number of cluster channels in use at the same time.", group="CLUSTER"),
    altered("CLWLUSEQ", Word(("LOCAL", "ANY")), "LOCAL",
            "Whether puts to a local cluster queue may also go to remote instances.",
            group="CLUSTER"),
    altered("DEFCLXQ", Word(("SCTQ", "CHANNEL")), "SCTQ",
            "Whether cluster-sender channels share one transmission queue or have one each.",
            group="CLUSTER"),
    altered("REPOS", Name(48, "cluster"), "", "The cluster for which the queue manager holds a full repository.",
            group="CLUSTER"),
    altered("REPOSNL", Name(48, "NAMELIST"), "",
            "The namelist of the clusters for which the queue manager holds a full repository.", group="CLUSTER"),
)  # fmt: skip

_PUBSUB = (
    altered("PARENT", Name(48, "queue manager"), "",
            "The parent queue manager in a publish/subscribe hierarchy.", group="PUBSUB"),
    altered("PSCLUS", ENABLED, "ENABLED",
            "Whether the queue manager takes part in publish/subscribe clusters.", group="PUBSUB"),
    altered("PSMODE", Word(("COMPAT", "DISABLED", "ENABLED")), "ENABLED", "Whether the publish/subscribe engine runs.",
            group="PUBSUB"),
    altered("PSNPMSG", Word(("DISCARD", "KEEP")), "DISCARD",
            "What happens to a non-persistent publication that cannot be processed.", group="PUBSUB"),
    altered("PSNPRES", Word(("NORMAL", "SAFE", "DISCARD", "KEEP")), "NORMAL",
            "What happens to a response to a publisher that cannot be delivered.", group="PUBSUB"),
    altered("PSRTYCNT", COUNT, 5, "How often a failed publication is retried.", group="PUBSUB"),
    altered("PSSYNCPT", Word(("IFPER", "YES")), "IFPER", "Whether publications are processed under syncpoint.",
            group="PUBSUB"),
    altered("TREELIFE", Number(0, 604_000), 1800,
            "Seconds after which an unused topic is removed from the topic tree; 0 means never.",
            group="PUBSUB"),
)  # fmt: skip

_CHANNELS = (
    altered("CHAD", Word(("DISABLED", "ENABLED")), "DISABLED",
            "Whether receiver channels are defined automatically when a partner first connects.",
            group="CHINIT", platform="multi"),
    altered("CHADEXIT", Text(128), "",
            "The exit that is called when a channel is defined automatically.", group="CHINIT"),
    altered("CHLAUTH", Word(("DISABLED", "ENABLED")), "ENABLED", "Whether channel authentication records apply.",
            group="CHINIT"),
    altered("IPADDRV", Word(("IPV4", "IPV6")), "IPV4", "Which address is used when a partner has both IPv4 and IPv6.",
            group="CHINIT"),
    altered("MONACLS", common.CHANNEL_LEVEL, "QMGR",
            "The monitoring level of automatically defined cluster-sender channels.", group="CHINIT"),
    altered("MONCHL", _CHANNEL_GATHER, "OFF", "The monitoring level of channels with MONCHL(QMGR).",
            group="CHINIT"),
    altered("STATACLS", common.CHANNEL_LEVEL, "QMGR",
            "The statistics level of automatically defined cluster-sender channels.", group="CHINIT"),
    altered("STATCHL", _CHANNEL_GATHER, "OFF", "The statistics level of channels with STATCHL(QMGR).",
            group="CHINIT"),
)  # fmt: skip

_SECURITY = (
    altered("CERTLABL", Text(64), "", "The label of the queue manager's certificate.", default_of=_certificate_label),
    altered("CERTVPOL", Word(("ANY", "RFC5280")), "ANY", "How strictly certificates are checked.", platform="alw"),
    altered("CONNAUTH", Name(48, "AUTHINFO"), "SYSTEM.DEFAULT.AUTHINFO.IDPWOS",
            "The object that says how users and passwords are checked."),
    altered("INITKEY", Text(256), "", "The key that encrypts stored passwords.", platform="multi",
            secret=True),
    altered("KEYRPWD", Text(1024), "", "The password of the key repository.", platform="alw", secret=True),
    altered("REVDNS", ENABLED, "ENABLED", "Whether the host names of partners are looked up in DNS."),
    altered("SSLCRLNL", Name(48, "NAMELIST"), "",
            "The namelist of the servers that have certificate revocation lists."),
    altered("SSLCRYP", Text(256), "", "Parameters of cryptographic hardware, including the password of its token.",
            platform="alw", secret=True),
    altered("SSLFIPS", YES_NO, "NO", "Whether only FIPS-certified algorithms may be used."),
    altered("SSLKEYR", Text(256), "", "The location of the key repository."),
    altered("SSLRKEYC", COUNT, 0, "Bytes after which a channel's secret key is renegotiated; 0 means never."),
    altered("SUITEB", Items(Word(("NONE", "128_BIT", "192_BIT")), 2, may_be_empty=False), ["NONE"],
            "Which Suite B security strengths are required.", platform="alw"),
)  # fmt: skip

_WORK = (
    altered("ACCTCONO", Word(("DISABLED", "ENABLED")), "DISABLED",
            "Whether programs may override the accounting settings.",
            platform="multi"),
    altered("ACCTINT", _SECONDS, 1800, "Seconds between accounting records.", platform="multi"),
    altered("ACCTMQI", ON_OFF, "OFF", "Whether MQI accounting data is collected.", platform="multi"),
    altered("ACCTQ", _GATHER, "OFF", "Whether accounting data of queues is collected; it does not affect the history."),
    altered("ACTIVREC", _ROUTE, "MSG",
            "Where activity reports are put: on the queue that the message names, or on a system queue."),
    altered("ACTVCONO", Word(("DISABLED", "ENABLED")), "DISABLED",
            "Whether programs may override the activity trace settings.",
            platform="multi"),
    altered("ACTVTRC", ON_OFF, "OFF", "Whether activity trace data is collected.", platform="multi"),
    altered("AUTHEVSC", Word(("FAILURES", "ALLCONNS", "ALLCHECKS")), "FAILURES", "Which authority checks cause events.",
            platform="multi", hidden=True),
    altered("CCSID", Number(1, 65_535), 1208,
            "The coded character set of the queue manager's own texts.", platform="multi",
            column=HotColumn("ccsid")),
    altered("CUSTOM", Custom(), "", "Settings of features that have no attribute of their own, as NAME(VALUE)."),
    altered("DEADQ", QUEUE_NAME, "", "The dead-letter queue, for messages that cannot be delivered.",
            column=HotColumn("dead_letter_queue")),
    altered("DEFXMITQ", QUEUE_NAME, "", "The transmission queue for remote queue managers that have none of their own.",
            column=HotColumn("default_transmission_queue"), force=Force.REMOTE_HANDLES),
    altered("DESCR", common.DESCR.type, "", common.DESCR.help),
    altered("EXPRYINT", Number(1, 99_999_999, {"OFF": 0}), "OFF", "Seconds between scans for expired messages.",
            platform="zos", column=HotColumn("expiry_interval", {"OFF": None})),
    altered("IMGINTVL", _IMAGE_SPAN, 60, "Minutes between automatic media images.", platform="multi"),
    altered("IMGLOGLN", _IMAGE_SPAN, "OFF", "Megabytes of log between automatic media images.", platform="multi"),
    altered("IMGRCOVO", _YES, "YES", "Whether objects other than queues can be recovered from a media image.",
            platform="multi"),
    altered("IMGRCOVQ", _YES, "YES", "Whether queues with IMGRCOVQ(QMGR) can be recovered from a media image.",
            platform="multi"),
    altered("IMGSCHED", Word(("MANUAL", "AUTO")), "MANUAL", "Whether media images are written automatically.",
            platform="multi"),
    altered("MARKINT", Number(0, MOST, {"NOLIMIT": -1}), 5000, "How long a browse mark lasts, in milliseconds.",
            column=HotColumn("mark_interval", {"NOLIMIT": -1})),
    altered("MAXHANDS", COUNT, 256,
            "The maximum number of handles that a connection may have open.", column=HotColumn("max_handles")),
    altered("MAXMSGL", Number(32_768, MOST_MESSAGE), 4_194_304, "The maximum length of a message, in bytes.",
            column=HotColumn("max_length")),
    altered("MAXPROPL", Number(0, MOST_MESSAGE, {"NOLIMIT": -1}), "NOLIMIT",
            "The maximum length of the properties of a message, in bytes."),
    altered("MAXUMSGS", Number(1, MOST), 10_000, "The maximum number of uncommitted messages in a unit of work.",
            column=HotColumn("max_uncommitted")),
    altered("MONQ", _CHANNEL_GATHER, "OFF", "The monitoring level of queues with MONQ(QMGR)."),
    altered("ROUTEREC", _ROUTE, "MSG",
            "Where trace-route replies are put: on the queue that the message names, or on a system queue."),
    altered("SCHINIT", _MANUAL, "QMGR",
            "Whether the channel initiator starts with the queue manager.", platform="multi"),
    altered("SCMDSERV", _MANUAL, "QMGR", "Whether the command server starts with the queue manager.", platform="multi"),
    altered("STATINT", _SECONDS, 1800, "Seconds between statistics records.", platform="multi"),
    altered("STATMQI", ON_OFF, "OFF", "Whether MQI statistics are collected.", platform="multi"),
    altered("STATQ", _GATHER, "OFF", "Whether statistics are collected for queues with STATQ(QMGR)."),
    altered("TRIGINT", COUNT, MOST, "Milliseconds after which a queue with TRIGTYPE(FIRST) may trigger again.",
            column=HotColumn("trigger_interval")),
    common.CMDSCOPE,
)  # fmt: skip

_SHOWN = (
    *common.ALTERED_AT,
    *common.CREATED_AT,
    shown("ADVCAP", ENABLED, "Whether MQ Advanced capabilities are available.", constant="DISABLED", platform="multi"),
    shown("AMQPCAP", _YES, "Whether AMQP channels are available.", constant="NO", platform="multi"),
    shown("CMDLEVEL", COUNT, "The level of the commands that the queue manager supports.", constant=COMMAND_LEVEL),
    shown("COMMANDQ", QUEUE_NAME,
          "The queue for commands to the command server.", constant="SYSTEM.ADMIN.COMMAND.QUEUE"),
    shown("CPILEVEL", COUNT, "Reserved.", constant=0, platform="zos"),
    shown("DISTL", _YES, "Whether distribution lists are supported.", constant="YES"),
    shown("MAXPRTY", COUNT, "The highest possible priority of a message.", constant=9),
    shown("PLATFORM", Word(("UNIX", "WINDOWSNT", "OS400", "MVS", "NSK", "APPLIANCE")),
          "The platform of the queue manager.",
          constant=PLATFORM),
    shown("QMID", Text(48), "The identifier of the queue manager: its name with the date and time of creation."),
    shown("QMNAME", Name(48), "The name of the queue manager."),
    shown("QSGNAME", Text(4), "The queue-sharing group of the queue manager.", platform="zos"),
    shown("SPLCAP", ENABLED, "Whether message protection is available.", constant="DISABLED"),
    shown("SYNCPT", common.SYNCPT, "Syncpoint is available.", constant="SYNCPT"),
    shown("VERSION", Text(8), "Version, release, modification and fix level, two digits each.", constant=VERSION),
    shown("XRCAP", _YES, "Whether telemetry channels are available.", constant="NO"),
)  # fmt: skip

QMGR = make_kind(
    "QMGR",
    (*_EVENTS, *_CLUSTER, *_PUBSUB, *_CHANNELS, *_SECURITY, *_WORK, *_SHOWN, *ZOS_ROWS),
    "QMNAME ACCTCONO ACCTINT ACCTMQI ACCTQ ACTIVREC ACTVCONO ACTVTRC ADVCAP ALTDATE ALTTIME AMQPCAP AUTHOREV CCSID"
    " CERTLABL CERTVPOL CHAD CHADEV CHADEXIT CHLEV CHLAUTH CLWLDATA CLWLEXIT CLWLLEN CLWLMRUC CLWLUSEQ CMDEV CMDLEVEL"
    " COMMANDQ CONFIGEV CONNAUTH CRDATE CRTIME CUSTOM DEADQ DEFCLXQ DEFXMITQ DESCR DISTL EXPRYINT IMGINTVL IMGLOGLN"
    " IMGRCOVO IMGRCOVQ IMGSCHED INHIBTEV INITKEY IPADDRV LOCALEV LOGGEREV MARKINT MAXHANDS MAXMSGL MAXPROPL MAXPRTY"
    " MAXUMSGS MONACLS MONCHL MONQ PARENT PERFMEV PLATFORM PSMODE PSCLUS PSNPMSG PSNPRES PSRTYCNT PSSYNCPT QMID"
    " REMOTEEV REPOS REPOSNL REVDNS ROUTEREC SCHINIT SCMDSERV SPLCAP SSLCRLNL SSLCRYP SSLEV SSLFIPS KEYRPWD SSLKEYR"
    " SSLRKEYC STATACLS STATCHL STATINT STATMQI STATQ STRSTPEV SUITEB SYNCPT TREELIFE TRIGINT VERSION XRCAP",
    synonyms=(),
    namespace="qmgr",
    heading_id="AMQ8408I",
    heading="Display Queue Manager details.",
    key=("QMNAME",),
)

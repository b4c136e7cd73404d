"""The attributes of the queue manager. The words that only z/OS has are in queue_manager_zos."""

from __future__ import annotations

from store.catalog import common
from store.catalog.attribute import Attribute, Force, HotColumn, altered, shown
from store.catalog.common import COUNT, ENABLED, MOST, MOST_MESSAGE, ON_OFF, QUEUE_NAME, YES_NO, enabled_column
from store.catalog.kind import make_kind
from store.catalog.queue_manager_zos import ZOS_ROWS
from store.catalog.types import Custom, Items, Name, Number, Text, Word

# What CMDLEVEL, VERSION and PLATFORM answer; programs ask them before they use a feature.
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


def _event(keyword: str, help: str, column: str = "", default: str = "DISABLED", **more: object) -> Attribute:
    words = more.pop("words", ENABLED)
    hot = enabled_column(column) if column else None
    return altered(keyword, words, default, help, group="EVENT", column=hot, **more)  # type: ignore[arg-type]


_EVENTS = (
    _event("AUTHOREV", "Whether refused authority makes an event.", platform="multi"),
    _event("CHADEV", "Whether automatic definition of a channel makes an event.", platform="multi"),
    _event("CHLEV", "Whether channels make events.", words=Word(("DISABLED", "ENABLED", "EXCEPTION"))),
    _event("CMDEV", "Whether commands make events.", words=Word(("DISABLED", "ENABLED", "NODISPLAY"))),
    _event("CONFIGEV", "Whether changed definitions make events."),
    _event("INHIBTEV", "Whether a put or get on an inhibited queue makes an event.", "inhibit_event"),
    _event("LOCALEV", "Whether an unknown or unusable local object makes an event.", "local_event"),
    _event("LOGGEREV", "Whether a new log extent makes an event.", platform="multi"),
    _event("PERFMEV", "Whether queues make performance events.", "performance_event"),
    _event("REMOTEEV", "Whether an unknown or unusable remote object makes an event.", "remote_event"),
    _event("SSLEV", "Whether a failure of TLS makes an event."),
    _event("STRSTPEV", "Whether the start and end of the queue manager make events.", default="ENABLED"),
)

_CLUSTER = (
    altered("CLWLDATA", Text(32), "", "Text handed to the cluster workload exit.", group="CLUSTER"),
    altered("CLWLEXIT", Text(128), "", "The exit that chooses where cluster messages go.", group="CLUSTER"),
    altered("CLWLLEN", COUNT, 100, "Most bytes of a message handed to that exit.", group="CLUSTER"),
    altered("CLWLMRUC", Number(1, MOST), MOST, "Most cluster channels used at a time.", group="CLUSTER"),
    altered("CLWLUSEQ", Word(("LOCAL", "ANY")), "LOCAL", "Whether puts to a local cluster queue go elsewhere too.",
            group="CLUSTER"),
    altered("DEFCLXQ", Word(("SCTQ", "CHANNEL")), "SCTQ", "Whether cluster senders share one transmission queue.",
            group="CLUSTER"),
    altered("REPOS", Name(48, "cluster"), "", "The cluster this queue manager keeps the full repository of.",
            group="CLUSTER"),
    altered("REPOSNL", Name(48, "NAMELIST"), "", "The clusters it keeps the full repository of.", group="CLUSTER"),
)  # fmt: skip

_PUBSUB = (
    altered("PARENT", Name(48, "queue manager"), "", "Its parent in a publish/subscribe hierarchy.", group="PUBSUB"),
    altered("PSCLUS", ENABLED, "ENABLED", "Whether it takes part in publish/subscribe clusters.", group="PUBSUB"),
    altered("PSMODE", Word(("COMPAT", "DISABLED", "ENABLED")), "ENABLED", "Whether publish/subscribe runs.",
            group="PUBSUB"),
    altered("PSNPMSG", Word(("DISCARD", "KEEP")), "DISCARD",
            "What happens to a non-persistent publication that cannot be processed.", group="PUBSUB"),
    altered("PSNPRES", Word(("NORMAL", "SAFE", "DISCARD", "KEEP")), "NORMAL",
            "What happens to a reply to a publisher that cannot be delivered.", group="PUBSUB"),
    altered("PSRTYCNT", COUNT, 5, "How often a failed publication is tried again.", group="PUBSUB"),
    altered("PSSYNCPT", Word(("IFPER", "YES")), "IFPER", "Whether publications are processed under syncpoint.",
            group="PUBSUB"),
    altered("TREELIFE", Number(0, 604_000), 1800, "Seconds an unused topic stays in the tree; 0 keeps it.",
            group="PUBSUB"),
)  # fmt: skip

_CHANNELS = (
    altered("CHAD", Word(("DISABLED", "ENABLED")), "DISABLED", "Whether receivers are defined when first called.",
            group="CHINIT", platform="multi"),
    altered("CHADEXIT", Text(128), "", "The exit that looks at channels defined automatically.", group="CHINIT"),
    altered("CHLAUTH", Word(("DISABLED", "ENABLED")), "ENABLED", "Whether channel authentication records apply.",
            group="CHINIT"),
    altered("IPADDRV", Word(("IPV4", "IPV6")), "IPV4", "Which address of a partner is used when it has both.",
            group="CHINIT"),
    altered("MONACLS", common.CHANNEL_LEVEL, "QMGR", "Monitoring of automatic cluster senders.", group="CHINIT"),
    altered("MONCHL", _CHANNEL_GATHER, "OFF", "Monitoring of channels that leave it to the queue manager.",
            group="CHINIT"),
    altered("STATACLS", common.CHANNEL_LEVEL, "QMGR", "Statistics of automatic cluster senders.", group="CHINIT"),
    altered("STATCHL", _CHANNEL_GATHER, "OFF", "Statistics of channels that leave it to the queue manager.",
            group="CHINIT"),
)  # fmt: skip

_SECURITY = (
    altered("CERTLABL", Text(64), "", "The label of its certificate.", default_of=_certificate_label),
    altered("CERTVPOL", Word(("ANY", "RFC5280")), "ANY", "How strictly certificates are checked.", platform="alw"),
    altered("CONNAUTH", Name(48, "AUTHINFO"), "SYSTEM.DEFAULT.AUTHINFO.IDPWOS", "How user and password are checked."),
    altered("INITKEY", Text(256), "", "The key that stored passwords are encrypted with.", platform="multi",
            secret=True),
    altered("KEYRPWD", Text(1024), "", "The password of the key repository.", platform="alw", secret=True),
    altered("REVDNS", ENABLED, "ENABLED", "Whether the host names of partners are looked up."),
    altered("SSLCRLNL", Name(48, "NAMELIST"), "", "The namelist of where revoked certificates are listed."),
    altered("SSLCRYP", Text(256), "", "Parameters of cryptographic hardware, the password of its token among them.",
            platform="alw", secret=True),
    altered("SSLFIPS", YES_NO, "NO", "Whether only FIPS-certified algorithms may be used."),
    altered("SSLKEYR", Text(256), "", "Where the key repository is."),
    altered("SSLRKEYC", COUNT, 0, "Bytes after which a channel's secret key is made anew; 0 means never."),
    altered("SUITEB", Items(Word(("NONE", "128_BIT", "192_BIT")), 2, may_be_empty=False), ["NONE"],
            "Which Suite B strengths are required.", platform="alw"),
)  # fmt: skip

_WORK = (
    altered("ACCTCONO", Word(("DISABLED", "ENABLED")), "DISABLED", "Whether programs may override accounting.",
            platform="multi"),
    altered("ACCTINT", _SECONDS, 1800, "Seconds between accounting records.", platform="multi"),
    altered("ACCTMQI", ON_OFF, "OFF", "Whether MQI accounting is gathered.", platform="multi"),
    altered("ACCTQ", _GATHER, "OFF", "Whether accounting of queues is gathered; the history ignores it."),
    altered("ACTIVREC", _ROUTE, "MSG", "Where activity reports go."),
    altered("ACTVCONO", Word(("DISABLED", "ENABLED")), "DISABLED", "Whether programs may override activity trace.",
            platform="multi"),
    altered("ACTVTRC", ON_OFF, "OFF", "Whether activity trace is gathered.", platform="multi"),
    altered("AUTHEVSC", Word(("FAILURES", "ALLCONNS", "ALLCHECKS")), "FAILURES", "Which authority checks make events.",
            platform="multi", quiet=True),
    altered("CCSID", Number(1, 65_535), 1208, "The character set of its own texts.", platform="multi",
            column=HotColumn("ccsid")),
    altered("CUSTOM", Custom(), "", "Features without an attribute of their own, as NAME(VALUE)."),
    altered("DEADQ", QUEUE_NAME, "", "The queue that takes messages which cannot be delivered.",
            column=HotColumn("dead_letter_queue")),
    altered("DEFXMITQ", QUEUE_NAME, "", "The transmission queue for queue managers without one of their own.",
            column=HotColumn("default_transmission_queue"), force=Force.REMOTE_HANDLES),
    altered("DESCR", common.DESCR.type, "", common.DESCR.help),
    altered("EXPRYINT", Number(1, 99_999_999, {"OFF": 0}), "OFF", "Seconds between scans for expired messages.",
            platform="zos", column=HotColumn("expiry_interval", {"OFF": None})),
    altered("IMGINTVL", _IMAGE_SPAN, 60, "Minutes between automatic media images.", platform="multi"),
    altered("IMGLOGLN", _IMAGE_SPAN, "OFF", "Megabytes of log between automatic media images.", platform="multi"),
    altered("IMGRCOVO", _YES, "YES", "Whether objects other than queues are recovered from an image.",
            platform="multi"),
    altered("IMGRCOVQ", _YES, "YES", "Whether queues that leave it to the queue manager are recovered from an image.",
            platform="multi"),
    altered("IMGSCHED", Word(("MANUAL", "AUTO")), "MANUAL", "Whether media images are written automatically.",
            platform="multi"),
    altered("MARKINT", Number(0, MOST, {"NOLIMIT": -1}), 5000, "Milliseconds a browse mark lasts.",
            column=HotColumn("mark_interval", {"NOLIMIT": -1})),
    altered("MAXHANDS", COUNT, 256, "Most handles a connection may have open.", column=HotColumn("max_handles")),
    altered("MAXMSGL", Number(32_768, MOST_MESSAGE), 4_194_304, "Most bytes a message may have.",
            column=HotColumn("max_length")),
    altered("MAXPROPL", Number(0, MOST_MESSAGE, {"NOLIMIT": -1}), "NOLIMIT", "Most bytes of properties of a message."),
    altered("MAXUMSGS", Number(1, MOST), 10_000, "Most uncommitted messages in a unit of work.",
            column=HotColumn("max_uncommitted")),
    altered("MONQ", _CHANNEL_GATHER, "OFF", "Monitoring of queues that leave it to the queue manager."),
    altered("ROUTEREC", _ROUTE, "MSG", "Where trace-route messages go."),
    altered("SCHINIT", _MANUAL, "QMGR", "Whether the channel initiator starts with it.", platform="multi"),
    altered("SCMDSERV", _MANUAL, "QMGR", "Whether the command server starts with it.", platform="multi"),
    altered("STATINT", _SECONDS, 1800, "Seconds between statistics records.", platform="multi"),
    altered("STATMQI", ON_OFF, "OFF", "Whether MQI statistics are gathered.", platform="multi"),
    altered("STATQ", _GATHER, "OFF", "Statistics of queues that leave it to the queue manager."),
    altered("TRIGINT", COUNT, MOST, "Milliseconds after which a TRIGTYPE(FIRST) queue may trigger again.",
            column=HotColumn("trigger_interval")),
    common.CMDSCOPE,
)  # fmt: skip

_SHOWN = (
    *common.ALTERED_AT,
    *common.CREATED_AT,
    shown("ADVCAP", ENABLED, "Whether Advanced capabilities are there.", constant="DISABLED", platform="multi"),
    shown("AMQPCAP", _YES, "Whether AMQP channels can run.", constant="NO", platform="multi"),
    shown("CMDLEVEL", COUNT, "The level of the commands it understands.", constant=COMMAND_LEVEL),
    shown("COMMANDQ", QUEUE_NAME, "The queue that takes commands.", constant="SYSTEM.ADMIN.COMMAND.QUEUE"),
    shown("CPILEVEL", COUNT, "Reserved.", constant=0, platform="zos"),
    shown("DISTL", _YES, "Whether distribution lists can be used.", constant="NO"),
    shown("MAXPRTY", COUNT, "The highest priority a message can have.", constant=9),
    shown("PLATFORM", Word(("UNIX", "WINDOWSNT", "OS400", "MVS", "NSK", "APPLIANCE")), "What it runs on.",
          constant=PLATFORM),
    shown("QMID", Text(48), "Its internal identifier: name, date and time of creation."),
    shown("QMNAME", Name(48), "Its name."),
    shown("QSGNAME", Text(4), "The queue-sharing group it belongs to.", constant="", platform="zos"),
    shown("SPLCAP", ENABLED, "Whether message protection is there.", constant="DISABLED"),
    shown("SYNCPT", common.SYNCPT, "Syncpoint is there.", constant="SYNCPT"),
    shown("VERSION", Text(8), "Version, release, modification and fix level, two digits each.", constant=VERSION),
    shown("XRCAP", _YES, "Whether telemetry channels can run.", constant="NO"),
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

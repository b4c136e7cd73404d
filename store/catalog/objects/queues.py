"""The attributes of queues, in the order of DISPLAY."""

from mqsc.store.catalog.attribute import DISPLAYED, Attribute, Force, HotColumn
from mqsc.store.catalog.object_kind import make_kind
from mqsc.store.catalog.objects import shared
from mqsc.store.catalog.types import (
    Custom,
    Flag,
    Items,
    Name,
    Number,
    Text,
    Word,
    custom_cap_expiry,
)

# Which types of queue have an attribute.
_LOCAL = ("QLOCAL",)
_MODEL = ("QMODEL",)
_ALIAS = ("QALIAS",)
_REMOTE = ("QREMOTE",)
_WITH_MESSAGES = ("QLOCAL", "QMODEL")
_LOCAL_OR_ALIAS = ("QLOCAL", "QALIAS")
_ALIAS_OR_REMOTE = ("QALIAS", "QREMOTE")
_BUT_REMOTE = ("QLOCAL", "QMODEL", "QALIAS")
_BUT_MODELS = ("QLOCAL", "QALIAS", "QREMOTE")
_EVERY = ("QLOCAL", "QMODEL", "QALIAS", "QREMOTE")

_TYPES = ("QLOCAL", "QMODEL", "QALIAS", "QREMOTE", "QCLUSTER")


def _type_of(kind: str) -> Attribute:
    """TYPE of one kind of queue, whose objects all have the same value."""
    return Attribute(
        "TYPE",
        Word(_TYPES),
        "The type of queue.",
        verbs=DISPLAYED,
        constant=kind,
        synonyms=("QTYPE",),
        display_filter=Word(("ALL", *_TYPES)),
    )


_ATTRIBUTES = (
    (
        _LOCAL,
        _type_of("QLOCAL"),
    ),
    (
        _MODEL,
        _type_of("QMODEL"),
    ),
    (
        _WITH_MESSAGES,
        Attribute(
            "ACCTQ",
            Word(("QMGR", "ON", "OFF")),
            "Whether puts and gets are recorded in the history; only OFF prevents it.",
            default="QMGR",
            column=HotColumn("recorded", {"QMGR": 1, "ON": 1, "OFF": 0}),
        ),
    ),
    (
        _ALIAS,
        _type_of("QALIAS"),
    ),
    (
        _REMOTE,
        _type_of("QREMOTE"),
    ),
    (_EVERY, shared.ALTDATE),
    (_EVERY, shared.ALTTIME),
    (
        _WITH_MESSAGES,
        Attribute(
            "BOQNAME",
            Name(48, of="QUEUE"),
            "The queue to which programs should move messages that were backed out too often.",
            default="",
        ),
    ),
    (
        _WITH_MESSAGES,
        Attribute(
            "BOTHRESH",
            Number(0, 999999999),
            "The number of backouts that make a message a poison message; 0 means never.",
            default=0,
        ),
    ),
    (
        _ALIAS,
        Attribute(
            "TARGET",
            Name(48, of="QUEUE"),
            "The queue or topic that the alias refers to.",
            default="",
            synonyms=("TARGQ",),
            column=HotColumn("target"),
            force=Force.HANDLES,
        ),
    ),
    (
        _EVERY,
        Attribute(
            "CAPEXPRY",
            Number(1, 999999999, {"NOLIMIT": -1}),
            "The maximum lifetime of messages put through this definition, in tenths of a second.",
            default="NOLIMIT",
            column=HotColumn("cap_expiry", {"NOLIMIT": None}),
        ),
    ),
    (
        _BUT_MODELS,
        Attribute(
            "CLUSNL",
            Name(48, of="NAMELIST"),
            "The namelist of the clusters in which the object is advertised.",
            default="",
        ),
    ),
    (_BUT_MODELS, shared.CLUSTER),
    (
        _LOCAL,
        Attribute(
            "CLCHNAME",
            Text(20),
            "The cluster-sender channels that use this transmission queue; * matches any characters.",
            default="",
        ),
    ),
    (
        _BUT_MODELS,
        Attribute(
            "CLWLPRTY",
            Number(0, 9),
            "The priority when a cluster chooses a destination; 9 is the highest.",
            default=0,
        ),
    ),
    (
        _BUT_MODELS,
        Attribute(
            "CLWLRANK",
            Number(0, 9),
            "The rank when a cluster chooses a destination, compared before the priority.",
            default=0,
        ),
    ),
    (
        _LOCAL,
        Attribute(
            "CLWLUSEQ",
            Word(("QMGR", "ANY", "LOCAL")),
            "Whether puts may also go to remote instances when the queue has a local one.",
            default="QMGR",
        ),
    ),
    (_WITH_MESSAGES, shared.CRDATE),
    (_WITH_MESSAGES, shared.CRTIME),
    (
        _LOCAL,
        Attribute(
            "CURDEPTH",
            Number(0, 999999999),
            "The number of messages on the queue, including uncommitted ones.",
            verbs=DISPLAYED,
        ),
    ),
    (
        _EVERY,
        Attribute(
            "CUSTOM",
            Custom(),
            "Settings of features that have no attribute of their own, as NAME(VALUE).",
            default="",
            column=HotColumn("custom_cap_expiry", read=custom_cap_expiry),
        ),
    ),
    (
        _BUT_MODELS,
        Attribute(
            "DEFBIND",
            Word(("OPEN", "NOTFIXED", "GROUP")),
            "When a cluster queue's instance is chosen: at open, for each message or for each group.",
            default="OPEN",
        ),
    ),
    (
        _EVERY,
        Attribute(
            "DEFPRTY",
            Number(0, 9),
            "The priority of messages put with the queue's default priority.",
            default=0,
            column=HotColumn("default_priority"),
        ),
    ),
    (
        _EVERY,
        Attribute(
            "DEFPSIST",
            Word(("NO", "YES")),
            "Whether messages put with the queue's default persistence survive a restart.",
            default="NO",
            column=HotColumn("default_persistence", {"NO": 0, "YES": 1}),
        ),
    ),
    (
        _EVERY,
        Attribute(
            "DEFPRESP",
            Word(("SYNC", "ASYNC")),
            "The response type of puts that use the queue's default: synchronous or asynchronous.",
            default="SYNC",
        ),
    ),
    (
        _BUT_REMOTE,
        Attribute(
            "DEFREADA",
            Word(("NO", "YES", "DISABLED")),
            "Whether messages are sent to a client before it requests them (read ahead).",
            default="NO",
        ),
    ),
    (
        _LOCAL,
        Attribute(
            "DEFSOPT",
            Word(("EXCL", "SHARED")),
            "How MQOO_INPUT_AS_Q_DEF opens the queue: exclusive or shared.",
            default="SHARED",
            column=HotColumn("default_exclusive", {"EXCL": 1, "SHARED": 0}),
        ),
    ),
    (
        _LOCAL,
        Attribute(
            "DEFTYPE",
            Word(("PREDEFINED", "PERMDYN", "TEMPDYN", "SHAREDYN")),
            "How the queue was created: by a definition, or from a model queue.",
            default="PREDEFINED",
            verbs=DISPLAYED,
            column=HotColumn(
                "definition_type", {"PREDEFINED": 1, "PERMDYN": 2, "TEMPDYN": 3, "SHAREDYN": 4}
            ),
        ),
    ),
    (
        _MODEL,
        Attribute(
            "DEFSOPT",
            Word(("EXCL", "SHARED")),
            "How MQOO_INPUT_AS_Q_DEF opens the queue: exclusive or shared.",
            default="EXCL",
            column=HotColumn("default_exclusive", {"EXCL": 1, "SHARED": 0}),
        ),
    ),
    (
        _MODEL,
        Attribute(
            "DEFTYPE",
            Word(("TEMPDYN", "PERMDYN", "SHAREDYN")),
            "The type of dynamic queue that opening the model creates: temporary, permanent or shared.",
            default="TEMPDYN",
            column=HotColumn(
                "definition_type", {"PREDEFINED": 1, "PERMDYN": 2, "TEMPDYN": 3, "SHAREDYN": 4}
            ),
        ),
    ),
    (_EVERY, shared.DESCR),
    (
        _WITH_MESSAGES,
        Attribute(
            "DISTL",
            Word(("NO", "YES")),
            "Whether the partner supports distribution lists; set by a channel.",
            default="NO",
            platform="multi",
        ),
    ),
    (
        _BUT_REMOTE,
        Attribute(
            "GET",
            Word(("ENABLED", "DISABLED")),
            "Whether gets are allowed.",
            default="ENABLED",
            column=HotColumn("get_enabled", {"ENABLED": 1, "DISABLED": 0}),
        ),
    ),
    (
        _LOCAL,
        Attribute(
            "HARDENBO",
            Flag("HARDENBO", "NOHARDENBO"),
            "Whether backout counts survive a restart.",
            default="HARDENBO",
        ),
    ),
    (
        _MODEL,
        Attribute(
            "HARDENBO",
            Flag("HARDENBO", "NOHARDENBO"),
            "Whether backout counts survive a restart.",
            default="NOHARDENBO",
        ),
    ),
    (
        _WITH_MESSAGES,
        Attribute(
            "IMGRCOVQ",
            Word(("QMGR", "YES", "NO")),
            "Whether the queue can be recovered from a media image.",
            default="QMGR",
            platform="multi",
        ),
    ),
    (
        _WITH_MESSAGES,
        Attribute(
            "INITQ",
            Name(48, of="QUEUE"),
            "The initiation queue to which trigger messages are put.",
            default="",
            column=HotColumn("initiation_queue"),
        ),
    ),
    (
        _LOCAL,
        Attribute(
            "IPPROCS",
            Number(0, 999999999),
            "The number of handles that have the queue open for input.",
            verbs=DISPLAYED,
        ),
    ),
    (
        _WITH_MESSAGES,
        Attribute(
            "MAXDEPTH",
            Number(0, 999999999),
            "The maximum number of messages on the queue.",
            default=5000,
            column=HotColumn("max_depth"),
        ),
    ),
    (
        _WITH_MESSAGES,
        Attribute(
            "MAXFSIZE",
            Number(20, 267386880, {"DEFAULT": -1}),
            "The maximum size of the queue's file, in megabytes.",
            default="DEFAULT",
            platform="multi",
        ),
    ),
    (
        _WITH_MESSAGES,
        Attribute(
            "MAXMSGL",
            Number(0, 104857600),
            "The maximum length of a message on the queue, in bytes.",
            default=4194304,
            column=HotColumn("max_length"),
        ),
    ),
    (
        _WITH_MESSAGES,
        Attribute(
            "MONQ",
            Word(("QMGR", "OFF", "LOW", "MEDIUM", "HIGH")),
            "How much online monitoring data is collected.",
            default="QMGR",
        ),
    ),
    (
        _WITH_MESSAGES,
        Attribute(
            "MSGDLVSQ",
            Word(("PRIORITY", "FIFO")),
            "The order in which messages are delivered: by priority, or first in, first out.",
            default="PRIORITY",
            column=HotColumn("fifo", {"PRIORITY": 0, "FIFO": 1}),
        ),
    ),
    (
        _WITH_MESSAGES,
        Attribute(
            "TRIGGER",
            Flag("TRIGGER", "NOTRIGGER"),
            "Whether arriving messages can cause trigger messages.",
            default="NOTRIGGER",
            column=HotColumn("trigger_on", {"TRIGGER": 1, "NOTRIGGER": 0}),
        ),
    ),
    (
        _WITH_MESSAGES,
        Attribute(
            "NPMCLASS",
            Word(("NORMAL", "HIGH")),
            "Whether non-persistent messages survive an orderly restart (HIGH).",
            default="NORMAL",
            column=HotColumn("keep_nonpersistent", {"NORMAL": 0, "HIGH": 1}),
            platform="multi",
        ),
    ),
    (
        _LOCAL,
        Attribute(
            "OPPROCS",
            Number(0, 999999999),
            "The number of handles that have the queue open for output.",
            verbs=DISPLAYED,
        ),
    ),
    (
        _WITH_MESSAGES,
        Attribute(
            "PROCESS",
            Name(48, of="PROCESS"),
            "The process definition of the program that a trigger starts.",
            default="",
            column=HotColumn("process"),
        ),
    ),
    (
        _EVERY,
        Attribute(
            "PUT",
            Word(("ENABLED", "DISABLED")),
            "Whether puts are allowed.",
            default="ENABLED",
            column=HotColumn("put_enabled", {"ENABLED": 1, "DISABLED": 0}),
        ),
    ),
    (
        _BUT_REMOTE,
        Attribute(
            "PROPCTL",
            Word(("ALL", "COMPAT", "FORCE", "NONE", "V6COMPAT")),
            "How message properties are returned to a program that gets a message.",
            default="COMPAT",
        ),
    ),
    (
        _WITH_MESSAGES,
        Attribute(
            "QDEPTHHI",
            Number(0, 100),
            "The depth that counts as high, as a percentage of MAXDEPTH.",
            default=80,
            column=HotColumn("depth_high"),
        ),
    ),
    (
        _WITH_MESSAGES,
        Attribute(
            "QDEPTHLO",
            Number(0, 100),
            "The depth that counts as low, as a percentage of MAXDEPTH.",
            default=20,
            column=HotColumn("depth_low"),
        ),
    ),
    (
        _WITH_MESSAGES,
        Attribute(
            "QDPHIEV",
            Word(("ENABLED", "DISABLED")),
            "Whether a depth that rises to QDEPTHHI causes an event.",
            default="DISABLED",
            column=HotColumn("high_event", {"ENABLED": 1, "DISABLED": 0}),
        ),
    ),
    (
        _WITH_MESSAGES,
        Attribute(
            "QDPLOEV",
            Word(("ENABLED", "DISABLED")),
            "Whether a depth that falls to QDEPTHLO causes an event.",
            default="DISABLED",
            column=HotColumn("low_event", {"ENABLED": 1, "DISABLED": 0}),
        ),
    ),
    (
        _WITH_MESSAGES,
        Attribute(
            "QDPMAXEV",
            Word(("ENABLED", "DISABLED")),
            "Whether a put that fails because the queue is full causes an event.",
            default="ENABLED",
            column=HotColumn("full_event", {"ENABLED": 1, "DISABLED": 0}),
        ),
    ),
    (
        _WITH_MESSAGES,
        Attribute(
            "QSVCIEV",
            Word(("NONE", "HIGH", "OK")),
            "Which service interval event can occur.",
            default="NONE",
            column=HotColumn("service_event", {"NONE": 0, "HIGH": 1, "OK": 2}),
        ),
    ),
    (
        _WITH_MESSAGES,
        Attribute(
            "QSVCINT",
            Number(0, 999999999),
            "The service interval: milliseconds within which a put should be followed by a get.",
            default=999999999,
            column=HotColumn("service_interval"),
        ),
    ),
    (
        _WITH_MESSAGES,
        Attribute(
            "RETINTVL",
            Number(0, 999999999),
            "Hours after which the queue is no longer needed; for information only.",
            default=999999999,
        ),
    ),
    (
        _MODEL,
        Attribute(
            "SHARE",
            Flag("SHARE", "NOSHARE"),
            "Whether more than one handle may have the queue open for input.",
            default="NOSHARE",
            column=HotColumn("shareable", {"SHARE": 1, "NOSHARE": 0}),
        ),
    ),
    (
        _REMOTE,
        Attribute(
            "RQMNAME",
            Name(48, of="queue manager"),
            "The queue manager to which the messages are sent.",
            default="",
            column=HotColumn("remote_queue_manager"),
            force=Force.RESOLVED,
        ),
    ),
    (
        _REMOTE,
        Attribute(
            "RNAME",
            Name(48, of="QUEUE"),
            "The name of the queue on the remote queue manager; blank for a queue manager alias.",
            default="",
            column=HotColumn("remote_name"),
            force=Force.RESOLVED,
        ),
    ),
    (
        _BUT_MODELS,
        Attribute(
            "SCOPE",
            Word(("QMGR", "CELL")),
            "Whether the name is known beyond the queue manager.",
            default="QMGR",
            platform="alw",
        ),
    ),
    (
        _LOCAL,
        Attribute(
            "SHARE",
            Flag("SHARE", "NOSHARE"),
            "Whether more than one handle may have the queue open for input.",
            default="SHARE",
            column=HotColumn("shareable", {"SHARE": 1, "NOSHARE": 0}),
            force=Force.INPUT_HANDLES,
        ),
    ),
    (
        _WITH_MESSAGES,
        Attribute(
            "STATQ",
            Word(("QMGR", "ON", "OFF")),
            "Whether statistics are collected for the queue.",
            default="QMGR",
        ),
    ),
    (
        _WITH_MESSAGES,
        Attribute(
            "STREAMQ",
            Name(48, of="QUEUE"),
            "The queue that receives a copy of each message put to this one.",
            default="",
            column=HotColumn("stream_queue"),
        ),
    ),
    (
        _WITH_MESSAGES,
        Attribute(
            "STRMQOS",
            Word(("BESTEF", "MUSTDUP")),
            "Whether a put fails when its copy cannot be put to STREAMQ (MUSTDUP).",
            default="BESTEF",
            column=HotColumn("must_duplicate", {"BESTEF": 0, "MUSTDUP": 1}),
        ),
    ),
    (
        _WITH_MESSAGES,
        Attribute(
            "TRIGDATA",
            Text(64),
            "Text for the trigger message; for a transmission queue, the name of the channel.",
            default="",
            column=HotColumn("trigger_data"),
        ),
    ),
    (
        _WITH_MESSAGES,
        Attribute(
            "TRIGDPTH",
            Number(1, 999999999),
            "The number of messages at which TRIGTYPE(DEPTH) triggers.",
            default=1,
            column=HotColumn("trigger_depth"),
        ),
    ),
    (
        _WITH_MESSAGES,
        Attribute(
            "TRIGMPRI",
            Number(0, 9),
            "The lowest priority of messages that count for triggering.",
            default=0,
            column=HotColumn("trigger_priority"),
        ),
    ),
    (
        _WITH_MESSAGES,
        Attribute(
            "TRIGTYPE",
            Word(("FIRST", "EVERY", "DEPTH", "NONE")),
            "When to trigger: on the first message, on every message, or when the depth reaches TRIGDPTH.",
            default="FIRST",
            column=HotColumn("trigger_type", {"NONE": 0, "FIRST": 1, "EVERY": 2, "DEPTH": 3}),
        ),
    ),
    (
        _LOCAL,
        Attribute(
            "USAGE",
            Word(("NORMAL", "XMITQ")),
            "Whether the queue is a transmission queue (XMITQ), which a channel empties.",
            default="NORMAL",
            column=HotColumn("is_transmission", {"NORMAL": 0, "XMITQ": 1}),
            force=Force.MESSAGES_OR_HANDLES,
        ),
    ),
    (
        _MODEL,
        Attribute(
            "USAGE",
            Word(("NORMAL", "XMITQ")),
            "Whether the queue is a transmission queue (XMITQ), which a channel empties.",
            default="NORMAL",
            column=HotColumn("is_transmission", {"NORMAL": 0, "XMITQ": 1}),
        ),
    ),
    (
        _WITH_MESSAGES,
        Attribute(
            "CFSTRUCT",
            Name(12, of="CFSTRUCT", plain=True),
            "The coupling facility structure that stores the messages of a shared queue.",
            default="",
            platform="zos",
        ),
    ),
    (
        _ALIAS,
        Attribute(
            "TARGTYPE",
            Word(("QUEUE", "TOPIC")),
            "Whether TARGET names a queue or a topic.",
            default="QUEUE",
            column=HotColumn("target_is_topic", {"QUEUE": 0, "TOPIC": 1}),
            display_filter=Word(("ALL", "QUEUE", "TOPIC")),
        ),
    ),
    (_LOCAL_OR_ALIAS, shared.CLUSDATE),
    (_LOCAL_OR_ALIAS, shared.CLUSQMGR),
    (
        _LOCAL,
        Attribute(
            "CLUSQT",
            Word(("QALIAS", "QLOCAL", "QMGR", "QREMOTE")),
            "The type of a cluster queue.",
            verbs=DISPLAYED,
            hidden=True,
        ),
    ),
    (_LOCAL_OR_ALIAS, shared.CLUSTIME),
    (
        _WITH_MESSAGES,
        Attribute(
            "INDXTYPE",
            Word(("NONE", "MSGID", "CORRELID", "GROUPID", "MSGTOKEN")),
            "The index that makes gets by an identifier fast; gets from a shared queue need it.",
            default="NONE",
            column=HotColumn(
                "index_type", {"NONE": 0, "MSGID": 1, "CORRELID": 2, "MSGTOKEN": 4, "GROUPID": 5}
            ),
            platform="zos",
            hidden=True,
        ),
    ),
    (
        _WITH_MESSAGES,
        Attribute(
            "OTELPCTL",
            Word(("QMGR", "MANUAL", "AUTO")),
            "How OpenTelemetry trace context is propagated.",
            default="QMGR",
            platform="zos",
        ),
    ),
    (
        _WITH_MESSAGES,
        Attribute(
            "OTELTRAC",
            Word(("QMGR", "ON", "OFF")),
            "Whether messages are traced with OpenTelemetry.",
            default="QMGR",
            platform="zos",
        ),
    ),
    (
        _LOCAL,
        Attribute(
            "PSID",
            Number(0, 99),
            "The page set that stores the messages of the queue.",
            verbs=DISPLAYED,
            platform="zos",
        ),
    ),
    (_LOCAL_OR_ALIAS, shared.QMID),
    (
        _WITH_MESSAGES,
        Attribute(
            "STGCLASS",
            Name(8, of="STGCLASS", plain=True),
            "The storage class, which determines the page set of the queue.",
            default="DEFAULT",
            platform="zos",
        ),
    ),
    (
        _LOCAL,
        Attribute(
            "TPIPE",
            Items(Text(8), 256),
            "The pipes of the IMS bridge that use the queue.",
            verbs=DISPLAYED,
            platform="zos",
        ),
    ),
    (
        _WITH_MESSAGES,
        Attribute(
            "QSGDISP",
            Word(("QMGR", "COPY", "GROUP", "SHARED", "PRIVATE")),
            "Where in the queue-sharing group the definition and its messages are kept.",
            default="QMGR",
            platform="zos",
            option=True,
        ),
    ),
    (
        _REMOTE,
        Attribute(
            "XMITQ",
            Name(48, of="QUEUE"),
            "The transmission queue; blank means the one named RQMNAME, or else the default one.",
            default="",
            column=HotColumn("transmission_queue"),
            force=Force.HANDLES,
        ),
    ),
    (_ALIAS_OR_REMOTE, shared.QSGDISP),
    (_EVERY, shared.CMDSCOPE),
)


def _of(kind: str) -> list[Attribute]:
    return [attribute for kinds, attribute in _ATTRIBUTES if kind in kinds]


QLOCAL = make_kind(
    "QLOCAL",
    Name(48),
    _of("QLOCAL"),
    key=("QUEUE", "TYPE"),
    heading_id="AMQ8409I",
    heading="Display Queue details.",
    namespace="queue",
    synonyms=("QL",),
    default_objects={"": "SYSTEM.DEFAULT.LOCAL.QUEUE"},
)
QMODEL = make_kind(
    "QMODEL",
    Name(48),
    _of("QMODEL"),
    key=("QUEUE", "TYPE"),
    heading_id="AMQ8409I",
    heading="Display Queue details.",
    namespace="queue",
    synonyms=("QM",),
    default_objects={"": "SYSTEM.DEFAULT.MODEL.QUEUE"},
)
QALIAS = make_kind(
    "QALIAS",
    Name(48),
    _of("QALIAS"),
    key=("QUEUE", "TYPE"),
    heading_id="AMQ8409I",
    heading="Display Queue details.",
    namespace="queue",
    synonyms=("QA",),
    default_objects={"": "SYSTEM.DEFAULT.ALIAS.QUEUE"},
)
QREMOTE = make_kind(
    "QREMOTE",
    Name(48),
    _of("QREMOTE"),
    key=("QUEUE", "TYPE"),
    heading_id="AMQ8409I",
    heading="Display Queue details.",
    namespace="queue",
    synonyms=("QR",),
    default_objects={"": "SYSTEM.DEFAULT.REMOTE.QUEUE"},
)

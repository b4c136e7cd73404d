"""The attributes of the four types of queue. Each row says which types have it: to add an attribute, add a row."""

from __future__ import annotations

from enum import Flag as Bits

from store.catalog import common
from store.catalog.attribute import Attribute, Force, HotColumn, defined, shown
from store.catalog.common import (
    CAP_EXPIRY,
    CLUSNL,
    CLUSTER,
    CLWLPRTY,
    CLWLRANK,
    COUNT,
    ENABLED,
    MOST,
    MOST_MESSAGE,
    PRIORITY,
    QUEUE_NAME,
    YES_NO,
    enabled_column,
)
from store.catalog.kind import Kind, make_kind
from store.catalog.types import Custom, Flag, Items, Name, Number, Text, Word, custom_cap_expiry


class Takes(Bits):
    """The types of queue, as a set of bits."""

    LOCAL = 1
    MODEL = 2
    ALIAS = 4
    REMOTE = 8


LOCAL, MODEL, ALIAS, REMOTE = Takes
STORING = LOCAL | MODEL
NAMING = ALIAS | REMOTE
READABLE = STORING | ALIAS
PUBLISHED = LOCAL | NAMING
ALL = STORING | NAMING

_AS_QMGR = Word(("QMGR", "ON", "OFF"))
_PERCENT = Number(0, 100)
_TRIGGER_TYPES = {"NONE": 0, "FIRST": 1, "EVERY": 2, "DEPTH": 3}
_INDEX_TYPES = {"NONE": 0, "MSGID": 1, "CORRELID": 2, "MSGTOKEN": 4, "GROUPID": 5}
_DEFINITION_TYPES = {"PREDEFINED": 1, "PERMDYN": 2, "TEMPDYN": 3, "SHAREDYN": 4}

# Attributes of all types of queue.
_GENERAL: tuple[tuple[Takes, Attribute], ...] = (
    (ALL, common.DESCR),
    (READABLE, defined("GET", ENABLED, "ENABLED", "Whether gets are allowed.", column=enabled_column("get_enabled"))),
    (ALL, defined("PUT", ENABLED, "ENABLED", "Whether puts are allowed.", column=enabled_column("put_enabled"))),
    (ALL, defined("DEFPRTY", PRIORITY, 0, "The priority of messages put with the queue's default priority.",
                  column=HotColumn("default_priority"))),
    (ALL, defined("DEFPSIST", YES_NO, "NO",
                  "Whether messages put with the queue's default persistence survive a restart.",
                  column=HotColumn("default_persistence", {"NO": 0, "YES": 1}))),
    (ALL, defined("DEFPRESP", Word(("SYNC", "ASYNC")), "SYNC",
                  "The response type of puts that use the queue's default: synchronous or asynchronous.")),
    (READABLE, defined("DEFREADA", Word(("NO", "YES", "DISABLED")), "NO",
                       "Whether messages are sent to a client before it requests them (read ahead).")),
    (ALL, defined("CAPEXPRY", CAP_EXPIRY, "NOLIMIT",
                  "The maximum lifetime of messages put through this definition, in tenths of a second.",
                  column=HotColumn("cap_expiry", {"NOLIMIT": None}))),
    (ALL, defined("CUSTOM", Custom(), "", "Settings of features that have no attribute of their own, as NAME(VALUE).",
                  column=HotColumn("custom_cap_expiry", read=custom_cap_expiry))),
    (READABLE, defined("PROPCTL", Word(("ALL", "COMPAT", "FORCE", "NONE", "V6COMPAT")), "COMPAT",
                       "How message properties are returned to a program that gets a message.")),
    (PUBLISHED, defined("SCOPE", Word(("QMGR", "CELL")), "QMGR", "Whether the name is known beyond the queue manager.",
                        platform="alw")),
    (PUBLISHED, defined("DEFBIND", Word(("OPEN", "NOTFIXED", "GROUP")), "OPEN",
                        "When a cluster queue's instance is chosen: at open, for each message or for each group.")),
    (PUBLISHED, CLUSNL), (PUBLISHED, CLUSTER), (PUBLISHED, CLWLPRTY), (PUBLISHED, CLWLRANK),
    (STORING, common.SHARED_QSGDISP), (NAMING, common.QSGDISP), (ALL, common.CMDSCOPE),
)  # fmt: skip

# Attributes of queues that hold messages.
_STORAGE: tuple[tuple[Takes, Attribute], ...] = (
    (STORING, defined("ACCTQ", _AS_QMGR, "QMGR",
                      "Whether puts and gets are recorded in the history; only OFF prevents it.",
                      column=HotColumn("recorded", {"QMGR": 1, "ON": 1, "OFF": 0}))),
    (STORING, defined("BOQNAME", QUEUE_NAME, "",
                      "The queue to which programs should move messages that were backed out too often.")),
    (STORING, defined("BOTHRESH", COUNT, 0,
                      "The number of backouts that make a message a poison message; 0 means never.")),
    (LOCAL, defined("CLCHNAME", Text(20), "",
                    "The cluster-sender channels that use this transmission queue; * matches any characters.")),
    (LOCAL, defined("CLWLUSEQ", Word(("QMGR", "ANY", "LOCAL")), "QMGR",
                    "Whether puts may also go to remote instances when the queue has a local one.")),
    (LOCAL, defined("DEFSOPT", Word(("EXCL", "SHARED")), "SHARED",
                    "How MQOO_INPUT_AS_Q_DEF opens the queue: exclusive or shared.",
                    column=HotColumn("default_exclusive", {"EXCL": 1, "SHARED": 0}))),
    (MODEL, defined("DEFSOPT", Word(("EXCL", "SHARED")), "EXCL",
                    "How MQOO_INPUT_AS_Q_DEF opens the queue: exclusive or shared.",
                    column=HotColumn("default_exclusive", {"EXCL": 1, "SHARED": 0}))),
    (LOCAL, shown("DEFTYPE", Word(tuple(_DEFINITION_TYPES)),
                  "How the queue was created: by a definition, or from a model queue.",
                  "PREDEFINED", column=HotColumn("definition_type", _DEFINITION_TYPES))),
    (MODEL, defined("DEFTYPE", Word(("TEMPDYN", "PERMDYN", "SHAREDYN")), "TEMPDYN",
                    "The type of dynamic queue that opening the model creates: temporary, permanent or shared.",
                    column=HotColumn("definition_type", _DEFINITION_TYPES))),
    (STORING, defined("DISTL", YES_NO, "NO", "Whether the partner supports distribution lists; set by a channel.",
                      platform="multi")),
    (LOCAL, defined("HARDENBO", Flag("HARDENBO", "NOHARDENBO"), "HARDENBO",
                    "Whether backout counts survive a restart.")),
    (MODEL, defined("HARDENBO", Flag("HARDENBO", "NOHARDENBO"), "NOHARDENBO",
                    "Whether backout counts survive a restart.")),
    (STORING, defined("IMGRCOVQ", Word(("QMGR", "YES", "NO")), "QMGR",
                      "Whether the queue can be recovered from a media image.",
                      platform="multi")),
    (STORING, defined("MAXDEPTH", COUNT, 5000,
                      "The maximum number of messages on the queue.", column=HotColumn("max_depth"))),
    (STORING, defined("MAXFSIZE", Number(20, 267_386_880, {"DEFAULT": -1}), "DEFAULT",
                      "The maximum size of the queue's file, in megabytes.", platform="multi")),
    (STORING, defined("MAXMSGL", Number(0, MOST_MESSAGE), 4_194_304,
                      "The maximum length of a message on the queue, in bytes.",
                      column=HotColumn("max_length"))),
    (STORING, defined("MSGDLVSQ", Word(("PRIORITY", "FIFO")), "PRIORITY",
                      "The order in which messages are delivered: by priority, or first in, first out.",
                      column=HotColumn("fifo", {"PRIORITY": 0, "FIFO": 1}))),
    (STORING, defined("NPMCLASS", Word(("NORMAL", "HIGH")), "NORMAL",
                      "Whether non-persistent messages survive an orderly restart (HIGH).", platform="multi",
                      column=HotColumn("keep_nonpersistent", {"NORMAL": 0, "HIGH": 1}))),
    (STORING, defined("RETINTVL", COUNT, MOST,
                      "Hours after which the queue is no longer needed; for information only.")),
    (LOCAL, defined("SHARE", Flag("SHARE", "NOSHARE"), "SHARE",
                    "Whether more than one handle may have the queue open for input.",
                    column=HotColumn("shareable", {"SHARE": 1, "NOSHARE": 0}), force=Force.INPUT_HANDLES)),
    (MODEL, defined("SHARE", Flag("SHARE", "NOSHARE"), "NOSHARE",
                    "Whether more than one handle may have the queue open for input.",
                    column=HotColumn("shareable", {"SHARE": 1, "NOSHARE": 0}))),
    (STORING, defined("STREAMQ", QUEUE_NAME, "", "The queue that receives a copy of each message put to this one.",
                      column=HotColumn("stream_queue"))),
    (STORING, defined("STRMQOS", Word(("BESTEF", "MUSTDUP")), "BESTEF",
                      "Whether a put fails when its copy cannot be put to STREAMQ (MUSTDUP).",
                      column=HotColumn("must_duplicate", {"BESTEF": 0, "MUSTDUP": 1}))),
    (LOCAL, defined("USAGE", Word(("NORMAL", "XMITQ")), "NORMAL",
                    "Whether the queue is a transmission queue (XMITQ), which a channel empties.",
                    column=HotColumn("is_transmission", {"NORMAL": 0, "XMITQ": 1}), force=Force.MESSAGES_OR_HANDLES)),
    (MODEL, defined("USAGE", Word(("NORMAL", "XMITQ")), "NORMAL",
                    "Whether the queue is a transmission queue (XMITQ), which a channel empties.",
                    column=HotColumn("is_transmission", {"NORMAL": 0, "XMITQ": 1}))),
    (STORING, defined("CFSTRUCT", Name(12, "CFSTRUCT", plain=True), "",
                      "The coupling facility structure that stores the messages of a shared queue.",
                      platform="zos")),
    (STORING, defined("INDXTYPE", Word(("NONE", "MSGID", "CORRELID", "GROUPID", "MSGTOKEN")), "NONE",
                      "The index that makes gets by an identifier fast; gets from a shared queue need it.",
                      platform="zos", column=HotColumn("index_type", _INDEX_TYPES), hidden=True)),
    (STORING, defined("STGCLASS", Name(8, "STGCLASS", plain=True), "DEFAULT",
                      "The storage class, which determines the page set of the queue.",
                      platform="zos")),
    (LOCAL, shown("CURDEPTH", COUNT, "The number of messages on the queue, including uncommitted ones.")),
    (LOCAL, shown("IPPROCS", COUNT, "The number of handles that have the queue open for input.")),
    (LOCAL, shown("OPPROCS", COUNT, "The number of handles that have the queue open for output.")),
    (LOCAL, shown("PSID", Number(0, 99), "The page set that stores the messages of the queue.", platform="zos")),
    (LOCAL, shown("TPIPE", Items(Text(8), 256), "The pipes of the IMS bridge that use the queue.", platform="zos")),
)  # fmt: skip

# Triggering, events and statistics.
_WATCHED: tuple[tuple[Takes, Attribute], ...] = (
    (STORING, defined("TRIGGER", Flag("TRIGGER", "NOTRIGGER"), "NOTRIGGER",
                      "Whether arriving messages can cause trigger messages.",
                      column=HotColumn("trigger_on", {"TRIGGER": 1, "NOTRIGGER": 0}))),
    (STORING, defined("TRIGTYPE", Word(("FIRST", "EVERY", "DEPTH", "NONE")), "FIRST",
                      "When to trigger: on the first message, on every message, or when the depth reaches TRIGDPTH.",
                      column=HotColumn("trigger_type", _TRIGGER_TYPES))),
    (STORING, defined("TRIGMPRI", PRIORITY, 0, "The lowest priority of messages that count for triggering.",
                      column=HotColumn("trigger_priority"))),
    (STORING, defined("TRIGDPTH", Number(1, MOST), 1, "The number of messages at which TRIGTYPE(DEPTH) triggers.",
                      column=HotColumn("trigger_depth"))),
    (STORING, defined("TRIGDATA", Text(64), "",
                      "Text for the trigger message; for a transmission queue, the name of the channel.",
                      column=HotColumn("trigger_data"))),
    (STORING, defined("INITQ", QUEUE_NAME, "", "The initiation queue to which trigger messages are put.",
                      column=HotColumn("initiation_queue"))),
    (STORING, defined("PROCESS", Name(48, "PROCESS"), "",
                      "The process definition of the program that a trigger starts.",
                      column=HotColumn("process"))),
    (STORING, defined("QDEPTHHI", _PERCENT, 80, "The depth that counts as high, as a percentage of MAXDEPTH.",
                      column=HotColumn("depth_high"))),
    (STORING, defined("QDEPTHLO", _PERCENT, 20, "The depth that counts as low, as a percentage of MAXDEPTH.",
                      column=HotColumn("depth_low"))),
    (STORING, defined("QDPHIEV", ENABLED, "DISABLED", "Whether a depth that rises to QDEPTHHI causes an event.",
                      column=enabled_column("high_event"))),
    (STORING, defined("QDPLOEV", ENABLED, "DISABLED", "Whether a depth that falls to QDEPTHLO causes an event.",
                      column=enabled_column("low_event"))),
    (STORING, defined("QDPMAXEV", ENABLED, "ENABLED",
                      "Whether a put that fails because the queue is full causes an event.",
                      column=enabled_column("full_event"))),
    (STORING, defined("QSVCINT", COUNT, MOST,
                      "The service interval: milliseconds within which a put should be followed by a get.",
                      column=HotColumn("service_interval"))),
    (STORING, defined("QSVCIEV", Word(("NONE", "HIGH", "OK")), "NONE", "Which service interval event can occur.",
                      column=HotColumn("service_event", {"NONE": 0, "HIGH": 1, "OK": 2}))),
    (STORING, defined("MONQ", common.CHANNEL_LEVEL, "QMGR", "How much online monitoring data is collected.")),
    (STORING, defined("STATQ", _AS_QMGR, "QMGR", "Whether statistics are collected for the queue.")),
    (STORING, defined("OTELPCTL", Word(("QMGR", "MANUAL", "AUTO")), "QMGR",
                      "How OpenTelemetry trace context is propagated.",
                      platform="zos")),
    (STORING, defined("OTELTRAC", _AS_QMGR, "QMGR", "Whether messages are traced with OpenTelemetry.",
                      platform="zos")),
)  # fmt: skip

# Attributes of aliases and remote queues.
_REFERRING: tuple[tuple[Takes, Attribute], ...] = (
    (ALIAS, defined("TARGET", QUEUE_NAME, "", "The queue or topic that the alias refers to.", synonyms=("TARGQ",),
                    column=HotColumn("target"), force=Force.HANDLES)),
    (ALIAS, defined("TARGTYPE", Word(("QUEUE", "TOPIC")), "QUEUE", "Whether TARGET names a queue or a topic.",
                    column=HotColumn("target_is_topic", {"QUEUE": 0, "TOPIC": 1}),
                    display_filter=Word(("ALL", "QUEUE", "TOPIC")))),
    (REMOTE, defined("RNAME", QUEUE_NAME, "",
                     "The name of the queue on the remote queue manager; blank for a queue manager alias.",
                     column=HotColumn("remote_name"), force=Force.RESOLVED)),
    (REMOTE, defined("RQMNAME", Name(48, "queue manager"), "", "The queue manager to which the messages are sent.",
                     column=HotColumn("remote_queue_manager"), force=Force.RESOLVED)),
    (REMOTE, defined("XMITQ", QUEUE_NAME, "",
                     "The transmission queue; blank means the one named RQMNAME, or else the default one.",
                     column=HotColumn("transmission_queue"), force=Force.HANDLES)),
)  # fmt: skip

_ANY_TYPE = Word(("ALL", "QLOCAL", "QMODEL", "QALIAS", "QREMOTE", "QCLUSTER"))
_TYPES = {LOCAL: "QLOCAL", MODEL: "QMODEL", ALIAS: "QALIAS", REMOTE: "QREMOTE"}
_SHOWN: tuple[tuple[Takes, Attribute], ...] = (
    *((takes, shown("TYPE", Word((*_TYPES.values(), "QCLUSTER")), "The type of queue.", synonyms=("QTYPE",),
                    constant=word, display_filter=_ANY_TYPE)) for takes, word in _TYPES.items()),
    *((ALL, row) for row in common.ALTERED_AT),
    *((STORING, row) for row in common.CREATED_AT),
    *((LOCAL | ALIAS, row) for row in common.CLUSTER_FACTS),
    (LOCAL, shown("CLUSQT", Word(("QALIAS", "QLOCAL", "QMGR", "QREMOTE")),
                  "The type of a cluster queue.", hidden=True)),
)  # fmt: skip

_ROWS = (*_GENERAL, *_STORAGE, *_WATCHED, *_REFERRING, *_SHOWN)

_STORING_ORDER = (
    "QUEUE TYPE ACCTQ ALTDATE ALTTIME BOQNAME BOTHRESH CAPEXPRY CLUSNL CLUSTER CLCHNAME CLWLPRTY CLWLRANK CLWLUSEQ"
    " CRDATE CRTIME CURDEPTH CUSTOM DEFBIND DEFPRTY DEFPSIST DEFPRESP DEFREADA DEFSOPT DEFTYPE DESCR DISTL GET"
    " HARDENBO IMGRCOVQ INITQ IPPROCS MAXDEPTH MAXFSIZE MAXMSGL MONQ MSGDLVSQ TRIGGER NPMCLASS OPPROCS PROCESS PUT"
    " PROPCTL QDEPTHHI QDEPTHLO QDPHIEV QDPLOEV QDPMAXEV QSVCIEV QSVCINT RETINTVL SCOPE SHARE STATQ STREAMQ STRMQOS"
    " TRIGDATA TRIGDPTH TRIGMPRI TRIGTYPE USAGE"
)
_ALIAS_ORDER = (
    "QUEUE TYPE ALTDATE ALTTIME TARGET CAPEXPRY CLUSNL CLUSTER CLWLPRTY CLWLRANK CUSTOM DEFBIND DEFPRTY DEFPSIST"
    " DEFPRESP DEFREADA DESCR GET PUT PROPCTL SCOPE TARGTYPE"
)
_REMOTE_ORDER = (
    "QUEUE TYPE ALTDATE ALTTIME CAPEXPRY CLUSNL CLUSTER CLWLPRTY CLWLRANK CUSTOM DEFBIND DEFPRTY DEFPSIST DEFPRESP"
    " DESCR PUT RQMNAME RNAME SCOPE XMITQ"
)


def _kind(takes: Takes, synonym: str, default_object: str, order: str) -> Kind:
    rows = tuple(row for kinds, row in _ROWS if takes in kinds)
    has = {"QUEUE", *(row.keyword for row in rows)}
    return make_kind(
        _TYPES[takes],
        rows,
        " ".join(word for word in order.split() if word in has),
        synonyms=(synonym,),
        namespace="queue",
        default_objects={"": default_object},
        heading_id="AMQ8409I",
        heading="Display Queue details.",
        key=("QUEUE", "TYPE"),
    )


QLOCAL = _kind(LOCAL, "QL", "SYSTEM.DEFAULT.LOCAL.QUEUE", _STORING_ORDER)
QMODEL = _kind(MODEL, "QM", "SYSTEM.DEFAULT.MODEL.QUEUE", _STORING_ORDER)
QALIAS = _kind(ALIAS, "QA", "SYSTEM.DEFAULT.ALIAS.QUEUE", _ALIAS_ORDER)
QREMOTE = _kind(REMOTE, "QR", "SYSTEM.DEFAULT.REMOTE.QUEUE", _REMOTE_ORDER)

"""The attributes of channels. A row says which channel types take it; CHLTYPE is the subtype."""

from __future__ import annotations

from typing import Any

from store.catalog import common
from store.catalog.attribute import Attribute, defined, shown
from store.catalog.common import CLUSNL, CLUSTER, CLWLPRTY, CLWLRANK, COUNT, MOST, MOST_MESSAGE, QUEUE_NAME, YES_NO
from store.catalog.kind import make_kind
from store.catalog.types import Items, Name, Number, Stored, Text, Type, Word
from store.catalog.user import User

SENDING = ("SDR", "SVR", "CLUSSDR", "CLUSRCVR")
RECEIVING = ("RCVR", "RQSTR", "CLUSRCVR")
MOVING = ("SDR", "SVR", "RCVR", "RQSTR", "CLUSSDR", "CLUSRCVR")
CLIENT = ("CLNTCONN", "SVRCONN")
CALLING = ("SDR", "SVR", "RQSTR", "CLNTCONN", "CLUSSDR", "CLUSRCVR")
CLUSTERED = ("CLUSSDR", "CLUSRCVR")
MQ_TYPES = (*MOVING, *CLIENT)
LIGHT = ("AMQP", "MQTT")
TYPES = ("SDR", "SVR", "RCVR", "RQSTR", "CLNTCONN", "SVRCONN", "CLUSSDR", "CLUSRCVR", *LIGHT)
_WITH_USER = ("SDR", "SVR", "RQSTR", "CLNTCONN", "CLUSSDR")
_ALL_BUT_SENDERS = ("SVR", "RCVR", "RQSTR", "SVRCONN", "CLUSRCVR", *LIGHT)

# In the name of a cluster-sender: the queue manager at its other end, known once it has connected.
NAME_PLACEHOLDER = "+QMNAME+"

_SECONDS = Number(0, 999_999)
_EXITS = Items(Text(128), 999, total=999)
_EXIT_DATA = Items(Text(32), 999, total=999)
_COMPRESSIONS = Word(("NONE", "RLE", "ZLIBFAST", "ZLIBHIGH", "LZ4FAST", "LZ4HIGH", "ANY"))


def _row(only_for: tuple[str, ...], keyword: str, type: Type, default: Stored, help: str, **more: Any) -> Attribute:
    return defined(keyword, type, default, help, only_for=only_for, **more)


def _for(only_for: tuple[str, ...], row: Attribute) -> Attribute:
    return defined(row.keyword, row.type, row.default, row.help, only_for=only_for)


_GENERAL = (
    defined("CHLTYPE", Word(TYPES), None, "The type of channel; follows the name.", required=True, leading=True,
            display_synonyms=("TYPE",), chooser=Word(("ALL", *TYPES))),
    common.DESCR,
    _row((*MQ_TYPES, "MQTT"), "TRPTYPE", Word(("TCP", "LU62", "NETBIOS", "SPX", "DECNET", "UDP")), "TCP",
         "The transport it runs over."),
    _row(CALLING, "CONNAME", Text(264), "", "Where the partner is: host(port), several separated by commas.",
         required_for=("SDR", "RQSTR", "CLNTCONN", "CLUSSDR")),
    _row((*CALLING, *LIGHT), "LOCLADDR", Text(48), "", "The local address and ports it uses."),
    _row(("SDR", "SVR"), "XMITQ", QUEUE_NAME, "", "The transmission queue it empties.", required_for=("SDR", "SVR")),
    _row((*MQ_TYPES, "AMQP"), "MAXMSGL", Number(0, MOST_MESSAGE), 4_194_304, "Most bytes of a message it carries."),
    _row(MQ_TYPES, "HBINT", _SECONDS, 300, "Seconds between heartbeats when nothing is sent."),
    _row(MQ_TYPES, "KAINT", Number(0, 99_999, {"AUTO": -1}), "AUTO", "Seconds between keep-alive probes."),
    _row((*SENDING, "SVRCONN"), "DISCINT", _SECONDS, 6000, "Seconds without work after which it ends; 0 means never.",
         default_for={"SVRCONN": 0}),
    _row(MQ_TYPES, "COMPHDR", Items(Word(("NONE", "SYSTEM")), 2, may_be_empty=False), ["NONE"],
         "How headers may be compressed."),
    _row(MQ_TYPES, "COMPMSG", Items(_COMPRESSIONS, 16, may_be_empty=False), ["NONE"], "How data may be compressed."),
    _row(("RCVR", "SVR", "RQSTR"), "AUTOSTART", Word(("DISABLED", "ENABLED")), "DISABLED",
         "Whether its responder starts by itself.", platform="nsk"),
    _row(("SDR", "SVR", "RCVR", "RQSTR", "SVRCONN"), "DEFCDISP", Word(("PRIVATE", "FIXSHARED", "SHARED")), "PRIVATE",
         "Whether it runs privately or shared in the group.", platform="zos"),
    _row(("SDR", "SVR", "RCVR", "RQSTR"), "SPLPROT", Word(("PASSTHRU", "REMOVE", "ASPOLICY")), "PASSTHRU",
         "What it does to protected messages.", platform="zos"),
    *common.GROUP_OPTIONS,
    *common.ALTERED_AT,
)  # fmt: skip

_MESSAGES = (
    _row(SENDING, "BATCHHB", _SECONDS, 0, "Milliseconds of silence after which a batch's end checks the partner."),
    _row(SENDING, "BATCHINT", COUNT, 0, "Milliseconds a batch is kept open for more messages."),
    _row(SENDING, "BATCHLIM", _SECONDS, 5000, "Most kilobytes sent in a batch."),
    _row(MOVING, "BATCHSZ", Number(1, 9999), 50, "Most messages sent in a batch."),
    _row(SENDING, "CONVERT", YES_NO, "NO", "Whether it converts messages before it sends them."),
    _row(SENDING, "LONGRTY", COUNT, MOST, "How often it tries again after the short retries."),
    _row(SENDING, "LONGTMR", COUNT, 1200, "Seconds between long retries."),
    _row(SENDING, "SHORTRTY", COUNT, 10, "How often it first tries again to connect."),
    _row(SENDING, "SHORTTMR", COUNT, 60, "Seconds between short retries."),
    _row(RECEIVING, "MRRTY", COUNT, 10, "How often a put that fails is tried again."),
    _row(RECEIVING, "MRTMR", COUNT, 1000, "Milliseconds between such puts."),
    _row(RECEIVING, "MREXIT", Text(128), "", "The exit that decides whether to try again."),
    _row(RECEIVING, "MRDATA", Text(32), "", "Text handed to that exit."),
    _row(MOVING, "NPMSPEED", Word(("FAST", "NORMAL")), "FAST",
         "Whether non-persistent messages pass outside the batch (FAST)."),
    _row(SENDING, "PROPCTL", Word(("COMPAT", "NONE", "ALL")), "COMPAT", "What is sent of message properties."),
    _row(RECEIVING, "PUTAUT", Word(("DEF", "CTX", "ONLYMCA", "ALTMCA")), "DEF", "Whose authority puts need.",
         zos_for=("SVRCONN",)),
    _row(MOVING, "SEQWRAP", Number(100, MOST), MOST, "The number after which message numbers begin again."),
    _row(MOVING, "USEDLQ", YES_NO, "YES", "Whether a message that cannot be delivered goes to the dead-letter queue."),
    _row(("SDR", "SVR", "RQSTR", *CLUSTERED), "MCANAME", Text(20), "", "Reserved; blank."),
    _row(("SDR", "SVR", "RQSTR", *CLUSTERED), "MCATYPE", Word(("PROCESS", "THREAD")), "PROCESS",
         "Whether it runs as a process or a thread.", default_for={"CLUSSDR": "THREAD", "CLUSRCVR": "THREAD"}),
    shown("RESETSEQ", Text(10), "The message number that a reset will begin with, or NO.", "NO", only_for=MOVING),
)  # fmt: skip

_SECURITY = (
    _row(
        ("SDR", "SVR", "RCVR", "RQSTR", *CLIENT, "CLUSRCVR", "AMQP"),
        "CERTLABL",
        Text(64),
        "",
        "The label of its certificate; blank leaves it to the queue manager.",
    ),
    _row((*MOVING, "SVRCONN", *LIGHT), "MCAUSER", User(12), "", "The user it acts as."),
    _row(_WITH_USER, "USERID", Text(12), "", "The user it names to an LU 6.2 partner."),
    _row(_WITH_USER, "PASSWORD", Text(12), "", "The password of that user.", secret=True),
    _row(
        _ALL_BUT_SENDERS,
        "SSLCAUTH",
        Word(("REQUIRED", "OPTIONAL")),
        "REQUIRED",
        "Whether the caller must have a certificate.",
    ),
    _row((*MQ_TYPES, *LIGHT), "SSLCIPH", Text(32), "", "The CipherSpec; blank means no TLS."),
    _row((*MQ_TYPES, "AMQP"), "SSLPEER", Text(1024), "", "What the partner's distinguished name must match."),
)

_EXIT_ROWS = (
    _row(MOVING, "MSGEXIT", _EXITS, [], "Exits that see each message."),
    _row(MOVING, "MSGDATA", _EXIT_DATA, [], "Texts handed to the message exits."),
    _row(MQ_TYPES, "SCYEXIT", Text(128), "", "The exit that checks the partner."),
    _row(MQ_TYPES, "SCYDATA", Text(32), "", "Text handed to the security exit."),
    _row(MQ_TYPES, "SENDEXIT", _EXITS, [], "Exits that see what is sent."),
    _row(MQ_TYPES, "SENDDATA", _EXIT_DATA, [], "Texts handed to the send exits."),
    _row(MQ_TYPES, "RCVEXIT", _EXITS, [], "Exits that see what is received."),
    _row(MQ_TYPES, "RCVDATA", _EXIT_DATA, [], "Texts handed to the receive exits."),
)

_TYPED = (
    _row(("CLNTCONN",), "AFFINITY", Word(("PREFERRED", "NONE")), "PREFERRED", "Whether one definition is preferred."),
    _row(("CLNTCONN",), "CLNTWGHT", Number(0, 99), 0, "Weight when a client chooses among definitions."),
    _row(("CLNTCONN",), "DEFRECON", Word(("NO", "YES", "QMGR", "DISABLED")), "NO", "Whether a client reconnects."),
    _row(("CLNTCONN",), "QMNAME", Text(48), "", "The queue manager, or group of them, that clients ask for."),
    _row(CLIENT, "SHARECNV", COUNT, 10, "Most conversations that share a connection."),
    _row(("SVRCONN", "AMQP"), "MAXINST", COUNT, MOST, "Most instances at a time."),
    _row(("SVRCONN",), "MAXINSTC", COUNT, MOST, "Most instances at a time from one client."),
    _for(CLUSTERED, CLUSNL), _for(CLUSTERED, CLUSTER), _for(CLUSTERED, CLWLPRTY), _for(CLUSTERED, CLWLRANK),
    _row(CLUSTERED, "CLWLWGHT", Number(1, 99), 50, "Weight when a cluster chooses among channels."),
    _row(("CLUSRCVR",), "NETPRTY", Number(0, 9), 0, "Priority of its network connection."),
    _row((*MOVING, "SVRCONN"), "MONCHL", common.CHANNEL_LEVEL, "QMGR", "How much online monitoring data is gathered."),
    _row(MOVING, "STATCHL", common.CHANNEL_LEVEL, "QMGR", "How much statistics data is gathered."),
    _row(CALLING, "MODENAME", Text(8), "", "The LU 6.2 mode."),
    _row(CALLING, "TPNAME", Text(64), "", "The LU 6.2 transaction program."),
    _row(("AMQP",), "AMQPKA", Number(0, 99_999, {"AUTO": -1}), "AUTO", "Seconds a client may be silent."),
    _row(("AMQP",), "TMPMODEL", Name(48, "QMODEL"), "SYSTEM.DEFAULT.MODEL.QUEUE", "The model of temporary queues."),
    _row(("AMQP",), "TMPQPRFX", Text(32), "AMQP.*", "How names of temporary queues begin."),
    _row(("AMQP",), "TPROOT", Text(128), "SYSTEM.BASE.TOPIC", "The topic that its topics are below."),
    _row(LIGHT, "PORT", Number(0, 65_535), 5672, "The port it listens on.", default_for={"MQTT": 1883}),
    _row(LIGHT, "USECLTID", YES_NO, "NO", "Whether the client identifier is the user."),
    _row(("MQTT",), "BACKLOG", COUNT, 4096, "Most connection requests waiting."),
    _row(("MQTT",), "JAASCFG", Text(1024), "", "The JAAS configuration that checks clients."),
    _row(("MQTT",), "PROTOCOL", Items(Word(("MQTTV3", "MQTTV311", "HTTP")), 3, may_be_empty=False),
         ["MQTTV311", "MQTTV3", "HTTP"], "The protocols it takes."),
    _row(("MQTT",), "SSLKEYR", Text(256), "", "The key repository."),
    _row(("MQTT",), "SSLKEYP", Text(1024), "", "The password of the key repository.", secret=True),
)  # fmt: skip

# Where DISPLAY does not go by the alphabet.
_BEFORE = {"AMQPKA": "DISCINT", "TPROOT": "TMPMODEL"}


def _place(keyword: str) -> tuple[str, str]:
    """The place of a word in DISPLAY: its own, or before another one."""
    return (_BEFORE[keyword], "") if keyword in _BEFORE else (keyword, keyword)


_ROWS = (*_GENERAL, *_MESSAGES, *_SECURITY, *_EXIT_ROWS, *_TYPED)

CHANNEL = make_kind(
    "CHANNEL",
    _ROWS,
    " ".join(("CHANNEL CHLTYPE", *sorted({row.keyword for row in _ROWS if not row.option} - {"CHLTYPE"}, key=_place))),
    Name(20, placeholder=NAME_PLACEHOLDER),
    synonyms=("CHL",),
    namespace="channel",
    selector="CHLTYPE",
    default_objects={
        "SDR": "SYSTEM.DEF.SENDER",
        "SVR": "SYSTEM.DEF.SERVER",
        "RCVR": "SYSTEM.DEF.RECEIVER",
        "RQSTR": "SYSTEM.DEF.REQUESTER",
        "CLNTCONN": "SYSTEM.DEF.CLNTCONN",
        "SVRCONN": "SYSTEM.DEF.SVRCONN",
        "CLUSSDR": "SYSTEM.DEF.CLUSSDR",
        "CLUSRCVR": "SYSTEM.DEF.CLUSRCVR",
        "AMQP": "SYSTEM.DEF.AMQP",
    },
    heading_id="AMQ8414I",
    heading="Display Channel details.",
    key=("CHANNEL", "CHLTYPE"),
)

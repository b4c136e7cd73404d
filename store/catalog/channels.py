"""The attributes of channels. Each row says which channel types have it; CHLTYPE is the subtype."""

from __future__ import annotations

from typing import Any

from store.catalog import common
from store.catalog.attribute import Attribute, defined, shown
from store.catalog.common import CLUSNL, CLUSTER, CLWLPRTY, CLWLRANK, COUNT, MOST, MOST_MESSAGE, QUEUE_NAME, YES_NO
from store.catalog.kind import make_kind
from store.catalog.types import ConnectionName, Items, Name, Number, Stored, Text, Type, User, Word

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

# In the name of a cluster-sender it represents the remote queue manager, whose name is known after connecting.
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
    defined("CHLTYPE", Word(TYPES), None,
            "The type of channel; it must follow the name directly.", required=True, leading=True,
            display_synonyms=("TYPE",), display_filter=Word(("ALL", *TYPES))),
    common.DESCR,
    _row((*MQ_TYPES, "MQTT"), "TRPTYPE", Word(("TCP", "LU62", "NETBIOS", "SPX", "DECNET", "UDP")), "TCP",
         "The transport protocol of the channel."),
    _row(CALLING, "CONNAME", ConnectionName(264), "",
         "The address of the partner: host(port); several are separated by commas.",
         required_for=("SDR", "RQSTR", "CLNTCONN", "CLUSSDR")),
    _row((*CALLING, *LIGHT), "LOCLADDR", Text(48), "", "The local address and ports of the channel."),
    _row(("SDR", "SVR"), "XMITQ", QUEUE_NAME, "",
         "The transmission queue that the channel reads.", required_for=("SDR", "SVR")),
    _row((*MQ_TYPES, "AMQP"), "MAXMSGL", Number(0, MOST_MESSAGE), 4_194_304,
         "The maximum length of a message on the channel, in bytes."),
    _row(MQ_TYPES, "HBINT", _SECONDS, 300, "Seconds between heartbeats while no messages are sent."),
    _row(MQ_TYPES, "KAINT", Number(0, 99_999, {"AUTO": -1}), "AUTO", "Seconds between keep-alive probes."),
    _row((*SENDING, "SVRCONN"), "DISCINT", _SECONDS, 6000,
         "Seconds without messages after which the channel disconnects; 0 means never.",
         default_for={"SVRCONN": 0}),
    _row(MQ_TYPES, "COMPHDR", Items(Word(("NONE", "SYSTEM")), 2, may_be_empty=False), ["NONE"],
         "The header compression methods that the channel supports."),
    _row(MQ_TYPES, "COMPMSG", Items(_COMPRESSIONS, 16, may_be_empty=False), ["NONE"],
         "The message compression methods that the channel supports."),
    _row(("RCVR", "SVR", "RQSTR"), "AUTOSTART", Word(("DISABLED", "ENABLED")), "DISABLED",
         "Whether the responder of the channel starts automatically.", platform="nsk"),
    _row(("SDR", "SVR", "RCVR", "RQSTR", "SVRCONN"), "DEFCDISP", Word(("PRIVATE", "FIXSHARED", "SHARED")), "PRIVATE",
         "Whether the channel runs privately or shared in the queue-sharing group.", platform="zos"),
    _row(("SDR", "SVR", "RCVR", "RQSTR"), "SPLPROT", Word(("PASSTHRU", "REMOVE", "ASPOLICY")), "PASSTHRU",
         "How the channel handles protected messages.", platform="zos"),
    *common.GROUP_OPTIONS,
    *common.ALTERED_AT,
)  # fmt: skip

_MESSAGES = (
    _row(SENDING, "BATCHHB", _SECONDS, 0,
         "Milliseconds without data after which the sender checks the partner before it commits a batch."),
    _row(SENDING, "BATCHINT", COUNT, 0, "Milliseconds for which a batch stays open to wait for more messages."),
    _row(SENDING, "BATCHLIM", _SECONDS, 5000, "The maximum number of kilobytes in a batch."),
    _row(MOVING, "BATCHSZ", Number(1, 9999), 50, "The maximum number of messages in a batch."),
    _row(SENDING, "CONVERT", YES_NO, "NO", "Whether the channel converts messages before it sends them."),
    _row(SENDING, "LONGRTY", COUNT, MOST, "How often the channel retries the connection after the short retries."),
    _row(SENDING, "LONGTMR", COUNT, 1200, "Seconds between long retries of the connection."),
    _row(SENDING, "SHORTRTY", COUNT, 10, "How often the channel first retries the connection."),
    _row(SENDING, "SHORTTMR", COUNT, 60, "Seconds between short retries of the connection."),
    _row(RECEIVING, "MRRTY", COUNT, 10, "How often a failed put is retried."),
    _row(RECEIVING, "MRTMR", COUNT, 1000, "Milliseconds between retries of a failed put."),
    _row(RECEIVING, "MREXIT", Text(128), "", "The exit that decides whether a failed put is retried."),
    _row(RECEIVING, "MRDATA", Text(32), "", "Text passed to the message-retry exit."),
    _row(MOVING, "NPMSPEED", Word(("FAST", "NORMAL")), "FAST",
         "Whether non-persistent messages are sent outside the batch (FAST)."),
    _row(SENDING, "PROPCTL", Word(("COMPAT", "NONE", "ALL")), "COMPAT", "Which message properties are sent."),
    _row(RECEIVING, "PUTAUT", Word(("DEF", "CTX", "ONLYMCA", "ALTMCA")), "DEF",
         "Whose authority is needed to put messages.",
         zos_for=("SVRCONN",)),
    _row(MOVING, "SEQWRAP", Number(100, MOST), MOST,
         "The highest message sequence number before numbers start again at 1."),
    _row(MOVING, "USEDLQ", YES_NO, "YES", "Whether a message that cannot be delivered goes to the dead-letter queue."),
    _row(("SDR", "SVR", "RQSTR", *CLUSTERED), "MCANAME", Text(20), "", "Reserved; blank."),
    _row(("SDR", "SVR", "RQSTR", *CLUSTERED), "MCATYPE", Word(("PROCESS", "THREAD")), "PROCESS",
         "Whether the channel runs as a process or as a thread.",
         default_for={"CLUSSDR": "THREAD", "CLUSRCVR": "THREAD"}),
    shown("RESETSEQ", Text(10), "The message sequence number of a pending reset, or NO.", "NO", only_for=MOVING),
)  # fmt: skip

_SECURITY = (
    _row(
        ("SDR", "SVR", "RCVR", "RQSTR", *CLIENT, "CLUSRCVR", "AMQP"),
        "CERTLABL",
        Text(64),
        "",
        "The label of the channel's certificate; blank means that of the queue manager.",
    ),
    _row((*MOVING, "SVRCONN", *LIGHT), "MCAUSER", User(12), "", "The user ID under which the channel runs."),
    _row(_WITH_USER, "USERID", Text(12), "", "The user ID sent to an LU 6.2 partner."),
    _row(_WITH_USER, "PASSWORD", Text(12), "", "The password of that user ID.", secret=True),
    _row(
        _ALL_BUT_SENDERS,
        "SSLCAUTH",
        Word(("REQUIRED", "OPTIONAL")),
        "REQUIRED",
        "Whether the partner that connects must have a certificate.",
    ),
    _row((*MQ_TYPES, *LIGHT), "SSLCIPH", Text(32), "", "The CipherSpec; blank means no TLS."),
    _row(
        (*MQ_TYPES, "AMQP"), "SSLPEER", Text(1024), "", "The pattern that the partner's distinguished name must match."
    ),
)

_EXIT_ROWS = (
    _row(MOVING, "MSGEXIT", _EXITS, [], "The message exits, which process each message."),
    _row(MOVING, "MSGDATA", _EXIT_DATA, [], "Texts passed to the message exits."),
    _row(MQ_TYPES, "SCYEXIT", Text(128), "", "The security exit, which checks the partner."),
    _row(MQ_TYPES, "SCYDATA", Text(32), "", "Text passed to the security exit."),
    _row(MQ_TYPES, "SENDEXIT", _EXITS, [], "The send exits, which process the data that is sent."),
    _row(MQ_TYPES, "SENDDATA", _EXIT_DATA, [], "Texts passed to the send exits."),
    _row(MQ_TYPES, "RCVEXIT", _EXITS, [], "The receive exits, which process the data that is received."),
    _row(MQ_TYPES, "RCVDATA", _EXIT_DATA, [], "Texts passed to the receive exits."),
)

_TYPED = (
    _row(("CLNTCONN",), "AFFINITY", Word(("PREFERRED", "NONE")), "PREFERRED",
         "Whether a client prefers the definition it used before."),
    _row(("CLNTCONN",), "CLNTWGHT", Number(0, 99), 0, "The weight when a client chooses among definitions."),
    _row(("CLNTCONN",), "DEFRECON", Word(("NO", "YES", "QMGR", "DISABLED")), "NO",
         "Whether a client reconnects automatically."),
    _row(("CLNTCONN",), "QMNAME", Text(48), "", "The queue manager or queue manager group to which clients connect."),
    _row(CLIENT, "SHARECNV", COUNT, 10, "The maximum number of conversations that share a connection."),
    _row(("SVRCONN", "AMQP"), "MAXINST", COUNT, MOST, "The maximum number of instances."),
    _row(("SVRCONN",), "MAXINSTC", COUNT, MOST, "The maximum number of instances from one client."),
    _for(CLUSTERED, CLUSNL), _for(CLUSTERED, CLUSTER), _for(CLUSTERED, CLWLPRTY), _for(CLUSTERED, CLWLRANK),
    _row(CLUSTERED, "CLWLWGHT", Number(1, 99), 50, "The weight when a cluster chooses among channels."),
    _row(("CLUSRCVR",), "NETPRTY", Number(0, 9), 0, "The priority of the network connection."),
    _row((*MOVING, "SVRCONN"), "MONCHL", common.CHANNEL_LEVEL, "QMGR", "How much online monitoring data is collected."),
    _row(MOVING, "STATCHL", common.CHANNEL_LEVEL, "QMGR", "How much statistics data is collected."),
    _row(CALLING, "MODENAME", Text(8), "", "The name of the LU 6.2 mode."),
    _row(CALLING, "TPNAME", Text(64), "", "The name of the LU 6.2 transaction program."),
    _row(("AMQP",), "AMQPKA", Number(0, 99_999, {"AUTO": -1}), "AUTO",
         "Seconds for which a client may send nothing (keep-alive)."),
    _row(("AMQP",), "TMPMODEL", Name(48, "QMODEL"), "SYSTEM.DEFAULT.MODEL.QUEUE",
         "The model queue for temporary queues."),
    _row(("AMQP",), "TMPQPRFX", Text(32), "AMQP.*", "The prefix of the names of temporary queues."),
    _row(("AMQP",), "TPROOT", Text(128), "SYSTEM.BASE.TOPIC", "The root of the topics of AMQP clients."),
    _row(LIGHT, "PORT", Number(0, 65_535), 5672, "The port on which it listens.", default_for={"MQTT": 1883}),
    _row(LIGHT, "USECLTID", YES_NO, "NO", "Whether the client identifier is used as the user ID."),
    _row(("MQTT",), "BACKLOG", COUNT, 4096, "The maximum number of waiting connection requests."),
    _row(("MQTT",), "JAASCFG", Text(1024), "", "The JAAS configuration that checks clients."),
    _row(("MQTT",), "PROTOCOL", Items(Word(("MQTTV3", "MQTTV311", "HTTP")), 3, may_be_empty=False),
         ["MQTTV311", "MQTTV3", "HTTP"], "The protocols that the channel accepts."),
    _row(("MQTT",), "SSLKEYR", Text(256), "", "The location of the channel's key repository."),
    _row(("MQTT",), "SSLKEYP", Text(1024), "", "The password of the key repository.", secret=True),
)  # fmt: skip

# Exceptions from the alphabetical order of DISPLAY.
_BEFORE = {"AMQPKA": "DISCINT", "TPROOT": "TMPMODEL"}


def _place(keyword: str) -> tuple[str, str]:
    """The sort key of a keyword in the order of DISPLAY."""
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

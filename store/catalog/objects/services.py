"""The attributes of listeners and services, in the order of DISPLAY."""

from mqsc.store.catalog.attribute import Attribute
from mqsc.store.catalog.object_kind import make_kind
from mqsc.store.catalog.objects import shared
from mqsc.store.catalog.types import Name, Number, Text, Word

_OF_LISTENER = (
    shared.CONTROL,
    Attribute(
        "TRPTYPE",
        Word(("TCP", "LU62", "NETBIOS", "SPX")),
        "The transport protocol; it must follow the name directly.",
        required=True,
        leading=True,
        display_filter=Word(("ALL", "TCP", "LU62", "NETBIOS", "SPX")),
    ),
    Attribute(
        "PORT", Number(0, 65535), "The TCP port; 0 means 1414.", default=0, only_for=("TCP",)
    ),
    Attribute(
        "IPADDR",
        Text(48),
        "The address on which it listens; blank means all addresses.",
        default="",
        only_for=("TCP",),
    ),
    Attribute(
        "BACKLOG",
        Number(0, 999999999),
        "The maximum number of waiting connection requests; 0 means the system default.",
        default=0,
        only_for=("TCP", "SPX"),
    ),
    Attribute(
        "TPNAME",
        Text(64),
        "The name of the LU 6.2 transaction program.",
        default="",
        platform="windows",
        only_for=("LU62",),
        hidden=False,
    ),
    Attribute(
        "ADAPTER",
        Number(0, 255),
        "The number of the NETBIOS adapter.",
        default=0,
        platform="windows",
        only_for=("NETBIOS",),
        hidden=False,
    ),
    Attribute(
        "LOCLNAME",
        Text(16),
        "The local NETBIOS name.",
        default="",
        platform="windows",
        only_for=("NETBIOS",),
        hidden=False,
    ),
    Attribute(
        "NTBNAMES",
        Number(0, 255),
        "The maximum number of NETBIOS names.",
        default=0,
        platform="windows",
        only_for=("NETBIOS",),
        hidden=False,
    ),
    Attribute(
        "SESSIONS",
        Number(0, 255),
        "The maximum number of NETBIOS sessions.",
        default=0,
        platform="windows",
        only_for=("NETBIOS",),
        hidden=False,
    ),
    Attribute(
        "COMMANDS",
        Number(0, 255),
        "The maximum number of concurrent NETBIOS commands.",
        default=0,
        platform="windows",
        only_for=("NETBIOS",),
        hidden=False,
    ),
    Attribute(
        "SOCKET",
        Number(0, 65535),
        "The SPX socket.",
        default=24158,
        platform="windows",
        only_for=("SPX",),
        hidden=False,
    ),
    shared.DESCR,
    shared.ALTDATE,
    shared.ALTTIME,
)
LISTENER = make_kind(
    "LISTENER",
    Name(48),
    _OF_LISTENER,
    key=("LISTENER",),
    heading_id="AMQ8630I",
    heading="Display listener information details.",
    synonyms=("LSTR",),
    selector="TRPTYPE",
    platform="multi",
    default_objects={
        "TCP": "SYSTEM.DEFAULT.LISTENER.TCP",
        "LU62": "SYSTEM.DEFAULT.LISTENER.LU62",
        "NETBIOS": "SYSTEM.DEFAULT.LISTENER.NETBIOS",
        "SPX": "SYSTEM.DEFAULT.LISTENER.SPX",
    },
)

_OF_SERVICE = (
    shared.CONTROL,
    Attribute(
        "SERVTYPE",
        Word(("COMMAND", "SERVER")),
        "Whether the service is monitored while it runs (SERVER).",
        default="COMMAND",
    ),
    Attribute(
        "STARTCMD", Text(255, inserts=True), "The program that starts the service.", default=""
    ),
    Attribute("STARTARG", Text(255, inserts=True), "The arguments of the program.", default=""),
    Attribute(
        "STOPCMD", Text(255, inserts=True), "The program that stops the service.", default=""
    ),
    Attribute("STOPARG", Text(255, inserts=True), "The arguments of the program.", default=""),
    Attribute("STDOUT", Text(255, inserts=True), "The file for standard output.", default=""),
    Attribute("STDERR", Text(255, inserts=True), "The file for standard error.", default=""),
    shared.DESCR,
    shared.ALTDATE,
    shared.ALTTIME,
)
SERVICE = make_kind(
    "SERVICE",
    Name(48),
    _OF_SERVICE,
    key=("SERVICE",),
    heading_id="AMQ8629I",
    heading="Display service information details.",
    platform="multi",
    default_objects={"": "SYSTEM.DEFAULT.SERVICE"},
)

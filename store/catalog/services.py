"""The attributes of listeners, services and namelists."""

from __future__ import annotations

from store.catalog import common
from store.catalog.attribute import Attribute, defined, shown
from store.catalog.common import COUNT
from store.catalog.kind import make_kind
from store.catalog.types import Items, Name, Number, Text, Word

_TRANSPORTS = ("TCP", "LU62", "NETBIOS", "SPX")
_NETBIOS = Number(0, 255)
_CONTROL = defined("CONTROL", Word(("MANUAL", "QMGR", "STARTONLY")), "MANUAL",
                   "Whether it starts and ends with the queue manager.")  # fmt: skip
# MQ replaces words such as +QMNAME+ and +MQ_SERVER_PID+ when it runs the program.
_PROGRAM_TEXT = Text(255, inserts=True)


def _netbios(keyword: str, help: str) -> Attribute:
    return defined(keyword, _NETBIOS, 0, help, platform="windows", hidden=False, only_for=("NETBIOS",))


LISTENER = make_kind(
    "LISTENER",
    (
        defined("TRPTYPE", Word(_TRANSPORTS), None, "The transport protocol; it must follow the name directly.",
                required=True, leading=True, display_filter=Word(("ALL", *_TRANSPORTS))),
        _CONTROL,
        common.DESCR,
        defined("PORT", Number(0, 65_535), 0, "The TCP port; 0 means 1414.", only_for=("TCP",)),
        defined("IPADDR", Text(48), "",
                "The address on which it listens; blank means all addresses.", only_for=("TCP",)),
        defined("BACKLOG", COUNT, 0, "The maximum number of waiting connection requests; 0 means the system default.",
                only_for=("TCP", "SPX")),
        defined("TPNAME", Text(64), "", "The name of the LU 6.2 transaction program.", platform="windows", hidden=False,
                only_for=("LU62",)),
        defined("LOCLNAME", Text(16), "", "The local NETBIOS name.", platform="windows", hidden=False,
                only_for=("NETBIOS",)),
        _netbios("ADAPTER", "The number of the NETBIOS adapter."),
        _netbios("COMMANDS", "The maximum number of concurrent NETBIOS commands."),
        _netbios("NTBNAMES", "The maximum number of NETBIOS names."),
        _netbios("SESSIONS", "The maximum number of NETBIOS sessions."),
        defined("SOCKET", Number(0, 65_535), 24_158, "The SPX socket.", platform="windows", hidden=False,
                only_for=("SPX",)),
        *common.ALTERED_AT,
    ),
    "LISTENER CONTROL TRPTYPE PORT IPADDR BACKLOG TPNAME ADAPTER LOCLNAME NTBNAMES SESSIONS COMMANDS SOCKET DESCR"
    " ALTDATE ALTTIME",
    synonyms=("LSTR",),
    namespace="listener",
    selector="TRPTYPE",
    default_objects={transport: f"SYSTEM.DEFAULT.LISTENER.{transport}" for transport in _TRANSPORTS},
    heading_id="AMQ8630I",
    heading="Display listener information details.",
    key=("LISTENER",),
    platform="multi",
)  # fmt: skip

SERVICE = make_kind(
    "SERVICE",
    (
        _CONTROL,
        common.DESCR,
        defined(
            "SERVTYPE",
            Word(("COMMAND", "SERVER")),
            "COMMAND",
            "Whether the service is monitored while it runs (SERVER).",
        ),
        defined("STARTCMD", _PROGRAM_TEXT, "", "The program that starts the service."),
        defined("STARTARG", _PROGRAM_TEXT, "", "The arguments of the program."),
        defined("STOPCMD", _PROGRAM_TEXT, "", "The program that stops the service."),
        defined("STOPARG", _PROGRAM_TEXT, "", "The arguments of the program."),
        defined("STDOUT", _PROGRAM_TEXT, "", "The file for standard output."),
        defined("STDERR", _PROGRAM_TEXT, "", "The file for standard error."),
        *common.ALTERED_AT,
    ),
    "SERVICE CONTROL SERVTYPE STARTCMD STARTARG STOPCMD STOPARG STDOUT STDERR DESCR ALTDATE ALTTIME",
    synonyms=(),
    namespace="service",
    default_objects={"": "SYSTEM.DEFAULT.SERVICE"},
    heading_id="AMQ8629I",
    heading="Display service information details.",
    key=("SERVICE",),
    platform="multi",
)

NAMELIST = make_kind(
    "NAMELIST",
    (
        defined("NAMES", Items(Name(48), 256), [], "The names in the list, in order."),
        common.DESCR,
        defined("NLTYPE", Word(("NONE", "CLUSTER", "AUTHINFO", "QUEUE"), {"Q": "QUEUE"}), "NONE",
                "The type of object that the names refer to.", platform="zos",
                display_filter=Word(("ALL", "NONE", "CLUSTER", "AUTHINFO", "QUEUE"), {"Q": "QUEUE"})),
        shown("NAMCOUNT", COUNT, "The number of names in the list."),
        *common.GROUP_OPTIONS,
        *common.ALTERED_AT,
    ),
    "NAMELIST NAMCOUNT NAMES DESCR ALTDATE ALTTIME",
    synonyms=("NL",),
    namespace="namelist",
    default_objects={"": "SYSTEM.DEFAULT.NAMELIST"},
    heading_id="AMQ8550I",
    heading="Display namelist details.",
    key=("NAMELIST",),
)  # fmt: skip

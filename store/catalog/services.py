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
                   "Whether it starts and stops with the queue manager.")  # fmt: skip


def _netbios(keyword: str, help: str) -> Attribute:
    return defined(keyword, _NETBIOS, 0, help, platform="windows", quiet=False, only_for=("NETBIOS",))


LISTENER = make_kind(
    "LISTENER",
    (
        defined("TRPTYPE", Word(_TRANSPORTS), None, "The transport it listens on; follows the name.",
                required=True, leading=True, chooser=Word(("ALL", *_TRANSPORTS))),
        _CONTROL,
        common.DESCR,
        defined("PORT", Number(0, 65_535), 0, "The TCP port; 0 means 1414.", only_for=("TCP",)),
        defined("IPADDR", Text(48), "", "The address it listens on; blank means all.", only_for=("TCP",)),
        defined("BACKLOG", COUNT, 0, "Most connection requests waiting; 0 leaves it to the system.",
                only_for=("TCP", "SPX")),
        defined("TPNAME", Text(64), "", "The LU 6.2 transaction program.", platform="windows", quiet=False,
                only_for=("LU62",)),
        defined("LOCLNAME", Text(16), "", "The NETBIOS name.", platform="windows", quiet=False,
                only_for=("NETBIOS",)),
        _netbios("ADAPTER", "The NETBIOS adapter."),
        _netbios("COMMANDS", "How many NETBIOS commands may run at a time."),
        _netbios("NTBNAMES", "How many NETBIOS names may be used."),
        _netbios("SESSIONS", "How many NETBIOS sessions may be used."),
        defined("SOCKET", Number(0, 65_535), 24_158, "The SPX socket.", platform="windows", quiet=False,
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
        defined("SERVTYPE", Word(("COMMAND", "SERVER")), "COMMAND", "Whether it is watched while it runs (SERVER)."),
        defined("STARTCMD", Text(255), "", "The program that starts it."),
        defined("STARTARG", Text(255), "", "The arguments of that program."),
        defined("STOPCMD", Text(255), "", "The program that stops it."),
        defined("STOPARG", Text(255), "", "The arguments of that program."),
        defined("STDOUT", Text(255), "", "The file its output goes to."),
        defined("STDERR", Text(255), "", "The file its errors go to."),
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
        defined("NAMES", Items(Name(48), 256), [], "The names, in order."),
        common.DESCR,
        defined("NLTYPE", Word(("NONE", "CLUSTER", "AUTHINFO", "QUEUE"), {"Q": "QUEUE"}), "NONE",
                "What the names are names of.", platform="zos",
                chooser=Word(("ALL", "NONE", "CLUSTER", "AUTHINFO", "QUEUE"), {"Q": "QUEUE"})),
        shown("NAMCOUNT", COUNT, "How many names there are."),
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

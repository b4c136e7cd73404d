"""The attributes that queue managers have on z/OS only: stored, displayed when named, without effect here."""

from __future__ import annotations

from typing import Any

from store.catalog.attribute import Attribute, altered
from store.catalog.common import YES_NO
from store.catalog.types import Number, Stored, Text, Type, Word

_DISABLED = Word(("DISABLED", "ENABLED"))
_CHANNELS = Number(0, 9999)
_SOME_CHANNELS = Number(1, 9999)
_PORT = Number(0, 65_535)


def _zos(keyword: str, type: Type, default: Stored, help: str, **more: Any) -> Attribute:
    return altered(keyword, type, default, help, platform="zos", **more)


def _chinit(keyword: str, type: Type, default: Stored, help: str) -> Attribute:
    return _zos(keyword, type, default, help, group="CHINIT")


ZOS_ROWS = (
    _chinit("ACTCHL", _SOME_CHANNELS, 200, "The maximum number of active channels."),
    _chinit(
        "ADOPTCHK",
        Word(("ALL", "NETADDR", "NONE", "QMNAME")),
        "ALL",
        "What must match for a new channel to replace an orphaned one.",
    ),
    _chinit("ADOPTMCA", Word(("ALL", "NO")), "ALL", "Whether a new channel replaces an orphaned one."),
    _chinit("CHIADAPS", _CHANNELS, 8, "The number of adapter subtasks of the channel initiator."),
    _chinit("CHIDISPS", _SOME_CHANNELS, 5, "The number of dispatchers of the channel initiator."),
    _chinit("CHISERVP", Text(32), "", "Reserved."),
    _chinit("DNSGROUP", Text(18), "", "Obsolete: the group to register with the domain name server."),
    _chinit("DNSWLM", YES_NO, "NO", "Obsolete: whether to register with the domain name server."),
    _chinit("LSTRTMR", Number(5, 9999), 60, "Seconds between attempts to restart a listener."),
    _chinit("LU62ARM", Text(2), "", "The suffix of the APPC member that names the logical unit."),
    _chinit("LU62CHL", _CHANNELS, 200, "The maximum number of current LU 6.2 channels."),
    _chinit("LUGROUP", Text(8), "", "The generic logical unit of the group's listener."),
    _chinit("LUNAME", Text(8), "", "The logical unit of outbound LU 6.2 channels."),
    _chinit("MAXCHL", _SOME_CHANNELS, 200, "The maximum number of current channels."),
    _chinit("OPORTMAX", _PORT, 0, "The highest local port of outgoing channels."),
    _chinit("OPORTMIN", _PORT, 0, "The lowest local port of outgoing channels."),
    _chinit(
        "RCVTIME",
        Number(0, 999_999),
        0,
        "How long a channel waits for its partner; RCVTTYPE says how this number is used.",
    ),
    _chinit("RCVTMIN", Number(0, 999_999), 0, "The minimum number of seconds that a channel waits for its partner."),
    _chinit(
        "RCVTTYPE",
        Word(("MULTIPLY", "ADD", "EQUAL")),
        "MULTIPLY",
        "How RCVTIME is used: as a factor of the heartbeat interval, added to it, or alone.",
    ),
    _chinit("TCPCHL", _CHANNELS, 200, "The maximum number of current TCP channels."),
    _chinit("TCPKEEP", YES_NO, "NO", "Whether TCP keep-alive is used."),
    _chinit("TCPNAME", Text(8), "TCPIP", "The name of the TCP/IP system."),
    _chinit("TCPSTACK", Word(("SINGLE", "MULTIPLE")), "SINGLE", "Whether one TCP/IP system is used, or several."),
    _chinit("TRAXSTR", Word(("YES", "NO")), "YES", "Whether the trace of the channel initiator starts with it."),
    _chinit("TRAXTBL", Number(2, 2048), 2, "The size of the channel initiator's trace, in megabytes."),
    _zos("BRIDGEEV", Word(("ENABLED", "DISABLED")), "DISABLED", "Whether the IMS bridge causes events.", group="EVENT"),
    _zos("CERTQSGL", Text(64), "", "The label of the certificate that the queue-sharing group shares."),
    _zos(
        "CFCONLOS",
        Word(("TERMINATE", "TOLERATE")),
        "TERMINATE",
        "What happens when the connection to a coupling facility structure is lost.",
    ),
    _zos("GROUPUR", _DISABLED, "DISABLED", "Whether units of recovery may belong to the queue-sharing group."),
    _zos(
        "IGQ",
        _DISABLED,
        "DISABLED",
        "Whether members of the group send messages to each other without channels (intra-group queuing).",
    ),
    _zos(
        "IGQAUT",
        Word(("DEF", "CTX", "ONLYIGQ", "ALTIGQ")),
        "DEF",
        "Whose authority is needed to put messages of intra-group queuing.",
    ),
    _zos("IGQUSER", Text(12), "", "The user that puts messages of intra-group queuing."),
    _zos("OTELPCTL", Word(("MANUAL", "AUTO")), "MANUAL", "How OpenTelemetry trace context is propagated."),
    _zos("OTELTRAC", Word(("OFF", "ON", "NONE")), "OFF", "Whether messages are traced with OpenTelemetry."),
    _zos(
        "SCYCASE",
        Word(("UPPER", "MIXED")),
        "UPPER",
        "Whether security profiles are in upper case only or in mixed case.",
    ),
    _zos(
        "SQQMNAME",
        Word(("USE", "IGNORE")),
        "USE",
        "Whether the queue manager name given at the open of a shared queue is used.",
    ),
    _zos("SSLTASKS", _CHANNELS, 0, "The number of server subtasks for TLS."),
)

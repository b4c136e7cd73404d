"""The attributes of the queue manager that only z/OS has: kept and displayed when asked for, without effect here."""

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
    _chinit("ACTCHL", _SOME_CHANNELS, 200, "Most channels active at a time."),
    _chinit("ADOPTCHK", Word(("ALL", "NETADDR", "NONE", "QMNAME")), "ALL", "What a new channel shares with an old."),
    _chinit("ADOPTMCA", Word(("ALL", "NO")), "ALL", "Whether a new channel takes over from one that hangs."),
    _chinit("CHIADAPS", _CHANNELS, 8, "How many adapter subtasks the channel initiator has."),
    _chinit("CHIDISPS", _SOME_CHANNELS, 5, "How many dispatchers the channel initiator has."),
    _chinit("CHISERVP", Text(32), "", "Reserved."),
    _chinit("DNSGROUP", Text(18), "", "Obsolete: the group registered with the domain name server."),
    _chinit("DNSWLM", YES_NO, "NO", "Obsolete: whether to register with the domain name server."),
    _chinit("LSTRTMR", Number(5, 9999), 60, "Seconds between attempts to restart a listener."),
    _chinit("LU62ARM", Text(2), "", "The suffix of the APPC member that names the logical unit."),
    _chinit("LU62CHL", _CHANNELS, 200, "Most LU 6.2 channels at a time."),
    _chinit("LUGROUP", Text(8), "", "The generic logical unit of the group's listener."),
    _chinit("LUNAME", Text(8), "", "The logical unit of outbound LU 6.2 channels."),
    _chinit("MAXCHL", _SOME_CHANNELS, 200, "Most channels at a time."),
    _chinit("OPORTMAX", _PORT, 0, "The highest port of outgoing channels."),
    _chinit("OPORTMIN", _PORT, 0, "The lowest port of outgoing channels."),
    _chinit("RCVTIME", Number(0, 999_999), 0, "How long a channel waits for its partner, read as RCVTTYPE says."),
    _chinit("RCVTMIN", Number(0, 999_999), 0, "Fewest seconds a channel waits for its partner."),
    _chinit("RCVTTYPE", Word(("MULTIPLY", "ADD", "EQUAL")), "MULTIPLY", "How RCVTIME relates to the heartbeat."),
    _chinit("TCPCHL", _CHANNELS, 200, "Most TCP channels at a time."),
    _chinit("TCPKEEP", YES_NO, "NO", "Whether TCP keep-alive is used."),
    _chinit("TCPNAME", Text(8), "TCPIP", "The name of the TCP/IP system."),
    _chinit("TCPSTACK", Word(("SINGLE", "MULTIPLE")), "SINGLE", "Whether one TCP/IP system is used, or several."),
    _chinit("TRAXSTR", Word(("YES", "NO")), "YES", "Whether the channel initiator's trace starts with it."),
    _chinit("TRAXTBL", Number(2, 2048), 2, "Megabytes of the channel initiator's trace."),
    _zos("BRIDGEEV", Word(("ENABLED", "DISABLED")), "DISABLED", "Whether the IMS bridge makes events.", group="EVENT"),
    _zos("CERTQSGL", Text(64), "", "The label of the group's shared certificate."),
    _zos("CFCONLOS", Word(("TERMINATE", "TOLERATE")), "TERMINATE", "What happens when a structure is lost."),
    _zos("GROUPUR", _DISABLED, "DISABLED", "Whether units of recovery may belong to the group."),
    _zos("IGQ", _DISABLED, "DISABLED", "Whether members of a group send messages without channels."),
    _zos("IGQAUT", Word(("DEF", "CTX", "ONLYIGQ", "ALTIGQ")), "DEF", "Whose authority such messages are put with."),
    _zos("IGQUSER", Text(12), "", "The user of such puts."),
    _zos("OTELPCTL", Word(("MANUAL", "AUTO")), "MANUAL", "How trace context is passed on."),
    _zos("OTELTRAC", Word(("OFF", "ON", "NONE")), "OFF", "Whether messages are traced with OpenTelemetry."),
    _zos("SCYCASE", Word(("UPPER", "MIXED")), "UPPER", "The case of security profiles."),
    _zos("SQQMNAME", Word(("USE", "IGNORE")), "USE", "Whether the name given with a shared queue matters."),
    _zos("SSLTASKS", _CHANNELS, 0, "How many subtasks do TLS."),
)

"""The attributes of the status commands: DISPLAY QSTATUS, CONN, CHSTATUS, QMSTATUS ...

They are computed, not stored, and have no defaults. To add one, add a line to its table: keyword, type, help.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from store.catalog import common
from store.catalog import status_rows as rows_of
from store.catalog.attribute import Attribute, shown
from store.catalog.channels import CHANNEL, CLUSTERED
from store.catalog.kind import Kind, make_kind
from store.catalog.status_channels import CHANNEL_STATUS, CLUSTER_QUEUE_MANAGER
from store.catalog.types import DATE, TIME, Flag, Hex, Items, Name, Number, Shaped, Text, Type, Word

# The types by the names that the tables use.
TYPES: Mapping[str, Type] = {
    "text": Text(1024),
    "number": common.COUNT,
    "some": Number(0, common.MOST, {"NO": 0}),
    "cap": common.CAP_EXPIRY,
    "name": Name(48),
    "date": DATE,
    "time": TIME,
    "yes": Word(("NO", "YES")),
    "level": Word(("OFF", "LOW", "MEDIUM", "HIGH")),
    # These words are only displayed, so no list of valid ones is needed.
    "list": Items(Word(()), 256),
    "subid": Hex(48),
    **{word.lower(): Flag(word, "") for word in ("CURRENT", "SAVED", "SHORT")},
}
# DISPLAY shows these only if it names them: attributes that MQ does not have, some of DISPLAY CHSTATUS, and what
# MQ shows of structures only with TYPE(BACKUP) and TYPE(SMDS).
OWN = frozenset({"EXPIRED"})
BACKUP_OF_STRUCTURE = "ACCESS BKUPDATE BKUPTIME BKUPSIZE BKUPSRBA BKUPERBA LOGS RCVDATE RCVTIME SMDS".split()
_NAMED_ONLY: Mapping[str, frozenset[str]] = {
    CHANNEL_STATUS: frozenset("KAINT MAXMSGL QMNAME SSLCIPH STATCHL XQMSGSA".split()),
    rows_of.STRUCTURE_STATUS: frozenset(BACKUP_OF_STRUCTURE),
}


def _rows(table: str) -> tuple[Attribute, ...]:
    found = []
    hidden = OWN | _NAMED_ONLY.get(table, frozenset())
    for line in table.strip().splitlines():
        keyword, type, help = line.split(None, 2)
        found.append(shown(keyword, TYPES[type], help, hidden=keyword in hidden))
    return tuple(found)


def _status(
    keyword: str,
    key: str,
    heading_id: str,
    heading: str,
    table: str,
    name_type: Type | None = None,
    more: tuple[Attribute, ...] = (),
) -> Kind:
    rows = (*_rows(table), *more)
    order = " ".join((key, *(row.keyword for row in rows if row.keyword not in key.split())))
    return make_kind(
        keyword,
        rows,
        order,
        name_type or Name(48),
        synonyms=(),
        namespace=keyword.lower(),
        heading_id=heading_id,
        heading=heading,
        key=tuple(key.split()),
    )


# DISPLAY CLUSQMGR also shows the attributes of the channel to the cluster queue manager.
_CLUSTER_CHANNEL = tuple(
    shown(row.keyword, row.type, row.help)
    for row in CHANNEL.attributes.values()
    if set(CLUSTERED) & set(row.only_for or CLUSTERED) and not row.option and row.keyword not in ("CLUSTER", "CHLTYPE")
)

_LONG_NAME = Text(10_240, varying=True)

_STATUS_KINDS = (
    _status("QSTATUS", "QUEUE TYPE", "AMQ8450I", "Display queue status details.", rows_of.QUEUE_STATUS),
    _status("CONN", "CONN EXTCONN TYPE", "AMQ8276I", "Display Connection details.", rows_of.CONNECTION,
            Shaped(r"[0-9A-Fa-f]{0,16}", "16 hexadecimal digits")),
    _status("CHSTATUS", "CHANNEL CHLTYPE", "AMQ8417I", "Display Channel Status details.", CHANNEL_STATUS, Name(20)),
    _status("CLUSQMGR", "CLUSQMGR", "AMQ8441I", "Display Cluster Queue Manager details.", CLUSTER_QUEUE_MANAGER,
            more=_CLUSTER_CHANNEL),
    _status("LSSTATUS", "LISTENER", "AMQ8631I", "Display listener status details.", rows_of.LISTENER_STATUS),
    _status("SVSTATUS", "SERVICE", "AMQ8632I", "Display service status details.", rows_of.SERVICE_STATUS),
    _status("APSTATUS", "APPLNAME", "AMQ8932I", "Display application status details.", rows_of.APPLICATION_STATUS,
            Text(48)),
    _status("PUBSUB", "QMNAME TYPE", "AMQ8723I", "Display pub/sub status details.", rows_of.PUBLISH_SUBSCRIBE_STATUS),
    _status("QMSTATUS", "QMNAME TYPE", "AMQ8705I", "Display Queue Manager Status Details.",
            rows_of.QUEUE_MANAGER_STATUS),
    _status("TPSTATUS", "TOPICSTR", "AMQ8754I", "Display topic status details.", rows_of.TOPIC_STATUS, _LONG_NAME),
    _status("SBSTATUS", "SUBID SUB", "AMQ8099I", "IBM MQ subscription status inquired.", rows_of.SUBSCRIPTION_STATUS,
            _LONG_NAME),
    _status("ENTAUTH", "OBJTYPE", "AMQ8865I", "Display entity authority details.", rows_of.ENTITY_AUTHORITY),
    _status("CHINIT", "STATUS", "MQSC0005I", "Display channel initiator details.", rows_of.CHANNEL_INITIATOR),
    _status("CFSTATUS", "CFSTATUS TYPE", "MQSC0031I", "Display CF structure status details.", rows_of.STRUCTURE_STATUS,
            Name(12)),
    _status("GROUP", "QSGNAME QMNAME", "MQSC0034I", "Display queue-sharing group details.", rows_of.GROUP),
    _status("CMDSERV", "STATUS", "MQSC0006I", "Display command server details.", rows_of.COMMAND_SERVER),
)  # fmt: skip
STATUS_KINDS: Mapping[str, Kind] = MappingProxyType({kind.keyword: kind for kind in _STATUS_KINDS})

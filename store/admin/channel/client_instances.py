"""The instances of SVRCONN channels, which are the connections of clients (channel-commands §2)."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import attrgetter

from mqsc.store.admin.channel.status import ChannelInstance, definition, owner
from mqsc.store.admin.connection_status import ADDRESS_LENGTH
from mqsc.store.constants import MQCHS
from mqsc.store.engine import closing
from mqsc.store.engine.displayed_definition import date_and_time
from mqsc.store.engine.inbound import SVRCONN
from mqsc.store.engine.recovery import recover
from mqsc.store.engine.state import CallContext, QueueManagerState
from mqsc.store.rules.names import matches
from mqsc.store.sql import connections
from mqsc.store.sql.rows import ConnectionRow
from mqsc.store.sqlite.database import Reading, Transaction

_program = attrgetter("channel", "process", "address")


def client_instances(qmgr: QueueManagerState, pattern: str) -> list[ChannelInstance]:
    """The running instances of the SVRCONN channels whose name matches, by channel and process.

    Connections of one process from one address share an instance, up to SHARECNV. Those of dead
    programs are recovered first.
    """
    if not _on_channels(qmgr, pattern):
        return []
    recover(qmgr.store)
    clients = sorted(_on_channels(qmgr, pattern), key=_program)
    return [
        instance
        for _, of_program in groupby(clients, _program)
        for instance in _of_program(qmgr, [*of_program])
    ]


def end_clients(tx: Transaction, call: CallContext, channel: str, connection_name: str = "") -> int:
    """Break the connections on a channel, or those from one address, as STOP CONN does; how
    many.
    """
    found = [
        each
        for each in connections.on_channels(tx, call.qmgr.name)
        if each.channel == channel and connection_name in ("", each.address[:ADDRESS_LENGTH])
    ]
    for each in found:
        closing.end_connection(tx, call, each.id, "broken")
    return len(found)


def _on_channels(qmgr: QueueManagerState, pattern: str) -> list[ConnectionRow]:
    found = qmgr.store.read(connections.on_channels, qmgr.name)
    return [each for each in found if matches(pattern, each.channel)]


def _of_program(
    qmgr: QueueManagerState, clients: Sequence[ConnectionRow]
) -> Iterator[ChannelInstance]:
    """The instances that a process has on a channel; none if the channel is not of this type."""
    first = clients[0]
    with Reading(qmgr.store.database) as reading:
        attributes = definition(reading, qmgr.name, first.channel)
        process = owner(reading, qmgr.store, first.process).process
    if attributes.get("CHLTYPE") != SVRCONN:
        return
    sharing = int(str(attributes["SHARECNV"]))
    most = max(1, sharing)
    for number, start in enumerate(range(0, len(clients), most), 1):
        figures = {
            "JOBNAME": f"{process:08X}{number:08X}",
            "MAXSHCNV": sharing,
            **_of_conversations(clients[start : start + most]),
        }
        yield ChannelInstance(
            first.channel, "", MQCHS.RUNNING, "", "", first.process, None, figures
        )


def _of_conversations(clients: Sequence[ConnectionRow]) -> dict[str, int | str]:
    first = clients[0]
    date, time = date_and_time(first.connected_at)
    return {
        "CHSTADA": date,
        "CHSTATI": time,
        "CONNAME": first.address[:ADDRESS_LENGTH],
        "CURSHCNV": len(clients),
        "MCAUSER": first.user,
        "RAPPLTAG": first.application[:28],
        "SUBSTATE": "RECEIVE",
    }

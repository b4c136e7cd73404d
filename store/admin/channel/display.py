"""DISPLAY CHSTATUS: the instances of channels, and how far each end has come (channel-commands §2)."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from mqsc.store.admin.channel.client_instances import client_instances
from mqsc.store.admin.channel.status import STOPS, ChannelInstance, definition, instances, owner
from mqsc.store.admin.channel.sync_records import SavedRecord, saved_records
from mqsc.store.constants import MQCHS
from mqsc.store.engine.displayed_definition import DisplayedValues
from mqsc.store.engine.inbound import SVRCONN
from mqsc.store.engine.state import QueueManagerState
from mqsc.store.rules.channel import command_refusals
from mqsc.store.rules.channel.batch_identifier import NONE as NO_BATCH
from mqsc.store.rules.monitoring import effective_level
from mqsc.store.rules.names import matches
from mqsc.store.sql import objects, queues, units_of_work
from mqsc.store.sql.rows import MessageState
from mqsc.store.sqlite.database import Reading

SENDER, RECEIVER = "sender", "receiver"
OFF = "OFF"
_NO_JOB = "0" * 16
# The thread that runs a channel is the only one of its process that other programs know of.
_THREAD = 1
# The values before a program has measured others.
_INITIAL: Mapping[str, Any] = {
    **dict.fromkeys(
        ("BATCHES", "BUFSRCVD", "BUFSSENT", "BYTSRCVD", "BYTSSENT", "MSGS", "SSLRKEYS"),
        0,
    ),
    **dict.fromkeys(("COMPRATE", "COMPTIME", "EXITTIME", "NETTIME", "XBATCHSZ", "XQTIME"), "0,0"),
    **dict.fromkeys(
        (
            "CHSTADA",
            "CHSTATI",
            "LOCLADDR",
            "LSTMSGDA",
            "LSTMSGTI",
            "RPRODUCT",
            "RQMNAME",
            "RVERSION",
        ),
        "",
    ),
    **dict.fromkeys(("SSLCERTI", "SSLCIPH", "SSLKEYDA", "SSLKEYTI", "SSLPEER", "SUBSTATE"), ""),
    "COMPHDR": ["NONE", "NONE"],
    "COMPMSG": ["NONE", "NONE"],
    "SECPROT": "NONE",
    "STATCHL": "OFF",
}
# Values of the definition, shown until the two ends have agreed.
_DEFINED = ("BATCHSZ", "CONNAME", "HBINT", "KAINT", "MAXMSGL", "NPMSPEED")
_OF_SENDERS = frozenset({"LONGRTS", "SHORTRTS", "NETTIME", "XMITQ", "XQMSGSA", "XQTIME"})
_OF_RECEIVERS = frozenset({"MCAUSER"})
_SAVED = frozenset(
    "CHANNEL CHLTYPE CONNAME CURLUWID CURMSGS CURSEQNO INDOUBT LSTLUWID LSTSEQNO RQMNAME STATUS "
    "XMITQ".split(),
)
# Of a channel that carries calls instead of messages.
_OF_CLIENTS = frozenset(
    "CHANNEL CHLTYPE CHSTADA CHSTATI COMPHDR COMPMSG COMPRATE COMPTIME CONNAME CURSHCNV EXITTIME "
    "HBINT JOBNAME KAINT LOCLADDR MAXMSGL MAXSHCNV MCASTAT MCAUSER MONCHL QMNAME RAPPLTAG RPRODUCT "
    "RVERSION SECPROT SSLCERTI SSLCIPH SSLKEYDA SSLKEYTI SSLPEER SSLRKEYS STATCHL STATUS STOPREQ "
    "SUBSTATE".split(),
)
_SHORT = frozenset("CHANNEL CHLTYPE CONNAME QMNAME RQMNAME STATUS XMITQ".split())


class _Facts(NamedTuple):
    """The facts that the rows of a queue manager show, besides the instances."""

    units: list[units_of_work.UnitInDoubt]
    records: list[SavedRecord]
    monitoring: str


def current_status(qmgr: QueueManagerState, pattern: str) -> list[DisplayedValues]:
    """CURRENT: every instance of the channels whose name matches."""
    found = [*instances(qmgr, pattern), *client_instances(qmgr, pattern)]
    facts = _facts(qmgr)
    return [
        {**_values_of(qmgr, facts, each), "CURRENT": "CURRENT"}
        for each in sorted(found, key=lambda each: each.channel)
    ]


def short_status(qmgr: QueueManagerState, pattern: str) -> list[DisplayedValues]:
    """SHORT: the same instances, with less of each."""
    return [{**_reduced(row, _SHORT), "SHORT": "SHORT"} for row in current_status(qmgr, pattern)]


def saved_status(qmgr: QueueManagerState, pattern: str) -> list[DisplayedValues]:
    """SAVED: every end of a channel that has a synchronization record."""
    running = {(each.channel, each.partner): each for each in instances(qmgr, pattern)}
    facts = _facts(qmgr)
    rows = {}
    for record in facts.records:
        key = (record.channel, "" if record.role == SENDER else record.partner)
        instance = running.get(key) or ChannelInstance(*key, MQCHS.INACTIVE, "", "", None, None, {})
        if matches(pattern, record.channel) and (
            record.state != MessageState.PUT or _unit(facts, record)
        ):
            row = _values_of(qmgr, facts, instance)
            if not row["CHLTYPE"]:
                continue
            numbers = _numbers(facts, record.channel, record.role, record.partner)
            if row["INDOUBT"] == "NO":
                numbers["CURLUWID"] = numbers["LSTLUWID"]
            elif "CURMSGS" in instance.figures:
                numbers["CURMSGS"] = instance.figures["CURMSGS"]
            saved = _reduced({**row, **numbers, "RQMNAME": record.partner}, _SAVED)
            rows[record.channel, record.role, record.partner] = {**saved, "SAVED": "SAVED"}
    return [rows[key] for key in sorted(rows)]


def _facts(qmgr: QueueManagerState) -> _Facts:
    with Reading(qmgr.store.database) as reading:
        return _Facts(
            units_of_work.in_doubt(reading, qmgr.name),
            saved_records(reading, qmgr.name),
            str(objects.attribute(reading, qmgr.name, "qmgr", qmgr.name, "MONCHL") or OFF),
        )


def _values_of(
    qmgr: QueueManagerState, facts: _Facts, instance: ChannelInstance
) -> DisplayedValues:
    """Every value of an instance that its type has."""
    with Reading(qmgr.store.database) as reading:
        attributes = definition(reading, qmgr.name, instance.channel)
        queue = queues.by_name(reading, qmgr.name, str(attributes.get("XMITQ", "")))
        process = (
            None
            if instance.process is None
            else owner(reading, qmgr.store, instance.process).process
        )
    sends = attributes.get("CHLTYPE") in command_refusals.SENDING
    in_doubt = sends and any(unit.name == instance.channel for unit in facts.units)
    figures = instance.figures
    partner = str(figures.get("RQMNAME", "")) or instance.partner
    values = {
        **_INITIAL,
        **{word: attributes[word] for word in _DEFINED if word in attributes},
        "LONGRTS": attributes.get("LONGRTY", 0),
        "SHORTRTS": attributes.get("SHORTRTY", 0),
        **_numbers(facts, instance.channel, SENDER if sends else RECEIVER, partner),
        **figures,
        **_program(instance, process),
        "CHANNEL": instance.channel,
        "CHLTYPE": attributes.get("CHLTYPE", ""),
        "INDOUBT": "YES" if in_doubt else "NO",
        "MCAUSER": figures.get("MCAUSER") or attributes.get("MCAUSER", ""),
        "MONCHL": effective_level(str(attributes.get("MONCHL", OFF)), facts.monitoring),
        "QMNAME": qmgr.name,
        "RQMNAME": figures.get("RQMNAME", ""),
        "STATUS": instance.status.name,
        "STOPREQ": "YES" if instance.requested in STOPS else "NO",
        "XMITQ": attributes.get("XMITQ", ""),
        "XQMSGSA": 0 if queue is None else queue.depth,
    }
    if values["CHLTYPE"] == SVRCONN:
        return _reduced(values, _OF_CLIENTS)
    return _reduced(values, frozenset(values) - (_OF_RECEIVERS if sends else _OF_SENDERS))


def _program(instance: ChannelInstance, process: int | None) -> DisplayedValues:
    """The values about the program that runs the instance."""
    if process is None:
        return {"JOBNAME": _NO_JOB, "MCASTAT": "NOT RUNNING", "SUBSTATE": ""}
    job = instance.figures.get("JOBNAME") or f"{process:08X}{_THREAD:08X}"
    substate = (
        instance.figures.get("SUBSTATE", "") if instance.status in command_refusals.ACTIVE else ""
    )
    return {"JOBNAME": job, "MCASTAT": "RUNNING", "SUBSTATE": substate}


def _numbers(facts: _Facts, channel: str, role: str, partner: str) -> DisplayedValues:
    """The last committed batch of an end, and the one in doubt, from the synchronization records.

    A blank `partner` is any: before a sender has reached its partner, its last record counts.
    """
    own = [each for each in facts.records if (each.channel, each.role) == (channel, role)]
    own = [each for each in own if partner in ("", each.partner)]
    last = next((each for each in reversed(own) if each.state != MessageState.PUT), None)
    luwid, sequence = (last.luwid or NO_BATCH, last.sequence) if last is not None else (NO_BATCH, 0)
    numbers = {
        "LSTLUWID": luwid,
        "LSTSEQNO": sequence,
        "CURLUWID": NO_BATCH,
        "CURSEQNO": sequence,
        "CURMSGS": 0,
    }
    for record in own:
        unit = _unit(facts, record)
        if unit is not None and record.state == MessageState.PUT:
            # The unit also got the record that this one replaces.
            gone = unit.gets - (last is not None)
            numbers.update({"CURLUWID": record.luwid, "CURSEQNO": record.sequence, "CURMSGS": gone})
    return numbers


def _unit(facts: _Facts, record: SavedRecord) -> units_of_work.UnitInDoubt | None:
    """The unit in doubt that has put the record."""
    wanted = (record.channel, record.luwid)
    return next(
        (
            unit
            for unit in facts.units
            if record.role == SENDER and (unit.name, unit.luwid) == wanted
        ),
        None,
    )


def _reduced(row: DisplayedValues, words: frozenset[str]) -> DisplayedValues:
    return {word: value for word, value in row.items() if word in words}

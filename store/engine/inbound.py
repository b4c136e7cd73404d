"""Connections on channels: which channel authentication record decides, and the record of a
block (authority §6).
"""

from typing import Any

from mqsc.store.catalog import KINDS
from mqsc.store.constants import MQAT, MQRC, MQRQ
from mqsc.store.engine import authorization, queue_events
from mqsc.store.engine.definitions import complete, plain_name
from mqsc.store.engine.delivery import deliver
from mqsc.store.engine.history import record_event
from mqsc.store.engine.state import CallContext, StoreState
from mqsc.store.rules.authorization import ENFORCE, OFF, WARN
from mqsc.store.rules.channel_auth import DISABLED, ChannelVerdict, ConnectingClient, Record, judged
from mqsc.store.sql import objects
from mqsc.store.sql.rows import ManagerRow
from mqsc.store.sqlite.database import Transaction
from mqsc.store.sqlite.queries import Queries

CHLAUTH, CHANNEL = KINDS["CHLAUTH"], KINDS["CHANNEL"]
# CHLTYPE of the channels of clients.
SVRCONN = "SVRCONN"
_QUALIFIERS = {
    "BLOCKADDR": MQRQ.CHANNEL_BLOCKED_ADDRESS,
    "BLOCKUSER": MQRQ.CHANNEL_BLOCKED_USERID,
    "NOACCESS": MQRQ.CHANNEL_BLOCKED_NOACCESS,
}
# The messages about a block, and the reason that a client gets.
MESSAGES = {"BLOCKADDR": "AMQ9777E", "BLOCKUSER": "AMQ9776E", "NOACCESS": "AMQ9777E"}
REASONS = {"BLOCKADDR": int(MQRC.Q_MGR_NOT_AVAILABLE)}


def records_of(tx: Queries, qmgr: str) -> list[Record]:
    """The channel authentication records of a queue manager."""
    rows = objects.page(tx, qmgr, CHLAUTH.namespace, "", "", "", 1_000_000)
    return [{**complete(CHLAUTH, row.attributes), "CHLAUTH": plain_name(row.name)} for row in rows]


def definition_of(tx: Queries, qmgr: str, channel: str) -> dict[str, Any]:
    """The attributes of a channel that is not a client connection; none if there is no such
    channel.
    """
    row = objects.by_name(tx, qmgr, CHANNEL.namespace, channel)
    return {} if row is None else {**complete(CHANNEL, row.attributes)}


def asking(
    tx: Queries,
    store: StoreState,
    qmgr: ManagerRow,
    client: ConnectingClient,
) -> ConnectingClient:
    """A connection with what the queue manager knows: who is an administrator, and whether
    CHLAUTH only warns.
    """
    return client._replace(
        only_warned=queue_events.switch(tx, qmgr.name, "CHLAUTH") == "WARN",
        is_administrator=lambda user: (
            authorization.identity_of(tx, store, qmgr, user).is_administrator
        ),
    )


def verdict(
    tx: Queries,
    store: StoreState,
    qmgr: ManagerRow,
    client: ConnectingClient,
) -> ChannelVerdict | None:
    """What becomes of a connection on a channel; None while channel authentication records are not
    in force.

    In mode warn nothing is refused and no user is mapped.
    """
    mode = authorization.known(tx, store, qmgr).mode
    if mode not in (ENFORCE, OFF, WARN):
        return None
    records = (
        []
        if queue_events.switch(tx, qmgr.name, "CHLAUTH") == DISABLED
        else records_of(tx, qmgr.name)
    )
    found = judged(records, asking(tx, store, qmgr, client))
    return found.warning(client.own_user) if mode == WARN else found


def record(
    tx: Transaction,
    call: CallContext,
    client: ConnectingClient,
    verdict: ChannelVerdict,
) -> None:
    """Record a connection that was blocked, or would have been if the records did not only warn."""
    for blocking_record in (
        *verdict.warned,
        *([verdict.record] if verdict.refused and verdict.record else []),
    ):
        refused = bool(verdict.refused) and blocking_record is verdict.record
        kind = (
            str(blocking_record["TYPE"]) if blocking_record["TYPE"] in _QUALIFIERS else "NOACCESS"
        )
        detail = {
            "channel": client.channel,
            "address": client.address,
            "message": MESSAGES[kind],
            "record": f"CHLAUTH({blocking_record['CHLAUTH']}) TYPE({blocking_record['TYPE']})",
        }
        cause, reason = "channel" if refused else "would-block", int(MQRC.NOT_AUTHORIZED)
        record_event(
            tx, call, "REFUSE", cause=cause, reason=reason, user=verdict.user, detail=detail
        )
        if queue_events.switch(tx, call.qmgr.name, "CHLEV") != DISABLED:
            reason = int(MQRC.CHANNEL_BLOCKED if refused else MQRC.CHANNEL_BLOCKED_WARNING)
            deliver(
                tx,
                call,
                queue_events.event(
                    tx,
                    call,
                    reason,
                    _facts(call, client, verdict, kind),
                    client.channel,
                ),
            )


def _facts(
    call: CallContext,
    client: ConnectingClient,
    verdict: ChannelVerdict,
    kind: str,
) -> dict[str, int | str]:
    facts: dict[str, int | str] = {
        "QMgrName": call.qmgr.name,
        "ReasonQualifier": int(_QUALIFIERS[kind]),
        "ConnectionName": client.address,
    }
    if kind != "BLOCKADDR":
        facts["ChannelName"] = client.channel
    if kind == "BLOCKUSER":
        facts["UserIdentifier"] = verdict.user
    if client.is_message_channel:
        return {**facts, "RemoteQMgrName": client.queue_manager}
    asserted = {"ClientUserIdentifier": client.user} if client.user else {}
    return {**facts, **asserted, "ApplType": int(MQAT.UNIX), "ApplName": call.application}

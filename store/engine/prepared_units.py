"""Units of work in doubt: prepared by one connection, and resolved later by any other
(poison-and-channels §2).

A prepared unit keeps its number but is no longer among the units of its connection
(`units_of_work.of_connection`), so the end of the connection, a restart and recovery do not touch
it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from msgspec.structs import asdict

from mqsc.store.constants import MQRC
from mqsc.store.engine import message_outcomes
from mqsc.store.engine.message_outcomes import MessageOutcome
from mqsc.store.engine.queue_removal import delete_dynamic
from mqsc.store.engine.state import CallContext
from mqsc.store.engine.units import back_out, commit_unit
from mqsc.store.error import refuse_if, required
from mqsc.store.sql import managers, queues, units_of_work
from mqsc.store.sql.rows import PreparedUnitRow
from mqsc.store.sqlite.database import Transaction

Outcomes = Sequence[tuple[int, MessageOutcome]]


def prepare(
    tx: Transaction,
    call: CallContext,
    unit: int,
    name: str,
    luwid: str,
    outcomes: Outcomes,
    *,
    recorded: bool,
) -> bool:
    """Keep `unit` under a name and an identifier until it is resolved; MQError 2100 if there is one
    already.

    A unit that holds no message is committed: False, and there is nothing to resolve.
    """
    refuse_if(
        units_of_work.prepared(tx, call.qmgr.name, name, luwid) is not None,
        MQRC.OBJECT_ALREADY_EXISTS,
        name,
    )
    if not units_of_work.shares(tx, unit):
        commit_unit(tx, call, unit, recorded=recorded, on_shared=False)
        return False
    text = json.dumps([[id, asdict(outcome)] for id, outcome in outcomes]) if outcomes else ""
    units_of_work.add_prepared(
        tx,
        PreparedUnitRow(
            unit,
            call.qmgr.name,
            name,
            luwid,
            call.now,
            call.application,
            call.user,
            int(recorded),
            text,
        ),
    )
    return True


def resolve_prepared(
    tx: Transaction,
    call: CallContext,
    name: str,
    luwid: str,
    *,
    commit: bool,
) -> int:
    """Commit or back out a unit in doubt; its number. MQError 2255 when there is none.

    In a queue-sharing group any member resolves a unit of another (sharing §6).
    """
    prepared = units_of_work.prepared(tx, call.qmgr.name, name, luwid) or _of_other_member(
        tx,
        call,
        name,
        luwid,
    )
    prepared = required(prepared, MQRC.UOW_NOT_AVAILABLE, name)
    unit = prepared.number
    units_of_work.remove_prepared(tx, unit)
    shares = units_of_work.shares(tx, unit)
    if commit:
        texts = json.loads(prepared.outcomes or "[]")
        message_outcomes.account_for_some(
            tx,
            call,
            unit,
            [(id, MessageOutcome(**columns)) for id, columns in texts],
        )
        commit_unit(
            tx,
            call,
            unit,
            recorded=bool(prepared.recorded),
            on_shared=bool(call.qmgr.sharing_group),
            retains=True,
        )
    else:
        back_out(tx, call, unit, "resolved")
    for share in shares:
        # A dynamic queue may have been closed while the unit in doubt held messages of it.
        queue = queues.by_id(tx, share.queue, call.qmgr.name)
        if queue is not None and queue.logically_deleted:
            delete_dynamic(tx, call, queue)
    return unit


def _of_other_member(
    tx: Transaction,
    call: CallContext,
    name: str,
    luwid: str,
) -> PreparedUnitRow | None:
    group = call.qmgr.sharing_group
    others = managers.members(tx, group) if group else []
    found = (units_of_work.prepared(tx, each.name, name, luwid) for each in others)
    return next((each for each in found if each is not None), None)

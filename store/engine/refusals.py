"""What a check leaves behind: a refusal in the history, and event messages as AUTHOREV and
AUTHEVSC say.
"""

from collections.abc import Mapping
from typing import Any

from mqsc.store.constants import MQRC, MQRCCF, MQRQ
from mqsc.store.engine import queue_events
from mqsc.store.engine.authorization import event, identity_of, known
from mqsc.store.engine.delivery import deliver
from mqsc.store.engine.state import CallContext, StoreState
from mqsc.store.environment import MICROSECONDS
from mqsc.store.rules.authorization import ENFORCE
from mqsc.store.rules.event_message import (
    EVENTS,
    QUEUE_MANAGER,
    EventPart,
    call_facts,
    parameters_of,
)
from mqsc.store.rules.refused_attempt import Attempt, Refusal
from mqsc.store.sql import history
from mqsc.store.sqlite.database import Transaction

NOT_AUTHORIZED = int(MQRC.NOT_AUTHORIZED)
# Equal refusals within this time after the first are counted, not written one by one.
REPEATED_WITHIN = 10 * MICROSECONDS
_QUALIFIERS = {
    "MQCONN": MQRQ.CONN_NOT_AUTHORIZED,
    "MQOPEN": MQRQ.OPEN_NOT_AUTHORIZED,
    "MQPUT1": MQRQ.OPEN_NOT_AUTHORIZED,
    "MQCLOSE": MQRQ.CLOSE_NOT_AUTHORIZED,
    "MQSUB": MQRQ.SUB_NOT_AUTHORIZED,
}
# Successful checks that cause events, with the values of AUTHEVSC.
_SUCCEEDED: Mapping[str, tuple[tuple[str, ...], MQRQ]] = {
    "MQCONN": (("ALLCONNS", "ALLCHECKS"), MQRQ.CONN_AUTHORIZED),
    **dict.fromkeys(("MQOPEN", "MQPUT1"), (("ALLCHECKS",), MQRQ.OPEN_AUTHORIZED)),
}
# In an event about MQCLOSE the name of the queue comes first.
_OF_CLOSE = (
    "QMgrName ReasonQualifier QName UserIdentifier ApplType ApplName ConnectionName ChannelName"
).split()


def record(tx: Transaction, store: StoreState, call: CallContext, refusal: Refusal) -> None:
    """Record a refusal, and put the event message about it."""
    cause = "command" if refusal.attempt.call not in _QUALIFIERS else "authority"
    refusal_event = event(call, refusal, cause)
    key = (call.qmgr.name, refusal.user, call.application, refusal.attempt.object, refusal.missing)
    kept = store.refusals
    over = {
        each: kept[each] for each in kept if not 0 <= call.now - kept[each][0] < REPEATED_WITHIN
    }
    _write(tx, over)
    store.refusals = {each: kept[each] for each in kept if each not in over}
    if key in store.refusals:
        since, count, _ = store.refusals[key]
        store.refusals[key] = since, count + 1, refusal_event
    else:
        store.refusals[key] = call.now, 0, refusal_event
        history.append(tx, refusal_event)
    if queue_events.switch(tx, call.qmgr.name, "AUTHOREV") == "ENABLED":
        qualifier = _QUALIFIERS.get(refusal.attempt.call, MQRQ.CMD_NOT_AUTHORIZED)
        facts = _facts(call, refusal.attempt, refusal.user, qualifier)
        put_event(tx, call, facts, closing=refusal.attempt.call == "MQCLOSE")


def succeeded(tx: Transaction, store: StoreState, call: CallContext, attempt: Attempt) -> None:
    """Put the event message about a successful check, as AUTHOREV and AUTHEVSC say; none about
    administrators.
    """
    scopes, qualifier = _SUCCEEDED.get(attempt.call, ((), MQRQ.CONN_AUTHORIZED))
    if (
        known(tx, store, call.qmgr).mode != ENFORCE
        or queue_events.switch(tx, call.qmgr.name, "AUTHEVSC") not in scopes
    ):
        return
    is_on = queue_events.switch(tx, call.qmgr.name, "AUTHOREV") == "ENABLED"
    if is_on and not identity_of(tx, store, call.qmgr, attempt.user).is_administrator:
        put_event(
            tx,
            call,
            _facts(call, attempt, attempt.user, qualifier),
            reason=int(MQRCCF.AUTHORIZED),
        )


def flush(tx: Transaction, store: StoreState) -> None:
    """Record the refusals that were only counted so far."""
    counted, store.refusals = store.refusals, {}
    _write(tx, counted)


def _write(
    tx: Transaction,
    counted: Mapping[tuple[Any, ...], tuple[int, int, dict[str, Any]]],
) -> None:
    rows = [
        {**row, "detail": {**row["detail"], "repeated": count}}
        for _, count, row in counted.values()
        if count
    ]
    history.append_all(tx, rows)


def put_event(
    tx: Transaction,
    call: CallContext,
    facts: dict[str, Any],
    *,
    closing: bool = False,
    reason: int = NOT_AUTHORIZED,
) -> None:
    """Put an event message NOT_AUTHORIZED, or with another reason, with these facts."""
    order = _OF_CLOSE if closing else EVENTS[NOT_AUTHORIZED].parameters
    part = EventPart(QUEUE_MANAGER, reason, parameters_of(order, facts))
    deliver(tx, call, queue_events.message(tx, call, part, call.qmgr.name))


def _facts(call: CallContext, attempt: Attempt, user: str, qualifier: MQRQ) -> dict[str, int | str]:
    facts: dict[str, int | str] = {"ReasonQualifier": int(qualifier), "UserIdentifier": user}
    if qualifier == MQRQ.CMD_NOT_AUTHORIZED:
        return {"QMgrName": call.qmgr.name, **facts, "Command": attempt.options}
    if qualifier in (MQRQ.OPEN_NOT_AUTHORIZED, MQRQ.OPEN_AUTHORIZED):
        facts["Options"] = attempt.options
    kind = attempt.wanted[0].type
    if attempt.call != "MQCONN" and kind in ("QUEUE", "PROCESS"):
        facts["QName" if kind == "QUEUE" else "ProcessName"] = attempt.object
    client = {
        "ConnectionName": attempt.facts.get("address"),
        "ChannelName": attempt.facts.get("channel"),
    }
    facts |= {name: str(value) for name, value in client.items() if value}
    return {**call_facts(call.qmgr.name, call.application, attempt.queue_manager), **facts}

"""The outcomes of messages that an agent took off a queue, as events of the history."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from mqsc.store.engine.history import message_event
from mqsc.store.engine.state import CallContext
from mqsc.store.sql import history, messages, queues, units_of_work
from mqsc.store.sql.rows import StoredMessage
from mqsc.store.sqlite.database import Transaction


def account_for(tx: Transaction, call: CallContext, unit: int, outcome: MessageOutcome) -> None:
    """Record the outcome of every message that `unit` got."""
    for message in units_of_work.got(tx, unit):
        _account_for(tx, call, unit, message, outcome)


def account_for_some(
    tx: Transaction,
    call: CallContext,
    unit: int,
    outcomes: Sequence[tuple[int, MessageOutcome]],
) -> None:
    """Record the outcomes of single messages that `unit` got, by their numbers."""
    for id, outcome in outcomes:
        message = messages.by_id(tx, id)
        # A message may have been deleted with its dynamic queue, and its number used again.
        if message is not None and message.unit == unit:
            _account_for(tx, call, unit, message, outcome)


def _account_for(
    tx: Transaction,
    call: CallContext,
    unit: int,
    message: StoredMessage,
    outcome: MessageOutcome,
) -> None:
    name, owner = queues.name_and_owner(tx, message.queue)
    event = message_event(
        call,
        outcome.kind,
        name,
        message,
        cause=outcome.cause,
        detail=outcome.detail,
        owner=owner,
    )
    history.append(
        tx,
        event._replace(unit=unit, target=outcome.target, reason=outcome.reason, rule=outcome.rule),
    )


class MessageOutcome(Struct, frozen=True):
    """`kind` and `cause` are those of `store.published`, `target` is the queue that the message
    went to.

    `reason` is the reason in its dead-letter header, `rule` the rule that decided, `detail` the
    keys documented for the kind.
    """

    kind: str
    cause: str
    target: str | None = None
    reason: int | None = None
    rule: str | None = None
    detail: Mapping[str, Any] | None = None

"""The reports that a message channel agent sends about messages that it cannot deliver (channels Ch4)."""

from __future__ import annotations

from store.engine.deliver import deliver
from store.engine.report_messages import report_exception, report_expired_on_the_way
from store.message import Message
from store.mqi.revalidate import transaction
from store.mqi.state import ConnectionState
from store.rules.report_message import EXPIRATION


def put_exception_report(
    connection: ConnectionState, queue: str, message: Message, reason: int, *, syncpoint: bool
) -> None:
    """Send the exception report with `reason` as its Feedback about a message for `queue`.

    With `syncpoint` it belongs to the unit of work.
    """
    _put(connection, queue, message, reason, syncpoint=syncpoint)


def put_expiration_report(connection: ConnectionState, queue: str, message: Message, *, syncpoint: bool) -> bool:
    """Send the expiration report about a message for `queue`, if it asked for one; whether it did."""
    descriptor = message.descriptor
    if not EXPIRATION.is_requested(descriptor.report) or not descriptor.reply_to_q:
        return False
    _put(connection, queue, message, EXPIRATION.feedback, syncpoint=syncpoint)
    return True


def _put(connection: ConnectionState, queue: str, message: Message, feedback: int, *, syncpoint: bool) -> None:
    persistent = message.descriptor.persistence == 1
    with transaction(connection, durable=persistent and not syncpoint) as (tx, call):
        unit = connection.unit.begin() if syncpoint else None
        if feedback == EXPIRATION.feedback:
            effect = report_expired_on_the_way(call, queue, message, unit)
        else:
            effect = report_exception(call, queue, message, feedback, unit)
        deliver(tx, call, [effect])
        if syncpoint:
            # It is not counted: MAXUMSGS limits the batch, and a report must not make one fail.
            work = connection.unit
            work.durable, work.recorded = work.durable or persistent, True

"""Refusals of connections, recorded and put as event messages."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from msgspec.structs import replace

from mqsc.store.catalog import KINDS
from mqsc.store.constants import MQRC, MQRQ
from mqsc.store.engine import queue_events, refusals
from mqsc.store.engine.history import record_event
from mqsc.store.engine.state import CallContext, QueueManagerState
from mqsc.store.rules.channel_auth import Record
from mqsc.store.rules.event_message import call_facts
from mqsc.store.sqlite.database import Transaction


@contextmanager
def refusing(
    qmgr: QueueManagerState,
    application: str,
    user: str,
) -> Iterator[tuple[Transaction, CallContext]]:
    """A transaction that records a refusal of the program."""
    with Transaction(qmgr.store.database, durable=True) as tx:
        yield tx, replace(qmgr.call_context(tx), application=application, user=user)


QUEUE_MANAGER, AUTHINFO = KINDS["QMGR"], KINDS["AUTHINFO"]


def refuse_connection(
    qmgr: QueueManagerState,
    application: str,
    user: str,
    record: Record | None = None,
) -> None:
    """Record that a connection was refused, and put the event message if AUTHOREV is enabled.

    `record` is the channel authentication record that asked for the password, None for CONNAUTH.
    """
    with refusing(qmgr, application, user) as (tx, call):
        detail = (
            None
            if record is None
            else {"record": f"CHLAUTH({record['CHLAUTH']}) TYPE({record['TYPE']})"}
        )
        record_event(
            tx,
            call,
            "REFUSE",
            cause="password",
            reason=int(MQRC.NOT_AUTHORIZED),
            detail=detail,
        )
        if queue_events.switch(tx, qmgr.name, "AUTHOREV") == "ENABLED":
            qualifier = int(MQRQ.CSP_NOT_AUTHORIZED)
            about: dict[str, int | str] = {"ReasonQualifier": qualifier, "UserIdentifier": user}
            refusals.put_event(tx, call, {**call_facts(qmgr.name, application), **about})

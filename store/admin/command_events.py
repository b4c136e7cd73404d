"""Command events: the event messages about commands that succeeded (events §6)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from mqsc.store.catalog import KINDS
from mqsc.store.constants import MQRC
from mqsc.store.engine import delivery, queue_events
from mqsc.store.engine.state import Command, QueueManagerState
from mqsc.store.headers.pcf import Parameter
from mqsc.store.rules import object_events
from mqsc.store.rules.event_message import COMMAND, EventPart
from mqsc.store.sql import managers

AnyQueueManager = TypeVar("AnyQueueManager", bound=QueueManagerState)
_COLUMN = KINDS["QMGR"].attributes["CMDEV"].column
assert _COLUMN is not None
# The words of CMDEV by the number in its column.
_WORDS = {number: word for word, number in _COLUMN.numbers.items()}


def for_one_command(qmgr: AnyQueueManager) -> AnyQueueManager:
    """The queue manager as the next command uses it: all event messages about that command carry
    one id.
    """
    performing = type(qmgr)(qmgr.store, qmgr.name)
    performing.issuer = qmgr.issuer
    performing.command = Command(qmgr.issuer)
    return performing


def command_event_setting(qmgr: QueueManagerState, *, now: bool = False) -> str:
    """CMDEV as the command found it, or its value now: DISABLED, ENABLED, or NODISPLAY."""
    seen = None if now or qmgr.command is None else qmgr.command.event_setting
    if seen is None:
        row = qmgr.store.read(managers.by_name, qmgr.name)
        seen = 0 if row is None else row.command_event
    return _WORDS[seen]


def raise_command_event(qmgr: QueueManagerState, command: int, data: Sequence[Parameter]) -> None:
    """Put the event about a command; `data` are its parameters in PCF."""
    with qmgr.transaction() as (tx, call):
        issuer = qmgr.issuer
        cause = object_events.cause_parameters(
            call.user, object_events.CONSOLE, call.qmgr.name, issuer
        )
        parameters = object_events.command_parameters(cause, command, data)
        reason = int(MQRC.COMMAND_MQSC if issuer is None else MQRC.COMMAND_PCF)
        part = EventPart(COMMAND, reason, parameters, (call.command or Command()).identified(call))
        delivery.deliver(tx, call, queue_events.message(tx, call, part, call.qmgr.name))

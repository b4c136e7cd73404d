"""Command events: the event messages about commands that succeeded (events §6)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from store.catalog import KINDS
from store.constants import MQRC
from store.engine import event_messages
from store.engine.call_context import Command
from store.engine.deliver import deliver
from store.engine.state import QueueManagerState
from store.headers.pcf import Parameter
from store.rules import configuration_event as rules
from store.rules.event_message import COMMAND, EventPart
from store.sql import managers
from store.sqlite.database import Reading

AnyQueueManager = TypeVar("AnyQueueManager", bound=QueueManagerState)
_COLUMN = KINDS["QMGR"].attributes["CMDEV"].column
assert _COLUMN is not None
# The words of CMDEV by the number in its column.
_WORDS = {number: word for word, number in _COLUMN.numbers.items()}


def for_one_command(qmgr: AnyQueueManager) -> AnyQueueManager:
    """The queue manager as the next command uses it: all event messages about that command carry one id."""
    performing = type(qmgr)(qmgr.store, qmgr.name)
    performing.issuer = qmgr.issuer
    performing.command = Command(qmgr.issuer)
    return performing


def command_event_setting(qmgr: QueueManagerState) -> str:
    """CMDEV as the command found it: DISABLED, ENABLED, or NODISPLAY."""
    seen = None if qmgr.command is None else qmgr.command.event_setting
    return _WORDS[_current_setting(qmgr) if seen is None else seen]


def current_command_event_setting(qmgr: QueueManagerState) -> str:
    """CMDEV as it is now."""
    return _WORDS[_current_setting(qmgr)]


def _current_setting(qmgr: QueueManagerState) -> int:
    with Reading(qmgr.store.database) as reading:
        row = managers.by_name(reading, qmgr.name)
    return 0 if row is None else row.command_event


def raise_command_event(qmgr: QueueManagerState, command: int, data: Sequence[Parameter]) -> None:
    """Put the event about a command; `data` are its parameters in PCF."""
    with qmgr.transaction() as (tx, call):
        issuer = qmgr.issuer
        cause = rules.cause_parameters(call.user, rules.CONSOLE, call.qmgr.name, issuer)
        parameters = rules.command_parameters(cause, command, data)
        reason = int(MQRC.COMMAND_MQSC if issuer is None else MQRC.COMMAND_PCF)
        part = EventPart(COMMAND, reason, parameters, (call.command or Command()).identified(call))
        deliver(tx, call, event_messages.message(tx, call, part, call.qmgr.name))

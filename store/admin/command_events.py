"""Command events: the event messages about commands that succeeded (events §6)."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import TypeVar

from store.constants import MQRC
from store.engine import event_messages
from store.engine.deliver import deliver
from store.engine.state import QueueManagerState
from store.headers.pcf import Parameter
from store.rules import configuration_event as rules
from store.rules.event_message import COMMAND
from store.sqlite.database import Reading, Transaction

AnyQueueManager = TypeVar("AnyQueueManager", bound=QueueManagerState)


def command_event_setting(qmgr: QueueManagerState) -> str:
    """CMDEV: DISABLED, ENABLED, or NODISPLAY."""
    with Reading(qmgr.store.database) as reading:
        return event_messages.switch(reading, qmgr.name, "CMDEV")


def for_one_command(qmgr: AnyQueueManager) -> AnyQueueManager:
    """The queue manager, with an id that all event messages about the next command carry."""
    with Reading(qmgr.store.database) as reading:
        identifier = qmgr.call_context(reading, running=False).new_identifier()
    identified = copy(qmgr)
    identified.command_id = identifier
    return identified


def raise_command_event(qmgr: QueueManagerState, command: int, data: Sequence[Parameter]) -> None:
    """Put the event about a command of MQSC; `data` are its parameters in PCF."""
    with Transaction(qmgr.store.database, durable=False) as tx:
        call = qmgr.call_context(tx)
        cause = rules.cause_parameters(call.user, rules.CONSOLE, call.qmgr.name)
        parameters = rules.command_parameters(cause, command, data)
        reason = int(MQRC.COMMAND_MQSC)
        deliver(
            tx,
            call,
            event_messages.message(
                tx, call, COMMAND, reason, parameters, call.qmgr.name, correl_id=call.command_id or bytes(24)
            ),
        )

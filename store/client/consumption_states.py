"""The states of the functions of a connection: ASTATE of DISPLAY CONN and DISPLAY QSTATUS.

They are in the store, because other programs ask for them.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from mqsc.store.error import MQError, StoreError
from mqsc.store.mqi.state import ConnectionState
from mqsc.store.sql import connections
from mqsc.store.sqlite.database import Transaction

# The place of the connection itself among its handles.
CONNECTION = 0


class ConsumptionStates:
    """The states that are in the store, by the numbers of the handles; others are blank."""

    def __init__(self, connection: ConnectionState) -> None:
        self._connection = connection
        self._stored: dict[int, str] = {}

    def show(self, states: Mapping[int, str]) -> None:
        """Store the states that have changed; one that cannot be stored now is stored the next
        time.
        """
        changed = {
            number: states.get(number, "")
            for number in {**self._stored, **states}
            if states.get(number, "") != self._stored.get(number, "")
        }
        if not changed:
            return
        with (
            suppress(MQError, StoreError),
            Transaction(self._connection.store.database, durable=False) as tx,
        ):
            connections.set_consumption(
                tx,
                self._connection.number,
                changed.pop(CONNECTION, None),
                changed,
            )
            self._stored = dict(states)

"""Units of work."""

from __future__ import annotations

from contextlib import suppress
from typing import Self

from mqsc.interface import errors
from mqsc.interface.connected import Connected
from mqsc.store.constants import MQRC


class Unit:
    """A unit of work: committed at the end of its block, backed out by an exception.

    >>> with qmgr.unit() as unit, qmgr.queue("ORDERS") as orders:
    ...     _ = orders.put("one espresso machine")
    ...     unit.back()
    ...     orders.depth()
    0
    """

    __module__ = "mqsc"

    def __init__(self, connected: Connected) -> None:
        self._connected = connected

    def __enter__(self) -> Self:
        connected = self._connected
        if connected.is_in_unit or connected.connection.unit.is_open:
            raise errors.UnitInProgress(MQRC.UOW_IN_PROGRESS)
        connected.is_in_unit = True
        return self

    def commit(self) -> None:
        """Commit what was done up to here; what follows is another unit of work.

        >>> with qmgr.unit() as unit:
        ...     unit.commit()
        """
        with self._connected.failures:
            self._connected.connection.commit()

    def back(self) -> None:
        """Back out what was done up to here; what follows is another unit of work.

        >>> with qmgr.unit() as unit:
        ...     unit.back()
        """
        with self._connected.failures:
            self._connected.connection.back()

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._connected.is_in_unit = False
        if kind is None:
            self.commit()
            return
        # The other exception tells more than a connection that is broken, which backs out by
        # itself.
        with suppress(errors.NotConnected):
            self.back()

    def __repr__(self) -> str:
        return f"<mqsc.Unit of {self._connected!r}>"

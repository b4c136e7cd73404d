"""Units of work of tasks."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Self

from anyio.lowlevel import checkpoint

from mqsc.interface import errors
from mqsc.interface.asynchronous_object import Owner
from mqsc.interface.asynchronous_wait import noticed
from mqsc.interface.session import Session
from mqsc.interface.unit import Unit
from mqsc.store.constants import MQRC


class AsyncUnit:
    """A unit of work: committed at the end of its block, backed out by an exception, also that of
    cancelling.

    >>> async def main():
    ...     async with mqsc.aconnect("shop.db") as qmgr, qmgr.queue("ORDERS") as orders:
    ...         async with qmgr.unit() as unit:
    ...             await orders.put("one espresso machine")
    ...             await unit.back()
    ...         return await orders.depth()
    >>> asyncio.run(main())
    0
    """

    __module__ = "mqsc"

    def __init__(self, owner: Owner, session: Session | None = None) -> None:
        self._owner = owner
        # That of the unit while it is open.
        self._session: Session | None = None
        self._callers_session = session
        self._is_in_block = False
        self._is_handed_over = False

    async def __aenter__(self) -> Self:
        await checkpoint()
        if self._owner._current() is not self._owner._session or self._is_in_block:
            raise errors.UnitInProgress(MQRC.UOW_IN_PROGRESS)
        if self._session is None:
            self._session = self._callers_session or self._owner._take()
            self._unit = Unit(self._session._connected)
            self._unit.__enter__()
        elif not self._session.connection.is_connected:
            raise errors.NotConnected(MQRC.HCONN_ERROR)
        self._is_in_block = True
        self._is_handed_over = False
        _entered.set((self, *_entered.get()))
        return self

    def hand_over(self) -> None:
        """Leave the unit open at the end of this block, for another task that goes on with it:
        `async with unit`.

        An exception in the block backs it out all the same; a unit with which no task goes on is
        backed out at the end of the session. ValueError outside of the block.

        >>> async def main():
        ...     async with mqsc.aconnect("shop.db") as qmgr, qmgr.queue("ORDERS") as orders:
        ...         await orders.put("one espresso machine")
        ...         async with qmgr.unit() as unit:
        ...             message = await orders.get()
        ...             unit.hand_over()
        ...         await asyncio.create_task(bill(orders, message, unit))
        >>> async def bill(orders, message, unit):
        ...     async with unit:
        ...         await orders.put(f"billed: {message.text}")
        >>> asyncio.run(main())
        """
        if not self._is_in_block or self._callers_session is not None:
            raise ValueError("only a unit of work that the program has begun can be handed over")
        self._is_handed_over = True

    async def commit(self) -> None:
        """Commit what was done up to here; what follows is another unit of work.

        >>> async def main():
        ...     async with mqsc.aconnect("shop.db") as qmgr, qmgr.unit() as unit:
        ...         await unit.commit()
        >>> asyncio.run(main())
        """
        await self._owner._call(self._unit.commit)

    async def back(self) -> None:
        """Back out what was done up to here; what follows is another unit of work.

        >>> async def main():
        ...     async with mqsc.aconnect("shop.db") as qmgr, qmgr.unit() as unit:
        ...         await unit.back()
        >>> asyncio.run(main())
        """
        await self._owner._call(self._unit.back)

    def _is_current(self, owner: Owner) -> bool:
        """Whether calls of this session are in the unit now."""
        return self._owner is owner and self._is_in_block

    async def __aexit__(self, kind: type[BaseException] | None, *_: object) -> None:
        _entered.set(tuple(each for each in _entered.get() if each is not self))
        self._is_in_block = False
        if self._is_handed_over and kind is None:
            return
        session, self._session = self._session, None
        try:
            self._unit.__exit__(kind)
            noticed(self._owner._session)
        finally:
            if session is not None and self._callers_session is None:
                self._owner._give_back(session)

    def __repr__(self) -> str:
        return f"<mqsc.AsyncUnit of {self._owner!r}>"


# The units of work that a task is in, the inner first; tasks that it starts in them are in them,
# too.
_entered: ContextVar[tuple[AsyncUnit, ...]] = ContextVar("mqsc units of work", default=())


def session_of_task(owner: Owner) -> Session:
    """The session of the unit of work that the task is in, or that of all tasks."""
    return next(
        (each._session for each in _entered.get() if each._is_current(owner) and each._session),
        owner._session,
    )

"""What queues and topics of an asynchronous session have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, Concatenate, Generic, ParamSpec, Protocol, Self, TypeVar
from weakref import WeakKeyDictionary

from mqsc.interface.session import Session
from mqsc.store.engine.state import Result


class Owner(Protocol):
    """The asynchronous session, as its units of work, queues and topics need it."""

    _session: Session

    def _current(self) -> Session: ...

    def _take(self) -> Session: ...

    def _give_back(self, session: Session) -> None: ...

    async def _call(self, call: Callable[[], Result]) -> Result: ...


class SessionObject(Protocol):
    """A queue or a topic of a session."""

    def close(self) -> None:
        """Close what is open."""


Kind = TypeVar("Kind", bound=SessionObject)
Parameters = ParamSpec("Parameters")


class AsyncObject(ABC, Generic[Kind]):
    """A queue or a topic for tasks: one that all share, and one for each session of a unit of
    work, as each has handles of its own.
    """

    def __init__(self, owner: Owner, shared: Kind) -> None:
        self._owner = owner
        self._shared = shared
        self._by_session: WeakKeyDictionary[Session, Kind] = WeakKeyDictionary(
            {owner._session: shared},
        )

    @abstractmethod
    def _made_in(self, session: Session) -> Kind:
        """The same queue or topic in another session."""

    def _current(self) -> Kind:
        """The queue or topic in the session that the task uses."""
        session = self._owner._current()
        found = self._by_session.get(session)
        if found is None:
            found = self._by_session[session] = self._made_in(session)
        return found

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        for each in self._by_session.values():
            each.close()


def awaited(
    call: Callable[Concatenate[Kind, Parameters], Result],
) -> Callable[
    [Callable[..., None]],
    Callable[Concatenate[AsyncObject[Kind], Parameters], Coroutine[Any, Any, Result]],
]:
    """A decorator: the call of a queue or topic as a method for tasks, with the name and the
    docstring of what is decorated.
    """

    def as_method(
        documented: Callable[..., None],
    ) -> Callable[Concatenate[AsyncObject[Kind], Parameters], Coroutine[Any, Any, Result]]:
        @wraps(call)
        async def method(
            asked: AsyncObject[Kind],
            /,
            *arguments: Parameters.args,
            **named: Parameters.kwargs,
        ) -> Result:
            return await asked._owner._call(lambda: call(asked._current(), *arguments, **named))

        method.__doc__, method.__qualname__ = documented.__doc__, documented.__qualname__
        return method

    return as_method

"""The exceptions of the store.

Tracebacks name those with a `__module__` as programs import them.
"""

import sys
from typing import Any, TypeVar

from mqsc.store.constants import MQCC, MQRC, MQRCCF, name_of

AnyValue = TypeVar("AnyValue")


class MQError(Exception):
    """A call or command that failed.

    `completion` is MQCC_FAILED, `reason` the MQRC or, for a command, the MQRCCF. `object_name` is
    the object concerned, and `index` the position of the message concerned when a list was put.

    >>> mqsc.MQError(2053, "ORDERS").reason.name
    'Q_FULL'
    """

    __module__ = "mqsc"

    def __init__(
        self,
        reason: int,
        object_name: str = "",
        completion: int = 2,
        index: int | None = None,
    ) -> None:
        super().__init__(reason, object_name, completion, index)
        self.reason: MQRC | MQRCCF | int = _member(reason)
        self.completion: MQCC = MQCC(completion)
        self.object_name = object_name
        self.index = index

    def __str__(self) -> str:
        about = f" ({self.object_name})" if self.object_name else ""
        family = "MQRCCF" if isinstance(self.reason, MQRCCF) else "MQRC"
        return f"{int(self.reason)} {name_of(family, int(self.reason))}{about}"


def refuse_if(is_refused: object, reason: int, object_name: str = "") -> None:
    """Raise MQError with the reason, about that object, if something true says that the call is
    refused.
    """
    if is_refused:
        raise MQError(reason, object_name)


def refuse_for(reason: int | None, object_name: str = "") -> None:
    """Raise MQError with the reason that a decision returned, about that object, unless it is 0
    or None.
    """
    if reason:
        raise MQError(reason, object_name)


def required(value: AnyValue | None, reason: int, object_name: str = "") -> AnyValue:
    """Return what was found; MQError with the reason, about that object, if nothing was."""
    if value is None:
        raise MQError(reason, object_name)
    return value


class ChannelInUseError(MQError):
    """A living process runs the channel (4031); `owner` is its id, and says where it runs if
    that is not here.
    """

    def __init__(self, channel: str, owner: str) -> None:
        super().__init__(MQRCCF.CHANNEL_IN_USE, channel)
        self.owner = owner

    def __str__(self) -> str:
        return f"{super().__str__()}: process {self.owner} runs it"


class TopicStringInUseError(MQError):
    """Another topic object has the topic string (3300); `owner` is its name."""

    def __init__(self, string: str, owner: str) -> None:
        super().__init__(MQRCCF.TOPICSTR_ALREADY_EXISTS, string)
        self.owner = owner

    def __str__(self) -> str:
        return f"{super().__str__()}: {self.owner} has this topic string"


class UncommittedMessagesError(MQError):
    """A unit of work that has not ended, perhaps of an in-doubt channel, holds messages of the
    queue (2055).
    """

    def __init__(self, queue: str) -> None:
        super().__init__(MQRC.Q_NOT_EMPTY, queue)


class NotAuthorizedError(MQError):
    """A user lacks an authority (2035). `explanation` says who lacks what, in programs of the
    owner of the store.
    """

    __module__ = "mqsc"

    def __init__(self, object_name: str, refusal: Any, explanation: str = "") -> None:
        super().__init__(MQRC.NOT_AUTHORIZED, object_name)
        self.refusal = refusal
        self.explanation = explanation

    @property
    def missing(self) -> tuple[Any, ...]:
        """The authorities that are missing: each has a `type` of object, a `name` and a `word`."""
        return tuple(self.refusal.missing)


class SelectorError(MQError):
    """A selection string that cannot be used; `fault` says what is wrong and `position` where, from
    1.

    >>> qmgr.connection.open("ORDERS", mqsc.MQOO.BROWSE, selection="color =")
    Traceback (most recent call last):
    mqsc.SelectorError: 2459 MQRC_SELECTOR_SYNTAX_ERROR (ORDERS): ...
    """

    __module__ = "mqsc"

    def __init__(self, reason: int, object_name: str, fault: str, position: int) -> None:
        super().__init__(reason, object_name)
        self.fault = fault
        self.position = position

    def __str__(self) -> str:
        return (
            f"{super().__str__()}: {self.fault}, at character {self.position} of the selection "
            "string"
        )


class SharingGroupError(Exception):
    """The rules of queue-sharing groups do not allow a change of queue managers (sharing §10); the
    text says why.

    >>> qmgr.manager.store.leave_group("QM1")
    Traceback (most recent call last):
    mqsc.SharingGroupError: ...
    """

    __module__ = "mqsc"


class UserAccountError(Exception):
    """A user cannot be added, changed or removed; the text says why.

    >>> qmgr.manager.store.remove_user("nobody")
    Traceback (most recent call last):
    mqsc.UserAccountError: ...
    """

    __module__ = "mqsc"


class StoreError(Exception):
    """The store cannot be used: not a database, read-only, of a newer version, or on a network file
    system.

    >>> mqsc.open_store("none.db", create=False)
    Traceback (most recent call last):
    mqsc.store.error.MissingStoreError: there is no store at ...none.db
    """

    __module__ = "mqsc"


class MissingStoreError(StoreError):
    """There is no store at `path`, and none is to be made."""

    def __init__(self, path: str) -> None:
        super().__init__(f"there is no store at {path}")


class ImportedNameError(StoreError):
    """Own and imported history must not have the same queue manager; the text names it."""


class NotADatabaseError(StoreError):
    """The file is not an SQLite database: another file, or a store whose first page was
    overwritten.
    """


class DamagedStoreError(StoreError):
    """The store's file is damaged: its contents cannot be read, or are not those of a store."""


class UnreadableStoreError(DamagedStoreError):
    """SQLite could not read the store's file: it is damaged, or the disk failed, which SQLite
    does not tell apart.
    """


class DiskFullError(StoreError):
    """The disk has no room for what the call writes."""


def at_exit(error: Exception) -> Exception:
    """MQError 2195 for a module or codec that cannot be loaded because the interpreter is ending;
    else the error.

    Finalizers of programs may still make calls then.
    """
    if not sys.is_finalizing() or not isinstance(error, (ImportError, LookupError)):
        return error
    return MQError(MQRC.UNEXPECTED_ERROR, f"the Python interpreter is ending ({error})")


def _member(reason: int) -> MQRC | MQRCCF | int:
    families: tuple[type[MQRC] | type[MQRCCF], ...] = (MQRC, MQRCCF)
    for family in families:
        try:
            return family(reason)
        except ValueError:
            continue
    return reason

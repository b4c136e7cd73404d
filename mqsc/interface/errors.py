"""The errors of the interface by name. Each is an MQError, and its text is the sentence that
commands print.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from mqsc.store.constants import MQRC
from mqsc.store.error import MQError


class CallFailed(MQError):
    """A call that failed for a reason that has no class of its own; `reason` is the MQRC.

    >>> with qmgr.queue("ORDERS") as orders:
    ...     orders.put("x", priority=-2)
    Traceback (most recent call last):
    mqsc.CallFailed: 2050 MQRC_PRIORITY_ERROR (ORDERS): The priority is not valid.
    """

    # A name that is like the one that does not exist; blank if none is.
    suggestion = ""
    # Instead of that of the reason, where more is known.
    sentence = ""

    def __str__(self) -> str:
        from mqsc.console.text.reasons import sentence_of
        from mqsc.store.catalog.spelling import suggesting

        return suggesting(
            self.suggestion,
            self.sentence or sentence_of(MQError(self.reason, self.object_name)),
        )


class NoMessage(CallFailed):
    """No message came in time.

    >>> qmgr.queue("ORDERS").get(wait=timedelta(0))
    Traceback (most recent call last):
    mqsc.NoMessage: 2033 MQRC_NO_MSG_AVAILABLE (ORDERS): No matching message is available, or none arrived within ...
    """


class NoReply(NoMessage):
    """No reply to a request came in time; `object_name` is the queue of the request.

    >>> qmgr.request("ORDERS", "status?", timeout=timedelta(milliseconds=1))
    Traceback (most recent call last):
    mqsc.NoReply: no reply to the request on ORDERS came in time
    """

    def __str__(self) -> str:
        return f"no reply to the request on {self.object_name} came in time"


class QueueFull(CallFailed):
    """The queue holds MAXDEPTH messages.

    >>> _ = qmgr.run("DEFINE QLOCAL(TINY) MAXDEPTH(0)")
    >>> qmgr.queue("TINY").put("one too many")
    Traceback (most recent call last):
    mqsc.QueueFull: 2053 MQRC_Q_FULL (TINY): The queue holds MAXDEPTH messages, uncommitted ones included.
    """


class NotFound(CallFailed):
    """There is no object or queue manager of this name; `suggestion` is one that is like it.

    >>> qmgr.queue("ODRERS").put("one espresso machine")
    Traceback (most recent call last):
    mqsc.NotFound: 2085 MQRC_UNKNOWN_OBJECT_NAME (ODRERS): The object does not exist here. Did you mean ORDERS?
    """


class NotAuthorized(CallFailed):
    """The user lacks an authority, or CONNAUTH or CHLAUTH does not admit the connection.

    >>> print(mqsc.NotAuthorized(mqsc.MQRC.NOT_AUTHORIZED, "QM1"))
    2035 MQRC_NOT_AUTHORIZED (QM1): The user lacks an authority, or CONNAUTH or CHLAUTH did not admit it.
    """


class InUse(CallFailed):
    """The queue is open in a way that excludes this use.

    >>> _ = qmgr.run("DEFINE QLOCAL(EXCLUSIVE) NOSHARE")
    >>> with mqsc.connect("shop.db") as other, other.queue("EXCLUSIVE") as held:
    ...     print([*held.messages(wait=timedelta(0))])
    ...     qmgr.queue("EXCLUSIVE").get()
    Traceback (most recent call last):
    mqsc.InUse: 2042 MQRC_OBJECT_IN_USE (EXCLUSIVE): The queue is open in a way that excludes this use: ...
    """


class Inhibited(CallFailed):
    """Puts or gets are disabled.

    >>> _ = qmgr.run("DEFINE QLOCAL(CLOSED) PUT(DISABLED)")
    >>> qmgr.queue("CLOSED").put("one espresso machine")
    Traceback (most recent call last):
    mqsc.Inhibited: 2051 MQRC_PUT_INHIBITED (CLOSED): ...
    """


class MessageTooBig(CallFailed):
    """The data is longer than MAXMSGL of the queue or the queue manager.

    >>> _ = qmgr.run("DEFINE QLOCAL(SHORT) MAXMSGL(3)")
    >>> qmgr.queue("SHORT").put("four")
    Traceback (most recent call last):
    mqsc.MessageTooBig: 2030 MQRC_MSG_TOO_BIG_FOR_Q (SHORT): ...
    """


class NotConnected(CallFailed):
    """The queue manager does not run or is ending, or the connection is closed or broken.

    >>> closed = mqsc.connect("shop.db")
    >>> closed.close()
    >>> closed.queue("ORDERS").put("too late")
    Traceback (most recent call last):
    mqsc.NotConnected: 2018 MQRC_HCONN_ERROR: ...
    """


class UnitInProgress(CallFailed):
    """A unit of work is open already.

    >>> with qmgr.unit(), qmgr.unit():
    ...     pass
    Traceback (most recent call last):
    mqsc.UnitInProgress: 2128 MQRC_UOW_IN_PROGRESS: ...
    """


class BackedOut(CallFailed):
    """The unit of work was backed out instead of committed.

    >>> issubclass(mqsc.BackedOut, mqsc.MQError), mqsc.BackedOut(mqsc.MQRC.BACKED_OUT).reason.name
    (True, 'BACKED_OUT')
    """


_REASONS = {
    NoMessage: "NO_MSG_AVAILABLE",
    QueueFull: "Q_FULL Q_SPACE_NOT_AVAILABLE",
    NotFound: (
        "UNKNOWN_OBJECT_NAME UNKNOWN_ALIAS_BASE_Q UNKNOWN_OBJECT_Q_MGR UNKNOWN_REMOTE_Q_MGR "
        "Q_MGR_NAME_ERROR"
    ),
    NotAuthorized: "NOT_AUTHORIZED SECURITY_ERROR",
    InUse: "OBJECT_IN_USE",
    Inhibited: "GET_INHIBITED PUT_INHIBITED",
    MessageTooBig: "MSG_TOO_BIG_FOR_Q MSG_TOO_BIG_FOR_Q_MGR",
    NotConnected: (
        "CONNECTION_BROKEN HCONN_ERROR Q_MGR_NOT_AVAILABLE Q_MGR_QUIESCING Q_MGR_STOPPING"
    ),
    UnitInProgress: "UOW_IN_PROGRESS",
    BackedOut: "BACKED_OUT",
}
_CLASSES = {int(MQRC[name]): kind for kind, names in _REASONS.items() for name in names.split()}
# Tracebacks show them as programs import them.
for _each in (CallFailed, NoReply, *_REASONS):
    _each.__module__ = "mqsc"


def explained(error: MQError, known: Callable[[], Iterable[str]]) -> MQError:
    """The error as one of these classes; one that says more than its reason stays as it is.

    `known` has the names that an object that does not exist might have meant.
    """
    if type(error) is not MQError:
        return error
    kind = _CLASSES.get(int(error.reason), CallFailed)
    explained_error = kind(error.reason, error.object_name, int(error.completion), error.index)
    if isinstance(explained_error, NotFound):
        from mqsc.store.catalog.spelling import similar

        explained_error.suggestion = (
            similar(explained_error.object_name, known()) if explained_error.object_name else ""
        )
    return explained_error

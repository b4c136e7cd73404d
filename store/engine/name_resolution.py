"""Resolution of a name when it is opened."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from mqsc.store.constants import MQOT, MQRC
from mqsc.store.engine.dynamic_queues import PREDEFINED
from mqsc.store.engine.effects import Arrival
from mqsc.store.engine.state import CallContext
from mqsc.store.engine.stored_message import HEADER_LENGTH, with_transmission_header
from mqsc.store.rules import admission
from mqsc.store.rules.admission import Limits
from mqsc.store.rules.object_events import QUEUE_TYPES
from mqsc.store.sql import managers, objects, queues
from mqsc.store.sql.rows import TEMPORARY_DYNAMIC, ManagerRow, QueueRow
from mqsc.store.sqlite.queries import Queries

DEF_XMIT_Q_ERRORS = (
    MQRC.UNKNOWN_DEF_XMIT_Q,
    MQRC.DEF_XMIT_Q_TYPE_ERROR,
    MQRC.DEF_XMIT_Q_USAGE_ERROR,
)
XMIT_Q_ERRORS = (MQRC.UNKNOWN_XMIT_Q, MQRC.XMIT_Q_TYPE_ERROR, MQRC.XMIT_Q_USAGE_ERROR)
_NO_FACTS: Mapping[str, int | str] = MappingProxyType({})


class Size(NamedTuple):
    """The size of a message for admission; `extension` is the length of the MQMDE that another
    queue manager needs.
    """

    persistence: int
    length: int
    extension: int = 0


class Destination:
    """What a name resolves to: the objects it resolved through, the local queue, and the remote
    name if any.

    Values derived from them are computed once, because a change of an object makes a new
    destination.
    """

    __slots__ = (
        "descriptor_decides get_inhibited header_length is_dynamic is_remote opened put_enabled "
        "queue remote_queue "
        "remote_queue_manager resolved_names resolved_through rows"
    ).split()

    def __init__(
        self,
        through: tuple[QueueRow, ...],
        queue: QueueRow,
        remote_queue: str = "",
        remote_queue_manager: str = "",
    ) -> None:
        self.resolved_through, self.queue = through, queue
        self.remote_queue, self.remote_queue_manager = remote_queue, remote_queue_manager
        self.rows = (*through, queue)
        # The object that was opened: DEFPRTY and DEFPSIST come from it.
        self.opened = self.rows[0]
        # Whether every object that the name resolved through, and the queue, is PUT(ENABLED)
        # (2051).
        self.put_enabled = all(each.put_enabled for each in self.rows)
        # The name of the first of them with GET(DISABLED), or blank (2016).
        self.get_inhibited = next((each.name for each in self.rows if not each.get_enabled), "")
        # Whether the local queue is a transmission queue on the way to another queue manager.
        self.is_remote = bool(remote_queue_manager)
        # Whether an object on the way is a dynamic queue.
        self.is_dynamic = any(each.definition_type != PREDEFINED for each in self.rows)
        # Whether what is decided about a message depends on its descriptor and length alone: on the
        # way to another queue manager the data matters too, and a temporary queue takes no
        # persistent messages.
        temporary = queue.definition_type == TEMPORARY_DYNAMIC
        self.descriptor_decides = not (self.is_remote or queue.is_transmission or temporary)
        # The bytes that the queue manager adds in front of the data.
        self.header_length = HEADER_LENGTH if self.is_remote else 0
        # (ResolvedQName, ResolvedQMgrName): where messages finally go, as far as this queue manager
        # knows. A shared queue resolves to the name of the group.
        self.resolved_names = (
            (remote_queue, remote_queue_manager) if self.is_remote else (queue.name, queue.owner)
        )

    @property
    def free(self) -> int:
        """How many more messages the local queue takes before it is full."""
        return self.queue.max_depth - self.queue.depth

    @property
    def expiry_caps(self) -> list[int]:
        """Every CAPEXPRY that applies to a message put there, in tenths of a second."""
        caps = (cap for each in self.rows for cap in (each.cap_expiry, each.custom_cap_expiry))
        return [cap for cap in caps if cap is not None]

    def limits(self, qmgr: ManagerRow) -> Limits:
        """The limits for a message put there, as `rules.admission` takes them."""
        return Limits(self.queue, qmgr.max_length, self.header_length)

    def refusal(self, qmgr: ManagerRow, size: Size, pending: int = 0) -> int:
        """The MQRC that refuses one more message of `length` bytes, or 0; `pending` others are
        put before it.
        """
        return admission.fault(self.limits(qmgr), self.put_enabled, self.free - pending, *size)

    def wrapped(self, call: CallContext, arrival: Arrival) -> Arrival:
        """The message as stored on the local queue: behind an MQXQH when the destination is
        remote.
        """
        if not self.is_remote:
            return arrival
        return with_transmission_header(call, arrival, self.remote_queue, self.remote_queue_manager)


class Unresolved(NamedTuple):
    """Why a name does not resolve: the MQRC, and the other names looked for, as an event about
    it has them.
    """

    reason: int
    facts: Mapping[str, int | str] = _NO_FACTS


def destination(
    tx: Queries,
    qmgr: ManagerRow,
    name: str,
    queue_manager: str,
) -> tuple[int, Destination | None]:
    """(0, where a message put to that name goes), or (the MQRC of a name that does not resolve,
    None).
    """
    found = resolve(tx, qmgr, name, queue_manager)
    return (found.reason, None) if isinstance(found, Unresolved) else (0, found)


def resolve(
    tx: Queries,
    qmgr: ManagerRow,
    name: str,
    queue_manager: str,
) -> Destination | Unresolved:
    """Where a message put to that name goes, or why it goes nowhere."""
    if not is_local(tx, qmgr, name, queue_manager):
        return _through_queue_manager(tx, qmgr, name, queue_manager)
    queue = named(tx, qmgr, name)
    if isinstance(queue, Unresolved):
        return queue
    path: tuple[QueueRow, ...] = ()
    if queue.type == "QALIAS":
        path = (queue,)
        base = _base(tx, qmgr, queue)
        if isinstance(base, Unresolved):
            return base
        queue = base
    if queue.type == "QMODEL":
        return Unresolved(MQRC.Q_TYPE_ERROR)
    if queue.type == "QLOCAL":
        return Unresolved(MQRC.Q_DELETED) if queue.logically_deleted else Destination(path, queue)
    return _through_remote_definition(tx, qmgr, queue, path)


def is_local(tx: Queries, qmgr: ManagerRow, name: str, queue_manager: str) -> bool:
    """Whether ObjectQMgrName means this queue manager: blank, its name, that of its group or, for a
    shared queue, of another member if SQQMNAME(IGNORE) says so (sharing §4).
    """
    if queue_manager in ("", qmgr.name):
        return True
    group = qmgr.sharing_group
    if not group or queue_manager == group:
        return bool(group)
    other = managers.by_name(tx, queue_manager)
    return (
        other is not None
        and other.sharing_group == group
        and queues.by_name(tx, group, name, qmgr.name) is not None
        and objects.attribute(tx, qmgr.name, "qmgr", qmgr.name, "SQQMNAME") == "IGNORE"
    )


def named(tx: Queries, qmgr: ManagerRow, name: str) -> QueueRow | Unresolved:
    """The queue object of that name, its own or a shared one: 2085 for none, 2343 for both."""
    own = queues.by_name(tx, qmgr.name, name)
    if not qmgr.sharing_group:
        return own or Unresolved(MQRC.UNKNOWN_OBJECT_NAME)
    shared = queues.by_name(tx, qmgr.sharing_group, name, qmgr.name)
    if own is not None and shared is not None:
        return Unresolved(MQRC.OBJECT_NOT_UNIQUE)
    return own or shared or Unresolved(MQRC.UNKNOWN_OBJECT_NAME)


def _base(tx: Queries, qmgr: ManagerRow, alias: QueueRow) -> QueueRow | Unresolved:
    """The queue that an alias names."""
    facts = {"BaseObjectName": alias.target}
    if alias.target_is_topic:
        return Unresolved(MQRC.ALIAS_BASE_Q_TYPE_ERROR, facts)
    base = named(tx, qmgr, alias.target)
    if isinstance(base, Unresolved):
        if base.reason == MQRC.OBJECT_NOT_UNIQUE:
            return base
        return Unresolved(MQRC.UNKNOWN_ALIAS_BASE_Q, {**facts, "BaseType": int(MQOT.Q)})
    if base.type not in ("QLOCAL", "QREMOTE"):
        return Unresolved(MQRC.ALIAS_BASE_Q_TYPE_ERROR, {**facts, "QType": QUEUE_TYPES[base.type]})
    return base


def _through_remote_definition(
    tx: Queries,
    qmgr: ManagerRow,
    remote: QueueRow,
    path: tuple[QueueRow, ...],
) -> Destination | Unresolved:
    if not remote.remote_name:
        return Unresolved(MQRC.REMOTE_Q_NAME_ERROR)
    if remote.remote_queue_manager in ("", qmgr.name):
        return Unresolved(MQRC.UNKNOWN_REMOTE_Q_MGR)
    queue = _transmission_queue(tx, qmgr, remote, remote.remote_queue_manager)
    if isinstance(queue, Unresolved):
        return queue
    return Destination((*path, remote), queue, remote.remote_name, remote.remote_queue_manager)


def _through_queue_manager(
    tx: Queries,
    qmgr: ManagerRow,
    name: str,
    queue_manager: str,
) -> Destination | Unresolved:
    """Resolve a remote ObjectQMgrName: a queue manager alias, a transmission queue of that name,
    or DEFXMITQ.
    """
    alias = queues.by_name(tx, qmgr.name, queue_manager)
    if alias is not None and alias.type == "QREMOTE":
        if alias.remote_name:
            return Unresolved(MQRC.UNKNOWN_REMOTE_Q_MGR)
        becomes = alias.remote_queue_manager or queue_manager
        if becomes == qmgr.name:
            own = resolve(tx, qmgr, name, "")
            if isinstance(own, Unresolved):
                return own
            # The alias can inhibit puts too, and its defaults apply: it is the first definition on
            # the way.
            return Destination(
                (alias, *own.resolved_through),
                own.queue,
                own.remote_queue,
                own.remote_queue_manager,
            )
        queue = _transmission_queue(tx, qmgr, alias, becomes)
        return (
            queue if isinstance(queue, Unresolved) else Destination((alias,), queue, name, becomes)
        )
    queue = _transmission_queue(tx, qmgr, None, queue_manager)
    return queue if isinstance(queue, Unresolved) else Destination((), queue, name, queue_manager)


def _transmission_queue(
    tx: Queries,
    qmgr: ManagerRow,
    definition: QueueRow | None,
    queue_manager: str,
) -> QueueRow | Unresolved:
    """XMITQ of the remote definition, else the local queue with the queue manager's name, else
    DEFXMITQ.
    """
    if definition is not None and definition.transmission_queue:
        wanted = definition.transmission_queue
        return _checked(queues.visible(tx, qmgr, wanted), wanted, XMIT_Q_ERRORS)
    own = queues.visible(tx, qmgr, queue_manager)
    if own is not None and _may_be_meant(own, definition):
        return _checked(own, queue_manager, XMIT_Q_ERRORS)
    default = qmgr.default_transmission_queue
    if not default:
        return Unresolved(MQRC.UNKNOWN_REMOTE_Q_MGR)
    return _checked(queues.visible(tx, qmgr, default), default, DEF_XMIT_Q_ERRORS)


def _may_be_meant(queue: QueueRow, definition: QueueRow | None) -> bool:
    """Whether a queue with the name of a queue manager is meant as its transmission queue, rightly
    or not (2091).

    A remote definition may have the name of its own queue manager. Without a definition only a
    local queue is meant.
    """
    return queue.type == "QLOCAL" if definition is None else queue.id != definition.id


def _checked(
    queue: QueueRow | None,
    name: str,
    errors: tuple[int, int, int],
) -> QueueRow | Unresolved:
    missing, wrong_type, wrong_usage = errors
    facts = {"XmitQName": name}
    if queue is None:
        return Unresolved(missing, facts)
    if queue.type != "QLOCAL":
        return Unresolved(wrong_type, {**facts, "QType": QUEUE_TYPES[queue.type]})
    return queue if queue.is_transmission else Unresolved(wrong_usage, facts)

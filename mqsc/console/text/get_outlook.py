"""Why a get would find no message, or which it would find: `mqsc get --explain`. Nothing is taken
or discarded.

`store.mqi.get_preview` decides, as MQGET does; this module says why the messages before that one
are passed over.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from typing import TYPE_CHECKING, Any, NamedTuple

from mqsc.console.getting import options_matching
from mqsc.console.json_rows import picked
from mqsc.console.parameters import iso
from mqsc.console.text.reasons import counted, reason_text
from mqsc.store.admin.connection_status import connection_id
from mqsc.store.admin.event_search import EventSelection, events
from mqsc.store.admin.inquiring import inquire
from mqsc.store.admin.peeking import PeekedMessage, peek
from mqsc.store.admin.uncommitted_work import PUT, UncommittedWork, work_on
from mqsc.store.catalog import kinds_of
from mqsc.store.constants import MQRC
from mqsc.store.mqi.get_preview import GetPreview, LockHolder, lock_holder, preview
from mqsc.store.rules.properties import message_data
from mqsc.store.sqlite.liveness import folder_beside
from mqsc.store.sqlite.owners import owner_of

if TYPE_CHECKING:
    from mqsc.store.client.queue_manager import QueueManager
    from mqsc.store.engine.state import StoreState
    from mqsc.store.rules.selector.conditions import Selector


_ID = {"msg_id": "MsgId", "correl_id": "CorrelId", "group_id": "GroupId"}


class Wanted(NamedTuple):
    """What a get selects; None for anything."""

    msg_id: bytes | None = None
    correl_id: bytes | None = None
    group_id: bytes | None = None
    selector: Selector | None = None

    @property
    def identifiers(self) -> dict[str, bytes | None]:
        return {name: getattr(self, name) for name in _ID}


class Passed(NamedTuple):
    """Messages that the get passes over for the same reason: their number, and what is to be
    known about them.
    """

    why: str
    messages: int
    detail: str


class GetOutlook(NamedTuple):
    """The MQRC with which a get would end, 0 for success, `because` of what; the message it would
    find; the others.

    `cure` is a command that helps; blank if there is none.
    """

    queue: str
    reason: int
    because: str = ""
    cure: str = ""
    message: PeekedMessage | None = None
    passed: tuple[Passed, ...] = ()


def outlook(qmgr: QueueManager, queue: str, wanted: Wanted) -> GetOutlook:
    """The outlook of a get on a queue, or on an alias, at this moment; MQError if messages
    cannot be got from it.
    """
    selector = wanted.selector.text if wanted.selector else ""
    get_preview = preview(qmgr, queue, options_matching(wanted.identifiers, 0), selector)
    if get_preview.inhibited:
        row = next(inquire(qmgr, kinds_of("QUEUE"), get_preview.inhibited))
        title = f"{row['TYPE']}({get_preview.inhibited})"
        because = f"{title} has GET(DISABLED){_inhibited_by(qmgr, get_preview.inhibited)}"
        return GetOutlook(
            get_preview.queue, get_preview.reason, because, f"ALTER {title} GET(ENABLED)"
        )
    if get_preview.in_the_way:
        return GetOutlook(get_preview.queue, get_preview.reason, _in_use(qmgr.store, get_preview))
    return _searched(qmgr, get_preview, wanted)


def _inhibited_by(qmgr: QueueManager, queue: str) -> str:
    """Who inhibited gets, when and by what; blank if the history does not say."""
    changes = EventSelection(queue=queue, kinds=frozenset({"DEFINE", "ALTER", "SET"}))
    owners = qmgr.name, qmgr.row().sharing_group
    for event in reversed([*events(qmgr.store, changes)]):
        if (
            event.queue == queue
            and event.qmgr in owners
            and (event.detail.get("GET") or [""])[-1] == "DISABLED"
        ):
            by = f" with {event.application}" if event.application else ""
            return f", set by {event.user}{by} at {iso(event.at)} ({event.kind}, event {event.seq})"
    return ""


def _in_use(store: StoreState, get_preview: GetPreview) -> str:
    """Why an open for input is refused: another program wants, or has, the queue for itself."""
    alone = [each for each in get_preview.in_the_way if each.exclusive]
    by = alone[0] if alone else get_preview.in_the_way[0]
    how = (
        "for itself"
        if alone
        else "for input, and this get would open it for itself (NOSHARE, or DEFSOPT(EXCL))"
    )
    owner = owner_of(folder_beside(store.path or ""), by.file)
    return f"{by.application.strip()} (user {by.user}, process {owner}) has it open {how}"


def _searched(qmgr: QueueManager, get_preview: GetPreview, wanted: Wanted) -> GetOutlook:
    """The message that the get would take, and the messages before it by the reason why it
    passes them over.
    """
    passed: dict[str, list[PeekedMessage]] = {}
    next_message = None
    for peeked in peek(qmgr, get_preview.queue, None if wanted.selector else 0):
        if get_preview.message is not None and peeked.number == get_preview.message.id:
            next_message = peeked
            break
        why = _why_passed(peeked, wanted)
        # A message that was put since then is passed over for no reason.
        if why:
            passed.setdefault(why, []).append(peeked)
    groups = [
        Passed(why, len(messages), _detail(qmgr, why, messages, wanted))
        for why, messages in passed.items()
    ]
    if next_message is None:
        groups += [_held(each) for each in work_on(qmgr, get_preview.queue)]
    return GetOutlook(
        get_preview.queue,
        0 if next_message else int(MQRC.NO_MSG_AVAILABLE),
        message=next_message,
        passed=tuple(groups),
    )


_EXPIRED = "expired"
_SELECTOR = "not selected"
_LOCKED = "locked by another program"


def _why_passed(message: PeekedMessage, wanted: Wanted) -> str:
    """Why a get does not take a committed message; blank if there is no reason."""
    if message.locked_by is not None:
        return _LOCKED
    if message.is_expired:
        return _EXPIRED
    for name, word in _ID.items():
        value = getattr(wanted, name)
        # A MsgId or CorrelId of zeros matches any; a GroupId of zeros is a value.
        is_asked = bool(value) and (name == "group_id" or any(value))
        if is_asked and getattr(message.descriptor, name) != value.ljust(24, b"\0"):
            return f"with another {word}"
    if wanted.selector is not None and not _selects(wanted.selector, message):
        return _SELECTOR
    return ""


def _selects(selector: Selector, message: PeekedMessage) -> bool:
    may_carry = message_data.may_carry(message.descriptor.format)
    carried = message_data.read(message.descriptor, message.body) if may_carry else None
    return selector.selects((message.descriptor, {} if carried is None else carried.properties))


def _detail(qmgr: QueueManager, why: str, messages: list[PeekedMessage], wanted: Wanted) -> str:
    """What helps to see why: the nearest match, since when messages are expired, who has locked
    them.
    """
    if why == _LOCKED:
        holders = {
            each.locked_by: lock_holder(qmgr, each.locked_by) for each in messages if each.locked_by
        }
        return "; ".join(f"by {_named(each)}" for each in holders.values() if each is not None)
    if why == _EXPIRED:
        return (
            f"the first since {iso(min(each.expires_at or 0 for each in messages))}; a get or scan "
            "discards them"
        )
    if why == _SELECTOR:
        return f"the selector is {wanted.selector.text}" if wanted.selector else ""
    name = next(name for name, word in _ID.items() if why.endswith(word))
    sought = getattr(wanted, name).ljust(24, b"\0")
    nearest = max(
        (getattr(each.descriptor, name) for each in messages),
        key=lambda value: _common(value, sought),
    )
    differs = _common(nearest, sought) + 1
    return f"the nearest is {nearest.hex().upper()}, which differs from byte {differs} on"


def _named(holder: LockHolder) -> str:
    name, connection = holder.application.strip(), connection_id(holder.connection)
    return f"{name}, user {holder.user}, connection {connection}, with MQGMO_LOCK"


def _common(value: bytes, other: bytes) -> int:
    return sum(
        1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(value, other, strict=True))
    )


def _held(work: UncommittedWork) -> Passed:
    what = "put in an open unit of work" if work.what == PUT else "got in an open unit of work"
    holder = f"in doubt as {work.in_doubt}" if work.in_doubt else f"connection {work.connection}"
    since = f" since {iso(work.since)}" if work.since is not None else ""
    return Passed(what, work.messages, f"by {work.application}, user {work.user}, {holder}{since}")


def outlook_lines(get_outlook: GetOutlook) -> Iterator[str]:
    """The outlook as text."""
    if get_outlook.message is not None:
        descriptor = get_outlook.message.descriptor
        put = (
            f", put {iso(descriptor.put_at)} by {descriptor.put_appl_name.strip()}"
            if descriptor.put_at
            else ""
        )
        msg_id = descriptor.msg_id.hex().upper()
        yield f"A get from {get_outlook.queue} would find the message {msg_id}{put}"
        yield f"   priority {descriptor.priority}, {counted(get_outlook.message.length, 'byte')}"
    else:
        yield f"A get from {get_outlook.queue} would end with {reason_text(get_outlook.reason)}"
    if get_outlook.because:
        yield f"   {get_outlook.because}"
    if get_outlook.cure:
        yield f"   try: {get_outlook.cure}"
    if get_outlook.reason == MQRC.NO_MSG_AVAILABLE and not get_outlook.passed:
        yield "   the queue is empty"
    for each in get_outlook.passed:
        yield f"   {counted(each.messages, 'message')} {each.why}: {each.detail}"


def outlook_row(get_outlook: GetOutlook) -> dict[str, Any]:
    """The outlook as data."""
    msg_id = get_outlook.message and get_outlook.message.descriptor.msg_id.hex()
    passed = [each._asdict() for each in get_outlook.passed]
    return {**picked(get_outlook, "queue reason because cure"), "msg_id": msg_id, "passed": passed}

"""Taking messages from a queue and discarding expired ones, and the reports about them.

Also the member of a group that scans for expired messages, and the queues for messages backed out too often.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from msgspec import Struct

from store.catalog import KINDS
from store.descriptor import MessageDescriptor
from store.engine import depth, name_resolution
from store.engine.definitions import complete
from store.engine.history import REPORT, Arrival, Deliver, Effect, cause_of, member_of, message_event, record_event
from store.engine.state import CallContext
from store.engine.stored_message import descriptor_of
from store.message import Message
from store.rules import expiry as rules_expiry, report_message as rules
from store.rules.expiry import Facts, Member, Scan, remaining
from store.rules.message_origin import LEADS_BACK, NOT_NAMED
from store.rules.report_message import COA, COD, EXCEPTION, EXPIRATION, ReportKind, without_transmission_header
from store.sql import history, managers, messages, objects, queues, units_of_work
from store.sql.managers import ENDED
from store.sql.messages import Expired
from store.sql.rows import ManagerRow, QueueRow, StoredMessage
from store.sql.statements import for_each
from store.sqlite.database import Queries, Transaction


def dequeue(
    tx: Transaction, call: CallContext, queue: QueueRow, found: StoredMessage, unit: int | None, *, marked: bool = False
) -> list[Effect]:
    """A destructive get: remove the message, or reserve it for `unit`; COD report and queue events follow.

    `marked`: it skips the backout of `unit`.
    """
    before = depth.before_get(tx, call, queue)
    if unit is not None:
        messages.reserve(tx, found.id, unit)
    if queue.recorded:
        member = member_of(call, queue.owner)
        history.record_get(tx, cause_of(call, queue), found.id, member=member, marked=marked)
    if unit is None:
        messages.remove(tx, found.id)
    depth_events = depth.got(tx, call, queue, found.put_at, before)
    if found.report and COD.is_requested(found.report):
        return confirm_delivery(call, queue, found, unit) + depth_events
    return depth_events


def dequeue_all(
    tx: Transaction, call: CallContext, queue: QueueRow, found: Sequence[StoredMessage], unit: int | None
) -> None:
    """Destructive gets of messages in order that cause neither reports nor events of the queue."""
    ranges = messages.ranges_of([each.id for each in found])
    if unit is not None:
        for_each(tx, messages.reserve_range, [(*each, unit) for each in ranges])
    if queue.recorded:
        history.record_ranges(tx, cause_of(call, queue), "GET", None, ranges, "")
    if unit is None:
        for_each(tx, messages.remove_range, ranges)
    depth.got_all(tx, call, queue, [each.put_at for each in found])


def account_for(tx: Transaction, call: CallContext, unit: int, outcome: MessageOutcome) -> None:
    """Record the outcome of every message that `unit` got."""
    for message in units_of_work.got(tx, unit):
        _account_for(tx, call, unit, message, outcome)


def account_for_some(
    tx: Transaction, call: CallContext, unit: int, outcomes: Sequence[tuple[int, MessageOutcome]]
) -> None:
    """Record the outcomes of single messages that `unit` got, by their numbers."""
    for id, outcome in outcomes:
        message = messages.by_id(tx, id)
        # A message may have been deleted with its dynamic queue, and its number used again.
        if message is not None and message.unit == unit:
            _account_for(tx, call, unit, message, outcome)


def _account_for(
    tx: Transaction, call: CallContext, unit: int, message: StoredMessage, outcome: MessageOutcome
) -> None:
    kind, columns = outcome.event()
    name, owner = queues.name_and_owner(tx, message.queue)
    event = message_event(call, kind, name, message, detail=columns.pop("detail"), owner=owner)
    history.append(tx, event._replace(unit=unit, **columns))


def expire(
    tx: Transaction, call: CallContext, queue: QueueRow, expired: Sequence[StoredMessage], cause: str
) -> list[Effect]:
    """Discard expired messages, outside any unit of work; the reports they asked for follow (expiry A3, A4)."""
    effects: list[Effect] = []
    rows = []
    for head in expired:
        whole = messages.by_id(tx, head.id) if _needs_data(queue, head.report) else None
        effect = None if whole is None else report_expiry(call, queue, whole)
        detail: dict[str, object] = {} if whole is None else _as_sent(call, whole)
        if effect is not None:
            effects.append(effect)
            detail["report"] = effect.detail["data"]
        text = json.dumps(detail, ensure_ascii=False) if detail else None
        rows.append(message_event(call, "EXPIRE", queue.name, head, cause=cause, detail=text, owner=queue.owner))
    messages.remove_all(tx, [message.id for message in expired])
    history.append_all(tx, rows)
    return effects + depth.removed(tx, call, queue.id, len(expired))


def expire_in_order(
    tx: Transaction, call: CallContext, queue: QueueRow, expired: Sequence[Expired], cause: str
) -> list[Effect]:
    """Discard expired messages in order; neighbours whose data is not needed go with one statement."""
    effects: list[Effect] = []
    for needed, together in groupby(expired, lambda each: _needs_data(queue, each.report)):
        ids = [each.id for each in together]
        if needed:
            effects += expire(tx, call, queue, messages.without_body(tx, ids), cause)
        else:
            ranges, member = messages.ranges_of(ids), member_of(call, queue.owner)
            history.record_ranges(tx, cause_of(call, queue), "EXPIRE", cause, ranges, member)
            for_each(tx, messages.remove_range, ranges)
            effects += depth.removed(tx, call, queue.id, len(ids))
    return effects


def _needs_data(queue: QueueRow, report: int) -> bool:
    """Whether the discard of a message needs its data: for the report, or for the header on a transmission queue."""
    return bool(queue.is_transmission) or EXPIRATION.is_requested(report)


def _as_sent(call: CallContext, message: StoredMessage) -> dict[str, object]:
    """Who put a message that is behind a transmission header, and the length of its data; the row has the outer ones.

    Empty for other messages.
    """
    outer = descriptor_of(message, call.now)
    sent, body = without_transmission_header(outer, message.body)
    return {} if sent is outer else {"application": sent.put_appl_name, "length": len(body)}


# The outcomes of messages that an agent took off a queue, as events of the history.


class MessageOutcome(Struct, frozen=True):
    """`kind` and `cause` are those of `store.published`, `target` is the queue that the message went to.

    `reason` is the reason in its dead-letter header, `rule` the rule that decided, `detail` the keys documented for the
    kind.
    """

    kind: str
    cause: str
    target: str | None = None
    reason: int | None = None
    rule: str | None = None
    detail: Mapping[str, Any] | None = None

    def event(self) -> tuple[str, dict[str, Any]]:
        """The kind of the event, and the columns that do not come from the message."""
        detail = json.dumps(self.detail, ensure_ascii=False) if self.detail else None
        columns = {"cause": self.cause, "target": self.target, "reason": self.reason, "rule": self.rule}
        return self.kind, {**columns, "detail": detail}


# The member of a queue-sharing group that scans shared queues: found, changed and recorded (sharing §8).


def settle_expiry_owner(tx: Transaction, call: CallContext, cause: str) -> None:
    """A queue manager was started, ended or altered: choose the owner anew if it must change, and record that."""
    group = call.qmgr.sharing_group
    if group:
        _decide(tx, call, cause, Facts(managers.expiry_owner(tx, group), _members(tx, group)))


def tick_of_expiry(tx: Transaction, call: CallContext, serves: Callable[[str], bool]) -> bool:
    """A `mqsc serve` of the member is about to scan: whether it owns the shared queues, perhaps by taking over now.

    `serves` tells whether a `mqsc serve` runs for a member.
    """
    group, name = call.qmgr.sharing_group, call.qmgr.name
    owner = managers.expiry_owner(tx, group)
    owner_serves = owner == name or (bool(owner) and serves(owner))
    return _decide(tx, call, "takeover", Facts(owner, _members(tx, group), name, owner_serves)) == name


def may_scan(tx: Queries, qmgr: ManagerRow, cause: str) -> bool:
    """Whether the queue manager may now scan the shared queues of its group, for a cause of EXPIRE."""
    group = qmgr.sharing_group
    others = any(each.state != ENDED and each.name != qmgr.name for each in managers.members(tx, group))
    return bool(group) and rules_expiry.may_scan(Scan(qmgr.name, cause, managers.expiry_owner(tx, group), others))


def different_intervals(tx: Queries, group: str) -> dict[str, int]:
    """EXPRYINT of the members that have it set, by name, if they do not all have the same; else nothing."""
    return rules_expiry.different({each.name: each.expiry_interval for each in managers.members(tx, group)})


def _members(tx: Queries, group: str) -> list[Member]:
    return [
        Member(each.name, each.state != ENDED and each.expiry_interval is not None, each.expiry_rank)
        for each in managers.members(tx, group)
    ]


def _decide(tx: Transaction, call: CallContext, cause: str, facts: Facts) -> str:
    verdict = rules_expiry.decide_owner(facts)
    for name, rank in verdict.ranks.items():
        managers.set_columns(tx, name, {"expiry_rank": rank})
    if verdict.owner != facts.owner:
        group = call.qmgr.sharing_group
        managers.set_expiry_owner(tx, group, verdict.owner)
        detail = {"from": facts.owner} if facts.owner else {}
        record_event(tx, call, "OWNER", owner=group, cause=cause, target=verdict.owner or None, detail=detail)
    return verdict.owner


# Report messages, and the queues for messages that were backed out too often.

DEAD_LETTER = "MQDEAD"
# The history's words for the amount of data in a report.
_AMOUNT = {"none": "plain", "some": "data", "full": "full"}


class _Original(NamedTuple):
    """The message that a report is about, with its remaining Expiry, and the queue that it was on with its owner."""

    descriptor: MessageDescriptor
    body: bytes
    left: int
    queue: str
    owner: str = ""


def confirm_arrival(call: CallContext, queue: QueueRow, arrival: Arrival, unit: int | None) -> Deliver:
    """The COA report, in the putter's unit of work."""
    descriptor = arrival.descriptor
    return _report(call, COA, _Original(descriptor, arrival.body, descriptor.expiry, queue.name, queue.owner), unit)


def confirm_move(call: CallContext, queue: QueueRow, message: StoredMessage) -> Deliver:
    """The COA report of a message that MOVE QLOCAL brought, which may have expired; outside any unit of work."""
    return _report(call, COA, _stored(call, queue, message), None)


def confirm_delivery(call: CallContext, queue: QueueRow, message: StoredMessage, unit: int | None) -> list[Deliver]:
    """The COD report, in the getter's unit of work; none for a message taken off a dead-letter queue."""
    return [] if message.format == DEAD_LETTER else [_report(call, COD, _stored(call, queue, message), unit)]


def report_expiry(call: CallContext, queue: QueueRow, message: StoredMessage) -> Deliver | None:
    """The expiration report that a discarded message asked for, outside any unit of work; None if it asked for none.

    A message on a transmission queue is reported by its embedded descriptor, as its sender knows it (expiry A4).
    """
    stored = _stored(call, queue, message)
    descriptor, body = without_transmission_header(stored.descriptor, stored.body)
    if not EXPIRATION.is_requested(descriptor.report) or not descriptor.reply_to_q:
        return None
    return _report(call, EXPIRATION, stored._replace(descriptor=descriptor, body=body), None)


def report_exception(
    call: CallContext, queue: str, message: Message, reason: int, unit: int | None, owner: str = ""
) -> Deliver:
    """The exception report about a message that its getter cannot process, in the getter's unit of work (backout J7).

    `owner` is the group of a shared queue.
    """
    descriptor = message.descriptor
    return _report(call, EXCEPTION, _Original(descriptor, message.body, descriptor.expiry, queue, owner), unit, reason)


def report_expired_on_the_way(call: CallContext, queue: str, message: Message, unit: int | None) -> Deliver:
    """The expiration report about a message that a channel brought too late, in its unit of work."""
    return _report(call, EXPIRATION, _Original(message.descriptor, message.body, 0, queue), unit)


def _stored(call: CallContext, queue: QueueRow, message: StoredMessage) -> _Original:
    left = remaining(message.expiry, message.put_at, call.now)
    return _Original(descriptor_of(message, call.now), message.body, left, queue.name, queue.owner)


def _report(call: CallContext, kind: ReportKind, original: _Original, unit: int | None, feedback: int = 0) -> Deliver:
    asked = original.descriptor
    made, data = rules.report_message(
        kind, asked, original.body, call.maker(), remaining=original.left, feedback=feedback
    )
    return Deliver(
        REPORT, asked.reply_to_q, asked.reply_to_q_mgr, made, data, cause=kind.name.lower(), about=original.queue,
        unit=unit, reason=made.feedback, owner=original.owner if original.owner != call.qmgr.name else "",
        detail={"original": asked.msg_id.hex(), "data": _AMOUNT[kind.data_requested(asked.report)]},
    )  # fmt: skip


# Where messages go that were backed out too often, as the definitions say now: BOTHRESH, BOQNAME and DEADQ.

_QLOCAL = KINDS["QLOCAL"]


class Target(NamedTuple):
    """A queue for such messages. `fault` is NOT_NAMED or LEADS_BACK when no put to it may be tried, else 0.

    `owner` is that of the local queue to which it leads; blank if there is none.
    """

    queue: str
    fault: int
    owner: str = ""


class BackoutSettings(NamedTuple):
    """BOTHRESH and BOQNAME of a local queue."""

    threshold: int
    backout_queue: Target


def backout_settings(tx: Queries, qmgr: ManagerRow, queue: str) -> BackoutSettings:
    """The settings of the local queue. A BOQNAME that leads back to it, directly or not, is of no use (poison B42)."""
    threshold, named = _attributes(tx, qmgr, queue)
    return BackoutSettings(threshold, Target(named, _leads_back(tx, qmgr, queue, named) if named else NOT_NAMED))


def dead_letter_target(tx: Queries, qmgr: ManagerRow, queue: str) -> Target:
    """The dead-letter queue for messages of a local queue, which cannot be that queue itself."""
    named = qmgr.dead_letter_queue
    if not named:
        return Target("", NOT_NAMED)
    local, owner = _local_queue(tx, qmgr, named)
    return Target(named, LEADS_BACK if local == queue else 0, owner)


def _leads_back(tx: Queries, qmgr: ManagerRow, queue: str, named: str) -> int:
    passed: set[str] = set()
    while named:
        local, _ = _local_queue(tx, qmgr, named)
        if local == queue:
            return LEADS_BACK
        if not local or local in passed:
            return 0
        passed.add(local)
        _, named = _attributes(tx, qmgr, local)
    return 0


def _local_queue(tx: Queries, qmgr: ManagerRow, name: str) -> tuple[str, str]:
    """The local queue that is the final destination of a put to `name`, and its owner; blank when there is none."""
    _, found = name_resolution.destination(tx, qmgr, name, "")
    return ("", "") if found is None or found.is_remote else (found.queue.name, found.queue.owner)


def _attributes(tx: Queries, qmgr: ManagerRow, queue: str) -> tuple[int, str]:
    """BOTHRESH and BOQNAME; (0, blank) for a queue that has been deleted."""
    found = objects.by_name(tx, qmgr.name, _QLOCAL.namespace, queue)
    if found is None and qmgr.sharing_group:
        found = objects.by_name(tx, qmgr.sharing_group, _QLOCAL.namespace, queue)
    if found is None:
        return 0, ""
    attributes = complete(_QLOCAL, found.attributes)
    return int(str(attributes["BOTHRESH"])), str(attributes["BOQNAME"])

"""Why a queue does or does not trigger."""

from __future__ import annotations

from msgspec import Struct, structs

from mqsc.store.admin.group_trigger_explanation import (
    MemberView,
    SharedInputHandle,
    decisions,
    input_handles,
    views,
)
from mqsc.store.admin.put_preview import PutPreview
from mqsc.store.admin.uncommitted_work import TRIGGER_MESSAGE, UncommittedWork, uncommitted_work
from mqsc.store.constants import MQRC
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.engine import delivery, name_resolution, recovery, stream_copies
from mqsc.store.engine.name_resolution import Destination, Size, Unresolved
from mqsc.store.engine.state import CallContext, QueueManagerState
from mqsc.store.engine.trigger_facts import Named, counted, own_facts, with_objects
from mqsc.store.engine.trigger_message import loop_note
from mqsc.store.error import required
from mqsc.store.headers import mqdlh, mqtm
from mqsc.store.rules import putting, trigger
from mqsc.store.rules.trigger.conditions import (
    CONDITIONS,
    TWO_OWNERS,
    ConditionResult,
    check,
    mqsc_name,
)
from mqsc.store.rules.trigger.facts import TriggerFacts, with_effective_type
from mqsc.store.rules.trigger.occasions import TriggerDecision
from mqsc.store.rules.trigger.outlook import Contents, Outlook, outlooks
from mqsc.store.sql import triggers
from mqsc.store.sql.rows import QueueRow
from mqsc.store.sqlite.queries import Queries


class Hypothetical(Struct, frozen=True):
    """A hypothetical put. A priority or persistence of None is the queue's own."""

    priority: int | None = None
    persistence: int | None = None
    syncpoint: bool = False
    length: int = 0


class PutForecast(Struct, frozen=True):
    """The result of a hypothetical put.

    `reason`: the MQRC that refuses it, or 0. `counts_as`: its effective priority. `lands_on`: the
    queue that its trigger message would go to, blank when there is none or it would be lost;
    `delivery_reason`: why that is not the initiation queue. `visible`: `at once`, `at the commit`,
    or blank. `kept`: it would survive a backout of the put. `trigger_off`: TRIGGER would be off
    afterwards.
    """

    put: Hypothetical
    reason: int
    counts_as: int
    triggers: bool
    cause: str
    lands_on: str
    delivery_reason: int
    visible: str
    kept: bool
    trigger_off: bool


class TriggerExplanation(Struct, frozen=True):
    """The conditions of a queue and what would trigger it next, at a moment (microseconds UTC).

    `notes` say how the name resolved; `warnings` what is wrong although no condition checks it.

    `messages` is n(Q): messages of effective priority TRIGMPRI or higher. `decision` is about a put
    now: the one asked about, or one of default priority; `put_reason` is the MQRC that refuses it,
    or 0. `conditions` are all fourteen, for that put and the present state of the queue.
    `uncommitted` is the work of open units of work that matters here.
    """

    asked_for: str
    queue: str
    notes: tuple[str, ...]
    warnings: tuple[str, ...]
    at: int
    depth: int
    messages: int
    last_trigger: int | None
    uncommitted: tuple[UncommittedWork, ...]
    decision: TriggerDecision
    put_reason: int
    conditions: tuple[ConditionResult, ...]
    outlooks: tuple[Outlook, ...]
    loop: str
    forecast: PutForecast | None
    queue_manager: str
    members: tuple[MemberView, ...]
    input_handles: tuple[SharedInputHandle, ...]

    @property
    def put_triggers(self) -> bool:
        """Whether the put would be accepted and make a trigger message."""
        return self.decision.fires and not self.put_reason

    @property
    def waiting(self) -> tuple[UncommittedWork, ...]:
        """The trigger messages that wait for the end of a unit of work."""
        return tuple(each for each in self.uncommitted if each.what == TRIGGER_MESSAGE)

    @property
    def only_waits_for_commit(self) -> bool:
        """Whether a trigger message will start a program as soon as its unit of work ends."""
        usable, monitor = (self.conditions[number - 1] for number in (7, 8))
        is_there = any(each.queue == monitor.object_name for each in self.waiting)
        return is_there and usable.met and monitor.met and not self.warnings


def explain(
    qmgr: QueueManagerState,
    name: str,
    hypothetical: Hypothetical | None = None,
) -> TriggerExplanation:
    """Every trigger condition of a queue with the values it read; for a hypothetical put also its
    result.

    An alias or a remote queue stands for the local queue that its messages go to. MQError as MQOPEN
    would give for a name that does not resolve, 2059 when the queue manager does not run. Dead
    programs are recovered first.
    """
    recovery.recover(qmgr.store)
    with qmgr.reading() as (reading, call):
        reason, destination = name_resolution.destination(reading, call.qmgr, name, "")
        destination = required(destination, reason, name)
        queue = destination.queue
        put = hypothetical or Hypothetical()
        facts, named, members = _facts(reading, call, destination, put)
        decision = trigger.occasions.decide(trigger.occasions.PUT, facts)
        repeats = triggers.repeats(reading, queue.id, qmgr.name)
        put_reason = _refusal(qmgr, name, destination, put)
        forecast = None
        if hypothetical is not None:
            forecast = _forecast(reading, call, put, facts, decision, put_reason)
            forecast = _as_in_group(forecast, members) if members else forecast
        contents = _contents(reading, call, queue)
        uncommitted = uncommitted_work(
            qmgr.store,
            reading,
            call,
            queue,
            trigger.occasions.counted_priority(facts),
        )
        handles = input_handles(qmgr.store, reading, queue, members) if members else ()
    return TriggerExplanation(
        asked_for=name,
        queue=queue.name,
        notes=_notes(destination),
        warnings=_warnings(queue, named),
        at=call.now,
        depth=queue.depth,
        messages=facts.messages,
        last_trigger=queue.last_trigger,
        uncommitted=uncommitted,
        decision=decision,
        put_reason=put_reason,
        conditions=tuple(
            check(condition, with_effective_type(facts)) for condition in CONDITIONS.values()
        ),
        outlooks=outlooks(facts, contents),
        loop=loop_note(repeats) if repeats > 1 else "",
        forecast=forecast,
        queue_manager=qmgr.name,
        members=members,
        input_handles=handles,
    )


def _facts(
    reading: Queries,
    call: CallContext,
    destination: Destination,
    put: Hypothetical,
) -> tuple[TriggerFacts, Named | None, tuple[MemberView, ...]]:
    """The facts by which the queue manager decides, the objects it finds, and every member's
    view of a shared queue.
    """
    queue = destination.queue
    counts_as = putting.rank(
        _priority(destination, put),
        fifo=bool(queue.fifo),
        default_priority=queue.default_priority,
    )
    members: tuple[MemberView, ...] = ()
    if queue.structure:
        found = decisions(reading, call, queue, counts_as)
        _, facts, named, _ = next(each for each in found if each.call.qmgr.name == call.qmgr.name)
        members = views(found, call.qmgr.name)
    else:
        facts = own_facts(
            call,
            queue,
            input_handles=queue.input_handles,
            last_trigger=queue.last_trigger,
            priority=counts_as,
        )
        facts = facts._replace(messages=counted(reading, queue, facts, queue.depth))
        facts, named = with_objects(reading, call, facts)
    if facts.initq and not facts.initq_exists:
        facts = facts._replace(initq_type=_type_of(reading, call, facts.initq))
    return facts, named, members


def _type_of(reading: Queries, call: CallContext, initq: str) -> str:
    """The reason why the name is not one local queue: its type, or its two owners; blank for an
    unknown name.
    """
    found = name_resolution.named(reading, call.qmgr, initq)
    if isinstance(found, Unresolved):
        return TWO_OWNERS if found.reason == MQRC.OBJECT_NOT_UNIQUE else ""
    return found.type


def _contents(reading: Queries, call: CallContext, queue: QueueRow) -> Contents:
    by_rank = triggers.committed_by_rank if queue.structure else triggers.counts_by_rank
    counts = by_rank(reading, queue.id)
    at_least = [
        sum(counts[each] for each in counts if each >= rank)
        for rank in range(putting.HIGHEST_PRIORITY + 1)
    ]
    admits = queue.put_enabled and not stream_copies.refusal(
        reading,
        call.qmgr,
        queue,
        [Size(queue.default_persistence, 0)],
    )
    return Contents(at_least, max(0, queue.max_depth - queue.depth) if admits else 0)


def _priority(destination: Destination, put: Hypothetical) -> int:
    """The put's priority, by default DEFPRTY of the object that it names."""
    return destination.opened.default_priority if put.priority is None else put.priority


def _notes(destination: Destination) -> tuple[str, ...]:
    """How the name resolved to the local queue, step by step."""
    names = [*(each.name for each in destination.resolved_through), destination.queue.name]
    kinds = {"QALIAS": "an alias of", "QREMOTE": "a remote queue, whose messages wait on"}
    steps = zip(destination.resolved_through, names[1:], strict=True)
    return tuple(f"{each.name} is {kinds[each.type]} {following}" for each, following in steps)


def _warnings(queue: QueueRow, named: Named | None) -> tuple[str, ...]:
    """What no condition checks: a process meets triggering C6 although it starts nothing.
    Channels need no program.
    """
    if (
        named is None
        or not named.process.name
        or queue.is_transmission
        or named.process.appl_id.strip()
    ):
        return ()
    name = named.process.name
    remedy = f"ALTER PROCESS({mqsc_name(name)}) APPLICID('<PROGRAM>')"
    return (
        f"PROCESS({name}) has a blank APPLICID, so its trigger messages start no program → "
        f"{remedy}",
    )


def _forecast(
    reading: Queries,
    call: CallContext,
    put: Hypothetical,
    facts: TriggerFacts,
    decision: TriggerDecision,
    reason: int,
) -> PutForecast:
    does_trigger = decision.fires and not reason
    lands_on, delivery_reason = _landing(reading, call, facts) if does_trigger else ("", 0)
    return PutForecast(
        put=put,
        reason=reason,
        counts_as=facts.priority or 0,
        triggers=does_trigger,
        cause=decision.cause if does_trigger else "",
        lands_on=lands_on,
        delivery_reason=delivery_reason,
        visible=_visible(put) if lands_on else "",
        kept=bool(lands_on) and put.syncpoint and decision.kept,
        trigger_off=not facts.trigger_on or (does_trigger and decision.switch_off),
    )


def _visible(put: Hypothetical) -> str:
    """When a trigger message about the put can be got."""
    return "at the commit" if put.syncpoint else "at once"


def _as_in_group(forecast: PutForecast, members: tuple[MemberView, ...]) -> PutForecast:
    """The forecast for a shared queue: no trigger message is in a unit, and any member's DEPTH
    switches TRIGGER off.
    """
    switched_off = any(each.would_trigger and each.trigger_type == "DEPTH" for each in members)
    is_off = forecast.trigger_off or (switched_off and not forecast.reason)
    return structs.replace(forecast, kept=False, trigger_off=is_off)


def _refusal(
    qmgr: QueueManagerState,
    name: str,
    destination: Destination,
    put: Hypothetical,
) -> int:
    """The MQRC that MQPUT would fail with, 0 for none."""
    persistence = (
        destination.opened.default_persistence if put.persistence is None else put.persistence
    )
    descriptor = MessageDescriptor(priority=_priority(destination, put), persistence=persistence)
    return PutPreview(qmgr).put(name, "", descriptor, put.length).failure


def _landing(reading: Queries, call: CallContext, facts: TriggerFacts) -> tuple[str, int]:
    """The queue that the trigger message would go to, and why it is not the initiation queue
    (triggering §5).
    """
    length = mqtm.MQTM.length
    reason, initiation = delivery.room_for(reading, call, facts.initq, "", Size(0, length))
    if initiation is not None:
        return initiation.queue.name, 0
    own = call.qmgr.dead_letter_queue
    letters = (
        delivery.room_for(reading, call, own, "", Size(0, length + mqdlh.MQDLH_LENGTH))[1]
        if own
        else None
    )
    return ("" if letters is None else letters.queue.name), reason


def is_initiation_queue(qmgr: QueueManagerState, name: str) -> bool:
    """Whether any queue names this one, or the queue behind this alias, as its initiation queue."""
    with qmgr.reading() as (reading, call):
        row = call.qmgr
        group = row.sharing_group or row.name
        destination = name_resolution.destination(reading, row, name, "")[1]
        if destination is None:
            return False
        queue = destination.queue
        return any(
            triggers.is_initiation_queue(reading, each, queue.name)
            for each in {qmgr.name, queue.owner, group}
        )

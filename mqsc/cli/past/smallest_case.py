"""The case: as little as possible at first, and made smaller as long as the message has the same
fate.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from mqsc.cli.past import case_reduction, case_steps
from mqsc.cli.past.case_translation import Translation, step_of
from mqsc.cli.past.message_fate import Fate, fate_of
from mqsc.console.target import CommandFailedError
from mqsc.scripts.export import ExportCommand, ExportSelection, export_commands
from mqsc.store.admin import expiry, message_trace, peeking, trigger_explanation
from mqsc.store.admin.event_search import EventSelection, events
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from mqsc.store.error import MQError
from mqsc.store.past import as_of, put_again, replay
from mqsc.store.past.calls import OF_HANDLES, RecordedCall, member_of, recorded_calls, still_open
from mqsc.store.rules.message_trace import Role, TracedEvent, TraceStep
from mqsc.testing import assert_dead_lettered, assert_expired, assert_triggered

# The number of the trigger condition about the initiation queue that a queue names.
_MONITOR = 8


def smallest_case(
    store: Store,
    msg_id: bytes,
    *,
    mask: bool,
    because_of: frozenset[bytes] = frozenset(),
) -> case_steps.Case:
    """The case of a message. CommandFailedError if the recorded calls do not lead to its fate
    again.

    `because_of`: messages that the queue manager made because of this one.
    """
    life = _life_of(store, msg_id)
    near = events(store, EventSelection(), first=max(1, min(life) - _MORE), last=max(life) + _MORE)
    around = list(recorded_calls(near))
    first = next((each for each in around if _has(each, msg_id)), None)
    origin = (
        next((each.msg_id for each in first.events if each.kind == "PUT"), None)
        if first is not None
        else None
    )
    if first is None or origin is None or origin in because_of:
        raise CommandFailedError(
            "the put of that message, or of the one that caused it, is not in the history",
        )
    if not any(each.msg_id == msg_id for each in first.events):
        # The queue manager made it because of another message.
        return smallest_case(store, origin, mask=mask, because_of=because_of | {msg_id})
    home = member_of(first.event)
    own = [
        each for each in around if min(life) <= each.events[-1].seq and each.event.seq <= max(life)
    ]
    calls = [each for each in own if member_of(each.event) == home]
    fate = fate_of(calls, msg_id)
    # The call that put the message may have put others before it, and puts them again.
    begin = min(*life, first.event.seq)
    definitions, before = _state_before(store, begin, first.event.at, home)
    put = next((each for each in fate.events if each.kind == "PUT"), None)
    if put is None:
        raise CommandFailedError(
            "the history has what became of that message, but not its put as a call of a program",
        )
    blocked = _blocked_at(store, put)
    known = put_again.MessagesPut(store, calls)
    with case_reduction.Trials() as trials:

        def is_such(tried: case_steps.Case) -> bool:
            fate_text = trials.result(tried, lambda qmgr, last: _fate_in(qmgr, last, msg_id))
            if not blocked:
                return bool(fate_text == fate.told)
            before = tried._replace(steps=_before_put(tried.steps, msg_id))
            return bool(
                fate_text == fate.told
                and trials.result(before, lambda qmgr, _: _blocked(qmgr, put)) == blocked,
            )

        for early, some in _levels(before, calls, fate):
            whole = case_steps.Case(
                definitions,
                tuple(Translation(known, mask=mask).steps([*early, *some])),
            )
            if is_such(whole):
                return _checked(
                    trials,
                    case_reduction.smaller(whole, is_such),
                    fate,
                    is_blocked=bool(blocked),
                )
    raise CommandFailedError(
        "the recorded calls do not lead to that again; it depends on something that the history "
        "does not have",
    )


def _life_of(store: Store, msg_id: bytes) -> list[int]:
    """The numbers of the events about a message; CommandFailedError if it has no event."""
    numbers = [
        step.event.seq
        for _, step in message_trace.life_of([store], msg_id).steps
        if _is_own(step, msg_id)
    ]
    if not numbers:
        raise CommandFailedError(
            "the history has nothing of that message; with ACCTQ(OFF), puts are not recorded",
        )
    return numbers


def _has(call: RecordedCall, msg_id: bytes) -> bool:
    return any(each.msg_id == msg_id for each in (*call.events, *call.caused))


def _is_own(step: TraceStep, msg_id: bytes) -> bool:
    # The events of a message on a transmission queue are about the message that it carries.
    return msg_id in (step.about, step.event.msg_id) or step.role is Role.UNIT


def _state_before(
    store: Store,
    seq: int,
    at: int,
    home: str,
) -> tuple[tuple[ExportCommand, ...], list[RecordedCall]]:
    """The definitions before an event, and the calls that had put the messages there and opened
    the handles.
    """
    with as_of.copy_as_of(store, as_of.moment_of_event(store, max(1, seq - 1))) as past:
        copy = replay.open_copy(str(past.file), at)
        try:
            qmgr = copy.queue_manager(home)
            return tuple(export_commands(qmgr, ExportSelection())), _before(store, qmgr, seq)
        finally:
            copy.close()


Calls = Sequence[RecordedCall]


def _levels(before: Calls, calls: Calls, fate: Fate) -> Iterator[tuple[Calls, Calls]]:
    """What to try, little first: the calls about the message, those on its queues, and all; with
    what was before.
    """
    queues = {each.queue for each in fate.events} | {each.target for each in fate.events}
    own = {each.seq for each in fate.events}
    about_it = (
        each for each in calls if own & {event.seq for event in (*each.events, *each.caused)}
    )
    yield [], [_without_other_messages(each, own) for each in about_it]
    yield (
        [each for each in before if each.event.queue in queues],
        [each for each in calls if _is_on(each, queues)],
    )
    yield before, calls


def _without_other_messages(call: RecordedCall, numbers: set[int]) -> RecordedCall:
    """A put of several messages with only those whose events have these numbers, if it has any."""
    if call.kind != "put":
        return call
    chosen = [each for each in call.events if each.seq in numbers]
    return call._replace(events=chosen or call.events)


def _blocked_at(store: Store, put: TracedEvent) -> frozenset[str]:
    """Why the trigger conditions did not hold that did not when a message was put."""
    with as_of.copy_as_of(store, as_of.moment_of_event(store, put.seq - 1)) as past:
        copy = replay.open_copy(str(past.file), put.at)
        try:
            return _blocked(copy.queue_manager(member_of(put)), put)
        finally:
            copy.close()


def _blocked(qmgr: QueueManager, put: TracedEvent) -> frozenset[str]:
    """Why trigger conditions do not hold for a put; nothing for a queue that names no initiation
    queue.
    """
    with suppress(MQError):
        explanation = trigger_explanation.explain(
            qmgr,
            put.queue or "",
            trigger_explanation.Hypothetical(put.priority, put.persistence),
        ).conditions
        if explanation[_MONITOR - 1].attribute == "IPPROCS":
            return frozenset(each.reason for each in explanation if not each.met)
    return frozenset()


def _before_put(steps: Sequence[case_steps.Step], msg_id: bytes) -> tuple[case_steps.Step, ...]:
    """The steps before the put of a message."""
    messages = (
        (place, each)
        for place, step in enumerate(steps)
        for each in step.args
        if isinstance(each, case_steps.NewObject)
    )
    put = (place for place, each in messages if each.data is not None and _id_of(each) == msg_id)
    return tuple(steps[: next(put, None)])


def _id_of(message: case_steps.NewObject) -> Any:
    return message.named["descriptor"].named.get("msg_id")


def _checked(
    trials: case_reduction.Trials,
    smallest: case_steps.Case,
    fate: Fate,
    *,
    is_blocked: bool,
) -> case_steps.Case:
    """The case with what the test asserts at the end."""
    checks = trials.result(smallest, lambda qmgr, _: _checks(qmgr, fate, is_blocked=is_blocked))
    return smallest._replace(steps=(*smallest.steps, *(checks or ())))


# Events before and after those of a message that may belong to the same calls.
_MORE = 50


def _is_on(call: RecordedCall, queues: set[str | None]) -> bool:
    every = (*call.events, *call.before, *call.caused)
    return call.kind == "ending" or any(
        each.queue in queues or each.target in queues for each in every
    )


def _fate_in(qmgr: QueueManager, last: int, msg_id: bytes) -> tuple[tuple[Any, ...], ...]:
    return fate_of(
        recorded_calls(events(qmgr.store, EventSelection(), first=last + 1)),
        msg_id,
    ).told


def _before(store: Store, qmgr: QueueManager, first: int) -> list[RecordedCall]:
    """The puts of messages that were on queues before an event, and the opens of handles, as far
    as still open then.
    """
    opened = still_open(events(store, EventSelection(kinds=OF_HANDLES), last=first - 1)).values()
    names = [each.name for each in expiry.matching_queues(qmgr, "*")]
    present = [
        each.descriptor
        for name in names
        for each in peeking.peek(qmgr, name)
        if not each.is_expired
    ]
    put: dict[tuple[bytes | None, int], TracedEvent | None] = {
        (each.msg_id, each.put_at or 0): None for each in present
    }
    # Dynamic queues, which an open makes.
    dynamic_definitions: dict[str | None, TracedEvent] = {}
    used = {each.queue for each in opened}
    for event in events(store, EventSelection(kinds=frozenset({"DEFINE", "PUT"})), last=first - 1):
        if event.kind == "PUT" and (event.msg_id, event.at) in put:
            put[event.msg_id, event.at] = event._replace(unit=None)
        elif event.kind == "DEFINE" and event.cause == "dynamic" and event.queue in used:
            dynamic_definitions[event.queue] = event
    of_messages = [put[each.msg_id, each.put_at or 0] for each in present]
    dynamic = {
        each.queue: dynamic_definitions[each.queue]
        for each in opened
        if each.queue in dynamic_definitions
    }
    needed = [*filter(None, of_messages), *dynamic.values(), *opened]
    needed = [each for each in needed if member_of(each) == qmgr.name]
    return list(recorded_calls(sorted(needed, key=lambda each: each.seq)))


def _checks(qmgr: QueueManager, fate: Fate, *, is_blocked: bool) -> list[case_steps.Step]:
    """What the test asserts at the end."""
    kinds = {each.kind: each for each in fate.events}
    put_on = [each.queue or "" for each in fate.events if each.kind == "PUT"]
    checks: list[case_steps.Step | None] = []
    if "EXPIRE" in kinds:
        checks.append(_check(qmgr, "assert_expired", assert_expired, kinds["EXPIRE"].queue))
    dead = kinds.get("DEAD_LETTER")
    if dead is not None and dead.queue:
        reason = {} if dead.reason is None else {"reason": dead.reason}
        checks.append(
            _check(qmgr, "assert_dead_lettered", assert_dead_lettered, dead.queue, **reason),
        )
    if "TRIGGER" in kinds:
        checks.append(_check(qmgr, "assert_triggered", assert_triggered, kinds["TRIGGER"].queue))
    elif is_blocked:
        checks.append(step_of("assert_triggered", put_on[0], {"count": 0}))
    checks.append(_check(qmgr, "assert_on_queue", _on_queue, put_on[-1]))
    return [each for each in checks if each is not None]


def _check(
    qmgr: QueueManager,
    method: str,
    count: Callable[..., Any],
    queue: str | None,
    **arguments: int,
) -> case_steps.Step | None:
    """The assertion of what a method counts now; None if there is nothing to count on, because a
    queue is deleted.
    """
    with suppress(MQError, AssertionError, ValueError):
        found = count(qmgr, queue or "", **arguments)
        number = found if isinstance(found, int) else len(found)
        return step_of(method, queue, {**arguments, "count": number})
    return None


def _on_queue(qmgr: QueueManager, queue: str) -> int:
    """How many messages a program could get."""
    return sum(not each.is_expired for each in peeking.peek(qmgr, queue))

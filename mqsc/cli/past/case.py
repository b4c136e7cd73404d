"""`mqsc case`: what became of a message, as a test with pytest or as a small store."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import click

from mqsc.cli.past import case_steps
from mqsc.console.inputs import InputError
from mqsc.console.options import Choices, command
from mqsc.console.parameters import FILE_PATH, MsgIdPrefix, iso
from mqsc.console.replaced_file import write_whole
from mqsc.console.target import CommandFailedError, failing, opened_queue_manager
from mqsc.console.text.reasons import counted
from mqsc.history.event_text import the_id
from mqsc.scripts.export import Definition, ExportCommand, ExportSelection, export_commands
from mqsc.scripts.export_output import one_line
from mqsc.store.admin import expiry, message_trace, put_preview, trigger_explanation
from mqsc.store.admin.event_search import EventSelection, events, last_event
from mqsc.store.admin.health import back_up
from mqsc.store.catalog import KINDS
from mqsc.store.client.api import QueueManager, Store, open_store
from mqsc.store.client.store_url import url_of_file
from mqsc.store.constants import MQGMO, MQMO, MQOO, MQPMO
from mqsc.store.environment import MICROSECONDS
from mqsc.store.error import MQError
from mqsc.store.past import as_of, put_again, replay
from mqsc.store.past.calls import (
    OF_HANDLES,
    RecordedCall,
    changed_attributes,
    member_of,
    recorded_calls,
    still_open,
)
from mqsc.store.rules.expiry import TENTH
from mqsc.store.rules.message_trace import Role, TracedEvent, TraceStep, skip_of
from mqsc.store.sql.rows import UNIT_BITS
from mqsc.testing import assert_dead_lettered, assert_expired, assert_triggered

# The events that say what became of a message.
_FATES = frozenset("PUT GET EXPIRE DISCARD DEAD_LETTER REQUEUE FORWARD COMMIT BACKOUT".split())
# What its calls may bring about besides.
_CAUSED = frozenset("TRIGGER TRIGGER_LOST REPORT REPORT_LOST DEAD_LETTER".split())
# What agents say about messages that they move; the puts and gets are recorded as well.
_SAID = frozenset({"handler", "command", "channel", "monitor"})
_UNKNOWN = b"x"
# The number of the trigger condition about the initiation queue that a queue names.
_MONITOR = 8


@command(common=("store", "qmgr", "quiet"))
@click.argument("message", metavar="MSGID|SEQ")
@click.option("--out", type=FILE_PATH, help="The file; .db makes a small store.")
@click.option("--mask", is_flag=True, help="Write x in place of all message data.")
def case(choices: Choices, message: str, out: Path | None, mask: bool) -> None:
    """Write a test that does again what happened to one message, with nothing that did not matter
    to it.

    MSGID is hexadecimal; the first digits are enough. SEQ is the number of an event about a
    message. The test has the definitions, the calls and the moves of the clock without which
    something else would have become of the message, which is found out by trying. It uses the
    pytest plugin of this package. Without --out it goes to standard output.
    """
    if out is not None and out.exists():
        raise CommandFailedError(f"{out} exists; remove it, or choose another name")
    with opened_queue_manager(choices) as qmgr, failing(as_of.NoSuchMomentError):
        msg_id = _msg_id(qmgr.store, message, choices)
        made = _made(qmgr.store, msg_id, mask=mask)
    title = f"What became of the message {msg_id.hex().upper()}; written by `mqsc case`."
    if out is None:
        click.echo(case_steps.source(made, title), nl=False)
    elif out.suffix == ".db":
        _keep(made, out)
    else:
        with failing(InputError):
            write_whole(out, case_steps.source(made, title).encode())
    if out is not None:
        counts = counted(len(made.definitions), "definition"), counted(len(made.steps), "step")
        choices.inform(f"mqsc: {out}: {' and '.join(counts)}")


def _keep(made: case_steps.Case, out: Path) -> None:
    """Make the small store, which appears when it is complete."""
    with TemporaryDirectory() as folder, open_store(url_of_file(Path(folder) / "case.db")) as small:
        case_steps.keep(made, small, "QM1")
        back_up(small, out.absolute(), kept=True)


def _msg_id(store: Store, given: str, choices: Choices) -> bytes:
    """The MsgId that begins so, or that of the message of an event."""
    if given.isdecimal() and 0 < int(given) <= last_event(store):
        event = next(events(store, EventSelection(), first=int(given), last=int(given)), None)
        if event is None:
            raise CommandFailedError(f"event {given} was archived and removed")
        if event.msg_id is None:
            raise CommandFailedError(f"event {given} is not about a message")
        return event.msg_id
    return the_id([store], MsgIdPrefix().convert(given, None, None), choices)


class Fate(NamedTuple):
    """What became of a message: its events, as far as they tell, in order."""

    told: tuple[tuple[Any, ...], ...]
    events: tuple[TracedEvent, ...]


def fate_of(calls: Iterable[RecordedCall], msg_id: bytes) -> Fate:
    """The fate of a message: events about it, ends of its units of work, and trigger messages
    and reports about it.
    """
    found: list[TracedEvent] = []
    units: set[int] = set()
    for call in calls:
        every = [*call.before, *call.events, *call.caused]
        mine = {each.seq for each in every if each.msg_id == msg_id}
        caused = {each.seq for each in call.caused if each.kind in _CAUSED} if mine else set()
        ends = {
            each.seq
            for each in call.events
            if each.kind in ("COMMIT", "BACKOUT") and each.unit in units
        }
        units |= {each.unit for each in every if each.seq in mine and each.unit is not None}
        skips = (skip_of(each.detail) for each in call.events if each.seq in ends)
        units |= {skip.unit for skip in skips if skip and skip.msg_id == msg_id}
        telling = (
            each for each in every if each.kind in _FATES | _CAUSED and each.cause not in _SAID
        )
        found += [each for each in telling if each.seq in mine | caused | ends]
    return Fate(
        tuple((each.kind, each.queue, each.target, each.reason) for each in found),
        tuple(found),
    )


# The case: as little as possible at first, and made smaller as long as the message has the same
# fate.


def _made(
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
    life = [
        step.event.seq
        for _, step in message_trace.life_of([store], msg_id).steps
        if _is_own(step, msg_id)
    ]
    if not life:
        raise CommandFailedError(
            "the history has nothing of that message; with ACCTQ(OFF), puts are not recorded",
        )
    found = events(store, EventSelection(), first=max(1, min(life) - _MORE), last=max(life) + _MORE)
    around = list(recorded_calls(found))
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
        return _made(store, origin, mask=mask, because_of=because_of | {msg_id})
    home = member_of(first.event)
    own = [
        each for each in around if min(life) <= each.events[-1].seq and each.event.seq <= max(life)
    ]
    calls = [each for each in own if member_of(each.event) == home]
    fate = fate_of(calls, msg_id)
    definitions, before = _state_before(store, min(life), first.event.at, home)
    put = next((each for each in fate.events if each.kind == "PUT"), None)
    if put is None:
        raise CommandFailedError(
            "the history has what became of that message, but not its put as a call of a program",
        )
    blocked = _blocked_at(store, put)
    known = put_again.MessagesPut(store, calls)
    with case_steps.Trials() as trials:

        def is_such(tried: case_steps.Case) -> bool:
            told = trials.result(tried, lambda qmgr, last: _fate_in(qmgr, last, msg_id))
            if not blocked:
                return bool(told == fate.told)
            before = tried._replace(steps=_before_put(tried.steps, msg_id))
            return bool(
                told == fate.told
                and trials.result(before, lambda qmgr, _: _blocked(qmgr, put)) == blocked,
            )

        for early, some in _levels(before, calls, fate):
            whole = case_steps.Case(
                definitions,
                tuple(_Translation(known, mask=mask).steps([*early, *some])),
            )
            if is_such(whole):
                return _checked(
                    trials,
                    case_steps.smaller(whole, is_such),
                    fate,
                    is_blocked=bool(blocked),
                )
    raise CommandFailedError(
        "the recorded calls do not lead to that again; it depends on something that the history "
        "does not have",
    )


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
    yield (
        [],
        [each for each in calls if own & {event.seq for event in (*each.events, *each.caused)}],
    )
    yield (
        [each for each in before if each.event.queue in queues],
        [each for each in calls if _is_on(each, queues)],
    )
    yield before, calls


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
        found = trigger_explanation.explain(
            qmgr,
            put.queue or "",
            trigger_explanation.Hypothetical(put.priority, put.persistence),
        ).conditions
        if found[_MONITOR - 1].attribute == "IPPROCS":
            return frozenset(each.reason for each in found if not each.met)
    return frozenset()


def _before_put(steps: Sequence[case_steps.Step], msg_id: bytes) -> tuple[case_steps.Step, ...]:
    """The steps before the put of a message."""
    messages = (
        (place, each)
        for place, step in enumerate(steps)
        for each in step.args
        if isinstance(each, case_steps.Made)
    )
    put = (place for place, each in messages if each.data is not None and _id_of(each) == msg_id)
    return tuple(steps[: next(put, None)])


def _id_of(message: case_steps.Made) -> Any:
    return message.named["descriptor"].named.get("msg_id")


def _checked(
    trials: case_steps.Trials,
    made: case_steps.Case,
    fate: Fate,
    *,
    is_blocked: bool,
) -> case_steps.Case:
    """The case with what the test asserts at the end."""
    checks = trials.result(made, lambda qmgr, _: _checks(qmgr, fate, is_blocked=is_blocked))
    return made._replace(steps=(*made.steps, *(checks or ())))


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
        for each in put_preview.peek(qmgr, name)
        if not each.is_expired
    ]
    put: dict[tuple[bytes | None, int], TracedEvent | None] = {
        (each.msg_id, each.put_at or 0): None for each in present
    }
    # Dynamic queues, which an open makes.
    made: dict[str | None, TracedEvent] = {}
    used = {each.queue for each in opened}
    for event in events(store, EventSelection(kinds=frozenset({"DEFINE", "PUT"})), last=first - 1):
        if event.kind == "PUT" and (event.msg_id, event.at) in put:
            put[event.msg_id, event.at] = event._replace(unit=None)
        elif event.kind == "DEFINE" and event.cause == "dynamic" and event.queue in used:
            made[event.queue] = event
    of_messages = [put[each.msg_id, each.put_at or 0] for each in present]
    dynamic = {each.queue: made[each.queue] for each in opened if each.queue in made}
    found = [*filter(None, of_messages), *dynamic.values(), *opened]
    found = [each for each in found if member_of(each) == qmgr.name]
    return list(recorded_calls(sorted(found, key=lambda each: each.seq)))


def _checks(qmgr: QueueManager, fate: Fate, *, is_blocked: bool) -> list[case_steps.Step]:
    """What the test asserts at the end."""
    kinds = {each.kind: each for each in fate.events}
    put_on = [each.queue or "" for each in fate.events if each.kind == "PUT"]
    found: list[case_steps.Step | None] = []
    if "EXPIRE" in kinds:
        found.append(_check(qmgr, "assert_expired", assert_expired, kinds["EXPIRE"].queue))
    dead = kinds.get("DEAD_LETTER")
    if dead is not None and dead.queue:
        reason = {} if dead.reason is None else {"reason": dead.reason}
        found.append(
            _check(qmgr, "assert_dead_lettered", assert_dead_lettered, dead.queue, **reason),
        )
    if "TRIGGER" in kinds:
        found.append(_check(qmgr, "assert_triggered", assert_triggered, kinds["TRIGGER"].queue))
    elif is_blocked:
        found.append(_step("assert_triggered", put_on[0], {"count": 0}))
    found.append(_check(qmgr, "assert_on_queue", _on_queue, put_on[-1]))
    return [each for each in found if each is not None]


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
        return _step(method, queue, {**arguments, "count": number})
    return None


def _on_queue(qmgr: QueueManager, queue: str) -> int:
    """How many messages a program could get."""
    return sum(not each.is_expired for each in put_preview.peek(qmgr, queue))


def _step(method: str, queue: str | None, named: Mapping[str, Any]) -> case_steps.Step:
    return case_steps.Step(
        method,
        (case_steps.Variable(case_steps.QUEUE_MANAGER), queue),
        named=named,
    )


class _Translation:
    """Turns recorded calls into steps."""

    def __init__(self, known: put_again.MessagesPut, *, mask: bool) -> None:
        self._known = known
        self._mask = mask
        self._connections: dict[int, str] = {}
        self._handles: dict[int, str] = {}
        # By connection and queue, the variable that gets its messages.
        self._sources: dict[tuple[int | None, str | None], str] = {}
        self._moved: set[tuple[int | None, bytes | None]] = set()
        self._put_here: set[bytes | None] = set()
        self._number = 0
        self._at: int | None = None

    def steps(self, calls: Sequence[RecordedCall]) -> Iterator[case_steps.Step]:
        """The steps of the calls, and of the time between them."""
        outcomes = [each for call in calls if call.kind == "ending" for each in call.before]
        self._moved = {(each.unit, each.msg_id) for each in outcomes if each.cause == "poison"}
        made = {
            each.msg_id
            for call in calls
            for each in call.caused
            if (each.kind, each.cause) == ("PUT", None)
        }
        self._put_here = {
            each.msg_id for call in calls if call.kind == "put" for each in call.events
        } - made
        for call in calls:
            steps = list(_STEPS[call.kind](self, call)) if call.kind in _STEPS else []
            if not steps:
                continue
            yield from self._wait(call.event.at)
            yield from steps

    def _wait(self, at: int) -> Iterator[case_steps.Step]:
        was, self._at = self._at, at
        if was is not None and at > was:
            yield case_steps.Step(
                "advance",
                ((at - was) / MICROSECONDS,),
                case_steps.CLOCK,
                note=f"{iso(at)[:19]}Z",
            )

    def _new(self, what: str) -> str:
        self._number += 1
        return f"{what}_{self._number}"

    def _connection(self, event: TracedEvent) -> Iterator[case_steps.Step]:
        number = event.connection or 0
        if number not in self._connections:
            self._connections[number] = self._new("connection")
            yield case_steps.Step(
                "connect",
                (event.application or "",),
                case_steps.QUEUE_MANAGER,
                into=self._connections[number],
            )

    def _open(self, call: RecordedCall) -> Iterator[case_steps.Step]:
        event = call.event
        yield from self._connection(event)
        handle = self._handles[event.detail["handle"]] = self._new("queue")
        self._sources[event.connection, event.queue] = handle
        model = next((each.rule for each in call.before if each.kind == "DEFINE"), None)
        options = case_steps.Flags("MQOO", int(event.detail["options"]))
        named = {"dynamic_name": event.queue} if model else {}
        on = self._connections[event.connection or 0]
        yield case_steps.Step("open", (model or event.queue, options), on, named, into=handle)

    def _put(self, call: RecordedCall) -> Iterator[case_steps.Step]:
        for event in call.events:
            if (event.unit, event.msg_id) in self._moved:
                continue
            yield from self._connection(event)
            descriptor, body = self._known.message(event)
            body = _UNKNOWN * len(body) if self._mask or not any(body) else body
            fields = {
                word: getattr(descriptor, word)
                for word in _FIELDS
                if getattr(descriptor, word) != _FIELDS[word]
            }
            if event.expires_at is not None and event.put_at is not None:
                fields["expiry"] = max(1, (event.expires_at - event.put_at) // TENTH)
            message = case_steps.Made(
                "Message",
                {"descriptor": case_steps.Made("MessageDescriptor", fields)},
                body,
            )
            options = case_steps.Made(
                "PutMessageOptions",
                {"options": case_steps.Flags("MQPMO", int(MQPMO.SYNCPOINT))},
            )
            args = (event.queue, message) if event.unit is None else (event.queue, message, options)
            yield case_steps.Step("put1", args, self._connections[event.connection or 0])

    def _get(self, call: RecordedCall) -> Iterator[case_steps.Step]:
        event = call.event
        yield from self._connection(event)
        on, key = self._connections[event.connection or 0], (event.connection, event.queue)
        if (event.unit, event.msg_id) in self._moved:
            consumer = self._new("consumer")
            yield case_steps.Step("consumer", (event.queue,), on, {"wait": 0}, into=consumer)
            yield case_steps.Step("receive", (), consumer, expected=None)
            return
        if key not in self._sources:
            self._sources[key] = self._new("queue")
            yield case_steps.Step(
                "open",
                (event.queue, case_steps.Flags("MQOO", int(MQOO.INPUT_SHARED))),
                on,
                into=self._sources[key],
            )
        asked = MQGMO.NO_SYNCPOINT if event.unit is None else MQGMO.SYNCPOINT
        if event.detail.get("mark"):
            asked |= MQGMO.MARK_SKIP_BACKOUT
        # A message that the queue manager makes has another MsgId each time.
        msg_id = event.msg_id if event.msg_id in self._put_here else None
        chosen = {"match_options": int(MQMO.MATCH_MSG_ID), "msg_id": msg_id} if msg_id else {}
        options = case_steps.Made(
            "GetMessageOptions",
            {"options": case_steps.Flags("MQGMO", int(asked)), **chosen},
        )
        yield case_steps.Step("get", (options,), self._sources[key], expected=msg_id or b"")

    def _end(self, call: RecordedCall) -> Iterator[case_steps.Step]:
        for event in call.events:
            if event.kind == "CLOSE" and event.detail["handle"] in self._handles:
                handle = self._handles.pop(event.detail["handle"])
                self._sources = {key: each for key, each in self._sources.items() if each != handle}
                yield case_steps.Step("close", (), handle)
            owner = self._connections.get((event.unit or 0) >> UNIT_BITS)
            if owner is not None and event.kind in ("COMMIT", "BACKOUT"):
                method = (
                    "abend"
                    if event.cause == "abend"
                    else {"COMMIT": "commit"}.get(event.kind, "back")
                )
                yield case_steps.Step(method, (), owner)

    def _expire(self, _: RecordedCall) -> Iterator[case_steps.Step]:
        yield case_steps.Step(
            "run",
            (case_steps.Variable(case_steps.QUEUE_MANAGER), "REFRESH QMGR TYPE(EXPIRY)"),
        )

    def _command(self, call: RecordedCall) -> Iterator[case_steps.Step]:
        text = _mqsc(call.event)
        if text:
            yield case_steps.Step("run", (case_steps.Variable(case_steps.QUEUE_MANAGER), text))

    def _stop(self, _: RecordedCall) -> Iterator[case_steps.Step]:
        self._connections, self._handles, self._sources = {}, {}, {}
        yield case_steps.Step("end", (), case_steps.QUEUE_MANAGER, {"immediate": True})

    def _start(self, _: RecordedCall) -> Iterator[case_steps.Step]:
        yield case_steps.Step("start", (), case_steps.QUEUE_MANAGER)


_STEPS: Mapping[str, Any] = {
    "open": _Translation._open,
    "put": _Translation._put,
    "get": _Translation._get,
    "ending": _Translation._end,
    "look": _Translation._expire,
    "scan": _Translation._expire,
    "define": _Translation._command,
    "change": _Translation._command,
    "delete": _Translation._command,
    "clear": _Translation._command,
    "move": _Translation._command,
    "end": _Translation._stop,
    "start": _Translation._start,
}
# The fields of a descriptor that may matter, with what they are if nothing is said.
_FIELDS: Mapping[str, Any] = {
    "msg_id": b"",
    "correl_id": bytes(24),
    "priority": 0,
    "persistence": 0,
    "format": "",
    "report": 0,
    "reply_to_q": "",
}


def _mqsc(event: TracedEvent) -> str:
    """The command of an event about a definition or a queue; blank for one without effect on
    messages.
    """
    if event.kind == "CLEAR":
        return f"CLEAR QLOCAL({event.queue})"
    if event.kind == "MOVE":
        return f"MOVE QLOCAL({event.queue}) TOQLOCAL({event.target})"
    kind = KINDS.get(event.target or "QLOCAL")
    if kind is None or kind.identity or kind.keyword == "AUTHREC":
        return ""
    verb = {"SET": "ALTER"}.get(event.kind, event.kind)
    values = (
        {}
        if verb == "DELETE"
        else {word: after for word, (_, after) in changed_attributes(event.detail).items()}
    )
    known = {word: row for word, row in kind.attributes.items() if not row.secret}
    shown = {word: each for word, each in values.items() if word in known}
    definition = Definition(kind, "" if kind.keyword == "QMGR" else event.queue or "", shown)
    return one_line(ExportCommand(verb, definition, shown))

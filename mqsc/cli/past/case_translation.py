"""Recorded calls as steps of a test case."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mqsc.cli.past import case_steps
from mqsc.console.parameters import iso
from mqsc.scripts.export import Definition, ExportCommand
from mqsc.scripts.export_output import one_line
from mqsc.store.catalog import KINDS
from mqsc.store.constants import MQGMO, MQMO, MQOO, MQPMO
from mqsc.store.environment import MICROSECONDS
from mqsc.store.past import put_again
from mqsc.store.past.calls import RecordedCall, changed_attributes
from mqsc.store.rules.expiry import TENTH
from mqsc.store.rules.message_trace import TracedEvent
from mqsc.store.sql.rows import UNIT_BITS

_UNKNOWN = b"x"


def step_of(method: str, queue: str | None, named: Mapping[str, Any]) -> case_steps.Step:
    return case_steps.Step(
        method,
        (case_steps.Variable(case_steps.QUEUE_MANAGER), queue),
        named=named,
    )


class Translation:
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
        made_by_queue_manager = {
            each.msg_id
            for call in calls
            for each in call.caused
            if (each.kind, each.cause) == ("PUT", None)
        }
        self._put_here = {
            each.msg_id for call in calls if call.kind == "put" for each in call.events
        } - made_by_queue_manager
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
            message = case_steps.NewObject(
                "Message",
                {"descriptor": case_steps.NewObject("MessageDescriptor", fields)},
                body,
            )
            options = case_steps.NewObject(
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
        get_options = MQGMO.NO_SYNCPOINT if event.unit is None else MQGMO.SYNCPOINT
        if event.detail.get("mark"):
            get_options |= MQGMO.MARK_SKIP_BACKOUT
        # A message that the queue manager makes has another MsgId each time.
        msg_id = event.msg_id if event.msg_id in self._put_here else None
        chosen = {"match_options": int(MQMO.MATCH_MSG_ID), "msg_id": msg_id} if msg_id else {}
        options = case_steps.NewObject(
            "GetMessageOptions",
            {"options": case_steps.Flags("MQGMO", int(get_options)), **chosen},
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
        self._connections = {}
        self._handles = {}
        self._sources = {}
        yield case_steps.Step("end", (), case_steps.QUEUE_MANAGER, {"immediate": True})

    def _start(self, _: RecordedCall) -> Iterator[case_steps.Step]:
        yield case_steps.Step("start", (), case_steps.QUEUE_MANAGER)


_STEPS: Mapping[str, Any] = {
    "open": Translation._open,
    "put": Translation._put,
    "get": Translation._get,
    "ending": Translation._end,
    "look": Translation._expire,
    "scan": Translation._expire,
    "define": Translation._command,
    "change": Translation._command,
    "delete": Translation._command,
    "clear": Translation._command,
    "move": Translation._command,
    "end": Translation._stop,
    "start": Translation._start,
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

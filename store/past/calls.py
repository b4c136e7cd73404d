"""The calls and commands that caused the events of a history, and what each of them brought about.

Browses and calls that failed are not recorded, nor are the options of a get: `store.past.replay`
finds out whether it took the first message of its queue.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from mqsc.store.rules.message_trace import TracedEvent

# How events belong together: an event begins a call, or comes before the event that its call is
# about, or the call before it brought it about.
BEGINS = "begins"
BEFORE = "before"
CAUSED = "caused"


class Role(NamedTuple):
    """What an event with one of these causes, or with any if there are none, is to a call; the
    kind of the call if it begins one.
    """

    role: str
    call: str = ""
    causes: frozenset[str] = frozenset()


# By the kind of the event; the first role for its cause decides.
_ROLES: Mapping[str, tuple[Role, ...]] = {
    "PUT": (
        Role(CAUSED, causes=frozenset({"stream"})),
        Role(BEGINS, "put"),
    ),
    "GET": (Role(BEGINS, "get"),),
    "EXPIRE": (
        Role(BEFORE, causes=frozenset({"restart"})),
        Role(BEGINS, "scan", causes=frozenset({"interval", "refresh"})),
        Role(BEGINS, "look"),
    ),
    "OPEN": (Role(BEGINS, "open"),),
    "CLOSE": (Role(BEGINS, "ending"),),
    "RECOVER": (Role(BEGINS, "ending"),),
    "COMMIT": (Role(BEGINS, "ending"),),
    "BACKOUT": (
        Role(BEFORE, causes=frozenset({"broken", "restart"})),
        Role(BEGINS, "ending"),
    ),
    "DISCARD": (Role(BEFORE),),
    "REQUEUE": (Role(BEFORE),),
    "FORWARD": (Role(BEFORE),),
    "DEAD_LETTER": (
        Role(BEFORE, causes=frozenset({"channel", "command", "monitor", "poison"})),
        Role(BEGINS, "report", causes=frozenset({"exception"})),
    ),
    "REPORT": (Role(BEGINS, "report", causes=frozenset({"exception"})),),
    "REPORT_LOST": (Role(BEGINS, "report", causes=frozenset({"exception"})),),
    "DEFINE": (
        Role(BEFORE, causes=frozenset({"dynamic"})),
        Role(CAUSED, causes=frozenset({"create", "refresh"})),
        Role(BEGINS, "define"),
    ),
    "ALTER": (
        Role(CAUSED, causes=frozenset({"leave", "refresh"})),
        Role(BEGINS, "change"),
    ),
    "SET": (
        Role(CAUSED, causes=frozenset({"depth"})),
        Role(BEGINS, "change"),
    ),
    "DELETE": (
        Role(CAUSED, causes=frozenset({"dynamic", "leave", "refresh"})),
        Role(BEGINS, "delete"),
    ),
    "CLEAR": (
        Role(CAUSED, causes=frozenset({"dynamic"})),
        Role(BEFORE, causes=frozenset({"purge"})),
        Role(BEGINS, "note", causes=frozenset({"channel"})),
        Role(BEGINS, "clear"),
    ),
    "MOVE": (Role(BEGINS, "move"),),
    "CLOCK": (Role(BEGINS, "clock"),),
    "CREATE": (Role(BEGINS, "create"),),
    "JOIN": (Role(BEGINS, "join"),),
    "LEAVE": (Role(BEGINS, "leave"),),
    "START": (Role(BEGINS, "start"),),
    "END": (Role(BEGINS, "end"),),
    "PROGRAM": (Role(BEGINS, "note"),),
    "CHANNEL": (Role(BEGINS, "note"),),
    "REFUSE": (Role(BEGINS, "note"),),
}
# Calls whose events, of one moment and one cause, are those of one call.
_TOGETHER = frozenset({"put", "look", "scan", "clear"})
# Events of the end of a program or unit of work, by the one before them; a backout only of a
# program that died.
_ENDS: Mapping[str, frozenset[str]] = {
    "RECOVER": frozenset({"BACKOUT", "CLOSE"}),
    "BACKOUT": frozenset({"BACKOUT", "CLOSE"}),
    "CLOSE": frozenset({"CLOSE", "COMMIT"}),
}
# Calls after which the clock shows another time.
_OF_CLOCKS = frozenset({"create", "clock"})
# What an agent did with a message: in a unit of work, its commit records it.
_OUTCOMES = frozenset({"DISCARD", "REQUEUE", "FORWARD", "DEAD_LETTER", "EXPIRE"})
_OF_AGENTS = frozenset({"handler", "command", "poison", "channel", "monitor"})
_OF_CHANNELS = "SYSTEM.ADMIN.CHANNEL.EVENT"
_OF_ENDS = "SYSTEM.ADMIN.QMGR.EVENT"
# A message that the queue manager makes is announced by one of these.
_ANNOUNCE = frozenset({"TRIGGER", "REPORT", "DEAD_LETTER"})


class RecordedCall(NamedTuple):
    """A call: its kind, the events that it is about, those recorded just before them, and what it
    brought about.

    An `ending` is of units of work and handles. A `note` only tells what happened outside the
    store.
    """

    kind: str
    events: list[TracedEvent]
    before: list[TracedEvent]
    caused: list[TracedEvent]

    @property
    def event(self) -> TracedEvent:
        """The first of its events."""
        return self.events[0]


def member_of(event: TracedEvent) -> str:
    """The queue manager at which it happened: of a shared queue the member, not the group."""
    return str(event.detail.get("member", event.qmgr))


def changed_attributes(detail: Mapping[str, Any]) -> dict[str, list[Any]]:
    """The attributes in the detail of an event about a definition, each before and after."""
    return {
        word: pair for word, pair in detail.items() if isinstance(pair, list) and word.isupper()
    }


# The kinds of events that `still_open` needs.
OF_HANDLES = frozenset({"OPEN", "CLOSE", "END"})


def still_open(events: Iterable[TracedEvent]) -> dict[int, TracedEvent]:
    """The OPEN events of the handles that are open after these events, by the number of the
    handle.
    """
    opened: dict[int, TracedEvent] = {}
    for event in events:
        if event.kind == "OPEN":
            opened[event.detail["handle"]] = event
        elif event.kind == "CLOSE":
            opened.pop(event.detail["handle"], None)
        elif event.kind == "END":
            opened = {
                number: each for number, each in opened.items() if member_of(each) != event.qmgr
            }
    return opened


def recorded_calls(events: Iterable[TracedEvent]) -> Iterator[RecordedCall]:
    """The calls, in order; events without the call that they belong to come as a `note`."""
    call: RecordedCall | None = None
    before: list[TracedEvent] = []
    # What happened to messages of open units of work, which the commit records just before its own
    # event.
    outcomes: dict[int, list[TracedEvent]] = {}
    announced: set[bytes] = set()
    for event in events:
        if event.kind in _ANNOUNCE and event.msg_id is not None:
            announced.add(event.msg_id)
        role, kind = _role(event, announced)
        if role == BEFORE and event.kind in _OUTCOMES and event.unit is not None:
            outcomes.setdefault(event.unit, []).append(event)
            continue
        if event.kind == "COMMIT" and event.unit in outcomes:
            before = [*before, *outcomes.pop(event.unit)]
        if role == BEGINS and call is not None and not before and _goes_on(call, kind, event):
            call.events.append(event)
        elif role == BEGINS:
            if call is not None:
                yield call
            call = RecordedCall(kind, [event], before, [])
            before = []
            announced = set()
        elif role == BEFORE or call is None or before or not _is_of(call, event):
            before.append(event)
        else:
            call.caused.append(event)
    if call is not None:
        yield call
    before += [outcome for of_unit in outcomes.values() for outcome in of_unit]
    if before:
        yield RecordedCall("note", before, [], [])


def _role(event: TracedEvent, announced: set[bytes]) -> tuple[str, str]:
    if event.kind == "PUT" and _is_made(event, announced):
        # A channel asks for its event messages in transactions of their own.
        is_asked_for = event.queue == _OF_CHANNELS and event.connection is None
        return (BEGINS, "event message") if is_asked_for else (CAUSED, "")
    if event.kind == "CLOSE" and event.connection is None:
        # Of a connection that the end or the start of the queue manager breaks.
        return BEFORE, ""
    if (
        event.kind == "EXPIRE"
        and event.cause == "channel"
        and (event.unit is not None or event.put_at is None)
    ):
        # A channel found it on the way.
        return (BEGINS, "note") if event.unit is None else (BEFORE, "")
    if event.kind in _OUTCOMES - {"EXPIRE"} and event.unit is None and event.cause in _OF_AGENTS:
        return BEGINS, "note"
    for each in _ROLES.get(event.kind, ()):
        if not each.causes or event.cause in each.causes:
            return each.role, each.call
    return CAUSED, ""


def _is_made(event: TracedEvent, announced: set[bytes]) -> bool:
    """Whether the queue manager put it: a trigger message, a report, a dead letter of these, or
    an event message.
    """
    if announced and (event.msg_id in announced or event.correl_id in announced):
        return True
    queue = event.queue or ""
    is_event = queue.startswith("SYSTEM.ADMIN.") and queue.endswith(".EVENT")
    return is_event and event.put_application == member_of(event)[:28]


def _is_of(call: RecordedCall, event: TracedEvent) -> bool:
    """Whether a call can have brought an event about: both are of one transaction."""
    if call.kind == "note":
        return call.event.at == event.at
    if event.queue == _OF_ENDS and event.connection is None and call.kind != "start":
        # The message about the end of a queue manager comes before it.
        return False
    return (call.event.at, call.event.connection) == (
        event.at,
        event.connection,
    ) or call.kind in _OF_CLOCKS


def _goes_on(call: RecordedCall, kind: str, event: TracedEvent) -> bool:
    """Whether an event belongs to the same call as the one before it."""
    last = call.events[-1]
    if (
        call.kind != kind
        or call.caused
        or (last.connection, last.at) != (event.connection, event.at)
    ):
        # Reports come between the expired messages of a scan.
        return call.kind == kind == "scan" and (last.at, last.cause) == (event.at, event.cause)
    if kind == "ending":
        return event.kind in _ENDS.get(last.kind, ()) and (
            last.kind != "BACKOUT" or last.cause == "abend"
        )
    same = (last.queue, last.unit, last.cause, last.qmgr) == (
        event.queue,
        event.unit,
        event.cause,
        event.qmgr,
    )
    return kind in _TOGETHER and (same or kind == "scan")

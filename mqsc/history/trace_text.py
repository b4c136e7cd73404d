"""The life of a message as text and as data."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mqsc.console.json_rows import picked
from mqsc.console.parameters import iso, iso_or_none
from mqsc.console.terminal import printable, wrapped
from mqsc.history.event_text import DETAILS, EVENT_KINDS, reason_of, row_of, who
from mqsc.store.admin.message_trace import MessageLife, PlacedMessage
from mqsc.store.published import KINDS
from mqsc.store.rules.message_trace import PUBLICATION, Role, TraceStep

# From this width, the queue manager is between the time and the text, and further lines of the text
# are indented.
WIDE = 80
GAP = "  "

# Texts of steps by the role of the message; the fields of the event are filled in.
_WHAT: Mapping[str, str] = {kind: row.in_trace for kind, row in EVENT_KINDS.items() if row.in_trace}
_BATCHES: Mapping[str, str] = {
    "batch": "channel {target}: batch committed",
    "in-doubt": "channel {target}: batch in doubt",
    "resolved": "channel {target}: batch in doubt resolved",
}
_SUBJECT: Mapping[Role, str] = {Role.REPORT: "report ", Role.REPLY: "reply ", Role.COPY: "copy "}
_STATES = {
    "AVAILABLE": "",
    "PUT": ", put by an open unit of work",
    "GOT": ", got by an open unit of work",
}


def what_happened(step: TraceStep) -> str:
    """A step of the life in a few words."""
    event = step.event
    words = _BATCHES.get(event.cause or "") if event.kind == "CHANNEL" else _WHAT.get(event.kind)
    text = (words or event.kind.lower()).format(
        queue=event.queue or "?",
        target=event.target or "?",
    )
    is_copy = event.cause in ("stream", PUBLICATION) and step.role is not Role.COPY
    if is_copy:
        text = f"copy {text}"
    after = (
        " for transmission"
        if step.role is Role.TRANSMISSION and event.kind in ("PUT", "GET")
        else ""
    )
    return f"{_subject(step)}{text}{after}"


def _subject(step: TraceStep) -> str:
    if step.event.kind in ("REPORT", "REPORT_LOST"):
        return f"{step.event.cause} report "
    return _SUBJECT.get(step.carried or step.role, "")


def _facts(step: TraceStep) -> Iterator[str]:
    """The other facts about the step: cause, reason, destination, identifiers, program and user."""
    event = step.event
    # The text of a batch says it already.
    if event.cause and event.kind != "CHANNEL":
        yield KINDS[event.kind].causes.get(event.cause, event.cause)
    if event.reason:
        yield reason_of(event)
    for key, words in DETAILS.items():
        if event.detail.get(key) not in (None, ""):
            yield words(event.detail)
    if step.role in (Role.REPORT, Role.REPLY, Role.COPY) and event.kind in _BIRTHS and step.about:
        yield f"MsgId {_hex(step.about)}"
    yield who(event)


# Events with which a report or reply enters the life; later ones do not repeat its MsgId.
_BIRTHS = frozenset({"PUT", "REPORT", "REPORT_LOST"})


def life_lines(life: MessageLife, stores: Sequence[str], width: int) -> Iterator[str]:
    """The life as lines of at most `width`: what is traced, the steps in order, and where the
    message is now.
    """
    yield from wrapped(f"Message {_hex(life.msg_id)}", width, hanging=GAP)
    if life.carrier is not None:
        yield from wrapped(
            f"{_hex(life.carrier)} carried it on a transmission queue.",
            width,
            hanging=GAP,
        )
    for msg_id in life.carried:
        yield from wrapped(
            f"Several messages have this MsgId; one carried {_hex(msg_id)} on a transmission "
            "queue.",
            width,
            hanging=GAP,
        )
    labels = _labels(life)
    if len(stores) > 1:
        for (store, _), label in labels.items():
            yield from wrapped(printable(f"{label} in {stores[store]}"), width, hanging=GAP)
    column = max(map(len, labels.values()), default=0)
    day = ""
    for store, step in life.steps:
        date, _, time = iso(step.event.at).removesuffix("Z").partition("T")
        if date != day:
            day = date
            yield f"{date} UTC"
        yield from _step_lines(time, labels[store, step.event.qmgr], step, column, width)
    yield from _now_lines(life, stores, labels, width)


def _labels(life: MessageLife) -> dict[tuple[int, str], str]:
    """The name of each queue manager by store and name, with the number of the store if others
    have that name.
    """
    places = [(store, step.event.qmgr) for store, step in life.steps]
    places += [(each.store, each.qmgr) for each in life.there]
    names = Counter(name for _, name in set(places))
    return {
        (store, name): name if names[name] == 1 else f"{name} ({store + 1})"
        for store, name in places
    }


def _step_lines(time: str, label: str, step: TraceStep, column: int, width: int) -> Iterator[str]:
    facts = [printable(fact) for fact in _facts(step)]
    head = f"{time:<15}{GAP}{label:<{column}}{GAP}"
    if width < WIDE:
        yield from wrapped(printable(f"{time}{GAP}{label}"), width, hanging=GAP)
        yield from wrapped(printable(what_happened(step)), width, GAP, hanging=GAP * 2)
        indent = GAP * 2
    else:
        indent = " " * len(head)
        yield from wrapped(
            printable(f"{head}{what_happened(step)}"),
            width,
            hanging=f"{indent}{GAP}",
        )
    for fact in facts:
        yield from wrapped(fact, width, indent, hanging=f"{indent}{GAP}")


def _now_lines(
    life: MessageLife,
    stores: Sequence[str],
    labels: Mapping[tuple[int, str], str],
    width: int,
) -> Iterator[str]:
    for place in life.there:
        subject = {Role.TRANSMISSION: "for transmission "}.get(
            place.role,
            _SUBJECT.get(place.role, ""),
        )
        where = (
            f"Now: {subject}on {place.queue} of {labels[place.store, place.qmgr]}{_state(place)}"
        )
        expiry = f", expires {iso(place.expires_at)}" if place.expires_at is not None else ""
        yield from wrapped(printable(f"{where}{expiry}"), width, hanging=GAP)
    if not life.there:
        yield "Now: on no queue of these stores." if len(stores) > 1 else "Now: on no queue."
    if not life.is_complete:
        yield from wrapped(
            "There are more reports, replies and copies, whose MsgIds were not followed.",
            width,
            hanging=GAP,
        )


def _state(placed: PlacedMessage) -> str:
    held = _STATES[placed.state]
    return (
        held
        if placed.in_doubt is None
        else f"{held.replace('an open', 'a')} in doubt, {placed.in_doubt}"
    )


def life_rows(life: MessageLife, stores: Sequence[str]) -> Iterator[dict[str, Any]]:
    """A row for each step, in order; then one of the kind THERE for each message that is on a
    queue now.
    """
    for store, step in life.steps:
        yield {
            "store": stores[store],
            "role": step.role.value,
            "about": None if step.about is None else step.about.hex(),
            "what": what_happened(step),
            **row_of(step.event),
        }
    for copy in life.there:
        yield {
            "store": stores[copy.store],
            "role": copy.role.value,
            "about": copy.msg_id.hex(),
            "kind": "THERE",
            **picked(copy, "qmgr queue state in_doubt"),
            "put_at": iso(copy.put_at),
            "expires_at": iso_or_none(copy.expires_at),
        }


def _hex(msg_id: bytes) -> str:
    return msg_id.hex().upper()

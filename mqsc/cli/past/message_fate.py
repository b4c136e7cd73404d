"""What became of a message, as the events of recorded calls tell it."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from mqsc.store.past.calls import RecordedCall
from mqsc.store.rules.message_trace import TracedEvent, skip_of

# The events that say what became of a message.
_FATES = frozenset("PUT GET EXPIRE DISCARD DEAD_LETTER REQUEUE FORWARD COMMIT BACKOUT".split())
# What its calls may bring about besides.
_CAUSED = frozenset("TRIGGER TRIGGER_LOST REPORT REPORT_LOST DEAD_LETTER".split())
# What agents say about messages that they move; the puts and gets are recorded as well.
_SAID = frozenset({"handler", "command", "channel", "monitor"})


class Fate(NamedTuple):
    """What became of a message: its events, as far as they tell, in order."""

    told: tuple[tuple[Any, ...], ...]
    events: tuple[TracedEvent, ...]


def fate_of(calls: Iterable[RecordedCall], msg_id: bytes) -> Fate:
    """The fate of a message: events about it, ends of its units of work, and trigger messages
    and reports about it.
    """
    fate_events: list[TracedEvent] = []
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
        fate_events += [each for each in telling if each.seq in mine | caused | ends]
    return Fate(
        tuple((each.kind, each.queue, each.target, each.reason) for each in fate_events),
        tuple(fate_events),
    )

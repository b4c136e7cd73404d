"""The verbs that scenarios of triggering use in addition to those of `play`.

    new INIT1 => APPQ                      the queues in the trigger messages that became readable on INIT1
    S: set APPQ TRIGGER_CONTROL=1          MQSET, by MQIA or MQCA selector
    TRIGGER_LOST => put/APPQ/2053          cause, queue and reason of the new events of that kind
    dlq DLQ => INIT1/2053/MQTRIG           destination, reason and format of the dead letters

`new` and the events report what was added since they were last used. The queue manager of these
scenarios has an initiation queue, and a monitor M that has it open but never gets a message.
"""

from __future__ import annotations

from typing import Any

from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.headers import mqdlh, mqtm
from mqsc.store.sqlite.database import Reading
from tests.scenarios.looking import queue_row
from tests.scenarios.play import Play
from tests.scenarios.words import Outcome

# The initial state of triggering §8: M has QLOCAL(INIT1) open for input.
OBJECTS = """
    DEFINE QLOCAL(INIT1) DEFPRTY(3)
    DEFINE PROCESS(P1) APPLICID('/bin/serve') ENVRDATA('-v') USERDATA('for P1')
    DEFINE QLOCAL(APPQ) TRIGGER TRIGTYPE(FIRST) TRIGMPRI(0) PROCESS(P1) INITQ(INIT1) TRIGDATA('for APPQ')
    M: open INIT1 input-shared
"""
KINDS_OF_EVENTS = ("TRIGGER", "TRIGGER_LOST", "DEAD_LETTER")

_READABLE = (
    "SELECT msg_id, body FROM message WHERE queue = :queue AND state = 0 ORDER BY rank DESC, "
    "sequence"
)
_EVENTS = (
    "SELECT seq, cause, queue, reason, rule, detail FROM event WHERE kind = :kind AND seq > :after "
    "ORDER BY seq"
)


def readable(qmgr: QueueManager, queue: str) -> list[tuple[bytes, bytes]]:
    """Return (MsgId, data) of the committed messages on a queue in delivery order, even if gets
    are disabled.
    """
    with Reading(qmgr.store.database) as reading:
        found = reading.all(_READABLE, {"queue": queue_row(qmgr, queue).id})
    return [(bytes(row[0]), bytes(row[1])) for row in found]


class TriggerPlay(Play):
    """A play with the objects of triggering §8. When it is garbage-collected, its connections
    end.
    """

    def __init__(self, qmgr: QueueManager, objects: str = OBJECTS) -> None:
        super().__init__(qmgr)
        self._read: set[bytes] = set()
        self._seen: dict[str, int] = {}
        self.run(objects)

    def readable(self, queue: str) -> list[mqtm.TriggerMessage]:
        """Return the trigger messages that became readable since the last call, in delivery
        order.
        """
        rows = [row for row in readable(self.qmgr, queue) if row[0] not in self._read]
        self._read.update(row[0] for row in rows)
        return [mqtm.unpack_mqtm(row[1]) for row in rows]

    def events(self, kind: str, after: int = 0) -> list[Any]:
        """Return (seq, cause, queue, reason, rule, detail) of the events of a kind with a higher
        seq than `after`.
        """
        with Reading(self.qmgr.store.database) as reading:
            return reading.all(_EVENTS, {"kind": kind, "after": after})

    def new_events(self, kind: str) -> list[Any]:
        """Return the events of a kind since the last call."""
        rows = self.events(kind, self._seen.get(kind, 0))
        if rows:
            self._seen[kind] = rows[-1][0]
        return rows

    def _play(self, who: str, said: str) -> Outcome:
        if said.strip() in KINDS_OF_EVENTS:
            found = [
                f"{cause}/{queue}/{reason or 0}"
                for _, cause, queue, reason, *_ in self.new_events(said.strip())
            ]
            return lambda wanted: found or ["nothing"]
        return super()._play(who, said)

    def _new(self, who: str, words: list[str]) -> Outcome:
        found = [each.q_name for each in self.readable(words[0])]
        return lambda wanted: found or ["nothing"]

    def _dlq(self, who: str, words: list[str]) -> Outcome:
        headers = [mqdlh.unpack_mqdlh(body) for _, body in readable(self.qmgr, words[0])]
        found = [f"{each.dest_q_name}/{each.reason}/{each.format}" for each in headers]
        return lambda wanted: found or ["nothing"]

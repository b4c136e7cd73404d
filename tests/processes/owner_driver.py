"""Kills the `serve` of members of a queue-sharing group, ends, starts and alters members, all at
random.

Checks from the history that every scan of a shared queue was made by its owner at that moment, and
that each expired message was discarded once. The oracle knows the rules from sharing.md §8 and
follows starts, ends and EXPRYINT by itself; it shares no code with the store.
"""

from __future__ import annotations

import json
import random
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import Any, NamedTuple

import mqsc
from mqsc.agents.background_work import ASKED_SECONDS, lock_for, run_background_work
from mqsc.store import Message, MessageDescriptor, open_store
from mqsc.store.admin.queue_managers import create_queue_manager
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from mqsc.store.constants import MQOO, MQRO
from mqsc.store.sqlite.database import Reading
from tests.processes.campaign import Broken
from tests.processes.programs import Program


class Life(NamedTuple):
    """A `serve` of a member certainly ran when the events after `since` and up to `until` were
    recorded.
    """

    member: str
    since: int
    until: int


class HistoryRow(NamedTuple):
    """An event, as much of it as the oracle reads."""

    seq: int
    kind: str
    cause: str | None
    qmgr: str
    queue: str | None
    target: str | None
    msg_id: bytes | None
    detail: str | None

    @property
    def told(self) -> dict[str, Any]:
        return json.loads(self.detail) if self.detail else {}


@dataclass
class Oracle:
    """What the events so far say. `candidates` are in the order in which they became such."""

    group: str
    lives: list[Life]
    owner: str = ""
    running: set[str] = field(default_factory=set)
    intervals: set[str] = field(default_factory=set)
    candidates: list[str] = field(default_factory=list)
    changes: Counter[str] = field(default_factory=Counter)
    scanned: Counter[str] = field(default_factory=Counter)
    put: set[bytes] = field(default_factory=set)
    expired: set[bytes] = field(default_factory=set)
    reported: Counter[str] = field(default_factory=Counter)

    def read(self, rows: Iterable[HistoryRow]) -> None:
        """Follow the events in order; Broken when one of them breaks a rule."""
        for row in rows:
            if row.kind != "OWNER":
                self._check_owner(row.seq)
            reader = _READERS.get(row.kind)
            if reader is not None:
                reader(self, row)

    def finish(self) -> None:
        """Every message that was put has expired, once; so have the reports about them."""
        left = self.put - self.expired
        if left:
            raise Broken(f"{len(left)} messages have no EXPIRE event")

    def _check_owner(self, seq: int) -> None:
        """Between two transactions the owner is a candidate, and only without candidates there
        is none.
        """
        if (self.owner in self.candidates) != bool(self.candidates) or (
            self.owner and not self.candidates
        ):
            raise Broken(
                f"before event {seq} the owner is {self.owner or 'nobody'}, candidates "
                f"{self.candidates}",
            )

    def _settle(self, member: str) -> None:
        """A member may have become a candidate, or may be none any more."""
        is_candidate = member in self.running and member in self.intervals
        if is_candidate and member not in self.candidates:
            self.candidates.append(member)
        if not is_candidate and member in self.candidates:
            self.candidates.remove(member)

    def _start(self, row: HistoryRow) -> None:
        self.running.add(row.qmgr)
        self._settle(row.qmgr)

    def _end(self, row: HistoryRow) -> None:
        self.running.discard(row.qmgr)
        self._settle(row.qmgr)

    def _alter(self, row: HistoryRow) -> None:
        if "EXPRYINT" in row.told:
            (self.intervals.discard if row.told["EXPRYINT"][1] == "OFF" else self.intervals.add)(
                row.qmgr,
            )
            self._settle(row.qmgr)

    def _change(self, row: HistoryRow) -> None:
        said = (
            f"event {row.seq}: {row.cause} makes {row.target} the owner after "
            f"{self.owner or 'nobody'}"
        )
        if row.told.get("from", "") != self.owner or (row.target or "") == self.owner:
            raise Broken(f"{said}, from {row.told.get('from')}")
        if row.cause == "takeover":
            if row.target != row.told["member"] or row.target not in self.candidates:
                raise Broken(f"{said}, candidates {self.candidates}")
            if any(
                each.member == self.owner and each.since < row.seq <= each.until
                for each in self.lives
            ):
                raise Broken(f"{said}, for which a serve runs")
        elif self.owner in self.candidates or row.target != next(iter(self.candidates), None):
            raise Broken(f"{said}, candidates {self.candidates}")
        self.owner = row.target or ""
        self.changes[row.cause or ""] += 1

    def _put(self, row: HistoryRow) -> None:
        if row.qmgr == self.group:
            assert row.msg_id is not None
            self.put.add(row.msg_id)

    def _expire(self, row: HistoryRow) -> None:
        if row.qmgr != self.group:
            return
        assert row.msg_id is not None
        member = row.told["member"]
        if row.msg_id in self.expired:
            raise Broken(f"event {row.seq}: a message has expired twice")
        if row.cause == "interval" and member != self.owner:
            raise Broken(
                f"event {row.seq}: {member} scanned, the owner is {self.owner or 'nobody'}",
            )
        if row.cause == "restart" and self.running:
            raise Broken(
                f"event {row.seq}: {member} scanned at its start while {sorted(self.running)} ran",
            )
        self.expired.add(row.msg_id)
        self.scanned[f"{row.cause}"] += 1
        if "report" in row.told:
            self.reported["asked"] += 1

    def _report(self, row: HistoryRow) -> None:
        self.reported["sent"] += 1


_READERS = {
    **{"START": Oracle._start, "END": Oracle._end, "ALTER": Oracle._alter, "OWNER": Oracle._change},
    **{"PUT": Oracle._put, "EXPIRE": Oracle._expire, "REPORT": Oracle._report},
}


GROUP, MEMBERS = "QSG1", ("QM1", "QM2", "QM3")
QUEUES = ("SQ.A", "SQ.B")
START = 1_700_000_000_000_000
SECOND = 1_000_000
PATIENCE_SECONDS = 30.0
# Few messages, and several batches of a scan.
FEW, MANY = 20, 1200
STEPS_PER_CHECK = 50
LONGEST_PAUSE_SECONDS = 0.02
LONGEST_INTERVAL = 3
# A manual clock is looked at this often, rather than four times a second.
LOOK_SECONDS = 0.003

_HISTORY = "SELECT seq, kind, cause, qmgr, queue, target, msg_id, detail FROM event ORDER BY seq"
_LAST = "SELECT max(seq) FROM event"


class Impatient(Event):
    """Never set; its waits are short."""

    def wait(self, timeout: float | None = None) -> bool:
        return super().wait(LOOK_SECONDS if timeout is None else min(timeout, LOOK_SECONDS))


def serve(url: str, name: str) -> None:
    """Serve a member, and say so."""
    with open_store(url) as store:
        lock = lock_for(store, name)
        if not lock.acquire_within(ASKED_SECONDS):
            raise Broken(f"another serve runs for {name}")
        print("serves")
        run_background_work([store.queue_manager(name)], lambda line: None, Impatient())


class Serving(NamedTuple):
    """A process that serves a member, and the last event when it had begun."""

    program: Program
    since: int


class Campaign:
    """The members and their processes, and what has been done to them."""

    def __init__(self, store: Store, chance: random.Random) -> None:
        self.store, self.chance = store, chance
        self.serving: dict[str, Serving] = {}
        self.lives: list[Life] = []
        self.done: Counter[str] = Counter()
        for name in MEMBERS:
            create_queue_manager(store, name, manual_clock_at=START, group=GROUP)
            self.member(name).start()
            self.run(name, "DEFINE QLOCAL(R) MAXDEPTH(999999999)")
        self.run("QM1", "DEFINE CFSTRUCT(APPL1) CFLEVEL(5) RECOVER(YES)")
        for queue in QUEUES:
            self.run(
                "QM1",
                f"DEFINE QLOCAL({queue}) QSGDISP(SHARED) CFSTRUCT(APPL1) MAXDEPTH(999999999)",
            )

    def member(self, name: str) -> QueueManager:
        return self.store.queue_manager(name)

    def run(self, name: str, command: str) -> None:
        [reply] = mqsc.run(self.member(name), command)
        if reply.completion == 2:
            raise Broken(f"{command}: {reply.text}")

    def last(self) -> int:
        with Reading(self.store.database) as reading:
            return int(reading.value(_LAST))

    def running(self) -> list[str]:
        return [row.name for row in self.store.queue_managers() if row.state != "ENDED"]

    def owners(self) -> list[str]:
        rows = self.displayed("DISPLAY GROUP") if self.running() else []
        return [str(row["QMNAME"]) for row in rows if row["EXPSCAN"] == "YES"]

    def step(self) -> None:
        """One kill or change of an attribute or a member, and messages meanwhile."""
        deeds = (
            self.kill,
            self.kill,
            self.kill,
            self.alter,
            self.alter,
            self.end_or_start,
            self.give_up_in_the_middle,
        )
        self.chance.choice(deeds)()
        self.put(FEW)
        self.advance(self.chance.uniform(0.2, 1.5))
        time.sleep(self.chance.uniform(0, LONGEST_PAUSE_SECONDS))

    def kill(self) -> None:
        """A serve is killed, that of the owner most often, or one that was killed starts again."""
        name = self.chance.choice((*MEMBERS, *self.owners() * 3))
        if name not in self.serving:
            self.serve(name)
            return
        self.kill_serve(name)
        if self.chance.random() < 0.3:
            self.serve(name)

    def kill_serve(self, name: str) -> None:
        serving, until = self.serving.pop(name), self.last()
        self.lives.append(Life(name, serving.since, until))
        serving.program.close()
        self.done["kills"] += 1

    def serve(self, name: str) -> None:
        program = Program(serve, f"sqlite:///{self.store.path}", name)
        if not program.line():
            raise Broken(f"the serve of {name} ended by itself")
        self.serving[name] = Serving(program, self.last())

    def alter(self) -> None:
        running = self.running()
        if running:
            value = self.chance.choice(("OFF", *range(1, LONGEST_INTERVAL + 1)))
            self.run(self.chance.choice(running), f"ALTER QMGR EXPRYINT({value})")
            self.done["changes of EXPRYINT"] += 1

    def give_up_in_the_middle(self) -> None:
        """The owner gives the shared queues up, or its serve is killed, while it scans batch
        after batch.
        """
        self.put(MANY)
        for name in self.owners():
            self.advance(LONGEST_INTERVAL)
            time.sleep(self.chance.uniform(0, LONGEST_PAUSE_SECONDS))
            if self.chance.random() < 0.3 and name in self.serving:
                self.kill_serve(name)
            else:
                self.run(name, "ALTER QMGR EXPRYINT(OFF)")
                self.done["changes of EXPRYINT"] += 1

    def end_or_start(self) -> None:
        name = self.chance.choice(MEMBERS)
        if name in self.running():
            self.member(name).end(immediate=True)
            self.done["ends"] += 1
        else:
            self.member(name).start()
            self.done["starts"] += 1

    def put(self, number: int) -> None:
        """Messages that expire soon; some ask for a report."""
        running = self.running()
        if not running:
            return
        name = self.chance.choice(running)
        asking = int(MQRO.EXPIRATION) if self.chance.random() < 0.3 else 0
        descriptor = MessageDescriptor(
            expiry=self.chance.randint(1, 20),
            report=asking,
            reply_to_q="R",
            reply_to_q_mgr=GROUP,
        )
        with self.member(name).connect() as connection:
            queue = connection.open(self.chance.choice(QUEUES), MQOO.OUTPUT)
            queue.put([Message(b"", descriptor.copy()) for _ in range(number)])

    def advance(self, seconds: float) -> None:
        self.member("QM1").advance_clock(int(seconds * SECOND))

    def check_that_somebody_scans(self) -> None:
        """With a running member that has EXPRYINT set and a serve, everything that has expired
        goes.
        """
        name = self.chance.choice(MEMBERS)
        if name not in self.running():
            self.member(name).start()
        if name not in self.serving:
            self.serve(name)
        self.run(name, "ALTER QMGR EXPRYINT(1)")
        self.put(FEW)
        self.advance(LONGEST_INTERVAL)
        deadline = time.monotonic() + PATIENCE_SECONDS
        while self.depths():
            if time.monotonic() > deadline:
                raise Broken(f"nobody scans, although {name} could")
            # The owner may tick only now, and another member may take over only at a later tick.
            self.advance(1)
            time.sleep(LOOK_SECONDS)

    def depths(self) -> int:
        return sum(int(row["CURDEPTH"]) for row in self.displayed("DISPLAY QLOCAL(SQ.*) CURDEPTH"))

    def displayed(self, command: str) -> list[dict[str, Any]]:
        [reply] = mqsc.run(self.member(self.running()[0]), command)
        return reply.rows

    def check(self) -> Oracle:
        living = [Life(name, each.since, self.last()) for name, each in self.serving.items()]
        oracle = Oracle(GROUP, [*self.lives, *living])
        with Reading(self.store.database) as reading:
            oracle.read(HistoryRow._make(row) for row in reading.all(_HISTORY))
        return oracle


def run(folder: Path, steps: int, seed: int) -> str:
    """So many kills and changes; a line of figures."""
    with open_store(f"sqlite:///{folder / 'owners.db'}") as store:
        campaign = Campaign(store, random.Random(seed))
        try:
            while campaign.done.total() < steps:
                campaign.step()
                if campaign.done.total() % STEPS_PER_CHECK == 0:
                    campaign.check_that_somebody_scans()
            campaign.check_that_somebody_scans()
            oracle = campaign.check()
        finally:
            for each in campaign.serving.values():
                each.program.close()
    oracle.finish()
    if oracle.reported["asked"] != oracle.reported["sent"]:
        raise Broken(
            f"{oracle.reported['asked']} reports were asked for, {oracle.reported['sent']} sent",
        )
    done, owners, scanned = (dict(each) for each in (campaign.done, oracle.changes, oracle.scanned))
    return f"{done}, owners changed by {owners}, messages discarded by {scanned}"

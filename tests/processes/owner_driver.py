"""Kills the `serve` of members of a queue-sharing group, ends, starts and alters members, all at random.

Checks from the history that every scan of a shared queue was made by its owner at that moment, and that each expired
message was discarded once.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from pathlib import Path
from threading import Event
from typing import Any, NamedTuple

import mqsc
from mqsc.agents.background_work import ASKED_SECONDS, lock_for, run_background_work
from store import Message, MessageDescriptor, open_store
from store.admin.queue_managers import create_queue_manager
from store.client.api import QueueManager, Store
from store.constants import MQOO, MQRO
from store.sqlite.database import Reading
from tests.processes.campaign import Broken
from tests.processes.owner_oracle import HistoryRow, Life, Oracle
from tests.processes.programs import Program
from tests.shared import SqlText

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

_HISTORY = SqlText("SELECT seq, kind, cause, qmgr, queue, target, msg_id, detail FROM event ORDER BY seq")
_LAST = SqlText("SELECT max(seq) FROM event")


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
            self.run("QM1", f"DEFINE QLOCAL({queue}) QSGDISP(SHARED) CFSTRUCT(APPL1) MAXDEPTH(999999999)")

    def member(self, name: str) -> QueueManager:
        return self.store.queue_manager(name)

    def run(self, name: str, command: str) -> None:
        [reply] = mqsc.run(self.member(name), command)
        if reply.completion == 2:
            raise Broken(f"{command}: {reply.text}")

    def last(self) -> int:
        """The number of the last event."""
        with Reading(self.store.database) as reading:
            return int(reading.value(_LAST))

    def running(self) -> list[str]:
        return [row.name for row in self.store.queue_managers() if row.state != "ENDED"]

    def owners(self) -> list[str]:
        """The member that scans shared queues, if there is one."""
        rows = self.displayed("DISPLAY GROUP") if self.running() else []
        return [str(row["QMNAME"]) for row in rows if row["EXPSCAN"] == "YES"]

    def step(self) -> None:
        """One kill or change of an attribute or a member, and messages meanwhile."""
        deeds = (self.kill, self.kill, self.kill, self.alter, self.alter, self.end_or_start, self.give_up_in_the_middle)
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
        """The owner gives the shared queues up, or its serve is killed, while it scans batch after batch."""
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
            expiry=self.chance.randint(1, 20), report=asking, reply_to_q="R", reply_to_q_mgr=GROUP
        )
        with self.member(name).connect() as connection:
            queue = connection.open(self.chance.choice(QUEUES), MQOO.OUTPUT)
            queue.put([Message(b"", descriptor.copy()) for _ in range(number)])

    def advance(self, seconds: float) -> None:
        self.member("QM1").advance_clock(int(seconds * SECOND))

    def check_that_somebody_scans(self) -> None:
        """With a running member that has EXPRYINT set and a serve, everything that has expired goes."""
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
        """How many messages are on the shared queues."""
        return sum(int(row["CURDEPTH"]) for row in self.displayed("DISPLAY QLOCAL(SQ.*) CURDEPTH"))

    def displayed(self, command: str) -> list[dict[str, Any]]:
        [reply] = mqsc.run(self.member(self.running()[0]), command)
        return reply.rows

    def check(self) -> Oracle:
        """What the history says."""
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
        raise Broken(f"{oracle.reported['asked']} reports were asked for, {oracle.reported['sent']} sent")
    done, owners, scanned = (dict(each) for each in (campaign.done, oracle.changes, oracle.scanned))
    return f"{done}, owners changed by {owners}, messages discarded by {scanned}"

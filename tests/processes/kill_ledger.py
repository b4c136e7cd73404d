"""The journals of workers that will be killed, outside the store, and their comparison with the queues."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path

from store.client.api import Store
from store.sqlite.database import Reading
from tests.processes.campaign import Broken
from tests.processes.programs import is_whole
from tests.shared import SqlText

FIRST, SECOND, BULK, TRIGGERED, INIT, SHORT_LIVED = "FIRST", "SECOND", "BULK", "TRIGGERED", "INIT", "SHORT.LIVED"
QUEUES = (FIRST, SECOND, BULK, TRIGGERED, SHORT_LIVED)
Contents = dict[str, Counter[str]]
# A queue and a token. The data of every message begins with a unique token.
Place = tuple[str, str]
_ROWS = SqlText(
    "SELECT substr(body, 1, 32), state FROM message JOIN queue ON queue.id = message.queue WHERE name = :name"
)
_DEPTH = SqlText("SELECT depth FROM queue WHERE name = :name")
_EXPIRED = SqlText("SELECT seq, msg_id FROM event WHERE kind = 'EXPIRE' AND seq > :seq ORDER BY seq")
_CONNECTED = SqlText("SELECT count(*) FROM connection WHERE application != 'monitor'")
_HANDLES = SqlText("SELECT sum(input_handles + output_handles) FROM queue_member")


@dataclass
class Unit:
    """A unit of work in the journal: tokens put and got by queue, and whether the final call returned."""

    puts: list[Place] = field(default_factory=list)
    gets: list[Place] = field(default_factory=list)
    acknowledged: bool = False


class Journal:
    """Writes each line with one write(), so that it survives the process being killed."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o600)

    def intend(self, unit: Unit) -> None:
        """Record that the call that makes `unit` final is about to be made."""
        said = [f"P{queue}={token}" for queue, token in unit.puts] + [f"G{queue}={token}" for queue, token in unit.gets]
        self._write("I " + " ".join(said))

    def acknowledge(self) -> None:
        """Record that this call has returned."""
        self._write("A")

    def _write(self, line: str) -> None:
        os.write(self._file, (line + "\n").encode())


def read_journal(path: Path) -> list[Unit]:
    """Read the units of one worker. An incomplete last line is ignored: its call was not made."""
    units: list[Unit] = []
    for line in path.read_text().split("\n")[:-1]:
        if line == "A":
            units[-1].acknowledged = True
            continue
        unit = Unit()
        for word in line[2:].split():
            queue, token = word[1:].split("=")
            (unit.puts if word[0] == "P" else unit.gets).append((queue, token))
        units.append(unit)
    return units


class Ledger:
    """The expected contents: of all units of work that were acknowledged, or were observed to have taken effect."""

    def __init__(self) -> None:
        self.done = 0
        self._there: Contents = {name: Counter() for name in QUEUES}
        self._expired_up_to = 0

    def check(self, store: Store, units: Sequence[Unit], *, thoroughly: bool) -> None:
        """Compare a recovered store with the ledger and the units of the last round. Raises Broken."""
        with Reading(store.database) as reading:
            observed = {name: _contents(reading, name) for name in QUEUES}
            triggers = _contents(reading, INIT).total()
            self._expire(reading)
            if reading.value(_CONNECTED):
                raise Broken("connections of killed programs are left after recovery")
            if reading.value(_HANDLES) != 1:
                raise Broken(f"{reading.value(_HANDLES)} handles are counted; the monitor alone has one")
        if thoroughly and not is_whole(store):
            raise Broken("the integrity check finds damage")
        if triggers != observed[TRIGGERED].total():
            raise Broken(f"{observed[TRIGGERED].total()} messages made {triggers} trigger messages")
        self._settle(observed, units)

    def drained(self, queue: str) -> None:
        """Note that the driver has emptied the queue."""
        self._there[queue].clear()

    def left(self) -> int:
        """Return the number of messages that the ledger expects."""
        return sum(found.total() for found in self._there.values())

    def _expire(self, reading: Reading) -> None:
        """Count each expired message as got; it expires once."""
        for seq, msg_id in reading.all(_EXPIRED, {"seq": self._expired_up_to}):
            self._there[SHORT_LIVED][msg_id.rstrip(b"\0").decode()] -= 1
            self._expired_up_to = seq

    def _settle(self, observed: Contents, units: Sequence[Unit]) -> None:
        """Find unacknowledged units that explain the contents if they took effect; raise Broken if there are none."""
        for unit in units:
            if unit.acknowledged:
                self._apply(unit)
        doubtful = [unit for unit in units if not unit.acknowledged]
        for size in range(len(doubtful) + 1):
            for applied in combinations(doubtful, size):
                if self._with(applied) == observed:
                    for unit in applied:
                        self._apply(unit)
                    # Drops the tokens that have been put and got.
                    self._there = {name: Counter(dict(found)) for name, found in observed.items()}
                    return
        raise Broken(
            f"no reading of {len(doubtful)} units in doubt explains the queues: {_difference(self._with(()), observed)}"
        )

    def _apply(self, unit: Unit) -> None:
        self.done += 1
        _add(self._there, unit)

    def _with(self, units: Iterable[Unit]) -> Contents:
        there = {name: Counter(found) for name, found in self._there.items()}
        for unit in units:
            _add(there, unit)
        return {name: Counter({token: n for token, n in found.items() if n}) for name, found in there.items()}


def _add(there: Contents, unit: Unit) -> None:
    """Add a unit. A token that is got twice counts as -1."""
    for queue, token in unit.puts:
        there[queue][token] += 1
    for queue, token in unit.gets:
        there[queue][token] -= 1


def _contents(reading: Reading, queue: str) -> Counter[str]:
    rows = reading.all(_ROWS, {"name": queue})
    if any(state for _, state in rows):
        raise Broken(f"{queue} still holds messages of a unit of work after recovery")
    depth = reading.value(_DEPTH, {"name": queue})
    if depth != len(rows):
        raise Broken(f"CURDEPTH of {queue} is {depth}, it holds {len(rows)}")
    return Counter(body.split(b" ")[0].decode() for body, _ in rows)


def _difference(wanted: Contents, observed: Contents) -> str:
    told = []
    for queue in wanted:
        lost, extra = wanted[queue] - observed[queue], observed[queue] - wanted[queue]
        if lost or extra:
            told.append(f"{queue}: missing {list(lost)[:5]}, too many {list(extra)[:5]}")
    return "; ".join(told)

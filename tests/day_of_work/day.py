"""A day of work: programs on both sides put and get, some are killed, and every hour has its
chores and its figures.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from tests.day_of_work.accounts import Account, account
from tests.day_of_work.figures import Hour, excesses, hour_figures, log_size
from tests.day_of_work.staff import PATIENCE_SECONDS, Failed, Staff
from tests.day_of_work.world import HERE, THERE, Place, World

STEPS, MINUTES = 12, 5
# Queues that only slow readers and the clock empty.
SLOW_QUEUES = (f"{HERE} QUOTES", f"{THERE} SMALL", f"{THERE} DEAD")
WRITING = ("orders", "quotes", "far-orders", "prices")
# How many messages slow readers get, as a share of what each writer puts. Quotes that are not read
# in time expire; the small queue is read faster than it is filled.
READING = {"quote-reader": 0.4, "small-desk": 0.2}
# Killed in turn, all day long.
VICTIMS = ("orders", "order-helper", "far-orders", "quote-reader", "prices", "small-desk")
# Killed in the first third only: growth can be seen only in a process that lives on.
EARLY_VICTIMS = ("serve-here", "dead-letters", "subscriber", "serve-there", "far-desk", "set-aside")
# Hours of history that stay in the stores.
KEPT = "2h"
BETWEEN_LOOKS_SECONDS = 0.02
LONGEST_EVENING_STEPS = 60

Show = Callable[[Hour], None]


class Plan(Struct, frozen=True):
    """How long the day is, how many messages each writer puts in five minutes, and after how many
    hours reports are made (0 for never).
    """

    hours: int
    messages: int
    reports_every: int = 0
    seed: int = 1


class Result(Struct, frozen=True):
    """What a day has shown. `kills` is how many programs were killed."""

    hours: tuple[Hour, ...]
    account: Account
    kills: int

    @property
    def faults(self) -> list[str]:
        return [*self.account.faults, *excesses(self.hours)]


def run(folder: Path, plan: Plan, show: Show) -> Result:
    """Work through a day in an empty folder. Failed if a program or a command fails."""
    place = Place(folder)
    world = World(place)
    try:
        with Staff(place) as staff:
            day = Day(world, staff, plan, show)
            for number in range(1, plan.hours + 1):
                day.work(number)
            day.close()
    finally:
        world.close()
    return Result(tuple(day.hours), account(place), day.kills)


class Day:
    """A day in progress."""

    def __init__(self, world: World, staff: Staff, plan: Plan, show: Show) -> None:
        self._world, self._staff, self._plan, self._show = world, staff, plan, show
        self._place = world.place
        self._chance = random.Random(plan.seed)
        self._logs: dict[str, int] = {}
        self.hours: list[Hour] = []
        self.kills = 0

    def work(self, number: int) -> None:
        """An hour: twelve steps, in some of which a program is killed, then the chores."""
        began = time.monotonic()
        self._logs = {HERE: 0, THERE: 0}
        killed = self._victims(number)
        for step in range(STEPS):
            self._step(self._plan.messages, killed.get(step, ""))
        self._wait_for_eager_readers()
        self._chores(number)
        self._staff.check()
        hour = hour_figures(
            number,
            self._place,
            self._staff,
            self._logs,
            messages=STEPS * self._plan.messages * len(WRITING),
            seconds=time.monotonic() - began,
        )
        self.hours.append(hour)
        self._show(hour)

    def _victims(self, number: int) -> dict[int, str]:
        """Which program is killed in which step of an hour."""
        is_early = 3 * number <= max(self._plan.hours, 6)
        victims = [VICTIMS[number % len(VICTIMS)], VICTIMS[(number + 3) % len(VICTIMS)]]
        if is_early:
            victims += self._chance.sample(EARLY_VICTIMS, 2)
        return dict(zip(self._chance.sample(range(STEPS), len(victims)), victims, strict=True))

    def _step(self, messages: int, victim: str) -> None:
        """Five minutes in which all programs work."""
        workers = self._staff.workers
        shares = dict.fromkeys(WRITING, messages)
        shares |= {name: round(messages * share) for name, share in READING.items()}
        for name, share in shares.items():
            workers[name].tell(share)
        if victim:
            self._staff.replace(victim)
            self.kills += 1
        for name in shares:
            if name != victim:
                workers[name].answer()
        self._measure_logs()
        self._world.advance(MINUTES)

    def _measure_logs(self) -> None:
        self._logs = {
            name: max(most, log_size(self._place, name)) for name, most in self._logs.items()
        }

    def _wait_for_eager_readers(self) -> None:
        """Wait until only messages for slow readers, or for a later time, are left."""
        impatient = time.monotonic() + PATIENCE_SECONDS
        while left := self._left_for_eager_readers():
            if time.monotonic() > impatient:
                raise Failed(f"messages are not read: {left}")
            self._staff.check()
            self._world.let_channels_try_again()
            time.sleep(BETWEEN_LOOKS_SECONDS)

    def _left_for_eager_readers(self) -> dict[str, int]:
        depths = self._world.depths()
        return {name: depth for name, depth in depths.items() if name not in SLOW_QUEUES}

    def _chores(self, number: int) -> None:
        """Discard what has expired, archive, back up, and now and then make reports."""
        self._world.refresh()
        for name in (HERE, THERE):
            store = ("--store", self._place.url(name))
            self._archive(name, "--keep", KEPT)
            backup = self._place.folder / "backups" / f"{name}.db"
            self._staff.run("backup", str(backup), "--force", *store)
        if self._plan.reports_every and number % self._plan.reports_every == 0:
            self._report(number)

    def _archive(self, name: str, *keeping: str) -> None:
        store = ("--store", self._place.url(name))
        self._staff.run("archive", "--to", str(self._place.archive), "--yes", *keeping, *store)

    def _report(self, number: int) -> None:
        out = self._place.folder / "reports" / str(number)
        history = ("--archive", str(self._place.archive), "--store", self._place.url(HERE))
        self._staff.run("report", "daily", "--out", str(out), *history)

    def close(self) -> None:
        """The evening: nothing more is put, all queues become empty, and all programs end."""
        for _ in range(LONGEST_EVENING_STEPS):
            if not self._world.depths():
                break
            self._evening_step()
        else:
            raise Failed(f"messages are left: {self._world.depths()}")
        for worker in self._staff.workers.values():
            worker.end()
        for name in (HERE, THERE):
            self._archive(name)
            self._staff.run("doctor", "--store", self._place.url(name))
        self._staff.run("archive", "verify", str(self._place.archive))
        if self._plan.reports_every:
            self._staff.run("reconcile", "--archive", str(self._place.archive))

    def _evening_step(self) -> None:
        for name in READING:
            self._staff.workers[name].tell(self._plan.messages)
        for name in READING:
            self._staff.workers[name].answer()
        self._wait_for_eager_readers()
        self._world.refresh()
        self._world.advance(MINUTES)

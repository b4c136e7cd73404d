"""A trigger monitor that tests run again and again on one initiation queue, and the programs
that it starts.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from threading import Event
from typing import Any

import pytest

from mqsc.agents.trigger_monitor import MonitorSettings, TriggerMonitor
from mqsc.store.admin.event_search import EventSelection, events
from mqsc.store.client.queue_manager import QueueManager
from tests.scenarios.trigger_play import TriggerPlay

# M keeps the initiation queue open, so that puts trigger even when no monitor runs.
OBJECTS = """
    DEFINE QLOCAL(INIT1)
    DEFINE QLOCAL(DLQ)
    ALTER QMGR DEADQ(DLQ)
    DEFINE PROCESS(P1)
    DEFINE QLOCAL(APPQ) TRIGGER TRIGTYPE(EVERY) PROCESS(P1) INITQ(INIT1) TRIGDATA('for APPQ')
    M: open INIT1 input-shared
"""
ONCE = MonitorSettings("INIT1", once=True)


class Monitor:
    """A scenario with a monitor that can be run repeatedly, and the events that its runs
    reported.
    """

    def __init__(self, qmgr: QueueManager) -> None:
        self.qmgr = qmgr
        self.play = TriggerPlay(qmgr, OBJECTS)
        self.reports: list[dict[str, Any]] = []
        self.left: list[int] = []
        self.stop = Event()

    def process(
        self,
        appl_id: str,
        env_data: str = "",
        then: str = "put m1 on APPQ",
        **other: str,
    ) -> None:
        """Change the program that process P1 starts, and play what follows."""
        values = {"APPLICID": appl_id, "ENVRDATA": env_data, **other}
        said = " ".join(
            "{}('{}')".format(word, value.replace("'", "''")) for word, value in values.items()
        )
        self.play.run(f"ALTER PROCESS(P1) {said}\n{then}")

    def run(
        self,
        settings: MonitorSettings = ONCE,
        then: Callable[[], object] = lambda: None,
    ) -> list[str]:
        """Run the monitor, and do something after each event; return the names of the events."""
        first = len(self.reports)

        def report(row: dict[str, Any]) -> None:
            self.reports.append(row)
            then()

        with self.qmgr.connect("runmqtrm", "ann") as connection:
            self.left = TriggerMonitor(connection, settings, report, self.stop).run()
        return [each["event"] for each in self.reports[first:]]

    def last_put(self, queue: str) -> int:
        """Return the number of the last event about a put on a queue."""
        chosen = EventSelection(queue=queue, kinds=frozenset(("PUT",)))
        return max(each.seq for each in events(self.qmgr.store, chosen))

    def told(self, kind: str) -> list[tuple[str, str, int | None, dict[str, Any]]]:
        """Return (cause, queue, reason, detail) of the events of a kind since the last call."""
        rows = self.play.new_events(kind)
        return [
            (cause, queue, reason, json.loads(detail or "{}"))
            for _, cause, queue, reason, _, detail in rows
        ]


@pytest.fixture
def monitor(qmgr: QueueManager) -> Monitor:
    """A monitor of INIT1, with a dead-letter queue. Every put to APPQ triggers."""
    return Monitor(qmgr)

"""Every event and remedy that an explanation lists is carried out, to check that it has the
predicted outcome.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

import pytest

from mqsc.store.admin.trigger_explanation import TriggerExplanation, explain
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import open_store
from mqsc.store.environment import Environment
from mqsc.store.rules.trigger.outlook import Outlook
from tests.conftest import START
from tests.scenarios.trigger_play import TriggerPlay

# A state is the objects, then one choice of each group, for a queue {Q} with the initiation queue
# {I}.
OBJECTS = (
    "ALTER QMGR TRIGINT(5000)\nDEFINE QLOCAL({I})\nDEFINE QLOCAL({Q}) TRIGGER PROCESS(P1) "
    "INITQ({I})"
)
MONITOR = "M: open {I} input-shared"
CONTENTS = (
    "",
    "put a on {Q} priority=0",
    "put a on {Q} priority=2\nput b on {Q} priority=6",
    "put a b c on {Q} priority=6",
    "put a on {Q} priority=3\nput b on {Q} priority=3 syncpoint",
)
CRITERIA = (
    "",
    "TRIGMPRI(3)",
    "TRIGTYPE(EVERY)",
    "TRIGTYPE(EVERY) TRIGMPRI(6)",
    "TRIGTYPE(DEPTH) TRIGDPTH(2)",
    "TRIGTYPE(DEPTH) TRIGDPTH(3) TRIGMPRI(6)",
    "TRIGDPTH(2)",
    "TRIGTYPE(NONE)",
)
OBSTACLES = (
    "",
    "ALTER QLOCAL({Q}) NOTRIGGER",
    "ALTER QLOCAL({Q}) GET(DISABLED)",
    "ALTER QLOCAL({Q}) PUT(DISABLED)",
    "ALTER QLOCAL({Q}) MAXDEPTH(3)",
    "ALTER QLOCAL({Q}) PROCESS(' ')",
    "ALTER QLOCAL({Q}) PROCESS({Q})",
    "ALTER QLOCAL({Q}) INITQ(' ')",
    "ALTER QLOCAL({I}) PUT(DISABLED)",
    "ALTER QLOCAL({I}) GET(DISABLED)",
    "M: close {I}",
    "M: close {I}\nALTER QLOCAL({I}) USAGE(XMITQ) FORCE",
    "M: close {I}\nDELETE QLOCAL({I}) PURGE",
    "M: close {I}\nDELETE QLOCAL({I}) PURGE\nDEFINE QALIAS({I}) TARGET(P1)",
    "N: open {I} input-shared",
    "S: open {Q} input-shared",
    "S: open {Q} input-shared\nT: open {Q} input-shared",
    "ALTER QLOCAL({Q}) MSGDLVSQ(FIFO) DEFPRTY(4)",
)
# Each combination is a test of its own, so that a failure is easy to locate.
PARTS = [each for each in product(CRITERIA, OBSTACLES) if not each[1] or each[0] in CRITERIA[:6:2]]


def states(criteria: str, obstacle: str) -> list[str]:
    """Return states as lines of a scenario: with each of CONTENTS, or with two of them if there
    is an obstacle.
    """
    chosen = CONTENTS[2::2] if obstacle else CONTENTS
    altered = criteria and f"ALTER QLOCAL({{Q}}) {criteria}"
    return [
        "\n".join(filter(None, (OBJECTS, MONITOR, contents, altered, obstacle)))
        for contents in chosen
    ]


class Stage:
    """A queue manager that gets a new pair of queues for each state."""

    def __init__(self, qmgr: QueueManager) -> None:
        self.qmgr = qmgr
        self.number = 0
        self.play = TriggerPlay(qmgr, "DEFINE PROCESS(P1) APPLICID('/bin/serve')")

    def enter(self, state: str) -> str:
        """Create a queue in a state; return its number. The queues are named Q1, Q2, ..."""
        for who in list(self.play.connections):
            self.play.run_unaudited(f"{who}: disconnect")
        self.number += 1
        number = str(self.number)
        self.play.run_unaudited(_named(state, number))
        self.play.new_events("TRIGGER")
        return number

    def foretold(self, state: str) -> tuple[str, TriggerExplanation]:
        """Create a queue in a state; return its number and its explanation."""
        number = self.enter(state)
        return number, explain(self.qmgr, f"Q{number}")

    def triggers_after(self, state: str, performance: str) -> bool:
        """Carry out the lines in a new state; return whether they make a trigger message."""
        number = self.enter(state)
        for line in _named(performance, number).splitlines():
            self.play.run_unaudited(self._closes(line) if line.startswith("close all") else line)
        return self.has_triggered()

    def has_triggered(self) -> bool:
        """Return whether a trigger message was made since the last call or the last new state."""
        return bool(self.play.new_events("TRIGGER"))

    def _closes(self, line: str) -> str:
        queue = line.split()[-1]
        readers = [
            who for who, name, purpose in self.play.handles if (name, purpose) == (queue, "get")
        ]
        return "\n".join(f"{who}: close {queue}" for who in readers)


def _named(text: str, number: str) -> str:
    return text.replace("{Q}", f"Q{number}").replace("{I}", f"I{number}")


@pytest.fixture(scope="module")
def stage() -> Iterator[Stage]:
    with open_store("sqlite://", environment=Environment.frozen(at=START)) as opened:
        stage = Stage(opened.create_queue_manager("QM1"))
        yield stage
        stage.play.audit()


def _puts(event: str) -> str:
    found = re.fullmatch(
        r"(?:a|(\d+)) messages?(?: of priority (\d) or higher)? (?:is|are) put on \w+(?: in (\d+) "
        r"ms .*)?",
        event,
    )
    assert found is not None, event
    number, priority, wait = found.groups()
    advance = f"advance {int(wait) / 1000}\n" if wait else ""
    given = f" priority={priority}" if priority else ""
    return advance + f"P: put new*{number or 1} on {{Q}}{given}"


def performances(number: str, outlook: Outlook) -> list[str]:
    """Return scenario lines that cause the event: one text for each of its commands."""
    if outlook.commands:
        return [re.sub(rf"\b([QI]){number}\b", r"{\1}", command) for command in outlook.commands]
    if outlook.occasion == "PUT":
        return [_puts(outlook.event)]
    return {
        "CLOSE": ["close all {Q}"],
        "MONITOR_OPENED": ["close all {I}\nX: open {I} input-shared"],
    }[outlook.occasion]


@pytest.mark.parametrize(("criteria", "obstacle"), PARTS)
def test_each_event_triggers_as_foretold(stage: Stage, criteria: str, obstacle: str) -> None:
    """With an obstacle, every fifth command of an event is tested."""
    wrong = []
    for state in states(criteria, obstacle):
        number, found = stage.foretold(state)
        for outlook in [each for each in found.outlooks if each.possible]:
            for performance in performances(number, outlook)[:: 5 if obstacle else 1]:
                if stage.triggers_after(state, performance) is not outlook.would_trigger:
                    wrong.append((state, outlook.event, performance, outlook.would_trigger))
    assert wrong == []


PROGRAM, PROCESS = "/bin/serve", "P1"


def helps(stage: Stage, state: str, condition: int, remedy: str) -> bool:
    """Carry out a condition's remedy in a new state; return whether it satisfies that or
    triggers, without warnings.
    """
    queue = stage.enter(state)
    command = _named(remedy, queue).replace("<PROGRAM>", PROGRAM).replace("<PROCESS>", PROCESS)
    monitor = command.partition("mqsc trigger run -q ")[2]
    stage.play.run_unaudited(f"X: open {monitor} input-shared" if monitor else command)
    after = explain(stage.qmgr, f"Q{queue}")
    # TRIGTYPE(DEPTH) turns TRIGGER off again when it triggers, so the condition may be unmet.
    return (after.conditions[condition - 1].met or stage.has_triggered()) and not after.warnings


@pytest.mark.parametrize(("criteria", "obstacle"), PARTS)
def test_each_remedy_helps(stage: Stage, criteria: str, obstacle: str) -> None:
    wrong = []
    for state in states(criteria, obstacle):
        queue, found = stage.foretold(state)
        for each in [each for each in found.conditions if each.remedy]:
            remedy = re.sub(rf"\b([QI]){queue}\b", r"{\1}", each.remedy)
            if not helps(stage, state, each.number, remedy):
                wrong.append((state, each.number, remedy))
    assert wrong == []

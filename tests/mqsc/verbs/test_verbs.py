"""What all verbs have in common: the queue manager must run, and success may be an event."""

from __future__ import annotations

from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQRC
from tests.mqsc.verbs.asking import answer, bodies, set_up
from tests.rows import rows


def test_nothing_is_done_while_the_queue_manager_is_not_running(qmgr: QueueManager) -> None:
    qmgr.end(immediate=True)
    commands = ("START CHANNEL(NONE)", "STOP CHINIT", "PING QMGR", "SUSPEND QMGR CLUSTER(C)")
    for command in (*commands, "REFRESH QMGR TYPE(EXPIRY)", "RESET QMGR TYPE(STATISTICS)"):
        assert (command, answer(qmgr, command)) == (command, ("AMQ8146E", MQRC.Q_MGR_NOT_AVAILABLE))


# (value of CMDEV, command, whether it causes an event)
@rows(
    *(
        ("ENABLED", command, True)
        for command in ("DEFINE QLOCAL(NEW)", "DISPLAY QLOCAL(A)", "ALTER QMGR CMDEV(DISABLED)")
    ),
    *(("ENABLED", command, False) for command in ("DEFINE QLOCAL(A)", "DELETE QLOCAL(NONE)")),
    *(("NODISPLAY", "DISPLAY QLOCAL(A)", False), ("NODISPLAY", "DEFINE QLOCAL(NEW)", True)),
    *(("DISABLED", "DEFINE QLOCAL(NEW)", False), ("DISABLED", "ALTER QMGR CMDEV(ENABLED)", True)),
)
def test_a_command_that_succeeds_is_an_event_if_cmdev_says_so(
    qmgr: QueueManager,
    cmdev: str,
    command: str,
    is_event: bool,
) -> None:
    set_up(qmgr, f"DEFINE QLOCAL(A)\nALTER QMGR CMDEV({cmdev})")
    bodies(qmgr, "SYSTEM.ADMIN.COMMAND.EVENT")
    answer(qmgr, command)
    assert len(bodies(qmgr, "SYSTEM.ADMIN.COMMAND.EVENT")) == is_event

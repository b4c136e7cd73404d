"""`mqsc subscribe` ends with a signal, and leaves nothing behind."""

from __future__ import annotations

from signal import SIGINT, SIGKILL

from mqsc.store.admin.topics import subscriptions
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from mqsc.store.constants import MQOT
from mqsc.store.message import Message
from tests.mqsc.agents.scripts import wait_until
from tests.processes.conftest import Start
from tests.rows import rows


def strings(qmgr: QueueManager) -> list[str]:
    """The topic strings of the subscriptions of programs."""
    return [str(row["TOPICSTR"]) for row in subscriptions(qmgr, "*") if row["SUBTYPE"] == "API"]


def publish(qmgr: QueueManager, body: bytes) -> None:
    with qmgr.connect() as connection:
        connection.put1("", Message(body), object_type=MQOT.TOPIC, object_string="a/b")


@rows((SIGINT, 0), (SIGKILL, -SIGKILL))
def test_a_subscription_ends_with_its_command(
    store: Store, qmgr: QueueManager, command: Start, number: int, code: int
) -> None:
    """At once after SIGINT; after SIGKILL with the recovery of the program."""
    program = command("subscribe", "a/#")
    wait_until(lambda: strings(qmgr) == ["a/#"])
    publish(qmgr, b"one")
    assert program.line() == "one"
    program.signal(number)
    assert program.rest()[0] == code
    if number == SIGKILL:
        store.recover()
    assert strings(qmgr) == []


def test_a_durable_subscription_loses_nothing(qmgr: QueueManager, command: Start) -> None:
    """What a killed command had not printed is printed by the next."""
    program = command("subscribe", "a/#", "--durable", "D")
    wait_until(lambda: strings(qmgr) == ["a/#"])
    publish(qmgr, b"one")
    assert program.line() == "one"
    program.signal(SIGKILL)
    program.rest()
    publish(qmgr, b"two")
    code, printed, _ = command("subscribe", "a/#", "--durable", "D", "--wait", "0").rest()
    assert code == 0
    # The kill may come after a publication was printed and before that was committed.
    assert printed.split() in (["two"], ["one", "two"])

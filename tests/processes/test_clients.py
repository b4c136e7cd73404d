"""Programs on the MQI in bytes, and unmodified packages of other people that use IBM's clients, as
processes.

The packages are installed from the index once, beside the environment of the tests and not into it.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import mqsc
from mqsc.clients.mqi import Mqi
from mqsc.clients.process import ClientProcess
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQOO
from mqsc.store.message import Message
from tests.mqsc.clients.caller import Caller
from tests.packages.installing import pymqi_code
from tests.processes.conftest import Start
from tests.rows import rows
from tests.source import ROOT

SYNCPOINT, WAIT = 2, 1
QUEUES = ("ORDERS", "INVOICES", "QUESTIONS", "RETRIED", "REFUSED", "DEFERRED", "STUCK", "WAITING")
FASTSTREAM = """\
ping True
order {'id': 7, 'price': 1.5} FR 7 True 414141414141414141414141414141414141414141414141
invoice {'order': 7, 'total': 4.5}
answer b'TEA OR COFFEE'
no answer
waiting b'is anybody there' None
again after 0 backouts
again after 1 backouts
again after 2 backouts
no is refused
later after 0 backouts
later after 1 backouts
"""
OBSERVED = """
DEFINE QLOCAL(ORDERS) MAXDEPTH(500) MONQ(MEDIUM)
DEFINE QLOCAL(TO.B.XMIT) USAGE(XMITQ)
DEFINE CHANNEL(TO.B) CHLTYPE(SDR) XMITQ(TO.B.XMIT) CONNAME('b.example') BATCHSZ(7)
START CHANNEL(TO.B)
"""
COLLECTED = """\
MQINQ 1 4194304
MQGET reason 2033
INQUIRE_Q Q_SERVICE_INTERVAL=999999999 INHIBIT_PUT=0 INHIBIT_GET=0 Q_DEPTH_LOW_LIMIT=20 HARDEN_GET_BACKOUT=1 \
Q_SERVICE_INTERVAL_EVENT=0 TRIGGER_CONTROL=0 USAGE=0 SCOPE=1 Q_TYPE=1 MAX_Q_DEPTH=500 BACKOUT_THRESHOLD=0 \
Q_DEPTH_HIGH_EVENT=0 Q_DEPTH_LOW_EVENT=0 TRIGGER_MSG_PRIORITY=0 CURRENT_Q_DEPTH=2 Q_DEPTH_MAX_EVENT=1 \
OPEN_INPUT_COUNT=0 DEF_PERSISTENCE=0 TRIGGER_DEPTH=1 MAX_MSG_LENGTH=4194304 Q_DEPTH_HIGH_LIMIT=80 DEF_PRIORITY=0 \
DEF_INPUT_OPEN_OPTION=2 MSG_DELIVERY_SEQUENCE=0 RETENTION_INTERVAL=999999999 OPEN_OUTPUT_COUNT=0 TRIGGER_TYPE=1
INQUIRE_Q Q_TYPE=2
INQUIRE_Q CURRENT_Q_DEPTH=2
INQUIRE_Q_STATUS OLDEST_MSG_AGE=SECONDS UNCOMMITTED_MSGS=0 CURRENT_Q_DEPTH=2 OPEN_INPUT_COUNT=0
RESET_Q_STATS HIGH_Q_DEPTH=3 MSG_DEQ_COUNT=1 MSG_ENQ_COUNT=3 TIME_SINCE_RESET=SECONDS
INQUIRE_CHANNEL BATCH_SIZE=7 BATCH_INTERVAL=0 LONG_RETRY=999999999 LONG_TIMER=1200 MAX_MSG_LENGTH=4194304 \
SHORT_RETRY=10 DISC_INTERVAL=6000 HB_INTERVAL=300 NPM_SPEED=2 SHORT_TIMER=60
INQUIRE_CHANNEL_STATUS BUFFERS_RCVD=0 BUFFERS_SENT=0 BYTES_RCVD=0 BYTES_SENT=0 CHANNEL_STATUS=2 MSGS=0 BATCHES=0 \
CURRENT_MSGS=0 INDOUBT_STATUS=0
INQUIRE_CHANNEL_STATUS reason 3065
INQUIRE_Q_MGR VERSION=b'09040200'
INQUIRE_Q_STATUS OLDEST_MSG_AGE=SECONDS UNCOMMITTED_MSGS=0 CURRENT_Q_DEPTH=2 OPEN_INPUT_COUNT=0
INQUIRE_Q MAX_Q_DEPTH=500 USAGE=0 DEFINITION_TYPE=1
RESET_Q_STATS MSG_ENQ_COUNT=0
INQUIRE_CHANNEL CHANNEL_TYPE=1
INQUIRE_CHANNEL_STATUS BUFFERS_RCVD=0 BUFFERS_SENT=0 BYTES_RCVD=0 BYTES_SENT=0 CHANNEL_STATUS=2 MSGS=0 BATCHES=0 \
CURRENT_MSGS=0 INDOUBT_STATUS=0
INQUIRE_CHANNEL_STATUS reason 3065
INQUIRE_LISTENER_STATUS reason 3250
INQUIRE_SERVICE_STATUS reason 3252
INQUIRE_Q_MGR_STATUS CONNECTION_COUNT=2 CHINIT_STATUS=0 CMD_SERVER_STATUS=2 Q_MGR_STATUS=2
INQUIRE_TOPIC_STATUS reason 3308
INQUIRE_TOPIC_STATUS reason 3308
INQUIRE_TOPIC_STATUS
INQUIRE_SUB_STATUS reason 2428
INQUIRE_CLUSTER_Q_MGR reason 2085
"""


def in_a_unit(url: str) -> None:
    """Get one message and put another, and neither commit nor disconnect."""
    caller = Caller(Mqi(ClientProcess(url)))
    queue = caller.open("Q")
    caller.get(queue, options=SYNCPOINT)
    caller.put(queue, b"uncommitted", options=SYNCPOINT)
    print("ready")


def waits_to_be_killed(url: str) -> None:
    in_a_unit(url)
    sys.stdin.read()


def waits_for_a_message(url: str) -> None:
    caller = Caller(Mqi(ClientProcess(url)))
    queue = caller.open("Q")
    print("ready")
    print(caller.get(queue, options=WAIT, wait_interval=60_000).decode())
    caller.mqi.MQDISC(caller.number)


@rows(in_a_unit, waits_to_be_killed)
def test_a_unit_of_a_program_that_has_ended(
    qmgr: QueueManager,
    start: Start,
    work: Callable[[str], None],
) -> None:
    """Killed, or by itself without MQDISC: both are an abend (clients §3)."""
    mqsc.run(qmgr, "DEFINE QLOCAL(Q)")
    with qmgr.connect() as connection:
        connection.put1("Q", Message(b"mine"))
    process = start(work)
    assert process.line() == "ready"
    if work is in_a_unit:
        assert process.wait() == 0
    process.kill()
    assert on_the_queue(qmgr) == [(b"mine", 1)]


def test_a_get_waits_for_a_message_of_another_process(qmgr: QueueManager, start: Start) -> None:
    mqsc.run(qmgr, "DEFINE QLOCAL(Q)")
    process = start(waits_for_a_message)
    assert process.line() == "ready"
    with qmgr.connect() as connection:
        connection.put1("Q", Message(b"at last"))
    assert (process.line(), process.wait(), on_the_queue(qmgr)) == ("at last", 0, [])


def on_the_queue(qmgr: QueueManager) -> list[tuple[bytes, int]]:
    """The data and backout count of the messages on the queue, which are removed."""
    with qmgr.connect() as connection:
        queue = connection.open("Q", MQOO.INPUT_SHARED | MQOO.INQUIRE)
        got = [queue.get() for _ in range(int(queue.inquire(3)[3]))]
        return [(each.body, each.descriptor.backout_count) for each in got]


_HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def pymqi() -> Path:
    """The folder to put on the path for pymqi."""
    return pymqi_code()


@pytest.fixture
def client(command: Start) -> Start:
    """Starts a program of this folder as its users do, with packages on its path."""

    def started(packages: Path, name: str, *arguments: str) -> object:
        path = os.pathsep.join([str(ROOT), str(packages)])
        words = ("client", "--quiet", "--", sys.executable, str(_HERE / name), *arguments)
        return command(*words, PYTHONPATH=path)

    return started  # type: ignore[return-value]


def printed(client: Start, packages: Path, name: str) -> str:
    """What a program prints; it must end well."""
    code, output, errors = client(packages, name).rest(patience=120)
    assert code == 0, output + errors
    return output


def depths(qmgr: QueueManager) -> dict[str, int]:
    """The queues that are not the queue manager's own, with what is on them."""
    rows = mqsc.run(qmgr, "DISPLAY QLOCAL(*) CURDEPTH")[0].rows
    return {row["QUEUE"]: row["CURDEPTH"] for row in rows if not row["QUEUE"].startswith("SYSTEM.")}


@pytest.fixture
def _queues(qmgr: QueueManager) -> None:
    mqsc.run(
        qmgr,
        "\n".join([*(f"DEFINE QLOCAL({each})" for each in QUEUES), "DEFINE QMODEL(REPLIES)"]),
        check=True,
    )


@pytest.mark.long
@pytest.mark.usefixtures("_queues")
def test_faststream(client: Start, qmgr: QueueManager) -> None:
    """Publish, subscribe, request and reply, ping, handlers that fail, and acknowledgement by
    hand.
    """
    pytest.importorskip("faststream_mq", reason="the package faststream-mq is not installed")
    assert printed(client, ROOT, "faststream_program.py") == FASTSTREAM
    # The queues for replies are gone too.
    assert depths(qmgr) == dict.fromkeys(sorted(QUEUES), 0)


@pytest.mark.long
@pytest.mark.usefixtures("_queues")
def test_a_service_on_faststream_that_is_killed(
    client: Start,
    qmgr: QueueManager,
) -> None:
    """While it handles a message: the message is back."""
    pytest.importorskip("faststream_mq", reason="the package faststream-mq is not installed")
    process = client(ROOT, "faststream_program.py", "stuck")
    assert process.line() == "received"
    process.kill()
    with qmgr.connect() as connection:
        got = connection.open("STUCK", MQOO.INPUT_SHARED).get()
        assert (got.body[-4:], got.descriptor.backout_count) == (b"mine", 1)


@pytest.mark.long
def test_a_collector_of_metrics(client: Start, qmgr: QueueManager, pymqi: Path) -> None:
    mqsc.run(qmgr, OBSERVED, check=True)
    with qmgr.connect() as connection:
        for _ in range(3):
            connection.put1("ORDERS", Message(b"an order"))
        connection.open("ORDERS", MQOO.INPUT_SHARED).get()
    output = printed(client, pymqi, "collector_program.py")
    collected = re.sub(r"(OLDEST_MSG_AGE|TIME_SINCE_RESET)=\d+", r"\1=SECONDS", output)
    assert collected.splitlines() == COLLECTED.splitlines()

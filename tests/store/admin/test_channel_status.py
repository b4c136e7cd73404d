"""The status rows of channels: claimed and changed by one process at a time, cleaned up when that is dead."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from store.admin.channel.status import ChannelInstance, change, claim, forget, instances, requested
from store.admin.defining import create
from store.catalog import KINDS
from store.client.api import QueueManager, Store, open_store
from store.constants import MQCHS, MQOO, MQRCCF
from store.error import ChannelInUseError, MQError
from store.rules.channel.decisions import killed
from tests.store.admin.looking import events, shown

XMITQ = {"USAGE": "XMITQ", "TRIGGER": "TRIGGER"}
SDR = {"CHLTYPE": "SDR", "XMITQ": "X", "CONNAME": "QM2"}


@pytest.fixture
def qmgr(qmgr: QueueManager) -> QueueManager:
    """QM1 with a sender channel C and a receiver channel R."""
    create(qmgr, KINDS["QLOCAL"], "X", XMITQ)
    create(qmgr, KINDS["CHANNEL"], "C", SDR)
    create(qmgr, KINDS["CHANNEL"], "R", {"CHLTYPE": "RCVR"})
    return qmgr


def status(qmgr: QueueManager, channel: str = "*") -> list[tuple[str, str, MQCHS]]:
    return [each[:3] for each in instances(qmgr, channel)]


def test_an_instance_lives_until_it_is_forgotten(qmgr: QueueManager) -> None:
    made = claim(qmgr, "R", "QM2", MQCHS.BINDING, {"MSGS": 0, "RQMNAME": "QM2"})
    assert made == ChannelInstance(
        "R", "QM2", MQCHS.BINDING, "", "", qmgr.store.process, None, {"MSGS": 0, "RQMNAME": "QM2"}
    )
    assert instances(qmgr) == [made]
    after = change(qmgr, "R", "QM2", status=MQCHS.RUNNING, figures={"MSGS": 3})
    assert after == made._replace(status=MQCHS.RUNNING, figures={"MSGS": 3, "RQMNAME": "QM2"})
    assert status(qmgr, "C*") == []
    forget(qmgr, "R", "QM2")
    assert instances(qmgr) == []
    with pytest.raises(MQError) as caught:
        change(qmgr, "R", "QM2", figures={})
    assert caught.value.reason == MQRCCF.CHL_STATUS_NOT_FOUND


def test_each_partner_has_an_instance(qmgr: QueueManager) -> None:
    for partner in ("QM3", "QM2"):
        claim(qmgr, "R", partner, MQCHS.RUNNING, {})
    assert status(qmgr) == [("R", "QM2", MQCHS.RUNNING), ("R", "QM3", MQCHS.RUNNING)]


def test_a_second_runner_is_refused(qmgr: QueueManager, tmp_path: Path) -> None:
    claim(qmgr, "C", "", MQCHS.RUNNING, {})
    with open_store(f"sqlite:///{tmp_path / 'test.db'}", environment=qmgr.store.environment) as other:
        for runner in (qmgr, other.queue_manager("QM1")):
            with pytest.raises(ChannelInUseError, match=r"process [1-9][0-9]* runs it") as caught:
                claim(runner, "C", "", MQCHS.BINDING, {})
            assert (caught.value.reason, caught.value.object_name) == (MQRCCF.CHANNEL_IN_USE, "C")
    assert status(qmgr) == [("C", "", MQCHS.RUNNING)]


def test_who_waits_for_a_retry_does_not_run_it(qmgr: QueueManager, tmp_path: Path) -> None:
    claim(qmgr, "C", "", MQCHS.BINDING, {"SHORTRTS": 10})
    waiting = change(qmgr, "C", "", status=MQCHS.RETRYING, retry_at=5, figures={"SHORTRTS": 9})
    assert (waiting.process, waiting.retry_at, waiting.figures) == (None, 5, {"SHORTRTS": 9})
    with open_store(f"sqlite:///{tmp_path / 'test.db'}", environment=qmgr.store.environment) as other:
        taken = claim(other.queue_manager("QM1"), "C", "", MQCHS.BINDING, {"MSGS": 0})
    assert (taken.retry_at, taken.figures) == (None, {"SHORTRTS": 9, "MSGS": 0})


def test_a_stop_is_seen_by_who_runs_the_channel(qmgr: QueueManager) -> None:
    claim(qmgr, "C", "", MQCHS.RUNNING, {})
    assert requested(qmgr, "C", "") == ("", "")
    change(qmgr, "C", "", requested=("QUIESCE", "STOPPED"))
    assert requested(qmgr, "C", "") == ("QUIESCE", "STOPPED")
    assert change(qmgr, "C", "", figures={"MSGS": 1}).requested == "QUIESCE"
    assert shown(qmgr, "QLOCAL", "X")["GET"] == "ENABLED"
    stopped = change(qmgr, "C", "", status=MQCHS.STOPPED)
    assert (stopped.requested, stopped.requested_status, stopped.process) == ("", "", None)
    row = shown(qmgr, "QLOCAL", "X")
    assert (row["GET"], row["TRIGGER"]) == ("DISABLED", "NOTRIGGER")


@pytest.mark.parametrize(("asked", "then"), [("STOPPED", [("C", "", MQCHS.STOPPED)]), ("INACTIVE", [])])
def test_a_stop_that_came_before_a_retry_wins(
    qmgr: QueueManager, asked: str, then: list[tuple[str, str, MQCHS]]
) -> None:
    claim(qmgr, "C", "", MQCHS.RUNNING, {})
    change(qmgr, "C", "", requested=("FORCE", asked))
    after = change(qmgr, "C", "", status=MQCHS.RETRYING, retry_at=1)
    assert (after.status, after.retry_at) == (MQCHS[asked], None)
    assert status(qmgr) == then


def test_a_receiver_that_stops_has_no_transmission_queue(qmgr: QueueManager) -> None:
    claim(qmgr, "R", "QM2", MQCHS.RUNNING, {})
    change(qmgr, "R", "QM2", status=MQCHS.STOPPED)
    assert status(qmgr) == [("R", "QM2", MQCHS.STOPPED)]
    assert shown(qmgr, "QLOCAL", "X")["GET"] == "ENABLED"


def test_instances_outlive_the_queue_manager(qmgr: QueueManager) -> None:
    claim(qmgr, "C", "", MQCHS.BINDING, {})
    change(qmgr, "C", "", status=MQCHS.RETRYING, retry_at=1)
    qmgr.end()
    qmgr.start()
    assert status(qmgr) == [("C", "", MQCHS.RETRYING)]


# Another program: claims the sender and the receiver, optionally has a stop of the sender requested, and kills itself.
_PROGRAM = """
import os, sys
from store.admin.channel.status import change, claim
from store.client.api import open_store
from store.constants import MQCHS
qmgr = open_store(sys.argv[1]).queue_manager("QM1")
claim(qmgr, "C", "", MQCHS.RUNNING, {"RQMNAME": "QM2"})
claim(qmgr, "R", "QM2", MQCHS.RUNNING, {})
if sys.argv[2]:
    change(qmgr, "C", "", requested=("QUIESCE", sys.argv[2]))
os.kill(os.getpid(), 9)
"""


def kill_a_runner(tmp_path: Path, asked: str = "") -> None:
    url = f"sqlite:///{tmp_path / 'test.db'}"
    root = Path(__file__).resolve().parents[3]
    ended = subprocess.run(
        [sys.executable, "-c", _PROGRAM, url, asked], cwd=root, capture_output=True, text=True, timeout=60
    )
    assert ended.returncode == -9, ended.stderr


def test_a_killed_runner_leaves_no_status(store: Store, qmgr: QueueManager, tmp_path: Path) -> None:
    """L50 without an initiator."""
    kill_a_runner(tmp_path)
    assert status(qmgr) == []
    assert [(each.cause, each.queue, each.target, each.detail) for each in events(store, "CHANNEL")] == [
        ("failed", "X", "C", {"partner": "QM2", "role": "sender", "message": killed("C", "QM2")}),
        ("failed", "", "R", {"partner": "QM2", "role": "receiver", "message": killed("R", "QM2")}),
    ]


def test_an_initiator_starts_the_channel_of_a_killed_runner_again(qmgr: QueueManager, tmp_path: Path) -> None:
    """L50 with an initiator."""
    with qmgr.connect() as connection:
        connection.open("SYSTEM.CHANNEL.INITQ", MQOO.INPUT_SHARED)
        kill_a_runner(tmp_path)
        (left,) = instances(qmgr)
    assert (left.channel, left.status, left.process) == ("C", MQCHS.RETRYING, None)
    assert (left.retry_at, left.figures["SHORTRTS"]) == (qmgr.now() + 60 * 1_000_000, 9)


def test_a_stop_before_the_kill_is_carried_out(qmgr: QueueManager, tmp_path: Path) -> None:
    kill_a_runner(tmp_path, "STOPPED")
    assert status(qmgr) == [("C", "", MQCHS.STOPPED)]
    assert shown(qmgr, "QLOCAL", "X")["GET"] == "DISABLED"


def test_the_row_of_a_killed_runner_can_be_taken(qmgr: QueueManager, tmp_path: Path) -> None:
    kill_a_runner(tmp_path)
    assert claim(qmgr, "C", "", MQCHS.BINDING, {}).process == qmgr.store.process

"""The status rows of channels, their synchronization records, and which programs are initiators."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from mqsc.store.admin.channel.display import saved_status
from mqsc.store.admin.channel.initiators import Initiator, initiators, is_queue
from mqsc.store.admin.channel.status import (
    ChannelInstance,
    change,
    claim,
    forget,
    instances,
    requested,
)
from mqsc.store.admin.channel.sync_records import QUEUE, forget_records, saved_records
from mqsc.store.admin.defining import create
from mqsc.store.catalog import KINDS
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store, open_store
from mqsc.store.constants import MQCHS, MQOO, MQRCCF
from mqsc.store.error import ChannelInUseError
from mqsc.store.rules.channel.killed_program import killed
from mqsc.store.sqlite.database import Reading, Transaction
from mqsc.store.sqlite.owners import Owner
from tests.processes.programs import run_program
from tests.store.admin.looking import events, put, queue_row, refused, shown

QLOCAL = KINDS["QLOCAL"]


@pytest.fixture
def network(qmgr: QueueManager) -> QueueManager:
    """QM1 with a sender channel C and a receiver channel R."""
    create(qmgr, QLOCAL, "X", {"USAGE": "XMITQ", "TRIGGER": "TRIGGER"})
    create(qmgr, KINDS["CHANNEL"], "C", {"CHLTYPE": "SDR", "XMITQ": "X", "CONNAME": "QM2"})
    create(qmgr, KINDS["CHANNEL"], "R", {"CHLTYPE": "RCVR"})
    return qmgr


def status(network: QueueManager, channel: str = "*") -> list[tuple[str, str, MQCHS]]:
    return [each[:3] for each in instances(network, channel)]


def test_an_instance_lives_until_it_is_forgotten(network: QueueManager) -> None:
    figures: dict[str, int | str] = {"MSGS": 0, "RQMNAME": "QM2"}
    made = claim(network, "R", "QM2", MQCHS.BINDING, figures)
    assert made == ChannelInstance(
        "R",
        "QM2",
        MQCHS.BINDING,
        "",
        "",
        network.store.process,
        None,
        figures,
    )
    assert instances(network) == [made]
    after = change(network, "R", "QM2", status=MQCHS.RUNNING, figures={"MSGS": 3})
    assert after == made._replace(status=MQCHS.RUNNING, figures={"MSGS": 3, "RQMNAME": "QM2"})
    assert status(network, "C*") == []
    forget(network, "R", "QM2")
    assert instances(network) == []
    with refused(MQRCCF.CHL_STATUS_NOT_FOUND):
        change(network, "R", "QM2", figures={})


def test_each_partner_has_an_instance_and_a_receiver_no_transmission_queue(
    network: QueueManager,
) -> None:
    for partner in ("QM3", "QM2"):
        claim(network, "R", partner, MQCHS.RUNNING, {})
    assert status(network) == [("R", "QM2", MQCHS.RUNNING), ("R", "QM3", MQCHS.RUNNING)]
    change(network, "R", "QM2", status=MQCHS.STOPPED)
    assert status(network) == [("R", "QM2", MQCHS.STOPPED), ("R", "QM3", MQCHS.RUNNING)]
    assert shown(network, "QLOCAL", "X")["GET"] == "ENABLED"


def test_a_second_runner_is_refused(network: QueueManager, tmp_path: Path) -> None:
    claim(network, "C", "", MQCHS.RUNNING, {})
    with open_store(
        f"sqlite:///{tmp_path / 'test.db'}",
        environment=network.store.environment,
    ) as other:
        for runner in (network, other.queue_manager("QM1")):
            with pytest.raises(ChannelInUseError, match=r"process [1-9][0-9]* runs it") as caught:
                claim(runner, "C", "", MQCHS.BINDING, {})
            assert (caught.value.reason, caught.value.object_name) == (MQRCCF.CHANNEL_IN_USE, "C")
    assert status(network) == [("C", "", MQCHS.RUNNING)]


def test_who_waits_for_a_retry_does_not_run_it(network: QueueManager, tmp_path: Path) -> None:
    claim(network, "C", "", MQCHS.BINDING, {"SHORTRTS": 10})
    waiting = change(network, "C", "", status=MQCHS.RETRYING, retry_at=5, figures={"SHORTRTS": 9})
    assert (waiting.process, waiting.retry_at, waiting.figures) == (None, 5, {"SHORTRTS": 9})
    with open_store(
        f"sqlite:///{tmp_path / 'test.db'}",
        environment=network.store.environment,
    ) as other:
        taken = claim(other.queue_manager("QM1"), "C", "", MQCHS.BINDING, {"MSGS": 0})
    assert (taken.retry_at, taken.figures) == (None, {"SHORTRTS": 9, "MSGS": 0})


def test_a_stop_is_seen_by_who_runs_the_channel(network: QueueManager) -> None:
    claim(network, "C", "", MQCHS.RUNNING, {})
    assert requested(network, "C", "") == ("", "")
    change(network, "C", "", requested=("QUIESCE", "STOPPED"))
    assert requested(network, "C", "") == ("QUIESCE", "STOPPED")
    assert change(network, "C", "", figures={"MSGS": 1}).requested == "QUIESCE"
    assert shown(network, "QLOCAL", "X")["GET"] == "ENABLED"
    stopped = change(network, "C", "", status=MQCHS.STOPPED)
    assert (stopped.requested, stopped.requested_status, stopped.process) == ("", "", None)
    row = shown(network, "QLOCAL", "X")
    assert (row["GET"], row["TRIGGER"]) == ("DISABLED", "NOTRIGGER")


@pytest.mark.parametrize(
    ("asked", "then"),
    [("STOPPED", [("C", "", MQCHS.STOPPED)]), ("INACTIVE", [])],
)
def test_a_stop_before_a_retry_wins(
    network: QueueManager,
    asked: str,
    then: list[tuple[str, str, MQCHS]],
) -> None:
    claim(network, "C", "", MQCHS.RUNNING, {})
    change(network, "C", "", requested=("FORCE", asked))
    after = change(network, "C", "", status=MQCHS.RETRYING, retry_at=1)
    assert (after.status, after.retry_at) == (MQCHS[asked], None)
    assert status(network) == then


def test_instances_outlive_the_queue_manager(network: QueueManager) -> None:
    claim(network, "C", "", MQCHS.BINDING, {})
    change(network, "C", "", status=MQCHS.RETRYING, retry_at=1)
    network.end()
    network.start()
    assert status(network) == [("C", "", MQCHS.RETRYING)]


# Another program: claims the sender and the receiver, optionally has a stop of the sender
# requested, and kills itself.
_PROGRAM = """
import os, sys
from mqsc.store.admin.channel.status import change, claim
from mqsc.store.client.store import open_store
from mqsc.store.constants import MQCHS
qmgr = open_store(sys.argv[1]).queue_manager("QM1")
claim(qmgr, "C", "", MQCHS.RUNNING, {"RQMNAME": "QM2"})
claim(qmgr, "R", "QM2", MQCHS.RUNNING, {})
if sys.argv[2]:
    change(qmgr, "C", "", requested=("QUIESCE", sys.argv[2]))
os.kill(os.getpid(), 9)
"""


def kill_a_runner(tmp_path: Path, asked: str = "") -> None:
    ended = run_program(_PROGRAM, f"sqlite:///{tmp_path / 'test.db'}", asked)
    assert ended.returncode == -9, ended.stderr


def test_a_killed_runner_leaves_no_status(
    store: Store,
    network: QueueManager,
    tmp_path: Path,
) -> None:
    """L50 without an initiator."""
    kill_a_runner(tmp_path)
    assert status(network) == []
    assert [
        (each.cause, each.queue, each.target, each.detail) for each in events(store, "CHANNEL")
    ] == [
        ("failed", "X", "C", {"partner": "QM2", "role": "sender", "message": killed("C", "QM2")}),
        ("failed", "", "R", {"partner": "QM2", "role": "receiver", "message": killed("R", "QM2")}),
    ]
    kill_a_runner(tmp_path)
    assert claim(network, "C", "", MQCHS.BINDING, {}).process == network.store.process


def test_an_initiator_starts_the_channel_of_a_killed_runner_again(
    network: QueueManager,
    tmp_path: Path,
) -> None:
    """L50 with an initiator."""
    with network.connect() as connection:
        connection.open("SYSTEM.CHANNEL.INITQ", MQOO.INPUT_SHARED)
        kill_a_runner(tmp_path)
        (left,) = instances(network)
    assert (left.channel, left.status, left.process) == ("C", MQCHS.RETRYING, None)
    assert (left.retry_at, left.figures["SHORTRTS"]) == (network.now() + 60 * 1_000_000, 9)


def test_a_stop_before_the_kill_is_carried_out(network: QueueManager, tmp_path: Path) -> None:
    kill_a_runner(tmp_path, "STOPPED")
    assert status(network) == [("C", "", MQCHS.STOPPED)]
    assert shown(network, "QLOCAL", "X")["GET"] == "DISABLED"


def test_readers_of_the_initiation_queues_of_transmission_queues(qmgr: QueueManager) -> None:
    for name in ("I", "J"):
        create(qmgr, QLOCAL, name, {})
    create(qmgr, QLOCAL, "X", {"USAGE": "XMITQ", "INITQ": "I"})
    create(qmgr, QLOCAL, "Q", {"INITQ": "J"})
    with qmgr.connect() as connection:
        for name in ("I", "J", "SYSTEM.CHANNEL.INITQ"):
            connection.open(name, MQOO.BROWSE)
        assert initiators(qmgr) == []
        for name in ("I", "I", "J", "SYSTEM.CHANNEL.INITQ"):
            connection.open(name, MQOO.INPUT_SHARED)
        found = [Initiator(name, Owner(os.getpid())) for name in ("I", "SYSTEM.CHANNEL.INITQ")]
        assert initiators(qmgr) == found
    assert initiators(qmgr) == []
    assert [is_queue(qmgr, name) for name in ("SYSTEM.CHANNEL.INITQ", "NOPE")] == [True, False]


RECORD = {
    "channel": "C",
    "partner": "QM2",
    "role": "sender",
    "luwid": "654A2B3C00010010",
    "sequence": 3,
}


def found(qmgr: QueueManager) -> list[tuple[str, int]]:
    with Reading(qmgr.store.database) as reading:
        return [(each.channel, each.sequence) for each in saved_records(reading, qmgr.name)]


def test_what_is_no_record_is_ignored(qmgr: QueueManager) -> None:
    junk = (
        b"",
        b"\xff\xfe",
        b"[1]",
        b"7",
        b'{"channel": "C"}',
        b'{"sequence": "x"}',
        b"[" * 3000,
        b"{" * 9000,
    )
    wrong: tuple[dict[str, object], ...] = (
        {"sequence": []},
        {"sequence": float("inf")},
        {"sequence": -1},
        {"sequence": 10**9},
        {"luwid": "x"},
        {"role": "both"},
        {"partner": "a b"},
        {"channel": "\x1b[31m"},
        {"channel": ""},
    )
    put(qmgr, QUEUE, *junk, *(json.dumps({**RECORD, **each}).encode() for each in wrong))
    assert found(qmgr) == []
    put(
        qmgr,
        QUEUE,
        *(json.dumps({**RECORD, **each}).encode() for each in ({}, {"luwid": "", "sequence": 4})),
    )
    assert found(qmgr) == [("C", 3), ("C", 4)]
    # The channel is not defined.
    assert saved_status(qmgr, "*") == []


def test_only_the_records_of_the_channel_are_forgotten(store: Store, qmgr: QueueManager) -> None:
    put(
        qmgr,
        QUEUE,
        b"junk",
        *(json.dumps({**RECORD, "channel": name}).encode() for name in ("C", "D", "C")),
    )
    with Transaction(store.database, durable=False) as tx:
        forget_records(tx, qmgr.call_context(tx), "C")
    assert found(qmgr) == [("D", 3)]
    assert queue_row(qmgr, QUEUE).depth == 2
    (cleared,) = events(store, "CLEAR")
    assert (cleared.cause, cleared.queue, cleared.detail) == ("channel", QUEUE, {"messages": 2})

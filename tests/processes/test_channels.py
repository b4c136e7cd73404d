"""Channels in other processes: a second run of the same channel, signals, and kills at random moments."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import mqsc
from store.admin.channel import status
from store.client.api import QueueManager, open_store
from store.constants import MQGMO, MQOO, MQPER
from store.descriptor import MessageDescriptor
from store.error import MQError
from store.message import GetMessageOptions, Message
from tests.mqsc.agents.scripts import wait_until
from tests.processes.programs import PATIENCE_SECONDS
from tests.source import ROOT

MESSAGES, KILLS = 300, 6


class Network:
    """QM1 and QM2 in two stores, with the channel C between them."""

    def __init__(self, folder: Path) -> None:
        self.urls = [f"sqlite:///{folder / name}.db" for name in ("one", "two")]
        self.stores = [open_store(url) for url in self.urls]
        self.qm1 = self.stores[0].create_queue_manager("QM1")
        self.qm2 = self.stores[1].create_queue_manager("QM2")
        mqsc.run(
            self.qm1,
            "DEFINE QLOCAL(X) USAGE(XMITQ)\nDEFINE QREMOTE(RQ) RNAME(Q) RQMNAME(QM2) XMITQ(X)\n"
            f"DEFINE CHANNEL(C) CHLTYPE(SDR) XMITQ(X) CONNAME('{self.urls[1]}(QM2)') BATCHSZ(7)",
        )
        mqsc.run(self.qm2, "DEFINE QLOCAL(Q)\nDEFINE CHANNEL(C) CHLTYPE(RCVR)")

    @contextmanager
    def running(self, *more: str) -> Iterator[subprocess.Popen[str]]:
        """Run the channel in another process; leaving the block kills it."""
        command = [sys.executable, "-m", "mqsc", "channel", "run", "C", *more]
        environment = {**os.environ, "MQSC_STORE": self.urls[0]}
        with subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.PIPE, text=True) as started:
            try:
                yield started
            finally:
                started.kill()

    def status(self, qmgr: QueueManager) -> list[str]:
        return [each.status.name for each in status.instances(qmgr, "C")]

    def put(self, count: int) -> None:
        texts = [Message(b"%d" % number, MessageDescriptor(persistence=MQPER.PERSISTENT)) for number in range(count)]
        with self.qm1.connect("app") as connection:
            connection.open("RQ", MQOO.OUTPUT).put(texts)

    def arrived(self) -> list[int]:
        found = []
        with self.qm2.connect("app") as connection:
            handle = connection.open("Q", MQOO.INPUT_SHARED)
            try:
                while True:
                    found.append(int(handle.get(GetMessageOptions(MQGMO.NO_SYNCPOINT)).body))
            except MQError:
                return found


@pytest.fixture
def network(tmp_path: Path) -> Iterator[Network]:
    made = Network(tmp_path)
    yield made
    for store in made.stores:
        store.close()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_channel_normally(network: Network, number: signal.Signals) -> None:
    with network.running() as process:
        wait_until(lambda: network.status(network.qm1) == ["RUNNING"])
        process.send_signal(number)
        _, said = process.communicate(timeout=PATIENCE_SECONDS)
        assert process.returncode == 0
    assert "QM1: AMQ9001I" in said
    assert (network.status(network.qm1), network.status(network.qm2)) == ([], [])


def test_a_stop_from_another_program(network: Network) -> None:
    with network.running() as process:
        wait_until(lambda: network.status(network.qm1) == ["RUNNING"])
        mqsc.run(network.qm1, "STOP CHANNEL(C)")
        process.communicate(timeout=PATIENCE_SECONDS)
        assert process.returncode == 0
    assert network.status(network.qm1) == ["STOPPED"]


def test_l48_h52_a_second_runner_names_the_first(network: Network) -> None:
    with network.running() as process:
        wait_until(lambda: network.status(network.qm1) == ["RUNNING"])
        with network.running() as second:
            _, said = second.communicate(timeout=PATIENCE_SECONDS)
            assert second.returncode == 20
        assert f"AMQ9514E: Channel 'C' is in use. Process {process.pid} runs it." in said


def test_a_message_crosses_an_idle_channel(network: Network) -> None:
    with network.running():
        wait_until(lambda: network.status(network.qm1) == ["RUNNING"])
        network.put(1)
        with network.qm2.connect("app") as connection:
            options = GetMessageOptions(MQGMO.WAIT, wait_interval=int(PATIENCE_SECONDS * 1000))
            assert connection.open("Q", MQOO.INPUT_SHARED).get(options).body == b"0"


def test_l50_a_runner_that_was_killed(network: Network) -> None:
    with network.running() as process:
        wait_until(lambda: network.status(network.qm1) == ["RUNNING"])
        process.kill()
        process.wait(PATIENCE_SECONDS)
    assert (network.status(network.qm1), network.status(network.qm2)) == ([], [])


def test_kills_at_any_moment_lose_and_duplicate_nothing(network: Network) -> None:
    network.put(MESSAGES)
    chance = random.Random(1)
    for _ in range(KILLS):
        with network.running("--until-empty") as process:
            wait_until(lambda: process.poll() is not None or "RUNNING" in network.status(network.qm1))
            time.sleep(chance.random() / 3)
            process.kill()
            process.wait(PATIENCE_SECONDS)
    with network.running("--until-empty") as process:
        assert process.wait(PATIENCE_SECONDS) == 0
    assert network.arrived() == [*range(MESSAGES)]
    assert network.qm1.in_doubt() == []

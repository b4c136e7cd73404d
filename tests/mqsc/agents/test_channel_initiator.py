"""The channel initiator, step by step on a frozen clock; the test drives the channels that it
starts.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from mqsc.agents.channel_initiator import ChannelInitiator
from mqsc.store.admin.channel.starts import InitiationQueues, initiation_queues, may_be_due
from mqsc.store.client.store import Store
from mqsc.store.environment import Environment, FrozenClock
from mqsc.store.error import MQError
from mqsc.store.message import Message
from tests.rows import rows
from tests.scenarios.channel_bench import Network, row

TRIGGERED = "ALTER QLOCAL(X) TRIGGER TRIGTYPE(FIRST) INITQ(SYSTEM.CHANNEL.INITQ)"


class Bench(Network):
    """Two queue managers and an initiator. Each look of the initiator is followed by a turn for
    its channels.
    """

    def __init__(self, store: Store, environment: Environment[FrozenClock]) -> None:
        super().__init__(store, environment)
        self.started: list[str] = []
        self.next_retry: int | None = None
        self.attend()

    def attend(self, queue: str = "SYSTEM.CHANNEL.INITQ") -> None:
        self.connection = self.qm1.connect("runmqchi")
        self.agent = ChannelInitiator(self.connection, queue, self._start, self.reports.append)

    def _start(self, name: str) -> None:
        self.started.append(name)
        self.start()

    def look(self, seconds: float = 0) -> str:
        """Advance the clock, let the initiator and the channels do what is due, and return the
        channel's status.
        """
        self.clock.advance(seconds)
        self.next_retry = self.agent.look()
        for run in self.runs:
            if run.ending is None:
                run.resume()
        return self.status()


@pytest.fixture
def bench(store: Store, environment: Environment[FrozenClock]) -> Iterator[Bench]:
    made = Bench(store, environment)
    yield made
    for run in made.runs:
        run.close()


def test_l03_a_start_is_carried_out(bench: Bench) -> None:
    bench.at1("START CHANNEL(C)")
    assert (bench.status(), bench.look(), bench.look()) == ("STARTING", "RUNNING", "RUNNING")
    assert bench.started == ["C"]


@rows("TRIGDATA(C)", "TRIGDATA(' ')", "PROCESS(P)")
def test_l46_a_trigger_starts_the_channel(bench: Bench, data: str) -> None:
    """By its own data, or by the user data of its process."""
    bench.at1("DEFINE PROCESS(P) USERDATA(C)", f"{TRIGGERED} {data}")
    bench.put("a")
    assert (bench.look(), bench.texts(), bench.depth("SYSTEM.CHANNEL.INITQ")) == (
        "RUNNING",
        ["a"],
        0,
    )


def test_l46_a_trigger_for_a_channel_that_does_not_exist(bench: Bench) -> None:
    bench.at1(f"{TRIGGERED} TRIGDATA(NOPE)")
    bench.put("a")
    assert bench.look() == "INACTIVE"
    assert bench.said("AMQ9519E")
    assert (bench.depth("X"), bench.depth("SYSTEM.CHANNEL.INITQ"), bench.depth("DLQ")) == (1, 0, 0)


def test_l47_a_trigger_while_it_is_stopped_is_used_up(bench: Bench) -> None:
    bench.at1("START CHANNEL(C)")
    bench.look()
    bench.at1("STOP CHANNEL(C)")
    assert bench.look() == "STOPPED"
    bench.at1(f"{TRIGGERED} GET(ENABLED)")
    bench.put("a")
    assert (
        bench.depth("SYSTEM.CHANNEL.INITQ"),
        bench.look(),
        bench.depth("SYSTEM.CHANNEL.INITQ"),
    ) == (1, "STOPPED", 0)
    assert bench.started == ["C"]


def test_l47_a_trigger_while_it_is_retried_is_used_up(bench: Bench) -> None:
    bench.at1(TRIGGERED)
    bench.qm2.end(immediate=True)
    bench.put("a")
    assert bench.look() == "RETRYING"
    # The failed run closed the transmission queue, which triggered again.
    bench.look(1)
    assert (bench.status(), bench.started, bench.depth("SYSTEM.CHANNEL.INITQ")) == (
        "RETRYING",
        ["C"],
        0,
    )


def test_l10_a_stop_that_lets_a_trigger_start_it(bench: Bench) -> None:
    bench.at1(TRIGGERED, "START CHANNEL(C)")
    bench.look()
    bench.at1("STOP CHANNEL(C) STATUS(INACTIVE)")
    assert bench.look() == "INACTIVE"
    bench.put("a")
    assert (bench.look(), bench.texts()) == ("RUNNING", ["a"])


def test_l19_l20_a_failure_is_retried_until_a_message_gets_through(bench: Bench) -> None:
    bench.qm2.end(immediate=True)
    bench.at1("START CHANNEL(C)")
    assert bench.look() == "RETRYING"
    status = row(bench.qm1, "DISPLAY CHSTATUS(C) SHORTRTS MCASTAT JOBNAME")
    assert (status["SHORTRTS"], status["MCASTAT"], status["JOBNAME"]) == (
        9,
        "NOT RUNNING",
        "0" * 16,
    )
    bench.qm2.start()
    assert (bench.look(59.9), bench.next_retry) == ("RETRYING", bench.clock.now() + 100_000)
    assert (bench.look(0.1), row(bench.qm1, "DISPLAY CHSTATUS(C) SHORTRTS")["SHORTRTS"]) == (
        "RUNNING",
        9,
    )
    bench.put("a")
    bench.look()
    assert row(bench.qm1, "DISPLAY CHSTATUS(C) SHORTRTS")["SHORTRTS"] == 10


def test_l21_an_initiator_of_another_queue_retries_nothing(bench: Bench) -> None:
    bench.at1("DEFINE QLOCAL(OTHER)", "ALTER QLOCAL(X) INITQ(OTHER)")
    bench.qm2.end(immediate=True)
    bench.start()
    assert bench.status() == "INACTIVE"
    bench.at1("START CHANNEL(C)")
    assert bench.look() == "STARTING"
    bench.attend("OTHER")
    assert bench.look() == "RETRYING"


def test_the_cheap_check_notices_what_the_initiator_would_start(bench: Bench) -> None:
    run = bench.qm1.row().run

    def is_due(queue: str = "SYSTEM.CHANNEL.INITQ") -> bool:
        return may_be_due(bench.qm1, [queue], run)

    bench.at1("DEFINE QLOCAL(OTHER)", TRIGGERED)
    with bench.qm1.connect("app") as connection:
        connection.put1("OTHER", Message(b"of no channel"))
    assert (is_due(), is_due("OTHER")) == (False, True)
    bench.put("a")
    assert (is_due(), is_due("MISSING")) == (True, False)
    assert (bench.look(), is_due()) == ("RUNNING", False)
    bench.at1("STOP CHANNEL(C) STATUS(INACTIVE)")
    bench.look()
    bench.qm2.end(immediate=True)
    bench.at1("START CHANNEL(C)")
    assert is_due()
    assert (bench.look(), is_due()) == ("RETRYING", False)
    bench.clock.advance(60)
    assert is_due()


def test_the_cheap_check_notices_an_end(bench: Bench) -> None:
    run = bench.qm1.row().run
    bench.qm1.end(immediate=True)
    assert may_be_due(bench.qm1, [], run)
    bench.qm1.start()
    assert may_be_due(bench.qm1, [], run)
    assert not may_be_due(bench.qm1, [], bench.qm1.row().run)


def test_h28_a_trigger_starts_it_again_after_the_disconnect_interval(bench: Bench) -> None:
    bench.at1("ALTER CHANNEL(C) CHLTYPE(SDR) DISCINT(2)", TRIGGERED, "START CHANNEL(C)")
    bench.look()
    assert bench.look(2) == "INACTIVE"
    bench.put("next")
    assert (bench.look(), bench.texts()) == ("RUNNING", ["next"])


def test_only_trigger_messages_are_taken_from_the_initiation_queue(bench: Bench) -> None:
    """Unlike the drop of channel-commands 5: whose message it is cannot be known."""
    bench.at1(TRIGGERED)
    with bench.qm1.connect("app") as connection:
        for body in (b"junk", b"TM  and more"):
            connection.put1("SYSTEM.CHANNEL.INITQ", Message(body))
        bench.put("a")
        connection.put1("SYSTEM.CHANNEL.INITQ", Message(b"order"))
    assert (bench.look(), bench.look()) == ("RUNNING", "RUNNING")
    assert bench.texts("SYSTEM.CHANNEL.INITQ", bench.qm1) == ["junk", "TM  and more", "order"]
    assert sum("not trigger messages; they stay there" in line for line in bench.reports) == 1


def test_a_second_initiator_and_a_transmission_queue_are_refused(bench: Bench) -> None:
    with pytest.raises(MQError, match="2042"):
        bench.attend()
    bench.put("1")
    depth = bench.depth("X")
    with bench.qm1.connect("app") as connection, pytest.raises(MQError, match="2092"):
        ChannelInitiator(connection, "X", bench.reports.append, bench.reports.append)
    assert bench.depth("X") == depth


def test_serve_leaves_initiation_queues_that_others_use_alone(bench: Bench) -> None:
    bench.at1("DEFINE QLOCAL(I1)", "DEFINE QLOCAL(I2)", "ALTER QLOCAL(X) INITQ(I1)")
    bench.at1("DEFINE QLOCAL(Y) USAGE(XMITQ) INITQ(I2)", "DEFINE QLOCAL(APP) INITQ(I2)")
    bench.at1("DEFINE QLOCAL(Z) USAGE(XMITQ) INITQ(MISSING)")
    ours = InitiationQueues(("SYSTEM.CHANNEL.INITQ", "I1"), ())
    assert initiation_queues(bench.qm1) == ours
    bench.at1("ALTER QLOCAL(X) TRIGGER TRIGTYPE(FIRST)")
    bench.attend("I1")
    bench.agent.close()
    bench.put("a")
    assert initiation_queues(bench.qm1) == ours
    with bench.qm1.connect("app") as connection:
        for queue in ("I1", "SYSTEM.CHANNEL.INITQ"):
            connection.put1(queue, Message(b"order"))
    assert initiation_queues(bench.qm1) == InitiationQueues(("SYSTEM.CHANNEL.INITQ",), ("I1",))
    bench.at1("CLEAR QLOCAL(I1)")
    assert initiation_queues(bench.qm1) == ours

"""Depth events and statistics of shared queues, which each member counts for itself (sharing.md §4, S25)."""

from __future__ import annotations

from typing import Any

import pytest

import mqsc
from store.client.api import Connection, QueueManager, Store
from store.constants import MQGMO, MQOO, MQPMO
from store.descriptor import MessageDescriptor
from store.environment import Environment, FrozenClock
from store.error import MQError
from store.message import GetMessageOptions, Message, PutMessageOptions
from tests.scenarios.event_bench import PERFM, EventBench, ReadEvent

SHARED = "QSGDISP(SHARED) CFSTRUCT(APPL1)"
HIGH, LOW, FULL = 2224, 2225, 2053


class Bench:
    """QM1, QM2 and QM3 of QSG1; the shared queue SQ has MAXDEPTH(10), PERFMEV is on at QM1 and QM2."""

    def __init__(self, store: Store) -> None:
        self.members = {number: store.create_queue_manager(f"QM{number}", group="QSG1") for number in (1, 2, 3)}
        self.run(1, "DEFINE CFSTRUCT(APPL1) CFLEVEL(5) RECOVER(YES)")
        self.run(1, f"DEFINE QLOCAL(SQ) {SHARED} MAXDEPTH(10) QDPHIEV(ENABLED)")
        for number in (1, 2):
            self.run(number, "ALTER QMGR PERFMEV(ENABLED)")
        self.connections: dict[int, Connection] = {
            number: qmgr.connect(application="billing", user="alice") for number, qmgr in self.members.items()
        }
        options = MQOO.INPUT_SHARED | MQOO.OUTPUT
        self.handles = {number: each.open("SQ", options) for number, each in self.connections.items()}

    def run(self, number: int, command: str) -> list[dict[str, Any]]:
        (reply,) = mqsc.run(self.members[number], command)
        assert reply.completion == 0, reply
        return reply.rows

    def put(self, number: int, count: int, options: int = 0, expiry: int = -1) -> None:
        for _ in range(count):
            self.handles[number].put(Message(b"x", MessageDescriptor(expiry=expiry)), PutMessageOptions(options))

    def get(self, number: int, count: int, options: int = MQGMO.NO_SYNCPOINT) -> None:
        for _ in range(count):
            self.handles[number].get(GetMessageOptions(options))

    def events(self, number: int) -> list[ReadEvent]:
        """The performance events of a member since the last look."""
        return EventBench.events_on(self.members[number], PERFM)

    def reasons(self) -> list[list[int]]:
        """The reasons of the events of each member since the last look."""
        return [[each.header.reason for each in self.events(number)] for number in self.members]

    def statistics(self, number: int) -> tuple[int, int, int]:
        """HIQDEPTH, MSGSIN and MSGSOUT that RESET QSTATS returns at a member."""
        (row,) = self.run(number, "RESET QSTATS(SQ)")
        return row["HIQDEPTH"], row["MSGSIN"], row["MSGSOUT"]


@pytest.fixture
def bench(store: Store) -> Bench:
    return Bench(store)


def test_s25_each_running_member_with_perfmev_puts_an_event_with_its_own_counts(
    bench: Bench, environment: Environment[FrozenClock]
) -> None:
    bench.put(2, 1)
    bench.get(2, 1)
    bench.put(2, 1)
    environment.clock.advance(seconds=3)
    bench.put(1, 6)
    assert bench.reasons() == [[], [], []]
    bench.put(1, 1)
    first, second, third = (bench.events(number) for number in bench.members)
    assert [each.values for each in (*first, *second)] == [["QM1", "SQ", 3, 8, 7, 0], ["QM2", "SQ", 3, 1, 2, 1]]
    assert [each.header.reason for each in (*first, *second, *third)] == [HIGH, HIGH]
    ids = [(each.message.descriptor.correl_id, each.message.descriptor.msg_id) for each in (*first, *second)]
    assert ids[0][0] == ids[1][0] != bytes(24)
    assert ids[0][1] != ids[1][1]


def test_s25_the_switches_are_those_of_the_definition(bench: Bench) -> None:
    bench.put(1, 8)
    assert bench.reasons() == [[HIGH], [HIGH], []]
    # Any member sees that the event has disabled itself, and QM3 raises it although its own PERFMEV is off.
    bench.put(2, 1)
    bench.get(3, 7)
    assert bench.reasons() == [[LOW], [LOW], []]
    bench.put(3, 8)
    assert bench.reasons() == [[HIGH], [HIGH], []]
    row = bench.run(3, "DISPLAY QLOCAL(SQ) QDPHIEV QDPLOEV")[0]
    assert (row["QDPHIEV"], row["QDPLOEV"]) == ("DISABLED", "ENABLED")


def test_a_member_that_has_ended_puts_no_event(bench: Bench) -> None:
    bench.members[2].end(immediate=True)
    bench.put(1, 8)
    bench.members[2].start()
    assert bench.reasons() == [[HIGH], [], []]


def test_without_perfmev_on_any_member_nothing_is_switched(bench: Bench) -> None:
    for number in (1, 2):
        bench.run(number, "ALTER QMGR PERFMEV(DISABLED)")
    bench.put(1, 9)
    assert bench.reasons() == [[], [], []]
    assert bench.run(1, "DISPLAY QLOCAL(SQ) QDPHIEV")[0]["QDPHIEV"] == "ENABLED"


def test_a_full_queue_is_an_event_of_each_member(bench: Bench) -> None:
    bench.put(1, 10)
    bench.reasons()
    with pytest.raises(MQError):
        bench.put(3, 1)
    assert bench.reasons() == [[FULL], [FULL], []]


def test_backouts_clears_and_scans_are_falls_too(bench: Bench, environment: Environment[FrozenClock]) -> None:
    bench.put(3, 8, MQPMO.SYNCPOINT)
    bench.connections[3].back()
    assert bench.reasons() == [[HIGH, LOW], [HIGH, LOW], []]
    bench.put(3, 8, expiry=10)
    environment.clock.advance(seconds=2)
    bench.run(3, "REFRESH QMGR TYPE(EXPIRY)")
    assert bench.reasons() == [[HIGH, LOW], [HIGH, LOW], []]


def test_s25_shared_queues_have_no_service_interval_events(bench: Bench, environment: Environment[FrozenClock]) -> None:
    bench.run(1, "ALTER QLOCAL(SQ) QSGDISP(SHARED) QSVCIEV(HIGH) QSVCINT(10) QDPLOEV(ENABLED)")
    bench.put(1, 4)
    environment.clock.advance(seconds=60)
    bench.put(1, 4)
    environment.clock.advance(seconds=60)
    bench.get(2, 8)
    assert bench.reasons() == [[HIGH, LOW], [HIGH, LOW], []]


def test_an_event_queue_with_a_trigger_triggers_on_its_own_member(bench: Bench) -> None:
    for command in (
        "DEFINE QLOCAL(IQ)",
        "DEFINE PROCESS(P) APPLICID(run)",
        f"ALTER QLOCAL({PERFM}) TRIGGER TRIGTYPE(FIRST) INITQ(IQ) PROCESS(P)",
    ):
        bench.run(2, command)
    monitor = bench.members[2].connect().open("IQ", MQOO.INPUT_SHARED)
    bench.put(1, 8)
    assert monitor.get(GetMessageOptions(MQGMO.NO_WAIT)).descriptor.format == "MQTRIG"


def test_reset_qstats_is_the_members_own(bench: Bench) -> None:
    bench.put(1, 3)
    bench.put(2, 1)
    bench.get(2, 2)
    assert [bench.statistics(number) for number in bench.members] == [(3, 3, 0), (4, 1, 2), (0, 0, 0)]
    bench.put(1, 1)
    assert [bench.statistics(number) for number in bench.members] == [(3, 1, 0), (2, 0, 0), (2, 0, 0)]


def test_reset_qstats_shows_own_and_shared_queues_by_name(bench: Bench, environment: Environment[FrozenClock]) -> None:
    bench.run(1, "DEFINE QLOCAL(SP)")
    bench.run(1, "DEFINE QLOCAL(SR)")
    environment.clock.advance(seconds=4)
    rows = bench.run(1, "RESET QSTATS(S*)")
    names = [row["QSTATS"] for row in rows if not row["QSTATS"].startswith("SYSTEM.")]
    assert names == ["SP", "SQ", "SR"]
    assert [row["QSGDISP"] for row in rows if row["QSTATS"] in names] == ["QMGR", "SHARED", "QMGR"]
    assert {row["RESETINT"] for row in rows if row["QSTATS"] in names} == {4}
    environment.clock.advance(seconds=2)
    assert [bench.run(number, "RESET QSTATS(SQ)")[0]["RESETINT"] for number in (1, 2)] == [2, 6]


def test_the_statistics_of_a_member_begin_again_when_it_starts(bench: Bench) -> None:
    bench.put(1, 2)
    bench.put(2, 2)
    bench.members[1].end(immediate=True)
    bench.members[1].start()
    assert [bench.statistics(number) for number in (1, 2)] == [(4, 0, 0), (4, 2, 0)]


def test_a_member_that_only_receives_reports_counts_them(store: Store) -> None:
    bench = Bench(store)
    asking = MessageDescriptor(report=256, reply_to_q="SQ")
    bench.run(1, "DEFINE QLOCAL(OWN)")
    bench.connections[1].put1("OWN", Message(b"x", asking))
    qmgr: QueueManager = bench.members[1]
    assert bench.statistics(1) == (1, 1, 0), qmgr.name


def test_the_last_put_and_get_are_those_of_the_member_that_answers(
    bench: Bench, environment: Environment[FrozenClock]
) -> None:
    bench.run(1, "ALTER QLOCAL(SQ) QSGDISP(SHARED) MONQ(LOW)")
    bench.put(1, 1)
    environment.clock.advance(seconds=3600)
    bench.put(2, 1)
    bench.get(2, 1)
    rows = [bench.run(number, "DISPLAY QSTATUS(SQ) LPUTTIME LGETTIME")[0] for number in bench.members]
    hours = [tuple(row[word][:2] for word in ("LPUTTIME", "LGETTIME")) for row in rows]
    assert hours == [("22", ""), ("23", "23"), ("", "")]

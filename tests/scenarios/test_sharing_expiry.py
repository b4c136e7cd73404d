"""Expired messages on shared queues: exactly one member scans them (sharing.md S43–S47, expiry E26–E28)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from sqlalchemy import select

import mqsc
from mqsc.agents.background_work import lock_for
from store.admin.expiry import scan
from store.client.api import Store
from store.constants import MQRO
from store.descriptor import MessageDescriptor
from store.environment import Environment, FrozenClock
from store.message import Message
from store.sql.schema import event
from store.sqlite.database import Reading
from store.sqlite.statement import Statement

SHARED = "QSGDISP(SHARED) CFSTRUCT(APPL1)"
_EVENTS = Statement(
    select(event.c.cause, event.c.qmgr, event.c.target, event.c.detail)
    .where(event.c.kind == "OWNER")
    .order_by(event.c.seq)
)
_EXPIRED = Statement(
    select(event.c.cause, event.c.qmgr, event.c.queue, event.c.detail)
    .where(event.c.kind == "EXPIRE")
    .order_by(event.c.seq)
)

_REPORTS = Statement(
    select(event.c.qmgr, event.c.queue, event.c.target, event.c.detail).where(event.c.kind == "REPORT")
)


class Group:
    """QM1, QM2 and QM3 of QSG1 with the shared queue SQ; `serves` are the members that a `mqsc serve` runs for."""

    def __init__(self, store: Store, clock: FrozenClock, held: ExitStack) -> None:
        self.store, self.clock, self.held = store, clock, held
        self.members = {number: store.create_queue_manager(f"QM{number}", group="QSG1") for number in (1, 2, 3)}
        self.serves: set[int] = set()
        self.run(1, "DEFINE CFSTRUCT(APPL1) CFLEVEL(5) RECOVER(YES)", f"DEFINE QLOCAL(SQ) {SHARED}")

    def run(self, number: int, *commands: str) -> list[str]:
        """Run commands at a member, which must succeed; the text of their replies."""
        replies = mqsc.run(self.members[number], "\n".join(commands))
        assert [each.text for each in replies if each.completion == 2] == []
        return [f"{each.message_id}: {each.text}" for each in replies]

    def serve(self, *numbers: int) -> None:
        """Have a `mqsc serve` run for members until `killed` ends it."""
        for number in numbers:
            lock = lock_for(self.store, f"QM{number}")
            assert lock.acquire()
            self.held.callback(lock.release)
            self.serves.add(number)

    def killed(self, number: int) -> None:
        """The `mqsc serve` of a member is killed."""
        self.serves.remove(number)
        self.held.close()
        others, self.serves = self.serves, set()
        self.serve(*others)

    def put(self, number: int = 3, queue: str = "SQ") -> None:
        """Put a message that expires after a second."""
        with self.members[number].connect() as connection:
            connection.put1(queue, Message(b"x", MessageDescriptor(expiry=10, persistence=1)))

    def tick(self) -> None:
        """5 seconds pass; every `mqsc serve` of a running member with EXPRYINT scans."""
        self.clock.advance(seconds=5)
        for number in sorted(self.serves):
            row = self.members[number].row()
            if row.state != "ENDED" and row.expiry_interval is not None:
                scan(self.members[number])

    def owners(self) -> list[str]:
        """The members with EXPSCAN(YES)."""
        running = next(each for each in self.members.values() if each.row().state != "ENDED")
        [reply] = mqsc.run(running, "DISPLAY GROUP")
        return [row["QMNAME"] for row in reply.rows if row["EXPSCAN"] == "YES"]

    def changes(self) -> list[tuple[str, str | None, str, str | None]]:
        """(cause, owner, acting member, owner before) of each change of owner."""
        found = []
        with Reading(self.store.database) as reading:
            for cause, qmgr, target, detail in reading.all(_EVENTS):
                assert qmgr == "QSG1"
                found.append((cause, target, json.loads(detail)["member"], json.loads(detail).get("from")))
        return found

    def expired(self) -> list[tuple[str, str]]:
        """(cause, member) of each message of SQ that was discarded."""
        with Reading(self.store.database) as reading:
            return [
                (cause, json.loads(detail)["member"])
                for cause, qmgr, queue, detail in reading.all(_EXPIRED)
                if (qmgr, queue) == ("QSG1", "SQ")
            ]


@pytest.fixture
def group(store: Store, environment: Environment[FrozenClock]) -> Iterator[Group]:
    with ExitStack() as held:
        yield Group(store, environment.clock, held)


def test_s43_e26_the_first_member_with_expryint_scans_shared_queues(group: Group) -> None:
    group.run(2, "ALTER QMGR EXPRYINT(5)")
    group.run(1, "ALTER QMGR EXPRYINT(5)")
    group.serve(1, 2, 3)
    group.put()
    group.tick()
    assert group.owners() == ["QM2"]
    assert group.expired() == [("interval", "QM2")]
    assert group.changes() == [("alter", "QM2", "QM2", None)]


def test_s44_e27_another_candidate_follows_an_owner_that_ended(group: Group) -> None:
    group.run(2, "ALTER QMGR EXPRYINT(5)")
    group.run(1, "ALTER QMGR EXPRYINT(5)")
    group.serve(1, 2, 3)
    group.members[2].end()
    assert group.owners() == ["QM1"]
    group.put()
    group.tick()
    group.members[2].start()
    group.put()
    group.tick()
    assert group.owners() == ["QM1"]
    assert group.expired() == [("interval", "QM1")] * 2
    assert group.changes() == [("alter", "QM2", "QM2", None), ("end", "QM1", "QM2", "QM2")]


def test_s44_e27_a_candidate_that_ticks_follows_an_owner_whose_serve_was_killed(group: Group) -> None:
    group.run(2, "ALTER QMGR EXPRYINT(5)")
    group.run(1, "ALTER QMGR EXPRYINT(5)")
    group.serve(1, 2, 3)
    group.killed(2)
    group.put()
    assert group.owners() == ["QM2"]
    group.tick()
    assert group.owners() == ["QM1"]
    group.serve(2)
    group.put()
    group.tick()
    assert group.expired() == [("interval", "QM1")] * 2
    assert group.changes()[1:] == [("takeover", "QM1", "QM1", "QM2")]


def test_s45_e28_an_owner_that_switches_expryint_off_gives_the_queues_up(group: Group) -> None:
    group.run(1, "ALTER QMGR EXPRYINT(5)")
    group.run(2, "ALTER QMGR EXPRYINT(5)")
    group.serve(1, 2, 3)
    group.run(1, "ALTER QMGR EXPRYINT(OFF)")
    assert group.owners() == ["QM2"]
    group.put()
    group.tick()
    group.run(2, "ALTER QMGR EXPRYINT(OFF)")
    assert group.owners() == []
    group.put()
    group.tick()
    assert group.expired() == [("interval", "QM2")]
    assert group.run(3, "DISPLAY QSTATUS(SQ) CURDEPTH EXPIRED")
    assert group.changes() == [
        ("alter", "QM1", "QM1", None), ("alter", "QM2", "QM1", "QM1"), ("alter", None, "QM2", "QM2"),
    ]  # fmt: skip


def test_e28_a_member_that_starts_with_expryint_set_becomes_the_owner_if_there_is_none(group: Group) -> None:
    group.run(1, "ALTER QMGR EXPRYINT(5)")
    group.run(3, "ALTER QMGR EXPRYINT(5)")
    for number in (1, 3):
        group.members[number].end()
    assert group.owners() == []
    group.members[3].start()
    group.members[1].start()
    assert group.owners() == ["QM3"]
    assert group.changes()[-2:] == [("end", None, "QM3", "QM3"), ("start", "QM3", "QM3", None)]


def test_the_candidate_of_the_longest_standing_follows(group: Group) -> None:
    for number in (2, 3, 1):
        group.run(number, "ALTER QMGR EXPRYINT(5)")
    group.members[3].end()
    group.members[3].start()
    group.members[2].end()
    assert group.owners() == ["QM1"]


def test_a_quiescing_owner_scans_until_its_last_connection_ends(group: Group) -> None:
    for number in (2, 1):
        group.run(number, "ALTER QMGR EXPRYINT(5)")
    group.serve(1, 2)
    connection = group.members[2].connect()
    group.members[2].end()
    group.put()
    group.tick()
    assert (group.owners(), group.expired()) == (["QM2"], [("interval", "QM2")])
    connection.disconnect()
    assert group.owners() == ["QM1"]


@pytest.mark.parametrize(("scope", "by"), [("", "QM3"), (" CMDSCOPE(*)", "QM3"), (" CMDSCOPE(QM1)", "QM1")])
def test_s46_refresh_scans_shared_queues_once_whoever_owns_them(group: Group, scope: str, by: str) -> None:
    group.run(2, "ALTER QMGR EXPRYINT(5)")
    group.run(1, "DEFINE QLOCAL(OWN)")
    group.put()
    group.put(1, "OWN")
    group.clock.advance(seconds=2)
    [reply] = mqsc.run(group.members[3], f"REFRESH QMGR TYPE(EXPIRY){scope}")
    assert [row.get("qmgr", "QM3") for row in reply.rows if row["QUEUE"] == "SQ"] == [by]
    assert group.expired() == [("refresh", by)]
    assert [row["DISCARDED"] for row in reply.rows if row["QUEUE"] == "OWN"] == ([1] if scope else [])
    assert group.owners() == ["QM2"]


def test_s47_members_with_different_values_are_warned_of(group: Group) -> None:
    assert group.run(1, "ALTER QMGR EXPRYINT(5)") == ["AMQ8005I: IBM MQ queue manager changed."]
    group.run(2, "ALTER QMGR EXPRYINT(5)")
    assert group.run(3, "ALTER QMGR EXPRYINT(9)") == [
        "AMQ8005I: IBM MQ queue manager changed.\n"
        "MQSC0033W: EXPRYINT differs among the members of the queue-sharing group: QM1 5, QM2 5, QM3 9."
    ]
    assert "MQSC0033W" not in group.run(2, "ALTER QMGR DESCR(X)")[0]
    # Nobody is warned of values that the same command changes.
    assert "MQSC0033W" not in group.run(2, "ALTER QMGR EXPRYINT(7) CMDSCOPE(*)")[0]
    assert "MQSC0033W" not in group.run(3, "ALTER QMGR EXPRYINT(OFF)")[0]


def test_at_a_start_shared_queues_are_scanned_only_if_no_other_member_runs(group: Group) -> None:
    group.put()
    group.clock.advance(seconds=2)
    group.members[1].end()
    group.members[1].start()
    assert group.expired() == []
    for member in group.members.values():
        member.end()
    group.members[2].start()
    assert group.expired() == [("restart", "QM2")]


def test_messages_that_ask_for_a_report_are_reported_by_the_owner(group: Group) -> None:
    group.run(1, "DEFINE QLOCAL(R)", "ALTER QMGR EXPRYINT(5)")
    group.run(2, "DEFINE QLOCAL(R)", "ALTER QMGR EXPRYINT(5)")
    group.serve(1, 2)
    asking = MessageDescriptor(expiry=10, report=MQRO.EXPIRATION, reply_to_q="R", reply_to_q_mgr="QSG1")
    with group.members[2].connect() as connection:
        connection.put1("SQ", Message(b"x", asking))
    group.tick()
    assert group.expired() == [("interval", "QM1")]
    depths = [mqsc.run(group.members[number], "DISPLAY QLOCAL(R) CURDEPTH")[0].rows for number in (1, 2)]
    assert [row["CURDEPTH"] for [row] in depths] == [1, 0]
    with Reading(group.store.database) as reading:
        [(*reported, detail)] = reading.all(_REPORTS)
    assert (reported, json.loads(detail)["member"]) == (["QSG1", "SQ", "R"], "QM1")


def test_a_queue_manager_that_left_scans_no_shared_queue(group: Group) -> None:
    group.run(1, "ALTER QMGR EXPRYINT(5)")
    group.run(2, "ALTER QMGR EXPRYINT(5)")
    group.serve(1, 2)
    group.members[1].end()
    group.store.leave_group("QM1")
    group.members[1].start()
    group.put()
    group.tick()
    assert group.expired() == [("interval", "QM2")]


def test_a_queue_manager_outside_a_group_causes_no_event_about_owners(store: Store) -> None:
    alone = store.create_queue_manager("ALONE")
    assert [each.text for each in mqsc.run(alone, "ALTER QMGR EXPRYINT(5)")] == ["IBM MQ queue manager changed."]
    scan(alone)
    alone.end()
    with Reading(store.database) as reading:
        assert reading.all(_EVENTS) == []


@pytest.mark.parametrize(
    ("commands", "queue"),
    [
        ((), ""),
        (("DEFINE QLOCAL(DLQ)", "ALTER QMGR DEADQ(DLQ)"), "DLQ"),
        ((f"DEFINE QLOCAL(R) {SHARED}", "ALTER QMGR SQQMNAME(IGNORE)"), "R"),
        ((f"DEFINE QLOCAL(R) {SHARED}",), ""),
        (("DEFINE QLOCAL(QM2) USAGE(XMITQ)",), "QM2"),
    ],
    ids=["lost", "dead-letter queue", "shared reply queue", "shared, but SQQMNAME(USE)", "transmission queue"],
)
def test_a_report_for_another_member_needs_a_way_there(group: Group, commands: tuple[str, ...], queue: str) -> None:
    """ReplyToQMgr is the member that put the message; another one discards it, and makes the report."""
    group.run(1, "ALTER QMGR EXPRYINT(5)", *commands)
    group.serve(1)
    with group.members[2].connect() as connection:
        asking = MessageDescriptor(expiry=10, report=MQRO.EXPIRATION, reply_to_q="R")
        connection.put1("SQ", Message(b"x", asking))
    group.tick()
    assert group.expired() == [("interval", "QM1")]
    (reply,) = mqsc.run(group.members[1], "DISPLAY QUEUE(*) TYPE(QLOCAL) WHERE(CURDEPTH GT 0)")
    assert [row["QUEUE"] for row in reply.rows if not str(row["QUEUE"]).startswith("SYSTEM.")] == [queue] * bool(queue)

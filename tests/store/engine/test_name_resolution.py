"""Name resolution row by row (mqi-semantics §2.3, channels Ch2)."""

from __future__ import annotations

import pytest

from mqsc.store.admin.altering import change_queue_manager
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.engine.name_resolution import Destination, Size, destination
from mqsc.store.sqlite.database import Reading
from tests.rows import rows
from tests.scenarios.play import Play

OBJECTS = """
    DEFINE QLOCAL(Q) DEFPRTY(1) · DEFINE QLOCAL(XQ) USAGE(XMITQ) · DEFINE QLOCAL(QM2) USAGE(XMITQ)
    DEFINE QLOCAL(QM.PLAIN) · DEFINE QALIAS(QM.ALIAS) TARGET(XQ) · DEFINE QMODEL(MODEL)
    DEFINE QALIAS(A) TARGET(Q) DEFPRTY(2) · DEFINE QALIAS(A.A) TARGET(A) · DEFINE QALIAS(A.NONE) TARGET(NONE)
    DEFINE QALIAS(A.MODEL) TARGET(MODEL) · DEFINE QALIAS(A.TOPIC) TARGET(T) TARGTYPE(TOPIC)
    DEFINE QALIAS(A.FAR) TARGET(FAR) · DEFINE QREMOTE(FAR) RNAME(THERE) RQMNAME(QM9) XMITQ(XQ)
    DEFINE QREMOTE(BY.NAME) RNAME(THERE) RQMNAME(QM2) · DEFINE QREMOTE(BY.DEFAULT) RNAME(THERE) RQMNAME(QM3)
    DEFINE QREMOTE(NO.RNAME) RQMNAME(QM2) XMITQ(XQ) · DEFINE QREMOTE(NO.RQMNAME) RNAME(THERE) XMITQ(XQ)
    DEFINE QREMOTE(HERE) RNAME(Q) RQMNAME(QM1) XMITQ(XQ) · DEFINE QREMOTE(X.NONE) RNAME(T) RQMNAME(QM9) XMITQ(NONE)
    DEFINE QREMOTE(X.ALIAS) RNAME(T) RQMNAME(QM9) XMITQ(A) · DEFINE QREMOTE(X.PLAIN) RNAME(T) RQMNAME(QM9) XMITQ(Q)
    DEFINE QREMOTE(TO.PLAIN) RNAME(T) RQMNAME(QM.PLAIN) · DEFINE QREMOTE(TO.ALIAS) RNAME(T) RQMNAME(QM.ALIAS)
    DEFINE QREMOTE(TO.QREMOTE) RNAME(T) RQMNAME(FAR) · DEFINE QREMOTE(QM4) RQMNAME(QM2)
    DEFINE QREMOTE(QM5) RQMNAME(QM9) XMITQ(XQ) · DEFINE QREMOTE(QM6) XMITQ(XQ) · DEFINE QREMOTE(QM7) RQMNAME(QM1)
    DEFINE QREMOTE(QM8) RNAME(T) RQMNAME(QM2) · DEFINE QREMOTE(QM10) RQMNAME(QM5)
    DEFINE QREMOTE(QM11) RQMNAME(QM12) · DEFINE QREMOTE(QM12) RQMNAME(QM11) · DEFINE QREMOTE(QM13) RQMNAME(QM13)
    DEFINE QREMOTE(LOOP) RNAME(LOOP) RQMNAME(QM7) · DEFINE QREMOTE(VIA.ALIAS) RNAME(T) RQMNAME(QM5)
    DEFINE QREMOTE('Qm2') RNAME(THERE) RQMNAME(QM2) · DEFINE QLOCAL('q')
"""


@pytest.fixture
def qmgr(qmgr: QueueManager) -> QueueManager:
    Play(qmgr).run(OBJECTS)
    return qmgr


def resolved(qmgr: QueueManager, name: str, queue_manager: str = "") -> Destination | int:
    """Return the destination, or the reason why the name does not resolve."""
    with Reading(qmgr.store.database) as reading:
        reason, found = destination(reading, qmgr.row(), name, queue_manager)
    assert (reason == 0) is (found is not None)
    return reason if found is None else found


# (name, queue manager, objects resolved through, local queue, remote queue, remote queue manager)
RESOLVES = [
    ("Q", "", "", "Q", "", ""),
    ("Q", "QM1", "", "Q", "", ""),
    ("A", "", "A", "Q", "", ""),
    ("FAR", "", "FAR", "XQ", "THERE", "QM9"),
    ("FAR", "QM1", "FAR", "XQ", "THERE", "QM9"),
    ("A.FAR", "", "A.FAR FAR", "XQ", "THERE", "QM9"),
    ("BY.NAME", "", "BY.NAME", "QM2", "THERE", "QM2"),
    ("Z", "QM2", "", "QM2", "Z", "QM2"),
    ("Z", "QM4", "QM4", "QM2", "Z", "QM2"),
    ("Z", "QM5", "QM5", "XQ", "Z", "QM9"),
    ("Z", "QM6", "QM6", "XQ", "Z", "QM6"),
    ("A", "QM7", "QM7 A", "Q", "", ""),
    ("FAR", "QM7", "QM7 FAR", "XQ", "THERE", "QM9"),
    # Names are case-sensitive.
    ("q", "", "", "q", "", ""),
    ("Qm2", "", "Qm2", "QM2", "THERE", "QM2"),
]
# Names, or names and queue managers, by reason.
FAILS = {
    2085: ("NONE", "NONE QM7", "far"),
    2057: ("MODEL",),
    2001: ("A.A", "A.MODEL", "A.TOPIC"),
    2082: ("A.NONE",),
    2184: ("NO.RNAME",),
    2087: (
        *(
            "NO.RQMNAME",
            "HERE",
            "BY.DEFAULT",
            "A qm7",
            "Z qm2",
            "Z Qm2",
            "Z QM13",
            "Z QM.ALIAS",
            "Z MODEL",
        ),
        *("Z QM3", "Z QM8"),
    ),
    # An alias that leads to another is not followed, so resolution cannot loop.
    2091: (
        *(
            "TO.QREMOTE",
            "VIA.ALIAS",
            "LOOP",
            "LOOP QM7",
            "Z QM10",
            "Z QM11",
            "Z QM12",
            "X.ALIAS",
            "TO.ALIAS",
        ),
    ),
    2196: ("X.NONE",),
    2092: ("X.PLAIN", "TO.PLAIN", "Z QM.PLAIN"),
}


def reached(qmgr: QueueManager, name: str, queue_manager: str = "") -> Destination:
    """Return the destination of a name that resolves."""
    found = resolved(qmgr, name, queue_manager)
    assert isinstance(found, Destination), (name, queue_manager, found)
    return found


def test_names_that_resolve(qmgr: QueueManager) -> None:
    wrong = []
    for name, manager, *expected in RESOLVES:
        found = reached(qmgr, name, manager)
        path = " ".join(each.name for each in found.resolved_through)
        ends = [path, found.queue.name, found.remote_queue, found.remote_queue_manager]
        if ends != expected or found.is_remote != bool(expected[-1]):
            wrong.append((name, manager, ends))
    assert wrong == []


def test_names_that_do_not_resolve(qmgr: QueueManager) -> None:
    found = {each: resolved(qmgr, *each.split()) for names in FAILS.values() for each in names}
    assert found == {each: reason for reason, names in FAILS.items() for each in names}


@rows(("NONE", 2197), ("A", 2198), ("Q", 2199))
def test_an_unsuitable_default_transmission_queue(
    qmgr: QueueManager,
    default: str,
    reason: int,
) -> None:
    change_queue_manager(qmgr, {"DEFXMITQ": default})
    assert [resolved(qmgr, "BY.DEFAULT"), resolved(qmgr, "Z", "QM3")] == [reason, reason]


def test_the_default_transmission_queue_serves_where_no_queue_has_the_managers_name(
    qmgr: QueueManager,
) -> None:
    change_queue_manager(qmgr, {"DEFXMITQ": "XQ"})
    assert [resolved(qmgr, "TO.QREMOTE"), resolved(qmgr, "Z", "QM10")] == [2091, 2091]
    for name, manager in (
        ("BY.DEFAULT", ""),
        ("Z", "QM3"),
        ("Z", "QM13"),
        ("Z", "QM.ALIAS"),
        ("Z", "MODEL"),
    ):
        assert reached(qmgr, name, manager).queue.name == "XQ"


def test_the_object_that_was_opened_gives_the_defaults_and_every_one_on_the_way_can_inhibit(
    qmgr: QueueManager,
) -> None:
    play = Play(qmgr)
    found = reached(qmgr, "A")
    assert (found.opened.name, found.opened.default_priority, found.put_enabled, found.free) == (
        "A",
        2,
        True,
        5000,
    )
    assert (found.get_inhibited, found.resolved_names) == ("", ("Q", "QM1"))
    lines = ("set A INHIBIT_PUT=1", "set A INHIBIT_PUT=0", "ALTER QLOCAL(Q) PUT(DISABLED)")
    for line, enabled in zip(lines, (False, True, False), strict=True):
        play.run(line)
        assert reached(qmgr, "A").put_enabled is enabled
    for line, inhibited in (
        ("ALTER QLOCAL(Q) GET(DISABLED)", "Q"),
        ("ALTER QALIAS(A) GET(DISABLED)", "A"),
    ):
        play.run(line)
        assert reached(qmgr, "A").get_inhibited == inhibited


def test_an_alias_of_the_own_queue_manager_inhibits_puts_and_gives_the_defaults(
    qmgr: QueueManager,
) -> None:
    Play(qmgr).run("ALTER QREMOTE(QM7) PUT(DISABLED) DEFPRTY(7) · put1 m1 on Q at=QM7 => 2/2051")
    found = reached(qmgr, "A", "QM7")
    assert (found.opened.default_priority, found.is_remote) == (7, False)
    Play(qmgr).run(
        "ALTER QREMOTE(QM7) PUT(ENABLED) · put1 m1 on Q at=QM7 priority=-1 · get => m1 priority=7",
    )


def test_what_refuses_one_more_message(qmgr: QueueManager) -> None:
    """The order of the reasons is tested with the rule. This tests which facts of the
    destination the rule gets.
    """
    Play(qmgr).run(
        "ALTER QLOCAL(Q) MAXDEPTH(2) MAXMSGL(10) · ALTER QLOCAL(XQ) MAXMSGL(500) · put m1",
    )
    local, remote = reached(qmgr, "Q"), reached(qmgr, "FAR")
    header, row = remote.header_length, qmgr.row()
    assert (local.header_length, header) == (0, 428)
    # (destination, length, length of the extension, messages pending, reason)
    for where, length, extension, pending, reason in (
        *(
            (local, 10, 0, 0, 0),
            (local, 11, 0, 0, 2030),
            (local, 10, 72, 0, 0),
            (local, 1, 0, 1, 2053),
        ),
        *(
            (remote, 500 - header, 0, 0, 0),
            (remote, 501 - header, 0, 0, 2030),
            (remote, 500 - header, 1, 0, 2030),
        ),
    ):
        found = where.refusal(row, Size(0, length, extension), pending)
        assert found == reason, (length, extension, pending)

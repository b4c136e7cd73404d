"""Failures of the dead-letter queue, its messages, the targets, and the queue manager."""

from __future__ import annotations

import pytest

from mqsc.dlq.entry import parse_table
from mqsc.dlq.handler_run import HandlerArguments
from store.admin import deleting
from store.catalog import KINDS
from store.constants import MQOO, MQRC
from store.headers import mqxqh
from tests.mqsc.dlq.handler_system import DLQ, HEADER, HandlerSystem

RETRY = "WAIT(NO)\nACTION(RETRY)\n"
FORWARD = "WAIT(NO)\nACTION(FWD) FWDQ(REST)\n"


def test_a_queue_that_does_not_exist(system: HandlerSystem) -> None:
    ran = system.run("WAIT(NO) INPUTQ(NOPE)\nACTION(RETRY)\n")
    assert (ran.code, [message_id for _, message_id, _ in ran.said]) == (10, ["AMQ8708", "AMQ8745", "AMQ8709"])
    assert "2085 MQRC_UNKNOWN_OBJECT_NAME" in ran.said[1][2]


def test_a_queue_manager_that_does_not_exist(system: HandlerSystem) -> None:
    for table, asked in (
        (RETRY, HandlerArguments(None, "NOPE")),
        ("INPUTQM(NOPE)\nACTION(RETRY)\n", HandlerArguments()),
    ):
        ran = system.run(table, asked)
        assert (ran.code, ran.ids) == (10, ["AMQ8741"])
        assert "2058 MQRC_Q_MGR_NAME_ERROR" in ran.said[0][2]


def test_a_queue_manager_that_has_ended(system: HandlerSystem) -> None:
    system.qmgr.end()
    ran = system.run(RETRY)
    assert (ran.code, ran.ids) == (20, ["AMQ8741"])
    assert "Cannot connect to queue manager QM1" in ran.said[0][2]


@pytest.mark.parametrize("attributes", [{"DEFSOPT": "EXCL"}, {"SHARE": "NOSHARE"}])
def test_a_queue_that_another_has_exclusively(system: HandlerSystem, attributes: dict[str, str]) -> None:
    """§4.1: opened according to DEFSOPT and SHARE; a second handler gets 2042 and ends."""
    system.alter(DLQ, **attributes)
    system.put_dead_letter("x")
    with system.qmgr.connect() as connection:
        connection.open(DLQ, MQOO.INPUT_AS_Q_DEF)
        ran = system.run(RETRY)
    assert (ran.code, ran.ids) == (10, ["AMQ8745"])
    assert "2042 MQRC_OBJECT_IN_USE" in ran.said[1][2]


def test_a_queue_that_is_inhibited_for_put(system: HandlerSystem) -> None:
    """The handler works, because it never puts there."""
    system.define("Q1")
    system.put_dead_letter("x")
    system.alter(DLQ, PUT="DISABLED")
    assert system.run(RETRY).code == 0
    assert system.on("Q1") == ["x"]


def test_a_queue_that_is_inhibited_for_get(system: HandlerSystem) -> None:
    """§4.6: 2016 ends the handler, both at the start and during a wait."""
    system.alter(DLQ, GET="DISABLED")
    ran = system.run(RETRY)
    assert (ran.code, ran.ids) == (10, ["AMQ8748"])
    system.alter(DLQ, GET="ENABLED")
    system.clock.schedule(30, lambda: system.alter(DLQ, GET="DISABLED"))
    ran = system.run("WAIT(YES)\nACTION(RETRY)\n")
    assert (ran.code, ran.times("AMQ8748"), ran.times("AMQ8709")) == (10, [30], [30])


def test_a_queue_manager_that_ends_during_a_wait(system: HandlerSystem) -> None:
    """§4.6: only the exit code reports it."""
    system.put_dead_letter("x", dest_q_name="NOWHERE")
    system.clock.schedule(30, lambda: system.qmgr.end())
    ran = system.run("WAIT(YES)\nREASON(2053) ACTION(IGNORE)\n")
    assert (ran.code, ran.ids, ran.times("AMQ8709")) == (10, [], [])
    assert ran.talk == ["mqsc: the queue manager has ended"]


def test_a_queue_manager_that_is_ended_at_once(system: HandlerSystem) -> None:
    system.put_dead_letter("x", dest_q_name="NOWHERE")
    system.clock.schedule(30, lambda: system.qmgr.end(immediate=True))
    ran = system.run("WAIT(YES)\nREASON(2053) ACTION(IGNORE)\n")
    assert (ran.code, ran.ids, ran.talk) == (10, [], ["mqsc: the queue manager has ended"])


def test_a_target_that_fills_up(system: HandlerSystem) -> None:
    """Two of five fit; the others stay, and are moved once there is room again."""
    system.define("REST", MAXDEPTH=2)
    for number in range(5):
        system.put_dead_letter(f"m{number}")
    ran = system.run(FORWARD)
    assert (ran.code, ran.ids) == (0, ["AMQ8722"] * 3)
    assert "2053 MQRC_Q_FULL" in ran.said[1][2]
    assert (system.on("REST"), system.on(DLQ)) == (["m0", "m1"], ["m2", "m3", "m4"])
    system.alter("REST", MAXDEPTH=4)
    assert system.run(FORWARD).ids == ["AMQ8722"]
    assert (system.on("REST"), system.on(DLQ)) == (["m0", "m1", "m2", "m3"], ["m4"])


def test_a_target_that_is_deleted_during_a_wait(system: HandlerSystem) -> None:
    system.define("Q1")
    system.put_dead_letter("first")
    system.clock.schedule(10, lambda: delete(system, "Q1"))
    system.clock.schedule(20, lambda: system.put_dead_letter("second"))
    ran = system.run("WAIT(30)\nACTION(RETRY)\n")
    assert (ran.code, ran.times("AMQ8722"), system.on(DLQ)) == (0, [20], ["second"])
    assert "2085 MQRC_UNKNOWN_OBJECT_NAME" in ran.said[1][2]


def delete(system: HandlerSystem, name: str) -> None:
    deleting.delete(system.qmgr, KINDS["QLOCAL"], name, purge=True)


def test_a_blank_reply_queue(system: HandlerSystem) -> None:
    """§2.3: the put to &REPLYQ fails; the pattern REPLYQ(?*) prevents that."""
    system.define("ANSWERS")
    system.put_dead_letter("without")
    system.put_dead_letter("with", reply_to_q="ANSWERS", reply_to_q_mgr="QM1")
    ran = system.run("WAIT(NO)\nACTION(FWD) FWDQ(&REPLYQ) FWDQM(&REPLYQM) HEADER(NO)\n")
    assert (ran.code, ran.ids, system.on("ANSWERS"), system.on(DLQ)) == (0, ["AMQ8722"], ["with"], ["without"])
    assert "to (blank) on QM1 failed: reason 2085" in ran.said[1][2]
    guarded = "WAIT(NO)\nREPLYQ(?*) ACTION(FWD) FWDQ(&REPLYQ)\n"
    assert system.run(guarded).ids == []


GOOD = mqxqh.pack_mqdlh(HEADER)
BROKEN = {
    "version 2": GOOD[:4] + b"\x02\0\0\0" + GOOD[8:],
    "version 0": GOOD[:4] + bytes(4) + GOOD[8:],
    "cut short": GOOD[:171],
    "the first bytes only": b"DLH ",
    "empty": b"",
    "another structure": b"XQH " + GOOD[4:],
    "lower case": b"dlh " + GOOD[4:],
    "the other byte order": mqxqh.pack_mqdlh(HEADER, 273),
    "another character set": mqxqh.pack_mqdlh(HEADER, 546, 500),
}


@pytest.mark.parametrize("body", BROKEN.values(), ids=BROKEN.keys())
def test_invalid_headers(system: HandlerSystem, body: bytes) -> None:
    """§4.2: no rule applies, and the message is not changed."""
    system.put(DLQ, body, format="MQDEAD", coded_char_set_id=1208, encoding=546)
    assert set(system.run("WAIT(NO)\nACTION(DISCARD)\n").ids) == {"AMQ8721"}
    (left,) = system.seen(DLQ)
    assert left.body == body


@pytest.mark.parametrize("format", ["MQDEAD", "", "MQSTR"])
def test_the_format_of_the_descriptor_does_not_matter(system: HandlerSystem, format: str) -> None:
    """§4.2: exactly 172 bytes are enough."""
    system.put(DLQ, GOOD, format=format, coded_char_set_id=1208)
    assert system.run("WAIT(NO)\nACTION(DISCARD)\n").ids == []
    assert system.seen(DLQ) == []


def test_a_header_that_no_descriptor_can_take_over(system: HandlerSystem) -> None:
    """If the header's format, queue or character set is not valid text, the put fails like any other."""
    system.define("Q1")
    header = bytearray(GOOD + b"x")
    header[116:124] = b"\xff" * 8
    system.put(DLQ, bytes(header), format="MQDEAD", coded_char_set_id=1208)
    header[116:124], header[12:16] = b"MQSTR   ", b"\xff\xfe\n'"
    system.put(DLQ, bytes(header), format="MQDEAD", coded_char_set_id=1208)
    ran = system.run(RETRY)
    assert (ran.code, ran.ids) == (0, ["AMQ8722", "AMQ8722"])
    assert len(system.seen(DLQ)) == 2


def test_every_reason(system: HandlerSystem) -> None:
    """A dead letter for each MQRC; only the rule that names it applies."""
    names = sorted({int(member): name for name, member in MQRC.__members__.items()}.items())
    rules = "".join(f"REASON(MQRC_{name}) ACTION(FWD) FWDQ(REST) HEADER(YES)\n" for number, name in names)
    assert parse_table([rules]).table is not None
    system.define("REST", MAXDEPTH=100_000)
    for number, _ in names:
        system.put_dead_letter(f"{number}", reason=number)
    ran = system.run("WAIT(NO)\n" + rules)
    assert (ran.code, ran.ids, system.on(DLQ)) == (0, [], [])
    lines = {int(row["rule"]) - 2: row["reason"] for row in system.history("FORWARD")}
    assert lines == {index: number or None for index, (number, _) in enumerate(names)}


def test_a_message_removed_under_the_handler(system: HandlerSystem) -> None:
    """Another program gets it while it waits for its retry, so nothing remains to be done."""
    system.put_dead_letter("x", dest_q_name="NOWHERE")
    system.clock.schedule(30, lambda: take(system))
    ran = system.run("WAIT(NO)\nACTION(RETRY) RETRY(5)\n")
    assert (ran.code, ran.times("AMQ8722"), ran.times("AMQ8709")) == (0, [0], [60])


def take(system: HandlerSystem) -> None:
    with system.qmgr.connect() as connection:
        connection.open(DLQ, MQOO.INPUT_SHARED).get()

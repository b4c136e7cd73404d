"""What goes wrong around the handler: the queue, its messages, the targets, the queue manager."""

from __future__ import annotations

import pytest

from mqsc.dlq.read import read_table
from mqsc.dlq.running import Asked
from store import admin
from store.catalog import KINDS
from store.constants import MQOO, MQRC
from store.headers import mqdlh
from tests.mqsc.dlq.desk import DLQ, HEADER, Desk

RETRY = "WAIT(NO)\nACTION(RETRY)\n"
FORWARD = "WAIT(NO)\nACTION(FWD) FWDQ(REST)\n"


def test_a_queue_that_does_not_exist(desk: Desk) -> None:
    ran = desk.run("WAIT(NO) INPUTQ(NOPE)\nACTION(RETRY)\n")
    assert (ran.code, [message_id for _, message_id, _ in ran.said]) == (10, ["AMQ8708", "AMQ8745", "AMQ8709"])
    assert "2085 MQRC_UNKNOWN_OBJECT_NAME" in ran.said[1][2]


def test_a_queue_manager_that_does_not_exist(desk: Desk) -> None:
    for table, asked in ((RETRY, Asked(None, "NOPE")), ("INPUTQM(NOPE)\nACTION(RETRY)\n", Asked())):
        ran = desk.run(table, asked)
        assert (ran.code, ran.ids) == (20, ["AMQ8741"])
        assert "2058 MQRC_Q_MGR_NAME_ERROR" in ran.said[0][2]


def test_a_queue_manager_that_has_ended(desk: Desk) -> None:
    desk.qmgr.end()
    ran = desk.run(RETRY)
    assert (ran.code, ran.ids) == (20, ["AMQ8741"])
    assert "Queue manager QM1 cannot be connected to" in ran.said[0][2]


@pytest.mark.parametrize("attributes", [{"DEFSOPT": "EXCL"}, {"SHARE": "NOSHARE"}])
def test_a_queue_that_another_has_exclusively(desk: Desk, attributes: dict[str, str]) -> None:
    """§4.1: opened as DEFSOPT and SHARE say; a second handler gets 2042 and ends."""
    desk.alter(DLQ, **attributes)
    desk.letter("x")
    with desk.qmgr.connect() as connection:
        connection.open(DLQ, MQOO.INPUT_AS_Q_DEF)
        ran = desk.run(RETRY)
    assert (ran.code, ran.ids) == (10, ["AMQ8745"])
    assert "2042 MQRC_OBJECT_IN_USE" in ran.said[1][2]


def test_a_queue_that_is_inhibited_for_put(desk: Desk) -> None:
    """Nothing is put there: it is worked on as ever."""
    desk.define("Q1")
    desk.letter("x")
    desk.alter(DLQ, PUT="DISABLED")
    assert desk.run(RETRY).code == 0
    assert desk.on("Q1") == ["x"]


def test_a_queue_that_is_inhibited_for_get(desk: Desk) -> None:
    """§4.6: 2016 ends the handler, at the start and in the middle of a wait."""
    desk.alter(DLQ, GET="DISABLED")
    ran = desk.run(RETRY)
    assert (ran.code, ran.ids) == (10, ["AMQ8748"])
    desk.alter(DLQ, GET="ENABLED")
    desk.clock.arrange(30, lambda: desk.alter(DLQ, GET="DISABLED"))
    ran = desk.run("WAIT(YES)\nACTION(RETRY)\n")
    assert (ran.code, ran.times("AMQ8748"), ran.times("AMQ8709")) == (10, [30], [30])


def test_a_queue_manager_that_ends_meanwhile(desk: Desk) -> None:
    """§4.6: nothing is said any more, and the exit code tells."""
    desk.letter("x", dest_q_name="NOWHERE")
    desk.clock.arrange(30, lambda: desk.qmgr.end())
    ran = desk.run("WAIT(YES)\nREASON(2053) ACTION(IGNORE)\n")
    assert (ran.code, ran.ids, ran.times("AMQ8709")) == (10, [], [])
    assert ran.talk == ["mqsc: the queue manager has ended"]


def test_a_queue_manager_that_is_ended_at_once(desk: Desk) -> None:
    desk.letter("x", dest_q_name="NOWHERE")
    desk.clock.arrange(30, lambda: desk.qmgr.end(immediate=True))
    ran = desk.run("WAIT(YES)\nREASON(2053) ACTION(IGNORE)\n")
    assert (ran.code, ran.ids, ran.talk) == (10, [], ["mqsc: the queue manager has ended"])


def test_a_target_that_fills_up(desk: Desk) -> None:
    """Room for two of five: the others stay where they are, and go on when there is room again."""
    desk.define("REST", MAXDEPTH=2)
    for number in range(5):
        desk.letter(f"m{number}")
    ran = desk.run(FORWARD)
    assert (ran.code, ran.ids) == (0, ["AMQ8722"] * 3)
    assert "2053 MQRC_Q_FULL" in ran.said[1][2]
    assert (desk.on("REST"), desk.on(DLQ)) == (["m0", "m1"], ["m2", "m3", "m4"])
    desk.alter("REST", MAXDEPTH=4)
    assert desk.run(FORWARD).ids == ["AMQ8722"]
    assert (desk.on("REST"), desk.on(DLQ)) == (["m0", "m1", "m2", "m3"], ["m4"])


def test_a_target_that_is_deleted_meanwhile(desk: Desk) -> None:
    desk.define("Q1")
    desk.letter("first")
    desk.clock.arrange(10, lambda: delete(desk, "Q1"))
    desk.clock.arrange(20, lambda: desk.letter("second"))
    ran = desk.run("WAIT(30)\nACTION(RETRY)\n")
    assert (ran.code, ran.times("AMQ8722"), desk.on(DLQ)) == (0, [20], ["second"])
    assert "2085 MQRC_UNKNOWN_OBJECT_NAME" in ran.said[1][2]


def delete(desk: Desk, name: str) -> None:
    admin.delete(desk.qmgr, KINDS["QLOCAL"], name, purge=True)


def test_a_blank_reply_queue(desk: Desk) -> None:
    """§2.3: the put to &REPLYQ fails, REPLYQ(?*) guards it."""
    desk.define("ANSWERS")
    desk.letter("without")
    desk.letter("with", reply_to_q="ANSWERS", reply_to_q_mgr="QM1")
    ran = desk.run("WAIT(NO)\nACTION(FWD) FWDQ(&REPLYQ) FWDQM(&REPLYQM) HEADER(NO)\n")
    assert (ran.code, ran.ids, desk.on("ANSWERS"), desk.on(DLQ)) == (0, ["AMQ8722"], ["with"], ["without"])
    guarded = "WAIT(NO)\nREPLYQ(?*) ACTION(FWD) FWDQ(&REPLYQ)\n"
    assert desk.run(guarded).ids == []


GOOD = mqdlh.pack(HEADER)
BROKEN = {
    "version 2": GOOD[:4] + b"\x02\0\0\0" + GOOD[8:],
    "version 0": GOOD[:4] + bytes(4) + GOOD[8:],
    "cut short": GOOD[:171],
    "the first bytes only": b"DLH ",
    "empty": b"",
    "another structure": b"XQH " + GOOD[4:],
    "lower case": b"dlh " + GOOD[4:],
    "the other byte order": mqdlh.pack(HEADER, 273),
    "another character set": mqdlh.pack(HEADER, 546, 500),
}


@pytest.mark.parametrize("body", BROKEN.values(), ids=BROKEN.keys())
def test_headers_that_are_none(desk: Desk, body: bytes) -> None:
    """§4.2: no rule is searched, the message stays as it is."""
    desk.put(DLQ, body, format="MQDEAD", coded_char_set_id=1208, encoding=546)
    assert set(desk.run("WAIT(NO)\nACTION(DISCARD)\n").ids) == {"AMQ8721"}
    (left,) = desk.seen(DLQ)
    assert left.body == body


@pytest.mark.parametrize("format", ["MQDEAD", "", "MQSTR"])
def test_the_format_of_the_descriptor_does_not_matter(desk: Desk, format: str) -> None:
    """§4.2: exactly 172 bytes are enough."""
    desk.put(DLQ, GOOD, format=format, coded_char_set_id=1208)
    assert desk.run("WAIT(NO)\nACTION(DISCARD)\n").ids == []
    assert desk.seen(DLQ) == []


def test_a_header_that_no_descriptor_can_take_over(desk: Desk) -> None:
    """Bytes that are no text in the header's format, queue or character set are a failure of the put like any other."""
    desk.define("Q1")
    header = bytearray(GOOD + b"x")
    header[116:124] = b"\xff" * 8
    desk.put(DLQ, bytes(header), format="MQDEAD", coded_char_set_id=1208)
    header[116:124], header[12:16] = b"MQSTR   ", b"\xff\xfe\n'"
    desk.put(DLQ, bytes(header), format="MQDEAD", coded_char_set_id=1208)
    ran = desk.run(RETRY)
    assert (ran.code, ran.ids) == (0, ["AMQ8722", "AMQ8722"])
    assert len(desk.seen(DLQ)) == 2


def test_every_reason(desk: Desk) -> None:
    """A letter for each MQRC: a rule by name takes it, and only it."""
    names = sorted({int(member): name for name, member in MQRC.__members__.items()}.items())
    rules = "".join(f"REASON(MQRC_{name}) ACTION(FWD) FWDQ(REST) HEADER(YES)\n" for number, name in names)
    assert read_table([rules]).table is not None
    desk.define("REST", MAXDEPTH=100_000)
    for number, _ in names:
        desk.letter(f"{number}", reason=number)
    ran = desk.run("WAIT(NO)\n" + rules)
    assert (ran.code, ran.ids, desk.on(DLQ)) == (0, [], [])
    lines = {int(row["rule"]) - 2: row["reason"] for row in desk.history("FORWARD")}
    assert lines == {index: number or None for index, (number, _) in enumerate(names)}


def test_a_message_removed_under_the_handler(desk: Desk) -> None:
    """Somebody gets it while a rule waits for its next attempt: nothing is left to do."""
    desk.letter("x", dest_q_name="NOWHERE")
    desk.clock.arrange(30, lambda: take(desk))
    ran = desk.run("WAIT(NO)\nACTION(RETRY) RETRY(5)\n")
    assert (ran.code, ran.times("AMQ8722"), ran.times("AMQ8709")) == (0, [0], [60])


def take(desk: Desk) -> None:
    with desk.qmgr.connect() as connection:
        connection.open(DLQ, MQOO.INPUT_SHARED).get()

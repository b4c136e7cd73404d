"""`mqsc trace`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from mqsc.history.trace_text import _BATCHES, _WHAT
from mqsc.store.constants import MQGMO, MQOO, MQRO
from mqsc.store.environment import Environment
from mqsc.store.message import GetMessageOptions
from mqsc.store.published import KINDS
from tests.mqsc.conftest import Command
from tests.mqsc.screen import too_wide
from tests.mqsc.session import Session
from tests.store.admin.two_stores import TwoStores, two_stores

START = 1_700_000_000_000_000


@pytest.fixture
def both(tmp_path: Path) -> Iterator[TwoStores]:
    yield from two_stores(tmp_path, Environment.frozen(START), Environment.frozen(START))


@pytest.fixture
def order(both: TwoStores) -> str:
    """Send a message from QM1 to QM2, get it there, and return the report; return the MsgId of
    the message.
    """
    msg_id = both.put("QM1", "FAR", report=int(MQRO.COD), reply_to_q="ANSWERS")
    both.carry("QM1", "QM2")
    both.get("QM2", "ORDERS")
    both.carry("QM2", "QM1")
    return msg_id.hex().upper()


def test_the_life_of_a_message(mqsc: Command, order: str, tmp_path: Path) -> None:
    ended = mqsc("trace", order, "--store", "one.db")
    assert (ended.code, ended.err) == (0, "")
    page = f"""Message {order}
QM1 in {tmp_path}/one.db
QM2 in {tmp_path}/two.db
2023-11-14 UTC
22:13:20         QM1  put on QM2 for transmission
                      by orders.py, user anna
22:13:20         QM1  got from QM2 for transmission
                      by runmqchl, user mca
22:13:20         QM1  unit of work committed
                      by runmqchl, user mca
22:13:20         QM1  channel QM1.QM2: batch committed
                      batch 0A0B with QM2
                      1 message
                      by mqsc, user tester
22:13:20         QM2  put on ORDERS
                      by runmqchl, user mca
22:13:20         QM2  unit of work committed
                      by runmqchl, user mca
22:13:20         QM2  channel QM1.QM2: batch committed
                      batch 0A0B with QM1
                      1 message
                      by mqsc, user tester
22:13:20         QM2  got from ORDERS
                      by service.py, user berta
22:13:20         QM2  cod report sent to QM1
                      The message was got (confirm on delivery).
                      reason 260 MQFB_COD
                      MsgId 414D5120514D3220202020202020202000000000000000{ended.lines[27][-2:]}
                      by service.py, user berta
22:13:20         QM2  report put on QM1 for transmission
                      by service.py, user berta
22:13:20         QM2  report got from QM1 for transmission
                      by runmqchl, user mca
22:13:20         QM2  unit of work committed
                      by runmqchl, user mca
22:13:20         QM2  channel QM2.QM1: batch committed
                      batch 0A0B with QM1
                      1 message
                      by mqsc, user tester
22:13:20         QM1  report put on ANSWERS
                      MsgId 414D5120514D3220202020202020202000000000000000{ended.lines[27][-2:]}
                      by runmqchl, user mca
22:13:20         QM1  unit of work committed
                      by runmqchl, user mca
22:13:20         QM1  channel QM2.QM1: batch committed
                      batch 0A0B with QM2
                      1 message
                      by mqsc, user tester
Now: report on ANSWERS of QM1"""
    assert ended.lines == page.splitlines()


def test_any_store_and_the_message_that_carried_it_will_do(mqsc: Command, order: str) -> None:
    steps = mqsc("trace", order, "--store", "one.db").lines[3:]
    assert mqsc("trace", order.lower(), "--store", "two.db", "--store", "one.db").lines[3:] == steps
    assert (
        mqsc("--store", "two.db", "trace", order, "--store", "one.db", "--store", "one.db").lines[
            3:
        ]
        == steps
    )
    rows = mqsc("trace", order, "--store", "one.db", "--format", "json").rows
    outer = rows[0]["msg_id"]
    told = [f"Message {order}", f"{outer.upper()} carried it on a transmission queue."]
    assert mqsc("trace", outer, "--store", "one.db").lines[:2] == told


def test_a_store_with_a_blank_in_its_path(mqsc: Command, tmp_path: Path) -> None:
    store = ("--store", "a b.db")
    for given in (
        ("qmgr", "create", "QM1"),
        ("run", "-c", "DEFINE QLOCAL(Q)"),
        ("put", "Q", "x", "--msg-id", "AB"),
    ):
        assert mqsc(*given, *store).code == 0
    assert mqsc("trace", "AB", *store, "--format", "json").rows[0]["store"] == f"{tmp_path}/a b.db"


def test_as_data_and_nothing_changes(
    mqsc: Command,
    order: str,
    tmp_path: Path,
    both: TwoStores,
) -> None:
    rows = mqsc("trace", order, "--store", "one.db", "--format", "jsonl").rows
    first, last, spelled = rows[0], rows[-1], order.lower()
    assert (first["kind"], first["role"]) == ("PUT", "transmission")
    assert (first["about"], first["correl_id"]) == (spelled, spelled)
    assert (first["at"], first["store"]) == ("2023-11-14T22:13:20Z", f"{tmp_path}/one.db")
    assert (last["kind"], last["role"], last["queue"], last["state"]) == (
        "THERE",
        "report",
        "ANSWERS",
        "AVAILABLE",
    )
    assert mqsc("trace", order, "--store", "one.db", "--format", "json").rows == rows
    before = both.qmgrs["QM1"].store.bound()
    assert (
        mqsc("trace", order, "--store", "one.db").out
        == mqsc("trace", order, "--store", "one.db").out
    )
    assert both.qmgrs["QM1"].store.bound() == before


def test_a_copy_and_a_place(mqsc: Command, both: TwoStores) -> None:
    msg_id = both.put("QM1", "LOCAL", expiry=600).hex().upper()
    assert mqsc("trace", msg_id, "--store", "one.db").lines[-6:] == [
        "                      by orders.py, user anna",
        "22:13:20         QM1  copy put on COPIES",
        "                      It is the copy of a message that was put on a queue with STREAMQ.",
        "                      by orders.py, user anna",
        "Now: on LOCAL of QM1, expires 2023-11-14T22:14:20Z",
        "Now: on COPIES of QM1",
    ]


def test_a_unit_of_work_that_is_open_and_in_doubt(mqsc: Command, both: TwoStores) -> None:
    msg_id = both.put("QM1", "FAR").hex().upper()
    with both.qmgrs["QM1"].connect() as connection:
        connection.open("QM2", MQOO.INPUT_SHARED).get(GetMessageOptions(MQGMO.SYNCPOINT))
        held = mqsc("trace", msg_id, "--store", "one.db").lines[-1]
        connection.prepare("QM1.QM2", "0A0B")
    assert held == "Now: for transmission on QM2 of QM1, got by an open unit of work"
    in_doubt = mqsc("trace", msg_id, "--store", "one.db").lines[-1]
    assert (
        in_doubt == "Now: for transmission on QM2 of QM1, got by a unit of work in doubt, QM1.QM2"
    )
    both.qmgrs["QM1"].resolve("QM1.QM2", "0A0B", commit=True)
    ended = mqsc("trace", msg_id, "--store", "one.db")
    assert ended.lines[-3].split("  ")[-1] == "unit of work committed"
    assert ended.lines[-1] == "Now: on no queue of these stores."


NOT_HEX = (
    "Error: Invalid value for 'MSGID': '{}' is not hexadecimal; use digits 0-9 A-F, as `mqsc "
    "browse` prints them"
)
ACCTQ = "with ACCTQ(OFF), the history has no puts and gets"
NONE = f"mqsc: no message here, and none in the history, has a MsgId that {{}}; {ACCTQ}"


@pytest.mark.usefixtures("both")
def test_what_is_no_message(session: Session) -> None:
    zeros = "00" * 24
    session(f"""
        trace --store one.db ...
        AB => 10 !| {NONE.format("begins with AB")}
        {zeros} => 10 !| {NONE.format(f"is {zeros}")}
        xyz => 20 ! {NOT_HEX.format("xyz")}
        '' => 20 ! {NOT_HEX.format("")}
        {"A" * 49} => 20 ! a MsgId has at most 48 digits (24 bytes), not 49
    """)


def test_more_than_one_message(mqsc: Command, both: TwoStores) -> None:
    ids = [
        both.put("QM1", "ANSWERS", msg_id=bytes([0x50, number]) * 12).hex().upper()
        for number in range(12)
    ]
    ended = mqsc("trace", "50 0", "--store", "one.db")
    told = [
        "mqsc: more than 10 MsgIds begin with 500; write more digits:",
        *(f"  {each}" for each in ids[:10]),
    ]
    assert (ended.code, ended.out, ended.err.splitlines()) == (20, "", told)
    assert mqsc("trace", "500B", "--store", "one.db").lines[0] == f"Message {ids[11]}"


def test_stores_that_cannot_be_read(
    mqsc: Command,
    both: TwoStores,
    order: str,
    tmp_path: Path,
) -> None:
    assert mqsc("trace", order, "--store", "none.db").code == 20
    both.qmgrs["QM2"].store.close()
    (tmp_path / "two.db").rename(tmp_path / "elsewhere.db")
    ended = mqsc("trace", order, "--store", "one.db")
    assert (ended.code, len(ended.lines), ended.lines[-1]) == (
        0,
        22,
        "Now: reply on ANSWERS of QM1",
    )
    assert ended.err.startswith(
        "mqsc: a channel leads to a store that cannot be read, so part may be missing: ",
    )
    quiet = mqsc("trace", order, "--store", "one.db", "--quiet")
    assert (quiet.code, quiet.out, quiet.err) == (0, ended.out, "")


def test_lines_are_broken_between_words_about_kinds_and_causes(order: str, tmp_path: Path) -> None:
    for width in (40, 80, 100):
        assert (
            too_wide(
                tmp_path,
                width,
                "trace",
                order,
                "--store",
                str(tmp_path / "one.db"),
                shortest=41,
            )
            == []
        )
    assert set(_WHAT) <= set(KINDS)
    assert set(_BATCHES) <= set(KINDS["CHANNEL"].causes)


def test_only_the_newest_events(mqsc: Command, order: str) -> None:
    whole = mqsc("trace", order, "--store", "one.db", "--format", "jsonl").rows
    events = [row for row in whole if row["kind"] != "THERE"]
    ended = mqsc("trace", order, "--store", "one.db", "--format", "jsonl", "--limit", "2")
    assert [row for row in ended.rows if row["kind"] != "THERE"] == events[-2:]
    assert [row for row in ended.rows if row["kind"] == "THERE"] == whole[len(events) :]
    assert ended.err == f"mqsc: {len(events) - 2} earlier events not shown\n"
    refused = mqsc("trace", order, "--store", "one.db", "--format", "otlp", "--limit", "2")
    assert (refused.code, "cannot be used together" in refused.err) == (20, True)

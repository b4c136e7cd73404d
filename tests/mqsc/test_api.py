"""The interface for Python programs: `mqsc.open_store`, `mqsc.run`, `mqsc.replies` and the fields of a Reply."""

from __future__ import annotations

from pathlib import Path

import pytest

import mqsc
from store import Environment
from store.client.api import QueueManager
from tests.mqsc.printing import MOMENT


def test_open_store_makes_a_store(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/orders.db"
    with mqsc.open_store(url, environment=Environment.frozen(at=MOMENT)) as store:
        qmgr = store.create_queue_manager("QM1")
        (reply,) = mqsc.run(qmgr, "DEFINE QLOCAL(ORDERS) MAXDEPTH(10)")
    assert reply == mqsc.Reply(
        file=None,
        line=1,
        command="DEFINE QLOCAL(ORDERS) MAXDEPTH(10)",
        message_id="AMQ8006I",
        text="IBM MQ queue created.",
        completion=0,
        reason=0,
        rows=[],
    )


def test_rows_are_dicts_with_numbers_and_words_in_force(qmgr: QueueManager) -> None:
    text = "DEFINE QLOCAL(A) MAXDEPTH(10)\nDISPLAY QLOCAL(A) MAXDEPTH TRIGGER DESCR CAPEXPRY"
    assert mqsc.run(qmgr, text)[1].rows == [
        {
            "QUEUE": "A",
            "TYPE": "QLOCAL",
            "CAPEXPRY": "NOLIMIT",
            "DESCR": "",
            "MAXDEPTH": 10,
            "TRIGGER": "NOTRIGGER",
        }
    ]


def test_failures_have_completion_2_and_the_reason(qmgr: QueueManager) -> None:
    replies = mqsc.run(
        qmgr, "DELETE QLOCAL(A)\nDEFINE QLOCAL(A)\nDEFINE QLOCAL(A)\nFOO\nDEFINE QLOCAL(B) MAXDEPTH(x)\n"
    )
    assert [(reply.line, reply.message_id, reply.completion, reply.reason) for reply in replies] == [
        (1, "AMQ8147E", 2, 2085),
        (2, "AMQ8006I", 0, 0),
        (3, "AMQ8150E", 2, 4001),
        (4, "AMQ8426I", 2, 0),
        (5, "AMQ8405I", 2, 0),
    ]
    assert "line 5, column 27: MAXDEPTH takes a number from 0 to 999999999, not x" in replies[4].text


def test_replies_come_one_by_one(qmgr: QueueManager) -> None:
    answers = mqsc.replies(qmgr, ["DEFINE QLOCAL(A)\n", "DEFINE QLOCAL(B)\n"], file="orders.mqsc")
    assert next(answers).file == "orders.mqsc"
    assert mqsc.run(qmgr, "DISPLAY QLOCAL(B)")[0].message_id == "AMQ8147E"
    assert next(answers).message_id == "AMQ8006I"


def test_end_is_no_command(qmgr: QueueManager) -> None:
    assert [reply.message_id for reply in mqsc.run(qmgr, "PING QMGR\nend\nPING QMGR")] == ["AMQ8415I"]


def test_every_refresh_tells_what_it_did(qmgr: QueueManager) -> None:
    (_, reply) = mqsc.run(qmgr, "DEFINE QLOCAL(A)\nREFRESH QMGR TYPE(EXPIRY) NAME(A)")
    assert reply.message_id == "MQSC0001I"
    assert reply.rows == [{"QUEUE": "A", "EXAMINED": 0, "DISCARDED": 0, "REPORTS": 0}]


def test_check_raises_on_the_first_failed_command(qmgr: QueueManager) -> None:
    text = "DEFINE QLOCAL(A)\nDEFINE QLOCAL(A)\nDEFINE QLOCAL(B)"
    with pytest.raises(mqsc.CommandError) as failed:
        mqsc.run(qmgr, text, file="orders.mqsc", check=True)
    assert failed.value.reply == mqsc.run(qmgr, "DEFINE QLOCAL(A)\nDEFINE QLOCAL(A)", file="orders.mqsc")[1]
    assert str(failed.value) == ("orders.mqsc, line 2: DEFINE QLOCAL(A): AMQ8150E: IBM MQ object already exists.")
    assert [reply.completion for reply in mqsc.run(qmgr, "DISPLAY QLOCAL(A)\nDISPLAY QLOCAL(B)")] == [0, 2]


def test_check_raises_on_a_syntax_error_without_a_queue_manager() -> None:
    assert mqsc.run(None, "PING QMGR", check=True)[0].completion == 0
    with pytest.raises(mqsc.CommandError, match=r"^line 1: PNG QMGR: AMQ8426I: "):
        mqsc.run(None, "PNG QMGR", check=True)


def test_check_yields_the_replies_before_the_failure(qmgr: QueueManager) -> None:
    answers = mqsc.replies(qmgr, "DEFINE QLOCAL(A)\nDELETE QLOCAL(B)", check=True)
    assert next(answers).message_id == "AMQ8006I"
    with pytest.raises(mqsc.CommandError):
        next(answers)

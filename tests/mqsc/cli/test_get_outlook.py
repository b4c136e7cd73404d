"""`mqsc get --explain`: why a get would find no message, or which it would find."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import mqsc as product
from mqsc.console.text.get_outlook import Wanted, outlook
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store, open_store
from mqsc.store.constants import MQGMO, MQMF, MQOO, MQPMO
from tests.mqsc.conftest import Command
from tests.rows import rows


@pytest.fixture
def found(mqsc: Command) -> Any:
    """The outlook as data."""
    mqsc("run", "-c", "DEFINE QLOCAL(A)", "-c", "DEFINE QALIAS(B) TARGET(A)")

    def ask(*words: str) -> dict[str, Any]:
        (row,) = json.loads(mqsc("get", *words, "--explain", "--format", "json").out)
        return row  # type: ignore[no-any-return]

    return ask


def test_an_empty_queue_and_the_message_that_would_be_got(mqsc: Command, found: Any) -> None:
    assert (found("A")["reason"], found("A")["passed"]) == (2033, [])
    assert mqsc("get", "A", "--explain").lines[-1] == "   the queue is empty"
    mqsc("put", "A", "later", "--priority", "1")
    mqsc("put", "A", "first", "--priority", "7", "--msg-id", "41ab")
    first = "41ab" + "00" * 22
    assert (found("B")["reason"], found("B")["msg_id"], found("B")["passed"]) == (0, first, [])
    assert (
        mqsc("get", "A", "--explain")
        .lines[0]
        .startswith(f"A get from A would find the message {first.upper()}, put 20")
    )
    assert len(mqsc("browse", "A").lines) == 3


def test_messages_that_do_not_match(mqsc: Command, found: Any) -> None:
    mqsc("put", "A", "x", "--msg-id", "41ab", "--property", "color=blue", "--correl-id", "01")
    mqsc("put", "A", "y", "--msg-id", "4342", "--property", "color=red")
    by_id = found("A", "--msg-id", "41AC")
    nearest = "41AB" + "00" * 22
    assert (by_id["reason"], by_id["passed"]) == (
        2033,
        [
            {
                "why": "with another MsgId",
                "messages": 2,
                "detail": f"the nearest is {nearest}, which differs from byte 2 on",
            },
        ],
    )
    assert found("A", "--correl-id", "01")["msg_id"] == nearest.lower()
    selected = found("A", "--selector", "color = 'red'")
    assert (selected["msg_id"][:4], [each["why"] for each in selected["passed"]]) == (
        "4342",
        ["not selected"],
    )
    assert mqsc("get", "A", "--explain", "--selector", "color =").code == 20


def test_messages_of_a_group(mqsc: Command, found: Any) -> None:
    mqsc("put", "A", "alone", "--msg-id", "01")
    member = {
        "group_id": "475250",
        "msg_flags": int(MQMF.MSG_IN_GROUP),
        "msg_seq_number": 1,
        "msg_id": "02",
    }
    mqsc(
        "put",
        "A",
        "-",
        "--json",
        stdin=json.dumps(member | {"body": {"text": "member"}}).encode(),
    )
    zeros = "00" * 22
    by_group = found("A", "--group-id", "475250")
    passed = [(each["why"], each["messages"]) for each in by_group["passed"]]
    assert (by_group["msg_id"], passed) == (f"0200{zeros}", [("with another GroupId", 1)])
    assert found("A", "--group-id", "475251")["passed"][0]["detail"].startswith(
        "the nearest is 475250",
    )
    assert (
        found("A", "--group-id", "00")["msg_id"]
        == found("A", "--msg-id", "00")["msg_id"]
        == f"0100{zeros}"
    )
    assert [
        len(mqsc("browse", "A", "--group-id", each).lines) for each in ("475250", "475251")
    ] == [2, 0]
    assert mqsc("get", "A", "--group-id", "475250", "--all").out == "member\n"
    assert mqsc("get", "A", "--all").out == "alone\n"


def test_expired_messages_stay(mqsc: Command, found: Any) -> None:
    mqsc("qmgr", "create", "M", "--clock", "manual")
    mqsc("run", "-m", "M", "-c", "DEFINE QLOCAL(Q)")
    mqsc("put", "-m", "M", "Q", "x", "--expiry", "1s")
    mqsc("clock", "advance", "-m", "M", "2s")
    row = found("-m", "M", "Q")
    assert (row["reason"], [(each["why"], each["messages"]) for each in row["passed"]]) == (
        2033,
        [("expired", 1)],
    )
    assert found("-m", "M", "Q") == row


def test_a_queue_that_is_inhibited(mqsc: Command, found: Any) -> None:
    mqsc("run", "-c", "ALTER QALIAS(B) GET(DISABLED)")
    assert (found("A")["reason"], found("B")["reason"], found("B")["cure"]) == (
        2033,
        2016,
        "ALTER QALIAS(B) GET(ENABLED)",
    )
    assert "QALIAS(B) has GET(DISABLED), set by " in found("B")["because"]
    assert "(ALTER, event " in found("B")["because"]


@rows(("NOPE", "2085"), ("SYSTEM.DEFAULT.MODEL.QUEUE", "2057"), ("FAR", "2045"))
def test_what_cannot_be_got_from(mqsc: Command, found: Any, queue: str, says: str) -> None:
    """The answer is that of a get."""
    mqsc(
        "run",
        "-c",
        "DEFINE QLOCAL(X) USAGE(XMITQ)",
        "-c",
        "DEFINE QREMOTE(FAR) RNAME(A) RQMNAME(Y) XMITQ(X)",
    )
    ended = mqsc("get", queue, "--explain")
    assert (ended.code, ended.out) == (10, "")
    assert says in ended.err
    assert mqsc("get", queue).err == ended.err


def test_open_units_and_other_programs(qmgr: QueueManager) -> None:
    product.run(qmgr, "DEFINE QLOCAL(A)")
    with qmgr.connect() as other:
        handle = other.open("A", MQOO.OUTPUT | MQOO.INPUT_SHARED)
        handle.put(product.Message(b"got"))
        handle.get(product.GetMessageOptions(MQGMO.SYNCPOINT))
        handle.put(product.Message(b"put"), product.PutMessageOptions(MQPMO.SYNCPOINT))
        asked = outlook(qmgr, "A", Wanted())
        assert [(each.why, each.messages) for each in asked.passed] == [
            ("put in an open unit of work", 1),
            ("got in an open unit of work", 1),
        ]
        assert all(
            "user tester" in each.detail and " since 20" in each.detail for each in asked.passed
        )
        other.back()
        product.run(qmgr, "ALTER QLOCAL(A) NOSHARE FORCE")
        assert outlook(qmgr, "A", Wanted()).reason == 2042
        handle.close()
        assert outlook(qmgr, "A", Wanted()).reason == 0
        other.open("A", MQOO.INPUT_EXCLUSIVE)
        assert "for itself" in outlook(qmgr, "A", Wanted()).because


def only(store: Store) -> QueueManager:
    (row,) = store.queue_managers()
    return store.queue_manager(row.name)


def test_a_message_that_another_program_has_locked(
    mqsc: Command,
    found: Any,
    tmp_path: Path,
) -> None:
    mqsc("put", "A", "locked", "--msg-id", "01")
    with (
        open_store(f"sqlite:///{tmp_path}/store.db") as store,
        only(store).connect("reader", "ann") as other,
    ):
        handle = other.open("A", MQOO.BROWSE)
        handle.get(product.GetMessageOptions(MQGMO.BROWSE_FIRST | MQGMO.LOCK))
        row = found("A")
        (passed,) = row["passed"]
        assert (row["reason"], row["msg_id"]) == (2033, None)
        assert (passed["why"], passed["messages"]) == ("locked by another program", 1)
        assert (
            passed["detail"]
            == f"by reader, user ann, connection {other.number:016X}, with MQGMO_LOCK"
        )
        assert mqsc("get", "A").err == "mqsc: no message on A\n"
        mqsc("put", "A", "free", "--msg-id", "02")
        assert found("A")["msg_id"].startswith("02")
        handle.close()
    assert found("A")["msg_id"].startswith("01")


def test_messages_that_others_have_marked_are_got(
    mqsc: Command,
    found: Any,
    tmp_path: Path,
) -> None:
    mqsc("put", "A", "marked", "--msg-id", "01")
    with open_store(f"sqlite:///{tmp_path}/store.db") as store, only(store).connect() as other:
        handle = other.open("A", MQOO.BROWSE | MQOO.CO_OP)
        handle.get(product.GetMessageOptions(MQGMO.BROWSE_FIRST | MQGMO.MARK_BROWSE_CO_OP))
        assert found("A")["msg_id"].startswith("01")

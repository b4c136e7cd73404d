"""`mqsc put`, `get` and `browse`: messages by hand, in bulk, from files, and as JSON there and back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.mqsc.conftest import Command


@pytest.fixture(autouse=True)
def _queues(mqsc: Command) -> None:
    mqsc(
        "run",
        "-c",
        "DEFINE QLOCAL(A) MAXDEPTH(1500)",
        "-c",
        "DEFINE QLOCAL(R)",
        "-c",
        "DEFINE QLOCAL(FULL) MAXDEPTH(3)",
    )


def bodies(mqsc: Command, queue: str = "A") -> list[str]:
    return [json.loads(line)["body"]["text"] for line in mqsc("browse", queue, "--format", "jsonl").out.splitlines()]


def test_texts_lines_and_files(mqsc: Command, tmp_path: Path) -> None:
    (tmp_path / "order.xml").write_bytes(b"<order>\n</order>\n")
    ended = mqsc("put", "A", "one", "-", "two", "--file", "order.xml", stdin=b"three\r\n\nfour")
    assert (ended.code, ended.out, ended.err) == (0, "", "mqsc: 6 messages put on A\n")
    assert bodies(mqsc) == ["one", "three", "", "four", "two", "<order>\n</order>\n"]


def test_bulk(mqsc: Command) -> None:
    assert mqsc("put", "A", "x", "--count", "1200").err == "mqsc: 1200 messages put on A\n"
    assert len(bodies(mqsc)) == 1200


def test_descriptor_options(mqsc: Command) -> None:
    mqsc(
        "put", "A", "x", "--priority", "7", "--expiry", "600", "--persistent", "--msg-type", "request",
        "--report", "expiration-with-data,discard-msg", "--reply-to-q", "R", "--reply-to-q-mgr", "QM2",
        "--msg-id", "41", "--correl-id", "ab" * 24, "--format-name", "XML",
    )  # fmt: skip
    (message,) = json.loads(mqsc("browse", "A", "--format", "json").out)
    wanted = {
        "priority": 7, "persistence": 1, "report": 0x00200000 | 0x00600000 | 0x08000000, "reply_to_q": "R",
        "reply_to_q_mgr": "QM2", "msg_id": "41" + "00" * 23, "correl_id": "ab" * 24, "format": "XML", "msg_type": 1,
    }  # fmt: skip
    assert {name: message[name] for name in wanted} == wanted
    assert 0 < message["expiry"] <= 600


def test_a_full_queue_keeps_what_came_before(mqsc: Command) -> None:
    ended = mqsc("put", "FULL", "1", "2", "3", "4", "5")
    assert ended.code == 10
    assert ended.err == "mqsc: 2053 MQRC_Q_FULL (FULL); 3 messages put on FULL before it\n"
    assert bodies(mqsc, "FULL") == ["1", "2", "3"]


def test_json_there_and_back(mqsc: Command) -> None:
    mqsc("put", "A", "text", "--priority", "3", "--correl-id", "0102")
    mqsc("put", "A", "--file", "/bin/true")
    for format in ("json", "jsonl"):
        exported = mqsc("browse", "A", "--format", format).out
        assert mqsc("get", "A", "--all", "--format", format).code == 0
        assert mqsc("put", "A", "--json", "-", stdin=exported.encode()).err == "mqsc: 2 messages put on A\n"
        again = mqsc("browse", "A", "--format", format).out
        keys = ("msg_id", "correl_id", "priority", "format", "body")
        read = json.loads if format == "json" else lambda text: [json.loads(line) for line in text.splitlines()]
        assert [[m[key] for key in keys] for m in read(again)] == [[m[key] for key in keys] for m in read(exported)]


def test_a_bad_line_of_json_is_named_and_those_before_it_are_put(mqsc: Command) -> None:
    ended = mqsc("put", "A", "--json", "-", stdin=b'{"body": {"text": "a"}}\n{"prority": 1}\n')
    assert ended.code == 10
    assert "standard input, line 2: 'prority' is no field of a message; did you mean priority?" in ended.err
    assert ended.err.endswith("1 message put on A before it\n")
    assert bodies(mqsc) == ["a"]


def test_get_one_some_and_all(mqsc: Command) -> None:
    mqsc("put", "A", "1", "2", "3", "4", "5", "6")
    assert mqsc("get", "A").out == "1\n"
    assert mqsc("get", "A", "-n").out == "2"
    assert mqsc("get", "A", "--count", "2").out == "3\n4\n"
    assert mqsc("get", "A", "--all").out == "5\n6\n"


def test_get_is_exact(mqsc: Command, tmp_path: Path) -> None:
    (tmp_path / "bytes").write_bytes("Zürich\r\n".encode())
    mqsc("put", "A", "--file", "bytes")
    assert mqsc("get", "A", "--no-newline").out == "Zürich\r\n"


def test_an_empty_queue_is_no_failure(mqsc: Command) -> None:
    ended = mqsc("get", "A")
    assert (ended.code, ended.out, ended.err) == (0, "", "mqsc: no message on A\n")
    assert mqsc("get", "A", "--wait", "1").code == 0
    assert mqsc("browse", "A").code == 0
    assert json.loads(mqsc("get", "A", "--format", "json").out) == []


def test_get_by_identifier(mqsc: Command) -> None:
    mqsc("put", "A", "one", "--correl-id", "01")
    mqsc("put", "A", "two", "--correl-id", "02", "--msg-id", "22")
    assert mqsc("get", "A", "--correl-id", "02", "--msg-id", "23").out == ""
    assert mqsc("get", "A", "--correl-id", "02").out == "two\n"
    assert mqsc("browse", "A", "--correl-id", "02").out == ""
    assert mqsc("get", "A", "--all").out == "one\n"


def test_browse_shows_descriptor_and_body_and_takes_nothing(mqsc: Command) -> None:
    mqsc("put", "A", "one\x1b[2J", "two", "--msg-id", "4142")
    lines = mqsc("browse", "A", "--count", "1").lines
    assert lines[0] == "message 1 on A"
    assert "   msg_id              4142" + "00" * 22 in lines
    assert lines[-3:] == ["   body, 7 bytes:", "one\\x1b[2J", ""]
    assert bodies(mqsc) == ["one\x1b[2J", "two"]


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("put", "NONE", "x"), 10, "2085 MQRC_UNKNOWN_OBJECT_NAME (NONE)"),
        (("get", "NONE"), 10, "2085 MQRC_UNKNOWN_OBJECT_NAME (NONE)"),
        (("put", "A"), 20, "nothing to put"),
        (("put", "A", "x", "--priority", "10"), 0, "warning: 2049 MQRC_PRIORITY_EXCEEDS_MAXIMUM"),
        (("put", "A", "x", "--expiry", "0"), 10, "2013 MQRC_EXPIRY_ERROR"),
        (("put", "A", "x", "--report", "never"), 20, "'never' is no report option; there are"),
        (("put", "A", "x", "--msg-id", "xyz"), 20, "not hexadecimal"),
        (("put", "A", "x", "--msg-id", "00" * 25), 20, "at most 24 bytes"),
        (("put", "A", "x", "--msg-type", "letter"), 20, "is no message type"),
        (("put", "A", "--file", "missing"), 20, "missing does not exist"),
        (("put", "A", "--file", "store.db"), 20, "is the store itself"),
        (("get", "A", "--all", "--count", "2"), 20, "exclude each other"),
        (("get", "A", "-m", "QM9"), 20, "AMQ8118E"),
    ],
)
def test_refusals(mqsc: Command, arguments: tuple[str, ...], code: int, says: str) -> None:
    ended = mqsc(*arguments)
    assert (ended.code, ended.out) == (code, "")
    assert says in ended.err


def test_put_makes_the_first_queue_manager_but_get_does_not(mqsc: Command, tmp_path: Path) -> None:
    other = ("--store", f"sqlite:///{tmp_path}/other.db")
    assert mqsc("get", "A", *other).code == 20
    assert not (tmp_path / "other.db").exists()
    ended = mqsc("put", "SYSTEM.DEFAULT.LOCAL.QUEUE", "x", *other)
    assert ended.code == 0
    assert "created the queue manager QM1" in ended.err

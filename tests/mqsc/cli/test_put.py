"""`mqsc put`."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.mqsc.cli.conftest import bodies
from tests.mqsc.conftest import Command

pytestmark = pytest.mark.usefixtures("queues")


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
    assert ended.err == (
        "mqsc: 2053 MQRC_Q_FULL (FULL): The queue holds MAXDEPTH messages, uncommitted ones included. "
        "3 messages put on FULL before the error\n"
    )
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
    assert "standard input, line 2: 'prority' is not a field of a message; did you mean priority?" in ended.err
    assert ended.err.endswith("1 message put on A before the error\n")
    assert bodies(mqsc) == ["a"]


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("put", "NONE", "x"), 10, "2085 MQRC_UNKNOWN_OBJECT_NAME (NONE): The object does not exist here."),
        (("put", "A"), 20, "nothing to put"),
        (("put", "A", "x", "--priority", "10"), 0, "mqsc: 2049 MQRC_PRIORITY_EXCEEDS_MAXIMUM: A warning: "),
        (("put", "A", "x", "--expiry", "0"), 10, "2013 MQRC_EXPIRY_ERROR (A): Expiry is neither"),
        (("put", "A", "x", "--report", "never"), 20, "'never' is not a report option; use"),
        (("put", "A", "x", "--msg-id", "xyz"), 20, "not hexadecimal"),
        (("put", "A", "x", "--msg-id", "00" * 25), 20, "at most 24 bytes"),
        (("put", "A", "x", "--msg-type", "letter"), 20, "is not a message type"),
        (("put", "A", "--file", "missing"), 20, "missing does not exist"),
        (("put", "A", "--file", "store.db"), 20, "is the store itself"),
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


@pytest.mark.parametrize(
    ("arguments", "stdin", "code", "said"),
    [
        (("x", "--expiry", "99999999999"), b"", 20, "expiry is 99999999999"),
        (("x", "--priority", "-99999999999"), b"", 20, "priority is -99999999999"),
        (("x", "--reply-to-q", "Q" * 60), b"", 20, "reply_to_q"),
        (("--json", "-"), b'{"body": {"text": "a"}, "priority": 99999999999999}', 10, "line 1: priority is"),
    ],
)
def test_a_value_that_fits_no_field_is_told(
    mqsc: Command, arguments: tuple[str, ...], stdin: bytes, code: int, said: str
) -> None:
    mqsc("run", "-c", "DEFINE QLOCAL(Q)")
    ended = mqsc("put", "Q", *arguments, stdin=stdin)
    assert ended.code == code
    assert said in ended.err


def test_an_interrupted_put_says_how_many_it_has_put(mqsc: Command, tmp_path: Path) -> None:
    mqsc("run", "-c", "DEFINE QLOCAL(Q)")
    environment = {**os.environ, "MQSC_STORE": f"sqlite:///{tmp_path}/store.db", "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-m", "mqsc", "put", "Q", "-", "--format", "jsonl"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as putting:
        try:
            assert putting.stdin is not None
            assert putting.stdout is not None
            assert putting.stderr is not None
            putting.stdin.write("one\ntwo\n")
            putting.stdin.flush()
            assert '"one"' in putting.stdout.readline()
            assert '"two"' in putting.stdout.readline()
            putting.send_signal(signal.SIGINT)
            assert putting.stderr.read() == "mqsc: 2 messages put on Q\nmqsc: interrupted\n"
            assert putting.wait() == 130
        finally:
            putting.kill()
    assert mqsc("get", "Q", "--all").lines == ["one", "two"]


@pytest.mark.parametrize(
    "words",
    [("put", "M", "x"), ("get", "M"), ("browse", "M"), ("consume", "M", "--", "true"), ("pcf", "--queue", "M")],
    ids=lambda words: words[0],
)
def test_a_model_queue_is_refused(mqsc: Command, words: tuple[str, ...]) -> None:
    """On the dynamic queue that MQOPEN makes, nobody would ever find the message."""
    mqsc("run", "-c", "DEFINE QMODEL(M)")
    ended = mqsc(*words)
    assert ended.code
    assert "2057 MQRC_Q_TYPE_ERROR (M)" in ended.err

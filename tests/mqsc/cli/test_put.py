"""`mqsc put`."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.mqsc.cli.conftest import bodies
from tests.mqsc.conftest import Command
from tests.mqsc.session import Session
from tests.rows import rows

KEPT = ("msg_id", "correl_id", "priority", "format", "body")
pytestmark = pytest.mark.usefixtures("queues")


def test_texts_lines_and_files_and_the_first_queue_manager(mqsc: Command, tmp_path: Path) -> None:
    (tmp_path / "order.xml").write_bytes(b"<order>\n</order>\n")
    ended = mqsc("put", "A", "one", "-", "two", "--file", "order.xml", stdin=b"three\r\n\nfour")
    assert (ended.code, ended.out, ended.err) == (0, "", "mqsc: 6 messages put on A\n")
    assert bodies(mqsc) == ["one", "three", "", "four", "two", "<order>\n</order>\n"]
    assert mqsc("put", "R", "--file", "-", stdin=b"one\nmessage\n").code == 0
    assert bodies(mqsc, "R") == ["one\nmessage\n"]
    other = ("--store", f"sqlite:///{tmp_path}/other.db")
    assert mqsc("get", "A", *other).code == 20
    assert not (tmp_path / "other.db").exists()
    ended = mqsc("put", "SYSTEM.DEFAULT.LOCAL.QUEUE", "x", *other)
    assert ended.code == 0
    assert "created the queue manager QM1" in ended.err


def test_descriptor_options(mqsc: Command) -> None:
    mqsc(
        "put",
        "A",
        "x",
        "--priority",
        "7",
        "--expiry",
        "600",
        "--persistent",
        "--msg-type",
        "request",
        "--report",
        "expiration-with-data,discard-msg",
        "--reply-to-q",
        "R",
        "--reply-to-q-mgr",
        "QM2",
        "--msg-id",
        "41",
        "--correl-id",
        "ab" * 24,
        "--format-name",
        "XML",
    )
    (message,) = mqsc("browse", "A", "--format", "json").rows
    wanted = {
        "priority": 7,
        "persistence": 1,
        "report": 0x00200000 | 0x00600000 | 0x08000000,
        "reply_to_q": "R",
        "reply_to_q_mgr": "QM2",
        "msg_id": "41" + "00" * 23,
        "correl_id": "ab" * 24,
        "format": "XML",
        "msg_type": 1,
    }
    assert {name: message[name] for name in wanted} == wanted
    assert 0 < message["expiry"] <= 600


@pytest.mark.parametrize("format", ["json", "jsonl"])
def test_json_there_and_back(mqsc: Command, format: str) -> None:
    mqsc("put", "A", "text", "--priority", "3", "--correl-id", "0102")
    mqsc("put", "A", "--file", "/bin/true")
    exported = mqsc("browse", "A", "--format", format)
    assert mqsc("get", "A", "--all", "--format", format).code == 0
    assert (
        mqsc("put", "A", "--json", "-", stdin=exported.out.encode()).err
        == "mqsc: 2 messages put on A\n"
    )
    again = mqsc("browse", "A", "--format", format)
    kept = [[[row[key] for key in KEPT] for row in ended.rows] for ended in (exported, again)]
    assert kept[0] == kept[1]


def test_an_interrupted_put_says_how_many_it_has_put(mqsc: Command, tmp_path: Path) -> None:
    mqsc("run", "-c", "DEFINE QLOCAL(Q)")
    environment = {
        **os.environ,
        "MQSC_STORE": f"sqlite:///{tmp_path}/store.db",
        "PYTHONUNBUFFERED": "1",
    }
    command = [sys.executable, "-m", "mqsc", "put", "Q", "-", "--format", "jsonl"]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command,
        stdin=pipe,
        stdout=pipe,
        stderr=pipe,
        text=True,
        env=environment,
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


SESSIONS = {
    "bulk": """
        put A x --count 1200 => !| mqsc: 1200 messages put on A
        run -e -c 'DISPLAY QLOCAL(A) CURDEPTH' => > CURDEPTH(1200)
    """,
    "a full queue keeps what came before": """
        put FULL 1 2 3 4 5 => 10 !| mqsc: 2053 MQRC_Q_FULL (FULL): The queue holds MAXDEPTH messages, uncommitted ones \
included. 3 messages put on FULL before the error
        get FULL --all => | 1
            | 2
            | 3
    """,
    "a bad line of JSON is named, and those before it are put": r"""
        put A --json - << {"body": {"text": "a"}}\n{"prority": 1}\n => 10
            ! standard input, line 2: 'prority' is not a field of a message; did you mean priority?
            ! 1 message put on A before the error
        get A --all => | a
    """,
    "refusals": """
        put ...
        NONE x => 10 ! 2085 MQRC_UNKNOWN_OBJECT_NAME (NONE): The object does not exist here.
        A => 20 ! nothing to put
        A x --priority 10 => ! mqsc: 2049 MQRC_PRIORITY_EXCEEDS_MAXIMUM: A warning:
            |
        A x --expiry 0 => 10 ! 2013 MQRC_EXPIRY_ERROR (A): Expiry is neither
        A x --report never => 20 ! 'never' is not a report option; use
        A x --msg-id xyz => 20 ! not hexadecimal
        A x --msg-id 00000000000000000000000000000000000000000000000000 => 20 ! at most 24 bytes
        A x --msg-type letter => 20 ! is not a message type
        A --file missing => 20 ! missing does not exist
        A --file store.db => 20 ! is the store itself
        A x --expiry 99999999999 => 20 ! expiry is 99999999999
        A x --priority -99999999999 => 20 ! priority is -99999999999
        A x --reply-to-q QQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQ => 20 ! reply_to_q
        A --json - << {"body": {"text": "a"}, "priority": 99999999999999} => 10 ! line 1: priority is
    """,
    # On the dynamic queue that MQOPEN makes, nobody would ever find the message.
    "a model queue is refused": """
        DEFINE QMODEL(M)
        put M x => 10 ! 2057 MQRC_Q_TYPE_ERROR (M)
        get M => 10 ! 2057 MQRC_Q_TYPE_ERROR (M)
        browse M => 10 ! 2057 MQRC_Q_TYPE_ERROR (M)
        consume M -- true => 10 ! 2057 MQRC_Q_TYPE_ERROR (M)
        pcf --queue M => 10 ! 2057 MQRC_Q_TYPE_ERROR (M)
    """,
}


@pytest.mark.parametrize("name", SESSIONS)
def test_sessions(session: Session, name: str) -> None:
    session(SESSIONS[name])


def test_a_refused_publication_says_that_the_topic_may_refuse(mqsc: Command) -> None:
    assert mqsc("run", "-c", "DEFINE TOPIC(T) TOPICSTR('t') PUB(DISABLED)").code == 0
    ended = mqsc("put", "--topic", "t", "text")
    assert ended.code == 10
    assert "for a topic, PUB(DISABLED) applies to it" in " ".join(ended.err.split())


@rows("put --topic", "subscribe", "topic explain")
def test_an_empty_topic_string_is_refused(mqsc: Command, command: str) -> None:
    ended = mqsc(*command.split(), "", *(["text"] if command.startswith("put") else []))
    assert (ended.code, ended.out) == (20, "")
    assert "the topic string is empty" in " ".join(ended.err.split())

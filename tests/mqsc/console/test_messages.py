"""Messages as JSON, for people and by identifier, reason codes, and the events of agents, as
text.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mqsc.cli.dlq.foreground import run_handler_with
from mqsc.cli.trigger.foreground import event_text, is_success
from mqsc.console.getting import MATCHES, get_or_none, options_matching
from mqsc.console.options import Choices
from mqsc.console.text.messages import (
    MessageFormatError,
    body_lines,
    descriptor_lines,
    from_json,
    from_json_line,
    message_as_json,
)
from mqsc.console.text.reasons import counted, error_text, legend, legend_lines, reason_text
from mqsc.dlq.handler_run import HandlerArguments
from mqsc.language.codes import reasons
from mqsc.store import GetMessageOptions, Message, MessageDescriptor, MQError, open_store
from mqsc.store.admin.defining import create
from mqsc.store.catalog import KINDS
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQGMO, MQMO, MQOO, MQRC, MQRCCF
from tests.rows import rows

DESCRIPTOR = MessageDescriptor(
    priority=5,
    expiry=300,
    msg_id=b"\x01" * 24,
    reply_to_q="REPLIES",
    format="MQSTR",
)


@rows(
    (b"hello", {"text": "hello"}),
    ("Zürich".encode(), {"text": "Zürich"}),
    (b"", {"text": ""}),
    (b"\xff\x00", {"base64": "/wA="}),
)
def test_there_and_back(body: bytes, shown: dict[str, str]) -> None:
    message = Message(body, DESCRIPTOR.copy())
    written = message_as_json(message)
    assert (written["body"], from_json(json.dumps(written))) == (shown, (message, ()))


def test_identifiers_are_hexadecimal_and_numbers_plain() -> None:
    written = message_as_json(Message(b"x", DESCRIPTOR.copy()))
    assert written["msg_id"] == "01" * 24
    assert (written["priority"], written["expiry"], written["reply_to_q"]) == (5, 300, "REPLIES")


@rows(
    ("{", "not JSON"),
    ("[1]", "a JSON object"),
    ('{"priorty": 1}', "did you mean priority"),
    ('{"priority": "1"}', "priority must be a number"),
    ('{"format": 1}', "format must be a text"),
    ('{"msg_id": "xy"}', "msg_id must be hexadecimal"),
    ('{"msg_id": "' + "00" * 25 + '"}', "msg_id has 25 bytes"),
    ('{"body": "x"}', "body must be"),
    ('{"body": {"text": "x", "base64": "x"}}', "body must be"),
    ('{"body": {"base64": "x"}}', "not base64"),
)
def test_what_is_no_message(text: str, says: str) -> None:
    with pytest.raises(MessageFormatError, match=says):
        from_json(text)


def test_lines_of_an_array_are_read_as_lines() -> None:
    assert [from_json_line(line) for line in (b"[\n", b"]", b"", b"  ")] == [None] * 4
    assert from_json_line(b'{"body": {"text": "a"}},\r\n') == Message(b"a")
    with pytest.raises(MessageFormatError, match="byte 2"):
        from_json_line(b"{\xff}")


@rows(
    (b"one\ntwo", ["one", "two"]),
    (b"a\x1b[2Jb", ["a\\x1b[2Jb"]),
    (b"\xff\x00AB", ["00000000: FF00 4142                                '..AB'"]),
)
def test_body_for_people(body: bytes, lines: list[str]) -> None:
    assert list(body_lines(body)) == lines


@rows(
    (0, "0  MQFB_NONE"),
    (2053, "2053  MQRC_Q_FULL: The queue holds MAXDEPTH"),
    (258, "258  MQFB_EXPIRATION: A report: the message expired"),
    (70_000, "70000"),
)
def test_feedback_is_explained(feedback: int, shown: str) -> None:
    (line,) = [
        each
        for each in descriptor_lines(MessageDescriptor(feedback=feedback))
        if "feedback" in each
    ]
    assert line.startswith(f"   feedback            {shown}")
    assert (line.endswith(shown)) is (":" not in shown)


def test_numbers_of_a_descriptor_are_explained() -> None:
    shown = {"   msg_type            8  MQMT_DATAGRAM", "   expiry              300"}
    assert shown | {"   correl_id           " + "00" * 24} <= {*descriptor_lines(DESCRIPTOR)}


def test_every_code_that_is_explained_has_its_sentence() -> None:
    explained = {
        code: f" (Q): {reasons()[name].cause}"
        for code in (*MQRC, *MQRCCF)
        for name in (f"{type(code).__name__}_{code.name}",)
        if name in reasons()
    }
    assert len(explained) > 150
    wrong = [
        code
        for code, ends in explained.items()
        if not error_text(MQError(int(code), "Q")).endswith(ends)
    ]
    assert wrong == []


def test_the_form_of_a_reason_and_of_a_legend() -> None:
    assert reason_text(MQRC.Q_FULL) == (
        "2053 MQRC_Q_FULL: The queue holds MAXDEPTH messages, uncommitted ones included."
    )
    assert reason_text(2999) == "2999"
    assert reason_text(266).startswith("266 MQFB_TM_ERROR: A message on")
    assert [*legend([2053, 0, 266, 2999, 2053])] == [reason_text(2053), reason_text(266)]
    assert ([*legend_lines([2053])], [*legend_lines([])]) == (["", reason_text(2053)], [])
    assert [counted(number, "byte") for number in (0, 1, 2)] == ["0 bytes", "1 byte", "2 bytes"]


@rows(
    (None, None, 0),
    (b"m", None, MQMO.MATCH_MSG_ID),
    (None, b"c", MQMO.MATCH_CORREL_ID),
    (b"m", b"c", MQMO.MATCH_MSG_ID | MQMO.MATCH_CORREL_ID),
)
def test_options(msg_id: bytes | None, correl_id: bytes | None, match: int) -> None:
    options = options_matching(
        {"msg_id": msg_id, "correl_id": correl_id, "group_id": None},
        MQGMO.BROWSE_NEXT,
    )
    assert (options.options, options.match_options) == (MQGMO.BROWSE_NEXT, match)
    assert (options.msg_id.rstrip(b"\0"), options.correl_id.rstrip(b"\0")) == (
        msg_id or b"",
        correl_id or b"",
    )


def test_get_or_none(qmgr: QueueManager) -> None:
    create(qmgr, KINDS["QLOCAL"], "Q", {})
    with qmgr.connect() as connection:
        connection.put1("Q", Message(b"one", MessageDescriptor(correl_id=b"1")))
        queue = connection.open("Q", MQOO.INPUT_SHARED)
        given = dict.fromkeys(MATCHES)
        wanted = (
            options_matching(given | {"correl_id": each}, MQGMO.NO_SYNCPOINT)
            for each in (b"2", b"1")
        )
        none, found = (get_or_none(queue, each) for each in wanted)
        assert none is None
        assert found is not None
        assert found.body == b"one"
        queue.close()
        with pytest.raises(MQError, match=r"^2019 MQRC_HOBJ_ERROR"):
            get_or_none(queue, GetMessageOptions())


@rows(
    (
        None,
        False,
        [
            "1970-01-01 00:00:01  AMQ8708",
            "1970-01-01 00:00:01  MQSC0037",
            "1970-01-01 00:00:01  AMQ8709",
        ],
    ),
    (None, True, []),
    (
        "jsonl",
        False,
        [("1970-01-01T00:00:01.500000Z", each) for each in ("AMQ8708", "MQSC0037", "AMQ8709")],
    ),
)
def test_a_line_or_an_object_for_each_message(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    format: str | None,
    quiet: bool,
    expected: list[object],
) -> None:
    url = f"sqlite:///{tmp_path}/store.db"
    with open_store(url) as store:
        create(
            store.create_queue_manager("QM1", manual_clock_at=1_500_000),
            KINDS["QLOCAL"],
            "DLQ",
            {},
        )
    (tmp_path / "rules").write_text("INPUTQ(DLQ) WAIT(NO)\nACTION(DISCARD)\n")
    choices = Choices(store=url, format=format, quiet=quiet)
    assert run_handler_with(choices, str(tmp_path / "rules"), HandlerArguments()) == 0
    lines = capsys.readouterr().out.splitlines()
    rows = [json.loads(line) for line in lines] if format else []
    told: list[object] = [(row["at"], row["message_id"]) for row in rows]
    assert (told or [line.split(": ")[0] for line in lines]) == expected


STARTED = {"event": "started", "program": "/bin/a", "process_id": 7}
ENDED = {"event": "ended", "process_id": 7, "exit_status": 3, "run_time": 1_500_000}
FAILED = {"event": "failed", "reason": 265, "why": "APPLICID is blank", "dead_letter_queue": ""}
BLANK = "265 MQFB_APPL_CANNOT_BE_STARTED, APPLICID is blank;"
NOT_STARTED = "The trigger monitor could not start the program of a trigger message."


@rows(
    ({**STARTED, "process": "P"}, "started /bin/a for P, process 7"),
    ({**STARTED, "process": ""}, "started /bin/a for no process, process 7"),
    (ENDED, "process 7 ended with 3 after 1.500 s"),
    (
        {**ENDED, "timed_out": True},
        "process 7 ended with 3 after 1.500 s, ended because it ran too long",
    ),
    (
        {**ENDED, "event": "unrecorded", "why": "disk full"},
        "process 7 ended with 3 after 1.500 s; not in the history: disk full",
    ),
    ({**FAILED, "dead_letter_queue": "DLQ"}, f"{BLANK} put on DLQ. {NOT_STARTED}"),
    (
        {**FAILED, "lost": "2053 MQRC_Q_FULL (DLQ)"},
        f"{BLANK} lost: 2053 MQRC_Q_FULL (DLQ). {NOT_STARTED}",
    ),
    ({**FAILED, "event": "would fail"}, f"{BLANK} lost: no DEADQ. {NOT_STARTED}"),
    ({"event": "would start", "words": ["/bin/a", "b c"], "waits": False}, "/bin/a 'b c' &"),
)
def test_sentences(row: dict[str, Any], text: str) -> None:
    assert event_text({"queue": "Q", **row}) == f"Q: {text}"


def test_quiet_leaves_out_programs_that_succeed() -> None:
    ended: dict[str, Any] = {**ENDED, "exit_status": 0}
    assert [is_success(row) for row in ({"event": "started"}, ended)] == [True, True]
    others: list[dict[str, Any]] = [
        ENDED,
        {**ended, "timed_out": True},
        FAILED,
        {"event": "would start"},
    ]
    assert [is_success(row) for row in others] == [False] * 4

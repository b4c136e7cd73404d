"""Messages as JSON and back, and as text for people."""

import json

import pytest

from mqsc.console.text.messages import (
    MessageFormatError,
    body_lines,
    descriptor_lines,
    from_json,
    from_json_line,
    message_as_json,
)
from store import Message, MessageDescriptor

DESCRIPTOR = MessageDescriptor(priority=5, expiry=300, msg_id=b"\x01" * 24, reply_to_q="REPLIES", format="MQSTR")


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        (b"hello", {"text": "hello"}),
        ("Zürich".encode(), {"text": "Zürich"}),
        (b"", {"text": ""}),
        (b"\xff\x00", {"base64": "/wA="}),
    ],
)
def test_there_and_back(body: bytes, shown: dict[str, str]) -> None:
    message = Message(body, DESCRIPTOR.copy())
    written = message_as_json(message)
    assert written["body"] == shown
    assert from_json(json.dumps(written)) == message


def test_identifiers_are_hexadecimal_and_numbers_plain() -> None:
    written = message_as_json(Message(b"x", DESCRIPTOR.copy()))
    assert written["msg_id"] == "01" * 24
    assert (written["priority"], written["expiry"], written["reply_to_q"]) == (5, 300, "REPLIES")


@pytest.mark.parametrize(
    ("text", "says"),
    [
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
    ],
)
def test_what_is_no_message(text: str, says: str) -> None:
    with pytest.raises(MessageFormatError, match=says):
        from_json(text)


def test_lines_of_an_array_are_read_as_lines() -> None:
    assert [from_json_line(line) for line in (b"[\n", b"]", b"", b"  ")] == [None] * 4
    assert from_json_line(b'{"body": {"text": "a"}},\r\n') == Message(b"a")


def test_lines_that_are_not_utf8_are_refused() -> None:
    with pytest.raises(MessageFormatError, match="byte 2"):
        from_json_line(b"{\xff}")


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        (b"one\ntwo", ["one", "two"]),
        (b"a\x1b[2Jb", ["a\\x1b[2Jb"]),
        (b"\xff\x00AB", ["00000000: FF00 4142                                '..AB'"]),
    ],
)
def test_body_for_people(body: bytes, lines: list[str]) -> None:
    assert list(body_lines(body)) == lines


def test_feedback_is_explained() -> None:
    def line(feedback: int) -> str:
        return next(each for each in descriptor_lines(MessageDescriptor(feedback=feedback)) if "feedback" in each)

    assert line(0) == "   feedback            0  MQFB_NONE"
    assert line(2053).startswith("   feedback            2053  MQRC_Q_FULL: The queue holds MAXDEPTH")
    assert line(258).startswith("   feedback            258  MQFB_EXPIRATION: A report: the message expired")
    assert line(70_000) == "   feedback            70000"


def test_numbers_of_a_descriptor_are_explained() -> None:
    lines = list(descriptor_lines(DESCRIPTOR))
    assert "   msg_type            8  MQMT_DATAGRAM" in lines
    assert "   expiry              300" in lines
    assert "   correl_id           " + "00" * 24 in lines

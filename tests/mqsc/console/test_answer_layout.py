"""The layout of runmqsc: two columns, and what does not fit in them."""

from __future__ import annotations

import pytest

from mqsc.console.answer_layout import answer_lines, attribute_texts, in_two_columns
from mqsc.language.reply import Answer, failed
from mqsc.store.constants import MQRC
from mqsc.store.error import MQError
from tests.rows import rows

BARE = frozenset({"TRIGGER", "SHARE"})
JOINED = frozenset({"AUTHLIST"})


@rows(
    ({"QUEUE": "A", "TYPE": "QLOCAL"}, ["   QUEUE(A)                                TYPE(QLOCAL)"]),
    ({"DESCR": "", "MAXDEPTH": 5}, ["   DESCR( )                                MAXDEPTH(5)"]),
    (
        {"TRIGGER": "NOTRIGGER", "SHARE": "SHARE"},
        ["   NOTRIGGER                               SHARE"],
    ),
    # 37 characters still leave room for a second column, 38 do not.
    ({"QUEUE": "X" * 30, "TYPE": "QLOCAL"}, [f"   QUEUE({'X' * 30})   TYPE(QLOCAL)"]),
    ({"QUEUE": "X" * 31, "TYPE": "QLOCAL"}, [f"   QUEUE({'X' * 31})", "   TYPE(QLOCAL)"]),
    # The second column ends at 36; a value that is too wide for it gets a line of its own.
    (
        {"SSLFIPS": "NO", "SSLKEYR": "k" * 27, "A": 1},
        [f"   SSLFIPS(NO)                             SSLKEYR({'k' * 27})", "   A(1)"],
    ),
    (
        {"SSLFIPS": "NO", "SSLKEYR": "k" * 28, "A": 1},
        ["   SSLFIPS(NO)", f"   SSLKEYR({'k' * 28})", "   A(1)"],
    ),
    ({"NAMES": [], "A": 1}, ["   NAMES( )                                A(1)"]),
    ({"NAMES": ["A"], "B": 1}, ["   NAMES(A)                                B(1)"]),
    (
        {"AUTHLIST": ["GET", "INQ", "PUT"], "A": 1},
        ["   AUTHLIST(GET,INQ,PUT)                   A(1)"],
    ),
    ({"AUTHLIST": [], "A": 1}, ["   AUTHLIST( )                             A(1)"]),
    (
        {"C": 1, "AUTHLIST": ["X" * 20, "Y" * 20]},
        ["   C(1)", f"   AUTHLIST({'X' * 20},{'Y' * 20})"],
    ),
    (
        {"C": 1, "NAMES": ["A", "B", "D"], "E": 2},
        ["   C(1)", "   NAMES(A", "        ,B", "        ,D)", "   E(2)"],
    ),
)
def test_columns(row: dict[str, object], lines: list[str]) -> None:
    assert [line.rstrip() for line in in_two_columns(attribute_texts(row, BARE, JOINED))] == lines


def test_every_row_of_a_display_has_its_heading() -> None:
    """Rows that are data are not printed."""
    answer = Answer(
        "AMQ8409I",
        "Display Queue details.",
        rows=[{"QUEUE": "A"}, {"QUEUE": "B"}],
        shows_rows=True,
    )
    heading = "AMQ8409I: Display Queue details."
    assert [line.rstrip() for line in answer_lines(answer)] == [
        heading,
        "   QUEUE(A)",
        heading,
        "   QUEUE(B)",
    ]
    answer = Answer(
        "MQSC0001I",
        "Done.",
        rows=[{"QUEUE": "A", "EXAMINED": 1}, {"QUEUE": "B", "EXAMINED": 2}],
    )
    assert list(answer_lines(answer)) == ["MQSC0001I: Done."]


def test_what_stands_alone_shares_no_line() -> None:
    """What begins a line may share it."""
    texts = attribute_texts(
        {"CONN": "A", "TYPE": "CONN", "PID": 1, "TID": 2},
        alone=frozenset({"TYPE"}),
    )
    lines = ["   CONN(A)", "   TYPE(CONN)", "   PID(1)                                  TID(2)"]
    assert [line.rstrip() for line in in_two_columns(texts)] == lines
    texts = attribute_texts(
        {"CUSTOM": "", "USERLIST": ["A"], "WARN": "NO"},
        begins=frozenset({"USERLIST"}),
    )
    lines = ["   CUSTOM( )", "   USERLIST(A)                             WARN(NO)"]
    assert [line.rstrip() for line in in_two_columns(texts)] == lines


def test_severity_letters_go_where_the_environment_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = Answer("AMQ8405I", "Syntax error:-\nAMQ8427I: Valid syntax:")
    lines = {}
    for said in ("", "1", "0"):
        monkeypatch.setenv("AMQ_DIAGNOSTIC_MSG_SEVERITY", said)
        lines[said] = [*answer_lines(answer)]
    assert lines["0"] == ["AMQ8405: Syntax error:-", "AMQ8427: Valid syntax:"]
    assert lines[""] == lines["1"] == ["AMQ8405I: Syntax error:-", "AMQ8427I: Valid syntax:"]


def test_a_reason_code_without_a_message_of_its_own_has_its_sentence() -> None:
    assert list(answer_lines(failed(MQError(MQRC.Q_FULL, "Q")))) == [
        "AMQ8101S: IBM MQ error: 2053 MQRC_Q_FULL (Q).",
        "The queue holds MAXDEPTH messages, uncommitted ones included.",
    ]
    assert len(list(answer_lines(failed(MQError(MQRC.UNKNOWN_OBJECT_NAME, "Q"))))) == 1

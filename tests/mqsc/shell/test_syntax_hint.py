"""The line of help under the prompt."""

from __future__ import annotations

import pytest

from mqsc.shell.highlighting import NOTHING, hint


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("", NOTHING),
        ("clear ", "CLEAR QLOCAL | TOPICSTR"),
        ("frob", ""),
        ("define ql(", "DEFINE QLOCAL( q_name ) … and "),
        ("def chl(X) ", "DEFINE CHANNEL( channel_name ) CHLTYPE( SDR | SVR | "),
        ("define ql(X) maxdepth(", "MAXDEPTH( 0 to 999999999 ) — The maximum number of messages on the queue."),
        ("define ql(X) trigtype(d", "TRIGTYPE( one of FIRST, EVERY, DEPTH, NONE ) — "),
        ("define ql(X) frob(", "FROB is not a parameter of DEFINE QLOCAL"),
        ("get A ", "get QUEUE [OPTIONS] — Get messages and print them."),
        ("\\timing", "\\timing on | off — Show how long each command took."),
        ("\\", "\\ — settings: \\format, "),
    ],
)
def test_hints(command: str, says: str) -> None:
    assert hint(command).startswith(says)

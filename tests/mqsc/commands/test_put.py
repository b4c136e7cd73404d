"""`mqsc put`: what no message can hold is told, not tried."""

from __future__ import annotations

import pytest

from tests.mqsc.commands.conftest import Command


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

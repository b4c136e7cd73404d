"""A session whose expectation is wrong fails, whatever its mark."""

from __future__ import annotations

import pytest

from tests.mqsc.session import Session

WRONG = (
    "10",
    "! nothing here",
    "| y",
    "|",
    "20 | x",
    "~ x",
    "= xx",
    ".priority [5]",
    "!| mqsc: no message on A",
    "> y",
)


@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_not_so_is_noticed(session: Session, wrong: str) -> None:
    session(
        "DEFINE QLOCAL(A)\nput A x\nbrowse A --format json => .priority [0]\nget NONE => 10 ! "
        "2085\n~ Traceback",
    )
    with pytest.raises(AssertionError):
        session(f"get A {'--format json' if wrong[0] == '.' else ''} => {wrong}")

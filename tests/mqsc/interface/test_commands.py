"""A text as commands, without running it; and running exactly one."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies

import mqsc
from tests.rows import rows

Found = tuple[int, str, str, str, bool]
PIECES = (
    "DISPLAY QLOCAL(A)",
    "dis qmgr",
    "CLEAR QLOCAL(A)",
    "DELETE QLOCAL('a;b') PURGE",
    "DEFINE QLOCAL(A) DESCR('it''s",
    "*",
    "* CLEAR QLOCAL(A)",
    "/*",
    "*/",
    "+",
    "-",
    ";",
    "'",
    '"',
    "(",
    ")",
    "\n",
    "\r\n",
    "\r",
    "\x0b",
    "\x85",
    "\u2028",
    "\x00",
    "\t",
    " ",
    "END",
    "end\n",
    "${A}",
)


def found(text: str) -> list[Found]:
    return [
        (each.line, each.verb, each.object_type, each.name, each.changes)
        for each in mqsc.commands(text)
    ]


@rows(
    ("", []),
    ("* only a comment\n\n", []),
    ("dis ql(a)", [(1, "DISPLAY", "QLOCAL", "A", False)]),
    ("PING QMGR", [(1, "PING", "QMGR", "", False)]),
    ("RESET QSTATS('a')", [(1, "RESET", "QSTATS", "a", True)]),
    (
        "DISPLAY QMGR; CLEAR QLOCAL(A)",
        [(1, "DISPLAY", "QMGR", "", False), (1, "CLEAR", "QLOCAL", "A", True)],
    ),
    (
        "DISPLAY QMGR\nCLEAR QLOCAL(A)",
        [(1, "DISPLAY", "QMGR", "", False), (2, "CLEAR", "QLOCAL", "A", True)],
    ),
    ("CLE+\nAR QLOCAL(A)", [(1, "CLEAR", "QLOCAL", "A", True)]),
    ("* DISPLAY QMGR +\nCLEAR QLOCAL(A)", [(2, "CLEAR", "QLOCAL", "A", True)]),
    (
        "DEFINE QLOCAL(A) DESCR('DISPLAY; CLEAR')\n",
        [(1, "DEFINE", "QLOCAL", "A", True)],
    ),
    ("DISPLAY QMGR\nEND\nCLEAR QLOCAL(A)", [(1, "DISPLAY", "QMGR", "", False)]),
)
def test_commands_of_a_text(text: str, expected: list[Found]) -> None:
    assert found(text) == expected


def test_a_command_that_cannot_be_read_is_no_reading_one() -> None:
    (command,) = mqsc.commands("DISPLAY QLOCAL(A) CURDEPHT")
    assert (command.verb, command.name, command.changes) == ("", "", True)
    assert "'CURDEPHT' is not a keyword of DISPLAY QLOCAL" in command.fault
    (unfinished,) = mqsc.commands("DISPLAY QLOCAL('A")
    assert unfinished.changes
    assert unfinished.fault


def test_secrets_are_masked() -> None:
    text = "DEFINE CHANNEL(A) CHLTYPE(CLNTCONN) CONNAME(B) PASSWORD('s3cret')"
    assert "s3cret" not in repr(mqsc.commands(text))


def test_lines_of_a_file() -> None:
    lines = [b"DISPLAY QMGR +\n", b" ALL\n", b"PING QMGR\n"]
    assert [(each.line, each.verb) for each in mqsc.commands(lines)] == [
        (1, "DISPLAY"),
        (3, "PING"),
    ]


@given(strategies.lists(strategies.sampled_from(PIECES), max_size=14).map("".join))
def test_no_text_hides_a_command(text: str) -> None:
    """`commands` and `run` see the same commands in the same lines, and the same faults."""
    run = [(each.line, each.command, each.completion == 2) for each in mqsc.replies(None, text)]
    read = [(each.line, each.text, bool(each.fault)) for each in mqsc.commands(text)]
    assert read == run


def test_exactly_one_command_is_run(shop: mqsc.Session) -> None:
    assert shop.run_one("* why\nDISPLAY QLOCAL(ORDERS) MAXDEPTH").rows[0]["MAXDEPTH"] == 5000
    with pytest.raises(ValueError, match=r"has 2; the second is in line 2"):
        shop.run_one("ALTER QLOCAL(ORDERS) DESCR('changed')\nPING QMGR")
    assert shop.run_one("DISPLAY QLOCAL(ORDERS) DESCR").rows[0]["DESCR"] == ""
    for text in ("", "* only a comment", "END\nPING QMGR"):
        with pytest.raises(ValueError, match="has none"):
            shop.run_one(text)
    with pytest.raises(mqsc.CommandError, match="NOSUCH"):
        shop.run_one("DELETE QLOCAL(NOSUCH)")
    assert mqsc.run_one(shop.manager, "DELETE QLOCAL(NOSUCH)").completion == 2

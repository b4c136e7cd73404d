"""A check finds every error that a run would report: in all commands, and in all parameters of each."""

from __future__ import annotations

import pytest

from mqsc.diagnostic import Diagnostic
from mqsc.lint.script_command import ScriptCommand
from mqsc.lint.scripts import MOST_FAULTS, read_script
from mqsc.script import commands_in


def errors(*lines: str) -> list[tuple[str, int, int]]:
    """Id, line and column of the errors in a script."""
    found = read_script(commands_in([f"{line}\n" for line in lines]))
    return [(each.rule_id, each.line, each.column) for each in found if isinstance(each, Diagnostic)]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["DEFINE QLOCAL(A)"], []),
        (["MAKE QLOCAL(A)", "DEFINE QLOCAL(B) NOSUCH(1)"], [("AMQ8426I", 1, 1), ("AMQ8405I", 2, 18)]),
        # Several in one command.
        (
            ["DEFINE QLOCAL(A) MAXDEPTH(X) +", "  DEFPRTY(10) +", "  DESCR('ok') NOSUCH"],
            [("AMQ8405I", 1, 27), ("AMQ8412E", 2, 11), ("AMQ8405I", 3, 15)],
        ),
        (["DEFINE QLOCAL('A B') MAXDEPTH(X)"], [("AMQ8424E", 1, 15), ("AMQ8405I", 1, 31)]),
        (["DEFINE QLOCAL(A) SHARE NOSHARE SHARE"], [("AMQ8411E", 1, 24), ("AMQ8411E", 1, 32)]),
        # A parameter that was given but wrong is not reported as missing too.
        (["REFRESH QMGR TYPE(NOSUCH)"], [("AMQ8405I", 1, 19)]),
        (["REFRESH QMGR"], [("AMQ8421E", 1, 9)]),
        # At most one error about parentheses and quotes per command.
        (["DEFINE QLOCAL(A) DESCR('x", "DEFINE QLOCAL(B"], [("AMQ8405I", 1, 24), ("AMQ8405I", 2, 16)]),
        (["DEFINE QLOCAL(A) +"], [("AMQ8406I", 1, 18)]),
        (["DEFINE"], [("AMQ8426I", 1, 1)]),
        (["DEFINE NOSUCH(A) B(C)"], [("AMQ8405I", 1, 8)]),
        # Conflicts between attributes are checked with the values set by earlier commands.
        (["DEFINE QLOCAL(A) CLUSTER(C)", "ALTER QLOCAL(A) CLUSNL(N)"], []),
        # Words that MQ replaces, such as +QMNAME+, are not valid in names here either.
        (
            ["ALTER QMGR DEADQ(+QMNAME+)", "DEFINE QLOCAL(A.+QMNAME+) MAXDEPTH(X)"],
            [("AMQ8424E", 1, 18), ("AMQ8424E", 2, 15), ("AMQ8405I", 2, 36)],
        ),
    ],
)
def test_errors(lines: list[str], expected: list[tuple[str, int, int]]) -> None:
    assert errors(*lines) == expected


def test_what_is_right_in_a_faulty_command_counts() -> None:
    found = read_script(commands_in(["DEFINE QL(A) MAXDEPTH(7) DEFPRTY(10)\n"]))
    (statement,) = [each for each in found if isinstance(each, ScriptCommand)]
    assert (statement.title, dict(statement.given)) == ("DEFINE QLOCAL(A)", {"MAXDEPTH": 7})


def test_a_command_of_nothing_but_faults_is_given_up() -> None:
    assert len(errors("DEFINE QLOCAL(A) +", *(f"NOSUCH{n} +" for n in range(1000)), ";")) == MOST_FAULTS


def test_bytes_that_are_no_text_are_an_error_of_their_command() -> None:
    found = [*read_script(commands_in([b"DEFINE QLOCAL(A) DESCR('\xff\x00')\n", b"DEFINE QLOCAL(B)\n"]))]
    assert [type(each) for each in found] == [Diagnostic, ScriptCommand]

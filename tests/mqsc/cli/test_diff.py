"""`mqsc diff`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mqsc.scripts.export_output import HEADING
from tests.mqsc.conftest import Command
from tests.mqsc.screen import screen

SCRIPT = f"{HEADING}\n\nDEFINE QLOCAL('A') MAXDEPTH(7) REPLACE\n"


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("diff", "none.mqsc"), 20, "none.mqsc does not exist"),
        (("diff",), 20, "give FILEs or --from"),
        (("diff", "--set", "x", "-"), 20, "is not NAME=VALUE"),
        (("diff", "store.db"), 20, "store.db is the store itself"),
    ],
)
def test_refusals(with_queue: Command, arguments: tuple[str, ...], code: int, says: str) -> None:
    ended = with_queue(*arguments)
    assert (ended.code, ended.out) == (code, "")
    assert says in ended.err


def test_diff(with_queue: Command, tmp_path: Path) -> None:
    (tmp_path / "same.mqsc").write_text(SCRIPT)
    same = with_queue("diff", "same.mqsc")
    assert (same.code, same.out, same.err) == (0, "", "mqsc: QM1: no difference\n")
    other = with_queue(
        "diff",
        "-",
        stdin=b"DEFINE QLOCAL(A) MAXDEPTH(8)\nDEFINE QLOCAL(B)\nSTART LISTENER(L)\n",
    )
    assert (other.code, other.err) == (2, "mqsc: QM1: 1 to create, 1 to update\n")
    assert other.out == (
        "UPDATE     QLOCAL(A)                                          line 1\n           MAXDEPTH "
        " 7 -> 8\n"
        "CREATE     QLOCAL(B)                                          line 2\n"
    )
    rows = json.loads(with_queue("diff", "-", "--format", "json", stdin=b"DEFINE QLOCAL(C)\n").out)
    assert [(row["action"], row["name"]) for row in rows] == [("CREATE", "C"), ("DELETE", "A")]


def test_two_files_and_no_store(mqsc: Command, tmp_path: Path) -> None:
    """The error says how the two are compared with each other, and that command works."""
    old, new = tmp_path / "old.mqsc", tmp_path / "new.mqsc"
    old.write_text("DEFINE QLOCAL(A) MAXDEPTH(3)\n")
    new.write_text("DEFINE QLOCAL(A) MAXDEPTH(5)\n")
    store = ("--store", f"sqlite:///{tmp_path}/none.db")
    refused = mqsc("diff", str(old), str(new), *store)
    how = f"diff {new} --from-file {old} -m QM1"
    assert refused.code == 20
    assert refused.err.startswith("mqsc: there is no store at ")
    assert refused.err.endswith(f": mqsc {how}\n")
    compared = mqsc(*how.split(), *store)
    assert (compared.code, compared.lines[1].split()) == (2, ["MAXDEPTH", "3", "->", "5"])
    assert "--from-file" not in mqsc("diff", str(old), *store).err


def test_diff_counts_what_fails(with_queue: Command) -> None:
    ended = with_queue(
        "diff",
        "-",
        stdin=b"DEFINE QLOCAL(A) MAXDEPTH(7)\nALTER QLOCAL(B) MAXDEPTH(1)\nMAKE\n",
    )
    assert (ended.code, ended.err) == (10, "mqsc: QM1: 2 in error\n")
    assert ended.lines == [
        "ERROR      MAKE                                               line 3",
        "           AMQ8426I: Valid MQSC commands are:",
        "           line 3, column 1: 'MAKE' is not an MQSC verb",
        "ERROR      ALTER QLOCAL(B) MAXDEPTH(1)                        line 2",
        "           AMQ8147E: IBM MQ object B not found.",
    ]


def test_diff_says_which_variables_have_no_value(with_queue: Command) -> None:
    ended = with_queue(
        "diff", "-", "--set", "DEPTH=7", stdin=b"DEFINE QLOCAL(A) MAXDEPTH(${DEPHT})\n"
    )
    assert (ended.code, ended.out) == (20, "")
    assert (
        "standard input, line 1, column 27: ${DEPHT} is not set; did you mean DEPTH?" in ended.err
    )


def test_diff_says_why_a_command_fails(with_queue: Command) -> None:
    ended = with_queue("diff", "-", stdin=b"DEFINE QLOCAL(A\n\nDEFINE QLOCAL(A) MAXDEPHT(1)\n")
    assert ended.code == 10
    assert (
        "  line 1, column 16: the parenthesis that opens at column 14 is never closed\n"
        in ended.out
    )
    assert "did you mean MAXDEPTH?" in ended.out
    assert "AMQ8427I" not in ended.out


def test_an_error_cannot_control_the_terminal(mqsc: Command, tmp_path: Path) -> None:
    mqsc("qmgr", "create", "QM1")
    (tmp_path / "a.mqsc").write_text("DEFINE QLOCAL('\x1b[2J')\n")
    shown = screen(tmp_path, "diff", str(tmp_path / "a.mqsc"), width=1000)
    assert "\x1b" not in shown
    assert "\\x1b[2J" in shown


BEFORE = """DEFINE QLOCAL(Q) DESCR('first')
DEFINE QALIAS(A) TARGET(Q)
DEFINE CHANNEL(C) CHLTYPE(SDR) CONNAME('h') XMITQ(X) DESCR('long')
SET AUTHREC PROFILE(Q) OBJTYPE(QUEUE) GROUP('root') AUTHADD(GET)
SET CHLAUTH('C*') TYPE(BLOCKUSER) USERLIST('a')
ALTER QMGR DESCR('first')"""
SINCE = """ALTER QLOCAL(Q) MAXDEPTH(7) DESCR('')
DELETE QALIAS(A)
DEFINE QLOCAL(A)
ALTER CHANNEL(C) CHLTYPE(SDR) BATCHSZ(9) DESCR('')
SET AUTHREC PROFILE(Q) OBJTYPE(QUEUE) GROUP('root') AUTHADD(PUT) AUTHRMV(GET)
SET AUTHREC PROFILE(N) OBJTYPE(QUEUE) GROUP('root') AUTHADD(PUT)
SET CHLAUTH('C*') TYPE(BLOCKUSER) USERLIST('b')
ALTER QLOCAL(SYSTEM.DEFAULT.LOCAL.QUEUE) MAXDEPTH(77)
DEFINE QLOCAL(NEW) DESCR('it''s')
ALTER QMGR DESCR('') DEADQ(NEW)"""


def test_between_two_moments(mqsc: Command) -> None:
    mqsc("qmgr", "create", "QM1", "--clock", "manual")
    mqsc("clock", "set", "2026-03-01T09:00")
    mqsc("run", "-", stdin=BEFORE.encode())
    mqsc("put", "Q", "in the way of a DELETE")
    mqsc("clock", "advance", "10m")
    assert mqsc("run", "-", stdin=SINCE.encode()).code == 0
    forth = mqsc("diff", "--from", "09:00", "--to", "09:10")
    assert (forth.code, "ALTER QLOCAL('Q') DESCR(' ') MAXDEPTH(7)" in forth.lines) == (2, True)
    back = mqsc("diff", "--from", "09:10", "--to", "09:00")
    mqsc("clock", "advance", "1m")
    # What it prints leads there.
    for script, same_as in ((back.out, "09:00"), (forth.out, "09:10")):
        assert mqsc("run", "-", stdin=script.encode()).code == 0
        same = mqsc("diff", "--from", same_as)
        assert (same.code, same.out, "no difference" in same.err) == (0, "", True), script
    changed = mqsc(
        "diff",
        "--from",
        "09:00",
        "--to",
        "09:10",
        "--include",
        "Q",
        "--types",
        "queue",
        "--format",
        "jsonl",
    )
    assert [(row["name"], row["action"]) for row in changed.rows] == [("Q", "UPDATE")]


def test_wrong_moments_to_compare(mqsc: Command) -> None:
    mqsc("qmgr", "create", "QM1")
    for arguments, sentence in (
        ((), "give FILEs or --from"),
        (("--from", "1", "file.mqsc"), "leave FILEs out"),
        (("--to", "1", "file.mqsc"), "--to is the end for --from"),
        (("--from", "1", "--as-of", "1"), "cannot be used together"),
    ):
        ended = mqsc("diff", *arguments)
        assert (ended.code, sentence in ended.err) == (20, True), arguments
    assert mqsc("diff", "--from", "99999").code == 10

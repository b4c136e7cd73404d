"""`mqsc run`: inputs, order, formats, exit codes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mqsc.scripts.reply_output import BANNER
from mqsc.scripts.run import NO_PROGRAMS
from tests.mqsc.conftest import Command
from tests.mqsc.session import Session

TOP = f"| {BANNER}\n| Starting MQSC for queue manager QM1.\n|\n|"
CLOSING = "| No commands have a syntax error.\n| All valid MQSC commands were processed."
SESSIONS = {
    "a first run creates store and queue manager and says so": f"""
        DEFINE QLOCAL(A)
            {TOP}
            |      1 : DEFINE QLOCAL(A)
            | AMQ8006I: IBM MQ queue created.
            | One MQSC command read.
            {CLOSING}
            !| mqsc: created the queue manager QM1 in $PWD/store.db
    """,
    "numbers go on after end": r"""
        cat > a.mqsc << PING QMGR\nend\n
        run a.mqsc -c 'PING QMGR' => =      1 : PING QMGR
            =      2 : end
            =      3 : PING QMGR
            = 2 MQSC commands read.
    """,
    "inputs run in the order given with one tally": r"""
        cat > one.mqsc << PING QMGR\nend\nFOO\n
        cat > two.mqsc << DISPLAY QMGR QMNAME
        run -c 'DEFINE QLOCAL(A)' one.mqsc -ec 'DELETE QLOCAL(A)' - two.mqsc --format jsonl << PING QMGR
            .message_id ["AMQ8006I", "AMQ8415I", "AMQ8007I", "AMQ8415I", "AMQ8408I"]
            ! 5 MQSC commands read.
    """,
    "no echo": rf"""
        run -e - << * remark\nPING QMGR
            {TOP}
            | AMQ8415I: Ping Queue Manager command complete.
            | One MQSC command read.
            {CLOSING}
    """,
    "verify carries nothing out and makes no store": r"""
        run -v - << DEFINE QLOCAL(A)\nDEFINE QLOCAL(A) FOO => 10 =      1 : DEFINE QLOCAL(A)
            =      2 : DEFINE QLOCAL(A) FOO
            = AMQ8405I: Syntax error detected at or near end of command segment below:-
        qmgr list => 20 ! there is no store
    """,
    "ways to give a text": """
        run -c 'PING QMGR' => =      1 : PING QMGR
        run -c'PING QMGR' => =      1 : PING QMGR
        run --command 'PING QMGR' => =      1 : PING QMGR
        run --command='PING QMGR' => =      1 : PING QMGR
    """,
    "verify with a queue manager changes nothing": """
        qmgr create QM1
        run -v -m QM1 -c 'DEFINE QLOCAL(A)'
        DISPLAY QLOCAL(A) => 10 > AMQ8147E
        run -v -m QM2 -c 'DEFINE QLOCAL(A)' => 10
    """,
    "exit codes": """
        run -c 'PING QMGR'
        run -c ''
        run -c FOO => 10 > AMQ8426I
        run -c 'DELETE QLOCAL(NONE)' => 10 > AMQ8147E
        run -c 'START CHINIT'
        run -c '' --format json => .line []
        run -c 'PING QMGR' --format yaml => 20 ! Usage: mqsc
        run --fomat json => 20 ! Usage: mqsc
        rum => 20 ! Usage: mqsc
    """,
    "an unknown queue manager ends with 10": """
        run -m QM9 -c 'PING QMGR' => 20 ! there is no store
        qmgr list => 20 ! there is no store
        qmgr create QM1
        run -m QM9 -c 'PING QMGR' => 10
            !| mqsc: AMQ8118E: IBM MQ queue manager 'QM9' does not exist. Did you mean QM1?
    """,
    "a queue manager that has ended": f"""
        qmgr create QM1
        qmgr end
        run -c 'PING QMGR' => 20
            {TOP}
            | AMQ8146E: IBM MQ queue manager not available.
            | No MQSC commands read.
            {CLOSING}
        run -c 'PING QMGR' --format json => 20
    """,
    "what is wrong with an input is said once": """
        run one.mqsc two.mqsc => 20 !| mqsc: one.mqsc does not exist
            !| mqsc: two.mqsc does not exist
        qmgr create QM1
        run one.mqsc -c 'PING QMGR' => 10 !| mqsc: one.mqsc does not exist
            = One MQSC command read.
    """,
    "an empty file is said to be empty": """
        cat > empty.mqsc
        run empty.mqsc => ! empty.mqsc, line 1, column 1: the input is empty
            = No MQSC commands read.
    """,
    "bytes that are not UTF-8 fail only their command": r"""
        cat > latin.mqsc << * Gr\xfc\xdfe\nDEFINE QLOCAL(A) DESCR('Gr\xfc\xdfe')\nDEFINE QLOCAL(B)\n
        run latin.mqsc => 10 = One command has a syntax error.
            = AMQ8006I: IBM MQ queue created.
            > latin.mqsc, line 2, column 27:
    """,
    "the store is not read as a script": """
        qmgr create QM1
        run store.db -c 'PING QMGR' => 10 ! is the store itself
            = One MQSC command read.
    """,
    "options before and after the command": """
        --store sqlite:///other.db qmgr create QM7
        run --store sqlite:///other.db -c 'PING QMGR' => = Starting MQSC for queue manager QM7.
        --store sqlite:///other.db -m QM8 run -m QM7 -c 'PING QMGR'
        --quiet run -c 'PING QMGR' => !|
        --format jsonl run -c 'PING QMGR' => > {"file": null
    """,
    "folders and patterns run in sorted order": r"""
        cat > set/20-alias.mqsc << * 20\nPING QMGR\n
        cat > set/10-queue.mqsc << * 10\nPING QMGR\n
        cat > set/README << * README\nPING QMGR\n
        cat > more/b.mqsc << * b\nPING QMGR\n
        cat > more/a.mqsc << * a\nPING QMGR\n
        run set 'm*/?.mqsc' -c 'PING QMGR' --format jsonl
            .file ["set/10-queue.mqsc", "set/20-alias.mqsc", "more/a.mqsc", "more/b.mqsc", null]
    """,
    "a pattern that matches nothing is an input that cannot be read": """
        run '*.mqsc' => 20
        run '*.mqsc' -c 'PING QMGR' => 10 = One MQSC command read.
            ! mqsc: *.mqsc matches no file
    """,
    "stop on error ends with the first command that fails": r"""
        cat > one.mqsc << PING QMGR\nDELETE QLOCAL(NONE)\nDEFINE QLOCAL(A)\n
        cat > two.mqsc << DEFINE QLOCAL(B)\n
        run --stop-on-error one.mqsc two.mqsc --format jsonl => 10 .message_id ["AMQ8415I", "AMQ8147E"]
            ! One valid MQSC command could not be processed.
        run -c 'DISPLAY QUEUE(A)' -c 'DISPLAY QUEUE(B)' --format jsonl => 10 .message_id ["AMQ8147E", "AMQ8147E"]
        run --stop-on-error -v - << FOO\nBAR\n => 10 = One command has a syntax error.
        run --stop-on-error -c 'PING QMGR' none.mqsc -c 'PING QMGR' => 10 = One MQSC command read.
        run --stop-on-error -c 'PING QMGR'
    """,
    "variables": r"""
        cat > a.mqsc << * for ${WHO}\nDEFINE QLOCAL(${Q}) +\n DESCR('${WHO}''s ${Q}')\nend\n${LATER}\n
        run a.mqsc --set Q=ORDERS --set=WHO=O\'Neill --format json
            .command ["DEFINE QLOCAL(ORDERS) DESCR('O''Neill''s ORDERS')"]
        DISPLAY QLOCAL(ORDERS) DESCR => =    DESCR(O'Neill's ORDERS)
        run a.mqsc --set Q=X --set=WHO= => =      1 : DEFINE QLOCAL(${Q}) +
        DEFINE QLOCAL(A) DESCR('${WHO}')
        DISPLAY QLOCAL(A) DESCR => =    DESCR(${WHO})
    """,
    "a variable without a value stops everything before it begins": r"""
        cat > a.mqsc << DEFINE QLOCAL(${Q})\nDEFINE QLOCAL(B) +\n  DESCR('${WHO}')\n
        run a.mqsc - -c 'DEFINE QLOCAL(${QQ})' --set Q=A << DIS Q(${X}) => 20
            !| mqsc: a.mqsc, line 3, column 10: ${WHO} is not set
            !| mqsc: standard input, line 1, column 7: ${X} is not set
            !| mqsc: the -c text, line 1, column 15: ${QQ} is not set; did you mean Q?
            !| mqsc: nothing was run: 3 variables have no value
        qmgr list => 20 ! there is no store
    """,
    "a value that no command uses is reported": """
        qmgr create QM1
        run --set A=1 --set B=2 -c 'DEFINE QLOCAL(Q${A})' -c '* ${B}' => !| mqsc: --set B: no command uses ${B}
    """,
    "options that make no sense": """
        run -c 'PING QMGR' ...
        --set A => 20 ! 'A' is not NAME=VALUE
        --plan -v => 20 ! --plan and --verify cannot be used together
        --plan --skip-if-running => 20 ! --plan and --skip-if-running cannot be used together
        --atomic -v => 20 ! --atomic and --verify cannot be used together
        ...
        qmgr list => 20 ! there is no store
    """,
}


@pytest.mark.parametrize("name", SESSIONS)
def test_sessions(session: Session, name: str) -> None:
    session(SESSIONS[name])


def test_the_store_is_for_its_user_only(session: Session, tmp_path: Path) -> None:
    session("DEFINE QLOCAL(A)")
    assert (tmp_path / "store.db").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("missing.mqsc", None, "missing.mqsc does not exist"),
        (".", None, ". is a folder without *.mqsc files"),
        ("binary", b"\x7fELF\0\0", "binary, line 1, column 5: a NUL byte"),
    ],
)
def test_an_unreadable_input(
    session: Session,
    tmp_path: Path,
    name: str,
    content: bytes | None,
    says: str,
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    session(f"run {name} => 20 ! {says}")
    assert not (tmp_path / "store.db").exists()
    session(f"run {name} -c 'PING QMGR' => 10 ! {says}\n= One MQSC command read.")


@pytest.mark.parametrize("options", [(), ("-v",), ("--plan",), ("--atomic",), ("--set", "Q=A")])
def test_a_pipe_is_read_once(mqsc: Command, options: tuple[str, ...]) -> None:
    """As with the shell's process substitution: mqsc run <(sed ... script)."""
    mqsc("qmgr", "create", "QM1")
    pipe, end = os.pipe()
    os.write(end, b"DEFINE QLOCAL(${Q})\n" if "--set" in options else b"DEFINE QLOCAL(A)\n")
    os.close(end)
    ended = mqsc("run", *options, f"/dev/fd/{pipe}")
    os.close(pipe)
    assert (ended.code, ended.err) == (
        (2, "mqsc: QM1: 1 to create\n") if "--plan" in options else (0, "")
    )
    assert any("QLOCAL(" in line for line in ended.lines)


@pytest.mark.parametrize("format", ["json", "jsonl"])
def test_json(session: Session, format: str) -> None:
    script = (
        r"\nDEFINE QLOCAL(A) TRIGGER +\n MAXDEPTH(5)\nDISPLAY QLOCAL(A) MAXDEPTH "
        r"TRIGGER\nFOO\nend\n"
    )
    replies = session(f"""
        cat > a.mqsc << {script}
        run a.mqsc --format {format} => 10 ! 3 MQSC commands read.
            .file ["a.mqsc", "a.mqsc", "a.mqsc"]
            .line [2, 4, 5]
            .message_id ["AMQ8006I", "AMQ8409I", "AMQ8426I"]
            .completion [0, 0, 2]
            .reason [0, 0, 0]
            .position [null, null, {{"line": 5, "column": 1}}]
    """).rows
    assert replies[0]["command"] == "DEFINE QLOCAL(A) TRIGGER MAXDEPTH(5)"
    assert replies[1]["rows"] == [
        {"QUEUE": "A", "TYPE": "QLOCAL", "MAXDEPTH": 5, "TRIGGER": "TRIGGER"},
    ]
    keys = [
        "file",
        "line",
        "command",
        "message_id",
        "text",
        "completion",
        "reason",
        "position",
        "rows",
    ]
    assert list(replies[2]) == keys


@pytest.mark.parametrize(
    "content",
    [b"this is no database at all, is it?", b""],
    ids=["text", "empty"],
)
def test_a_store_that_is_none(session: Session, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "store.db").write_bytes(content)
    session("run -c 'PING QMGR' => 20 ! is not a store\n~ Traceback")


def test_standard_input_without_a_command_and_a_value_with_a_line_end(mqsc: Command) -> None:
    ended = mqsc(stdin=b"PING QMGR\n")
    assert (ended.code, "     1 : PING QMGR" in ended.lines) == (0, True)
    ended = mqsc("run", "--set", "A=x\ny", "-c", "PING QMGR")
    assert (ended.code, "the value of A contains a line end" in ended.err) == (20, True)


def test_a_secret_from_a_variable_is_not_printed(mqsc: Command) -> None:
    ended = mqsc(
        "run",
        "--set",
        "PW=geheim",
        "--set",
        "ALL=PASSWORD('geheim')",
        "--format",
        "json",
        "-c",
        "DEFINE CHANNEL(C) CHLTYPE(SDR) PASSWORD('${PW}')",
        "-c",
        "DEFINE CHANNEL(C) CHLTYPE(SDR) ${ALL}",
    )
    assert "geheim" not in ended.out + ended.err
    assert "********" in ended.out


def test_the_status_of_services_comes_with_a_notice_on_stderr(mqsc: Command) -> None:
    define = "DEFINE {0}(S) {1} CONTROL(MANUAL)"
    for noun, attributes, status in (
        ("SERVICE", "SERVTYPE(SERVER) STARTCMD('/bin/trm')", "SVSTATUS"),
        ("LISTENER", "TRPTYPE(TCP)", "LSSTATUS"),
    ):
        assert (
            mqsc("run", "-c", define.format(noun, attributes), "-c", f"START {noun}(S)").code == 0
        )
        ended = mqsc("run", *["-c", f"DISPLAY {status}(*)"] * 2)
        assert "STATUS(RUNNING)" in ended.out
        assert ended.err.splitlines() == [f"mqsc: {NO_PROGRAMS}"]
    assert "no program" not in mqsc("run", "-c", "DISPLAY SERVICE(S)").err

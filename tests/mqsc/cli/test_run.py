"""`mqsc run`: inputs, order, formats, exit codes."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from mqsc.scripts.reply_output import BANNER
from tests.mqsc.conftest import Command

CLOSING = ["No commands have a syntax error.", "All valid MQSC commands were processed."]


def test_a_first_run_creates_store_and_queue_manager_and_says_so(mqsc: Command, tmp_path: Path) -> None:
    ended = mqsc("run", "-c", "DEFINE QLOCAL(A)")
    assert ended.code == 0
    assert ended.lines == [
        BANNER,
        "Starting MQSC for queue manager QM1.",
        "",
        "",
        "     1 : DEFINE QLOCAL(A)",
        "AMQ8006I: IBM MQ queue created.",
        "One MQSC command read.",
        *CLOSING,
    ]
    assert ended.err == f"mqsc: created the queue manager QM1 in {tmp_path}/store.db\n"
    assert (tmp_path / "store.db").stat().st_mode & 0o777 == 0o600


def test_inputs_run_in_the_order_given_with_one_tally(mqsc: Command, tmp_path: Path) -> None:
    (tmp_path / "one.mqsc").write_text("PING QMGR\nend\nFOO\n")
    (tmp_path / "two.mqsc").write_text("DISPLAY QMGR QMNAME")
    ended = mqsc(
        "run", "-c", "DEFINE QLOCAL(A)", "one.mqsc", "-ec", "DELETE QLOCAL(A)", "-", "two.mqsc", stdin=b"PING QMGR"
    )
    assert ended.code == 0
    assert [line for line in ended.lines if "Display" in line or "AMQ80" in line or "AMQ8415I" in line] == [
        "AMQ8006I: IBM MQ queue created.",
        "AMQ8415I: Ping Queue Manager command complete.",
        "AMQ8007I: IBM MQ queue deleted.",
        "AMQ8415I: Ping Queue Manager command complete.",
        "AMQ8408I: Display Queue Manager details.",
    ]
    assert "5 MQSC commands read." in ended.lines


@pytest.mark.parametrize(
    "given", [("-c", "PING QMGR"), ("-cPING QMGR",), ("--command", "PING QMGR"), ("--command=PING QMGR",)]
)
def test_ways_to_give_a_text(mqsc: Command, given: tuple[str, ...]) -> None:
    assert "     1 : PING QMGR" in mqsc("run", *given).lines


def test_numbers_go_on_after_end(mqsc: Command) -> None:
    ended = mqsc("run", "-c", "PING QMGR\nend", "-c", "PING QMGR")
    assert [line for line in ended.lines if " : " in line] == [
        "     1 : PING QMGR",
        "     2 : end",
        "     3 : PING QMGR",
    ]
    assert "2 MQSC commands read." in ended.lines


def test_no_echo(mqsc: Command) -> None:
    assert mqsc("run", "-e", "-c", "* remark\nPING QMGR").lines[4:] == [
        "AMQ8415I: Ping Queue Manager command complete.",
        "One MQSC command read.",
        *CLOSING,
    ]


def test_verify_carries_nothing_out_and_makes_no_store(mqsc: Command, tmp_path: Path) -> None:
    ended = mqsc("run", "-v", "-c", "DEFINE QLOCAL(A)\nDEFINE QLOCAL(A) FOO")
    assert ended.code == 10
    assert ended.lines[4:7] == [
        "     1 : DEFINE QLOCAL(A)",
        "     2 : DEFINE QLOCAL(A) FOO",
        "AMQ8405I: Syntax error detected at or near end of command segment below:-",
    ]
    assert not (tmp_path / "store.db").exists()


def test_verify_with_a_queue_manager_changes_nothing(mqsc: Command) -> None:
    mqsc("qmgr", "create", "QM1")
    assert mqsc("run", "-v", "-m", "QM1", "-c", "DEFINE QLOCAL(A)").code == 0
    assert mqsc("run", "-c", "DISPLAY QLOCAL(A)").code == 10
    assert mqsc("run", "-v", "-m", "QM2", "-c", "DEFINE QLOCAL(A)").code == 10


@pytest.mark.parametrize(
    ("text", "code"), [("PING QMGR", 0), ("", 0), ("FOO", 10), ("DELETE QLOCAL(NONE)", 10), ("START CHINIT", 0)]
)
def test_exit_codes(mqsc: Command, text: str, code: int) -> None:
    assert mqsc("run", "-c", text).code == code


def test_an_unknown_queue_manager_ends_with_10_and_makes_no_store(mqsc: Command, tmp_path: Path) -> None:
    ended = mqsc("run", "-m", "QM9", "-c", "PING QMGR")
    assert (ended.code, ended.err) == (10, "mqsc: AMQ8118E: IBM MQ queue manager 'QM9' does not exist.\n")
    assert not (tmp_path / "store.db").exists()
    mqsc("qmgr", "create", "QM1")
    ended = mqsc("run", "-m", "QM9", "-c", "PING QMGR")
    assert (ended.code, ended.err) == (
        10,
        "mqsc: AMQ8118E: IBM MQ queue manager 'QM9' does not exist. Did you mean QM1?\n",
    )


def test_a_queue_manager_that_has_ended(mqsc: Command) -> None:
    mqsc("qmgr", "create", "QM1")
    mqsc("qmgr", "end")
    ended = mqsc("run", "-c", "PING QMGR")
    assert ended.code == 20
    assert ended.lines[4:] == ["AMQ8146E: IBM MQ queue manager not available.", "No MQSC commands read.", *CLOSING]
    assert mqsc("run", "-c", "PING QMGR", "--format", "json").out == ""


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("missing.mqsc", None, "missing.mqsc does not exist"),
        (".", None, ". is a folder without *.mqsc files"),
        ("binary", b"\x7fELF\0\0", "binary, line 1, column 5: a NUL byte"),
    ],
)
def test_an_input_that_cannot_be_read(
    mqsc: Command, tmp_path: Path, name: str, content: bytes | None, says: str
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    alone = mqsc("run", name)
    assert (alone.code, alone.out) == (20, "")
    assert says in alone.err
    assert not (tmp_path / "store.db").exists()
    among_others = mqsc("run", name, "-c", "PING QMGR")
    assert among_others.code == 10
    assert "One MQSC command read." in among_others.lines
    assert says in among_others.err


def test_what_is_wrong_with_an_input_is_said_once(mqsc: Command) -> None:
    assert mqsc("run", "one.mqsc", "two.mqsc").err == "mqsc: one.mqsc does not exist\nmqsc: two.mqsc does not exist\n"
    mqsc("qmgr", "create", "QM1")
    assert mqsc("run", "one.mqsc", "-c", "PING QMGR").err == "mqsc: one.mqsc does not exist\n"


def test_an_empty_file_is_said_to_be_empty(mqsc: Command, tmp_path: Path) -> None:
    (tmp_path / "empty.mqsc").touch()
    ended = mqsc("run", "empty.mqsc")
    assert ended.code == 0
    assert "empty.mqsc, line 1, column 1: the input is empty" in ended.err
    assert "No MQSC commands read." in ended.lines


@pytest.mark.parametrize("options", [(), ("-v",), ("--plan",), ("--atomic",), ("--set", "Q=A")])
def test_a_pipe_is_read_once(mqsc: Command, options: tuple[str, ...]) -> None:
    """As with the shell's process substitution: mqsc run <(sed ... script)."""
    mqsc("qmgr", "create", "QM1")
    pipe, end = os.pipe()
    os.write(end, b"DEFINE QLOCAL(${Q})\n" if "--set" in options else b"DEFINE QLOCAL(A)\n")
    os.close(end)
    ended = mqsc("run", *options, f"/dev/fd/{pipe}")
    os.close(pipe)
    assert (ended.code, ended.err) == (2 if "--plan" in options else 0, "")
    assert any("QLOCAL(" in line for line in ended.lines)


def test_bytes_that_are_not_utf8_fail_only_their_command(mqsc: Command, tmp_path: Path) -> None:
    (tmp_path / "latin.mqsc").write_bytes(b"* Gr\xfc\xdfe\nDEFINE QLOCAL(A) DESCR('Gr\xfc\xdfe')\nDEFINE QLOCAL(B)\n")
    ended = mqsc("run", "latin.mqsc")
    assert ended.code == 10
    assert "One command has a syntax error." in ended.lines
    assert "AMQ8006I: IBM MQ queue created." in ended.lines
    assert any(line.startswith("latin.mqsc, line 2, column 27: ") for line in ended.lines)


def test_the_store_is_not_read_as_a_script(mqsc: Command) -> None:
    mqsc("qmgr", "create", "QM1")
    ended = mqsc("run", "store.db", "-c", "PING QMGR")
    assert ended.code == 10
    assert "is the store itself" in ended.err


@pytest.mark.parametrize("format", ["json", "jsonl"])
def test_json(mqsc: Command, tmp_path: Path, format: str) -> None:
    (tmp_path / "a.mqsc").write_text(
        "\nDEFINE QLOCAL(A) TRIGGER +\n MAXDEPTH(5)\nDISPLAY QLOCAL(A) MAXDEPTH TRIGGER\nFOO\nend\n"
    )
    ended = mqsc("run", "a.mqsc", "--format", format)
    assert ended.code == 10
    replies = json.loads(ended.out) if format == "json" else [json.loads(line) for line in ended.out.splitlines()]
    assert [
        (each["file"], each["line"], each["message_id"], each["completion"], each["reason"]) for each in replies
    ] == [("a.mqsc", 2, "AMQ8006I", 0, 0), ("a.mqsc", 4, "AMQ8409I", 0, 0), ("a.mqsc", 5, "AMQ8426I", 2, 0)]
    assert replies[0]["command"] == "DEFINE QLOCAL(A) TRIGGER MAXDEPTH(5)"
    assert replies[1]["rows"] == [{"QUEUE": "A", "TYPE": "QLOCAL", "MAXDEPTH": 5, "TRIGGER": "TRIGGER"}]
    keys = ["file", "line", "command", "message_id", "text", "completion", "reason", "position", "rows"]
    assert list(replies[2]) == keys
    assert [each["position"] for each in replies] == [None, None, {"line": 5, "column": 1}]
    assert "3 MQSC commands read." in ended.err


def test_json_of_nothing_is_an_empty_array(mqsc: Command) -> None:
    assert json.loads(mqsc("run", "-c", "", "--format", "json").out) == []


@pytest.mark.parametrize(
    "arguments", [("run", "--fomat", "json"), ("run", "--format", "yaml", "-c", "PING QMGR"), ("rum",)]
)
def test_bad_usage_ends_with_20(mqsc: Command, arguments: tuple[str, ...]) -> None:
    ended = mqsc(*arguments)
    assert (ended.code, ended.out) == (20, "")
    assert "Usage: mqsc" in ended.err


def test_options_before_and_after_the_command(mqsc: Command, tmp_path: Path) -> None:
    other = f"sqlite:///{tmp_path}/other.db"
    assert mqsc("--store", other, "qmgr", "create", "QM7").code == 0
    assert "Starting MQSC for queue manager QM7." in mqsc("run", "--store", other, "-c", "PING QMGR").lines
    assert mqsc("--store", other, "-m", "QM8", "run", "-m", "QM7", "-c", "PING QMGR").code == 0
    assert mqsc("--quiet", "run", "-c", "PING QMGR").err == ""
    assert mqsc("--format", "jsonl", "run", "-c", "PING QMGR").out.startswith('{"file": null')


@pytest.mark.parametrize("content", [b"this is no database at all, is it?", b""], ids=["text", "empty"])
def test_a_store_that_is_none(mqsc: Command, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "store.db").write_bytes(content)
    ended = mqsc("run", "-c", "PING QMGR")
    assert (ended.code, ended.out) == (20, "")
    assert "is not a store" in ended.err
    assert "Traceback" not in ended.err


def test_commands_come_from_standard_input_without_a_command(mqsc: Command) -> None:
    ended = mqsc(stdin=b"PING QMGR\n")
    assert ended.code == 0
    assert "     1 : PING QMGR" in ended.lines


def test_folders_and_patterns_run_in_sorted_order(mqsc: Command, tmp_path: Path) -> None:
    for name in ("set/20-alias.mqsc", "set/10-queue.mqsc", "set/README", "more/b.mqsc", "more/a.mqsc"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(f"* {name}\nPING QMGR\n")
    ended = mqsc("run", "set", "m*/?.mqsc", "-c", "PING QMGR")
    assert [line for line in ended.lines if ": * " in line] == [
        "       : * set/10-queue.mqsc",
        "       : * set/20-alias.mqsc",
        "       : * more/a.mqsc",
        "       : * more/b.mqsc",
    ]
    assert "5 MQSC commands read." in ended.lines


def test_a_pattern_that_matches_nothing_is_an_input_that_cannot_be_read(mqsc: Command) -> None:
    assert mqsc("run", "*.mqsc").code == 20
    ended = mqsc("run", "*.mqsc", "-c", "PING QMGR")
    assert (ended.code, ended.lines[-3]) == (10, "One MQSC command read.")
    assert "mqsc: *.mqsc matches no file\n" in ended.err


def test_stop_on_error_ends_with_the_first_command_that_fails(mqsc: Command, tmp_path: Path) -> None:
    (tmp_path / "one.mqsc").write_text("PING QMGR\nDELETE QLOCAL(NONE)\nDEFINE QLOCAL(A)\n")
    (tmp_path / "two.mqsc").write_text("DEFINE QLOCAL(B)\n")
    ended = mqsc("run", "--stop-on-error", "one.mqsc", "two.mqsc")
    assert ended.code == 10
    assert ended.lines[-5:] == [
        "     2 : DELETE QLOCAL(NONE)",
        "AMQ8147E: IBM MQ object NONE not found.",
        "2 MQSC commands read.",
        "No commands have a syntax error.",
        "One valid MQSC command could not be processed.",
    ]
    assert mqsc("run", "-c", "DISPLAY QUEUE(A)", "-c", "DISPLAY QUEUE(B)").code == 10
    assert mqsc("run", "--stop-on-error", "-v", "-c", "FOO\nBAR").lines[-2] == "One command has a syntax error."
    assert mqsc("run", "--stop-on-error", "-c", "PING QMGR", "none.mqsc", "-c", "PING QMGR").lines[-3] == (
        "One MQSC command read."
    )
    assert mqsc("run", "--stop-on-error", "-c", "PING QMGR").code == 0


def test_variables(mqsc: Command, tmp_path: Path) -> None:
    (tmp_path / "a.mqsc").write_text("* for ${WHO}\nDEFINE QLOCAL(${Q}) +\n DESCR('${WHO}''s ${Q}')\nend\n${LATER}\n")
    ended = mqsc("run", "a.mqsc", "--set", "Q=ORDERS", "--set=WHO=O'Neill", "--format", "json")
    assert ended.code == 0
    assert json.loads(ended.out)[0]["command"] == "DEFINE QLOCAL(ORDERS) DESCR('O''Neill''s ORDERS')"
    shown = mqsc("run", "-c", "DISPLAY QLOCAL(ORDERS) DESCR")
    assert "   DESCR(O'Neill's ORDERS)" in shown.lines
    assert "     1 : DEFINE QLOCAL(${Q}) +" in mqsc("run", "a.mqsc", "--set", "Q=X", "--set=WHO=").lines


def test_without_values_there_are_no_variables(mqsc: Command) -> None:
    mqsc("run", "-c", "DEFINE QLOCAL(A) DESCR('${WHO}')")
    assert "   DESCR(${WHO})" in mqsc("run", "-c", "DISPLAY QLOCAL(A) DESCR").lines


def test_a_variable_without_a_value_stops_everything_before_it_begins(mqsc: Command, tmp_path: Path) -> None:
    (tmp_path / "a.mqsc").write_text("DEFINE QLOCAL(${Q})\nDEFINE QLOCAL(B) +\n  DESCR('${WHO}')\n")
    ended = mqsc("run", "a.mqsc", "-", "-c", "DEFINE QLOCAL(${QQ})", "--set", "Q=A", stdin=b"DIS Q(${X})")
    assert (ended.code, ended.out) == (20, "")
    assert ended.err.splitlines() == [
        "mqsc: a.mqsc, line 3, column 10: ${WHO} is not set",
        "mqsc: standard input, line 1, column 7: ${X} is not set",
        "mqsc: the -c text, line 1, column 15: ${QQ} is not set; did you mean Q?",
        "mqsc: nothing was run: 3 variables have no value",
    ]
    assert not (tmp_path / "store.db").exists()


def test_a_value_that_no_command_uses_is_told(mqsc: Command) -> None:
    mqsc("qmgr", "create", "QM1")
    ended = mqsc("run", "--set", "A=1", "--set", "B=2", "-c", "DEFINE QLOCAL(Q${A})", "-c", "* ${B}")
    assert (ended.code, ended.err) == (0, "mqsc: --set B: no command uses ${B}\n")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--set", "A"), "'A' is not NAME=VALUE"),
        (("--set", "A=x\ny"), "the value of A contains a line end"),
        (("--plan", "-v"), "--plan and --verify cannot be used together"),
        (("--plan", "--skip-if-running"), "--plan and --skip-if-running cannot be used together"),
        (("--atomic", "-v"), "--atomic and --verify cannot be used together"),
    ],
)
def test_options_that_make_no_sense(mqsc: Command, tmp_path: Path, arguments: tuple[str, ...], says: str) -> None:
    ended = mqsc("run", *arguments, "-c", "PING QMGR")
    assert (ended.code, ended.out) == (20, "")
    assert says in ended.err
    assert not (tmp_path / "store.db").exists()


def test_a_secret_from_a_variable_is_not_printed(mqsc: Command) -> None:
    ended = mqsc(
        "run", "--set", "PW=geheim", "--set", "ALL=PASSWORD('geheim')", "--format", "json",
        "-c", "DEFINE CHANNEL(C) CHLTYPE(SDR) PASSWORD('${PW}')", "-c", "DEFINE CHANNEL(C) CHLTYPE(SDR) ${ALL}",
    )  # fmt: skip
    assert "geheim" not in ended.out + ended.err
    assert "********" in ended.out

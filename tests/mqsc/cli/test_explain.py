"""`mqsc explain`, `mqsc help`, and `mqsc pcf`."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest

from mqsc.console.commands import commands_in
from mqsc.console.shell_words import BACKSLASH, shell_words
from mqsc.store.headers import pcf
from mqsc.store.headers.pcf import CommandHeader, Filter, Integer64, Parameter
from tests.mqsc.conftest import Command
from tests.mqsc.session import Session

UNKNOWN = "is not a known code, message, rule, keyword, object, verb or concept"


def test_reason_codes_and_several_words(mqsc: Command) -> None:
    ended = mqsc("explain", "2053")
    assert (ended.code, ended.err) == (0, "")
    assert ended.lines[0] == "2053 0x00000805 MQRC_Q_FULL"
    assert ended.lines[1].startswith("  cause:     The queue holds MAXDEPTH messages")
    assert mqsc("explain", "MQRC_Q_FULL").out == mqsc("explain", "q_full").out == ended.out
    rows = mqsc("explain", "AMQ8147", "MAXDEPTH", "--format", "json").rows
    assert [(row["kind"], row["name"]) for row in rows] == [
        ("message", "AMQ8147E"),
        ("keyword", "MAXDEPTH"),
    ]
    assert (rows[1]["takes"], rows[1]["default"]) == ("a number from 0 to 999999999", "5000")


def test_what_nobody_knows(session: Session) -> None:
    """Every word has a line of its own."""
    session(f"""
        explain -- MAXDEPHT => 10 ! did you mean MAXDEPTH?
        explain -- MQRC_Q_FUL => 10 ! did you mean MQRC_Q_FULL?
        explain -- MQSC-C99 => 10 ! did you mean MQSC-C
        explain -- 2054 => 10 ! did you mean 2053?
        explain -- '' => 10 ! '' {UNKNOWN}
        explain -- {"9" * 5000} => 10 ! {UNKNOWN}
        explain 1500 MAXDEPHT => 10 !| mqsc: '1500' {UNKNOWN}
            !| mqsc: 'MAXDEPHT' {UNKNOWN}; did you mean MAXDEPTH?
        help frobnicate => 10 ! mqsc: 'frobnicate' is not a known code
    """)


def test_help_is_that_of_a_command_or_explains(session: Session) -> None:
    for words, as_typed in {
        "": "--help",
        "put": "explain put",
        "trigger explain": "trigger explain --help",
        "2053": "explain 2053",
        "define qlocal": "explain define qlocal",
        "'queue full'": "explain 'queue full'",
    }.items():
        assert session(f"help {words} => !|").out == session(as_typed).out, words
    assert session("help put").out.startswith(session("put --help").out)


@pytest.mark.parametrize("name", commands_in())
def test_help_on_a_command_begins_with_its_own_page(mqsc: Command, name: str) -> None:
    assert mqsc("help", name).lines[0].startswith(f"Usage: mqsc {name} ")


@pytest.mark.parametrize("way", ["explain", "help"])
@pytest.mark.parametrize(
    "words",
    [["DEFINE", "QLOCAL"], ["DEFINE QLOCAL"], ["define  ql"], ["DEFINE QLOCAL(ORDERS)"]],
)
def test_a_command_of_mqsc_is_one_argument_or_two(
    mqsc: Command,
    way: str,
    words: list[str],
) -> None:
    ended = mqsc(way, *words)
    assert (ended.code, ended.lines[0]) == (0, "DEFINE QLOCAL")


@pytest.mark.parametrize("word", shell_words())
def test_words_of_the_shell_are_known_outside_it(mqsc: Command, word: str) -> None:
    typed = f"\\{word}" if word in BACKSLASH else word
    ended = mqsc("help", typed)
    assert (ended.code, ended.err) == (0, "")


INQUIRE = pcf.pack(
    CommandHeader(pcf.COMMAND_XR, 13, version=3),
    [
        Parameter(2016, "A*"),
        Parameter(1002, [3, 2013]),
        Parameter(2013, Filter(21, "IBM*")),
        Parameter(1, [], 4),
    ],
)
STATISTICS = pcf.pack(
    CommandHeader(21, 165),
    [
        Parameter(8003, (Parameter(2016, "Q", 48), Parameter(745, [Integer64(1 << 40)]))),
        Parameter(7006, b"\x01\xff"),
    ],
)
LINES = """standard input
   type: MQCFT_COMMAND_XR (16), version 3
   command: MQCMD_INQUIRE_Q (13)
   message 1, the last
   MQCA_Q_NAME: A*
   MQIACF_Q_ATTRS: 3 (MQIA_CURRENT_Q_DEPTH), 2013 (MQCA_Q_DESC)
   MQCA_Q_DESC DESCR not like IBM*
   MQIA_APPL_TYPE APPLTYPE: none
""".splitlines()


@pytest.mark.parametrize(
    "data",
    [INQUIRE, INQUIRE.hex().encode(), INQUIRE.hex(" ", 4).encode() + b"\n"],
)
def test_a_command_as_bytes_and_in_hexadecimal(mqsc: Command, data: bytes) -> None:
    assert mqsc("pcf", stdin=data).lines == mqsc("pcf", "-", stdin=data).lines == [*LINES, ""]


def test_several_messages_in_a_file_as_json(mqsc: Command, tmp_path: Path) -> None:
    (tmp_path / "both").write_bytes(INQUIRE + STATISTICS)
    first, second = mqsc("pcf", "both", "--format", "json").rows
    assert first["command"] == {"value": 13, "name": "MQCMD_INQUIRE_Q"}
    assert first["parameters"][1]["words"] == ["MQIA_CURRENT_Q_DEPTH", "MQCA_Q_DESC"]
    assert first["parameters"][2]["operator"] == "not like"
    group, identifier = second["parameters"]
    assert [each["value"] for each in group["members"]] == ["Q", [1 << 40]]
    assert identifier["value"] == "01ff"


def test_events_and_responses_on_a_queue(mqsc: Command, session: Session) -> None:
    session("""
        ALTER QMGR LOCALEV(ENABLED) CMDEV(ENABLED)
        PING QMGR
        put NOWHERE text => 10
        pcf --queue SYSTEM.ADMIN.QMGR.EVENT
            =    result: MQCC_WARNING (1), MQRC_UNKNOWN_OBJECT_NAME (2085)
            =    MQCA_Q_NAME: NOWHERE
        pcf --queue SYSTEM.ADMIN.COMMAND.EVENT => =       MQIACF_COMMAND: 40 (MQCMD_PING_Q_MGR)
        put SYSTEM.DEFAULT.LOCAL.QUEUE text
        pcf --queue SYSTEM.DEFAULT.LOCAL.QUEUE => 10
            !| mqsc: message 1 on SYSTEM.DEFAULT.LOCAL.QUEUE: not an MQCFH: 4 bytes instead of 36
        pcf nowhere => 20 ! use --queue nowhere
        pcf file --queue Q => 20
        pcf store.db => 20 ! is the store itself
    """)
    saved = mqsc("browse", "SYSTEM.ADMIN.QMGR.EVENT", "--format", "jsonl").out
    (line,) = [each for each in mqsc("pcf", stdin=saved.encode()).lines if "(2085)" in each]
    assert line.startswith("   result: MQCC_WARNING")
    session("pcf --queue NOWHERE => 10")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "standard input: it is empty"),
        (b" 01 02 0", "5 hexadecimal digits, which is an odd number"),
        (b"rubbish", "7 bytes instead of 36"),
        (INQUIRE[:-1], "and the data ends before"),
        (INQUIRE + b"more", "standard input, message 2: not an MQCFH: 4 bytes instead of 36"),
        (b"[{", "line 1"),
    ],
)
def test_what_is_not_pcf(mqsc: Command, data: bytes, said: str) -> None:
    ended = mqsc("pcf", stdin=data)
    assert (ended.code, said in ended.err) == (10, True)


def test_what_can_be_read_is_shown(mqsc: Command, tmp_path: Path) -> None:
    saved = json.dumps(
        {"format": "MQADMIN", "body": {"base64": base64.b64encode(INQUIRE).decode()}},
    )
    (tmp_path / "lines").write_text(f'{saved}\n{{"body": 5}}\n{saved}\n')
    (tmp_path / "rubbish").write_bytes(b"rubbish")
    (tmp_path / "good").write_bytes(INQUIRE)
    ended = mqsc("pcf", "lines", "rubbish", "good")
    shown = [line for line in ended.lines if line and not line.startswith(" ")]
    assert (ended.code, shown) == (10, ["lines, line 1", "lines, line 3", "good"])
    first, second = ended.err.splitlines()
    assert first.startswith("mqsc: lines, line 2: body must be")
    assert second == "mqsc: rubbish: not an MQCFH: 7 bytes instead of 36"

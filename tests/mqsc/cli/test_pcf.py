"""`mqsc pcf`."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest

from store.headers import pcf
from store.headers.pcf import CommandHeader, Filter, Integer64, Parameter
from tests.mqsc.conftest import Command
from tests.mqsc.screen import screen

INQUIRE = pcf.pack(
    CommandHeader(pcf.COMMAND_XR, 13, version=3),
    [Parameter(2016, "A*"), Parameter(1002, [3, 2013]), Parameter(2013, Filter(21, "IBM*")), Parameter(1, [], 4)],
)
STATISTICS = pcf.pack(
    CommandHeader(21, 165),
    [Parameter(8003, (Parameter(2016, "Q", 48), Parameter(745, [Integer64(1 << 40)]))), Parameter(7006, b"\x01\xff")],
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


@pytest.mark.parametrize("data", [INQUIRE, INQUIRE.hex().encode(), INQUIRE.hex(" ", 4).encode() + b"\n"])
def test_a_command_as_bytes_and_in_hexadecimal(mqsc: Command, data: bytes) -> None:
    assert mqsc("pcf", stdin=data).lines == [*LINES, ""]
    assert mqsc("pcf", "-", stdin=data).lines == [*LINES, ""]


def test_several_messages_in_a_file_as_json(mqsc: Command, tmp_path: Path) -> None:
    (tmp_path / "both").write_bytes(INQUIRE + STATISTICS)
    first, second = json.loads(mqsc("pcf", "both", "--format", "json").out)
    assert first["command"] == {"value": 13, "name": "MQCMD_INQUIRE_Q"}
    assert first["parameters"][1]["words"] == ["MQIA_CURRENT_Q_DEPTH", "MQCA_Q_DESC"]
    assert first["parameters"][2]["operator"] == "not like"
    group, identifier = second["parameters"]
    assert [each["value"] for each in group["members"]] == ["Q", [1 << 40]]
    assert identifier["value"] == "01ff"


def test_events_and_responses_on_a_queue(mqsc: Command) -> None:
    mqsc("run", "-c", "ALTER QMGR LOCALEV(ENABLED) CMDEV(ENABLED)\nPING QMGR")
    assert mqsc("put", "NOWHERE", "text").code == 10
    lines = mqsc("pcf", "--queue", "SYSTEM.ADMIN.QMGR.EVENT").lines
    assert "   result: MQCC_WARNING (1), MQRC_UNKNOWN_OBJECT_NAME (2085)" in lines
    assert "   MQCA_Q_NAME: NOWHERE" in lines
    lines = mqsc("pcf", "--queue", "SYSTEM.ADMIN.COMMAND.EVENT").lines
    assert "      MQIACF_COMMAND: 40 (MQCMD_PING_Q_MGR)" in lines
    saved = mqsc("browse", "SYSTEM.ADMIN.QMGR.EVENT", "--format", "jsonl").out
    (line,) = [each for each in mqsc("pcf", stdin=saved.encode()).lines if "(2085)" in each]
    assert line.startswith("   result: MQCC_WARNING")
    assert mqsc("put", "SYSTEM.DEFAULT.LOCAL.QUEUE", "text").code == 0
    ended = mqsc("pcf", "--queue", "SYSTEM.DEFAULT.LOCAL.QUEUE")
    assert (ended.code, ended.err) == (
        10,
        "mqsc: message 1 on SYSTEM.DEFAULT.LOCAL.QUEUE: not an MQCFH: 4 bytes instead of 36\n",
    )


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
    assert ended.code == 10
    assert said in ended.err


def test_what_can_be_read_is_shown(mqsc: Command, tmp_path: Path) -> None:
    saved = json.dumps({"format": "MQADMIN", "body": {"base64": base64.b64encode(INQUIRE).decode()}})
    (tmp_path / "lines").write_text(f'{saved}\n{{"body": 5}}\n{saved}\n')
    (tmp_path / "rubbish").write_bytes(b"rubbish")
    (tmp_path / "good").write_bytes(INQUIRE)
    ended = mqsc("pcf", "lines", "rubbish", "good")
    assert ended.code == 10
    assert [line for line in ended.lines if line and not line.startswith(" ")] == [
        "lines, line 1",
        "lines, line 3",
        "good",
    ]
    first, second = ended.err.splitlines()
    assert first.startswith("mqsc: lines, line 2: body must be")
    assert second == "mqsc: rubbish: not an MQCFH: 7 bytes instead of 36"


def test_wrong_usage(mqsc: Command) -> None:
    assert mqsc("pcf", "nowhere").code == 20
    assert "use --queue nowhere" in mqsc("pcf", "nowhere").err
    assert mqsc("pcf", "file", "--queue", "Q").code == 20
    mqsc("run", "-c", "PING QMGR")
    assert mqsc("pcf", "--queue", "NOWHERE").code == 10
    assert "is the store itself" in mqsc("pcf", "store.db").err


@pytest.mark.parametrize("width", [40, 80, 100])
def test_long_lines_on_terminals(mqsc: Command, tmp_path: Path, width: int) -> None:
    names = [f"QUEUE.{number}" for number in range(20)]
    data = pcf.pack(CommandHeader(pcf.RESPONSE, 18), [Parameter(3011, names, 48), Parameter(2013, "word " * 40)])
    (tmp_path / "long").write_bytes(data)
    lines = screen(tmp_path, "pcf", "long", width=width).splitlines()
    assert [line for line in lines if len(line) > width] == []

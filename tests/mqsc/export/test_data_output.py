"""Definitions as data."""

from __future__ import annotations

import json
from typing import Any

import yaml
from hypothesis import example, given, strategies as st

from mqsc.script import run
from mqsc.scripts.export import ExportSelection, export_commands
from mqsc.scripts.export_output import rows, yaml_lines
from mqsc.store.client.queue_manager import QueueManager

ROWS: list[dict[str, Any]] = [
    {"type": "QMGR", "attributes": {"MAXDEPTH": 1}},
    {
        "type": "QLOCAL",
        "name": "no",
        "attributes": {"DESCR": "a: \"b\" 'c' # é\u2028\x7f", "NAMES": ["a", "b"]},
    },
    {"type": "QLOCAL", "name": "A", "deleted": True, "attributes": {}},
]


def test_rows(qmgr: QueueManager) -> None:
    run(
        qmgr,
        """\
        ALTER QMGR MAXMSGL(5000000)
        DELETE QLOCAL(SYSTEM.REST.REPLY.QUEUE)
        DEFINE NAMELIST(NL) NAMES(A,B)
        DEFINE CHANNEL(C) CHLTYPE(SVR) XMITQ(X) PASSWORD('secret') USERID('u')
        SET CHLAUTH(C) TYPE(USERMAP) CLNTUSER('x') MCAUSER('y')
        SET CHLAUTH('*') TYPE(BLOCKUSER) ACTION(REMOVEALL)
        """,
    )
    assert [*rows(export_commands(qmgr, ExportSelection()))] == [
        {"action": "UPDATE", "type": "QMGR", "attributes": {"MAXMSGL": 5000000}},
        {
            "action": "DELETE",
            "type": "QLOCAL",
            "name": "SYSTEM.REST.REPLY.QUEUE",
            "deleted": True,
            "attributes": {},
        },
        {"action": "CREATE", "type": "NAMELIST", "name": "NL", "attributes": {"NAMES": ["A", "B"]}},
        {
            "action": "CREATE",
            "type": "CHANNEL",
            "name": "C",
            "attributes": {"CHLTYPE": "SVR", "USERID": "u", "XMITQ": "X"},
            "not_shown": ["PASSWORD"],
        },
        {
            "action": "CREATE",
            "type": "CHLAUTH",
            "name": "C",
            "record": ["USERMAP", "", "x", "", "", ""],
            "attributes": {"CLNTUSER": "x", "MCAUSER": "y", "TYPE": "USERMAP"},
        },
        {
            "action": "DELETE",
            "type": "CHLAUTH",
            "name": "*",
            "deleted": True,
            "record": ["BLOCKUSER", "", "", "", "", ""],
            "attributes": {"TYPE": "BLOCKUSER"},
        },
    ]


def test_yaml_is_json_line_by_line() -> None:
    assert [*yaml_lines(ROWS)] == [
        '- type: "QMGR"',
        "  attributes:",
        "    MAXDEPTH: 1",
        '- type: "QLOCAL"',
        '  name: "no"',
        "  attributes:",
        '    DESCR: "a: \\"b\\" \'c\' # é\\u2028\\u007f"',
        '    NAMES: ["a", "b"]',
        '- type: "QLOCAL"',
        '  name: "A"',
        "  deleted: true",
        "  attributes: {}",
    ]
    values = [line.split(": ", 1)[1] for line in yaml_lines(ROWS) if ": " in line]
    assert [json.loads(value) for value in values[4:6]] == [
        ROWS[1]["attributes"]["DESCR"],
        ["a", "b"],
    ]


def test_nothing_is_an_empty_list() -> None:
    assert [*yaml_lines([])] == ["[]"]


@given(st.text(st.characters(codec="utf-8")))
@example("\x85")
@example("no")
@example("\u2028 \ufeff\t")
def test_yaml_and_json_hold_the_same(text: str) -> None:
    made = [
        {
            "type": "QLOCAL",
            "name": text,
            "attributes": {"DESCR": text, "NAMES": [text], "MAXDEPTH": 1},
        },
    ]
    assert yaml.safe_load("\n".join(yaml_lines(made))) == made

"""`mqsc get` and `mqsc browse`, and properties and selectors of all commands that put, get or
browse.
"""

from __future__ import annotations

import json
from datetime import datetime

import pytest

from tests.mqsc.cli.conftest import bodies
from tests.mqsc.conftest import Command
from tests.mqsc.session import Session
from tests.rows import rows

pytestmark = pytest.mark.usefixtures("queues")
TYPED = [
    "color=red",
    "size:int32=5",
    "b:boolean=TRUE",
    "raw:bytes=0afc",
    "n:null",
    "f:float64=inf",
    "eq=a=b",
    "g.x=1",
]
AS_JSON = {
    **{
        "color": "red",
        "size": {"int32": 5},
        "b": True,
        "raw": {"bytes": "0AFC"},
        "n": None,
        "f": {"float64": "inf"},
    },
    **{"eq": "a=b", "g.x": "1"},
}
SESSIONS = {
    "get one, some and all": """
        put A 1 2 3 4 5 6
        get A => | 1
        get A --limit 2 => | 2
            | 3
        get A --all => | 4
            | 5
            | 6
    """,
    "an empty queue is no failure": """
        get A => !| mqsc: no message on A
            |
        get A --wait 1
        browse A
        get A --format json => .body []
    """,
    "get by identifier": """
        put A one --correl-id 01
        put A two --correl-id 02 --msg-id 22
        get A --correl-id 02 --msg-id 23 => |
        get A --correl-id 02 => | two
        browse A --correl-id 02 => |
        get A --all => | one
    """,
    "selectors": """
        put A one --property size:int32=1
        put A two --property size:int32=2 --property color=red
        put A three
        browse A --selector 'size >= 1' --format jsonl => .body [{"text": "one"}, {"text": "two"}]
        get A --selector "color = 'red'" => | two
        get A --selector "color = 'red'" => !| mqsc: no matching message on A
        consume A --selector 'size = 1' -- sh -c 'cat; echo " $MQSC_PROPERTIES"'
        get A --all => | three
    """,
    "an application's header stays in the data": """
        put A x --property color=red
        browse A --format jsonl => .format ["MQSTR"]
            .body [{"text": "x"}]
    """,
    "options add to properties in JSON": r"""
        put A - --json --property a=all << {"properties": {"a": "own"}}\n{}\n{"properties": {"b": false}}\n
        browse A --format jsonl => .properties [{"a": "own"}, {"a": "all"}, {"a": "all", "b": false}]
    """,
    "refusals": """
        get NONE => 10 ! 2085 MQRC_UNKNOWN_OBJECT_NAME (NONE)
        get A --all --limit 2 => 20 ! cannot be used together
        get A -m QM9 => 10 ! AMQ8118E
        put A x --property 'a b=1' => 20 ! property 'a b': no property can have this name (2442)
        put A x --property size:int32=x => 20 ! 'x' is not a value of type int32
        put A x --property size:int3=1 => 20 ! 'int3' is not a type of property; did you mean int32?
        put A x --property size => 20 ! 'size' is not a property; use NAME=VALUE
        put A x --property size:int8=300 => 20 ! 300 is out of range for a property of type INT8
        get A --selector 'color =' => 20 ! --selector: a value expected, not the end, at character 8
        browse A --selector 1=2 => 20 ! --selector: no message can be selected, at character 1
        consume A --selector '#' -- cat => 20 ! --selector: unexpected '#', at character 1
    """,
    "mistakes in JSON are explained": """
        put A - --json << {"properties": {"a": [1]}} => 10
            ! mqsc: standard input, line 1: property 'a' must be a text, true, false, null or an object
        put A - --json << {"properties": {"a": {"int8": 300}}} => 10 ! mqsc: standard input, line 1:
            ! 300 is out of range
        put A - --json << {"properties": {"a": {"int8": "x"}}} => 10 ! mqsc: standard input, line 1:
            ! 'x' is not a value of type int8
        put A - --json << {"properties": {"a b": "x"}} => 10 ! mqsc: standard input, line 1:
            ! no property can have this name
        put A - --json << {"properties": []} => 10 ! mqsc: standard input, line 1:
            ! properties must be an object
    """,
}


@pytest.mark.parametrize("name", SESSIONS)
def test_sessions(session: Session, name: str) -> None:
    session(SESSIONS[name])


def test_get_is_exact(session: Session) -> None:
    session(r"cat > bytes << Z\xc3\xbcrich\r\n" + "\nput A --file bytes\nput A x")
    assert [session(f"get A {option}").out for option in ("--no-newline", "-n")] == [
        "Zürich\r\n",
        "x",
    ]


def test_a_line_for_each_message(mqsc: Command) -> None:
    mqsc("put", "A", "one\x1b[2J", "two\nlines", "--priority", "7", "--property", "color=red")
    mqsc("put", "A", "x" * 100, "--expiry", "3h30s", "--property", "size:int32=5")
    mqsc("put", "A", "--json", "-", stdin=json.dumps({"body": {"base64": "AAH/"}}).encode())
    heading, *lines = mqsc("browse", "A", "--property", "color", "--property", "size").lines
    assert heading.split() == "# PUT PROGRAM PRI SIZE EXPIRES color size DATA".split()
    assert [line.split()[0] for line in lines] == ["1", "2", "3", "4"]
    ends = [line.split(maxsplit=4)[-1].split() for line in lines]
    assert ends == [
        ["7", "7", "red", "one\\x1b[2J"],
        ["7", "9", "red", "two", "lines"],
        ["0", "100", ends[2][2], "5", "x" * 59 + "…"],
        ["0", "3", "0001", "ff"],
    ]
    # It is less than a tenth of a second later, or more.
    assert ends[2][2] in ("3h", "3h")
    assert len(mqsc("browse", "A", "--format", "jsonl").rows) == 4


def test_messages_in_full(mqsc: Command) -> None:
    mqsc("put", "A", "one\x1b[2J", "two", "--msg-id", "4142")
    mqsc("put", "A", '{"b": [1]}')
    lines = mqsc("browse", "A", "1").lines
    assert (lines[0], lines[-3:]) == ("message 1 on A", ["   body, 7 bytes:", "one\\x1b[2J", ""])
    assert "   msg_id              4142" + "00" * 22 in lines
    begun = [line for line in mqsc("browse", "A", "-v").lines if line.startswith("message")]
    assert begun == ["message 1 on A", "message 2 on A", "message 3 on A"]
    assert mqsc("browse", "A", "3", "--body", "json").lines[-6:] == [
        "{",
        '  "b": [',
        "    1",
        "  ]",
        "}",
        "",
    ]
    assert (
        mqsc("browse", "A", "2", "1", "--body", "hex").lines[-2]
        == f"00000000: {'7477 6F':<40} 'two'"
    )
    assert mqsc("browse", "A", "2", "--format", "jsonl").rows[0]["body"] == {"text": "two"}
    ended = mqsc("browse", "A", "2", "4", "9")
    assert (ended.code, ended.err) == (10, "mqsc: there is no message 4, 9 on A\n")
    assert ended.lines[0] == "message 2 on A"


def test_json_has_the_time_of_the_put_in_the_format_of_all_times(mqsc: Command) -> None:
    mqsc("put", "A", "one", "two")
    browsed = mqsc("browse", "A", "--format", "jsonl")
    (message, _) = browsed.rows
    day, second = message["put_date"], message["put_time"][:6]
    at = datetime.fromisoformat(message["put_at"])
    assert (message["put_at"][-1], at.strftime("%Y%m%d"), at.strftime("%H%M%S")) == (
        "Z",
        day,
        second,
    )
    assert mqsc("get", "A", "--format", "jsonl").rows[0]["put_at"] == message["put_at"]
    # It is ignored when the message is put again.
    assert mqsc("put", "A", "--json", "-", stdin=browsed.out.splitlines()[0].encode()).code == 0
    assert bodies(mqsc) == ["two", "one"]


def put_typed(mqsc: Command, *more: str) -> None:
    mqsc("put", "A", "hello", *(word for each in (*TYPED, *more) for word in ("--property", each)))


def test_properties_are_shown_below_the_descriptor(mqsc: Command) -> None:
    put_typed(mqsc, "esc=\x1b[2J")
    lines = mqsc("browse", "A", "1").lines
    at = lines.index("   properties:")
    assert lines[at + 1 : at + 6] == [
        "      color            red",
        "      size             5  int32",
        "      b                true  boolean",
        "      raw              0AFC  bytes",
        "      n                  null",
    ]
    assert "      esc              \\x1b[2J" in lines
    assert lines[-3:] == ["   body, 5 bytes:", "hello", ""]


def test_json_is_read_as_it_was_written(mqsc: Command) -> None:
    put_typed(mqsc)
    mqsc("put", "A", "plain")
    written = mqsc("get", "A", "--all", "--format", "jsonl")
    echoed = mqsc("put", "A", "-", "--json", "--format", "jsonl", stdin=written.out.encode())
    for ended in (written, echoed):
        assert [each.get("properties") for each in ended.rows] == [AS_JSON, None]
    assert mqsc("browse", "A", "--format", "jsonl").out == echoed.out


def test_an_ended_queue_manager_is_no_mistaken_name(mqsc: Command) -> None:
    mqsc("qmgr", "end", "QM1", "--immediate")
    ended = mqsc("browse", "a")
    assert (ended.code, "Did you mean" in ended.err) == (20, False)


@rows(
    (1, "1 expired message was", "1 message had expired and is"),
    (11, "11 expired messages were", "11 messages had expired and are"),
)
def test_what_a_browse_discards_is_said(
    session: Session,
    number: int,
    said: str,
    past: str,
) -> None:
    session(f"""
        qmgr create M --clock manual
        M: DEFINE QLOCAL(Q)
        M: put Q {" ".join("x" * number)} --expiry 1s
        M: clock advance 2s
        M: browse Q --as-of 0s => ! mqsc: {past} not shown
        M: browse Q => !| mqsc: {said} discarded
            !| mqsc: no message on Q
        M: browse Q => !| mqsc: no message on Q
    """)


def test_what_other_commands_discard_is_said(session: Session) -> None:
    session("""
        qmgr create M --clock manual
        M: DEFINE QLOCAL(Q)
        M: put Q x --expiry 1s
        M: put Q y
        M: clock advance 2s
        M: get Q => | y
            !| mqsc: 1 expired message was discarded
        M: put Q z --expiry 1s
        M: clock advance 2s
        M: pcf --queue Q => !| mqsc: 1 expired message was discarded
            !| mqsc: no message on Q
        M: put Q z --expiry 1s
        M: clock advance 2s
        M: dlq discard Q --all => ! mqsc: 1 expired message was discarded
    """)

"""MQSC run by Python programs: `open_store`, `run`, `replies`, the fields of a Reply, and
variables in commands.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

import mqsc
from mqsc.grammar.lines import COMMAND_LENGTH, LogicalLine
from mqsc.language.variables import substitute, unset_in, used_in
from mqsc.script import commands_in, run
from mqsc.store import Environment
from mqsc.store.client.queue_manager import QueueManager
from tests.mqsc.printing import MOMENT
from tests.processes.programs import run_program
from tests.rows import rows


def test_open_store_makes_a_store(tmp_path: Path) -> None:
    command = "DEFINE QLOCAL(ORDERS) MAXDEPTH(10)"
    with mqsc.open_store(
        f"sqlite:///{tmp_path}/orders.db",
        environment=Environment.frozen(at=MOMENT),
    ) as store:
        (reply,) = mqsc.run(store.create_queue_manager("QM1"), command)
    done: dict[str, Any] = {
        "message_id": "AMQ8006I",
        "text": "IBM MQ queue created.",
        "completion": 0,
        "reason": 0,
        "rows": [],
    }
    assert reply == mqsc.Reply(file=None, line=1, command=command, **done)


def test_rows_are_dicts_with_numbers_and_words_in_force(qmgr: QueueManager) -> None:
    text = "DEFINE QLOCAL(A) MAXDEPTH(10)\nDISPLAY QLOCAL(A) MAXDEPTH TRIGGER DESCR CAPEXPRY"
    assert mqsc.run(qmgr, text)[1].rows == [
        {
            "QUEUE": "A",
            "TYPE": "QLOCAL",
            "CAPEXPRY": "NOLIMIT",
            "DESCR": "",
            "MAXDEPTH": 10,
            "TRIGGER": "NOTRIGGER",
        },
    ]


def test_failures_have_completion_2_and_the_reason(qmgr: QueueManager) -> None:
    lines = (
        "DELETE QLOCAL(A)",
        "DEFINE QLOCAL(A)",
        "DEFINE QLOCAL(A)",
        "FOO",
        "DEFINE QLOCAL(B) MAXDEPTH(x)\n",
    )
    replies = mqsc.run(qmgr, "\n".join(lines))
    assert [
        (reply.line, reply.message_id, reply.completion, reply.reason) for reply in replies
    ] == [
        *((1, "AMQ8147E", 2, 2085), (2, "AMQ8006I", 0, 0), (3, "AMQ8150E", 2, 4001)),
        *((4, "AMQ8426I", 2, 0), (5, "AMQ8405I", 2, 0)),
    ]
    assert (
        "line 5, column 27: MAXDEPTH takes a number from 0 to 999999999, not x" in replies[4].text
    )


def test_replies_come_one_by_one(qmgr: QueueManager) -> None:
    answers = mqsc.replies(qmgr, ["DEFINE QLOCAL(A)\n", "DEFINE QLOCAL(B)\n"], file="orders.mqsc")
    assert (next(answers).file, mqsc.run(qmgr, "DISPLAY QLOCAL(B)")[0].message_id) == (
        "orders.mqsc",
        "AMQ8147E",
    )
    assert next(answers).message_id == "AMQ8006I"


def test_end_is_no_command_and_every_refresh_tells_what_it_did(qmgr: QueueManager) -> None:
    assert [reply.message_id for reply in mqsc.run(qmgr, "PING QMGR\nend\nPING QMGR")] == [
        "AMQ8415I",
    ]
    (_, reply) = mqsc.run(qmgr, "DEFINE QLOCAL(A)\nREFRESH QMGR TYPE(EXPIRY) NAME(A)")
    assert reply.message_id == "MQSC0001I"
    assert reply.rows == [{"QUEUE": "A", "EXAMINED": 0, "DISCARDED": 0, "REPORTS": 0}]


def test_check_raises_on_the_first_failed_command(qmgr: QueueManager) -> None:
    text = "DEFINE QLOCAL(A)\nDEFINE QLOCAL(A)\nDEFINE QLOCAL(B)"
    with pytest.raises(mqsc.CommandError) as failed:
        mqsc.run(qmgr, text, file="orders.mqsc", check=True)
    assert (
        failed.value.reply
        == mqsc.run(qmgr, "DEFINE QLOCAL(A)\nDEFINE QLOCAL(A)", file="orders.mqsc")[1]
    )
    assert str(failed.value) == (
        "orders.mqsc, line 2: DEFINE QLOCAL(A): AMQ8150E: IBM MQ object already exists."
    )
    assert [
        reply.completion for reply in mqsc.run(qmgr, "DISPLAY QLOCAL(A)\nDISPLAY QLOCAL(B)")
    ] == [0, 2]


def test_check_raises_on_a_syntax_error_without_a_queue_manager() -> None:
    assert mqsc.run(None, "PING QMGR", check=True)[0].completion == 0
    with pytest.raises(mqsc.CommandError, match=r"^line 1: PNG QMGR: AMQ8426I: "):
        mqsc.run(None, "PNG QMGR", check=True)


def test_check_yields_the_replies_before_the_failure(qmgr: QueueManager) -> None:
    answers = mqsc.replies(qmgr, "DEFINE QLOCAL(A)\nDELETE QLOCAL(B)", check=True)
    assert next(answers).message_id == "AMQ8006I"
    with pytest.raises(mqsc.CommandError):
        next(answers)


PROGRAM = """
import sys, mqsc
class Late:
    def __init__(self):
        self.mqsc, self.MQError = mqsc, mqsc.MQError
        self.queue_manager = mqsc.open_store(sys.argv[1]).queue_manager()
        self.connection = self.queue_manager.connect()
        self.queue = self.connection.open("SYSTEM.ADMIN.COMMAND.QUEUE", mqsc.MQOO.OUTPUT)
        self.command = mqsc.Message(b"not a command", mqsc.MessageDescriptor(format="MQADMIN"))
        self.run = mqsc.run if "loaded" in sys.argv else None
    def __del__(self):
        for name, call in (
            ("put", lambda: self.queue.put(self.command)),
            ("run", lambda: (self.run or self.mqsc.run)(self.queue_manager, "DISPLAY QMGR")),
            ("name", lambda: self.mqsc.Consumer),
            ("disconnect", self.connection.disconnect),
        ):
            try:
                call()
                print(name, "works")
            except self.MQError as error:
                print(name, error.reason)
late = Late()
"""


@pytest.mark.parametrize("loaded", [(), ("loaded",)], ids=["run not loaded yet", "run loaded"])
def test_finalizers_get_an_mqerror_or_nothing(qmgr: QueueManager, loaded: tuple[str, ...]) -> None:
    ran = run_program(PROGRAM, f"sqlite:///{qmgr.store.path}", *loaded)
    assert (ran.stderr, ran.stdout) == ("", "put works\nrun 2195\nname 2195\ndisconnect works\n")


@rows(
    ("PING QMGR", {"A": "x"}, "PING QMGR"),
    (
        "DEFINE QLOCAL(${Q}) ${MORE}",
        {"Q": "A", "MORE": "MAXDEPTH(5) REPLACE"},
        "DEFINE QLOCAL(A) MAXDEPTH(5) REPLACE",
    ),
    ("DEFINE QLOCAL(A) DESCR('${D}')", {"D": "it's"}, "DEFINE QLOCAL(A) DESCR('it''s')"),
    ("A('''${D}') B(${D})", {"D": "'"}, "A('''''') B(')"),
    ("A(${X}b)", {"X": ""}, "A(b)"),
    ("A(${X}${X})", {"X": "12"}, "A(1212)"),
    # A value is not looked into: a semicolon ends no command, and a sign does not continue it.
    ("A('${X}')", {"X": "${Y}"}, "A('${Y}')"),
    ("A(${X})", {"X": "1); B(2"}, "A(1); B(2)"),
    ("A ${X}\nB", {"X": "+"}, "A +"),
    ("A(${LO+\n   NG})", {"LONG": "1"}, "A(1)"),
    ("A('+QMNAME+ $ {X} ${')", {"X": "1"}, "A('+QMNAME+ $ {X} ${')"),
)
def test_a_command_with_its_values(source: str, values: dict[str, str], text: str) -> None:
    assert substitute(first(source), values).text == text


def first(source: str) -> LogicalLine:
    return next(iter(commands_in(source.split("\n"))))


def test_everything_keeps_its_place() -> None:
    line = first("DEFINE +\n  QLOCAL(${Q})${NONE} DESCR('${D}') +\nREPLACE")
    done = substitute(line, {"Q": "ABCDEF", "NONE": "", "D": "x"})
    assert done.text == "DEFINE QLOCAL(ABCDEF) DESCR('x') REPLACE"
    places = {
        word: done.position(done.text.index(word))
        for word in ("DEFINE", "QLOCAL", "ABC", "F)", ") D", "REPL")
    }
    assert places == {
        "DEFINE": (1, 1),
        "QLOCAL": (2, 3),
        "ABC": (2, 10),
        "F)": (2, 10),
        ") D": (2, 14),
        "REPL": (3, 1),
    }
    assert (done.position(done.text.index("DESCR")), done.position(done.text.index("x')"))) == (
        (2, 23),
        (2, 30),
    )


def test_a_command_that_becomes_too_long_is_at_fault() -> None:
    """One that is at fault already is left alone."""
    line = substitute(first("A('${X}')"), {"X": "x" * COMMAND_LENGTH})
    assert line.fault is not None
    assert (line.fault.line, line.fault.column, line.text) == (1, 4, "A('${X}')")
    assert "too long" in line.fault.reason
    line = first("A(${X}\0)")
    assert substitute(line, {"X": "1"}) is line


@rows(
    ("A(${X})", {"X": "1"}, []),
    ("A(${X}) +\n B(${y})", {"X": "1"}, [("y", 2, 4, "${y} is not set")]),
    ("A(${DEPHT})", {"DEPTH": "1"}, [("DEPHT", 1, 3, "${DEPHT} is not set; did you mean DEPTH?")]),
    ("A(${} ${a b})", {}, [("", 1, 3, "${} is not set"), ("a b", 1, 7, "${a b} is not set")]),
    ("A('$X ${X')", {}, []),
    ("* ${X}\nPING QMGR", {}, []),
)
def test_variables_without_a_value(
    source: str,
    values: dict[str, str],
    told: list[tuple[str, int, int, str]],
) -> None:
    assert (list(unset_in(first(source), values)), used_in(first("A(${X}) B(${Y} '${X}')"))) == (
        told,
        {"X", "Y"},
    )


words = st.text("aQ(') ", max_size=6)


@given(st.lists(st.tuples(words, words), max_size=6), words)
def test_what_stood_outside_variables_stays_where_it_was(
    pairs: list[tuple[str, str]],
    end: str,
) -> None:
    source = (
        "A"
        + "".join(f"{before}${{V{index}}}" for index, (before, _) in enumerate(pairs))
        + end
        + "Z"
    )
    line = first(source)
    done = substitute(line, {f"V{index}": value for index, (_, value) in enumerate(pairs)})
    assert (done.text[0], done.text[-1]) == ("A", "Z")
    for offset in (0, len(done.text) - 1):
        row, column = done.position(offset)
        assert (row, source[column - 1]) == (1, done.text[offset])
    columns = [done.position(offset)[1] for offset in range(len(done.text) + 1)]
    assert columns == sorted(columns)


def test_a_run_says_once_how_to_fill_a_placeholder() -> None:
    text = (
        "DEFINE QLOCAL($Q)\nDEFINE QLOCAL($Q) DESCR('x')\nDEFINE QLOCAL({{ other }})\nDEFINE "
        "QLOCAL('${Z}')\n"
    )
    last = [reply.text.splitlines()[-1] for reply in run(None, text)]
    assert [line for line in last if "placeholder" in line] == [
        "$Q is a placeholder: write ${Q} and give --set Q=VALUE.",
        "{{ other }} is a placeholder: write ${other} and give --set other=VALUE.",
        "${Z} is a placeholder: give --set Z=VALUE.",
    ]

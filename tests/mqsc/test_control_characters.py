"""Text from outside in what people read: no control character of it reaches a terminal, also by
way of a pipe.
"""

from __future__ import annotations

import csv
import io
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

import mqsc as product
from mqsc.console.csv_rows import FORMULA_STARTS, write_csv
from mqsc.diagnostic import Diagnostic, report_text
from mqsc.reports.output import FORMULA_STARTS as OF_REPORTS
from mqsc.script import run
from mqsc.scripts.export import ExportSelection, export_commands
from mqsc.scripts.export_output import script_lines
from mqsc.store.admin.defining import create
from mqsc.store.catalog import KINDS
from mqsc.store.error import MQError
from tests.mqsc.conftest import Command
from tests.rows import rows

# A line that would begin a command, an escape sequence, a C1 control character, and one that
# reorders text.
EVIL = "a\nDEFINE QLOCAL(EVIL)\n\x1b[31m\x9b2J\u202e"
RAW = ("\x1b", "\x9b", "\u202e", "\nDEFINE QLOCAL(EVIL)")


@pytest.fixture
def evil(mqsc: Command, tmp_path: Path) -> Command:
    """The command line, with a queue and a process whose texts a program has set."""
    mqsc("qmgr", "create", "QM1")
    with product.open_store(f"sqlite:///{tmp_path}/store.db") as store:
        qmgr = store.queue_manager("QM1")
        create(qmgr, KINDS["QLOCAL"], "ORDERS", {"DESCR": EVIL})
        create(qmgr, KINDS["PROCESS"], "P", {"APPLICID": EVIL, "USERDATA": "=1+1"})
    mqsc("put", "ORDERS", EVIL)
    return mqsc


@rows(
    "run -c DISPLAY{}QLOCAL(ORDERS){}DESCR",
    "blame QLOCAL(ORDERS)",
    "history ORDERS",
    "history ORDERS --format amqsevt",
    "export",
    "browse ORDERS",
    "undo --plan",
)
def test_the_output_of_commands_in_a_pipe(evil: Command, command: str) -> None:
    ended = evil(*(each.format(*"  ") for each in command.split()))
    assert (ended.code in (0, 2), [each for each in RAW if each in ended.out + ended.err]) == (
        True,
        [],
    )


@rows(
    ("a\x1bb.qload", "* DMPMQMSG Version:9\n* Qmgr  = QM1\n* Queue = ORDERS\n\nA X\x1bY 4\nX 41\n"),
    ("a.qload", "* DMPMQMSG Version:9\n* Qmgr  = QM1\n* Queue = OR\x1b\u202eDERS\n\nN\nX 41\n"),
    ("a.mqsc", "DEFINE QLOCAL(A) FROB\x1b(\u202e)\nSET POLICY('\x1b[2J') SIGNALG(NONE)\n"),
    (
        "a.txt",
        "Starting MQSC for queue manager QM1.\nAMQ8409I: Display Queue details.\n   "
        "QUEUE(\x1b[2J)\n",
    ),
    ("a.json", '{"eventSource" : "\\u001b[2J", "eventType"\x1b: 1}'),
)
def test_the_remarks_of_an_import_in_a_pipe(evil: Command, name: str, content: str) -> None:
    Path(name).write_text(content, encoding="utf-8")
    ended = evil("import", name, "-m", "QM1", "--keep-going")
    assert ended.code
    assert [each for each in RAW if each in ended.out + ended.err] == []


def test_a_file_with_a_fault_in_every_line_has_few_sentences(evil: Command) -> None:
    Path("broken.json").write_text('{"ibm_messageId": "AMQ1234I",,,\n' * 10_000, encoding="utf-8")
    ended = evil("import", "broken.json", "--keep-going")
    assert (ended.code, len(ended.err.splitlines())) == (10, 51)
    assert ended.err.splitlines()[-1] == "mqsc: broken.json: 9950 more faults"
    Path("one.qload").write_text(
        f"* DMPMQMSG Version:9\n* Qmgr  = QM1\nA PRI {'x' * 100_000}\nX 41\n",
    )
    assert len(evil("import", "one.qload", "-m", "QM1", "-q", "ORDERS").err) < 1000


def test_a_line_that_no_command_can_have_is_refused_before_it_is_copied(mqsc: Command) -> None:
    Path("long.mqsc").write_bytes(
        b"DEFINE QLOCAL(A)\nDEFINE QLOCAL(B) DESCR('" + b"x" * (1 << 24) + b"')\n",
    )
    ended = mqsc("run", "long.mqsc")
    assert (ended.code, "long.mqsc, line 2: it has 16777216 bytes or more" in ended.err) == (
        20,
        True,
    )
    assert len(ended.out) < 2000


def test_no_value_of_an_export_is_another_command(evil: Command, tmp_path: Path) -> None:
    with product.open_store(f"sqlite:///{tmp_path}/store.db") as store:
        lines = [*script_lines(export_commands(store.queue_manager("QM1"), ExportSelection()))]
        other = store.create_queue_manager("QM2")
        replies = [*run(other, "\n".join(lines))]
        assert {each.completion for each in replies} == {0}
    assert (
        "EVIL"
        not in evil("run", "-m", "QM2", "-c", "DISPLAY QLOCAL(EVIL)").out.partition("AMQ8147E")[0][
            200:
        ]
    )
    assert "* DESCR of QLOCAL(ORDERS) has a value that MQSC cannot express" in lines


@rows("s\nDEFINE QLOCAL(EVIL)", "\x1b[2J", "a\0")
def test_no_object_has_a_name_with_control_characters(
    mqsc: Command,
    tmp_path: Path,
    name: str,
) -> None:
    mqsc("qmgr", "create", "QM1")
    with product.open_store(f"sqlite:///{tmp_path}/store.db") as store:
        values = {
            "TOPICOBJ": "SYSTEM.BASE.TOPIC",
            "DEST": "SYSTEM.ADMIN.COMMAND.QUEUE",
            "DESTQMGR": "",
        }
        with pytest.raises(MQError):
            create(store.queue_manager("QM1"), KINDS["SUB"], name, values)


def test_csv_of_the_shell_is_one_row_for_an_object_and_no_formula() -> None:
    assert {*FORMULA_STARTS} == {*OF_REPORTS}
    out = io.StringIO(newline="")
    values = [EVIL, "a\rb", '"', "=1+1", "-1", -1]
    write_csv([{"A": each} for each in values], out)
    found = [*csv.reader(io.StringIO(out.getvalue(), newline=""))]
    assert found == [["A"], [EVIL], ["a\rb"], ['"'], ["'=1+1"], ["'-1"], ["-1"]]


def test_a_report_for_junit_is_xml_whatever_the_names_of_files_are() -> None:
    found = [Diagnostic("MQSC-C1", "error", "a\x1b.mqsc", 1, 1, "\x1b\x9b")]
    text = report_text("junit", found, (), "1", "error")
    assert text is not None
    (case,) = ElementTree.fromstring(text).iter("testcase")
    assert case.get("classname") == "a\\x1b.mqsc"

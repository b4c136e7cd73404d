"""Checks of scripts: every error that a run reports, suggestions, and comments that allow what a
rule would report.
"""

from __future__ import annotations

import time

import pytest

from mqsc.diagnostic import Diagnostic
from mqsc.language.reply import FAILURE_MESSAGES
from mqsc.lint.foreign_text import COMMENT, JCL, SCRIPT, SHELL
from mqsc.lint.rules import RULES
from mqsc.lint.script_check import DESCRIPTIONS, ScriptCheck
from mqsc.lint.script_command import ScriptCommand
from mqsc.lint.script_errors import ERRORS
from mqsc.lint.script_reading import MOST_FAULTS, read_script
from mqsc.script import commands_in
from tests.mqsc.lint.checking import check_script
from tests.mqsc.lint.test_rules import diagnostics
from tests.rows import rows


def test_every_error_is_reported_for_its_bad_script() -> None:
    """Ids are unique and in order."""
    for error in ERRORS.values():
        found = [each.rule_id for each in check_script([error.bad]) if each.severity == "error"]
        assert error.rule_id in found
    ids, rules = [each.rule_id for each in DESCRIPTIONS], [each.rule_id for each in RULES]
    assert (len(set(ids)), rules) == (len(ids), sorted(rules))


def test_files_count_as_run_one_after_the_other() -> None:
    with ScriptCheck() as check:
        check.read(["DEFINE QLOCAL(A) BOTHRESH(3) BOQNAME(B)\nDEFINE QLOCAL(C)\n"], "1.mqsc")
        check.read(["DEFINE QLOCAL(B) MAXDEPTH(0)\nALTER QLOCAL(A) TRIGGER\n"], "2.mqsc")
        found = [(each.rule_id, each.file, each.line) for each in check.diagnostics()]
    second = [("MQSC-C28", "2.mqsc", 1), ("MQSC-C01", "2.mqsc", 2), ("MQSC-C02", "2.mqsc", 2)]
    assert found == [("MQSC-C41", "1.mqsc", 1), *second]


def test_variables_are_filled_in_and_unset_ones_are_errors() -> None:
    with ScriptCheck({"QUEUE": "ORDERS"}) as check:
        check.read(["DEFINE QLOCAL(${QUEUE}) MAXDEPTH(0)\nDEFINE QLOCAL(${QEUE})\n"])
        zero, unset = check.diagnostics()
        assert (zero.rule_id, zero.line, zero.message.split()[0]) == ("MQSC-C28", 1, "ORDERS")
        assert (unset.severity, unset.line, unset.column) == ("error", 2, 15)
        assert "did you mean QUEUE?" in unset.message


def test_a_secret_is_not_repeated() -> None:
    text = (
        "ALTER QMGR KEYRPWD('open sesame')\nALTER QMGR KEYRPWD('open sesame\nALTER QMGR "
        "KEYRPWD(open sesame)\n"
    )
    diagnostics = check_script([text])
    assert "MQSC-C20" in [each.rule_id for each in diagnostics]
    assert not [each for each in diagnostics if "sesame" in str(each).lower()]


def errors(*lines: str) -> list[tuple[str, int, int]]:
    """Id, line and column of the errors in a script."""
    found = read_script(commands_in([f"{line}\n" for line in lines]))
    return [
        (each.rule_id, each.line, each.column) for each in found if isinstance(each, Diagnostic)
    ]


@rows(
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
)
def test_errors(lines: list[str], expected: list[tuple[str, int, int]]) -> None:
    assert errors(*lines) == expected


def test_what_is_right_in_a_faulty_command_counts() -> None:
    found = read_script(commands_in(["DEFINE QL(A) MAXDEPTH(7) DEFPRTY(10)\n"]))
    (statement,) = [each for each in found if isinstance(each, ScriptCommand)]
    assert (statement.title, dict(statement.attributes)) == ("DEFINE QLOCAL(A)", {"MAXDEPTH": 7})
    assert (
        len(errors("DEFINE QLOCAL(A) +", *(f"NOSUCH{n} +" for n in range(1000)), ";"))
        == MOST_FAULTS
    )
    both = [
        *read_script(commands_in([b"DEFINE QLOCAL(A) DESCR('\xff\x00')\n", b"DEFINE QLOCAL(B)\n"])),
    ]
    assert [type(each) for each in both] == [Diagnostic, ScriptCommand], (
        "bytes that are no text are an error"
    )


@rows(
    ("-- a comment of another language", COMMENT),
    ("# a comment", COMMENT),
    ("#!/bin/bash", SCRIPT),
    ("// a comment", COMMENT),
    ("//RUN1 EXEC PGM=CSQUTIL,PARM='CSQ1'", JCL),
    ("//SYSIN DD *", JCL),
    ("//* a comment in a job", JCL),
    ("//", JCL),
    ("runmqsc QM1", "remove it"),
    ("$ runmqsc QM1", SHELL),
    ("EOF", "remove it"),
    ("strmqm QM1", "remove it"),
    ("/opt/mqm/samp/bin/amqsput Q", ""),
    ("amqsput Q QM1", "remove it"),
    ("DEFINE QLOCAL('${NAME}')", "give --set NAME=VALUE"),
    ("DEFINE QLOCAL({{name}})", "write ${name} and give --set name=VALUE"),
    ("DEFINE QLOCAL(<queue>)", "write ${queue} and give --set queue=VALUE"),
    ("DEFINE QLOCAL(A) MAXDEPTH($DEPTH)", "write ${DEPTH} and give --set DEPTH=VALUE"),
    ("DEFINE QLOCAL(A) NOSUCH(1) DESCR('${x}')", ""),
    ("DEFINE QLOCAL(+QMNAME+)", "write ${QMNAME} and give --set QMNAME=VALUE"),
    ("DEFINE CHANNEL('A_+QMNAME+') CHLTYPE(RCVR)", "write ${QMNAME} and give --set QMNAME=VALUE"),
    ("DEFINE QLOCAL(A) DESCR(1+2+3)", ""),
    ("MAKE QLOCAL(A)", ""),
)
def test_what_is_right(line: str, right: str) -> None:
    error, *_ = check_script([line])
    assert (error.severity, error.suggestion) == ("error", right)


WARNED = "DEFINE QLOCAL(A) BOTHRESH(3)"
OTHER = "DEFINE QLOCAL(B) BOTHRESH(3)"


@rows(
    # Where a comment applies.
    ([WARNED], [("C08", 1)]),
    (["* mqsc: allow C08: drained by hand", WARNED], []),
    (["* MQSC: Allow mqsc-c08 : drained by hand", "", "* and this", WARNED], []),
    (["* mqsc: allow C08: drained by hand", WARNED, OTHER], [("C08", 3)]),
    ([f"{WARNED}; * mqsc: allow C08: drained by hand", OTHER], [("C08", 2)]),
    (["DEFINE QLOCAL(A) +", "* mqsc: allow C08: drained by hand", "BOTHRESH(3)"], []),
    (["DEFINE QLOCAL(A) BOTHRESH(3) +", "MAXDEPTH(0)"], [("C08", 1), ("C28", 2)]),
    (["* mqsc: allow C08, C28: full", "DEFINE QLOCAL(A) BOTHRESH(3) +", "MAXDEPTH(0)"], []),
    (["* mqsc: allow C08 C28: full", "DEFINE QLOCAL(A) BOTHRESH(3) +", "MAXDEPTH(0)"], []),
    ([WARNED, OTHER, "* mqsc: allow-file C08: drained by hand"], []),
    (["* mqsc: allowed", "* mqsc: C08", WARNED], [("C08", 3)]),
    # A comment needs rules and a reason.
    (["* mqsc: allow C08", WARNED], [("C43", 1), ("C08", 2)]),
    (["* mqsc: allow C08:  ", WARNED], [("C43", 1), ("C08", 2)]),
    (["* mqsc: allow: because", WARNED], [("C43", 1), ("C08", 2)]),
    (["* mqsc: allow C99: because", WARNED], [("C43", 1), ("C08", 2)]),
    (["* mqsc: allow AMQ8405I: because", "MAKE"], [("C43", 1), ("AMQ8426I", 2)]),
    # A comment that is no longer needed.
    (["* mqsc: allow C08: because", "DEFINE QLOCAL(A)"], [("C44", 1)]),
    (["* mqsc: allow C08, C28: because", WARNED], [("C44", 1)]),
    ([WARNED, "* mqsc: allow C08: because"], [("C08", 1), ("C44", 2)]),
    (["* mqsc: allow-file C08: because", "DISPLAY QMGR"], [("C44", 1)]),
)
def test_comments_that_allow_what_a_rule_would_report(
    lines: list[str],
    expected: list[tuple[str, int]],
) -> None:
    assert diagnostics(lines) == expected


def test_the_place_and_the_remedy() -> None:
    (found,) = (each for each in check_script(["  * mqsc: allow C0: x\n", "DISPLAY QMGR\n"]))
    assert str(found) == (
        "-:1:11: warning MQSC-C43: there is no rule MQSC-C0; suggestion: * mqsc: allow C08: why it "
        "does not matter here"
    )


def test_a_comment_applies_to_its_own_file() -> None:
    with ScriptCheck() as check:
        check.read(["* mqsc: allow-file C08: drained by hand\n", f"{WARNED}\n"], "a")
        check.read([f"{OTHER}\n"], "b")
        assert ([(each.file, each.rule_id) for each in check.diagnostics()], check.allowed) == (
            [("b", "MQSC-C08")],
            1,
        )


# Message ids of failures that depend on the queue manager, so a new one in memory cannot show them.
ELSEWHERE = {
    "AMQ8103S",
    "AMQ8118E",
    "AMQ8135E",
    "AMQ8143E",
    "AMQ8145E",
    "AMQ8146E",
    "AMQ8147E",
    "AMQ8148E",
    "AMQ8149S",
    "AMQ8155E",
    "AMQ8156E",
    "AMQ8227E",
    "AMQ8420I",
    "AMQ8565I",
    "AMQ8730W",
    "AMQ8731W",
    "AMQ8737W",
    "AMQ8738W",
    "AMQ8884E",
    "AMQ8958E",
    "AMQ9507E",
    "AMQ9509E",
    "AMQ9514E",
    "AMQ9533W",
}


@rows(
    ("DEFINE CHANNEL(A) CHLTYPE(RCVR) SSLCIPH(NOSUCH)", ("AMQ8242E", 1, 41)),
    ("DEFINE CHANNEL(A) CHLTYPE(RCVR) SSLPEER('nobody')", ("AMQ8243E", 1, 41)),
    ("SET CHLAUTH(A) TYPE(ADDRESSMAP) ADDRESS('10.1.1.1') USERSRC(MAP)", ("AMQ8425E", 1, 61)),
    ("SET CHLAUTH(A) TYPE(QMGRMAP) QMNAME(QM2)", ("AMQ8425E", 1, 5)),
    ("SET CHLAUTH(A) TYPE(SSLPEERMAP) SSLPEER('x') USERSRC(CHANNEL)", ("AMQ8243E", 1, 41)),
    ("SET CHLAUTH(A) TYPE(BLOCKADDR) ADDRLIST('10.1.1.1')", ("AMQ8424E", 1, 5)),
    ("SET AUTHREC PROFILE(A) OBJTYPE(QUEUE) AUTHADD(GET)", ("AMQ8421E", 1, 5)),
    ("SET AUTHREC PROFILE(A) OBJTYPE(QUEUE) GROUP('a') AUTHADD(CONNECT)", ("AMQ8425E", 1, 5)),
    ("DEFINE SUB(A) DEST(B)", ("AMQ8421E", 1, 8)),
    ("DISPLAY CHLAUTH(A) MATCH(RUNCHECK)", ("AMQ8425E", 1, 9)),
    ("DEFINE BUFFPOOL(1)", ("MQSC0003E", 1, 8)),
    ("ALTER QMGR DEADQ(+QMNAME+)", ("AMQ8424E", 1, 18)),
    ("ALTER QLOCAL(A) CLUSTER(C) CLUSNL(N)", ("AMQ8433E", 1, 35)),
    ("DEFINE QLOCAL(A)\nDEFINE QALIAS(B) LIKE(A)", ("AMQ8152E", 2, 8)),
)
def test_errors_that_only_performing_shows(script: str, error: tuple[str, int, int]) -> None:
    found = check_script(script.splitlines(keepends=True))
    assert [
        (each.rule_id, each.line, each.column) for each in found if each.severity == "error"
    ] == [error]


def test_the_same_name_in_two_files_is_an_error() -> None:
    with ScriptCheck() as check:
        for file in ("qm1.mqsc", "qm2.mqsc"):
            check.read(["DEFINE QLOCAL(A) MAXDEPTH(9)\n", "DEFINE QLOCAL(B)\n"], file)
        found = check.diagnostics()
    told = [(each.rule_id, each.file, each.line, each.severity) for each in found]
    assert told == [("AMQ8150E", "qm2.mqsc", line, "error") for line in (1, 2)]
    assert found[0].message == "IBM MQ object already exists. qm1.mqsc, line 1, defines QLOCAL(A)."


def test_every_failure_message_is_an_error_or_depends_on_the_queue_manager() -> None:
    messages = {*FAILURE_MESSAGES.values()}
    assert messages - ERRORS.keys() - ELSEWHERE == set()
    assert ELSEWHERE - messages | ELSEWHERE & ERRORS.keys() == set()


LENGTH = 96_000
SHAPES = [
    "DEFINE QLOCAL(Q{n}) BOQNAME(B{n}) BOTHRESH(3) TRIGGER REPLACE\n",
    "DEFINE QLOCAL(A) REPLACE MAXDEPTH({n})\n",
    "DEFINE QLOCAL('q{n}')\nDEFINE QLOCAL(Q{n})\n",
    "DEFINE QLOCAL(A{n}) NOSUCH({n}) MAXDEPTH(X) WRONG +\n AND(MORE)\n",
    "ALTER QLOCAL(A) NOSUCH{n} +\n",
    "NOSUCH{n}(<a<b<c\n",
    "DEFINE LISTENER(L{n}) TRPTYPE(TCP)\n",
]


def seconds(shape: str, length: int) -> float:
    """Return the processor time of a check of about `length` characters."""
    text = "".join(shape.format(n=n) for n in range(length // len(shape)))
    began = time.process_time()
    check_script([text])
    return time.process_time() - began


@pytest.mark.benchmark
@pytest.mark.parametrize("shape", SHAPES)
def test_eight_times_as_much_takes_less_than_thirty_times_as_long(shape: str) -> None:
    seconds(shape, LENGTH // 8)
    assert seconds(shape, LENGTH) < max(0.2, 30 * seconds(shape, LENGTH // 8))

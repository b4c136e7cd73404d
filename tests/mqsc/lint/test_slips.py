"""Suggestions for text that is not MQSC."""

from __future__ import annotations

import pytest

from mqsc.lint.script_check import check_script
from mqsc.lint.script_command import COMMENT, JCL, SHELL


@pytest.mark.parametrize(
    ("line", "right"),
    [
        ("-- a comment of another language", COMMENT),
        ("# a comment", COMMENT),
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
    ],
)
def test_what_is_right(line: str, right: str) -> None:
    error, *_ = check_script([line])
    assert (error.severity, error.suggestion) == ("error", right)

"""Comments, quotes and continuation of other languages are named, in place of a misspelt keyword."""

from __future__ import annotations

import pytest

from mqsc.lint.script_check import check_script
from mqsc.script import run

COMMENT = "a comment must be on a line of its own"
QUOTE = "the value must be in apostrophes, not in other quotes"


@pytest.mark.parametrize(
    ("script", "message_id", "place", "says"),
    [
        ("ALTER QMGR DESCR('x') * a remark of five words", "AMQ8405I", (1, 23), COMMENT),
        ("ALTER QMGR DESCR('x') # a remark", "AMQ8405I", (1, 23), COMMENT),
        ("ALTER QMGR DESCR('x') -- a remark", "AMQ8405I", (1, 23), COMMENT),
        ("DEFINE QLOCAL(A) + DESCR('x')", "AMQ8405I", (1, 18), "+ continues a command only at the end of a line"),
        ("DEFINE QLOCAL(A) \\", "AMQ8405I", (1, 18), "a backslash does not"),
        ("DEFINE QLOCAL(A) +\n\nDEF QALIAS(B) TARGET(A)", "AMQ8405I", (3, 1), "DEF begins another command"),
        ("DEFINE QLOCAL(A) +\nEND", "AMQ8405I", (2, 1), "END begins another command"),
        ("DEFINE QLOCAL(A) DEFINE", "AMQ8405I", (1, 18), "'DEFINE' is not a keyword of DEFINE QLOCAL"),
        ('DEFINE QLOCAL(A) DESCR("two words")', "AMQ8405I", (1, 24), QUOTE),
        ("DEFINE QLOCAL(A) DESCR(\u2018x\u2019)", "AMQ8405I", (1, 24), QUOTE),
        ("DEFINE QALIAS(A) TARGET(\u201cB\u201d)", "AMQ8424E", (1, 25), QUOTE),
        ("DEFINE QLOCAL(`A`)", "AMQ8424E", (1, 15), QUOTE),
    ],
)
def test_text_of_other_languages(script: str, message_id: str, place: tuple[int, int], says: str) -> None:
    (reply,) = run(None, script)
    assert reply.message_id == message_id
    assert f"line {place[0]}, column {place[1]}: " in reply.text
    assert says in reply.text
    # A check does not report every word of a remark, nor the parameters of the next command.
    (error,) = (each for each in check_script(script.split("\n")) if each.severity == "error")
    assert (error.rule_id, error.line, error.column) == (message_id, *place)


@pytest.mark.parametrize("line", ["# Start", "-- Start", "// Start", "#Start"])
def test_a_comment_of_another_language(line: str) -> None:
    (reply,) = run(None, line)
    assert reply.message_id == "AMQ8426I"
    assert "a comment begins with an asterisk" in reply.text


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("setmqaut -m QM1 -t qmgr -p app +connect", "'setmqaut' is not an MQSC verb; this is a shell command"),
        ("strmqm QM1", "'strmqm' is not an MQSC verb; this is a shell command"),
        ("STRMQM MQMNAME(QM1)", "'STRMQM' is not an MQSC verb; this is a CL command of IBM i"),
        ("WRKMQM", "'WRKMQM' is not an MQSC verb; this is a CL command of IBM i"),
        ("CRTMQMQ QNAME(A) QTYPE(*LCL)", "'CRTMQMQ' is not an MQSC verb; this is a CL command of IBM i"),
        ("{% for queue in queues %}", "'{%' is not an MQSC verb; fill in the template first"),
        ("DEFINE QLOCAL(@@ENV@@.ORDERS)", "@@ENV@@ is a placeholder: write ${ENV} and give --set ENV=VALUE."),
        ("DEFINE QLOCAL(#{env}.ORDERS)", "#{env} is a placeholder: write ${env} and give --set env=VALUE."),
    ],
)
def test_what_is_not_mqsc_is_named(line: str, says: str) -> None:
    (reply,) = run(None, line)
    assert reply.text.endswith(says)


def test_a_parameter_on_a_line_of_its_own() -> None:
    _, refused = run(None, "DEFINE QLOCAL(A)\n  MAXDEPTH(10) DESCR('x')")
    assert refused.text.endswith("'MAXDEPTH' is not an MQSC verb; to continue a command, end the line before with +")

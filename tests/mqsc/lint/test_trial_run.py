"""The check of a script finds every error that running it reports."""

from __future__ import annotations

from pathlib import Path

from mqsc.language.reply import FAILURE_MESSAGES, Answer
from mqsc.language.request import Request
from mqsc.lint.script_check import DEPENDS_ON_QUEUE_MANAGER, ScriptCheck, check_script, depends_on_queue_manager
from mqsc.lint.script_command import ERRORS
from mqsc.script import Answered, Script
from mqsc.verbs import perform
from store import open_store

# Message ids of failures that depend on the queue manager, so a new one in memory cannot show them.
ELSEWHERE = {
    "AMQ8103S", "AMQ8118E", "AMQ8135E", "AMQ8143E", "AMQ8145E", "AMQ8146E", "AMQ8147E", "AMQ8148E", "AMQ8149S",
    "AMQ8155E", "AMQ8156E", "AMQ8227E", "AMQ8420I", "AMQ8565I", "AMQ8884E", "AMQ8958E", "AMQ9507E",
    "AMQ9509E", "AMQ9514E", "AMQ9533W",
}  # fmt: skip


def errors(*lines: str) -> list[tuple[str, int, int]]:
    found = check_script([f"{line}\n" for line in lines])
    return [(each.rule_id, each.line, each.column) for each in found if each.severity == "error"]


def test_errors_that_only_performing_shows() -> None:
    cases = {
        "DEFINE CHANNEL(A) CHLTYPE(RCVR) SSLCIPH(NOSUCH)": ("AMQ8242E", 1, 41),
        "DEFINE CHANNEL(A) CHLTYPE(RCVR) SSLPEER('nobody')": ("AMQ8243E", 1, 41),
        "SET CHLAUTH(A) TYPE(ADDRESSMAP) ADDRESS('10.1.1.1') USERSRC(MAP)": ("AMQ8425E", 1, 61),
        "SET CHLAUTH(A) TYPE(QMGRMAP) QMNAME(QM2)": ("AMQ8425E", 1, 5),
        "SET CHLAUTH(A) TYPE(SSLPEERMAP) SSLPEER('x') USERSRC(CHANNEL)": ("AMQ8243E", 1, 41),
        "SET CHLAUTH(A) TYPE(BLOCKADDR) ADDRLIST('10.1.1.1')": ("AMQ8424E", 1, 5),
        "SET AUTHREC PROFILE(A) OBJTYPE(QUEUE) AUTHADD(GET)": ("AMQ8421E", 1, 5),
        "SET AUTHREC PROFILE(A) OBJTYPE(QUEUE) GROUP('a') AUTHADD(CONNECT)": ("AMQ8425E", 1, 5),
        "DEFINE SUB(A) DEST(B)": ("AMQ8421E", 1, 8),
        "DISPLAY CHLAUTH(A) MATCH(RUNCHECK)": ("AMQ8425E", 1, 9),
        "DEFINE BUFFPOOL(1)": ("MQSC0003E", 1, 8),
        "ALTER QMGR DEADQ(+QMNAME+)": ("AMQ8424E", 1, 18),
        "ALTER QLOCAL(A) CLUSTER(C) CLUSNL(N)": ("AMQ8433E", 1, 35),
    }
    found = {line: errors(line) for line in cases}
    assert found == {line: [error] for line, error in cases.items()}


def test_like_an_object_of_another_type() -> None:
    assert errors("DEFINE QLOCAL(A)", "DEFINE QALIAS(B) LIKE(A)") == [("AMQ8152E", 2, 8)]


def test_what_depends_on_the_queue_manager_is_a_note() -> None:
    lines = (
        "ALTER QLOCAL(A) GET(DISABLED)",
        "CLEAR QLOCAL(A)",
        "DISPLAY QMGR CMDSCOPE(QM7)",
    )
    found = check_script([f"{line}\n" for line in lines])
    assert [(each.rule_id, each.severity, each.line) for each in found if each.rule_id != "MQSC-C22"] == [
        (DEPENDS_ON_QUEUE_MANAGER, "note", 1),
        (DEPENDS_ON_QUEUE_MANAGER, "note", 3),
    ]
    assert [each for each in found if each.severity == "error"] == []


def test_the_same_name_in_two_files_is_an_error() -> None:
    with ScriptCheck() as check:
        for file in ("qm1.mqsc", "qm2.mqsc"):
            check.read(["DEFINE QLOCAL(A) MAXDEPTH(9)\n", "DEFINE QLOCAL(B)\n"], file)
        found = check.diagnostics()
    assert [(each.rule_id, each.file, each.line, each.severity) for each in found] == [
        ("AMQ8150E", "qm2.mqsc", 1, "error"),
        ("AMQ8150E", "qm2.mqsc", 2, "error"),
    ]
    assert found[0].message == "IBM MQ object already exists. qm1.mqsc, line 1, defines QLOCAL(A)."


def test_every_failure_message_is_an_error_or_depends_on_the_queue_manager() -> None:
    messages = {*FAILURE_MESSAGES.values()}
    assert messages - ERRORS.keys() - ELSEWHERE == set()
    assert ELSEWHERE - messages | ELSEWHERE & ERRORS.keys() == set()


def test_the_check_finds_the_errors_of_a_run_in_scripts_of_other_people(corpus: Path) -> None:
    differing = {}
    for path in sorted((corpus / "mqsc").iterdir()):
        with path.open("rb") as lines:
            checked = {each.line for each in check_script(lines, path.name) if each.severity == "error"}
        run = failed_lines(path)
        wanted = {line for line, failed in run.items() if failed}
        # The line on which the command with the error begins.
        found = {max(begin for begin in run if begin <= line) for line in checked}
        if found != wanted:
            differing[path.name] = sorted(found - wanted), sorted(wanted - found)
    assert differing == {}


def failed_lines(path: Path) -> dict[int, bool]:
    """Return, for each line on which a command begins, whether that fails because of the script itself."""
    failed: dict[int, bool] = {}
    with open_store("sqlite://") as store, path.open("rb") as lines:
        qmgr = store.create_queue_manager("QM1")
        script = Script(qmgr, carry_out=lambda request: without_missing(request, perform(qmgr, request)))
        for step in script.steps(lines):
            if isinstance(step, Answered):
                failed[step.line] = failed.get(step.line, False) or step.answer.completion == 2
    return failed


def without_missing(request: Request, answer: Answer) -> Answer:
    elsewhere = answer.completion == 2 and depends_on_queue_manager(request, answer)
    return Answer("") if elsewhere else answer

"""Errors that only performing the commands of a script shows."""

from __future__ import annotations

from pathlib import Path

from mqsc.language.reply import Answer
from mqsc.language.request import Request
from mqsc.lint.trial_run import DEPENDS_ON_QUEUE_MANAGER, depends_on_queue_manager
from mqsc.script import Answered, Script
from mqsc.store import open_store
from mqsc.verbs import perform_request
from tests.mqsc.lint.checking import check_script


def test_what_depends_on_the_queue_manager_is_a_note() -> None:
    found = check_script(
        ["ALTER QLOCAL(A) GET(DISABLED)\n", "CLEAR QLOCAL(A)\n", "DISPLAY QMGR CMDSCOPE(QM7)\n"],
    )
    told = [
        (each.rule_id, each.severity, each.line) for each in found if each.rule_id != "MQSC-C22"
    ]
    assert told == [(DEPENDS_ON_QUEUE_MANAGER, "note", 1), (DEPENDS_ON_QUEUE_MANAGER, "note", 3)]
    assert [each for each in found if each.severity == "error"] == []


def test_the_check_finds_the_errors_of_a_run_in_scripts_of_other_people(corpus: Path) -> None:
    differing = {}
    for path in sorted((corpus / "mqsc").iterdir()):
        with path.open("rb") as lines:
            checked = {
                each.line for each in check_script(lines, path.name) if each.severity == "error"
            }
        run = failed_lines(path)
        wanted = {line for line, failed in run.items() if failed}
        # The line on which the command with the error begins.
        found = {max(begin for begin in run if begin <= line) for line in checked}
        if found != wanted:
            differing[path.name] = sorted(found - wanted), sorted(wanted - found)
    assert differing == {}


def failed_lines(path: Path) -> dict[int, bool]:
    """Return, for each line on which a command begins, whether that fails because of the script
    itself.
    """
    failed: dict[int, bool] = {}
    with open_store("sqlite://") as store, path.open("rb") as lines:
        qmgr = store.create_queue_manager("QM1")
        script = Script(
            qmgr,
            carry_out=lambda request: without_missing(request, perform_request(qmgr, request)),
        )
        for step in script.steps(lines):
            if isinstance(step, Answered):
                failed[step.line] = failed.get(step.line, False) or step.answer.completion == 2
    return failed


def without_missing(request: Request, answer: Answer) -> Answer:
    elsewhere = answer.completion == 2 and depends_on_queue_manager(request, answer)
    return Answer("") if elsewhere else answer

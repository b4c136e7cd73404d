"""`mqsc check` on the command line: files in, diagnostics and exit code out, without a store."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml

from mqsc.diagnostic import Diagnostic, as_junit
from tests.mqsc.conftest import Command
from tests.mqsc.session import Session
from tests.source import ROOT

BAD = r"DEFINE QLOCAL(A) MAXDEPTH(0) +\n  DEFPRTY(10)\nDEFINE QLOCAL(B) BOTHRESH(3)\n"
WARNED = "DEFINE QLOCAL(A) BOTHRESH(3)\n"
NOTED = "DEFINE QLOCAL(orders)\n"
SESSIONS = {
    "findings as text": f"""
        cat > a.mqsc << {BAD}
        check a.mqsc => 10 !| mqsc: 1 file checked: 1 error, 2 warnings, 0 notes
            | a.mqsc:1:27: warning MQSC-C28: A is always full: every put fails with MQRC_Q_FULL; suggestion: \
PUT(DISABLED) to reject all messages
            | a.mqsc:2:11: error AMQ8412E: DEFPRTY takes a number from 0 to 9, not 10
            | a.mqsc:3:27: warning MQSC-C08: B has BOTHRESH(3) but no BOQNAME for poison messages; suggestion: \
BOQNAME(name)
        qmgr list => 20 ! there is no store
    """,
    "findings as JSON": rf"""
        cat > a.mqsc << {BAD}
        check a.mqsc --format json => 10 .rule_id ["MQSC-C28", "AMQ8412E", "MQSC-C08"]
            .line [1, 2, 3]
        check a.mqsc --format jsonl => 10 .rule_id ["MQSC-C28", "AMQ8412E", "MQSC-C08"]
            .column [27, 11, 27]
        check - --format json << DEFINE QLOCAL(A)\n => | [
            | ]
    """,
    "exit codes": r"""
        cat > good.mqsc << DEFINE QLOCAL(A)\n
        cat > warned.mqsc << DEFINE QLOCAL(A) MAXDEPTH(0)\n
        cat > wrong.mqsc << MAKE\n
        cat > empty.mqsc
        check good.mqsc => |
        check warned.mqsc => > warned.mqsc:1:27: warning MQSC-C28
        check none.mqsc => 20
        check wrong.mqsc none.mqsc => 10 > wrong.mqsc:1:1: error AMQ8426I
        check good.mqsc none.mqsc => 10
        check empty.mqsc => |
        check - --quiet << MAKE\n => 10 !|
            > -:1:1: error AMQ8426I: 'MAKE' is not an MQSC verb
        check --set R - => 20
        check --sarif --format json - => 20
        check => 20
    """,
    "folders and patterns: files are checked in sorted order": r"""
        cat > d/2.mqsc << MAKE\n
        cat > d/1.mqsc << MAKE\n
        cat > d/2.txt << MAKE\n
        cat > d/1.txt << MAKE\n
        check d --format json => 10 .file ["d/1.mqsc", "d/2.mqsc"]
        check 'd/*.txt' --format json => 10 .file ["d/1.txt", "d/2.txt"]
    """,
    "variables": r"""
        cat > a.mqsc << DEFINE QLOCAL(${Q})\n
        check a.mqsc --set Q=ORDERS => |
        check a.mqsc --set R=ORDERS => 10 > a.mqsc:1:15: error
    """,
    "refused options": r"""
        cat > bad.json << {"version": 1, "diagnostics": [{"file": 7}]}
        cat > newer.json << {"version": 2, "diagnostics": []}
        cat > b.mqsc << PING QMGR
        check ...
        - --ignore C80 => 20 ! 'C80' is not a rule of mqsc check; examples: C08, MQSC-C22, note
        - --select MQSC-C08, => 20 ! '' is not a rule of mqsc check
        - --select AMQ8405I => 20 ! 'AMQ8405I' is not a rule of mqsc check
        - --fail-on info => 20 ! 'info' is not one of 'error', 'warning', 'note'
        - --baseline none.json => 20 ! none.json does not exist; write it with --write-baseline none.json
        - --baseline bad.json => 20 ! bad.json is not a baseline of mqsc check; write it with --write-baseline
        - --baseline newer.json => 20 ! newer.json is a baseline of version 2; this is version 1
        - --write-baseline none/a.json => 20 ! none/a.json cannot be written: No such file or directory
        - --write-baseline b.mqsc => 20 ! b.mqsc is not replaced: it has no "diagnostics"
    """,
    # Lines may move, and the check may be run elsewhere.
    "a baseline leaves only what is new": r"""
        cat > ci/known
        cat > a.mqsc << DEFINE QLOCAL(A) BOTHRESH(3)\n
        check a.mqsc --fail-on warning --write-baseline ci/known.json => |
            !| mqsc: 1 file checked: 0 errors, 0 warnings, 0 notes, 1 in the baseline
        cat > a.mqsc << \n\nDEFINE QLOCAL(A) BOTHRESH(3)\nDEFINE QLOCAL(B) BOTHRESH(3)\nMAKE\n
        check $PWD/a.mqsc --fail-on warning --baseline ci/known.json --format json => 10
            .rule_id ["MQSC-C08", "AMQ8426I"]
        cat > a.mqsc << DEFINE QLOCAL(A)\n
        check a.mqsc --baseline ci/known.json => ! , 0 in the baseline, 1 of the baseline no longer there
    """,
    "a baseline takes any message but needs every file": r"""
        cat > a.mqsc << * mqsc: allow \xff: x\nDEFINE QLOCAL(A)\n
        check a.mqsc none.mqsc --write-baseline known.json => 20 ! was not written, because some files cannot be read
        check a.mqsc --baseline known.json => 20 ! known.json does not exist
        check a.mqsc --write-baseline known.json --fail-on note
        check a.mqsc --baseline known.json --fail-on note
    """,
    # A command that is wrong in itself is an error nonetheless.
    "what is not supported can be a note": r"""
        cat > a.mqsc << DEFINE BUFFPOOL(0)\nDEFINE PSID(0) NONSENSE(1)\n
        check a.mqsc => 10 !| mqsc: 1 file checked: 2 errors, 0 warnings, 1 note
            > a.mqsc
        check --skip-unsupported a.mqsc => 10 !| mqsc: 1 file checked: 1 error, 0 warnings, 2 notes
            > a.mqsc
        check --skip-unsupported --ignore C22 - << DEFINE BUFFPOOL(0)\n
            !| mqsc: 1 file checked: 0 errors, 0 warnings, 1 note
            > note MQSC0003E: DEFINE BUFFPOOL is not supported here
    """,
}


@pytest.mark.parametrize("name", SESSIONS)
def test_sessions(session: Session, name: str) -> None:
    session(SESSIONS[name])


def test_the_columns_of_a_finding_and_sarif(session: Session) -> None:
    session(f"cat > a.mqsc << {BAD}")
    rows = session("check a.mqsc --format json => 10 ! 1 file checked\n> {").rows
    assert set(rows[0]) == {"rule_id", "severity", "file", "line", "column", "message", "right"}
    (run,) = json.loads(session("check a.mqsc --sarif => 10 > {").out)["runs"]
    found = [(each["ruleId"], each["level"]) for each in run["results"]]
    assert found == [("MQSC-C28", "warning"), ("AMQ8412E", "error"), ("MQSC-C08", "warning")]
    assert {rule for rule, _ in found} <= {rule["id"] for rule in run["tool"]["driver"]["rules"]}


@pytest.mark.parametrize(
    ("text", "arguments", "code"),
    [
        (WARNED, "", 0),
        (WARNED, "--fail-on warning", 10),
        (WARNED, "--fail-on note", 10),
        (NOTED, "--fail-on warning", 0),
        (NOTED, "--fail-on note", 10),
        ("MAKE\n", "--fail-on error", 10),
        (WARNED, "--fail-on warning --ignore C08", 0),
        (WARNED, "--fail-on warning --ignore warning", 0),
        (WARNED, "--fail-on warning --select c08,C22", 10),
        (WARNED, "--fail-on warning --select note", 0),
        (f"* mqsc: allow C08: drained by hand\n{WARNED}", "--fail-on note", 0),
        ("MAKE\n", "--select C08 --ignore warning,note", 10),
    ],
)
def test_what_makes_a_check_fail(mqsc: Command, text: str, arguments: str, code: int) -> None:
    assert mqsc("check", "-", *arguments.split(), stdin=text.encode()).code == code


def test_the_text_of_a_baseline_is_stable(mqsc: Command, tmp_path: Path) -> None:
    (tmp_path / "a.mqsc").write_text(WARNED.replace("A", "Ä") + WARNED + NOTED)
    mqsc("check", "a.mqsc", "--write-baseline", "known.json", "--ignore", "note")
    first = (tmp_path / "known.json").read_text("utf-8")
    assert first == (
        '{"version": 1, "diagnostics": [\n'
        '  {"file": "a.mqsc", "rule_id": "MQSC-C08", '
        '"message": "A has BOTHRESH(3) but no BOQNAME for poison messages", "count": 1}\n]}\n'
    )
    mqsc(
        "check",
        "a.mqsc",
        "--write-baseline",
        "known.json",
        "--baseline",
        "known.json",
        "--ignore",
        "note",
    )
    assert (tmp_path / "known.json").read_text("utf-8") == first
    mqsc("check", "-", "--write-baseline", "known.json")
    assert (tmp_path / "known.json").read_text("utf-8") == '{"version": 1, "diagnostics": []}\n'


def test_junit_has_a_case_for_each_diagnostic(session: Session) -> None:
    session(f"cat > a.mqsc << {BAD}")
    for arguments, failing in (
        ("", ["AMQ8412E"]),
        ("--fail-on warning", ["MQSC-C28", "AMQ8412E", "MQSC-C08"]),
    ):
        suites = ElementTree.fromstring(
            session(f"check a.mqsc --format junit {arguments} => 10 > <").out,
        )
        cases = {each.attrib["name"].split()[0]: each for each in suites.iter("testcase")}
        assert [*cases] == ["MQSC-C28", "AMQ8412E", "MQSC-C08"]
        assert [name for name, case in cases.items() if case.find("failure") is not None] == failing
        assert (suites.attrib["tests"], suites.attrib["failures"]) == ("3", str(len(failing)))
    session("cat > good.mqsc << DEFINE QLOCAL(A)\\n")
    assert 'tests="1" failures="0"' in session("check good.mqsc --format junit => > <").out
    control = Diagnostic("X", "error", "a<&.mqsc", 1, 1, "it has \x01 & <")
    (failure,) = ElementTree.fromstring(as_junit([control], "error")).iter("failure")
    assert failure.attrib["message"] == r"it has \x01 & <"


def test_the_hooks_run_commands_that_exist(mqsc: Command) -> None:
    for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8")):
        assert mqsc(*hook["entry"].split()[1:], "--help").code == 0
        assert re.search(hook["files"], "a/b.rul" if "dlq" in hook["id"] else "a/b.mqsc")

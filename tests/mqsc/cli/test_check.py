"""`mqsc check` on the command line: files in, diagnostics and exit code out, without a store."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.mqsc.conftest import Command

BAD = b"DEFINE QLOCAL(A) MAXDEPTH(0) +\n  DEFPRTY(10)\nDEFINE QLOCAL(B) BOTHRESH(3)\n"
TEXT = """\
a.mqsc:1:27: warning MQSC-C28: A is always full: every put fails with MQRC_Q_FULL; suggestion: PUT(DISABLED) \
to reject all messages
a.mqsc:2:11: error AMQ8412E: DEFPRTY takes a number from 0 to 9, not 10
a.mqsc:3:27: warning MQSC-C08: B has BOTHRESH(3) but no BOQNAME for poison messages; suggestion: BOQNAME(name)
"""


def test_findings_as_text(mqsc: Command, tmp_path: Path) -> None:
    (tmp_path / "a.mqsc").write_bytes(BAD)
    ended = mqsc("check", "a.mqsc")
    assert (ended.code, ended.out) == (10, TEXT)
    assert ended.err == "mqsc: 1 file checked: 1 error, 2 warnings, 0 notes\n"
    assert not (tmp_path / "store.db").exists()


def test_findings_as_json(mqsc: Command, tmp_path: Path) -> None:
    (tmp_path / "a.mqsc").write_bytes(BAD)
    rows = json.loads(mqsc("check", "a.mqsc", "--format", "json").out)
    assert [(row["rule_id"], row["line"]) for row in rows] == [("MQSC-C28", 1), ("AMQ8412E", 2), ("MQSC-C08", 3)]
    assert set(rows[0]) == {"rule_id", "severity", "file", "line", "column", "message", "right"}
    lines = mqsc("check", "a.mqsc", "--format", "jsonl").out.splitlines()
    assert [json.loads(line) for line in lines] == rows
    assert mqsc("check", "-", "--format", "json", stdin=b"DEFINE QLOCAL(A)\n").out == "[\n]\n"


def test_findings_as_sarif(mqsc: Command, tmp_path: Path) -> None:
    (tmp_path / "a.mqsc").write_bytes(BAD)
    (run,) = json.loads(mqsc("check", "a.mqsc", "--sarif").out)["runs"]
    assert [(each["ruleId"], each["level"]) for each in run["results"]] == [
        ("MQSC-C28", "warning"),
        ("AMQ8412E", "error"),
        ("MQSC-C08", "warning"),
    ]
    known = {rule["id"] for rule in run["tool"]["driver"]["rules"]}
    assert {each["ruleId"] for each in run["results"]} <= known


@pytest.mark.parametrize(
    ("files", "arguments", "code", "out"),
    [
        ({"a.mqsc": "DEFINE QLOCAL(A)\n"}, ["a.mqsc"], 0, []),
        ({"a.mqsc": "DEFINE QLOCAL(A) MAXDEPTH(0)\n"}, ["a.mqsc"], 0, ["a.mqsc:1:27: warning MQSC-C28"]),
        ({}, ["none.mqsc"], 20, []),
        ({"a.mqsc": "MAKE\n"}, ["a.mqsc", "none.mqsc"], 10, ["a.mqsc:1:1: error AMQ8426I"]),
        ({"a.mqsc": "DEFINE QLOCAL(A)\n"}, ["a.mqsc", "none.mqsc"], 10, []),
        ({"a.mqsc": ""}, ["a.mqsc"], 0, []),
        # Folders and patterns; files are checked in sorted order.
        ({"d/2.mqsc": "MAKE\n", "d/1.mqsc": "MAKE\n", "d/x.txt": "MAKE\n"}, ["d"], 10, ["d/1.mqsc", "d/2.mqsc"]),
        ({"d/2.txt": "MAKE\n", "d/1.txt": "MAKE\n"}, ["d/*.txt"], 10, ["d/1.txt", "d/2.txt"]),
        ({"a.mqsc": "DEFINE QLOCAL(${Q})\n"}, ["a.mqsc", "--set", "Q=ORDERS"], 0, []),
        ({"a.mqsc": "DEFINE QLOCAL(${Q})\n"}, ["a.mqsc", "--set", "R=ORDERS"], 10, ["a.mqsc:1:15: error"]),
        ({}, ["--set", "R", "-"], 20, []),
        ({}, ["--sarif", "--format", "json", "-"], 20, []),
        ({}, [], 20, []),
    ],
)
def test_exit_codes(
    mqsc: Command, tmp_path: Path, files: dict[str, str], arguments: list[str], code: int, out: list[str]
) -> None:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    ended = mqsc("check", *arguments)
    assert ended.code == code, ended.err
    assert len(ended.lines) == len(out)
    assert all(line.startswith(begin) for line, begin in zip(ended.lines, out, strict=True))


def test_standard_input_and_quiet(mqsc: Command) -> None:
    ended = mqsc("check", "-", "--quiet", stdin=b"MAKE\n")
    assert (ended.code, ended.err) == (10, "")
    assert ended.out.startswith("-:1:1: error AMQ8426I: 'MAKE' is not an MQSC verb")


WARNED = "DEFINE QLOCAL(A) BOTHRESH(3)\n"
NOTED = "DEFINE QLOCAL(orders)\n"


@pytest.mark.parametrize(
    ("text", "arguments", "code"),
    [
        (WARNED, [], 0),
        (WARNED, ["--fail-on", "warning"], 10),
        (WARNED, ["--fail-on", "note"], 10),
        (NOTED, ["--fail-on", "warning"], 0),
        (NOTED, ["--fail-on", "note"], 10),
        ("MAKE\n", ["--fail-on", "error"], 10),
        (WARNED, ["--fail-on", "warning", "--ignore", "C08"], 0),
        (WARNED, ["--fail-on", "warning", "--ignore", "warning"], 0),
        (WARNED, ["--fail-on", "warning", "--select", "c08,C22"], 10),
        (WARNED, ["--fail-on", "warning", "--select", "note"], 0),
        (f"* mqsc: allow C08: drained by hand\n{WARNED}", ["--fail-on", "note"], 0),
        ("MAKE\n", ["--select", "C08", "--ignore", "warning,note"], 10),
    ],
)
def test_what_makes_a_check_fail(mqsc: Command, text: str, arguments: list[str], code: int) -> None:
    assert mqsc("check", "-", *arguments, stdin=text.encode()).code == code


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--ignore", "C80"], "'C80' is not a rule of mqsc check; examples: C08, MQSC-C22, note"),
        (["--select", "MQSC-C08,"], "'' is not a rule of mqsc check"),
        (["--select", "AMQ8405I"], "'AMQ8405I' is not a rule of mqsc check"),
        (["--fail-on", "info"], "'info' is not one of 'error', 'warning', 'note'"),
        (["--baseline", "none.json"], "none.json does not exist; write it with --write-baseline none.json"),
        (["--baseline", "bad.json"], "bad.json is not a baseline of mqsc check; write it with --write-baseline"),
        (["--baseline", "newer.json"], "newer.json is a baseline of version 2; this is version 1"),
        (["--write-baseline", "none/a.json"], "none/a.json cannot be written: No such file or directory"),
    ],
)
def test_refused_options(mqsc: Command, tmp_path: Path, arguments: list[str], says: str) -> None:
    (tmp_path / "bad.json").write_text('{"version": 1, "diagnostics": [{"file": 7}]}')
    (tmp_path / "newer.json").write_text('{"version": 2, "diagnostics": []}')
    ended = mqsc("check", "-", *arguments, stdin=WARNED.encode())
    assert ended.code == 20
    assert says in ended.err


def test_a_baseline_leaves_only_what_is_new(mqsc: Command, tmp_path: Path) -> None:
    (tmp_path / "ci").mkdir()
    (tmp_path / "a.mqsc").write_text(WARNED)
    written = mqsc("check", "a.mqsc", "--fail-on", "warning", "--write-baseline", "ci/known.json")
    assert (written.code, written.out) == (0, "")
    assert written.err == "mqsc: 1 file checked: 0 errors, 0 warnings, 0 notes, 1 in the baseline\n"
    # Lines may move, and the check may be run elsewhere.
    (tmp_path / "a.mqsc").write_text(f"\n\n{WARNED}{WARNED.replace('(A)', '(B)')}MAKE\n")
    later = mqsc("check", str(tmp_path / "a.mqsc"), "--fail-on", "warning", "--baseline", "ci/known.json")
    assert later.code == 10
    assert [line.split(": ")[1] for line in later.lines] == ["warning MQSC-C08", "error AMQ8426I"]
    (tmp_path / "a.mqsc").write_text("DEFINE QLOCAL(A)\n")
    gone = mqsc("check", "a.mqsc", "--baseline", "ci/known.json")
    assert gone.err.endswith(", 0 in the baseline, 1 of the baseline no longer there\n")


def test_a_baseline_takes_any_message_but_needs_every_file(mqsc: Command, tmp_path: Path) -> None:
    (tmp_path / "a.mqsc").write_bytes(b"* mqsc: allow \xff: x\nDEFINE QLOCAL(A)\n")
    assert mqsc("check", "a.mqsc", "none.mqsc", "--write-baseline", "known.json").code == 20
    assert not (tmp_path / "known.json").exists()
    assert mqsc("check", "a.mqsc", "--write-baseline", "known.json", "--fail-on", "note").code == 0
    assert mqsc("check", "a.mqsc", "--baseline", "known.json", "--fail-on", "note").code == 0


def test_the_text_of_a_baseline_is_stable(mqsc: Command, tmp_path: Path) -> None:
    (tmp_path / "a.mqsc").write_text(WARNED.replace("A", "Ä") + WARNED + NOTED)
    mqsc("check", "a.mqsc", "--write-baseline", "known.json", "--ignore", "note")
    first = (tmp_path / "known.json").read_text("utf-8")
    assert first == (
        '{"version": 1, "diagnostics": [\n'
        '  {"file": "a.mqsc", "rule_id": "MQSC-C08", '
        '"message": "A has BOTHRESH(3) but no BOQNAME for poison messages", "count": 1}\n]}\n'
    )
    mqsc("check", "a.mqsc", "--write-baseline", "known.json", "--baseline", "known.json", "--ignore", "note")
    assert (tmp_path / "known.json").read_text("utf-8") == first
    mqsc("check", "-", "--write-baseline", "known.json")
    assert (tmp_path / "known.json").read_text("utf-8") == '{"version": 1, "diagnostics": []}\n'


def test_what_is_not_supported_can_be_a_note(mqsc: Command) -> None:
    text = b"DEFINE BUFFPOOL(0)\nDEFINE PSID(0) NONSENSE(1)\n"
    assert mqsc("check", "-", stdin=text).err == "mqsc: 1 file checked: 2 errors, 0 warnings, 1 note\n"
    # A command that is wrong in itself is an error nonetheless.
    ended = mqsc("check", "--skip-unsupported", "-", stdin=text)
    assert (ended.code, ended.err) == (10, "mqsc: 1 file checked: 1 error, 0 warnings, 2 notes\n")
    only = mqsc("check", "--skip-unsupported", "--ignore", "C22", "-", stdin=b"DEFINE BUFFPOOL(0)\n")
    assert (only.code, only.err) == (0, "mqsc: 1 file checked: 0 errors, 0 warnings, 1 note\n")
    assert "note MQSC0003E: DEFINE BUFFPOOL is not supported here" in only.out

"""The options that select objects, and the variables in YAML files, for each command that has
them.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mqsc.scripts.selection import Selection
from tests.mqsc.conftest import Command

FILE = """\
DEFINE QLOCAL(APP.A) MAXDEPTH(7)
DEFINE QALIAS(APP.B) TARGET(APP.A)
DEFINE QLOCAL(OWN.A)
DEFINE CHANNEL(APP.C) CHLTYPE(SVRCONN)
ALTER QMGR DEADQ(APP.A)
SET AUTHREC PROFILE(APP.A) OBJTYPE(QUEUE) GROUP('g') AUTHADD(GET)
"""
SELECTED = [
    ((), ["APP.A", "APP.B", "OWN.A", "APP.C", "QM1", "APP.A"]),
    (("--include", "APP.*"), ["APP.A", "APP.B", "APP.C", "APP.A"]),
    (("--include", "*.A", "--include", "*.C"), ["APP.A", "OWN.A", "APP.C", "APP.A"]),
    (("--include", "app.*"), []),
    (("--exclude", "*.A"), ["APP.B", "APP.C", "QM1"]),
    (("--types", "queue"), ["APP.A", "APP.B", "OWN.A"]),
    (("--types", "ql,Channel"), ["APP.A", "OWN.A", "APP.C"]),
    (("--types", "qmgr", "--types", "authrec"), ["QM1", "APP.A"]),
    (("--types", "queue", "--include", "APP.*", "--exclude", "*B"), ["APP.A"]),
]


@pytest.fixture
def made(mqsc: Command, tmp_path: Path) -> Command:
    mqsc("qmgr", "create", "QM1")
    (tmp_path / "a.mqsc").write_text(FILE)
    return mqsc


def names(mqsc: Command, *arguments: str) -> list[str]:
    """The names of the objects in the rows; that of the queue manager is not in an export."""
    return [
        row.get("name", "QM1") or "QM1"
        for row in json.loads(mqsc(*arguments, "--format", "json").out)
    ]


@pytest.mark.parametrize(("options", "expected"), SELECTED)
def test_every_command_selects_the_same(
    made: Command,
    options: tuple[str, ...],
    expected: list[str],
) -> None:
    for command in (("run", "--plan"), ("apply", "--plan"), ("diff",), ("apply", "--yes")):
        assert names(made, *command, "a.mqsc", *options) == expected
    assert names(made, "diff", "a.mqsc", *options) == []
    made("apply", "--yes", "a.mqsc")
    assert sorted(names(made, "export", *options)) == sorted(expected)
    (left_out,) = [
        line for line in made("diff", "a.mqsc", *options).err.splitlines() if "selected" in line
    ] or [""]
    assert left_out == (
        f"mqsc: {6 - len(expected)} definitions in the files not selected" if options else ""
    )


def test_only_the_selection_is_pruned(made: Command) -> None:
    made(
        "run",
        "-c",
        "DEFINE QLOCAL(APP.OLD)\nDEFINE QLOCAL(OWN.OLD)\nDEFINE TOPIC(APP.T) TOPICSTR('t')",
    )
    made("apply", "--yes", "a.mqsc")
    selection = ("--types", "queue", "--include", "APP.*")
    assert names(made, "diff", "a.mqsc", *selection) == ["APP.OLD"]
    assert names(made, "apply", "--yes", "--prune", "a.mqsc", *selection)[-1] == "APP.OLD"
    assert names(made, "diff", "a.mqsc") == ["APP.T", "OWN.OLD"]
    assert names(made, "diff", "a.mqsc", "--only-defined") == []
    refused = made("apply", "--yes", "--prune", "a.mqsc", "--include", "X*")
    assert (refused.code, refused.out) == (20, "")
    assert (
        "the files define nothing of the selection, so --prune would delete everything of the "
        "selection" in refused.err
    )


def test_only_what_files_define_is_exported_and_compared(made: Command, tmp_path: Path) -> None:
    made("apply", "--yes", "a.mqsc")
    (tmp_path / "b.mqsc").write_text("DEFINE QLOCAL(APP.A)\nALTER QMGR DEADQ(X)\n")
    made(
        "run",
        "-c",
        "ALTER QMGR DESCR('x')\nALTER QLOCAL(SYSTEM.DEFAULT.LOCAL.QUEUE) GET(DISABLED)",
    )
    exported = made("export", "--only-defined", "b.mqsc").lines
    assert exported[2:] == [
        "ALTER QMGR DEADQ('APP.A') DESCR('x')",
        "",
        "DEFINE QLOCAL('APP.A') MAXDEPTH(7) REPLACE",
    ]
    assert names(made, "diff", "b.mqsc", "--only-defined") == ["APP.A", "QM1"]
    for wrong in (("export", "b.mqsc"), ("export", "--only-defined")):
        assert "--only-defined goes with the FILEs that define what to write" in made(*wrong).err


def test_an_asterisk_is_any_text() -> None:
    selection = Selection(("A*C", "[x]"), ("*B*",))
    assert [
        name
        for name in ("AC", "A.C", "ABC", "ACD", "[x]", "x", "a.c")
        if selection.has("QLOCAL", name)
    ] == ["AC", "A.C", "[x]"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (
            ("diff", "a.mqsc", "--types", "queues"),
            "queues is no kind of object; did you mean queue?\n",
        ),
        (("apply", "a.mqsc", "--prune", "--yes", "--types", ""), "it names no kind of object."),
        (
            ("run", "a.mqsc", "--include", "A"),
            "select what --plan lists; a run carries out everything",
        ),
        (
            ("apply", "a.mqsc", "--prune", "--only-defined"),
            "--prune deletes what the files do not define; leave",
        ),
    ],
)
def test_selections_that_make_no_sense(
    made: Command,
    arguments: tuple[str, ...],
    says: str,
) -> None:
    ended = made(*arguments)
    assert (ended.code, says in ended.err) == (20, True), ended.err


@pytest.mark.parametrize(
    "command",
    [("run", "--plan"), ("apply", "--plan"), ("diff",), ("check",), ("export", "--only-defined")],
)
def test_variables_from_files(made: Command, tmp_path: Path, command: tuple[str, ...]) -> None:
    (tmp_path / "v.mqsc").write_text(
        "DEFINE QLOCAL(${env.name}.Q) MAXDEPTH(${depth}) DESCR('${text}')\n",
    )
    (tmp_path / "env.yaml").write_text("env:\n  name: TEST\ndepth: 0x5\ntext: it's\nother: ''\n")
    (tmp_path / "more.yaml").write_text("{depth: 007, text: yes}\n")
    assert made(*command, "v.mqsc", "--set-file", "env.yaml", "--set-file", "more.yaml").code in (
        0,
        2,
    )
    ended = made(
        *command,
        "v.mqsc",
        "--set-file",
        "env.yaml",
        "--set-file",
        "more.yaml",
        "--set",
        "depth=9",
        "--set",
        "x=",
    )
    assert ended.code in (0, 2)
    if "--plan" in command:
        assert "TEST.Q" in ended.out
        assert {"MAXDEPTH  9", "DESCR     yes"} <= {line.strip() for line in ended.lines}
        assert [line for line in ended.err.splitlines() if "no command uses" in line] == [
            "mqsc: --set x: no command uses ${x}",
        ]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("- A", "line 1, column 1: the file must be a mapping, NAME: VALUE, not a list or text"),
        ("A: [1, 2]", "line 1, column 4: A must be one text, not a list or text"),
        ("A: 1\nA: 2", "line 2, column 1: A is there twice"),
        ("A: {b: 1}\nA.b: 2", "line 2, column 1: A.b is there twice"),
        ("A: " + "[" * 5000, "env.yaml has too many mappings inside each other"),
        ("A:\n  b:", "line 2, column 5: A.b has no value; write '' for an empty text"),
        (
            "A: &x 1\nB: *x",
            "line 1, column 4: an anchor with aliases is not read; write each value out",
        ),
        ("A: &x {b: *x}", "an anchor with aliases is not read"),
        ("a b: 1", "line 1, column 6: 'a b=1' is not NAME=VALUE"),
        ("A: |\n  1\n  2\n", "line 1, column 4: the value of A contains a line end"),
        ("? [a]\n: 1", "line 1, column 3: a name is missing"),
        ("A: 'x", "line 1, column 6: found unexpected end of stream"),
        ("A: \x07", "special characters are not allowed"),
        (b"A: \xff", "cannot be read: it is not UTF-8"),
        (None, "cannot be read: No such file or directory"),
    ],
)
def test_faults_in_files_of_variables(
    made: Command,
    tmp_path: Path,
    text: str | bytes | None,
    says: str,
) -> None:
    if text is not None:
        (tmp_path / "env.yaml").write_bytes(text if isinstance(text, bytes) else text.encode())
    ended = made("diff", "a.mqsc", "--set-file", "env.yaml")
    assert (ended.code, ended.out) == (20, "")
    assert ended.err.startswith("mqsc: --set-file: env.yaml")
    assert says in ended.err

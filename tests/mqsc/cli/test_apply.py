"""`mqsc apply`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mqsc.console.inputs import InputSource
from mqsc.scripts import apply_run
from mqsc.scripts.declarations import statements_in
from mqsc.scripts.planning import ApplyPlan, plan_to_apply
from mqsc.store import open_store
from mqsc.store.client.queue_manager import QueueManager
from tests.mqsc.conftest import Command
from tests.mqsc.screen import screen
from tests.rows import rows

FILE = """\
DEFINE QLOCAL(ORDERS) MAXDEPTH(10)
ALTER QLOCAL(ORDERS) BOTHRESH(3)
DEFINE CHANNEL(C) CHLTYPE(SVRCONN)
DEFINE CHANNEL(C) CHLTYPE(CLNTCONN) CONNAME('host')
SET CHLAUTH('C') TYPE(ADDRESSMAP) ADDRESS('192.0.2.1') USERSRC(CHANNEL)
SET AUTHREC PROFILE(ORDERS) OBJTYPE(QUEUE) GROUP('staff') AUTHADD(GET,PUT)
ALTER QMGR DEADQ(ORDERS)
DELETE QLOCAL(OLD)
DISPLAY QLOCAL(*)
REFRESH SECURITY
"""
NAMED = ["ORDERS", "C", "C", "C", "ORDERS", "QM1", "OLD"]


@pytest.fixture
def made(mqsc: Command, tmp_path: Path) -> Command:
    """The command line, with a queue manager QM1 and the file."""
    mqsc("qmgr", "create", "QM1")
    (tmp_path / "qm1.mqsc").write_text(FILE)
    return mqsc


def applied(mqsc: Command, text: str, *more: str) -> tuple[int, list[tuple[str, str]]]:
    """Apply a text; return the exit code, and action and name of each row."""
    ended = mqsc("apply", "-", "--yes", "--format", "json", *more, stdin=text.encode())
    return ended.code, [(row["action"], row["name"]) for row in json.loads(ended.out)]


def history(mqsc: Command) -> int:
    return len(mqsc("history", "--format", "jsonl").out.splitlines())


def test_it_creates_then_leaves_everything_untouched(made: Command) -> None:
    first = made("apply", "--yes", "qm1.mqsc")
    assert first.code == 0
    assert first.err.startswith(
        "mqsc: QM1: 5 created, 1 updated, 1 unchanged, 1 skipped\nmqsc: undo it with `mqsc undo ",
    )
    assert first.lines[:3] == [
        "CREATED    QLOCAL(ORDERS)                                     qm1.mqsc:1",
        "           MAXDEPTH  10",
        "           BOTHRESH  3",
    ]
    before = history(made)
    second = made("apply", "--yes", "qm1.mqsc")
    assert (second.code, second.err) == (
        0,
        "mqsc: QM1: 7 unchanged, 1 skipped; nothing to change\n",
    )
    assert history(made) == before
    assert made("diff", "qm1.mqsc").code == 0


def test_an_object_that_was_changed_by_hand_is_brought_back(made: Command) -> None:
    made("apply", "--yes", "qm1.mqsc")
    made(
        "run",
        "-c",
        "ALTER QLOCAL(ORDERS) MAXDEPTH(11) DESCR('by hand')",
        "-c",
        "ALTER QMGR DESCR('kept')",
    )
    ended = made("apply", "--yes", "qm1.mqsc")
    assert ended.lines[:3] == [
        "UPDATED    QLOCAL(ORDERS)                                     qm1.mqsc:1",
        "           DESCR     'by hand' -> ' '",
        "           MAXDEPTH  11 -> 10",
    ]
    assert "DESCR(kept)" in made("run", "-c", "DISPLAY QMGR DESCR").out


def test_an_empty_file_needs_definitions_not_commands(made: Command, tmp_path: Path) -> None:
    (tmp_path / "empty.mqsc").touch()
    for command in ("apply", "diff"):
        said = made(command, "empty.mqsc").err
        assert "it should have definitions, such as DEFINE QLOCAL(ORDERS)" in said
        assert "DISPLAY QMGR" not in said


def test_the_plan_changes_nothing(made: Command) -> None:
    before = history(made)
    ended = made("apply", "--plan", "qm1.mqsc", "--format", "jsonl")
    rows = [json.loads(line) for line in ended.out.splitlines()]
    assert (ended.code, [row["name"] for row in rows]) == (2, [*NAMED, ""])
    assert rows[0]["changes"] == {
        "MAXDEPTH": {"old": None, "new": 10},
        "BOTHRESH": {"old": None, "new": 3},
    }
    assert (rows[-1]["action"], rows[-1]["text"]) == ("SKIPPED", "not a definition; use mqsc run")
    assert history(made) == before


def test_an_error_changes_nothing(made: Command) -> None:
    before = history(made)
    ended = made(
        "apply",
        "--yes",
        "-",
        stdin=b"DEFINE QLOCAL(A)\nMAKE\nALTER QLOCAL(NONE) GET(ENABLED)\n",
    )
    assert ended.code == 10
    assert [line.split("  ")[0] for line in ended.lines if not line.startswith(" ")] == [
        "CREATE",
        "ERROR",
        "ERROR",
    ]
    assert ended.err == "mqsc: QM1: 1 to create, 2 in error\nmqsc: nothing was changed\n"
    assert history(made) == before


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("apply",), "Missing argument"),
        (
            ("apply", "none.mqsc", "qm1.mqsc", "--yes"),
            "none.mqsc does not exist\nmqsc: nothing was changed: apply needs",
        ),
        (("apply", "qm1.mqsc"), "there is no terminal to ask for confirmation; add --yes"),
        (
            ("apply", "qm1.mqsc", "--format", "json"),
            "cannot ask for confirmation; add --yes, or --plan",
        ),
        (
            ("apply", "--prune", "--yes", "-"),
            "the files define nothing, so --prune would delete everything",
        ),
        (
            ("apply", "--yes", "qm1.mqsc", "-m", "QM2"),
            "AMQ8118E: IBM MQ queue manager 'QM2' does not exist.",
        ),
        (("apply", "--yes", "qm1.mqsc", "--set", "X"), "is not NAME=VALUE"),
        (
            ("apply", "--yes", "--plan", "qm1.mqsc"),
            "--yes makes the change, --plan and --out change nothing",
        ),
    ],
)
def test_refusals(made: Command, arguments: tuple[str, ...], says: str) -> None:
    before = history(made)
    ended = made(*arguments, stdin=b"DISPLAY QMGR\n")
    assert ended.code == (10 if "does not exist." in says else 20)
    assert says in ended.err
    assert history(made) == before


def test_prune(made: Command) -> None:
    made("apply", "--yes", "qm1.mqsc")
    more = (
        "DEFINE QMODEL(A.MODEL)\nDEFINE QLOCAL(FULL)\nDEFINE QLOCAL(EMPTY)\nDEFINE TOPIC(T) "
        "TOPICSTR('t')\n"
    )
    records = (
        "SET AUTHREC PROFILE(ORDERS) OBJTYPE(QUEUE) GROUP('other') AUTHADD(GET)\nDELETE AUTHREC "
        "OBJTYPE(QMGR)\n"
    )
    made("run", "-c", more, "-c", records, "-c", "SET CHLAUTH('C') TYPE(BLOCKUSER) USERLIST('x')")
    made("run", "-c", "SET AUTHREC PROFILE(FULL) OBJTYPE(QUEUE) GROUP('kept') AUTHADD(GET)")
    made("put", "FULL", "hello")
    assert applied(made, FILE)[0] == 0
    code, rows = applied(
        made,
        FILE.replace("DEFINE CHANNEL(C) CHLTYPE(CLNTCONN) CONNAME('host')\n", ""),
        "--prune",
    )
    assert (code, sorted(row for row in rows if row[0] != "UNCHANGED")) == (
        0,
        [
            ("DELETED", "A.MODEL"),
            ("DELETED", "C"),
            ("DELETED", "C"),
            ("DELETED", "EMPTY"),
            ("DELETED", "ORDERS"),
            ("DELETED", "T"),
            ("KEPT", "FULL"),
            ("SKIPPED", ""),
        ],
    )
    assert applied(made, FILE, "--prune", "--detailed-exitcode")[0] == 2
    again = made("apply", "--prune", "--yes", "--quiet", "qm1.mqsc")
    assert (again.code, again.err) == (0, "")
    assert again.lines == [
        "KEPT       QLOCAL(FULL), 1 message                            --prune",
        "           AMQ8143E: IBM MQ queue not empty.",
        "           FULL has messages.",
    ]
    compared = made("diff", "qm1.mqsc")
    assert (compared.code, compared.lines) == (2, again.lines)


def test_prune_makes_way_for_an_object_of_another_type(made: Command) -> None:
    made("run", "-c", "DEFINE QALIAS(A) TARGET(B)", "-c", "DEFINE CHANNEL(C) CHLTYPE(RCVR)")
    file = "DEFINE QLOCAL(A)\nDEFINE CHANNEL(C) CHLTYPE(SVRCONN)\n"
    assert applied(made, file)[0] == 10
    code, rows = applied(made, file, "--prune")
    assert (code, rows) == (0, [("DELETED", "A"), ("CREATED", "A"), ("UPDATED", "C")])
    assert applied(made, file, "--prune") == (0, [("UNCHANGED", "A"), ("UNCHANGED", "C")])


@pytest.mark.parametrize(
    ("other", "word"),
    [
        ("TOPICSTR('b') DESTCLAS(MANAGED)", "TOPICSTR"),
        ("TOPICSTR('a') DEST(Q)", "DEST"),
        ("TOPICSTR('a') DESTCLAS(MANAGED) SUBLEVEL(2)", "SUBLEVEL"),
        ("TOPICSTR('a') DESTCLAS(MANAGED) SELECTOR('x=1')", "SELECTOR"),
    ],
)
def test_prune_makes_a_subscription_anew_that_no_command_can_change(
    made: Command, other: str, word: str
) -> None:
    """But not while messages wait on its managed queue. That queue is no object of its own."""
    created = applied(made, "DEFINE QLOCAL(Q)\nDEFINE SUB(S) TOPICSTR('a') DESTCLAS(MANAGED)\n")
    assert created == (0, [("CREATED", "Q"), ("CREATED", "S")])
    file = f"DEFINE QLOCAL(Q)\nDEFINE SUB(S) {other}\n"
    assert made("put", "--topic", "a", "x").code == 0
    refused = made("apply", "--yes", "--prune", "-", stdin=file.encode())
    assert refused.code == 10
    assert "With --prune it is deleted and defined anew, unless messages wait" in refused.out
    assert made("subscribe", "a", "--durable", "S", "--wait", "0").lines == ["x"]
    assert applied(made, file)[0] == 10
    done = made("apply", "--yes", "--prune", "-", stdin=file.encode())
    assert (done.code, "because no ALTER sets this" in done.out) == (0, True)
    assert "UPDATED    SUB(S)" in done.out
    assert f" {word} " in done.out
    assert applied(made, file, "--prune") == (0, [("UNCHANGED", "Q"), ("UNCHANGED", "S")])
    assert "SYSTEM.MANAGED" not in made("export", "--include", "*").out


def test_prune_keeps_a_subscription_for_which_messages_wait(made: Command) -> None:
    assert applied(made, "DEFINE SUB(S) TOPICSTR('a') DESTCLAS(MANAGED)\n")[0] == 0
    assert made("put", "--topic", "a", "x").code == 0
    kept = made("apply", "--yes", "--prune", "-", stdin=b"DEFINE QLOCAL(Q)\n")
    assert "messages wait on its managed queue: 1" in kept.out
    planned = made("run", "--plan", "-c", "DELETE SUB(S)")
    assert planned.lines[0].split()[:4] == ["DELETE", "SUB(S),", "1", "message"]
    assert "QLOCAL" not in planned.out


@pytest.mark.parametrize(
    "file",
    [
        "DEFINE QLOCAL(A) MAXDEPTH(1)\nDEFINE QLOCAL(B) LIKE(A)\nALTER QLOCAL(A) MAXDEPTH(2)\n",
        "DELETE QLOCAL(A) PURGE\nDEFINE QLOCAL(A)\n",
        "DEFINE QLOCAL(A) MAXDEPTH(1)\nDEFINE QLOCAL(A) MAXDEPTH(2) REPLACE\n",
        "DEFINE QLOCAL(A)\nDELETE QLOCAL(A)\n",
        "SET CHLAUTH('C') TYPE(BLOCKUSER) ACTION(REMOVEALL)\nSET CHLAUTH('C') TYPE(BLOCKUSER) "
        "USERLIST('a','b')\n",
        "SET CHLAUTH('C') TYPE(BLOCKUSER) USERLIST('a')\nSET CHLAUTH('C') TYPE(BLOCKUSER) "
        "USERLIST('b')\n",
        "SET AUTHREC PROFILE(A) OBJTYPE(QUEUE) GROUP('a','b') AUTHADD(GET)\n",
        "DEFINE AUTHINFO(A) AUTHTYPE(IDPWLDAP) CONNAME('a') LDAPUSER('u') LDAPPWD('x')\n",
        "DEFINE NAMELIST(N) NAMES(A,B)\nALTER QMGR MAXMSGL(5000000)\n",
        "DEFINE SUB('s') TOPICSTR('t') DEST(SYSTEM.DEFAULT.LOCAL.QUEUE)\n",
        "DELETE CHANNEL(SYSTEM.DEF.SENDER)\nDELETE QMODEL(SYSTEM.DEFAULT.MODEL.QUEUE)\n",
    ],
)
def test_every_file_can_be_applied_again(made: Command, file: str) -> None:
    first = made("apply", "--yes", "-", stdin=file.encode())
    assert first.code == 0, first.out
    exported = made("export").out
    before = history(made)
    again = made("apply", "--yes", "--prune", "-", stdin=file.encode())
    assert (again.code, history(made), made("export").out) == (0, before, exported)


def test_two_definitions_of_one_object_are_an_error(made: Command) -> None:
    ended = made("apply", "--yes", "-", stdin=b"DEFINE QLOCAL(A)\nDEFINE QLOCAL(A) MAXDEPTH(1)\n")
    assert ended.code == 10
    assert "AMQ8150E: IBM MQ object already exists." in ended.out


def test_an_export_can_be_applied(made: Command) -> None:
    made("apply", "--yes", "qm1.mqsc")
    made(
        "run",
        "-c",
        "DELETE CHANNEL(SYSTEM.DEF.SENDER)",
        "-c",
        "ALTER QLOCAL(SYSTEM.DEFAULT.LOCAL.QUEUE) MAXDEPTH(9)",
    )
    exported = made("export").out.encode()
    assert made("apply", "--yes", "--prune", "-", stdin=exported).code == 0
    made("qmgr", "create", "QM2")
    assert made("apply", "--yes", "-", "-m", "QM2", stdin=exported).code == 0
    assert made("diff", "-", "-m", "QM2", stdin=exported).code == 0


def test_the_first_queue_manager_is_created_only_to_be_changed(
    mqsc: Command,
    tmp_path: Path,
) -> None:
    assert mqsc("apply", "--plan", "-", stdin=b"DEFINE QLOCAL(A)").code == 2
    assert mqsc("apply", "--yes", "-", stdin=b"DISPLAY QMGR").code == 0
    assert mqsc("apply", "-", stdin=b"DEFINE QLOCAL(A)").code == 20
    assert not (tmp_path / "store.db").exists()
    ended = mqsc("apply", "--yes", "-", stdin=b"DEFINE QLOCAL(A)")
    assert (ended.code, ended.lines) == (
        0,
        ["CREATED    QLOCAL(A)                                          line 1"],
    )


def test_it_asks_on_a_terminal(made: Command, tmp_path: Path) -> None:
    file = str(tmp_path / "qm1.mqsc")
    refused = screen(tmp_path, "apply", file, typed="n\n", width=100)
    assert refused.endswith("Change the queue manager QM1? [y/N]: mqsc: nothing was changed\n")
    accepted = screen(tmp_path, "apply", file, typed="y\n", width=100)
    assert accepted.splitlines()[-2:-1] == [
        "mqsc: QM1: 5 created, 1 updated, 1 unchanged, 1 skipped",
    ]
    assert accepted.splitlines()[-1].startswith("mqsc: undo it with `mqsc undo ")
    assert "CREATED    QLOCAL(ORDERS)" in accepted
    assert made("apply", "--yes", "qm1.mqsc").code == 0


def test_it_fits_a_narrow_screen(made: Command, tmp_path: Path) -> None:
    made("apply", "--yes", "qm1.mqsc")
    made(
        "run",
        "-c",
        "ALTER QLOCAL(ORDERS) DESCR('A long description for a narrow screen')",
        "-c",
        "DEFINE QLOCAL(X)",
    )
    made("put", "X", "hello")
    shown = screen(tmp_path, "apply", "--plan", "--prune", str(tmp_path / "qm1.mqsc"), width=40)
    # A single long word is kept whole, so that it can be copied.
    assert [line for line in shown.splitlines() if len(line) > 40 and len(line.split()) > 1] == []


@pytest.mark.parametrize(
    ("text", "name", "values"),
    [
        (
            "DEFINE QLOCAL(A)\nALTER QLOCAL(SYSTEM.DEFAULT.LOCAL.QUEUE) MAXDEPTH(7)",
            "QLOCAL(A)",
            "MAXDEPTH(7)",
        ),
        (
            "DEFINE QL(A)\nDEFINE QL(B) LIKE(A)\nALTER QL(A) MAXDEPTH(7)",
            "QLOCAL(B)",
            "MAXDEPTH(5000)",
        ),
        (
            "DEFINE QL(A) LIKE(SYSTEM.CHANNEL.INITQ)\nALTER QL(SYSTEM.CHANNEL.INITQ) MAXDEPTH(7)",
            "QLOCAL(A)",
            "MAXDEPTH(7)",
        ),
        (
            "DEFINE CHL(A) CHLTYPE(SVRCONN)\nALTER CHL(SYSTEM.DEF.SVRCONN) CHLTYPE(SVRCONN) "
            "MAXINST(7)",
            "CHANNEL(A)",
            "MAXINST(7)",
        ),
        # One step more for each repetition.
        (
            "DEFINE QL(A)\nDEFINE QL(B)\nDEFINE QL(C)\nDEFINE QL(D) LIKE(C)\nALTER QL(C) "
            "DESCR('c')\n"
            "DEFINE QL(C) LIKE(B) REPLACE\nALTER QL(B) DESCR('b')\n"
            "DEFINE QL(B) LIKE(A) REPLACE\nALTER QL(A) MAXDEPTH(7)",
            "QLOCAL(D)",
            "DESCR( )",
        ),
    ],
)
def test_a_copy_of_what_a_later_command_changes(
    made: Command,
    text: str,
    name: str,
    values: str,
) -> None:
    code, _ = applied(made, text)
    assert code == 0
    shown = made("run", "-e", "-c", f"DISPLAY {name} {values.partition('(')[0]}").out
    code, rows = applied(made, text)
    assert (code, {action for action, _ in rows}) == (0, {"UNCHANGED"})
    assert values in shown


def planned(qmgr: QueueManager, text: str, *, prune: bool = False) -> ApplyPlan:
    return plan_to_apply(qmgr, statements_in([InputSource(text=text)], None), prune=prune)


@pytest.mark.parametrize(
    ("between", "says"),
    [
        ("DEFINE QLOCAL(OTHER)", "QLOCAL(OTHER) changed after the plan was made"),
        ("ALTER QMGR DESCR('x')", "QMGR(QM1) changed after the plan was made"),
    ],
)
def test_a_change_after_the_plan_is_noticed(
    made: Command,
    tmp_path: Path,
    between: str,
    says: str,
) -> None:
    made("run", "-c", "DEFINE QLOCAL(EMPTY)")
    with open_store(f"sqlite:///{tmp_path}/store.db") as store:
        qmgr = store.queue_manager("QM1")
        plan = planned(qmgr, "DEFINE QLOCAL(A)", prune=True)
        made("run", "-c", between)
        exported = made("export").out
        with pytest.raises(
            apply_run.OutdatedPlanError,
            match=says.replace("(", r"\(").replace(")", r"\)"),
        ):
            apply_run.carry_out(qmgr, plan)
    assert made("export").out == exported


def test_only_a_plan_and_detailed_exitcode_tell_changes_by_the_exit_code(
    made: Command,
    tmp_path: Path,
) -> None:
    assert made("apply", "--plan", "qm1.mqsc").code == 2
    assert screen(tmp_path, "apply", str(tmp_path / "qm1.mqsc"), typed="n\n", width=100).endswith(
        "changed\n",
    )
    assert made("apply", "--yes", "--detailed-exitcode", "qm1.mqsc").code == 2
    assert made("apply", "--yes", "--detailed-exitcode", "qm1.mqsc").code == 0
    assert made("apply", "--plan", "qm1.mqsc").code == 0


def test_records_of_an_object_that_goes(made: Command) -> None:
    record = "SET AUTHREC PROFILE(Q) OBJTYPE(QUEUE) GROUP('g') AUTHADD(GET)\n"
    for file, options in (
        (record, ["--prune"]),
        (f"DELETE QLOCAL(Q)\n{record}", []),
        (f"{record}DELETE QLOCAL(Q)", []),
    ):
        made("run", "-c", "DEFINE QLOCAL(Q)", "-c", record)
        code, rows = applied(made, file, *options)
        assert (code, sorted(rows)) == (0, [("DELETED", "Q"), ("UNCHANGED", "Q")])
        assert "AUTHLIST(GET)" in made("run", "-c", "DISPLAY AUTHREC PROFILE(Q)").out
        assert {action for action, _ in applied(made, file, *options)[1]} == {"UNCHANGED"}
        assert made("diff", "-", stdin=file.encode()).code == 0


@rows(
    (
        "SET AUTHREC PROFILE('Q*') OBJTYPE(QUEUE) GROUP('g') AUTHADD({})",
        "DELETE AUTHREC PROFILE('Q*') OBJTYPE(QUEUE) GROUP('g')",
        "GET",
        "PUT",
    ),
    (
        "SET CHLAUTH('C*') TYPE(BLOCKUSER) USERLIST({})",
        "SET CHLAUTH('C*') TYPE(BLOCKUSER) ACTION(REMOVEALL)",
        "'a'",
        "'b'",
    ),
)
def test_a_record_that_is_removed_and_set_again(
    made: Command,
    record: str,
    removal: str,
    was: str,
    new: str,
) -> None:
    assert made("run", "-c", record.format(was)).code == 0
    assert [each[0] for each in applied(made, f"{removal}\n{record.format(new)}\n")[1]] == [
        "UPDATED",
    ]
    assert f"({new})" in made("export").out


def test_what_comes_from_a_changed_default_object_is_said(made: Command) -> None:
    file = b"DEFINE QLOCAL(Q)\n"
    made("apply", "--yes", "-", stdin=file)
    made("run", "-c", "ALTER QLOCAL(SYSTEM.DEFAULT.LOCAL.QUEUE) MAXDEPTH(9)")
    change = "           MAXDEPTH  5000 -> 9, from SYSTEM.DEFAULT.LOCAL.QUEUE"
    planned = made("run", "--plan", "-", stdin=b"DEFINE QLOCAL(Q) REPLACE")
    assert change in planned.lines
    assert made("diff", "-", stdin=file).lines[1] == change
    assert made("apply", "--yes", "-", stdin=file).lines[1] == change
    again = made("apply", "--yes", "-", stdin=file)
    assert (
        again.code,
        "QLOCAL(SYSTEM.DEFAULT.LOCAL.QUEUE), which was changed, by no file: MAXDEPTH" in again.err,
    ) == (
        0,
        True,
    )
    compared = made("diff", "-", stdin=file)
    assert (compared.code, compared.out) == (0, "")


def test_a_folder_is_read_with_its_subfolders(made: Command, tmp_path: Path) -> None:
    folder = tmp_path / "files" / "team"
    folder.mkdir(parents=True)
    (folder / "b.mqsc").write_text("DEFINE QLOCAL(B)")
    (folder / ".hidden.mqsc").write_text("WRONG")
    (folder.parent / "a.mqsc").write_text("DEFINE QLOCAL(A)")
    (folder.parent / "z").symlink_to(folder)
    ended = made("apply", "--yes", "--prune", "files", "--format", "jsonl")
    assert [json.loads(line)["name"] for line in ended.out.splitlines()] == ["A", "B"]
    assert (
        "files: not read: files/team/.hidden.mqsc and 1 more (hidden, linked or in a subfolder)"
        in ended.err
    )
    for files in (
        ("files",),
        ("files", "--no-subfolders", "files/team"),
        ("files/**/*.mqsc",),
        ("files/**",),
    ):
        assert made("diff", *files).out == ""
    alone = made("diff", "--no-subfolders", "files")
    assert alone.lines == ["DELETE     QLOCAL(B)                                          --prune"]
    assert "files/team/.hidden.mqsc and 2 more" in alone.err


def test_what_is_not_supported_can_be_left_out(made: Command) -> None:
    file = b"DEFINE QLOCAL(A)\nDEFINE BUFFPOOL(0)\n"
    assert made("apply", "--yes", "-", stdin=file).code == 10
    ended = made("apply", "--yes", "--skip-unsupported", "-", stdin=file)
    assert (ended.code, ended.err.splitlines()[0]) == (0, "mqsc: QM1: 1 created, 1 skipped")
    assert ended.lines[1:] == [
        "SKIPPED    DEFINE BUFFPOOL(0)                                 line 2",
        "           not supported here: a store has no buffer pools",
    ]

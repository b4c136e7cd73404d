"""`mqsc apply --on` and `run --on`: what is sent, undone, verified and recorded."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from mqsc.console.inputs import InputError
from mqsc.targets import sending
from mqsc.targets.undo_script import UndoFiles
from tests.examples import examples
from tests.mqsc.conftest import Command
from tests.mqsc.targets.store_elsewhere import (
    END_AFTER,
    FIRST,
    FOREIGN,
    KEEP,
    KILL_AFTER,
    LIE,
    NAME,
    PASS,
    PRINT,
    PUT_FIRST,
    WITHOUT_REPLIES,
    StoreElsewhere,
    mqsc_process,
    mqsc_program,
)

BEFORE = """DEFINE QLOCAL(OLD) DESCR('it''s old')
DEFINE QLOCAL(A) MAXDEPTH(7)
DEFINE CHANNEL(C) CHLTYPE(SVRCONN) MCAUSER('m')
SET AUTHREC PROFILE(OLD) OBJTYPE(QUEUE) GROUP('root') AUTHADD(GET)
"""
FILES = """DEFINE QLOCAL(A) MAXDEPTH(9)
DEFINE QLOCAL(NEW)
DEFINE CHANNEL(C) CHLTYPE(SVRCONN) MCAUSER('n')
SET AUTHREC PROFILE(A) OBJTYPE(QUEUE) GROUP('root') AUTHADD(PUT)
"""
APPLY = ("apply", "defs.mqsc", "--prune", "--on", "prod")


@pytest.fixture
def elsewhere(tmp_path: Path) -> StoreElsewhere:
    """The target `prod`, with the definitions in BEFORE; the files are defs.mqsc."""
    (tmp_path / "defs.mqsc").write_text(FILES)
    return StoreElsewhere(tmp_path, BEFORE)


def test_n14_apply_then_the_undo_script(mqsc: Command, elsewhere: StoreElsewhere) -> None:
    before = elsewhere.state()
    plan = mqsc(*APPLY, "--plan")
    assert (plan.code, plan.err) == (2, "mqsc: prod: 2 to create, 2 to update, 2 to delete\n")
    assert not [*elsewhere.folder.glob("undo*")]
    done = mqsc(*APPLY, "--yes")
    assert (done.code, "mqsc: prod: 5 commands sent, 5 done" in done.err) == (0, True)
    assert [line.split()[0] for line in done.lines if not line.startswith(" ")] == [
        "UPDATED",
        "CREATED",
        "UPDATED",
        "CREATED",
        "DELETED",
        "DELETED",
    ]
    after = elsewhere.state()
    assert after != before
    undo = elsewhere.undo()
    assert oct(undo.stat().st_mode)[-3:] == "600"
    undone = mqsc("run", undo.name, "--on", "prod", "--yes", "--undo", "..")
    assert (undone.code, elsewhere.state()) == (0, before)


def test_n13_the_second_time_nothing_is_sent(mqsc: Command, elsewhere: StoreElsewhere) -> None:
    assert mqsc(*APPLY, "--yes").code == 0
    elsewhere.behave("runmqsc", PRINT.format(text=b"not called", code=20))
    again = mqsc(*APPLY, "--yes")
    assert (again.code, "nothing to change" in again.err) == (0, True)


def test_the_plan_knows_which_queues_have_messages(
    mqsc: Command,
    elsewhere: StoreElsewhere,
) -> None:
    mqsc("--store", elsewhere.url, "put", "OLD", "kept")
    plan = mqsc(*APPLY, "--plan")
    assert "KEPT       QLOCAL(OLD), 1 message" in plan.out
    assert "2 to create, 2 to update, 1 kept" in plan.err
    compared = mqsc("diff", "defs.mqsc", "--on", "prod")
    assert "KEPT       QLOCAL(OLD), 1 message" in compared.out
    assert "QLOCAL('OLD')" not in mqsc(*APPLY, "--script").out
    (elsewhere.folder / "clear.mqsc").write_text("CLEAR QLOCAL(OLD)")
    assert "CLEAR QLOCAL(OLD), 1 message" in mqsc("run", "clear.mqsc", "--on", "prod", "--plan").out


def test_n05_one_command_is_refused(mqsc: Command, elsewhere: StoreElsewhere) -> None:
    """The queue that is to be deleted gets a message just before that."""
    elsewhere.behave("runmqsc", PUT_FIRST.format(queue="OLD"))
    ended = mqsc(*APPLY, "--yes")
    assert ended.code == 10
    assert "mqsc: prod: 5 commands sent, 4 done\n" in ended.err
    assert "mqsc: prod is not as planned: " in ended.err
    (error,) = [line for line in ended.lines if line.startswith("ERROR")]
    assert "DELETE QLOCAL('OLD')" in error
    assert "AMQ8143E" in ended.out
    undo = elsewhere.undo().read_text()
    assert "OLD" not in undo
    assert "DELETE QLOCAL('NEW')" in undo
    assert mqsc("run", elsewhere.undo().name, "--on", "prod", "--yes", "--undo", "..").code == 0
    assert ("QLOCAL(A)", 7) in [
        (title, values["MAXDEPTH"])  # type: ignore[index]
        for title, values in elsewhere.state()
        if title == "QLOCAL(A)"
    ]


def test_a_program_that_says_too_much(mqsc: Command, elsewhere: StoreElsewhere) -> None:
    elsewhere.behave("runmqsc", LIE)
    ended = mqsc(*APPLY, "--yes")
    assert ended.code == 10
    assert "prod is not as planned: " in ended.err


def test_a_program_that_ends_in_the_middle(mqsc: Command, elsewhere: StoreElsewhere) -> None:
    elsewhere.behave("runmqsc", END_AFTER.format(count=2))
    ended = mqsc(*APPLY, "--yes")
    assert (ended.code, "5 commands sent, 2 done" in ended.err) == (10, True)
    assert "killed by signal 9" in ended.err
    undo = [line for line in elsewhere.undo().read_text().splitlines() if line[0] != "*"]
    assert undo == ["ALTER QLOCAL('A') MAXDEPTH(7)", "DELETE QLOCAL('NEW')"]


@pytest.mark.parametrize("code", [255, 137, 1])
def test_all_is_done_and_no_reply_comes_back(
    mqsc: Command,
    elsewhere: StoreElsewhere,
    code: int,
) -> None:
    """An ssh that breaks, a container that is stopped: the undo script stays, and undoes it."""
    elsewhere.run("DEFINE QALIAS(B) TARGET(A)")
    (elsewhere.folder / "defs.mqsc").write_text(f"{FILES}DEFINE QLOCAL(B)")
    before = elsewhere.state()
    elsewhere.behave("runmqsc", WITHOUT_REPLIES.format(code=code))
    ended = mqsc(*APPLY, "--yes")
    assert (ended.code, "nothing was changed" in ended.err) == (10, False)
    assert f"exit code {code}: client_loop" in ended.err
    assert elsewhere.state() != before
    elsewhere.behave("runmqsc", PASS)
    undone = mqsc("run", elsewhere.undo().name, "--on", "prod", "--yes", "--undo", "..")
    assert (undone.code, elsewhere.state()) == (0, before)


def test_the_connection_breaks_before_anything_is_done(
    mqsc: Command,
    elsewhere: StoreElsewhere,
) -> None:
    elsewhere.behave("runmqsc", PRINT.format(text=b"", code=255))
    ended = mqsc(*APPLY, "--yes")
    assert (ended.code, "5 commands sent, 0 done" in ended.err) == (10, True)
    assert not [*elsewhere.folder.glob("undo*")]


def test_the_undo_script_stays_whole_if_the_replies_are_wrong(
    mqsc: Command,
    elsewhere: StoreElsewhere,
) -> None:
    """All is done, and the replies say that nothing was."""
    before = elsewhere.state()
    body = """\
called()
for number, command in enumerate(commands, 1):
    print(f"{number:>6} : {command.decode().splitlines()[0]}\\nAMQ8135E: Not authorized.")
sys.exit(10)
"""
    elsewhere.behave("runmqsc", body)
    ended = mqsc(*APPLY, "--yes")
    assert (ended.code, "5 commands sent, 0 done" in ended.err) == (10, True)
    elsewhere.behave("runmqsc", PASS)
    undone = mqsc("run", elsewhere.undo().name, "--on", "prod", "--yes", "--undo", "..")
    assert (undone.code, elsewhere.state()) == (0, before)


def test_a_display_without_reply_is_not_done(mqsc: Command, elsewhere: StoreElsewhere) -> None:
    (elsewhere.folder / "both.mqsc").write_text("DEFINE QLOCAL(N)\nDISPLAY QLOCAL(N) DESCR")
    elsewhere.behave("runmqsc", END_AFTER.format(count=1))
    ended = mqsc("run", "both.mqsc", "--on", "prod", "--yes")
    assert (ended.code, "2 commands sent, 1 done" in ended.err) == (10, True)


def test_a_program_that_hangs(
    mqsc: Command,
    elsewhere: StoreElsewhere,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sending, "LIMIT_SECONDS", 2.0)
    elsewhere.behave("runmqsc", "passed()\nsignal.pause()")
    ended = mqsc(*APPLY, "--yes")
    assert (ended.code, "5 commands sent, 5 done" in ended.err) == (0, True)
    assert "has not ended after" in ended.err


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (PRINT.format(text=b"AMQ8135E: Not authorized.\n", code=20), "not authorized"),
        (PRINT.format(text=b"AMQ8118E: not there\n", code=20), "does not exist there"),
    ],
)
def test_n08_nothing_is_sent(
    mqsc: Command, elsewhere: StoreElsewhere, body: str, says: str
) -> None:
    elsewhere.behave("runmqsc", body)
    ended = mqsc(*APPLY, "--yes")
    assert (ended.code, ended.err.count("nothing was changed")) == (20, 1)
    assert says in ended.err
    assert not [*elsewhere.folder.glob("undo*")]
    assert "interrupted" not in mqsc(*APPLY, "--plan").err


def test_n11_replies_in_another_language(mqsc: Command, elsewhere: StoreElsewhere) -> None:
    elsewhere.behave("runmqsc", FOREIGN)
    ended = mqsc(*APPLY, "--yes")
    assert (ended.code, "5 commands sent, 5 done" in ended.err) == (0, True)


def test_n16_the_second_user_is_refused(mqsc: Command, elsewhere: StoreElsewhere) -> None:
    """While runmqsc of the first runs, it starts the second."""
    second = [mqsc_program(), *APPLY, "--yes"]
    body = f"""\
second = subprocess.run({second!r}, capture_output=True, cwd={str(elsewhere.folder)!r})
open({str(elsewhere.folder / "second")!r}, "wb").write(b"%d " % second.returncode + second.stderr)
sys.exit(passed())
"""
    elsewhere.behave("runmqsc", body)
    assert mqsc(*APPLY, "--yes").code == 0
    refused = (elsewhere.folder / "second").read_text()
    assert refused.startswith("20 ")
    assert "another program of yours is changing PROD" in refused


def test_n07_a_change_between_the_plan_and_the_answer(
    mqsc: Command,
    elsewhere: StoreElsewhere,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str] = []

    def confirm(question: str, *, err: bool) -> bool:
        asked.append(question)
        if len(asked) == 1:
            elsewhere.run("ALTER QLOCAL(A) DESCR('by hand')")
        return True

    monkeypatch.setattr("mqsc.targets.changing.click.confirm", confirm)
    monkeypatch.setattr("mqsc.targets.changing.is_terminal", lambda _: True)
    ended = mqsc(*APPLY)
    assert (ended.code, len(asked)) == (0, 2)
    assert "prod was changed meanwhile: this is a new plan" in ended.err
    assert "'by hand' -> ' '" in ended.out
    assert mqsc(*APPLY, "--plan").code == 0


def test_without_a_terminal_nobody_is_asked(mqsc: Command, elsewhere: StoreElsewhere) -> None:
    ended = mqsc(*APPLY)
    assert (ended.code, "there is no terminal to ask for confirmation" in ended.err) == (20, True)


MOMENTS = "defs.mqsc"  # The names of the files that are written.


@pytest.mark.parametrize("count", range(0, 50, 50 // min(50, examples(4))))
def test_n06_killed(count: int, tmp_path: Path) -> None:
    """Killed after so many commands of 49; after the last one before it verifies."""
    queues = [f"DEFINE QLOCAL(Q{number:02}) MAXDEPTH({number})" for number in range(1, 50)]
    (tmp_path / "defs.mqsc").write_text("\n".join(queues))
    elsewhere = StoreElsewhere(tmp_path)
    before = elsewhere.state()
    elsewhere.behave("runmqsc", KILL_AFTER.format(count=count))
    killed = mqsc_process(tmp_path, *APPLY, "--yes")
    assert killed.returncode == -9
    elsewhere.behave("runmqsc", PASS)
    told = mqsc_process(tmp_path, *APPLY, "--plan")
    assert f"was interrupted: of 49 commands {count} took effect" in told.stderr.decode()
    undo = elsewhere.undo()
    assert undo.read_text().count("DELETE QLOCAL") == 49
    # Those that were not sent are refused, and change nothing.
    undone = mqsc_process(tmp_path, "--store", elsewhere.url, "run", undo.name)
    assert undone.returncode == (0 if count == 49 else 10)
    assert elsewhere.state() == before


def test_secrets_are_sent_and_nowhere_else(mqsc: Command, elsewhere: StoreElsewhere) -> None:
    """N04, N22."""
    elsewhere.run("DEFINE AUTHINFO(L) AUTHTYPE(IDPWLDAP) CONNAME('h') SHORTUSR('u') LDAPPWD('old')")
    (elsewhere.folder / "defs.mqsc").write_text(
        "DEFINE AUTHINFO(L) AUTHTYPE(IDPWLDAP) CONNAME('h') SHORTUSR('u') LDAPPWD('geheim')",
    )
    elsewhere.behave("runmqsc", KEEP.format(file=str(elsewhere.folder / "sent")))
    journal = f"sqlite:///{elsewhere.folder}/journal.db"
    ended = mqsc("apply", "defs.mqsc", "--on", "prod", "--yes", "--journal", journal)
    assert (ended.code, "geheim" in ended.out + ended.err) == (0, False)
    assert "LDAPPWD" in ended.out
    assert b"LDAPPWD('geheim')" in (elsewhere.folder / "sent").read_bytes()
    undo = elsewhere.undo().read_text()
    assert ("geheim" in undo, "* A secret of authinfo L was set" in undo) == (False, True)
    for path in elsewhere.folder.glob("journal.db*"):
        assert path.is_dir() or b"geheim" not in path.read_bytes()
    assert "geheim" not in mqsc("--store", journal, "history").out
    script = mqsc("apply", "defs.mqsc", "--on", "prod", "--script")
    assert "geheim" not in script.out
    assert "LDAPPWD of AUTHINFO(L) is not shown" in script.out


def test_the_record(mqsc: Command, elsewhere: StoreElsewhere) -> None:
    mqsc("qmgr", "create", "QM1")
    elsewhere.behave("runmqsc", PUT_FIRST.format(queue="OLD"))
    assert mqsc(*APPLY, "--yes").code == 10
    events = mqsc("history", "-m", NAME, "--format", "jsonl").rows
    assert [(event["kind"], event["queue"], event["target"]) for event in events] == [
        ("SEND", None, "prod"),
        ("ALTER", "A", "QLOCAL"),
        ("DEFINE", "NEW", "QLOCAL"),
        ("ALTER", "C", "CHANNEL"),
        ("SET", "A", "AUTHREC"),
    ]
    detail = events[1]["detail"]
    assert (detail["MAXDEPTH"], detail["place"]) == ([7, 9], "defs.mqsc:1")
    (failed,) = [each for each in events[0]["detail"]["script"] if "failed" in each]
    assert failed.startswith("DELETE QLOCAL('OLD'): failed: AMQ8143E")


def test_run_shows_the_replies(mqsc: Command, elsewhere: StoreElsewhere) -> None:
    ended = mqsc("run", "-c", "DISPLAY QLOCAL(A) MAXDEPTH", "--on", "prod")
    assert (ended.code, "MAXDEPTH(7)" in ended.out) == (0, True)
    assert not [*elsewhere.folder.glob("undo*")]
    plan = mqsc("run", "--plan", "-c", "ALTER QLOCAL(A) MAXDEPTH(8)", "--on", "prod")
    assert (plan.code, "7 -> 8" in plan.out) == (2, True)
    wrong = mqsc("run", "-c", "DELETE QLOCAL(NONE)", "--on", "prod", "--yes")
    assert (wrong.code, "nothing was sent" in wrong.err) == (10, True)
    assert mqsc("run", "--atomic", "defs.mqsc", "--on", "prod").code == 20


def test_prune_has_a_limit(mqsc: Command, elsewhere: StoreElsewhere) -> None:
    ended = mqsc(*APPLY, "--yes", "--prune-limit", "0")
    assert (ended.code, "--prune-limit 2 allows it" in ended.err) == (10, True)


def test_an_undo_script_is_no_definition(mqsc: Command, elsewhere: StoreElsewhere) -> None:
    assert mqsc(*APPLY, "--yes").code == 0
    ended = mqsc("apply", ".", "--on", "prod", "--plan")
    assert (ended.code, "it undoes a change" in ended.err) == (20, True)


def test_text_that_is_not_ascii(mqsc: Command, elsewhere: StoreElsewhere) -> None:
    (elsewhere.folder / "defs.mqsc").write_text("DEFINE QLOCAL(A) DESCR('Größe')")
    assert mqsc("apply", "defs.mqsc", "--on", "prod", "--yes").code == 0
    elsewhere.run("ALTER QMGR CCSID(819)")
    (elsewhere.folder / "defs.mqsc").write_text("DEFINE QLOCAL(A) DESCR('Maß')")
    ended = mqsc("apply", "defs.mqsc", "--on", "prod", "--yes")
    assert (ended.code, "DESCR of QLOCAL(A) is not ASCII" in ended.err) == (10, True)
    ended = mqsc("run", "defs.mqsc", "--on", "prod", "--plan")
    assert (ended.code, "DEFINE QLOCAL(A) DESCR('Maß') is not ASCII" in ended.err) == (10, True)


def test_the_question_shows_no_control_characters(
    mqsc: Command,
    elsewhere: StoreElsewhere,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The words of a target may come from the repository of somebody else."""
    asked: list[str] = []

    def confirm(question: str, *, err: bool) -> bool:
        asked.append(question)
        return False

    monkeypatch.setattr("mqsc.targets.changing.click.confirm", confirm)
    monkeypatch.setattr("mqsc.targets.changing.is_terminal", lambda _: True)
    with (elsewhere.folder / "targets.toml").open("a") as file:
        file.write('via = ["env", "X=\\u001b[2J\\rhere"]\n')
    assert mqsc(*APPLY).code == 10
    assert asked == [r"Change the queue manager PROD at env 'X=\x1b[2J\x0dhere'?"]


@pytest.mark.parametrize("body", [FIRST.format(name=NAME, text="DELETE QLOCAL(A)")])
def test_somebody_changes_the_same_object_while_it_is_sent(
    mqsc: Command,
    elsewhere: StoreElsewhere,
    body: str,
) -> None:
    elsewhere.behave("runmqsc", body)
    ended = mqsc(*APPLY, "--yes")
    assert (ended.code, "AMQ8147E" in ended.out) == (10, True)
    assert "QLOCAL(A)" in ended.out


def test_prune_spares_the_records_of_administrators(
    mqsc: Command,
    elsewhere: StoreElsewhere,
) -> None:
    elsewhere.run("SET AUTHREC PROFILE(A) OBJTYPE(QUEUE) GROUP('mqm') AUTHADD(ALL)")
    plan = mqsc(*APPLY, "--plan")
    assert (plan.code, "mqm" in plan.out) == (2, False)


def test_a_store_for_the_record_that_cannot_be_used(
    mqsc: Command,
    elsewhere: StoreElsewhere,
) -> None:
    before = elsewhere.state()
    ended = mqsc(*APPLY, "--yes", "--journal", "sqlite:////none/none/journal.db")
    assert (ended.code, elsewhere.state()) == (20, before)


def test_data_is_one_list(mqsc: Command, elsewhere: StoreElsewhere) -> None:
    elsewhere.behave("runmqsc", PUT_FIRST.format(queue="OLD"))
    rows = mqsc(*APPLY, "--yes", "--format", "json").rows
    assert [row["action"] for row in rows] == [
        "UPDATED",
        "CREATED",
        "UPDATED",
        "CREATED",
        "ERROR",
        "DIFFERS",
        "DIFFERS",
    ]


def test_blame_says_what_was_sent(mqsc: Command, elsewhere: StoreElsewhere) -> None:
    mqsc("qmgr", "create", "QM1")
    assert mqsc("snapshot", "--on", "prod").code == 0
    assert mqsc(*APPLY, "--yes").code == 0
    assert mqsc("snapshot", "--on", "prod").code == 0
    blamed = mqsc("blame", "QLOCAL(A)", "MAXDEPTH", "--on", "prod", "--format", "json").rows
    (row,) = blamed
    values = [row["value"], *(each["value"] for each in row["earlier"])]
    places = [row["place"], *(each["place"] for each in row["earlier"])]
    assert values[0] == 9
    assert 7 in values
    assert "defs.mqsc:1" in places


def test_the_plan_says_what_is_deleted_and_defined_anew(
    mqsc: Command,
    elsewhere: StoreElsewhere,
) -> None:
    elsewhere.run("DEFINE TOPIC(T) TOPICSTR('a')")
    (elsewhere.folder / "defs.mqsc").write_text("DEFINE TOPIC(T) TOPICSTR('b')")
    plan = mqsc("apply", "defs.mqsc", "--on", "prod", "--plan")
    assert (plan.code, "it is deleted and defined anew" in plan.out) == (2, True)
    assert mqsc("apply", "defs.mqsc", "--on", "prod", "--yes").code == 0
    undone = mqsc("run", elsewhere.undo().name, "--on", "prod", "--yes", "--undo", "..")
    assert undone.code == 0
    assert "TOPICSTR('a')" in mqsc("--store", elsewhere.url, "export").out


def test_a_value_as_of_a_new_queue_manager_where_the_default_object_was_changed(
    mqsc: Command,
    elsewhere: StoreElsewhere,
) -> None:
    elsewhere.run(
        "ALTER QLOCAL(A) MAXDEPTH(5000)\nALTER QLOCAL(SYSTEM.DEFAULT.LOCAL.QUEUE) MAXDEPTH(77)",
    )
    (elsewhere.folder / "defs.mqsc").write_text("DEFINE QLOCAL(A) MAXDEPTH(77)")
    plan = mqsc("apply", "defs.mqsc", "--on", "prod", "--plan")
    assert (plan.code, "MAXDEPTH  5000 -> 77" in plan.out) == (2, True)


def test_the_undo_script_cannot_be_written(
    mqsc: Command,
    elsewhere: StoreElsewhere,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As on a disk that is full after the dump: nothing is sent, and nothing is left."""
    before = elsewhere.state()

    def full(files: UndoFiles, lines: Iterable[str]) -> None:
        raise InputError(f"{files.script} cannot be written: No space left on device")

    monkeypatch.setattr("mqsc.targets.undo_script.rewrite", full)
    ended = mqsc(*APPLY, "--yes")
    assert (ended.code, "nothing was sent: undo-prod-" in ended.err) == (20, True)
    assert (elsewhere.state(), [*elsewhere.folder.glob("undo*")]) == (before, [])


KILLED = """DEFINE QLOCAL(Z)
DELETE QLOCAL(Z)
DELETE QALIAS(S)
DEFINE QALIAS(S) TARGET(B)
DELETE QALIAS(R)
DEFINE QLOCAL(R)
ALTER QLOCAL(R) MAXDEPTH(2)
ALTER QLOCAL(A) MAXDEPTH(1)
ALTER QLOCAL(A) MAXDEPTH(7)
"""


@pytest.mark.parametrize("count", range(10))
def test_the_undo_script_leads_back_from_wherever_it_was_killed(
    mqsc: Command,
    elsewhere: StoreElsewhere,
    count: int,
) -> None:
    """Commands that have nothing to undo are not sent."""
    elsewhere.run("DEFINE QALIAS(S) TARGET(A)\nDEFINE QALIAS(R) TARGET(A)")
    before = elsewhere.state()
    (elsewhere.folder / "changes.mqsc").write_text(KILLED)
    elsewhere.behave("runmqsc", KILL_AFTER.format(count=count))
    run = ("run", "changes.mqsc", "--on", "prod", "--yes")
    assert mqsc_process(elsewhere.folder, *run).returncode == -9
    elsewhere.behave("runmqsc", PASS)
    undone = mqsc("run", elsewhere.undo().name, "--on", "prod", "--yes", "--undo", "..")
    assert (undone.code, elsewhere.state()) == (0, before)
    again = mqsc("run", elsewhere.undo().name, "--on", "prod", "--plan")
    assert "in error" not in again.err

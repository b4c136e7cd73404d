"""Commands carried out in the shell, without a terminal: text in, output out."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest

import mqsc
from mqsc.main import run_to_exit_code
from mqsc.scripts.run import NO_PROGRAMS
from mqsc.shell.assistant import status
from mqsc.shell.help_text import help_lines
from mqsc.shell.session import ShellSession
from mqsc.shell.settings import Settings
from mqsc.store.client.queue_manager import QueueManager
from tests.mqsc.shell.conftest import Asked, Run
from tests.mqsc.targets.far_end import FarEnd
from tests.rows import rows


def test_a_table_with_depth_bars(shown: Run) -> None:
    assert shown("put orders a b c", "dis ql(*RS) curdepth", "display ql(O*) curdepth descr") == [
        "QUEUE   TYPE    CURDEPTH  FULL           DESCR",
        "ORDERS  QLOCAL         3  ██░░░░░░  30%  Bestellungen 日本",
    ]
    assert (
        shown("dis ql(*) where(queue lk 'O*') curdepth")[1]
        == "ORDERS  QLOCAL         3  ██░░░░░░  30%"
    )


@rows(
    "history --limit 2",
    "top",
    "depth orders --since 2020-01-01",
    "trace 77",
    "browse orders",
    "check orders.mqsc",
)
def test_a_format_for_data_is_also_that_of_the_shell_commands(
    shown: Run,
    qmgr: QueueManager,
    capfd: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("orders.mqsc").write_text("DEFINE QLOCAL(new)", "utf-8")
    shown("put orders a --msg-id 77")
    for format in ("csv", "jsonl", "json"):
        capfd.readouterr()
        words = ["--store", f"sqlite:///{qmgr.store.path}", "--format", format]
        run_to_exit_code([*words, *shlex.split(command)])
        outside = capfd.readouterr().out.splitlines()
        assert outside
        assert shown(f"{command} \\format {format}") == outside
        assert shown(f"\\format {format}", command) == outside


def test_the_status_of_services_says_that_nothing_runs(shown: Run) -> None:
    shown("DEFINE SERVICE(S) STARTCMD('x') SERVTYPE(SERVER)", "START SERVICE(S)")
    said = " ".join(shown("DISPLAY SVSTATUS(S)"))
    assert "RUNNING" in said
    assert " ".join(said.split()).endswith(NO_PROGRAMS)
    assert NO_PROGRAMS not in " ".join(shown("DISPLAY SERVICE(S)"))


def test_messages_of_a_session_with_csv_are_text(shown: Run) -> None:
    assert shown("\\format csv", "put orders a") == ["1 message put on ORDERS"]
    assert shown("get orders")[0] == "a"
    shown("\\format table")
    (refusal, _) = shown("put orders a \\format csv")
    assert "no --format csv" in refusal
    assert json.loads(shown("put orders a \\format jsonl")[0])["msg_id"]


def test_formats(shown: Run, tmp_path: Path) -> None:
    command = "dis ql(errors) curdepth maxdepth"
    assert json.loads("\n".join(shown(f"{command} \\format json"))) == [
        {"QUEUE": "ERRORS", "TYPE": "QLOCAL", "CURDEPTH": 0, "MAXDEPTH": 4},
    ]
    assert shown(f"{command} \\format csv") == ["QUEUE,TYPE,CURDEPTH,MAXDEPTH", "ERRORS,QLOCAL,0,4"]
    assert shown(f"{command} \\format vertical")[0] == "QUEUE  ERRORS"
    classic = [
        "AMQ8409I: Display Queue details.",
        "   QUEUE(ERRORS)                           TYPE(QLOCAL)",
        "   CURDEPTH(0)                             MAXDEPTH(4)",
    ]
    assert [line.rstrip() for line in shown(f"{command} \\format classic")] == classic
    assert shown(f"{command} \\format tsv") == [
        "QUEUE\tTYPE\tCURDEPTH\tMAXDEPTH",
        "ERRORS\tQLOCAL\t0\t4",
    ]
    markdown = [
        "| QUEUE | TYPE | CURDEPTH | MAXDEPTH |",
        "| --- | --- | --- | --- |",
        "| ERRORS | QLOCAL | 0 | 4 |",
    ]
    assert shown(f"{command} \\format markdown") == markdown
    shown("alter ql(errors) descr('a\\|<b>')")
    assert (
        shown("dis ql(errors) descr \\format markdown")[2] == "| ERRORS | QLOCAL | a\\\\\\|&lt;b> |"
    )
    for layout in ("table", "vertical", "classic", "markdown"):
        on_screen = shown(f"\\format {layout}", command)
        assert shown(f"{command} > {tmp_path}/{layout}") == []
        assert (tmp_path / layout).read_text().splitlines() == on_screen
    shown("\\format json", f"dis ql(errors) curdepth >> {tmp_path}/out")
    assert '"CURDEPTH": 0}' in (tmp_path / "out").read_text()
    assert shown("\\format") == ["\\format json"]


def test_sorting(shown: Run) -> None:
    shown("put errors x", "put orders a b")
    names = "dis ql(*) where(curdepth gt 0) curdepth"
    lines = shown(f"{names} \\sort -curdepth")
    assert [line.split()[0] for line in lines if line.startswith(("ORDERS", "ERRORS"))] == [
        "ORDERS",
        "ERRORS",
    ]
    lines = shown("\\sort curdepth", names)
    assert [line.split()[0] for line in lines if line.startswith(("ORDERS", "ERRORS"))] == [
        "ERRORS",
        "ORDERS",
    ]
    assert shown("\\sort", "\\timing on", "ping qmgr")[1].endswith(" s)")


def test_sorting_by_what_is_not_shown(
    session: ShellSession,
    capfd: pytest.CaptureFixture[str],
) -> None:
    session.carry_out("dis ql(*) curdepth \\sort descr")
    assert capfd.readouterr().err == "mqsc: not sorted: DESCR is not shown\n"
    session.carry_out("dis qmgr \\sort curdepth")
    assert capfd.readouterr().err == ""


@rows(
    ("clear ql(orders)", "ORDERS has 2 messages. Remove them? [y/N] "),
    ("delete ql(orders) purge", "ORDERS has 2 messages. Delete the queue with them? [y/N] "),
    *(("delete ql(orders)", None), ("clear ql(errors)", None), ("delete ql(errors) purge", None)),
    ("clear ql(nosuch)", None),
)
def test_a_question_before_messages_are_removed(
    shown: Run,
    asked: Asked,
    qmgr: QueueManager,
    command: str,
    question: str | None,
) -> None:
    shown("put orders a b")
    answer = shown(command)
    assert asked.questions == ([question] if question else [])
    assert (answer == ["Nothing was removed."]) == bool(question)
    (reply,) = mqsc.run(qmgr, "DISPLAY QLOCAL(ORDERS) CURDEPTH")
    assert reply.rows[0]["CURDEPTH"] == 2
    asked.answer = True
    shown(command)
    depths = [row["CURDEPTH"] for row in mqsc.run(qmgr, "DISPLAY QLOCAL(ORDERS) CURDEPTH")[0].rows]
    assert depths == ([] if question and "purge" in command else [0] if question else [2])


def test_scripts_are_not_asked(shown: Run, asked: Asked, tmp_path: Path) -> None:
    script = tmp_path / "clear.mqsc"
    script.write_text("CLEAR QLOCAL(ORDERS)\n")
    lines = shown("put orders a", f"source {script}")
    assert "AMQ8022I: IBM MQ queue cleared." in lines
    assert asked.questions == []


def test_a_program_reads_the_output(
    shown: Run,
    capfd: pytest.CaptureFixture[str],
    session: ShellSession,
) -> None:
    session.carry_out(
        f"dis ql(*) curdepth \\format classic | {shlex.quote(sys.executable)} -c "
        "'print(len(input()))'",
    )
    assert capfd.readouterr().out.strip() == "32"
    session.carry_out("dis ql(*) | true")
    session.carry_out("put orders x | cat")
    assert capfd.readouterr().out == "1 message put on ORDERS\n"


def test_a_pasted_block_cannot_write_or_start_anything(shown: Run, tmp_path: Path) -> None:
    lines = shown(
        f"ping qmgr\ndis ql(orders) > {tmp_path}/x\nping qmgr | touch {tmp_path}/y\nput orders z",
    )
    assert [*tmp_path.glob("[xy]")] == []
    assert lines[0].startswith("AMQ8415I")
    assert lines[-2:] == ["1 message put on ORDERS", "(4 commands, 2 failed: 2, 3)"]


def test_a_pasted_script_names_the_commands_that_failed(shown: Run) -> None:
    lines = shown(
        "* a script\n\nping qmgr\ndefine ql(A) +\n  maxdpeth(3)\n\nput nowhere x\nping qmgr",
    )
    assert [line for line in lines if line.startswith(("Command", "("))] == [
        "Command 2 (line 4) failed: define ql(A) + maxdpeth(3)",
        "Command 3 (line 7) failed: put nowhere x",
        "(4 commands, 2 failed: 2, 3)",
    ]
    assert shown("ping qmgr\nping qmgr\nend")[-1] == "(2 commands, none failed)"
    assert shown("end") == []
    lines = shown(
        "define authinfo(A) authtype(crlldap) conname(x) ldappwd(Geheim)\ndefine ql(ORDERS)",
    )
    assert "Geheim" not in "\n".join(line for line in lines if line.startswith("Command"))


@pytest.mark.parametrize("format", ["table", "json", "csv", "classic"])
@pytest.mark.parametrize(
    ("command", "error"),
    [
        ("dis ql(nosuch)", "AMQ8147E: IBM MQ object NOSUCH not found."),
        *(
            ("dis ql(*) curdpeth", "AMQ8405I"),
            ("get nosuch", "2085 MQRC_UNKNOWN_OBJECT_NAME (nosuch)"),
        ),
        ("get orders --wait x", "Invalid value for '--wait'"),
        ("browse nosuch", "mqsc: 2085 MQRC_UNKNOWN_OBJECT_NAME"),
        ("dlq test", "dlq --help lists what dlq takes."),
    ],
)
def test_errors_are_on_the_screen_and_files_hold_data_only(
    session: ShellSession,
    capfd: pytest.CaptureFixture[str],
    tmp_path: Path,
    command: str,
    error: str,
    format: str,
) -> None:
    session.carry_out(f"\\format {format}")
    session.carry_out(f"{command} > {tmp_path}/out")
    output = capfd.readouterr()
    assert error in output.out + output.err
    assert not (tmp_path / "out").exists() or (tmp_path / "out").read_text() == ""
    session.carry_out(f"{command} | tr a-zA-Z .")
    output = capfd.readouterr()
    assert error in output.out + output.err
    assert session.exit_code == 10


def test_remarks_are_on_the_screen_too(shown: Run, tmp_path: Path) -> None:
    assert shown("put orders hello", f"get orders > {tmp_path}/body") == ["  backout count 0"]
    assert (tmp_path / "body").read_text() == "hello\n"
    assert shown(f"alter ql(orders) maxdepth(9) \\format json > {tmp_path}/json") == [
        "AMQ8008I: IBM MQ queue changed.",
    ]
    assert (tmp_path / "json").read_text() == ""


def test_a_file_that_exists_is_replaced_after_a_question(
    shown: Run,
    asked: Asked,
    tmp_path: Path,
) -> None:
    file = tmp_path / "out"
    file.write_text("precious")
    (refusal,) = [" ".join(shown(f"dis ql(orders) maxdepth > {file}"))]
    assert asked.questions == [f"{file} exists. Replace it? [y/N] "]
    assert "was left as it is; >! replaces a file without a question" in " ".join(refusal.split())
    assert file.read_text() == "precious"
    asked.answer = True
    shown(f"dis ql(orders) maxdepth > {file}")
    assert file.read_text().startswith("QUEUE")
    shown(f"dis ql(errors) maxdepth >> {file}", f"dis ql(orders) descr >! {file}")
    assert len(asked.questions) == 2
    assert "MAXDEPTH" not in file.read_text()


def test_the_files_of_the_store_are_never_replaced(shown: Run, session: ShellSession) -> None:
    refusal = " ".join(shown(f"dis ql(orders) >! {session.qmgr.store.path}"))
    assert " ".join(refusal.split()).endswith("belongs to the store")
    assert shown("ping qmgr")[0].startswith("AMQ8415I")


def test_an_operator_of_other_languages_in_where(
    shown: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    lines = shown("display qlocal(*) curdepth where(curdepth > 4)")
    assert lines[0].index("^") == "display qlocal(*) curdepth where(curdepth > 4)".index(">")
    assert " ".join(lines[1:]).endswith("not >; > is written GT (? shows the syntax)")
    assert "CURDEPTH GT 4" in " ".join(shown("display qlocal(*) where(curdepth>4)"))
    assert [each.name for each in tmp_path.iterdir() if "4" in each.name] == []


def test_a_similar_object_is_named(shown: Run) -> None:
    assert shown("dis ql(ordres)") == [
        "AMQ8147E: IBM MQ object ORDRES not found. Did you mean ORDERS?",
    ]


@rows(
    *(
        ("browse orders", "hello"),
        ("history orders --limit 2", "put on ORDERS"),
        ("expiry orders", "ORDERS"),
    ),
    *(("trigger explain orders", "ORDERS at"), ("explain 2053", "2053 0x00000805 MQRC_Q_FULL")),
    *(
        ("clock show", "system"),
        ("export", "DEFINE QLOCAL"),
        ("qmgr list", "QM1"),
    ),
    *(("use", "* QM1"), ("help define qlocal", "DEFINE QLOCAL( q_name )")),
    *(("define qlocal ?", "DEFINE QLOCAL( q_name )"), ("help trigtype", "TRIGTYPE")),
    *(("help get", "--mark-skip-backout"), ("help use", "Work with another queue manager")),
    *(("help", "Of the shell:"), ("dspmq", "QMNAME(QM1)"), ("config", "hide_system")),
    ("help \\format", "\\format table|vertical|classic|markdown|tsv|csv|json"),
    *(("\\", "\\timing off"), ("browse orders --limit 1", "hello")),
    ("report --describe daily", "message-lifetimes"),
)
def test_commands_of_the_command_line(
    shown: Run,
    session: ShellSession,
    command: str,
    says: str,
) -> None:
    shown("put orders hello")
    assert any(says in line for line in shown(command)), shown(command)
    assert session.exit_code == 0


@rows(
    ("use nosuch", "2058 MQRC_Q_MGR_NAME_ERROR"),
    ("watch", "watch needs a command"),
    ("watch end", "watch repeats commands that show something"),
    ("watch clear ql(orders)", "watch repeats commands that show something"),
    ("watch dlq discard orders", "watch repeats commands that show something"),
    ("watch dis ql(*) > x", "watch redraws the screen"),
    ("\\colour red", "there is no setting \\colour"),
    ("dis ql(*) > /nonexistent/x", "/nonexistent/x: No such file or directory"),
    ("browse 'orders", "'orders begins with a quote"),
)
def test_what_is_refused(shown: Run, session: ShellSession, command: str, says: str) -> None:
    assert shown(command)[0].startswith(says)
    assert session.exit_code == 10


def test_another_queue_manager(shown: Run, session: ShellSession) -> None:
    session.qmgr.store.create_queue_manager("QM2")
    shown("put orders x --syncpoint")
    assert shown("use qm2") == ["a unit of work is open on QM1; commit or back first"]
    assert shown("back", "use qm2", "use") == ["  QM1", "* QM2"]
    assert shown("define ql(there)", "put there x") == ["1 message put on THERE"]
    assert shown("use QM1", "dis ql(there)")[0].startswith("AMQ8147E")


def test_no_queue_manager_is_left(shown: Run, session: ShellSession) -> None:
    session.qmgr.end(immediate=True)
    run_to_exit_code(["--store", f"sqlite:///{session.qmgr.store.path}", "qmgr", "delete", "QM1"])
    assert shown("use") == ["This store has no queue manager; qmgr create NAME makes one."]
    assert shown("use QM1")[1].strip().startswith("has no queue manager; qmgr create")
    shown("qmgr create QM2", "use QM2")
    assert session.qmgr.name == "QM2"


def test_usage_errors_speak_of_the_command_of_the_shell(
    session: ShellSession,
    capfd: pytest.CaptureFixture[str],
) -> None:
    for command, said in (
        ("trace", "Missing argument 'MSGID'"),
        ("history A --folow", "No such option '--folow'"),
    ):
        session.carry_out(command)
        error = capfd.readouterr().err.splitlines()
        name = command.split()[0]
        assert error[0].startswith(said)
        assert error[1:] == [f"{name} --help lists what {name} takes."]


def test_an_error_of_the_store_does_not_end_the_shell(shown: Run, session: ShellSession) -> None:
    Path(str(session.qmgr.store.path)).unlink()
    for _ in range(2):
        said = " ".join(map(str.strip, shown("define ql(A)")))
        assert "was deleted or renamed while programs were using" in said


def test_what_was_left_open(shown: Run) -> None:
    assert shown("define ql( +\n   ")[:2] == ["define ql(", "          ^"]
    assert "parenthesis that opens at column 10 is never closed" in shown("define ql( +\n")[2]


def test_the_last_command_is_explained(shown: Run) -> None:
    assert shown("?") == ["There is no command to explain yet; help lists all."]
    assert shown("alter ql(A) maxdpeth(4)", "?")[0] == "  ALTER QLOCAL( q_name )"


def test_the_status(session: ShellSession, shown: Run) -> None:
    assert status(session.unit) == "QM1  22:13:20Z"
    shown("put orders x --syncpoint")
    assert status(session.unit) == "QM1 (unit of work: 1 put)  22:13:20Z"
    session.qmgr.end(immediate=True)
    assert status(session.unit).startswith("QM1 ended")


def test_a_classic_shell_has_the_text_of_runmqsc(session: ShellSession, shown: Run) -> None:
    session.settings = Settings(format="classic")
    assert (
        shown("alter ql(A) maxdpeth(4)")[0]
        == "AMQ8405I: Syntax error detected at or near end of command segment below:-"
    )


def test_a_number_shows_a_message_of_the_queue_that_was_browsed(shown: Run) -> None:
    assert shown("2")[0] == "^"
    shown("put orders eins zwei", "put errors drei", "browse orders")
    assert shown("2")[::99] == ["message 2 on ORDERS"]
    assert shown("browse errors", "1")[-2:] == ["drei", ""]
    # A number counts what the browse selected, and goes where other output goes.
    shown("put orders drei", "browse --limit 2 orders --selector 'Root.MQMD.Priority = 0'")
    assert shown("2 | head -1")[:1] == ["message 2 on ORDERS"]
    assert shown("3") == []
    assert [line for line in shown("browse orders 1", "3") if line.startswith("message")] == [
        "message 3 on ORDERS",
    ]


def test_the_past(shown: Run, session: ShellSession, qmgr: QueueManager) -> None:
    shown("put orders one two", "alter ql(orders) maxdepth(7)", "get orders")
    then = str(qmgr.store.bound().seq)
    shown("clear ql(errors)", "get orders", "delete ql(errors)")
    assert shown("as-of") == ["now"]
    shown(f"as-of {then}")
    assert session.past.moment.endswith("Z")
    assert shown("dis ql(orders) curdepth maxdepth \\format csv")[1] == "ORDERS,QLOCAL,1,7"
    assert shown("dis ql(errors) curdepth \\format csv")[1] == "ERRORS,QLOCAL,0"
    assert len(shown("browse orders")) == 2
    assert '"depth": 1' in "".join(shown("depth orders \\format json")[-5:])
    assert [line.split()[:2] for line in shown("blame 'QLOCAL(ORDERS)'")][2] == ["MAXDEPTH", "7"]
    assert "AMQ8016I" not in "".join(shown("clear ql(orders)"))
    for refused in ("put orders x", "get orders", "source x", "qmgr end"):
        failures = session._failures()
        shown(refused)
        assert session._failures() > failures, refused
    # One moment leads to another, and back; a wrong one changes nothing.
    shown("as-of 97")
    assert shown("dis ql(orders) maxdepth \\format csv")[1] == "ORDERS,QLOCAL,10"
    moment = session.past.moment
    shown("as-of 99999", "as-of soon")
    assert session.past.moment == moment
    shown("as-of now")
    assert (session.qmgr.store, session.past.moment) == (qmgr.store, "")
    assert shown("dis ql(orders) curdepth \\format csv")[1] == "ORDERS,QLOCAL,0"


def test_a_queue_manager_elsewhere(
    shown: Run,
    session: ShellSession,
    qmgr: QueueManager,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    far = FarEnd(tmp_path / "far", "PROD").on_a_store()
    with mqsc.open_store(far.store) as store:
        prod = store.create_queue_manager("PROD")
        mqsc.run(prod, "DEFINE QLOCAL(THERE) MAXDEPTH(7)")
    far.declare(tmp_path / "targets.toml")
    assert shown("on") == ["here"]
    shown("on far")
    assert (session.past.moment, session.qmgr.name) == ("far", "PROD")
    run_to_exit_code(["--store", str(far.store), "--quiet", "put", "THERE", "new"])
    assert shown("on") == ["far"]
    assert shown("dis ql(there) maxdepth curdepth \\format csv")[1] == "THERE,QLOCAL,0,7"
    # Commands of the command line read it again.
    assert shown("browse THERE \\format jsonl")[0].count('"new"') == 1
    for refused in ("put THERE x", "alter ql(there) maxdepth(1)", "qmgr end", "uses THERE"):
        failures = session._failures()
        shown(refused)
        assert session._failures() > failures, refused
    # A wrong target changes nothing; as-of is the past of the store.
    shown("on nowhere", "on far far")
    assert session.past.target == "far"
    shown("as-of now")
    assert (session.qmgr.store, session.qmgr.name, session.past.target) == (
        qmgr.store,
        qmgr.name,
        "",
    )
    shown("on far", "on here")
    assert (session.qmgr.store, session.past.moment) == (qmgr.store, "")


def test_the_lists_of_help_have_their_second_column_at_one_place() -> None:
    lines = [*help_lines([], 80, "")]
    begins = {
        line.index(about)
        for line in lines
        for about in ("Run the MQSC in files", "Delete a saved command", "The keys for editing")
        if about in line
    }
    assert len(begins) == 1

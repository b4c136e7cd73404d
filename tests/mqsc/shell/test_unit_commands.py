"""The shell's commands for messages: units of work by hand on one connection."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

import mqsc
from mqsc.console.options import Choices
from mqsc.language.command_table import verb_of
from mqsc.main import mqsc as group
from mqsc.shell.own_commands import OwnCommandError
from mqsc.shell.quoted_words import words_of
from mqsc.shell.start import command_at
from mqsc.shell.unit_commands import GIVEN_BY_SESSION, UNIT_COMMANDS, UnitSession
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQGMO, MQOO
from mqsc.store.error import MQError
from mqsc.store.message import GetMessageOptions
from tests.rows import rows
from tests.source import ROOT
from tests.store.tables import verdicts

PAGE = (ROOT / "docs" / "units-of-work.md").read_text("utf-8")
PROMPT = "QM1> "


@pytest.fixture
def session(qmgr: QueueManager) -> Iterator[UnitSession]:
    mqsc.run(qmgr, "DEFINE QLOCAL(ORDERS)\nDEFINE QLOCAL(ERRORS)")
    with started(qmgr) as unit:
        yield unit


def started(qmgr: QueueManager, *, quiet: bool = True) -> UnitSession:
    choices = Choices(quiet=quiet, store=f"sqlite:///{qmgr.store.path}", qmgr=qmgr.name)
    return UnitSession(qmgr, choices, print)


def typed(session: UnitSession, *lines: str) -> list[str]:
    """Return the output of the last line, or why it was refused."""
    answers = []
    for line in lines:
        with redirect_stdout(StringIO()) as output:
            try:
                found = session.carry_out(line)
            except OwnCommandError as error:
                answers.append(str(error).split("\n"))
                continue
        assert found, line
        answers.append(output.getvalue().splitlines())
    return answers[-1]


def on(qmgr: QueueManager, queue: str) -> list[tuple[bytes, int]]:
    """Return body and backout count of every message that another program can browse on a queue."""
    found = []
    with qmgr.connect() as other:
        handle = other.open(queue, MQOO.BROWSE)
        try:
            while True:
                message = handle.get(GetMessageOptions(MQGMO.BROWSE_NEXT))
                found.append((message.body, message.descriptor.backout_count))
        except MQError:
            return found


def test_a_commit_makes_puts_visible_and_gets_final(session: UnitSession) -> None:
    assert typed(session, "put orders one two") == ["2 messages put on ORDERS"]
    assert typed(session, "get orders --syncpoint") == [
        "one",
        "  backout count 0 (unit of work: 1 got)",
    ]
    assert typed(session, "put ERRORS 'a report' --syncpoint") == [
        "1 message put on ERRORS (unit of work: 1 got, 1 put)",
    ]
    assert (on(session.qmgr, "ORDERS"), on(session.qmgr, "ERRORS")) == ([(b"two", 0)], [])
    assert typed(session, "commit") == ["committed: 1 got, 1 put"]
    assert (on(session.qmgr, "ORDERS"), on(session.qmgr, "ERRORS")) == (
        [(b"two", 0)],
        [(b"a report", 0)],
    )


def test_b01_a_backout_returns_what_was_got_and_removes_what_was_put(session: UnitSession) -> None:
    typed(session, "put orders one two", "get orders --syncpoint", "put errors x --syncpoint")
    assert typed(session, "back") == ["backed out: 1 got, 1 put"]
    assert (on(session.qmgr, "ORDERS"), on(session.qmgr, "ERRORS")) == (
        [(b"one", 1), (b"two", 0)],
        [],
    )


def test_b09_b10_the_marked_message_skips_the_backout(session: UnitSession) -> None:
    typed(
        session,
        "put orders m1 m2",
        "get orders --syncpoint --mark-skip-backout",
        "get orders --syncpoint",
    )
    backed_out, carried = typed(session, "back")
    assert backed_out == "backed out: 2 got"
    assert carried.startswith("The marked message did not return")
    assert on(session.qmgr, "ORDERS") == [(b"m2", 1)]
    typed(session, "put errors e1 --syncpoint")
    assert typed(session, "commit") == ["committed: 1 got, 1 put"]
    assert (on(session.qmgr, "ORDERS"), on(session.qmgr, "ERRORS")) == ([(b"m2", 1)], [(b"e1", 0)])


def test_b11_it_does_not_skip_twice(session: UnitSession) -> None:
    typed(session, "put orders m1", "get orders --syncpoint --mark-skip-backout", "back")
    assert (typed(session, "back"), on(session.qmgr, "ORDERS")) == (
        ["backed out: 1 got"],
        [(b"m1", 1)],
    )


def test_b13_a_second_mark_is_refused_and_the_unit_goes_on(session: UnitSession) -> None:
    typed(session, "put orders m1 m2", "get orders --syncpoint --mark-skip-backout")
    assert typed(session, "get orders --syncpoint --mark-skip-backout")[0].startswith(
        "2062 MQRC_SECOND_MARK_NOT_ALLOWED",
    )
    assert typed(session, "get orders --syncpoint")[-1].endswith("(unit of work: 2 got)")


@rows("commit", "back")
def test_without_a_unit_of_work(session: UnitSession, line: str) -> None:
    (answer,) = typed(session, line)
    assert answer.startswith("no unit of work is open")
    assert typed(session, "get orders --syncpoint", line) == [answer]


@rows(
    ("get NOWHERE", "2085 MQRC_UNKNOWN_OBJECT_NAME (NOWHERE)"),
    ("get", "Missing argument 'QUEUE'."),
    (
        "get orders --mark-skip-backout",
        "--mark-skip-backout needs --syncpoint (otherwise MQRC_OPTIONS_ERROR)",
    ),
    ("get orders --syncpiont", "No such option"),
    ("get orders --wait soon", "Invalid value for '--wait': 'soon' is not a length of time"),
    ("put orders", "nothing to put: give a TEXT"),
    ("put orders 'one", "'one begins with a quote that is not closed"),
    ("put orders one --priority x", "Invalid value for '--priority'"),
    (
        "put orders one --file nosuch",
        "nosuch does not exist; 1 message put on ORDERS before the error",
    ),
    (
        "get ordres",
        "2085 MQRC_UNKNOWN_OBJECT_NAME (ordres): The object does not exist here. Did you mean "
        "ORDERS?",
    ),
    ("commit now", "Got unexpected extra argument (now)"),
)
def test_what_is_refused_says_why(session: UnitSession, line: str, answer: str) -> None:
    assert typed(session, line)[0].startswith(answer)


def test_a_name_means_itself_or_else_the_name_in_upper_case(session: UnitSession) -> None:
    mqsc.run(session.qmgr, "DEFINE QLOCAL('Mixed')")
    for name in ("'Mixed'", "Mixed"):
        assert typed(session, f"PUT {name} x") == ["1 message put on Mixed"]
    assert typed(session, "put 'orders' x")[0].startswith("2085 MQRC_UNKNOWN_OBJECT_NAME (orders)")
    mqsc.run(session.qmgr, "DEFINE QLOCAL(MIXED)")
    assert typed(session, "put mixed x y") == ["2 messages put on MIXED"]
    assert typed(session, "put Mixed x") == ["1 message put on Mixed"]


test_words = verdicts(
    words_of,
    ("", []),
    ("A one 'two three' \"four's\"", ["A", "one", "two three", "four's"]),
    ("A 'it''s'", ["A", "it's"]),
    ("A it's ''", ["A", "it's", ""]),
)


def test_the_help_of_a_command(session: UnitSession) -> None:
    lines = typed(session, "get --help")
    assert lines[0] == "Usage: get [OPTIONS] QUEUE"
    assert any("--mark-skip-backout" in line for line in lines)


@rows("get", "put")
def test_options_are_those_of_the_command_line(name: str) -> None:
    outside = command_at(group, name)
    assert outside is not None
    own = {"syncpoint"} | ({"mark_skip_backout"} if name == "get" else set())
    inside = {each.name: each for each in UNIT_COMMANDS[name].params}
    wanted = {each.name: each for each in outside.params}
    assert {*inside} - own == {*wanted} - GIVEN_BY_SESSION
    assert all(inside[each] is wanted[each] for each in {*inside} - own)


def test_options_have_their_effect(session: UnitSession, tmp_path: Path) -> None:
    (tmp_path / "body").write_bytes(b"from a file")
    typed(
        session,
        f"put orders a --count 2 --property color=red --file {tmp_path}/body --reply-to-q R "
        "--msg-type request",
    )
    typed(
        session,
        "put orders b --correl-id C1 --syncpoint --property color=blue --format-name MINE",
    )
    typed(session, "commit")
    (line,) = typed(session, "get orders --selector \"color = 'blue'\" --format jsonl")
    shown = json.loads(line)
    assert (shown["body"], shown["format"]) == ({"text": "b"}, "MINE")
    assert typed(session, "get orders --all --syncpoint")[::2] == [
        "a",
        "a",
        "from a file",
        "from a file",
    ]
    assert typed(session, "back") == ["backed out: 4 got"]
    assert typed(session, "get orders --correl-id C1") == ["no matching message on ORDERS"]


def test_what_was_put_before_an_error_is_in_the_unit(session: UnitSession) -> None:
    mqsc.run(session.qmgr, "DEFINE QLOCAL(SMALL) MAXDEPTH(2)")
    (error,) = typed(session, "put small a b c --syncpoint")
    assert error.startswith("2053 MQRC_Q_FULL")
    assert error.endswith("2 messages put on SMALL before the error")
    assert typed(session, "commit") == ["committed: 2 put"]


def test_leaving_commits_and_says_so(
    qmgr: QueueManager,
    capsys: pytest.CaptureFixture[str],
) -> None:
    mqsc.run(qmgr, "DEFINE QLOCAL(ORDERS)")
    with started(qmgr, quiet=False) as session:
        typed(session, "put orders one two --syncpoint")
    assert capsys.readouterr().err == "mqsc: the open unit of work was committed: 2 put\n"
    assert on(qmgr, "ORDERS") == [(b"one", 0), (b"two", 0)]


def test_a_shell_that_fails_backs_out(
    qmgr: QueueManager,
    capsys: pytest.CaptureFixture[str],
) -> None:
    mqsc.run(qmgr, "DEFINE QLOCAL(ORDERS)")
    session = started(qmgr, quiet=False)
    typed(session, "put orders one --syncpoint")
    session.__exit__(OSError, OSError(), None)
    assert capsys.readouterr().err == "mqsc: the open unit of work was backed out: 1 put\n"
    assert on(qmgr, "ORDERS") == []


def test_the_end_of_the_queue_manager_backs_out(session: UnitSession) -> None:
    typed(session, "put orders one", "get orders --syncpoint")
    session.qmgr.end(immediate=True)
    answer = typed(session, "commit")
    assert answer[0].startswith("2009 MQRC_CONNECTION_BROKEN")
    assert answer[1] == "The unit of work was backed out: 1 got."
    session.qmgr.start()
    assert typed(session, "commit") == ["no unit of work is open: nothing to commit"]


def test_nothing_stays_open_that_is_in_the_way_of_other_commands(session: UnitSession) -> None:
    typed(session, "put orders one", "get orders")
    (reply,) = mqsc.run(session.qmgr, "DELETE QLOCAL(ORDERS)")
    assert reply.completion == 0


def test_no_verb_of_mqsc_has_such_a_name() -> None:
    assert [name for name in UNIT_COMMANDS if verb_of(name.upper())] == []


def test_the_session_of_the_page(qmgr: QueueManager) -> None:
    """The shell prints what the page shows after each command."""
    mqsc.run(qmgr, "DEFINE QLOCAL(ORDERS)\nDEFINE QLOCAL(ORDERS.ERRORS)")
    (shown,) = re.findall(r"^```\n(QM1> .*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    with started(qmgr, quiet=False) as session:
        for entry in shown.split(PROMPT)[1:]:
            line, *printed = entry.splitlines()
            assert typed(session, line) == printed


def test_the_sample(tmp_path: Path) -> None:
    from tests.docs.page import run

    printed = run(f"python {ROOT}/samples/skip_backout.py", tmp_path)
    assert printed.splitlines() == [
        "skip_backout, ORDERS: 0, LEDGER: 2, ORDERS.ERRORS: 1",
        *3 * ["backed out: nonsense, this is not an order"],
        "consume, ORDERS: 0, LEDGER: 2, ORDERS.ERRORS: 1",
    ]

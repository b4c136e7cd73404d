"""Commands on the past say which events were archived and removed, instead of denying them."""

import pytest

from mqsc.console.removed import READ_REMOVED
from tests.mqsc.conftest import Command
from tests.mqsc.session import Session

LINE = "were archived and removed: "


@pytest.fixture
def removed(mqsc: Command, session: Session) -> Command:
    """A store of which everything before 09:00 was archived and removed, with an event three days
    later, and 50 hours after that.
    """
    session("""
        qmgr create QM1 --clock manual
        clock set 2026-03-02T09:00:00
        DEFINE QLOCAL(Q)
        SET AUTHREC PROFILE(Q) OBJTYPE(QUEUE) PRINCIPAL('app') AUTHADD(PUT,GET)
        put Q one
    """)
    mqsc("archive", "--to", "old")
    session("""
        clock advance 72h
        DEFINE QLOCAL(LATER)
        clock advance 50h
    """)
    return mqsc


@pytest.mark.parametrize(
    ("command", "consequence", "then"),
    [
        ("auth refused", "what was refused before is not known", "nothing was refused"),
        ("auth explain --last", "what was refused before is not known", "nothing was refused"),
        ("auth learn", "what was used before is not known", "nothing was recorded"),
        ("history --kind EXPIRE", "earlier events may be missing here", "no event matches"),
        ("history Q --limit 900", "earlier events may be missing here", ""),
        ("reconcile", "whether their messages are missing is not known", ""),
        ("blame QLOCAL(Q)", "what they set is not shown", f"{READ_REMOVED} reads the others"),
        ("depth Q --since 200h", "earlier depths are not known", ""),
    ],
)
def test_the_past_is_not_denied(
    removed: Command,
    command: str,
    consequence: str,
    then: str,
) -> None:
    lines = removed(*command.split()).err.splitlines()
    assert LINE + consequence in lines[0]
    assert then in lines[-1]


def test_a_message_whose_events_are_in_the_archive(removed: Command) -> None:
    (put,) = removed("history", "Q", "--kind", "PUT", "--format", "json").rows
    msg_id = put["msg_id"].upper()
    whole = removed("trace", msg_id)
    assert (len(whole.lines), whole.err) == (5, "")
    removed("archive", "--to", "old")
    removed("get", "Q")
    assert removed("trace", msg_id).err == "", "the put was kept as long as the message was there"
    removed("archive", "--to", "old", "--keep", "1h")
    partly = removed("trace", msg_id)
    assert partly.err.endswith(
        f"{LINE}earlier events may be missing here; {READ_REMOVED} reads them, too\n"
    )
    assert f"Message {msg_id}" in partly.lines
    removed("archive", "--to", "old")
    for command in (("trace", msg_id), ("history", "--msg-id", msg_id)):
        denied = removed(*command)
        assert (denied.code, denied.out) == (10, "")
        assert denied.err.endswith(f"{LINE}`mqsc trace {msg_id} {READ_REMOVED}` reads them, too\n")
    archived = removed("trace", msg_id, *READ_REMOVED.replace("URL", "old").split())
    assert archived.code == 0
    assert archived.lines[:4] == whole.lines[:4]
    assert LINE not in archived.err


@pytest.mark.parametrize(
    "command",
    ["auth refused --since 49h", "auth learn --since 49h", "history --since 49h --kind CLOCK"],
)
def test_nothing_is_missing_after_an_event_that_was_kept(removed: Command, command: str) -> None:
    assert LINE not in removed(*command.split()).err


def test_the_newest_events_are_all_there(removed: Command) -> None:
    assert removed("history", "--limit", "1").err == ""


def test_authorities_are_not_called_unused_for_want_of_events(removed: Command) -> None:
    ended = removed("auth", "unused")
    assert (ended.code, ended.out) == (10, "")
    assert f"{LINE}what was used in the last 30 days is not known" in ended.err
    assert ended.err.endswith("; ask for what the history has: --days 2\n")
    assert removed("auth", "unused", "--days", "3").code == 10
    assert "AUTHRMV(GET,PUT)" in removed("auth", "unused", "--days", "2").out
    removed("archive", "--to", "old")
    assert "the history has less than one day" in removed("auth", "unused", "--days", "1").err


def test_the_doctor_counts_what_was_left(removed: Command) -> None:
    removed("archive", "--to", "old")
    (line,) = (each for each in removed("doctor").lines if "numbered" in each)
    left = int(line.split("except ")[1].split()[0])
    assert "0 events after event" in line
    assert len(removed("history", "--format", "jsonl").rows) == left > 0


def test_a_balance_that_cannot_be_known_is_not_called_right(removed: Command) -> None:
    ended = removed("reconcile")
    assert ended.code == 0
    assert ended.lines[-1].endswith(": whether messages are missing cannot be known for any queue")

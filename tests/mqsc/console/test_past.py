"""--as-of: commands read the queue manager as it was, and change nothing."""

from __future__ import annotations

import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

import pytest

from tests.mqsc.conftest import Command
from tests.rows import rows


def _played(mqsc: Command) -> None:
    mqsc("qmgr", "create", "SHOP", "--clock", "manual")
    mqsc("clock", "set", "2026-03-01T09:00")
    mqsc("run", "-c", "DEFINE QLOCAL(ORDERS) MAXDEPTH(9)")
    mqsc("put", "ORDERS", "one")
    mqsc("put", "ORDERS", "two", "--expiry", "90s")
    mqsc("clock", "advance", "1m")
    mqsc("get", "ORDERS")
    mqsc("run", "-c", "ALTER QLOCAL(ORDERS) MAXDEPTH(7)", "-c", "ALTER QMGR DESCR('new')")
    mqsc("clock", "advance", "1m")
    mqsc("browse", "ORDERS")


def test_a_command_reads_the_past(mqsc: Command) -> None:
    _played(mqsc)
    then = "--as-of", "2026-03-01T09:00"
    shown = mqsc("run", "-c", "DISPLAY QLOCAL(ORDERS) MAXDEPTH CURDEPTH", *then).out
    assert ("MAXDEPTH(9)" in shown, "CURDEPTH(2)" in shown) == (True, True)
    assert len(mqsc("browse", "ORDERS", "--as-of", "2m", "--format", "jsonl").lines) == 2
    assert "MAXDEPTH(9)" in mqsc("export", *then).out
    assert mqsc("diff", "-", *then, stdin=b"DEFINE QLOCAL(ORDERS) MAXDEPTH(9)").code == 0
    # Nothing of it is in the store.
    now = mqsc("run", "-c", "DISPLAY QLOCAL(ORDERS) MAXDEPTH CURDEPTH").out
    assert ("MAXDEPTH(7)" in now, "CURDEPTH(0)" in now) == (True, True)


def test_a_message_that_is_gone_has_the_size_that_it_had(mqsc: Command) -> None:
    _played(mqsc)
    listed = mqsc("browse", "ORDERS", "--as-of", "09:00").out
    assert (" 3 " in listed, "(data not kept)" in listed) == (True, True)
    assert "body, 3 bytes: not kept" in mqsc("browse", "ORDERS", "1", "--as-of", "09:00").out


def test_messages_of_the_past_are_shown_although_gets_were_disabled(mqsc: Command) -> None:
    mqsc("qmgr", "create", "SHOP", "--clock", "manual")
    mqsc("clock", "set", "2026-03-01T09:00")
    mqsc("run", "-c", "DEFINE QLOCAL(ORDERS)", "-c", "DEFINE QALIAS(A) TARGET(ORDERS)")
    mqsc("put", "ORDERS", "one")
    mqsc("run", "-c", "ALTER QLOCAL(ORDERS) GET(DISABLED)", "-c", "ALTER QALIAS(A) GET(DISABLED)")
    then = "--as-of", "09:00"
    assert "one" in mqsc("browse", "ORDERS", *then).out
    assert "one" in mqsc("browse", "A", *then).out
    assert "X 6F6E65" in mqsc("export", "--messages", "ORDERS", *then).out
    assert mqsc("pcf", "--queue", "ORDERS", *then).code == mqsc("pcf", "-", stdin=b"one").code
    assert "GET(DISABLED)" in mqsc("run", "-c", "DISPLAY QLOCAL(ORDERS) GET", *then).out
    # At present, it is a get that programs may not make.
    assert "2016" in mqsc("browse", "ORDERS").err


def test_commands_that_only_read_have_a_past(mqsc: Command) -> None:
    _played(mqsc)
    then = "--as-of", "09:00:30"
    assert "depth 2" in mqsc("trigger", "explain", "ORDERS", *then).out
    assert [
        row["value"] for row in mqsc("blame", "QLOCAL(ORDERS)", *then, "--format", "jsonl").rows
    ] == [9]
    msg_id = mqsc("history", "ORDERS", "--kind", "GET", "--format", "jsonl").rows[0]["msg_id"]
    lives = [mqsc("trace", msg_id, *more).out for more in ((), then)]
    assert ["message got" in each or "got" in each.lower().split() for each in lives] == [
        True,
        False,
    ]
    mqsc("run", "-c", "ALTER QMGR DEADQ(ORDERS)")
    tried = mqsc("dlq", "test", "-", "--queue", "ORDERS", *then, stdin=b"ACTION(RETRY)")
    assert (tried.code, "2" in tried.out) == (0, True)


def test_pcf_of_messages_that_were_on_a_queue(mqsc: Command) -> None:
    mqsc("qmgr", "create", "SHOP", "--clock", "manual")
    mqsc("clock", "set", "2026-03-01T09:00")
    mqsc("run", "-c", "ALTER QMGR CONFIGEV(ENABLED)", "-c", "DEFINE QLOCAL(NEW)")
    mqsc("clock", "advance", "1m")
    mqsc("run", "-c", "DELETE QLOCAL(NEW)")
    events = "pcf", "--queue", "SYSTEM.ADMIN.CONFIG.EVENT", "--format", "jsonl"
    assert len(mqsc(*events).rows) - len(mqsc(*events, "--as-of", "30s").rows) == 1
    refused = mqsc("pcf", "-", "--as-of", "30s", stdin=b"")
    assert (refused.code, "--as-of is for the messages on a queue" in refused.err) == (20, True)


def test_what_has_no_past_says_why(mqsc: Command) -> None:
    _played(mqsc)
    refused = mqsc("channel", "explain", "C", "--as-of", "2m")
    assert (refused.code, "does not have the states of channels" in refused.err) == (20, True)


def test_a_temporary_folder_with_a_strange_name(
    mqsc: Command,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _played(mqsc)
    strange = tmp_path / "a%41?b"
    strange.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(strange))
    assert len(mqsc("browse", "ORDERS", "--as-of", "2m", "--format", "jsonl").lines) == 2


def test_the_past_is_only_displayed(mqsc: Command) -> None:
    _played(mqsc)
    refused = mqsc("run", "-c", "CLEAR QLOCAL(ORDERS)", "--as-of", "2m")
    assert (refused.code, "the past can only be displayed." in refused.out) == (10, True)
    assert "MAXDEPTH(7)" in mqsc("export").out


def test_wrong_moments(mqsc: Command) -> None:
    _played(mqsc)
    for moment, code, sentence in (
        ("999999", 10, "there is no event 999999"),
        ("2020-01-01", 10, "the history of SHOP begins after that time"),
        ("soon", 20, "'soon' is not a time"),
    ):
        ended = mqsc("browse", "ORDERS", "--as-of", moment)
        assert (ended.code, sentence in ended.err) == (code, True), moment
    both = mqsc("run", "--plan", "--as-of", "2m", "-c", "DISPLAY QMGR")
    assert (both.code, "cannot be used together" in both.err) == (20, True)


# What is done to the history, and part of what is said of it.
DAMAGES = {
    "UPDATE event SET detail = NULL WHERE kind IN ('OPEN', 'CLOSE')": (
        "its details are not those of such an event"
    ),
    "UPDATE event SET detail = '[1]'": "its details are not a JSON object",
    """UPDATE event SET detail = '{"MAXDEPTH": [1]}' WHERE kind = 'ALTER'""": (
        "not those of such an event"
    ),
    "UPDATE object SET type = 'NONE'": "is of no known type",
}


@rows(*DAMAGES)
def test_a_damaged_history_is_named(mqsc: Command, tmp_path: Path, damage: str) -> None:
    _played(mqsc)
    mqsc("run", "-c", "DISPLAY QSTATUS(ORDERS)")
    seq = mqsc("history", "--kind", "ALTER", "--limit", "1", "--format", "jsonl").rows[0]["seq"]
    with closing(sqlite3.connect(tmp_path / "store.db")) as store:
        store.execute(damage)
        store.commit()
    ended = mqsc("run", "-c", "DISPLAY QLOCAL(ORDERS)", "--as-of", str(seq - 3))
    assert ("Traceback" in ended.err, DAMAGES[damage] in ended.err) == (False, True), ended


def test_a_number_that_no_event_has(mqsc: Command) -> None:
    _played(mqsc)
    for number, code in (("0", 10), ("9" * 18, 10), ("9" * 40, 20)):
        ended = mqsc("browse", "ORDERS", "--as-of", number)
        assert (ended.code, "event" in ended.err) == (code, True), ended.err


def test_a_moment_that_was_removed_is_read_from_the_archive(mqsc: Command) -> None:
    pytest.importorskip("pyarrow")
    _played(mqsc)
    then = "--as-of", "2026-03-01T09:00:30"
    before = [mqsc("browse", "ORDERS", *then, "--format", "jsonl").rows, mqsc("export", *then).out]
    refused = mqsc("browse", "ORDERS", *then, "--archive", "archive")
    assert (refused.code, "never archived" in refused.err) == (20, True)
    mqsc("archive", "--to", "archive", "--keep", "0s")
    pruned = mqsc("browse", "ORDERS", *then)
    assert (pruned.code, "archived and removed" in pruned.err or "begins after" in pruned.err) == (
        10,
        True,
    )
    assert mqsc("browse", "ORDERS", *then, "--archive", "nowhere").code == 20
    assert mqsc("browse", "ORDERS", "--archive", "archive").code == 20
    again = [
        mqsc("browse", "ORDERS", *then, "--archive", "archive", "--format", "jsonl").rows,
        mqsc("export", *then, "--archive", "archive").out,
    ]
    assert again == before


def test_data_that_only_an_archive_has_kept(mqsc: Command) -> None:
    pytest.importorskip("pyarrow")
    mqsc("qmgr", "create", "QM1", "--clock", "manual")
    mqsc("run", "-c", "DEFINE QLOCAL(Q)")
    mqsc("history", "keep", "Q")
    mqsc("put", "Q", "hello", "--msg-id", "01")
    mqsc("clock", "advance", "60s")
    mqsc("get", "Q")
    mqsc("archive", "--to", "archive", "--kept-data", "--keep", "0s")
    mqsc("history", "keep", "Q", "--off")
    for command in (("browse", "Q", "--as-of", "30s"), ("trace", "01", "--as-of", "0s")):
        shown = [mqsc(*command, *more).out for more in ((), ("--archive", "archive"))]
        assert ["hello" in each for each in shown] == [False, True], command

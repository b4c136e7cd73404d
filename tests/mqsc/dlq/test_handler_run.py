"""A run of the handler, from its arguments to the exit code (dlq-rules §1)."""

from __future__ import annotations

from contextlib import ExitStack
from threading import Event

import pytest

from mqsc.agents.stopping import StopRequested
from mqsc.dlq.handler_run import HandlerArguments, HandlerOutput, TableSource, run_handler
from store.admin.altering import change_queue_manager
from store.client.api import open_store
from store.sqlite.database import Transaction
from tests.mqsc.dlq.handler_system import DLQ, HandlerSystem


@pytest.mark.parametrize(
    ("control", "asked", "queue"),
    [
        ("", HandlerArguments(), DLQ),
        ("INPUTQ(OTHER)", HandlerArguments(), "OTHER"),
        ("INPUTQ(OTHER)", HandlerArguments("THIRD"), "THIRD"),
        ("INPUTQ(OTHER)", HandlerArguments(" "), DLQ),  # T29
        ("INPUTQ(' ')", HandlerArguments(), DLQ),
        ("INPUTQM(NONE) INPUTQ(OTHER)", HandlerArguments(None, "QM1"), "OTHER"),
        ("INPUTQM(NONE)", HandlerArguments(None, " "), DLQ),
        ("INPUTQM(QM1)", HandlerArguments("OTHER"), "OTHER"),
    ],
)
def test_which_queue(system: HandlerSystem, control: str, asked: HandlerArguments, queue: str) -> None:
    """§1: arguments take precedence over the table's control entry."""
    system.define("OTHER", "THIRD")
    for name in (DLQ, "OTHER", "THIRD"):
        system.put_dead_letter(name, queue=name)
    assert system.run(f"WAIT(NO) {control}\nACTION(DISCARD)\n", asked).code == 0
    assert [name for name in (DLQ, "OTHER", "THIRD") if not system.seen(name)] == [queue]


def test_work_as_somebody(system: HandlerSystem) -> None:
    system.put_dead_letter("x")
    system.run("WAIT(NO)\nACTION(DISCARD)\n", HandlerArguments(user="fred"))
    assert system.history("DISCARD")[0]["user"] == "fred"


def test_no_queue_at_all(system: HandlerSystem) -> None:
    change_queue_manager(system.qmgr, {"DEADQ": ""})
    ran = system.run("WAIT(NO)\nACTION(DISCARD)\n")
    assert (ran.code, ran.ids) == (10, ["AMQ8745"])


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("WAIT(NO)\nACTION(DISCARD)\nACTION(RETRY) HEADER(NO)\n", ["AMQ8759", "AMQ8758"]),
        ("WAIT(NO)\nACTION(DISCARD)\nRETRY(0) ACTION(RETRY)\nX\n", ["AMQ8757", "MQSC0030", "AMQ8758"]),
        ("", ["AMQ8750"]),
        ("* nothing but this\n", ["AMQ8750"]),
    ],
)
def test_a_table_with_errors_touches_no_message(system: HandlerSystem, text: str, ids: list[str]) -> None:
    """T20: all errors are reported, and no rule is applied, not even the valid ones."""
    system.put_dead_letter("x")
    ran = system.run(text)
    assert (ran.code, [message_id for _, message_id, _ in ran.said]) == (20, ids)
    assert system.seen(DLQ)[0].descriptor.backout_count == 0
    assert system.history("OPEN")[1:] == [], "only the open that put the letter"


def test_a_disconnection_that_fails_is_reported(system: HandlerSystem) -> None:
    """Another program holds the store when the handler tries to get, and still when it disconnects."""
    system.put_dead_letter("x", dest_q_name="NONE")
    system.store.database.busy_timeout = 0
    with open_store(f"sqlite:///{system.store.path}") as other, ExitStack() as holding:
        system.clock.schedule(3, lambda: holding.enter_context(Transaction(other.database, durable=False)))
        ran = system.run("RETRYINT(5) WAIT(YES)\nACTION(RETRY) RETRY(9)\n")
    assert (ran.code, ran.ids[-1]) == (10, "AMQ8769")
    assert ran.said[-1][2] == "Disconnecting failed: completion code 2, reason 2102 MQRC_RESOURCE_PROBLEM."


def test_a_stop_before_the_table_is_read(system: HandlerSystem) -> None:
    """A signal ends the read, as on a terminal where nobody types."""

    def lines() -> list[str]:
        raise StopRequested

    system.put_dead_letter("x")
    said: list[str] = []
    output = HandlerOutput(lambda at, notice: said.append(notice.message_id), said.append)
    code = run_handler(system.store, TableSource("rules", lines), HandlerArguments(None, "QM1"), output, Event())
    assert (code, said) == (20, ["mqsc: stopped before the rules table was read; no message was processed"])
    assert len(system.seen(DLQ)) == 1

"""A run of the handler from what was asked to its exit code (dlq-rules §1)."""

from __future__ import annotations

import pytest

from mqsc.dlq.running import Asked
from store.admin import change_queue_manager
from tests.mqsc.dlq.desk import DLQ, Desk


@pytest.mark.parametrize(
    ("control", "asked", "queue"),
    [
        ("", Asked(), DLQ),
        ("INPUTQ(OTHER)", Asked(), "OTHER"),
        ("INPUTQ(OTHER)", Asked("THIRD"), "THIRD"),
        ("INPUTQ(OTHER)", Asked(" "), DLQ),  # T29
        ("INPUTQ(' ')", Asked(), DLQ),
        ("INPUTQM(NONE) INPUTQ(OTHER)", Asked(None, "QM1"), "OTHER"),
        ("INPUTQM(NONE)", Asked(None, " "), DLQ),
        ("INPUTQM(QM1)", Asked("OTHER"), "OTHER"),
    ],
)
def test_which_queue(desk: Desk, control: str, asked: Asked, queue: str) -> None:
    """§1: what is given beside the table goes before what it says."""
    desk.define("OTHER", "THIRD")
    for name in (DLQ, "OTHER", "THIRD"):
        desk.letter(name, queue=name)
    assert desk.run(f"WAIT(NO) {control}\nACTION(DISCARD)\n", asked).code == 0
    assert [name for name in (DLQ, "OTHER", "THIRD") if not desk.seen(name)] == [queue]


def test_work_as_somebody(desk: Desk) -> None:
    desk.letter("x")
    desk.run("WAIT(NO)\nACTION(DISCARD)\n", Asked(user="fred"))
    assert desk.history("DISCARD")[0]["user"] == "fred"


def test_no_queue_at_all(desk: Desk) -> None:
    change_queue_manager(desk.qmgr, {"DEADQ": ""})
    ran = desk.run("WAIT(NO)\nACTION(DISCARD)\n")
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
def test_a_table_with_errors_touches_no_message(desk: Desk, text: str, ids: list[str]) -> None:
    """T20: all errors are said, the rules that are right are not applied."""
    desk.letter("x")
    ran = desk.run(text)
    assert (ran.code, [message_id for _, message_id, _ in ran.said]) == (20, ids)
    assert desk.seen(DLQ)[0].descriptor.backout_count == 0
    assert desk.history("OPEN")[1:] == [], "only the open that put the letter"

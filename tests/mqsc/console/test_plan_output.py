"""How the lines and the summary of a plan are printed."""

from __future__ import annotations

import io
from collections import Counter
from typing import Any

import pytest

from mqsc.plan import Action, Planned
from mqsc.scripts.atomic_run import INDENT, PlanText, as_row, exit_code, lines_of, summary


def planned(action: Action, **more: Any) -> Planned:
    facts: dict[str, Any] = {"file": "a.mqsc", "line": 3, "command": "ALTER QLOCAL(A)", "type": "QLOCAL", "name": "A"}
    return Planned(action=action, **(facts | more))


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        (1, 2, "1 -> 2"),
        (None, 2, "2"),
        ("", "A", "' ' -> A"),
        ("A", "", "A -> ' '"),
        ("a b", "it's", "'a b' -> 'it''s'"),
        (["A", "b c"], [], "(A,'b c') -> ()"),
        ("NOTRIGGER", "TRIGGER", "NOTRIGGER -> TRIGGER"),
        ("x", None, "x -> (none)"),
    ],
)
def test_a_change_of_one_attribute(before: Any, after: Any, shown: str) -> None:
    _, line = lines_of(planned(Action.UPDATE, changes={"WORD": (before, after)}))
    assert line == f"{INDENT}WORD  {shown}"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (planned(Action.CREATE), "CREATE     QLOCAL(A)                                          a.mqsc:3"),
        (planned(Action.CREATE, file=None), "CREATE     QLOCAL(A)                                          line 3"),
        (planned(Action.UNCHANGED, name=""), "UNCHANGED  QLOCAL                                             a.mqsc:3"),
        (
            planned(Action.DELETE, messages=1),
            "DELETE     QLOCAL(A), 1 message                               a.mqsc:3",
        ),
        (
            planned(Action.ACTION, command="CLEAR QLOCAL(A)", messages=0),
            "ACTION     CLEAR QLOCAL(A), 0 messages                        a.mqsc:3",
        ),
        (
            planned(Action.ACTION, command="CLEAR QLOCAL(" + "A" * 48 + ")", messages=12),
            "ACTION     CLEAR QLOCAL(AAAAAAAAAAAAAAAAAAAA..., 12 messages  a.mqsc:3",
        ),
    ],
)
def test_a_line(line: Planned, told: str) -> None:
    assert list(lines_of(line)) == [told]


def test_attributes_stand_below_each_other() -> None:
    _, first, second = lines_of(planned(Action.CREATE, changes={"GET": (None, "DISABLED"), "MAXDEPTH": (None, 1)}))
    assert (first, second) == (f"{INDENT}GET       DISABLED", f"{INDENT}MAXDEPTH  1")


def test_the_reason_of_an_error_is_told_without_the_syntax() -> None:
    said = ("Syntax error:-", "DEFINE QLOCAL(A) X", "", "line 3, column 5: why")
    text = "\n".join((*said, "AMQ8427I: Valid syntax:", "", "  DEFINE QLOCAL( name )"))
    _, *reason = lines_of(planned(Action.ERROR, message_id="AMQ8405I", text=text))
    assert reason == [INDENT + line for line in (f"AMQ8405I: {said[0]}", said[1], said[3])]
    assert as_row(planned(Action.ERROR, text=text))["text"] == text


def test_a_terminal_gets_no_character_that_steers_it() -> None:
    out = io.StringIO()
    PlanText(out, terminal=True).write(planned(Action.UPDATE, changes={"DESCR": ("", "\x1b[2J")}))
    assert "\x1b" not in out.getvalue()
    assert "\\x1b[2J" in out.getvalue()


@pytest.mark.parametrize(
    ("actions", "code", "told"),
    [
        ([], 0, "Nothing to do."),
        ([Action.UNCHANGED], 0, "1 unchanged."),
        ([Action.UNCHANGED, Action.ACTION], 2, "1 unchanged, 1 to carry out."),
        ([Action.CREATE, Action.CREATE, Action.UPDATE], 2, "2 to create, 1 to update."),
        ([Action.DELETE], 2, "1 to delete."),
        ([Action.DELETE, Action.ERROR], 10, "1 to delete, 1 in error."),
    ],
)
def test_what_a_plan_comes_to(actions: list[Action], code: int, told: str) -> None:
    counts = Counter(actions)
    assert (exit_code(counts), summary(counts)) == (code, told)

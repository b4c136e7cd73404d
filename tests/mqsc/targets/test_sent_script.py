"""What is sent is what the plan showed, and nothing else: whatever names and texts say (targets §5).

The lines are read with our own grammar, as the far end reads them.
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import cast

import pytest
from hypothesis import HealthCheck, Phase, given, settings, strategies as st

from mqsc.console.options import Choices
from mqsc.grammar.lines import LogicalLine, logical_lines
from mqsc.script import run
from mqsc.scripts.leading_script import NOTHING, leading_script
from mqsc.store.client.queue_manager import QueueManager
from mqsc.targets.dump import Dump, dump_of
from mqsc.targets.reading import TargetState, state_of
from mqsc.targets.sending import requests_in, sent_commands
from mqsc.targets.target import Target, TargetError
from tests.examples import examples
from tests.mqsc.export.test_round_trip import new_queue_manager, state
from tests.mqsc.scripts.test_leading_script import STATES, States, bring_about, cannot_get_there

TARGET = Target("prod", "QM1")


def target_state() -> TargetState:
    """A state that knows no other attributes than the catalog."""
    return TargetState(TARGET, Choices(), cast("Dump", None), most=0, can_call=False)


def check(here: QueueManager, there: QueueManager) -> None:
    """Read the lines that lead from here to there; each command is one of the plan, and they lead
    there.
    """
    script = leading_script(here, there)
    if cannot_get_there(script):
        return
    commands = sent_commands(script, target_state())
    lines = [line for command in commands for line in command.lines]
    assert max(map(len, lines), default=0) <= 80
    assert not any("\n" in line or "\r" in line for line in lines)
    items = [*logical_lines(lines)]
    assert all(isinstance(item, LogicalLine) for item in items)
    requests = [*requests_in(lines, target_state())]
    assert len(items) == len(requests) == len(script.commands)
    for request, command, planned in zip(requests, commands, script.commands, strict=True):
        assert request.attributes == command.request.attributes
        # No command names the queue manager.
        assert planned.definition.key in command.keys or request.noun == "QMGR"
    shown = {(row.type, row.name) for row in script.rows}
    named = {each for command in commands for each in command.objects}
    # The queue manager has its name in a plan, and none in a command.
    assert {each for each in named if each[0] != "QMGR"} <= shown
    run(here, "\n".join(lines))
    assert state(here) == state(there)


@settings(
    max_examples=examples(10),
    deadline=None,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=list(HealthCheck),
    report_multiple_bugs=False,
)
@given(STATES, STATES)
def test_random_states(first: States, second: States) -> None:
    with new_queue_manager() as here, new_queue_manager() as there:
        bring_about(here, first)
        bring_about(there, second)
        check(here, there)


ATTACKS = [
    "x') DELETE QLOCAL('A",
    "'; DELETE QLOCAL(A); '",
    "ends with +",
    "ends with -",
    "+",
    "-",
    "* a comment",
    "END",
    "DELETE QLOCAL(A)",
    "''''''",
    "     1 : DELETE QLOCAL(A)",
    "a" * 63 + "+",
    ("+ " * 31)[:62],
    ("'- " * 20)[:60],
    "${HOME} $(id) `id` \\",
]


@pytest.mark.parametrize("text", ATTACKS)
@pytest.mark.parametrize("column", range(0, 9, 4))
def test_texts_that_look_like_commands(text: str, column: int) -> None:
    value = (" " * column + text)[:64].rstrip().replace("'", "''")
    value = value if value.count("'") % 2 == 0 else value[:-1]
    with new_queue_manager() as here, new_queue_manager() as there:
        run(here, "DEFINE QLOCAL(A)")
        run(
            there,
            f"DEFINE QLOCAL(A) DESCR('{value}')\nDEFINE QLOCAL(B) DESCR('{value}')",
            check=True,
        )
        check(here, there)


@settings(max_examples=examples(40), deadline=None, suppress_health_check=list(HealthCheck))
@given(st.text(st.sampled_from("'+-;* \t(),\"aA1"), max_size=64))
def test_any_text(text: str) -> None:
    value = text.rstrip()[:64]
    with new_queue_manager() as here, new_queue_manager() as there:
        quoted = value.replace("'", "''")
        run(here, "DEFINE QLOCAL(A)")
        run(there, f"DEFINE QLOCAL(A) DESCR('{quoted}')")
        check(here, there)


HEADING = "* Script generated on 2026-03-01   at 09.00.00\n* Queue manager name: QM1\n"
HOSTILE = [
    "DEFINE QLOCAL('A') NEWWORD('x; DELETE QLOCAL(B)')",
    "DEFINE QLOCAL('A') NEWWORD('x +')",
    "DEFINE QLOCAL('A') NEWWORD('x'';DELETE QLOCAL(B);''')",
    "DEFINE QLOCAL('A') NEWWORD(X) ; DELETE QLOCAL(B)",
]


@pytest.mark.parametrize("line", HOSTILE)
def test_attributes_that_are_only_known_there(
    line: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """An unknown attribute is written back as it is, as part of its own command."""
    file = tmp_path_factory.mktemp("dump") / "dump"
    file.write_text(f"{HEADING}{line}\nDEFINE QLOCAL('B')\n* Script ended on 2026-03-01\n")
    with ExitStack() as stack:
        dump = dump_of(TARGET, file)
        there = stack.enter_context(state_of(Choices(quiet=True), TARGET, dump, can_call=False))
        from mqsc.console.target import opened_queue_manager

        after = stack.enter_context(opened_queue_manager(there.choices))
        before = stack.enter_context(new_queue_manager())
        given_ = type(NOTHING)(unknown_after=there.unknown)
        script = leading_script(before, after, given=given_)
        commands = sent_commands(script, there)
        lines = [each for command in commands for each in command.lines]
        requests = [*requests_in(lines, there)]
        assert [request.verb for request in requests if request.name in "AB"].count("DELETE") == 0
        assert len(requests) == len(commands)
        unknown = {name: text for each in requests for name, text in each.unknown.items()}
        assert unknown == next(iter(there.unknown.values()))


def test_a_line_that_is_no_command_is_not_sent() -> None:
    for lines in (["* DELETE"], ["MAKE QLOCAL(A)"], ["DEFINE QLOCAL(A"]):
        with pytest.raises(TargetError, match="nothing was sent"):
            list(requests_in(lines, target_state()))

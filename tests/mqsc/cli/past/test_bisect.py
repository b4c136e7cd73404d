"""`mqsc bisect`: the event that it finds is the one that a linear search finds."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import pytest

import mqsc as product
from mqsc.cli.past.bisect_search import MOST_STATES, turn
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import open_store
from mqsc.store.constants import MQGMO, MQOO, MQPMO
from mqsc.store.environment import Environment, FrozenClock
from mqsc.store.error import MQError
from tests.mqsc.conftest import Command
from tests.reports.history import at

DISPLAYS = (
    *(f"QLOCAL(A) WHERE(CURDEPTH GT {depth})" for depth in (0, 2, 5)),
    *(
        "QSTATUS(*) WHERE(CURDEPTH EQ 4)",
        "QUEUE(A) WHERE(MAXDEPTH LT 6)",
        "QLOCAL(A) WHERE(GET EQ DISABLED)",
    ),
    *("QLOCAL(C)", "QUEUE(C) WHERE(DESCR EQ 'new')", "QALIAS(*) WHERE(PUT EQ DISABLED)"),
)


def answers(qmgr: QueueManager) -> list[bool]:
    return [
        bool(reply.rows)
        for reply in product.run(qmgr, "\n".join(f"DISPLAY {each}" for each in DISPLAYS))
    ]


# MQSC_BISECT=1000 takes so many steps, in which attributes change often.
STEPS = int(os.environ.get("MQSC_BISECT", "80"))


@pytest.mark.parametrize("seed", [0, 1])
def test_a_linear_search_finds_the_same(seed: int, mqsc: Command, tmp_path: Path) -> None:
    chance = random.Random(seed)
    with open_store(
        f"sqlite:///{tmp_path}/store.db",
        Environment(FrozenClock(at(0)), "tester", "mqsc"),
    ) as store:
        qmgr = store.create_queue_manager("QM1")
        product.run(qmgr, "DEFINE QLOCAL(A)\nDEFINE QLOCAL(B)")
        known = [(store.bound().seq, answers(qmgr))]
        with qmgr.connect() as program:
            queue = program.open("A", MQOO.INPUT_SHARED | MQOO.OUTPUT)

            def run(text: str) -> Callable[[], object]:
                return lambda: product.run(qmgr, text)

            def put(options: int) -> Callable[[], object]:
                return lambda: queue.put(product.Message(b"x"), product.PutMessageOptions(options))

            def get(options: int) -> Callable[[], object]:
                return lambda: queue.get(product.GetMessageOptions(options))

            steps: dict[Callable[[], object], int] = {
                put(MQPMO.NO_SYNCPOINT): 8,
                put(MQPMO.SYNCPOINT): 5,
                get(MQGMO.NO_SYNCPOINT): 5,
                get(MQGMO.SYNCPOINT): 4,
                program.commit: 2,
                program.back: 2,
                run("CLEAR QLOCAL(A)"): 1,
                run("MOVE QLOCAL(A) TOQLOCAL(B)"): 1,
                run("MOVE QLOCAL(B) TOQLOCAL(A)"): 1,
                run("ALTER QLOCAL(A) MAXDEPTH(5) GET(DISABLED)"): 1,
                run("ALTER QLOCAL(A) MAXDEPTH(9) GET(ENABLED)"): 2,
                run("DEFINE QALIAS(C) TARGET(A) REPLACE"): 1,
                run("DEFINE QLOCAL(C) DESCR('new')"): 1,
                run("DELETE QALIAS(C)"): 1,
                run("DELETE QLOCAL(C)"): 1,
                run("ALTER QALIAS(C) PUT(DISABLED)"): 1,
            }
            for step in chance.choices([*steps], [*steps.values()], k=STEPS):
                with suppress(MQError):
                    step()
                known.append((store.bound().seq, answers(qmgr)))
    for number, display in enumerate(DISPLAYS):
        told = [(seq, answer[number]) for seq, answer in known]
        pairs = [*pairwise(told)]
        begins, ends = (
            [(a[0], b[0]) for a, b in pairs if b[1] is has and a[1] is not has]
            for has in (True, False)
        )
        for options, wanted in ((), begins[:1]), (("--last",), [] if told[-1][1] else ends[-1:]):
            ended = mqsc("bisect", display, *options, "--format", "jsonl")
            assert ended.code == (0 if wanted else 10), (display, options, ended.err)
            for (before, after), row in zip(wanted, ended.rows, strict=True):
                assert before < row["seq"] <= after, (display, options)
                assert row["certain"], (display, options)


@pytest.mark.parametrize("last", [False, True])
@pytest.mark.parametrize("number", [2, MOST_STATES, 1000])
def test_one_change_is_found_by_halves(number: int, last: bool) -> None:
    for place in range(1, number, max(number // 9, 1)):
        asked = list[int]()

        def holds(state: int, place: int = place, asked: list[int] = asked) -> bool:
            asked.append(state)
            return (state >= place) is not last

        found = turn(range(number), holds, last=last)
        assert found == (place, number <= MOST_STATES)
        assert len({*asked}) <= max(MOST_STATES, 13)


def test_of_many_states_those_between_are_looked_at_when_it_came_and_went() -> None:
    assert turn(range(1000), lambda state: 400 <= state < 600, last=False) == (400, False)
    assert turn(range(1000), lambda state: 400 <= state < 600, last=True) == (600, False)
    assert turn(range(1000), lambda state: False, last=True) is None


def test_on_the_command_line(mqsc: Command) -> None:
    mqsc("run", "-c", "DEFINE QLOCAL(A)")
    mqsc("put", "A", "x", "y")
    ended = mqsc("bisect", "qlocal(A) where(curdepth gt 1)")
    assert ended.code == 0
    assert "first had an answer after event" in ended.lines[0]
    assert "message put on A" in ended.out
    assert "The minute before it" in ended.out
    assert "2 states of the past looked at; every change was followed" in ended.err
    # As in the shell, where nothing needs quotes.
    assert mqsc("bisect", "QLOCAL(A)", "WHERE(CURDEPTH", "GT", "1)").lines[1:] == ended.lines[1:]
    for display, code, said in (
        ("QLOCAL(A) WHERE(CURDEPTH GT 7)", 10, "never had an answer between events 0 and"),
        ("QLOCAL(A) WHERE(CURDEPTH)", 20, "WHERE takes a keyword"),
        ("QLOCAL(NOPE)", 10, "never had an answer"),
        ("", 20, "DISPLAY needs a type of object"),
    ):
        ended = mqsc("bisect", display)
        assert (ended.code, said in ended.err) == (code, True), ended.err
    ended = mqsc("bisect", "QLOCAL(A) WHERE(CURDEPTH GT 1)", "--last")
    assert (ended.code, "has an answer after the last of these events" in ended.err) == (10, True)
    ended = mqsc("bisect", "QSTATUS(A) WHERE(OPPROCS GT 0)", "--last")
    assert (ended.code, "A closed" in ended.out, "every change" in ended.err) == (0, True, True)
    ended = mqsc("bisect", "QSTATUS(A)")
    assert (ended.code, "QLOCAL A defined" in ended.out, "by halves" in ended.err) == (
        0,
        True,
        True,
    )


def test_what_was_archived_is_never_said_not_to_have_been(mqsc: Command, tmp_path: Path) -> None:
    mqsc("qmgr", "create", "QM1", "--clock", "manual")
    mqsc("run", "-c", "DEFINE QLOCAL(A) MAXDEPTH(5)")
    mqsc("archive", "--to", str(tmp_path / "archive"))
    for words in ((), ("--until", "1d"), ("--since", "0s")):
        ended = mqsc("bisect", "QLOCAL(A) WHERE(CURDEPTH GT 3)", *words)
        assert (ended.code, "no event in that time; those up to " in ended.err) == (10, True), (
            ended.err
        )
    last = ended.err.split("up to ")[1].split()[0]
    assert mqsc("reproduce", "2").err == "mqsc: event 2 was archived and removed\n"
    assert mqsc("browse", "A", "--as-of", last).code == 0
    mqsc("run", "-c", "ALTER QLOCAL(A) MAXDEPTH(7)")
    assert (
        "had an answer before the first of these events already" in mqsc("bisect", "QLOCAL(A)").err
    )
    assert "MAXDEPTH 5 to 7" in mqsc("bisect", "QLOCAL(A) WHERE(MAXDEPTH EQ 7)").out
    assert "MAXDEPTH 5 to 7" in mqsc("bisect", "--last", "QLOCAL(A) WHERE(MAXDEPTH EQ 5)").out
    ended = mqsc("bisect", "QLOCAL(A) WHERE(CURDEPTH GT 3)")
    assert (ended.code, "where the history begins since events were archived" in ended.err) == (
        10,
        True,
    )
    assert "were archived and removed: what they set is not shown" in mqsc("blame", "QLOCAL(A)").err


def test_a_depth_is_followed_across_restarts(mqsc: Command) -> None:
    mqsc("run", "-c", "DEFINE QLOCAL(A)", "-c", "DEFINE QLOCAL(B)")
    for queue in ("A", "B"):
        mqsc("put", queue, *"abcdef", "--not-persistent")
    mqsc("qmgr", "end", "--immediate")
    mqsc("qmgr", "start")
    for options in ((), ("--last",)):
        ended = mqsc("bisect", "QLOCAL(A) WHERE(CURDEPTH GT 2)", *options, "--format", "json")
        assert ended.code == 0
        (row,) = ended.rows
        assert (row["certain"], row["queue"]) == (True, "A")
    discarded = [
        each["seq"] for each in mqsc("history", "A", "--kind", "DISCARD", "--format", "jsonl").rows
    ]
    assert row["seq"] == discarded[-3]
    # What an ended queue manager has is still there.
    mqsc("put", "A", "g")
    mqsc("qmgr", "end", "--immediate")
    ended = mqsc("bisect", "QLOCAL(A)", "--last")
    assert "has an answer after the last of these events" in ended.err

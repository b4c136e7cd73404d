"""Units in doubt and killed programs: each unit is either in doubt as a whole or backed out as a
whole.
"""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path
from signal import SIGKILL

import pytest

from mqsc.store import GetMessageOptions, Message, MQError, PutMessageOptions
from mqsc.store.admin.backup import back_up
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store, open_store
from mqsc.store.constants import MQGMO, MQOO, MQPMO
from tests.processes.conftest import Start, StartPlayer
from tests.processes.programs import Program, connected
from tests.scenarios.looking import curdepth, waiting_on
from tests.scenarios.play import Play

PREPARED = """
A: get syncpoint => g1
A: get syncpoint => g2
A: get syncpoint => g3
A: put p1 p2 on R syncpoint
A: prepare TO.QM2 7
"""
# Rounds in which a program is killed, and the most units that it begins in one.
ROUNDS, UNITS = 6, 15


def prepare_units(url: str, first: int) -> None:
    """Prepare units, each of two gets and two puts, with a line of output before and after each;
    then do nothing.
    """
    with connected(url) as connection:
        source, target = connection.open("Q", MQOO.INPUT_SHARED), connection.open("R", MQOO.OUTPUT)
        for number in range(first, first + UNITS):
            for _ in range(2):
                message = source.get(GetMessageOptions(MQGMO.SYNCPOINT))
                target.put(Message(message.body), PutMessageOptions(MQPMO.SYNCPOINT))
            print(f"begun {number}")
            connection.prepare("CH", str(number))
            print(f"ended {number}")
        # On a busy machine it may not be killed before this.
        sys.stdin.read()


def resolve_units(url: str, units: int, commit: bool) -> None:
    """Resolve all units when told to; say how many others had not resolved."""
    qmgr, won = open_store(url).queue_manager("QM1"), 0
    print("ready")
    sys.stdin.readline()
    for number in range(units):
        try:
            qmgr.resolve("CH", str(number), commit=commit)
            won += 1
        except MQError as refused:
            if int(refused.reason) != 2255:
                raise
    print(won)


def test_v01_a_unit_in_doubt_survives_its_program(
    qmgr: QueueManager,
    play: Play,
    program: StartPlayer,
) -> None:
    play.run("put g1 g2 g3 g4")
    mover = program()
    mover.run(PREPARED + "A: get syncpoint => g4")
    mover.kill()
    qmgr.store.recover()
    play.run("doubt => TO.QM2/7/2+3\non Q => g4\nget => g4 bc=1\ndepth Q => 0\ndepth R => 2")
    restarted = program()
    restarted.run("resolve TO.QM2 7 backout")
    play.run("on Q => g1 g2 g3\non R => nothing\ndepth Q => 3\ndepth R => 0\ndoubt => nothing")


def test_v01_a_backup_and_its_restored_copy_have_the_unit(
    store: Store,
    play: Play,
    tmp_path: Path,
) -> None:
    play.run("put g1 g2 g3 g4" + PREPARED)
    back_up(store, tmp_path / "copy.db")
    play.run("resolve TO.QM2 7 backout")
    with open_store(f"sqlite:///{tmp_path / 'copy.db'}") as copy:
        restored = Play(copy.queue_manager("QM1"))
        restored.run("doubt => TO.QM2/7/2+3\nresolve TO.QM2 7 commit\non R => p1 p2\non Q => g4")


@pytest.mark.parametrize("seed", range(3))
def test_v04_killed_between_the_write_and_the_answer(
    qmgr: QueueManager,
    play: Play,
    start: Start,
    seed: int,
) -> None:
    """Killed at a random moment around a prepare: the unit is in doubt as a whole, or backed out
    as a whole.
    """
    play.run("put m*200 persistence=1")
    chance, number, prepared = random.Random(seed), 0, 0
    for _ in range(ROUNDS):
        number = killed_while_preparing(start(prepare_units, number), number, chance)
        qmgr.store.recover()
        units = qmgr.in_doubt()
        assert {(each.puts, each.gets) for each in units} <= {(2, 2)}
        assert prepared <= len(units)
        assert {each.luwid for each in units} >= {str(each) for each in range(number)}
        prepared = len(units)
        assert curdepth(qmgr, "Q") == len(waiting_on(qmgr, "Q")) == 200 - 2 * prepared
        assert (curdepth(qmgr, "R"), waiting_on(qmgr, "R")) == (2 * prepared, [])
        number = prepared
    for each in qmgr.in_doubt():
        qmgr.resolve(each.name, each.luwid, commit=int(each.luwid) % 2 == 0)
    committed = (prepared + 1) // 2
    assert len(waiting_on(qmgr, "R")) == 2 * committed
    assert sorted(waiting_on(qmgr, "Q") + waiting_on(qmgr, "R")) == sorted(
        f"m{each}" for each in range(1, 201)
    )


def killed_while_preparing(program: Program, first: int, chance: random.Random) -> int:
    """Kill the process shortly after it begins a unit; return the number of the first unit not
    reported as ended.
    """
    awaited, said = f"begun {first + chance.randrange(4)}", [""]
    while said[-1] != awaited:
        said.append(program.line())
        assert said[-1], "the program ended by itself"
    until = time.perf_counter() + chance.random() * 0.002
    while time.perf_counter() < until:
        continue
    program.signal(SIGKILL)
    said += program.rest()[1].splitlines(keepends=True)
    return first + sum(each.startswith("ended") for each in said)


def test_v05_two_processes_resolve_the_same_units(
    qmgr: QueueManager,
    play: Play,
    start: Start,
) -> None:
    """Each unit is resolved once: committed as a whole by one process, or backed out as a whole
    by the other.
    """
    units = 100
    for number in range(units):
        play.run(
            f"put g{number}\nget syncpoint => g{number}\nput p{number} on R syncpoint\nprepare CH "
            f"{number}",
        )
    racers = [start(resolve_units, units, commit) for commit in (True, False)]
    assert [racer.line() for racer in racers] == ["ready"] * 2
    for racer in racers:
        racer.tell("go")
    committed, backed_out = (int(racer.line()) for racer in racers)
    assert committed + backed_out == units
    assert len(waiting_on(qmgr, "R")) == curdepth(qmgr, "R") == committed
    assert len(waiting_on(qmgr, "Q")) == curdepth(qmgr, "Q") == backed_out
    play.run("doubt => nothing")

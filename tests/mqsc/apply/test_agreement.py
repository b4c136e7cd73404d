"""apply, its plan and diff agree: what was applied needs no further change, whatever the files and the store.

Random commands change a queue manager, others are the files. MQSC_APPLY_EXAMPLES sets how often this is tried.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from random import Random

import pytest

from mqsc.console.inputs import InputSource
from mqsc.plan import CHANGING, Action, Planned
from mqsc.script import run
from mqsc.scripts.apply_run import carry_out
from mqsc.scripts.declarations import statements_in
from mqsc.scripts.planning import ApplyPlan, plan_to_apply
from store.client.api import QueueManager
from store.message import Message
from tests.mqsc.export.test_round_trip import new_queue_manager, state

EXAMPLES = int(os.environ.get("MQSC_APPLY_EXAMPLES", "8"))
QUEUES = ("A", "B", "C", "D")
DEFAULTS = (
    "QLOCAL(SYSTEM.DEFAULT.LOCAL.QUEUE)",
    "QMODEL(SYSTEM.DEFAULT.MODEL.QUEUE)",
    "QALIAS(SYSTEM.DEFAULT.ALIAS.QUEUE)",
)


def attribute(chance: Random) -> str:
    return chance.choice(
        (
            "",
            "",
            f"MAXDEPTH({chance.randint(1, 9)})",
            f"DESCR('{chance.choice('xyz')}')",
            f"STREAMQ({chance.choice(QUEUES)})",
        )
    )


def command(chance: Random) -> str:
    """A command that defines something, one of few things, so that commands meet."""
    queue, other = chance.choice(QUEUES), chance.choice(QUEUES)
    like = f" LIKE({other})" if chance.random() < 0.1 else ""
    replace = " REPLACE" if chance.random() < 0.3 else ""
    add, remove = (f" AUTH{word}({chance.choice(('GET', 'PUT', 'GET,PUT'))})" for word in ("ADD", "RMV"))
    rights = chance.choice((add, add, remove, add + remove))
    return chance.choice(
        (
            *(f"DEFINE QLOCAL({queue}) {attribute(chance)}{like}{replace}",) * 5,
            f"DEFINE QALIAS({queue}) TARGET({other}){replace}",
            f"DEFINE QMODEL({queue}) {attribute(chance)}{replace}",
            f"ALTER QLOCAL({queue}) {attribute(chance) or 'GET(ENABLED)'}",
            f"ALTER {chance.choice(DEFAULTS)} DESCR('{chance.choice('pq')}')",
            f"ALTER {DEFAULTS[0]} MAXDEPTH({chance.randint(1, 9)})",
            f"ALTER QMGR DESCR('{chance.choice('pq')}') DEADQ({queue})",
            f"DELETE QLOCAL({queue})",
            f"DELETE QLOCAL({queue}) PURGE",
            f"DEFINE CHANNEL({queue}) CHLTYPE({chance.choice(('SVRCONN', 'RCVR'))}){replace}",
            f"DEFINE TOPIC({queue}) TOPICSTR('{other}'){replace}",
            f"DEFINE SUB({queue}) TOPICSTR('t') DEST({other}){replace}",
            f"DEFINE NAMELIST({queue}) NAMES({other}){replace}",
            *(f"SET AUTHREC PROFILE({queue}) OBJTYPE(QUEUE) GROUP('g'){rights}",) * 2,
            f"DELETE AUTHREC PROFILE({queue}) OBJTYPE(QUEUE) GROUP('g')",
            f"SET CHLAUTH({queue}) TYPE(BLOCKUSER) USERLIST('{chance.choice('uv')}')",
            f"SET CHLAUTH({queue}) TYPE(BLOCKUSER) ACTION(REMOVEALL)",
            "SET CHLAUTH('*') TYPE(BLOCKUSER) ACTION(REMOVEALL)",
        )
    )


def planned(qmgr: QueueManager, commands: Sequence[str], *, prune: bool) -> ApplyPlan:
    return plan_to_apply(qmgr, statements_in([InputSource(text="\n".join(commands))], None), prune=prune)


def remaining(plan: ApplyPlan) -> set[tuple[Action, str, str, tuple[str, ...]]]:
    """The objects that are different and stay so."""
    rows = (row for row in plan.rows if row.action in (Action.KEPT, Action.DIFFERS))
    return {(row.action, row.type, row.name, row.record) for row in rows}


def changing(plan: ApplyPlan) -> list[Planned]:
    return [row for row in plan.rows if row.action in CHANGING or row.action is Action.ERROR]


def changed_at_random(chance: Random, qmgr: QueueManager) -> None:
    run(qmgr, "\n".join(command(chance) for _ in range(chance.randint(0, 12))))
    queue = chance.choice(QUEUES)
    if any(reply.completion == 0 for reply in run(qmgr, f"DISPLAY QLOCAL({queue})")):
        with qmgr.connect() as connection:
            connection.put1(queue, Message(b"kept"))


@pytest.mark.parametrize("seed", range(EXAMPLES))
@pytest.mark.parametrize("prune", [False, True])
def test_what_was_applied_needs_no_further_change(seed: int, prune: bool) -> None:
    chance = Random(f"{seed}{prune}")
    files: list[str] = []
    with new_queue_manager() as qmgr:
        changed_at_random(chance, qmgr)
        for _ in range(chance.randint(1, 8)):
            # A command that would fail is left out, which the files of a user are without.
            more = [*files, command(chance)]
            files = files if planned(qmgr, more, prune=prune).has_errors else more
        plan = planned(qmgr, files, prune=prune)
        carry_out(qmgr, plan)
        applied = state(qmgr)
        again = planned(qmgr, files, prune=prune)
        assert (files, changing(again)) == (files, [])
        assert again.steps == ()
        carry_out(qmgr, again)
        assert state(qmgr) == applied
        if prune:
            assert remaining(again) == remaining(plan)
        named = {(row.type, row.name) for row in plan.rows}
        different = [row for row in changing(planned(qmgr, files, prune=True)) if (row.type, row.name) in named]
        assert (files, different if not prune else []) == (files, [])


@pytest.mark.parametrize("seed", range(EXAMPLES))
def test_roles_of_stream_queues_are_exchanged_in_any_order(seed: int) -> None:
    chance = Random(seed)
    with new_queue_manager() as qmgr:
        run(qmgr, "\n".join(streams(chance)))
        files = streams(chance)
        if chance.random() < 0.3:
            files = [each for each in files if "STREAMQ" in each or chance.random() < 0.5]
        plan = planned(qmgr, files, prune=True)
        assert [row for row in plan.rows if row.action is Action.ERROR] == []
        carry_out(qmgr, plan)
        assert changing(planned(qmgr, files, prune=True)) == []


def streams(chance: Random) -> list[str]:
    """DEFINEs in any order, of queues of which some stream to the others."""
    names = chance.sample("ABCDEF", 6)
    count = chance.randint(0, 5)
    sources, targets = names[:count], names[count:]
    defined = [f"DEFINE QLOCAL({name}) STREAMQ({chance.choice(targets)})" for name in sources]
    return chance.sample([*defined, *(f"DEFINE QLOCAL({name})" for name in targets)], len(names))

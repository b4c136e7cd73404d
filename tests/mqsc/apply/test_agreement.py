"""apply, its plan and diff agree: what was applied needs no further change, whatever the files and
the store.

Random commands change a queue manager, others are the files: some 20 in each example, so that
MQSC_TIMES=25 makes it more than 10,000.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from msgspec.structs import replace

from mqsc.console.inputs import InputSource
from mqsc.plan import CHANGING, Action, Planned
from mqsc.script import run
from mqsc.scripts.apply_run import carry_out
from mqsc.scripts.declarations import statements_in
from mqsc.scripts.planning import ApplyPlan, plan_to_apply
from mqsc.scripts.saved_plan import changed_since, decoded, encoded, saved_plan
from mqsc.scripts.selection import EVERYTHING, TYPES, Selection
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.message import Message
from mqsc.verbs import perform_request
from tests.examples import examples
from tests.mqsc.export.test_round_trip import new_queue_manager, state

EXAMPLES = examples(8)
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
        ),
    )


def command(chance: Random) -> str:
    """A command that defines something, one of few things, so that commands meet."""
    queue, other = chance.choice(QUEUES), chance.choice(QUEUES)
    like = f" LIKE({other})" if chance.random() < 0.1 else ""
    replace = " REPLACE" if chance.random() < 0.3 else ""
    add, remove = (
        f" AUTH{word}({chance.choice(('GET', 'PUT', 'GET,PUT'))})" for word in ("ADD", "RMV")
    )
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
        ),
    )


def planned(
    qmgr: QueueManager,
    commands: Sequence[str],
    *,
    prune: bool,
    selection: Selection = EVERYTHING,
) -> ApplyPlan:
    statements = statements_in([InputSource(text="\n".join(commands))], None)
    return plan_to_apply(qmgr, statements, prune=prune, selection=selection)


def files_for(
    chance: Random,
    qmgr: QueueManager,
    *,
    prune: bool,
    selection: Selection = EVERYTHING,
) -> list[str]:
    """Commands without those that would fail, as in the files of a user."""
    files: list[str] = []
    for _ in range(chance.randint(1, 8)):
        more = [*files, command(chance)]
        files = files if planned(qmgr, more, prune=prune, selection=selection).has_errors else more
    return files


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
    with new_queue_manager() as qmgr:
        changed_at_random(chance, qmgr)
        files = files_for(chance, qmgr, prune=prune)
        plan = planned(qmgr, files, prune=prune)
        carry_out(qmgr, plan)
        applied = state(qmgr)
        again = planned(qmgr, files, prune=prune)
        assert (files, changing(again), again.steps) == (files, [], ())
        carry_out(qmgr, again)
        assert state(qmgr) == applied
        if prune:
            assert remaining(again) == remaining(plan)
        named = {(row.type, row.name) for row in plan.rows}
        different = [
            row
            for row in changing(planned(qmgr, files, prune=True))
            if (row.type, row.name) in named
        ]
        assert (files, different if not prune else []) == (files, [])
        of_files = planned(qmgr, files, prune=True, selection=Selection(only_defined=True))
        assert (files, changing(of_files)) == (files, [])


@pytest.mark.parametrize("seed", range(EXAMPLES))
@pytest.mark.parametrize("prune", [False, True])
def test_nothing_changes_outside_a_selection(seed: int, prune: bool) -> None:
    chance = Random(f"selection {seed}{prune}")
    selection = Selection(
        chance.choice(((), ("A", "B*"), ("*D*", ""))),
        chance.choice(((), ("A",), ("*C",))),
        chance.choice(
            (frozenset(), TYPES["QUEUE"], frozenset(("QLOCAL", "AUTHREC", "CHLAUTH", "QMGR"))),
        ),
    )
    with new_queue_manager() as qmgr:
        changed_at_random(chance, qmgr)
        files = files_for(chance, qmgr, prune=prune, selection=selection)
        before = state(qmgr)
        carry_out(qmgr, planned(qmgr, files, prune=prune, selection=selection))
        after = state(qmgr)
        changed = {each[0] for each in (*before, *after) if each not in before or each not in after}
        again = planned(qmgr, files, prune=prune, selection=selection)
        assert (files, changing(again)) == (files, [])
    outside = {
        title for title in changed if not selection.has(*title.rstrip(")").partition("(")[::2])
    }
    # The records of an object go with it.
    gone = {title.partition("(")[2] for title in changed - outside}
    assert {
        title
        for title in outside
        if not (title.startswith("AUTHREC") and title.partition("(")[2] in gone)
    } == set()


@pytest.mark.parametrize("seed", range(EXAMPLES))
@pytest.mark.parametrize("prune", [False, True])
def test_a_saved_plan_does_what_the_plan_would_or_says_what_changed(seed: int, prune: bool) -> None:
    chance = Random(f"saved {seed}{prune}")
    with new_queue_manager() as qmgr:
        changed_at_random(chance, qmgr)
        files = files_for(chance, qmgr, prune=prune)
        plan = planned(qmgr, files, prune=prune)
        saved = decoded(encoded(saved_plan(qmgr, plan, EVERYTHING if prune else None)), "plan.json")
        assert [*changed_since(qmgr, saved)] == []
        assert [replace(row, position=None) for row in plan.rows] == [*saved.planned]
        if chance.random() < 0.7:
            run(qmgr, "\n".join(command(chance) for _ in range(chance.randint(1, 4))))
        if [*changed_since(qmgr, saved)]:
            return
        # A plan for the present state would be the same, or fail as this one does, and so is what
        # comes of it.
        now = planned(qmgr, files, prune=prune)
        with qmgr.store.database.one_transaction():
            is_done = all(
                perform_request(qmgr, request).completion < 2 for _, request in saved.performable()
            )
        assert (files, is_done) == (files, not now.has_errors)
        if is_done:
            assert (files, without_warnings(now)) == (files, without_warnings(plan))
            assert (files, changing(planned(qmgr, files, prune=prune))) == (files, [])


def without_warnings(plan: ApplyPlan) -> list[Planned]:
    """The changes; the warnings may be about other objects."""
    return [replace(row, warnings=()) for row in plan.rows if row.action in CHANGING]


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

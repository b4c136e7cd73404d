"""Random messages on channels: the run and its forecast do what the model says, for every kind
of queue.
"""

from __future__ import annotations

import os
from collections import Counter
from random import Random

import pytest

from mqsc import run
from mqsc.channels.forecast import NextMessage, forecast
from mqsc.store.admin.channel.explanation import explain
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from mqsc.store.constants import MQRO
from mqsc.store.environment import Environment, FrozenClock
from mqsc.store.rules.channel.undeliverable import Action
from tests.scenarios.channel_bench import FAST, PERSISTENT, Network
from tests.scenarios.undeliverable_model import DEFINITIONS, LONGEST, Case, Outcome, chosen, outcome

RUNS = int(os.environ.get("MQSC_CHANNEL_RUNS", "40"))
SEED = int(os.environ.get("MQSC_CHANNEL_SEED", "1"))


@pytest.fixture
def net(store: Store, environment: Environment[FrozenClock]) -> Network:
    net = Network(store, environment)
    net.at1(*DEFINITIONS, "DEFINE QREMOTE(BACK) RNAME(DLQ) RQMNAME(QM2) XMITQ(X)")
    net.at2(*DEFINITIONS)
    return net


def _set(net: Network, case: Case) -> None:
    at_fault, other = (net.at1, net.at2) if case.fault else (net.at2, net.at1)
    at_fault(f"ALTER QMGR DEADQ('{case.dead_letters}')")
    other("ALTER QMGR DEADQ(DLQ)")
    use = "YES" if case.uses_dead_letters else "NO"
    own, there = (use, "YES") if case.fault else ("YES", use)
    speeds = ["FAST" if each else "NORMAL" for each in (case.fast_sender, case.fast_receiver)]
    longest = LONGEST if case.fault == "long" else 4194304
    net.at1(f"ALTER CHANNEL(C) CHLTYPE(SDR) USEDLQ({own}) NPMSPEED({speeds[0]}) MAXMSGL({longest})")
    net.at2(
        f"ALTER CHANNEL(C) CHLTYPE(RCVR) USEDLQ({there}) NPMSPEED({speeds[1]}) "
        f"MRRTY({case.retries}) MRTMR(1000)",
    )


def _put(net: Network, case: Case) -> None:
    persistence = int(PERSISTENT if case.persistent else FAST)
    if case.fault == "junk":
        net.put("x", queue="X", persistence=persistence)
        return
    report = (MQRO.DISCARD_MSG if case.discard else 0) | (MQRO.EXCEPTION if case.exception else 0)
    net.at1(f"DEFINE QREMOTE(TO) REPLACE RNAME({case.target}) RQMNAME(QM2) XMITQ(X)")
    net.put(
        "x" * (LONGEST + 1 if case.fault else 1),
        queue="TO",
        persistence=persistence,
        report=int(report),
        reply_to_q=case.reply_to,
        reply_to_q_mgr="QM1" if case.fault else "QM2",
    )


def _depths(qmgr: QueueManager) -> Counter[str]:
    """Messages on every queue that no channel program needs, those of dynamic queues included."""
    (reply,) = run(qmgr, "DISPLAY QLOCAL(*) CURDEPTH")
    depths = {str(each["QUEUE"]): int(each["CURDEPTH"]) for each in reply.rows}
    return Counter(
        {name: depth for name, depth in depths.items() if depth and not name.startswith("SYSTEM.")},
    )


def _foreseen(message: NextMessage) -> tuple[str, int, int, bool]:
    found = message.destiny
    assert found is not None
    return (
        "deliver" if found.action is None else found.action.value,
        found.reason,
        found.retries,
        found.reports,
    )


def _ran(net: Network, case: Case, expected: Outcome) -> None:
    _set(net, case)
    _put(net, case)
    message = forecast(net.qm1, explain(net.qm1, "C")).next
    assert message is not None
    assert _foreseen(message) == (
        expected.action,
        expected.reason,
        expected.retries,
        bool(_asks(case, expected)),
    )
    before = net.clock.now()
    driven = net.start(until_empty=True)
    assert (driven.wait is not None) == bool(expected.retries)
    driven.after(expected.retries)
    assert net.clock.now() - before == expected.retries * 1_000_000
    assert driven.ending is not None
    assert driven.ending.failed == (expected.action == "end")
    left = expected.action == "end" or bool(case.fault)
    here = Counter(filter(None, [expected.queue] if left else []))
    there = Counter(filter(None, [] if left else [expected.queue]))
    (here if case.fault else there).update(filter(None, [expected.report]))
    # A report to the dead-letter queue that leads back is on its way, and arrives with the same
    # run.
    if here.pop("X", 0) and expected.action != "end":
        there["DLQ"] += 1
    elif expected.action == "end":
        here["X"] = 1
    assert (_depths(net.qm1), _depths(net.qm2)) == (here, there)


def _asks(case: Case, expected: Outcome) -> bool:
    return (
        case.exception
        and case.fault != "junk"
        and expected.action in ("dead-letter", "discard", "drop")
    )


def _cleared(net: Network) -> None:
    for qmgr, at in ((net.qm1, net.at1), (net.qm2, net.at2)):
        at(*(f"CLEAR QLOCAL({name})" for name in _depths(qmgr)))


def test_runs_and_forecasts_do_what_the_model_says(net: Network) -> None:
    chance = Random(SEED)
    seen: Counter[str] = Counter()
    for number in range(RUNS):
        case = chosen(chance)
        expected = outcome(case)
        try:
            _ran(net, case, expected)
        except AssertionError as wrong:
            raise AssertionError(f"run {number} of seed {SEED}: {case}, {expected}") from wrong
        _cleared(net)
        seen[expected.action] += 1
    assert seen.keys() >= {
        "deliver",
        *(each.value for each in Action if each not in (Action.RETRY, Action.EXPIRE)),
    }

"""Random tables on messages whose puts all fail: each gets the attempts of its rules in order, RETRYINT apart."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from random import Random
from threading import Event
from typing import NamedTuple

import pytest

from mqsc.dlq.entry import parse_table
from mqsc.dlq.handler import HANDLER_OPEN_OPTIONS, Handler
from mqsc.dlq.handler_run import HandlerArguments, HandlerOutput, TableSource, run_handler
from mqsc.dlq.notices import PUT_FAILED, Notice
from store.descriptor import MessageDescriptor
from tests.mqsc.dlq.handler_system import DLQ, HandlerSystem

TRIALS = 12
ACTIONS = ("ACTION(RETRY)", "ACTION(FWD) FWDQ(NOWHERE)", "ACTION(FWD) FWDQ(GONE) HEADER(NO)", "ACTION(IGNORE)")


class Fields(NamedTuple):
    """The fields that rules test."""

    destination: str
    reason: int
    persistence: int


# Patterns, and whether a message matches.
PATTERNS: dict[str, Callable[[Fields], bool]] = {
    "": lambda message: True,
    "DESTQ(A*)": lambda message: message.destination.startswith("A"),
    "DESTQ(B)": lambda message: message.destination == "B",
    "REASON(2053)": lambda message: message.reason == 2053,
    "PERSIST(1)": lambda message: message.persistence == 1,
}


class Line(NamedTuple):
    """A rule of the table."""

    pattern: str
    action: str
    retry: int


def attempts(message: Fields, rules: list[Line]) -> list[int]:
    """Return the number of the rule for each attempt, computed in the simplest way."""
    found = []
    for number, rule in enumerate(rules):
        if PATTERNS[rule.pattern](message):
            if rule.action == "ACTION(IGNORE)":
                break
            found += [number] * rule.retry
    return found


@pytest.mark.parametrize("seed", range(TRIALS))
def test_attempts(system: HandlerSystem, seed: int) -> None:
    """T03, T04, T05, T24: every attempt is made, whatever WAIT is."""
    chance = Random(seed)
    rules = [
        Line(chance.choice([*PATTERNS]), chance.choice(ACTIONS), chance.choice((1, 1, 2, 3, 7)))
        for _ in range(chance.randint(1, 5))
    ]
    messages = [
        Fields(chance.choice(("AX", "AY", "B", "C")), chance.choice((2030, 2053)), chance.randint(0, 1))
        for _ in range(chance.randint(1, 8))
    ]
    identifiers = [
        system.put_dead_letter(
            "x", dest_q_name=each.destination, reason=each.reason, persistence=each.persistence, priority=at
        )
        for at, each in enumerate(messages)
    ]
    interval = chance.choice((1, 3, 60))
    control = f"WAIT({chance.choice(('NO', '5', '40'))}) RETRYINT({interval})\n"
    table = "".join(f"{rule.pattern} {rule.action} RETRY({rule.retry})\n" for rule in rules)
    ran = system.run(control + table)
    assert (ran.code, ran.said[-1][1], len(system.seen(DLQ))) == (0, "AMQ8709", len(messages))
    for message, placed in zip(messages, identifiers, strict=True):
        failed = [
            (seconds, int(found[1]) - 2)
            for seconds, _, text in ran.said
            if (found := re.search(rf"line (\d+) .*MsgId {placed.msg_id.hex().upper()}", text))
        ]
        assert [number for _, number in failed] == attempts(message, rules)
        assert all(after - before >= interval for (before, _), (after, _) in pairwise(failed))


def test_an_attempt_comes_a_full_interval_after_the_end_of_the_last(system: HandlerSystem) -> None:
    """An attempt takes as long as its put."""
    system.put_dead_letter("x", dest_q_name="NOWHERE")
    table = parse_table(["WAIT(NO) RETRYINT(5)\nACTION(RETRY) RETRY(3)\n"], "table").table
    assert table is not None
    began: list[int] = []
    ended: list[int] = []

    def times_moved(descriptor: MessageDescriptor, target: str) -> int:
        began.append(system.clock.seconds)
        system.clock.advance(3)
        return 0

    with system.qmgr.connect("handler") as connection:
        queue = connection.open(DLQ, HANDLER_OPEN_OPTIONS)
        report = lambda failure: ended.append(system.clock.seconds)  # noqa: E731
        Handler(queue, table, report, lambda *_: False, times_moved).run(lambda: True)
    assert (began, ended) == ([0, 8, 16], [3, 11, 19])


def test_a_clock_that_is_advanced_as_soon_as_a_failure_is_reported(system: HandlerSystem) -> None:
    """The wait for the next attempt may begin only afterwards, and nothing else would end it."""
    system.put_dead_letter("x", dest_q_name="NOWHERE")
    failures: list[int] = []
    system.clock.end = 0

    def log(at: int, told: Notice) -> None:
        if told.message_id == PUT_FAILED:
            failures.append(system.clock.seconds)
            system.clock.advance(30)

    source = TableSource("table", lambda: ["WAIT(NO) RETRYINT(30)\nACTION(RETRY) RETRY(3)\n"])
    output = HandlerOutput(log, print)
    assert run_handler(system.store, source, HandlerArguments(), output, Event()) == 0
    assert failures == [0, 30, 60]

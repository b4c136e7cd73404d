"""Random tables on messages whose puts all fail: each gets the attempts of its rules in order, RETRYINT apart."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from random import Random
from typing import NamedTuple

import pytest

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

"""The definitions before a period that are kept say the same as all of them.

MQSC_TIMES=10 tries ten times as many histories, MQSC_FIRST_SEED=301 others.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence

import pyarrow as pa  # type: ignore[import-untyped]
import pytest

from mqsc.reports.earlier_rows import schema_of
from mqsc.reports.lasting_definitions import can_last, lasting
from mqsc.store.published import EVENT
from tests.examples import seeds
from tests.reports.history import Row, event

QUEUES, MODELS, TEMPORARY = ("A", "B", "C"), ("M", "N"), ("T1", "T2", "T3")
# Of the period.
KNOWN = ("A", "B", "T1", "T2")
SAID: Sequence[Mapping[str, Sequence[object]]] = (
    {},
    {"MAXDEPTH": [5, 6]},
    {"BOTHRESH": [0, 3]},
    {"BOTHRESH": [3, 0]},
    {"BOTHRESH": [0, 7], "DESCR": ["", '"ACCTQ": ["QMGR", "OFF"]']},
    {"ACCTQ": ["QMGR", "OFF"]},
    {"ACCTQ": ["OFF", "ON"]},
)


def definition(chance: random.Random, number: int) -> Row:
    """A definition of a queue or a model, or of a dynamic queue."""
    if chance.random() < 0.3:
        columns = {"cause": "dynamic", "target": "QLOCAL", "rule": chance.choice(MODELS)}
        queue = chance.choice(TEMPORARY)
        return event("DEFINE", queue, number, seq=number, detail="{}", **columns)
    target, names = chance.choice((("QLOCAL", QUEUES), ("QMODEL", MODELS), ("PROCESS", QUEUES)))
    kind = chance.choice(("DEFINE", "ALTER"))
    detail = json.dumps(chance.choice(SAID))
    row = event(kind, chance.choice(names), number, seq=number, target=target, detail=detail)
    return {"cause": None, **row}


def off(definitions: Sequence[Row]) -> set[str]:
    """The queues of the period that ever had ACCTQ(OFF)."""
    queues: set[str] = set()
    for row in definitions:
        if "OFF" in json.loads(row["detail"]).get("ACCTQ", ()):
            queues.add(row["queue"])
    dynamic = (row for row in definitions if row["cause"] == "dynamic" and row["rule"] in queues)
    return queues | {row["queue"] for row in dynamic}


def thresholds(definitions: Sequence[Row]) -> dict[str, int]:
    """BOTHRESH of queues and models by the last definition that gives it."""
    of: dict[str, int] = {}
    for row in definitions:
        told = json.loads(row["detail"])
        if row["target"] == "PROCESS":
            continue
        if row["cause"] == "dynamic":
            of |= {row["queue"]: of[row["rule"]]} if row["rule"] in of else {}
        elif "BOTHRESH" in told:
            of[row["queue"]] = told["BOTHRESH"][1]
        elif row["kind"] == "DEFINE":
            of[row["queue"]] = 0
    return of


def kept(definitions: Sequence[Row], chance: random.Random) -> list[Row]:
    """The definitions that are kept; files of an archive need not be in the order of events."""
    mixed = chance.sample(definitions, len(definitions))
    rows = pa.Table.from_pylist(mixed, schema_of(EVENT))
    found = lasting(rows.filter(can_last(rows, pa.array(KNOWN))))
    numbers = set(found["seq"].to_pylist())
    return [row for row in definitions if row["seq"] in numbers]


@pytest.mark.parametrize("seed", seeds(100))
def test_what_is_kept_says_the_same(seed: int) -> None:
    chance = random.Random(seed)
    earlier = [definition(chance, number) for number in range(1, chance.choice((10, 40, 300)))]
    period = [definition(chance, number) for number in range(1_000, 1_020)]
    fewer = kept(earlier, chance)
    for later in ([], period):
        assert {*KNOWN} & off([*fewer, *later]) == {*KNOWN} & off([*earlier, *later])
        by_fewer, by_all = thresholds([*fewer, *later]), thresholds([*earlier, *later])
        assert {name: by_fewer.get(name) for name in KNOWN} == {
            name: by_all.get(name) for name in KNOWN
        }


def test_definitions_that_are_repeated_are_kept_once() -> None:
    rows = [
        event("DEFINE", queue, number, seq=2 * number + place, target=target)
        for number in range(100)
        for place, (queue, target) in enumerate((("A", "QLOCAL"), ("M", "QMODEL")))
    ]
    assert [row["seq"] for row in kept(rows, random.Random(1))] == [198, 199]

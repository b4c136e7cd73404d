"""Decisions by occasion: rows P1 to P13, the O- events, scenarios T."""

from __future__ import annotations

from itertools import product
from typing import Any

from mqsc.store.rules.trigger import occasions
from mqsc.store.rules.trigger.facts import DEPTH, EVERY, FIRST, NONE, TriggerFacts
from mqsc.store.rules.trigger.occasions import (
    ALTER,
    CLOSE,
    GET_ENABLED,
    INITQ_ENABLED,
    MONITOR_OPENED,
    PUT,
)
from tests.store.tables import named_rows

OCCASIONS = {
    each.name: each for each in (PUT, CLOSE, ALTER, INITQ_ENABLED, GET_ENABLED, MONITOR_OPENED)
}
NOW = 1_700_000_000_000_000
SECOND = 1_000_000
# The initial state of triggering §8, with a put of priority 0.
BASE = TriggerFacts(
    "APPQ",
    True,
    FIRST,
    0,
    process="P1",
    initq="INIT1",
    priority=0,
    now=NOW,
    queue_manager="QM1",
)
BASE = BASE._replace(process_exists=True, initq_exists=True, initq_input_handles=1)


def facts(**changes: Any) -> TriggerFacts:
    return BASE._replace(**changes)


FIVE_SECONDS = {"trigger_interval": 5000, "messages": 1}
FIFO = {"trigger_priority": 5, "fifo": True}


# (id, changes to BASE, cause or blank)
@named_rows(
    ("P1 FIRST", {"trigger_priority": 5, "priority": 4}, ""),
    ("P1 EVERY", {"trigger_type": EVERY, "trigger_priority": 5, "priority": 4}, ""),
    ("P1 DEPTH", {"trigger_type": DEPTH, "trigger_priority": 5, "priority": 4}, ""),
    ("P1 at the threshold", {"trigger_priority": 5, "priority": 5}, "put"),
    ("P2", {"trigger_type": NONE}, ""),
    ("P3", {"messages": 0}, "put"),
    ("P4", {"messages": 0, "input_handles": 1}, ""),
    ("P5", {**FIVE_SECONDS, "last_trigger": NOW - 5 * SECOND}, "interval"),
    ("P5 since the start never", {**FIVE_SECONDS, "last_trigger": None}, "interval"),
    ("P6", {**FIVE_SECONDS, "last_trigger": NOW - 5 * SECOND + 1}, ""),
    ("P7", {**FIVE_SECONDS, "last_trigger": NOW - 9 * SECOND, "input_handles": 1}, ""),
    ("P8 empty", {"trigger_type": EVERY, "messages": 0}, "put"),
    ("P8 any number", {"trigger_type": EVERY, "messages": 7}, "put"),
    ("P8 being served", {"trigger_type": EVERY, "messages": 7, "input_handles": 2}, "put"),
    ("P8 no interval", {"trigger_type": EVERY, "messages": 7, "last_trigger": NOW}, "put"),
    ("P9", {"trigger_type": DEPTH, "trigger_depth": 3, "messages": 2}, "put"),
    ("P9 depth one", {"trigger_type": DEPTH, "trigger_depth": 1, "messages": 0}, "put"),
    ("P10", {"trigger_type": DEPTH, "trigger_depth": 3, "messages": 3}, "put"),
    (
        "P10 no interval",
        {"trigger_type": DEPTH, "trigger_depth": 3, "messages": 9, "last_trigger": NOW},
        "put",
    ),
    ("P11", {"trigger_type": DEPTH, "trigger_depth": 3, "messages": 1}, ""),
    ("P12 C3", {"trigger_type": DEPTH, "trigger_depth": 3, "messages": 2, "input_handles": 1}, ""),
    ("P12 C11", {"trigger_type": DEPTH, "trigger_depth": 3, "messages": 3, "input_handles": 1}, ""),
    ("P13 C5, T18", {"get_enabled": False}, ""),
    ("P13 C5 on a transmission queue", {"get_enabled": False, "is_transmission": True}, ""),
    ("P13 C6, T20", {"process_exists": False}, ""),
    ("P13 C6, T21", {"process": "", "process_exists": False}, ""),
    ("C6, T22", {"process": "", "process_exists": False, "is_transmission": True}, "put"),
    (
        "P13 C6 named but missing on a transmission queue",
        {"process_exists": False, "is_transmission": True},
        "",
    ),
    ("P13 C7 blank", {"initq": "", "initq_exists": False}, ""),
    ("P13 C7, T23", {"initq_exists": False}, ""),
    ("P13 C7, T24", {"initq_put_enabled": False}, ""),
    ("P13 C7, T26", {"initq_get_enabled": False}, ""),
    ("P13 C7, T27", {"initq_is_transmission": True}, ""),
    ("P13 C7 deleted", {"initq_deleted": True}, ""),
    ("P13 C8, T28", {"initq_input_handles": 0}, ""),
    ("P13 C9, T32", {"trigger_on": False}, ""),
    ("P13 C10, T33", {"trigger_type": NONE}, ""),
    ("P13 EVERY", {"trigger_type": EVERY, "initq_input_handles": 0}, ""),
    ("P13 DEPTH", {"trigger_type": DEPTH, "initq_input_handles": 0}, ""),
    ("P13 interval", {**FIVE_SECONDS, "initq_input_handles": 0}, ""),
    ("T02", {"messages": 1, "last_trigger": NOW}, ""),
    ("T07", {"messages": 1, "last_trigger": NOW}, ""),
    ("T09", {"trigger_type": DEPTH, "trigger_depth": 3, "messages": 3, "trigger_on": False}, ""),
    ("T12 priority 2", {"trigger_priority": 5, "priority": 2}, ""),
    ("T12 priority 5", {"trigger_priority": 5, "priority": 5, "messages": 0}, "put"),
    ("T13", {"trigger_priority": 5, "priority": 9, "messages": 1, "last_trigger": NOW}, ""),
    ("T14", {**FIFO, "priority": 3, "default_priority": 3}, ""),
    ("T15", {**FIFO, "priority": 5, "default_priority": 5}, "put"),
    ("T16", {"input_handles": 1}, ""),
    ("T34", {**FIVE_SECONDS, "last_trigger": NOW - 4_999_000}, ""),
    ("T34", {**FIVE_SECONDS, "last_trigger": NOW - 5_000_000}, "interval"),
    ("T35", {**FIVE_SECONDS, "last_trigger": NOW - 6_000_000, "input_handles": 1}, ""),
    ("T51", {"messages": 1, "last_trigger": NOW}, ""),
    ("TRIGINT(0)", {"trigger_interval": 0, "messages": 5, "last_trigger": NOW}, "interval"),
    (
        "TRIGINT(0), clock set back",
        {"trigger_interval": 0, "messages": 5, "last_trigger": NOW + 9},
        "interval",
    ),
)
def test_a_put(changes: dict[str, Any], cause: str) -> None:
    given = facts(**changes)
    assert occasions.fires(PUT, given) == cause
    decision = occasions.decide(PUT, given)
    assert (decision.fires, decision.cause) == (bool(cause), cause or "put")
    assert decision.switch_off is (bool(cause) and given.trigger_type == DEPTH)
    assert bool(decision.obstacles) is not decision.fires


def test_without_a_put_nothing_triggers() -> None:
    assert occasions.fires(PUT, facts(priority=None)) == ""
    assert occasions.decide(PUT, facts(priority=None)).obstacles[0].number == 1


T36 = {"trigger_type": DEPTH, "trigger_depth": 2, "messages": 5, "priority": None}
ELSEWHERE = {"shared": True, "shared_input_elsewhere": True}
NO_MONITOR = {"initq_input_handles": 0}
CAUSES = {
    **{
        "CLOSE": "close",
        "ALTER": "alter",
        "INITQ_ENABLED": "initq-enabled",
        "GET_ENABLED": "get-enabled",
    },
    "MONITOR_OPENED": "monitor-opened",
}


# (id, occasion, changes to BASE, whether a trigger message is made)
@named_rows(
    ("O-CLOSE FIRST, T37", CLOSE, {"messages": 1}, True),
    ("O-CLOSE empty, T10", CLOSE, {"messages": 0}, False),
    ("O-CLOSE another server, T38 first", CLOSE, {"messages": 1, "input_handles": 1}, False),
    ("O-CLOSE T38 second", CLOSE, {"messages": 1, "input_handles": 0}, True),
    ("O-CLOSE DEPTH, T36", CLOSE, T36, True),
    ("O-CLOSE DEPTH too few", CLOSE, {**T36, "messages": 1}, False),
    ("O-CLOSE EVERY, T42", CLOSE, {"trigger_type": EVERY, "messages": 3}, False),
    ("O-CLOSE NONE", CLOSE, {"trigger_type": NONE, "messages": 3}, False),
    ("O-CLOSE does not ask C5", CLOSE, {"messages": 1, "get_enabled": False}, True),
    ("O-CLOSE asks C6", CLOSE, {"messages": 1, "process_exists": False}, False),
    ("O-CLOSE asks C7", CLOSE, {"messages": 1, "initq_put_enabled": False}, False),
    ("O-CLOSE asks C8", CLOSE, {"messages": 1, **NO_MONITOR}, False),
    ("O-CLOSE asks C9", CLOSE, {"messages": 1, "trigger_on": False}, False),
    ("O-CLOSE no interval", CLOSE, {"messages": 1, "last_trigger": NOW}, True),
    ("O-ALTER FIRST", ALTER, {"messages": 2}, True),
    ("O-ALTER without monitor, T31", ALTER, {"messages": 2, **NO_MONITOR}, True),
    ("O-ALTER EVERY, T43", ALTER, {"trigger_type": EVERY, "messages": 3}, True),
    (
        "O-ALTER EVERY while served",
        ALTER,
        {"trigger_type": EVERY, "messages": 3, "input_handles": 1},
        True,
    ),
    ("O-ALTER DEPTH, T11", ALTER, {"trigger_type": DEPTH, "trigger_depth": 3, "messages": 3}, True),
    (
        "O-ALTER DEPTH too few",
        ALTER,
        {"trigger_type": DEPTH, "trigger_depth": 3, "messages": 2},
        False,
    ),
    ("O-ALTER asks C4, T10, T36", ALTER, {**T36, "input_handles": 1}, False),
    ("O-ALTER asks C5", ALTER, {"messages": 2, "get_enabled": False}, False),
    ("O-ALTER asks C6", ALTER, {"messages": 2, "process_exists": False}, False),
    ("O-ALTER asks C7", ALTER, {"messages": 2, "initq_exists": False}, False),
    ("O-ALTER asks C9", ALTER, {"messages": 2, "trigger_on": False}, False),
    ("O-ALTER asks C10", ALTER, {"messages": 2, "trigger_type": NONE}, False),
    ("O-ALTER empty", ALTER, {"messages": 0}, False),
    ("O-INITQ-PUT FIRST, T25", INITQ_ENABLED, {"messages": 1}, True),
    ("O-INITQ-PUT EVERY once", INITQ_ENABLED, {"trigger_type": EVERY, "messages": 4}, True),
    ("O-INITQ-PUT DEPTH", INITQ_ENABLED, T36, True),
    ("O-INITQ-PUT asks C4", INITQ_ENABLED, {"messages": 1, "input_handles": 1}, False),
    ("O-INITQ-PUT asks C5", INITQ_ENABLED, {"messages": 1, "get_enabled": False}, False),
    ("O-INITQ-PUT asks C7", INITQ_ENABLED, {"messages": 1, "initq_get_enabled": False}, False),
    ("O-INITQ-PUT asks C8", INITQ_ENABLED, {"messages": 1, **NO_MONITOR}, False),
    ("O-INITQ-PUT asks C9", INITQ_ENABLED, {"messages": 1, "trigger_on": False}, False),
    ("O-INITQ-PUT empty", INITQ_ENABLED, {"messages": 0}, False),
    ("O-GET, T19", GET_ENABLED, {"messages": 1}, True),
    ("O-GET EVERY", GET_ENABLED, {"trigger_type": EVERY, "messages": 3, "input_handles": 1}, True),
    ("O-GET DEPTH", GET_ENABLED, T36, True),
    ("O-GET asks C4", GET_ENABLED, {"messages": 1, "input_handles": 1}, False),
    ("O-GET does not ask C5", GET_ENABLED, {"messages": 1, "get_enabled": False}, True),
    ("O-GET asks C6", GET_ENABLED, {"messages": 1, "process_exists": False}, False),
    ("O-GET asks C8", GET_ENABLED, {"messages": 1, **NO_MONITOR}, False),
    ("O-GET empty", GET_ENABLED, {"messages": 0}, False),
    ("O-OPEN, T29, T64", MONITOR_OPENED, {"messages": 3, "last_trigger": NOW}, True),
    ("O-OPEN EVERY once, T29", MONITOR_OPENED, {"trigger_type": EVERY, "messages": 5}, True),
    (
        "O-OPEN second monitor, T30",
        MONITOR_OPENED,
        {"messages": 3, "initq_input_handles": 2},
        False,
    ),
    ("O-OPEN DEPTH", MONITOR_OPENED, T36, True),
    ("O-OPEN asks C4", MONITOR_OPENED, {"messages": 3, "input_handles": 1}, False),
    ("O-OPEN asks C5", MONITOR_OPENED, {"messages": 3, "get_enabled": False}, False),
    ("O-OPEN asks C7", MONITOR_OPENED, {"messages": 3, "initq_put_enabled": False}, False),
    ("O-OPEN asks C9", MONITOR_OPENED, {"messages": 3, "trigger_on": False}, False),
    ("O-OPEN asks C10", MONITOR_OPENED, {"messages": 3, "trigger_type": NONE}, False),
    ("O-OPEN empty", MONITOR_OPENED, {"messages": 0}, False),
)
def test_other_events(occasion: occasions.Occasion, changes: dict[str, Any], made: bool) -> None:
    given = facts(**{"priority": None, **changes})
    assert occasions.fires(occasion, given) == (CAUSES[occasion.name] if made else "")
    decision = occasions.decide(occasion, given)
    assert (decision.fires, decision.cause) == (made, CAUSES[occasion.name])
    assert decision.switch_off is (made and given.trigger_type == DEPTH)
    assert not decision.kept
    assert bool(decision.obstacles) is not made


# The numbers of the conditions that each occasion checks (triggering §3, §4).
CHECKED = {
    "PUT": {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 14},
    "CLOSE": {12, 6, 7, 8, 9, 10},
    "ALTER": {13, 4, 5, 6, 7, 9, 10},
    "INITQ_ENABLED": {13, 4, 5, 6, 7, 8, 9, 10},
    "GET_ENABLED": {13, 4, 6, 7, 8, 9, 10},
    "MONITOR_OPENED": {13, 4, 5, 6, 7, 9, 10},
}


def test_each_occasion_checks_its_conditions_in_order() -> None:
    decisions = {name: occasions.decide(occasion, BASE) for name, occasion in OCCASIONS.items()}
    checked = {
        name: [each.number for each in decision.results] for name, decision in decisions.items()
    }
    assert {name: set(numbers) for name, numbers in checked.items()} == CHECKED
    assert [name for name, numbers in checked.items() if numbers != sorted(numbers)] == []


# (id, changes to BASE, effective priorities put in one call, causes)
@named_rows(
    ("T06", {"trigger_type": EVERY, "input_handles": 1}, [0, 0, 0], ["put"] * 3),
    ("T08", {"trigger_type": DEPTH, "trigger_depth": 3}, [0, 0, 0], ["put"]),
    ("T08 one by one", {"trigger_type": DEPTH, "trigger_depth": 3}, [0, 0], []),
    ("T09", {"trigger_type": DEPTH, "trigger_depth": 3}, [0] * 8, ["put"]),
    ("T12", {"trigger_priority": 5}, [2] * 100 + [5], ["put"]),
    ("T13", {"trigger_priority": 5}, [2] * 100 + [5, 9], ["put"]),
    (
        "T66",
        {"trigger_type": DEPTH, "trigger_depth": 3, "trigger_priority": 5},
        [2] * 5 + [7, 7],
        [],
    ),
    (
        "T66",
        {"trigger_type": DEPTH, "trigger_depth": 3, "trigger_priority": 5},
        [2] * 5 + [7] * 3,
        ["put"],
    ),
    ("FIRST", {}, [0, 0, 0], ["put"]),
    ("FIRST, TRIGINT(0)", {"trigger_interval": 0}, [0, 0, 0], ["put", "interval", "interval"]),
    (
        "FIRST, interval passed",
        {**FIVE_SECONDS, "last_trigger": NOW - 6 * SECOND},
        [0, 0],
        ["interval"],
    ),
    (
        "EVERY, two suitable",
        {"trigger_type": EVERY, "trigger_priority": 5},
        [2, 5, 2, 6],
        ["put", "put"],
    ),
    ("DEPTH beyond", {"trigger_type": DEPTH, "trigger_depth": 3, "messages": 7}, [0, 0], ["put"]),
    ("NONE", {"trigger_type": NONE}, [0, 0], []),
    ("nothing put", {}, [], []),
    ("no monitor", {"trigger_type": EVERY, **NO_MONITOR}, [0, 0], []),
)
def test_each_message_of_a_list_put_counts(
    changes: dict[str, Any],
    priorities: list[int],
    causes: list[str],
) -> None:
    assert causes_of(facts(**changes), priorities) == causes


def causes_of(given: TriggerFacts, priorities: list[int]) -> list[str]:
    return [each.cause for each in occasions.fired_by_puts(given, priorities)]


def test_a_firing_has_the_facts_of_its_own_message() -> None:
    (fired,) = occasions.fired_by_puts(facts(trigger_type=DEPTH, trigger_depth=3), [0, 0, 0, 0])
    assert fired.facts.messages == 2
    assert occasions.decide(PUT, fired.facts).decisive == 3


def one_by_one(given: TriggerFacts, priorities: list[int]) -> list[str]:
    """Return the same by definition, with each message as a separate put."""
    causes = []
    for priority in priorities:
        cause = occasions.fires(PUT, given._replace(priority=priority))
        if cause:
            causes.append(cause)
            given = given._replace(last_trigger=given.now, trigger_on=given.trigger_type != DEPTH)
        if priority >= given.trigger_priority:
            given = given._replace(messages=given.messages + 1)
    return causes


# Values of which all combinations are tested.
VARIED: dict[str, tuple[Any, ...]] = {
    "trigger_type": (NONE, FIRST, EVERY, DEPTH),
    "trigger_interval": (0, 5000),
    "messages": (0, 1, 2, 5),
    "last_trigger": (None, NOW, NOW - 6 * SECOND),
    "input_handles": (0, 1),
}


def test_a_list_put_is_the_same_as_single_puts() -> None:
    combinations = [dict(zip(VARIED, values, strict=True)) for values in product(*VARIED.values())]
    wrong = []
    for values, priorities in product(combinations, ([4], [3], [4, 2, 9], [4] * 6, [])):
        given = facts(trigger_depth=3, trigger_priority=4, **values)
        if causes_of(given, priorities) != one_by_one(given, priorities):
            wrong.append((values, priorities))
    assert wrong == []
    assert len(combinations) == 192


@named_rows(
    ("FIRST", PUT, {}, 1),
    ("EVERY at a put", PUT, {"trigger_type": EVERY}, 0),
    ("DEPTH", PUT, {"trigger_type": DEPTH, "trigger_depth": 1000}, 1000),
    ("EVERY at a get-enabled", GET_ENABLED, {"trigger_type": EVERY}, 1),
    ("DEPTH at a close", CLOSE, {"trigger_type": DEPTH, "trigger_depth": 7}, 7),
    ("shared, in use elsewhere", PUT, {"trigger_type": DEPTH, "trigger_depth": 7, **ELSEWHERE}, 1),
)
def test_counting_is_bounded(
    occasion: occasions.Occasion,
    changes: dict[str, Any],
    limit: int,
) -> None:
    assert occasions.needs_count(occasion, facts(**changes)) == limit


def test_a_count_that_stops_at_the_bound_decides_the_same() -> None:
    wrong = []
    for occasion, trigger_type, messages in product(
        OCCASIONS.values(),
        (FIRST, EVERY, DEPTH),
        range(8),
    ):
        given = facts(trigger_type=trigger_type, trigger_depth=3, messages=messages)
        cut = given._replace(messages=min(messages, occasions.needs_count(occasion, given)))
        if occasions.fires(occasion, cut) != occasions.fires(occasion, given):
            wrong.append((occasion.name, given))
    assert wrong == []


@named_rows(
    ("nothing unmet", {}, True),
    ("facts not read yet", {"process_exists": False, "initq_exists": False, **NO_MONITOR}, True),
    ("a low priority", {"trigger_priority": 5}, False),
    ("NOTRIGGER", {"trigger_on": False}, False),
    ("NONE", {"trigger_type": NONE}, False),
    ("served", {"input_handles": 1}, False),
    ("served EVERY", {"input_handles": 1, "trigger_type": EVERY}, True),
    ("GET(DISABLED)", {"get_enabled": False}, False),
    ("no INITQ", {"initq": ""}, False),
    ("no PROCESS", {"process": ""}, False),
    ("no PROCESS on a transmission queue", {"process": "", "is_transmission": True}, True),
)
def test_the_row_of_the_queue_alone_can_rule_out_a_trigger_message(
    changes: dict[str, Any],
    possible: bool,
) -> None:
    assert occasions.may_fire(PUT, facts(**changes)) is possible


# (changes to BASE, unmet conditions that depend on the initiation queue alone)
INITIATION_QUEUE_ROWS: list[tuple[dict[str, Any], set[int]]] = [
    *(
        ({}, set()),
        ({"initq_get_enabled": False}, {7}),
        (NO_MONITOR, {8}),
        ({"initq_exists": False}, {7}),
    ),
]


def test_the_initiation_queue_alone_can_rule_out_a_trigger_message() -> None:
    wrong = []
    for name, (changes, unmet) in product(OCCASIONS, INITIATION_QUEUE_ROWS):
        given = facts(process_exists=False, messages=1, **changes)
        if occasions.initiation_queue_allows(OCCASIONS[name], given) is bool(unmet & CHECKED[name]):
            wrong.append((name, changes))
    assert wrong == []


def test_with_the_right_number_of_messages_every_other_condition_is_met() -> None:
    wrong = []
    for trigger_type, messages, last_trigger in product(
        (NONE, FIRST, EVERY, DEPTH),
        range(5),
        (None, NOW),
    ):
        given = facts(
            trigger_type=trigger_type,
            trigger_depth=3,
            messages=messages,
            last_trigger=last_trigger,
        )
        if bool(occasions.fires(PUT, given)) is not (
            occasions.number_is_right(given) and trigger_type != NONE
        ):
            wrong.append(given)
    assert wrong == []


@named_rows(("T04", FIRST, True), ("T63", DEPTH, True), ("T05", EVERY, False))
def test_which_trigger_messages_survive_a_backout(trigger_type: int, kept: bool) -> None:
    given = facts(trigger_type=trigger_type)
    assert occasions.survives_backout(given) is kept
    assert occasions.decide(PUT, given).kept is kept

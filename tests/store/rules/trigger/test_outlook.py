"""Which event would trigger next: every event decided as if it happened now."""

from __future__ import annotations

from typing import Any

import pytest

from store.rules.trigger.facts import DEPTH, EVERY, NONE
from store.rules.trigger.occasions import OCCASIONS
from store.rules.trigger.outlook import Outlook, nearest, outlooks
from tests.store.rules.trigger.test_conditions import BASE, NOW


def outlooks_for(**changes: Any) -> tuple[Outlook, ...]:
    return outlooks(BASE._replace(**changes))


def events(found: tuple[Outlook, ...]) -> list[str]:
    return [each.event for each in found if each.would_trigger]


LEFT: dict[str, Any] = {"messages": 2, "last_trigger": NOW - 1_999_500, "trigger_interval": 5000}
PUT_LATER = "a message is put on APPQ in 3001 ms or later, after TRIGINT has passed"
CHANGED = "TRIGTYPE or TRIGMPRI of APPQ is changed"
# (changes, the events that would trigger)
ROWS: list[tuple[str, dict[str, Any], list[str]]] = [
    ("FIRST, empty", {}, ["a message is put on APPQ"]),
    ("FIRST, TRIGINT runs", LEFT, [PUT_LATER, CHANGED]),
    (
        *("FIRST, TRIGINT runs and a program serves", {**LEFT, "input_handles": 2}),
        ["the last program that has APPQ open for input closes it"],
    ),
    ("FIRST, NOTRIGGER", {"trigger_on": False, "messages": 1}, ["ALTER QLOCAL(APPQ) TRIGGER"]),
    ("FIRST, NOTRIGGER and empty", {"trigger_on": False}, []),
    ("FIRST, gets disabled", {"get_enabled": False, "messages": 1}, ["ALTER QLOCAL(APPQ) GET(ENABLED)"]),
    ("no monitor", {"initq_input_handles": 0, "messages": 1}, [CHANGED, "a monitor opens INIT for input"]),
    ("no monitor, empty", {"initq_input_handles": 0}, []),
    ("puts disabled on INITQ", {"initq_put_enabled": False, "messages": 1}, ["ALTER QLOCAL(INIT) PUT(ENABLED)"]),
    ("TRIGMPRI", {"trigger_priority": 5}, ["a message of priority 5 or higher is put on APPQ"]),
    ("FIFO", {"fifo": True, "default_priority": 5, "trigger_priority": 5}, ["a message is put on APPQ"]),
    ("FIFO, DEFPRTY too low", {"fifo": True, "default_priority": 3, "trigger_priority": 5}, []),
    ("EVERY", {"trigger_type": EVERY, "messages": 4}, ["a message is put on APPQ", CHANGED]),
    ("DEPTH, two missing", {"trigger_type": DEPTH, "trigger_depth": 3, "messages": 1}, ["2 messages are put on APPQ"]),
    ("DEPTH, one missing", {"trigger_type": DEPTH, "trigger_depth": 3, "messages": 2}, ["a message is put on APPQ"]),
    (
        *("DEPTH, enough", {"trigger_type": DEPTH, "trigger_depth": 3, "messages": 3}),
        ["a message is put on APPQ", "TRIGTYPE, TRIGMPRI or TRIGDPTH of APPQ is changed"],
    ),
    ("NONE", {"trigger_type": NONE, "messages": 3}, []),
    ("a lower-case queue", {"queue": "app", "trigger_on": False, "messages": 1}, ["ALTER QLOCAL('app') TRIGGER"]),
]


@pytest.mark.parametrize(("id", "changes", "expected"), ROWS, ids=[row[0] for row in ROWS])
def test_the_events_that_would_trigger(id: str, changes: dict[str, Any], expected: list[str]) -> None:
    found = outlooks_for(**changes)
    assert events(found) == expected
    assert (nearest(found) is None) is bool(expected)


def test_every_occasion_has_an_outlook_in_order() -> None:
    assert list(dict.fromkeys(each.occasion for each in outlooks_for())) == list(OCCASIONS)


# (changes, occasion, whether it can happen)
POSSIBLE: list[tuple[dict[str, Any], str, bool]] = [
    ({}, "CLOSE", False),
    ({"input_handles": 1}, "CLOSE", True),
    ({}, "GET_ENABLED", False),
    ({"get_enabled": False}, "GET_ENABLED", True),
    ({}, "INITQ_ENABLED", False),
    ({"initq_put_enabled": False}, "INITQ_ENABLED", True),
    ({"initq_put_enabled": False, "initq_exists": False}, "INITQ_ENABLED", False),
    ({}, "MONITOR_OPENED", True),
    ({"initq": "", "initq_exists": False}, "MONITOR_OPENED", False),
    ({}, "ALTER", True),
]


@pytest.mark.parametrize(("changes", "occasion", "possible"), POSSIBLE)
def test_whether_an_event_can_happen(changes: dict[str, Any], occasion: str, possible: bool) -> None:
    (found,) = [each for each in outlooks_for(**changes) if each.occasion == occasion]
    assert found.possible is possible


def test_a_second_monitor_would_trigger_nothing() -> None:
    (found,) = [each for each in outlooks_for(messages=1) if each.occasion == "MONITOR_OPENED"]
    assert [each.reason for each in found.decision.obstacles] == [
        "IPPROCS(2) on INIT: another monitor has the queue open for input"
    ]


def test_the_nearest_event_has_the_fewest_unmet_conditions() -> None:
    found = nearest(outlooks_for(initq_input_handles=0, input_handles=0))
    assert found is not None
    assert (found.occasion, [each.number for each in found.decision.obstacles]) == ("PUT", [8])

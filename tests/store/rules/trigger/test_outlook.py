"""Which event would trigger next: each is evaluated as if it happened now."""

from __future__ import annotations

from itertools import product
from typing import Any

from mqsc.store.rules.trigger.facts import DEPTH, EVERY, FIRST, NONE
from mqsc.store.rules.trigger.outlook import Contents, Outlook, nearest, outlooks
from tests.rows import rows
from tests.store.rules.trigger.test_conditions import BASE, NOW
from tests.store.rules.trigger.test_occasions import OCCASIONS
from tests.store.tables import giving, named_rows


def outlooks_for(room: int = 5000, **changes: Any) -> tuple[Outlook, ...]:
    """Return the outlooks for a queue whose messages all have priority 5."""
    facts = BASE._replace(**changes)
    at_least = [facts.messages if priority <= 5 else 0 for priority in range(10)]
    return outlooks(facts, Contents(at_least, room))


def events(found: tuple[Outlook, ...]) -> list[str]:
    return [each.event for each in found if each.would_trigger]


LEFT: dict[str, Any] = {"messages": 2, "last_trigger": NOW - 1_999_500, "trigger_interval": 5000}
PUT_LATER = "a message is put on APPQ in 3001 ms or later, after TRIGINT has passed"
TYPES = "TRIGTYPE of APPQ is changed to EVERY or DEPTH"
PRIORITIES = "TRIGMPRI of APPQ is changed to 1-5"
REOPENED = "all monitors close INIT, then one opens it"


# (case, changes to BASE, the events that would trigger)
@named_rows(
    ("FIRST, empty", {}, ["a message is put on APPQ"]),
    ("FIRST, TRIGINT runs", LEFT, [PUT_LATER, TYPES, PRIORITIES, REOPENED]),
    (
        *("FIRST, TRIGINT runs and a program serves", {**LEFT, "input_handles": 2}),
        [
            "the last program that has APPQ open for input closes it",
            "TRIGTYPE of APPQ is changed to EVERY",
        ],
    ),
    ("FIRST, NOTRIGGER", {"trigger_on": False, "messages": 1}, ["ALTER QLOCAL(APPQ) TRIGGER"]),
    ("FIRST, NOTRIGGER and empty", {"trigger_on": False}, []),
    (
        "FIRST, gets disabled",
        {"get_enabled": False, "messages": 1},
        ["ALTER QLOCAL(APPQ) GET(ENABLED)"],
    ),
    (
        "no monitor",
        {"initq_input_handles": 0, "messages": 1},
        [TYPES, PRIORITIES, "a monitor opens INIT for input"],
    ),
    ("no monitor, empty", {"initq_input_handles": 0}, []),
    (
        "puts disabled on INITQ",
        {"initq_put_enabled": False, "messages": 1},
        ["ALTER QLOCAL(INIT) PUT(ENABLED)"],
    ),
    ("TRIGMPRI", {"trigger_priority": 5}, ["a message of priority 5 or higher is put on APPQ"]),
    (
        "FIFO",
        {"fifo": True, "default_priority": 5, "trigger_priority": 5},
        ["a message is put on APPQ"],
    ),
    ("FIFO, DEFPRTY too low", {"fifo": True, "default_priority": 3, "trigger_priority": 5}, []),
    (
        *("EVERY", {"trigger_type": EVERY, "messages": 4}),
        [
            "a message is put on APPQ",
            "TRIGTYPE of APPQ is changed to FIRST or DEPTH",
            PRIORITIES,
            REOPENED,
        ],
    ),
    (
        *(
            "EVERY, fewer messages than TRIGDPTH",
            {"trigger_type": EVERY, "messages": 4, "trigger_depth": 5},
        ),
        ["a message is put on APPQ", "TRIGTYPE of APPQ is changed to FIRST", PRIORITIES, REOPENED],
    ),
    (
        *("a criterion in the middle", {**LEFT, "trigger_priority": 1, "trigger_depth": 3}),
        [
            "a message of priority 1 or higher is put on APPQ in 3001 ms or later, after TRIGINT "
            "has passed",
            "TRIGTYPE of APPQ is changed to EVERY",
            "TRIGMPRI of APPQ is changed to 0 or 2-5",
            REOPENED,
        ],
    ),
    (
        *("DEPTH, two missing", {"trigger_type": DEPTH, "trigger_depth": 3, "messages": 1}),
        [
            "2 messages are put on APPQ",
            "TRIGTYPE of APPQ is changed to FIRST or EVERY",
            "TRIGDPTH of APPQ is changed to 1",
        ],
    ),
    (
        *("DEPTH, one missing", {"trigger_type": DEPTH, "trigger_depth": 3, "messages": 2}),
        [
            "a message is put on APPQ",
            "TRIGTYPE of APPQ is changed to FIRST or EVERY",
            "TRIGDPTH of APPQ is changed to 1-2",
        ],
    ),
    (
        *("DEPTH, enough", {"trigger_type": DEPTH, "trigger_depth": 3, "messages": 3}),
        [
            "a message is put on APPQ",
            "TRIGTYPE of APPQ is changed to FIRST or EVERY",
            PRIORITIES,
            "TRIGDPTH of APPQ is changed to 1-2",
            REOPENED,
        ],
    ),
    (
        *("NONE", {"trigger_type": NONE, "messages": 3}),
        ["TRIGTYPE of APPQ is changed to FIRST, EVERY or DEPTH"],
    ),
    ("the queue admits no message", {"room": 0}, []),
    ("it admits too few", {"room": 1, "trigger_type": DEPTH, "trigger_depth": 2}, []),
    (
        "it admits enough",
        {"room": 2, "trigger_type": DEPTH, "trigger_depth": 2},
        ["2 messages are put on APPQ"],
    ),
    (
        "a lower-case queue",
        {"queue": "app", "trigger_on": False, "messages": 1},
        ["ALTER QLOCAL('app') TRIGGER"],
    ),
)
def test_the_events_that_would_trigger(changes: dict[str, Any], expected: list[str]) -> None:
    found = outlooks_for(**changes)
    assert events(found) == expected
    assert (nearest(found) is None) is bool(expected)


def test_every_occasion_has_an_outlook_in_order() -> None:
    assert list(dict.fromkeys(each.occasion for each in outlooks_for())) == list(OCCASIONS)


# (changes to BASE, occasion, whether it can happen)
@rows(
    *giving(False, ({}, "CLOSE"), ({}, "GET_ENABLED"), ({}, "INITQ_ENABLED")),
    ({"initq_put_enabled": False, "initq_exists": False}, "INITQ_ENABLED", False),
    ({"initq": "", "initq_exists": False}, "MONITOR_OPENED", False),
    ({"initq_deleted": True}, "MONITOR_OPENED", False),
    ({"initq_put_enabled": False, "initq_deleted": True}, "INITQ_ENABLED", False),
    ({"room": 0}, "PUT", False),
    *giving(True, ({"input_handles": 1}, "CLOSE"), ({"get_enabled": False}, "GET_ENABLED")),
    *giving(True, ({"initq_put_enabled": False}, "INITQ_ENABLED"), ({}, "MONITOR_OPENED")),
    ({"trigger_on": False}, "ALTER", True),
)
def test_whether_an_event_can_happen(
    changes: dict[str, Any],
    occasion: str,
    possible: bool,
) -> None:
    (found,) = [each for each in outlooks_for(**changes) if each.occasion == occasion]
    assert found.possible is possible


@rows((0, "a monitor opens INIT for input"), (1, REOPENED), (2, REOPENED))
def test_only_the_first_monitor_that_opens_counts(handles: int, event: str) -> None:
    (found,) = [
        each
        for each in outlooks_for(messages=1, initq_input_handles=handles)
        if each.occasion == "MONITOR_OPENED"
    ]
    assert (found.event, found.would_trigger) == (event, True)


def commands(**changes: Any) -> set[str]:
    return {
        command
        for each in outlooks_for(**changes)
        if each.occasion == "ALTER"
        for command in each.commands
    }


def test_every_change_of_a_criterion_has_an_outlook() -> None:
    types = {f"ALTER QLOCAL(APPQ) TRIGTYPE({each})" for each in ("FIRST", "EVERY", "DEPTH")}
    priorities = {f"ALTER QLOCAL(APPQ) TRIGMPRI({each})" for each in range(10)}
    for trigger_type, name in ((FIRST, "FIRST"), (EVERY, "EVERY"), (NONE, "NONE")):
        for messages, priority in product((0, 3), (0, 5, 9)):
            found = commands(
                trigger_type=trigger_type,
                messages=messages,
                trigger_priority=priority,
            )
            now = {
                f"ALTER QLOCAL(APPQ) TRIGTYPE({name})",
                f"ALTER QLOCAL(APPQ) TRIGMPRI({priority})",
            }
            assert found == (types | priorities) - now


# (messages, TRIGDPTH, ranges of TRIGDPTH in the event, values in its commands)
@rows(
    (0, 1, ["2 or more"], [2, 999_999_999]),
    (3, 1, ["2-3", "4 or more"], [2, 3, 4, 999_999_999]),
    (3, 2, ["1 or 3", "4 or more"], [1, 3, 4, 999_999_999]),
    (5, 3, ["1-2 or 4-5", "6 or more"], [1, 2, 4, 5, 6, 999_999_999]),
    (2, 5, ["1-2", "3-4 or 6 or more"], [1, 2, 3, 4, 6, 999_999_999]),
    (2, 999_999_999, ["1-2", "3-999999998"], [1, 2, 3, 999_999_998]),
)
def test_the_depths_that_a_queue_has_reached(
    messages: int,
    depth: int,
    expected: list[str],
    ends: list[int],
) -> None:
    changes = [
        each
        for each in outlooks_for(trigger_type=DEPTH, trigger_depth=depth, messages=messages)
        if each.event.startswith("TRIGDPTH")
    ]
    assert [each.event for each in changes] == [
        f"TRIGDPTH of APPQ is changed to {each}" for each in expected
    ]
    assert [each.would_trigger for each in changes] == [True, False][-len(expected) :]
    found = [command for each in changes for command in each.commands]
    assert found == [f"ALTER QLOCAL(APPQ) TRIGDPTH({end})" for end in ends]


def test_the_nearest_event_has_the_fewest_unmet_conditions() -> None:
    found = nearest(outlooks_for(initq_input_handles=0, input_handles=0))
    assert found is not None
    assert (found.occasion, [each.number for each in found.decision.obstacles]) == ("PUT", [8])

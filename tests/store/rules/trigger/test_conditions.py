"""The explanation that each condition gives, and the command that would change its result."""

from __future__ import annotations

from typing import Any

from mqsc.store.rules.trigger.conditions import CONDITIONS, ConditionResult, mqsc_name
from mqsc.store.rules.trigger.facts import DEPTH, EVERY, FIRST, NONE, TriggerFacts
from mqsc.store.rules.trigger.occasions import ALTER, CLOSE, MONITOR_OPENED, PUT, Occasion, decide
from tests.store.tables import verdicts

NOW = 1_700_000_000_000_000
BASE = TriggerFacts(
    "APPQ",
    True,
    FIRST,
    process="P1",
    initq="INIT",
    priority=0,
    now=NOW,
    queue_manager="QM1",
)
BASE = BASE._replace(process_exists=True, initq_exists=True, initq_input_handles=1)


def result(number: int, changes: dict[str, Any], occasion: Occasion = PUT) -> ConditionResult:
    decision = decide(occasion, BASE._replace(**changes))
    return next(each for each in decision.results if each.number == number)


MET: list[tuple[int, dict[str, Any], str]] = [
    (1, {}, "a message is put on APPQ"),
    (2, {"priority": 3}, "TRIGMPRI(0) on APPQ: the message has effective priority 3"),
    (3, {}, "TRIGTYPE(FIRST) on APPQ: 0 suitable messages before the put, FIRST requires 0"),
    (
        3,
        {"trigger_type": EVERY},
        "TRIGTYPE(EVERY) on APPQ: any number of messages before the put is accepted",
    ),
    (4, {}, "IPPROCS(0) on APPQ"),
    (
        4,
        {"trigger_type": EVERY, "input_handles": 2},
        "IPPROCS(2) on APPQ: checked only for FIRST and DEPTH",
    ),
    (5, {}, "GET(ENABLED) on APPQ"),
    (6, {}, "PROCESS(P1) on APPQ"),
    (
        6,
        {"process": "", "is_transmission": True},
        "PROCESS( ) on APPQ: not required with USAGE(XMITQ)",
    ),
    (7, {}, "INITQ(INIT) on APPQ"),
    (8, {}, "IPPROCS(1) on INIT"),
    (9, {}, "TRIGGER on APPQ"),
    (10, {}, "TRIGTYPE(FIRST) on APPQ"),
    (
        *(10, {"shared": True, "shared_input_elsewhere": True, "trigger_type": DEPTH}),
        "TRIGTYPE(FIRST) on APPQ: in effect because another queue manager has the queue open for "
        "shared input",
    ),
    (
        11,
        {"messages": 1},
        "TRIGINT(999999999) on QM1: no trigger message since the queue manager started",
    ),
    (
        11,
        {"trigger_type": DEPTH, "messages": 1},
        "TRIGDPTH(1) on APPQ: at least 1 suitable message before the put",
    ),
    (14, {}, "MSGDLVSQ(PRIORITY) on APPQ"),
    (
        14,
        {"fifo": True},
        "MSGDLVSQ(FIFO) on APPQ: messages have effective priority DEFPRTY(0), TRIGMPRI is 0",
    ),
]


def test_the_reasons_of_conditions_that_are_met() -> None:
    found = [(number, changes, result(number, changes)) for number, changes, _ in MET]
    assert [(number, changes, each.reason) for number, changes, each in found] == MET
    assert [
        (number, changes) for number, changes, each in found if not each.met or each.remedy
    ] == []


INTERVAL: dict[str, Any] = {
    "messages": 1,
    "trigger_interval": 5000,
    "last_trigger": NOW - 4_999_000,
}
ANOTHER = "ALTER QLOCAL(APPQ) INITQ(SYSTEM.DEFAULT.INITIATION.QUEUE)"
ALTER_Q = "ALTER QLOCAL(APPQ)"
TO_2 = f"{ALTER_Q} TRIGDPTH(2)"
EXCLUSIVE = {"shared": True, "exclusive_in_group": True}
NEW_PROCESS = "DEFINE PROCESS(P1) APPLICID('<PROGRAM>')"
NOT_LOCAL = {"initq_exists": False, "initq_type": "QALIAS"}
TO_NORMAL = "ALTER QLOCAL(INIT) USAGE(NORMAL) FORCE"
NOT_NORMAL = "USAGE(XMITQ) on INIT: an initiation queue must have USAGE(NORMAL)"
THREE = {"trigger_type": DEPTH, "trigger_depth": 3}
NO_INITQ = {"initq": "", "initq_exists": False, "initq_input_handles": 0}
UNMET: list[tuple[int, dict[str, Any], str, str]] = [
    (1, {"priority": None}, "no message is put on APPQ", ""),
    (
        *(2, {"trigger_priority": 5, "priority": 2}),
        *("TRIGMPRI(5) on APPQ: the message has effective priority 2", f"{ALTER_Q} TRIGMPRI(2)"),
    ),
    (
        3,
        {"messages": 2},
        "TRIGTYPE(FIRST) on APPQ: 2 suitable messages before the put, FIRST requires 0",
        "",
    ),
    (
        3,
        {**THREE, "messages": 1},
        "TRIGDPTH(3) on APPQ: 1 suitable message before the put, 2 required",
        TO_2,
    ),
    # C11 is met instead, so no change is needed.
    (
        3,
        {**THREE, "messages": 3},
        "TRIGDPTH(3) on APPQ: 3 suitable messages before the put, 2 required",
        "",
    ),
    (3, {"trigger_type": NONE}, "TRIGTYPE(NONE) on APPQ: NONE never triggers", ""),
    (4, {"input_handles": 1}, "IPPROCS(1) on APPQ: a program has the queue open for input", ""),
    (4, EXCLUSIVE, "APPQ is open for exclusive input in the queue-sharing group", ""),
    (5, {"get_enabled": False}, "GET(DISABLED) on APPQ", "ALTER QLOCAL(APPQ) GET(ENABLED)"),
    (6, {"process_exists": False}, "PROCESS(P1) on APPQ: the process does not exist", NEW_PROCESS),
    (
        6,
        {"process": ""},
        "PROCESS( ) on APPQ: required unless USAGE(XMITQ)",
        f"{ALTER_Q} PROCESS(<PROCESS>)",
    ),
    (7, {"initq": ""}, "INITQ( ) on APPQ: no initiation queue is named", ANOTHER),
    (
        7,
        {"initq": "", "is_transmission": True},
        "INITQ( ) on APPQ: no initiation queue is named",
        f"{ALTER_Q} INITQ(SYSTEM.CHANNEL.INITQ)",
    ),
    (
        7,
        {"initq_exists": False},
        "INITQ(INIT) on APPQ: the local queue does not exist",
        "DEFINE QLOCAL(INIT)",
    ),
    (
        7,
        {"initq_deleted": True},
        "INITQ(INIT) on APPQ: the queue was deleted but is still open",
        ANOTHER,
    ),
    (7, NOT_LOCAL, "INITQ(INIT) on APPQ: not a local queue but a QALIAS", ANOTHER),
    (7, {"initq_is_transmission": True}, NOT_NORMAL, TO_NORMAL),
    (7, {"initq_get_enabled": False}, "GET(DISABLED) on INIT", "ALTER QLOCAL(INIT) GET(ENABLED)"),
    (7, {"initq_put_enabled": False}, "PUT(DISABLED) on INIT", "ALTER QLOCAL(INIT) PUT(ENABLED)"),
    (8, {"initq_input_handles": 0}, "IPPROCS(0) on INIT", "mqsc trigger run -q INIT"),
    (
        8,
        {"initq_input_handles": 0, "is_transmission": True},
        "IPPROCS(0) on INIT: channels need a channel initiator: `mqsc serve`, or `runmqchi`",
        "runmqchi -q INIT",
    ),
    (8, {"initq_input_handles": 0, "initq_exists": False}, "IPPROCS(0) on INIT", ""),
    (8, NO_INITQ, "INITQ( ) on APPQ: no initiation queue for a monitor to open", ""),
    (9, {"trigger_on": False}, "NOTRIGGER on APPQ", "ALTER QLOCAL(APPQ) TRIGGER"),
    (10, {"trigger_type": NONE}, "TRIGTYPE(NONE) on APPQ", "ALTER QLOCAL(APPQ) TRIGTYPE(FIRST)"),
    (11, {}, "TRIGTYPE(FIRST) on APPQ: no messages remained on the queue", ""),
    (
        11,
        {"trigger_type": EVERY, "messages": 1},
        "TRIGTYPE(EVERY) on APPQ: only FIRST and DEPTH trigger again",
        "",
    ),
    (
        11,
        INTERVAL,
        "TRIGINT(5000) on QM1: 4999 ms since the last trigger message; get the messages, and the "
        "next put need not wait",
        "",
    ),
    (
        11,
        {**INTERVAL, "trigger_interval": 999_999_999},
        "TRIGINT(999999999) on QM1: 4999 ms since the last trigger message; get the messages, and "
        "the next put need not wait; TRIGINT is for every queue",
        "ALTER QMGR TRIGINT(60000)",
    ),
    (
        *(14, {"fifo": True, "default_priority": 3, "trigger_priority": 5}),
        "MSGDLVSQ(FIFO) on APPQ: messages have effective priority DEFPRTY(3), TRIGMPRI is 5",
        "ALTER QLOCAL(APPQ) MSGDLVSQ(PRIORITY)",
    ),
]


def test_the_reasons_and_remedies_of_conditions_that_are_not_met() -> None:
    found = [(number, changes, result(number, changes)) for number, changes, _, _ in UNMET]
    assert [(number, changes, each.reason, each.remedy) for number, changes, each in found] == UNMET
    assert [(number, changes) for number, changes, each in found if each.met] == []


NOT_EVERY = "TRIGTYPE(EVERY) on APPQ: a close triggers only for FIRST and DEPTH"
LEFT: list[tuple[int, Occasion, dict[str, Any], bool, str, str]] = [
    (
        12,
        CLOSE,
        {"messages": 1},
        True,
        "TRIGTYPE(FIRST) on APPQ: at least 1 suitable message on the queue",
        "",
    ),
    (12, CLOSE, {}, False, "TRIGTYPE(FIRST) on APPQ: 0 suitable messages on the queue", ""),
    (
        12,
        CLOSE,
        {"input_handles": 1},
        False,
        "IPPROCS(1) on APPQ: another program has the queue open for input",
        "",
    ),
    (
        12,
        CLOSE,
        {"trigger_type": EVERY, "messages": 3},
        False,
        NOT_EVERY,
        f"{ALTER_Q} TRIGTYPE(FIRST)",
    ),
    (12, CLOSE, {"trigger_type": EVERY}, False, NOT_EVERY, ""),
    (
        13,
        ALTER,
        {**THREE, "messages": 2},
        False,
        "TRIGDPTH(3) on APPQ: 2 suitable messages on the queue",
        TO_2,
    ),
    (
        13,
        ALTER,
        {**THREE, "messages": 3},
        True,
        "TRIGDPTH(3) on APPQ: at least 3 suitable messages on the queue",
        "",
    ),
]


def test_the_reasons_at_other_events_than_a_put() -> None:
    found = [(*row[:3], result(row[0], row[2], row[1])) for row in LEFT]
    assert [(*row, each.met, each.reason, each.remedy) for *row, each in found] == LEFT


def test_t30_a_second_monitor() -> None:
    (obstacle,) = decide(MONITOR_OPENED, BASE._replace(messages=1, initq_input_handles=2)).obstacles
    assert (obstacle.number, obstacle.name) == (
        13,
        "no other monitor has the initiation queue open",
    )
    assert obstacle.reason == "IPPROCS(2) on INIT: another monitor has the queue open for input"


def test_a_result_names_attribute_object_and_value() -> None:
    found = result(8, {"initq_input_handles": 0})
    assert (found.attribute, found.object_name, found.value) == ("IPPROCS", "INIT", "0")
    assert found.name == "a monitor has the initiation queue open"


def test_either_c3_or_c11_is_enough_for_a_put() -> None:
    for changes, numbers in (({"initq_input_handles": 0}, [8]), (INTERVAL, [3, 11])):
        assert [each.number for each in decide(PUT, BASE._replace(**changes)).obstacles] == numbers


def test_the_fourteen_conditions_have_their_numbers() -> None:
    assert list(CONDITIONS) == list(range(1, 15))
    assert len({condition.name for condition in CONDITIONS.values()}) == 14


test_names_are_written_as_mqsc_reads_them = verdicts(
    mqsc_name,
    ("APP.Q_1/%", "APP.Q_1/%"),
    ("app", "'app'"),
    ("A B", "'A B'"),
    ("it's", "'it''s'"),
)

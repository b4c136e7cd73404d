"""Explanations of triggering as text and as JSON."""

from __future__ import annotations

import json
import os
import re

import pytest

from mqsc.console.text.triggering import explanation_lines, explanation_row, put_words, read_hypothetical
from store.admin.trigger_explanation import Hypothetical, explain
from store.client.api import QueueManager
from tests.scenarios.trigger_play import TriggerPlay

PUTS = (
    ("put", Hypothetical()),
    ("put priority 5 persistent", Hypothetical(5, 1)),
    ("PUT Priority 0 NonPersistent SYNCPOINT", Hypothetical(0, 0, True)),
    ("put not-persistent length 70000", Hypothetical(None, 0, False, 70000)),
)


@pytest.mark.parametrize(("text", "put"), PUTS)
def test_a_put_in_words(text: str, put: Hypothetical) -> None:
    assert read_hypothetical(text) == put
    assert read_hypothetical(put_words(put)) == put


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "expects a put, for example: put priority 5 persistent"),
        ("get", "expects a put, for example: put priority 5 persistent"),
        ("put loudly", "does not know 'loudly'; it expects put [priority N]"),
        ("put priority", "needs a number after 'priority'; it expects put [priority N]"),
        ("put priority five", "needs a number after 'priority'; it expects put [priority N]"),
        ("put priority -1", "needs a number after 'priority'; it expects put [priority N]"),
        ("put length ²", "needs a number after 'length'; it expects put [priority N]"),
    ],
)
def test_what_is_no_put_is_told_so(text: str, says: str) -> None:
    with pytest.raises(ValueError, match=re.escape(says)):
        read_hypothetical(text)


def test_a_page_for_a_person(qmgr: QueueManager) -> None:
    play = TriggerPlay(qmgr)
    play.run("M: close INIT1\nput m1 on APPQ\nDEFINE QALIAS(FRONT) TARGET(APPQ)")
    found = explain(qmgr, "FRONT", Hypothetical(5, 1, True))
    assert list(explanation_lines(found)) == [
        "APPQ at 2023-11-14T22:13:20Z: depth 1, suitable messages 1, last trigger message none since the start",
        "FRONT is an alias of APPQ",
        "",
        "A put priority 5 persistent syncpoint now would not trigger: C8",
        "✓  1  a message is put                                    a message is put on APPQ",
        "✓  2  the message has sufficient priority                 "
        "TRIGMPRI(0) on APPQ: the message has effective priority 5",
        "-  3  the queue had the required number of messages       "
        "TRIGTYPE(FIRST) on APPQ: 1 suitable message before the put, FIRST requires 0; C11 stands in for it",
        "✓  4  nobody has the queue open for input                 IPPROCS(0) on APPQ",
        "✓  5  gets are enabled                                    GET(ENABLED) on APPQ",
        "✓  6  the process exists                                  PROCESS(P1) on APPQ",
        "✓  7  the initiation queue is usable                      INITQ(INIT1) on APPQ",
        "✗  8  a monitor has the initiation queue open             IPPROCS(0) on INIT1",
        "                                                          → mqsc trigger run -q INIT1",
        "✓  9  triggering is on                                    TRIGGER on APPQ",
        "✓ 10  the trigger type is not none                        TRIGTYPE(FIRST) on APPQ",
        "✓ 11  it is time to trigger again                         "
        "TRIGINT(999999999) on QM1: no trigger message since the queue manager started",
        "✓ 12  the last program closed and left enough             "
        "TRIGTYPE(FIRST) on APPQ: at least 1 suitable message on the queue",
        "✓ 13  the queue has enough messages                       "
        "TRIGTYPE(FIRST) on APPQ: at least 1 suitable message on the queue",
        "✓ 14  fifo messages have sufficient priority              MSGDLVSQ(PRIORITY) on APPQ",
        "",
        "OCCASION        EVENT                                                    TRIGGER MESSAGE",
        "PUT             a message is put on APPQ                                 no: C8",
        "CLOSE           the last program that has APPQ open for input closes it  cannot happen now",
        "ALTER           TRIGTYPE of APPQ is changed to EVERY or DEPTH            yes",
        "ALTER           TRIGMPRI of APPQ is changed to 1-9                       no: C13",
        "INITQ_ENABLED   ALTER QLOCAL(INIT1) PUT(ENABLED)                         cannot happen now",
        "GET_ENABLED     ALTER QLOCAL(APPQ) GET(ENABLED)                          cannot happen now",
        "MONITOR_OPENED  a monitor opens INIT1 for input                          yes",
        "",
        "Next: TRIGTYPE of APPQ is changed to EVERY or DEPTH",
        "Or:   a monitor opens INIT1 for input",
        "",
        "If put priority 5 persistent syncpoint:",
        "      the put is              accepted",
        "      it counts as priority   5",
        "      its trigger message     none: C8",
        "      TRIGGER afterwards      on",
    ]


def test_an_open_monitor_is_no_condition_on_messages(qmgr: QueueManager) -> None:
    """C13 also requires that no other program has the initiation queue open; a different event is listed then."""
    play = TriggerPlay(qmgr)
    play.run("put m1 on APPQ")
    found = explanation_lines(explain(qmgr, "APPQ"))
    (line,) = [line for line in found if line.startswith("MONITOR_OPENED")]
    assert re.fullmatch("MONITOR_OPENED  all monitors close INIT1, then one opens it +yes", line)


def test_a_put_that_is_refused_does_not_trigger(qmgr: QueueManager) -> None:
    play = TriggerPlay(qmgr)
    play.run("ALTER QLOCAL(APPQ) PUT(DISABLED)")
    found = explain(qmgr, "APPQ")
    lines = list(explanation_lines(found))
    assert lines[2] == "A put now would be refused with 2051 MQRC_PUT_INHIBITED, and would not trigger:"
    assert "PUT             a message is put on APPQ                                 cannot happen now" in lines
    row = explanation_row(found)
    assert (row["would_trigger"], row["cause"], row["put_reason"]) == (False, "", 2051)


HOLDER = f"process {os.getpid()}, connection {3:016X}, unit 3.1, since 2023-11-14T22:13:20Z"
WAITS = "1 trigger message waits on INIT1 for the {} of a unit of work: application B, user b, " + HOLDER
UNCOMMITTED = "1 of {} uncommitted; it counts, but cannot be got before the commit: application B, user b, " + HOLDER
IN_ORDER = "Otherwise APPQ is in order: it has triggered, and a program has its initiation queue open."
NOT_BY_ITSELF = "The end of a unit of work does not itself trigger APPQ."
EVERY = "ALTER QLOCAL(APPQ) TRIGTYPE(EVERY)\n"
# (the lines that lead to the state, the expected lines about uncommitted work)
HELD: tuple[tuple[str, list[str]], ...] = (
    ("put m1 on APPQ", []),
    (
        "B: put m1 on APPQ syncpoint\nadvance 2",
        [WAITS.format("commit or backout"), UNCOMMITTED.format("1 suitable message is"), IN_ORDER],
    ),
    (EVERY + "B: put m1 on APPQ syncpoint\nB: commit", []),
    (
        EVERY + "B: put m1 on APPQ syncpoint\nput m2 on APPQ\nM: close INIT1",
        [WAITS.format("commit"), UNCOMMITTED.format("2 suitable messages is")],
    ),
    (
        "ALTER QLOCAL(APPQ) NOTRIGGER\nB: put m1 on APPQ syncpoint\nALTER QLOCAL(APPQ) TRIGMPRI(1) TRIGGER",
        [],
    ),
    (
        "ALTER QLOCAL(APPQ) NOTRIGGER\nB: put m1 on APPQ syncpoint",
        [UNCOMMITTED.format("1 suitable message is"), NOT_BY_ITSELF],
    ),
    (
        "put m1 m2 on APPQ\nB: get from APPQ syncpoint\nadvance 2\nB: get from APPQ syncpoint",
        [
            "2 suitable messages are got but uncommitted, so they do not count: application B, user b, " + HOLDER,
            NOT_BY_ITSELF,
        ],
    ),
)


@pytest.mark.parametrize(("text", "expected"), HELD)
def test_uncommitted_work_is_told_with_its_holder(qmgr: QueueManager, text: str, expected: list[str]) -> None:
    play = TriggerPlay(qmgr)
    play.connection("A")
    play.connection("B")
    play.run(text)
    lines = list(explanation_lines(explain(qmgr, "APPQ")))
    assert lines[1 : lines.index("")] == expected


def test_a_process_without_a_program_is_told(qmgr: QueueManager) -> None:
    play = TriggerPlay(qmgr)
    play.run("ALTER PROCESS(P1) APPLICID(' ')\nput m1 on APPQ syncpoint")
    found = explain(qmgr, "APPQ")
    told = "PROCESS(P1) has a blank APPLICID, so its trigger messages start no program"
    assert list(explanation_lines(found))[1] == f"{told} → ALTER PROCESS(P1) APPLICID('<PROGRAM>')"
    assert explanation_row(found)["warnings"] == list(found.warnings)
    assert not found.only_waits_for_commit


@pytest.mark.parametrize("width", [40, 80, 100])
def test_lines_fit_the_terminal(qmgr: QueueManager, width: int) -> None:
    play = TriggerPlay(qmgr)
    play.run("""
        put m1 on APPQ syncpoint
        ALTER PROCESS(P1) APPLICID(' ')
        ALTER QLOCAL(INIT1) GET(DISABLED)
    """)
    lines = list(explanation_lines(explain(qmgr, "APPQ", Hypothetical(5, 1)), width))
    assert [line for line in lines if len(line) > width] == []


# (the lines that lead to the state, the put, the expected line about its trigger message)
LANDINGS = (
    ("", Hypothetical(), "on INIT1 at once (cause put)"),
    ("", Hypothetical(syncpoint=True), "on INIT1 at the commit; a backout leaves it there (cause put)"),
    (
        *("ALTER QLOCAL(APPQ) TRIGTYPE(EVERY)", Hypothetical(syncpoint=True)),
        "on INIT1 at the commit; a backout removes it (cause put)",
    ),
    (
        *("ALTER QLOCAL(INIT1) MAXDEPTH(0)", Hypothetical()),
        "lost: 2053 MQRC_Q_FULL, and the dead-letter queue cannot take it",
    ),
    (
        *("DEFINE QLOCAL(DLQ)\nALTER QMGR DEADQ(DLQ)\nALTER QLOCAL(INIT1) MAXDEPTH(0)", Hypothetical()),
        "on DLQ at once, because the initiation queue returns 2053 MQRC_Q_FULL (cause put)",
    ),
    ("ALTER QLOCAL(APPQ) PUT(DISABLED)", Hypothetical(), "none"),
)


@pytest.mark.parametrize(("text", "put", "says"), LANDINGS)
def test_where_the_trigger_message_would_be(qmgr: QueueManager, text: str, put: Hypothetical, says: str) -> None:
    play = TriggerPlay(qmgr)
    play.run(text)
    lines = list(explanation_lines(explain(qmgr, "APPQ", put)))
    assert f"      its trigger message     {says}" in lines
    full = "      2053 MQRC_Q_FULL: The queue holds MAXDEPTH messages, uncommitted ones included."
    assert lines.count(full) == says.count("2053")


def test_nothing_would_trigger_it(qmgr: QueueManager) -> None:
    play = TriggerPlay(qmgr)
    play.run("M: close INIT1\nALTER QLOCAL(APPQ) NOTRIGGER")
    assert list(explanation_lines(explain(qmgr, "APPQ")))[-2:] == [
        "Next: no single event would trigger it. Closest: ALTER QLOCAL(APPQ) TRIGGER, still blocked by:",
        "      C13 TRIGTYPE(FIRST) on APPQ: 0 suitable messages on the queue",
    ]


def test_a_loop_is_said_first(qmgr: QueueManager) -> None:
    play = TriggerPlay(qmgr)
    play.run("put m1 on APPQ" + "\nS: open APPQ input-shared\nS: close APPQ" * 2)
    assert "Loop: 2 trigger messages in a row at a close, without the depth falling" in list(
        explanation_lines(explain(qmgr, "APPQ"))
    )


def test_as_data(qmgr: QueueManager) -> None:
    play = TriggerPlay(qmgr)
    play.run("M: close INIT1\nput m1 on APPQ")
    row = explanation_row(explain(qmgr, "APPQ", Hypothetical(priority=5)))
    assert json.loads(json.dumps(row)) == row
    assert (row["queue"], row["would_trigger"], row["cause"]) == ("APPQ", False, "")
    assert row["conditions"][7] == {
        "number": 8,
        "name": "a monitor has the initiation queue open",
        "met": False,
        "reason": "IPPROCS(0) on INIT1",
        "attribute": "IPPROCS",
        "object_name": "INIT1",
        "value": "0",
        "remedy": "mqsc trigger run -q INIT1",
    }
    assert [(each["occasion"], each["would_trigger"], each["in_the_way"]) for each in row["occasions"]] == [
        ("PUT", False, [8]),
        ("CLOSE", False, [8]),
        ("ALTER", True, []),
        ("ALTER", False, [13]),
        ("INITQ_ENABLED", False, [8]),
        ("GET_ENABLED", False, [8]),
        ("MONITOR_OPENED", True, []),
    ]
    assert row["next"] == ["TRIGTYPE of APPQ is changed to EVERY or DEPTH", "a monitor opens INIT1 for input"]
    assert (row["at"], row["last_trigger"]) == ("2023-11-14T22:13:20Z", None)
    assert row["if"]["put"] == "put priority 5"
    assert (row["if"]["reason"], row["if"]["triggers"], row["if"]["counts_as"]) == (0, False, 5)
    assert explanation_row(explain(qmgr, "APPQ"))["if"] is None


def test_uncommitted_work_as_data(qmgr: QueueManager) -> None:
    play = TriggerPlay(qmgr)
    play.run("A: put m1 on APPQ syncpoint")
    row = explanation_row(explain(qmgr, "APPQ"))
    assert json.loads(json.dumps(row)) == row
    holder = {
        "messages": 1,
        "since": "2023-11-14T22:13:20Z",
        "application": "A",
        "user": "a",
        "connection": f"{2:016X}",
        "unit": "2.1",
        "process_id": os.getpid(),
        "in_doubt": "",
    }
    assert row["uncommitted"] == [
        {"what": "trigger message", "queue": "INIT1", "kept": True, **holder},
        {"what": "put", "queue": "APPQ", "kept": False, **holder},
    ]
    assert row["only_waits_for_commit"] is True

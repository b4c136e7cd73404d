"""Explanations of triggering as text and as JSON, those of shared queues too."""

from __future__ import annotations

import json
import os
import re
import sys

import pytest

from mqsc.console.text.triggering import (
    explanation_lines,
    explanation_row,
    put_words,
    read_hypothetical,
)
from mqsc.store.admin.trigger_explanation import Hypothetical, explain
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from mqsc.store.constants import MQOO
from tests.rows import rows
from tests.scenarios.group_triggers import GroupTriggers, run
from tests.scenarios.trigger_play import TriggerPlay


@rows(
    ("put", Hypothetical()),
    ("put priority 5 persistent", Hypothetical(5, 1)),
    ("PUT Priority 0 NonPersistent SYNCPOINT", Hypothetical(0, 0, True)),
    ("put not-persistent length 70000", Hypothetical(None, 0, False, 70000)),
)
def test_a_put_in_words(text: str, put: Hypothetical) -> None:
    assert (read_hypothetical(text), read_hypothetical(put_words(put))) == (put, put)


@rows(
    *((text, "expects a put, for example: put priority 5 persistent") for text in ("", "get")),
    ("put loudly", "does not know 'loudly'; it expects put [priority N]"),
    *(
        (f"put priority{n}", "needs a number after 'priority'; it expects put [priority N]")
        for n in ("", " five", " -1")
    ),
    ("put length ²", "needs a number after 'length'; it expects put [priority N]"),
)
def test_what_is_no_put_is_told_so(text: str, says: str) -> None:
    with pytest.raises(ValueError, match=re.escape(says)):
        read_hypothetical(text)


def explained(
    qmgr: QueueManager,
    text: str,
    put: Hypothetical | None = None,
    width: int = sys.maxsize,
) -> list[str]:
    """The explanation of APPQ, after the steps of a play."""
    play = TriggerPlay(qmgr)
    play.connection("A")
    play.connection("B")
    play.run(text)
    return list(explanation_lines(explain(qmgr, "APPQ", put), width))


def test_a_page_for_a_person(qmgr: QueueManager) -> None:
    play = TriggerPlay(qmgr)
    play.run("M: close INIT1\nput m1 on APPQ\nDEFINE QALIAS(FRONT) TARGET(APPQ)")
    found = explain(qmgr, "FRONT", Hypothetical(5, 1, True))
    assert list(explanation_lines(found)) == [
        "APPQ at 2023-11-14T22:13:20Z: depth 1, suitable messages 1, no trigger message since "
        "the start",
        "FRONT is an alias of APPQ",
        "",
        "A put priority 5 persistent syncpoint now would not trigger: C8",
        "✓ C1  a message is put                                    a message is put on APPQ",
        "✓ C2  the message has sufficient priority                 "
        "TRIGMPRI(0) on APPQ: the message has effective priority 5",
        "- C3  the queue had the required number of messages       "
        "TRIGTYPE(FIRST) on APPQ: 1 suitable message before the put, FIRST requires 0; C11 is "
        "met instead",
        "✓ C4  nobody has the queue open for input                 IPPROCS(0) on APPQ",
        "✓ C5  gets are enabled                                    GET(ENABLED) on APPQ",
        "✓ C6  the process exists                                  PROCESS(P1) on APPQ",
        "✓ C7  the initiation queue is usable                      INITQ(INIT1) on APPQ",
        "✗ C8  a monitor has the initiation queue open             IPPROCS(0) on INIT1",
        "                                                          → mqsc trigger run -q INIT1",
        "✓ C9  triggering is on                                    TRIGGER on APPQ",
        "✓ C10 the trigger type is not none                        TRIGTYPE(FIRST) on APPQ",
        "✓ C11 it is time to trigger again                         "
        "TRIGINT(999999999) on QM1: no trigger message since the queue manager started",
        "✓ C12 the last program closed and left enough             "
        "TRIGTYPE(FIRST) on APPQ: at least 1 suitable message on the queue",
        "✓ C13 the queue has enough messages                       "
        "TRIGTYPE(FIRST) on APPQ: at least 1 suitable message on the queue",
        "✓ C14 fifo messages have sufficient priority              MSGDLVSQ(PRIORITY) on APPQ",
        "",
        "OCCASION        EVENT                                                    TRIGGER MESSAGE",
        "PUT             a message is put on APPQ                                 no: C8",
        "CLOSE           the last program that has APPQ open for input closes it  cannot happen "
        "now",
        "ALTER           TRIGTYPE of APPQ is changed to EVERY or DEPTH            yes",
        "ALTER           TRIGMPRI of APPQ is changed to 1-9                       no: C13",
        "INITQ_ENABLED   ALTER QLOCAL(INIT1) PUT(ENABLED)                         cannot happen "
        "now",
        "GET_ENABLED     ALTER QLOCAL(APPQ) GET(ENABLED)                          cannot happen "
        "now",
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


def marks(lines: list[str]) -> str:
    """The marks of the fourteen conditions, in order."""
    return "".join(line[0] for line in lines if re.match(r"[-✓✗] C\d", line))


# (the lines that lead to the state, the marks of C1 to C14)
@rows(
    ("ALTER QLOCAL(APPQ) TRIGTYPE(FIRST)", "✓✓✓✓✓✓✓✓✓✓---✓"),
    ("put m1 on APPQ", "✓✓✗✓✓✓✓✓✓✓✗✓✓✓"),
    ("ALTER QMGR TRIGINT(1000)\nput m1 on APPQ\nadvance 2", "✓✓-✓✓✓✓✓✓✓✓✓✓✓"),
    ("ALTER QLOCAL(APPQ) TRIGTYPE(EVERY)", "✓✓✓✓✓✓✓✓✓✓---✓"),
    ("ALTER QLOCAL(APPQ) TRIGTYPE(DEPTH) TRIGDPTH(2)", "✓✓✗✓✓✓✓✓✓✓✗--✓"),
    ("M: close INIT1", "✓✓✓✓✓✓✓✗✓✓---✓"),
    ("ALTER QLOCAL(APPQ) NOTRIGGER", "✓✓✓✓✓✓✓✓✗✓---✓"),
)
def test_what_keeps_no_put_from_triggering_is_not_marked_as_failed(
    qmgr: QueueManager,
    text: str,
    found: str,
) -> None:
    lines = explained(qmgr, text)
    assert marks(lines) == found
    assert ("✗" in found) == any(line.startswith("A put now would not trigger") for line in lines)


def test_what_is_in_the_way_as_data(qmgr: QueueManager) -> None:
    play = TriggerPlay(qmgr)
    assert explanation_row(explain(qmgr, "APPQ"))["in_the_way"] == []
    play.run("ALTER QLOCAL(APPQ) NOTRIGGER TRIGTYPE(DEPTH) TRIGDPTH(2)")
    assert explanation_row(explain(qmgr, "APPQ"))["in_the_way"] == [3, 9, 11]


def test_an_open_monitor_is_no_condition_on_messages(qmgr: QueueManager) -> None:
    """C13 also requires that no other program has the initiation queue open; a different event
    is listed then.
    """
    (line,) = [
        line for line in explained(qmgr, "put m1 on APPQ") if line.startswith("MONITOR_OPENED")
    ]
    assert re.fullmatch("MONITOR_OPENED  all monitors close INIT1, then one opens it +yes", line)


def test_nothing_would_trigger_it(qmgr: QueueManager) -> None:
    assert explained(qmgr, "M: close INIT1\nALTER QLOCAL(APPQ) NOTRIGGER")[-2:] == [
        "Next: no single event would trigger it. Closest: ALTER QLOCAL(APPQ) TRIGGER, still "
        "blocked by:",
        "      C13 TRIGTYPE(FIRST) on APPQ: 0 suitable messages on the queue",
    ]


def test_a_loop_is_said_first(qmgr: QueueManager) -> None:
    lines = explained(qmgr, "put m1 on APPQ" + "\nS: open APPQ input-shared\nS: close APPQ" * 2)
    assert "Loop: 2 trigger messages in a row at a close, without the depth falling" in lines


def test_a_put_that_is_refused_does_not_trigger(qmgr: QueueManager) -> None:
    play = TriggerPlay(qmgr)
    play.run("ALTER QLOCAL(APPQ) PUT(DISABLED)")
    found = explain(qmgr, "APPQ")
    lines = list(explanation_lines(found))
    assert (
        lines[2]
        == "A put now would be refused with 2051 MQRC_PUT_INHIBITED, and would not trigger:"
    )
    assert (
        "PUT             a message is put on APPQ                                 cannot happen now"
        in lines
    )
    row = explanation_row(found)
    assert (row["would_trigger"], row["cause"], row["put_reason"]) == (False, "", 2051)


HOLDER = f"process {os.getpid()}, connection {3:016X}, unit 3.1, since 2023-11-14T22:13:20Z"
WAITS = (
    "1 trigger message waits on INIT1 for the {} of a unit of work: application B, user b, "
    + HOLDER
)
UNCOMMITTED = (
    "1 of {} uncommitted; it counts, but cannot be got before the commit: application B, user b, "
    + HOLDER
)
IN_ORDER = (
    "Otherwise APPQ is in order: it has triggered, and a program has its initiation queue open."
)
FULL = "ALTER QLOCAL(INIT1) MAXDEPTH(0)"
NOT_BY_ITSELF = "The end of a unit of work does not itself trigger APPQ."
EVERY, OFF = "ALTER QLOCAL(APPQ) TRIGTYPE(EVERY)\n", "ALTER QLOCAL(APPQ) NOTRIGGER\n"
GOT = (
    "2 suitable messages are got but uncommitted, so they do not count: application B, user b, "
    + HOLDER
)


# (the lines that lead to the state, the expected lines about uncommitted work)
@rows(
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
    (OFF + "B: put m1 on APPQ syncpoint\nALTER QLOCAL(APPQ) TRIGMPRI(1) TRIGGER", []),
    (
        OFF + "B: put m1 on APPQ syncpoint",
        [UNCOMMITTED.format("1 suitable message is"), NOT_BY_ITSELF],
    ),
    (
        "put m1 m2 on APPQ\nB: get from APPQ syncpoint\nadvance 2\nB: get from APPQ syncpoint",
        [GOT, NOT_BY_ITSELF],
    ),
)
def test_uncommitted_work_is_told_with_its_holder(
    qmgr: QueueManager,
    text: str,
    expected: list[str],
) -> None:
    lines = explained(qmgr, text)
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
    text = (
        "put m1 on APPQ syncpoint\nALTER PROCESS(P1) APPLICID(' ')\nALTER QLOCAL(INIT1) "
        "GET(DISABLED)"
    )
    assert [
        line for line in explained(qmgr, text, Hypothetical(5, 1), width) if len(line) > width
    ] == []


# (the lines that lead to the state, the put, the expected line about its trigger message)
@rows(
    ("", Hypothetical(), "on INIT1 at once (cause put)"),
    (
        "",
        Hypothetical(syncpoint=True),
        "on INIT1 at the commit; a backout leaves it there (cause put)",
    ),
    (
        EVERY,
        Hypothetical(syncpoint=True),
        "on INIT1 at the commit; a backout removes it (cause put)",
    ),
    (FULL, Hypothetical(), "lost: 2053 MQRC_Q_FULL, and the dead-letter queue cannot take it"),
    (
        *("DEFINE QLOCAL(DLQ)\nALTER QMGR DEADQ(DLQ)\n" + FULL, Hypothetical()),
        "on DLQ at once, because the initiation queue returns 2053 MQRC_Q_FULL (cause put)",
    ),
    ("ALTER QLOCAL(APPQ) PUT(DISABLED)", Hypothetical(), "none"),
)
def test_where_the_trigger_message_would_be(
    qmgr: QueueManager,
    text: str,
    put: Hypothetical,
    says: str,
) -> None:
    lines = explained(qmgr, text, put)
    assert f"      its trigger message     {says}" in lines
    full = "      2053 MQRC_Q_FULL: The queue holds MAXDEPTH messages, uncommitted ones included."
    assert lines.count(full) == says.count("2053")


def test_as_data(qmgr: QueueManager) -> None:
    TriggerPlay(qmgr).run("M: close INIT1\nput m1 on APPQ")
    row = explanation_row(explain(qmgr, "APPQ", Hypothetical(priority=5)))
    assert json.loads(json.dumps(row)) == row
    assert (row["queue"], row["would_trigger"], row["cause"]) == ("APPQ", False, "")
    assert row["conditions"][7] == {
        **{
            "number": 8,
            "name": "a monitor has the initiation queue open",
            "met": False,
            "value": "0",
        },
        **{"reason": "IPPROCS(0) on INIT1", "attribute": "IPPROCS", "object_name": "INIT1"},
        "remedy": "mqsc trigger run -q INIT1",
    }
    assert [
        (each["occasion"], each["would_trigger"], each["in_the_way"]) for each in row["occasions"]
    ] == [
        *(("PUT", False, [8]), ("CLOSE", False, [8]), ("ALTER", True, []), ("ALTER", False, [13])),
        *(("INITQ_ENABLED", False, [8]), ("GET_ENABLED", False, [8]), ("MONITOR_OPENED", True, [])),
    ]
    assert row["next"] == [
        "TRIGTYPE of APPQ is changed to EVERY or DEPTH",
        "a monitor opens INIT1 for input",
    ]
    assert (row["at"], row["last_trigger"], row["if"]["put"]) == (
        "2023-11-14T22:13:20Z",
        None,
        "put priority 5",
    )
    assert (row["if"]["reason"], row["if"]["triggers"], row["if"]["counts_as"]) == (0, False, 5)
    assert explanation_row(explain(qmgr, "APPQ"))["if"] is None


def test_uncommitted_work_as_data(qmgr: QueueManager) -> None:
    TriggerPlay(qmgr).run("A: put m1 on APPQ syncpoint")
    row = explanation_row(explain(qmgr, "APPQ"))
    assert json.loads(json.dumps(row)) == row
    holder = {
        "messages": 1,
        "since": "2023-11-14T22:13:20Z",
        "application": "A",
        "user": "a",
        "unit": "2.1",
    }
    holder |= {
        "connection": f"{2:016X}",
        "process_id": os.getpid(),
        "process_place": "",
        "in_doubt": "",
    }
    assert row["uncommitted"] == [
        {"what": "trigger message", "queue": "INIT1", "kept": True, **holder},
        {"what": "put", "queue": "APPQ", "kept": False, **holder},
    ]
    assert row["only_waits_for_commit"] is True


@pytest.fixture
def group(store: Store) -> GroupTriggers:
    found = GroupTriggers(store, monitors=(1, 2))
    found.open(1)
    return found


def test_a_table_of_the_members(group: GroupTriggers) -> None:
    lines = list(explanation_lines(explain(group.members[2], "SQ", Hypothetical(0)), 100))
    table = lines[2:6]
    assert table == [
        "MEMBER  INPUT  ELSEWHERE  DECIDES BY                  C4     INITQ            PUT "
        "TRIGGERS",
        "QM1     1      no         FIRST, TRIGMPRI(5)          unmet  own, IPPROCS(1)  no: C2, C4",
        "QM2     0      yes        FIRST, TRIGMPRI(0) relaxed  met    own, IPPROCS(1)  yes",
        "QM3     0      yes        FIRST, TRIGMPRI(0) relaxed  met    own, IPPROCS(0)  no: C8",
    ]
    assert lines[6].startswith("Open for shared input on QM1: application server, user ")
    assert "A put priority 0 now would trigger on QM2 (cause put):" in lines
    assert " ".join(lines[6:8]).endswith(
        "; relaxes QM2 and QM3",
    ) or "relaxes QM2 and QM3" in " ".join(lines[6:9])


@pytest.mark.parametrize("width", [40, 80])
def test_a_paragraph_for_each_member_when_the_table_is_too_wide(
    group: GroupTriggers,
    width: int,
) -> None:
    lines = list(explanation_lines(explain(group.members[1], "SQ"), width))
    assert max(map(len, lines)) <= width
    text = " ".join(" ".join(lines).split())
    said = (
        "QM2: input here 0, elsewhere yes; decides by FIRST, TRIGMPRI(0) relaxed; C4 met; INITQ "
        "own, IPPROCS(1);"
    )
    assert f"{said} a put now triggers: yes" in text
    assert "A put now would not trigger on QM1: C2, C4" in text


def test_exclusive_input(store: Store) -> None:
    group = GroupTriggers(store)
    group.open(1, MQOO.INPUT_EXCLUSIVE)
    lines = list(explanation_lines(explain(group.members[2], "SQ", Hypothetical(5))))
    assert (lines[3].split()[:4], lines[4].split()[:3]) == (
        ["QM1", "1", "exclusive", "no"],
        ["QM2", "0", "exclusive"],
    )
    assert lines[6].endswith("; no member triggers")


def test_no_initiation_queue_and_one_for_all(store: Store) -> None:
    group = GroupTriggers(store, monitors=())
    run(group.members[3], "DELETE QLOCAL(INIT)")
    lines = list(explanation_lines(explain(group.members[3], "SQ", Hypothetical(5))))
    assert (
        lines[5] == "QM3     0      no         FIRST, TRIGMPRI(5)  met  none             no: C7, C8"
    )


def test_one_for_all(store: Store) -> None:
    group = GroupTriggers(store, shared_initq=True)
    group.alter(1, "TRIGTYPE(EVERY)")
    lines = list(explanation_lines(explain(group.members[2], "SQ", Hypothetical(5))))
    assert [line.rsplit("  ", 1)[1] for line in lines[3:6]] == [
        "no: another does",
        "yes",
        "no: another does",
    ]


def test_a_group_as_data(group: GroupTriggers) -> None:
    row = json.loads(json.dumps(explanation_row(explain(group.members[1], "SQ"))))
    assert [each["member"] for each in row["members"]] == ["QM1", "QM2", "QM3"]
    assert row["input_handles"][0]["relaxes"] == ["QM2", "QM3"]


def test_uncommitted_messages(group: GroupTriggers) -> None:
    group.put(1, 5, 5, unit=True)
    text = " ".join(explanation_lines(explain(group.members[1], "SQ")))
    assert "2 suitable messages are uncommitted; they do not count before the commit" in text

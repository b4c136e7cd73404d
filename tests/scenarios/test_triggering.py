"""Triggering (triggering §3 to §5): occasions from pages, the trigger message, its dead letter
and its events.
"""

from __future__ import annotations

import json

import pytest

from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQGMO, MQOO
from mqsc.store.descriptor import FIELDS, NO_ID, MessageDescriptor
from mqsc.store.headers import mqdlh, mqtm, mqxqh
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions
from tests.conftest import START
from tests.scenarios.pages import page
from tests.scenarios.trigger_play import TriggerPlay

PAGES = (
    "triggering_puts",
    "triggering_close",
    "triggering_changes",
    "triggering_monitors",
    "triggering_messages",
)


@pytest.mark.parametrize("scenario", [each for name in PAGES for each in page(name)])
def test_triggering(qmgr: QueueManager, scenario: str) -> None:
    TriggerPlay(qmgr).run(scenario)


# Changes that leave one of the conditions C5 to C10 unmet (P13).
UNMET = {
    "C5": "ALTER QLOCAL(APPQ) GET(DISABLED)",
    "C5 on a transmission queue": "ALTER QLOCAL(APPQ) GET(DISABLED) USAGE(XMITQ) PROCESS(' ')",
    "C6 no such process": "ALTER QLOCAL(APPQ) PROCESS(NOPROC)",
    "C6 blank": "ALTER QLOCAL(APPQ) PROCESS(' ')",
    "C6 no such process, on a transmission queue": (
        "ALTER QLOCAL(APPQ) PROCESS(NOPROC) USAGE(XMITQ)"
    ),
    "C7 blank": "ALTER QLOCAL(APPQ) INITQ(' ')",
    "C7 no such queue": "ALTER QLOCAL(APPQ) INITQ(NOQ)",
    "C7 an alias of it": """DEFINE QALIAS(ALIAS) TARGET(INIT1)
                            ALTER QLOCAL(APPQ) INITQ(ALIAS)""",
    "C7 get disabled": "ALTER QLOCAL(INIT1) GET(DISABLED)",
    "C7 put disabled": "ALTER QLOCAL(INIT1) PUT(DISABLED)",
    "C8": "M: close INIT1",
    "C8 open for browse only": """M: close INIT1
                                  M: open INIT1 browse""",
    "C9": "ALTER QLOCAL(APPQ) NOTRIGGER",
    "C10": "ALTER QLOCAL(APPQ) TRIGTYPE(NONE)",
}


@pytest.mark.parametrize("trigger_type", ["FIRST", "EVERY", "DEPTH"])
@pytest.mark.parametrize("condition", UNMET)
def test_p13_an_unmet_condition_prevents_a_trigger_message(
    qmgr: QueueManager,
    condition: str,
    trigger_type: str,
) -> None:
    TriggerPlay(qmgr).run(f"""
        ALTER QLOCAL(APPQ) TRIGTYPE({trigger_type})
        {UNMET[condition]}
        put m1 on APPQ
        new INIT1 => nothing
        depth APPQ => 1
        TRIGGER_LOST => nothing
    """)


# INIT1 is full, and there is a dead-letter queue.
FULL = """
    DEFINE QLOCAL(DLQ)
    ALTER QMGR DEADQ(DLQ)
    M: close INIT1
    ALTER QLOCAL(INIT1) MAXDEPTH(1)
    put junk on INIT1
    M: open INIT1 input-shared
"""


def trigger_message(play: TriggerPlay) -> Message:
    """Get the trigger message on INIT1 as the monitor."""
    return play.handle("M", "INIT1", "get", MQOO.INPUT_SHARED).get(GetMessageOptions(MQGMO.NO_WAIT))


def test_t01_t50_every_field(qmgr: QueueManager) -> None:
    play = TriggerPlay(qmgr)
    play.run("put m1 on APPQ persistence=1 priority=7 expiry=50")
    got = trigger_message(play)
    assert got.body[:8] == b"TM  " + (1).to_bytes(4, "little")
    assert len(got.body) == 684
    unpacked = mqtm.unpack_mqtm(got.body)
    assert unpacked == mqtm.TriggerMessage(
        "APPQ",
        "P1",
        "for APPQ",
        6,
        "/bin/serve",
        "-v",
        "for P1",
    )
    assert got.descriptor.msg_id not in (NO_ID, play.placed["m1"].msg_id)
    fields = {name: getattr(got.descriptor, name) for name in FIELDS if name != "msg_id"}
    assert {
        name: value for name, value in fields.items() if value != getattr(MessageDescriptor(), name)
    } == {
        **{"coded_char_set_id": 1208, "format": "MQTRIG", "priority": 3, "persistence": 0},
        **{"reply_to_q_mgr": "QM1", "put_appl_type": 7, "put_appl_name": "QM1"},
        **{"put_date": "20231114", "put_time": "22132000"},
    }


def test_t22_a_transmission_queue_needs_no_process(qmgr: QueueManager) -> None:
    play = TriggerPlay(qmgr)
    play.run("ALTER QLOCAL(APPQ) PROCESS(' ') USAGE(XMITQ) TRIGDATA(TO.QM2)")
    sent = mqxqh.TransmissionHeader("FAR", "QM2", MessageDescriptor(priority=0, persistence=0))
    handle = play.handle("A", "APPQ", "put", MQOO.OUTPUT)
    handle.put(
        Message(mqxqh.pack(sent) + b"x", MessageDescriptor(format="MQXMIT")),
        PutMessageOptions(),
    )
    assert play.readable("INIT1") == [mqtm.TriggerMessage("APPQ", "", "TO.QM2", -1, "", "", "")]


def test_t46_the_dead_letter_header(qmgr: QueueManager) -> None:
    play = TriggerPlay(qmgr)
    play.run(f"{FULL}\nput m1 on APPQ")
    dead_letter = play.handle("D", "DLQ", "get", MQOO.INPUT_SHARED).get(
        GetMessageOptions(MQGMO.NO_WAIT),
    )
    header = mqdlh.unpack_mqdlh(dead_letter.body)
    assert (header.reason, header.dest_q_name, header.dest_q_mgr_name) == (2053, "INIT1", "QM1")
    assert (header.format, header.put_appl_type, header.put_appl_name) == ("MQTRIG", 7, "QM1")
    assert (dead_letter.descriptor.format, dead_letter.descriptor.persistence) == ("MQDEAD", 0)
    assert mqtm.unpack_mqtm(dead_letter.body[mqdlh.MQDLH_LENGTH :]).q_name == "APPQ"


def test_t48_a_pending_trigger_message_is_not_changed(qmgr: QueueManager) -> None:
    play = TriggerPlay(qmgr)
    play.run("""
        DEFINE PROCESS(P2)
        put m1 on APPQ syncpoint
        ALTER QLOCAL(APPQ) PROCESS(P2) NOTRIGGER
        commit
    """)
    assert [each.process_name for each in play.readable("INIT1")] == ["P1"]


def test_each_message_of_a_list_triggers_by_itself(qmgr: QueueManager) -> None:
    play = TriggerPlay(qmgr)
    play.run("ALTER QLOCAL(APPQ) TRIGTYPE(EVERY) TRIGMPRI(5)")
    handle = play.handle("A", "APPQ", "put", MQOO.OUTPUT)
    handle.put([Message(b"x", MessageDescriptor(priority=each)) for each in (4, 5, 0, 9)])
    play.run("new INIT1 => APPQ APPQ")


def test_the_history_has_the_reason_of_every_condition(qmgr: QueueManager) -> None:
    play = TriggerPlay(qmgr)
    play.run("put m1 on APPQ")
    ((_, cause, queue, _, rule, detail),) = play.new_events("TRIGGER")
    assert (cause, queue, rule) == ("put", "APPQ", "C3")
    assert json.loads(detail) == {
        "process": "P1",
        "type": "FIRST",
        "conditions": [
            "C1 a message is put on APPQ",
            "C2 TRIGMPRI(0) on APPQ: the message has effective priority 0",
            "C3 TRIGTYPE(FIRST) on APPQ: 0 suitable messages before the put, FIRST requires 0",
            "C4 IPPROCS(0) on APPQ",
            "C5 GET(ENABLED) on APPQ",
            "C6 PROCESS(P1) on APPQ",
            "C7 INITQ(INIT1) on APPQ",
            "C8 IPPROCS(1) on INIT1",
            "C9 TRIGGER on APPQ",
            "C10 TRIGTYPE(FIRST) on APPQ",
            "C14 MSGDLVSQ(PRIORITY) on APPQ",
        ],
    }


RULES = (
    ("put m1 on APPQ", "C3"),
    ("ALTER QMGR TRIGINT(0)\nput m1 on APPQ\nTRIGGER => put/APPQ/0\nput m2 on APPQ", "C11"),
    ("S: open APPQ input-shared\nput m1 on APPQ\nS: close APPQ", "C12"),
    ("ALTER QLOCAL(APPQ) NOTRIGGER\nput m1 on APPQ\nALTER QLOCAL(APPQ) TRIGGER", "C13"),
    ("M: close INIT1\nput m1 on APPQ\nM: open INIT1 input-shared", "C13"),
)


@pytest.mark.parametrize(("text", "rule"), RULES)
def test_the_history_names_the_condition_that_decided(
    qmgr: QueueManager,
    text: str,
    rule: str,
) -> None:
    play = TriggerPlay(qmgr)
    play.run(text)
    assert [row[4] for row in play.new_events("TRIGGER")] == [rule]


LOOP = """
    S: open APPQ input-shared
    S: close APPQ
"""


def test_repeated_closes_that_leave_messages_are_reported_as_a_loop(qmgr: QueueManager) -> None:
    play = TriggerPlay(qmgr)
    play.run("put m1 on APPQ\nput m2 on APPQ\nTRIGGER => put/APPQ/0")
    notes = []
    for _ in range(3):
        play.run(LOOP)
        notes += [json.loads(row[5]).get("loop", "") for row in play.new_events("TRIGGER")]
    assert notes == [
        "",
        "2 trigger messages in a row at a close, without the depth falling",
        "3 trigger messages in a row at a close, without the depth falling",
    ]
    play.run("S: get from APPQ => m1\nS: close APPQ")
    assert [json.loads(row[5]).get("loop", "") for row in play.new_events("TRIGGER")] == [""]


def test_put_at_of_a_trigger_message_is_from_the_clock_of_the_queue_manager(
    qmgr: QueueManager,
) -> None:
    play = TriggerPlay(qmgr)
    play.run("advance 1.5\nput m1 on APPQ")
    assert trigger_message(play).descriptor.put_at == START + 1_500_000

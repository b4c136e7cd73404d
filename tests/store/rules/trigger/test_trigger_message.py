"""The trigger message, field by field (triggering §5)."""

from __future__ import annotations

from typing import Any

from mqsc.store.constants import MQAT, MQFMT
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.headers import mqtm
from mqsc.store.rules.made_message import Maker
from mqsc.store.rules.trigger import trigger_message
from mqsc.store.rules.trigger.trigger_message import NO_PROCESS, ProcessDefinition
from tests.rows import rows

NOW = 1_700_000_000_120_000
PROCESS = ProcessDefinition("P1", 6, "/bin/server", "-v", "user")


def made(process: ProcessDefinition = PROCESS, **given: Any) -> tuple[MessageDescriptor, bytes]:
    named = {"queue_manager": "QM1", "coded_char_set_id": 819, "msg_id": b"AMQ QM1", "now": NOW}
    return trigger_message.trigger_message(
        "APPQ", "data", process, Maker(**{**named, **given}), priority=4
    )


def test_t50_the_descriptor() -> None:
    descriptor, _ = made()
    expected = MessageDescriptor(
        encoding=546,
        coded_char_set_id=819,
        format=MQFMT.TRIGGER,
        priority=4,
        persistence=0,
    )
    expected.msg_id, expected.reply_to_q_mgr = b"AMQ QM1".ljust(24, b"\0"), "QM1"
    expected.put_appl_type, expected.put_appl_name = MQAT.QMGR, "QM1"
    expected.put_date, expected.put_time = "20231114", "22132012"
    assert descriptor == expected


def test_t01_the_data() -> None:
    _, data = made()
    assert len(data) == 684
    whole = mqtm.TriggerMessage("APPQ", "P1", "data", 6, "/bin/server", "-v", "user")
    assert mqtm.unpack_mqtm(data, 546, 819) == whole


def test_t22_without_a_process() -> None:
    _, data = made(NO_PROCESS)
    assert mqtm.unpack_mqtm(data, 546, 819) == mqtm.TriggerMessage(
        "APPQ",
        "",
        "data",
        MQAT.UNKNOWN,
        "",
        "",
        "",
    )
    assert data[168:172] == b"\xff\xff\xff\xff"


def test_a_long_queue_manager_name_is_cut_for_the_application_name() -> None:
    descriptor, _ = made(queue_manager="Q" * 48)
    assert (descriptor.put_appl_name, descriptor.reply_to_q_mgr) == ("Q" * 28, "Q" * 48)


@rows((500, 500), (1200, 1208), (65535, 1208))
def test_the_data_is_in_the_queue_managers_character_set_where_it_can_be(
    ccsid: int,
    written: int,
) -> None:
    descriptor, data = made(coded_char_set_id=ccsid)
    assert descriptor.coded_char_set_id == written
    assert mqtm.unpack_mqtm(data, 546, written).q_name == "APPQ"

"""MQOPEN and MQCLOSE in bytes."""

from __future__ import annotations

import ctypes

import pytest

from mqsc.clients.structures import MQOD
from store.constants import MQOO, MQOT
from tests.mqsc.clients.caller import Caller, md, od, pmo


@pytest.mark.parametrize("version", [1, 2, 3, 4])
def test_the_descriptor_says_what_the_name_resolved_to(caller: Caller, version: int) -> None:
    handle, filled, *code = caller.mqi.MQOPEN(caller.number, od("Q", version), int(MQOO.OUTPUT))
    found = MQOD.read(filled)
    assert (handle, code, len(filled)) == (2, [0, 0], MQOD.lengths[version])
    resolved = found["resolved_q_name"], found["resolved_q_mgr_name"], found["resolved_type"]
    assert resolved == ("Q" if version > 2 else "", "QM1" if version > 2 else "", 1 if version > 3 else 0)


def test_a_model_queue_gives_the_name_of_its_dynamic_queue(caller: Caller) -> None:
    _, filled, *_ = caller.mqi.MQOPEN(caller.number, od("M", dynamic_q_name="REPLY.*"), int(MQOO.INPUT_SHARED))
    name = MQOD.read(filled)["object_name"]
    assert name.startswith("REPLY.")
    caller.put(caller.open(name, int(MQOO.OUTPUT)), b"answer")


def test_the_queue_manager_itself(caller: Caller) -> None:
    given = od("", object_type=int(MQOT.Q_MGR))
    handle, _, *code = caller.mqi.MQOPEN(caller.number, given, int(MQOO.INQUIRE))
    assert code == [0, 0]
    assert caller.mqi.MQINQ(caller.number, handle, [2015], 0, 48) == ([], b"QM1".ljust(48), 0, 0)


@pytest.mark.parametrize(
    ("fields", "options", "reason"),
    [
        ({"object_name": "NONE"}, 16, 2085),
        ({"object_name": "Q?"}, 16, 2085),
        ({}, 0, 2046),
        ({"object_q_mgr_name": "ELSEWHERE"}, 16, 2087),
        ({"object_type": 99}, 16, 2043),
        ({"records_present": 2}, 16, 2154),
        ({"selection_string_pointer": 8, "selection_string_length": 5}, 1, 2519),
    ],
)
def test_what_cannot_be_opened(caller: Caller, fields: dict[str, int | str], options: int, reason: int) -> None:
    given = MQOD.write(od("Q"), **fields)
    assert caller.mqi.MQOPEN(caller.number, given, options) == (-1, given, 2, reason)


def selecting(text: bytes, **fields: int) -> tuple[bytes, object]:
    """An MQOD of the queue Q with a selection string, and the memory that it points to."""
    memory = ctypes.create_string_buffer(text)
    pointer = {"selection_string_pointer": ctypes.addressof(memory), "selection_string_length": len(text)}
    return od("Q", **{**pointer, **fields}), memory


def test_a_selection_string_selects(caller: Caller) -> None:
    queue = caller.open("Q")
    for priority in (1, 5):
        caller.put(queue, b"%d" % priority, priority=priority)
    given, memory = selecting(b"Root.MQMD.Priority < 3", selection_string_ccsid=-3)
    selective, _, *code = caller.mqi.MQOPEN(caller.number, given, int(MQOO.INPUT_SHARED))
    del memory
    assert (code, caller.get(selective)) == ([0, 0], b"1")
    caller.get(selective, (2, 2033))


@pytest.mark.parametrize(
    ("text", "fields", "options", "reason"),
    [
        (b"Color=", {}, 1, 2459),
        (b"1=2", {}, 1, 2504),
        (b"a=1", {}, 16, 2516),
        (b"a=1", {"object_type": 5}, 32, 2516),
        (b"a" * 10_241, {}, 1, 2519),
        (b"a=1", {"selection_string_offset": 8}, 1, 2519),
        (b"\xff", {}, 1, 2519),
        (b"a=1", {"selection_string_ccsid": 9999}, 1, 2111),
    ],
)
def test_M44_selection_strings_that_are_refused(
    caller: Caller, text: bytes, fields: dict[str, int], options: int, reason: int
) -> None:
    given, memory = selecting(text, **fields)
    assert caller.mqi.MQOPEN(caller.number, given, options)[-2:] == (2, reason)
    del memory


def test_M44_no_selection_string_for_one_put(caller: Caller) -> None:
    given, memory = selecting(b"a=1")
    assert caller.mqi.MQPUT1(caller.number, given, md(), pmo(), b"")[-1] == 2516
    del memory


def test_closing_ends_the_handle(caller: Caller) -> None:
    queue = caller.open("Q")
    assert caller.mqi.MQCLOSE(caller.number, queue, 0) == (0, 0)
    assert caller.mqi.MQCLOSE(caller.number, queue, 0) == (2, 2019)
    assert caller.mqi.MQCLOSE(caller.number, caller.open("Q"), 99) == (2, 2046)

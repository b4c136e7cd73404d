"""MQOPEN, MQCLOSE, MQINQ, MQSET, MQPUT, MQPUT1, MQGET and MQBEGIN in bytes."""

from __future__ import annotations

import ctypes

import pytest

from mqsc.clients import message_descriptors
from mqsc.clients.mqi import Mqi
from mqsc.clients.structures import MQBO, MQGMO, MQOD, MQPMO
from mqsc.store.constants import (
    MQCA,
    MQCNO,
    MQGMO as Get,
    MQIA,
    MQMF,
    MQOO,
    MQOT,
    MQPMO as Put,
    MQRC,
)
from tests.mqsc.clients.caller import BOTH_WAYS, SHARED, Caller, cno, gmo, md, od, pmo
from tests.rows import rows


@pytest.mark.parametrize("version", [1, 2, 3, 4])
def test_the_descriptor_says_what_the_name_resolved_to(caller: Caller, version: int) -> None:
    handle, filled, *code = caller.MQOPEN(od("Q", version), int(MQOO.OUTPUT))
    found = MQOD.read(filled)
    assert (handle, code, len(filled)) == (2, [0, 0], MQOD.lengths[version])
    resolved = found["resolved_q_name"], found["resolved_q_mgr_name"], found["resolved_type"]
    assert resolved == (
        "Q" if version > 2 else "",
        "QM1" if version > 2 else "",
        1 if version > 3 else 0,
    )


def test_a_model_queue_gives_the_name_of_its_dynamic_queue(caller: Caller) -> None:
    """The queue manager itself can be opened too."""
    _, filled, *_ = caller.MQOPEN(od("M", dynamic_q_name="REPLY.*"), int(MQOO.INPUT_SHARED))
    name = MQOD.read(filled)["object_name"]
    assert name.startswith("REPLY.")
    caller.put(caller.open(name, int(MQOO.OUTPUT)), b"answer")
    handle, _, *code = caller.MQOPEN(od("", object_type=int(MQOT.Q_MGR)), int(MQOO.INQUIRE))
    assert (code, caller.MQINQ(handle, [2015], 0, 48)) == ([0, 0], ([], b"QM1".ljust(48), 0, 0))


@rows(
    ({"object_name": "NONE"}, 16, 2085),
    ({"object_name": "Q?"}, 16, 2085),
    ({}, 0, 2046),
    ({"object_q_mgr_name": "ELSEWHERE"}, 16, 2087),
    ({"object_type": 99}, 16, 2043),
    ({"records_present": 2}, 16, 2154),
    ({"selection_string_pointer": 8, "selection_string_length": 5}, 1, 2519),
)
def test_what_cannot_be_opened(
    caller: Caller,
    fields: dict[str, int | str],
    options: int,
    reason: int,
) -> None:
    given = MQOD.write(od("Q"), **fields)
    assert caller.MQOPEN(given, options) == (-1, given, 2, reason)


def test_structures_that_are_passed_again_mean_the_same(caller: Caller) -> None:
    """They are remembered in their parsed form, which no put may change."""
    queue, full = caller.open("Q"), caller.open("R")
    assert caller.MQSET(full, [MQIA.INHIBIT_PUT], [1], b"") == (0, 0)
    given = md(priority=-1, reply_to_q="ANSWERS"), pmo(options=int(Put.ASYNC_RESPONSE))
    before = message_descriptors.read_descriptor(given[0])[1].fields()
    placed = [caller.MQPUT(handle, *given, b"")[0] for handle in (queue, full, queue)]
    assert message_descriptors.read_descriptor(given[0])[1].fields() == before
    priorities = [message_descriptors.read_descriptor(each)[1].priority for each in placed]
    assert (priorities, len(set(placed))) == ([0, -1, 0], 3)


def selecting(text: bytes, **fields: int) -> tuple[bytes, object]:
    """An MQOD of the queue Q with a selection string, and the memory that it points to."""
    memory = ctypes.create_string_buffer(text)
    pointer = {
        "selection_string_pointer": ctypes.addressof(memory),
        "selection_string_length": len(text),
    }
    return od("Q", **{**pointer, **fields}), memory


def test_a_selection_string_selects(caller: Caller) -> None:
    queue = caller.open("Q")
    for priority in (1, 5):
        caller.put(queue, b"%d" % priority, priority=priority)
    given, memory = selecting(b"Root.MQMD.Priority < 3", selection_string_ccsid=-3)
    selective, _, *code = caller.MQOPEN(given, int(MQOO.INPUT_SHARED))
    del memory
    assert (code, caller.get(selective)) == ([0, 0], b"1")
    caller.get(selective, (2, 2033))


@rows(
    (b"Color=", {}, 1, 2459),
    (b"1=2", {}, 1, 2504),
    (b"a=1", {}, 16, 2516),
    (b"a=1", {"object_type": 5}, 32, 2516),
    (b"a" * 10_241, {}, 1, 2519),
    (b"a=1", {"selection_string_offset": 8}, 1, 2519),
    (b"\xff", {}, 1, 2519),
    (b"a=1", {"selection_string_ccsid": 9999}, 1, 2111),
)
def test_M44_selection_strings_that_are_refused(
    caller: Caller,
    text: bytes,
    fields: dict[str, int],
    options: int,
    reason: int,
) -> None:
    given, memory = selecting(text, **fields)
    assert caller.MQOPEN(given, options)[-2:] == (2, reason)
    if options == 16 and not fields:
        assert caller.MQPUT1(given, md(), pmo(), b"")[-1] == 2516, "none for one put either"
    del memory


def test_closing_ends_the_handle(caller: Caller) -> None:
    queue = caller.open("Q")
    assert [caller.MQCLOSE(queue, 0), caller.MQCLOSE(queue, 0)] == [(0, 0), (2, 2019)]
    assert caller.MQCLOSE(caller.open("Q"), 99) == (2, 2046)


DEPTH, MOST, INHIBIT = int(MQIA.CURRENT_Q_DEPTH), int(MQIA.MAX_Q_DEPTH), int(MQIA.INHIBIT_PUT)
NAME, TRIGGER_DATA, BASE = int(MQCA.Q_NAME), int(MQCA.TRIGGER_DATA), int(MQCA.BASE_Q_NAME)


def test_numbers_and_texts_come_in_the_order_of_their_selectors(caller: Caller) -> None:
    queue = caller.open("Q")
    assert caller.MQINQ(queue, [NAME, MOST, TRIGGER_DATA, DEPTH], 2, 112) == (
        [50, 0],
        b"Q".ljust(112),
        0,
        0,
    )
    assert caller.MQSET(queue, [TRIGGER_DATA, INHIBIT], [1], b"data".ljust(64, b"\0")) == (0, 0)
    assert caller.MQINQ(queue, [INHIBIT, TRIGGER_DATA], 1, 64) == ([1], b"data".ljust(64), 0, 0)


@rows(
    ([DEPTH, MOST], 1, 0, ([0], b"", 1, 2022)),
    ([NAME], 0, 10, ([], b"Q".ljust(10), 1, 2008)),
    ([BASE], 0, 48, ([], b"*" * 48, 1, 2068)),
    ([], 1, 1, ([], b"", 2, 2065)),
    ([DEPTH] * 257, 257, 0, ([], b"", 2, 2066)),
    ([999999], 1, 0, ([], b"", 2, 2067)),
    ([DEPTH], -1, 0, ([], b"", 2, 2021)),
    ([DEPTH], 1, -1, ([], b"", 2, 2006)),
)
def test_room_and_selectors(
    caller: Caller,
    selectors: list[int],
    integers: int,
    length: int,
    answer: tuple[object, ...],
) -> None:
    assert caller.MQINQ(caller.open("Q"), selectors, integers, length) == answer


@rows(
    ([], [], b"", 2065),
    ([INHIBIT], [], b"", 2021),
    ([INHIBIT], [9], b"", 2020),
    ([TRIGGER_DATA], [], b"short", 2006),
    ([MOST], [9], b"", 2067),
    ([999999], [9], b"", 2067),
    ([INHIBIT] * 257, [1] * 257, b"", 2066),
)
def test_what_cannot_be_set(
    caller: Caller,
    selectors: list[int],
    integers: list[int],
    texts: bytes,
    reason: int,
) -> None:
    assert caller.MQSET(caller.open("Q"), selectors, integers, texts) == (2, reason)


BROWSE_FIRST, WAIT = int(Get.BROWSE_FIRST), int(Get.WAIT)


@pytest.mark.parametrize("version", [1, 2])
def test_a_message_there_and_back(caller: Caller, version: int) -> None:
    queue = caller.open("Q")
    given = md(version, priority=3, format="MQSTR", correl_id=b"c")
    placed, options, *code = caller.MQPUT(queue, given, pmo(version), b"hello")
    assert code == [0, 0]
    _, found = message_descriptors.read_descriptor(placed)
    assert (len(placed), found.priority, found.msg_id[:4], found.coded_char_set_id) == (
        len(given),
        3,
        b"AMQ ",
        1208,
    )
    resolved = MQPMO.read(options)
    assert (resolved["resolved_q_name"], resolved["resolved_q_mgr_name"]) == ("Q", "QM1")
    assert (resolved["known_dest_count"], resolved["unknown_dest_count"]) == (1, 0)
    body, got, filled, length, *code = caller.MQGET(queue, md(version), gmo(version), 100)
    assert (body, length, code) == (b"hello", 5, [0, 0])
    assert (got, MQGMO.read(filled)["resolved_q_name"]) == (placed, "Q")


def test_put1_says_where_the_message_went(caller: Caller) -> None:
    object, placed, options, *code = caller.MQPUT1(od("R"), md(), pmo(), b"one")
    assert code == [0, 0]
    assert MQOD.read(object)["resolved_q_name"] == MQPMO.read(options)["resolved_q_name"] == "R"
    assert message_descriptors.read_descriptor(placed)[1].msg_id != bytes(24)


@rows(
    (5, 0, (0, 0), b"hello", False),
    (3, 0, (1, 2080), b"hel", True),
    (0, 0, (1, 2080), b"", True),
    (3, 64, (1, 2079), b"hel", False),
    (-1, 0, (2, 2005), b"", True),
)
def test_the_length_of_the_buffer(
    caller: Caller,
    length: int,
    options: int,
    code: tuple[int, int],
    body: bytes,
    stays: bool,
) -> None:
    queue = caller.open("Q")
    caller.put(queue, b"hello")
    found, _, _, whole, *answered = caller.MQGET(queue, md(), gmo(options=options), length)
    assert (found, tuple(answered), whole) == (body, code, 0 if length < 0 else 5)
    caller.get(queue, (0, 0) if stays else (2, 2033))


def test_the_identifiers_of_the_descriptor_select(caller: Caller) -> None:
    """Version 1 has no MatchOptions: both identifiers count, and zeros mean any."""
    queue = caller.open("Q")
    caller.put(queue, b"one", msg_id=b"1")
    caller.put(queue, b"two", msg_id=b"2")
    assert caller.MQGET(queue, md(1, msg_id=b"2"), gmo(1), 9)[0] == b"two"
    assert caller.MQGET(queue, md(msg_id=b"9"), gmo(match_options=0), 9)[0] == b"one"
    assert caller.MQGET(queue, md(msg_id=b"9"), gmo(match_options=1), 9)[-2:] == (2, 2033)


def test_a_unit_of_work(caller: Caller) -> None:
    queue = caller.open("Q")
    caller.put(queue, b"one", options=int(Put.SYNCPOINT))
    caller.get(queue, (2, 2033))
    assert (caller.MQCMIT(), caller.get(queue, options=int(Get.SYNCPOINT)), caller.MQBACK()) == (
        (0, 0),
        b"one",
        (0, 0),
    )
    _, got, *_ = caller.MQGET(queue, md(), gmo(), 9)
    assert message_descriptors.read_descriptor(got)[1].backout_count == 1


def test_the_context_of_another_message_is_passed(caller: Caller) -> None:
    source = caller.open("Q", int(MQOO.INPUT_SHARED | MQOO.SAVE_ALL_CONTEXT))
    target = caller.open("R", int(MQOO.OUTPUT | MQOO.PASS_ALL_CONTEXT | MQOO.INPUT_SHARED))
    setter = caller.open("Q", int(MQOO.OUTPUT | MQOO.SET_ALL_CONTEXT))
    given = md(
        user_identifier="them",
        put_appl_name="theirs",
        put_date="20200101",
        put_time="00000000",
    )
    set_all = pmo(options=int(Put.SET_ALL_CONTEXT))
    assert caller.MQPUT(setter, given, set_all, b"x")[-2:] == (0, 0)
    caller.get(source)
    passing = pmo(options=int(Put.PASS_ALL_CONTEXT), context=source)
    placed, *_, completion, reason = caller.MQPUT(target, md(), passing, b"x")
    _, found = message_descriptors.read_descriptor(placed)
    assert (completion, reason, found.user_identifier, found.put_date) == (0, 0, "them", "20200101")
    nothing = pmo(options=int(Put.PASS_ALL_CONTEXT), context=99)
    assert caller.MQPUT(target, md(), nothing, b"x")[-1] == 2097


def test_a_group_in_a_descriptor_of_version_1_travels_in_an_extension(caller: Caller) -> None:
    """A put splits it off the data, and a get for version 1 puts it before the data again."""
    queue = caller.open("Q")
    caller.put(
        queue,
        b"member",
        group_id=b"g" * 24,
        msg_seq_number=1,
        msg_flags=int(MQMF.MSG_IN_GROUP),
        format="MQSTR",
    )
    body, got, _, length, *code = caller.MQGET(queue, md(1), gmo(1), 200)
    _, found = message_descriptors.read_descriptor(got)
    assert (code, found.format, length, body[:4], body[72:]) == (
        [0, 0],
        "MQHMDE",
        78,
        b"MDE ",
        b"member",
    )
    extended = md(1, format="MQHMDE", coded_char_set_id=1208)
    placed, _, *code = caller.MQPUT(queue, extended, pmo(), body)
    assert (code, message_descriptors.read_descriptor(placed)[1].format) == ([0, 0], "MQHMDE")
    body, got, filled, *_ = caller.MQGET(queue, md(2), gmo(), 200)
    _, found = message_descriptors.read_descriptor(got)
    assert (body, found.format, found.group_id) == (b"member", "MQSTR", b"g" * 24)
    assert MQGMO.read(filled)["group_status"] == b"G"


def test_an_extension_counts_for_the_length_of_the_buffer(caller: Caller) -> None:
    queue = caller.open("Q")
    caller.put(queue, b"member", group_id=b"g" * 24, msg_flags=int(MQMF.MSG_IN_GROUP))
    answered = caller.MQGET(queue, md(1), gmo(1), 10)
    assert (answered[0][:4], answered[3], answered[-2:]) == (b"MDE ", 78, (1, 2080))
    assert caller.get(queue) == b"member"


@rows(
    (1, 2, {"match_options": 4}, MQRC.WRONG_MD_VERSION),
    (1, 2, {"options": int(Get.LOGICAL_ORDER)}, MQRC.WRONG_MD_VERSION),
    (2, 1, {"options": int(Get.LOGICAL_ORDER)}, MQRC.WRONG_GMO_VERSION),
)
def test_versions_that_lack_what_is_asked(
    caller: Caller,
    md_version: int,
    gmo_version: int,
    fields: dict[str, int],
    reason: int,
) -> None:
    queue = caller.open("Q", BOTH_WAYS)
    answered = caller.MQGET(queue, md(md_version), gmo(gmo_version, **fields), 9)
    assert answered[-2:] == (2, reason)


def test_warnings_an_empty_queue_and_an_interval(caller: Caller) -> None:
    queue = caller.open("Q")
    assert caller.get(queue, (2, 2033)) == b""
    caller.get(queue, (2, 2090), options=WAIT, wait_interval=-2)
    caller.get(queue, (1, 2209), options=int(Get.UNLOCK))
    assert caller.put(queue, b"", (1, 2049), priority=12)


def test_conversion_is_to_what_the_descriptor_says(caller: Caller) -> None:
    queue = caller.open("Q")
    caller.put(queue, "\u00e9".encode(), format="MQSTR", coded_char_set_id=1208)
    convert = gmo(options=int(Get.CONVERT))
    body, got, *_ = caller.MQGET(queue, md(coded_char_set_id=819), convert, 9)
    assert (body, message_descriptors.read_descriptor(got)[1].coded_char_set_id) == (b"\xe9", 819)


SERVER, CLIENT = 0, int(MQCNO.CLIENT_BINDING)


@rows(
    (SERVER, None, (1, 2121)),
    (SERVER, MQBO.new(1), (1, 2121)),
    (SERVER, MQBO.new(1, options=1), (2, 2046)),
    (SERVER, b"XXXX" + bytes(8), (2, 2134)),
    (SHARED, None, (2, 2018)),
    (CLIENT, None, (2, 2012)),
)
def test_begin(mqi: Mqi, connect: int, options: bytes | None, answer: tuple[int, int]) -> None:
    number, *_ = mqi.MQCONNX(b"QM1", cno(options=connect))
    assert mqi.MQBEGIN(number, options) == answer
    if answer[0] == 1:
        assert mqi.MQBEGIN(number, options) == (2, 2128)

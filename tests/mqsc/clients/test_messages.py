"""MQPUT, MQPUT1 and MQGET in bytes."""

from __future__ import annotations

import pytest

from mqsc.clients import messages
from mqsc.clients.structures import MQGMO, MQOD, MQPMO
from store.constants import MQGMO as Get
from store.constants import MQMF, MQOO, MQRC
from store.constants import MQPMO as Put
from tests.mqsc.clients.caller import BOTH_WAYS, Caller, gmo, md, od, pmo

BROWSE_FIRST, WAIT = int(Get.BROWSE_FIRST), int(Get.WAIT)


@pytest.mark.parametrize("version", [1, 2])
def test_a_message_there_and_back(caller: Caller, version: int) -> None:
    queue = caller.open("Q")
    given = md(version, priority=3, format="MQSTR", correl_id=b"c")
    placed, options, *code = caller.mqi.MQPUT(caller.number, queue, given, pmo(version), b"hello")
    assert code == [0, 0]
    _, found = messages.read(placed)
    assert (len(placed), found.priority, found.msg_id[:4], found.coded_char_set_id) == (len(given), 3, b"AMQ ", 1208)
    resolved = MQPMO.read(options)
    assert (resolved["resolved_q_name"], resolved["resolved_q_mgr_name"]) == ("Q", "QM1")
    assert (resolved["known_dest_count"], resolved["unknown_dest_count"]) == (1, 0)
    body, got, filled, length, *code = caller.mqi.MQGET(caller.number, queue, md(version), gmo(version), 100)
    assert (body, length, code) == (b"hello", 5, [0, 0])
    assert got == placed
    assert MQGMO.read(filled)["resolved_q_name"] == "Q"


def test_put1_says_where_the_message_went(caller: Caller) -> None:
    object, placed, options, *code = caller.mqi.MQPUT1(caller.number, od("R"), md(), pmo(), b"one")
    assert code == [0, 0]
    assert MQOD.read(object)["resolved_q_name"] == MQPMO.read(options)["resolved_q_name"] == "R"
    assert messages.read(placed)[1].msg_id != bytes(24)


@pytest.mark.parametrize(
    ("length", "options", "code", "body", "stays"),
    [
        (5, 0, (0, 0), b"hello", False),
        (3, 0, (1, 2080), b"hel", True),
        (0, 0, (1, 2080), b"", True),
        (3, 64, (1, 2079), b"hel", False),
        (-1, 0, (2, 2005), b"", True),
    ],
)
def test_the_length_of_the_buffer(
    caller: Caller, length: int, options: int, code: tuple[int, int], body: bytes, stays: bool
) -> None:
    queue = caller.open("Q")
    caller.put(queue, b"hello")
    found, _, _, whole, *answered = caller.mqi.MQGET(caller.number, queue, md(), gmo(options=options), length)
    assert (found, tuple(answered), whole) == (body, code, 0 if length < 0 else 5)
    caller.get(queue, (0, 0) if stays else (2, 2033))


def test_the_identifiers_of_the_descriptor_select(caller: Caller) -> None:
    queue = caller.open("Q")
    caller.put(queue, b"one", msg_id=b"1")
    caller.put(queue, b"two", msg_id=b"2")
    # Version 1 has no MatchOptions: both identifiers count, and zeros mean any.
    body, *_ = caller.mqi.MQGET(caller.number, queue, md(1, msg_id=b"2"), gmo(1), 9)
    assert body == b"two"
    body, *_ = caller.mqi.MQGET(caller.number, queue, md(msg_id=b"9"), gmo(match_options=0), 9)
    assert body == b"one"
    answered = caller.mqi.MQGET(caller.number, queue, md(msg_id=b"9"), gmo(match_options=1), 9)
    assert answered[-2:] == (2, 2033)


def test_an_empty_queue_and_an_interval(caller: Caller) -> None:
    queue = caller.open("Q")
    assert caller.get(queue, (2, 2033)) == b""
    caller.get(queue, (2, 2090), options=WAIT, wait_interval=-2)


def test_a_unit_of_work(caller: Caller) -> None:
    queue = caller.open("Q")
    caller.put(queue, b"one", options=int(Put.SYNCPOINT))
    caller.get(queue, (2, 2033))
    assert caller.mqi.MQCMIT(caller.number) == (0, 0)
    assert caller.get(queue, options=int(Get.SYNCPOINT)) == b"one"
    assert caller.mqi.MQBACK(caller.number) == (0, 0)
    _, got, *_ = caller.mqi.MQGET(caller.number, queue, md(), gmo(), 9)
    assert messages.read(got)[1].backout_count == 1


def test_a_warning_of_a_put(caller: Caller) -> None:
    assert caller.put(caller.open("Q"), b"", (1, 2049), priority=12)


def test_the_context_of_another_message_is_passed(caller: Caller) -> None:
    source = caller.open("Q", int(MQOO.INPUT_SHARED | MQOO.SAVE_ALL_CONTEXT))
    target = caller.open("R", int(MQOO.OUTPUT | MQOO.PASS_ALL_CONTEXT | MQOO.INPUT_SHARED))
    setter = caller.open("Q", int(MQOO.OUTPUT | MQOO.SET_ALL_CONTEXT))
    given = md(user_identifier="them", put_appl_name="theirs", put_date="20200101", put_time="00000000")
    set_all = pmo(options=int(Put.SET_ALL_CONTEXT))
    assert caller.mqi.MQPUT(caller.number, setter, given, set_all, b"x")[-2:] == (0, 0)
    caller.get(source)
    passing = pmo(options=int(Put.PASS_ALL_CONTEXT), context=source)
    placed, *_, completion, reason = caller.mqi.MQPUT(caller.number, target, md(), passing, b"x")
    _, found = messages.read(placed)
    assert (completion, reason, found.user_identifier, found.put_date) == (0, 0, "them", "20200101")
    nothing = pmo(options=int(Put.PASS_ALL_CONTEXT), context=99)
    assert caller.mqi.MQPUT(caller.number, target, md(), nothing, b"x")[-1] == 2097


def test_a_group_in_a_descriptor_of_version_1_travels_in_an_extension(caller: Caller) -> None:
    """A put splits it off the data, and a get for version 1 puts it before the data again."""
    queue = caller.open("Q")
    caller.put(queue, b"member", group_id=b"g" * 24, msg_seq_number=1, msg_flags=int(MQMF.MSG_IN_GROUP), format="MQSTR")
    body, got, _, length, *code = caller.mqi.MQGET(caller.number, queue, md(1), gmo(1), 200)
    _, found = messages.read(got)
    assert (code, found.format, length, body[:4], body[72:]) == ([0, 0], "MQHMDE", 78, b"MDE ", b"member")
    extended = md(1, format="MQHMDE", coded_char_set_id=1208)
    placed, _, *code = caller.mqi.MQPUT(caller.number, queue, extended, pmo(), body)
    assert (code, messages.read(placed)[1].format) == ([0, 0], "MQHMDE")
    body, got, filled, *_ = caller.mqi.MQGET(caller.number, queue, md(2), gmo(), 200)
    _, found = messages.read(got)
    assert (body, found.format, found.group_id) == (b"member", "MQSTR", b"g" * 24)
    assert MQGMO.read(filled)["group_status"] == b"G"


def test_an_extension_counts_for_the_length_of_the_buffer(caller: Caller) -> None:
    queue = caller.open("Q")
    caller.put(queue, b"member", group_id=b"g" * 24, msg_flags=int(MQMF.MSG_IN_GROUP))
    answered = caller.mqi.MQGET(caller.number, queue, md(1), gmo(1), 10)
    assert (answered[0][:4], answered[3], answered[-2:]) == (b"MDE ", 78, (1, 2080))
    assert caller.get(queue) == b"member"


@pytest.mark.parametrize(
    ("md_version", "gmo_version", "fields", "reason"),
    [
        (1, 2, {"match_options": 4}, MQRC.WRONG_MD_VERSION),
        (1, 2, {"options": int(Get.LOGICAL_ORDER)}, MQRC.WRONG_MD_VERSION),
        (2, 1, {"options": int(Get.LOGICAL_ORDER)}, MQRC.WRONG_GMO_VERSION),
    ],
)
def test_versions_that_lack_what_is_asked(
    caller: Caller, md_version: int, gmo_version: int, fields: dict[str, int], reason: int
) -> None:
    queue = caller.open("Q", BOTH_WAYS)
    answered = caller.mqi.MQGET(caller.number, queue, md(md_version), gmo(gmo_version, **fields), 9)
    assert answered[-2:] == (2, reason)


def test_unlock_without_a_lock_is_a_warning(caller: Caller) -> None:
    caller.get(caller.open("Q"), (1, 2209), options=int(Get.UNLOCK))


def test_conversion_is_to_what_the_descriptor_says(caller: Caller) -> None:
    queue = caller.open("Q")
    caller.put(queue, "\u00e9".encode(), format="MQSTR", coded_char_set_id=1208)
    convert = gmo(options=int(Get.CONVERT))
    body, got, *_ = caller.mqi.MQGET(caller.number, queue, md(coded_char_set_id=819), convert, 9)
    assert (body, messages.read(got)[1].coded_char_set_id) == (b"\xe9", 819)

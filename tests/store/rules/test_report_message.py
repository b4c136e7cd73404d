"""Report options, and report messages field by field (mqi-semantics §9)."""

from __future__ import annotations

from typing import Any

from mqsc.store.constants import MQFB, MQMT, MQRO
from mqsc.store.descriptor import FIELDS, MessageDescriptor
from mqsc.store.headers import mqdlh, mqmde, mqxqh
from mqsc.store.rules import report_message as report
from mqsc.store.rules.made_message import Maker
from mqsc.store.rules.report_message import COA, COD, EXCEPTION, EXPIRATION, ReportKind
from tests.rows import rows
from tests.store.tables import named_rows

NOW = 1_700_000_000_120_000
NEW_ID = b"AMQ QM1         newidentity"[:24]


@named_rows(
    ("nothing", 0, 0, 0),
    *[(name, int(MQRO[name]), 0, 0) for name in MQRO.__members__ if "MASK" not in name],
    ("all families in full", 0x07E0_3F00, 0, 0),
    ("every disposition and id option", 0x0800_40C7, 0, 0),
    ("a lone data bit of EXPIRATION", 0x0040_0000, 2061, 0),
    ("a lone full-data bit of COA", 0x0400, 2061, 0),
    ("COD and full data without data", 0x0800 | 0x2000, 2061, 0),
    ("the two data bits of EXCEPTION", 0x0600_0000, 2061, 0),
    ("a bit to be rejected when unknown", 0x0004_0000, 2061, 2104),
    ("a bit to be rejected when unknown, high", 0x1000_0000, 2061, 2104),
    ("a bit that only a transmission queue lets pass", 0x8000, 2061, 2104),
    ("a bit to be ignored when unknown", 8, 0, 2104),
    ("the sign bit", -(1 << 31), 0, 2104),
    ("ignored and broken together", 8 | 0x0400, 2061, 2104),
)
def test_report_options(options: int, reason: int, warning: int) -> None:
    assert report.options_fault(options) == reason
    assert report.options_warning(options) == warning


def test_a_transmission_queue_lets_more_options_pass() -> None:
    assert report.options_fault(0x8000, transmission=True) == 0
    assert report.options_fault(0x0004_0000, transmission=True) == 2061


@rows(
    (EXCEPTION, "EXCEPTION", 0),
    (EXPIRATION, "EXPIRATION", int(MQFB.EXPIRATION)),
    (COA, "COA", int(MQFB.COA)),
    (COD, "COD", int(MQFB.COD)),
)
def test_trap_18_a_family_is_three_patterns(kind: ReportKind, name: str, feedback: int) -> None:
    asked = [0, MQRO[name], MQRO[f"{name}_WITH_DATA"], MQRO[f"{name}_WITH_FULL_DATA"]]
    assert [kind.is_requested(options) for options in asked] == [False, True, True, True]
    assert [kind.data_requested(options | MQRO.PAN) for options in asked] == [
        "none",
        "none",
        "some",
        "full",
    ]
    assert kind.feedback == feedback
    assert all(other is kind or not other.is_requested(asked[3]) for other in report.KINDS)


# No field has its default, nor the value that a report has.
GIVEN: dict[str, Any] = {
    **{
        "msg_type": 1,
        "expiry": 50,
        "feedback": 7,
        "encoding": 273,
        "coded_char_set_id": 819,
        "format": "MQSTR",
    },
    **{
        "priority": 6,
        "persistence": 1,
        "msg_id": b"original",
        "correl_id": b"correlated",
        "backout_count": 3,
    },
    **{
        "reply_to_q": "R",
        "reply_to_q_mgr": "QM9",
        "user_identifier": "alice",
        "accounting_token": b"token",
    },
    **{
        "appl_identity_data": "identity",
        "put_appl_type": 6,
        "put_appl_name": "billing",
        "put_date": "20200101",
    },
    **{
        "put_time": "00000000",
        "appl_origin_data": "orig",
        "group_id": b"group",
        "msg_seq_number": 4,
        "offset": 10,
    },
}
ORIGINAL = MessageDescriptor(**GIVEN, msg_flags=2)


def made(options: int, kind: ReportKind = COA, **given: Any) -> tuple[MessageDescriptor, bytes]:
    original = ORIGINAL.copy()
    original.report = options
    maker = Maker(given.pop("queue_manager", "QM1"), 1208, NEW_ID, NOW)
    return report.report_message(kind, original, b"x" * 250, maker, **{"remaining": 30, **given})


COPIED = {
    *(
        "encoding",
        "coded_char_set_id",
        "format",
        "priority",
        "persistence",
        "user_identifier",
        "accounting_token",
    ),
    *("appl_identity_data", "group_id", "msg_seq_number", "offset", "msg_flags"),
}
SET = {
    **{"report": 0, "msg_type": int(MQMT.REPORT), "expiry": -1, "feedback": 259, "msg_id": NEW_ID},
    **{
        "correl_id": b"original" + bytes(16),
        "backout_count": 0,
        "reply_to_q": "",
        "reply_to_q_mgr": "QM1",
    },
    **{"put_appl_type": 7, "put_appl_name": "QM1", "put_date": "20231114", "put_time": "22132012"},
    **{"appl_origin_data": "", "original_length": 250},
}


def test_every_field_is_either_copied_or_set() -> None:
    descriptor, data = made(int(MQRO.COA))
    assert COPIED | set(SET) == set(FIELDS)
    assert {name: getattr(descriptor, name) for name in SET} == SET
    assert {name: getattr(descriptor, name) for name in COPIED} == {
        name: getattr(ORIGINAL, name) for name in COPIED
    }
    assert data == b""


PASSED = MQRO.PASS_DISCARD_AND_EXPIRY


# (id, options, kind, given, field, value)
@named_rows(
    ("PASS_MSG_ID", MQRO.COA | MQRO.PASS_MSG_ID, COA, {}, "msg_id", b"original" + bytes(16)),
    (
        "PASS_CORREL_ID",
        MQRO.COA | MQRO.PASS_CORREL_ID,
        COA,
        {},
        "correl_id",
        b"correlated" + bytes(14),
    ),
    ("E12 trap 20", MQRO.EXPIRATION, EXPIRATION, {}, "correl_id", b"original" + bytes(16)),
    ("A4 feedback", MQRO.EXPIRATION, EXPIRATION, {}, "feedback", 258),
    ("COD feedback", MQRO.COD, COD, {}, "feedback", 260),
    ("exception feedback", MQRO.EXCEPTION, EXCEPTION, {"feedback": 2053}, "feedback", 2053),
    ("expiry is not passed", MQRO.COA, COA, {}, "expiry", -1),
    ("expiry passed", MQRO.COA | PASSED, COA, {}, "expiry", 30),
    ("unlimited passed", MQRO.COA | PASSED, COA, {"remaining": -1}, "expiry", -1),
    ("nothing remains", MQRO.EXPIRATION | PASSED, EXPIRATION, {"remaining": 0}, "expiry", 600),
    ("long gone", MQRO.EXPIRATION | PASSED, EXPIRATION, {"remaining": -40}, "expiry", 600),
    ("DISCARD_MSG alone", MQRO.COA | MQRO.DISCARD_MSG, COA, {}, "report", 0),
    ("PASS_DISCARD alone", MQRO.COA | PASSED, COA, {}, "report", 0),
    (
        "DISCARD_MSG passed",
        MQRO.COA | MQRO.DISCARD_MSG | PASSED,
        COA,
        {},
        "report",
        int(MQRO.DISCARD_MSG),
    ),
    ("28 characters", MQRO.COA, COA, {"queue_manager": "Q" * 48}, "put_appl_name", "Q" * 28),
)
def test_fields_by_options(
    options: int,
    kind: ReportKind,
    given: dict[str, Any],
    field: str,
    value: object,
) -> None:
    assert getattr(made(int(options), kind, **given)[0], field) == value


def test_original_length_of_a_segment_is_kept() -> None:
    original = ORIGINAL.copy()
    original.report, original.original_length = int(MQRO.COA), 9000
    descriptor, _ = report.report_message(
        COA,
        original,
        b"x",
        Maker("QM1", 1208, NEW_ID, NOW),
        remaining=-1,
    )
    assert descriptor.original_length == 9000


DEAD = mqdlh.pack_mqdlh(mqdlh.DeadLetterHeader(2053, "Q", "QM", 546, 1208, "MQSTR", 6, "", "", ""))


@named_rows(
    ("plain", MQRO.COA, "MQSTR", b"x" * 250, 0),
    ("E12 with data", MQRO.COA_WITH_DATA, "MQSTR", b"x" * 250, 100),
    ("shorter than the limit", MQRO.COA_WITH_DATA, "MQSTR", b"x" * 99, 99),
    ("full", MQRO.COA_WITH_FULL_DATA, "MQSTR", b"x" * 250, 250),
    ("trap 19: headers do not count", MQRO.COA_WITH_DATA, "MQDEAD", DEAD + b"x" * 250, 272),
    ("a broken header is data", MQRO.COA_WITH_DATA, "MQDEAD", b"x" * 250, 100),
)
def test_the_data_of_a_report(options: int, format: str, body: bytes, length: int) -> None:
    original = MessageDescriptor(report=int(options), format=format, coded_char_set_id=1208)
    assert report.report_data(COA, original, body) == body[:length]


def test_a_transmission_queue_message_is_reported_with_its_embedded_descriptor() -> None:
    sent = MessageDescriptor(
        report=int(MQRO.EXPIRATION),
        msg_id=b"sent",
        reply_to_q="R",
        priority=4,
        persistence=1,
    )
    body = mqxqh.pack(mqxqh.TransmissionHeader("Q1", "QM2", sent)) + b"data"
    outer = MessageDescriptor(
        format="MQXMIT",
        msg_id=b"outer",
        coded_char_set_id=1208,
        priority=7,
        persistence=0,
    )
    assert report.without_transmission_header(outer, body) == (sent, b"data")


def test_defaults_of_the_embedded_descriptor_come_from_the_outer_one() -> None:
    body = mqxqh.pack(mqxqh.TransmissionHeader("Q1", "QM2", MessageDescriptor()))
    outer = MessageDescriptor(format="MQXMIT", priority=7, persistence=0)
    descriptor, data = report.without_transmission_header(outer, body)
    assert (descriptor.priority, descriptor.persistence, data) == (7, 0, b"")


def test_an_extension_is_merged_into_the_descriptor() -> None:
    extension = mqmde.pack_extension(mqmde.DescriptorExtension(546, 1208, "MQSTR", b"G" * 24, 3))
    sent = MessageDescriptor(format="MQHMDE", priority=4, persistence=0)
    body = mqxqh.pack(mqxqh.TransmissionHeader("Q1", "QM2", sent)) + extension + b"data"
    descriptor, data = report.without_transmission_header(MessageDescriptor(format="MQXMIT"), body)
    assert (descriptor.format, descriptor.group_id, descriptor.msg_seq_number) == (
        "MQSTR",
        b"G" * 24,
        3,
    )
    assert data == b"data"


@rows(("MQSTR", b"text"), ("MQXMIT", b"no header"), ("MQXMIT", b"x" * 500))
def test_other_messages_are_unchanged(format: str, body: bytes) -> None:
    descriptor = MessageDescriptor(format=format)
    assert report.without_transmission_header(descriptor, body) == (descriptor, body)

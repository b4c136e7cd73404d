"""Messages on a transmission queue are wrapped and unwrapped byte for byte; other data is
rejected with a reason.
"""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.headers import mqmd, mqmde, mqxqh
from mqsc.store.headers.mqxqh import CarriedMessage, NotCarried, unwrap, wrap

NUMBERS = st.integers(-(1 << 31), (1 << 31) - 1)
NAMES = st.text("ABCxyz019._/%", max_size=48)
IDS = st.binary(min_size=24, max_size=24)
DESCRIPTORS = st.builds(
    MessageDescriptor,
    report=NUMBERS,
    expiry=NUMBERS,
    encoding=NUMBERS,
    coded_char_set_id=NUMBERS,
    format=st.text("ABCMQ", max_size=8).filter(lambda each: each != mqmde.EXTENSION_FORMAT),
    priority=NUMBERS,
    msg_id=IDS,
    correl_id=IDS,
    reply_to_q=NAMES,
    reply_to_q_mgr=NAMES,
    user_identifier=st.text("abc", max_size=12),
    accounting_token=st.binary(min_size=32, max_size=32),
    put_date=st.just("20231114"),
    put_time=st.just("22132000"),
    group_id=IDS,
    msg_seq_number=NUMBERS,
    offset=NUMBERS,
    msg_flags=NUMBERS,
    original_length=NUMBERS,
)
# Encoding and CCSID of the outer MQMD.
CODES = st.tuples(st.sampled_from([546, 273]), st.sampled_from([1208, 819, 500]))


def outer(encoding: int = 546, ccsid: int = 1208, format: str = mqxqh.FORMAT) -> MessageDescriptor:
    return MessageDescriptor(encoding=encoding, coded_char_set_id=ccsid, format=format)


@given(NAMES, NAMES, DESCRIPTORS, st.binary(max_size=600), CODES)
def test_what_is_wrapped_is_unwrapped_byte_for_byte(
    queue: str,
    manager: str,
    descriptor: MessageDescriptor,
    body: bytes,
    codes: tuple[int, int],
) -> None:
    if not mqmde.needs_extension(descriptor):
        descriptor.original_length = -1
    carried = CarriedMessage(queue, manager, descriptor, body)
    data = wrap(carried, *codes)
    assert unwrap(outer(*codes), data) == carried
    assert len(data) == mqxqh.LENGTH + len(body) + (
        mqmde.EXTENSION_LENGTH if mqmde.needs_extension(descriptor) else 0
    )
    assert mqmd.layout_of(data, *codes, at=104).version == 1


@given(st.binary(max_size=600), CODES)
def test_any_data_gets_a_verdict(data: bytes, codes: tuple[int, int]) -> None:
    assert isinstance(unwrap(outer(*codes), data), NotCarried)


@given(DESCRIPTORS, st.integers(0, 700), st.binary(min_size=1, max_size=8), CODES)
def test_damaged_data_gets_a_verdict_or_is_carried(
    descriptor: MessageDescriptor,
    at: int,
    damage: bytes,
    codes: tuple[int, int],
) -> None:
    data = wrap(CarriedMessage("Q1", "QM2", descriptor, bytes(200)), *codes)
    found = unwrap(outer(*codes), data[:at] + damage + data[at + len(damage) :])
    if isinstance(found, CarriedMessage):
        assert mqmd.descriptor_fault(found.descriptor) == ""


SENT = wrap(
    CarriedMessage(
        "Q1",
        "QM2",
        MessageDescriptor(put_date="20231114", put_time="22132000"),
        b"data",
    ),
)
JUNK = [
    (outer(format="MQSTR"), SENT, "Format is 'MQSTR' instead of 'MQXMIT'"),
    (outer(format=""), b"", "Format is '' instead of 'MQXMIT'"),
    (outer(), b"", "not an MQXQH: 0 bytes instead of 428"),
    (outer(), SENT[:427], "not an MQXQH: 427 bytes instead of 428"),
    (outer(), b"DLH " + SENT[4:], "not an MQXQH: StrucId b'DLH ' instead of 'XQH ' in CCSID 1208"),
    (outer(273), SENT, "not an MQXQH: Version 16777216 instead of 1"),
    (outer(546, 500), SENT, "not an MQXQH: StrucId b'XQH ' instead of 'XQH ' in CCSID 500"),
    (outer(546, 1200), SENT, "not an MQXQH: CCSID 1200 cannot be used in a header"),
    (outer(), SENT[:104] + b"XX  " + SENT[108:], "not an MQMD: StrucId b'XX  ' instead of 'MD  '"),
    (outer(), SENT[:108] + b"\2\0\0\0" + SENT[112:], "not an MQMD: 324 bytes instead of 364"),
    (outer(), SENT[:108] + b"\7\0\0\0" + SENT[112:], "not an MQMD: Version 7 instead of 1"),
    (
        outer(),
        SENT[:204] + b"\xff" * 48 + SENT[252:],
        "in the embedded MQMD, reply_to_q has 144 bytes",
    ),
]


@pytest.mark.parametrize(
    ("descriptor", "data", "fault"),
    JUNK,
    ids=[fault[:40] for _, _, fault in JUNK],
)
def test_junk_has_feedback_271_and_says_what_is_wrong(
    descriptor: MessageDescriptor,
    data: bytes,
    fault: str,
) -> None:
    found = unwrap(descriptor, data)
    assert isinstance(found, NotCarried)
    assert found.reason == 271
    assert found.fault.startswith(fault)


def test_an_invalid_extension_is_data() -> None:
    sent = MessageDescriptor(
        format=mqmde.EXTENSION_FORMAT, put_date="20231114", put_time="22132000"
    )
    carried = CarriedMessage("Q1", "QM2", sent, b"MDE cut")
    assert unwrap(outer(), wrap(carried)) == carried

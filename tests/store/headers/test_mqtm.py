"""The trigger message, MQTM (684 bytes), and its character form for the started program, MQTMC2 (732 bytes)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from mqsc.store.headers import mqtm
from mqsc.store.headers.layout import HeaderError
from tests.store.headers.byte_orders import BOTH

TRIGGER = mqtm.TriggerMessage("APPQ", "P1", "some data", 6, "/bin/server", "-v &", "user")
_TEXTS = (b"/bin/server".ljust(256), b"-v &".ljust(128), b"user".ljust(128))
_NAMES = (b"APPQ".ljust(48), b"P1".ljust(48), b"some data".ljust(64))


@BOTH
def test_a_trigger_message(encoding: int, i: Callable[[int], bytes]) -> None:
    data = b"".join([b"TM  ", i(1), *_NAMES, i(6), *_TEXTS])
    assert len(data) == 684
    assert mqtm.pack_mqtm(TRIGGER, encoding) == data
    assert mqtm.unpack_mqtm(data, encoding) == TRIGGER


def test_t22_a_trigger_message_without_a_process_is_blank_and_unknown() -> None:
    data = mqtm.pack_mqtm(mqtm.TriggerMessage("XMIT.QM2", trigger_data="TO.QM2"))
    assert data[56:] == b" " * 48 + b"TO.QM2".ljust(64) + b"\xff\xff\xff\xff" + b" " * 512


def test_what_the_started_program_gets_is_all_characters() -> None:
    data = b"".join([b"TMC ", b"   2", *_NAMES, b"    ", *_TEXTS, b"QM1".ljust(48)])
    assert len(data) == 732
    assert mqtm.for_program(TRIGGER, "QM1") == data
    assert mqtm.for_program(TRIGGER, "QM1", 500)[:8] == b"\xe3\xd4\xc3\x40\x40\x40\x40\xf2"
    with pytest.raises(HeaderError, match="not an MQTMC2: Version '   1' instead of '   2'"):
        mqtm.MQTMC2.unpack(b"TMC    1" + b" " * 724, 546, 1208)

"""Message handles and properties in bytes (properties §2 to §5), by the specification's ids."""

from __future__ import annotations

import struct
from typing import Any

import pytest

from mqsc.clients.mqi import Mqi
from mqsc.clients.structures import MQCMHO, MQDMHO, MQDMPO, MQIMPO, MQPD, MQSMPO
from mqsc.store.constants import MQGMO, MQIMPO as Inquire, MQTYPE
from tests.mqsc.clients.caller import Caller, gmo, md, pmo
from tests.rows import rows

STRING, BYTES, INT32 = int(MQTYPE.STRING), int(MQTYPE.BYTE_STRING), int(MQTYPE.INT32)
NEXT, QUERY, UNDER_CURSOR = (
    int(Inquire.INQ_NEXT),
    int(Inquire.QUERY_LENGTH),
    int(Inquire.INQ_PROP_UNDER_CURSOR),
)
IN_HANDLE = int(MQGMO.PROPERTIES_IN_HANDLE)
UNASSOCIATED = -3
CREATE, DROP, DELETE = MQCMHO.new(1), MQDMHO.new(1), MQDMPO.new(1)
SET = MQSMPO.new(1, value_encoding=546, value_ccsid=-3)
ABOUT = MQPD.new(1, support=1, copy_options=22)


class Handle:
    """A message handle of a connection."""

    def __init__(self, caller: Caller, connection: int | None = None) -> None:
        self.mqi, self.connection = caller.mqi, caller.number if connection is None else connection
        self.number, *code = self.mqi.MQCRTMH(self.connection, CREATE)
        assert code == [0, 0]

    def set(
        self,
        name: bytes,
        value: bytes,
        type: int = STRING,
        options: bytes = SET,
        about: bytes = ABOUT,
    ) -> Any:
        return self.mqi.MQSETMP(self.connection, self.number, options, name, about, type, value)

    def inquire(
        self,
        name: bytes,
        options: int = 0,
        *,
        length: int = 100,
        room: int = 100,
        type: int = 0,
    ) -> Any:
        """Returned name, type, value, DataLength, completion code and reason."""
        asked = MQIMPO.new(
            1,
            options=options,
            requested_encoding=546,
            requested_ccsid=1208,
            returned_name_buffer_size=room,
        )
        answered = self.mqi.MQINQMP(self.connection, self.number, asked, name, ABOUT, type, length)
        return answered[1], *answered[3:]

    def delete(self, name: bytes, options: bytes = DELETE) -> Any:
        return self.mqi.MQDLTMP(self.connection, self.number, options, name)


@pytest.fixture
def handle(caller: Caller) -> Handle:
    return Handle(caller)


def test_M01_a_property_travels_with_a_message(caller: Caller, handle: Handle) -> None:
    queue = caller.open("Q")
    assert handle.set(b"test_name", b"v") == (0, 0)
    assert caller.MQPUT(queue, md(), pmo(new_msg_handle=handle.number), b"x")[-2:] == (0, 0)
    into = Handle(caller)
    answered = caller.MQGET(queue, md(), gmo(options=IN_HANDLE, msg_handle=into.number), 9)
    assert (answered[0], answered[-2:]) == (b"x", (0, 0))
    assert into.inquire(b"test_name") == (b"test_name", STRING, b"v", 1, 0, 0)


def test_an_original_handle_without_properties_adds_none(caller: Caller, handle: Handle) -> None:
    """As the package ibmmq names one in each put where OpenTelemetry is installed."""
    queue = caller.open("Q")
    options = pmo(original_msg_handle=handle.number)
    assert caller.MQPUT(queue, md(), options, b"first")[-2:] == (0, 0)
    handle.set(b"traceparent", b"00-1")
    assert caller.MQPUT(queue, md(), options, b"second")[-2:] == (0, 0)
    into = Handle(caller)
    for body, reason in ((b"first", 2471), (b"second", 0)):
        answered = caller.MQGET(queue, md(), gmo(options=IN_HANDLE, msg_handle=into.number), 9)
        assert (answered[0], answered[-2:]) == (body, (0, 0))
        assert into.inquire(b"traceparent")[-1] == reason
    other = Handle(Caller(caller.mqi))
    foreign = pmo(original_msg_handle=other.number)
    assert caller.MQPUT(queue, md(), foreign, b"x")[-2:] == (2, 2460)


@pytest.mark.parametrize("version", [1, 2, 3])
def test_an_mqgmo_before_version_4_has_no_message_handle(
    caller: Caller, handle: Handle, version: int
) -> None:
    """The properties come in an MQRFH2, as the option or PROPCTL says, as for no handle."""
    queue, into = caller.open("Q"), Handle(caller)
    handle.set(b"colour", b"red")
    for option, length, reason in (
        (MQGMO.PROPERTIES_AS_Q_DEF, 73, 0),
        (MQGMO.PROPERTIES_IN_HANDLE, 0, 2460),
        (MQGMO.NO_PROPERTIES, 1, 0),
        (MQGMO.PROPERTIES_FORCE_MQRFH2, 73, 0),
        (MQGMO.PROPERTIES_COMPATIBILITY, 73, 0),
    ):
        caller.MQPUT(queue, md(), pmo(new_msg_handle=handle.number), b"x")
        # As pymqi passes it: with all fields, whatever the version is.
        whole = gmo(options=int(option), msg_handle=into.number)
        options = whole[:4] + version.to_bytes(4, "little") + whole[8:]
        body, *_, found = caller.MQGET(queue, md(), options, 100)
        assert (len(body), found) == (length, reason), option
        assert into.inquire(b"colour")[-1] == 2471
    assert len(caller.MQGET(queue, md(), gmo(options=int(MQGMO.NO_PROPERTIES)), 9)[0]) == 1


def test_M03_M04_M08_a_value_that_is_too_long_or_missing_and_its_length(handle: Handle) -> None:
    value = b"b" * 50
    assert handle.inquire(b"p")[-2:] == (2, 2471)
    handle.set(b"p", value, BYTES)
    assert handle.inquire(b"p", length=25) == (b"p", BYTES, value[:25], 50, 2, 2469)
    assert handle.inquire(b"", UNDER_CURSOR, length=50) == (b"p", BYTES, value, 50, 0, 0)
    assert handle.inquire(b"p", QUERY, length=0)[3:] == (50, 0, 0)


def test_M05_iteration(handle: Handle) -> None:
    for name in (b"a", b"b", b"c"):
        handle.set(name, b"1")
    found = [handle.inquire(b"%", options) for options in (0, NEXT, NEXT, NEXT)]
    assert [(each[0], each[-1]) for each in found] == [(b"a", 0), (b"b", 0), (b"c", 0), (b"", 2471)]


@rows(
    *(
        (name, 2442)
        for name in (b"a b", b".a", b"a.", b"a..b", b"null", b"JMSFoo", b"Root.X", b"a%", b"\xff")
    ),
    *((b"n" * length, 2513) for length in (0, 4096)),
)
def test_M09_names_that_are_not_allowed(handle: Handle, name: bytes, reason: int) -> None:
    assert handle.set(name, b"v") == (2, reason)


def test_M10_wrong_arguments(handle: Handle) -> None:
    assert (handle.set(b"p", bytes(8), INT32), handle.set(b"p", b"", 3)) == ((2, 2005), (2, 2473))
    assert handle.set(b"p", b"", options=b"XXXX" + SET[4:]) == (2, 2463)
    assert handle.set(b"p", b"", about=b"PD  \2" + ABOUT[5:]) == (2, 2482)
    for number in (-1, 0, 999):
        handle.number = number
        assert handle.set(b"p", b"") == (2, 2460)


def test_M11_deleting(handle: Handle) -> None:
    for name in (b"a", b"b", b"c"):
        handle.set(name, b"1")
    assert handle.delete(b"z") == (1, 2471)
    handle.inquire(b"b")
    under_cursor = MQDMPO.new(1, options=1)
    assert [handle.delete(b"", under_cursor) for _ in range(2)] == [(0, 0), (2, 2471)]


def test_M12_a_handle_ends_with_its_connection(mqi: Mqi, caller: Caller, handle: Handle) -> None:
    queue = caller.open("Q")
    other = Caller(mqi)
    assert other.MQSETMP(handle.number, SET, b"p", ABOUT, STRING, b"") == (2, 2460)
    assert caller.MQDLTMH(handle.number, DROP) == (-1, 0, 0)
    assert caller.MQDLTMH(handle.number, DROP) == (handle.number, 2, 2460)
    answered = caller.MQPUT(queue, md(), pmo(new_msg_handle=handle.number), b"")
    assert answered[-2:] == (2, 2460)


def test_a_handle_without_a_connection_is_for_all_of_them(mqi: Mqi) -> None:
    assert mqi.MQCRTMH(UNASSOCIATED, CREATE) == (-1, 2, 2018)
    caller = Caller(mqi)
    handle = Handle(caller, UNASSOCIATED)
    handle.set(b"p", struct.pack("<i", 7), INT32)
    handle.connection = caller.number
    assert handle.inquire(b"p")[1:4] == (INT32, struct.pack("<i", 7), 4)
    assert caller.MQDISC() == (0, 0)
    handle.connection = Caller(mqi).number
    assert (handle.inquire(b"p")[-1], mqi.MQDLTMH(UNASSOCIATED, handle.number, DROP)) == (
        0,
        (-1, 0, 0),
    )


def test_a_call_without_a_descriptor_takes_that_of_the_handle(
    caller: Caller,
    handle: Handle,
) -> None:
    queue = caller.open("Q")
    handle.set(b"Root.MQMD.Priority", struct.pack("<i", 5), INT32)
    assert caller.MQPUT(queue, None, pmo(), b"") == (None, pmo(), 2, 2026)
    placed = caller.MQPUT(queue, None, pmo(new_msg_handle=handle.number), b"")
    assert (placed[0], placed[-2:], caller.MQGET(queue, None, gmo(), 9)[-1]) == (None, (0, 0), 2026)
    into = Handle(caller)
    options = gmo(options=IN_HANDLE, msg_handle=into.number)
    body, got, *_, completion, reason = caller.MQGET(queue, None, options, 9)
    assert (body, got, completion, reason) == (b"", None, 0, 0)
    assert into.inquire(b"Root.MQMD.Priority")[2] == struct.pack("<i", 5)


@rows(
    (lambda c, h, given: c.MQCRTMH(given), CREATE, 2461),
    (lambda c, h, given: c.MQDLTMH(h.number, given), DROP, 2462),
    (lambda c, h, given: h.set(b"p", b"", options=given), SET, 2463),
    (lambda c, h, given: c.MQINQMP(h.number, given, b"p", ABOUT, 0, 9), MQIMPO.new(1), 2464),
    (lambda c, h, given: h.delete(b"p", given), DELETE, 2481),
    (lambda c, h, given: h.set(b"p", b"", about=given), ABOUT, 2482),
)
def test_what_is_no_such_structure(
    caller: Caller,
    handle: Handle,
    call: Any,
    valid: bytes,
    reason: int,
) -> None:
    for given in (None, b"", valid[:-1], b"XXXX" + valid[4:], valid[:4] + b"\2" + valid[5:]):
        assert call(caller, handle, given)[-2:] == (2, reason)
    unknown_options = valid[:8] + b"\xff\xff\xff\x7f" + valid[12:]
    assert call(caller, handle, unknown_options)[-2:] == (2, 2046)


@pytest.mark.parametrize("value", [42, True, 1.5, None])
@pytest.mark.parametrize("type", [MQTYPE.STRING, MQTYPE.BYTE_STRING])
def test_a_value_of_another_type_is_refused(type: int, value: Any) -> None:
    assert Mqi().set_value(0, 0, SET, b"p", ABOUT, type, value, -1) == (2, 2004)

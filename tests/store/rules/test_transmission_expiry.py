"""The Expiry in transmission headers: checked, capped and aged."""

from __future__ import annotations

import pytest

from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.headers import mqxqh
from mqsc.store.rules.transmission_expiry import (
    transmission_aged,
    transmission_capped,
    transmission_fault,
)
from tests.rows import rows
from tests.store.tables import named_verdicts


def transmission_message(expiry: int, encoding: int = 546, data: bytes = b"data") -> bytes:
    header = mqxqh.TransmissionHeader("Q1", "QM2", MessageDescriptor(expiry=expiry))
    return mqxqh.pack(header, encoding) + data


VALID = transmission_message(20)

# (id, format, outer expiry, data, encoding, reason)
test_a_direct_put_on_a_transmission_queue = named_verdicts(
    transmission_fault,
    ("E31", "MQXMIT", 100, VALID, 546, 0),
    ("E31 big-endian", "MQXMIT", 100, transmission_message(20, 273), 273, 0),
    ("both unlimited", "MQXMIT", -1, transmission_message(-1), 546, 0),
    ("E32", "MQXMIT", 100, transmission_message(0), 546, 2013),
    ("E32 negative", "MQXMIT", 100, transmission_message(-2), 546, 2013),
    ("E33", "MQXMIT", -1, transmission_message(50), 546, 2013),
    ("E42", "MQXMIT", 50, transmission_message(-1), 546, 2013),
    ("E34", "MQXMIT", 100, VALID[:60], 546, 2260),
    ("A5 shorter than the structure", "MQXMIT", 100, VALID[:427], 546, 2260),
    ("A5 no data behind it", "MQXMIT", 100, VALID[:428], 546, 0),
    ("A5 StrucId", "MQXMIT", 100, b"MQX " + VALID[4:], 546, 2260),
    ("A5 Version", "MQXMIT", 100, VALID[:4] + b"\x02\0\0\0" + VALID[8:], 546, 2260),
    ("A5 other byte order", "MQXMIT", 100, VALID, 273, 2260),
    ("A5 another format is not looked at", "MQSTR", 100, b"junk", 546, 0),
)


def test_the_structure_id_is_read_in_the_character_set_of_the_message() -> None:
    header = mqxqh.TransmissionHeader("Q1", "QM2", MessageDescriptor(expiry=20))
    ebcdic = mqxqh.pack(header, 785, 500)
    assert transmission_fault("MQXMIT", 100, ebcdic, 785, 500) == 0
    assert transmission_fault("MQXMIT", 100, ebcdic, 785, 1208) == 2260


# (id, embedded before, tenths on this queue, embedded after)
AGED_ROWS = [
    ("E29", 100, 30, 70),
    ("E31", 20, 50, 0),
    ("E44", 50, 10, 40),
    ("A5 just used up", 20, 20, 0),
    ("A5 unlimited stays", -1, 50, -1),
    ("A5 zero stays", 0, 50, 0),
    ("no time", 20, 0, 20),
]


@pytest.mark.parametrize("encoding", [546, 273])
@pytest.mark.parametrize(("id", "before", "tenths", "after"), AGED_ROWS)
def test_the_embedded_expiry_runs_down(
    id: str,
    before: int,
    tenths: int,
    after: int,
    encoding: int,
) -> None:
    aged = transmission_aged(transmission_message(before, encoding), tenths, encoding)
    assert aged == transmission_message(after, encoding)


@rows((100, False), (123, False), (124, True))
def test_e35_data_too_short_for_the_field_is_no_error(length: int, changed: bool) -> None:
    data = VALID[:length]
    assert (transmission_aged(data, 5, 546) != data) is changed
    assert len(transmission_aged(data, 5, 546)) == length


def direct(expiry: int) -> bytes:
    """Return data for a transmission queue: an MQXQH whose embedded descriptor has that Expiry."""
    header = mqxqh.TransmissionHeader("FAR", "QM2", MessageDescriptor(expiry=expiry))
    return mqxqh.pack(header) + b"data"


@rows((-1, [50], 50), (100, [50], 50), (20, [50], 20), (-1, [], -1), (-1, [-1], -1))
def test_a_cap_on_a_transmission_queue_holds_for_the_embedded_expiry_too(
    embedded: int,
    caps: list[int],
    becomes: int,
) -> None:
    capped_data = transmission_capped("MQXMIT", direct(embedded), 546, caps)
    assert capped_data == direct(becomes)
    assert transmission_capped("MQSTR", direct(embedded), 546, caps) == direct(embedded)


def test_data_that_is_too_short_for_a_header_is_not_capped() -> None:
    assert transmission_capped("MQXMIT", b"short", 546, [50]) == b"short"

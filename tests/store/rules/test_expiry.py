"""Expiry: put-time rules, remaining time, transmission queues, and who scans shared queues
(S43–S45, E26–E28).
"""

from __future__ import annotations

import pytest

from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.headers import mqxqh
from mqsc.store.rules.expiry import (
    Facts,
    Member,
    Scan,
    Verdict,
    capped,
    decide_owner,
    different,
    elapsed_tenths,
    expires_at,
    is_expired,
    may_scan,
    put_fault,
    remaining,
    transmission_aged,
    transmission_capped,
    transmission_fault,
)
from tests.rows import rows
from tests.store.tables import giving, named_rows, named_verdicts

PUT_AT = 1_700_000_000_000_000


test_what_a_put_accepts = named_verdicts(
    put_fault,
    ("E01", 0, 2013),
    ("E02", -2, 2013),
    ("A1 unlimited", -1, 0),
    ("A1 lowest", 1, 0),
    ("E41", 1_000_000_000, 0),
)


test_the_lowest_cap_on_the_path_counts = named_verdicts(
    capped,
    ("no cap", -1, [], -1),
    ("no cap, finite", 30, [], 30),
    ("E20", -1, [100, 50], 50),
    ("E21", 30, [100], 30),
    ("E23", 6000, [600], 600),
    ("E23 both forms", 6000, [600, 500], 500),
    ("NOLIMIT", 6000, [-1, 0], 6000),
)


# (id, expiry, seconds since the put, expiry remaining)
@named_rows(
    ("E03", 50, 2.0, 30),
    ("E04", 50, 5.0, 0),
    ("E05", -1, 10 * 365 * 86_400.0, -1),
    ("E19", 100, 4.0, 60),
    ("E45", 50, 4.0, 10),
    ("A2 floor", 50, 2.099999, 30),
    ("A2 last moment", 50, 4.999999, 1),
    ("A2 beyond", 50, 7.0, 0),
    ("A2 a tenth beyond is not unlimited", 50, 5.1, 0),
    ("design 3.7: a clock that went back", 50, -3.0, 50),
)
def test_what_remains(expiry: int, seconds: float, left: int) -> None:
    now = PUT_AT + round(seconds * 1_000_000)
    assert remaining(expiry, PUT_AT, now) == left
    assert is_expired(expires_at(expiry, PUT_AT), now) is (expiry != -1 and left <= 0)
    at = expires_at(expiry, PUT_AT)
    assert (at is not None and now >= at) is is_expired(expires_at(expiry, PUT_AT), now)


@pytest.mark.parametrize("beyond", [-1, 0, 1])
def test_a_message_is_expired_from_the_moment_it_expires_at(beyond: int) -> None:
    at = expires_at(33, PUT_AT)
    assert at == PUT_AT + 3_300_000
    assert is_expired(at, at + beyond) is (beyond >= 0)


def test_elapsed_time_counts_whole_tenths() -> None:
    assert [elapsed_tenths(0, now) for now in (-1, 0, 99_999, 100_000, 250_000)] == [0, 0, 0, 1, 2]


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


NOBODY: list[Member] = []
OFF = [Member("QM1", False), Member("QM2", False)]
FIRST = [Member("QM1", False), Member("QM2", True)]
BOTH = [Member("QM1", True, 2), Member("QM2", True, 1)]
THREE = [Member("QM1", True, 5), Member("QM2", False, 3), Member("QM3", True, 4)]

test_who_owns_the_scans_of_shared_queues = named_verdicts(
    decide_owner,
    ("no members", Facts("", NOBODY), Verdict("", {})),
    ("nobody is a candidate", Facts("", OFF), Verdict("", {})),
    ("the first to become one", Facts("", FIRST), Verdict("QM2", {"QM2": 1})),
    ("it is kept", Facts("QM2", BOTH), Verdict("QM2", {})),
    ("even by one that has not been one for the longest", Facts("QM1", BOTH), Verdict("QM1", {})),
    (
        "a newcomer",
        Facts("QM2", [Member("QM1", True), Member("QM2", True, 1)]),
        Verdict("QM2", {"QM1": 2}),
    ),
    ("after it the longest candidate", Facts("QM2", THREE), Verdict("QM3", {"QM2": 0})),
    (
        "none is left",
        Facts("QM2", [Member("QM1", False), Member("QM2", False, 1)]),
        Verdict("", {"QM2": 0}),
    ),
    ("the owner has left the group", Facts("QM9", BOTH), Verdict("QM2", {})),
    ("a tick beside an owner that serves", Facts("QM2", BOTH, "QM1"), Verdict("QM2", {})),
    ("and one that does not", Facts("QM2", BOTH, "QM1", owner_serves=False), Verdict("QM1", {})),
    ("the owner ticks itself", Facts("QM2", BOTH, "QM2", owner_serves=False), Verdict("QM2", {})),
    ("no candidate", Facts("QM2", FIRST, "QM1", owner_serves=False), Verdict("QM2", {"QM2": 1})),
    ("a tick without an owner", Facts("", BOTH, "QM1"), Verdict("QM1", {})),
)


@rows(
    *giving(True, ("interval", "QM1", True), ("restart", "", False), ("refresh", "QM2", True)),
    *giving(False, ("interval", "QM2", True), ("interval", "", True), ("restart", "QM2", True)),
)
def test_which_scans_take_shared_queues(
    cause: str,
    owner: str,
    others_run: bool,
    may: bool,
) -> None:
    assert may_scan(Scan("QM1", cause, owner, others_run)) is may


def test_s47_members_that_do_not_agree() -> None:
    assert different({"QM1": 5, "QM2": 5, "QM3": None}) == {}
    assert different({"QM1": 5, "QM2": None, "QM3": 9}) == {"QM1": 5, "QM3": 9}

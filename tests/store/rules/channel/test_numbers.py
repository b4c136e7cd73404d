"""The numbers of a channel: batches (L40, H46), sequences, identifiers, averages (L37), and
addresses.
"""

from __future__ import annotations

from mqsc.store.rules.channel import numbers
from mqsc.store.rules.channel.numbers import (
    NONE,
    Address,
    BatchLimits,
    BatchSoFar,
    PartnerIdentity,
    SequenceRecord,
)
from tests.conftest import START
from tests.rows import rows
from tests.store.tables import giving, named_rows, verdicts

test_averages = verdicts(
    numbers.averages,
    *(([], "0,0"), ([2_000_000], "2000000,2000000"), ([*range(1, 17)], "12,8")),
    *(([1000, *[0] * 128], "0,0"), ([128, *[0] * 127], "0,1")),
)

test_monchl = verdicts(
    numbers.is_monitored,
    *giving(False, ("QMGR", "OFF"), ("OFF", "HIGH"), ("HIGH", "NONE")),
    *giving(True, ("QMGR", "LOW"), ("HIGH", "OFF")),
)


BEGAN = 1_000_000
LIMITS = BatchLimits(50, 5000, 0)


@named_rows(
    ("no-messages", LIMITS, BatchSoFar(0, 0, 0), BEGAN, True, False),
    ("empty-queue", LIMITS, BatchSoFar(1, 100, BEGAN), BEGAN, True, True),
    ("more-messages", LIMITS, BatchSoFar(1, 100, BEGAN), BEGAN, False, False),
    ("H46-before", LIMITS, BatchSoFar(49, 100, BEGAN), BEGAN, False, False),
    ("H46", LIMITS, BatchSoFar(50, 100, BEGAN), BEGAN, False, True),
    ("L40-first", BatchLimits(50, 1, 0), BatchSoFar(1, 600, BEGAN), BEGAN, False, False),
    ("L40-second", BatchLimits(50, 1, 0), BatchSoFar(2, 1200, BEGAN), BEGAN, False, True),
    ("BATCHLIM-reached", BatchLimits(50, 1, 0), BatchSoFar(1, 1024, BEGAN), BEGAN, False, True),
    ("BATCHLIM-0", BatchLimits(50, 0, 0), BatchSoFar(2, 10**9, BEGAN), BEGAN, False, False),
    ("BATCHINT-open", BatchLimits(50, 0, 20), BatchSoFar(1, 1, BEGAN), BEGAN + 19_999, True, False),
    ("BATCHINT-over", BatchLimits(50, 0, 20), BatchSoFar(1, 1, BEGAN), BEGAN + 20_000, True, True),
    ("BATCHINT-busy", BatchLimits(50, 0, 20), BatchSoFar(1, 1, BEGAN), BEGAN + 9**9, False, False),
)
def test_ends(limits: BatchLimits, batch: BatchSoFar, at: int, empty: bool, over: bool) -> None:
    assert numbers.ends(limits, batch, at, queue_is_empty=empty) is over


def test_a_batch_waits_since_its_first_message_and_is_full_at_its_limit() -> None:
    assert numbers.waits_until(BatchLimits(50, 0, 20), BatchSoFar(3, 1, BEGAN)) == BEGAN + 20_000
    assert numbers.is_full(BatchLimits(2, 0, 99), BatchSoFar(2, 0, BEGAN))
    assert not numbers.is_full(BatchLimits(2, 0, 0), BatchSoFar(1, 0, BEGAN))


test_addresses = verdicts(
    numbers.addresses,
    ("QM2", [Address("QM2", "", "QM2", is_host=True)]),
    ("local(QM2)", [Address("local(QM2)", "", "QM2")]),
    ("LOCAL( QM2 )", [Address("LOCAL( QM2 )", "", "QM2")]),
    ("sqlite:///other.db(QM2)", [Address("sqlite:///other.db(QM2)", "sqlite:///other.db", "QM2")]),
    (
        "sqlite:////srv/a,b.db(QM2)",
        [Address("sqlite:////srv/a,b.db(QM2)", "sqlite:////srv/a,b.db", "QM2")],
    ),
    ("sqlite:///other.db", [Address("sqlite:///other.db", "sqlite:///other.db")]),
    ("host.example.com(1414)", [Address("host.example.com(1414)", is_host=True)]),
    (
        "host(1414), backup(1415)",
        [Address("host(1414)", is_host=True), Address("backup(1415)", is_host=True)],
    ),
    ("local(QM2),QM3", [Address("local(QM2)", "", "QM2"), Address("QM3", "", "QM3", is_host=True)]),
    *giving([], "", " , "),
)


test_a_host_has_one_key_in_the_map = verdicts(
    numbers.map_key,
    *giving("host(1414)", "Host", "host(1414)", " HOST( 1414 )", "host()"),
    ("host(1415)", "host(1415)"),
)

test_an_identifier_has_the_start_the_batch_which_wraps_and_a_constant = verdicts(
    numbers.batch_identifier,
    *((START, 0, "6553F10000010010"), (START, 1, "6553F10000020010")),
    *((START, 65_534, "6553F100FFFF0010"), (START, 65_535, "6553F10000000010")),
)


def test_every_identifier_has_16_digits() -> None:
    assert (
        len(NONE)
        == len(numbers.batch_identifier(0, 0))
        == len(numbers.batch_identifier(1 << 62, 1 << 40))
        == 16
    )


LAST = numbers.batch_identifier(START, 7)
test_a_program_has_a_second_of_its_own = verdicts(
    numbers.start_after,
    (START, "", "", START),
    *giving(START + 1_000_000, (START, LAST, ""), (START - 3_600_000_000, "", LAST)),
    (START + 2_000_000, LAST, LAST, START + 2_000_000),
)

test_is_another = verdicts(
    numbers.is_another,
    (PartnerIdentity("QM2", 5), PartnerIdentity("QM2", 5), False),
    (PartnerIdentity("QM2", 5), PartnerIdentity("QM2", 6), True),
    (PartnerIdentity("QM2", 5), PartnerIdentity("QM3", 5), True),
    # A record that an earlier version wrote.
    (PartnerIdentity("QM2"), PartnerIdentity("QM2", 6), False),
    (PartnerIdentity("QM2"), PartnerIdentity("QM3", 6), True),
    (PartnerIdentity(""), PartnerIdentity("QM3", 6), False),
)


WRAP = 100


@named_rows(
    ("first", SequenceRecord(), SequenceRecord(), 1, 1),
    ("H26", SequenceRecord(12), SequenceRecord(10), 13, 11),
    ("H27", SequenceRecord(100), SequenceRecord(100), 1, 1),
    ("H48-sender", SequenceRecord(7, reset=5), SequenceRecord(7), 5, 5),
    ("H48-receiver", SequenceRecord(7), SequenceRecord(7, reset=5), 8, 5),
    ("L22", SequenceRecord(0, reset=5), SequenceRecord(0), 5, 5),
    ("L23", SequenceRecord(3), SequenceRecord(3, reset=9), 4, 9),
    ("L23-cured", SequenceRecord(3, reset=9), SequenceRecord(3, reset=9), 9, 9),
    ("sender-wins", SequenceRecord(3, reset=1), SequenceRecord(3, reset=9), 1, 1),
)
def test_start(sender: SequenceRecord, receiver: SequenceRecord, sent: int, expected: int) -> None:
    found = numbers.start(sender, receiver, WRAP)
    assert found == (sent, expected)
    assert found.agrees is (sent == expected)


def test_h27_number_101_is_1() -> None:
    found = [1]
    for _ in range(100):
        found.append(numbers.following(found[-1], WRAP))
    assert found == [*range(1, 101), 1]


@rows((1, 0), (2, 1), (100, 99), (500, 99))
def test_preceding(number: int, before: int) -> None:
    assert numbers.preceding(number, WRAP) == before


def test_a_wrap_that_was_made_smaller_and_a_reset_that_is_used_first() -> None:
    assert numbers.following(500, WRAP) == 1
    assert numbers.next_number(SequenceRecord(8, reset=3), WRAP) == 3

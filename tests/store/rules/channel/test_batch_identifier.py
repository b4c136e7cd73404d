"""Identifiers of batches."""

from __future__ import annotations

from mqsc.store.rules.channel import batch_identifier
from mqsc.store.rules.channel.batch_identifier import NONE
from tests.conftest import START
from tests.store.tables import giving, verdicts

test_an_identifier_has_the_start_the_batch_which_wraps_and_a_constant = verdicts(
    batch_identifier.batch_identifier,
    *((START, 0, "6553F10000010010"), (START, 1, "6553F10000020010")),
    *((START, 65_534, "6553F100FFFF0010"), (START, 65_535, "6553F10000000010")),
)


def test_every_identifier_has_16_digits() -> None:
    assert (
        len(NONE)
        == len(batch_identifier.batch_identifier(0, 0))
        == len(batch_identifier.batch_identifier(1 << 62, 1 << 40))
        == 16
    )


LAST = batch_identifier.batch_identifier(START, 7)
test_a_program_has_a_second_of_its_own = verdicts(
    batch_identifier.start_after,
    (START, "", "", START),
    *giving(START + 1_000_000, (START, LAST, ""), (START - 3_600_000_000, "", LAST)),
    (START + 2_000_000, LAST, LAST, START + 2_000_000),
)

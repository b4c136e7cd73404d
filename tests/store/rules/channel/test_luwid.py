"""Identifiers of batches (channel-commands §2: CURLUWID)."""

from __future__ import annotations

from store.rules.channel.numbers import NONE, batch_identifier, start_after
from tests.conftest import START


def test_an_identifier_has_the_start_the_batch_and_a_constant() -> None:
    assert batch_identifier(START, 0) == "6553F10000010010"
    assert batch_identifier(START, 1) == "6553F10000020010"


def test_numbers_of_batches_wrap() -> None:
    assert batch_identifier(START, 65_534) == "6553F100FFFF0010"
    assert batch_identifier(START, 65_535) == "6553F10000000010"


def test_every_identifier_has_16_digits() -> None:
    assert len(NONE) == len(batch_identifier(0, 0)) == len(batch_identifier(1 << 62, 1 << 40)) == 16


def test_a_program_has_a_second_of_its_own() -> None:
    last = batch_identifier(START, 7)
    assert start_after(START, "", "") == START
    assert start_after(START, last, "") == START + 1_000_000
    assert start_after(START - 3_600_000_000, "", last) == START + 1_000_000
    assert start_after(START + 2_000_000, last, last) == START + 2_000_000

"""The types of option values."""

from __future__ import annotations

from typing import Any

import click
import pytest

from mqsc.console.parameters import Duration, HexBytes, MessageType, Moment, ReportOptions, Span, iso
from store.constants import MQMT, MQRO

VALUES: list[tuple[click.ParamType[Any], str, Any]] = [
    (HexBytes(), "4a0B", b"J\x0b"),
    (HexBytes(), "", b""),
    (Span(), "90s", 90_000_000),
    (Span(), "1h30m", 5_400_000_000),
    (Span(), "250ms", 250_000),
    (Span(), "0.5d", 43_200_000_000),
    (Duration(100_000, lowest=-1), "50", 50),
    (Duration(100_000, lowest=-1), "-1", -1),
    (Duration(100_000, lowest=-1), "1h", 36_000),
    (Duration(100_000, lowest=-1), "1h30m", 54_000),
    (Duration(100_000, lowest=-1), "10ms", 1),
    (Duration(1_000, lowest=0), "15s", 15_000),
    (Duration(1, bare=1_000_000, lowest=1), "0.5", 500_000),
    (Moment(), "1970-01-01T00:00:01", 1_000_000),
    (Moment(), "1970-01-01T02:00:00.000001+02:00", 1),
    (ReportOptions(), "coa, COD", MQRO.COA | MQRO.COD),
    (MessageType(), "Request", MQMT.REQUEST),
    (MessageType(), "70000", 70_000),
]
INVALID: list[tuple[click.ParamType[Any], str, str]] = [
    (HexBytes(), "4", "'4' is not hexadecimal"),
    (HexBytes(), "00" * 25, "at most 24 bytes (48 digits), not 25"),
    (Span(), "90", "'90' is not a length of time"),
    (Span(), "-5s", "'-5s' is not a length of time"),
    (Duration(1_000, lowest=-1), "-2", "'-2' is too short"),
    (Duration(1_000, lowest=-1), "1 hour", "'1 hour' is not a length of time; examples: 90s"),
    (Moment(), "noon", "'noon' is not a time"),
    (ReportOptions(), "coa,never", "'never' is not a report option; use "),
    (MessageType(), "letter", "'letter' is not a message type"),
]


def test_values() -> None:
    assert [type_.convert(text, None, None) for type_, text, _ in VALUES] == [value for _, _, value in VALUES]


@pytest.mark.parametrize(("type_", "text", "says"), INVALID, ids=[text for _, text, _ in INVALID])
def test_invalid_values(type_: click.ParamType[Any], text: str, says: str) -> None:
    with pytest.raises(click.BadParameter) as refused:
        type_.convert(text, None, None)
    assert says in refused.value.message


def test_iso() -> None:
    assert [iso(0), iso(1_500_000)] == ["1970-01-01T00:00:00Z", "1970-01-01T00:00:01.500000Z"]

"""Kinds of values that several commands take on the command line."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

import click

SECOND = 1_000_000
UNITS = {"ms": 1_000, "s": SECOND, "m": 60 * SECOND, "h": 3_600 * SECOND, "d": 86_400 * SECOND}
_SPAN = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h|d)")


class HexBytes(click.ParamType):  # type: ignore[type-arg]
    """An identifier of at most 24 bytes, in hexadecimal digits."""

    name = "hex"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> bytes:
        """The bytes."""
        if isinstance(value, bytes):
            return value
        try:
            read = bytes.fromhex(value)
        except ValueError:
            self.fail(f"{value!r} is not hexadecimal: write pairs of digits 0-9 A-F", param, ctx)
        if len(read) > 24:
            self.fail(f"an identifier has at most 24 bytes (48 digits), not {len(read)}", param, ctx)
        return read


class Span(click.ParamType):  # type: ignore[type-arg]
    """A length of time such as 90s, 1h30m or 250ms, in microseconds."""

    name = "time"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Microseconds."""
        if isinstance(value, int):
            return value
        parts = _SPAN.findall(value)
        if not parts or "".join(number + unit for number, unit in parts) != value:
            self.fail(f"{value!r} is not a length of time; write for example 90s, 15m, 1h30m, 2d or 250ms", param, ctx)
        return sum(round(float(number) * UNITS[unit]) for number, unit in parts)


class Moment(click.ParamType):  # type: ignore[type-arg]
    """A moment in ISO form, UTC where it names no offset, in microseconds since 1970."""

    name = "moment"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Microseconds since 1970, UTC."""
        if isinstance(value, int):
            return value
        try:
            read = datetime.fromisoformat(value)
        except ValueError:
            self.fail(f"{value!r} is not a moment; write for example 2026-03-01T09:00:00 (UTC)", param, ctx)
        aware = read if read.tzinfo else read.replace(tzinfo=UTC)
        span = aware - datetime(1970, 1, 1, tzinfo=UTC)
        return (span.days * 86_400 + span.seconds) * SECOND + span.microseconds


def iso(at: int) -> str:
    """A moment (microseconds since 1970, UTC) in ISO form, with Z."""
    seconds, rest = divmod(at, SECOND)
    text = datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S")
    return f"{text}.{rest:06d}Z" if rest else f"{text}Z"

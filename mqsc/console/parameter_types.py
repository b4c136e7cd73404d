"""The types of option values: identifiers, spans, times, report options, message types."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from store.constants import MQMT, MQRO
from store.environment import MICROSECONDS

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

MILLISECOND = MICROSECONDS // 1000
TENTH_OF_A_SECOND = MICROSECONDS // 10
UNITS = {
    "ms": MILLISECOND,
    "s": MICROSECONDS,
    "m": 60 * MICROSECONDS,
    "h": 3_600 * MICROSECONDS,
    "d": 86_400 * MICROSECONDS,
}
_BARE = re.compile(r"-?\d+(?:\.\d+)?", re.ASCII)
_TIME_OF_DAY = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9])")
_SPAN = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h|d)")


class HexBytes(click.ParamType):  # type: ignore[type-arg]
    """An identifier of at most 24 bytes, in hexadecimal digits."""

    name = "hex"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> bytes:
        if isinstance(value, bytes):
            return value
        try:
            read = bytes.fromhex(value)
        except ValueError:
            self.fail(f"{value!r} is not hexadecimal; use pairs of digits 0-9 A-F", param, ctx)
        if len(read) > 24:
            self.fail(f"an identifier has at most 24 bytes (48 digits), not {len(read)}", param, ctx)
        return read


class Span(click.ParamType):  # type: ignore[type-arg]
    """A length of time such as 90s, 1h30m or 250ms, in microseconds."""

    name = "time"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        parts = _SPAN.findall(value)
        if not parts or "".join(number + unit for number, unit in parts) != value:
            self.fail(f"{value!r} is not a length of time; examples: 90s, 15m, 1h30m, 2d, 250ms", param, ctx)
        return sum(round(float(number) * UNITS[unit]) for number, unit in parts)


class Duration(click.ParamType):  # type: ignore[type-arg]
    """A length of time in whole units, rounded up: a time such as 1h30m, or a bare number, whose unit is MQ's.

    `unit` and `bare` are the units of the result and of a bare number, in microseconds; `bare` is `unit` by default.
    `lowest` is the lowest result.
    """

    name = "time"

    def __init__(self, unit: int, *, lowest: int, bare: int | None = None) -> None:
        self._unit = unit
        self._bare = bare or unit
        self._lowest = lowest

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        if _BARE.fullmatch(value):
            microseconds = round(float(value) * self._bare) if "." in value else int(value) * self._bare
        else:
            microseconds = Span().convert(value, param, ctx)
        number = -(-microseconds // self._unit)
        if number < self._lowest:
            self.fail(f"{value!r} is too short", param, ctx)
        return number


class Moment(click.ParamType):  # type: ignore[type-arg]
    """A time in ISO format, UTC unless it has an offset, in microseconds since 1970."""

    name = "moment"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        try:
            read = datetime.fromisoformat(value)
        except ValueError:
            self.fail(f"{value!r} is not a time; example: 2026-03-01T09:00:00 (UTC)", param, ctx)
        aware = read if read.tzinfo else read.replace(tzinfo=UTC)
        span = aware - datetime(1970, 1, 1, tzinfo=UTC)
        return (span.days * 86_400 + span.seconds) * MICROSECONDS + span.microseconds


class Ago(NamedTuple):
    """So many microseconds before now."""

    span: int

    def before(self, now: int) -> int:
        """The moment; 1970 for one before it."""
        return max(now - self.span, 0)


class PastMoment(click.ParamType):  # type: ignore[type-arg]
    """A time in ISO format (microseconds since 1970), or how long ago it was, such as 2h (Ago)."""

    name = "moment"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int | Ago:
        if isinstance(value, int | Ago):
            return value
        if _SPAN.match(value):
            return Ago(Span().convert(value, param, ctx))
        try:
            return Moment().convert(value, param, ctx)
        except click.BadParameter:
            self.fail(f"{value!r} is not a time; examples: 2026-03-01, 2026-03-01T09:00:00 (UTC), 2h", param, ctx)


class Words(click.ParamType):  # type: ignore[type-arg]
    """One of several words in any case, or more with commas between, as a set; `what` is what such a word names."""

    name = "words"

    def __init__(self, what: str, known: Sequence[str]) -> None:
        self._what = what
        self._known = {each.upper(): each for each in known}

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> frozenset[str]:
        if isinstance(value, frozenset):
            return value
        words = [each.strip() for each in str(value).split(",")]
        for each in words:
            if each.upper() not in self._known:
                self.fail(f"{each!r} is not {self._what}; use {', '.join(self._known.values())}", param, ctx)
        return frozenset(self._known[each.upper()] for each in words)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Complete the last of the words."""
        from click.shell_completion import CompletionItem

        before, comma, last = incomplete.rpartition(",")
        found = (known for upper, known in self._known.items() if upper.startswith(last.upper()))
        return [CompletionItem(f"{before}{comma}{each}") for each in found]


class TimeOfDay(click.ParamType):  # type: ignore[type-arg]
    """A time of the day such as 02:30, in microseconds after midnight."""

    name = "time"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        found = _TIME_OF_DAY.fullmatch(value)
        if not found:
            self.fail(f"{value!r} is not a time of the day; example: 02:30 (UTC)", param, ctx)
        return int(found[1]) * UNITS["h"] + int(found[2]) * UNITS["m"]


class ReportOptions(click.ParamType):  # type: ignore[type-arg]
    """Report options by name, with commas between: expiration, expiration-with-data, coa, pass-correl-id ..."""

    name = "names"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        known = {each.lower().replace("_", "-"): int(MQRO[each]) for each in MQRO.__members__ if "MASK" not in each}
        options = 0
        for name in value.lower().split(","):
            if name.strip() not in known:
                self.fail(f"{name!r} is not a report option; use {', '.join(sorted(known))}", param, ctx)
            options |= known[name.strip()]
        return options


class MessageType(click.ParamType):  # type: ignore[type-arg]
    """A message type: datagram, request, reply, report, or a number."""

    name = "type"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int) or value.isdigit():
            return int(value)
        if value.upper() not in ("DATAGRAM", "REQUEST", "REPLY", "REPORT"):
            self.fail(f"{value!r} is not a message type; use datagram, request, reply, report or a number", param, ctx)
        return int(MQMT[value.upper()])


def iso(at: int) -> str:
    """A time (microseconds since 1970, UTC) in ISO format, with Z."""
    seconds, rest = divmod(at, MICROSECONDS)
    text = datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S")
    return f"{text}.{rest:06d}Z" if rest else f"{text}Z"

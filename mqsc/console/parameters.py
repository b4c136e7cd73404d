"""The types of option values: identifiers, spans, times, report options, ..."""

import re
from abc import abstractmethod
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import click
from click.shell_completion import CompletionItem

from mqsc.store.constants import MQMT, MQRO
from mqsc.store.environment import MICROSECONDS

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MILLISECOND = MICROSECONDS // 1000
TENTH_OF_A_SECOND = MICROSECONDS // 10
_SECONDS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400}
UNITS = {"ms": MILLISECOND, **{unit: seconds * MICROSECONDS for unit, seconds in _SECONDS.items()}}
_BARE = re.compile(r"-?\d+(?:\.\d+)?", re.ASCII)
_TIME_OF_DAY = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9])(?::([0-5][0-9]))?")
_SPAN = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h|d)")
# Also as other programs print it: X'414D51', 0x414d51, ID:414d51 (JMS), in quotes or brackets,
# before a comma.
_DIGITS = re.compile(r"(?:ID:|0X|X)?['\"<{(]?([0-9A-F]+)['\">})]?[,;]?")


class TextType(click.ParamType):  # type: ignore[type-arg]
    """A type whose `read` makes a value of a text; it raises ValueError with the sentence that says
    what is wrong.

    A value that is not a text, such as a default, stays as it is.
    """

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The value of a text; BadParameter if it has none."""
        if not isinstance(value, str):
            return value
        try:
            return self.read(value)
        except ValueError as fault:
            self.fail(str(fault), param, ctx)

    @abstractmethod
    def read(self, text: str) -> Any:
        """The value of a text; ValueError, or an error of click, if it has none."""


class TopicString(TextType):
    """A topic string, which is not empty: MQ answers 2085 then, as for an object that is unknown."""

    name = "string"

    def read(self, text: str) -> str:
        if not text:
            raise ValueError("the topic string is empty; give one such as prices/tea")
        return text


class HexBytes(TextType):
    """An identifier of at most 24 bytes, in hexadecimal digits."""

    name = "hex"

    def read(self, text: str) -> bytes:
        try:
            read = bytes.fromhex(text)
        except ValueError:
            raise ValueError(f"{text!r} is not hexadecimal; use pairs of digits 0-9 A-F") from None
        if len(read) > 24:
            raise ValueError(f"an identifier has at most 24 bytes (48 digits), not {len(read)}")
        return read


class MsgIdPrefix(TextType):
    """The first hexadecimal digits of a MsgId, in upper case without blanks."""

    name = "hex"

    def read(self, text: str) -> str:
        match = _DIGITS.fullmatch("".join(text.split()).upper())
        if match is None:
            raise ValueError(
                f"{text!r} is not hexadecimal; use digits 0-9 A-F, as `mqsc browse` prints them",
            )
        if len(match[1]) > 48:
            raise ValueError(f"a MsgId has at most 48 digits (24 bytes), not {len(match[1])}")
        return match[1]


def _refuse_long(number: str) -> None:
    """Refuse a number that is too long for a time; Python refuses to read one of 5000 digits."""
    if len(number) > _LONGEST_NUMBER:
        raise ValueError(f"a length of time has at most {_LONGEST_NUMBER} digits")


class Span(TextType):
    """A length of time such as 90s, 1h30m or 250ms, in microseconds."""

    name = "time"

    def read(self, text: str) -> int:
        parts = _SPAN.findall(text)
        if not parts or "".join(number + unit for number, unit in parts) != text:
            raise ValueError(
                f"{text!r} is not a length of time; examples: 90s, 15m, 1h30m, 2d, 250ms",
            )
        for number, _ in parts:
            _refuse_long(number)
        return sum(round(float(number) * UNITS[unit]) for number, unit in parts)


class Duration(TextType):
    """A length of time in whole units, rounded up: a time such as 1h30m, or a bare number, whose
    unit is MQ's.

    `unit` and `bare` are the units of the result and of a bare number, in microseconds; `bare` is
    `unit` by default. `lowest` is the lowest result.
    """

    name = "time"

    def __init__(self, unit: int, *, lowest: int, bare: int | None = None) -> None:
        self._unit = unit
        self._bare = bare or unit
        self._lowest = lowest

    def read(self, text: str) -> int:
        if _BARE.fullmatch(text):
            _refuse_long(text)
            microseconds = (
                round(float(text) * self._bare) if "." in text else int(text) * self._bare
            )
        else:
            microseconds = Span().read(text)
        number = -(-microseconds // self._unit)
        if number < self._lowest:
            raise ValueError(f"{text!r} is too short")
        return number


class Moment(TextType):
    """A time in ISO format, UTC unless it has an offset, in microseconds since 1970."""

    name = "moment"

    def read(self, text: str) -> int:
        try:
            read = datetime.fromisoformat(text)
        except ValueError:
            raise ValueError(
                f"{text!r} is not a time; example: 2026-03-01T09:00:00 (UTC)",
            ) from None
        aware = read if read.tzinfo else read.replace(tzinfo=UTC)
        return (aware - EPOCH) // timedelta(microseconds=1)


class Ago(NamedTuple):
    """So many microseconds before now; or, if it `is_time_of_day`, after midnight, today or, if
    later than now, yesterday (UTC).
    """

    span: int
    is_time_of_day: bool = False

    def before(self, now: int) -> int:
        """The moment; 1970 for one before it."""
        return max(now - ((now - self.span) % UNITS["d"] if self.is_time_of_day else self.span), 0)


class PastMoment(TextType):
    """A time in ISO format (microseconds since 1970), or how long ago it was, such as 2h, or the
    time of day (Ago).
    """

    name = "moment"

    def read(self, text: str) -> int | Ago:
        if _TIME_OF_DAY.fullmatch(text):
            return Ago(TimeOfDay().read(text), is_time_of_day=True)
        if _SPAN.match(text):
            return Ago(Span().read(text))
        try:
            return Moment().read(text)
        except ValueError:
            raise ValueError(
                f"{text!r} is not a time; examples: 2026-03-01, 2026-03-01T09:00:00 (UTC), 09:00, "
                "2h",
            ) from None


# Digits; SQLite has no greater numbers.
_LONGEST_NUMBER = 18


class EventNumber(NamedTuple):
    """The number of an event."""

    seq: int


class EventOrMoment(TextType):
    """The number of an event, or a moment as PastMoment reads it; a date has hyphens."""

    name = "seq|moment"

    def read(self, text: str) -> EventNumber | int | Ago:
        if text.isdecimal() and len(text) > _LONGEST_NUMBER:
            raise ValueError(f"{text} is more than the number of any event")
        return EventNumber(int(text)) if text.isdecimal() else PastMoment().read(text)


_NUMBERS = re.compile(r"(\d+)-(\d+)", re.ASCII)


class EventRange(NamedTuple):
    """The numbers of the first and of the last of several events."""

    first: int
    last: int


class EventsOrMoment(TextType):
    """What EventOrMoment reads, or the numbers of a first and a last event, such as 154-160."""

    name = "seq|seq-seq|moment"

    def read(self, text: str) -> EventRange | EventNumber | int | Ago:
        numbers = _NUMBERS.fullmatch(text)
        if numbers is None:
            return self._one(text)
        if max(map(len, numbers.groups())) > _LONGEST_NUMBER:
            raise ValueError(f"{text} has more than the number of any event")
        first, last = map(int, numbers.groups())
        if first > last:
            raise ValueError(
                f"{text!r} begins after its end; the number of the first event comes first, such "
                "as 154-160",
            )
        return EventRange(first, last)

    def _one(self, text: str) -> EventNumber | int | Ago:
        try:
            return EventOrMoment().read(text)
        except ValueError as fault:
            if "-" not in text:
                raise
            raise ValueError(f"{fault}; or the numbers of two events, such as 154-160") from None


class Words(TextType):
    """One of several words in any case, or more with commas between, as a set; `what` is what
    such a word names.
    """

    name = "words"

    def __init__(self, what: str, known: Sequence[str]) -> None:
        self._what = what
        self._known = {each.upper(): each for each in known}

    def read(self, text: str) -> frozenset[str]:
        from mqsc.store.catalog.spelling import hint  # loads the catalog, which few commands need

        words = [each.strip() for each in text.split(",")]
        for each in words:
            if each.upper() not in self._known:
                raise ValueError(
                    f"{each!r} is not {self._what}; {hint(each, [*self._known.values()], 'use')}",
                )
        return frozenset(self._known[each.upper()] for each in words)

    def shell_complete(
        self,
        ctx: click.Context,
        param: click.Parameter,
        incomplete: str,
    ) -> list[CompletionItem]:
        """Complete the last of the words."""
        before, comma, last = incomplete.rpartition(",")
        found = (known for upper, known in self._known.items() if upper.startswith(last.upper()))
        return [CompletionItem(f"{before}{comma}{each}") for each in found]


class TimeOfDay(TextType):
    """A time of the day such as 02:30 or 02:30:15, in microseconds after midnight."""

    name = "time"

    def read(self, text: str) -> int:
        match = _TIME_OF_DAY.fullmatch(text)
        if not match:
            raise ValueError(f"{text!r} is not a time of the day; example: 02:30 (UTC)")
        return (
            int(match[1]) * UNITS["h"]
            + int(match[2]) * UNITS["m"]
            + int(match[3] or 0) * UNITS["s"]
        )


class ReportOptions(TextType):
    """Report options by name, with commas between: expiration, expiration-with-data, coa,
    pass-correl-id ...
    """

    name = "names"

    def read(self, text: str) -> int:
        from mqsc.store.catalog.spelling import hint

        known = {
            each.lower().replace("_", "-"): int(MQRO[each])
            for each in MQRO.__members__
            if "MASK" not in each
        }
        options = 0
        for name in text.lower().split(","):
            if name.strip() not in known:
                raise ValueError(
                    f"{name!r} is not a report option; {hint(name.strip(), sorted(known), 'use')}",
                )
            options |= known[name.strip()]
        return options


_MESSAGE_TYPES = ("datagram", "request", "reply", "report")


class MessageType(TextType):
    """A message type: datagram, request, reply, report, or a number."""

    name = "type"

    def read(self, text: str) -> int:
        if text.isdigit():
            return int(text)
        from mqsc.store.catalog.spelling import hint

        if text.lower() not in _MESSAGE_TYPES:
            known = hint(text, _MESSAGE_TYPES, "use a number or one of")
            raise ValueError(f"{text!r} is not a message type; {known}")
        return int(MQMT[text.upper()])


class CollectorUrl(TextType):
    """The URL of an OpenTelemetry collector that takes OTLP over HTTP."""

    name = "url"

    def read(self, text: str) -> str:
        from urllib.parse import urlsplit  # one option alone needs it

        try:
            parts = urlsplit(text)
            is_address = parts.scheme in ("http", "https") and bool(parts.hostname)
            is_address = is_address and parts.port != 0 and text.isascii() and text.isprintable()
        except ValueError:
            is_address = False
        if not is_address:
            raise ValueError(f"{text!r} is not the URL of a collector; use http://localhost:4318")
        if parts.username is not None or parts.password is not None:
            raise ValueError(
                "a URL shows its password to everybody; set OTEL_EXPORTER_OTLP_HEADERS instead",
            )
        return text


class AnyPath(click.Path):
    """Files, folders, patterns and URLs, which are not looked at; shells complete files."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == "":
            self.fail("the name is empty", param, ctx)
        return value


class NamedPath(AnyPath):
    """A file, folder or URL that must have a name, so that - is not one for standard input or
    output.
    """

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == "-":
            self.fail(
                "'-' stands for standard input or output, which is not possible here",
                param,
                ctx,
            )
        return click.Path.convert(self, super().convert(value, param, ctx), param, ctx)


# Microseconds; a bare number is in days.
KEEP = Duration(1, lowest=0, bare=UNITS["d"])
# Tenths of a second, as in the descriptor of a message; a negative number is no limit.
EXPIRY = Duration(TENTH_OF_A_SECOND, lowest=-(1 << 62))
WAIT = Duration(MILLISECOND, lowest=0)
# -1 waits forever.
WAIT_OR_FOR_EVER = Duration(MILLISECOND, lowest=-1)
# Microseconds; a bare number is in seconds.
TIMEOUT = Duration(1, bare=MICROSECONDS, lowest=1)
# A file or URL that need not exist.
PLACE = NamedPath(readable=False)
FILE_PATH = NamedPath(dir_okay=False, path_type=Path)
FOLDER_PATH = NamedPath(file_okay=False, path_type=Path)
FILE_OR_FOLDER_PATH = NamedPath(path_type=Path)


def iso(at: int) -> str:
    """A time (microseconds since 1970, UTC) in ISO format, with Z."""
    return (EPOCH + timedelta(microseconds=at)).isoformat().replace("+00:00", "Z")


def iso_or_none(at: int | None) -> str | None:
    """A time as `iso` writes it; None for none."""
    return None if at is None else iso(at)


def span_text(span: int) -> str:
    """A length of time (microseconds) in its two largest units, such as 2d5h or 12m30s; below a
    minute, 29.5s.
    """
    for unit, less in (("d", "h"), ("h", "m"), ("m", "s")):
        if span >= UNITS[unit]:
            rest = span % UNITS[unit] // UNITS[less]
            return f"{span // UNITS[unit]}{unit}{f'{rest}{less}' if rest else ''}"
    return f"{span // (MICROSECONDS // 10) / 10:g}s"

"""The history as text and JSON."""

import select
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from itertools import count

from mqsc.console.json_rows import JsonRows, rows_of_csv
from mqsc.console.parameters import iso
from mqsc.console.terminal import columns, packed, printable, wrapped
from mqsc.history.event_text import facts_of, row_of, what_happened
from mqsc.store.engine.state import StoreState
from mqsc.store.past.kept_data import MASKED, kept_data
from mqsc.store.rules.message_trace import TracedEvent

Write = Callable[[TracedEvent], None]
# From this width, the text begins beside the time and the queue manager.
WIDE = 80
# With less room below the text, facts begin at the left, so that a MsgId shares its line.
ROOM_FOR_FACTS = 80
GAP = "  "
BETWEEN_FACTS = "; "


class HistoryText:
    """Makes lines of at most `width` for one event after the other; a heading shows where a new
    day begins.
    """

    def __init__(self, width: int) -> None:
        self._width = width
        self._day = ""
        self._column = 0

    def lines(self, event: TracedEvent) -> Iterator[str]:
        """The lines of the next event."""
        facts = [printable(fact) for fact in facts_of(event)]
        if self._width == sys.maxsize:
            what = BETWEEN_FACTS.join((what_happened(event), *facts))
            yield printable(GAP.join((iso(event.at), event.qmgr, what)))
            return
        date, _, time = iso(event.at).removesuffix("Z").partition("T")
        if date != self._day:
            self._day = date
            yield f"{date} UTC"
        # Names that come later may be longer, and their text then begins further to the right.
        self._column = max(self._column, len(event.qmgr))
        head = f"{time:<15}{GAP}{event.qmgr:<{self._column}}{GAP}"
        if self._width < WIDE or len(head) > self._width // 2:
            yield from wrapped(printable(f"{time}{GAP}{event.qmgr}"), self._width, hanging=GAP)
            head = indent = GAP
        else:
            indent = " " * len(head)
        yield from wrapped(
            printable(what_happened(event)),
            self._width,
            head,
            hanging=f"{indent}{GAP}",
        )
        beside = len(indent) + ROOM_FOR_FACTS <= self._width
        yield from packed(facts, BETWEEN_FACTS, self._width, f"{indent if beside else GAP}{GAP}")


@contextmanager
def _text() -> Iterator[Write]:
    text = HistoryText(columns())
    yield lambda event: sys.stdout.writelines(f"{line}\n" for line in text.lines(event))


@contextmanager
def _json(array: bool) -> Iterator[Write]:
    with JsonRows(sys.stdout, array=array) as rows:
        yield lambda event: rows.write({**row_of(event), "what": what_happened(event)})


@contextmanager
def _csv() -> Iterator[Write]:
    with rows_of_csv() as write:
        yield lambda event: write({**row_of(event), "what": what_happened(event)})


@contextmanager
def _amqsevt() -> Iterator[Write]:
    # Loads the descriptions of event messages; few look-ups need them, and all would start more
    # slowly.
    from mqsc.history.foreign_output import text_lines

    numbers = count(1)
    yield lambda event: sys.stdout.writelines(
        f"{line}\n" for line in text_lines(next(numbers), event)
    )


@contextmanager
def _amqsevt_json() -> Iterator[Write]:
    from mqsc.history.foreign_output import json_row

    with JsonRows(sys.stdout, array=False) as rows:
        yield lambda event: rows.write(json_row(event))


@contextmanager
def _ecs() -> Iterator[Write]:
    from mqsc.history.log_records import ecs_row

    with JsonRows(sys.stdout, array=False) as rows:
        yield lambda event: rows.write(ecs_row(event))


@contextmanager
def _otlp() -> Iterator[Write]:
    from mqsc.history.log_records import otlp_row

    with JsonRows(sys.stdout, array=False) as rows:
        yield lambda event: rows.write(otlp_row(event))


OUTPUTS: Mapping[str, Callable[[], AbstractContextManager[Write]]] = {
    "text": _text,
    "json": lambda: _json(array=True),
    "jsonl": lambda: _json(array=False),
    "csv": _csv,
    "amqsevt": _amqsevt,
    "amqsevt-json": _amqsevt_json,
    "ecs": _ecs,
    "otlp": _otlp,
}


def raise_if_unread() -> None:
    """BrokenPipeError when stdout is a pipe that nobody reads any more."""
    poll = select.poll()
    poll.register(sys.stdout.fileno(), 0)
    if any(state & (select.POLLERR | select.POLLNVAL) for _, state in poll.poll(0)):
        raise BrokenPipeError


def with_kept_data(store: StoreState, event: TracedEvent) -> TracedEvent:
    """The event with the data of its message in `detail`, as far as that was kept after the
    message left its queue.
    """
    body = kept_data(store, event)
    if body is None:
        return event
    from mqsc.console.text.messages import (
        body_as_json,
    )  # loads the client, which look-ups do without

    return event._replace(
        detail={**event.detail, "kept": "masked" if body is MASKED else body_as_json(body)},
    )

"""Writes events of the history to stdout as they come: text, JSON, or the shape of amqsevt."""

from __future__ import annotations

import select
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from itertools import count

from mqsc.console.json_output import JsonRows
from mqsc.console.terminal import columns
from mqsc.history.event_text import row_of, what_happened
from mqsc.history.paragraphs import HistoryText
from store.rules.message_trace import TracedEvent

Write = Callable[[TracedEvent], None]


@contextmanager
def _text() -> Iterator[Write]:
    text = HistoryText(columns())
    yield lambda event: sys.stdout.writelines(f"{line}\n" for line in text.lines(event))


@contextmanager
def _json(array: bool) -> Iterator[Write]:
    with JsonRows(sys.stdout, array=array) as rows:
        yield lambda event: rows.write({**row_of(event), "what": what_happened(event)})


@contextmanager
def _amqsevt() -> Iterator[Write]:
    # Loads the descriptions of event messages; few look-ups need them, and all would start more slowly.
    from mqsc.history.amqsevt_output import text_lines

    numbers = count(1)
    yield lambda event: sys.stdout.writelines(f"{line}\n" for line in text_lines(next(numbers), event))


@contextmanager
def _amqsevt_json() -> Iterator[Write]:
    from mqsc.history.amqsevt_output import json_row

    with JsonRows(sys.stdout, array=False) as rows:
        yield lambda event: rows.write(json_row(event))


OUTPUTS: Mapping[str, Callable[[], AbstractContextManager[Write]]] = {
    "text": _text,
    "json": lambda: _json(array=True),
    "jsonl": lambda: _json(array=False),
    "amqsevt": _amqsevt,
    "amqsevt-json": _amqsevt_json,
}


def raise_if_unread() -> None:
    """BrokenPipeError when stdout is a pipe that nobody reads any more."""
    poll = select.poll()
    poll.register(sys.stdout.fileno(), 0)
    if any(state & (select.POLLERR | select.POLLNVAL) for _, state in poll.poll(0)):
        raise BrokenPipeError

"""A run of the dead-letter queue handler on the command line, and the log it prints."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from io import BufferedReader, BytesIO
from threading import Event

from mqsc.agents.stopping import stoppable, stopped_at_once, until_signalled
from mqsc.console import target
from mqsc.console.answer_layout import with_or_without_severity
from mqsc.console.inputs import InputSource, opened_lines
from mqsc.console.json_rows import json_rows
from mqsc.console.options import Choices
from mqsc.console.parameters import iso
from mqsc.console.terminal import print_line, printable
from mqsc.dlq.handler_run import HandlerArguments, HandlerOutput, TableSource, run_handler
from mqsc.dlq.notices import ENDING, RULE_TOTALS, STARTED, TABLE_READ, TOTALS, Notice
from mqsc.dlq.watched_file import WatchedFile, watching
from mqsc.store.environment import MICROSECONDS, Environment

# The messages that are not printed with --quiet; the totals are if there were failures.
INFORMATIONAL = frozenset({STARTED, ENDING, TABLE_READ})
COUNTING = frozenset({RULE_TOTALS, TOTALS})


def says_all_is_well(notice: Notice) -> bool:
    """Whether --quiet suppresses a message."""
    if notice.message_id in COUNTING:
        return not notice.inserts["failed"]
    return notice.message_id in INFORMATIONAL


def own_line(at: int, notice: Notice) -> str:
    """A message with its time in UTC, as ISO writes it."""
    return f"{_time(at):%Y-%m-%d %H:%M:%S}  {notice.line}"


def ibm_line(at: int, notice: Notice) -> str:
    """A message as runmqdlq prints it: date and time in front (dlq-rules §5)."""
    line = with_or_without_severity(notice.ibm_line)
    return f"{_time(at):%m/%d/%y  %H:%M:%S}  {line}"


def _time(at: int) -> datetime:
    return datetime.fromtimestamp(at // MICROSECONDS, UTC)


def run_handler_with(
    choices: Choices,
    path: str,
    arguments: HandlerArguments,
    *,
    watch: bool = False,
    line_of: Callable[[int, Notice], str] = own_line,
) -> int:
    """Run the handler with the table at `path`, - for standard input, until it ends; return the
    exit code. `line_of` is the layout of its messages.
    """
    watched = WatchedFile(path) if watch else None
    code = 0
    with until_signalled() as stop:
        environment = stoppable(Environment.system(), stop)
        world = environment if watched is None else watching(environment, watched)
        # The handler reports an unknown queue manager itself, among its messages.
        with (
            target.opened_store(choices._replace(qmgr=None), environment=world) as store,
            _log(choices, line_of) as listener,
        ):
            source = InputSource(path=path)
            rules = TableSource(source.name, lambda: _lines(source, store.path, stop), watched)
            code = run_handler(store, rules, arguments, listener, stop)
    return code


def _lines(source: InputSource, store_path: str | None, stop: Event) -> list[bytes]:
    with stopped_at_once(stop) as until_readable, opened_lines(source, store_path) as stream:
        if not isinstance(stream, BufferedReader):
            return list(stream)
        # The part that was read when it was opened.
        pieces = [stream.read1()]
        while pieces[-1]:
            until_readable(stream)
            pieces.append(stream.read1())
        return BytesIO(b"".join(pieces)).readlines()


@contextmanager
def _log(
    choices: Choices,
    line_of: Callable[[int, Notice], str],
) -> Iterator[HandlerOutput]:
    """Write each message of the handler to stdout at once, as a line or an object."""
    with json_rows(choices.format) as rows:

        def show(at: int, notice: Notice) -> None:
            if rows is not None:
                rows.write({"at": iso(at), **notice.for_json})
                sys.stdout.flush()
            elif not choices.quiet or not says_all_is_well(notice):
                # A name in a message must not start a new line.
                print_line(printable(line_of(at, notice)))

        yield HandlerOutput(show, choices.inform)

"""Parts of the texts about dead letters: reasons, targets, lengths of time, tables."""

from collections.abc import Iterator, Sequence
from typing import Any

from mqsc.console.parameters import span_text
from mqsc.console.tables import table_lines
from mqsc.console.terminal import printable
from mqsc.dlq.value_types import name_of_number
from mqsc.store.environment import MICROSECONDS
from mqsc.store.table import cells

# Of messages without an MQDLH, whose destination is the queue that they were moved from, some
# outcomes read otherwise.
_TEXTS = cells(
    __file__,
    "dead_letter_texts.csv",
    ("of", "what", "text"),
    {
        "of": (
            "outcome",
            "outcome by origin",
            "origin unknown",
            "preview",
            "cause of a backout",
        ),
    },
)


def texts_of(*of: str) -> dict[str, str]:
    """The texts of these kinds by what they are about; a later kind replaces those of an earlier
    one.
    """
    return {what: text for each in of for kind, what, text in _TEXTS if kind == each}


def reason_name(reason: int) -> str:
    """The name of an MQRC or MQFB, or its digits when it has none."""
    return name_of_number(reason, ("MQRC", "MQFB"))


def reason_text(reason: int) -> str:
    """An MQRC or MQFB as number and name."""
    name = reason_name(reason)
    return str(reason) if name == str(reason) else f"{reason} {name}"


def target_text(target: tuple[str, str]) -> str:
    """The queue, followed by its queue manager unless that is blank."""
    queue, queue_manager = target
    return f"{queue or '(blank)'} on {queue_manager}" if queue_manager else queue or "(blank)"


def printed_table(
    headings: Sequence[str],
    rows: Sequence[Sequence[Any]],
    width: int,
) -> Iterator[str]:
    """The lines of a table; control characters in messages are shown, so that the terminal does
    not execute them.
    """
    return map(printable, table_lines(headings, rows, width))


def duration_text(microseconds: int) -> str:
    """A duration in its two largest units, in whole seconds: 2d3h, 5m, 0s."""
    return span_text(max(0, microseconds) // MICROSECONDS * MICROSECONDS)

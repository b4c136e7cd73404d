"""Options of the `mqsc dlq` commands: which queue, which messages."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from mqsc.console.parameter_types import HexBytes, Span, TextType
from mqsc.console.target import CommandFailedError
from mqsc.dlq.dead_letters import DeadLetterFilter
from mqsc.dlq.values import constants_of, similar_constant
from mqsc.language.messages import message_line
from store.admin.put_preview import leads_to

if TYPE_CHECKING:
    from store.client.api import QueueManager

Decorated = TypeVar("Decorated", bound=Callable[..., Any])
FAMILIES = ("MQRC", "MQFB")


class ReasonCode(TextType):
    """The reason of a dead letter: a number, or a name such as MQRC_Q_FULL or Q_FULL."""

    name = "reason"

    def read(self, text: str) -> int:
        if text.isascii() and text.isdigit():
            return int(text)
        names, name = constants_of(FAMILIES), text.upper()
        for candidate in (name, *(f"{family}_{name}" for family in FAMILIES)):
            if candidate in names:
                return names[candidate]
        near = similar_constant(name, names)
        hint = f"; did you mean {near}?" if near else "; use a number, or a name such as MQRC_Q_FULL"
        raise ValueError(f"{text!r} is not a reason{hint}")


_FILTERS: tuple[Callable[[Decorated], Decorated], ...] = (
    click.option(
        "--reason", "reasons", type=ReasonCode(), multiple=True, help="Only messages with this reason; repeatable."
    ),
    click.option(
        "--destination", metavar="NAME", help="Only messages for or from this queue; generic names such as 'APP.*'."
    ),
    click.option("--older-than", type=Span(), help="Only messages at least this long on the queue: 15m, 2h, 3d."),
    click.option("--msg-id", type=HexBytes(), help="Only the message with this identifier."),
)


def filter_options(decorated: Decorated) -> Decorated:
    """Add the options that select messages; their values are for `filter_of`."""
    for option in reversed(_FILTERS):
        decorated = option(decorated)
    return decorated


def filter_of(given: dict[str, Any]) -> DeadLetterFilter:
    """The filter made from those options, which are removed from `given`."""
    return DeadLetterFilter(
        frozenset(given.pop("reasons")), given.pop("destination"), given.pop("older_than"), given.pop("msg_id")
    )


def dead_letter_queue(qmgr: QueueManager, named: str | None) -> str:
    """The local queue that `named`, or else DEADQ, resolves to; CommandFailedError when there is none."""
    name = (named or "").strip() or str(qmgr.row().dead_letter_queue)
    if not name:
        raise CommandFailedError(
            f"{qmgr.name} has no dead-letter queue; name a queue, or set one with ALTER QMGR DEADQ(...)"
        )
    queue = leads_to(qmgr, name)
    if not queue:
        raise CommandFailedError(message_line("AMQ8147E", name))
    return queue

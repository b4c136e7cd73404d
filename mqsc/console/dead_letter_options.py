"""What the commands on dead letters have in common: which queue, which letters."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from mqsc.console.parameter_types import HexBytes, Span
from mqsc.console.target import CommandFailedError
from mqsc.dlq.dead_letters import DeadLetterFilter
from mqsc.dlq.values import constants_of
from store.admin.put_preview import leads_to
from store.catalog import nearest

if TYPE_CHECKING:
    from store.client.api import QueueManager

Decorated = TypeVar("Decorated", bound=Callable[..., Any])
FAMILIES = ("MQRC", "MQFB")


class Reason(click.ParamType):  # type: ignore[type-arg]
    """A reason of a dead letter: a number, or its name as MQRC_Q_FULL or Q_FULL."""

    name = "reason"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The MQRC or MQFB."""
        if isinstance(value, int) or (value.isascii() and value.isdigit()):
            return int(value)
        names, name = constants_of(FAMILIES), value.upper()
        for candidate in (name, *(f"{family}_{name}" for family in FAMILIES)):
            if candidate in names:
                return names[candidate]
        near = nearest(name if name.startswith("MQ") else f"MQRC_{name}", names)
        hint = f"; did you mean {near}?" if near else "; write a number, or a name such as MQRC_Q_FULL"
        self.fail(f"{value!r} is no reason{hint}", param, ctx)


_FILTERS: tuple[Callable[[Decorated], Decorated], ...] = (
    click.option("--reason", "reasons", type=Reason(), multiple=True, help="Only letters with one of these reasons."),
    click.option("--destination", metavar="NAME", help="Only letters for this queue, or for all that match 'APP.*'."),
    click.option("--older-than", type=Span(), help="Only letters on the queue at least that long: 15m, 2h, 3d."),
    click.option("--msg-id", type=HexBytes(), metavar="HEX", help="Only the letter with this identifier."),
)


def filter_options(decorated: Decorated) -> Decorated:
    """Add the options that say which letters are meant; the command gets them for `filter_of`."""
    for option in reversed(_FILTERS):
        decorated = option(decorated)
    return decorated


def filter_of(given: dict[str, Any]) -> DeadLetterFilter:
    """The filter that those options say; they are taken out of `given`."""
    return DeadLetterFilter(
        frozenset(given.pop("reasons")), given.pop("destination"), given.pop("older_than"), given.pop("msg_id")
    )


def dead_letter_queue(qmgr: QueueManager, named: str | None) -> str:
    """The local queue of dead letters: the one named, or DEADQ. Failed when it leads to none."""
    name = (named or "").strip() or str(qmgr.row().dead_letter_queue)
    if not name:
        raise CommandFailedError(f"{qmgr.name} has no dead-letter queue; name a queue, or ALTER QMGR DEADQ(...)")
    queue = leads_to(qmgr, name)
    if not queue:
        raise CommandFailedError(f"AMQ8147E: IBM MQ object {name} not found.")
    return queue

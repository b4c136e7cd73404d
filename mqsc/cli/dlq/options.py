"""The options that select dead letters, and those of the commands that move them."""

from __future__ import annotations

import click
from msgspec import Struct

from mqsc.console.decorators import combined
from mqsc.console.msg_ids import msg_id_on
from mqsc.console.object_names import ObjectName
from mqsc.console.options import earlier_word
from mqsc.console.parameters import MsgIdPrefix, Span, TextType
from mqsc.dlq.dead_letter import DeadLetterFilter
from mqsc.dlq.value_types import constants_of, similar_constant
from mqsc.store.catalog.spelling import did_you_mean
from mqsc.store.client.queue_manager import QueueManager

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
        hint = (
            f"; {did_you_mean([near])}" if near else "; use a number, or a name such as MQRC_Q_FULL"
        )
        raise ValueError(f"{text!r} is not a reason{hint}")


class LettersWanted(Struct, frozen=True):
    """Which dead letters the options select; `msg_id` are the first digits of a MsgId."""

    reasons: tuple[int, ...] = ()
    destination: str | None = None
    older_than: int | None = None
    msg_id: str | None = None

    @property
    def are_all(self) -> bool:
        """Whether no option selects any."""
        return not (self.reasons or self.destination or self.older_than or self.msg_id)

    def on_queue(self, qmgr: QueueManager, queue: str) -> DeadLetterFilter:
        """The filter for the messages on a queue, where the digits must mean one MsgId."""
        return DeadLetterFilter(
            frozenset(self.reasons),
            self.destination,
            self.older_than,
            msg_id_on(qmgr, queue, self.msg_id),
        )


class RedriveOptions(Struct, frozen=True):
    """How many dead letters are processed, at most `limit` and `rate` a second, or only shown."""

    letters: LettersWanted
    only_plan: bool = False
    limit: int | None = None
    rate: float | None = None
    returns: int = 3


dead_letter_options = combined(
    click.option(
        "--reason",
        "reasons",
        type=ReasonCode(),
        multiple=True,
        help="Only messages with this reason; repeatable.",
    ),
    click.option(
        "--destination",
        metavar="NAME",
        help="Only messages for or from this queue; generic names such as 'APP.*'.",
    ),
    click.option(
        "--older-than",
        type=Span(),
        help="Only messages at least this long on the queue: 15m, 2h, 3d.",
    ),
    click.option(
        "--msg-id",
        type=MsgIdPrefix(),
        metavar="HEX",
        help="Only the message with this MsgId; the first digits are enough.",
    ),
)

redrive_options = combined(
    click.argument("queue", type=ObjectName(), required=False),
    click.option(
        "--plan",
        "only_plan",
        is_flag=True,
        help="Only print what would happen, and whether it would succeed.",
    ),
    earlier_word("--dry-run", now="--plan", is_flag=True),
    click.option(
        "--limit",
        type=click.IntRange(min=1),
        metavar="N",
        help="Process at most N messages, not counting those that fail or are skipped.",
    ),
    click.option(
        "--rate",
        type=click.FloatRange(min=0, min_open=True),
        metavar="N",
        help="Process at most N messages a second.",
    ),
    dead_letter_options,
)

returns_option = click.option(
    "--returns",
    type=click.IntRange(min=1),
    default=3,
    show_default=True,
    metavar="N",
    help="Skip a message that has already been sent on from this queue N times.",
)

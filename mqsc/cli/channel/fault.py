"""`mqsc channel fault`: faults that a channel meets, for learning and for tests."""

from typing import Any, NamedTuple

import click
from msgspec import Struct

from mqsc.channels.link import Step
from mqsc.console.json_rows import print_rows
from mqsc.console.object_names import ObjectName
from mqsc.console.options import Choices, command, confirm
from mqsc.console.parameters import MILLISECOND, Duration, Span, TextType, iso, iso_or_none
from mqsc.console.tables import table_lines
from mqsc.console.target import CommandFailedError, opened_queue_manager
from mqsc.console.terminal import columns
from mqsc.console.text.reasons import counted
from mqsc.store.admin.channel.faults import NewFault, add_fault, clear_faults, faults
from mqsc.store.catalog.spelling import hint
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQRCCF
from mqsc.store.error import MQError
from mqsc.store.rules.channel.injected_faults import BREAK, DOWN, EVERYWHERE, SLOW
from mqsc.store.sql.rows import ChannelFaultRow

# The steps that happen for every message, so that a number can follow.
_NUMBERED = (Step.S1, Step.S2, Step.R1, Step.RETRY_WAIT, Step.DEAD_LETTER)
_STEPS = {
    **{each.value.lower(): each for each in Step},
    **{"got": Step.S1, "sent": Step.S2, "received": Step.R1, "batch-end": Step.S3},
}
_STEP_NAMES = [each.value for each in Step]
_STEP_WORDS = ", ".join(_STEP_NAMES)
FAULT_HEADINGS = ("CHANNEL", "AT", "ACTION", "TIMES", "UNTIL")
_REFUSALS = {
    MQRCCF.CHANNEL_NOT_FOUND: "AMQ8227E: IBM MQ channel {name} not found.",
    MQRCCF.WRONG_CHANNEL_TYPE: (
        "AMQ9502E: Type of channel not suitable for action requested: set faults at the sending "
        "end of {name}, "
        "a channel of type SDR or SVR."
    ),
}

# The types of ACTION and MS.
ACTIONS = click.Choice((BREAK, SLOW, DOWN), case_sensitive=False)
DELAY = Duration(MILLISECOND, lowest=1)


class FaultPlace(NamedTuple):
    """Where a fault acts: a step, blank for every one, and the number of the message there, 0
    for each.
    """

    step: str = EVERYWHERE
    number: int = 0


class _FaultArguments(Struct, frozen=True):
    """The arguments that describe a fault; None for one that was not given."""

    at: FaultPlace | None
    duration: int | None
    times: int | None
    lasting: int | None


class PlaceType(TextType):
    """A step, such as S2 or sent, with the number of a message in its batch: sent:4."""

    name = "step"

    def read(self, text: str) -> FaultPlace:
        word, colon, number = text.partition(":")
        step = _STEPS.get(word.lower())
        if step is None:
            raise ValueError(f"{word!r} is not a step; {hint(word, _STEP_NAMES, 'use')}")
        if not colon:
            return FaultPlace(step.value)
        if step not in _NUMBERED:
            names = ", ".join(each.value for each in _NUMBERED)
            raise ValueError(
                f"{step.value} happens once a batch; only {names} take the number of a message",
            )
        if not (number.isascii() and number.isdecimal()) or not 0 < int(number) < 1_000_000_000:
            raise ValueError(f"{number!r} is not the number of a message in its batch: 1, 2, 3 ...")
        return FaultPlace(step.value, int(number))


# Without this, a negative MS would be reported as an unknown option.
@command(context_settings={"ignore_unknown_options": True})
@click.argument("name", type=ObjectName("channel"), required=False)
@click.argument("action", type=ACTIONS, required=False)
@click.argument("duration", type=DELAY, required=False, metavar="[MS]")
@click.option(
    "--at",
    type=PlaceType(),
    metavar="STEP[:N]",
    help="The step, and the number of the message in its batch.",
)
@click.option(
    "--times",
    type=click.IntRange(1, 999999999),
    metavar="N",
    help="Act this many times.",
)
@click.option("--for", "lasting", type=Span(), help="Act for this long, for example 30s.")
@click.option(
    "--clear",
    is_flag=True,
    help="Remove the faults of the channel NAME, or of all channels.",
)
def fault(
    choices: Choices,
    name: str | None,
    action: str | None,
    duration: int | None,
    at: FaultPlace | None,
    times: int | None,
    lasting: int | None,
    clear: bool,
) -> None:
    """Make the channel NAME fail: ACTION is break, slow or down. Without ACTION, show the faults
    that are set.

    \b
    break     the connection breaks at the step
    slow MS   the step takes MS milliseconds longer
    down      the connection breaks at the step (without --at, at any),
              and the partner cannot be reached afterwards

    Without --times or --for, break acts once, slow and down until --clear. --for is on the queue
    manager's clock. NAME is a sending channel (SDR, SVR); faults of its receiving end are set at
    the sending end, too.

    \b
    Steps: S1 got         a message was got from the transmission queue
           S2 sent        it was sent
           R1 received    the receiver has put it
           S3 batch-end   all messages of the batch were sent
           S4-before, S4-after   the sender prepares its unit of work
           R2-before, R2-after   the receiver commits
           S5-before, S5-after   the sender commits
           retry-wait     the receiver waits to try a put again
           dead-letter    an end puts on its dead-letter queue

    From S4-after to S5-before the batch is in doubt.
    """
    arguments = _FaultArguments(at, duration, times, lasting)
    if action is None:
        _refuse_without_action(arguments, name=name, clear=clear)
        _clear_or_list(choices, name or "", clear=clear)
        return
    if clear:
        raise click.UsageError("--clear removes all faults of a channel: it takes no ACTION.")
    _refuse_unfitting(action, arguments)
    with opened_queue_manager(choices) as qmgr:
        _add_fault(qmgr, str(name), action, arguments)
        row = faults(qmgr, str(name))[-1]
    confirm(f"{name}: {_sentence(row)}")


def _refuse_without_action(arguments: _FaultArguments, *, name: str | None, clear: bool) -> None:
    if arguments.at is None and arguments.times is None and arguments.lasting is None:
        return
    if clear:
        raise click.UsageError("--clear removes all faults of a channel: it takes no other option.")
    raise click.UsageError(
        f"Missing {'ACTION' if name else 'NAME and ACTION'}: break, slow MS or down.",
    )


def _refuse_unfitting(action: str, arguments: _FaultArguments) -> None:
    """Refuse an action without the place or the duration that it needs, or with one that it does
    not take.
    """
    if arguments.times is not None and arguments.lasting is not None:
        raise click.UsageError("Give --times or --for, not both.")
    if arguments.lasting == 0:
        raise click.UsageError("--for takes a time longer than 0.")
    if arguments.at is None and action != DOWN:
        raise click.UsageError(f"{action} needs --at STEP; use {_STEP_WORDS}.")
    if (action == SLOW) != (arguments.duration is not None):
        raise click.UsageError(
            "slow needs a number of milliseconds, for example: slow 500"
            if action == SLOW
            else f"{action} takes no MS.",
        )


def _add_fault(qmgr: QueueManager, name: str, action: str, arguments: _FaultArguments) -> None:
    place = arguments.at or FaultPlace()
    once = action == BREAK and arguments.times is None and arguments.lasting is None
    try:
        times = 1 if once else arguments.times
        add_fault(
            qmgr,
            name,
            NewFault(
                place.step, place.number, action, arguments.duration or 0, times, arguments.lasting
            ),
        )
    except MQError as error:
        refused = _REFUSALS.get(MQRCCF(error.reason)) if error.reason in list(MQRCCF) else None
        if refused is None:
            raise
        raise CommandFailedError(refused.format(name=name)) from error


def _clear_or_list(choices: Choices, name: str, *, clear: bool) -> None:
    with opened_queue_manager(choices) as qmgr:
        if clear:
            number = clear_faults(qmgr, name)
            confirm(f"{counted(number, 'fault')} removed")
            return
        _list_faults(choices, faults(qmgr, name), qmgr.now())


def _list_faults(choices: Choices, injected: list[ChannelFaultRow], now: int) -> None:
    current = [row for row in injected if row.until is None or now < row.until]
    cells = [
        (row.channel, _place(row), _action(row), row.times, iso_or_none(row.until))
        for row in current
    ]
    lines = table_lines(FAULT_HEADINGS, cells, columns()) if current else ()
    print_rows(choices.format, map(_as_row, current), lines)
    if not current:
        choices.inform("mqsc: no fault is set")


def _as_row(fault_row: ChannelFaultRow) -> dict[str, Any]:
    return {
        "channel": fault_row.channel,
        "step": fault_row.step or None,
        "message": fault_row.number or None,
        "action": fault_row.action,
        "milliseconds": fault_row.milliseconds if fault_row.action == SLOW else None,
        "times": fault_row.times,
        "until": iso_or_none(fault_row.until),
    }


def _place(fault_row: ChannelFaultRow) -> str:
    return (
        f"{fault_row.step}:{fault_row.number}" if fault_row.number else fault_row.step or "any step"
    )


def _action(fault_row: ChannelFaultRow) -> str:
    return f"{SLOW} {fault_row.milliseconds}" if fault_row.action == SLOW else fault_row.action


def _sentence(fault_row: ChannelFaultRow) -> str:
    limit = "until cleared"
    if fault_row.times is not None:
        limit = "once" if fault_row.times == 1 else f"{fault_row.times} times"
    elif fault_row.until is not None:
        limit = f"until {iso(fault_row.until)}"
    return f"{_action(fault_row)} at {_place(fault_row)}, {limit}"

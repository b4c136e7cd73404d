"""`mqsc channel run`, `mqsc channel map` and `mqsc channel fault`."""

import re
from pathlib import Path
from typing import Any, NamedTuple

import click
from msgspec import Struct

from mqsc.channels.link import Step
from mqsc.cli.foreground import run_in_foreground
from mqsc.cli.qmgr import print_table
from mqsc.console.object_names import ObjectName
from mqsc.console.options import WITHOUT_FORMAT, Choices, command, confirm
from mqsc.console.parameters import MILLISECOND, Duration, Span, TextType, iso, iso_or_none
from mqsc.console.tables import table_lines
from mqsc.console.target import CommandFailedError, opened_queue_manager, opened_store
from mqsc.console.terminal import DATA_FORMATS, columns, print_rows
from mqsc.console.text.reasons import counted
from mqsc.store.admin.channel.starts import (
    NewFault,
    add_fault,
    clear_faults,
    faults,
    hosts,
    map_host,
    unmap_host,
)
from mqsc.store.catalog.spelling import hint
from mqsc.store.client.api import QueueManager, Store
from mqsc.store.client.store_url import path_of
from mqsc.store.constants import MQRCCF
from mqsc.store.error import MQError
from mqsc.store.rules.channel.connection_name import Address, addresses, map_key
from mqsc.store.rules.channel.injected_faults import BREAK, DOWN, EVERYWHERE, SLOW
from mqsc.store.rules.names import is_object_name
from mqsc.store.sql.rows import ChannelFaultRow


@command(common=WITHOUT_FORMAT)
@click.argument("name", type=ObjectName("channel"))
@click.option(
    "--until-empty",
    is_flag=True,
    help="Exit when all messages on the transmission queue are sent.",
)
def run(choices: Choices, name: str, until_empty: bool) -> int:
    """Run the channel NAME until it ends: after DISCINT, a STOP CHANNEL, a failure, or SIGTERM or
    SIGINT.

    NAME is a sender, a server with CONNAME, or a requester. Its messages go to stderr. Exit code 0
    for a normal end, 10 for a failure or if there is no such channel, 20 if the channel could not
    be started.
    """
    return run_in_foreground(choices, name, until_empty=until_empty)


# `mqsc channel map`: what the host names in connection names lead to.


# A name, an IPv4 or an IPv6 address.
_HOST_AND_PORT = re.compile(
    r"(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?|[0-9a-f:.]+(?:%[a-z0-9._-]+)?)\([0-9]{1,5}\)",
)
TARGETS = "QM2, local(QM2), sqlite:///other.db(QM2)"


@command("map")
@click.argument("host", required=False, metavar="[ADDRESS]")
@click.argument("target", required=False, metavar="[TARGET]")
@click.option("--remove", is_flag=True, help="Remove ADDRESS from the map.")
def map_(choices: Choices, host: str | None, target: str | None, remove: bool) -> None:
    """Map ADDRESS, a host name as CONNAME has it, to TARGET; without arguments, show the map.

    ADDRESS is for example 'mq.example.com(1414)'; 1414 is the default port. TARGET is a queue
    manager of this store, such as QM2 or local(QM2), or of another one, such as
    sqlite:///other.db(QM2). The map is for all queue managers of the store; a channel uses it at
    its next start or retry.
    """
    if target is not None and remove:
        raise click.UsageError("--remove takes an ADDRESS, but no TARGET.")
    if host is None:
        if remove:
            raise click.UsageError("--remove needs the ADDRESS to remove.")
        _list_entries(choices)
        return
    key = _key(host)
    if remove:
        _remove(choices, key)
    elif target is None:
        raise click.UsageError(f"Missing TARGET, for example {TARGETS}.")
    else:
        _add_entry(choices, key, target)


def _key(text: str) -> str:
    found = addresses(text)
    if len(found) != 1:
        raise click.UsageError(f"{text!r} is not one address; write HOST or HOST(PORT).")
    key = map_key(found[0].text)
    if not found[0].is_host or not _HOST_AND_PORT.fullmatch(key):
        raise click.UsageError(f"{text!r} is not a network address; write HOST or HOST(PORT).")
    return key


def _add_entry(choices: Choices, key: str, target: str) -> None:
    found = addresses(target)
    where = found[0] if len(found) == 1 else Address(target, is_host=True)
    named = is_object_name(where.queue_manager) if where.queue_manager or not where.store else True
    if not named:
        raise click.UsageError(
            f"{target!r} does not name a queue manager or a store; write one of {TARGETS}.",
        )
    with opened_store(choices) as store:
        stands_for = _absolute(choices, store, where)
        map_host(store, key, stands_for)
    confirm(f"{key} is mapped to {stands_for}")


def _absolute(choices: Choices, store: Store, where: Address) -> str:
    """The target in a form that means the same in every folder; a target that is not there yet
    is pointed out.
    """
    if not where.store:
        if where.queue_manager not in (row.name for row in store.queue_managers()):
            choices.inform(
                f"mqsc: there is no queue manager {where.queue_manager} in this store yet",
            )
        return f"local({where.queue_manager})"
    path = path_of(where.store)
    if path is None:
        raise click.UsageError(f"{where.store} is not a file; write sqlite:///PATH(QMGR).")
    if not Path(path).exists():
        choices.inform(f"mqsc: there is no store {path} yet")
    name = f"({where.queue_manager})" if where.queue_manager else ""
    return f"sqlite:///{path}{name}"


def _remove(choices: Choices, key: str) -> None:
    with opened_store(choices) as store:
        if not unmap_host(store, key):
            raise CommandFailedError(f"{key} is not mapped")
    confirm(f"{key} is not mapped any more")


def _list_entries(choices: Choices) -> None:
    with opened_store(choices) as store:
        found = hosts(store)
    if found or choices.format in DATA_FORMATS:
        print_table(choices, ("ADDRESS", "TARGET"), found)
    else:
        choices.inform("mqsc: no address is mapped")


# `mqsc channel fault`: faults that a channel meets, for learning and for tests.

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


class _Given(Struct, frozen=True):
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
    given = _Given(at, duration, times, lasting)
    if action is None:
        _refuse_without_action(given, name=name, clear=clear)
        _clear_or_list(choices, name or "", clear=clear)
        return
    if clear:
        raise click.UsageError("--clear removes all faults of a channel: it takes no ACTION.")
    _refuse_unfitting(action, given)
    with opened_queue_manager(choices) as qmgr:
        _add_fault(qmgr, str(name), action, given)
        row = faults(qmgr, str(name))[-1]
    confirm(f"{name}: {_sentence(row)}")


def _refuse_without_action(given: _Given, *, name: str | None, clear: bool) -> None:
    if given.at is None and given.times is None and given.lasting is None:
        return
    if clear:
        raise click.UsageError("--clear removes all faults of a channel: it takes no other option.")
    raise click.UsageError(
        f"Missing {'ACTION' if name else 'NAME and ACTION'}: break, slow MS or down.",
    )


def _refuse_unfitting(action: str, given: _Given) -> None:
    """Refuse an action without the place or the duration that it needs, or with one that it does
    not take.
    """
    if given.times is not None and given.lasting is not None:
        raise click.UsageError("Give --times or --for, not both.")
    if given.lasting == 0:
        raise click.UsageError("--for takes a time longer than 0.")
    if given.at is None and action != DOWN:
        raise click.UsageError(f"{action} needs --at STEP; use {_STEP_WORDS}.")
    if (action == SLOW) != (given.duration is not None):
        raise click.UsageError(
            "slow needs a number of milliseconds, for example: slow 500"
            if action == SLOW
            else f"{action} takes no MS.",
        )


def _add_fault(qmgr: QueueManager, name: str, action: str, given: _Given) -> None:
    place = given.at or FaultPlace()
    once = action == BREAK and given.times is None and given.lasting is None
    try:
        times = 1 if once else given.times
        add_fault(
            qmgr,
            name,
            NewFault(place.step, place.number, action, given.duration or 0, times, given.lasting),
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


def _list_faults(choices: Choices, found: list[ChannelFaultRow], now: int) -> None:
    current = [row for row in found if row.until is None or now < row.until]
    cells = [
        (row.channel, _place(row), _action(row), row.times, iso_or_none(row.until))
        for row in current
    ]
    lines = table_lines(FAULT_HEADINGS, cells, columns()) if current else ()
    print_rows(choices.format, map(_as_row, current), lines)
    if not current:
        choices.inform("mqsc: no fault is set")


def _as_row(row: ChannelFaultRow) -> dict[str, Any]:
    return {
        "channel": row.channel,
        "step": row.step or None,
        "message": row.number or None,
        "action": row.action,
        "milliseconds": row.milliseconds if row.action == SLOW else None,
        "times": row.times,
        "until": iso_or_none(row.until),
    }


def _place(row: ChannelFaultRow) -> str:
    return f"{row.step}:{row.number}" if row.number else row.step or "any step"


def _action(row: ChannelFaultRow) -> str:
    return f"{SLOW} {row.milliseconds}" if row.action == SLOW else row.action


def _sentence(row: ChannelFaultRow) -> str:
    limit = "until cleared"
    if row.times is not None:
        limit = "once" if row.times == 1 else f"{row.times} times"
    elif row.until is not None:
        limit = f"until {iso(row.until)}"
    return f"{_action(row)} at {_place(row)}, {limit}"

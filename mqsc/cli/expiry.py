"""`mqsc expiry` and `mqsc poison`."""

import sys
from collections.abc import Iterable
from itertools import chain
from typing import Any

import click
from msgspec.structs import asdict

from mqsc.console import tables, target, terminal
from mqsc.console.object_names import ObjectName
from mqsc.console.options import Choices, command
from mqsc.console.parameters import iso, iso_or_none
from mqsc.history.output import OUTPUTS, with_kept_data
from mqsc.language.reply import message_line
from mqsc.store.admin import event_search, put_preview
from mqsc.store.admin.expiry import ExpiryPreview, expiry_preview
from mqsc.store.client.api import QueueManager
from mqsc.store.constants import name_of
from mqsc.store.rules.poison_message import LEADS_BACK, NOT_NAMED, Action

HEADINGS = (
    "QUEUE",
    "DEPTH",
    "EXPIRED",
    "SINCE",
    "A GET DISCARDS",
    "A SCAN DISCARDS",
    "REPORTS",
    "NEXT EXPIRY",
)


@command(past=True)
@click.argument("queue", type=ObjectName(), metavar="QUEUE|GENERIC")
@click.option("--all", "show_all", is_flag=True, help="Include queues without expired messages.")
@click.option(
    "--data",
    is_flag=True,
    help="List those that expired and are gone, with data that was kept of them.",
)
def expiry(choices: Choices, queue: str, show_all: bool, data: bool) -> None:
    """Show how many messages on QUEUE, or on all queues that match a name such as 'APP.*', have
    expired.

    Expired messages count towards the depth until a get or a scan discards them. The table shows
    how many a get would discard before it finds a message, how many a scan would discard, who put
    them, and when the next messages expire. For an alias or a remote queue, the local queue behind
    it is shown; for a shared queue also which member of the group scans it. Changes nothing.
    """
    generic = queue.endswith("*")
    with target.opened_queue_manager(choices) as qmgr:
        # Messages locked by a dead program are available again, as for DISPLAY.
        qmgr.store.recover()
        found = expiry_preview(qmgr, queue)
        first = next(found, None)
        if first is None:
            raise target.CommandFailedError(message_line("AMQ8147E", queue))
        if data:
            _print_gone(choices, qmgr, queue)
            return
        shown = (each for each in chain([first], found) if show_all or not generic or each.expired)
        if not terminal.print_data(choices.format, (_as_row(each) for each in shown)):
            _print(shown)


def _print_gone(choices: Choices, qmgr: QueueManager, queue: str) -> None:
    """The messages that expired on queues, and were discarded, with their data as far as it was
    kept.
    """
    owners = {qmgr.name, qmgr.row().sharing_group}
    found = event_search.events(
        qmgr.store,
        event_search.EventSelection(queue=queue, kinds=frozenset({"EXPIRE"})),
    )
    with OUTPUTS[choices.format or "text"]() as write:
        for event in found:
            if event.qmgr in owners:
                write(with_kept_data(qmgr.store, event))


def _as_row(each: ExpiryPreview) -> dict[str, Any]:
    row = asdict(each)
    row["now"] = iso(each.now)
    row["expired_since"] = iso_or_none(each.expired_since)
    row["next"] = [{"at": iso(at), "messages": count} for at, count in each.next]
    row["putters"] = [
        {"application": a, "user": u, "messages": count} for a, u, count in each.putters
    ]
    return row


def _print(previews: Iterable[ExpiryPreview]) -> None:
    """A table, or a paragraph for each queue if it is too wide, and the programs that put the
    expired messages.
    """
    found = list(previews)
    if not found:
        click.echo("No message has expired.")
        return
    table = [*tables.table_lines(HEADINGS, [_cells(each) for each in found], sys.maxsize)]
    fits = max(map(len, table)) <= terminal.columns()
    for line in table if fits else ():
        click.echo(line)
    for each in found:
        if not fits:
            _print_wrapped(_sentence(each))
        for who, user, count in each.putters:
            _print_wrapped(
                f"{each.queue}: {count} put by {who or '(no application)'}, user "
                f"{user or '(none)'}",
            )
        if each.group:
            _print_wrapped(_scanner(each))


def _scanner(each: ExpiryPreview) -> str:
    """Which member of the group scans a shared queue."""
    if not each.scanned_by:
        return f"{each.queue}: shared queue of {each.group}, scanned by no member (EXPRYINT)"
    return (
        f"{each.queue}: shared queue of {each.group}, scanned by {each.scanned_by} every "
        f"{each.interval} s"
    )


def _print_wrapped(text: str, hanging: str = "    ") -> None:
    terminal.print_line(terminal.printable(text), hanging)


def _sentence(preview: ExpiryPreview) -> str:
    """The cells of the table in words."""
    _, depth, expired, since, _, scan, reports, following = _cells(preview)
    if preview.expired:
        get = f"{preview.get_discards}{'' if preview.get_finds else ' and finds none'}"
        about = (
            f"{expired} expired since {since}; a get discards {get}; a scan discards {scan}, "
            f"reports {reports}"
        )
    else:
        about = "none expired"
    return f"{preview.queue}: depth {depth}, {about}" + (
        f"; next expiry {following}" if preview.next else ""
    )


def _cells(each: ExpiryPreview) -> tuple[str, ...]:
    """The cells of a row, as HEADINGS names them."""
    following = f"{iso(each.next[0][0])} ({each.next[0][1]})" if each.next else "-"
    get = f"{each.get_discards}" if each.get_finds else f"{each.get_discards}, then 2033"
    since = iso_or_none(each.expired_since) or "-"
    first = each.queue, str(each.depth), str(each.expired), since, get
    return (*first, str(each.scan_discards), str(each.scan_reports), following)


# `mqsc poison`: messages that were backed out, and what a consumer would do with them; changes
# nothing.


@command(past=True)
@click.argument("queue", type=ObjectName(), default="*", metavar="[QUEUE|GENERIC]")
def poison(choices: Choices, queue: str) -> None:
    """Show the messages that were backed out, on QUEUE or on all queues that match a name such as
    'APP.*'.

    Shows how often each message was backed out, the threshold (BOTHRESH), who backed it out last,
    and what a consumer such as `mqsc consume` would do with it now. A program that does not move
    poison messages gets it again. Changes nothing.
    """
    with target.opened_queue_manager(choices) as qmgr:
        # Messages that a dead program held are backed out, as for DISPLAY.
        qmgr.store.recover()
        found = put_preview.poison_preview(qmgr, queue)
        if found is None:
            raise target.CommandFailedError(message_line("AMQ8147E", queue))
        if not terminal.print_data(choices.format, (_row_of_poison(each) for each in found)):
            _print_poison(found)


def _row_of_poison(each: put_preview.PoisonPreview) -> dict[str, Any]:
    descriptor, last = each.descriptor, each.last
    return {
        "queue": each.queue,
        "msg_id": descriptor.msg_id.hex(),
        "correl_id": descriptor.correl_id.hex(),
        "persistent": bool(descriptor.persistence),
        "length": each.length,
        "backout_count": descriptor.backout_count,
        "threshold": each.threshold,
        "last_backout": last and {**last._asdict(), "at": iso(last.at)},
        "action": _action_word(each),
        "target": each.target or None,
        "succeeds": each.action is not Action.KEEP,
        "backout_queue": each.backout_queue or None,
        "backout_queue_reason": each.requeue_reason if each.requeue_reason > 0 else None,
        "backout_queue_leads_back": each.requeue_reason == LEADS_BACK,
        "dead_letter_queue": each.dead_letter_queue or None,
        "dead_letter_reason": each.dead_letter_reason if each.dead_letter_reason > 0 else None,
        "dead_letter_queue_leads_back": each.dead_letter_reason == LEADS_BACK,
    }


def _action_word(each: put_preview.PoisonPreview) -> str:
    if each.action is not None:
        return each.action.value
    return "locked" if each.is_locked else "expire"


def _print_poison(previews: Iterable[put_preview.PoisonPreview]) -> None:
    """A paragraph for each message under the name of its queue."""
    queue = None
    for each in previews:
        if each.queue != queue:
            queue = each.queue
            backout_queue = each.backout_queue or "' '"
            _print_wrapped(f"{queue}: BOTHRESH({each.threshold}) BOQNAME({backout_queue})", "  ")
        _print_wrapped(f"  {each.descriptor.msg_id.hex().upper()}")
        for sentence in (_backouts(each), _consumer(each)):
            _print_wrapped(f"    {sentence}", " " * 6)
    if queue is None:
        click.echo("No message has been backed out.")


def _backouts(each: put_preview.PoisonPreview) -> str:
    count = each.descriptor.backout_count
    times = "once" if count == 1 else f"{count} times"
    if each.last is None:
        return f"backed out {times}; the history does not say by whom"
    who = each.last.application or "(no application)"
    return (
        f"backed out {times}, last by {who}, user {each.last.user or '(none)'}, {iso(each.last.at)}"
    )


def _consumer(each: put_preview.PoisonPreview) -> str:
    """The action of a consumer, and why it cannot take a better one."""
    if each.is_locked:
        return "locked by a browse of another program: no get finds it"
    if each.action is None:
        return "expired: a get discards it"
    if each.action is Action.DELIVER:
        never = "; with BOTHRESH(0) it is never moved" if not each.threshold else ""
        return f"a consumer delivers it again{never}"
    requeue = _fault("BOQNAME", each.backout_queue, each.requeue_reason)
    why = " and ".join(
        filter(None, (requeue, _fault("DEADQ", each.dead_letter_queue, each.dead_letter_reason))),
    )
    return _ACTIONS[each.action].format(target=each.target) + (f", because {why}" if why else "")


_ACTIONS = {
    Action.REQUEUE: "a consumer moves it to {target}",
    Action.DEAD_LETTER: "a consumer puts it on the dead-letter queue {target}",
    Action.DISCARD: "a consumer discards it",
    Action.KEEP: "a consumer cannot move it, and ends with 2362 MQRC_BACKOUT_THRESHOLD_REACHED",
}


def _fault(attribute: str, queue: str, reason: int) -> str:
    """Why a queue does not take the message; blank if it does, or was not asked."""
    if reason > 0:
        return f"{attribute}({queue}) refuses it ({reason} {name_of('MQRC', reason)})"
    return _NOT_TRIED[reason].format(attribute=attribute, queue=queue)


_NOT_TRIED = {
    0: "",
    NOT_NAMED: "{attribute} is blank",
    LEADS_BACK: "{attribute}({queue}) leads back to the same queue",
}

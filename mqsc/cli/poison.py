"""`mqsc poison`: messages that were backed out, and what a consumer would do with them; changes nothing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import click

from mqsc.console.completion.names import queues_to_complete
from mqsc.console.json_output import print_json
from mqsc.console.object_names import ObjectName
from mqsc.console.options import Choices, command
from mqsc.console.parameter_types import iso
from mqsc.console.target import CommandFailedError, opened_queue_manager
from mqsc.console.terminal import columns, printable, wrapped
from mqsc.language.messages import message_line
from store.admin.poison import PoisonPreview, preview
from store.constants import name_of
from store.rules.poison import LEADS_BACK, NOT_NAMED, Action


@command()
@click.argument("queue", type=ObjectName(), metavar="[QUEUE|GENERIC]", default="*", shell_complete=queues_to_complete)
def poison(choices: Choices, queue: str) -> None:
    """Show the messages that were backed out, on QUEUE or on all queues that match a name such as 'APP.*'.

    Shows how often each message was backed out, the threshold (BOTHRESH), who backed it out last, and what a consumer
    such as `mqsc consume` would do with it now. A program that does not move poison messages gets it again. Changes
    nothing.
    """
    with opened_queue_manager(choices) as qmgr:
        # Messages that a dead program held are backed out, as for DISPLAY.
        qmgr.store.recover()
        found = preview(qmgr, queue)
        if found is None:
            raise CommandFailedError(message_line("AMQ8147E", queue))
        if not print_json(choices.format, (_as_row(each) for each in found)):
            _print(found)


def _as_row(each: PoisonPreview) -> dict[str, Any]:
    last = each.last
    return {
        "queue": each.queue,
        "msg_id": each.descriptor.msg_id.hex(),
        "correl_id": each.descriptor.correl_id.hex(),
        "persistent": bool(each.descriptor.persistence),
        "length": each.length,
        "backout_count": each.descriptor.backout_count,
        "threshold": each.threshold,
        "last_backout": None
        if last is None
        else {"application": last.application, "user": last.user, "at": iso(last.at), "cause": last.cause},
        "action": each.action.value if each.action else "expire",
        "target": each.target or None,
        "succeeds": each.action is not Action.KEEP,
        "backout_queue": each.backout_queue or None,
        "backout_queue_reason": each.requeue_reason if each.requeue_reason > 0 else None,
        "backout_queue_leads_back": each.requeue_reason == LEADS_BACK,
        "dead_letter_queue": each.dead_letter_queue or None,
        "dead_letter_reason": each.dead_letter_reason if each.dead_letter_reason > 0 else None,
        "dead_letter_queue_leads_back": each.dead_letter_reason == LEADS_BACK,
    }


def _print(previews: Iterable[PoisonPreview]) -> None:
    """A paragraph for each message under the name of its queue."""
    queue, width = None, columns()
    for each in previews:
        if each.queue != queue:
            queue = each.queue
            backout_queue = each.backout_queue or "' '"
            _print_wrapped(f"{queue}: BOTHRESH({each.threshold}) BOQNAME({backout_queue})", "", width)
        _print_wrapped(each.descriptor.msg_id.hex().upper(), "  ", width)
        for sentence in (_backouts(each), _consumer(each)):
            _print_wrapped(sentence, "    ", width)
    if queue is None:
        click.echo("No message has been backed out.")


def _print_wrapped(text: str, indent: str, width: int) -> None:
    for line in wrapped(printable(text), width, indent=indent, hanging=f"{indent}  "):
        click.echo(line)


def _backouts(each: PoisonPreview) -> str:
    count = each.descriptor.backout_count
    times = "once" if count == 1 else f"{count} times"
    if each.last is None:
        return f"backed out {times}; the history does not say by whom"
    who = each.last.application or "(no application)"
    return f"backed out {times}, last by {who}, user {each.last.user or '(none)'}, {iso(each.last.at)}"


def _consumer(each: PoisonPreview) -> str:
    """What a consumer would do, and why not something better."""
    if each.action is None:
        return "expired: a get discards it"
    if each.action is Action.DELIVER:
        never = "; with BOTHRESH(0) it is never moved" if not each.threshold else ""
        return f"a consumer delivers it again{never}"
    faults = [
        _fault("BOQNAME", each.backout_queue, each.requeue_reason),
        _fault("DEADQ", each.dead_letter_queue, each.dead_letter_reason),
    ]
    why = " and ".join(filter(None, faults))
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


_NOT_TRIED = {0: "", NOT_NAMED: "{attribute} is blank", LEADS_BACK: "{attribute}({queue}) leads back to the same queue"}

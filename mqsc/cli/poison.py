"""`mqsc poison`: messages that were backed out, and what a consumer would do with them; changes
nothing.
"""

from collections.abc import Iterable
from typing import Any

import click

from mqsc.cli.expiry import print_wrapped
from mqsc.console import json_rows, target
from mqsc.console.object_names import ObjectName
from mqsc.console.options import Choices, command
from mqsc.console.parameters import iso
from mqsc.language.reply import message_line
from mqsc.store.admin import poison_messages
from mqsc.store.constants import name_of
from mqsc.store.rules.poison_message import LEADS_BACK, NOT_NAMED, Action
from mqsc.targets.on_target import most_option, on_target


@command(past=True, reads=True)
@click.argument("queue", type=ObjectName(), default="*", metavar="[QUEUE|GENERIC]")
@on_target
@most_option
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
        choices.bring_states(qmgr)
        choices.bring_messages(qmgr, queue)
        previews = poison_messages.poison_preview(qmgr, queue)
        if previews is None:
            raise target.CommandFailedError(message_line("AMQ8147E", queue))
        if not json_rows.print_data(choices.format, (_row_of_poison(each) for each in previews)):
            _print_poison(choices, previews)


def _row_of_poison(poison_message: poison_messages.PoisonPreview) -> dict[str, Any]:
    descriptor, last = poison_message.descriptor, poison_message.last
    return {
        "queue": poison_message.queue,
        "msg_id": descriptor.msg_id.hex(),
        "correl_id": descriptor.correl_id.hex(),
        "persistent": bool(descriptor.persistence),
        "length": poison_message.length,
        "backout_count": descriptor.backout_count,
        "threshold": poison_message.threshold,
        "last_backout": last and {**last._asdict(), "at": iso(last.at)},
        "action": _action_word(poison_message),
        "target": poison_message.target or None,
        "succeeds": poison_message.action is not Action.KEEP,
        "backout_queue": poison_message.backout_queue or None,
        "backout_queue_reason": poison_message.requeue_reason
        if poison_message.requeue_reason > 0
        else None,
        "backout_queue_leads_back": poison_message.requeue_reason == LEADS_BACK,
        "dead_letter_queue": poison_message.dead_letter_queue or None,
        "dead_letter_reason": poison_message.dead_letter_reason
        if poison_message.dead_letter_reason > 0
        else None,
        "dead_letter_queue_leads_back": poison_message.dead_letter_reason == LEADS_BACK,
    }


def _action_word(poison_message: poison_messages.PoisonPreview) -> str:
    if poison_message.action is not None:
        return poison_message.action.value
    return "locked" if poison_message.is_locked else "expire"


def _print_poison(choices: Choices, previews: Iterable[poison_messages.PoisonPreview]) -> None:
    """A paragraph for each message under the name of its queue."""
    queue = None
    for poison_message in previews:
        if poison_message.queue != queue:
            queue = poison_message.queue
            backout_queue = poison_message.backout_queue or "' '"
            print_wrapped(
                f"{queue}: BOTHRESH({poison_message.threshold}) BOQNAME({backout_queue})", "  "
            )
        print_wrapped(f"  {poison_message.descriptor.msg_id.hex().upper()}")
        for sentence in (_backouts(poison_message), _consumer(poison_message)):
            print_wrapped(f"    {sentence}", " " * 6)
    if queue is None:
        choices.inform("mqsc: no message has been backed out")


def _backouts(poison_message: poison_messages.PoisonPreview) -> str:
    count = poison_message.descriptor.backout_count
    times = "once" if count == 1 else f"{count} times"
    if poison_message.last is None:
        return f"backed out {times}; the history does not say by whom"
    who = poison_message.last.application or "(no application)"
    by = f"last by {who}, user {poison_message.last.user or '(none)'}"
    return f"backed out {times}, {by}, {iso(poison_message.last.at)}"


def _consumer(poison_message: poison_messages.PoisonPreview) -> str:
    """The action of a consumer, and why it cannot take a better one."""
    if poison_message.is_locked:
        return "locked by a browse of another program: no get finds it"
    if poison_message.action is None:
        return "expired: a get discards it"
    if poison_message.action is Action.DELIVER:
        never = "; with BOTHRESH(0) it is never moved" if not poison_message.threshold else ""
        return f"a consumer delivers it again{never}"
    requeue = _fault("BOQNAME", poison_message.backout_queue, poison_message.requeue_reason)
    why = " and ".join(
        filter(
            None,
            (
                requeue,
                _fault(
                    "DEADQ", poison_message.dead_letter_queue, poison_message.dead_letter_reason
                ),
            ),
        ),
    )
    return _ACTIONS[poison_message.action].format(target=poison_message.target) + (
        f", because {why}" if why else ""
    )


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

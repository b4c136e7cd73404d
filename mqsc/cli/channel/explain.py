"""`mqsc channel explain`, and its rows."""

from typing import Any

import click

from mqsc.channels.forecast import Destiny, Forecast, NextMessage, PartnerFacts, forecast
from mqsc.cli.channel.explanation_text import answer_line, explanation_lines, retries_left, starters
from mqsc.console.json_rows import picked, print_rows
from mqsc.console.object_names import ObjectName
from mqsc.console.options import Choices, command
from mqsc.console.parameters import iso, iso_or_none
from mqsc.console.past import no_past
from mqsc.console.target import explained, opened_queue_manager
from mqsc.console.terminal import columns
from mqsc.language.reply import message_line
from mqsc.store.admin.channel import explanation
from mqsc.store.constants import MQRCCF
from mqsc.targets.on_target import on_target


@command(reads=True)
@click.argument("name", type=ObjectName("channel"))
@no_past(
    "the history does not have the states of channels; `mqsc history --kind CHANNEL` has what "
    "happened to them",
)
@on_target
def explain(choices: Choices, name: str) -> None:
    """Explain why the channel NAME is in its status, and what would happen to its next message.

    Shows who runs it and what it waits for, its last failure and its next attempt, a batch in doubt
    with the messages it holds and what the partner has on record, what could start it, and what
    commands would answer. Changes nothing.
    """
    if choices.elsewhere is not None:
        choices.inform("mqsc: definitions only: the status of the channel is not read")
    unknown = message_line("AMQ8227E", name)
    with opened_queue_manager(choices) as qmgr, explained(MQRCCF.CHANNEL_NOT_FOUND, unknown):
        facts = explanation.explain(qmgr, name)
        expected = forecast(qmgr, facts) if facts.sends else None
    print_rows(
        choices.format,
        [explanation_row(facts, expected)],
        explanation_lines(facts, expected, columns()),
    )


def explanation_row(facts: explanation.ChannelFacts, expected: Forecast | None) -> dict[str, Any]:
    """The explanation as data for JSON."""
    queue = facts.queue
    return {
        "channel": facts.name,
        "qmgr": facts.qmgr,
        "type": facts.type,
        "at": iso(facts.at),
        "running": facts.running,
        "connection_name": str(facts.definition.get("CONNAME", "")),
        "transmission_queue": queue and queue.name,
        "depth": queue and queue.depth,
        "status": facts.status.name,
        "instances": [_instance_row(each) for each in facts.instances],
        "last_end": facts.last_end and {**facts.last_end._asdict(), "at": iso(facts.last_end.at)},
        "in_doubt": [_doubt_row(each, expected) for each in facts.doubt],
        "initiation_queue": facts.initiation_queue or None,
        "initiators": [each.number_here for each in facts.initiators],
        "started_by": [*starters(facts)],
        "partner": expected and _partner_row(expected.partner),
        "next_message": expected and expected.next and _next_row(expected.next),
        "commands": {
            each.command: answer_line(facts, expected, each).partition(":")[0]
            for each in facts.answers
        },
        "faults": [{"step": each.step or None, "action": each.action} for each in facts.faults],
    }


def _instance_row(instance: explanation.Instance) -> dict[str, Any]:
    row, left = instance.instance, retries_left(instance)
    return {
        "partner": row.partner or None,
        "status": row.status.name,
        "substate": row.figures.get("SUBSTATE", ""),
        "process": instance.process and instance.process.number_here,
        "bound_to": row.figures.get("RQMNAME") or None,
        "requested": row.requested or None,
        "retry_at": iso_or_none(row.retry_at),
        "short_retries_left": left and left.short,
        "long_retries_left": left and left.long,
    }


def _doubt_row(batch: explanation.BatchInDoubt, expected: Forecast | None) -> dict[str, Any]:
    partner = None if expected is None else expected.partner
    known = partner is not None and partner.luwid is not None and batch.luwid not in partner.strange
    return {
        "luwid": batch.luwid,
        "since": iso(batch.since),
        "messages": batch.messages,
        "first_messages": [{**each._asdict(), "msg_id": each.msg_id.hex()} for each in batch.first],
        "partner_committed": partner.luwid == batch.luwid
        if partner is not None and known
        else None,
    }


def _partner_row(partner: PartnerFacts) -> dict[str, Any]:
    named = {name: value or None for name, value in picked(partner, "name refusal luwid").items()}
    return {**named, "sequence": partner.sequence}


def _next_row(message: NextMessage) -> dict[str, Any]:
    return {
        "msg_id": message.msg_id.hex(),
        "queue": message.queue or None,
        "queue_manager": message.queue_manager or None,
        **picked(message, "length persistent fast"),
        "expired_before": message.expired,
        "outcome": message.destiny and _destiny_row(message.destiny),
    }


def _destiny_row(destiny: Destiny) -> dict[str, Any]:
    return {
        "where": destiny.where,
        "reason": destiny.reason,
        "action": "deliver" if destiny.action is None else destiny.action.value,
        "target": destiny.target or None,
        "retries": destiny.retries,
        "dead_letter_reason": destiny.dead_letter if destiny.dead_letter > 0 else None,
        "report": destiny.reports,
    }

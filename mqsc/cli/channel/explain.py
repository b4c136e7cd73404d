"""`mqsc channel explain`, and its rows."""

from __future__ import annotations

import sys
from typing import Any

import click

from mqsc.channels.forecast import Destiny, Forecast, NextMessage, PartnerFacts, forecast
from mqsc.cli.channel.explanation_text import answer_line, explanation_lines, retries_left, starters
from mqsc.console.object_names import ObjectName
from mqsc.console.options import Choices, command
from mqsc.console.parameters import iso
from mqsc.console.target import explained, opened_queue_manager
from mqsc.console.terminal import columns, print_json, shown_on
from mqsc.language.messages import message_line
from store.admin.channel.display import BatchInDoubt, ChannelFacts, Instance
from store.admin.channel.display import explain as explain_channel
from store.constants import MQRCCF


@command()
@click.argument("name", type=ObjectName("channel"))
def explain(choices: Choices, name: str) -> None:
    """Explain why the channel NAME is in its status, and what would happen to its next message.

    Shows who runs it and what it waits for, its last failure and its next attempt, a batch in doubt with the messages
    it holds and what the partner has on record, what could start it, and what commands would answer. Changes nothing.
    """
    unknown = message_line("AMQ8227E", name)
    with opened_queue_manager(choices) as qmgr, explained(MQRCCF.CHANNEL_NOT_FOUND, unknown):
        facts = explain_channel(qmgr, name)
        found = forecast(qmgr, facts) if facts.sends else None
    if print_json(choices.format, [explanation_row(facts, found)]):
        return
    for line in explanation_lines(facts, found, columns()):
        click.echo(shown_on(sys.stdout, line))


def explanation_row(facts: ChannelFacts, found: Forecast | None) -> dict[str, Any]:
    """The explanation as data for JSON."""
    queue = facts.queue
    return {
        "channel": facts.name,
        "qmgr": facts.qmgr,
        "type": facts.type,
        "at": iso(facts.at),
        "running": facts.running,
        "connection_name": str(facts.definition.get("CONNAME", "")),
        "transmission_queue": None if queue is None else queue.name,
        "depth": None if queue is None else queue.depth,
        "status": facts.status.name,
        "instances": [_instance_row(each) for each in facts.instances],
        "last_end": None if facts.last_end is None else {**facts.last_end._asdict(), "at": iso(facts.last_end.at)},
        "in_doubt": [_doubt_row(each, found) for each in facts.doubt],
        "initiation_queue": facts.initiation_queue or None,
        "initiators": list(facts.initiators),
        "started_by": [*starters(facts)],
        "partner": None if found is None else _partner_row(found.partner),
        "next_message": None if found is None or found.next is None else _next_row(found.next),
        "commands": {each.command: answer_line(facts, found, each).partition(":")[0] for each in facts.answers},
        "faults": [{"step": each.step or None, "action": each.action} for each in facts.faults],
    }


def _instance_row(each: Instance) -> dict[str, Any]:
    row = each.row
    left = retries_left(each)
    return {
        "partner": row.partner or None,
        "status": row.status.name,
        "substate": row.figures.get("SUBSTATE", ""),
        "process": each.process,
        "bound_to": row.figures.get("RQMNAME") or None,
        "requested": row.requested or None,
        "retry_at": None if row.retry_at is None else iso(row.retry_at),
        "short_retries_left": None if left is None else left.short,
        "long_retries_left": None if left is None else left.long,
    }


def _doubt_row(batch: BatchInDoubt, found: Forecast | None) -> dict[str, Any]:
    partner = None if found is None else found.partner
    known = partner is not None and partner.luwid is not None and batch.luwid not in partner.strange
    return {
        "luwid": batch.luwid,
        "since": iso(batch.since),
        "messages": batch.messages,
        "first_messages": [{**each._asdict(), "msg_id": each.msg_id.hex()} for each in batch.first],
        "partner_committed": partner.luwid == batch.luwid if partner is not None and known else None,
    }


def _partner_row(partner: PartnerFacts) -> dict[str, Any]:
    return {
        "name": partner.name or None,
        "refusal": partner.refusal or None,
        "luwid": partner.luwid or None,
        "sequence": partner.sequence,
    }


def _next_row(message: NextMessage) -> dict[str, Any]:
    destiny = message.destiny
    return {
        "msg_id": message.msg_id.hex(),
        "queue": message.queue or None,
        "queue_manager": message.queue_manager or None,
        "length": message.length,
        "persistent": message.persistent,
        "fast": message.fast,
        "expired_before": message.expired,
        "outcome": None if destiny is None else _destiny_row(destiny),
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

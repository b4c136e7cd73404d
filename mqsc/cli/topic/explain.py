"""`mqsc topic explain`, and its rows."""

from __future__ import annotations

from typing import Any

import click

from mqsc.cli.topic.explanation_text import condition_text, explanation_lines
from mqsc.console import target
from mqsc.console.json_rows import print_rows
from mqsc.console.options import Choices, command
from mqsc.console.parameters import TopicString, iso
from mqsc.console.past import no_past
from mqsc.console.terminal import columns, printable
from mqsc.console.text.message_properties import GivenProperty, PropertyText, handle_with
from mqsc.store.admin.topic_explanation import (
    HypotheticalPublication,
    SubscriptionVerdict,
    TopicExplanation,
    TopicObject,
    explain as explain_topic,
)
from mqsc.store.constants import MQPER
from mqsc.store.rules.topics.matching import DEFAULT_LEVEL


@command(reads=True)
@click.argument("string", type=TopicString(), metavar="STRING")
@click.option(
    "--level",
    type=click.IntRange(0, 9),
    default=DEFAULT_LEVEL,
    show_default=True,
    metavar="0-9",
    help="The level of the publication (PubLevel).",
)
@click.option(
    "--property",
    "properties",
    type=PropertyText(),
    multiple=True,
    metavar="NAME[:TYPE]=VALUE",
    help="A property of the publication, for selectors; repeatable.",
)
@click.option(
    "--persistent/--not-persistent",
    default=None,
    help="Persistence of the publication (default: from the topic).",
)
@click.option(
    "--not-own",
    type=click.IntRange(min=1),
    default=None,
    metavar="CONNECTION",
    help="As published by this connection with MQPMO_NOT_OWN_SUBS.",
)
@no_past("`mqsc history --kind SUBSCRIBE,UNSUBSCRIBE` has which subscriptions there were")
def explain(
    choices: Choices,
    string: str,
    level: int,
    properties: tuple[GivenProperty, ...],
    persistent: bool | None,
    not_own: int | None,
) -> None:
    """Explain who would receive a publication to the topic STRING now, and who would not.

    Shows the topic objects of STRING and which of them gives each attribute, the subscriptions that
    would receive a copy and whether their queues take it, and for each of the others the condition
    that fails. Wildcards have no meaning in STRING. Changes nothing.
    """
    with target.failing(ValueError, click.UsageError, "--"):
        handle = handle_with(None, properties)
    asked = HypotheticalPublication(
        level=level,
        persistence=None if persistent is None else _PERSISTENCE[persistent],
        not_own=not_own or 0,
        properties=tuple(handle.properties.values()),
        fields=tuple(handle.fields.items()),
    )
    with target.opened_queue_manager(choices) as qmgr:
        found = explain_topic(qmgr, string, asked)
    print_rows(choices.format, [explanation_row(found)], explanation_lines(found, columns()))


_PERSISTENCE = {False: int(MQPER.NOT_PERSISTENT), True: int(MQPER.PERSISTENT)}


def explanation_row(found: TopicExplanation) -> dict[str, Any]:
    """The explanation as data for JSON."""
    return {
        "topic_string": found.topic_string,
        "qmgr": found.queue_manager,
        "at": iso(found.at),
        "has_node": found.has_node,
        "objects": [_object_row(each) for each in found.objects],
        "blocked_at": found.block and _object_row(found.block),
        "attributes": {
            each.word: {"value": each.value, "object": each.source and each.source.name}
            for each in found.attributes
        },
        "level": found.publication.level,
        "refused": found.refusal or None,
        "fails": found.failure or None,
        "receive": len(found.receiving),
        "subscriptions": [_subscription_row(each, found) for each in found.subscriptions],
    }


def _object_row(topic: TopicObject) -> dict[str, Any]:
    return {"topic": topic.name, "topic_string": topic.topic_string}


def _subscription_row(each: SubscriptionVerdict, found: TopicExplanation) -> dict[str, Any]:
    row = each.row
    failed = each.condition
    return {
        "name": row.name or None,
        "subid": row.identifier,
        "topic_string": row.topic_string,
        "scheme": "CHAR" if row.by_character else "TOPIC",
        "durable": bool(row.durable),
        "level": row.level,
        "selector": row.selector or None,
        "queue": row.destination,
        "queue_manager": row.destination_manager or None,
        "connection": row.connection or None,
        "receives": failed is None,
        "failed": None if failed is None else failed.value,
        "why": None if failed is None else printable(condition_text(each, found)),
        "reason": each.reason or None,
        "dead_lettered": each.is_dead_lettered,
    }

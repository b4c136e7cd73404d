"""`mqsc topic explain`: what applies at a topic string, and who would receive a publication."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import click

from mqsc.console import target
from mqsc.console.json_rows import print_rows
from mqsc.console.options import Choices, command
from mqsc.console.terminal import printable
from mqsc.store.admin.topic_explanation import (
    ExplainedSubscription,
    TopicExplanation,
    explain_topic,
)
from mqsc.store.rules.topics.matching import DEFAULT_LEVEL, Condition

_WHY: Mapping[Condition, str] = {
    Condition.STRING: "its topic string does not match",
    Condition.EXPIRED: "it has expired",
    Condition.REQUEST_ONLY: "it gets publications on request only (REQONLY)",
    Condition.OWN: "it is the publisher's own",
    Condition.SELECTOR: "its selector is not true",
    Condition.LEVEL: "another SUBLEVEL comes first, or PubLevel is lower",
    Condition.GROUP: "another subscription of its group gets the message",
}


@command()
@click.argument("string")
@click.option(
    "--level",
    type=click.IntRange(0, 9),
    default=DEFAULT_LEVEL,
    show_default=True,
    metavar="0-9",
    help="PubLevel of the publication.",
)
@click.option("--all", "everything", is_flag=True, help="List subscriptions to other strings too.")
def explain(choices: Choices, string: str, level: int, everything: bool) -> None:
    """Explain what applies at the topic STRING, and which subscriptions would receive a publication.

    Shows each attribute with the topic object that gives it, then each subscription with the
    condition that keeps the publication from it. Changes nothing.
    """
    with target.opened_queue_manager(choices) as qmgr:
        found = explain_topic(qmgr, string, level)
    shown = [
        each for each in found.subscriptions if everything or each.condition != Condition.STRING
    ]
    print_rows(choices.format, [_row(found, shown)], _lines(found, shown))


def _row(found: TopicExplanation, shown: list[ExplainedSubscription]) -> dict[str, Any]:
    return {
        "topic_string": found.string,
        "objects": list(found.objects),
        "attributes": {
            each.keyword: {"value": each.value, "from": each.source} for each in found.attributes
        },
        "publish_subscribe": found.is_enabled,
        "subscriptions": [
            {
                "name": each.name,
                "subid": each.identifier,
                "topic_string": each.topic_string,
                "destination": each.destination,
                "receives": each.condition is None,
                "condition": None if each.condition is None else each.condition.value,
                "selector": each.selector,
            }
            for each in shown
        ],
    }


def _lines(found: TopicExplanation, shown: list[ExplainedSubscription]) -> Iterator[str]:
    yield printable(f"{found.string}: objects at and above it: {', '.join(found.objects)}")
    for each in found.attributes:
        source = f"from {each.source}" if each.source else "as shipped"
        yield printable(f"  {each.keyword:9} {each.value!s:32} {source}")
    if not found.is_enabled:
        yield "Nothing can be published: PSMODE of the queue manager is DISABLED."
    if not shown:
        yield "No subscription has this topic string."
    for subscription in shown:
        yield printable(_sentence(found, subscription))


def _sentence(found: TopicExplanation, each: ExplainedSubscription) -> str:
    name = each.name or each.identifier
    about = f"{name} ({each.topic_string}, on {each.destination})"
    if each.condition is None:
        condition = f" if its selector is true: {each.selector}" if each.selector else ""
        return f"{about} receives it{condition}"
    if each.condition is Condition.BLOCKED:
        return f"{about} does not: WILDCARD(BLOCK) at {found.block}"
    return f"{about} does not: {_WHY[each.condition]}"

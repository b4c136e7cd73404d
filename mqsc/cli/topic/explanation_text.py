"""The explanation of `mqsc topic explain` as text."""

from __future__ import annotations

from collections.abc import Iterator

from mqsc.console.parameters import iso
from mqsc.console.tables import aligned
from mqsc.console.terminal import printable, wrapped
from mqsc.console.text.reasons import counted, reason_text
from mqsc.store.admin.topic_explanation import (
    InheritedAttribute,
    SubscriptionVerdict,
    TopicExplanation,
    TopicObject,
)
from mqsc.store.rules.topics.matching import Condition

INDENT = "  "
_AS_SHIPPED = "as SYSTEM.BASE.TOPIC was shipped"


def explanation_lines(found: TopicExplanation, width: int) -> Iterator[str]:
    """The explanation, wrapped at `width`."""
    yield from wrapped(_heading(found), width, hanging=INDENT)
    yield ""
    yield "Attributes"
    rows = [(_attribute(each), _source(each)) for each in found.attributes]
    yield from (INDENT + line for line in aligned(rows))
    yield ""
    yield from wrapped(_summary(found), width, hanging=INDENT)
    receiving = found.receiving
    others = [each for each in found.subscriptions if each.condition is not None]
    sections = (
        ("Receive it", [_receiving(each, found) for each in receiving]),
        (
            "Do not receive it",
            [f"{_name(each)}: {condition_text(each, found)}" for each in others],
        ),
    )
    for heading, lines in sections:
        if lines:
            yield ""
            yield heading
        for line in lines:
            yield from wrapped(printable(line), width, INDENT, hanging=INDENT * 2)


def _heading(found: TopicExplanation) -> str:
    string = found.topic_string
    node = "a node of the topic tree" if found.has_node else "not a node of the topic tree"
    own = found.objects[0] if found.objects else None
    if own is not None and own.topic_string == string:
        node += f", topic object {own.name}"
    elif own is not None and own.topic_string:
        node += f", below topic object {_object(own)}"
    return printable(f"{string} at {found.queue_manager}, {iso(found.at)}: {node}")


def _object(topic: TopicObject) -> str:
    return f"{topic.name} ({topic.topic_string})" if topic.topic_string else topic.name


def _attribute(each: InheritedAttribute) -> str:
    return f"{each.word}({each.value})"


def _source(each: InheritedAttribute) -> str:
    return _AS_SHIPPED if each.source is None else printable(_object(each.source))


def _summary(found: TopicExplanation) -> str:
    what = f"A publication of level {found.publication.level} now"
    if found.refusal:
        return f"{what} would be refused with {_reason(found.refusal)}. Otherwise:"
    count = len(found.receiving)
    of_all = f"{count} of {counted(len(found.subscriptions), 'subscription')}"
    if found.failure:
        return f"{what} would fail with {_reason(found.failure)}; {of_all} should receive it."
    return f"{what} would reach {of_all}."


def _reason(reason: int) -> str:
    return reason_text(reason).rstrip(".")


def _name(each: SubscriptionVerdict) -> str:
    row = each.row
    scheme = ", by characters" if row.by_character else ""
    return f"{row.name or row.identifier} ({row.topic_string}{scheme})"


def _receiving(each: SubscriptionVerdict, found: TopicExplanation) -> str:
    row = each.row
    manager = f" at {row.destination_manager}" if row.destination_manager else ""
    queue = f"{row.destination}{manager}"
    if not each.reason:
        return f"{_name(each)}: on {queue}"
    refused = f"{_name(each)}: {queue} refuses it, {_reason(each.reason)}"
    if each.is_dead_lettered:
        return f"{refused}; it goes to the dead-letter queue {found.dead_letter_queue}"
    return f"{refused}; {_why_no_dead_letter(found)}"


def _why_no_dead_letter(found: TopicExplanation) -> str:
    uses = {each.word: each.value for each in found.attributes}["USEDLQ"] == "YES"
    if not uses:
        return "USEDLQ(NO) keeps it off the dead-letter queue"
    if not found.dead_letter_queue:
        return "there is no dead-letter queue (DEADQ is blank)"
    return f"the dead-letter queue {found.dead_letter_queue} refuses it, too"


def condition_text(each: SubscriptionVerdict, found: TopicExplanation) -> str:
    """The condition that a subscription fails, in words."""
    row = each.row
    match each.condition:
        case Condition.STRING:
            return "its topic string does not match"
        case Condition.BLOCKED:
            block = "an object" if found.block is None else _object(found.block)
            return f"blocked at {block}, which has WILDCARD(BLOCK)"
        case Condition.EXPIRED:
            return f"expired at {'' if row.expires_at is None else iso(row.expires_at)}"
        case Condition.REQUEST_ONLY:
            return "it gets publications on request only (REQONLY)"
        case Condition.OWN:
            return f"own: connection {row.connection} has it open"
        case Condition.SELECTOR:
            return f"its selector is {'unknown' if each.is_unknown else 'false'}: {row.selector}"
        case Condition.LEVEL:
            return _level(each, found)
        case _:
            return "another subscription of its group receives it"


def _level(each: SubscriptionVerdict, found: TopicExplanation) -> str:
    level = each.row.level
    if level > found.publication.level:
        return f"its level {level} is above that of the publication"
    return f"its level {level} is below {found.taken_level}, which receives it"

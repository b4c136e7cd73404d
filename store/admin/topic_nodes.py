"""The nodes of the topic tree, which exist as long as they are used (publish-subscribe §1)."""

from __future__ import annotations

from typing import NamedTuple

from mqsc.store.admin.inquiring import inquire, inquire_queue_manager
from mqsc.store.catalog import KINDS
from mqsc.store.engine import retained
from mqsc.store.engine.displayed_definition import DisplayedValues
from mqsc.store.engine.recovery import recover
from mqsc.store.engine.state import QueueManagerState
from mqsc.store.environment import MICROSECONDS
from mqsc.store.rules.topics.inheritance import nodes_of
from mqsc.store.rules.topics.wildcards import TopicPattern
from mqsc.store.sql import subscriptions
from mqsc.store.sql.rows import PublisherRow, SubscriptionRow
from mqsc.store.sqlite.database import Reading

TOPIC = KINDS["TOPIC"]


class TopicTree(NamedTuple):
    """What makes nodes of the topic tree: topic objects by their string, subscriptions, retained
    publications, open publishing handles, and strings that were published to lately.
    """

    objects: dict[str, DisplayedValues]
    subscriptions: list[SubscriptionRow]
    retained: set[str]
    publishers: list[PublisherRow]
    published: list[str]

    @property
    def strings(self) -> set[str]:
        """The topic strings of all nodes."""
        named = {*self.objects, *map(node_of, self.subscriptions), *self.retained, *self.published}
        named.update(each.topic_string for each in self.publishers)
        return nodes_of(named)


def node_of(row: SubscriptionRow) -> str:
    """The node that a subscription has, up to its first wildcard."""
    return TopicPattern(row.topic_string, by_character=bool(row.by_character)).levels


def topic_tree(qmgr: QueueManagerState) -> TopicTree:
    """The topic tree of a queue manager; MQError 2059."""
    recover(qmgr.store)
    topics = {
        str(row["TOPICSTR"]): row
        for row in inquire(qmgr, (TOPIC,), "*")
        if row["TOPIC"] != TOPIC.default_object
    }
    life = inquire_queue_manager(qmgr)["TREELIFE"]
    with Reading(qmgr.store.database) as reading:
        now = qmgr.call_context(reading).now
        since = now - int(life) * MICROSECONDS if life else -1
        name = qmgr.name
        return TopicTree(
            topics,
            subscriptions.of_queue_manager(reading, name),
            retained.strings(reading, name, now),
            subscriptions.publishers(reading, name),
            subscriptions.topics_since(reading, name, since),
        )

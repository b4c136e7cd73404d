"""What publications to a topic string find: the settings of the topic and the subscriptions that
have it, and which of these receive a publication (publish-subscribe §2).
"""

from __future__ import annotations

from msgspec import Struct

from mqsc.store.engine import topic_tree
from mqsc.store.engine.copy_plan import Destinations
from mqsc.store.engine.published_message import AddedHeaders, PublishedMessage
from mqsc.store.engine.receivers import Receiver, receiver_of
from mqsc.store.engine.state import CallContext
from mqsc.store.engine.topic_tree import TopicSettings
from mqsc.store.rules.topics.matching import PublicationFacts, Verdict, receivers, string_fault
from mqsc.store.rules.topics.wildcards import TopicPattern, buckets
from mqsc.store.sql import subscriptions
from mqsc.store.sqlite.queries import Queries

# The most subscriptions that a PUBLISH names as not receiving it.
_MOST_NAMED = 20


class KnownTopic(Struct, frozen=True):
    """A topic string as publications find it while the queue manager's row has this version.

    `is_enabled` says whether PSMODE lets programs publish, `allows_publishing` whether PUB of the
    topic does, too. `headers` and `destinations` are caches for its publications.
    """

    version: int
    settings: TopicSettings
    receivers: tuple[Receiver, ...]
    is_enabled: bool
    allows_publishing: bool
    headers: AddedHeaders
    destinations: Destinations


def look_up_topic(tx: Queries, call: CallContext, string: str) -> KnownTopic:
    """Look up a topic string and its subscriptions."""
    settings = topic_tree.settings(tx, call, string)
    found = map(receiver_of, subscriptions.in_buckets(tx, call.qmgr.name, buckets(string)))
    matching = [each for each in found if _has(each.pattern, settings)]
    is_enabled = topic_tree.is_enabled(tx, call)
    allowed = is_enabled and settings.allows_publishing
    return KnownTopic(call.qmgr.version, settings, tuple(matching), is_enabled, allowed, {}, {})


def _has(pattern: TopicPattern, settings: TopicSettings) -> bool:
    return string_fault(pattern, settings.string, settings.block) is None


def verdict_of(
    call: CallContext,
    known: KnownTopic,
    published: PublishedMessage,
    level: int,
    skipped_connection: int = 0,
) -> Verdict:
    """Which subscriptions receive a publication."""
    facts = PublicationFacts(level, call.now, skipped_connection)
    candidates = [(each, each.pattern) for each in known.receivers]
    return receivers(candidates, facts, published.selects)


def excluded(known: KnownTopic, verdict: Verdict) -> dict[str, object]:
    """The subscriptions of a topic string that do not receive a publication, each with the
    condition that failed, as details of the PUBLISH; empty if there are none.
    """
    failed = verdict.failed
    if not failed:
        return {}
    named = [each for each in known.receivers if each.id in failed][:_MOST_NAMED]
    details: dict[str, object] = {"excluded": {each.name: failed[each.id].value for each in named}}
    if len(failed) > len(named):
        details["excluded_more"] = len(failed) - len(named)
    return details

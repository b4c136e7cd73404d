"""Which subscriptions there were at a moment, from those that there are now: what later events say
of making and ending them is undone.

The history has their names, topics and queues, and what decides what they receive; nothing of the
programs that had them open.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mqsc.store.rules.message_trace import TracedEvent, event_of
from mqsc.store.rules.topics.wildcards import TopicPattern
from mqsc.store.sql import search, subscriptions
from mqsc.store.sqlite.database import Transaction

_KINDS = ["SUBSCRIBE", "UNSUBSCRIBE"]
# The causes of SUBSCRIBE for a new subscription.
_MADE = frozenset({"create", "admin"})
_UNLIMITED = -1
_BY_CHARACTER = "CHAR"
# The details that are columns of the same meaning.
_FLAGS = {"durable": 0, "managed": 0, "request_only": 0, "grouped": 0, "level": 1}


def take_back_subscriptions(
    tx: Transaction, first: int, last: int, clocks: Mapping[str, int]
) -> None:
    """Undo what the events numbered `first` to `last` did to subscriptions; `clocks` is what the
    clock of each queue manager showed before them.
    """
    later = [*map(event_of, search.search(tx, first, last, {"kinds": _KINDS}, _UNLIMITED))]
    for event in reversed(later):
        present = subscriptions.by_identifier(tx, event.qmgr, str(event.detail.get("subid", "")))
        if event.kind == "UNSUBSCRIBE":
            subscriptions.add(tx, _described(event, clocks))
        elif present is not None and event.cause in _MADE:
            subscriptions.remove(tx, present.id)
        elif present is not None and (before := _as_before(event)):
            subscriptions.set_columns(tx, present.id, before)
    for qmgr, now in clocks.items():
        subscriptions.forget_programs(tx, qmgr, now)


def _as_before(event: TracedEvent) -> dict[str, Any]:
    """The columns that the event changed, as they were."""
    before = event.detail.get("before")
    return dict(before) if isinstance(before, Mapping) else {}


def _described(event: TracedEvent, clocks: Mapping[str, int]) -> dict[str, Any]:
    """The row of a subscription that is gone, as the event describes it; when it was made is not
    known.
    """
    made_at = clocks.get(event.qmgr, event.at)
    detail, string = event.detail, event.target or ""
    by_character = detail.get("scheme") == _BY_CHARACTER
    pattern = TopicPattern(string, by_character=by_character)
    return {
        **{word: int(detail.get(word, usual)) for word, usual in _FLAGS.items()},
        "qmgr": event.qmgr,
        "identifier": str(detail.get("subid", "")),
        "name": str(detail.get("name", "")),
        "is_administrative": int(detail.get("administrative", 0)),
        "topic_string": string,
        "by_character": int(by_character),
        "bucket": pattern.bucket,
        "destination": event.queue or "",
        "selector": str(detail.get("selector", "")),
        "user": str(detail.get("user", "")),
        "created_at": made_at,
        "altered_at": made_at,
    }

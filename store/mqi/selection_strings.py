"""Gets with a selection string: which messages the selector of a handle selects (properties §6).

The places of the messages are read page by page from an index, without the messages themselves. If
the answer of the selector for a message cannot change, it is asked once. Data is read only for
messages that may have properties.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.engine.selectors import selector_of
from mqsc.store.engine.stored_message import TRANSMISSION_HEADER, descriptor_of
from mqsc.store.rules.expiry import is_expired
from mqsc.store.rules.properties import message_data
from mqsc.store.rules.properties.property_set import Properties
from mqsc.store.rules.selector.conditions import Selector
from mqsc.store.sql import messages
from mqsc.store.sql.rows import StoredMessage
from mqsc.store.sql.selection import Expired, Place
from mqsc.store.sqlite.queries import Queries

PAGE = 500
# The most answers that a handle keeps; then it forgets them and asks again.
MOST_ANSWERS = 200_000
_UNDER_CURSOR = "id"


class HandleSelector:
    """The selector of a handle, and its answers by the sequence number of the message."""

    __slots__ = ("answers", "selector")

    def __init__(self, text: str, object_name: str) -> None:
        self.selector: Selector = selector_of(text, object_name)
        self.answers: dict[int, bool] = {}


class Search(Struct, frozen=True):
    """What to search for: the names of conditions, and their values. The order is the queue's."""

    conditions: frozenset[str]
    values: Mapping[str, Any]


def first(
    tx: Queries,
    selector: HandleSelector | None,
    search: Search,
    now: int,
) -> StoredMessage | None:
    """The first committed message in delivery order that meets the conditions and that the
    selector selects.
    """
    if selector is None or _UNDER_CURSOR in search.conditions:
        return messages.first(tx, search.conditions, search.values)
    place = next(_selected(tx, selector, search, now), None)
    return None if place is None else messages.by_id(tx, place.id)


def exists(tx: Queries, selector: HandleSelector | None, search: Search, now: int) -> bool:
    """Whether there is such a message."""
    if selector is None or _UNDER_CURSOR in search.conditions:
        return messages.exists(tx, search.conditions, search.values)
    return next(_selected(tx, selector, search, now), None) is not None


def expired_before_first_live(
    tx: Queries,
    selector: HandleSelector | None,
    search: Search,
    now: int,
    limit: int,
) -> list[Expired]:
    """Up to `limit` expired messages that come before the first live one, of those selected."""
    if selector is None or _UNDER_CURSOR in search.conditions:
        return messages.expired_before_first_live(tx, search.conditions, search.values, now, limit)
    expired: list[Expired] = []
    for place in _selected(tx, selector, search, now):
        (found,) = messages.without_body(tx, [place.id])
        if not is_expired(found.expires_at, now) or len(expired) == limit:
            break
        expired.append(Expired(found.id, found.report, found.expires_at))
    return expired


def _selected(tx: Queries, selector: HandleSelector, search: Search, now: int) -> Iterator[Place]:
    # With the identifiers that the selector demands, an index finds the message.
    demanded = {name: bytearray(value) for name, value in selector.selector.identifiers.items()}
    for place in _places(tx, search.conditions.union(demanded), {**demanded, **search.values}):
        if _answer(tx, selector, place, now):
            yield place


def _places(tx: Queries, conditions: frozenset[str], values: Mapping[str, Any]) -> Iterator[Place]:
    """The places of the messages, a page at a time: the rest of a priority, then lower ones."""
    searches = [(conditions, values)]
    while searches:
        conditions, values = searches.pop()
        page = messages.places(tx, conditions, values, PAGE)
        yield from page
        if len(page) < PAGE:
            continue
        after = {**values, "rank": page[-1].rank, "sequence": page[-1].sequence}
        if "same_rank" not in conditions:
            searches.append((conditions | {"lower_rank"}, after))
        searches.append((conditions - {"lower_rank"} | {"same_rank"}, after))


def _answer(tx: Queries, selector: HandleSelector, place: Place, now: int) -> bool:
    known = selector.answers.get(place.sequence)
    if known is not None:
        return known
    asked = selector.selector
    answer = asked.selects(_facts(tx, asked, place.id, now))
    if asked.is_stable:
        if len(selector.answers) >= MOST_ANSWERS:
            selector.answers.clear()
        selector.answers[place.sequence] = answer
    return answer


def _facts(
    tx: Queries,
    selector: Selector,
    id: int,
    now: int,
) -> tuple[MessageDescriptor, Properties]:
    """The MQMD as its program gave it, and the properties, if the selector needs them."""
    (found,) = messages.without_body(tx, [id])
    descriptor = descriptor_of(found, now)
    if not message_data.may_carry(found.format) or found.format == TRANSMISSION_HEADER:
        return descriptor, {}
    whole = messages.by_id(tx, id)
    carried = None if whole is None else message_data.read(descriptor, whole.body)
    if carried is None:
        return descriptor, {}
    if carried.data_format is not None:
        descriptor.format = carried.data_format
    return descriptor, carried.properties if selector.needs_properties else {}

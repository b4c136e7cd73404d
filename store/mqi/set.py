"""MQSET."""

from __future__ import annotations

from collections.abc import Mapping

from store.argument_checks import must_be_writable
from store.catalog import KINDS, Kind, Stored
from store.catalog.types import InvalidValueError
from store.constants import MQRC
from store.engine.attribute_change import Change, rewrite
from store.engine.definitions import complete
from store.error import MQError
from store.mqi.inquire import known, subject
from store.mqi.revalidate import transaction
from store.mqi.selectors import Selector
from store.mqi.state import HandleState
from store.rules import opening
from store.sql import objects


def set_attributes(handle: HandleState, values: Mapping[int, int | str]) -> None:
    """Change attributes of a queue at once: all of them or none, outside any unit of work, never undone by MQBACK.

    MQError 2019, 2040, 2041, 2052; 2067 for a selector that cannot be set for a queue of this type; 2020, 2075 to 2078
    for an invalid value, 2006 for a text that is too long, 2007 or 2023 for a number where a text is wanted or the
    reverse. Trigger messages that the change causes are generated (O-ALTER, O-GET, O-INITQ-PUT). ALTDATE and ALTTIME
    stay: they belong to commands.
    """
    if not handle.is_open:
        raise MQError(MQRC.HOBJ_ERROR)
    if not handle.options & opening.SET:
        raise MQError(MQRC.NOT_OPEN_FOR_SET, handle.name)
    rows = known(handle, list(values))
    if not rows:
        return
    connection = handle.connection
    with transaction(connection) as (tx, call):
        queue = subject(tx, handle)
        kind = KINDS[queue.type]
        given = {row.keyword: _stored(handle, kind, row, values[row.number]) for row in rows}
        definition = objects.by_name(tx, queue.owner, "queue", queue.name)
        if definition is None:
            raise MQError(MQRC.Q_DELETED, handle.name)
        before = complete(kind, definition.attributes)
        change = Change(before, {**before, **given}, frozenset(given), event="SET", cause="application")
        rewrite(tx, call, definition, change)


def _stored(handle: HandleState, kind: Kind, selector: Selector, value: int | str) -> Stored:
    """The value as a definition stores it."""
    attribute = kind.attributes.get(selector.keyword)
    if not selector.refusal or attribute is None:
        raise MQError(MQRC.SELECTOR_ERROR, handle.name)
    if isinstance(value, str) is not bool(selector.length):
        raise MQError(MQRC.CHAR_ATTRS_ERROR if selector.length else MQRC.INT_ATTRS_ARRAY_ERROR, handle.name)
    if isinstance(value, str):
        must_be_writable(value, selector.keyword)
    if attribute.type.words and not isinstance(value, str):
        word = next((word for word, number in selector.words.items() if number == value), None)
        if word not in attribute.type.words:
            raise MQError(selector.refusal, handle.name)
        return word
    try:
        return attribute.type.accept(str(value))
    except InvalidValueError:
        raise MQError(selector.refusal, handle.name) from None

"""MQINQ and MQSET."""

from __future__ import annotations

from collections.abc import Sequence

from mqsc.clients.process import LinkedConnection
from mqsc.clients.structure import padded, text
from store.constants import MQCC, MQRC
from store.error import MQError
from store.mqi.selectors import selectors_of

_MOST_SELECTORS = 256


def inquire(
    linked: LinkedConnection, number: int, selectors: Sequence[int], integers: int, length: int
) -> tuple[list[int], bytes, int, int]:
    """MQINQ: the numbers, at most so many, and the texts, at most so many bytes, in the order of their selectors.

    MQError 2065 for a number of selectors that is none, 2021 and 2006 for a room that is negative. Too little room is a
    warning: 2022 or 2008.
    """
    handle = linked.object(number)
    if not selectors:
        raise MQError(MQRC.SELECTOR_COUNT_ERROR)
    if integers < 0:
        raise MQError(MQRC.INT_ATTR_COUNT_ERROR)
    if length < 0:
        raise MQError(MQRC.CHAR_ATTR_LENGTH_ERROR)
    found = handle.inquire(*selectors)
    table = selectors_of(handle.namespace)
    values = [found[each] for each in selectors]
    numbers = [value for value in values if isinstance(value, int)]
    texts = b"".join(
        padded(value, max(table[each].length, len(value.encode())))
        for each, value in zip(selectors, values, strict=True)
        if isinstance(value, str)
    )
    reason = int(found.reason)
    if len(texts) > length:
        reason = int(MQRC.CHAR_ATTRS_TOO_SHORT)
    if len(numbers) > integers:
        reason = int(MQRC.INT_ATTR_COUNT_TOO_SMALL)
    completion = int(MQCC.WARNING) if reason else int(MQCC.OK)
    return [int(each) for each in numbers[:integers]], texts[:length], completion, reason


def set_attributes(
    linked: LinkedConnection, number: int, selectors: Sequence[int], integers: Sequence[int], texts: bytes
) -> tuple[int, int]:
    """MQSET: numbers and texts in the order of their selectors. MQError 2021 and 2006 for too few of them."""
    handle = linked.object(number)
    if not selectors:
        raise MQError(MQRC.SELECTOR_COUNT_ERROR)
    if len(selectors) > _MOST_SELECTORS:
        raise MQError(MQRC.SELECTOR_LIMIT_EXCEEDED)
    table = selectors_of(handle.namespace)
    values: dict[int, int | str] = {}
    numbers, at = iter(integers), 0
    for each in selectors:
        row = table.get(each)
        if row is None:
            raise MQError(MQRC.SELECTOR_ERROR)
        if not row.length:
            value = next(numbers, None)
            if value is None:
                raise MQError(MQRC.INT_ATTR_COUNT_ERROR)
            values[each] = value
            continue
        if at + row.length > len(texts):
            raise MQError(MQRC.CHAR_ATTR_LENGTH_ERROR)
        values[each] = text(texts[at : at + row.length])
        at += row.length
    handle.set(values)
    return 0, 0

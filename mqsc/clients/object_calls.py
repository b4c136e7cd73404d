"""MQOPEN, MQCLOSE, MQINQ and MQSET."""

from collections.abc import Mapping, Sequence
from typing import Any

from mqsc.clients.memory_strings import variable_string, written
from mqsc.clients.process import LinkedConnection
from mqsc.clients.publish_subscribe import text_of
from mqsc.clients.structures import MQOD, padded, text
from mqsc.clients.unknown_queues import explaining_unknown_queue
from mqsc.store.constants import MQCC, MQOT, MQRC
from mqsc.store.error import MQError, refuse_if, required
from mqsc.store.headers.character_sets import codec_of
from mqsc.store.headers.layout import NATIVE
from mqsc.store.mqi.inquiry_selectors import selectors_of

# What MQ allows, in bytes.
_LONGEST_SELECTION = 10_240


def open_object(
    linked: LinkedConnection,
    descriptor: bytes,
    options: int,
) -> tuple[int, bytes, int, int]:
    """MQOPEN: the number of the handle, and the MQOD with what the name resolved to."""
    fields = MQOD.read(descriptor)
    refuse_records(fields["records_present"])
    with explaining_unknown_queue(linked, fields["object_type"], fields["object_name"]):
        handle = linked.connection.open(
            fields["object_name"],
            options,
            queue_manager=fields["object_q_mgr_name"],
            dynamic_name=fields["dynamic_q_name"],
            object_type=fields["object_type"],
            alternate_user=fields["alternate_user_id"],
            selection=selection_string(fields, descriptor),
            object_string=object_string(fields, descriptor),
        )
    resolved = written(
        fields, "res_object_string", handle.topic.encode(), MQRC.RES_OBJECT_STRING_ERROR
    )
    filled = MQOD.write(
        descriptor,
        # The name of the dynamic queue that an open of a model queue created.
        object_name=handle.name,
        resolved_q_name=handle.resolved_q_name,
        resolved_q_mgr_name=handle.resolved_q_mgr_name,
        resolved_type=int(MQOT.TOPIC) if handle.topic else fields["object_type"],
        **resolved,
    )
    return linked.add(handle), filled, 0, 0


def object_string(fields: Mapping[str, Any], descriptor: bytes) -> str:
    """ObjectString of an MQOD, which topics have. MQError 2441 if it is wrong."""
    if fields["object_type"] != MQOT.TOPIC:
        return ""
    return text_of(fields, "object_string", descriptor, MQRC.OBJECT_STRING_ERROR)


def selection_string(fields: Mapping[str, Any], descriptor: bytes) -> str:
    """The selection string of an MQOD. MQError 2519 if it is wrong or too long, 2111 for a CCSID
    that is not known.
    """
    data = variable_string(fields, "selection_string", descriptor, MQRC.SELECTION_STRING_ERROR)
    refuse_if(len(data) > _LONGEST_SELECTION, MQRC.SELECTION_STRING_ERROR)
    # Negative: that of the application, as 0 is that of the queue manager.
    codec = required(
        codec_of(max(fields["selection_string_ccsid"], 0), NATIVE),
        MQRC.SOURCE_CCSID_ERROR,
    )
    try:
        return data.decode(codec)
    except UnicodeDecodeError:
        raise MQError(MQRC.SELECTION_STRING_ERROR) from None


def refuse_records(count: int) -> None:
    """MQError 2154 for a distribution list, which is not supported."""
    refuse_if(count, MQRC.RECS_PRESENT_ERROR)


def close_object(linked: LinkedConnection, number: int, options: int) -> tuple[int, int]:
    """MQCLOSE; the warnings 2241 and 2242 close the handle too."""
    subscription = linked.subscriptions.get(number)
    if subscription is not None:
        subscription.close(options)
        del linked.subscriptions[number]
        return 0, 0
    warning = linked.object(number).close(options)
    del linked.objects[number]
    return (int(MQCC.WARNING), warning) if warning else (0, 0)


_MOST_SELECTORS = 256


def inquire(
    linked: LinkedConnection,
    number: int,
    selectors: Sequence[int],
    integers: int,
    length: int,
) -> tuple[list[int], bytes, int, int]:
    """MQINQ: the numbers, at most so many, and the texts, at most so many bytes, in the order of
    their selectors.

    MQError 2065 for a number of selectors that is none, 2021 and 2006 for a room that is negative.
    Too little room is a warning: 2022 or 2008.
    """
    handle = linked.object(number)
    refuse_if(not selectors, MQRC.SELECTOR_COUNT_ERROR)
    refuse_if(integers < 0, MQRC.INT_ATTR_COUNT_ERROR)
    refuse_if(length < 0, MQRC.CHAR_ATTR_LENGTH_ERROR)
    attributes = handle.inquire(*selectors)
    table = selectors_of(handle.namespace)
    values = [attributes[selector] for selector in selectors]
    numbers = [value for value in values if isinstance(value, int)]
    texts = b"".join(
        padded(value, max(table[selector].length, len(value.encode())))
        for selector, value in zip(selectors, values, strict=True)
        if isinstance(value, str)
    )
    reason = int(attributes.reason)
    if len(texts) > length:
        reason = int(MQRC.CHAR_ATTRS_TOO_SHORT)
    if len(numbers) > integers:
        reason = int(MQRC.INT_ATTR_COUNT_TOO_SMALL)
    completion = int(MQCC.WARNING) if reason else int(MQCC.OK)
    return [int(number) for number in numbers[:integers]], texts[:length], completion, reason


def set_attributes(
    linked: LinkedConnection,
    number: int,
    selectors: Sequence[int],
    integers: Sequence[int],
    texts: bytes,
) -> None:
    """MQSET: numbers and texts in the order of their selectors. MQError 2021 and 2006 for too
    few of them.
    """
    handle = linked.object(number)
    refuse_if(not selectors, MQRC.SELECTOR_COUNT_ERROR)
    refuse_if(len(selectors) > _MOST_SELECTORS, MQRC.SELECTOR_LIMIT_EXCEEDED)
    table = selectors_of(handle.namespace)
    values: dict[int, int | str] = {}
    numbers, at = iter(integers), 0
    for selector in selectors:
        row = required(table.get(selector), MQRC.SELECTOR_ERROR)
        if not row.length:
            values[selector] = required(next(numbers, None), MQRC.INT_ATTR_COUNT_ERROR)
            continue
        refuse_if(at + row.length > len(texts), MQRC.CHAR_ATTR_LENGTH_ERROR)
        values[selector] = text(texts[at : at + row.length])
        at += row.length
    handle.set(values)

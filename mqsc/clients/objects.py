"""MQOPEN and MQCLOSE."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mqsc.clients.memory import variable_string
from mqsc.clients.process import LinkedConnection
from mqsc.clients.publishing import refuse_topic
from mqsc.clients.structures import MQOD
from store.constants import MQCC, MQRC
from store.error import MQError
from store.headers.ccsid import codec_of
from store.headers.layout import NATIVE

# What MQ allows, in bytes.
_LONGEST_SELECTION = 10_240


def open_object(linked: LinkedConnection, descriptor: bytes, options: int) -> tuple[int, bytes, int, int]:
    """MQOPEN: the number of the handle, and the MQOD with what the name resolved to."""
    found = MQOD.read(descriptor)
    refuse_records(found["records_present"])
    refuse_topic(found["object_type"])
    handle = linked.connection.open(
        found["object_name"],
        options,
        queue_manager=found["object_q_mgr_name"],
        dynamic_name=found["dynamic_q_name"],
        object_type=found["object_type"],
        alternate_user=found["alternate_user_id"],
        selection=selection_string(found, descriptor),
    )
    filled = MQOD.write(
        descriptor,
        # The name of the dynamic queue that an open of a model queue created.
        object_name=handle.name,
        resolved_q_name=handle.resolved_q_name,
        resolved_q_mgr_name=handle.resolved_q_mgr_name,
        resolved_type=found["object_type"],
    )
    return linked.add(handle), filled, 0, 0


def selection_string(found: Mapping[str, Any], descriptor: bytes) -> str:
    """The selection string of an MQOD. MQError 2519 if it is wrong or too long, 2111 for a CCSID that is not known."""
    data = variable_string(found, "selection_string", descriptor, MQRC.SELECTION_STRING_ERROR)
    if len(data) > _LONGEST_SELECTION:
        raise MQError(MQRC.SELECTION_STRING_ERROR)
    # Negative: that of the application, as 0 is that of the queue manager.
    codec = codec_of(max(found["selection_string_ccsid"], 0), NATIVE)
    if codec is None:
        raise MQError(MQRC.SOURCE_CCSID_ERROR)
    try:
        return data.decode(codec)
    except UnicodeDecodeError:
        raise MQError(MQRC.SELECTION_STRING_ERROR) from None


def refuse_records(count: int) -> None:
    """MQError 2154 for a distribution list, which is not supported."""
    if count:
        raise MQError(MQRC.RECS_PRESENT_ERROR)


def close_object(linked: LinkedConnection, number: int, options: int) -> tuple[int, int]:
    """MQCLOSE; the warnings 2241 and 2242 close the handle too."""
    warning = linked.object(number).close(options)
    del linked.objects[number]
    return (int(MQCC.WARNING), warning) if warning else (0, 0)

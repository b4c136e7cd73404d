"""The calls of the MQI on connections, objects, units of work and attributes."""

import logging
import os
import threading
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NoReturn

from mqsc.clients.process import (
    SHARE_BLOCK,
    SHARE_NO_BLOCK,
    SHARE_NONE,
    ClientProcess,
    LinkedConnection,
    program_name,
)
from mqsc.clients.structures import MQBO, MQCNO, MQCSP, MQOD, padded, text, variable_string
from mqsc.store.constants import MQCC, MQCNO as Options, MQOT, MQRC
from mqsc.store.error import MQError, refuse_if, required
from mqsc.store.headers.character_sets import codec_of
from mqsc.store.headers.layout import NATIVE
from mqsc.store.mqi.inquiry_selectors import selectors_of

# MQCONN, MQCONNX and MQDISC.

_USER_AND_PASSWORD = 1
# Neither is MQCNO_HANDLE_SHARE_NONE; two at once are refused.
_SHARING = {
    int(Options.HANDLE_SHARE_NONE): SHARE_NONE,
    int(Options.HANDLE_SHARE_BLOCK): SHARE_BLOCK,
    int(Options.HANDLE_SHARE_NO_BLOCK): SHARE_NO_BLOCK,
    0: SHARE_NONE,
}
_SHARING_BITS = sum(_SHARING)
_USER = 12
_APPLICATION = 28
_CHANNEL = 20


def connect(process: ClientProcess, name: str | bytes | None) -> tuple[int, int, int]:
    """MQCONN: the number of the connection, which other threads cannot use."""
    return _connected(process, name, SHARE_NONE), 0, 0


def connect_with_options(
    process: ClientProcess,
    name: str | bytes | None,
    options: bytes,
    security: bytes | None,
    channel: bytes | None,
) -> tuple[int, bytes, int, int]:
    """MQCONNX with an MQCNO, the MQCSP and the MQCD that it points to; only the name of the
    channel is used.
    """
    fields = MQCNO.read(options)
    sharing = required(_SHARING.get(fields["options"] & _SHARING_BITS), MQRC.OPTIONS_ERROR)
    user, password = ("", None) if security is None else _identity(security)
    client = bool(fields["options"] & int(Options.CLIENT_BINDING))
    # MQSERVER is CHANNEL/TCP/HOST(PORT).
    named = (
        os.environ.get("MQSERVER", "").partition("/")[0]
        if channel is None
        else text(channel[:_CHANNEL])
    )
    by = {"user": user, "password": password, "client": client, "channel": named if client else ""}
    return _connected(process, name, sharing, fields["application_name"], **by), options, 0, 0


def _identity(security: bytes) -> tuple[str, str | None]:
    """User and password of an MQCSP; blank and None if it has none. CONNAUTH says whether they
    are checked.
    """
    fields = MQCSP.read(security)
    if fields["authentication_type"] != _USER_AND_PASSWORD:
        return "", None
    user, password = (
        variable_string(fields, each, security, MQRC.CSP_ERROR) for each in ("user_id", "password")
    )
    return text(user[:_USER]), password.decode("utf-8", "replace")


def _connected(
    process: ClientProcess,
    name: str | bytes | None,
    sharing: str,
    application: str = "",
    **by: Any,
) -> int:
    """The number of a new connection; `by`: who connects, and whether as a client, as for
    `QueueManager.connect`.
    """
    wanted = (
        text(name[:48]) if isinstance(name, bytes) else (name or "").partition("\0")[0].rstrip(" ")
    )
    # An asterisk asks for any queue manager of a client's group; a store has those that it has.
    qmgr = process.queue_manager(wanted.removeprefix("*").strip(" "))
    called = (application or program_name())[:_APPLICATION]
    return process.add(qmgr.connect(called, **by), sharing, client=by.get("client", False))


def end_callbacks(linked: LinkedConnection) -> None:
    """End the callbacks of a connection, the first step of MQDISC. MQError 2500 for a callback."""
    refuse_if(linked.callback_thread == threading.get_ident(), MQRC.HCONN_ASYNC_ACTIVE)
    if linked.connection.callbacks is not None:
        linked.connection.callbacks.close()


def disconnect(process: ClientProcess, linked: LinkedConnection) -> None:
    """MQDISC: close all handles and commit the unit of work."""
    try:
        linked.connection.disconnect()
    except MQError as error:
        # There is nothing left to disconnect.
        if error.reason in (MQRC.CONNECTION_BROKEN, MQRC.HCONN_ERROR):
            process.remove(linked)
        raise
    process.remove(linked)


# MQOPEN and MQCLOSE.

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
    refuse_topic(fields["object_type"])
    handle = linked.connection.open(
        fields["object_name"],
        options,
        queue_manager=fields["object_q_mgr_name"],
        dynamic_name=fields["dynamic_q_name"],
        object_type=fields["object_type"],
        alternate_user=fields["alternate_user_id"],
        selection=selection_string(fields, descriptor),
    )
    filled = MQOD.write(
        descriptor,
        # The name of the dynamic queue that an open of a model queue created.
        object_name=handle.name,
        resolved_q_name=handle.resolved_q_name,
        resolved_q_mgr_name=handle.resolved_q_mgr_name,
        resolved_type=fields["object_type"],
    )
    return linked.add(handle), filled, 0, 0


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
    warning = linked.object(number).close(options)
    del linked.objects[number]
    return (int(MQCC.WARNING), warning) if warning else (0, 0)


# MQBEGIN, MQCMIT and MQBACK.


def begin(linked: LinkedConnection, options: bytes | None = None) -> tuple[int, int]:
    """MQBEGIN, possible only for a local connection that threads do not share (callbacks §5)."""
    refuse_if(options is not None and MQBO.read(options)["options"], MQRC.OPTIONS_ERROR)
    refuse_if(linked.sharing != SHARE_NONE, MQRC.HCONN_ERROR)
    refuse_if(linked.client, MQRC.ENVIRONMENT_ERROR)
    warning = linked.connection.begin()
    return (int(MQCC.WARNING), warning) if warning else (0, 0)


def commit(linked: LinkedConnection) -> None:
    """MQCMIT."""
    linked.connection.commit()


def back(linked: LinkedConnection) -> None:
    """MQBACK."""
    linked.connection.back()


# Publish/subscribe, which is not available: its calls fail, and the log says why, once in a
# process.

_LOG = logging.getLogger("mqsc.clients")
_TOPIC, _QUEUE = int(MQOT.TOPIC), int(MQOT.Q)


@cache
def _explain() -> None:
    _LOG.warning(
        "mqsc: publish/subscribe is not available on a store: "
        "MQSUB and MQSUBRQ fail with 2298, and opening a topic with 2043",
    )


def refuse_subscription(linked: LinkedConnection, *_: object) -> NoReturn:
    """MQError 2298."""
    _explain()
    raise MQError(MQRC.FUNCTION_NOT_SUPPORTED)


def refuse_topic(object_type: int) -> None:
    """MQError 2043 for a topic."""
    if object_type == _TOPIC:
        _explain()
        raise MQError(MQRC.OBJECT_TYPE_ERROR)


def refuse_all_but_queues(object_type: int) -> None:
    """MQError 2043 for an object that messages cannot be put on."""
    refuse_topic(object_type)
    refuse_if(object_type != _QUEUE, MQRC.OBJECT_TYPE_ERROR)


# MQINQ and MQSET.

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

"""The extension module of the package `pymqi`, with the same functions working on a store.

`mqsc client` puts the folder of this file on the path of a program; it is not importable by this
name otherwise.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from typing import Any

from mqsc.clients import mqi, property_values, structures
from mqsc.store.constants import MQCNO as Options, MQIA

__version__ = "1.12"
__mqlevels__ = ("5.0", "5.1", "5.2", "5.3", "6.0", "7.0", "7.1", "8.0.0")
__mqbuild__ = "server"
# The room that the extension has for a text, as long as the longest attribute.
_LONGEST_TEXT = 256
_USER_AND_PASSWORD = 1


class error(Exception):
    """An argument that the module cannot take."""


_mqi = mqi.of_this_process()
MQCONN = _mqi.MQCONN
MQDISC = _mqi.MQDISC
MQOPEN = _mqi.MQOPEN
MQCLOSE = _mqi.MQCLOSE
MQPUT = _mqi.MQPUT
MQGET = _mqi.MQGET
MQBEGIN = _mqi.MQBEGIN
MQCMIT = _mqi.MQCMIT
MQBACK = _mqi.MQBACK
MQSUB = _mqi.MQSUB
MQCRTMH, MQSETMP = _mqi.MQCRTMH, _mqi.set_value


def MQCONNX(
    name: Any,
    options: int,
    channel: Any,
    credentials: Mapping[str, Any],
    tls: Any = None,
) -> mqi.Values:
    """Connection, completion code and reason. Of the channel, only its name matters; TLS options
    have no effect.
    """
    security, kept = _security(credentials)
    # IBM's package asks for a client itself, pymqi leaves that to MQ's library for clients.
    if channel is not None and not options & int(Options.LOCAL_BINDING):
        options |= int(Options.CLIENT_BINDING)
    handle, _, completion, reason = _mqi.MQCONNX(
        name,
        structures.MQCNO.new(5, options=options),
        security,
        channel,
    )
    del kept
    return handle, completion, reason


def _security(credentials: Mapping[str, Any]) -> tuple[bytes | None, Any]:
    """The MQCSP of a user and password, and the memory that it points to."""
    if credentials.get("user") is None:
        return None, None
    fields, memory = {}, []
    for name, field in (("user", "user_id"), ("password", "password")):
        data = _bytes(credentials.get(name) or b"")
        memory.append(ctypes.create_string_buffer(data))
        fields[f"{field}_pointer"] = ctypes.addressof(memory[-1])
        fields[f"{field}_length"] = len(data)
    return structures.MQCSP.new(1, authentication_type=_USER_AND_PASSWORD, **fields), memory


def MQPUT1(
    connection: int,
    object: bytes,
    descriptor: bytes,
    options: bytes,
    body: bytes,
) -> mqi.Values:
    """MQMD and MQPMO as the call leaves them, completion code and reason."""
    return _mqi.MQPUT1(connection, object, descriptor, options, body)[1:]


def MQINQMP(
    connection: int,
    handle: int,
    options: int,
    name: bytes | str,
    descriptor: int,
    type: int,
    length: int,
) -> mqi.Values:
    """Value, DataLength, completion code and reason; the options are those of the MQIMPO and of
    the MQPD.
    """
    structure = structures.MQIMPO.new(
        1, options=options, requested_encoding=546, requested_ccsid=1208
    )
    described = structures.MQPD.new(1, options=descriptor)
    answered = _mqi.MQINQMP(connection, handle, structure, _bytes(name), described, type, length)
    *_, kind, data, whole, completion, reason = answered
    return property_values.from_bytes(kind, data), whole, completion, reason


def _bytes(name: bytes | str) -> bytes:
    return name.encode() if isinstance(name, str) else name


def MQINQ(connection: int, handle: int, selector: int) -> mqi.Values:
    """The value of one selector, a number or a text, completion code and reason."""
    is_number = MQIA.FIRST <= selector <= MQIA.LAST
    room = (1, 0) if is_number else (0, _LONGEST_TEXT)
    numbers, texts, completion, reason = _mqi.MQINQ(connection, handle, [selector], *room)
    if not is_number:
        return texts, completion, reason
    return numbers[0] if numbers else 0, completion, reason


def MQSET(connection: int, handle: int, selector: int, value: int | bytes) -> mqi.Values:
    """Set one attribute: a number, or a text up to its first NUL. A text that does not fill the
    attribute is 2006.
    """
    if MQIA.FIRST <= selector <= MQIA.LAST:
        if not isinstance(value, int):
            raise error("Arg is not a long integer")
        return _mqi.MQSET(connection, handle, [selector], [value], b"")
    if not isinstance(value, bytes):
        raise error("Arg is not a byte-string")
    return _mqi.MQSET(connection, handle, [selector], [], value.partition(b"\0")[0])

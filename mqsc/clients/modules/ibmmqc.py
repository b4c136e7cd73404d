"""The extension module of the package `ibmmq`, with the same functions working on a store.

`mqsc client` puts the folder of this file on the path of a program; it is not importable by this
name otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from mqsc.clients import property_values
from mqsc.clients.mqi import Values, of_this_process
from mqsc.clients.structures import MQCBC, MQIMPO

try:
    # The package refuses an extension of another version.
    __version__ = version("ibmmq")
except PackageNotFoundError:
    __version__ = "unknown"
__cmdlevel__ = 942
__mqbuild__ = "server"
# The newest versions of the structures that the calls take; they decide the length of those that
# programs pass.
__strucversions__ = {
    "bno": 1,
    "cbc": 2,
    "cbd": 1,
    "cd": 13,
    "cfh": 3,
    "cih": 2,
    "cmho": 1,
    "cno": 8,
    "csp": 3,
    "ctlo": 1,
    "dlh": 1,
    "dmho": 1,
    "dmpo": 1,
    "gmo": 4,
    "iih": 1,
    "impo": 1,
    "md": 2,
    "mde": 2,
    "od": 4,
    "pd": 1,
    "pmo": 3,
    "sco": 7,
    "sd": 1,
    "smpo": 1,
    "sro": 1,
    "sts": 2,
    "tm": 1,
    "tmc": 2,
    "xqh": 1,
}


class error(Exception):
    """An argument that the module cannot take."""


_mqi = of_this_process()
MQCONN = _mqi.MQCONN
MQDISC = _mqi.MQDISC
MQOPEN = _mqi.MQOPEN
MQCLOSE = _mqi.MQCLOSE
MQPUT = _mqi.MQPUT
MQGET = _mqi.MQGET
MQSET = _mqi.MQSET
MQBEGIN = _mqi.MQBEGIN
MQCMIT = _mqi.MQCMIT
MQBACK = _mqi.MQBACK
MQSUB = _mqi.MQSUB
MQSUBRQ = _mqi.MQSUBRQ
MQSTAT = _mqi.MQSTAT
MQCTL = _mqi.MQCTL
MQCRTMH = _mqi.MQCRTMH
MQDLTMP, MQSETMP = _mqi.MQDLTMP, _mqi.set_value
# The longest name of a property that is returned.
_LONGEST_NAME = 10240


def MQCONNX(
    name: Any,
    options: bytes,
    channel: Any,
    security: bytes | None,
    tls: Any,
    balancing: Any,
) -> Values:
    """Connection, completion code and reason. Of the channel only its name matters; TLS and
    balancing do not.
    """
    handle, _, completion, reason = _mqi.MQCONNX(name, options, security, channel)
    return handle, completion, reason


def MQPUT1(
    connection: int,
    object: bytes,
    descriptor: bytes,
    options: bytes,
    body: bytes,
) -> Values:
    """MQMD and MQPMO as the call leaves them, completion code and reason."""
    return _mqi.MQPUT1(connection, object, descriptor, options, body)[1:]


def MQINQ(
    connection: int,
    handle: int,
    selectors: Sequence[int],
    values: list[int],
    integers: int,
    texts: int,
    length: int,
) -> Values:
    """The list given with the numbers appended, the texts, completion code and reason."""
    numbers, characters, completion, reason = _mqi.MQINQ(
        connection,
        handle,
        selectors,
        integers,
        length,
    )
    values.extend(numbers)
    return values, characters.ljust(length, b"\0"), completion, reason


def MQDLTMH(connection: int, handle: int, options: bytes) -> Values:
    """Completion code and reason."""
    return _mqi.MQDLTMH(connection, handle, options)[1:]


def MQINQMP(
    connection: int,
    handle: int,
    options: bytes,
    name: bytes,
    descriptor: bytes,
    type: int,
    length: int,
) -> Values:
    """Value, DataLength, name if a wildcard asked for one, completion code and reason."""
    has_wildcard = b"%" in name
    if has_wildcard:
        options = MQIMPO.write(options, returned_name_buffer_size=_LONGEST_NAME)
    answered = _mqi.MQINQMP(connection, handle, options, name, descriptor, type, length)
    _, returned_name, _, kind, data, whole, completion, reason = answered
    return (
        property_values.from_bytes(kind, data),
        whole,
        returned_name.decode() if has_wildcard else None,
        completion,
        reason,
    )


def MQLOGCF(options: int, file: str = "") -> tuple[int]:
    """Nothing to configure: this module writes no log of its own."""
    return (0,)


_package_function: list[Callable[..., object]] = []


def MQCBINIT(callback: Callable[..., object]) -> None:
    """The function of the package that calls the callbacks of programs."""
    if not callable(callback):
        raise error("Need a callable object.")
    _package_function[:] = [callback]


def MQCB(
    connection: int,
    operation: int,
    described: bytes,
    handle: int,
    descriptor: bytes,
    options: bytes,
) -> Values:
    """Register, deregister, suspend or resume: the package knows by the handle which function is
    meant.
    """

    def call(
        number: int,
        md: bytes | None,
        gmo: bytes | None,
        body: bytes | None,
        about: bytes,
    ) -> None:
        for function in _package_function:
            # The call that MQCLOSE makes has a handle that is no longer one.
            function(number, md, gmo, body, MQCBC.write(about, object_handle=handle))

    return _mqi.MQCB(connection, operation, described, handle, descriptor, options, call)

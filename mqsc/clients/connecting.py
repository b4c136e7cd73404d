"""MQCONN, MQCONNX and MQDISC."""

from __future__ import annotations

import threading

from mqsc.clients.memory import variable_string
from mqsc.clients.process import SHARE_BLOCK, SHARE_NO_BLOCK, SHARE_NONE, ClientProcess, LinkedConnection, program_name
from mqsc.clients.structure import text
from mqsc.clients.structures import MQCNO, MQCSP
from store.constants import MQCNO as Options
from store.constants import MQRC
from store.error import MQError

_USER_AND_PASSWORD = 1
# Neither is MQCNO_HANDLE_SHARE_NONE; two at once are refused.
_SHARING = {
    int(Options.HANDLE_SHARE_NONE): SHARE_NONE,
    int(Options.HANDLE_SHARE_BLOCK): SHARE_BLOCK,
    int(Options.HANDLE_SHARE_NO_BLOCK): SHARE_NO_BLOCK,
    0: SHARE_NONE,
}
_SHARING_BITS = sum(_SHARING)
_USER, _APPLICATION = 12, 28


def connect(process: ClientProcess, name: str | bytes | None) -> tuple[int, int, int]:
    """MQCONN: the number of the connection, which other threads cannot use."""
    return _connected(process, name, SHARE_NONE, "", ("", None), client=False), 0, 0


def connect_with_options(
    process: ClientProcess, name: str | bytes | None, options: bytes, security: bytes | None
) -> tuple[int, bytes, int, int]:
    """MQCONNX with an MQCNO, and the MQCSP that it points to. Its channel definition is not used."""
    found = MQCNO.read(options)
    sharing = _SHARING.get(found["options"] & _SHARING_BITS)
    if sharing is None:
        raise MQError(MQRC.OPTIONS_ERROR)
    identity = ("", None) if security is None else _identity(security)
    client = bool(found["options"] & int(Options.CLIENT_BINDING))
    number = _connected(process, name, sharing, found["application_name"], identity, client=client)
    return number, options, 0, 0


def _identity(security: bytes) -> tuple[str, str | None]:
    """User and password of an MQCSP; blank and None if it has none. CONNAUTH says whether they are checked."""
    found = MQCSP.read(security)
    if found["authentication_type"] != _USER_AND_PASSWORD:
        return "", None
    user, password = (variable_string(found, each, security, MQRC.CSP_ERROR) for each in ("user_id", "password"))
    return text(user[:_USER]), password.decode("utf-8", "replace")


def _connected(
    process: ClientProcess,
    name: str | bytes | None,
    sharing: str,
    application: str,
    identity: tuple[str, str | None],
    *,
    client: bool,
) -> int:
    wanted = text(name[:48]) if isinstance(name, bytes) else (name or "").partition("\0")[0].rstrip(" ")
    # An asterisk asks for any queue manager of a client's group; a store has those that it has.
    qmgr = process.queue_manager(wanted.removeprefix("*").strip(" "))
    called = (application or program_name())[:_APPLICATION]
    user, password = identity
    return process.add(qmgr.connect(called, user, password=password, client=client), sharing, client=client)


def end_callbacks(linked: LinkedConnection) -> tuple[int, int]:
    """What MQDISC does first. MQError 2500 for a callback."""
    if linked.callback_thread == threading.get_ident():
        raise MQError(MQRC.HCONN_ASYNC_ACTIVE)
    if linked.connection.callbacks is not None:
        linked.connection.callbacks.end()
    return 0, 0


def disconnect(process: ClientProcess, linked: LinkedConnection) -> tuple[int, int]:
    """MQDISC: close all handles and commit the unit of work."""
    try:
        linked.connection.disconnect()
    except MQError as error:
        # There is nothing left to disconnect.
        if error.reason in (MQRC.CONNECTION_BROKEN, MQRC.HCONN_ERROR):
            process.remove(linked)
        raise
    process.remove(linked)
    return 0, 0

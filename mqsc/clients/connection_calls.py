"""MQCONN, MQCONNX and MQDISC."""

import os
import threading

from mqsc.clients.memory_strings import variable_string
from mqsc.clients.process import (
    SHARE_BLOCK,
    SHARE_NO_BLOCK,
    SHARE_NONE,
    ClientProcess,
    LinkedConnection,
    program_name,
)
from mqsc.clients.structures import MQCNO, MQCSP, text
from mqsc.store.constants import MQCNO as Options, MQRC
from mqsc.store.error import MQError, refuse_if, required

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
    handle = _connected(
        process,
        name,
        sharing,
        fields["application_name"],
        user=user,
        password=password,
        client=client,
        channel=named if client else "",
    )
    return handle, options, 0, 0


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
    *,
    user: str = "",
    password: str | None = None,
    client: bool = False,
    channel: str = "",
) -> int:
    """The number of a new connection; who connects, and whether as a client, as for
    `QueueManager.connect`.
    """
    if isinstance(name, bytes):
        named = text(name[:48])
    else:
        named = (name or "").partition("\0")[0].rstrip(" ")
    # An asterisk asks for any queue manager of a client's group; a store has those that it has.
    qmgr = process.queue_manager(named.removeprefix("*").strip(" "))
    connection = qmgr.connect(
        (application or program_name())[:_APPLICATION],
        user=user,
        password=password,
        client=client,
        channel=channel,
    )
    return process.add(connection, sharing, client=client)


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

"""MQCONN, MQCONNX and MQDISC."""

import os
import threading

from mqsc.clients import connection_settings
from mqsc.clients.connection_settings import ConnectionRequest, RefusedConnection
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
# Where an MQCD has the name of the channel, the connection name and the CipherSpec. It has no
# StrucId; one that is too short for a field does not have it.
_CHANNEL = slice(0, 20)
_CONNECTION_NAME = slice(1024, 1288)
_CIPHER_SPEC = slice(1688, 1720)


def connect(process: ClientProcess, name: str | bytes | None) -> tuple[int, int, int]:
    """MQCONN: the number of the connection, which other threads cannot use."""
    return _connected(process, ConnectionRequest(_queue_manager(name)), SHARE_NONE), 0, 0


def connect_with_options(
    process: ClientProcess,
    name: str | bytes | None,
    options: bytes,
    security: bytes | None,
    channel: bytes | None,
) -> tuple[int, bytes, int, int]:
    """MQCONNX with an MQCNO, the MQCSP and the MQCD that it points to; of the MQCD, the names of
    channel and host and the CipherSpec are used.
    """
    fields = MQCNO.read(options)
    sharing = required(_SHARING.get(fields["options"] & _SHARING_BITS), MQRC.OPTIONS_ERROR)
    user, password = ("", None) if security is None else _identity(security)
    client = bool(fields["options"] & int(Options.CLIENT_BINDING))
    is_local = bool(fields["options"] & int(Options.LOCAL_BINDING))
    asked = ConnectionRequest(_queue_manager(name))
    # MQ's library for clients alone follows an MQCD also without MQCNO_CLIENT_BINDING.
    if client or (channel is not None and not is_local):
        asked = _through_channel(asked.queue_manager, channel)
    handle = _connected(
        process,
        asked,
        sharing,
        fields["application_name"],
        user=user,
        password=password,
        client=client,
    )
    return handle, options, 0, 0


def _through_channel(queue_manager: str, channel: bytes | None) -> ConnectionRequest:
    """What a client asks for, by its MQCD or by MQSERVER, which is CHANNEL/TCP/HOST(PORT)."""
    if channel is None:
        name, _, rest = os.environ.get("MQSERVER", "").partition("/")
        return ConnectionRequest(queue_manager, name, rest.partition("/")[2])
    return ConnectionRequest(
        queue_manager,
        text(channel[_CHANNEL]),
        text(channel[_CONNECTION_NAME]),
        text(channel[_CIPHER_SPEC]),
    )


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
    asked: ConnectionRequest,
    sharing: str,
    application: str = "",
    *,
    user: str = "",
    password: str | None = None,
    client: bool = False,
) -> int:
    """The number of a new connection; who connects, and whether as a client, as for
    `QueueManager.connect`.
    """
    settings = process.settings()
    name = connection_settings.reached(settings, asked)
    if isinstance(name, RefusedConnection):
        raise _explained(name)
    qmgr = process.queue_manager(name)
    connection = qmgr.connect(
        (application or program_name())[:_APPLICATION],
        user=user,
        password=password,
        client=client,
        channel=asked.channel if client else "",
    )
    return process.add(connection, sharing, client=client)


def _queue_manager(name: str | bytes | None) -> str:
    """The name that a program gives. An asterisk asks for any queue manager of a client's group; a
    store has those that it has.
    """
    if isinstance(name, bytes):
        named = text(name[:48])
    else:
        named = (name or "").partition("\0")[0].rstrip(" ")
    return named.removeprefix("*").strip(" ")


def _explained(refused: RefusedConnection) -> MQError:
    """The error of the call; the person who runs the program reads the reason on stderr."""
    from mqsc.console.terminal import notice

    notice(f"mqsc: {refused.reason}: {refused.sentence}")
    return MQError(refused.reason)


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

"""What the person who runs a program reads on stderr about a message handle that MQGET ignores."""

from __future__ import annotations

import os

from mqsc.clients.connection_settings import VARIABLE
from mqsc.clients.process import LinkedConnection
from mqsc.clients.structures import MQGMO
from mqsc.store.constants import MQRC
from mqsc.store.error import MQError

# The first version of MQGMO whose MsgHandle counts. pymqi makes version 1 unless told otherwise.
_WITH_HANDLE = 4


def explain_ignored_handle(linked: LinkedConnection, options: bytes, error: MQError) -> None:
    """Explain an MQError 2460 of a get whose MQGMO is too old to name a message handle, once for a
    connection, where the program runs under `mqsc client` or `pytest --mqsc`.
    """
    if error.reason != MQRC.HMSG_ERROR or MQGMO.version(options) >= _WITH_HANDLE:
        return
    if MQGMO.struc_id.decode() in linked.explained or VARIABLE not in os.environ:
        return
    from mqsc.console.terminal import notice

    linked.explained.add(MQGMO.struc_id.decode())
    notice(
        f"mqsc: {int(MQRC.HMSG_ERROR)}: MsgHandle is ignored in an MQGMO of version "
        f"{MQGMO.version(options)}; set Version to MQGMO_VERSION_4"
    )

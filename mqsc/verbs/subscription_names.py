"""Finds a subscription by its name, or by SUBID, its identifier of 48 hexadecimal digits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mqsc.language.request import Naming, Request
from store.constants import MQRC, MQRCCF
from store.error import MQError

if TYPE_CHECKING:
    from store.client.api import QueueManager

NAMED_OR_IDENTIFIED = {"SUB": Naming.OPTIONAL}


def name_in(qmgr: QueueManager, request: Request) -> str:
    """The name of the object in a request; MQError 3228 without a name or SUBID, 2085 if SUBID is unknown."""
    if request.name or request.noun != "SUB":
        return request.name
    from store.admin.inquiring import inquire

    wanted = request.options.get("SUBID")
    if not wanted:
        raise MQError(MQRCCF.PARM_MISSING, "a name or SUBID")
    found = next((row for row in inquire(qmgr, request.kinds, "*") if row["SUBID"] == wanted), None)
    if found is None:
        raise MQError(MQRC.UNKNOWN_OBJECT_NAME, str(wanted))
    return str(found["SUB"])

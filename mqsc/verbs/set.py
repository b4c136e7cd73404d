"""SET: add, replace and remove channel authentication records and authority records."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mqsc.language.request import Naming, Request
from mqsc.reply import Answer, done
from mqsc.verbs.authority_parameters import authority_of, entities_of
from mqsc.verbs.command_options import verb
from store.constants import MQRCCF
from store.error import MQError

if TYPE_CHECKING:
    from store.client.api import QueueManager


def perform(qmgr: QueueManager, request: Request) -> Answer:
    """Change the records; MQError if the parameters conflict, or a record is missing or exists already."""
    _set(qmgr, request)
    return done(request.verb, request.kind.namespace)


def _set(qmgr: QueueManager, request: Request) -> None:
    from store.admin.authorities import set_authority
    from store.admin.channel_auth import set_channel_rule

    options = request.options
    if request.noun == "CHLAUTH":
        set_channel_rule(qmgr, request.name, request.given, str(options.get("ACTION", "ADD")))
        return
    given, taken = options.get("AUTHADD", []), options.get("AUTHRMV", [])
    if not (given or taken):
        raise MQError(MQRCCF.AUTH_VALUE_MISSING, request.noun)
    set_authority(qmgr, authority_of(request), entities_of(request), [*map(str, given)], [*map(str, taken)])  # type: ignore[arg-type]


VERB = verb("SET", Naming.EXACT, perform, takes_attributes=True, namings={"AUTHREC": Naming.NONE})

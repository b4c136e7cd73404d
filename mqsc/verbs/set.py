"""SET: add, replace and remove records on who may come in by a channel, and on who may do what."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from mqsc.decisions import NO_AUTHORITY
from mqsc.reply import Answer, done, failed
from mqsc.request import Naming, Request, Verb
from mqsc.verbs.objects import objects_of
from mqsc.verbs.options import scope
from mqsc.verbs.rights import authority_of, entities_of
from store.constants import MQRCCF
from store.error import MQError

if TYPE_CHECKING:
    from store.queue_manager import QueueManager

# What would be right, where the message alone does not tell.
_ADVICE: Mapping[int, str] = {
    MQRCCF.CHLAUTH_NAME_ERROR: "TYPE(BLOCKADDR) is for every channel: its profile is *",
    MQRCCF.WRONG_CHLAUTH_ACTION: "a removal names only the record: what it looks at, not what it brings about",
    MQRCCF.WRONG_CHLAUTH_USERSRC: "USERSRC(MAP) needs MCAUSER, and no other USERSRC takes it",
    MQRCCF.SSL_PEER_NAME_ERROR: "a distinguished name is a list such as CN=name,OU=unit,O=organization",
    MQRCCF.PARM_MISSING: "TYPE(BLOCKUSER) needs USERLIST, TYPE(BLOCKADDR) needs ADDRLIST",
    MQRCCF.AUTH_VALUE_ERROR: "that authority does not exist for this OBJTYPE",
    MQRCCF.AUTH_VALUE_MISSING: "name what is given in AUTHADD or taken away in AUTHRMV",
    MQRCCF.ENTITY_NAME_MISSING: "name users in PRINCIPAL or groups in GROUP",
    MQRCCF.PROFILE_NAME_MISSING: "name objects in PROFILE; only OBJTYPE(QMGR) goes without",
}


def perform(qmgr: QueueManager, request: Request) -> Answer:
    """Change the records; MQError when a rule is broken, or a record is missing or there already."""
    try:
        _set(qmgr, request)
    except MQError as error:
        advice = _ADVICE.get(int(error.reason))
        answer = failed(error)
        return Answer(answer.message_id, f"{answer.text}\n{advice}", 2, answer.reason) if advice else answer
    answer = done(request.verb, request.kind.namespace)
    return Answer(answer.message_id, answer.text, once=NO_AUTHORITY)


def _set(qmgr: QueueManager, request: Request) -> None:
    from store.admin import set_authority, set_channel_rule

    options = request.options
    if request.noun == "CHLAUTH":
        set_channel_rule(qmgr, request.name, request.given, str(options.get("ACTION", "ADD")))
        return
    given, taken = options.get("AUTHADD", []), options.get("AUTHRMV", [])
    if not (given or taken):
        raise MQError(MQRCCF.AUTH_VALUE_MISSING, request.noun)
    set_authority(qmgr, authority_of(request), entities_of(request), [*map(str, given)], [*map(str, taken)])  # type: ignore[arg-type]


VERB = Verb(
    "SET",
    objects_of("SET"),
    Naming.EXACT,
    perform,
    (scope("CHLAUTH"),),
    takes_attributes=True,
    namings={"AUTHREC": Naming.NONE},
)

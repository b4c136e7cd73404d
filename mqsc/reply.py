"""What a command is answered with: which message id stands for what.

A new outcome of a verb is a row of DONE, a new reason code from the store a row of FAILED; the texts are in
`mqsc.language.messages`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from mqsc.language.messages import TEXTS as TEXTS
from store.constants import MQRC, MQRCCF
from store.error import MQError

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Reply:
    """One command and what became of it.

    `completion` is 2 whenever the command counts as failed (a syntax error too), `reason` the MQRC or PCF code or 0,
    `text` what follows the id, further lines included, `rows` what DISPLAY and REFRESH list: dicts by MQSC keyword.
    """

    file: str | None
    line: int
    command: str
    message_id: str
    text: str
    completion: int
    reason: int
    rows: list[dict[str, Any]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a verb answers, before it is known where the command stood.

    `rows` may be read once. With `each` set every row is printed under a heading of its own, as DISPLAY does; else rows
    are data for JSON and programs, and the text says what matters of them. `bare` are the keywords whose value is
    printed without parentheses, `joined` those whose list stands in one line, `alone` those that share none, `begins`
    those that begin one. `syntax` says in which count of the tally it belongs. `once` is a further line for the first
    such answer of a run.
    """

    message_id: str
    text: str = ""
    completion: int = 0
    reason: int = 0
    rows: Iterable[Row] = ()
    each: bool = False
    bare: frozenset[str] = frozenset()
    joined: frozenset[str] = frozenset()
    alone: frozenset[str] = frozenset()
    begins: frozenset[str] = frozenset()
    syntax: bool = False
    once: str = ""


# The answer to a verb that succeeded, by verb and namespace of the object.
DONE: Mapping[tuple[str, str], str] = {
    ("DEFINE", "queue"): "AMQ8006I",
    ("DELETE", "queue"): "AMQ8007I",
    ("ALTER", "queue"): "AMQ8008I",
    ("CLEAR", "queue"): "AMQ8022I",
    ("ALTER", "qmgr"): "AMQ8005I",
    ("PING", "qmgr"): "AMQ8415I",
    ("DEFINE", "process"): "AMQ8010I",
    ("DELETE", "process"): "AMQ8011I",
    ("ALTER", "process"): "AMQ8012I",
    ("DEFINE", "channel"): "AMQ8014I",
    ("DELETE", "channel"): "AMQ8015I",
    ("ALTER", "channel"): "AMQ8016I",
    ("DEFINE", "namelist"): "AMQ8552I",
    ("DELETE", "namelist"): "AMQ8553I",
    ("ALTER", "namelist"): "AMQ8551I",
    ("DEFINE", "authinfo"): "AMQ8563I",
    ("DELETE", "authinfo"): "AMQ8564I",
    ("ALTER", "authinfo"): "AMQ8567I",
    ("DEFINE", "listener"): "AMQ8626I",
    ("ALTER", "listener"): "AMQ8623I",
    ("DEFINE", "service"): "AMQ8625I",
    ("DEFINE", "topic"): "AMQ8690I",
    ("DELETE", "topic"): "AMQ8692I",
    ("ALTER", "topic"): "AMQ8691I",
    ("DEFINE", "sub"): "AMQ8094I",
    ("DELETE", "sub"): "AMQ8097I",
    ("ALTER", "sub"): "AMQ8095I",
    ("DELETE", "listener"): "AMQ8628I",
    ("ALTER", "service"): "AMQ8622I",
    ("DELETE", "service"): "AMQ8627I",
    ("DEFINE", "stgclass"): "MQSC0009I",
    ("ALTER", "stgclass"): "MQSC0010I",
    ("DELETE", "stgclass"): "MQSC0011I",
    ("DEFINE", "cfstruct"): "MQSC0012I",
    ("ALTER", "cfstruct"): "MQSC0013I",
    ("DELETE", "cfstruct"): "MQSC0014I",
    ("SET", "chlauth"): "AMQ8877I",
    ("SET", "authrec"): "AMQ8862I",
    ("DELETE", "authrec"): "AMQ8863I",
    ("MOVE", "queue"): "MQSC0007I",
    ("RESET", "qstats"): "MQSC0008I",
    ("RESET", "channel"): "AMQ8023I",
    ("RESET", "cluster"): "AMQ8559I",
    ("RESET", "qmgr"): "MQSC0004I",
    ("REFRESH", "cluster"): "AMQ8558I",
    ("REFRESH", "security"): "AMQ8560I",
    ("REFRESH", "qmgr"): "MQSC0001I",
    ("START", "channel"): "AMQ8018I",
    ("START", "chinit"): "MQSC0004I",
    ("START", "cmdserv"): "MQSC0004I",
    ("START", "listener"): "AMQ8021I",
    ("START", "service"): "AMQ8733I",
    ("STOP", "channel"): "AMQ8019I",
    ("STOP", "chinit"): "MQSC0004I",
    ("STOP", "cmdserv"): "MQSC0004I",
    ("STOP", "conn"): "AMQ8457I",
    ("STOP", "listener"): "AMQ8706I",
    ("STOP", "service"): "AMQ8732I",
    ("SUSPEND", "qmgr"): "AMQ8557I",
    ("RESUME", "qmgr"): "AMQ8556I",
    ("CLEAR", "topicstr"): "MQSC0004I",
}

# The answer to a reason that the store gives.
FAILED: Mapping[int, str] = {
    MQRC.CONNECTION_BROKEN: "AMQ8145E",
    MQRC.NOT_AUTHORIZED: "AMQ8135E",
    MQRC.OBJECT_IN_USE: "AMQ8148E",
    MQRC.Q_NOT_EMPTY: "AMQ8143E",
    MQRC.Q_MGR_NAME_ERROR: "AMQ8118E",
    MQRC.Q_MGR_NOT_AVAILABLE: "AMQ8146E",
    MQRC.STORAGE_NOT_AVAILABLE: "AMQ8103S",
    MQRC.UNKNOWN_OBJECT_NAME: "AMQ8147E",
    MQRC.OBJECT_DAMAGED: "AMQ8149S",
    MQRC.Q_MGR_QUIESCING: "AMQ8156E",
    MQRCCF.OBJECT_ALREADY_EXISTS: "AMQ8150E",
    MQRCCF.OBJECT_WRONG_TYPE: "AMQ8151E",
    MQRCCF.LIKE_OBJECT_WRONG_TYPE: "AMQ8152E",
    MQRCCF.OBJECT_OPEN: "AMQ8148E",
    # The id for an ALTER that needs FORCE is not certain; "in use" is true whichever it is.
    MQRCCF.OBJECT_OPEN_FORCE: "AMQ8148E",
    MQRCCF.ATTR_VALUE_ERROR: "AMQ8425E",
    MQRCCF.OBJECT_NAME_ERROR: "AMQ8424E",
    MQRCCF.CLUSTER_NAME_CONFLICT: "AMQ8433E",
    MQRCCF.REPOS_NAME_CONFLICT: "AMQ8432E",
    MQRCCF.CLUSTER_Q_USAGE_ERROR: "AMQ8442E",
    MQRCCF.CHANNEL_NOT_FOUND: "AMQ8227E",
    MQRCCF.CHANNEL_ALREADY_EXISTS: "AMQ8226E",
    MQRCCF.MISSING_CONN_NAME: "AMQ8214E",
    MQRCCF.SSL_CIPHER_SPEC_ERROR: "AMQ8242E",
    MQRCCF.SSL_PEER_NAME_ERROR: "AMQ8243E",
    MQRCCF.WRONG_CHANNEL_TYPE: "AMQ9502E",
    MQRCCF.CHANNEL_NOT_ACTIVE: "AMQ9533W",
    MQRCCF.CHL_STATUS_NOT_FOUND: "AMQ8420I",
    MQRCCF.Q_STATUS_NOT_FOUND: "AMQ8565I",
    MQRCCF.CONNECTION_ID_ERROR: "AMQ8155E",
    MQRCCF.PARM_MISSING: "AMQ8421E",
    MQRCCF.PARM_CONFLICT: "AMQ8425E",
    MQRCCF.EVENTS_DISABLED: "AMQ8425E",
    MQRCCF.TOPICSTR_ALREADY_EXISTS: "AMQ8150E",
    MQRCCF.ENTITY_NAME_MISSING: "AMQ8421E",
    MQRCCF.PROFILE_NAME_MISSING: "AMQ8421E",
    MQRCCF.PROFILE_NAME_ERROR: "AMQ8958E",
    MQRCCF.CHLAUTH_NAME_ERROR: "AMQ8424E",
    MQRCCF.WRONG_CHLAUTH_USERSRC: "AMQ8425E",
    MQRCCF.CHLAUTH_ALREADY_EXISTS: "AMQ8883E",
    MQRCCF.CHLAUTH_NOT_FOUND: "AMQ8884E",
    MQRCCF.WRONG_CHLAUTH_ACTION: "AMQ8885E",
    MQRCCF.AUTH_VALUE_ERROR: "AMQ8425E",
    MQRCCF.AUTH_VALUE_MISSING: "AMQ8421E",
    MQRCCF.CHLAUTH_RUNCHECK_ERROR: "AMQ8425E",
    MQRCCF.WRONG_CHLAUTH_MATCH: "AMQ8425E",
    MQRCCF.FILTER_ERROR: "AMQ8569E",
    MQRCCF.LOG_TYPE_ERROR: "AMQ8518E",
}


# What would be right, where the message of a refusal does not tell.
ADVICE: Mapping[int, str] = {
    MQRCCF.CHLAUTH_NAME_ERROR: "TYPE(BLOCKADDR) is for every channel: its profile is *.",
    MQRCCF.WRONG_CHLAUTH_ACTION: "A removal names only the record: what it looks at, not what it brings about.",
    MQRCCF.WRONG_CHLAUTH_USERSRC: "USERSRC(MAP) needs MCAUSER, and no other USERSRC takes it.",
    MQRCCF.PARM_MISSING: "The command needs {name}.",
    MQRCCF.PARM_CONFLICT: "{name} takes no such parameter.",
    MQRCCF.EVENTS_DISABLED: "Events are switched on by ALTER QMGR CONFIGEV(ENABLED).",
    MQRCCF.CHLAUTH_RUNCHECK_ERROR: "MATCH(RUNCHECK) takes the name of one channel and an ADDRESS, without asterisks.",
    MQRCCF.WRONG_CHLAUTH_MATCH: "Who comes in is asked with MATCH(RUNCHECK).",
    MQRCCF.SSL_PEER_NAME_ERROR: "A distinguished name is a list such as CN=name,OU=unit,O=organization.",
    MQRCCF.AUTH_VALUE_ERROR: "That authority does not exist for this OBJTYPE.",
    MQRCCF.AUTH_VALUE_MISSING: "Name what is given in AUTHADD or taken away in AUTHRMV.",
    MQRCCF.ENTITY_NAME_MISSING: "Name users in PRINCIPAL or groups in GROUP.",
    MQRCCF.PROFILE_NAME_MISSING: "Name objects in PROFILE; only OBJTYPE(QMGR) goes without.",
    MQRC.UNKNOWN_COMPONENT_NAME: "There is no authorization service with components; leave SERVCOMP out.",
}


def text_of(message_id: str, name: str = "", detail: str = "") -> str:
    """The text of a message with its inserts: the object's name, and what else there is to say."""
    return TEXTS[message_id].format(name=name, detail=detail)


def done(verb: str, namespace: str, *remarks: str) -> Answer:
    """The answer to a verb that did what it was asked on an object of `namespace`; `remarks` are further lines."""
    message_id = DONE[verb, namespace]
    return Answer(message_id, "\n".join((text_of(message_id), *remarks)))


def refused(message_id: str, name: str, reason: int, *remarks: str) -> Answer:
    """A refusal that the verb itself decides; `remarks` are further lines."""
    return Answer(message_id, "\n".join((text_of(message_id, name), *remarks)), 2, reason)


def failed(error: MQError) -> Answer:
    """The answer to a command that the store refused."""
    reason = int(error.reason)
    message_id = FAILED.get(reason, "AMQ8101S")
    advice = [ADVICE[reason].format(name=error.object_name)] if reason in ADVICE else []
    return Answer(message_id, "\n".join((text_of(message_id, error.object_name, str(error)), *advice)), 2, reason)

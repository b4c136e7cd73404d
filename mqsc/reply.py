"""Replies to commands, and the message id for each outcome.

To add an outcome of a verb, add a row to SUCCESS_MESSAGES; for a reason code of the store, add one to FAILURE_MESSAGES.
The texts are in `mqsc.language.messages`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from msgspec import Struct

from mqsc.language.messages import message_text
from store.constants import MQRC, MQRCCF
from store.error import ChannelInUseError, MQError, UncommittedMessagesError

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Reply:
    """A command and its outcome.

    `file` and `line` say where the command begins. `text` is the text after the message id, further lines included.
    `completion` is 2 if the command failed, syntax errors included, else 0. `reason` is the MQRC or PCF code, or 0.
    `rows` are the rows of DISPLAY, REFRESH and other commands that list something: dicts by MQSC keyword.
    """

    file: str | None
    line: int
    command: str
    message_id: str
    text: str
    completion: int
    reason: int
    rows: list[dict[str, Any]] = field(default_factory=list)


class CommandError(Exception):
    """A command failed and `check=True` was given; `reply` is its reply."""

    __module__ = "mqsc"

    def __init__(self, reply: Reply) -> None:
        super().__init__(reply)
        self.reply = reply

    def __str__(self) -> str:
        reply = self.reply
        place = f"{reply.file}, line {reply.line}" if reply.file else f"line {reply.line}"
        return f"{place}: {reply.command}: {reply.message_id}: {reply.text}"


class Answer(Struct, frozen=True):
    """The outcome of a verb, without the position of the command.

    `rows` can be read once. If `each` is set, every row is printed under its own heading, as DISPLAY does; otherwise
    rows are printed only as JSON. `bare` are the keywords whose value is printed without parentheses, `joined` those
    whose list is printed on one line, `alone` those with a line of their own, `begins` those that begin a new line.
    `syntax_error` selects the count of the tally. `once` are further lines for the first such answer of a run.
    `position` is the line and column of an error in the source, if the answer is about one. `replies` are the headings
    and answers of the members of a queue-sharing group that performed a command with CMDSCOPE.
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
    syntax_error: bool = False
    once: tuple[str, ...] = ()
    position: tuple[int, int] | None = None
    replies: tuple[tuple[str, Answer], ...] = ()


# The message for a verb that succeeded, by verb and namespace of the object.
SUCCESS_MESSAGES: Mapping[tuple[str, str], str] = {
    ("DEFINE", "queue"): "AMQ8006I",
    ("DELETE", "queue"): "AMQ8007I",
    ("ALTER", "queue"): "AMQ8008I",
    ("CLEAR", "queue"): "AMQ8022I",
    ("ALTER", "qmgr"): "AMQ8005I",
    ("PING", "qmgr"): "AMQ8415I",
    ("PING", "channel"): "AMQ8020I",
    ("RESOLVE", "channel"): "AMQ8025I",
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
    ("DEFINE", "comminfo"): "AMQ8858I",
    ("DELETE", "comminfo"): "MQSC0052I",
    ("ALTER", "comminfo"): "MQSC0051I",
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
    ("RESET", "qmgr"): "AMQ8649I",
    ("REFRESH", "cluster"): "AMQ8558I",
    ("REFRESH", "security"): "AMQ8560I",
    ("REFRESH", "qmgr"): "MQSC0001I",
    ("START", "channel"): "AMQ8018I",
    ("START", "chinit"): "AMQ8024I",
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

# The message for a reason code of the store.
FAILURE_MESSAGES: Mapping[int, str] = {
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
    # The id for an ALTER that needs FORCE is not known for certain; "in use" is true in any case.
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
    MQRCCF.CHANNEL_IN_USE: "AMQ9514E",
    MQRCCF.CHANNEL_INDOUBT: "AMQ9507E",
    MQRCCF.MQOPEN_FAILED: "AMQ9509E",
    MQRCCF.NOT_XMIT_Q: "AMQ9531E",
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
    MQRCCF.STREAMQ_DEST_NOT_SUPP: "AMQ8425E",
    MQRCCF.STREAMQ_DEST_CONFLICT: "AMQ8425E",
    MQRCCF.STREAMQ_NOT_SUPPORTED: "AMQ8425E",
    MQRCCF.STREAMQ_CONFLICT: "AMQ8425E",
    MQRCCF.DISPOSITION_CONFLICT: "AMQ8425E",
    MQRCCF.Q_MGR_NOT_IN_QSG: "AMQ8425E",
    MQRCCF.OBJECT_LIMIT_EXCEEDED: "AMQ8425E",
    MQRCCF.IPADDR_RANGE_CONFLICT: "AMQ8425E",
    MQRCCF.IPADDR_ERROR: "AMQ8425E",
    MQRCCF.IPADDR_RANGE_ERROR: "AMQ8425E",
}

# The valid values, for messages that do not name them.
HINTS: Mapping[int, str] = {
    MQRC.Q_NOT_EMPTY: "{name} has messages.",
    MQRCCF.WRONG_CHANNEL_TYPE: "{name} has a type that does not allow this; a server (SVR) also needs a CONNAME.",
    MQRCCF.CHANNEL_INDOUBT: "START CHANNEL asks the partner about the batch; RESOLVE CHANNEL decides without it.",
    MQRCCF.NOT_XMIT_Q: "{name} is not a local queue with USAGE(XMITQ).",
    MQRCCF.CHLAUTH_NAME_ERROR: "TYPE(BLOCKADDR) applies to all channels: use the profile *.",
    MQRCCF.WRONG_CHLAUTH_ACTION: "To remove a record, give only the parameters that identify it.",
    MQRCCF.WRONG_CHLAUTH_USERSRC: "MCAUSER is required with USERSRC(MAP) and not allowed with other values.",
    MQRCCF.PARM_MISSING: "The command needs {name}.",
    MQRCCF.PARM_CONFLICT: "RECOVER(YES) needs CFLEVEL(3) or more.",
    MQRCCF.EVENTS_DISABLED: "To enable the events: ALTER QMGR CONFIGEV(ENABLED).",
    MQRCCF.CHLAUTH_RUNCHECK_ERROR: "MATCH(RUNCHECK) needs the name of one channel and an ADDRESS, without asterisks.",
    MQRCCF.WRONG_CHLAUTH_MATCH: "The parameters that describe a client are only allowed with MATCH(RUNCHECK).",
    MQRCCF.SSL_PEER_NAME_ERROR: "A distinguished name is a list such as CN=name,OU=unit,O=organization.",
    MQRCCF.AUTH_VALUE_ERROR: "This OBJTYPE has no such authority.",
    MQRCCF.AUTH_VALUE_MISSING: "Give AUTHADD or AUTHRMV.",
    MQRCCF.ENTITY_NAME_MISSING: "Give users in PRINCIPAL or groups in GROUP.",
    MQRCCF.PROFILE_NAME_MISSING: "Give PROFILE; only OBJTYPE(QMGR) works without it.",
    MQRCCF.STREAMQ_DEST_NOT_SUPP: "A stream queue cannot be a model queue, a transmission queue or a SYSTEM queue.",
    MQRCCF.STREAMQ_DEST_CONFLICT: "A stream queue cannot have a STREAMQ itself, and cannot be the queue itself.",
    MQRCCF.STREAMQ_NOT_SUPPORTED: "A transmission queue, a dynamic queue or most SYSTEM queues cannot have a STREAMQ.",
    MQRCCF.STREAMQ_CONFLICT: "A queue with STREAMQ cannot be the STREAMQ of a queue or the DEST of a subscription.",
    MQRCCF.DISPOSITION_CONFLICT: "QSGDISP(SHARED) and DEFTYPE(SHAREDYN) need CFSTRUCT, which cannot be altered; "
    "they do not go with INDXTYPE(MSGTOKEN) or most names that begin with SYSTEM.",
    MQRCCF.OBJECT_LIMIT_EXCEEDED: "The structure {name} has 512 queues.",
    MQRCCF.Q_MGR_NOT_IN_QSG: "{name} is not in a queue-sharing group.",
    MQRCCF.IPADDR_RANGE_CONFLICT: "The range of addresses overlaps that of another record of the profile: {name}.",
    MQRCCF.IPADDR_ERROR: "{name} is not an IP address or a pattern such as 192.0.2.*, 192.0.2.1-8 or 2001:DB8:*.",
    MQRCCF.IPADDR_RANGE_ERROR: "{name}: the first number of a range must be below the second.",
    MQRC.UNKNOWN_COMPONENT_NAME: "There are no service components here; remove SERVCOMP.",
}

UNCOMMITTED = "{name} has uncommitted messages; DISPLAY CONN(*) WHERE(UOWSTATE NE NONE) lists open units of work."

# The detail in a message, if it is not the reason code.
DETAILS: Mapping[int, str] = {MQRCCF.MQOPEN_FAILED: "there is no local queue of this name"}


@cache
def done(verb: str, namespace: str, *remarks: str) -> Answer:
    """The answer to a verb that succeeded on an object of `namespace`; `remarks` are further lines."""
    message_id = SUCCESS_MESSAGES[verb, namespace]
    return Answer(message_id, "\n".join((message_text(message_id), *remarks)))


def refused(message_id: str, name: str, reason: int, *remarks: str) -> Answer:
    """The answer to a command that its verb refuses; `remarks` are further lines."""
    return Answer(message_id, "\n".join((message_text(message_id, name), *remarks)), 2, reason)


def failed(error: MQError, *remarks: str) -> Answer:
    """The answer to a command that the store refused; `remarks` are further lines."""
    reason = int(error.reason)
    message_id = FAILURE_MESSAGES.get(reason, "AMQ8101S")
    hint = UNCOMMITTED if isinstance(error, UncommittedMessagesError) else HINTS.get(reason)
    hints = [hint.format(name=error.object_name)] if hint else []
    if isinstance(error, ChannelInUseError):
        hints.append(f"Process {error.process} runs it.")
    detail = DETAILS.get(reason, str(error))
    return Answer(
        message_id, "\n".join((message_text(message_id, error.object_name, detail), *hints, *remarks)), 2, reason
    )

"""What a command is answered with: the texts by message id, and which id stands for what.

A new message is a row of TEXTS; a new outcome of a verb a row of DONE; a new reason of the store a row of FAILED.
Ids are the ones that runmqsc gives; those that begin with MQSC are our own, where MQ has none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

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
    printed without parentheses, `syntax` says in which count of the tally it belongs.
    """

    message_id: str
    text: str = ""
    completion: int = 0
    reason: int = 0
    rows: Iterable[Row] = ()
    each: bool = False
    bare: frozenset[str] = frozenset()
    syntax: bool = False


TEXTS: Mapping[str, str] = {
    "AMQ8001I": "IBM MQ queue manager '{name}' created.",
    "AMQ8002I": "IBM MQ queue manager '{name}' deleted.",
    "AMQ8003I": "IBM MQ queue manager '{name}' started.",
    "AMQ8004I": "IBM MQ queue manager '{name}' ended.",
    "AMQ8005I": "IBM MQ queue manager changed.",
    "AMQ8006I": "IBM MQ queue created.",
    "AMQ8007I": "IBM MQ queue deleted.",
    "AMQ8008I": "IBM MQ queue changed.",
    "AMQ8010I": "IBM MQ process created.",
    "AMQ8011I": "IBM MQ process deleted.",
    "AMQ8012I": "IBM MQ process changed.",
    "AMQ8014I": "IBM MQ channel created.",
    "AMQ8015I": "IBM MQ channel deleted.",
    "AMQ8016I": "IBM MQ channel changed.",
    "AMQ8022I": "IBM MQ queue cleared.",
    "AMQ8094I": "IBM MQ subscription created.",
    "AMQ8095I": "IBM MQ subscription changed.",
    "AMQ8097I": "IBM MQ subscription deleted.",
    "AMQ8101S": "IBM MQ error: {detail}.",
    "AMQ8103S": "Not enough storage for this command.",
    "AMQ8110E": "IBM MQ queue manager '{name}' already exists.",
    "AMQ8118E": "IBM MQ queue manager '{name}' does not exist.",
    "AMQ8135E": "Not authorized.",
    "AMQ8143E": "IBM MQ queue {name} is not empty.",
    "AMQ8145E": "The connection to the queue manager is broken.",
    "AMQ8146E": "IBM MQ queue manager '{name}' is not available: it is not running.",
    "AMQ8147E": "IBM MQ object {name} not found.",
    "AMQ8148E": "IBM MQ object {name} is in use.",
    "AMQ8149S": "IBM MQ object {name} is damaged.",
    "AMQ8150E": "IBM MQ object {name} already exists.",
    "AMQ8151E": "IBM MQ object {name} exists with a different type.",
    "AMQ8152E": "The object {name} named by LIKE has a different type.",
    "AMQ8156E": "IBM MQ queue manager is quiescing.",
    "AMQ8226E": "IBM MQ channel {name} already exists.",
    "AMQ8227E": "IBM MQ channel {name} not found.",
    "AMQ8405I": "Syntax error detected at or near end of command segment below:-",
    "AMQ8406I": "Unexpected end of input.",
    "AMQ8411E": "Duplicate keyword.",
    "AMQ8412E": "Number out of range.",
    "AMQ8413E": "Value too long.",
    "AMQ8415I": "Ping of the IBM MQ queue manager complete.",
    "AMQ8421E": "A required keyword was not given.",
    "AMQ8424E": "Error in a name keyword.",
    "AMQ8425E": "Error in the value of an attribute.",
    "AMQ8426I": "Valid MQSC commands are:",
    "AMQ8427I": "Valid syntax for the MQSC command:",
    "AMQ8428E": "The TYPE keyword has already been given.",
    "AMQ8432E": "REPOS and REPOSNL cannot both have a value.",
    "AMQ8433E": "CLUSTER and CLUSNL cannot both have a value.",
    "AMQ8442E": "USAGE(XMITQ) cannot be combined with CLUSTER or CLUSNL.",
    "AMQ8518E": "Logger events need linear logging.",
    "AMQ8551I": "IBM MQ namelist changed.",
    "AMQ8552I": "IBM MQ namelist created.",
    "AMQ8553I": "IBM MQ namelist deleted.",
    "AMQ8563I": "IBM MQ authentication information object created.",
    "AMQ8564I": "IBM MQ authentication information object deleted.",
    "AMQ8567I": "IBM MQ authentication information object changed.",
    "AMQ8569E": "Error in the filter.",
    "AMQ8623I": "IBM MQ listener changed.",
    "AMQ8625I": "IBM MQ service created.",
    "AMQ8626I": "IBM MQ listener created.",
    "AMQ8690I": "IBM MQ topic created.",
    "AMQ8691I": "IBM MQ topic changed.",
    "AMQ8692I": "IBM MQ topic deleted.",
    "AMQ8858I": "IBM MQ communication information object created.",
    "MQSC0001I": "Expired messages discarded: {detail}.",
    "MQSC0002E": "{name} is not built yet: nothing was done.",
}

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
    ("DEFINE", "comminfo"): "AMQ8858I",
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
    MQRCCF.FILTER_ERROR: "AMQ8569E",
    MQRCCF.LOG_TYPE_ERROR: "AMQ8518E",
}


def text_of(message_id: str, name: str = "", detail: str = "") -> str:
    """The text of a message with its inserts: the object's name, and what else there is to say."""
    return TEXTS[message_id].format(name=name, detail=detail)


def done(verb: str, namespace: str, *remarks: str) -> Answer:
    """The answer to a verb that did what it was asked on an object of `namespace`; `remarks` are further lines."""
    message_id = DONE[verb, namespace]
    return Answer(message_id, "\n".join((text_of(message_id), *remarks)))


def failed(error: MQError) -> Answer:
    """The answer to a command that the store refused."""
    message_id = FAILED.get(int(error.reason), "AMQ8101S")
    return Answer(message_id, text_of(message_id, error.object_name, str(error)), 2, int(error.reason))

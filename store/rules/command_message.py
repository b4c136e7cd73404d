"""Commands that are sent as messages, and the responses to them."""

from enum import Enum
from operator import attrgetter
from typing import NamedTuple

from mqsc.store.constants import MQFMT, MQMT, MQRC, MQRO
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.headers.layout import NATIVE

COMMAND_QUEUE = "SYSTEM.ADMIN.COMMAND.QUEUE"
# The application of the command server, in the history and in the messages that it puts.
COMMAND_SERVER = "amqpcsea"
_CCSID = 1208
_UNLIMITED = -1


class Issuer(NamedTuple):
    """Who sent a command as a message: the context of that message. `server` is the program that
    performs it.
    """

    user: str
    accounting_token: bytes = bytes(32)
    identity_data: str = ""
    application_type: int = 0
    application: str = ""
    application_origin: str = ""
    server: str = COMMAND_SERVER


_ISSUER = attrgetter(
    *(
        "user_identifier",
        "accounting_token",
        "appl_identity_data",
        "put_appl_type",
        "put_appl_name",
    ),
    "appl_origin_data",
)


def issuer_of(descriptor: MessageDescriptor) -> Issuer:
    """The issuer of the command in a message."""
    return Issuer(*_ISSUER(descriptor))


class Fate(Enum):
    """The outcome for a message on the command queue."""

    PERFORM = "perform"
    REFUSE = "refuse"
    DEAD_LETTER = "dead letter"
    DROP = "drop"


class Verdict(NamedTuple):
    """The outcome for a message, and its reason."""

    fate: Fate
    reason: int = 0


def verdict(descriptor: MessageDescriptor) -> Verdict:
    """Whether a message is a command that can be answered (PCF §2)."""
    reason = 0
    if descriptor.msg_type != MQMT.REQUEST:
        reason = int(MQRC.MSG_TYPE_ERROR)
    elif not descriptor.reply_to_q:
        reason = int(MQRC.MISSING_REPLY_TO_Q)
    if reason:
        # One that already is a dead letter would otherwise go round when this queue is the
        # dead-letter queue.
        gone = descriptor.report & MQRO.DISCARD_MSG or descriptor.format == MQFMT.DEAD_LETTER_HEADER
        return Verdict(Fate.DROP if gone else Fate.DEAD_LETTER, reason)
    return Verdict(Fate.PERFORM if descriptor.format == MQFMT.ADMIN else Fate.REFUSE)


def response_descriptor(request: MessageDescriptor) -> MessageDescriptor:
    """The descriptor of a response; `request` has the Expiry that is left. Its MsgId is new
    unless asked otherwise.
    """
    report = request.report
    passes_expiry = report & MQRO.PASS_DISCARD_AND_EXPIRY
    return MessageDescriptor(
        report=report & int(MQRO.DISCARD_MSG) if passes_expiry else 0,
        msg_type=int(MQMT.REPLY),
        expiry=request.expiry if passes_expiry else _UNLIMITED,
        encoding=NATIVE,
        coded_char_set_id=_CCSID,
        format=str(MQFMT.ADMIN),
        priority=request.priority,
        persistence=request.persistence,
        msg_id=request.msg_id if report & MQRO.PASS_MSG_ID else bytes(24),
        correl_id=request.correl_id if report & MQRO.PASS_CORREL_ID else request.msg_id,
    )

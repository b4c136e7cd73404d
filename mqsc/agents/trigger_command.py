"""From a trigger message to the program that it asks for; nothing in it is ever interpreted (triggering §6)."""

from __future__ import annotations

import shlex
from dataclasses import asdict, dataclass

from store.constants import MQAT, MQFB
from store.headers import mqtm
from store.headers.layout import HeaderError
from store.headers.mqtm import TriggerMessage
from store.message import Message

BACKGROUND = "&"


class InvalidTriggerMessageError(Exception):
    """A trigger message that starts nothing. `feedback` is its MQFB for the dead-letter queue."""

    def __init__(self, feedback: int, why: str, trigger: TriggerMessage | None = None) -> None:
        super().__init__(why)
        self.feedback = int(feedback)
        self.trigger = trigger


@dataclass(frozen=True, slots=True)
class Command:
    """What a trigger message asks for: the words of a command, and whether the monitor waits for its end.

    `words` are the words of APPLICID, the MQTMC2 as one of 732 bytes, the words of ENVRDATA; or, for a shell, the one
    line that the product would hand to it.
    """

    trigger: TriggerMessage
    words: tuple[bytes, ...]
    waits: bool

    @property
    def program(self) -> str:
        """The program as APPLICID names it."""
        return self.trigger.appl_id


def command_of(message: Message, queue_manager: str, *, shell: bool = False) -> Command:
    """The command that a message got from an initiation queue asks for.

    Unfit with MQFB_TM_ERROR 266 for what is no MQTM version 1 of 684 bytes, 267 for another APPLTYPE than UNIX, 265 for
    an APPLICID or ENVRDATA that makes no command.
    """
    trigger = read(message)
    told = mqtm.pack_characters(mqtm.for_program(trigger, queue_manager))
    if shell:
        return Command(trigger, (_line(trigger, told),), waits=True)
    rest = trigger.env_data.rstrip()
    waits = not rest.endswith(BACKGROUND) or rest.endswith("\\" + BACKGROUND)
    words = _words(trigger, "APPLICID", trigger.appl_id)
    if not words:
        raise InvalidTriggerMessageError(MQFB.APPL_CANNOT_BE_STARTED, "APPLICID is blank", trigger)
    behind = _words(trigger, "ENVRDATA", rest if waits else rest.removesuffix(BACKGROUND))
    return Command(trigger, (*words, told, *behind), waits)


def read(message: Message) -> TriggerMessage:
    """The MQTM in a message; a text field ends at a NUL, as anywhere in MQ. Unfit 266 or 267."""
    descriptor = message.descriptor
    try:
        if len(message.body) != mqtm.MQTM.length:
            raise HeaderError(f"not an MQTM: {len(message.body)} bytes instead of {mqtm.MQTM.length}")
        whole = mqtm.unpack(message.body, descriptor.encoding, descriptor.coded_char_set_id)
    except HeaderError as fault:
        raise InvalidTriggerMessageError(MQFB.TM_ERROR, str(fault)) from None
    texts = {name: value.partition("\0")[0] for name, value in asdict(whole).items() if isinstance(value, str)}
    trigger = TriggerMessage(**{**asdict(whole), **texts})
    if trigger.appl_type != MQAT.UNIX:
        why = f"ApplType {trigger.appl_type}: only UNIX programs ({int(MQAT.UNIX)}) are started here"
        raise InvalidTriggerMessageError(MQFB.APPL_TYPE_ERROR, why, trigger)
    return trigger


def _words(trigger: TriggerMessage, field: str, text: str) -> list[bytes]:
    try:
        return [word.encode() for word in shlex.split(text)]
    except ValueError as fault:
        raise InvalidTriggerMessageError(
            MQFB.APPL_CANNOT_BE_STARTED, f"{field}: {str(fault).lower()}", trigger
        ) from None


def _line(trigger: TriggerMessage, told: bytes) -> bytes:
    """The command line of the product: whatever a shell finds in it, it interprets."""
    return b" ".join((trigger.appl_id.encode(), b'"' + told + b'"', trigger.env_data.encode())).rstrip()

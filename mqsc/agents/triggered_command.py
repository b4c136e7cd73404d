"""The command that a trigger message asks for; a shell interprets no part of it (triggering §6)."""

from __future__ import annotations

import shlex

from msgspec import Struct, structs

from mqsc.store.constants import MQAT, MQFB
from mqsc.store.headers import layout, mqtm
from mqsc.store.headers.mqtm import TriggerMessage
from mqsc.store.message import Message

BACKGROUND = "&"


class InvalidTriggerMessageError(Exception):
    """A trigger message that starts no program. `feedback` is the MQFB for the dead-letter
    header.
    """

    def __init__(self, feedback: int, why: str, trigger: TriggerMessage | None = None) -> None:
        super().__init__(why)
        self.feedback = int(feedback)
        self.trigger = trigger


class TriggeredCommand(Struct, frozen=True):
    """The command that a trigger message asks for, and whether the monitor waits for it to end.

    `words` are the words of APPLICID, the MQTMC2 as one word of 732 bytes and the words of
    ENVRDATA; for a shell, the single command line that IBM MQ would pass to it.
    """

    trigger: TriggerMessage
    words: tuple[bytes, ...]
    waits: bool

    @property
    def program(self) -> str:
        """The program, as named by APPLICID."""
        return self.trigger.appl_id


def command_of(message: Message, queue_manager: str, *, shell: bool = False) -> TriggeredCommand:
    """The command that a message from an initiation queue asks for.

    Raises InvalidTriggerMessageError with MQFB_TM_ERROR (266) when the body is not an MQTM version
    1 of 684 bytes, MQFB_APPL_TYPE_ERROR (267) for an APPLTYPE other than UNIX, and
    MQFB_APPL_CANNOT_BE_STARTED (265) when APPLICID or ENVRDATA is not a valid command.
    """
    trigger = read(message)
    parameter = mqtm.for_program(trigger, queue_manager)
    if shell:
        # The command line that IBM MQ passes to a shell, which interprets all of it.
        line = b" ".join(
            (trigger.appl_id.encode(), b'"' + parameter + b'"', trigger.env_data.encode()),
        )
        return TriggeredCommand(trigger, (line.rstrip(),), waits=True)
    rest = trigger.env_data.rstrip()
    waits = not rest.endswith(BACKGROUND) or rest.endswith("\\" + BACKGROUND)
    words = _words(trigger, "APPLICID", trigger.appl_id)
    if not words:
        raise InvalidTriggerMessageError(MQFB.APPL_CANNOT_BE_STARTED, "APPLICID is blank", trigger)
    arguments = _words(trigger, "ENVRDATA", rest if waits else rest.removesuffix(BACKGROUND))
    return TriggeredCommand(trigger, (*words, parameter, *arguments), waits)


def read(message: Message) -> TriggerMessage:
    """The MQTM in a message; a text field ends at a NUL, as everywhere in MQ."""
    descriptor = message.descriptor
    try:
        if len(message.body) != mqtm.MQTM.length:
            raise layout.HeaderError(
                f"not an MQTM: {len(message.body)} bytes instead of {mqtm.MQTM.length}",
            )
        whole = mqtm.unpack_mqtm(message.body, descriptor.encoding, descriptor.coded_char_set_id)
    except layout.HeaderError as fault:
        raise InvalidTriggerMessageError(MQFB.TM_ERROR, str(fault)) from None
    texts = {
        name: value.partition("\0")[0]
        for name, value in structs.asdict(whole).items()
        if isinstance(value, str)
    }
    trigger = TriggerMessage(**{**structs.asdict(whole), **texts})
    if trigger.appl_type != MQAT.UNIX:
        why = f"ApplType {trigger.appl_type}: only UNIX programs ({int(MQAT.UNIX)}) can be started"
        raise InvalidTriggerMessageError(MQFB.APPL_TYPE_ERROR, why, trigger)
    return trigger


def _words(trigger: TriggerMessage, field: str, text: str) -> list[bytes]:
    try:
        return [word.encode() for word in shlex.split(text)]
    except ValueError as fault:
        raise InvalidTriggerMessageError(
            MQFB.APPL_CANNOT_BE_STARTED,
            f"{field}: {str(fault).lower()}",
            trigger,
        ) from None

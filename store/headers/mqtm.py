"""The trigger message, MQTM (684 bytes), and its character form for the started program, MQTMC2 (732 bytes)."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import asdict

from store.constants import MQAT
from store.headers.layout import FIELDS, NATIVE, Layout

MQTM = Layout("MQTM", "TM  ", 1, FIELDS["MQTM"])
MQTMC2 = Layout("MQTMC2", "TMC ", "   2", FIELDS["MQTMC2"])
# The offset in the MQTM at which the name of the queue ends.
QUEUE_NAME_ENDS = 56
UNKNOWN_APPLICATION = int(MQAT.UNKNOWN)


class TriggerMessage(Struct, frozen=True):
    """The queue that triggered and the process to start; without a process, its fields are blank and MQAT_UNKNOWN."""

    q_name: str
    process_name: str = ""
    trigger_data: str = ""
    appl_type: int = UNKNOWN_APPLICATION
    appl_id: str = ""
    env_data: str = ""
    user_data: str = ""


class CharacterTriggerMessage(Struct, frozen=True):
    """The argument of a started program. Its `appl_type` is always blank."""

    q_name: str
    process_name: str = ""
    trigger_data: str = ""
    appl_type: str = ""
    appl_id: str = ""
    env_data: str = ""
    user_data: str = ""
    q_mgr_name: str = ""


def pack(message: TriggerMessage, encoding: int = NATIVE, ccsid: int = 1208) -> bytes:
    return MQTM.pack(message, encoding, ccsid)


def unpack(data: bytes, encoding: int = NATIVE, ccsid: int = 1208) -> TriggerMessage:
    """The MQTM at the start of the data; HeaderError without an MQTM."""
    return TriggerMessage(**MQTM.unpack(data, encoding, ccsid))


def for_program(message: TriggerMessage, queue_manager: str) -> CharacterTriggerMessage:
    """The trigger message as the started program receives it."""
    return CharacterTriggerMessage(**{**asdict(message), "appl_type": "", "q_mgr_name": queue_manager})


def pack_characters(message: CharacterTriggerMessage, ccsid: int = 1208) -> bytes:
    return MQTMC2.pack(message, NATIVE, ccsid)


def unpack_characters(data: bytes, ccsid: int = 1208) -> CharacterTriggerMessage:
    """The MQTMC2 at the start of the data; HeaderError without an MQTMC2."""
    return CharacterTriggerMessage(**MQTMC2.unpack(data, NATIVE, ccsid))

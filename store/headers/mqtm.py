"""The trigger message, MQTM (684 bytes), and its character form for the started program, MQTMC2 (732 bytes)."""

from __future__ import annotations

from types import SimpleNamespace

from msgspec import Struct, structs

from mqsc.store.constants import MQAT
from mqsc.store.headers.layout import FIELDS, NATIVE, Layout

MQTM = Layout("MQTM", "TM  ", 1, FIELDS["MQTM"])
MQTMC2 = Layout("MQTMC2", "TMC ", "   2", FIELDS["MQTMC2"])
# The offset in the MQTM at which the name of the queue ends.
QUEUE_NAME_ENDS = 56
UNKNOWN_APPLICATION = int(MQAT.UNKNOWN)


class TriggerMessage(Struct, frozen=True):
    """The queue that triggered and the process to start; without a process, its fields are blank
    and MQAT_UNKNOWN.
    """

    q_name: str
    process_name: str = ""
    trigger_data: str = ""
    appl_type: int = UNKNOWN_APPLICATION
    appl_id: str = ""
    env_data: str = ""
    user_data: str = ""


pack_mqtm = MQTM.pack


def unpack_mqtm(data: bytes, encoding: int = NATIVE, ccsid: int = 1208) -> TriggerMessage:
    """The MQTM at the start of the data; HeaderError without an MQTM."""
    return TriggerMessage(**MQTM.unpack(data, encoding, ccsid))


def for_program(message: TriggerMessage, queue_manager: str, ccsid: int = 1208) -> bytes:
    """The MQTMC2 that the started program receives; its ApplType is blank."""
    message_of_program = SimpleNamespace(
        **{**structs.asdict(message), "appl_type": "", "q_mgr_name": queue_manager},
    )
    return MQTMC2.pack(message_of_program, NATIVE, ccsid)

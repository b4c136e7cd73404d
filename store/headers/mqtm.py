"""The trigger message, MQTM (684 bytes), and its character form for the started program, MQTMC2 (732 bytes)."""

from __future__ import annotations

from dataclasses import dataclass

from store.headers.layout import INTEGER, NATIVE, TEXT, Layout, rows

MQTM = Layout(
    "MQTM",
    "TM  ",
    1,
    rows(
        (0, 4, TEXT, "struc_id"),
        (4, 4, INTEGER, "version"),
        (8, 48, TEXT, "q_name"),
        (56, 48, TEXT, "process_name"),
        (104, 64, TEXT, "trigger_data"),
        (168, 4, INTEGER, "appl_type"),
        (172, 256, TEXT, "appl_id"),
        (428, 128, TEXT, "env_data"),
        (556, 128, TEXT, "user_data"),
    ),
)
MQTMC2 = Layout(
    "MQTMC2",
    "TMC ",
    "   2",
    rows(
        (0, 4, TEXT, "struc_id"),
        (4, 4, TEXT, "version"),
        (8, 48, TEXT, "q_name"),
        (56, 48, TEXT, "process_name"),
        (104, 64, TEXT, "trigger_data"),
        (168, 4, TEXT, "appl_type"),
        (172, 256, TEXT, "appl_id"),
        (428, 128, TEXT, "env_data"),
        (556, 128, TEXT, "user_data"),
        (684, 48, TEXT, "q_mgr_name"),
    ),
)
UNKNOWN_APPLICATION = -1  # MQAT_UNKNOWN


@dataclass(frozen=True, slots=True)
class TriggerMessage:
    """The queue that triggered and the process to start; without a process its five fields are blank and unknown."""

    q_name: str
    process_name: str = ""
    trigger_data: str = ""
    appl_type: int = UNKNOWN_APPLICATION
    appl_id: str = ""
    env_data: str = ""
    user_data: str = ""


@dataclass(frozen=True, slots=True)
class CharacterTriggerMessage:
    """What a started program is told. `appl_type` is blank in it whatever the process says."""

    q_name: str
    process_name: str = ""
    trigger_data: str = ""
    appl_type: str = ""
    appl_id: str = ""
    env_data: str = ""
    user_data: str = ""
    q_mgr_name: str = ""


def pack(message: TriggerMessage, encoding: int = NATIVE, ccsid: int = 1208) -> bytes:
    """The 684 bytes of an MQTM."""
    return MQTM.pack(message, encoding, ccsid)


def unpack(data: bytes, encoding: int = NATIVE, ccsid: int = 1208) -> TriggerMessage:
    """The MQTM at the start of the data; HeaderError when it is none."""
    return TriggerMessage(**MQTM.unpack(data, encoding, ccsid))


def for_program(message: TriggerMessage, queue_manager: str) -> CharacterTriggerMessage:
    """The trigger message as the program that is started gets it."""
    return CharacterTriggerMessage(
        message.q_name,
        message.process_name,
        message.trigger_data,
        "",
        message.appl_id,
        message.env_data,
        message.user_data,
        queue_manager,
    )


def pack_characters(message: CharacterTriggerMessage, ccsid: int = 1208) -> bytes:
    """The 732 bytes of an MQTMC2, all characters."""
    return MQTMC2.pack(message, NATIVE, ccsid)


def unpack_characters(data: bytes, ccsid: int = 1208) -> CharacterTriggerMessage:
    """The MQTMC2 at the start of the data; HeaderError when it is none."""
    return CharacterTriggerMessage(**MQTMC2.unpack(data, NATIVE, ccsid))

"""The structures of the MQI, as 64-bit programs pass them: a row (offset, length, kind, name) for each field in use."""

from __future__ import annotations

from mqsc.clients.structure import LONG, Structure
from store.constants import MQRC
from store.headers.layout import BYTES, INTEGER, TEXT

_NAME = 48


def _charv(offset: int, name: str) -> tuple[tuple[int, int, str, str], ...]:
    """The five fields of an MQCHARV, a string of variable length."""
    return (
        (offset, 8, LONG, f"{name}_pointer"),
        (offset + 8, 4, INTEGER, f"{name}_offset"),
        (offset + 12, 4, INTEGER, f"{name}_buffer_size"),
        (offset + 16, 4, INTEGER, f"{name}_length"),
        (offset + 20, 4, INTEGER, f"{name}_ccsid"),
    )


MQOD = Structure(
    "OD",
    MQRC.OD_ERROR,
    {1: 168, 2: 208, 3: 344, 4: 424},
    (8, 4, INTEGER, "object_type"),
    (12, _NAME, TEXT, "object_name"),
    (60, _NAME, TEXT, "object_q_mgr_name"),
    (108, _NAME, TEXT, "dynamic_q_name"),
    (156, 12, TEXT, "alternate_user_id"),
    (168, 4, INTEGER, "records_present"),
    (172, 4, INTEGER, "known_dest_count"),
    (176, 4, INTEGER, "unknown_dest_count"),
    (180, 4, INTEGER, "invalid_dest_count"),
    (248, _NAME, TEXT, "resolved_q_name"),
    (296, _NAME, TEXT, "resolved_q_mgr_name"),
    *_charv(344, "object_string"),
    *_charv(368, "selection_string"),
    (416, 4, INTEGER, "resolved_type"),
)
MQPMO = Structure(
    "PMO",
    MQRC.PMO_ERROR,
    {1: 128, 2: 160, 3: 184},
    (8, 4, INTEGER, "options"),
    (16, 4, INTEGER, "context"),
    (20, 4, INTEGER, "known_dest_count"),
    (24, 4, INTEGER, "unknown_dest_count"),
    (28, 4, INTEGER, "invalid_dest_count"),
    (32, _NAME, TEXT, "resolved_q_name"),
    (80, _NAME, TEXT, "resolved_q_mgr_name"),
    (128, 4, INTEGER, "records_present"),
    (160, 8, LONG, "original_msg_handle"),
    (168, 8, LONG, "new_msg_handle"),
    (176, 4, INTEGER, "action"),
)
MQGMO = Structure(
    "GMO",
    MQRC.GMO_ERROR,
    {1: 72, 2: 80, 3: 100, 4: 112},
    (8, 4, INTEGER, "options"),
    (12, 4, INTEGER, "wait_interval"),
    (24, _NAME, TEXT, "resolved_q_name"),
    (72, 4, INTEGER, "match_options"),
    (76, 1, BYTES, "group_status"),
    (77, 1, BYTES, "segment_status"),
    (78, 1, BYTES, "segmentation"),
    (96, 4, INTEGER, "returned_length"),
    (104, 8, LONG, "msg_handle"),
)
MQCNO = Structure(
    "CNO",
    MQRC.CNO_ERROR,
    # Version 4 may come with or without the padding that a compiler adds.
    {1: 12, 2: 24, 3: 152, 4: 164, 5: 200, 6: 224, 7: 256, 8: 272},
    (8, 4, INTEGER, "options"),
    (164, 24, BYTES, "connection_id"),
    (224, 28, TEXT, "application_name"),
)
MQCSP = Structure(
    "CSP",
    MQRC.CSP_ERROR,
    {1: 56, 2: 80, 3: 104},
    (8, 4, INTEGER, "authentication_type"),
    (16, 8, LONG, "user_id_pointer"),
    (24, 4, INTEGER, "user_id_offset"),
    (28, 4, INTEGER, "user_id_length"),
    (40, 8, LONG, "password_pointer"),
    (48, 4, INTEGER, "password_offset"),
    (52, 4, INTEGER, "password_length"),
)
MQBO = Structure("BO", MQRC.BO_ERROR, {1: 12}, (8, 4, INTEGER, "options"))
MQSTS = Structure(
    "STAT",
    MQRC.STS_ERROR,
    {1: 224, 2: 280},
    (8, 4, INTEGER, "completion"),
    (12, 4, INTEGER, "reason"),
    (16, 4, INTEGER, "success_count"),
    (20, 4, INTEGER, "warning_count"),
    (24, 4, INTEGER, "failure_count"),
    (28, 4, INTEGER, "object_type"),
    (32, _NAME, TEXT, "object_name"),
    (80, _NAME, TEXT, "object_q_mgr_name"),
    (128, _NAME, TEXT, "resolved_object_name"),
    (176, _NAME, TEXT, "resolved_q_mgr_name"),
    (272, 4, INTEGER, "open_options"),
    (276, 4, INTEGER, "sub_options"),
)
MQCBD = Structure(
    "CBD",
    MQRC.CBD_ERROR,
    {1: 164},
    (8, 4, INTEGER, "callback_type"),
    (12, 4, INTEGER, "options"),
    (16, 8, LONG, "callback_area"),
    (24, 8, LONG, "callback_function"),
    (32, 128, TEXT, "callback_name"),
    (160, 4, INTEGER, "max_msg_length"),
)
# Made by the queue manager only.
MQCBC = Structure(
    "CBC",
    MQRC.CBD_ERROR,
    {1: 56, 2: 64},
    (8, 4, INTEGER, "call_type"),
    (12, 4, INTEGER, "object_handle"),
    (16, 8, LONG, "callback_area"),
    (24, 8, LONG, "connection_area"),
    (32, 4, INTEGER, "completion"),
    (36, 4, INTEGER, "reason"),
    (40, 4, INTEGER, "state"),
    (44, 4, INTEGER, "data_length"),
    (48, 4, INTEGER, "buffer_length"),
    (52, 4, INTEGER, "flags"),
    (56, 4, INTEGER, "reconnect_delay"),
)
MQCTLO = Structure("CTLO", MQRC.CTLO_ERROR, {1: 24}, (8, 4, INTEGER, "options"), (16, 8, LONG, "connection_area"))
MQCMHO = Structure("CMHO", MQRC.CMHO_ERROR, {1: 12}, (8, 4, INTEGER, "options"))
MQDMHO = Structure("DMHO", MQRC.DMHO_ERROR, {1: 12}, (8, 4, INTEGER, "options"))
MQDMPO = Structure("DMPO", MQRC.DMPO_ERROR, {1: 12}, (8, 4, INTEGER, "options"))
MQSMPO = Structure(
    "SMPO",
    MQRC.SMPO_ERROR,
    {1: 20},
    (8, 4, INTEGER, "options"),
    (12, 4, INTEGER, "value_encoding"),
    (16, 4, INTEGER, "value_ccsid"),
)
MQIMPO = Structure(
    "IMPO",
    MQRC.IMPO_ERROR,
    {1: 64},
    (8, 4, INTEGER, "options"),
    (12, 4, INTEGER, "requested_encoding"),
    (16, 4, INTEGER, "requested_ccsid"),
    (20, 4, INTEGER, "returned_encoding"),
    (24, 4, INTEGER, "returned_ccsid"),
    *_charv(32, "returned_name"),
    (56, 8, TEXT, "type_string"),
)
MQPD = Structure(
    "PD",
    MQRC.PD_ERROR,
    {1: 24},
    (8, 4, INTEGER, "options"),
    (12, 4, INTEGER, "support"),
    (16, 4, INTEGER, "context"),
    (20, 4, INTEGER, "copy_options"),
)

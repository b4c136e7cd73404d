"""The MQMD in bytes."""

from __future__ import annotations

import pytest

from mqsc.clients import messages
from store.error import MQError

# By hand: Report 0, MsgType 8, Expiry -1, Feedback 0, Encoding 546, CCSID 1208, MQSTR, Priority 5, Persistence 1.
HEAD = bytes.fromhex(
    "4d442020 01000000 00000000 08000000 ffffffff 00000000 22020000 b8040000 4d51535452202020 05000000 01000000"
)
FIRST = HEAD + b"M" * 24 + b"C" * 24 + bytes(4) + b"REPLY".ljust(48) + b"QM1".ljust(48) + b"me".ljust(12)
FIRST += bytes(32) + b" " * 32 + bytes.fromhex("06000000") + b"prog".ljust(28) + b"20231114" + b"22132000" + b"    "


def test_version_1_by_hand() -> None:
    version, found = messages.read(FIRST)
    assert (version, len(FIRST)) == (1, 324)
    assert (found.msg_type, found.expiry, found.encoding, found.coded_char_set_id) == (8, -1, 546, 1208)
    assert (found.format, found.priority, found.persistence) == ("MQSTR", 5, 1)
    assert (found.msg_id, found.correl_id) == (b"M" * 24, b"C" * 24)
    assert (found.reply_to_q, found.reply_to_q_mgr, found.user_identifier) == ("REPLY", "QM1", "me")
    assert (found.put_appl_type, found.put_appl_name) == (6, "prog")
    assert (found.put_date, found.put_time) == ("20231114", "22132000")
    assert messages.write(FIRST, version, found) == FIRST


def test_version_2_has_forty_bytes_more() -> None:
    grouped = b"G" * 24 + bytes.fromhex("02000000 00000000 08000000 ffffffff")
    second = FIRST[:4] + bytes.fromhex("02000000") + FIRST[8:] + grouped
    version, found = messages.read(second)
    assert (version, found.group_id, found.msg_seq_number, found.msg_flags) == (2, b"G" * 24, 2, 8)
    assert messages.write(second, version, found) == second


@pytest.mark.parametrize("data", [None, b"", FIRST[:323], b"MD1 " + FIRST[4:], FIRST[:4] + b"\3" + FIRST[5:]])
def test_what_is_no_descriptor(data: object) -> None:
    with pytest.raises(MQError) as refused:
        messages.read(data)
    assert refused.value.reason == 2026

"""How many bytes of message data are MQ headers."""

from __future__ import annotations

import pytest

from store.descriptor import MessageDescriptor
from store.headers import mqmd, mqxqh
from store.headers.chain import headers_length


def rfh2(format: str, length: int = 40) -> bytes:
    fixed = [b"RFH ", (2).to_bytes(4, "little"), length.to_bytes(4, "little"), (546).to_bytes(4, "little")]
    return b"".join([*fixed, (1208).to_bytes(4, "little"), format.ljust(8).encode(), bytes(12)])


DEAD = mqxqh.pack_mqdlh(mqxqh.DeadLetterHeader(2053, "Q", "QM", 273, 500, "MQSTR", 6, "", "", ""))
DEAD_EXTENDED = mqxqh.pack_mqdlh(mqxqh.DeadLetterHeader(2053, "Q", "QM", 273, 500, "MQHMDE", 6, "", "", ""))
EXTENSION = mqmd.pack_extension(mqmd.DescriptorExtension(546, 1208, "MQHRF2", bytes(24)), 273, 500)
SENT = mqxqh.pack(mqxqh.TransmissionHeader("Q", "QM", MessageDescriptor(format="MQDEAD", encoding=546)))

ROWS = [
    ("none", "MQSTR", b"text", 0),
    ("blank format", "", b"text", 0),
    ("dead letter", "MQDEAD", DEAD + b"text", 172),
    ("dead letter, extension, RFH2", "MQDEAD", DEAD_EXTENDED + EXTENSION + rfh2("MQSTR") + b"text", 172 + 72 + 40),
    ("transmission header, dead letter", "MQXMIT", SENT + DEAD + b"text", 428 + 172),
    ("RFH2 alone", "MQHRF2", rfh2("MQSTR"), 40),
    ("broken: too short", "MQDEAD", DEAD[:100], 0),
    ("broken: another structure", "MQXMIT", b"x" * 500, 0),
    ("broken: longer than the data", "MQHRF2", rfh2("MQSTR", 400), 0),
    ("broken: no length", "MQHRF2", rfh2("MQSTR", 0), 0),
    ("broken behind a good one", "MQDEAD", DEAD_EXTENDED + b"MDE?", 172),
]


@pytest.mark.parametrize(("id", "format", "data", "length"), ROWS)
def test_headers_at_the_start_of_data(id: str, format: str, data: bytes, length: int) -> None:
    assert headers_length(format, data, 546, 1208) == length


def test_a_header_may_inherit_its_character_set() -> None:
    inherits = rfh2("MQDEAD")[:16] + (-2).to_bytes(4, "little", signed=True) + rfh2("MQDEAD")[20:]
    assert headers_length("MQHRF2", inherits + DEAD, 546, 819) == 40 + 172


def test_an_unknown_character_set_hides_a_header() -> None:
    assert headers_length("MQHRF2", rfh2("MQSTR"), 546, 65535) == 0

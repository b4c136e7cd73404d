"""The agreement of both ends of a channel."""

from __future__ import annotations

from itertools import product
from typing import Any

from mqsc.store.rules.channel import agreement
from tests.store.tables import named_rows

MOST = 999_999_999
OFFER = agreement.Offer(50, 10_000, 300, 4_194_304, MOST, fast=True)
BOTH = agreement.Agreement(50, 300, 4_194_304, MOST, fast=True, compression="NONE")
ZLIB_FIRST = {"compression": ["ZLIBFAST", "RLE", "NONE"]}
GOOD_PAIRS = {
    ("SDR", "RCVR"),
    ("SVR", "RCVR"),
    ("SVR", "RQSTR"),
    ("SDR", "RQSTR"),
    ("RQSTR", "SVR"),
    ("RQSTR", "SDR"),
}


@named_rows(
    ("alike", {}, {}, {}),
    ("H46-sender", {"batch_size": 10}, {}, {"batch_size": 10}),
    ("H46", {}, {"batch_size": 10}, {"batch_size": 10}),
    ("L39", {}, {"uncommitted_limit": 20}, {"batch_size": 20}),
    ("L39-sender", {"uncommitted_limit": 5}, {"batch_size": 9}, {"batch_size": 5}),
    ("HBINT-larger", {"heartbeat": 10}, {"heartbeat": 300}, {"heartbeat": 300}),
    ("HBINT-none", {"heartbeat": 0}, {"heartbeat": 300}, {"heartbeat": 0}),
    ("HBINT-none-receiver", {"heartbeat": 300}, {"heartbeat": 0}, {"heartbeat": 0}),
    ("MAXMSGL-lower", {"max_length": 1000}, {}, {"max_length": 1000}),
    ("MAXMSGL-lower-receiver", {}, {"max_length": 0}, {"max_length": 0}),
    ("NPMSPEED", {"fast": False}, {}, {"fast": False}),
    ("NPMSPEED-receiver", {}, {"fast": False}, {"fast": False}),
    (
        "COMPMSG-first-of-sender",
        ZLIB_FIRST,
        {"compression": ["NONE", "RLE"]},
        {"compression": "RLE"},
    ),
    ("COMPMSG-none", {"compression": ["RLE"]}, {"compression": ["ZLIBHIGH"]}, {}),
)
def test_agreement(
    sender: dict[str, Any],
    receiver: dict[str, Any],
    agreed: dict[str, Any],
) -> None:
    found = agreement.agree(OFFER._replace(**sender), OFFER._replace(**receiver))
    assert found == BOTH._replace(**agreed)


def test_h47_different_wraps() -> None:
    found = agreement.agree(OFFER._replace(sequence_wrap=100), OFFER._replace(sequence_wrap=200))
    assert found == agreement.WRAP_DIFFERS


def test_pairs() -> None:
    types = ("SDR", "SVR", "RCVR", "RQSTR", "CLUSSDR", "CLUSRCVR", "SVRCONN", "CLNTCONN")
    assert {pair for pair in product(types, types) if agreement.may_call(*pair)} == GOOD_PAIRS

"""The values that the ends of a channel agree on (channel-commands §1 and §3)."""

from __future__ import annotations

from itertools import product

import pytest

from store.rules.channel.decisions import WRAP_DIFFERS, Agreement, Offer, agree, may_call

MOST = 999_999_999
OFFER = Offer(50, 10_000, 300, 4_194_304, MOST, fast=True)
BOTH = Agreement(50, 300, 4_194_304, MOST, fast=True, compression="NONE")
GOOD_PAIRS = {("SDR", "RCVR"), ("SVR", "RCVR"), ("SVR", "RQSTR"), ("SDR", "RQSTR"), ("RQSTR", "SVR"), ("RQSTR", "SDR")}


@pytest.mark.parametrize(
    ("sender", "receiver", "agreed"),
    [
        pytest.param({}, {}, {}, id="alike"),
        pytest.param({"batch_size": 10}, {}, {"batch_size": 10}, id="H46-sender"),
        pytest.param({}, {"batch_size": 10}, {"batch_size": 10}, id="H46"),
        pytest.param({}, {"uncommitted_limit": 20}, {"batch_size": 20}, id="L39"),
        pytest.param({"uncommitted_limit": 5}, {"batch_size": 9}, {"batch_size": 5}, id="L39-sender"),
        pytest.param({"heartbeat": 10}, {"heartbeat": 300}, {"heartbeat": 300}, id="HBINT-larger"),
        pytest.param({"heartbeat": 0}, {"heartbeat": 300}, {"heartbeat": 0}, id="HBINT-none"),
        pytest.param({"heartbeat": 300}, {"heartbeat": 0}, {"heartbeat": 0}, id="HBINT-none-receiver"),
        pytest.param({"max_length": 1000}, {}, {"max_length": 1000}, id="MAXMSGL-lower"),
        pytest.param({}, {"max_length": 0}, {"max_length": 0}, id="MAXMSGL-lower-receiver"),
        pytest.param({"fast": False}, {}, {"fast": False}, id="NPMSPEED"),
        pytest.param({}, {"fast": False}, {"fast": False}, id="NPMSPEED-receiver"),
        pytest.param(
            {"compression": ["ZLIBFAST", "RLE", "NONE"]}, {"compression": ["NONE", "RLE"]}, {"compression": "RLE"},
            id="COMPMSG-first-of-sender",
        ),
        pytest.param({"compression": ["RLE"]}, {"compression": ["ZLIBHIGH"]}, {}, id="COMPMSG-none"),
    ],
)  # fmt: skip
def test_agreement(sender: dict[str, int], receiver: dict[str, int], agreed: dict[str, int]) -> None:
    assert agree(OFFER._replace(**sender), OFFER._replace(**receiver)) == BOTH._replace(**agreed)  # type: ignore[arg-type]


def test_h47_different_wraps() -> None:
    assert agree(OFFER._replace(sequence_wrap=100), OFFER._replace(sequence_wrap=200)) == WRAP_DIFFERS


def test_pairs() -> None:
    types = ("SDR", "SVR", "RCVR", "RQSTR", "CLUSSDR", "CLUSRCVR", "SVRCONN", "CLNTCONN")
    assert {pair for pair in product(types, types) if may_call(*pair)} == GOOD_PAIRS

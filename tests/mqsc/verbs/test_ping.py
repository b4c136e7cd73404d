"""PING: the default of DATALEN."""

from __future__ import annotations

from mqsc.verbs.ping import PING


def test_the_default_length_of_a_ping() -> None:
    (length,) = (
        each.parameter.default for each in PING.options if each.parameter.keyword == "DATALEN"
    )
    assert length == 16

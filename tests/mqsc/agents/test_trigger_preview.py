"""The preview of a trigger monitor browses the initiation queue and starts nothing."""

from __future__ import annotations

from typing import Any

from mqsc.agents.trigger_monitor import preview
from store.client.api import Connection
from tests.mqsc.agents.monitor import Monitor


def test_a_preview_takes_and_starts_nothing(monitor: Monitor) -> None:
    monitor.process("/bin/serve fast", "-v &")
    monitor.play.run("put m1 on APPQ\nput junk on INIT1")

    def previewed(connection: Connection) -> list[dict[str, Any]]:
        return list(preview(connection, "INIT1", shell=False))

    with monitor.qmgr.connect() as connection:
        (start, fail) = previewed(connection)
        assert (start["event"], start["queue"], start["process"]) == ("would start", "APPQ", "P1")
        assert start["waits"] is False
        assert [len(word) if word.startswith("TMC ") else word for word in start["words"]] == [
            "/bin/serve",
            "fast",
            732,
            "-v",
        ]
        assert (fail["event"], fail["queue"], fail["reason"]) == ("would fail", "INIT1", 266)
        assert (fail["why"], fail["dead_letter_queue"]) == ("not an MQTM: 4 bytes instead of 684", "DLQ")
    monitor.play.run("depth INIT1 => 2\nDISPLAY QLOCAL(INIT1) IPPROCS => IPPROCS=1")
    with monitor.qmgr.connect() as connection:
        assert len(previewed(connection)) == 2
    assert monitor.told("PROGRAM") == []

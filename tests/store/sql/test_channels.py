from __future__ import annotations

from store.sql import channels
from store.sql.rows import ChannelStatusRow
from store.sqlite.database import Transaction

ROW = ChannelStatusRow("QM1", "B", "QM3", 3, "", "", 1, None, '{"MSGS": 1}')


def test_instances_by_channel_and_partner(tx: Transaction) -> None:
    rows = [ROW, ROW._replace(partner="QM2"), ROW._replace(channel="A", partner=""), ROW._replace(qmgr="QM2")]
    for row in rows:
        channels.write(tx, row)
    assert channels.of_queue_manager(tx, "QM1") == [rows[2], rows[1], rows[0]]
    assert channels.of_channel(tx, "QM1", "B") == [rows[1], rows[0]]
    channels.drop(tx, "QM1", "B", "QM2")
    assert channels.of_channel(tx, "QM1", "B") == [ROW]
    channels.drop_channel(tx, "QM1", "B")
    assert channels.of_queue_manager(tx, "QM1") == [rows[2]]


def test_a_row_is_replaced(tx: Transaction) -> None:
    assert channels.instance(tx, "QM1", "B", "QM3") is None
    assert channels.requested(tx, "QM1", "B", "QM3") == ("", "")
    channels.write(tx, ROW)
    channels.write(tx, ROW._replace(requested="FORCE", requested_status="STOPPED", process=None))
    assert channels.instance(tx, "QM1", "B", "QM3") == ROW._replace(
        requested="FORCE", requested_status="STOPPED", process=None
    )
    assert channels.requested(tx, "QM1", "B", "QM3") == ("FORCE", "STOPPED")

"""Files of several queue managers, imported on several hosts and archived together."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow.dataset as ds  # type: ignore[import-untyped]

from mqsc.reports.selection import ReportSelection
from mqsc.reports.sources import NO_LIVE_STORE, sources
from tests.mqsc.conftest import Command
from tests.mqsc.imports.test_event_messages import (
    GET,
    MSG_ID,
    NINE,
    PUT,
    call,
    message,
    trace,
    written,
)
from tests.reports.parts import rows_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

QUEUE = "resolvedLocalQueueName"
STORES = ("--store", "sqlite:///shop.db", "--store", "sqlite:///bank.db")


def hosts(mqsc: Command) -> str:
    """The archive of two hosts. A message goes from SHOP through its transmission queue to PAYMENTS
    at BANK.

    Both hosts have the log of a queue manager COMMON, each of its own.
    """
    plain = {"putOptions": 4}
    sent = [
        call("Put", 1, **{**PUT, **plain, QUEUE: "BANK"}),
        call("Get", 2, **{**GET, "getOptions": 4, QUEUE: "BANK"}),
    ]
    arrived = [call("Put", 3, **{**PUT, **plain, QUEUE: "PAYMENTS"})]
    got = [call("Get", 4, **{**GET, "getOptions": 4, QUEUE: "PAYMENTS"})]
    for host, qmgr, calls in (("shop", "SHOP", sent), ("bank", "BANK", arrived + got)):
        Path(f"{host}.json").write_text(
            written(trace(*calls, qmgr=qmgr), message(44, 2222, {}, NINE, "COMMON")),
        )
        store = ("--store", f"sqlite:///{host}.db")
        assert mqsc("import", f"{host}.json", *store).code == 0
        assert mqsc("archive", "--to", "history", "--keep", "36500", *store).code == 0
    return "history"


def test_a_message_is_followed_from_one_queue_manager_to_the_next(mqsc: Command) -> None:
    hosts(mqsc)
    told = mqsc("trace", MSG_ID, *STORES, "--format", "jsonl").rows
    steps = [
        (each["qmgr"], each["kind"], each["queue"])
        for each in told
        if each.get("kind") in ("PUT", "GET")
    ]
    expected = [
        ("SHOP", "PUT", "BANK"),
        ("SHOP", "GET", "BANK"),
        ("BANK", "PUT", "PAYMENTS"),
        ("BANK", "GET", "PAYMENTS"),
    ]
    assert steps == expected
    archived = ds.dataset("history", partitioning="hive")
    found = (
        archived.to_table(filter=ds.field("msg_id") == bytes.fromhex(MSG_ID))
        .sort_by("at")
        .to_pylist()
    )
    assert [(each["qmgr"], each["kind"], each["queue"]) for each in found] == expected


def test_reports_have_the_queue_managers_of_all_hosts(mqsc: Command, spark: SparkSession) -> None:
    read = sources(None, NO_LIVE_STORE, [hosts(mqsc)])
    assert read.qmgrs == ["BANK", "COMMON@bank", "COMMON@shop", "SHOP"]
    columns = "qmgr queue puts gets depth_end"
    found = rows_of(spark, "queue-activity", "hours", columns, read, ReportSelection())
    assert found == [("BANK", "PAYMENTS", 1, 1, None), ("SHOP", "BANK", 1, 1, None)]

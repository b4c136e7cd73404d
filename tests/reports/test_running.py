"""From options to files: what is rejected before Spark starts, and whole reports of small
histories.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from mqsc import reports
from mqsc.reports import catalog
from mqsc.reports.errors import LIBRARIES, ReportError, ReportFailedError
from mqsc.reports.output import FORMATS
from mqsc.reports.selected_rows import selected_rows
from mqsc.reports.selection import ReportSelection
from mqsc.reports.session import FEW
from mqsc.reports.sources import Archived, Sources, holding
from mqsc.store.published import RELATIONS, Bound
from tests.reports.history import HOUR, Row, at, event, expire, message, write_history
from tests.reports.played import played
from tests.rows import rows
from tests.source import ROOT

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

NAME = "expired-messages"
# So many events that Spark reads them itself.
MANY = Bound(FEW + 1, FEW + 1, {"QM1": at(0)})
ALL = Bound(6, 3, {"QM1": at(9)})
TABLES = ["expired", "expired_by_cause", "overdue", "overdue_messages"]


@rows(
    ({"names": ["expired-mesages"]}, "there is no report 'expired-mesages'; the reports are"),
    ({"names": []}, f"name the report to make: {', '.join(catalog.names())}"),
    ({"as_": "xml"}, "a report cannot be written as 'xml'; it can be csv or parquet or html"),
    ({"since": "noon"}, "since 'noon' is not a moment"),
    (
        {"since": "2024-01-02", "until": "2024-01-01"},
        "since 2024-01-02 is not before until 2024-01-01",
    ),
    *(
        ({"queues": ["*A"]}, "'*A' is not a queue name"),
        ({"path": "none.db"}, "there is no store at none.db"),
    ),
    ({"path": "."}, "there is no store at ."),
    (
        {"out": "store.db/out"},
        "the folder store.db/out for the reports cannot be created: Not a directory",
    ),
)
def test_what_is_refused_before_spark_starts(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    options: dict[str, Any],
    says: str,
) -> None:
    """Without a Java runtime here, starting Spark would fail with another message."""
    write_history(tmp_path / "store.db")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    given: dict[str, Any] = {
        "names": [NAME],
        "path": "store.db",
        "out": "out",
        "bound": Bound(0, 0, {}),
    }
    with pytest.raises(ReportError) as caught:
        reports.run(**{**given, **options})
    assert says in str(caught.value)
    assert not isinstance(caught.value, ReportFailedError)


@pytest.mark.parametrize("library", LIBRARIES)
def test_without_the_libraries_a_report_is_one_sentence(tmp_path: Path, library: str) -> None:
    write_history(tmp_path / "store.db")
    script = f"""
import sys
sys.modules[{library!r}] = None
import reports
from mqsc.store.published import Bound
try:
    reports.run(["dead-letters"], "store.db", "out", bound=Bound(0, 0, {{}}))
except reports.ReportError as error:
    print(error)
"""
    command, environment = [sys.executable, "-c", script], {**os.environ, "PYTHONPATH": str(ROOT)}
    ended = subprocess.run(
        command,
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    needed = (
        f"reports need {library}, which is not installed; in the source tree of mqsc, run: "
        "pip install '.[reports]'\n"
    )
    assert ended.stdout == needed


def made(
    folder: Path,
    bound: Bound,
    events: Iterable[Row] = (),
    messages: Iterable[Row] = (),
    **options: Any,
) -> list[reports.Result]:
    """Make reports of a history, from `store.db` to `out`, in the current session; figures need
    not add up.
    """
    if not (folder / "store.db").exists():
        write_history(folder / "store.db", events, messages)
    given = {
        "names": [NAME],
        "path": folder / "store.db",
        "out": folder / "out",
        "bound": bound,
        "warn": str,
    }
    return reports.run(**{**given, **options})


def lines(result: reports.Result) -> list[str]:
    return result.path.read_text("utf-8").splitlines()


def test_a_report_of_an_empty_history(spark: SparkSession, tmp_path: Path) -> None:
    """It is made once, also if it is named twice."""
    results = made(tmp_path, Bound(0, 0, {"QM1": at(0)}), names=[NAME, NAME])
    assert [(result.table, result.rows_written) for result in results] == [
        (table, 0) for table in TABLES
    ]
    assert all(
        lines(result) == [",".join(column.name for column in result.columns)] for result in results
    )


def test_a_report_from_file_to_file(spark: SparkSession, tmp_path: Path) -> None:
    told: list[str] = []
    events = [
        event("PUT", "Ä"),
        expire("Ä", 5, lived=15, late=3.3),
        event("GET", "Ä", 5),
        expire("B", 7200),
    ]
    messages = [message("Ä", expires=1, msg_id=b"\1" * 24), message("Ä"), message("B", expires=900)]
    results = made(
        tmp_path,
        Bound(4, 3, {"QM1": at(8000), "QM2": at(0)}),
        events,
        messages,
        progress=told.append,
    )
    assert [result.rows_written for result in results] == [2, 2, 2, 2]
    assert lines(results[0])[1].startswith("QM1,B,2023-11-15T00:00:00Z,1,10,")
    expected = "QM1,Ä,2023-11-14T22:00:00Z,1,10,15.000000,15.000000,15.000000,15.000000,3.300000,"
    assert lines(results[0])[2].startswith(expected)
    overdue = f"QM1,Ä,{'01' * 24},,0,0,10,2023-11-14T22:00:00Z,2023-11-14T22:00:01Z,7999.000000,"
    assert lines(results[3])[2].startswith(overdue)
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text("utf-8"))
    assert manifest["store"] == str(tmp_path / "store.db")
    clocks = {"QM1": "2023-11-15T00:13:20Z", "QM2": "2023-11-14T22:00:00Z"}
    assert manifest["bound"] == {"event": 4, "message": 3, "archived": {}, "clocks": clocks}
    assert manifest["selection"] == {
        "since": None,
        "until": None,
        "queue_managers": [],
        "queues": [],
    }
    assert list(manifest["versions"]) == ["mqsc", "python", "spark", "java"]
    files = [(f"{NAME}/datapackage.json", None), *((f"{NAME}/{table}.csv", 2) for table in TABLES)]
    assert ([(file["path"], file["rows"]) for file in manifest["files"]], told[0]) == (
        files,
        "starting Spark",
    )
    assert {f"{NAME}: {table}" for table in TABLES} <= set(told)


def test_every_report_as_a_page(spark: SparkSession, tmp_path: Path) -> None:
    chosen = {"names": ["daily"], "as_": "html", "since": "2023-11-14", "qmgrs": ["QM1"]}
    bound = Bound(1, 1, {"QM1": at(0), "QM2": at(0)})
    results = made(tmp_path, bound, [expire("<b>", 5)], [message("B", expires=1)], **chosen)
    pages = sorted(path.name for path in (tmp_path / "out").glob("*.html"))
    assert pages == sorted(["index.html", *(f"{name}.html" for name in reports.names())])
    (page,) = {result.path for result in results if result.report == NAME}
    text = page.read_text("utf-8")
    assert all(f'id="{NAME}.{table}"' in text for table in TABLES)
    assert "&lt;b&gt;" in text
    assert "only events since 2023-11-14 00:00:00Z; queue managers QM1." in text
    assert (
        "<dt>Clocks</dt><dd>QM1 2023-11-14 22:00:00 UTC, QM2 2023-11-14 22:00:00 UTC</dd>" in text
    )
    # One message expired between the midnights before and after the hour, none on the day before.
    assert "▲ worse</span> 1, was 0</p>" in text


def test_figures_that_do_not_add_up(spark: SparkSession, tmp_path: Path) -> None:
    """A message that vanished, and one that was never put: two warnings, in the manifest and on
    the page, too.
    """
    said: list[str] = []
    options: Any = {"names": ["message-lifetimes"], "as_": "html", "warn": said.append}
    (result, *_) = made(
        tmp_path,
        Bound(2, 0, {"QM1": at(0)}),
        [event("PUT", "A"), event("GET", "B")],
        **options,
    )
    assert said == [
        f"message-lifetimes does not add up: balance.{name} = 0 does not hold for one group of "
        "rows, such as QM1 "
        f"{queue} (difference +1)"
        for name, queue in (("lost", "A"), ("surplus", "B"))
    ]
    assert json.loads((tmp_path / "out" / "manifest.json").read_text("utf-8"))["warnings"] == said
    text = result.path.read_text("utf-8")
    assert all(each in text for each in said)
    assert "<h1>QM1</h1>" in text
    assert "the whole history to 2023-11-14 22:00 UTC" in text


def test_events_that_were_removed_are_missed(spark: SparkSession, tmp_path: Path) -> None:
    """A warning, in the manifest and on the page, too, unless they are not of the period."""
    said: list[str] = []
    options: Any = {"as_": "html", "warn": said.append, "archived": Archived("", 4, "old")}
    bound = Bound(5, 0, {"QM1": at(0)})
    (result, *_) = made(tmp_path, bound, [event("PUT", "A")], **options)
    missing = (
        "events up to 4 were archived and removed, and are not in these reports; add --archive old "
        "to include them"
    )
    assert said == [missing]
    assert json.loads((tmp_path / "out" / "manifest.json").read_text("utf-8"))["warnings"] == said
    text = result.path.read_text("utf-8")
    assert f"<li>{missing}.</li>" in text
    assert "from event 5 (events before are archived and removed) to 2023-11-14 22:00 UTC" in text
    assert "the whole history" not in text
    options["archived"] = Archived("", 4, "old", is_missed=False)
    (result, *_) = made(tmp_path, bound, **options, since=at(-1))
    assert (said, missing in result.path.read_text("utf-8")) == ([missing], False)


@pytest.mark.parametrize("as_", FORMATS)
def test_times_after_the_year_9999(spark: SparkSession, tmp_path: Path, as_: str) -> None:
    """A manual clock in its last hour: what Python and Spark cannot show as a date is shown as
    text.
    """
    now = 253_402_300_799 - HOUR
    messages = [
        message("Q", expires=now + 3_000_000_000),
        message("Q", expires=now, put_at=at(now - 10)),
    ]
    bound = Bound(1, 2, {"QM1": at(now + 4_000_000_000)})
    results = made(tmp_path, bound, [expire("Q", now, late=-7200)], messages, as_=as_)
    assert [result.rows_written for result in results] == [1, 1, 1, 2]
    assert [row[8] for row in results[3].summary_rows][1] == "10095-01-24T05:19:59Z"
    if as_ == "html":
        text = results[0].path.read_text("utf-8")
        assert '<td class="t">9999-12-31 23:00</td>' in text
        assert "10095-01-24" in text


@rows(
    ({}, ALL, ["A", "APP.B", "C"], ["A", "APP.B"]),
    (
        {"since": "2023-11-14T22:00:02", "until": "2023-11-14T22:00:03"},
        ALL,
        ["APP.B"],
        ["A", "APP.B"],
    ),
    ({"queues": ["APP.*", "C"]}, ALL, ["APP.B", "C"], ["APP.B"]),
    ({"qmgrs": ["QM2"]}, ALL, ["C"], []),
    ({}, Bound(1, 1, {"QM1": at(9)}), ["A"], ["A"]),
)
def test_what_a_report_is_about(
    spark: SparkSession,
    tmp_path: Path,
    options: Any,
    bound: Bound,
    expired: list[str],
    overdue: list[str],
) -> None:
    events = [expire("A", 1), expire("APP.B", 2), expire("C", 3, qmgr="QM2")]
    messages = [
        message("A", expires=1),
        message("APP.B", expires=1),
        message("C", expires=1, qmgr="QM2"),
    ]
    results = made(tmp_path, bound, events, messages, **options)
    assert [[row[1] for row in results[table].summary_rows] for table in (0, 3)] == [
        expired,
        overdue,
    ]


def test_events_outside_the_selection_are_related_to_those_inside(
    spark: SparkSession,
    tmp_path: Path,
) -> None:
    """The dead letter of the first hour is not counted, but the messages left on queues are
    still matched with it.
    """
    first, second = (bytes([number]) * 24 for number in (1, 2))

    def letter(msg_id: bytes, when: float = 5, **columns: Any) -> Row:
        columns = {"cause": "coa", "target": "DLQ", "reason": 2053, **columns}
        return event("DEAD_LETTER", "A", when, msg_id=msg_id, **columns)

    events = [
        letter(first, -10),
        letter(second),
        letter(second, target="OTHER"),
        letter(second, qmgr="QM2"),
    ]
    messages = [message("DLQ", msg_id=first), message("DLQ", msg_id=first, qmgr="QM2")]
    options = {
        "names": ["dead-letters"],
        "since": "2023-11-14T22:00",
        "queues": ["DLQ"],
        "qmgrs": ["QM1"],
    }
    found = made(tmp_path, Bound(4, 2, {"QM1": at(9)}), events, messages, **options)
    results = {result.table: result for result in found}
    assert [row[:4] for row in results["left"].summary_rows] == [
        ("QM1", "DLQ", 2053, "MQRC_Q_FULL"),
    ]
    (arrived,) = results["arrivals"].summary_rows
    assert (*arrived[:2], arrived[-1]) == ("QM1", "DLQ", 1)


def test_a_file_that_is_no_database(spark: SparkSession, tmp_path: Path) -> None:
    """What goes wrong inside Spark, or while a small store is read, is one sentence; nothing
    stays cached.
    """
    spark.catalog.clearCache()
    (tmp_path / "store.db").write_bytes(b"this is no database" * 100)
    for bound, says in (
        (MANY, f"the report {NAME} cannot be made: .*"),
        (ALL, r"the store .*/store\.db cannot be read: "),
    ):
        with pytest.raises(ReportFailedError, match=rf"^{says}.*file is not a database\Z"):
            made(tmp_path, bound)
        assert list((tmp_path / "out").iterdir()) == []
    assert spark._jsparkSession.sharedState().cacheManager().isEmpty()


def test_spark_reads_what_this_process_holds_of_a_small_store(
    spark: SparkSession,
    tmp_path: Path,
) -> None:
    """For each read of the reports, with its conditions."""
    path = write_history(tmp_path / "store.db", *played(3, 300))
    selection = ReportSelection(since=at(600), queues=("S*", "D*", "I*", "W*", "O*", "Q"))
    by_spark = Sources(path, MANY)
    held = holding(by_spark, RELATIONS)
    # Several reports have some of these reads.
    different = {
        (reads.relation.name, reads.where, reads.owner, reads.chosen_by): (report, name)
        for report in map(catalog.report, catalog.names())
        for name, reads in report.reads.items()
    }
    empty = set()
    for report, name in different.values():
        rows = selected_rows(spark, report, name, held, selection).toArrow()
        assert rows == selected_rows(spark, report, name, by_spark, selection).toArrow()
        if not rows.num_rows:
            empty.add((report.name, name))
    # No trigger message is in a unit of work that is still open, nobody is refused, no record
    # changes, nobody asks for kept data, and no events are left out.
    of_authorities = {
        ("authority", name) for name in ("event", "change", "record", "effective", "unused")
    }
    assert empty == {
        ("trigger-history", "messages"),
        ("expired-messages", "kept"),
        ("queue-activity", "earlier"),
        *of_authorities,
    }

"""The commands of the crontab, the systemd units, the CI workflow, the tour and the poison
message work as written.
"""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest
import yaml

from tests.docs.page import run
from tests.source import ROOT

CRONTAB = (ROOT / "samples" / "crontab.example").read_text("utf-8")
JOB = re.compile(r"^[*/\d]+(?:\s+[*/\d]+){4}\s+(?P<command>.+)$", re.MULTILINE)


def expired(out: Path) -> list[tuple[str, ...]]:
    """Return queue, cause, count and maximum lateness (seconds) from the report written to
    `out`.
    """
    with (out / "expired-messages" / "expired_by_cause.csv").open() as table:
        rows = list(csv.DictReader(table))
    return [
        tuple(row[name] for name in ("queue", "cause", "messages", "lateness_max")) for row in rows
    ]


@pytest.mark.long
def test_the_jobs_of_the_crontab_run(tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path}/mqsc.db"
    run(f"mqsc qmgr create SHOP && mqsc run {ROOT}/samples/shop.mqsc", tmp_path, MQSC_STORE=store)
    scan, archive, report, verify = [
        match["command"].replace("\\%", "%").replace("/var/lib/shop", str(tmp_path))
        for match in JOB.finditer(CRONTAB)
    ]
    assert f"MQSC_STORE={store.replace(str(tmp_path), '/var/lib/shop')}\n" in CRONTAB
    # Cron sends mail if a job prints anything.
    assert run(scan, tmp_path, ROOT, MQSC_STORE=store) == ""
    # The report reads what the archive has.
    assert run(archive, tmp_path, ROOT, MQSC_STORE=store) == ""
    # One report stands for all: each is made as a page and as files by the tests of reports.
    assert "mqsc report daily --quiet -m SHOP --since 24h --archive " in report
    assert (
        run(report.replace(" daily ", " expired-messages "), tmp_path, ROOT, MQSC_STORE=store) == ""
    )
    assert list((tmp_path / "reports").rglob("*.csv"))
    assert run(verify, tmp_path, ROOT, MQSC_STORE=store) == ""
    assert list((tmp_path / "archive").rglob("*.parquet"))


@pytest.mark.parametrize("unit", ["mqsc-expiry", "mqsc-archive"])
def test_the_systemd_units_run(unit: str, tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path}/mqsc.db"
    run(f"mqsc qmgr create SHOP && mqsc run {ROOT}/samples/shop.mqsc", tmp_path, MQSC_STORE=store)
    service = (ROOT / "samples" / f"{unit}.service").read_text("utf-8")
    (command,) = re.findall(r"^ExecStart=/opt/shop/\.venv/bin/(.+)$", service, re.MULTILINE)
    assert f"Environment=MQSC_STORE={store.replace(str(tmp_path), '/var/lib/shop')}\n" in service
    assert (
        run(command.replace("/var/lib/shop", str(tmp_path)), tmp_path, ROOT, MQSC_STORE=store) == ""
    )
    timer = (ROOT / "samples" / f"{unit}.timer").read_text("utf-8")
    assert re.search(r"^OnCalendar=.*\d:\d|^OnCalendar=\*:", timer, re.MULTILINE)
    assert f"systemctl enable --now {unit}.timer" in timer


@pytest.mark.long
def test_the_tour(tmp_path: Path) -> None:
    printed = run(f"sh {ROOT}/samples/tour.sh tour", tmp_path)
    before, after = (
        dict(re.findall(r"QUEUE\((\S+)\) +TYPE\(QLOCAL\)\s+CURDEPTH\((\d+)\)", part))
        for part in printed.split("$ mqsc run -c")
    )
    assert before == {
        "SHOP.CARTS": "100",
        "SHOP.ORDERS": "100",
        "SHOP.QUOTES": "124",
        "SHOP.STOCK.CHECK": "80",
    }
    assert after == {
        "SHOP.CARTS": "100",
        "SHOP.ORDERS": "100",
        "SHOP.QUOTES": "3",
        "SHOP.REPORTS": "80",
    }
    assert expired(tmp_path / "tour" / "report") == [
        ("SHOP.QUOTES", "get", "120", "30.000000"),
        ("SHOP.STOCK.CHECK", "refresh", "80", "80.000000"),
    ]


def test_the_steps_of_the_workflow(tmp_path: Path) -> None:
    """In the order in which a change goes through them."""
    (tmp_path / "definitions").mkdir()
    (tmp_path / "definitions" / "10.mqsc").write_text(
        "DEFINE QLOCAL(ORDERS) BOTHRESH(3) BOQNAME(BAD)\n",
    )
    (tmp_path / "definitions" / "20.mqsc").write_text("DEFINE QLOCAL(BAD)\n")
    workflow, store = (
        yaml.safe_load((ROOT / "samples" / "definitions.yml").read_text("utf-8")),
        f"{tmp_path}/store.db",
    )
    step = {
        each["name"]: each["run"]
        for each in workflow["jobs"]["definitions"]["steps"]
        if "run" in each
    }
    assert list(step) == ["Layout", "Check", "Plan", "Apply", "Find changes made by hand"]
    printed = [run(command, tmp_path, MQSC_STORE=f"sqlite:///{store}") for command in step.values()]
    assert [text.count("CREATE ") for text in printed] == [0, 0, 2, 0, 0]
    assert printed[3].count("CREATED ") == 2
    assert run(step["Apply"], tmp_path, MQSC_STORE=f"sqlite:///{store}").count("UNCHANGED ") == 2


def test_the_broken_order_ends_on_the_backout_queue(tmp_path: Path) -> None:
    """It is put, triggers a program, and is consumed."""
    store = f"sqlite:///{tmp_path}/mqsc.db"
    printed = run(f"sh -e {ROOT}/samples/poison.sh", tmp_path, MQSC_STORE=store)
    assert printed.splitlines()[-1] == "broken order"
    assert "ended with 0" in printed
    assert "CURDEPTH(0)" in run(
        "mqsc run -c 'DISPLAY QLOCAL(ORDERS) CURDEPTH'",
        tmp_path,
        MQSC_STORE=store,
    )

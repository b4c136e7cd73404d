"""What the README, the crontab and the tour tell users to type is typed here."""

from __future__ import annotations

import csv
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text("utf-8")
CRONTAB = (ROOT / "samples" / "crontab.example").read_text("utf-8")
JOB = re.compile(r"^[*/\d]+(?:\s+[*/\d]+){4}\s+(?P<command>.+)$", re.MULTILINE)


def run(command: str, folder: Path, **settings: str) -> str:
    """What a POSIX shell prints for `command`, typed in `folder`; it must succeed."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    result = subprocess.run(
        ["sh", "-e", "-c", command],
        cwd=folder,
        env={**os.environ, "PATH": path, **settings},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def block(language: str, containing: str) -> str:
    """The one code block of the README in that language that contains a text."""
    (found,) = [each for each in re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL) if containing in each]
    return str(found)


def expired(out: Path) -> list[tuple[str, ...]]:
    """Queue, cause, how many and how late at most (seconds), from the report written to `out`."""
    with (out / "expired-messages" / "expired_by_cause.csv").open() as table:
        rows = list(csv.DictReader(table))
    return [tuple(row[name] for name in ("queue", "cause", "messages", "lateness_max")) for row in rows]


@pytest.mark.long
def test_the_readme_takes_a_message_from_put_to_report(tmp_path: Path) -> None:
    printed = run(block("sh", "qmgr create"), tmp_path)
    assert "CURDEPTH(1)" in printed
    assert expired(tmp_path / "reports") == [("QUOTES", "refresh", "1", "30.000000")]


def test_the_readme_shows_the_library(tmp_path: Path) -> None:
    run("mqsc qmgr create SHOP", tmp_path, MQSC_STORE="sqlite:///shop.db")
    code = block("python", "import mqsc") + "print(message.body, message.descriptor.priority)\n"
    (tmp_path / "example.py").write_text(code)
    assert run("python example.py", tmp_path) == "b'one espresso machine' 5\n"


@pytest.mark.parametrize("word", re.findall(r"^\| `mqsc (\w+)", README, re.MULTILINE))
def test_every_command_of_the_readme_has_help(word: str, tmp_path: Path) -> None:
    assert run(f"mqsc {word} --help", tmp_path).startswith(f"Usage: mqsc {word}")


@pytest.mark.long
def test_the_jobs_of_the_crontab_run(tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path}/mqsc.db"
    run(f"mqsc qmgr create SHOP && mqsc run {ROOT}/samples/shop.mqsc", tmp_path, MQSC_STORE=store)
    scan, report = [
        match["command"].replace("\\%", "%").replace("/var/lib/shop", str(tmp_path)) for match in JOB.finditer(CRONTAB)
    ]
    assert f"MQSC_STORE={store.replace(str(tmp_path), '/var/lib/shop')}\n" in CRONTAB
    assert "MQSC0001I" in run(scan, tmp_path, MQSC_STORE=store)
    run(report, tmp_path, MQSC_STORE=store)
    assert list((tmp_path / "reports").rglob("*.csv"))


@pytest.mark.long
def test_the_tour(tmp_path: Path) -> None:
    printed = run(f"sh {ROOT}/samples/tour.sh tour", tmp_path)
    before, after = (
        dict(re.findall(r"QUEUE\((\S+)\) +TYPE\(QLOCAL\)\s+CURDEPTH\((\d+)\)", part))
        for part in printed.split("$ mqsc run -c")
    )
    assert before == {"SHOP.CARTS": "100", "SHOP.ORDERS": "100", "SHOP.QUOTES": "124", "SHOP.STOCK.CHECK": "80"}
    assert after == {"SHOP.CARTS": "100", "SHOP.ORDERS": "100", "SHOP.QUOTES": "3", "SHOP.REPORTS": "80"}
    assert expired(tmp_path / "tour" / "report") == [
        ("SHOP.QUOTES", "get", "120", "30.000000"),
        ("SHOP.STOCK.CHECK", "refresh", "80", "80.000000"),
    ]

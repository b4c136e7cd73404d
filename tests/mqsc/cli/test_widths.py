"""Output on terminals of 40, 80 and 100 columns: lines are broken between words."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from mqsc.store.headers import pcf
from mqsc.store.headers.pcf import CommandHeader, Parameter
from tests.mqsc.conftest import Command
from tests.mqsc.screen import screen, too_wide
from tests.mqsc.session import Session

SCRIPT = """DEFINE QLOCAL(A) TRIGGER TRIGTYPE(DEPTH) TRIGDPTH(0)
DEFINE QLOCAL(X) MAXDEPHT(5)
DEFINE QLOCAL(Y) MAXDEPTH(0)
"""
COMMANDS = """
    expiry '*' --all; expiry APP*; poison; history --limit 40; trigger explain APPQ --if put; check s.mqsc;
    put NONE text; report --describe
"""
# Simple layouts, for which the narrowest terminal is enough.
SIMPLE = """
    dspmq -o all; run -c 'DISPLAY QLOCAL(*) ALL'; run s.mqsc; qmgr create QM2; crtmqm QM3; mqrc AMQ8118; diff s.mqsc;
    displ; run --plan s.mqsc; doctor; dlq check table.rul; dlq test table.rul --explain; get --wait 1x APPQ
"""


@pytest.fixture
def shop(session: Session, tmp_path: Path) -> Path:
    (tmp_path / "s.mqsc").write_text(SCRIPT)
    (tmp_path / "table.rul").write_text("INPUTQ(APPQ) REASON(2053) ACTION(FWD) FWDQ(X)\n")
    session("""
        qmgr create QM1 --clock manual
        DEFINE QLOCAL(APP.ORDERS.INCOMING)
        DEFINE QLOCAL(APPQ) TRIGGER INITQ(I) PROCESS(P)
        put APP.ORDERS.INCOMING old --expiry 10s --count 5
        put APP.ORDERS.INCOMING live --expiry 1h
        clock advance 1m
    """)
    return tmp_path


@pytest.mark.parametrize("width", [40, 80, 100])
def test_lines_are_broken_between_words(shop: Path, width: int) -> None:
    for command in (COMMANDS + (f";{SIMPLE}" if width == 40 else "")).split(";"):
        assert too_wide(shop, width, *shlex.split(command)) == [], command


def test_expired_messages_in_words(shop: Path) -> None:
    shown = " ".join(screen(shop, "expiry", "APP*", width=40).split())
    assert shown.startswith("APP.ORDERS.INCOMING: depth 6, 5 expired since 20")
    assert "; a get discards 5; a scan discards 5, reports 0; next expiry 20" in shown
    assert "APP.ORDERS.INCOMING: 5 put by mqsc, user" in shown
    assert screen(shop, "expiry", "APP*", width=200).startswith(
        "QUEUE                DEPTH  EXPIRED  SINCE",
    )


@pytest.mark.usefixtures("failures")
@pytest.mark.parametrize("width", [40, 80, 100])
def test_poison(tmp_path: Path, width: int) -> None:
    assert too_wide(tmp_path, width, "poison", shortest=8) == []


def test_long_lines_on_terminals(mqsc: Command, tmp_path: Path) -> None:
    names = [f"QUEUE.{number}" for number in range(20)]
    data = pcf.pack(
        CommandHeader(pcf.RESPONSE, 18),
        [Parameter(3011, names, 48), Parameter(2013, "word " * 40)],
    )
    (tmp_path / "long").write_bytes(data)
    for width in (40, 80, 100):
        lines = screen(tmp_path, "pcf", "long", width=width).splitlines()
        assert [line for line in lines if len(line) > width] == []


@pytest.mark.parametrize(("width", "data"), [(80, 26), (120, 66)])
def test_the_data_of_messages_fills_the_line(
    mqsc: Command, tmp_path: Path, width: int, data: int
) -> None:
    mqsc("run", "-c", "DEFINE QLOCAL(A)")
    mqsc("put", "A", "x" * 200)
    _, line = screen(tmp_path, "browse", "A", width=width).splitlines()
    assert len(line) == width
    assert line.count("x") == data

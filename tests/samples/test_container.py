"""The entry script of the container, without a container."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.docs.page import run
from tests.source import ROOT

CONTAINER = ROOT / "samples" / "container"


def settings(folder: Path, **given: str) -> dict[str, str]:
    scripts, secrets = folder / "scripts", folder / "secrets"
    scripts.mkdir(exist_ok=True)
    secrets.mkdir(exist_ok=True)
    places = {
        "MQSC_STORE": "sqlite:///qm.db",
        "MQSC_SCRIPTS": str(scripts),
        "MQSC_SECRETS": str(secrets),
    }
    return places | given


def started(folder: Path, *words: str, **given: str) -> subprocess.Popen[str]:
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.Popen(
        ["sh", str(CONTAINER / "entry.sh"), *words],
        cwd=folder,
        env=os.environ | settings(folder, **given) | {"PATH": programs, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        text=True,
    )


def line_with(process: subprocess.Popen[str], text: str) -> str:
    assert process.stdout is not None
    return next(line for line in process.stdout if text in line)


def ended(process: subprocess.Popen[str]) -> int:
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=60)
    return process.returncode


@pytest.mark.long
def test_the_queue_manager_is_made_once_and_served_until_a_signal(tmp_path: Path) -> None:
    here = settings(tmp_path)
    (tmp_path / "secrets" / "mqAppPassword").write_text("passw0rd\n")
    (tmp_path / "scripts" / "own.mqsc").write_text("DEFINE QLOCAL(OWN) REPLACE\n")
    first = started(tmp_path, "serve", MQ_QMGR_NAME="DEV1")
    line_with(first, "DEV1: EXPRYINT")
    shown = run(
        "mqsc run -c 'PING QMGR' -c 'DISPLAY QLOCAL(OWN)' -c 'DISPLAY QMGR DEADQ'",
        tmp_path,
        None,
        **here,
    )
    assert "DEADQ(DEV.DEAD.LETTER.QUEUE)" in shown
    for queue in ("DEV.QUEUE.3", "DEV.APP.MODEL.QUEUE"):
        assert "ALLOWED" in run(f"mqsc auth explain app {queue} put get", tmp_path, None, **here)
    assert ended(first) == 0
    run(
        "mqsc run --quiet -c 'DELETE QLOCAL(DEV.QUEUE.3)' && mqsc qmgr end DEV1",
        tmp_path,
        None,
        **here,
    )
    again = started(tmp_path, MQ_QMGR_NAME="DEV1")
    line_with(again, "DEV1: EXPRYINT")
    assert "DEV.QUEUE.2" in run("mqsc run -c 'DISPLAY QLOCAL(DEV.QUEUE.2)'", tmp_path, None, **here)
    assert ended(again) == 0


def test_commands_run_once_or_again_and_again(tmp_path: Path) -> None:
    run("mqsc qmgr create QM1", tmp_path, None, **settings(tmp_path))
    once = started(tmp_path, "qmgr", "list")
    assert "QM1" in once.communicate(timeout=60)[0]
    refresh = started(tmp_path, "every", "1h", "qmgr", "list")
    line_with(refresh, "QM1")
    assert ended(refresh) == 143
    wrong = started(tmp_path, "every", "1h")
    assert (wrong.communicate(timeout=60)[0], wrong.returncode) == ("", 20)


def test_the_compose_file_uses_what_the_script_and_the_image_have() -> None:
    compose = yaml.safe_load((CONTAINER / "compose.yml").read_text("utf-8"))
    assert list(compose["services"]) == ["qmgr", "refresh", "reports"]
    assert all(
        each["read_only"] and each["cap_drop"] == ["ALL"] for each in compose["services"].values()
    )
    image = (CONTAINER / "Dockerfile").read_text("utf-8")
    assert "USER 10001:10001\n" in image
    assert "-o 10001 -g 10001" in (CONTAINER / "install.sh").read_text("utf-8")

"""N15: a rules table tried on a thousand dead letters of a queue manager elsewhere says what the
handler then does with them.
"""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

import pytest

from mqsc.script import run
from mqsc.store import open_store
from mqsc.store.admin.load import load
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQOO
from tests.mqsc.conftest import Command
from tests.mqsc.dlq.handler_system import dead_letter
from tests.mqsc.targets.conftest import SCRIPT
from tests.mqsc.targets.far_end import FarEnd

LETTERS = 1_000
REASONS = (2053, 2085, 2051, 2030)
DESTINATIONS = ("STOCK", "ORDERS", "NOWHERE")
DEFINITIONS = """\
DEFINE QLOCAL(STOCK)
ALTER QLOCAL(ORDERS) MAXDEPTH(5000)
ALTER QLOCAL(DLQ) MAXDEPTH(5000)
"""
QUEUES = ("STOCK", "ORDERS")
TABLES = {
    "retry": "ACTION(RETRY)",
    "forward": "REASON(2053) ACTION(FWD) FWDQ(STOCK) HEADER(NO)\nDESTQ('N*') ACTION(FWD) FWDQ(ORDERS)",
    "discard": "DESTQ(STOCK) REASON(2085) ACTION(DISCARD)",
    "nowhere": "DESTQ(NOWHERE) ACTION(FWD) FWDQ(NOWHERE)\nACTION(RETRY)",
    "ignore": "REASON(2030) ACTION(IGNORE)\nDESTQ('*S') ACTION(RETRY)\nACTION(DISCARD)",
}


@pytest.fixture(scope="module")
def letters(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store whose queue manager QM1 has the dead letters."""
    store = tmp_path_factory.mktemp("letters") / "far.db"
    with open_store(f"sqlite:///{store}", create=True) as opened:
        qmgr = opened.create_queue_manager("QM1")
        run(qmgr, SCRIPT + DEFINITIONS, check=True)
        _put_letters(qmgr)
    return store


def _put_letters(qmgr: QueueManager) -> None:
    with qmgr.connect() as connection:
        connection.open("DLQ", MQOO.OUTPUT).put(
            [
                dead_letter(
                    "x",
                    number + 1,
                    reason=REASONS[number % len(REASONS)],
                    dest_q_name=DESTINATIONS[number % len(DESTINATIONS)],
                )
                for number in range(LETTERS)
            ],
        )


def _depths(store: Path) -> dict[str, int]:
    with open_store(f"sqlite:///{store}") as opened:
        queues = load(opened.queue_manager("QM1")).queues
    return {each.name: each.depth for each in queues if each.name in ("DLQ", *QUEUES)}


@pytest.mark.parametrize("rules", TABLES.values(), ids=TABLES)
def test_the_handler_does_what_the_trial_elsewhere_says(
    mqsc: Command,
    tmp_path: Path,
    letters: Path,
    rules: str,
) -> None:
    far = FarEnd(tmp_path / "far").on_a_store()
    far.store = letters
    far.on_a_store().declare(tmp_path / "targets.toml")
    Path("r.rul").write_text(f"INPUTQM(QM1) WAIT(NO) RETRYINT(1)\n{rules}\n")
    tried = mqsc("dlq", "test", "r.rul", "--on", "far", "--format", "json").rows
    assert _depths(letters) == {"DLQ": LETTERS, "STOCK": 0, "ORDERS": 0}

    there = tmp_path / "there.db"
    shutil.copy(letters, there)
    assert mqsc("--store", str(there), "dlq", "run", "r.rul").code in (0, 10)

    arriving: Counter[str] = Counter()
    for row in tried:
        if row["of"] == "target" and not row["put_reason"]:
            arriving[row["target"]] += row["messages"]
    discarded = sum(row["messages"] for row in tried if row.get("action") == "DISCARD")
    assert _depths(there) == {
        "DLQ": LETTERS - arriving.total() - discarded,
        **{name: arriving[name] for name in QUEUES},
    }

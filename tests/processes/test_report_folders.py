"""Reports where the disk is full, or where nobody may write: one sentence, and the old output stays whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from reports.errors import ReportError
from store.client.api import Store
from store.constants import MQOO
from store.error import StoreError
from store.message import Message
from tests.processes.disks import small_file_system
from tests.processes.programs import run_program
from tests.reports.test_publication import files_of, made, whole

SIZE = 1 << 20


def test_a_full_disk_leaves_the_old_output(tmp_path: Path) -> None:
    folder = tmp_path / "disk"
    folder.mkdir()
    with small_file_system(folder, SIZE) as disk:
        made(folder / "out", {"a/x.csv": "old"})
        disk.fill()
        with pytest.raises((ReportError, OSError), match="No space left on device"):
            made(folder / "out", {"a/x.csv": "n" * SIZE})
        assert files_of(folder / "out")["a/x.csv"] == "old"
        assert whole(folder / "out") == {"a/x.csv"}
        assert len(list((folder / "out").glob(".run-*"))) == 1
        disk.free()
        made(folder / "out", {"a/x.csv": "new"})
        assert files_of(folder / "out")["a/x.csv"] == "new"


def test_messages_that_do_not_fit_on_the_disk_are_one_sentence(store: Store, tmp_path: Path) -> None:
    """And the connection that was to write them is usable for other calls."""
    qmgr = store.create_queue_manager("QM1")
    with qmgr.connect() as connection:
        connection.open("SYSTEM.DEFAULT.LOCAL.QUEUE", MQOO.OUTPUT).put([Message(b"") for _ in range(5000)])
    folder = tmp_path / "disk"
    folder.mkdir()
    with small_file_system(folder, 1 << 18):
        file = folder / "frozen.db"
        for _ in range(2):
            with pytest.raises(StoreError, match=f"{file} cannot grow: the disk is full"):
                store.freeze(file)
            file.unlink()
        assert not qmgr.store.recover()
        bound = store.freeze(tmp_path / "frozen.db")
    assert bound.frozen == str(tmp_path / "frozen.db")
    assert bound.message >= 5000


# A folder that may not be written.
PROGRAM = """
import sys
from mqsc.main import run_to_exit_code
store, out = sys.argv[1:]
run_to_exit_code(["qmgr", "create", "QM1", "--store", store])
print(run_to_exit_code(["report", "backouts", "--store", store, "--out", out]))
"""


def test_a_folder_that_nobody_may_write(url: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir(mode=0o555)
    ran = run_program(PROGRAM, url, out, obeying=True)
    assert ran.stderr.splitlines()[-1] == f"mqsc: the folder {out} for the reports cannot be written: Permission denied"
    assert ran.stdout.splitlines()[-1] == "20"
    assert list(out.iterdir()) == []

"""A program whose system calls on the files of a store fail one after the other; started by
test_broken_disk.py.
"""

from __future__ import annotations

import contextlib
import ctypes
import io
import shutil
import sys
import traceback
from collections.abc import Callable
from pathlib import Path

from mqsc.main import FAILED, run_to_exit_code
from mqsc.store.admin import backup, health, store_repair
from mqsc.store.admin.defining import create
from mqsc.store.catalog import KINDS
from mqsc.store.client.store import open_store
from mqsc.store.client.store_url import url_of_file
from mqsc.store.constants import MQOO, MQPER
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.error import MQError, StoreError
from mqsc.store.message import Message

NAME = "test.db"
_library = ctypes.CDLL(None)
_library.failed_call.restype = ctypes.c_char_p


def make(folder: Path) -> None:
    with open_store(f"sqlite:///{folder / NAME}") as store:
        create(store.create_queue_manager("QM1"), KINDS["QLOCAL"], "Q", {})


def put_and_get(path: Path) -> None:
    with (
        open_store(f"sqlite:///{path}") as store,
        store.queue_manager("QM1").connect() as connection,
    ):
        queue = connection.open("Q", MQOO.OUTPUT | MQOO.INPUT_SHARED)
        queue.put(Message(b"hello", MessageDescriptor(persistence=MQPER.PERSISTENT)))
        queue.get()


def check(path: Path) -> None:
    with open_store(f"sqlite:///{path}") as store:
        assert health.facts_about(store).damage == ()


def repair(path: Path) -> None:
    with open_store(f"sqlite:///{path}") as store:
        health.facts_about(store)
        store_repair.repair(store)


def back_up(path: Path) -> None:
    with open_store(f"sqlite:///{path}") as store:
        backup.back_up(store, path.with_name("backup"))


def administer(path: Path) -> None:
    """Run commands that read files, change definitions, and go back to the past."""
    script = path.with_name("a.mqsc")
    for words in (
        ("apply", str(script), "--yes"),
        ("undo", "--yes"),
        ("whatif", "--since", "1", "ALTER QLOCAL(Q) MAXDEPTH(1)"),
        ("blame", "QLOCAL(Q)"),
        ("doctor",),
        ("restore", str(path.with_name("good.db"))),
    ):
        shown = io.StringIO()
        with contextlib.redirect_stdout(shown), contextlib.redirect_stderr(shown):
            code = run_to_exit_code([*words, "--store", url_of_file(path)])
        if code >= FAILED:
            _check_sentence(shown.getvalue())


def _check_sentence(text: str) -> None:
    """A disk that fails for a moment is no reason for another store, or for an older one."""
    assert text.strip()
    for advice in ("there is no store", "restore a backup", "is damaged:", "input or output"):
        assert advice not in text, text


def sweep(folder: Path, template: Path, work: Callable[[Path], None], step: int) -> int:
    """Let one call fail after the other, each on a copy of the store, `step` apart; return the
    number of calls.
    """
    number = 0
    while True:
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(template, folder)
        _library.fail_call(str(folder).encode(), ctypes.c_long(number + 1))
        try:
            work(folder / NAME)
        except (StoreError, MQError):
            pass
        except Exception:
            print(_library.failed_call().decode(), "escaped:", traceback.format_exc())
        failed = _library.failed_call()
        _library.fail_call(b"", ctypes.c_long(0))
        if not failed:
            return number
        number += step


if __name__ == "__main__":
    place = Path(sys.argv[1])
    (place / "template").mkdir()
    make(place / "template")
    shutil.copy(place / "template" / NAME, place / "template" / "good.db")
    (place / "template" / "a.mqsc").write_text("DEFINE QLOCAL(B)\n")
    # Most calls of the others are those of the first.
    # Each read of the check counts: SQLite says something else of each page that it cannot read.
    works = ((put_and_get, 1), (check, 1), (repair, 5), (back_up, 5), (administer, 29))
    for each, apart in works:
        assert sweep(place / "swept", place / "template", each, apart) > 20
    print("done")

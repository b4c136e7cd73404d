"""Commands that are killed before each call with which they change files, and what must hold
afterwards.

After each kill the store is as before the command or as after it, nothing advises to restore a
backup over it, and the same command once more leads to the state and the files that it leads to
without a kill.
"""

from __future__ import annotations

import json
import lzma
import os
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from importlib import import_module
from pathlib import Path
from typing import Any

from msgspec import Struct

from mqsc.store.client.store import open_store
from mqsc.store.error import StoreError
from tests.processes.campaign import Broken
from tests.processes.kill_points import Killer

STORE = "store.db"
FIRST_VERSION = Path(__file__).parent.parent / "store/sqlite/migrations/version_1.sql"
# Of an earlier version, with messages in every state, channels and subscriptions.
EARLIER_STORE = Path(__file__).parent.parent / "mqsc/kept_stores/schema-5.sql.xz"
# The last calls give files their names: all of them are tried.
LAST = 10
# Exit codes of `mqsc doctor`: all is well, or there is advice.
NO_ERROR = (0, 2)
_MOMENT = re.compile(r"\d{8}T\d{6}Z(-\d+)?")
# The parts of a store that commands change, and that do not depend on when they did.
_STATE = {
    "queue_manager": "name",
    "object": "owner, namespace, name, attributes",
    "message": "queue, body",
    "user_account": "name",
    "user_group": "user, name",
    "kept_rule": "qmgr, name",
}
State = dict[str, list[tuple[Any, ...]]]
Step = Sequence[str] | Callable[[Path], object]


class Sweep(Struct, frozen=True):
    """A command, and the commands or functions that make its folder.

    `names` is a pattern of the files that may be there after a kill and a second run. Without
    `again` the command is not repeated, because that would do something else. With
    `messages_may_be_gone` messages are removed in steps. `modules` are loaded once, before the
    processes are forked, because it takes most of the time of the command.
    """

    command: Sequence[str]
    before: Sequence[Step] = ()
    store: str = STORE
    names: str = ""
    again: bool = True
    messages_may_be_gone: bool = False
    modules: Sequence[str] = ()


def _file(name: str, text: str) -> Callable[[Path], object]:
    return lambda folder: (folder / name).write_text(text, "utf-8")


def _first_version(folder: Path) -> None:
    with closing(sqlite3.connect(folder / STORE)) as database:
        database.executescript(FIRST_VERSION.read_text("utf-8"))


def _earlier_store(folder: Path) -> None:
    with closing(sqlite3.connect(folder / STORE)) as database:
        database.executescript(lzma.decompress(EARLIER_STORE.read_bytes()).decode("utf-8"))


def _damage(folder: Path) -> None:
    """A header that SQLite cannot read, and a log."""
    with (folder / STORE).open("r+b") as file:
        file.write(b"damaged " * 128)
    (folder / f"{STORE}-wal").write_bytes(b"log" * 1000)


def _hard_link(folder: Path) -> None:
    (folder / "second.mqsc").hardlink_to(folder / "f.mqsc")


QM1 = (
    ("qmgr", "create", "QM1"),
    ("run", "-c", "DEFINE QLOCAL(A)\nDEFINE QLOCAL(B)"),
    ("put", "A", "kept"),
)
BACKUP = (*QM1, ("backup", "copy.db"), ("put", "A", "later"))
LAYOUT = _file("f.mqsc", "define qlocal(a)  replace\n" * 20)
DEFINITIONS = _file(
    "d.mqsc",
    "DEFINE QLOCAL(A) MAXDEPTH(7)\nDEFINE QLOCAL(B)\nDEFINE QLOCAL(NEW)\n",
)
ASIDE = r"store\.db\.before-MOMENT(-wal)?"

SWEEPS: Mapping[str, Sweep] = {
    "restore": Sweep(("restore", "copy.db"), BACKUP, names=ASIDE),
    "restore of a damaged store": Sweep(("restore", "copy.db"), (*BACKUP, _damage), names=ASIDE),
    "backup": Sweep(("backup", "--force", "copy.db"), BACKUP, store="copy.db"),
    "archive": Sweep(("archive", "--to", "archive", "--keep", "0"), QM1, names="archive/.*"),
    "import": Sweep(
        ("import", "d.mqsc"),
        (*QM1, _file("d.mqsc", "* made by hand\nDEFINE QLOCAL(NEW)\n")),
    ),
    "apply": Sweep(("apply", "--yes", "--prune", "d.mqsc"), (*QM1, DEFINITIONS)),
    "a saved plan": Sweep(("apply", "--out", "plan.json", "d.mqsc"), (*QM1, DEFINITIONS)),
    "undo": Sweep(
        ("undo", "--yes"),
        (*QM1, ("run", "-c", "ALTER QLOCAL(A) MAXDEPTH(7)")),
        again=False,
    ),
    "qmgr delete": Sweep(
        ("qmgr", "delete", "QM1"),
        (*QM1, ("qmgr", "end", "QM1"), ("qmgr", "create", "QM2")),
        messages_may_be_gone=True,
    ),
    "migration": Sweep(
        ("qmgr", "list"),
        (_first_version,),
        modules=("mqsc.store.sqlite.migrations.versions",),
    ),
    "migration of a store at work": Sweep(
        ("qmgr", "list"),
        (_earlier_store,),
        modules=("mqsc.store.sqlite.migrations.versions",),
    ),
    "auth mode": Sweep(("auth", "mode", "enforce"), QM1),
    "history keep": Sweep(("history", "keep", "A"), QM1),
    "fmt": Sweep(("fmt", "f.mqsc"), (*QM1, LAYOUT)),
    "fmt of a file with two names": Sweep(("fmt", "f.mqsc"), (*QM1, LAYOUT, _hard_link)),
}


def run(library: str, folder: Path, name: str, number: int) -> None:
    """Try `number` kills before the last calls of a command, and all of those; Broken names what
    does not hold.
    """
    os.environ["MQSC_STORE"] = f"sqlite:///{STORE}"
    sweep = SWEEPS[name]
    for module in sweep.modules:
        import_module(module)
    print(Attempts(Killer(Path(library)), folder, sweep).run(number))


class Attempts:
    """One sweep in a folder of its own."""

    def __init__(self, killer: Killer, folder: Path, sweep: Sweep) -> None:
        self._killer = killer
        self._sweep = sweep
        self._template, self._killed, self._next = (
            folder / name for name in ("template", "killed", "next")
        )
        self._template.mkdir()
        for step in sweep.before:
            if callable(step):
                step(self._template)
            elif (ended := killer.run(self._template, step)).code:
                raise Broken(f"{step}: {ended.err}")

    def run(self, number: int) -> str:
        """Kill the command before `number` of its calls, and before each of the last ones."""
        self._before = self._state(self._copied(self._template, self._next))
        done = self._copied(self._template, self._next)
        whole = self._killer.run(done, self._sweep.command)
        if whole.code:
            raise Broken(f"{self._sweep.command}: {whole.err}")
        self._after, self._files = self._state(done), self._names(done)
        spread = range(1, whole.calls + 1, max(1, whole.calls // max(1, number)))
        tried = 0
        # The second run of a command can make fewer calls, or more.
        for nth in sorted({*spread, *range(max(1, whole.calls - LAST), whole.calls + LAST)}):
            killed = self._copied(self._template, self._killed)
            if not self._killer.run(killed, self._sweep.command, nth=nth).is_killed:
                break
            tried += 1
            for fault in self._faults():
                raise Broken(f"{' '.join(self._sweep.command)}, killed before call {nth}: {fault}")
        return f"{tried} kills before {whole.calls} calls"

    def _faults(self) -> Iterator[str]:
        sweep = self._sweep
        if self._before is not None and not (self._killed / sweep.store).exists():
            yield "the store is gone"
        if isinstance(self._before, dict) and sweep.store == STORE:
            checked = self._killer.run(
                self._copied(self._killed, self._next),
                ["doctor", "--format", "json"],
            )
            if checked.code not in NO_ERROR:
                errors = [
                    row for row in json.loads(checked.out or "[]") if row["severity"] == "error"
                ]
                yield f"doctor says {errors} {checked.err}"
        found = self._state(self._copied(self._killed, self._next))
        if not any(self._is_left(found, each) for each in (self._before, self._after)):
            yield f"the store is neither as before nor as afterwards: {found}"
        if not sweep.again:
            return
        again = self._copied(self._killed, self._next)
        ended = self._killer.run(again, sweep.command)
        if self._state(again) != self._after:
            yield f"the next run led to another state: {ended.err}"
        allowed = re.compile(sweep.names)
        more = [each for each in self._names(again) - self._files if not allowed.fullmatch(each)]
        if more:
            yield f"the next run has left {more}"

    def _is_left(self, found: State | str | None, expected: State | str | None) -> bool:
        if (
            self._sweep.messages_may_be_gone
            and isinstance(found, dict)
            and isinstance(expected, dict)
        ):
            remaining = [row for row in expected["message"] if row in found["message"]]
            return found == {**expected, "message": remaining}
        return found == expected

    def _copied(self, source: Path, target: Path) -> Path:
        """A copy of a folder in which files with several names have them, too."""
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(source, target)
        first: dict[int, Path] = {}
        for file in sorted(each for each in source.rglob("*") if each.is_file()):
            copy = target / file.relative_to(source)
            known = first.setdefault(file.stat().st_ino, copy)
            if known != copy:
                copy.unlink()
                copy.hardlink_to(known)
        return target

    def _state(self, folder: Path) -> State | str | None:
        """What is in the store, after it was opened once; None if there is none."""
        if not (folder / self._sweep.store).exists():
            return None
        name = self._sweep.store
        return self._killer.ask(folder, lambda: _state_of(name))  # type: ignore[no-any-return]

    def _names(self, folder: Path) -> set[str]:
        files = (str(each.relative_to(folder)) for each in folder.rglob("*") if each.is_file())
        return {_MOMENT.sub("MOMENT", each) for each in files if ".processes/" not in each}


def _state_of(name: str) -> State | str:
    """The contents of a store, or why it cannot be opened."""
    try:
        open_store(name, create=False).close()
    except StoreError as error:
        return str(error)
    with closing(sqlite3.connect(name)) as database:
        found = {
            table: sorted(database.execute(f"SELECT {columns} FROM {table}").fetchall(), key=repr)
            for table, columns in _STATE.items()
        }
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    return found

"""Plays what people do to the files of a store while programs use it, and checks that what they
were answered is true.

Each act is played in eight variants: with a short or a long log, with a program that starts right
after the act or at the end, and with programs that end or are killed; or in two, which differ in
all three. What is answered with success after the act must be true in the end: no message is lost,
and none is delivered twice.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from mqsc.store import Message, MessageDescriptor, MQError, PutMessageOptions, open_store
from mqsc.store.admin.backup import back_up
from mqsc.store.admin.defining import create
from mqsc.store.catalog import KINDS
from mqsc.store.constants import MQOO, MQPMO, MQRC
from mqsc.store.environment import elapsed_real_seconds, pause_a_moment
from mqsc.store.error import StoreError
from mqsc.store.sqlite.open_files import LOOK_SECONDS
from tests.processes.campaign import Broken
from tests.processes.programs import Program

LOG, MEMORY = "-wal", "-shm"
FILES = ("", LOG, MEMORY)
PAGE = 4096


class Scene(NamedTuple):
    """The folder of the store, and beside it a backup, copies of the three files as they were
    earlier, and room.
    """

    folder: Path

    @property
    def store(self) -> Path:
        return self.folder / "store" / "x.db"

    @property
    def backup(self) -> Path:
        return self.folder / "backup.db"

    def file(self, suffix: str) -> Path:
        return Path(f"{self.store}{suffix}")

    def the_backup(self, suffix: str) -> Path:
        return self.backup

    def earlier(self, suffix: str) -> Path:
        return self.folder / f"earlier{suffix}"

    def aside(self, name: str) -> Path:
        return self.folder / f"aside.{name}"

    def lock(self, name: str) -> Path:
        return self.file(".processes") / name

    def keep_copies(self, suffixes: tuple[str, ...] = FILES) -> None:
        for suffix in suffixes:
            shutil.copyfile(self.file(suffix), self.earlier(suffix))


Do = Callable[[Scene], object]


class Act(NamedTuple):
    """An act; what puts everything back, if that is possible; and whether no program may even
    notice it.
    """

    do: Do
    undo: Do | None = None
    harmless: bool = False


def overwrite(path: Path, at: int, content: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(at)
        file.write(content)


def to_each(act: Callable[[Path], object], paths: Iterable[Path]) -> None:
    for path in list(paths):
        act(path)


def remove(*suffixes: str) -> Act:
    return Act(lambda scene: to_each(Path.unlink, map(scene.file, suffixes)))


def rename(*suffixes: str, then: Do = lambda scene: None) -> Act:
    """Rename files; another may then get their names. Renaming them back puts everything right."""

    def do(scene: Scene) -> None:
        for each in suffixes:
            scene.file(each).rename(scene.file(f".old{each}"))
        then(scene)

    def undo(scene: Scene) -> None:
        for suffix in suffixes:
            scene.file(f".old{suffix}").replace(scene.file(suffix))

    return Act(do, undo)


def copy_over(*suffixes: str, source: Callable[[Scene, str], Path] = Scene.earlier) -> Act:
    """Copy over the same file, as `cp` does."""
    return Act(
        lambda scene: [shutil.copyfile(source(scene, each), scene.file(each)) for each in suffixes],
    )


def replace(*suffixes: str, source: Callable[[Scene, str], Path] = Scene.earlier) -> Act:
    """Put another file in the place of each, as `rsync` and many editors do."""

    def do(scene: Scene) -> None:
        for each in suffixes:
            shutil.copyfile(source(scene, each), scene.aside("new"))
            scene.aside("new").replace(scene.file(each))

    return Act(do)


def cut(suffix: str, keep: Callable[[int], int]) -> Act:
    return Act(
        lambda scene: os.truncate(scene.file(suffix), keep(scene.file(suffix).stat().st_size)),
    )


def write(suffix: str, at: Callable[[int], int], content: Callable[[int], bytes]) -> Act:
    """Write into the file in place; both functions are given its size."""

    def do(scene: Scene) -> None:
        size = scene.file(suffix).stat().st_size
        overwrite(scene.file(suffix), at(size), content(size))

    return Act(do)


def link_aside(suffix: str) -> Act:
    """Move the file to another folder and leave a symbolic link."""

    def do(scene: Scene) -> None:
        shutil.move(scene.file(suffix), scene.aside("moved"))
        scene.file(suffix).symlink_to(scene.aside("moved"))

    return Act(do, lambda scene: scene.aside("moved").replace(scene.file(suffix)))


def move_folder_and_restore(scene: Scene) -> None:
    scene.store.parent.rename(scene.aside("folder"))
    scene.store.parent.mkdir()
    shutil.copyfile(scene.backup, scene.store)


def move_folder_back(scene: Scene) -> None:
    shutil.rmtree(scene.store.parent, ignore_errors=True)
    scene.aside("folder").rename(scene.store.parent)


def back_and_forth(scene: Scene) -> None:
    for suffix in FILES:
        scene.file(suffix).rename(scene.aside(f"away{suffix}"))
        scene.aside(f"away{suffix}").rename(scene.file(suffix))


def removed_locks(chosen: Callable[[str], bool]) -> Act:
    return Act(
        lambda scene: to_each(
            Path.unlink,
            (each for each in scene.lock("").iterdir() if chosen(each.name)),
        ),
    )


def restore_by_hand(scene: Scene) -> None:
    shutil.copyfile(scene.backup, scene.store)
    for suffix in (LOG, MEMORY):
        scene.file(suffix).unlink()


def harmless(do: Do) -> Act:
    return Act(do, harmless=True)


ACTS: dict[str, Act] = {
    "rm db": remove(""),
    "rm wal": remove(LOG),
    "rm shm": remove(MEMORY),
    "rm wal shm": remove(LOG, MEMORY),
    "rm db wal": remove("", LOG),
    "rm db shm": remove("", MEMORY),
    "rm all": remove(*FILES),
    "mv db": rename(""),
    "mv wal": rename(LOG),
    "mv shm": rename(MEMORY),
    "mv wal shm": rename(LOG, MEMORY),
    "mv db wal": rename("", LOG),
    "mv all": rename(*FILES),
    "mv db, touch db": rename("", then=lambda scene: scene.store.touch()),
    "mv db, cp it back": rename(
        "",
        then=lambda scene: shutil.copy2(scene.file(".old"), scene.store),
    ),
    "mv db, cp backup db": rename(
        "",
        then=lambda scene: shutil.copyfile(scene.backup, scene.store),
    ),
    "mv wal, touch wal": rename(LOG, then=lambda scene: scene.file(LOG).touch()),
    "mv wal, cp it back": rename(
        LOG,
        then=lambda scene: shutil.copy2(scene.file(".old-wal"), scene.file(LOG)),
    ),
    "mv shm, cp it back": rename(
        MEMORY,
        then=lambda scene: shutil.copy2(scene.file(".old-shm"), scene.file(MEMORY)),
    ),
    "mv all, cp backup db": rename(
        *FILES,
        then=lambda scene: shutil.copyfile(scene.backup, scene.store),
    ),
    "mv db, ln -s": link_aside(""),
    "mv wal, ln -s": link_aside(LOG),
    "mv shm, ln -s": link_aside(MEMORY),
    "replace db by backup": replace("", source=Scene.the_backup),
    "replace db by earlier": replace(""),
    "replace db by itself": replace("", source=Scene.file),
    "replace wal by earlier": replace(LOG),
    "replace wal by itself": replace(LOG, source=Scene.file),
    "replace shm by itself": replace(MEMORY, source=Scene.file),
    "replace db wal by earlier": replace("", LOG),
    "replace all by earlier": replace(*FILES),
    "replace all by themselves": replace(*FILES, source=Scene.file),
    "replace wal by backup": replace(LOG, source=Scene.the_backup),
    "cp backup db": copy_over("", source=Scene.the_backup),
    "cp earlier db": copy_over(""),
    "cp earlier wal": copy_over(LOG),
    "cp earlier db wal": copy_over("", LOG),
    "cp backup wal": copy_over(LOG, source=Scene.the_backup),
    "cp backup db, rm wal shm": Act(restore_by_hand),
    "truncate db 0": cut("", lambda size: 0),
    "truncate db 1": cut("", lambda size: 1),
    "truncate db half": cut("", lambda size: size // 2 // PAGE * PAGE),
    "truncate db one page": cut("", lambda size: PAGE),
    "truncate db last page": cut("", lambda size: size - PAGE),
    "truncate db odd": cut("", lambda size: size - 100),
    "truncate wal 0": cut(LOG, lambda size: 0),
    "truncate wal 16": cut(LOG, lambda size: 16),
    "truncate wal header": cut(LOG, lambda size: 32),
    "truncate wal half": cut(LOG, lambda size: size // 2),
    "truncate shm 0": cut(MEMORY, lambda size: 0),
    "zero db": write("", lambda size: 0, bytes),
    "zero db header": write("", lambda size: 0, lambda size: bytes(100)),
    "zero db first page": write("", lambda size: 0, lambda size: bytes(PAGE)),
    "noise db": write("", lambda size: 0, os.urandom),
    "zero wal": write(LOG, lambda size: 0, bytes),
    "zero wal header": write(LOG, lambda size: 0, lambda size: bytes(32)),
    "noise wal": write(LOG, lambda size: 0, os.urandom),
    "zero shm header": write(MEMORY, lambda size: 0, lambda size: bytes(96)),
    "mv folder": Act(
        lambda scene: scene.store.parent.rename(scene.aside("folder")),
        move_folder_back,
    ),
    "mv folder, cp backup": Act(move_folder_and_restore, move_folder_back),
    "rm own locks": removed_locks(lambda name: "writer" not in name),
    "rm all locks": removed_locks(lambda name: True),
    "rm writer lock": removed_locks(lambda name: name == "writer"),
    "rm -r processes": Act(lambda scene: shutil.rmtree(scene.file(".processes"))),
    "mv processes": Act(
        lambda scene: scene.file(".processes").rename(scene.file(".old.processes")),
    ),
    "truncate writer lock": harmless(lambda scene: os.truncate(scene.lock("writer"), 0)),
    "noise writer lock": harmless(
        lambda scene: scene.lock("writer").write_bytes(b"17 4 nonsense\xff"),
    ),
    "ln db": Act(
        lambda scene: os.link(scene.store, scene.aside("link")),
        lambda scene: scene.aside("link").unlink(),
    ),
    "ln wal": harmless(lambda scene: os.link(scene.file(LOG), scene.aside("link"))),
    "ln -s db": harmless(lambda scene: scene.aside("link").symlink_to(scene.store)),
    "touch all": harmless(lambda scene: to_each(Path.touch, map(scene.file, FILES))),
    "chmod 640 db": harmless(lambda scene: scene.store.chmod(0o640)),
    "mv there and back": harmless(back_and_forth),
    "cp elsewhere": harmless(lambda scene: scene.keep_copies()),
    "rm reserve": harmless(lambda scene: scene.file(".reserve").unlink()),
    "truncate reserve": harmless(lambda scene: os.truncate(scene.file(".reserve"), 0)),
    "append to wal": write(LOG, lambda size: size, lambda size: os.urandom(PAGE))._replace(
        harmless=True,
    ),
    "files come and go": harmless(
        lambda scene: [scene.file(f".tmp{n}").write_bytes(b"") for n in range(20)],
    ),
}


# The long log was copied into the file once, and has begun again.
MESSAGES = {"short": (6, 100), "long": (110, 100_000)}
# The log, whether the new program starts right after the act, and whether all are killed.
VARIANTS = tuple(product(MESSAGES, (True, False), (True, False)))
FEW_VARIANTS = (("short", True, True), ("long", False, False))
SYNCPOINT = PutMessageOptions(MQPMO.SYNCPOINT)


class User(Program):
    """A process on the store. It answers with what a call returned, or with the text of its
    failure.
    """

    def __init__(self, scene: Scene) -> None:
        super().__init__(answer_calls, str(scene.store))

    def ask(self, *request: Any) -> tuple[bool, Any]:
        """Return whether the call succeeded, and its result; a program that has died has failed."""
        with suppress(BrokenPipeError):
            self.tell(json.dumps(request))
        succeeded, result = json.loads(self.line() or '[false, "the program died"]')
        return succeeded, result

    def end(self, *, kill: bool) -> None:
        if not kill:
            self.ask("end")
        self.close()


def answer_calls(path: str) -> None:
    calls = _calls(path)
    for line in sys.stdin:
        name, *values = json.loads(line)
        try:
            answer = True, calls[name](*values)
        except (MQError, StoreError) as failure:
            answer = False, str(failure)
        print(json.dumps(answer))


def _calls(path: str) -> dict[str, Callable[..., Any]]:
    opened: list[Any] = []

    def connect() -> None:
        store = open_store(f"sqlite:///{path}", create=False)
        connection = store.queue_manager("QM1").connect()
        opened[:] = (
            store,
            connection,
            connection.open("Q", MQOO.OUTPUT | MQOO.INPUT_SHARED | MQOO.BROWSE),
        )

    def put(bodies: list[str], size: int = 10) -> list[str]:
        messages = [
            Message(each.encode().ljust(size), MessageDescriptor(persistence=1)) for each in bodies
        ]
        for message in messages:
            opened[2].put(message)
        return bodies

    def begin(body: str) -> None:
        opened[2].put(Message(body.encode(), MessageDescriptor(persistence=1)), SYNCPOINT)

    def get() -> list[str]:
        try:
            return [opened[2].get().body.decode().strip()]
        except MQError as failure:
            if failure.reason != MQRC.NO_MSG_AVAILABLE:
                raise
            return []

    def end() -> None:
        if opened:
            with suppress(MQError, StoreError):
                opened[1].disconnect()
            opened[0].close()

    def drain() -> list[str]:
        return [body for each in iter(get, []) for body in each]

    return {
        "connect": connect,
        "put": put,
        "begin": begin,
        "commit": lambda: opened[1].commit(),
        "get": get,
        "drain": drain,
        "end": end,
    }


class Account:
    """What was answered with success: the messages put and got before the act, and after it."""

    def __init__(self) -> None:
        self.put: list[set[str]] = [set(), set()]
        self.got: list[list[str]] = [[], []]
        self.failures: list[str] = []
        self.after = 0
        self.newcomer_wrote = False

    def ask(self, program: User, name: str, *values: Any) -> bool:
        succeeded, result = program.ask(name, *values)
        if not succeeded:
            self.failures.append(f"{name} {values}: {result}")
        elif name == "put":
            self.put[self.after].update(result)
        elif name == "commit":
            self.put[self.after].add("unit")
        elif name == "get":
            self.got[self.after] += result
        return succeeded


def play(scene: Scene, act: Act, log: str, *, early: bool, kill: bool) -> str:
    """Play an act; return the first failure that a program told, or blank. Broken when an answer
    was not true.
    """
    account = Account()
    number, size = MESSAGES[log]
    one, other = User(scene), User(scene)
    programs = [one, other]
    for each in programs:
        account.ask(each, "connect")
    account.ask(one, "put", [f"first {n}" for n in range(number)], size)
    scene.keep_copies()
    account.ask(one, "begin", "unit")
    account.ask(other, "put", [f"second {n}" for n in range(number)], size)
    account.ask(other, "get")
    if account.failures:
        raise Broken(f"before the act: {account.failures}")
    # People take longer than this; what happens in between is noticed later.
    looked_at = elapsed_real_seconds()
    while elapsed_real_seconds() < looked_at + LOOK_SECONDS:
        pause_a_moment()
    act.do(scene)
    account.after = 1
    if early:
        programs.append(_newcomer(scene, account))
    account.ask(one, "commit")
    account.ask(other, "put", ["third"])
    for each in (one, other):
        account.ask(each, "get")
        account.ask(each, "put", [f"fourth {each.pid}"])
    if not early:
        programs.append(_newcomer(scene, account))
        account.ask(one, "put", ["fifth"])
    told = account.failures[0] if account.failures else ""
    if act.harmless and told:
        raise Broken(f"false alarm: {told}")
    for each in programs:
        each.end(kill=kill)
    _check(scene, act, account)
    return told


def _newcomer(scene: Scene, account: Account) -> User:
    program = User(scene)
    if account.ask(program, "connect"):
        account.newcomer_wrote = account.ask(program, "put", ["newcomer"])
        account.ask(program, "get")
    return program


def _check(scene: Scene, act: Act, account: Account) -> None:
    # What a new program has written into other files would be lost if those were put back.
    is_undone = act.undo is not None and not account.newcomer_wrote
    if act.undo is not None and is_undone:
        act.undo(scene)
    nothing_was_destroyed = is_undone or act.harmless
    auditor = User(scene)
    opened, told = auditor.ask("connect")
    drained, left = auditor.ask("drain") if opened else (False, told)
    auditor.end(kill=False)
    if nothing_was_destroyed and not drained:
        raise Broken(f"the store cannot be used although everything was put back: {left}")
    found: list[str] = left if drained else []
    delivered = account.got[1] + found
    expected = account.put[1]
    if nothing_was_destroyed:
        delivered, expected = account.got[0] + delivered, account.put[0] | expected
    if twice := {each for each in delivered if delivered.count(each) > 1}:
        raise Broken(f"delivered twice: {sorted(twice)}")
    if lost := sorted(expected - set(delivered)):
        raise Broken(
            f"{len(lost)} lost: {lost[:6]}; the store then: "
            f"{f'{len(found)} messages' if drained else left}",
        )


def run(
    folder: Path,
    acts: Sequence[str] = tuple(ACTS),
    variants: Sequence[tuple[str, bool, bool]] = VARIANTS,
) -> str:
    """Play acts; return a summary line. Broken with all that was not true."""
    template, plays = Scene(folder / "template"), [*product(acts, variants)]
    template.store.parent.mkdir(parents=True)
    with open_store(f"sqlite:///{template.store}") as store:
        create(store.create_queue_manager("QM1"), KINDS["QLOCAL"], "Q", {"MAXDEPTH": 9999})
        back_up(store, template.backup)
    broken, noticed = [], 0
    for name, (log, early, kill) in plays:
        shutil.copytree(template.folder, folder / "scene")
        try:
            noticed += bool(play(Scene(folder / "scene"), ACTS[name], log, early=early, kill=kill))
        except Broken as failure:
            broken.append(
                f"{name} ({log} log, {'early' if early else 'late'}, killed {kill}): {failure}",
            )
        shutil.rmtree(folder / "scene")
    if broken:
        raise Broken("\n".join(broken))
    return f"{len(plays)} plays of {len(acts)} acts, noticed in {noticed}"

"""Plays acts on the files of a store while programs use it, and checks that what they were answered is true.

Each act is played in eight variants: with a short or a long log, with a program that starts right after the act or at
the end, and with programs that end or are killed; or in two, which differ in all three. What is answered with success
after the act must be true in the end: no message is lost, and none is delivered twice.
"""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import product
from pathlib import Path
from typing import Any

from store import Message, MessageDescriptor, MQError, PutMessageOptions, open_store
from store.admin.defining import create
from store.admin.health import back_up
from store.catalog import KINDS
from store.constants import MQOO, MQPMO, MQRC
from store.environment import elapsed_real_seconds, pause_a_moment
from store.error import StoreError
from store.sqlite.open_files import LOOK_SECONDS
from tests.processes.campaign import Broken
from tests.processes.file_acts import ACTS, Act, Scene
from tests.processes.programs import Program

# The long log was copied into the file once, and has begun again.
MESSAGES = {"short": (6, 100), "long": (110, 100_000)}
# The log, whether the new program starts right after the act, and whether all are killed.
VARIANTS = tuple(product(MESSAGES, (True, False), (True, False)))
FEW_VARIANTS = (("short", True, True), ("long", False, False))
SYNCPOINT = PutMessageOptions(MQPMO.SYNCPOINT)


class User(Program):
    """A process on the store. It answers with what a call returned, or with the text of its failure."""

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
        opened[:] = store, connection, connection.open("Q", MQOO.OUTPUT | MQOO.INPUT_SHARED | MQOO.BROWSE)

    def put(bodies: list[str], size: int = 10) -> list[str]:
        messages = [Message(each.encode().ljust(size), MessageDescriptor(persistence=1)) for each in bodies]
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
    """Play an act; return the first failure that a program told, or blank. Broken when an answer was not true."""
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
        raise Broken(f"{len(lost)} lost: {lost[:6]}; the store then: {f'{len(found)} messages' if drained else left}")


def run(folder: Path, acts: Sequence[str] = tuple(ACTS), variants: Sequence[tuple[str, bool, bool]] = VARIANTS) -> str:
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
            broken.append(f"{name} ({log} log, {'early' if early else 'late'}, killed {kill}): {failure}")
        shutil.rmtree(folder / "scene")
    if broken:
        raise Broken("\n".join(broken))
    return f"{len(plays)} plays of {len(acts)} acts, noticed in {noticed}"

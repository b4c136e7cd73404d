"""Plays acts on the files of a store while programs use it, and checks that what they were answered is true.

Run as a program: `python file_act_driver.py FOLDER [--few] [ACT…]`. Each act is played in eight variants: with a short
or a long log, with a program that starts right after the act or at the end, and with programs that end or are killed;
with --few in two, which differ in all three. What is answered with success after the act must be true in the end: no
message is lost, and none is delivered twice.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from itertools import product
from multiprocessing import Pipe
from multiprocessing.connection import Connection as Channel
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from store import Message, MessageDescriptor, MQError, PutMessageOptions, open_store
from store.admin.defining import create
from store.admin.health import back_up
from store.catalog import KINDS
from store.constants import MQOO, MQPMO
from store.environment import elapsed_real_seconds, pause_a_moment
from store.error import StoreError
from store.sqlite.open_files import LOOK_SECONDS
from tests.processes.campaign import Broken
from tests.processes.file_acts import ACTS, Act, Scene

NO_MESSAGE = 2033
# The long log was copied into the file once, and has begun again.
MESSAGES = {"short": (6, 100), "long": (110, 100_000)}
# The log, whether the new program starts right after the act, and whether all are killed.
FEW_VARIANTS = (("short", True, True), ("long", False, False))
SYNCPOINT = PutMessageOptions(MQPMO.SYNCPOINT)


class Program:
    """A process on the store. It answers with what a call returned, or with the text of its failure."""

    def __init__(self, scene: Scene) -> None:
        self._channel, theirs = Pipe()
        self.process = os.fork()
        if self.process == 0:
            self._channel.close()
            _serve(theirs, str(scene.store))
        theirs.close()

    def ask(self, *request: Any) -> tuple[bool, Any]:
        """Return whether the call succeeded, and its result; a program that has died has failed."""
        try:
            self._channel.send(request)
            answer: tuple[bool, Any] = self._channel.recv()
        except (EOFError, OSError):
            return False, "the program died"
        return answer

    def end(self, *, kill: bool) -> None:
        if kill:
            os.kill(self.process, signal.SIGKILL)
        else:
            self.ask("end")
        self._channel.close()
        os.waitpid(self.process, 0)


def _serve(channel: Channel, path: str) -> None:
    try:
        calls = _calls(path)
        name = ""
        while name != "end":
            name, *values = channel.recv()
            try:
                channel.send((True, calls[name](*values)))
            except (MQError, StoreError) as failure:
                channel.send((False, str(failure)))
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(0)


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
            if failure.reason != NO_MESSAGE:
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

    def ask(self, program: Program, name: str, *values: Any) -> bool:
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
    one, other = Program(scene), Program(scene)
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
        account.ask(each, "put", [f"fourth {each.process}"])
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


def _newcomer(scene: Scene, account: Account) -> Program:
    program = Program(scene)
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
    auditor = Program(scene)
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


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--few", action="store_true")
    parser.add_argument("acts", nargs="*", default=list(ACTS))
    chosen = parser.parse_intermixed_args()
    folder, names = chosen.folder, chosen.acts
    variants = FEW_VARIANTS if chosen.few else tuple(product(MESSAGES, (True, False), (True, False)))
    template = folder / "template"
    Scene(template).store.parent.mkdir(parents=True)
    if os.fork() == 0:
        _prepare(Scene(template))
        os._exit(0)
    os.wait()
    broken = noticed = plays = 0
    for name, (log, early, kill) in product(names, variants):
        shutil.copytree(template, folder / "scene")
        variant = f"{name} ({log} log, {'early' if early else 'late'}, {'killed' if kill else 'ended'})"
        plays += 1
        try:
            noticed += bool(play(Scene(folder / "scene"), ACTS[name], log, early=early, kill=kill))
        except Broken as failure:
            broken += 1
            print(f"{variant}: {failure}", flush=True)
        shutil.rmtree(folder / "scene")
    print(f"{plays} plays of {len(names)} acts, noticed in {noticed}, {broken} broken")
    sys.exit(broken > 0)


def _prepare(scene: Scene) -> None:
    with open_store(f"sqlite:///{scene.store}") as store:
        create(store.create_queue_manager("QM1"), KINDS["QLOCAL"], "Q", {"MAXDEPTH": 9999})
        back_up(store, scene.backup)


if __name__ == "__main__":
    main()

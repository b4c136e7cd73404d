"""Several users on one store: root and the owner, and members of a group."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from store.sqlite.locks import folder_beside
from tests.processes.programs import PATIENCE_SECONDS
from tests.source import ROOT

# Runs commands as another user and prints their exit codes; optionally keeps a queue open until its input ends. All
# modules are loaded first, with commands on another store, since the user may not be able to read them.
PROGRAM = """
import json, os, sys, tempfile
from mqsc.main import run_to_exit_code
from store import open_store
from store.constants import MQOO
url, commands, user, group, holds = sys.argv[1], json.loads(sys.argv[2]), *map(int, sys.argv[3:])
with tempfile.TemporaryDirectory() as folder:
    for command in (["run", "-c", "DEFINE QLOCAL(Q)"], ["put", "Q", "m"], *commands, ["run", "-c", "DISPLAY"]):
        run_to_exit_code([*command, "--store", f"sqlite:///{folder}/warm.db"])
os.setgroups([])
os.setgid(group)
os.setuid(user)
print("begins", flush=True)
for command in commands:
    print("code:", run_to_exit_code([*command, "--store", url]), flush=True)
if holds:
    connection = open_store(url).queue_manager("QM1").connect()
    connection.open("Q", MQOO.INPUT_SHARED)
    print("holds", flush=True)
    sys.stdin.read()
"""
CREATE = ["run", "-c", "DEFINE QLOCAL(Q)"]
PUT, GET, DISPLAY = ["put", "Q", "hello"], ["get", "Q"], ["run", "-c", "DISPLAY QLOCAL(Q) CURDEPTH"]
OWNER, OTHER, GROUP = 65533, 65532, 65531

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can be several users")


class User:
    """A user who runs commands on a store."""

    def __init__(self, path: Path, user: int) -> None:
        self.path = path
        self.user = user

    def starts(self, *commands: list[str], holds: bool = False) -> subprocess.Popen[str]:
        """Start commands one after the other; with `holds` the process then keeps a queue open until its input ends."""
        pipe = subprocess.PIPE
        who = map(str, (self.user, GROUP if self.user else 0, int(holds)))
        command = [sys.executable, "-c", PROGRAM, f"sqlite:///{self.path}", json.dumps(commands), *who]
        return subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, stderr=subprocess.STDOUT, text=True)

    def does(self, *commands: list[str]) -> None:
        """Run commands that must all succeed."""
        said, _ = self.starts(*commands).communicate(timeout=PATIENCE_SECONDS)
        codes = [line for line in said.partition("begins\n")[2].splitlines() if line.startswith("code: ")]
        assert codes == ["code: 0"] * len(commands), said


@pytest.fixture
def path() -> Iterator[Path]:
    """The path of the owner's store, in a folder that the group may write to."""
    folder = Path(tempfile.mkdtemp())
    os.chown(folder, OWNER, GROUP)
    folder.chmod(0o770)
    owner = User(folder / "test.db", OWNER)
    owner.does(CREATE, PUT)
    yield owner.path
    shutil.rmtree(folder)


def owners(path: Path) -> set[int]:
    """Return the owners of the store and of all files beside it."""
    return {each.stat().st_uid for each in (*path.parent.iterdir(), *folder_beside(str(path)).iterdir())}


def test_root_works_beside_the_owner_and_leaves_nothing_of_its_own(path: Path) -> None:
    owner, root = User(path, OWNER), User(path, 0)
    shutil.rmtree(folder_beside(str(path)))
    holding = root.starts(PUT, DISPLAY, holds=True)
    assert holding.stdout is not None
    assert "holds\n" in iter(holding.stdout.readline, "")
    assert owners(path) == {OWNER}
    owner.does(PUT, DISPLAY, GET)
    holding.kill()
    holding.communicate()
    owner.does(GET, PUT, DISPLAY)
    root.does(GET, DISPLAY)
    assert owners(path) == {OWNER}


def test_the_users_of_a_group_share_a_store_that_it_may_write(path: Path) -> None:
    path.chmod(0o660)
    shutil.rmtree(folder_beside(str(path)))
    owner, other = User(path, OWNER), User(path, OTHER)
    for one, another in ((other, owner), (owner, other)):
        holding = one.starts(PUT, DISPLAY, holds=True)
        assert holding.stdout is not None
        assert "holds\n" in iter(holding.stdout.readline, "")
        another.does(PUT, DISPLAY, GET)
        holding.kill()
        holding.communicate()
        another.does(GET, PUT)


def test_a_store_stays_its_owners_alone_where_nothing_else_is_said(path: Path) -> None:
    modes = {stat.S_IMODE(each.stat().st_mode) for each in path.parent.iterdir() if each.is_file()}
    assert modes == {0o600}
    assert stat.S_IMODE(folder_beside(str(path)).stat().st_mode) == 0o700
    refused = User(path, OTHER).starts(DISPLAY).communicate(timeout=PATIENCE_SECONDS)[0]
    assert "code: 20" in refused
    assert "Traceback" not in refused

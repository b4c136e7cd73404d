"""Several users on one store: root and the owner, and members of a group."""

from __future__ import annotations

import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mqsc.console.options import Choices
from mqsc.console.target import NotAuthorizedError
from mqsc.main import run_to_exit_code
from mqsc.sandbox.sandbox import Sandbox
from mqsc.store.constants import MQOO
from mqsc.store.past.present import copy_of_present
from mqsc.store.sqlite.liveness import folder_beside
from tests.processes.conftest import Start
from tests.processes.programs import Program, connected

CREATE = ["run", "-c", "DEFINE QLOCAL(Q)"]
AS_ANOTHER = ["run", "-c", "DISPLAY QMGR", "--user", "another"]
PUT, GET, DISPLAY = ["put", "Q", "hello"], ["get", "Q"], ["run", "-c", "DISPLAY QLOCAL(Q) CURDEPTH"]
OWNER, OTHER, GROUP = 65533, 65532, 65531

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can be several users")


def perform(url: str, commands: tuple[list[str], ...], user: int, holds: bool) -> None:
    """Run commands as another user, and say their exit codes; optionally keep a queue open until
    the input ends.

    All modules are loaded first, with commands on another store, since the user may not be able to
    read them.
    """
    with tempfile.TemporaryDirectory() as folder:
        for command in (CREATE, ["put", "Q", "m"], *commands, ["run", "-c", "DISPLAY"], AS_ANOTHER):
            run_to_exit_code([*command, "--store", f"sqlite:///{folder}/warm.db"])
    os.setgroups([])
    os.setgid(GROUP if user else 0)
    os.setuid(user)
    print("begins")
    for command in commands:
        print("code:", run_to_exit_code([*command, "--store", url]))
    if holds:
        connection = connected(url)
        connection.open("Q", MQOO.INPUT_SHARED)
        print("holds")
        sys.stdin.read()


class User:
    """A user who runs commands on a store."""

    def __init__(self, launch: Start, path: Path, user: int) -> None:
        self._start = launch
        self.path = path
        self.user = user

    def starts(self, *commands: list[str], holds: bool = False) -> Program:
        """Start commands one after the other; with `holds` the process then keeps a queue open
        until its input ends.
        """
        return self._start(
            perform,
            f"sqlite:///{self.path}",
            commands,
            self.user,
            holds,
            errors=True,
        )

    def does(self, *commands: list[str]) -> None:
        _, said, told = self.starts(*commands).rest()
        codes = [
            line for line in said.partition("begins\n")[2].splitlines() if line.startswith("code: ")
        ]
        assert codes == ["code: 0"] * len(commands), said + told

    def holding(self) -> Program:
        """Start a process that works and then keeps a queue open."""
        holding = self.starts(PUT, DISPLAY, holds=True)
        holding.until("holds")
        return holding


As = Callable[[int], User]


@pytest.fixture
def who(launch: Start) -> Iterator[As]:
    """Users of the owner's store, in a folder that the group may write to."""
    folder = Path(tempfile.mkdtemp())
    os.chown(folder, OWNER, GROUP)
    folder.chmod(0o770)
    User(launch, folder / "test.db", OWNER).does(CREATE, PUT)
    yield lambda user: User(launch, folder / "test.db", user)
    shutil.rmtree(folder)


def owners(path: Path) -> set[int]:
    """Return the owners of the store and of all files beside it."""
    return {
        each.stat().st_uid for each in (*path.parent.iterdir(), *folder_beside(str(path)).iterdir())
    }


def test_root_works_beside_the_owner_and_leaves_nothing_of_its_own(who: As, tmp_path: Path) -> None:
    owner, root = who(OWNER), who(0)
    shutil.rmtree(folder_beside(str(owner.path)))
    holding = root.holding()
    assert owners(owner.path) == {OWNER}
    owner.does(PUT, DISPLAY, GET)
    holding.kill()
    owner.does(GET, PUT, DISPLAY)
    root.does(GET, DISPLAY, ["archive", "--to", str(tmp_path / "archive")])
    assert owners(owner.path) == {OWNER}


def test_the_users_of_a_group_share_a_store_that_it_may_write(who: As) -> None:
    owner, other = who(OWNER), who(OTHER)
    owner.path.chmod(0o660)
    shutil.rmtree(folder_beside(str(owner.path)))
    for one, another in ((other, owner), (owner, other)):
        holding = one.holding()
        another.does(PUT, DISPLAY, GET)
        holding.kill()
        another.does(GET, PUT)


def test_a_store_stays_its_owners_alone_where_nothing_else_is_said(who: As) -> None:
    path = who(OWNER).path
    modes = {stat.S_IMODE(each.stat().st_mode) for each in path.parent.iterdir() if each.is_file()}
    assert modes == {0o600}
    assert stat.S_IMODE(folder_beside(str(path)).stat().st_mode) == 0o700
    _, said, told = who(OTHER).starts(DISPLAY).rest()
    assert "code: 20" in said
    assert "Traceback" not in said + told


def look(url: str, user: int) -> None:
    """Start to look at a store as an agent of another user does, and say why that is refused."""
    os.setgroups([])
    os.setgid(GROUP)
    os.setuid(user)
    try:
        Sandbox.of(Choices(store=url), None)
    except NotAuthorizedError as refused:
        print(refused)


def test_only_the_owner_lets_an_agent_look(who: As, launch: Start) -> None:
    owner = who(OWNER)
    owner.path.chmod(0o660)
    _, said, told = launch(look, f"sqlite:///{owner.path}", OTHER, errors=True).rest()
    assert f"{owner.path} belongs to {OWNER}; only its owner" in said + told
    assert launch(look, f"sqlite:///{owner.path}", OWNER, errors=True).rest() == (0, "", "")
    # Root may; what SQLite makes to read the file is the owner's.
    with copy_of_present(str(owner.path)):
        assert owners(owner.path) == {OWNER}

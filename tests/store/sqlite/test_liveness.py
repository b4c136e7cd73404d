from __future__ import annotations

import fcntl
import os
from pathlib import Path

import pytest

from mqsc.store.error import StoreError
from mqsc.store.sqlite import liveness, owners
from mqsc.store.sqlite.liveness import LivenessFile


def test_a_process_is_alive_while_it_holds_its_file(tmp_path: Path) -> None:
    folder = liveness.folder_beside(str(tmp_path / "x.db"))
    alive = LivenessFile(folder)
    assert liveness.process_id(alive.name) == os.getpid()
    assert not liveness.is_dead(folder, alive.name)
    alive.release()
    assert liveness.is_dead(folder, alive.name)
    assert [*folder.iterdir()] == []


def test_a_file_without_a_lock_belongs_to_a_dead_process(tmp_path: Path) -> None:
    (tmp_path / "9-abc").touch()
    assert liveness.is_dead(tmp_path, "9-abc")
    # Two that ask at the same time do not take each other for the owner.
    asking = os.open(tmp_path / "9-abc", os.O_RDONLY)
    fcntl.flock(asking, fcntl.LOCK_SH)
    assert liveness.is_dead(tmp_path, "9-abc")
    os.close(asking)
    for _ in range(2):
        liveness.remove_liveness_file(tmp_path, "9-abc")
        assert [*tmp_path.iterdir()] == []


def test_a_child_that_forgets_the_file_leaves_the_lock_to_its_parent(tmp_path: Path) -> None:
    alive = LivenessFile(tmp_path / "processes")
    child = os.fork()
    if child == 0:
        alive.forget()
        os._exit(0)
    os.waitpid(child, 0)
    assert not liveness.is_dead(tmp_path / "processes", alive.name)


def test_a_folder_that_cannot_be_made_is_a_store_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="cannot be written"):
        LivenessFile(tmp_path / "file" / "processes")


def test_no_process_kills_itself(tmp_path: Path) -> None:
    """A program may run a channel in its own process and also stop it with MODE(TERMINATE)."""
    alive = LivenessFile(tmp_path)
    assert not owners.kill_owner(tmp_path, alive.name)
    assert not liveness.is_dead(tmp_path, alive.name)
    alive.release()

"""When tests keep their files in memory."""

from __future__ import annotations

import os
from pathlib import Path

from tests.memory import folder_in_memory, serves


def test_a_folder_with_room_is_used(tmp_path: Path) -> None:
    assert folder_in_memory(tmp_path, room=0) == tmp_path


def test_a_folder_without_room_is_not_used(tmp_path: Path) -> None:
    assert folder_in_memory(tmp_path, room=1 << 60) is None


def test_a_machine_may_have_no_such_folder(tmp_path: Path) -> None:
    assert folder_in_memory(tmp_path / "shm", room=0) is None


def test_a_file_system_that_starts_no_programs_is_not_used(tmp_path: Path) -> None:
    about = os.statvfs(tmp_path)
    without_programs = os.statvfs_result((*about[:8], about.f_flag | os.ST_NOEXEC, about.f_namemax))
    assert serves(about, room=0)
    assert not serves(without_programs, room=0)

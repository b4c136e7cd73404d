from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from store.error import StoreError
from store.sqlite.files import create_private, make_folder, open_like


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_new_store_is_private_and_an_old_one_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    create_private(str(path))
    assert mode(path) == 0o600
    path.chmod(0o640)
    create_private(str(path))
    assert mode(path) == 0o640


def test_a_store_in_a_missing_folder_cannot_be_created(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be created: No such file"):
        create_private(str(tmp_path / "missing" / "x.db"))


@pytest.mark.parametrize(("of_store", "of_folder"), [(0o600, 0o700), (0o640, 0o750), (0o664, 0o775)])
def test_files_beside_a_store_have_its_permissions(tmp_path: Path, of_store: int, of_folder: int) -> None:
    store = tmp_path / "x.db"
    store.touch()
    store.chmod(of_store)
    folder = tmp_path / "x.db.processes"
    make_folder(folder)
    assert mode(folder) == of_folder
    os.close(open_like(folder / "lock", store))
    assert mode(folder / "lock") == of_store


def test_a_file_that_exists_is_opened_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    path.write_bytes(b"kept")
    path.chmod(0o640)
    os.close(open_like(path, tmp_path / "missing"))
    assert (path.read_bytes(), mode(path)) == (b"kept", 0o640)

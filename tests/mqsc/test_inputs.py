"""Where lines come from, and what is said of an input that cannot be read."""

import io
import os
from pathlib import Path

import pytest

from mqsc.inputs import InputFault, Source, lines_as_they_come, opened_lines


def test_a_text_is_its_lines() -> None:
    with opened_lines(Source(text="a\nb")) as lines:
        assert list(lines) == [b"a\n", b"b"]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"PING QMGR\nDIS\0QMGR", "line 2, column 4: a NUL byte; this is a binary file"),
        (b"\x7fELF\0", "line 1, column 5: a NUL byte"),
        ("PING QMGR".encode("utf-16"), "line 1, column 1: this is UTF-16; save it as UTF-8"),
    ],
)
def test_a_binary_file_is_refused_at_its_place(tmp_path: Path, content: bytes, says: str) -> None:
    path = tmp_path / "a.mqsc"
    path.write_bytes(content)
    with pytest.raises(InputFault) as raised, opened_lines(Source(str(path))) as lines:
        list(lines)
    assert str(raised.value).startswith(f"{path}, {says}")


def test_an_empty_file_has_no_lines(tmp_path: Path) -> None:
    path = tmp_path / "empty.mqsc"
    path.touch()
    with opened_lines(Source(str(path))) as lines:
        assert list(lines) == []


@pytest.mark.parametrize(("name", "says"), [("missing.mqsc", "does not exist"), (".", "is a folder, not a file")])
def test_what_is_no_file(tmp_path: Path, name: str, says: str) -> None:
    with pytest.raises(InputFault, match=says), opened_lines(Source(str(tmp_path / name))):
        pass


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read anything")
def test_an_unreadable_file(tmp_path: Path) -> None:
    path = tmp_path / "a.mqsc"
    path.touch(mode=0o000)
    with pytest.raises(InputFault, match="no permission"), opened_lines(Source(str(path))):
        pass


@pytest.mark.parametrize("name", ["store.db", "store.db-wal", "linked"])
def test_the_store_itself_is_never_read(tmp_path: Path, name: str) -> None:
    store = tmp_path / "store.db"
    store.touch()
    Path(f"{store}-wal").touch()
    (tmp_path / "linked").hardlink_to(store)
    with pytest.raises(InputFault, match="is the store itself"), opened_lines(Source(str(tmp_path / name)), str(store)):
        pass


def test_an_error_of_the_reader_is_not_one_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a.mqsc"
    path.write_bytes(b"PING QMGR")
    with pytest.raises(BrokenPipeError), opened_lines(Source(str(path))):
        raise BrokenPipeError


def test_lines_come_without_their_ends() -> None:
    assert list(lines_as_they_come(io.BytesIO(b"a\r\n\nb\n\xff"))) == [[b"a", b"", b"b"], [b"\xff"]]

"""Where lines come from, and the errors for inputs that cannot be read."""

import io
import os
from pathlib import Path

import pytest

from mqsc.console.inputs import InputError, InputSource, lines_as_they_come, named_by, opened_lines, read_now


def test_a_text_is_its_lines() -> None:
    with opened_lines(InputSource(text="a\nb")) as lines:
        assert list(lines) == [b"a\n", b"b"]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"PING QMGR\nDIS\0QMGR", "line 2, column 4: a NUL byte: this is a binary file"),
        (b"\x7fELF\0", "line 1, column 5: a NUL byte"),
        ("PING QMGR".encode("utf-16"), "line 1, column 1: the file is UTF-16; save it as UTF-8"),
    ],
)
def test_a_binary_file_is_refused_at_its_place(tmp_path: Path, content: bytes, says: str) -> None:
    path = tmp_path / "a.mqsc"
    path.write_bytes(content)
    with pytest.raises(InputError) as raised, opened_lines(InputSource(str(path))) as lines:
        list(lines)
    assert str(raised.value).startswith(f"{path}, {says}")


def test_an_empty_file_has_no_lines(tmp_path: Path) -> None:
    path = tmp_path / "empty.mqsc"
    path.touch()
    with opened_lines(InputSource(str(path))) as lines:
        assert list(lines) == []


@pytest.mark.parametrize(("name", "says"), [("missing.mqsc", "does not exist"), (".", "is a folder, not a file")])
def test_what_is_no_file(tmp_path: Path, name: str, says: str) -> None:
    with pytest.raises(InputError, match=says), opened_lines(InputSource(str(tmp_path / name))):
        pass


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read anything")
def test_an_unreadable_file(tmp_path: Path) -> None:
    path = tmp_path / "a.mqsc"
    path.touch(mode=0o000)
    with pytest.raises(InputError, match="no permission"), opened_lines(InputSource(str(path))):
        pass


@pytest.mark.parametrize("name", ["store.db", "store.db-wal", "linked"])
def test_the_store_itself_is_never_read(tmp_path: Path, name: str) -> None:
    store = tmp_path / "store.db"
    store.touch()
    Path(f"{store}-wal").touch()
    (tmp_path / "linked").hardlink_to(store)
    with (
        pytest.raises(InputError, match="is the store itself"),
        opened_lines(InputSource(str(tmp_path / name)), str(store)),
    ):
        pass


def test_an_error_of_the_reader_is_not_one_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a.mqsc"
    path.write_bytes(b"PING QMGR")
    with pytest.raises(BrokenPipeError), opened_lines(InputSource(str(path))):
        raise BrokenPipeError


def test_lines_come_without_their_ends() -> None:
    assert list(lines_as_they_come(io.BytesIO(b"a\r\n\nb\n\xff"))) == [[b"a", b"", b"b"], [b"\xff"]]


# An argument, in a folder that holds scripts; the inputs it names; the error when they are opened.
NAMED = [
    ("-", ["-"], ""),
    ("b.mqsc", ["b.mqsc"], ""),
    ("notes.txt", ["notes.txt"], ""),
    (".", ["./[x].mqsc", "./a.mqsc", "./b.mqsc"], ""),
    ("*.mqsc", ["[x].mqsc", "a.mqsc", "b.mqsc"], ""),
    ("[ab].mqsc", ["a.mqsc", "b.mqsc"], ""),
    ("[x].mqsc", ["[x].mqsc"], ""),
    ("?.mqsc", ["a.mqsc", "b.mqsc"], ""),
    ("s*", ["sub/c.mqsc"], ""),
    ("**/*.mqsc", ["[x].mqsc", "a.mqsc", "b.mqsc", "sub/c.mqsc"], ""),
    ("sub", ["sub/c.mqsc"], ""),
    ("empty", ["empty"], "empty is a folder without *.mqsc files"),
    ("e*", ["e*"], "e* matches no file"),
    ("z*.mqsc", ["z*.mqsc"], "z*.mqsc matches no file"),
    ("missing", ["missing"], "missing does not exist"),
]


@pytest.mark.parametrize(("given", "paths", "fault"), NAMED)
def test_what_an_argument_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: str, paths: list[str], fault: str
) -> None:
    for name in ("b.mqsc", "a.mqsc", "[x].mqsc", ".hidden.mqsc", "notes.txt", "sub/c.mqsc", "empty/readme"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("PING QMGR")
    monkeypatch.chdir(tmp_path)
    sources = named_by(given)
    assert [source.path for source in sources] == paths
    if fault:
        with pytest.raises(InputError) as raised, opened_lines(sources[0]):
            pass
        assert str(raised.value) == fault


def test_an_input_read_in_advance_is_what_it_was_then(tmp_path: Path) -> None:
    path = tmp_path / "a.mqsc"
    path.write_bytes(b"PING QMGR\nEND")
    source = read_now(InputSource(str(path)))
    path.unlink()
    with opened_lines(source) as lines:
        assert list(lines) == [b"PING QMGR\n", b"END"]
    missing = read_now(InputSource(str(path)))
    with pytest.raises(InputError, match="does not exist"), opened_lines(missing):
        pass

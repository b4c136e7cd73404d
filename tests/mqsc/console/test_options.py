"""What commands are given: options, the types of their values, files to read, the store and the
queue manager.
"""

from __future__ import annotations

import io
import os
import re
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from mqsc.console.choices import default_store
from mqsc.console.inputs import (
    InputError,
    InputSource,
    lines_as_they_come,
    named_by,
    opened_lines,
    read_now,
)
from mqsc.console.options import Choices, LazyGroup, choices_of, common_options, wants_colour
from mqsc.console.parameters import (
    FILE_PATH,
    FOLDER_PATH,
    PLACE,
    UNITS,
    Ago,
    AnyPath,
    Duration,
    HexBytes,
    MessageType,
    Moment,
    PastMoment,
    ReportOptions,
    Span,
    iso,
)
from mqsc.console.target import (
    CommandFailedError,
    inform_about_manual_clock,
    opened_queue_manager,
    opened_store,
)
from mqsc.console.terminal import is_screen, is_terminal
from mqsc.store.admin.queue_managers import delete_queue_manager
from mqsc.store.constants import MQMT, MQRO
from mqsc.store.error import StoreError
from tests.rows import rows


def test_the_store_and_the_queue_manager_are_options_variables_or_defaults(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert (
        Choices().store_url()
        == f"sqlite:///{default_store()}"
        == f"sqlite:///{tmp_path}/data/mqsc/mqsc.db"
    )
    assert (tmp_path / "data" / "mqsc").stat().st_mode & 0o777 == 0o700
    assert Choices().qmgr_name() is None
    monkeypatch.setenv("MQSC_STORE", "other.db")
    monkeypatch.setenv("MQSC_QMGR", "QM2")
    assert (Choices().store_url(), Choices(store="sqlite://").store_url()) == (
        "sqlite:///other.db",
        "sqlite://",
    )
    assert (Choices().qmgr_name(), Choices(qmgr="QM1").qmgr_name()) == ("QM2", "QM1")


def test_a_missing_store_and_quiet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "there.db").touch()
    (tmp_path / "a b%.db").touch()
    urls = (
        str(tmp_path / "there.db"),
        str(tmp_path / "a b%.db"),
        str(tmp_path / "none.db"),
        "sqlite://",
    )
    assert [Choices(store=url).store_is_missing() for url in urls] == [False, False, True, False]
    Choices().inform("said")
    Choices(quiet=True).inform("not said")
    assert capsys.readouterr() == ("", "said\n")


@click.group(
    cls=LazyGroup,
    rows={"show": (__name__, "show", "Show the options."), "end": ("none", "end", "End.")},
)
@common_options
def group() -> None:
    """Stands for `mqsc`."""


@click.command()
@common_options
@click.pass_context
def show(context: click.Context) -> None:
    """Show the options given."""
    click.echo(choices_of(context))


@rows(
    (
        ["--qmgr", "A", "--quiet", "show", "-m", "B"],
        "Choices(store=None, qmgr='B', format=None, quiet=True, user=None, is_past=False, "
        "only_reads=False, elsewhere=None)",
    ),
    (["--format", "json", "show"], "format='json'"),
    (["--help"], "show  Show the options."),
    (["shwo"], "No such command 'shwo'; did you mean show?"),
    (
        ["display", "qmgr"],
        "No such command 'display'; to run MQSC, use `mqsc run -c 'display qmgr'`.",
    ),
    (["frobnicate"], "No such command 'frobnicate'."),
)
def test_a_group(arguments: list[str], says: str) -> None:
    assert says in CliRunner().invoke(group, arguments).output


class Stream(io.StringIO):
    """A stream that says whether it is a terminal, or fails to."""

    def __init__(self, answer: bool | None) -> None:
        super().__init__()
        self.answer = answer

    def isatty(self) -> bool:
        if self.answer is None:
            raise ValueError("I/O operation on closed file")
        return self.answer


def test_terminals(monkeypatch: pytest.MonkeyPatch) -> None:
    streams = (Stream(True), Stream(False), Stream(None), None)
    assert [is_terminal(stream) for stream in streams] == [True, False, False, False]
    for term, can_do_more in (("xterm", True), ("dumb", False), ("", False)):
        monkeypatch.setenv("TERM", term)
        assert [is_screen(stream) for stream in streams] == [can_do_more, False, False, False]
    monkeypatch.setattr("sys.stderr", Stream(True))
    assert wants_colour()
    monkeypatch.setenv("NO_COLOR", "1")
    assert not wants_colour()


@rows(
    (HexBytes(), "4a0B", b"J\x0b"),
    (HexBytes(), "", b""),
    (Span(), "90s", 90_000_000),
    (Span(), "1h30m", 5_400_000_000),
    (Span(), "250ms", 250_000),
    (Span(), "0.5d", 43_200_000_000),
    (Duration(100_000, lowest=-1), "50", 50),
    (Duration(100_000, lowest=-1), "-1", -1),
    (Duration(100_000, lowest=-1), "1h", 36_000),
    (Duration(100_000, lowest=-1), "1h30m", 54_000),
    (Duration(100_000, lowest=-1), "10ms", 1),
    (Duration(1_000, lowest=0), "15s", 15_000),
    (Duration(1, bare=1_000_000, lowest=1), "0.5", 500_000),
    (Moment(), "1970-01-01T00:00:01", 1_000_000),
    (Moment(), "1970-01-01T02:00:00.000001+02:00", 1),
    (ReportOptions(), "coa, COD", MQRO.COA | MQRO.COD),
    (MessageType(), "Request", MQMT.REQUEST),
    (MessageType(), "70000", 70_000),
    (HexBytes(), "4", "'4' is not hexadecimal"),
    (HexBytes(), "00" * 25, "at most 24 bytes (48 digits), not 25"),
    (Span(), "90", "'90' is not a length of time"),
    (Span(), "-5s", "'-5s' is not a length of time"),
    (Duration(1_000, lowest=-1), "-2", "'-2' is too short"),
    (Span(), "9" * 5000 + "s", "a length of time has at most 18 digits"),
    (Duration(1_000, lowest=-1), "9" * 5000, "a length of time has at most 18 digits"),
    (Duration(1_000, lowest=-1), "1 hour", "'1 hour' is not a length of time; examples: 90s"),
    (Moment(), "noon", "'noon' is not a time"),
    (ReportOptions(), "coa,never", "'never' is not a report option; use "),
    (MessageType(), "letter", "'letter' is not a message type"),
    (AnyPath(), "", "the name is empty"),
    *(
        (each, "-", "'-' stands for standard input or output")
        for each in (FILE_PATH, FOLDER_PATH, PLACE)
    ),
    *((each, "", "the name is empty") for each in (FILE_PATH, FOLDER_PATH, PLACE)),
)
def test_values(type_: click.ParamType[Any], text: str, value: object) -> None:
    """A text is what is said about a value that is invalid."""
    if isinstance(value, str):
        with pytest.raises(click.BadParameter, match=re.escape(value)):
            type_.convert(text, None, None)
    else:
        assert type_.convert(text, None, None) == value
    assert [iso(0), iso(1_500_000)] == ["1970-01-01T00:00:00Z", "1970-01-01T00:00:01.500000Z"]


@pytest.fixture
def url(tmp_path: Path) -> str:
    """The URL of a store that does not exist yet."""
    return f"sqlite:///{tmp_path}/store.db"


def test_create_makes_the_first_queue_manager_and_says_so(
    url: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    """Without it, a missing store is an error."""
    with pytest.raises(StoreError, match="there is no store at"), opened_store(Choices(store=url)):
        pass
    assert not (tmp_path / "store.db").exists()
    for says in ("mqsc: created the queue manager QM1 in ", ""):
        with opened_queue_manager(Choices(store=url), create=True) as qmgr:
            assert qmgr.name == "QM1"
        said = capsys.readouterr().err
        assert said.startswith(says)
        assert (said == "") is (says == "")


@rows(
    (
        (),
        True,
        None,
        "the store holds no queue manager; create one with `mqsc qmgr create QM1`",
        10,
    ),
    (("A",), True, "B", "AMQ8118E: IBM MQ queue manager 'B' does not exist.", 10),
    (
        ("A", "B"),
        False,
        None,
        "AMQ8146E: there is no default queue manager; name one with -m: B",
        20,
    ),
)
def test_no_queue_manager(
    url: str,
    names: tuple[str, ...],
    default: bool,
    chosen: str | None,
    says: str,
    code: int,
) -> None:
    choices = Choices(store=url, qmgr=chosen)
    with opened_store(choices, create=True) as store:
        for name in names:
            store.create_queue_manager(name)
        if not default:
            store.queue_manager("A").end()

            delete_queue_manager(store, "A")
    with pytest.raises(click.ClickException) as refused, opened_queue_manager(choices):
        pass
    assert (refused.value.message, refused.value.exit_code) == (says, code)


def test_a_deleted_queue_manager_is_not_created_again(url: str) -> None:
    choices = Choices(store=url)
    with opened_queue_manager(choices, create=True) as qmgr:
        qmgr.end()
        delete_queue_manager(qmgr.store, "QM1")
    with pytest.raises(CommandFailedError, match="create one with `mqsc qmgr create QM1`"):
        opened_queue_manager(choices, create=True).__enter__()
    with opened_store(choices) as store:
        assert store.queue_managers() == []


def test_a_named_queue_manager_is_never_created(url: str, tmp_path: Path) -> None:
    with (
        pytest.raises(StoreError, match="there is no store at"),
        opened_queue_manager(Choices(url, "QM9"), create=True),
    ):
        pass
    assert not (tmp_path / "store.db").exists()


def test_only_a_manual_clock_is_mentioned(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    choices = Choices(store=url)
    with opened_store(choices, create=True) as store:
        inform_about_manual_clock(choices, store.create_queue_manager("QM1"))
        inform_about_manual_clock(choices, store.create_queue_manager("QM2", manual_clock_at=0))
    assert (
        capsys.readouterr().err
        == "mqsc: QM2 has a manual clock: the wait ends when `mqsc clock` moves it\n"
    )


def test_a_text_is_its_lines_and_an_empty_file_has_none(tmp_path: Path) -> None:
    (tmp_path / "empty.mqsc").touch()
    for source, expected in (
        (InputSource(text="a\nb"), [b"a\n", b"b"]),
        (InputSource(f"{tmp_path}/empty.mqsc"), []),
    ):
        with opened_lines(source) as lines:
            assert list(lines) == expected
    assert list(lines_as_they_come(io.BytesIO(b"a\r\n\nb\n\xff"))) == [[b"a", b"", b"b"], [b"\xff"]]


@rows(
    (b"PING QMGR\nDIS\0QMGR", "line 2, column 4: a NUL byte: this is a binary file"),
    (b"\x7fELF\0", "line 1, column 5: a NUL byte"),
    ("PING QMGR".encode("utf-16"), "line 1, column 1: the file is UTF-16; save it as UTF-8"),
)
def test_a_binary_file_is_refused_at_its_place(tmp_path: Path, content: bytes, says: str) -> None:
    path = tmp_path / "a.mqsc"
    path.write_bytes(content)
    with (
        pytest.raises(InputError, match=f"^{re.escape(f'{path}, {says}')}"),
        opened_lines(InputSource(str(path))) as lines,
    ):
        list(lines)


@pytest.mark.parametrize(
    ("name", "says"),
    [("missing.mqsc", "does not exist"), (".", "is a folder, not a file")],
)
def test_what_is_no_file(tmp_path: Path, name: str, says: str) -> None:
    with pytest.raises(InputError, match=says), opened_lines(InputSource(str(tmp_path / name))):
        pass


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read anything")
def test_an_unreadable_file(tmp_path: Path) -> None:
    (tmp_path / "a.mqsc").touch(mode=0o000)
    with (
        pytest.raises(InputError, match="no permission"),
        opened_lines(InputSource(f"{tmp_path}/a.mqsc")),
    ):
        pass


def test_an_error_of_the_reader_is_not_one_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "a.mqsc").write_bytes(b"PING QMGR")
    with pytest.raises(BrokenPipeError), opened_lines(InputSource(f"{tmp_path}/a.mqsc")):
        raise BrokenPipeError


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


# An argument, in a folder that holds scripts; the inputs it names; the error when they are opened.
@rows(
    *((name, [name], "") for name in ("-", "b.mqsc", "notes.txt", "[x].mqsc")),
    (".", ["./[x].mqsc", "./a.mqsc", "./b.mqsc", "./sub/c.mqsc"], ""),
    ("*.mqsc", ["[x].mqsc", "a.mqsc", "b.mqsc"], ""),
    *((pattern, ["a.mqsc", "b.mqsc"], "") for pattern in ("[ab].mqsc", "?.mqsc")),
    *((pattern, ["sub/c.mqsc"], "") for pattern in ("s*", "sub")),
    ("**/*.mqsc", ["[x].mqsc", "a.mqsc", "b.mqsc", "sub/c.mqsc"], ""),
    ("empty", ["empty"], "empty is a folder without *.mqsc files"),
    ("e*", ["e*"], "e* matches no file"),
    ("z*.mqsc", ["z*.mqsc"], "z*.mqsc matches no file"),
    ("missing", ["missing"], "missing does not exist"),
)
def test_what_an_argument_names(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    given: str,
    paths: list[str],
    fault: str,
) -> None:
    for name in (
        "b.mqsc",
        "a.mqsc",
        "[x].mqsc",
        ".hidden.mqsc",
        "notes.txt",
        "sub/c.mqsc",
        "empty/readme",
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("PING QMGR")
    monkeypatch.chdir(tmp_path)
    sources = named_by(given)
    assert [source.path for source in sources] == paths
    if fault:
        with pytest.raises(InputError, match=f"^{re.escape(fault)}$"), opened_lines(sources[0]):
            pass


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


@pytest.mark.parametrize(
    ("text", "before"),
    [
        ("2h", "2026-03-01T07:10"),
        ("09:00", "2026-03-01T09:00"),
        ("09:10", "2026-03-01T09:10"),
        ("09:10:01", "2026-02-28T09:10:01"),
        ("23:59", "2026-02-28T23:59"),
        ("2026-03-01T09:14", "2026-03-01T09:14"),
    ],
)
def test_a_moment_of_the_past(text: str, before: str) -> None:
    """A time of the day that is yet to come was yesterday."""
    read = PastMoment().read(text)
    now = Moment().read("2026-03-01T09:10")
    assert (read.before(now) if isinstance(read, Ago) else read) == Moment().read(before)
    assert Ago(UNITS["h"], is_time_of_day=True).before(UNITS["m"]) == 0

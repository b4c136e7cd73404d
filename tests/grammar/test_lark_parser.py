"""The words of a logical line and their places, and the tables of the parser in their file."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from lark import Lark, UnexpectedInput

from mqsc.grammar import lark_parser
from mqsc.grammar.lark_parser import cached_tables, lexer_of, parser_of
from tests.rows import rows
from tests.source import ROOT


# The shape, the text, and each word with where it begins and ends.
@rows(
    (
        "command",
        "define ql(orders) x",
        "KEYWORD 0 6|KEYWORD 7 9|LPAR 9 10|WORD 10 16|RPAR 16 17|KEYWORD 18 19",
    ),
    (
        "command",
        ", ql , ( a,,'b c' )x",
        "KEYWORD 2 4|LPAR 7 8|WORD 9 10|QUOTED 12 17|RPAR 18 19|KEYWORD 19 20",
    ),
    ("command", "a(=)", "KEYWORD 0 1|LPAR 1 2|WORD 2 3|RPAR 3 4"),
    ("command", "a('it''s (here)')", "KEYWORD 0 1|LPAR 1 2|QUOTED 2 16|RPAR 16 17"),
    ("command", "a()b()", "KEYWORD 0 1|LPAR 1 2|RPAR 2 3|KEYWORD 3 4|LPAR 4 5|RPAR 5 6"),
    ("command", "set action(remove)", "KEYWORD 0 3|KEYWORD 4 10|LPAR 10 11|WORD 11 17|RPAR 17 18"),
    ("entry", "Action(actions)actions", "ACTION 0 6|LPAR 6 7|WORD 7 14|RPAR 14 15|KEYWORD 15 22"),
    *(("command", "", ""), ("command", " ,\t", "")),
    # No word begins at the last place.
    ("command", "a=b", "KEYWORD 0 1|INVALID 1 2"),
    ("command", "a(b(c))", "KEYWORD 0 1|LPAR 1 2|WORD 2 3|INVALID 3 4"),
    ("command", "a ('b", "KEYWORD 0 1|LPAR 2 3|INVALID 3 4"),
    ("command", "'a'", "INVALID 0 1"),
    ("command", "a(b;c)", "KEYWORD 0 1|LPAR 1 2|WORD 2 3|INVALID 3 4"),
    ("command", "a\ufeff", "KEYWORD 0 1|INVALID 1 2"),
)
def test_words_and_their_places(shape: str, text: str, found: str) -> None:
    assert (
        "|".join(f"{kind} {start} {end}" for kind, _, start, end in lexer_of(shape).words(text))
        == found
    )


# Each is read by the parser that Lark makes, and by the one from the file.
TEXTS = [
    "DEFINE QLOCAL(A.B) NAMES(A,B 'c')  REPLACE",
    "ACTION ( RETRY ) , REASON(2053)",
    "A(",
    "A(B))",
    "",
    "A('B",
]
# Makes a parser in a program of its own and prints where its tables would be.
PROGRAM = (
    "from mqsc.grammar.lark_parser import cached_tables, parser_of; parser_of('entry'); "
    "print(cached_tables('entry'))"
)


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the tables of commands are kept in this test."""
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path / "cache"))
    return cached_tables("command")


def made() -> Lark:
    """The parser of commands, as a new program makes or loads it."""
    return parser_of.__wrapped__("command")


def read(parser: Lark, text: str) -> object:
    try:
        return parser.parse(text)
    except UnexpectedInput as error:
        return type(error), error.pos_in_stream


def is_loaded(parser: Lark) -> bool:
    """Whether its tables came from the file."""
    return parser.source_path == "<deserialized>"


def test_the_first_program_writes_the_file_and_the_next_reads_it(file: Path) -> None:
    first, second = made(), made()
    assert (is_loaded(first), is_loaded(second)) == (False, True)
    assert [read(second, text) for text in TEXTS] == [read(first, text) for text in TEXTS]
    assert [path.name for path in file.parent.iterdir()] == [file.name]
    assert file.stat().st_mode == lark_parser.GRAMMAR.stat().st_mode


@rows(
    lambda content: b"",
    lambda content: content[: len(content) // 2],
    lambda content: content[:900] + bytes([content[900] ^ 1]) + content[901:],
    lambda content: content + b"\0",
    # Would end the program if it was unpickled.
    lambda content: content[:32] + b"cos\n_exit\n(I3\ntR.",
)
def test_a_damaged_file_is_written_again(file: Path, damaged: Callable[[bytes], bytes]) -> None:
    made()
    file.write_bytes(damaged(file.read_bytes()))
    assert [is_loaded(made()), is_loaded(made())] == [False, True]


def test_a_file_for_another_grammar_is_written_again(
    file: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made()
    changed, text = tmp_path / "mqsc.lark", lark_parser.GRAMMAR.read_text("utf-8")
    changed.write_text(text.replace("object:  ", "thing:  ").replace("[object", "[thing"))
    monkeypatch.setattr(lark_parser, "GRAMMAR", changed)
    monkeypatch.setattr(lark_parser, "cached_tables", lambda _: file)
    assert [is_loaded(made()), is_loaded(made())] == [False, True]
    assert [tree.data for tree in made().parse("A B C").iter_subtrees()] == [
        "verb",
        "thing",
        "attribute",
        "command",
    ]


def test_where_nothing_can_be_written_each_program_makes_its_tables(
    file: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    file.mkdir(parents=True)
    assert [is_loaded(made()), is_loaded(made())] == [False, False]
    assert [path.name for path in file.parent.iterdir()] == [file.name]
    blocked = tmp_path / "blocked"
    blocked.write_text("a file, in which nobody can make a folder")
    monkeypatch.setattr(sys, "pycache_prefix", str(blocked))
    assert [is_loaded(made()), is_loaded(made())] == [False, False]
    assert read(made(), "A(B)") == read(parser_of("command"), "A(B)")


def test_programs_that_start_together_leave_one_whole_file(tmp_path: Path) -> None:
    command = [sys.executable, "-X", f"pycache_prefix={tmp_path}", "-c", PROGRAM]
    with ThreadPoolExecutor(4) as threads:
        runs = list(
            threads.map(
                lambda _: subprocess.run(command, cwd=ROOT, capture_output=True, text=True),
                range(4),
            ),
        )
    assert [(run.returncode, run.stderr) for run in runs] == [(0, "")] * 4
    (name,) = {run.stdout.strip() for run in runs}
    assert [path.name for path in Path(name).parent.glob("entry*")] == [Path(name).name]
    assert not [path for path in Path(name).parent.iterdir() if path.is_dir()]

"""Commands with variables replaced by their values, positions in them, and variables without a value."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grammar.lines import COMMAND_LENGTH, LogicalLine
from mqsc.script import commands_in, parse_assignments, run, substitute, unset_in, used_in

# (name of the case, the source, the values, the resulting command)
FILLED = [
    ("no variable", "PING QMGR", {"A": "x"}, "PING QMGR"),
    ("outside quotes", "DEFINE QLOCAL(${Q}) ${MORE}", {"Q": "A", "MORE": "MAXDEPTH(5) REPLACE"},
     "DEFINE QLOCAL(A) MAXDEPTH(5) REPLACE"),
    ("inside quotes", "DEFINE QLOCAL(A) DESCR('${D}')", {"D": "it's"}, "DEFINE QLOCAL(A) DESCR('it''s')"),
    ("inside and outside", "A('''${D}') B(${D})", {"D": "'"}, "A('''''') B(')"),
    ("an empty value", "A(${X}b)", {"X": ""}, "A(b)"),
    ("twice, side by side", "A(${X}${X})", {"X": "12"}, "A(1212)"),
    ("not looked into", "A('${X}')", {"X": "${Y}"}, "A('${Y}')"),
    ("no semicolon ends a command", "A(${X})", {"X": "1); B(2"}, "A(1); B(2)"),
    ("nor does a sign continue it", "A ${X}\nB", {"X": "+"}, "A +"),
    ("continued inside the name", "A(${LO+\n   NG})", {"LONG": "1"}, "A(1)"),
    ("service inserts", "A('+QMNAME+ $ {X} ${')", {"X": "1"}, "A('+QMNAME+ $ {X} ${')"),
]  # fmt: skip


def first(source: str) -> LogicalLine:
    return next(iter(commands_in(source.split("\n"))))


@pytest.mark.parametrize(("source", "values", "text"), [row[1:] for row in FILLED], ids=[row[0] for row in FILLED])
def test_a_command_with_its_values(source: str, values: dict[str, str], text: str) -> None:
    assert substitute(first(source), values).text == text


def test_everything_keeps_its_place() -> None:
    line = first("DEFINE +\n  QLOCAL(${Q})${NONE} DESCR('${D}') +\nREPLACE")
    done = substitute(line, {"Q": "ABCDEF", "NONE": "", "D": "x"})
    assert done.text == "DEFINE QLOCAL(ABCDEF) DESCR('x') REPLACE"
    places = {word: done.position(done.text.index(word)) for word in ("DEFINE", "QLOCAL", "ABC", "F)", ") D", "REPL")}
    assert places == {
        "DEFINE": (1, 1),
        "QLOCAL": (2, 3),
        "ABC": (2, 10),
        "F)": (2, 10),
        ") D": (2, 14),
        "REPL": (3, 1),
    }
    assert done.position(done.text.index("DESCR")) == (2, 23)
    assert done.position(done.text.index("x')")) == (2, 30)


def test_a_command_that_becomes_too_long_is_at_fault() -> None:
    line = substitute(first("A('${X}')"), {"X": "x" * COMMAND_LENGTH})
    assert line.fault is not None
    assert (line.fault.line, line.fault.column) == (1, 4)
    assert "too long" in line.fault.reason
    assert line.text == "A('${X}')"


def test_a_command_that_is_at_fault_already_is_left_alone() -> None:
    line = first("A(${X}\0)")
    assert substitute(line, {"X": "1"}) is line


@pytest.mark.parametrize(
    ("source", "values", "told"),
    [
        ("A(${X})", {"X": "1"}, []),
        ("A(${X}) +\n B(${y})", {"X": "1"}, [("y", 2, 4, "${y} is not set")]),
        ("A(${DEPHT})", {"DEPTH": "1"}, [("DEPHT", 1, 3, "${DEPHT} is not set; did you mean DEPTH?")]),
        ("A(${} ${a b})", {}, [("", 1, 3, "${} is not set"), ("a b", 1, 7, "${a b} is not set")]),
        ("A('$X ${X')", {}, []),
        ("* ${X}\nPING QMGR", {}, []),
    ],
)
def test_variables_without_a_value(source: str, values: dict[str, str], told: list[tuple[str, int, int, str]]) -> None:
    assert list(unset_in(first(source), values)) == told


def test_variables_that_are_used() -> None:
    assert used_in(first("A(${X}) B(${Y} '${X}')")) == {"X", "Y"}


@pytest.mark.parametrize(
    ("given", "values"),
    [
        ((), {}),
        (("A=1", "B="), {"A": "1", "B": ""}),
        (("A=b=c", "A='"), {"A": "'"}),
        (("env.name-1=x y",), {"env.name-1": "x y"}),
    ],
)
def test_assignments(given: tuple[str, ...], values: dict[str, str]) -> None:
    assert parse_assignments(given) == values


@pytest.mark.parametrize("given", ["", "A", "=1", "1A=x", "A B=x", "A=a\nb", "A=\r", "A=\udcff", "A=\0"])
def test_what_is_no_assignment(given: str) -> None:
    with pytest.raises(ValueError):
        parse_assignments([given])


words = st.text("aQ(') ", max_size=6)


@given(st.lists(st.tuples(words, words), max_size=6), words)
def test_what_stood_outside_variables_stays_where_it_was(pairs: list[tuple[str, str]], end: str) -> None:
    source = "A" + "".join(f"{before}${{V{index}}}" for index, (before, _) in enumerate(pairs)) + end + "Z"
    line = first(source)
    done = substitute(line, {f"V{index}": value for index, (_, value) in enumerate(pairs)})
    assert done.text[0] == "A"
    assert done.text[-1] == "Z"
    for offset in (0, len(done.text) - 1):
        row, column = done.position(offset)
        assert (row, source[column - 1]) == (1, done.text[offset])
    columns = [done.position(offset)[1] for offset in range(len(done.text) + 1)]
    assert columns == sorted(columns)


def test_a_run_says_once_how_to_fill_a_placeholder() -> None:
    text = "DEFINE QLOCAL($Q)\nDEFINE QLOCAL($Q) DESCR('x')\nDEFINE QLOCAL({{ other }})\nDEFINE QLOCAL('${Z}')\n"
    last = [reply.text.splitlines()[-1] for reply in run(None, text)]
    assert [line for line in last if "placeholder" in line] == [
        "$Q is a placeholder: write ${Q} and give --set Q=VALUE.",
        "{{ other }} is a placeholder: write ${other} and give --set other=VALUE.",
        "${Z} is a placeholder: give --set Z=VALUE.",
    ]

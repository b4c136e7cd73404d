"""Cases of the tests of reports, written as text: a history, and the rows of the table that a report makes of it.

    table backouts
        queue application hour=0 gets_backed_out=0
    the name of a case
        got 1 unit=1, outside got 2 2 queue=P, COMMIT - unit=1; left there 1 state=GOT, there 2
        columns queue gets_backed_out
        => Q 1, P gets_backed_out=1
    the name of another case
        got 1 unit=1 => Q billing 1

A table has columns, some with the value for rows that do not name one. A case of the table has events, messages that
are left on queues, other columns to compare if there are some, and the rows of the answer. For the answer of another
table to the same history, `=>` is followed by its name. An event is the name of a function, or a kind of event, with
arguments; `outside` says that it was not selected. `seq`, `store` and `qmgr` belong to its row.

A value is a number, a text, in quotes if need be, JSON, `true`, `-` for None, `@5` for the second after START, `#1` for
the MsgId of a message in hexadecimal digits, `$NAME` for what the module calls so, or `name(5)` for what its function
returns; a tuple stands for several values.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from store.published import KINDS
from tests.reports import history
from tests.reports.history import Row, event, outside
from tests.reports.tables import Case, Cases, second

_TOKEN = re.compile(r'(?:"(?:[^"\\]|\\.)*"|[^\s"])+')
_PART = re.compile(r"\n| (?==> )|; (?=left )")
_ANSWER = re.compile(r"=> (?:(\w+): ?)?(.*)")
_NUMBER = re.compile(r"-?\d+(\.\d+)?")
_NAMED = re.compile(r"([A-Za-z]\w*)=(.*)", re.DOTALL)
_CALL = re.compile(r"([a-z]\w*)\((.*)\)")
_WORDS = {"-": None, "true": True}
_OF_ROW = ("seq", "store", "qmgr")
Names = Mapping[str, Any]


def written(text: str, names: Names) -> dict[str, Cases]:
    """The cases of each table. Functions and values are those of `names`, and of the module `history`."""
    known = {**vars(history), **names}
    tables: dict[str, tuple[str, dict[str, Case]]] = {}
    usual: dict[str, Names] = {}
    for paragraph in re.split(r"\n(?=\S)", text.strip("\n")):
        heading, *indented = _PART.split(paragraph)
        lines = [line.strip() for line in indented if line.strip() and line.strip()[0] != "#"]
        if heading.startswith("table "):
            last, tokens = heading.removeprefix("table "), " ".join(lines).split()
            tables[last] = (" ".join(token.partition("=")[0] for token in tokens), {})
            usual[last] = _arguments(tokens, known)[1]
            continue
        answers: dict[str, list[str]] = {last: []}
        for match in filter(None, map(_ANSWER.fullmatch, lines)):
            answers.setdefault(match[1] or last, []).append(match[2])
        told = {word: " ".join(_behind(word, lines)) for word in ("left", "columns", "")}
        events, left = rows_written(told[""], known), rows_written(told["left"], known)
        for name, rows in answers.items():
            columns, cases = tables[name]
            assert heading not in cases, heading
            shown = (told["columns"] or columns).split()
            answer = [_answer(row, shown, usual[name], known) for line in rows for row in _listed(line)]
            cases[heading] = Case(events, answer, left, told["columns"])
    return {**tables}


def _behind(word: str, lines: Sequence[str]) -> list[str]:
    """What stands behind the word in lines that begin with it; without a word, the lines of events."""
    if word:
        return [line.removeprefix(f"{word} ") for line in lines if line.startswith(f"{word} ")]
    return [line for line in lines if not line.startswith(("left ", "columns ")) and not _ANSWER.fullmatch(line)]


def _listed(text: str) -> list[list[str]]:
    """The words of each of the things that are separated by commas."""
    tokens = _TOKEN.findall(text)
    ends = [at for at, token in enumerate(tokens, 1) if token[-1] == "," or at == len(tokens)]
    return [
        [token.removesuffix(",") for token in tokens[begin:end]] for begin, end in zip([0, *ends], ends, strict=False)
    ]


def _answer(row: Sequence[str], columns: Sequence[str], usual: Names, known: Names) -> tuple[Any, ...]:
    plain, named = _arguments(row, known)
    assert len(plain) <= len(columns), row
    assert {*named} <= {*columns}, row
    values = {**usual, **dict(zip(columns, plain, strict=False)), **named}
    return tuple(values[name] for name in columns)


def rows_written(text: str, names: Names) -> list[Row]:
    """The rows of events, or of messages, which are separated by commas."""
    known = {**vars(history), **names}
    rows: list[Row] = []
    for words in _listed(text):
        is_outside = words[0] == "outside"
        name, *given = words[is_outside:]
        plain, named = _arguments(given, known)
        of_row = {key: named.pop(key) for key in _OF_ROW if key in named}
        found = event(name, *plain, **named) if name in KINDS else known[name](*plain, **named)
        for row in found if isinstance(found, list | tuple) else [found]:
            told = {"detail": json.dumps(row["detail"])} if isinstance(row.get("detail"), dict) else {}
            whole = {**row, **told, **of_row}
            rows.append(outside(whole) if is_outside else whole)
    return rows


def _arguments(tokens: Sequence[str], known: Names) -> tuple[list[Any], dict[str, Any]]:
    plain: list[Any] = []
    named: dict[str, Any] = {}
    for token in tokens:
        if match := _NAMED.fullmatch(token):
            named[match[1]] = _value(match[2], known)
        else:
            value = _value(token, known)
            plain += value if isinstance(value, tuple) else [value]
    return plain, named


def _value(text: str, known: Names) -> Any:
    if text[0] in '{["':
        return json.loads(text)
    if _NUMBER.fullmatch(text):
        return float(text) if "." in text else int(text)
    if (call := _CALL.fullmatch(text)) and call[1] in known:
        return known[call[1]](_value(call[2], known))
    match text[0]:
        case "$":
            return known[text[1:]]
        case "@":
            return second(float(text[1:]))
        case "#":
            return f"{int(text[1:]):048X}"
    return _WORDS.get(text, text)

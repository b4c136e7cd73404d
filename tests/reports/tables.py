"""Cases of the tests of reports, written as text: a history, and the rows of the table that a
report makes of it.

    table backouts
        queue application hour=0 gets_backed_out=0
    the name of a case
        got 1 unit=1, outside got 2 2 queue=P, COMMIT - unit=1; left there 1 state=GOT, there 2
        columns queue gets_backed_out
        => Q 1, P gets_backed_out=1
    the name of another case | got 1 unit=1 => Q billing 1

A table has columns, some with the value for rows that do not name one. A case of the table has
events, messages that are left on queues, other columns to compare if there are some, and the rows
of the answer. For the answer of another table to the same history, `=>` is followed by its name. An
event is the name of a function, or a kind of event, with arguments; `outside` says that it was not
selected. `seq`, `store` and `qmgr` belong to its row.

A value is a number, a text, in quotes if need be, JSON, `true`, `-` for None, `@5` for the second
after START, `#1` for the MsgId of a message in hexadecimal digits, `$NAME` for what the module
calls so, or `name(5)` for what its function returns; a tuple stands for several values. Rows of the
relation `authority` are written as messages.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack, closing
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

import pyarrow as pa  # type: ignore[import-untyped]
from pyarrow import compute
from pyspark.sql import types as T
from pyspark.sql.pandas.types import to_arrow_schema

from mqsc.reports.data_source import schema_of
from mqsc.reports.declaration import Reads, Report, checked
from mqsc.reports.frames import frames
from mqsc.reports.output import in_order
from mqsc.reports.units import in_detail
from mqsc.store.published import KINDS
from tests.reports import history
from tests.reports.history import Row, at, event, fill, outside

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


START = datetime(2023, 11, 14, 22, tzinfo=UTC)
# The current time of the queue managers' clocks, in seconds after START.
NOW = 100
Answer = list[tuple[Any, ...]]


class Case(NamedTuple):
    """Events, messages still on queues, and the expected rows of a table, without the column of the
    queue manager.

    `columns` are the columns to compare, if they are not those of the other cases.
    """

    events: Sequence[Row]
    rows: Answer
    pending: Sequence[Row] = ()
    columns: str = ""


# For one table, the columns to compare, and its cases by name.
Cases = tuple[str, Mapping[str, Case]]


def answers(
    spark: SparkSession,
    report: Report,
    cases: Mapping[str, Cases],
) -> dict[tuple[str, str], Answer]:
    """Return the rows of each table for each of its cases. Cases are queue managers in stores of
    their own.

    So Spark runs only once.
    """
    each = [
        (f"{table}: {name}", case)
        for table, (_, named) in cases.items()
        for name, case in named.items()
    ]
    rows = {
        relation: [
            {**row, "qmgr": name, "store": number}
            for number, (name, case) in enumerate(each)
            for row in getattr(case, rows_of)
        ]
        for relation, rows_of in (
            ("event", "events"),
            ("pending", "pending"),
            ("authority", "pending"),
        )
    }
    built = tables_of(spark, report, rows, *cases)
    return {
        (table, name): shown(_of_qmgr(built[table], f"{table}: {name}"), case.columns or columns)
        for table, (columns, named) in cases.items()
        for name, case in named.items()
    }


def _of_qmgr(rows: pa.Table, qmgr: str) -> pa.Table:
    return rows.filter(compute.equal(rows["qmgr"], qmgr))


def by_sqlite(
    rows: Mapping[str, Iterable[Row]],
    script: str,
    queries: Mapping[str, tuple[str, str]],
) -> dict[str, Answer]:
    """Compute tables a second time: run a script on the same rows, then the query of each table.

    `:start` and `:now` stand for START and for the time of the clocks.
    """

    def timed(sql: str) -> str:
        return sql.replace(":start", str(at(0))).replace(":now", str(at(NOW)))

    with closing(sqlite3.connect(":memory:")) as connection:
        fill(connection, rows.get("event", ()), rows.get("pending", ()))
        connection.executescript(timed(script))
        return {
            table: connection.execute(timed(query)).fetchall()
            for table, (_, query) in queries.items()
        }


def tables_of(
    spark: SparkSession,
    report: Report,
    rows: Mapping[str, Iterable[Row]],
    *names: str,
    now: float = NOW,
) -> dict[str, pa.Table]:
    """Build the named tables from the rows of each relation, given in the order of their keys.

    `now`: seconds after START by the clocks of the queue managers.
    """
    read = {
        name: frame_of(spark, reads, rows.get(reads.relation.name, ()), name, now)
        for name, reads in report.reads.items()
    }
    wanted = [table for table in report.tables if table.name in names]
    with ExitStack() as kept:

        def keep(frame: DataFrame) -> DataFrame:
            kept.callback(_joined_by_equality(frame).persist().unpersist)
            return frame

        frame_for = frames(report, read.__getitem__, keep, {})
        return {
            table.name: in_order(
                table,
                _joined_by_equality(
                    checked(table, table.build(*map(frame_for, table.reads))),
                ).toArrow(),
            )
            for table in wanted
        }


def _joined_by_equality(frame: DataFrame) -> DataFrame:
    """The frame. A join by an inequality would have rows by the square of the history."""
    plan = frame._jdf.queryExecution().optimizedPlan().toString()
    assert not re.search("Join .* [<>]=? ", plan), plan
    return frame


def second(number: float) -> datetime:
    return START + timedelta(seconds=number)


def shown(rows: pa.Table, columns: str) -> Answer:
    """Return the named columns of a table, with an `hour` as the number of hours after START."""
    names = columns.split()
    return [
        tuple(plain(row[name], name) for name in names) for row in rows.select(names).to_pylist()
    ]


def frame_of(
    spark: SparkSession,
    reads: Reads,
    rows: Iterable[Row],
    name: str,
    now: float = NOW,
) -> DataFrame:
    """Return the rows that one of the reads selects. Clocks are at `now` for every queue manager but
    GROUP.

    Of one with ARCHIVED in its name, only the archive is read. A row with `chosen` false lies
    outside the selection.
    """
    schema = schema_of(reads.relation.name, reads.columns)
    numbered = [
        {"seq": number, "chosen": True, "store": 0, "named": True, **row}
        for number, row in enumerate(rows, start=1)
    ]
    schema = schema.add("store", T.IntegerType())
    if reads.chosen_by is not None:
        schema = schema.add("chosen", T.BooleanType())
    if reads.apart:
        schema = schema.add("named", T.BooleanType())
    # Of a list, Spark would make rows in a Python process.
    frame = spark.createDataFrame(pa.Table.from_pylist(numbered, to_arrow_schema(schema)))
    if reads.owner:
        frame = frame.selectExpr("* EXCEPT (qmgr)", f"{reads.owner} AS qmgr")
    marks = ["chosen AS in_period"] if reads.apart else []
    marks += [f"{in_detail('member')} AS member"] if reads.with_member else []
    return frame.where(reads.where).selectExpr(
        "*",
        *marks,
        f"IF(qmgr = 'GROUP', NULL, {at(now)}) AS now",
        "qmgr NOT LIKE '%ARCHIVED%' AS is_live",
    )


def plain(value: Any, column: str) -> Any:
    """Convert a decimal to float, and an hour to the number of hours after START."""
    if column == "hour" and value is not None:
        return (value - START) // timedelta(hours=1)
    return float(value) if type(value).__name__ == "Decimal" else value


_TOKEN = re.compile(r'(?:"(?:[^"\\]|\\.)*"|[^\s"])+')
_PART = re.compile(r"\n| \| | (?==> )|; (?=left )")
_ANSWER = re.compile(r"=> (?:(\w+): ?)?(.*)")
_NUMBER = re.compile(r"-?\d+(\.\d+)?")
_NAMED = re.compile(r"([A-Za-z]\w*)=(.*)", re.DOTALL)
_CALL = re.compile(r"([a-z]\w*)\((.*)\)")
_WORDS = {"-": None, "true": True}
_OF_ROW = ("seq", "store", "qmgr")
Names = Mapping[str, Any]


def written(text: str, names: Names) -> dict[str, Cases]:
    """The cases of each table. Functions and values are those of `names`, and of the module
    `history`.

    What is left in the store is in lines that begin with `left`, each with its rows behind the word.
    """
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
            answer = [
                _answer(row, shown, usual[name], known) for line in rows for row in _listed(line)
            ]
            cases[heading] = Case(events, answer, left, told["columns"])
    return {**tables}


def _behind(word: str, lines: Sequence[str]) -> list[str]:
    """What stands behind the word in lines that begin with it; without a word, the lines of
    events.
    """
    if word:
        return [line.removeprefix(f"{word} ") for line in lines if line.startswith(f"{word} ")]
    return [
        line
        for line in lines
        if not line.startswith(("left ", "columns ")) and not _ANSWER.fullmatch(line)
    ]


def _listed(text: str) -> list[list[str]]:
    """The words of each of the things that are separated by commas."""
    tokens = _TOKEN.findall(text)
    ends = [at for at, token in enumerate(tokens, 1) if token[-1] == "," or at == len(tokens)]
    return [
        [token.removesuffix(",") for token in tokens[begin:end]]
        for begin, end in zip([0, *ends], ends, strict=False)
    ]


def _answer(
    row: Sequence[str],
    columns: Sequence[str],
    usual: Names,
    known: Names,
) -> tuple[Any, ...]:
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
        assert name in KINDS or name in known, (
            f"{name} is no event and no function: {' '.join(words)}"
        )
        plain, named = _arguments(given, known)
        of_row = {key: named.pop(key) for key in _OF_ROW if key in named}
        found = event(name, *plain, **named) if name in KINDS else known[name](*plain, **named)
        for row in found if isinstance(found, list | tuple) else [found]:
            told = (
                {"detail": json.dumps(row["detail"])} if isinstance(row.get("detail"), dict) else {}
            )
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

"""Pages of all reports, from made-up rows instead of a history."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]

from reports.catalog import ReportColumn, Table, names, report
from reports.identities import Broken
from reports.page.document import Page, Source
from reports.page.overview import Period

START = datetime(2023, 11, 14, 22, tzinfo=UTC)
# What a program could put into names, user identifiers and data to take part in the page.
HOSTILE = (
    "<script>window.taken = 1</script>",
    "</td></table><img src=x onerror='window.taken = 1'>",
    "</script><script>window.taken = 1</script>",
    "\" onmouseover=window.taken=1 x='",
    "<style>body { display: none }</style><link rel=stylesheet href=http://127.0.0.1:9/x.css>",
    "javascript:window.taken=1",
    "a\x00b\x1b[2J\x07 \u202eback \ufeff\ud7ff",
    "<!-- --> ]]> &lt;script&gt; &#60;",
    "x" * 300,
    "\U0001f4a9 ÄÖ.ЖЯ שלום 漢字",
)
ARROW = {"string": pa.string(), "bigint": pa.int64(), "timestamp": pa.timestamp("us", "UTC"), "boolean": pa.bool_()}
DURATIONS = (Decimal("0"), Decimal("0.000250"), Decimal("3.3"), Decimal("125"), Decimal("100000"))


def page(
    folder: Path,
    made: Iterable[str] = names(),
    *,
    rows: int = 30,
    text: tuple[str, ...] = HOSTILE,
    broken: Sequence[Broken] = (),
) -> Path:
    """Write a page with that many rows in every table, and `broken` in every report; return its path."""
    hour = 3_600_000_000
    middle = int(START.timestamp()) * 1_000_000 + 24 * hour
    period = Period(middle - 24 * hour, middle, middle + 24 * hour, False)
    facts = [("Created", "2023-11-15 22:00:00 UTC"), ("Store", f"/srv/{text[0]}.db")]
    to = Page(folder, 3, Source(f"{text[0]}.db", "2023-11-15", f"From {text[0]}.", facts, period))
    for name in made:
        declared = report(name)
        for table in declared.tables:
            to.write(declared, table, made_rows(table, rows, text))
        to.end(declared, broken)
    to.close()
    return folder / "index.html"


def made_rows(table: Table, number: int, text: tuple[str, ...]) -> pa.Table:
    """Rows with values of the types of the columns."""
    columns = {
        column.name: pa.array([value(column, place, text) for place in range(number)], arrow_type(column))
        for column in table.columns
    }
    return pa.table(columns)


def arrow_type(column: ReportColumn) -> pa.DataType:
    return pa.decimal128(20, 6) if column.type.startswith("decimal") else ARROW[column.type]


def value(column: ReportColumn, place: int, text: tuple[str, ...]) -> Any:
    # The values of different columns do not repeat together.
    place += len(column.name)
    if place % 11 == 0:
        return None
    match column.type:
        case "string":
            return text[place % len(text)]
        case "bigint":
            return place * 997 % 10_007
        case "timestamp":
            return START + timedelta(hours=place)
        case "boolean":
            return place % 2 == 0
        case _:
            return DURATIONS[place % len(DURATIONS)]

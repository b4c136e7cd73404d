"""The description of a report's CSV files as a Frictionless data package (https://specs.frictionlessdata.io)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from mqsc.reports.declaration import Report, Table

DATA_PACKAGE = "datapackage.json"
# Types of tables without the parameters of decimal(20,6), and what they are in a table schema.
TYPES = {
    "string": "string",
    "bigint": "integer",
    "timestamp": "datetime",
    "decimal": "number",
    "boolean": "boolean",
}
_ESCAPED = (
    "A text that begins like a formula of a spreadsheet, with one of = + - @, their full-width "
    "forms, a tab, a "
    "carriage return or a line feed, has an apostrophe before it."
)


def data_package(report: Report, tables: Sequence[Table]) -> str:
    """The data package of the report, as JSON; the files of its tables are in the same folder."""
    package = {
        "profile": "tabular-data-package",
        "name": report.name,
        "description": report.doc,
        "resources": [_resource(table) for table in tables],
    }
    return json.dumps(package, indent=2, ensure_ascii=False) + "\n"


def _resource(table: Table) -> dict[str, Any]:
    fields = [
        {
            "name": column.name,
            "type": TYPES[column.type.partition("(")[0]],
            "description": column.doc,
        }
        for column in table.columns
    ]
    return {
        "profile": "tabular-data-resource",
        "name": table.name,
        "path": f"{table.name}.csv",
        "description": f"{table.doc} {_ESCAPED}",
        "format": "csv",
        "mediatype": "text/csv",
        "encoding": "utf-8",
        "dialect": {
            "delimiter": ",",
            "lineTerminator": "\r\n",
            "quoteChar": '"',
            "doubleQuote": True,
            "header": True,
        },
        "schema": {"fields": fields, "missingValues": [""]},
    }

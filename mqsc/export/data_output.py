"""Writes an export as data: a row for each object, for JSON and YAML."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from mqsc.export.export_commands import ExportCommand
from store.catalog import Stored

# Must be escaped between double quotes in YAML 1.1 and 1.2; \x85, \u2028 and \u2029 end a line in YAML 1.1.
_UNSEEN = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff\ufffe\uffff]")


def rows(commands: Iterable[ExportCommand]) -> Iterator[dict[str, Any]]:
    """Type, name and attributes of each definition. Deleted objects are marked, secrets are listed by name."""
    for command in (each for each in commands if not each.restores):
        definition = command.definition
        row: dict[str, Any] = {"type": definition.kind.keyword}
        if definition.name:
            row["name"] = definition.name
        if command.verb == "DELETE":
            row["deleted"] = True
        identity = {word: definition.values[word] for word in definition.kind.identity if definition.values.get(word)}
        row["attributes"] = dict(sorted({**identity, **_selected(command), **command.values}.items()))
        if command.secrets:
            row["not_shown"] = list(command.secrets)
        yield row


def _selected(command: ExportCommand) -> dict[str, Stored]:
    """The subtype, without which the other attributes would be ambiguous."""
    selector = command.definition.kind.selector
    return {selector: command.definition.values[selector]} if selector in command.definition.values else {}


def yaml_lines(rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    """A YAML list. Strings are in double quotes as in JSON, which every YAML parser reads in the same way."""
    empty = True
    for row in rows:
        empty = False
        mark = "- "
        for key, value in row.items():
            if isinstance(value, dict):
                yield f"{mark}{key}:" + ("" if value else " {}")
                yield from (f"    {word}: {_scalar(each)}" for word, each in value.items())
            else:
                yield f"{mark}{key}: {_scalar(value)}"
            mark = "  "
    if empty:
        yield "[]"


def _scalar(value: Any) -> str:
    return _UNSEEN.sub(lambda found: f"\\u{ord(found.group()):04x}", json.dumps(value, ensure_ascii=False))

"""Definitions as data: a row for each object, written as JSON or as YAML."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from mqsc.export.steps import Step
from store.catalog import Stored

# What a text in double quotes may not hold as it is, in YAML 1.1 and 1.2; \x85, \u2028 and \u2029 end a line in 1.1.
_UNSEEN = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff\ufffe\uffff]")


def rows(steps: Iterable[Step]) -> Iterator[dict[str, Any]]:
    """An object per definition: type, name, attributes; what is gone is marked, what is not shown is listed."""
    for step in steps:
        definition = step.definition
        row: dict[str, Any] = {"type": definition.kind.keyword}
        if definition.name:
            row["name"] = definition.name
        if step.verb == "DELETE":
            row["deleted"] = True
        identity = {word: definition.values[word] for word in definition.kind.identity if definition.values.get(word)}
        row["attributes"] = dict(sorted({**identity, **_selected(step), **step.values}.items()))
        if step.secrets:
            row["not_shown"] = list(step.secrets)
        yield row


def _selected(step: Step) -> dict[str, Stored]:
    """The subtype, without which nobody could read the other attributes."""
    selector = step.definition.kind.selector
    return {selector: step.definition.values[selector]} if selector in step.definition.values else {}


def yaml_lines(rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    """A list of the rows as YAML. Texts stand in double quotes as in JSON, which YAML reads alike everywhere."""
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

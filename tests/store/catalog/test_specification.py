"""The rows against the object specification in docs/specification.

Every difference is named here with its reason; a new one fails.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import yaml

from store.catalog import KINDS, Attribute, attribute_of
from store.catalog.types import Flag, Items, Name, Number, Word
from tests.source import ROOT

# A quality in which a row differs on purpose.
DIFFERS: Mapping[tuple[str, str], str] = {
    ("QMODEL", "QTYPE"): "any type can be asked for",
    ("QALIAS", "QTYPE"): "any type can be asked for",
    ("QREMOTE", "QTYPE"): "any type can be asked for",
    ("QMGR", "CERTLABL"): "the default is made of the name",
    ("QMGR", "SSLKEYR"): "there is no data path",
    ("PROCESS", "APPLTYPE"): "DEF is stored as the platform's own type",
    ("CHANNEL", "QMNAME"): "a queue manager group begins with an asterisk",
    ("TOPIC", "TYPE"): "CLUSTER and ALL only choose what is displayed",
    ("TOPIC", "TOPICSTR"): "the default object has a blank one",
    ("TOPIC", "CLROUTE"): "NONE cannot be given",
    ("TOPIC", "CLSTATE"): "the specification lists no words",
    ("SUB", "SUBUSER"): "the user is not known to the vocabulary",
    ("SUB", "DURABLE"): "ALL only chooses what is displayed",
    ("SUB", "SUBTYPE"): "ALL only chooses what is displayed",
    ("STGCLASS", "PSID"): "page set 0 where none is said",
}


@cache
def _specified() -> dict[str, Any]:
    text = (ROOT / "docs" / "specification" / "mqsc-objects.yaml").read_text(encoding="utf-8")
    objects: dict[str, Any] = yaml.safe_load(text)["objects"]
    return objects


def _values(row: Attribute, entry: Mapping[str, Any]) -> tuple[Any, Any]:
    """What the specification says of the values, and what the row does."""
    kind = row.type
    match entry["type"]:
        case "enum":
            return set(entry.get("values", ())), set(kind.words) if isinstance(kind, (Word, Number)) else None
        case "integer" if "min" in entry and isinstance(kind, Number):
            words = set(entry.get("special_values", ()))
            return (entry["min"], entry["max"], words), (kind.low, kind.high, set(kind.words))
        case "name":
            return entry["max_length"], kind.length if isinstance(kind, Name) else None
        case "flag":
            return entry["off_keyword"], kind.off if isinstance(kind, Flag) else None
        case "list":
            return True, isinstance(kind, Items)
        case "string" if "max_length" in entry:
            return entry["max_length"], getattr(kind, "length", None)
    return None, None


def _difference(row: Attribute, entry: Mapping[str, Any]) -> list[str]:
    wanted, found = _values(row, entry)
    said = [
        ("values", wanted, found),
        ("default", entry.get("default", row.default), row.default),
        ("platform", entry["platform"], row.platform),
        ("force", "force_needed" in entry, bool(row.force.value)),
        ("secret", False, row.secret and row.default != ""),
        ("display only", entry.get("display_only", row.display_only), row.display_only),
    ]
    types = entry.get("chltypes") or entry.get("authtypes") or entry.get("chlauth_types")
    if types and row.only_for:
        said.append(("types", set(types), set(row.only_for) - {"AMQP", "MQTT"}))
    return [f"{what}: {a!r} is {b!r}" for what, a, b in said if a != b]


def test_every_specified_attribute_is_declared_as_specified() -> None:
    found = {}
    for keyword, entry in _specified().items():
        for attribute in entry["attributes"]:
            row = attribute_of(KINDS[keyword], attribute["keyword"])
            place = (keyword, attribute["keyword"])
            difference = ["missing"] if row is None else _difference(row[0], attribute)
            if difference:
                found[place] = difference
    assert {place: text for place, text in found.items() if place not in DIFFERS} == {}
    assert set(DIFFERS) <= set(found)


def test_kinds_are_displayed_as_specified() -> None:
    for keyword, entry in _specified().items():
        kind = KINDS[keyword]
        assert tuple(entry["synonyms"]) == kind.synonyms
        assert entry["name_max_length"] == kind.name_length
        heading = f"{kind.heading_id}: {kind.heading}"
        assert entry.get("display_heading", heading) == heading
        order = entry.get("display_order", [])
        for subtype, words in order.items() if isinstance(order, dict) else [("", order)]:
            assert [word for word in kind.shown(subtype) if word in words] == words

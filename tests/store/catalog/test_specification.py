"""The rows of the catalog and their numbers in PCF, compared with the specification."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import yaml

from mqsc.language.command_table import COMMANDS
from mqsc.store.catalog import KINDS, Attribute, Kind, attribute_of
from mqsc.store.catalog.pcf import NAME, pcf_attributes, pcf_command
from mqsc.store.catalog.status import STATUS_KINDS
from mqsc.store.catalog.types import Flag, Hex, Items, Name, Number, Type, Word
from tests.source import ROOT

_FOLDER = ROOT / "docs" / "development" / "specification"
# The loader in C is ten times as fast.
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@cache
def objects() -> dict[str, Any]:
    """Return the kinds of object in mqsc-objects.yaml by keyword."""
    text = (_FOLDER / "mqsc-objects.yaml").read_text(encoding="utf-8")
    found: dict[str, Any] = yaml.load(text, Loader=_LOADER)["objects"]
    return found


@cache
def specified_pcf() -> list[dict[str, str]]:
    with (_FOLDER / "pcf-attributes.csv").open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


# (kind, keyword, quality of the row): why it intentionally differs from the specification.
DIFFERS: Mapping[tuple[str, str, str], str] = {
    **{
        (kind, "QTYPE", "values"): "any type can be asked for"
        for kind in ("QMODEL", "QALIAS", "QREMOTE")
    },
    ("QMGR", "CERTLABL", "default"): "the default is derived from the name of the queue manager",
    ("QMGR", "SSLKEYR", "default"): "there is no data path",
    ("PROCESS", "APPLTYPE", "default"): "DEF is stored as the type of the platform",
    (
        "CHANNEL",
        "QMNAME",
        "values",
    ): "a queue manager group begins with an asterisk, so the type is a text",
    ("TOPIC", "TYPE", "values"): "CLUSTER and ALL only select what DISPLAY shows",
    ("TOPIC", "TOPICSTR", "default"): "the default object has a blank topic string",
    ("TOPIC", "CLROUTE", "values"): "NONE cannot be given",
    ("TOPIC", "CLSTATE", "values"): "the specification lists no words",
    ("SUB", "SUBUSER", "default"): "the catalog does not know the current user",
    ("SUB", "DURABLE", "values"): "ALL only selects what DISPLAY shows",
    ("SUB", "SUBTYPE", "values"): "ALL only selects what DISPLAY shows",
    **{
        ("AUTHREC", word, "verbs"): "DELETE AUTHREC takes the same parameters"
        for word in ("PROFILE", "OBJTYPE", "PRINCIPAL", "GROUP", "SERVCOMP")
    },
    (
        "AUTHREC",
        "MATCH",
        "display only",
    ): "the specification lists DISPLAY as its only verb, but not as display-only",
    ("STGCLASS", "PSID", "default"): "page set 0 is used unless another one is given",
}

# Keywords whose words in PCF differ from those of MQSC.
PCF_WORDS: Mapping[str, str] = {
    "QSGDISP": "LIVE and ALL only select what DISPLAY shows",
    "RESETSEQ": "NO is displayed instead of a number",
    "CLROUTE": "NONE cannot be given",
    "OFFLOAD": "NONE and BOTH are only displayed",
}

# Parameters of DISPLAY that PCF lists together with the attributes of a status.
OPTIONS_OF_DISPLAY = {
    ("QSTATUS", "OPENTYPE"),
    ("QSTATUS", "MONITOR"),
    ("QSTATUS", "OPENOPTS"),
    ("CONN", "URDISP"),
    ("TPSTATUS", "TYPE"),
    ("ENTAUTH", "OBJNAME"),
}


def values_of(type: Type, wanted: Mapping[str, Any]) -> tuple[Any, Any]:
    """Return the values that the specification allows, and those that the row's type accepts."""
    match wanted["type"]:
        case "enum":
            return set(wanted.get("values", ())), set(type.words) if isinstance(
                type,
                (Word, Number),
            ) else None
        case "integer" if "min" in wanted:
            if not isinstance(type, Number):
                return "a number", type.wanted
            words = set(wanted.get("special_values", ()))
            return (wanted["min"], wanted["max"], words), (type.low, type.high, set(type.words))
        case "name":
            return wanted["max_length"], type.length if isinstance(type, Name) else None
        case "flag":
            return wanted["off_keyword"], type.off if isinstance(type, Flag) else None
        case "list":
            return wanted.get("max_items", 0), 0 if "max_items" not in wanted else getattr(
                type,
                "most",
                None,
            )
        case "string" if "max_length" in wanted:
            return wanted["max_length"], getattr(type, "length", None)
        case "hex":
            return "hex", "hex" if isinstance(type, Hex) else type.wanted
    return None, None


def qualities(
    kind: Kind,
    row: Attribute,
    wanted: Mapping[str, Any],
) -> Iterator[tuple[str, Any, Any]]:
    """Yield each quality of a row: its name, its value in the specification, its value in the
    row.
    """
    yield ("values", *values_of(row.type, wanted))
    yield "list", wanted["type"] == "list", isinstance(row.type, Items)
    yield "default", wanted.get("default", row.default), row.default
    for subtype, value in wanted.get("default_by_type", {}).items():
        yield f"default for {subtype}", value, row.default_value(subtype)
    yield "platform", wanted["platform"], row.platform
    words = {row.keyword, *row.synonyms}
    yield "words", {wanted["keyword"], *wanted.get("synonyms", ())}, words
    yield "force", "force_needed" in wanted, bool(row.force.value)
    yield "display only", wanted.get("display_only", False), row.display_only
    if "is_command_option" in wanted:
        yield "option", True, row.option
    yield "verbs", set(wanted["verbs"]), set(row.verbs)
    yield "required", bool(wanted.get("required", False)), row.required
    if "required_for" in wanted:
        yield "required for", set(wanted["required_for"]), set(row.required_for)
    types = wanted.get("chltypes") or wanted.get("authtypes") or wanted.get("chlauth_types")
    if types and row.only_for:
        yield "types", set(types), set(row.only_for) - {"AMQP", "MQTT"}


def test_rows_are_as_specified() -> None:
    found = {}
    for keyword, entry in objects().items():
        kind = KINDS[keyword]
        for wanted in entry["attributes"]:
            row = attribute_of(kind, wanted["keyword"])
            if row is None:
                found[keyword, wanted["keyword"], "missing"] = (wanted, None)
                continue
            for quality, said, declared in qualities(kind, row[0], wanted):
                if said != declared:
                    found[keyword, wanted["keyword"], quality] = (said, declared)
    assert {place: each for place, each in found.items() if place not in DIFFERS} == {}
    assert [place for place in DIFFERS if place not in found] == []


def test_kinds_are_as_specified() -> None:
    wrong = {}
    for keyword, entry in objects().items():
        kind = KINDS[keyword]
        heading = f"{kind.heading_id}: {kind.heading}"
        named = entry["default_object"] or {}
        default_objects = {"": named.split()[0]} if isinstance(named, str) else named
        for quality, said, declared in (
            ("synonyms", tuple(entry["synonyms"]), kind.synonyms),
            ("name length", entry["name_max_length"], kind.name_length),
            ("heading", entry.get("display_heading", heading), heading),
            ("key", tuple(entry.get("display_key", kind.key)), kind.key),
            ("default objects", default_objects, dict(kind.default_objects)),
        ):
            if said != declared:
                wrong[keyword, quality] = (said, declared)
    assert wrong == {}


def test_attributes_are_displayed_in_the_specified_order() -> None:
    wrong = {}
    for keyword, entry in objects().items():
        order = entry.get("display_order", [])
        for subtype, words in order.items() if isinstance(order, dict) else [("", order)]:
            found = [word for word in KINDS[keyword].shown(subtype) if word in words]
            if found != words:
                wrong[keyword, subtype] = (words, found)
    assert wrong == {}


def test_words_are_those_of_pcf() -> None:
    """Every word to which PCF gives a number is a word of the attribute, and the numbers agree."""
    wrong = {}
    for wanted in specified_pcf():
        kind = KINDS.get(wanted["object"])
        found = None if kind is None else attribute_of(kind, wanted["keyword"])
        if found is None or wanted["keyword"] in PCF_WORDS:
            continue
        type = found[0].type.of if isinstance(found[0].type, Items) else found[0].type
        words = {*type.words, *(found[0].display_filter.words if found[0].display_filter else ())}
        for pair in wanted["words"].split():
            word, _, constant = pair.partition("=")
            number = int(constant.rpartition(":")[2])
            if word not in words or (
                isinstance(type, Number) and type.named.get(word, number) != number
            ):
                wrong[wanted["object"], wanted["keyword"], word] = number
    assert wrong == {}


def test_pcf_names_no_attribute_that_the_catalog_lacks() -> None:
    kinds = {**KINDS, **STATUS_KINDS}
    rows = [row for row in specified_pcf() if row["object"] in kinds and "(" not in row["keyword"]]
    missing = {
        (row["object"], row["keyword"])
        for row in rows
        if attribute_of(kinds[row["object"]], row["keyword"]) is None
        and row["keyword"] not in kinds[row["object"]].display_order
    }
    assert missing == set(OPTIONS_OF_DISPLAY)


def specified() -> Iterator[tuple[str, str, int, str, int, dict[str, int]]]:
    for row in specified_pcf():
        if row["number"]:
            words = {
                each.partition("=")[0]: int(each.rpartition(":")[2])
                for each in row["words"].split()
            }
            yield (
                row["object"],
                row["keyword"],
                int(row["number"]),
                row["type"],
                int(row["length"] or 0),
                words,
            )


def test_every_row_is_that_of_the_specification() -> None:
    rows = list(specified())
    ours = [
        (kind, word, *row)
        for kind in {row[0] for row in rows}
        for word, row in pcf_attributes(kind).items()
    ]
    assert sorted(map(str, ours)) == sorted(map(str, rows))


def test_every_attribute_has_a_row() -> None:
    # The table of PCF has no AMQP and MQTT channels, and calls TYPE of a queue QTYPE.
    missing = [
        (kind, row.keyword)
        for kind, each in KINDS.items()
        for row in each.attributes.values()
        if row.keyword not in pcf_attributes(kind) and row.keyword != "TYPE"
    ]
    assert [(kind, word) for kind, word in missing if kind != "CHANNEL"] == []
    assert [kind for kind in KINDS if NAME not in pcf_attributes(kind)] == ["AUTHREC"]


def test_every_command_has_the_number_of_the_specification() -> None:
    with (_FOLDER / "pcf-commands.csv").open(encoding="utf-8", newline="") as lines:
        rows = {int(row["number"]): row["mqsc"] for row in csv.DictReader(lines) if row["number"]}
    ours = {
        (verb, noun): pcf_command(verb, noun) for verb, nouns in COMMANDS.items() for noun in nouns
    }
    found = {key: rows[command.number] for key, command in ours.items() if command is not None}
    wrong = {key: said for key, said in found.items() if key[0] not in said or key[1] not in said}
    assert wrong == {}
    unnumbered = {
        key
        for key, command in ours.items()
        if command is None and key[0] in ("ALTER", "DEFINE", "DISPLAY")
    }
    assert not {noun for _, noun in unnumbered} & KINDS.keys()
    found_like = pcf_command("DEFINE", "QLOCAL", like=True)
    assert found_like is not None
    assert (found_like.number, found_like.selectors) == (10, 0)

"""The PCF numbers of attributes, compared with the specification."""

from __future__ import annotations

import csv
from collections.abc import Iterator

from mqsc.language.command_table import COMMANDS
from store.catalog import KINDS
from store.catalog.pcf import NAME, pcf_attributes, pcf_command
from tests.source import ROOT

SPECIFICATION = ROOT / "docs" / "specification" / "pcf-attributes.csv"
Row = tuple[str, str, int, str, int, dict[str, int]]


def specified() -> Iterator[Row]:
    with SPECIFICATION.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            if row["number"]:
                words = {each.partition("=")[0]: int(each.rpartition(":")[2]) for each in row["words"].split()}
                length = int(row["length"] or 0)
                yield row["object"], row["keyword"], int(row["number"]), row["type"], length, words


def test_every_row_is_that_of_the_specification() -> None:
    rows = list(specified())
    ours = [(kind, word, *row) for kind in {row[0] for row in rows} for word, row in pcf_attributes(kind).items()]
    assert sorted(map(str, ours)) == sorted(map(str, rows))


def test_every_attribute_has_a_row() -> None:
    # The table of PCF has no AMQP and MQTT channels, and calls TYPE of a queue QTYPE.
    missing = [
        (kind, row.keyword)
        for kind, each in KINDS.items()
        for row in each.attributes.values()
        if row.keyword not in pcf_attributes(kind) and row.keyword != "TYPE"
    ]
    assert {kind for kind, _ in missing} == {"CHANNEL"}
    assert [kind for kind in KINDS if NAME not in pcf_attributes(kind)] == ["AUTHREC"]


def test_every_command_has_the_number_of_the_specification() -> None:
    with (SPECIFICATION.parent / "pcf-commands.csv").open(encoding="utf-8", newline="") as lines:
        rows = {int(row["number"]): row["mqsc"] for row in csv.DictReader(lines) if row["number"]}
    ours = {(verb, noun): pcf_command(verb, noun) for verb, nouns in COMMANDS.items() for noun in nouns}
    found = {key: rows[command.number] for key, command in ours.items() if command is not None}
    wrong = {key: said for key, said in found.items() if key[0] not in said or key[1] not in said}
    assert wrong == {}
    unnumbered = {key for key, command in ours.items() if command is None and key[0] in ("ALTER", "DEFINE", "DISPLAY")}
    assert not {noun for _, noun in unnumbered} & KINDS.keys()
    assert pcf_command("DEFINE", "QLOCAL", like=True) == (10, 0)

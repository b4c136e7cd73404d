"""Scripts and tables found on the web are read to their end, each line once, and raise nothing but faults."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from grammar.lines import LogicalLine, logical_lines
from grammar.parse import parse_rules
from grammar.printing import print_tree
from grammar.tree import SyntaxFault
from tests.grammar.reading import command_or_fault, commands


def files(corpus: Path, folder: str) -> list[Path]:
    found = sorted((corpus / folder).iterdir())
    assert found, f"{corpus / folder} is empty"
    return found


def lines_of(path: Path) -> list[str]:
    text = path.read_bytes().decode("utf-8").removeprefix("\ufeff")
    return re.split(r"\r\n|\n|\r", re.sub(r"(\r\n|\n|\r)\Z", "", text))


@pytest.mark.parametrize(("folder", "semicolon"), [("mqsc", True), ("dlq", False)])
def test_every_line_is_in_one_result(corpus: Path, folder: str, semicolon: bool) -> None:
    for path in files(corpus, folder):
        with path.open("rb") as lines:
            found = dict.fromkeys(range(1, len(lines_of(path)) + 1), "")
            for each in logical_lines(lines, semicolon=semicolon):
                for line in each.source:
                    assert line.column == len(found[line.number]) + 1, path
                    found[line.number] += line.text
        assert list(found.values()) == lines_of(path), path


def test_every_command_is_read_or_refused_at_its_place(corpus: Path) -> None:
    for path in files(corpus, "mqsc"):
        with path.open("rb") as lines:
            for line in logical_lines(lines):
                if not isinstance(line, LogicalLine):
                    continue
                result = command_or_fault(line)
                if isinstance(result, SyntaxFault):
                    assert result.line in {part.number for part in line.source}, path
                else:
                    assert [command_or_fault(each) for each in commands(print_tree(result))] == [result], path


def test_every_entry_is_read_or_refused_at_its_place(corpus: Path) -> None:
    for path in files(corpus, "dlq"):
        with path.open("rb") as lines:
            for result in parse_rules(lines):
                if not isinstance(result, SyntaxFault):
                    assert list(parse_rules(print_tree(result))) == [result], path


def test_most_of_what_people_write_is_well_formed(corpus: Path) -> None:
    results = [command_or_fault(line) for path in files(corpus, "mqsc") for line in commands(path.read_bytes())]
    assert sum(isinstance(result, SyntaxFault) for result in results) <= len(results) / 50

"""Every command of the specification with all its words in docs/specification.

Each intended difference is listed here with its reason; any other fails.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import yaml

from mqsc.language import command_table
from mqsc.language.request import Naming
from mqsc.verbs.analysis import syntax_of
from tests.source import ROOT

# Commands whose object is followed by a name, or by a number or user in its place, although the specification has none.
NAMED: Mapping[str, str] = {
    "DEFINE MAXSMSGS": "the number stands where a name would",
    "RESOLVE INDOUBT": "the connection name stands there",
    "RVERIFY SECURITY": "the users stand there",
    "DEFINE LOG": "the data set stands there",
    "ALTER TRACE": "the type of trace stands there",
    "DISPLAY TRACE": "the type of trace stands there",
    "START TRACE": "the type of trace stands there",
    "STOP TRACE": "the type of trace stands there",
    "DELETE POLICY": "a policy has a name",
    "DISPLAY POLICY": "a policy has a name",
    "SET POLICY": "a policy has a name",
}


@cache
def _specified() -> dict[str, Any]:
    text = (ROOT / "docs" / "specification" / "mqsc-commands.yaml").read_text(encoding="utf-8")
    found: dict[str, Any] = yaml.safe_load(text)
    return found


def _words(entry: Mapping[str, Any]) -> Iterator[str]:
    """Yield the words that a command accepts, with a value or as a flag."""
    for key in ("keywords", "keywords_zos_only", "parameters", "zos_parameters", "selectors", "options"):
        listed = entry.get(key, ())
        for word in () if isinstance(listed, str) else listed:
            yield str(word).split()[0]


def _asked(entry: Mapping[str, Any]) -> list[str]:
    listed = entry.get("attributes", ())
    return [] if isinstance(listed, str) else [str(word) for line in listed for word in str(line).split()]


def test_every_command_and_no_other_is_known() -> None:
    commands = {tuple(name.split()) for name in _specified()["commands"]}
    assert {(verb, noun) for verb, nouns in command_table.COMMANDS.items() for noun in nouns} == commands


def test_every_synonym_is_known() -> None:
    for verb, entry in _specified()["verbs"].items():
        for said in entry["synonyms"]:
            assert verb == "END" or command_table.verb_of(said.split()[0]) == verb
    for noun, entry in _specified()["nouns"].items():
        for said in entry["synonyms"]:
            verbs = [verb for verb, nouns in command_table.COMMANDS.items() if noun in nouns]
            assert all(command_table.noun_of(verb, said.split()[0]) == noun for verb in verbs)


def test_every_word_of_every_command_is_taken() -> None:
    found = {}
    for name, entry in _specified()["commands"].items():
        verb, noun = name.split()
        form = syntax_of(verb, noun)
        lacking = {word for word in _words(entry) if word not in form.words and word not in form.listed}
        lacking |= {word for word in _asked(entry) if word not in form.listed and word not in form.words}
        if lacking:
            found[name] = lacking
    assert found == {}


def test_objects_are_named_as_specified() -> None:
    wrong = set()
    for name, entry in _specified()["commands"].items():
        verb, noun = name.split()
        naming = syntax_of(verb, noun).verb.naming_of(noun)
        if (entry["name_argument"] == "none") != (naming is Naming.NONE):
            wrong.add(name)
    assert wrong == set(NAMED)

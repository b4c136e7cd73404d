"""The extension for VS Code: its manifest, and the grammar that colours MQSC."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from mqsc.language.command_table import COMMANDS, LISTED_VERBS
from tests.rows import rows
from tests.source import ROOT

FOLDER = ROOT / "samples" / "vscode"
PACKAGE = json.loads((FOLDER / "package.json").read_text("utf-8"))
GRAMMAR = json.loads((FOLDER / "syntaxes" / "mqsc.tmLanguage.json").read_text("utf-8"))


def found_in(line: str) -> Iterator[tuple[str, str]]:
    """The texts of a line with their scopes, as an editor colours them: the first match wins,
    then those after it.
    """
    place = 0
    while place < len(line):
        tries = [(rule, _pattern(rule).search(line, place)) for rule in GRAMMAR["patterns"]]
        hits = [
            (found.start(), number, rule, found)
            for number, (rule, found) in enumerate(tries)
            if found and found[0]
        ]
        if not hits:
            return
        _, _, rule, found = min(hits, key=lambda hit: hit[:2])
        if "captures" in rule:
            yield from (
                (found[int(group)], each["name"]) for group, each in rule["captures"].items()
            )
        else:
            yield found[0].strip(), rule["name"]
        place = found.end()


def _pattern(rule: dict[str, Any]) -> re.Pattern[str]:
    """A rule as one expression; one with a begin and an end goes from one to the other."""
    inside = "(?:" + "|".join([each["match"] for each in rule.get("patterns", ())] + ["."]) + ")*?"
    return re.compile(rule["match"] if "match" in rule else rule["begin"] + inside + rule["end"])


@rows(
    ("* a comment", "* a comment=comment.line.asterisk"),
    ("define qlocal(A)", "define=keyword.control qlocal=entity.name.type"),
    (
        " MAXDEPTH(10) +",
        "MAXDEPTH=support.type.property-name 10=constant.numeric +=keyword.operator.continuation",
    ),
    ("DESCR('it''s', ok)", "DESCR=support.type.property-name 'it''s'=string.quoted.single"),
    (
        "ALTER QLOCAL(${NAME}) NOTRIGGER",
        "ALTER=keyword.control QLOCAL=entity.name.type ${NAME}=variable.other "
        "NOTRIGGER=support.constant",
    ),
)
def test_a_line_has_these_colours(line: str, colours: str) -> None:
    assert (
        " ".join(f"{text}={scope.removesuffix('.mqsc')}" for text, scope in found_in(line))
        == colours
    )


def test_every_verb_is_coloured() -> None:
    verbs = {verb for verb in COMMANDS if verb in LISTED_VERBS}
    assert [
        verb
        for verb in sorted(verbs)
        if (verb, "keyword.control.mqsc") not in found_in(f"{verb} QMGR")
    ] == []


def test_the_manifest_names_files_that_are_there() -> None:
    (language,) = PACKAGE["contributes"]["languages"]
    (grammar,) = PACKAGE["contributes"]["grammars"]
    assert (FOLDER / PACKAGE["main"]).is_file()
    assert (
        json.loads((FOLDER / grammar["path"]).read_text("utf-8"))["scopeName"]
        == grammar["scopeName"]
    )
    assert grammar["language"] == language["id"]
    assert {*language["extensions"]} == {".mqsc", ".rul"}
    settings = PACKAGE["contributes"]["configuration"]["properties"]
    assert all(
        name.removeprefix("mqsc.") in (FOLDER / PACKAGE["main"]).read_text("utf-8")
        for name in settings
    )

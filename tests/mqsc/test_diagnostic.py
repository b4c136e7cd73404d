"""Diagnostics as text, JSON and SARIF."""

from __future__ import annotations

import json

import pytest

from mqsc.diagnostic import Diagnostic, as_json, as_sarif
from mqsc.dlq.entry import DESCRIPTIONS, check_table
from mqsc.dlq.lint import TABLE_RULES

DIAGNOSTICS = check_table(["ACTION(RETRY)\n"], "rules.txt").diagnostics


def test_text() -> None:
    diagnostic = Diagnostic(
        "AMQ8753", "error", "a.rul", 3, 14, "WAIT was already given in line 3, column 1", "WAIT only once"
    )
    assert (
        str(diagnostic)
        == "a.rul:3:14: error AMQ8753: WAIT was already given in line 3, column 1; suggestion: WAIT only once"
    )


def test_json_has_a_key_for_everything() -> None:
    (diagnostic,) = DIAGNOSTICS
    assert as_json(diagnostic) == {
        "rule_id": "DLQ03",
        "severity": "warning",
        "file": "rules.txt",
        "line": 1,
        "column": 8,
        "message": "messages that no rule moves or discards stay on the queue for ever",
        "right": "ACTION(FWD) FWDQ(queue) HEADER(YES) as the last rule",
    }


def test_sarif_names_rule_place_and_level() -> None:
    sarif = as_sarif(DIAGNOSTICS, DESCRIPTIONS, "1.2")
    (run,) = sarif["runs"]
    (result,) = run["results"]
    assert sarif["version"] == "2.1.0"
    assert run["tool"]["driver"]["version"] == "1.2"
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]][-len(TABLE_RULES) :] == [
        each.rule_id for each in TABLE_RULES
    ]
    assert (result["ruleId"], result["level"]) == ("DLQ03", "warning")
    (location,) = result["locations"]
    assert location["physicalLocation"] == {
        "artifactLocation": {"uri": "rules.txt"},
        "region": {"startLine": 1, "startColumn": 8},
    }
    assert json.loads(json.dumps(sarif)) == sarif


def test_a_diagnostic_on_the_whole_file_has_no_region() -> None:
    sarif = as_sarif(check_table([""], "empty").diagnostics, DESCRIPTIONS, "1.2")
    (location,) = sarif["runs"][0]["results"][0]["locations"]
    assert "region" not in location["physicalLocation"]


@pytest.mark.parametrize(
    ("file", "uri"),
    [
        ("", "-"),
        ("rules/a.rul", "rules/a.rul"),
        ("standard input", "standard%20input"),
        ("50%:é.rul", "50%25%3A%C3%A9.rul"),
        ("/etc/my rules.rul", "file:///etc/my%20rules.rul"),
    ],
)
def test_sarif_names_files_by_uri_and_counts_characters(file: str, uri: str) -> None:
    (run,) = as_sarif(check_table([""], file).diagnostics, DESCRIPTIONS, "1.2")["runs"]
    assert run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"] == {"uri": uri}
    assert run["columnKind"] == "unicodeCodePoints"

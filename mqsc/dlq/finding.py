"""What is wrong, or could be better, at one place of a file: as a line of text, as JSON, as SARIF.

ERRORS lists what makes a table invalid, so that an id can be explained. To add an error, add its row.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

# The levels of SARIF. An error makes the table invalid; everything else is advice.
Severity = Literal["error", "warning", "note"]

SARIF_VERSION = "2.1.0"
SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


@dataclass(frozen=True, slots=True)
class Finding:
    """`message` says what was found, `right` what would be right (may be blank).

    Line and column count from 1; 0 where the finding is about the file as a whole.
    """

    rule_id: str
    severity: Severity
    file: str
    line: int
    column: int
    message: str
    right: str = ""

    def __str__(self) -> str:
        place = ":".join([self.file or "-", *(str(number) for number in (self.line, self.column) if number)])
        return f"{place}: {self.rule_id} {self.message}" + (f"; right: {self.right}" if self.right else "")


@dataclass(frozen=True, slots=True)
class Description:
    """An id that findings carry: its title, why it matters, and a table that has it."""

    rule_id: str
    severity: Severity
    title: str
    reason: str
    bad: str


# No id of MQ is known for a plain syntax error in a rules table (uncertain facts, 15): the id is our own.
SYNTAX = "MQSC0010"
NO_INPUT = "AMQ8750"
TOO_LONG = "AMQ8752"
REPEATED = "AMQ8753"
OUT_OF_RANGE = "AMQ8757"
COUNT = "AMQ8758"
COMBINATION = "AMQ8759"

ERRORS: Mapping[str, Description] = {
    rule_id: Description(rule_id, "error", title, reason, bad)
    for rule_id, title, reason, bad in (
        (
            SYNTAX,
            "Not the language of rules tables",
            "A keyword, a value or a bracket is not what the language has at this place.",
            "REASON(2053) ACTIN(RETRY)\n",
        ),
        (NO_INPUT, "No rule in the table", "A table needs at least one rule.", "INPUTQ(DLQ)\n"),
        (
            TOO_LONG,
            "Value longer than its field",
            "No message could hold it: a string has at most the bytes of its field, asterisks not counted.",
            "FORMAT(LONGFORMAT) ACTION(RETRY)\n",
        ),
        (
            REPEATED,
            "Keyword given twice",
            "A keyword stands at most once in an entry.",
            "ACTION(RETRY) ACTION(RETRY)\n",
        ),
        (
            OUT_OF_RANGE,
            "Number out of range, or with a wildcard",
            "A number is compared as a number: it has no wildcards, only an asterisk alone for any number.",
            "MSGTYPE('2*') ACTION(RETRY)\n",
        ),
        (
            COUNT,
            "The table has errors",
            "A table with any error is refused as a whole: no message is touched.",
            "ACTION(RETRY) RETRY(0)\n",
        ),
        (
            COMBINATION,
            "Keywords that do not go together",
            "Every rule has an action; FWDQ goes with ACTION(FWD) and only with it, so do FWDQM and HEADER; control "
            "data is the first entry and holds no keyword of a rule.",
            "ACTION(RETRY) FWDQ(ELSEWHERE)\n",
        ),
    )
}


def as_json(finding: Finding) -> dict[str, Any]:
    """The finding as an object of JSON, keys named after its fields."""
    return asdict(finding)


def as_sarif(findings: Iterable[Finding], descriptions: Iterable[Description], version: str) -> dict[str, Any]:
    """One SARIF run of the tool in its `version`: the findings, and what every id of `descriptions` means."""
    rules = [
        {
            "id": each.rule_id,
            "shortDescription": {"text": each.title},
            "fullDescription": {"text": each.reason},
            "defaultConfiguration": {"level": each.severity},
        }
        for each in descriptions
    ]
    driver = {"name": "mqsc", "version": version, "rules": rules}
    run = {"tool": {"driver": driver}, "results": [_sarif_result(each) for each in findings]}
    return {"$schema": SARIF_SCHEMA, "version": SARIF_VERSION, "runs": [run]}


def _sarif_result(finding: Finding) -> dict[str, Any]:
    text = finding.message + (f" (right: {finding.right})" if finding.right else "")
    place: dict[str, Any] = {"artifactLocation": {"uri": finding.file}}
    if finding.line:
        place["region"] = {"startLine": finding.line, "startColumn": max(1, finding.column)}
    return {
        "ruleId": finding.rule_id,
        "level": finding.severity,
        "message": {"text": text},
        "locations": [{"physicalLocation": place}],
    }

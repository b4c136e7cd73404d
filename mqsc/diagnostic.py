"""What is wrong, or could be better, at one place of a file: as a line of text, as JSON, as SARIF."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote

# The levels of SARIF. An error is what would be refused; everything else is advice.
Severity = Literal["error", "warning", "note"]

SARIF_VERSION = "2.1.0"
SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


@dataclass(frozen=True, slots=True)
class Diagnostic:
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
        right = f"; right: {self.right}" if self.right else ""
        return f"{place}: {self.severity} {self.rule_id}: {self.message}{right}"


@dataclass(frozen=True, slots=True)
class Description:
    """An id that findings carry: its title, why it matters, and an input that has it."""

    rule_id: str
    severity: Severity
    title: str
    reason: str
    bad: str


def as_json(finding: Diagnostic) -> dict[str, Any]:
    """The finding as an object of JSON, keys named after its fields."""
    return asdict(finding)


def as_sarif(findings: Iterable[Diagnostic], descriptions: Iterable[Description], version: str) -> dict[str, Any]:
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
    results = [_sarif_result(each) for each in findings]
    # Said, because without it a reader counts UTF-16 units.
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return {"$schema": SARIF_SCHEMA, "version": SARIF_VERSION, "runs": [run]}


def _sarif_result(finding: Diagnostic) -> dict[str, Any]:
    text = finding.message + (f" (right: {finding.right})" if finding.right else "")
    place: dict[str, Any] = {"artifactLocation": {"uri": _uri(finding.file)}}
    if finding.line:
        place["region"] = {"startLine": finding.line, "startColumn": max(1, finding.column)}
    return {
        "ruleId": finding.rule_id,
        "level": finding.severity,
        "message": {"text": text},
        "locations": [{"physicalLocation": place}],
    }


def _uri(file: str) -> str:
    """How SARIF names a file: relative as it was given, with the signs that no URI holds written as %XX.

    Standard input is `-`, as in the text: readers of SARIF refuse a result without a file.
    """
    return Path(file).as_uri() if file.startswith("/") else quote(file or "-")

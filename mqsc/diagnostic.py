"""Errors and lint warnings, each at a place in a file: as a line of text, as JSON, SARIF and
JUnit's XML.
"""

import inspect
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from textwrap import dedent
from typing import Any, Literal, NamedTuple, cast
from urllib.parse import quote

from msgspec import Struct, structs

from mqsc.store.table import cells

# What XML 1.0 does not allow.
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

# The levels of SARIF. Only an error would be refused when the file is used.
Severity = Literal["error", "warning", "note"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "note")

# Formats that tools of others read.
REPORTS = ("sarif", "junit")

SARIF_VERSION = "2.1.0"
SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


class Location(NamedTuple):
    """Line and column count from 1; both are 0 for the file as a whole. A blank file is standard
    input or a string.
    """

    file: str
    line: int
    column: int


class Violation(NamedTuple):
    """A place that breaks a lint rule; the suggestion may be blank."""

    location: Location
    message: str
    suggestion: str = ""


class Diagnostic(Struct, frozen=True):
    """An error or a lint warning. See Location for `file`, `line` and `column`; the suggestion
    may be blank.
    """

    rule_id: str
    severity: Severity
    file: str
    line: int
    column: int
    message: str
    suggestion: str = ""

    def __str__(self) -> str:
        place = ":".join(
            [self.file or "-", *(str(number) for number in (self.line, self.column) if number)],
        )
        return f"{place}: {self.severity} {self.rule_id}: {self.text}"

    @property
    def text(self) -> str:
        """The message and the suggestion."""
        return self.message + (f"; suggestion: {self.suggestion}" if self.suggestion else "")


class Description(Struct, frozen=True):
    """The description of a rule id: a title, a reason, an input that produces it, and for rules
    one that does not.
    """

    rule_id: str
    severity: Severity
    title: str
    reason: str
    bad: str
    good: str

    def diagnostic(self, violation: Violation) -> Diagnostic:
        return Diagnostic(
            self.rule_id,
            self.severity,
            *violation.location,
            violation.message,
            violation.suggestion,
        )


def descriptions_beside(module: str) -> dict[str, Description]:
    """The descriptions by id: the rows of descriptions.csv in the folder of a module."""
    columns = ("rule_id", "severity", "title", "reason", "bad", "good")
    rows = cells(module, "descriptions.csv", columns, {"severity": SEVERITIES})
    return {
        rule_id: Description(rule_id, cast("Severity", severity), *texts)
        for rule_id, severity, *texts in rows
    }


class Explanation(NamedTuple):
    """Why a lint rule is one, a text that breaks it and one that does not."""

    reason: str
    bad: str
    good: str


def explained_by(check: Callable[..., Iterator[Violation]]) -> Explanation:
    """The reason, the bad and the good example in the docstring of a lint rule."""
    if check.__doc__ is None:
        # python -OO leaves docstrings out.
        return Explanation("", "", "")
    reason, *examples = re.split(r"\n\n(?:Bad|Good):\n", inspect.cleandoc(check.__doc__))
    bad, good = (dedent(f"{each}\n") for each in examples)
    return Explanation(" ".join(reason.split()), bad, good)


def as_json(diagnostic: Diagnostic) -> dict[str, Any]:
    row = structs.asdict(diagnostic)
    # Programs read the suggestion under this key.
    row["right"] = row.pop("suggestion")
    return row


def report_text(
    format: str | None,
    diagnostics: Sequence[Diagnostic],
    descriptions: Iterable[Description],
    version: str,
    fatal: str,
) -> str | None:
    """The diagnostics in one of REPORTS, None for other formats; `fatal` is the lowest severity
    that fails a test.
    """
    if format == "sarif":
        return json.dumps(as_sarif(diagnostics, descriptions, version), indent=2)
    return as_junit(diagnostics, fatal) if format == "junit" else None


def as_junit(diagnostics: Sequence[Diagnostic], fatal: str) -> str:
    """JUnit's XML: a test case for each diagnostic, which fails if it is at least as severe as
    `fatal`.

    Without diagnostics there is one case, which passes.
    """
    from xml.etree.ElementTree import Element, SubElement, indent, tostring

    severe = SEVERITIES[: SEVERITIES.index(fatal) + 1]
    failures = sum(diagnostic.severity in severe for diagnostic in diagnostics)
    counts = {
        "tests": str(max(1, len(diagnostics))),
        "failures": str(failures),
        "errors": "0",
        "skipped": "0",
    }
    suites = Element("testsuites", counts)
    suite = SubElement(suites, "testsuite", {"name": "mqsc check", **counts})
    for diagnostic in diagnostics:
        file = _for_xml(diagnostic.file or "-")
        name = f"{diagnostic.rule_id} {file}:{diagnostic.line}:{diagnostic.column}"
        case = SubElement(suite, "testcase", {"classname": file, "name": name})
        if diagnostic.severity in severe:
            failure = {"type": diagnostic.severity, "message": _for_xml(diagnostic.text)}
            SubElement(case, "failure", failure).text = _for_xml(str(diagnostic))
        else:
            SubElement(case, "system-out").text = _for_xml(str(diagnostic))
    if not diagnostics:
        SubElement(suite, "testcase", {"classname": "mqsc", "name": "check"})
    indent(suites)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(suites, "unicode")


def _for_xml(text: str) -> str:
    """The text with characters that XML does not allow escaped as in Python."""
    return _NOT_XML.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def as_sarif(
    diagnostics: Iterable[Diagnostic],
    descriptions: Iterable[Description],
    version: str,
) -> dict[str, Any]:
    """One SARIF run of the tool in its `version`: the diagnostics, and the meaning of every id
    in `descriptions`.
    """
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
    results = [_sarif_result(each) for each in diagnostics]
    # Without columnKind, a reader counts UTF-16 units.
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return {"$schema": SARIF_SCHEMA, "version": SARIF_VERSION, "runs": [run]}


def _sarif_result(diagnostic: Diagnostic) -> dict[str, Any]:
    file = diagnostic.file
    uri = Path(file).as_uri() if file.startswith("/") else quote(file or "-")
    place: dict[str, Any] = {"artifactLocation": {"uri": uri}}
    if diagnostic.line:
        place["region"] = {"startLine": diagnostic.line, "startColumn": max(1, diagnostic.column)}
    return {
        "ruleId": diagnostic.rule_id,
        "level": diagnostic.severity,
        "message": {"text": diagnostic.text},
        "locations": [{"physicalLocation": place}],
    }

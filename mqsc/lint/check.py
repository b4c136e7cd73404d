"""All that can be said about scripts without a queue manager: every error, then advice on what they say together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from mqsc.diagnostic import Description, Diagnostic
from mqsc.lint.conflicts import conflicts
from mqsc.lint.errors import ERRORS
from mqsc.lint.reading import read_script
from mqsc.lint.rules import RULES
from mqsc.lint.scripts import Scripts
from mqsc.lint.statement import Statement

# Everything a finding about MQSC may carry as its id.
DESCRIPTIONS: tuple[Description, ...] = (*ERRORS.values(), *RULES)

Lines: TypeAlias = Iterable[bytes | str]
_OF_STATEMENT = [(rule, rule.of_statement) for rule in RULES if rule.of_statement]
_OF_OBJECT = [(rule, rule.of_object) for rule in RULES if rule.of_object]
_OF_SCRIPTS = [(rule, rule.of_scripts) for rule in RULES if rule.of_scripts]


class Check:
    """A check of several files that are run one after the other; holds what they say together.

    `values` are those of the variables, None when the scripts have none.
    """

    def __init__(self, values: Mapping[str, str] | None = None) -> None:
        self._values = values
        self._scripts = Scripts()
        self._files: dict[str, int] = {}
        self._findings: list[Diagnostic] = []

    def read(self, lines: Lines, file: str = "") -> None:
        """Take in one more file."""
        self._files.setdefault(file, len(self._files))
        for each in read_script(lines, file, self._values):
            if isinstance(each, Diagnostic):
                self._findings.append(each)
            else:
                self._findings += conflicts(each, self._scripts)
                self._findings += self._of_statement(each)
                self._scripts.take(each)

    def findings(self) -> list[Diagnostic]:
        """What is to be said about the files read so far: file by file, in the order of the lines."""
        found = [*self._findings, *self._of_all()]
        return sorted(found, key=lambda each: (self._files[each.file], each.line, each.column, each.rule_id))

    def _of_statement(self, statement: Statement) -> Iterator[Diagnostic]:
        return (rule.finding(hit) for rule, advise in _OF_STATEMENT for hit in advise(statement, self._scripts))

    def _of_all(self) -> Iterator[Diagnostic]:
        scripts = self._scripts
        for each in scripts.objects.values():
            yield from (rule.finding(hit) for rule, advise in _OF_OBJECT for hit in advise(each, scripts))
        yield from (rule.finding(hit) for rule, advise in _OF_SCRIPTS for hit in advise(scripts))


def check_script(lines: Lines, file: str = "") -> list[Diagnostic]:
    """What is to be said about one script."""
    check = Check()
    check.read(lines, file)
    return check.findings()

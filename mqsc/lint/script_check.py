"""Checks scripts without a store: every error that a run would report, and the violations of the lint rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Self, TypeAlias

from msgspec.structs import replace

from grammar.lines import logical_lines
from mqsc.diagnostic import Description, Diagnostic
from mqsc.language.unsupported import unsupported_here
from mqsc.lint.attribute_conflicts import attribute_conflict
from mqsc.lint.lint_rule import FOUND, Subject
from mqsc.lint.reading import read_script
from mqsc.lint.rules import RULES
from mqsc.lint.script_command import ScriptCommand
from mqsc.lint.script_errors import ERRORS
from mqsc.lint.scripts import DefinedObject, Scripts
from mqsc.lint.suppressions import Suppressions
from mqsc.lint.trial_run import TrialRun

# The description of every id that a diagnostic on MQSC may have.
DESCRIPTIONS: tuple[Description, ...] = (*ERRORS.values(), *RULES)

Lines: TypeAlias = Iterable[bytes | str]


class ScriptCheck:
    """Checks files that are run one after the other. A context manager, which ends the queue manager of the trial run.

    `values` are the values of variables; None when the scripts have no variables. With `skip_unsupported` a command
    that is not supported here is a note, not an error. `allowed` is the number of diagnostics that comments in the
    scripts suppress.
    """

    def __init__(self, values: Mapping[str, str] | None = None, *, skip_unsupported: bool = False) -> None:
        self._values = values
        self._skips_unsupported = skip_unsupported
        self._scripts = Scripts()
        self._trial = TrialRun()
        self._files: dict[str, int] = {}
        self._diagnostics: list[Diagnostic] = []
        self._suppressions: dict[str, list[Suppressions]] = {}
        self.allowed = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._trial.close()

    def read(self, lines: Lines, file: str = "") -> None:
        """Add the next file."""
        self._files.setdefault(file, len(self._files))
        suppressions = Suppressions(file, DESCRIPTIONS)
        self._suppressions.setdefault(file, []).append(suppressions)
        for each in read_script(suppressions.commands(logical_lines(lines)), file, self._values):
            if isinstance(each, Diagnostic):
                self._diagnostics.append(each)
            else:
                self._diagnostics += self._errors(each)
                self._diagnostics += self._violations("command", each)
                self._scripts.apply(each)

    def diagnostics(self) -> list[Diagnostic]:
        """The diagnostics on the files read so far, in the order of files and lines."""
        of_objects = (
            each for defined in self._scripts.objects.values() for each in self._violations("object", defined)
        )
        every = [*self._diagnostics, *of_objects, *self._violations("scripts")]
        found = [each for each in every if not self._is_allowed(each)]
        self.allowed = len(every) - len(found)
        for of_file in self._suppressions.values():
            found += (diagnostic for each in of_file for diagnostic in each.diagnostics())
        return sorted(found, key=lambda each: (self._files[each.file], each.line, each.column, each.rule_id))

    def _is_allowed(self, diagnostic: Diagnostic) -> bool:
        allowing = [each for each in self._suppressions[diagnostic.file] if each.allows(diagnostic)]
        return bool(allowing)

    def _errors(self, command: ScriptCommand) -> list[Diagnostic]:
        """The errors that the command has in spite of its valid parameters."""
        request, found = command.request, list[Diagnostic]()
        if request is not None and not command.has_errors:
            found += self._trial.diagnostics(command, request, self._scripts)
            if self._skips_unsupported and unsupported_here(request):
                found = [replace(each, severity="note") for each in found]
        # A command with errors, or on an object from elsewhere, may have conflicting attributes nonetheless.
        if command.has_errors or any(each.severity == "note" for each in found):
            found += attribute_conflict(command, self._scripts)
        return found

    def _violations(self, of: Subject, *subject: ScriptCommand | DefinedObject) -> Iterator[Diagnostic]:
        """What the rules of one sort find on their subject."""
        rules = (rule for rule in FOUND if rule.of == of)
        return (rule.diagnostic(each) for rule in rules for each in rule.check(*subject, self._scripts))


def check_script(lines: Lines, file: str = "") -> list[Diagnostic]:
    """The diagnostics on one script."""
    with ScriptCheck() as check:
        check.read(lines, file)
        return check.diagnostics()

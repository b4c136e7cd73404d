"""`mqsc check` of scripts: their errors, lint rules, and a trial run on a queue manager in
memory.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Self, TypeAlias

from msgspec.structs import replace

from mqsc.diagnostic import Description, Diagnostic
from mqsc.grammar.lines import logical_lines
from mqsc.language.support import unsupported_here
from mqsc.lint.attribute_conflict import attribute_conflict
from mqsc.lint.lint_rule import Subject
from mqsc.lint.rules import FUNCTION_RULES, RULES
from mqsc.lint.script_command import ScriptCommand
from mqsc.lint.script_errors import ERRORS
from mqsc.lint.script_reading import read_script
from mqsc.lint.scripts import DefinedObject, Scripts
from mqsc.lint.suppressions import Suppressions
from mqsc.lint.trial_run import TrialRun

# The description of every id that a diagnostic on MQSC may have.
DESCRIPTIONS: tuple[Description, ...] = (*ERRORS.values(), *RULES)

Lines: TypeAlias = Iterable[bytes | str]


class ScriptCheck:
    """Checks files that are run one after the other. A context manager, which ends the queue
    manager of the trial run.

    `values` are the values of variables; None when the scripts have no variables. With
    `skip_unsupported` a command that is not supported here is a note, not an error. `allowed` is
    the number of diagnostics that comments in the scripts suppress.
    """

    def __init__(
        self,
        values: Mapping[str, str] | None = None,
        *,
        skip_unsupported: bool = False,
    ) -> None:
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
        for script_command in read_script(
            suppressions.commands(logical_lines(lines)), file, self._values
        ):
            if isinstance(script_command, Diagnostic):
                self._diagnostics.append(script_command)
            else:
                self._diagnostics += self._errors(script_command)
                self._diagnostics += self._violations("command", script_command)
                self._scripts.apply(script_command)

    def diagnostics(self) -> list[Diagnostic]:
        """The diagnostics on the files read so far, in the order of files and lines."""
        of_objects = (
            diagnostic
            for defined in self._scripts.objects.values()
            for diagnostic in self._violations("object", defined)
        )
        every = [*self._diagnostics, *of_objects, *self._violations("scripts")]
        reported = [diagnostic for diagnostic in every if not self._is_allowed(diagnostic)]
        self.allowed = len(every) - len(reported)
        for of_file in self._suppressions.values():
            reported += (
                diagnostic for suppression in of_file for diagnostic in suppression.diagnostics()
            )
        return sorted(
            reported,
            key=lambda diagnostic: (
                self._files[diagnostic.file],
                diagnostic.line,
                diagnostic.column,
                diagnostic.rule_id,
            ),
        )

    def _is_allowed(self, diagnostic: Diagnostic) -> bool:
        # All are asked: every comment that allows it counts as used.
        return bool(
            [each for each in self._suppressions[diagnostic.file] if each.allows(diagnostic)],
        )

    def _errors(self, command: ScriptCommand) -> list[Diagnostic]:
        """The errors that the command has in spite of its valid parameters."""
        request, diagnostics = command.request, list[Diagnostic]()
        if request is not None and not command.has_errors:
            diagnostics += self._trial.diagnostics(command, request, self._scripts)
            if self._skips_unsupported and unsupported_here(request):
                diagnostics = [replace(diagnostic, severity="note") for diagnostic in diagnostics]
        # A command with errors, or on an object from elsewhere, may have conflicting attributes
        # nonetheless.
        if command.has_errors or any(diagnostic.severity == "note" for diagnostic in diagnostics):
            diagnostics += attribute_conflict(command, self._scripts)
        return diagnostics

    def _violations(
        self,
        of: Subject,
        *subject: ScriptCommand | DefinedObject,
    ) -> Iterator[Diagnostic]:
        """The violations that the rules of one sort find on their subject."""
        rules = (rule for rule in FUNCTION_RULES if rule.of == of)
        return (
            rule.diagnostic(each) for rule in rules for each in rule.check(*subject, self._scripts)
        )

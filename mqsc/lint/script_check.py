"""`mqsc check` of scripts: their errors, lint rules, and a trial run on a queue manager in
memory.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from typing import Self, TypeAlias

from msgspec.structs import replace

from mqsc.diagnostic import Description, Diagnostic
from mqsc.grammar.lines import logical_lines
from mqsc.language.command_table import unsupported_here
from mqsc.language.reply import FAILURE_MESSAGES, HINTS, Answer
from mqsc.language.request import Request
from mqsc.lint.baseline import Suppressions
from mqsc.lint.rules import FUNCTION_RULES, RULES
from mqsc.lint.script_command import ERRORS, ScriptCommand, error_location
from mqsc.lint.scripts import DefinedObject, Scripts, Subject, read_script
from mqsc.store.catalog import Stored
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQRC, MQRCCF
from mqsc.store.rules.conflicts import conflict
from mqsc.store.rules.streaming import Surroundings, definition_refusal
from mqsc.verbs import rehearse

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


# Performs the commands of a script on a queue manager in memory, to find the errors that only
# performing shows.
#
# The queue manager is new, so commands on objects that the scripts do not define fail too. Whether
# they fail elsewhere depends on what is there, so these failures are notes.

DEPENDS_ON_QUEUE_MANAGER = "MQSC-C38"
# Reasons that depend on the objects, records and programs that the queue manager has.
_MISSING = (
    "CHANNEL_NOT_FOUND CHANNEL_NOT_ACTIVE CHL_STATUS_NOT_FOUND CHANNEL_IN_USE MQOPEN_FAILED "
    "Q_STATUS_NOT_FOUND "
    "CONNECTION_ID_ERROR PROFILE_NAME_ERROR CHLAUTH_NOT_FOUND EVENTS_DISABLED "
    "LISTENER_RUNNING LISTENER_STOPPED SERVICE_RUNNING SERVICE_STOPPED"
)
MISSING = frozenset(
    {int(MQRC.UNKNOWN_OBJECT_NAME), *(int(MQRCCF[name]) for name in _MISSING.split())},
)
# Reasons that another command has used up the name, the topic string or the identity of a record.
_TAKEN = frozenset(
    {
        int(MQRCCF.OBJECT_ALREADY_EXISTS),
        int(MQRCCF.OBJECT_WRONG_TYPE),
        int(MQRCCF.CHANNEL_ALREADY_EXISTS),
    },
)


class TrialRun:
    """One run of the files on a new queue manager, a member of a queue-sharing group; it must be
    closed.
    """

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._qmgr: QueueManager | None = None
        self._noted: set[tuple[str, str]] = set()

    def close(self) -> None:
        self._stack.close()
        self._qmgr = None

    def diagnostics(
        self,
        command: ScriptCommand,
        request: Request,
        scripts: Scripts,
    ) -> Iterator[Diagnostic]:
        """Perform a command; yield the error or note if it fails. `scripts` is the state before
        the command.
        """
        answer = rehearse(self._queue_manager(), request)
        if answer.completion != 2:
            return
        if depends_on_queue_manager(request, answer):
            yield from self._note(command, answer, scripts)
        else:
            location = error_location(command, answer.message_id, answer.reason)
            message = _sentence(answer) + _elsewhere(command, answer, scripts)
            yield Diagnostic(answer.message_id, "error", *location, message)

    def _queue_manager(self) -> QueueManager:
        if self._qmgr is None:
            from mqsc.store import open_store

            self._qmgr = self._stack.enter_context(open_store("sqlite://")).create_queue_manager(
                "QM1",
                group="QSG1",
            )
        return self._qmgr

    def _note(
        self,
        command: ScriptCommand,
        answer: Answer,
        scripts: Scripts,
    ) -> Iterator[Diagnostic]:
        """A note for each missing thing, unless a command with errors defines it."""
        key = command.file, _sentence(answer)
        kind = command.kind
        defined = scripts.find(kind, command.name) if kind is not None else None
        if key not in self._noted and (defined is None or not defined.known):
            self._noted.add(key)
            fails = (
                f"{command.title} fails with {answer.message_id} "
                f"({_sentence(answer).removesuffix('.')})"
            )
            message = f"{fails} on a queue manager that has no more than these files define"
            suggestion = "a DEFINE before it"
            yield Diagnostic(
                DEPENDS_ON_QUEUE_MANAGER,
                "note",
                *command.location_of(),
                message,
                suggestion,
            )


def depends_on_queue_manager(request: Request, answer: Answer) -> bool:
    """Whether the command may succeed on a queue manager with other objects, or with another
    name.
    """
    return answer.reason in MISSING or bool(request.options.get("CMDSCOPE", ""))


def _sentence(answer: Answer) -> str:
    return " ".join(line for line in answer.text.split("\n") if line)


def _elsewhere(command: ScriptCommand, answer: Answer, scripts: Scripts) -> str:
    """Where another file defines the object; blank if none does."""
    kind = command.kind
    if kind is None or answer.reason not in _TAKEN:
        return ""
    defined = scripts.find(kind, command.name, str(command.attributes.get(kind.selector, "")))
    if defined is None or defined.location.file == command.file:
        return ""
    return (
        f" {defined.location.file}, line {defined.location.line}, defines "
        f"{defined.kind.keyword}({defined.name})."
    )


# Attributes of one object that cannot be combined, for which the command will fail.


def attribute_conflict(command: ScriptCommand, scripts: Scripts) -> Iterator[Diagnostic]:
    """The error of a DEFINE or ALTER, given the attributes that the object is known to have."""
    kind = command.kind
    if kind is None or command.verb not in ("DEFINE", "ALTER"):
        return
    attributes = {**_attributes_before(command, scripts), **command.attributes}
    reason = conflict(kind, command.name, attributes)
    reason = reason or definition_refusal(kind.keyword, command.name, attributes, Surroundings())
    message_id = FAILURE_MESSAGES.get(reason, "")
    # Other conflicts depend on how the queue manager was created.
    if message_id in ERRORS:
        location = error_location(command, message_id, reason)
        yield Diagnostic(
            message_id,
            "error",
            *location,
            HINTS.get(reason, ERRORS[message_id].reason),
        )


def _attributes_before(command: ScriptCommand, scripts: Scripts) -> dict[str, Stored]:
    kind = command.kind
    if kind is None or command.verb != "ALTER":
        return {}
    defined = scripts.qmgr if kind.keyword == "QMGR" else scripts.find(kind, command.name)
    return (
        {}
        if defined is None
        else {word: attribute.value for word, attribute in defined.attributes.items()}
    )

"""Performs the commands of a script on a queue manager in memory, to find the errors that only
performing shows.

The queue manager is new, so commands on objects that the scripts do not define fail too. Whether
they fail elsewhere depends on what is there, so these failures are notes.
"""

from collections.abc import Iterator
from contextlib import ExitStack

from mqsc.diagnostic import Diagnostic
from mqsc.language.reply import Answer
from mqsc.language.request import Request
from mqsc.lint.script_command import ScriptCommand
from mqsc.lint.script_errors import error_location
from mqsc.lint.scripts import Scripts
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQRC, MQRCCF
from mqsc.verbs import rehearse

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

"""Finds attributes of one object that cannot be combined, for which the command will fail."""

from __future__ import annotations

from collections.abc import Iterator

from mqsc.diagnostic import Diagnostic
from mqsc.lint.script_command import ScriptCommand
from mqsc.lint.script_errors import ERRORS
from mqsc.lint.scripts import Scripts
from mqsc.lint.stream_queues import refusal
from mqsc.reply import FAILURE_MESSAGES, HINTS
from store.catalog import Kind, Stored
from store.rules.conflicts import conflict
from store.rules.streaming import WORDS as STREAMING


def attribute_conflict(command: ScriptCommand, scripts: Scripts) -> Iterator[Diagnostic]:
    """The error of a DEFINE or ALTER, given the attributes that the object is known to have."""
    kind = command.kind
    if kind is None or command.verb not in ("DEFINE", "ALTER"):
        return
    yield from _stream_conflict(command, scripts, kind)
    reason = conflict(kind, {**_attributes_before(command, scripts), **command.given})
    message_id = FAILURE_MESSAGES.get(reason, "")
    # Other conflicts depend on how the queue manager was created.
    if message_id in ERRORS:
        error = ERRORS[message_id]
        location = command.location_of(_last_involved(command, message_id))
        yield Diagnostic(message_id, "error", *location, error.reason)


def _stream_conflict(command: ScriptCommand, scripts: Scripts, kind: Kind) -> Iterator[Diagnostic]:
    """The error of a definition that streaming queues do not allow."""
    reason = refusal(command, scripts, kind)
    if reason:
        words = [row.keyword for _, row in command.rows() if row.keyword in STREAMING]
        location = command.location_of(words[-1] if words else "")
        yield Diagnostic(FAILURE_MESSAGES[reason], "error", *location, HINTS[reason])


def _attributes_before(command: ScriptCommand, scripts: Scripts) -> dict[str, Stored]:
    kind = command.kind
    if kind is None or command.verb != "ALTER":
        return {}
    found = scripts.qmgr if kind.keyword == "QMGR" else scripts.find(kind, command.name)
    return {} if found is None else {word: given.value for word, given in found.given.items()}


def _last_involved(command: ScriptCommand, message_id: str) -> str:
    """The last keyword of the command that the error is about."""
    words = [row.keyword for _, row in command.rows() if row.keyword in ERRORS[message_id].bad]
    return words[-1] if words else ""

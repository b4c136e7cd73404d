"""Attributes of one object that cannot be combined, for which the command will fail."""

from collections.abc import Iterator

from mqsc.diagnostic import Diagnostic
from mqsc.language.reply import FAILURE_MESSAGES, HINTS
from mqsc.lint.script_command import ScriptCommand
from mqsc.lint.script_errors import ERRORS, error_location
from mqsc.lint.scripts import Scripts
from mqsc.store.catalog import Stored
from mqsc.store.rules.conflicts import conflict
from mqsc.store.rules.streaming import Surroundings, definition_refusal


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

"""Attributes of one object that cannot be together: refused when the command is carried out."""

from __future__ import annotations

from collections.abc import Iterator

from mqsc.diagnostic import Diagnostic
from mqsc.lint.errors import ERRORS
from mqsc.lint.scripts import Scripts
from mqsc.lint.statement import Statement
from mqsc.reply import FAILED
from store.catalog import Stored
from store.rules.conflicts import conflict


def conflicts(statement: Statement, scripts: Scripts) -> Iterator[Diagnostic]:
    """The error of a DEFINE or ALTER that the attributes of the object, as known so far, do not allow."""
    kind = statement.kind
    if kind is None or statement.verb not in ("DEFINE", "ALTER"):
        return
    reason = conflict(kind, {**_before(statement, scripts), **statement.given})
    message_id = FAILED.get(reason, "")
    # Others depend on how the queue manager was made.
    if message_id in ERRORS:
        error = ERRORS[message_id]
        yield Diagnostic(message_id, "error", *statement.at(_last_said(statement, message_id)), error.reason)


def _before(statement: Statement, scripts: Scripts) -> dict[str, Stored]:
    kind = statement.kind
    if kind is None or statement.verb != "ALTER":
        return {}
    found = scripts.qmgr if kind.keyword == "QMGR" else scripts.find(kind, statement.name)
    return {} if found is None else {word: said.value for word, said in found.said.items()}


def _last_said(statement: Statement, message_id: str) -> str:
    """The keyword with which the command went wrong: the last of those that the error is about."""
    words = [row.keyword for _, row in statement.rows() if row.keyword in ERRORS[message_id].bad]
    return words[-1] if words else ""

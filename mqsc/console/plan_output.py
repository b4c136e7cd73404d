"""A plan as text and as JSON, written line by line, and its exit code."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, TextIO

from grammar.printing import quoted
from mqsc.console.json_output import position_row
from mqsc.console.terminal import printable, wrapped
from mqsc.counted import counted
from mqsc.plan import CHANGING, Action, Planned

INDENT = " " * 11
PLACE_COLUMN = 60
_WITH_REASON = frozenset({Action.ERROR, Action.KEPT, Action.DIFFERS, Action.SKIPPED})
_PAST: Mapping[Action, str] = {Action.CREATE: "CREATED", Action.UPDATE: "UPDATED", Action.DELETE: "DELETED"}
_SYNTAX_HELP = "AMQ8427I"
_SYNTAX_INDENT = "    "


class PlanText:
    """Writes a plan as text: the action, the object, the position in the script, and the attributes below."""

    def __init__(self, out: TextIO, *, terminal: bool = False, width: int = sys.maxsize) -> None:
        self._out = out
        self._terminal = terminal
        self._width = width

    def begin(self, qmgr: str) -> None:
        for line in wrapped(f"Plan for queue manager {qmgr}; nothing is changed.", self._width):
            self._line(line)
        self._line("")

    def write(self, planned: Planned) -> None:
        for line in lines_of(planned, width=self._width):
            self._line(line)

    def end(self, counts: Counter[Action]) -> None:
        if counts:
            self._line("")
        for line in wrapped(summary(counts), self._width):
            self._line(line)
        self._out.flush()

    def _line(self, text: str) -> None:
        for line in text.split("\n"):
            self._out.write(f"{printable(line) if self._terminal else line}\n")


def exit_code(counts: Counter[Action]) -> int:
    """10 when a command would fail, 2 when something would change, otherwise 0."""
    if counts[Action.ERROR]:
        return 10
    return 2 if any(counts[action] for action in CHANGING) else 0


def summary(counts: Counter[Action]) -> str:
    """How many objects would be created, updated and so on."""
    counted = ", ".join(f"{counts[action]} {action.value}" for action in Action if counts[action])
    return f"{counted}." if counted else "Nothing to do."


def as_row(planned: Planned, *, done: bool = False) -> dict[str, Any]:
    """A line of a plan as data for JSON; a change is {"old": ..., "new": ...}."""
    return {
        "file": planned.file,
        "line": planned.line,
        "command": planned.command,
        "action": action_name(planned.action, done=done),
        "type": planned.type,
        "name": planned.name,
        **({"disposition": planned.disposition} if planned.disposition else {}),
        **({"member": planned.member} if planned.member else {}),
        **({"warnings": list(planned.warnings)} if planned.warnings else {}),
        **({"record": [*planned.record]} if planned.record else {}),
        **({"inherited": dict(planned.inherited)} if planned.inherited else {}),
        "changes": {word: {"old": before, "new": after} for word, (before, after) in planned.changes.items()},
        "messages": planned.messages,
        "message_id": planned.message_id,
        "text": planned.text,
        "position": position_row(planned.position),
    }


def lines_of(planned: Planned, *, done: bool = False, details: bool = True, width: int = sys.maxsize) -> Iterator[str]:
    """A line of a plan as text, with its attributes or its error below it; in the past tense if it is `done`.

    Lines break between words so that they have at most `width` columns.
    """
    head = f"{action_name(planned.action, done=done):<9}  {_subject(planned)}"
    place = _place(planned)
    line = f"{head:<{PLACE_COLUMN}}  {place}".rstrip()
    if len(line) > width:
        line = f"{head}  {place:>{width - len(head) - 2}}" if len(head) + 2 + len(place) <= width else ""
    yield from [line] if line else (*wrapped(head, width, hanging=INDENT), f"{INDENT}{place}")
    if details:
        yield from _change_lines(planned, width)
    for warning in planned.warnings:
        yield from wrapped(warning, width, INDENT)
    for each in failure_lines(planned.message_id, planned.text) if planned.action in _WITH_REASON else ():
        yield from wrapped(each, width, INDENT)


def action_name(action: Action, *, done: bool = False) -> str:
    """The action as one word: CREATE, or CREATED when it is `done`."""
    return _PAST.get(action, action.name) if done else action.name


def _place(planned: Planned) -> str:
    if not (planned.file or planned.line):
        return ""
    if not planned.file:
        return f"line {planned.line}"
    return f"{planned.file}:{planned.line}" if planned.line else planned.file


def _change_lines(planned: Planned, width: int) -> Iterator[str]:
    """A line for each attribute, or more where it does not fit."""
    widest = max((len(word) for word in planned.changes), default=0)
    further = f"{INDENT}{'':<{widest}}  "
    for word, (before, after) in planned.changes.items():
        head, old, new = f"{INDENT}{word:<{widest}}  ", shown(before), shown(after)
        pieces = [new] if before is None else [f"{old} -> {new}"]
        if before is not None and len(head) + len(pieces[0]) > width:
            pieces = [old, f"-> {new}"]
        if word in planned.inherited:
            pieces[-1] += f", from {planned.inherited[word]}"
        for number, piece in enumerate(pieces):
            yield from wrapped(piece, width, further if number else head, further)


def _subject(planned: Planned) -> str:
    """The object; for an action or an error, the command, shortened to fit."""
    count = "" if planned.messages is None else f", {counted(planned.messages, 'message')}"
    on_member = f" on {planned.member}" if planned.member not in ("", planned.name) else ""
    if planned.action in (Action.ACTION, Action.ERROR, Action.SKIPPED):
        room = PLACE_COLUMN - len(INDENT) - len(on_member) - len(count)
        command = planned.command if len(planned.command) <= room else f"{planned.command[: room - 3]}..."
        return command + on_member + count
    title = f"{planned.type}({planned.name})" if planned.name else planned.type
    if planned.action is not Action.CREATE:
        # A new record lists what distinguishes it among its attributes.
        title = " ".join((title, *(shown(each) for each in planned.record if each)))
    of_group = f" QSGDISP({planned.disposition})" if planned.disposition else ""
    return title + of_group + on_member + count


def failure_lines(message_id: str, text: str) -> list[str]:
    """The answer to a failed command, without the syntax help."""
    answer, _, _ = (f"{message_id}: {text}" if message_id else text).partition(f"\n{_SYNTAX_HELP}")
    return [line for line in answer.split("\n") if line.strip() and not line.startswith(_SYNTAX_INDENT)]


def shown(value: Any) -> str:
    """A value as in the lines of a plan."""
    if value is None:
        return "(none)"
    if isinstance(value, list):
        return f"({','.join(map(shown, value))})"
    text = str(value)
    return text if text and text.isprintable() and " " not in text and "'" not in text else quoted(text or " ")

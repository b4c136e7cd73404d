"""A plan as text and as JSON, each line written as it comes, and what it comes to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, TextIO

from mqsc.console.json_output import Rows
from mqsc.console.terminal import printable
from mqsc.plan import CHANGING, Action, Planned

INDENT = " " * 11
PLACE_COLUMN = 60
_SYNTAX_HELP = "AMQ8427I"
_LISTED = "    "


class PlanText:
    """Writes a plan for people: what happens, to which object, where the script says so; then its attributes."""

    def __init__(self, out: TextIO, *, terminal: bool = False) -> None:
        self._out = out
        self._terminal = terminal

    def begin(self, qmgr: str) -> None:
        """Says of which queue manager, and that nothing is done."""
        self._line(f"Plan for queue manager {qmgr}; nothing is changed.")
        self._line("")

    def write(self, planned: Planned) -> None:
        """One line, and those below it."""
        for line in lines_of(planned):
            self._line(line)

    def end(self, counts: Counter[Action]) -> None:
        """The counts."""
        self._line(("\n" if counts else "") + summary(counts))
        self._out.flush()

    def _line(self, text: str) -> None:
        for line in text.split("\n"):
            self._out.write(f"{printable(line) if self._terminal else line}\n")


class PlanJson:
    """Writes a plan for programs: an object for every line of it."""

    def __init__(self, out: TextIO, *, array: bool) -> None:
        self._out = out
        self._rows = Rows(out, array=array)

    def begin(self, qmgr: str) -> None:
        """The array opens."""
        self._rows.__enter__()

    def write(self, planned: Planned) -> None:
        """One object."""
        self._rows.write(as_row(planned))

    def end(self, counts: Counter[Action]) -> None:
        """The array closes."""
        self._rows.__exit__()
        self._out.flush()


def exit_code(counts: Counter[Action]) -> int:
    """10 when a command would fail, 2 when something would change, else 0."""
    if counts[Action.ERROR]:
        return 10
    return 2 if any(counts[action] for action in CHANGING) else 0


def summary(counts: Counter[Action]) -> str:
    """How many objects would be created, updated and so on, in a sentence."""
    counted = ", ".join(f"{counts[action]} {action.value}" for action in Action if counts[action])
    return f"{counted}." if counted else "Nothing to do."


def as_row(planned: Planned) -> dict[str, Any]:
    """A line of a plan as JSON data; a change is {"old": ..., "new": ...}."""
    return {
        "file": planned.file,
        "line": planned.line,
        "command": planned.command,
        "action": planned.action.name,
        "type": planned.type,
        "name": planned.name,
        "changes": {word: {"old": before, "new": after} for word, (before, after) in planned.changes.items()},
        "messages": planned.messages,
        "message_id": planned.message_id,
        "text": planned.text,
    }


def lines_of(planned: Planned) -> Iterator[str]:
    """A line of a plan as text, with its attributes or its reason below it."""
    place = f"{planned.file}:{planned.line}" if planned.file else f"line {planned.line}"
    head = f"{planned.action.name:<9}  {_subject(planned)}"
    yield f"{head:<{PLACE_COLUMN}}  {place}"
    width = max((len(word) for word in planned.changes), default=0)
    for word, (before, after) in planned.changes.items():
        change = _shown(after) if before is None else f"{_shown(before)} -> {_shown(after)}"
        yield f"{INDENT}{word:<{width}}  {change}"
    if planned.action is Action.ERROR:
        for line in told(planned.message_id, planned.text):
            yield INDENT + line


def _subject(planned: Planned) -> str:
    """The object; of an action and an error the command, as far as it fits."""
    met = "" if planned.messages is None else f", {planned.messages} message{'' if planned.messages == 1 else 's'}"
    if planned.action in (Action.ACTION, Action.ERROR):
        room = PLACE_COLUMN - len(INDENT) - len(met)
        command = planned.command if len(planned.command) <= room else f"{planned.command[: room - 3]}..."
        return command + met
    return (f"{planned.type}({planned.name})" if planned.name else planned.type) + met


def told(message_id: str, text: str) -> list[str]:
    """The answer to a command that fails, without the lists of what would be right."""
    answer, _, _ = f"{message_id}: {text}".partition(f"\n{_SYNTAX_HELP}")
    return [line for line in answer.split("\n") if line.strip() and not line.startswith(_LISTED)]


def _shown(value: Any) -> str:
    if value is None:
        return "(none)"
    if isinstance(value, list):
        return f"({','.join(map(_shown, value))})"
    text = str(value)
    return text if text and text.isprintable() and " " not in text and "'" not in text else _quoted(text)


def _quoted(text: str) -> str:
    return "'" + (text or " ").replace("'", "''") + "'"

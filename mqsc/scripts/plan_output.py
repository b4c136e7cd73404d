"""Definitions that differ, as lines and as JSON: what `run --plan`, `apply` and `diff` print."""

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import click
from msgspec import Struct, field

from mqsc.console.json_rows import picked, position_row, print_data
from mqsc.console.options import Choices
from mqsc.console.terminal import columns, is_terminal, printable, wrapped
from mqsc.console.text.reasons import counted
from mqsc.grammar.printing import quoted
from mqsc.plan import CHANGING, Action, ChangedDefault, Planned

INDENT = " " * 11
PLACE_COLUMN = 60
PROBLEMS = frozenset({Action.ERROR, Action.KEPT, Action.DIFFERS})
_WITH_REASON = PROBLEMS | {Action.SKIPPED}
_DONE: Mapping[Action, str] = {
    Action.CREATE: "created",
    Action.UPDATE: "updated",
    Action.DELETE: "deleted",
}
_SYNTAX_HELP = "AMQ8427I"
_SYNTAX_INDENT = "    "


class Counts(Struct):
    """How many rows there are of each action, and how many only because a default object was
    changed.

    `done`: they are what was done, not a plan.
    """

    actions: Counter[Action] = field(default_factory=Counter)
    inherited: int = 0
    done: bool = False

    def counting(self, rows: Iterable[Planned]) -> Iterator[Planned]:
        """The rows, each counted when it is taken."""
        for row in rows:
            self.actions[row.action] += 1
            self.inherited += row.is_inherited
            yield row

    @property
    def exit_code(self) -> int:
        """10 when a command would fail, 2 when something would change, otherwise 0."""
        if self.actions[Action.ERROR]:
            return 10
        return 2 if any(self.actions[action] for action in CHANGING) else 0

    def sentence(self) -> str:
        """How many objects would be created, updated and so on, or were when it is `done`; blank
        for none.
        """
        words = {
            action: _DONE.get(action, action.value) if self.done else action.value
            for action in Action
        }
        found = [
            f"{self.actions[action]} {words[action]}" for action in Action if self.actions[action]
        ]
        if self.inherited:
            found.append(f"{self.inherited} of them only because a default object was changed")
        return ", ".join(found)


def print_rows(
    choices: Choices,
    rows: Iterable[Planned],
    *,
    done: bool = False,
    details: bool = True,
    asked_for: bool = True,
) -> Counts:
    """Print a row for each object: the plan, or what was `done`. Of what was not asked for,
    --quiet leaves problems.
    """
    counts = Counts(done=done)
    found = counts.counting(rows)
    if print_data(choices.format, (as_row(row, done=done) for row in found)):
        return counts
    width, terminal = columns(), is_terminal(sys.stdout)
    for planned in found:
        if choices.quiet and not asked_for and planned.action not in PROBLEMS:
            continue
        for text in lines_of(planned, done=done, details=details, width=width):
            for line in text.split("\n"):
                click.echo(printable(line) if terminal else line)
    return counts


def print_summary(
    choices: Choices,
    qmgr: str,
    counts: Counts,
    defaults: Sequence[ChangedDefault] = (),
    none: str = "no definitions",
) -> None:
    """How many objects are concerned, or `none`, and the changed default objects that they start
    from, on stderr.
    """
    is_settled = counts.actions and not (
        counts.exit_code or any(counts.actions[each] for each in PROBLEMS)
    )
    ending = "; nothing to change" if is_settled else ""
    choices.inform(f"mqsc: {qmgr}: {counts.sentence() or none}{ending}")
    for changed_default in defaults:
        changes = ", ".join(
            f"{word} {shown(old)} -> {shown(new)}"
            for word, (old, new) in changed_default.changes.items()
        )
        choices.inform(
            f"mqsc: {qmgr}: definitions start from {changed_default.kind}({changed_default.name}), "
            f"which was changed, by no file: {changes}",
        )


def as_row(planned: Planned, *, done: bool = False) -> dict[str, Any]:
    """A line of a plan as data for JSON; a change is {"old": ..., "new": ...}."""
    rare = picked(planned, "disposition member warnings record inherited")
    return {
        **picked(planned, "file line command"),
        "action": action_name(planned.action, done=done),
        **picked(planned, "type name"),
        **{name: value for name, value in rare.items() if value},
        "changes": {
            word: {"old": before, "new": after} for word, (before, after) in planned.changes.items()
        },
        **picked(planned, "messages message_id text"),
        "position": position_row(planned.position),
    }


def planned_of(as_data: Mapping[str, Any]) -> Planned:
    """The line of a plan that `as_row` made this data from, without the position of an error."""
    changes = {word: (each["old"], each["new"]) for word, each in as_data["changes"].items()}
    lists = {word: tuple(as_data.get(word, ())) for word in ("record", "warnings")}
    return Planned(
        **{
            **as_data,
            **lists,
            "action": Action[as_data["action"]],
            "changes": changes,
            "position": None,
        },
    )


def lines_of(
    planned: Planned,
    *,
    done: bool = False,
    details: bool = True,
    width: int = sys.maxsize,
) -> Iterator[str]:
    """A line of a plan as text, with its attributes or its error below it; in the past tense if it
    is `done`.

    Lines break between words so that they have at most `width` columns.
    """
    head = f"{action_name(planned.action, done=done):<9}  {_subject(planned)}"
    place = _place(planned)
    line = f"{head:<{PLACE_COLUMN}}  {place}".rstrip()
    if len(line) > width:
        line = (
            f"{head}  {place:>{width - len(head) - 2}}"
            if len(head) + 2 + len(place) <= width
            else ""
        )
    yield from [line] if line else (*wrapped(head, width, hanging=INDENT), f"{INDENT}{place}")
    if details:
        yield from _change_lines(planned, width)
    for warning in planned.warnings:
        yield from wrapped(warning, width, INDENT)
    for each in (
        failure_lines(planned.message_id, planned.text) if planned.action in _WITH_REASON else ()
    ):
        yield from wrapped(each, width, INDENT)


def action_name(action: Action, *, done: bool = False) -> str:
    """The action as one word: CREATE, or CREATED when it is `done`."""
    return _DONE[action].upper() if done and action in _DONE else action.name


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
        head = f"{INDENT}{word:<{widest}}  "
        old = shown(before)
        new = shown(after)
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
        command = (
            planned.command if len(planned.command) <= room else f"{planned.command[: room - 3]}..."
        )
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
    return [
        line for line in answer.split("\n") if line.strip() and not line.startswith(_SYNTAX_INDENT)
    ]


def shown(value: Any) -> str:
    """A value as in the lines of a plan."""
    if value is None:
        return "(none)"
    if isinstance(value, list):
        return f"({','.join(map(shown, value))})"
    text = str(value)
    return (
        text
        if text and text.isprintable() and " " not in text and "'" not in text
        else quoted(text or " ")
    )

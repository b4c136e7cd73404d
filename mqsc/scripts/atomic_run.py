"""`mqsc run --atomic` and `--plan`, and how a plan is printed.

All inputs are read first, and the commands are tried on a copy of the queue manager. If none fails, all are performed
in one database transaction. The output is printed after the commit. Other programs wait during the transaction.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import IO, TYPE_CHECKING, Any, TextIO, cast

from grammar.printing import quoted
from mqsc.console.inputs import InputSource, is_empty, read_now
from mqsc.console.options import Choices
from mqsc.console.target import FIRST_QUEUE_MANAGER, opened_queue_manager, reason_to_create, running
from mqsc.console.terminal import JSON_FORMATS, columns, is_terminal, position_row, print_json, printable, wrapped
from mqsc.console.text.reasons import counted
from mqsc.plan import CHANGING, Action, Planned, Trial
from mqsc.script import Answered, Echoed, Script
from mqsc.scripts.run import (
    Inputs,
    RunOptions,
    has_failed,
    job_lock,
    not_running,
    nothing_to_read,
    print_error,
    run_sources,
    write,
    writer_of,
)

if TYPE_CHECKING:
    from store.client.api import QueueManager


# Longer output is held in a file until the commit.
HELD_IN_MEMORY = 1 << 20
NOTHING_CHANGED = "nothing was changed"


class _FailedNow(Exception):
    """A command fails that succeeded on the copy; the exception rolls the transaction back."""

    def __init__(self, failure: tuple[Echoed, Answered]) -> None:
        super().__init__()
        self.failure = failure


def run_atomically(choices: Choices, sources: Sequence[InputSource], options: RunOptions) -> int:
    """Run the inputs as one; return the exit code: 10 if a command fails, 20 if an input cannot be read."""
    sources = [read_now(source) for source in sources]
    faults = [source.fault for source in sources if source.fault]
    for fault in faults:
        print_error(fault)
    if faults:
        print_error(f"{NOTHING_CHANGED}: --atomic needs all inputs")
        return 20
    if all(map(is_empty, sources)):
        return run_sources(choices, sources, options)
    with ExitStack() as stack:
        qmgr = stack.enter_context(opened_queue_manager(choices, create=True))
        if options.skip_if_running and not stack.enter_context(job_lock(choices, qmgr)):
            return 0
        if not qmgr.is_running:
            return not_running(choices, writer_of(choices, sys.stdout, echo=options.echo), qmgr.name)
        return _try_on_copy(choices, qmgr, sources, options) or apply(choices, qmgr, sources, options)


def _try_on_copy(choices: Choices, qmgr: QueueManager, sources: Sequence[InputSource], options: RunOptions) -> int:
    """0 if every command would succeed; otherwise print those that would fail and return the exit code."""
    from store.client.plan_copy import tried_out

    with tried_out(qmgr) as copy:
        script = options.script(None, Trial(qmgr, copy, atomic=True).carry_out)
        inputs = Inputs(sources, stop_on_error=options.stop_on_error)
        failing = list(_failing(inputs.steps(script)))
    return _report_failures(choices, options, qmgr.name, script, failing) if failing else 0


def apply(choices: Choices, qmgr: QueueManager, sources: Sequence[InputSource], options: RunOptions) -> int:
    """Perform all commands in one transaction, print the output after the commit, and return the exit code.

    If a command fails, the transaction is rolled back and only that command is printed.
    """
    with tempfile.SpooledTemporaryFile(HELD_IN_MEMORY, "w+", encoding="utf-8", errors="backslashreplace") as held:
        writer = writer_of(choices, cast("TextIO", held), echo=options.echo)
        script, inputs = options.script(qmgr), Inputs(sources, warn_if_empty=False)
        writer.begin(qmgr.name)
        try:
            with qmgr.store.database.one_transaction():
                write(writer, _without_failure(inputs.steps(script)))
        except _FailedNow as undone:
            return _report_failures(choices, options, qmgr.name, script, [undone.failure])
        writer.end(script.tally)
        _print(held)
    if choices.format in JSON_FORMATS:
        choices.inform("\n".join(script.tally.lines()))
    return script.tally.exit_code


def _print(held: IO[str]) -> None:
    """Print the held output; if that fails (disk full), say that the commands were performed."""
    held.seek(0)
    terminal = is_terminal(sys.stdout)
    try:
        for line in held:
            sys.stdout.write(f"{printable(line[:-1])}\n" if terminal else line)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader of the pipe has ended.
        raise
    except OSError:
        print_error("all commands were performed, but the replies cannot be printed")
        raise


def _failing(steps: Iterator[Echoed | Answered]) -> Iterator[tuple[Echoed, Answered]]:
    """The commands that failed, each with its echo."""
    echo = Echoed(None, ())
    for step in steps:
        if isinstance(step, Echoed):
            echo = step
        elif has_failed(step):
            yield echo, step


def _without_failure(steps: Iterator[Echoed | Answered]) -> Iterator[Echoed | Answered]:
    """The steps; raises _FailedNow at the first command that fails."""
    echo = Echoed(None, ())
    for step in steps:
        if isinstance(step, Echoed):
            echo = step
        elif has_failed(step):
            raise _FailedNow((echo, step))
        yield step


def _report_failures(
    choices: Choices, options: RunOptions, name: str, script: Script, failing: Sequence[tuple[Echoed, Answered]]
) -> int:
    """Print the commands that failed and say that nothing was changed; return the exit code."""
    writer = writer_of(choices, sys.stdout, echo=options.echo)
    writer.begin(name)
    for pair in failing:
        write(writer, pair)
    writer.end(script.tally)
    print_error(f"{NOTHING_CHANGED}: {counted(len(failing), 'command')} of {script.tally.read} would fail")
    return 10


# `mqsc run --plan`: shows what scripts would change, without changing it.


def plan_sources(choices: Choices, sources: Sequence[InputSource], options: RunOptions, *, atomic: bool = False) -> int:
    """Try the inputs on a copy of the chosen queue manager and print the plan line by line; return the exit code.

    With `atomic`, commands that --atomic does not allow are errors. The exit code is 0 if nothing would change, 2 if
    something would, 10 if a command would fail or an input cannot be read, 20 if there is nothing to plan. Nothing is
    written; a missing store is not created.
    """
    from store.client.plan_copy import tried_out

    if nothing_to_read(sources):
        return 20
    counts: Counter[Action] = Counter()
    with queue_manager_to_plan_for(choices) as qmgr, tried_out(running(qmgr)) as copy:
        trial = Trial(qmgr, copy, atomic=atomic)
        inputs = Inputs(sources, qmgr.store.path, stop_on_error=options.stop_on_error)
        steps = inputs.steps(options.script(None, trial.carry_out))
        found = (row for step in steps if isinstance(step, Answered) for row in trial.planned(step))
        _planned_run_print(choices, qmgr.name, _counted(found, counts), counts)
    if choices.format in JSON_FORMATS:
        choices.inform(f"mqsc: {summary(counts)}")
    return 10 if inputs.unread else exit_code(counts)


def _counted(found: Iterable[Planned], counts: Counter[Action]) -> Iterator[Planned]:
    for planned in found:
        counts[planned.action] += 1
        yield planned


def _planned_run_print(choices: Choices, name: str, found: Iterable[Planned], counts: Counter[Action]) -> None:
    if print_json(choices.format, map(as_row, found)):
        sys.stdout.flush()
        return
    text = PlanText(sys.stdout, terminal=is_terminal(sys.stdout), width=columns())
    text.begin(name)
    for planned in found:
        text.write(planned)
    text.end(counts)


@contextmanager
def queue_manager_to_plan_for(choices: Choices) -> Iterator[QueueManager]:
    """The chosen queue manager; a temporary one in memory if a run would create the first one."""
    from store import open_store

    reason = reason_to_create(choices)
    if reason is None:
        # Never created if it is named, but then the error is that of a run.
        with opened_queue_manager(choices, create=choices.qmgr_name() is not None) as qmgr:
            yield qmgr
        return
    choices.inform(f"mqsc: {reason}: this is the plan for a new queue manager {FIRST_QUEUE_MANAGER}")
    with open_store("sqlite://") as store:
        yield store.create_queue_manager(FIRST_QUEUE_MANAGER)


# A plan as text and as JSON, written line by line, and its exit code.

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

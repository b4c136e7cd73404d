"""Sends a planned change to a queue manager elsewhere, and finds out what came of it (targets §5).

Nothing is sent before the very script that is sent has run on a copy, and before the files that
undo it are on the disk. The replies say what was done, and reading once more says whether all is as
planned.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from msgspec import Struct, structs

from mqsc.console.inputs import InputError
from mqsc.console.options import Choices
from mqsc.console.parameters import iso
from mqsc.console.target import FAILED
from mqsc.console.text.reasons import counted
from mqsc.grammar.lines import LogicalLine, logical_lines
from mqsc.language.refusal import CommandRefusal
from mqsc.language.request import Request
from mqsc.language.secrets import masked
from mqsc.plan import CHANGING, Action, Planned, Trial
from mqsc.script import Answered
from mqsc.scripts.declarations import is_absent
from mqsc.scripts.export import ExportCommand
from mqsc.scripts.export_output import one_line, wrapped
from mqsc.scripts.leading_script import Given, LeadingScript, leading_script, state_of
from mqsc.scripts.plan_output import print_rows
from mqsc.scripts.run import print_error
from mqsc.store.client.api import QueueManager
from mqsc.store.client.plan_copy import tried_out
from mqsc.store.environment import Environment
from mqsc.targets import journal, one_at_a_time, undo_script
from mqsc.targets.one_at_a_time import UnfinishedChange
from mqsc.targets.programs import LIMIT_SECONDS, CallFailedError, Output, call
from mqsc.targets.reading import TargetState, read_target
from mqsc.targets.replies import Outcome, Reply, SentCommand, first_sentence, replies
from mqsc.targets.target import Target, TargetError
from mqsc.targets.undo_script import UndoFiles
from mqsc.verbs import rehearse

# What runmqsc may take for each command, in addition to the limit for a call.
_SECONDS_A_COMMAND = 0.1


class Change(Struct, frozen=True):
    """A change of a target: its state as it was read, the queue manager before and after, the rows
    of the plan, the commands to send, and what they give beside the states.
    """

    target: Target
    state: TargetState
    before: QueueManager
    after: QueueManager
    rows: Sequence[Planned]
    commands: Sequence[SentCommand]
    given: Given

    @property
    def objects(self) -> set[tuple[str, str]]:
        """The kinds and names of what changes."""
        return {(row.type, row.name) for row in self.rows if row.action in CHANGING}


class SendOptions(Struct, frozen=True):
    """The folder for the undo script, the URL of the store for the record (None for the default
    one), and the name of the program.
    """

    undo: Path
    journal: str | None
    application: str
    detailed_exitcode: bool = False


class _Result(Struct, frozen=True):
    """What became of each command, what is not as planned, and whether that could be read."""

    replies: Sequence[Reply]
    rest: Sequence[Planned] = ()
    unread: str = ""

    @property
    def done(self) -> list[Request]:
        return [each.command.request for each in self.replies if each.outcome is Outcome.DONE]

    @property
    def is_complete(self) -> bool:
        """Whether all was done and is as planned."""
        return not (self.rest or self.unread or len(self.done) < len(self.replies))


def sent_commands(script: LeadingScript, state: TargetState) -> list[SentCommand]:
    """The commands of a script as they are sent, with their secrets."""
    return [_sent(command, state) for command in script.commands]


def _sent(command: ExportCommand, state: TargetState) -> SentCommand:
    text = one_line(command)
    (request,) = _requests_in([text], state)
    return SentCommand(request, masked(text), tuple(wrapped(text)))


def _requests_in(lines: Iterable[str], state: TargetState) -> Iterator[Request]:
    """The requests in lines of MQSC; TargetError for one that cannot be read, or for another line
    than a command: what is sent is what was planned, or nothing.
    """
    for item in logical_lines(lines):
        request = state.read_request(item) if isinstance(item, LogicalLine) else None
        if request is None or isinstance(request, CommandRefusal):
            why = "a comment" if request is None else request.sentence
            raise TargetError(f"{state.target.name}: nothing was sent: MQSC cannot say it: {why}")
        yield request


def send(choices: Choices, change: Change, options: SendOptions) -> int:
    """Send a change that was agreed to, with the lock of its target; return the exit code.

    0 if all was done and is as planned, with `detailed_exitcode` 2; 10 if not. TargetError if
    nothing was sent.
    """
    environment = Environment.system()
    at, user = environment.clock.now(), environment.user
    _rehearse(change)
    files = _write_undo(change, options, at, user)
    choices.inform(f"mqsc: {files.script} undoes it; what was read is in {files.dump}")
    note = UnfinishedChange(
        iso(at),
        user,
        str(files.script.absolute()),
        tuple(each.text for each in change.commands),
    )
    one_at_a_time.begin(change.target, note)
    output = _send(change, files)
    result = _verified(choices, change, replies(change.commands, output.out))
    if not result.is_complete:
        _undo_what_was_done(change, result, files, at, user)
    done = _rows_done(change, result)
    sent = journal.Sent(
        change.target,
        at,
        user,
        options.application,
        result.replies,
        done,
        len(result.rest),
        str(files.script.absolute()),
    )
    journal.record(choices, options.journal, sent)
    _print(choices, change, result, done, files)
    one_at_a_time.end(change.target)
    if not result.is_complete:
        return FAILED
    return 2 if options.detailed_exitcode else 0


def _rehearse(change: Change) -> None:
    """Run the lines that are sent on a copy; TargetError unless they lead to what was planned."""
    lines = [line for command in change.commands for line in command.lines]
    requests = [*_requests_in(lines, change.state)]
    planned = [command.request for command in change.commands]
    if [*map(_meaning, requests)] != [*map(_meaning, planned)]:
        raise TargetError(f"{change.target.name}: nothing was sent: the script is not the plan")
    with tried_out(change.before) as copy:
        for request, command in zip(requests, change.commands, strict=True):
            answer = rehearse(copy, request)
            if answer.completion == 2 and not request.unknown:
                first = f"{answer.message_id}: {answer.text}".splitlines()[0]
                raise TargetError(
                    f"{change.target.name}: nothing was sent: {command.text} would fail: {first}",
                )
        if state_of(copy) != state_of(change.after):
            raise TargetError(
                f"{change.target.name}: nothing was sent: the script does not lead to the plan",
            )


def _meaning(request: Request) -> tuple[object, ...]:
    """What a request says, however it was typed."""
    return (
        request.verb,
        request.noun,
        request.name,
        dict(request.attributes),
        dict(request.options),
        dict(request.unknown),
    )


def _write_undo(change: Change, options: SendOptions, at: int, user: str) -> UndoFiles:
    lines = _undo_lines(change, change.after, at, user)
    try:
        dump = change.state.dump.content
        return undo_script.write_undo(options.undo, change.target, at, lines, dump)
    except (InputError, OSError) as error:
        raise TargetError(f"{change.target.name}: nothing was sent: {error}") from error


def _undo_lines(change: Change, reached: QueueManager, at: int, user: str) -> list[str]:
    """The undo script that leads back from a state."""
    given = Given(
        unknown_before=change.given.unknown_after,
        unknown_after=change.given.unknown_before,
    )
    back = leading_script(reached, change.before, given=given)
    return [*undo_script.undo_lines(change.target, at, user, back, change.given)]


def _send(change: Change, files: UndoFiles) -> Output:
    """Call runmqsc; TargetError if it did not start or read no command."""
    target = change.target
    text = "".join(f"{line}\n" for command in change.commands for line in command.lines)
    limit = LIMIT_SECONDS + _SECONDS_A_COMMAND * len(change.commands)
    try:
        return call(
            target,
            "runmqsc",
            (target.queue_manager,),
            standard_input=text.encode("utf-8", "surrogateescape"),
            limit_seconds=limit,
        )
    except CallFailedError as failure:
        output = failure.output
        if output is None or not (_has_begun(change, output) or output.exit_code < 0):
            files.remove()
            one_at_a_time.end(target)
            raise TargetError(f"{failure}; nothing was changed") from failure
        print_error(str(failure))
        return output


def _has_begun(change: Change, output: Output) -> bool:
    answered = replies(change.commands, output.out)
    return any(reply.outcome is not Outcome.UNKNOWN for reply in answered)


def _verified(choices: Choices, change: Change, answered: Sequence[Reply]) -> _Result:
    """The result, after the target was read once more."""
    try:
        with read_target(_own(choices), change.target) as state:
            now = state.queue_manager()
            known = [*_settled(now, answered)]
            given = Given(
                unknown_before=state.unknown,
                unknown_after=change.given.unknown_after,
            )
            rest = leading_script(now, change.after, given=given).rows
            objects = change.objects
            return _Result(known, [row for row in rest if (row.type, row.name) in objects])
    except TargetError as failure:
        return _Result(answered, unread=str(failure))


def _own(choices: Choices) -> Choices:
    """The choices of the user, without the copy of the target."""
    return choices._replace(store=None, qmgr=None, user=None, elsewhere=None)


def _settled(now: QueueManager, answered: Sequence[Reply]) -> Iterator[Reply]:
    """The replies; a command without one is done if it would change nothing now."""
    unknown = [each for each in answered if each.outcome is Outcome.UNKNOWN]
    in_effect = iter(are_in_effect(now, [each.command.request for each in unknown]))
    for reply in answered:
        if reply.outcome is Outcome.UNKNOWN and next(in_effect):
            yield structs.replace(reply, outcome=Outcome.DONE)
        else:
            yield reply


def are_in_effect(now: QueueManager, requests: Sequence[Request]) -> list[bool]:
    """Of each command, whether it would change nothing."""
    found = []
    with tried_out(now) as copy:
        trial = Trial(now, copy)
        for request in requests:
            if request.verb == "DEFINE":
                options = {**request.options, "REPLACE": "REPLACE"}
                request = structs.replace(request, options=options)
            answer = trial.carry_out(request)
            rows = [*trial.planned(Answered(None, 0, "", answer))]
            changes = any(row.action is not Action.UNCHANGED for row in rows)
            found.append(is_absent(request, answer) or not changes)
    return found


def _undo_what_was_done(
    change: Change,
    result: _Result,
    files: UndoFiles,
    at: int,
    user: str,
) -> None:
    """Let the undo script undo what was done and no more. If that is not known, it stays whole."""
    if result.unread and any(each.outcome is Outcome.UNKNOWN for each in result.replies):
        return
    with tried_out(change.before) as reached:
        for request in result.done:
            rehearse(reached, request)
        # The whole script undoes it too.
        with suppress(InputError):
            undo_script.rewrite(files, _undo_lines(change, reached, at, user))


def _rows_done(change: Change, result: _Result) -> list[Planned]:
    """The rows of the plan for what was done as a whole."""
    left = {
        (each.command.request.noun, each.command.request.name)
        for each in result.replies
        if each.outcome is not Outcome.DONE
    }
    return [
        row
        for row in change.rows
        if row.action in CHANGING and (row.type, row.name) not in left
    ]


def _print(
    choices: Choices,
    change: Change,
    result: _Result,
    done: Sequence[Planned],
    files: UndoFiles,
) -> None:
    """Print what was done, what was not, and what is not as planned."""
    failed = [_row_of(each) for each in result.replies if each.outcome is not Outcome.DONE]
    print_rows(choices, [*done, *failed], done=True, details=False, asked_for=False)
    name, sent = change.target.name, counted(len(result.replies), "command")
    choices.inform(f"mqsc: {name}: {sent} sent, {len(result.done)} done")
    if result.unread:
        print_error(f"what is there now is not known: {result.unread}")
    elif result.rest:
        print_error(f"{name} is not as planned:")
        print_rows(choices, result.rest)
    else:
        choices.inform(f"mqsc: {name} is as planned")
    if result.done:
        choices.inform(f"mqsc: undo it with `mqsc run {files.script} --on {name}`")


def _row_of(reply: Reply) -> Planned:
    """The row for a command that was not done."""
    message = first_sentence(reply)
    return Planned(None, 0, reply.command.text, Action.ERROR, text=message)

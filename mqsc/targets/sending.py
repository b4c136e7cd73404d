"""Sends a planned change to a queue manager elsewhere, and finds out what came of it (targets §5).

Nothing is sent before the very script that is sent has run on a copy, and before the files that
undo it are on the disk. The replies say what was done, and reading once more says whether all is as
planned.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from msgspec import Struct, structs

from mqsc.console.inputs import InputError
from mqsc.console.options import Choices
from mqsc.console.parameters import iso
from mqsc.console.target import FAILED, opened_queue_manager
from mqsc.grammar.lines import LogicalLine, logical_lines
from mqsc.language.refusal import CommandRefusal
from mqsc.language.request import Request
from mqsc.language.secrets import masked
from mqsc.plan import CHANGING, DEFINING, Action, Planned, Trial
from mqsc.script import Answered
from mqsc.scripts.apply_run import CHANGED
from mqsc.scripts.declarations import is_absent
from mqsc.scripts.export import ExportCommand
from mqsc.scripts.export_output import one_line, wrapped
from mqsc.scripts.leading_script import Given, LeadingScript, State, leading_script, state_of
from mqsc.scripts.run import print_error
from mqsc.scripts.selection import Selection
from mqsc.store.client.plan_copy import tried_out
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.environment import Environment
from mqsc.targets import journal, one_at_a_time, undo_script
from mqsc.targets.calls import LIMIT_SECONDS, CallFailedError, Output
from mqsc.targets.one_at_a_time import UnfinishedChange
from mqsc.targets.programs import call
from mqsc.targets.reading import TargetState, read_target
from mqsc.targets.replies import Outcome, Reply, SentCommand, replies
from mqsc.targets.target import Target, TargetError
from mqsc.targets.undo_script import Moment, UndoFiles
from mqsc.verbs import rehearse

# What runmqsc may take for each command, in addition to the limit for a call.
_SECONDS_A_COMMAND = 0.1
# Exit codes of runmqsc for a script that was not run, and of shells and containers for a program
# that cannot be started.
_NOTHING_PERFORMED = (20, 126, 127)
# The rows of definitions, which can be undone and verified.
_DEFINING = CHANGING - {Action.ACTION}


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
        """The kinds and names of the definitions that change."""
        return {(row.type, row.name) for row in self.rows if row.action in _DEFINING}


class SendOptions(Struct, frozen=True):
    """The folder for the undo script, the URL of the store for the record (None for the default
    one), and the name of the program.
    """

    undo: Path
    journal: str | None
    application: str


class Result(Struct, frozen=True):
    """What became of each command, the rows of the plan that were done, the rows of what is not as
    planned, and why that could not be read. `now` are the definitions that were read afterwards,
    None if they could not be. `undo` is None if no definition was changed.
    """

    replies: Sequence[Reply]
    rows_done: Sequence[Planned] = ()
    rest: Sequence[Planned] = ()
    unread: str = ""
    now: State | None = None
    undo: UndoFiles | None = None

    @property
    def done(self) -> list[Request]:
        return [each.command.request for each in self.replies if each.outcome is Outcome.DONE]

    @property
    def left(self) -> list[Reply]:
        """The replies to the commands that were not done."""
        return [each for each in self.replies if each.outcome is not Outcome.DONE]

    @property
    def is_complete(self) -> bool:
        """Whether all was done and is as planned."""
        return not (self.rest or self.unread or self.left)

    def exit_code(self, *, detailed: bool = False) -> int:
        """0 if all was done and is as planned, or 2 if `detailed`; else 10."""
        if not self.is_complete:
            return FAILED
        return CHANGED if detailed else 0


def sent_commands(script: LeadingScript, state: TargetState) -> list[SentCommand]:
    """The commands of a script as they are sent, with their secrets."""
    return [_sent(command, state) for command in script.commands]


def _sent(command: ExportCommand, state: TargetState) -> SentCommand:
    text = one_line(command)
    (request,) = requests_in([text], state)
    return SentCommand(request, masked(text), tuple(wrapped(text)))


def requests_in(lines: Iterable[str], state: TargetState) -> Iterator[Request]:
    """The requests in lines of MQSC; TargetError for one that cannot be read, or for another line
    than a command: what is sent is what was planned, or nothing.
    """
    for item in logical_lines(lines):
        request = state.read_request(item) if isinstance(item, LogicalLine) else None
        if request is None or isinstance(request, CommandRefusal):
            why = "a comment" if request is None else request.sentence
            raise TargetError(f"{state.target.name}: nothing was sent: MQSC cannot say it: {why}")
        yield request


def send(
    choices: Choices,
    change: Change,
    options: SendOptions,
    show: Callable[[Sequence[Reply]], None] | None = None,
) -> Result:
    """Send a change that was agreed to, with the lock of its target, and `show` the replies.

    TargetError if nothing was sent.
    """
    environment = Environment.system()
    moment = undo_script.Moment(environment.clock.now(), environment.user)
    journal.check(options.journal)
    _rehearse(change)
    files = _write_undo(change, options, moment)
    if files is not None:
        choices.inform(f"mqsc: {files.script} undoes it; what was read is in {files.dump}")
    undo = "" if files is None else str(files.script.absolute())
    commands = tuple(each.text for each in change.commands)
    note = UnfinishedChange(iso(moment.at), moment.user, undo, commands)
    one_at_a_time.begin(change.target, note)
    output = _send(change, files)
    answered = replies(change.commands, output.out)
    if show is not None:
        show(answered)
    result = structs.replace(_verified(choices, change, answered), undo=files)
    if files is not None and not result.is_complete:
        result = _undo_what_was_done(change, result, files, moment)
    journal.record(
        choices,
        options.journal,
        journal.Sent(
            change.target,
            moment.at,
            moment.user,
            options.application,
            result.replies,
            result.rows_done,
            len(result.rest),
            undo,
        ),
    )
    # What was not read is said by the next program that can read it.
    if not result.unread:
        one_at_a_time.end(change.target)
    return result


def _rehearse(change: Change) -> None:
    """Run the lines that are sent on a copy; TargetError unless they lead to what was planned."""
    lines = [line for command in change.commands for line in command.lines]
    requests = [*requests_in(lines, change.state)]
    planned = [command.request for command in change.commands]
    if [*map(_meaning, requests)] != [*map(_meaning, planned)]:
        raise TargetError(f"{change.target.name}: nothing was sent: the script is not the plan")
    with tried_out(change.before) as copy:
        for request, command in zip(requests, change.commands, strict=True):
            if not command.is_tried:
                continue
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


def _write_undo(change: Change, options: SendOptions, moment: Moment) -> UndoFiles | None:
    """Write the undo script and the dump, if definitions change."""
    if not change.objects:
        return None
    lines = _undo_lines(change, change.after, moment, _on_the_way(change))
    try:
        dump = change.state.dump.content
        return undo_script.write_undo(options.undo, change.target, moment, lines, dump)
    except (InputError, OSError) as error:
        raise TargetError(f"{change.target.name}: nothing was sent: {error}") from error


def _on_the_way(change: Change) -> list[ExportCommand]:
    """What leads back from the states between the commands, for objects that have several: a kill
    between DEFINE and DELETE leaves an object that neither state has.
    """
    counted = Counter(key for command in change.commands for key in {*command.keys})
    ways: list[ExportCommand] = []
    if all(number == 1 for number in counted.values()):
        return ways
    with tried_out(change.before) as copy:
        for command in change.commands[:-1]:
            if not command.is_tried:
                continue
            rehearse(copy, command.request)
            names = tuple(key[1] for key in command.keys if counted[key] > 1)
            if names:
                back = leading_script(copy, change.before, Selection(include=names))
                ways += (each for each in back.commands if each not in ways)
    return ways


def _undo_lines(
    change: Change,
    reached: QueueManager,
    moment: Moment,
    first: Sequence[ExportCommand] = (),
) -> list[str]:
    """The undo script that leads back from a state, with commands that come first."""
    given = Given(
        unknown_before=change.given.unknown_after,
        unknown_after=change.given.unknown_before,
    )
    back = leading_script(reached, change.before, given=given)
    others = (each for each in first if each not in back.commands)
    back = structs.replace(back, commands=(*others, *back.commands))
    # What is new goes with its secrets.
    lost = [key for key in change.given.secrets if key in state_of(change.before)]
    return [*undo_script.undo_lines(change.target, moment, back, lost)]


def _send(change: Change, files: UndoFiles | None) -> Output:
    """Send the commands; TargetError if certainly none was performed. Where what carries them, such
    as ssh, has failed, all may be done and no reply have come: reading again tells.
    """
    target = change.target
    text = "".join(f"{line}\n" for command in change.commands for line in command.lines)
    limit = LIMIT_SECONDS + _SECONDS_A_COMMAND * len(change.commands)
    try:
        if target.rest:
            from mqsc.targets import rest

            return rest.send(target, [command.lines for command in change.commands], limit)
        return call(
            target,
            "runmqsc",
            (target.queue_manager,),
            standard_input=text.encode("utf-8", "surrogateescape"),
            limit_seconds=limit,
        )
    except CallFailedError as failure:
        output = failure.output
        if output is None or (
            output.exit_code in _NOTHING_PERFORMED and not _has_begun(change, output)
        ):
            if files is not None:
                files.remove()
            one_at_a_time.end(target)
            raise TargetError(f"{failure}; nothing was changed") from failure
        print_error(str(failure))
        return output


def _has_begun(change: Change, output: Output) -> bool:
    answered = replies(change.commands, output.out)
    return any(reply.outcome is not Outcome.UNKNOWN for reply in answered)


def _verified(choices: Choices, change: Change, answered: Sequence[Reply]) -> Result:
    """The result, after the target was read once more."""
    try:
        with (
            read_target(choices._replace(quiet=True), change.target) as state,
            opened_queue_manager(state.choices) as now,
        ):
            known = [*_settled(now, answered)]
            given = Given(
                unknown_before=state.unknown,
                unknown_after=change.given.unknown_after,
            )
            rest = leading_script(now, change.after, given=given).rows
            left = [row for row in rest if (row.type, row.name) in change.objects]
            return Result(known, _rows_done(change, known), left, now=state_of(now))
    except TargetError as failure:
        return Result(answered, _rows_done(change, answered), unread=str(failure))


def _settled(now: QueueManager, answered: Sequence[Reply]) -> Iterator[Reply]:
    """The replies; a definition without one is done if it would change nothing now."""
    unknown = [each for each in answered if _can_be_settled(each)]
    in_effect = iter(are_in_effect(now, [each.command.request for each in unknown]))
    for reply in answered:
        if _can_be_settled(reply) and next(in_effect):
            yield structs.replace(reply, outcome=Outcome.DONE)
        else:
            yield reply


def _can_be_settled(reply: Reply) -> bool:
    return reply.outcome is Outcome.UNKNOWN and reply.command.request.verb in DEFINING


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
    result: Result,
    files: UndoFiles,
    moment: Moment,
) -> Result:
    """Let the undo script undo what was done and no more; without anything done, there is none.

    It stays whole if what was read afterwards is not what the replies say, or was not read.
    """
    with tried_out(change.before) as reached:
        for request in result.done:
            rehearse(reached, request)
        if result.now is None or _concerned(change, result.now) != _concerned(
            change, state_of(reached)
        ):
            return result
        if not result.done:
            files.remove()
            return structs.replace(result, undo=None)
        # The whole script undoes it too.
        with suppress(InputError):
            undo_script.rewrite(files, _undo_lines(change, reached, moment))
    return result


def _concerned(change: Change, definitions: State) -> State:
    """The definitions with the names of those that change. The queue manager has none."""
    names = {"", *(name for _, name in change.objects)}
    return {key: each for key, each in definitions.items() if each.name in names}


def _rows_done(change: Change, answered: Sequence[Reply]) -> list[Planned]:
    """The rows of the plan for what was done as a whole. Records that go with their object have no
    command of their own.
    """
    named = {each for reply in answered for each in reply.command.objects}
    left = {
        each
        for reply in answered
        if reply.outcome is not Outcome.DONE
        for each in reply.command.objects
    }
    names_left = {name for _, name in left}
    return [
        row
        for row in change.rows
        if row.action in CHANGING
        and (row.type, row.name) not in left
        and ((row.type, row.name) in named or row.name not in names_left)
    ]

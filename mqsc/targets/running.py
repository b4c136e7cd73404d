"""`mqsc run --on`: commands as they are written, sent to a queue manager elsewhere (targets §5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack

from msgspec import Struct

from mqsc.console.inputs import InputSource, read_now
from mqsc.console.json_rows import print_data
from mqsc.console.options import Choices
from mqsc.console.target import FAILED, NothingRunError, opened_queue_manager
from mqsc.console.terminal import print_line
from mqsc.language.reply import Answer
from mqsc.language.request import Request
from mqsc.language.secrets import masked
from mqsc.language.support import unsupported_here
from mqsc.plan import CHANGING, Action, Planned, Trial
from mqsc.script import EMPTY_ANSWER, Answered, Script
from mqsc.scripts.declarations import is_absent, is_undo_script
from mqsc.scripts.export_output import wrapped
from mqsc.scripts.planning import ApplyPlan
from mqsc.scripts.run import Inputs, print_error
from mqsc.store.client.plan_copy import tried_out
from mqsc.store.client.queue_manager import QueueManager
from mqsc.targets.apply_script import check_ascii, given_in
from mqsc.targets.changing import (
    ATTEMPTS,
    at_the_target,
    is_agreed,
    print_result,
    print_unsent_plan,
)
from mqsc.targets.reading import TargetState
from mqsc.targets.replies import Reply, SentCommand
from mqsc.targets.sending import Change, SendOptions, send
from mqsc.targets.target import Target

# With what a command of an undo script fails if there is nothing to undo: it exists, does not
# exist, or is of another type.
_UNDONE: Mapping[str, tuple[str, ...]] = {
    "DEFINE": ("AMQ8150", "AMQ8151"),
    "ALTER": ("AMQ8147", "AMQ8151"),
    "DELETE": ("AMQ8147", "AMQ8151"),
}
_NUMBER_LENGTH = len("AMQ8150")


class _Tried(Struct, frozen=True):
    """The commands of the inputs, and the rows of what they change."""

    commands: tuple[SentCommand, ...]
    rows: tuple[Planned, ...]

    @property
    def plan(self) -> ApplyPlan:
        return ApplyPlan(self.rows, (), (), 0)


def run_on(
    choices: Choices,
    target: Target,
    sources: Sequence[InputSource],
    values: Mapping[str, str] | None,
    sending: SendOptions,
    *,
    only_plan: bool,
    yes: bool,
) -> int:
    """Send the commands of the inputs to a target and print the replies; return the exit code.

    TargetError, with 20, if nothing could be planned or sent.
    """
    sources = [read_now(source) for source in sources]
    for fault in filter(None, (source.fault for source in sources)):
        raise NothingRunError(f"nothing was sent: {fault}")
    agreed: Sequence[Planned] | None = None
    for _ in range(ATTEMPTS):
        is_alone = yes or agreed is not None
        with ExitStack() as held:
            state = held.enter_context(at_the_target(choices, target, is_alone=is_alone))
            qmgr = held.enter_context(opened_queue_manager(state.choices))
            state.bring_states(qmgr)
            after = held.enter_context(tried_out(qmgr))
            tried = _tried(qmgr, after, sources, values, state)
            check_ascii(qmgr, ((each.text, each.text) for each in tried.commands))
            changes = any(row.action in CHANGING for row in tried.rows)
            if only_plan or tried.plan.has_errors or not tried.commands:
                return print_unsent_plan(choices, target, tried.plan, only_plan=only_plan)
            if changes and not (yes or agreed == tried.rows):
                is_new = agreed is not None
                if not is_agreed(choices, sources, target, tried.plan, is_new=is_new):
                    return FAILED
                agreed = tried.rows
                continue
            given = given_in((each.request for each in tried.commands if each.keys), state)
            change = Change(target, state, qmgr, after, tried.rows, tried.commands, given)
            result = send(choices, change, sending, _Shown(choices).show)
            print_result(choices, change, result, with_rows=False)
            return result.exit_code()
    print_error(f"nothing was changed: somebody else keeps changing {target.name}")
    return FAILED


def _tried(
    qmgr: QueueManager,
    after: QueueManager,
    sources: Sequence[InputSource],
    values: Mapping[str, str] | None,
    state: TargetState,
) -> _Tried:
    """Run the commands on the copy."""
    trial = Trial(qmgr, after)
    commands: list[SentCommand] = []
    rows: list[Planned] = []

    def carry_out(request: Request) -> Answer:
        unsupported = unsupported_here(request)
        text = f"{request.text};" if request.text.endswith(("+", "-")) else request.text
        commands.append(
            SentCommand(request, masked(text), tuple(wrapped(text)), is_tried=not unsupported),
        )
        return EMPTY_ANSWER if unsupported else trial.carry_out(request)

    script = Script(None, carry_out=carry_out, values=values, read=state.read_request)
    undoes = all(map(is_undo_script, sources))
    for step in Inputs(sources).steps(script):
        if not isinstance(step, Answered):
            continue
        if undoes and commands and _is_undone(commands[-1].request, step.answer):
            rows.append(_left_out(step, commands.pop().request))
            continue
        rows += trial.planned(step)
        if commands and not commands[-1].is_tried and step.answer is EMPTY_ANSWER:
            rows.append(_untried(step, commands[-1].request))
    return _Tried(tuple(commands), tuple(rows))


def _is_undone(request: Request, answer: Answer) -> bool:
    """Whether a command of an undo script failed because what it undoes was not done: there is
    nothing to delete, or to alter until a later command defines it, or what it would define is
    there.
    """
    number = answer.message_id[:_NUMBER_LENGTH]
    return number in _UNDONE.get(request.verb, ()) or is_absent(request, answer)


def _left_out(step: Answered, request: Request) -> Planned:
    """The row for a command that is not sent, because it has nothing to undo."""
    where = step.file, step.line, step.command
    action = Action.SKIPPED if request.verb == "ALTER" else Action.UNCHANGED
    return Planned(*where, action, request.kinds[0].keyword, request.name)


def _untried(step: Answered, request: Request) -> Planned:
    """The row for a command whose effects are not known here."""
    where = step.file, step.line, step.command
    return Planned(*where, Action.ACTION, request.noun, request.name, text="not tried before")


class _Shown(Struct):
    """Prints the replies, as runmqsc wrote them or as data."""

    choices: Choices

    def show(self, replies: Sequence[Reply]) -> None:
        data = (
            {
                "command": reply.command.text,
                "outcome": reply.outcome.name,
                "reply": [*reply.lines],
            }
            for reply in replies
        )
        if print_data(self.choices.format, data):
            return
        for number, reply in enumerate(replies, 1):
            print_line(f"{number:>6} : {reply.command.text}")
            for line in reply.lines or ("no reply",):
                print_line(line)

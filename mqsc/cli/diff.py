"""`mqsc diff`: the differences between a queue manager and the definitions in files."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from mqsc.apply.declarations import is_absent
from mqsc.console.inputs import InputError, InputSource, named_by, opened_lines, read_now
from mqsc.console.json_output import JSON_FORMATS, JsonRows
from mqsc.console.options import choices_of, common_options, files_to_complete
from mqsc.console.plan_output import failure_lines
from mqsc.console.target import NothingRunError, opened_queue_manager
from mqsc.console.terminal import print_line
from mqsc.export.differences import Difference, differences
from mqsc.plan import DEFINING
from mqsc.reply import Answer
from mqsc.script import EMPTY_ANSWER, Answered, Script
from mqsc.scripts.script_run import has_failed, print_error
from mqsc.scripts.variable_options import check_variables, values_of
from mqsc.verbs import perform
from store import open_store

if TYPE_CHECKING:
    from mqsc.language.request import Request
    from store.client.api import QueueManager

DIFFERENT = 2


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE|FOLDER|PATTERN|-...", shell_complete=files_to_complete)
@click.option("--set", "given", multiple=True, metavar="NAME=VALUE", help="Set ${NAME} in the files; repeatable.")
@common_options
@click.pass_context
def diff(context: click.Context, /, files: tuple[str, ...], given: tuple[str, ...]) -> None:
    """Compare the definitions of a queue manager with those that FILEs would make on a new one.

    Prints the changes that would make the queue manager match the files: CREATE, UPDATE with old -> new, and DELETE for
    objects that no file defines. Exit code 0 when there is no difference, 2 when there is one, 10 when a command in a
    file fails, 20 when nothing can be compared.
    """
    choices = choices_of(context)
    sources = [source for path in files for source in named_by(path)]
    values = None
    if given:
        values = values_of(given)
        sources = [read_now(source) for source in sources]
        check_variables(sources, values)
    with opened_queue_manager(choices) as qmgr, _empty_copy(qmgr) as wanted:
        failed = sum(_run_definitions(wanted, source, values, qmgr.store.path) for source in sources)
        found = _print(differences(qmgr, wanted), choices.format)
    choices.inform(f"mqsc: {_summary(found)}")
    context.exit(10 if failed else DIFFERENT if found else 0)


@contextmanager
def _empty_copy(qmgr: QueueManager) -> Iterator[QueueManager]:
    """A new queue manager of the same name, in the same queue-sharing group if any, in memory."""
    with open_store("sqlite://", environment=qmgr.store.environment) as memory:
        yield memory.create_queue_manager(qmgr.name, group=qmgr.row().sharing_group)


def _run_definitions(
    wanted: QueueManager, source: InputSource, values: Mapping[str, str] | None, store_path: str | None
) -> int:
    """Run the definitions in an input and return how many commands failed."""

    def carry_out(request: Request) -> Answer:
        answer = perform(wanted, request) if request.verb in DEFINING else EMPTY_ANSWER
        return EMPTY_ANSWER if is_absent(request, answer) else answer

    script, failed = Script(None, carry_out=carry_out, values=values), 0
    try:
        with opened_lines(source, store_path) as lines:
            for step in script.steps(lines, source.file):
                if isinstance(step, Answered) and has_failed(step):
                    failed += 1
                    first, *rest = failure_lines(step.answer.message_id, step.answer.text)
                    print_error("\n  ".join((f"{source.name}, line {step.line}: {first}", *rest)))
    except InputError as fault:
        raise NothingRunError(str(fault)) from fault
    return failed


def _print(found: Iterable[Difference], format: str | None) -> Counter[str]:
    counts: Counter[str] = Counter()
    if format in JSON_FORMATS:
        with JsonRows(sys.stdout, array=format == "json") as rows:
            for each in found:
                counts[each.action] += 1
                rows.write(each.as_json())
        return counts
    for each in found:
        counts[each.action] += 1
        for line in each.lines():
            print_line(line)
    return counts


def _summary(counts: Counter[str]) -> str:
    words = {"CREATE": "to create", "UPDATE": "to update", "DELETE": "to delete"}
    return ", ".join(f"{counts[action]} {words[action]}" for action in words if counts[action]) or "no difference"

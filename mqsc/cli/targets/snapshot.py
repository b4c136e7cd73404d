"""`mqsc snapshot`: the definitions and states of a target, imported into the history."""

from __future__ import annotations

import io
from functools import partial
from time import gmtime, strftime

import click

from mqsc.cli.import_ import print_outcome
from mqsc.console.options import Choices, command
from mqsc.console.refused_on import ON
from mqsc.console.target import FAILED
from mqsc.imports.definitions import import_definitions
from mqsc.imports.recognition import ImportFile, ImportOptions
from mqsc.imports.transcript import transcript
from mqsc.store.environment import MICROSECONDS, SystemClock
from mqsc.targets.calls import READING_CALLS
from mqsc.targets.declared import target_named
from mqsc.targets.dump import Dump, dump_of
from mqsc.targets.on_target import TargetName
from mqsc.targets.programs import read
from mqsc.targets.target import Target


@command(common=("store", "quiet"))
@click.option(
    ON,
    "on",
    type=TargetName(),
    required=True,
    metavar="TARGET",
    help="The target to read.",
)
def snapshot(choices: Choices, on: str) -> int:
    """Record the definitions and states of a target in the history of the store, for cron.

    The dump becomes events of the history as `mqsc import` of a dump makes them: what was defined,
    altered and deleted since the snapshot before. The queue manager of that name in the store, which
    is created if it does not exist, gets the definitions. Exit code 10 if something was left out.
    """
    target = target_named(on)
    dump = dump_of(target)
    states = read(target, "state")
    now = SystemClock().now()
    options = ImportOptions(choices, keep_going=True, skip_unsupported=True, taken_at=now)
    content = _heading(target, dump, now) + dump.content
    outcomes = [
        *import_definitions("dmpmqcfg", [_file(f"{on}: dmpmqcfg", content)], options),
        *transcript(
            "transcript",
            [_file(f"{on}: runmqsc", _banner(target) + states.out)],
            options,
        ),
    ]
    for outcome in outcomes:
        if outcome.faults or not choices.quiet:
            print_outcome(outcome, options)
    return FAILED if any(each.faults for each in outcomes) else 0


def _file(name: str, content: bytes) -> ImportFile:
    return ImportFile(name, partial(io.BytesIO, content))


def _heading(target: Target, dump: Dump, now: int) -> bytes:
    """The heading of a dump that has none: without its time it could not be compared with the one
    before.
    """
    if dump.heading.is_of_dump:
        return b""
    taken = strftime("%Y-%m-%d   at %H.%M.%S", gmtime(now // MICROSECONDS))
    reading = READING_CALLS["definitions"]
    return (
        f"* Script generated on {taken}\n"
        f"* Queue manager name: {target.queue_manager}\n"
        f"* Command issued: {reading.program} -m {target.queue_manager} -a -x all -o 1line\n"
    ).encode()


def _banner(target: Target) -> bytes:
    return f"Starting MQSC for queue manager {target.queue_manager}.\n".encode()

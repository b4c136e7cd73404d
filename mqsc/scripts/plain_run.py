"""`mqsc run`: performs the commands of scripts one after another."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import ExitStack

from mqsc.console.inputs import InputSource, is_empty
from mqsc.console.json_output import JSON_FORMATS
from mqsc.console.options import Choices
from mqsc.console.target import FIRST_QUEUE_MANAGER, opened_queue_manager, reason_to_create
from mqsc.scripts.script_run import (
    DEFAULTS,
    Inputs,
    RunOptions,
    job_lock,
    not_running,
    nothing_to_read,
    write,
    writer_of,
)


def run_sources(choices: Choices, sources: Sequence[InputSource], options: RunOptions = DEFAULTS) -> int:
    """Run the inputs one after another on the chosen queue manager; return the exit code."""
    # Checked first, so that a run without input does not create a store.
    if nothing_to_read(sources):
        return 20
    writer = writer_of(choices, sys.stdout, echo=options.echo)
    with ExitStack() as stack:
        if _needs_no_queue_manager(choices, sources, options):
            script, name, store_path = options.script(None), FIRST_QUEUE_MANAGER, None
        else:
            qmgr = stack.enter_context(opened_queue_manager(choices, create=options.create))
            script = options.script(None if options.verify else qmgr)
            name, store_path = qmgr.name, qmgr.store.path
            if options.skip_if_running and not stack.enter_context(job_lock(choices, qmgr)):
                return 0
            if not options.verify and not qmgr.is_running:
                return not_running(choices, writer, name)
        inputs = Inputs(sources, store_path, stop_on_error=options.stop_on_error)
        writer.begin(name)
        write(writer, inputs.steps(script))
        writer.end(script.tally)
    if choices.format in JSON_FORMATS:
        choices.inform("\n".join(script.tally.lines()))
    return inputs.exit_code(script.tally)


def _needs_no_queue_manager(choices: Choices, sources: Sequence[InputSource], options: RunOptions) -> bool:
    """Whether commands are only checked and no queue manager is named, or one would be created for an empty input."""
    if options.verify:
        return choices.qmgr_name() is None
    return options.create and all(map(is_empty, sources)) and reason_to_create(choices) is not None

"""A script of MQSC that is tried on a copy: its plan, what it would have changed on the last day,
and a file with the plan.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

from msgspec import structs

from mqsc.cli.past.whatif import compared
from mqsc.cli.past.whatif_replay import Changes, Period
from mqsc.cli.past.whatif_text import lines
from mqsc.console.inputs import InputSource
from mqsc.console.options import Choices
from mqsc.console.replaced_file import write_whole
from mqsc.console.target import CommandFailedError, opened_queue_manager, running
from mqsc.language.secrets import secret_spans
from mqsc.plan import CHANGING, Planned
from mqsc.sandbox.answers import escaped, rows_shown
from mqsc.scripts.declarations import statements_in
from mqsc.scripts.export_output import one_line
from mqsc.scripts.leading_script import leading_script
from mqsc.scripts.plan_output import Counts, as_row
from mqsc.scripts.planning import NOT_A_DEFINITION, ApplyPlan, plan_to_apply
from mqsc.scripts.saved_plan import encoded, saved_plan
from mqsc.store.admin.event_search import EventSelection, events, newest
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.environment import MICROSECONDS
from mqsc.store.past.as_of import NoSuchMomentError, moment_at, moment_of_event
from mqsc.store.past.clocks import Moment, clock_at, owners_with_clock
from mqsc.targets.apply_script import carried_out

_DAY = 86_400 * MICROSECONDS
# The events of a day are played again twice; an agent does not wait for more.
MOST_PLAYED = 50_000
# Each command is tried several times.
MOST_COMMANDS = 1_000
# The plans that a server saves: an agent that goes on trying does not fill the disk.
MOST_PLANS = 100
_NOT_TRIED = "defines nothing, so it is not tried"

TrialAnswer = dict[str, Any]


def try_script(choices: Choices, script: str, folder: Path | None, saved: set[str]) -> TrialAnswer:
    """Try a script on the queue manager of a copy; `saved` are the names of the plans that are in
    the folder already.
    """
    statements = statements_in([InputSource(text=script)], None)
    if len(statements) > MOST_COMMANDS:
        raise CommandFailedError(
            f"the script has {len(statements)} commands; at most {MOST_COMMANDS} are tried",
        )
    with opened_queue_manager(choices) as qmgr:
        plan = plan_to_apply(running(qmgr), statements, prune=False)
        counts = Counts()
        rows = [_row(each) for each in counts.counting(plan.rows)]
        answer = {
            "queue_manager": escaped(qmgr.name),
            "summary": counts.sentence() or "no definitions",
            "plan": rows_shown(rows),
        }
        if plan.has_errors or not plan.changes_something:
            why = "a command would fail" if plan.has_errors else "nothing would change"
            return {**answer, "last_day": {"not_tried": why}, "saved_plan": {"not_saved": why}}
        return {
            **answer,
            "last_day": _last_day(qmgr, plan),
            "saved_plan": _save(qmgr, plan, folder, saved),
        }


def _row(planned: Planned) -> dict[str, Any]:
    """A line of the plan; the reason to skip a command does not say how else to run it."""
    is_other = planned.text == NOT_A_DEFINITION
    return as_row(structs.replace(planned, text=_NOT_TRIED) if is_other else planned)


def _last_day(qmgr: QueueManager, plan: ApplyPlan) -> Mapping[str, Any]:
    """What `mqsc whatif` says about the last day."""
    with carried_out(qmgr, plan) as after:
        commands = [one_line(each) for each in leading_script(qmgr, after).commands]
    try:
        begin = _begin(qmgr, plan)
        end = Moment(qmgr.store.bound().seq, qmgr.now(), qmgr.name)
        if end.seq <= begin.seq:
            return {"not_tried": "nothing has happened since the objects were defined"}
        number = end.seq - begin.seq
        if number > MOST_PLAYED:
            return {"not_tried": f"{number} events are too many to play them for an answer"}
        return _compared(qmgr, begin, end, commands)
    except (CommandFailedError, NoSuchMomentError) as error:
        return {"not_tried": escaped(str(error))}


def _begin(qmgr: QueueManager, plan: ApplyPlan) -> Moment:
    """A day ago, or later: when the queue manager was started first, or when the objects that
    would be changed were defined.
    """
    day_ago = qmgr.now() - _DAY
    of_manager = EventSelection(qmgr=qmgr.name)
    starts = events(qmgr.store, of_manager._replace(kinds=frozenset({"START"})))
    defines = of_manager._replace(kinds=frozenset({"DEFINE"}))
    begins = [event.seq for event in islice(starts, 1)]
    for row in plan.rows:
        if row.action in CHANGING and row.name:
            found = newest(qmgr.store, defines._replace(queue=row.name), 1)
            begins += [event.seq for event in found]
    first = max(begins, default=0)
    try:
        moment = moment_at(qmgr, day_ago)
    except NoSuchMomentError:
        moment = moment_of_event(qmgr.store, first)
    if moment.seq < first:
        moment = moment_of_event(qmgr.store, first)
    return Moment(moment.seq, clock_at(qmgr.store, moment, qmgr.name), qmgr.name)


def _compared(
    qmgr: QueueManager,
    begin: Moment,
    end: Moment,
    commands: Sequence[str],
) -> Mapping[str, Any]:
    remarks: list[str] = []
    owners = owners_with_clock(qmgr.store, qmgr.name)
    period = Period(qmgr.store, begin, end, qmgr.name, owners)
    changes = Changes(commands, None, None)
    with compared(period, changes, remarks.append) as (differences, played):
        text = [escaped(each) for each in lines(differences.rows(), begin, end, played)]
    return {"text": text, "remarks": [escaped(each) for each in remarks]}


def _save(
    qmgr: QueueManager,
    plan: ApplyPlan,
    folder: Path | None,
    saved: set[str],
) -> Mapping[str, str]:
    """Where the plan is for a person to apply it, or why it is nowhere."""
    if folder is None:
        return {"not_saved": "the server was started without a folder for plans"}
    if any(secret_spans(request.text) for _, request in plan.steps):
        return {"not_saved": "the script has a secret, which no file gets"}
    content = encoded(saved_plan(qmgr, plan, None))
    file = folder / f"plan-{sha256(content).hexdigest()[:12]}.json"
    if file.name not in saved and len(saved) >= MOST_PLANS:
        return {"not_saved": f"this server has saved {MOST_PLANS} plans already"}
    write_whole(file, content, mode=0o600)
    saved.add(file.name)
    return {"file": escaped(str(file)), "to_apply": f"mqsc apply {escaped(str(file))}"}

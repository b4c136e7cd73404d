"""`mqsc audit`: whether what came to each queue is what went from it and what is there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from mqsc.cli.history import GenericQueueName
from mqsc.console.object_names import queues_to_complete
from mqsc.console.options import Choices, command
from mqsc.console.parameters import PastMoment
from mqsc.console.tables import table_lines
from mqsc.console.target import CommandFailedError, store_to_look_up
from mqsc.console.terminal import columns, print_json, printable
from mqsc.console.text.reasons import counted
from mqsc.history.output import moment
from store.admin.event_search import EventSelection, is_known, managers_of
from store.past.audit import AuditResult
from store.past.audit import audit as audit_of
from store.past.findings import Finding, QueueSums
from store.past.places import CAME, WENT
from store.rules.names import prefix_range

FAILED = 10
_BY_COUNT = "by count: CLEAR or MOVE do not say which messages"


@command()
@click.argument(
    "queue", required=False, type=GenericQueueName(), metavar="[QUEUE|GENERIC]", shell_complete=queues_to_complete
)
@click.option("--since", type=PastMoment(), help="Sums and findings at or after this time only.")
@click.option("--until", type=PastMoment(), help="Sums and findings before this time only.")
@click.pass_context
def audit(context: click.Context, choices: Choices, queue: str | None, since: Any, until: Any) -> None:
    """Check that the history accounts for every message: what came to each queue is what went and what is there.

    Reads the whole history, and the messages that are there, and prints the sums of each queue. What does not fit is
    listed, with MsgIds and the numbers of events, and the exit code is 10. Queues that have or had ACCTQ(OFF), and
    those with pruned events, cannot be known, and are shown as such. Changes nothing.
    """
    with store_to_look_up(choices) as store:
        qmgr = choices.qmgr_name()
        selection = EventSelection(queue=queue, qmgr=qmgr)
        if (queue or (qmgr and qmgr not in managers_of(store).now)) and not is_known(store, selection):
            raise CommandFailedError(f"the history has nothing of {queue or qmgr}, and there is no such object")
        begin, end = (moment(each, store, choices) for each in (since, until))
        if begin is not None and end is not None and begin >= end:
            raise click.UsageError("--since is not before --until, so no event can be between them")
        result = _chosen(audit_of(store, begin, end), queue, qmgr)
    if not print_json(choices.format, _rows(result)):
        for line in _lines(result):
            click.echo(printable(line))
    context.exit(FAILED if result.findings else 0)


def _chosen(result: AuditResult, queue: str | None, qmgr: str | None) -> AuditResult:
    """The result for some queues; what is about no queue, such as a missing event, stays."""
    low, high = prefix_range(queue) if queue else ("", "")

    def is_chosen(each: Finding | QueueSums) -> bool:
        named = not queue or (low <= each.queue and (not high or each.queue < high))
        return not each.queue or (named and qmgr in (None, each.qmgr))

    findings, sums = ([each for each in found if is_chosen(each)] for found in (result.findings, result.sums))
    return result._replace(findings=findings, sums=sums)  # type: ignore[arg-type]


def _is_balanced(each: QueueSums) -> bool:
    return sum(each.sums[name] for name in CAME) == sum(each.sums[name] for name in WENT) + each.there


def _verdict(each: QueueSums) -> str:
    if each.unknown:
        return f"cannot be known: {each.unknown}"
    return "does not fit" if not _is_balanced(each) else _BY_COUNT if each.by_count else "fits"


def _rows(result: AuditResult) -> Iterator[dict[str, Any]]:
    for each in result.sums:
        yield {
            "type": "queue", "qmgr": each.qmgr, "queue": each.queue, **each.sums, "there": each.there,
            "fits": None if each.unknown else _is_balanced(each), "verdict": _verdict(each),
        }  # fmt: skip
    for found in result.findings:
        msg_id = found.msg_id.hex() if isinstance(found.msg_id, bytes) else None
        yield {"type": "finding", **found._asdict(), "msg_id": msg_id, "events": list(found.events)}


def _lines(result: AuditResult) -> Iterator[str]:
    if result.sums:
        # Columns in which no queue has anything say nothing.
        names = [name for name in (*CAME, *WENT) if name == "put" or any(each.sums[name] for each in result.sums)]
        headings = ["QMGR", "QUEUE", *(name.upper().replace("_", " ") for name in names), "THERE", "VERDICT"]
        rows = [
            [each.qmgr, each.queue, *(each.sums[name] for name in names), each.there, _verdict(each)]
            for each in result.sums
        ]
        yield from table_lines(headings, rows, columns())
        yield ""
    for found in result.findings:
        yield _finding_text(found)
    read = f"events {result.first} to {result.last}" if result.last >= result.first else "no events"
    wrong = counted(len(result.findings), "finding") if result.findings else "nothing is missing or too much"
    yield f"{read}: {wrong}"


def _finding_text(found: Finding) -> str:
    where = " ".join(filter(None, (found.qmgr, found.queue)))
    message = f"MsgId {found.msg_id.hex().upper()} " if isinstance(found.msg_id, bytes) else ""
    numbers = f" (events {', '.join(map(str, found.events))})" if found.events else ""
    return f"{where + ': ' if where else ''}{message}{found.what}{numbers}"

"""The result of an audit as rows and as text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mqsc.console import target
from mqsc.console.json_rows import print_rows
from mqsc.console.options import Choices
from mqsc.console.tables import table_lines
from mqsc.console.terminal import columns
from mqsc.console.text.reasons import counted
from mqsc.store.past.accounts import QueueSums
from mqsc.store.past.audit import AuditResult
from mqsc.store.past.places import CAME, WENT
from mqsc.store.past.state_comparison import Finding

_BY_COUNT = "by count: CLEAR or MOVE do not say which messages"


def show_audit(choices: Choices, result: AuditResult) -> int:
    print_rows(choices.format, audit_rows(result), audit_lines(result))
    return target.FAILED if result.findings else 0


def _is_balanced(queue_sums: QueueSums) -> bool:
    return (
        sum(queue_sums.sums[name] for name in CAME)
        == sum(queue_sums.sums[name] for name in WENT) + queue_sums.there
    )


def _verdict(queue_sums: QueueSums) -> str:
    if queue_sums.unknown:
        return f"cannot be known: {queue_sums.unknown}"
    if not _is_balanced(queue_sums):
        return "does not fit"
    return _BY_COUNT if queue_sums.by_count else "fits"


def audit_rows(result: AuditResult) -> Iterator[dict[str, Any]]:
    for queue_sums in result.sums:
        yield {
            "type": "queue",
            "qmgr": queue_sums.qmgr,
            "queue": queue_sums.queue,
            **queue_sums.sums,
            "there": queue_sums.there,
            "fits": None if queue_sums.unknown else _is_balanced(queue_sums),
            "verdict": _verdict(queue_sums),
        }
    for finding in result.findings:
        msg_id = finding.msg_id.hex() if isinstance(finding.msg_id, bytes) else None
        yield {
            "type": "finding",
            **finding._asdict(),
            "msg_id": msg_id,
            "events": list(finding.events),
        }


def audit_lines(result: AuditResult) -> Iterator[str]:
    if result.sums:
        # Columns in which no queue has anything say nothing.
        names = [
            name
            for name in (*CAME, *WENT)
            if name == "put" or any(each.sums[name] for each in result.sums)
        ]
        headings = [
            "QMGR",
            "QUEUE",
            *(name.upper().replace("_", " ") for name in names),
            "THERE",
            "VERDICT",
        ]
        rows = [
            [
                each.qmgr,
                each.queue,
                *(each.sums[name] for name in names),
                each.there,
                _verdict(each),
            ]
            for each in result.sums
        ]
        yield from table_lines(headings, rows, columns())
        yield ""
    for finding in result.findings:
        yield finding_text(finding)
    read = f"events {result.first} to {result.last}" if result.last >= result.first else "no events"
    yield f"{read}: {_conclusion(result)}"


def _conclusion(result: AuditResult) -> str:
    if result.findings:
        return counted(len(result.findings), "finding")
    unknown = sum(bool(each.unknown) for each in result.sums)
    if not unknown:
        return "nothing is missing or too much"
    if unknown == len(result.sums):
        return "whether messages are missing cannot be known for any queue"
    return f"nothing is missing or too much, but {counted(unknown, 'queue')} cannot be known"


def finding_text(finding: Finding) -> str:
    where = " ".join(filter(None, (finding.qmgr, finding.queue)))
    message = f"MsgId {finding.msg_id.hex().upper()} " if isinstance(finding.msg_id, bytes) else ""
    numbers = f" (events {', '.join(map(str, finding.events))})" if finding.events else ""
    return f"{where + ': ' if where else ''}{message}{finding.what}{numbers}"

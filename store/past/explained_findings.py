"""Findings of an audit for people."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from mqsc.store.past.accounts import SHOWN, TAKES
from mqsc.store.past.state_comparison import Finding

Numbers = Mapping[bytes, Sequence[tuple[int, str, str, str | None]]]


def explained(
    findings: Sequence[Finding],
    numbers: Numbers,
    shown: Callable[[Finding], range],
) -> Iterator[Finding]:
    """The findings about no event or about events in the range `shown`, with the events about their
    messages.

    `numbers`: the events of a MsgId as number, kind, queue manager and queue.
    """
    for finding in findings:
        about = [
            row
            for row in numbers.get(finding.msg_id or b"", ())
            if row[2:] == (finding.qmgr, finding.queue)
        ]
        explained_finding = _explained(finding, about)
        if not explained_finding.events or any(
            seq in shown(explained_finding) for seq in explained_finding.events
        ):
            yield explained_finding


def _explained(finding: Finding, about: Sequence[tuple[int, str, str, str | None]]) -> Finding:
    """A finding about an event that took a message which was not there: ended twice, before its
    put, or without one.
    """
    seqs = tuple(sorted({*finding.events, *(row[0] for row in about)}))
    what = finding.what
    if what.endswith("not on the queue then") and finding.events:
        puts = [seq for seq, kind, *_ in about if kind == "PUT"]
        ends = [seq for seq, kind, *_ in about if kind in TAKES and seq < finding.events[0]]
        if ends and any(seq < finding.events[0] for seq in puts):
            what = f"{what}: event {ends[-1]} had ended it already"
        elif puts and min(puts) > finding.events[0]:
            what = f"{what}: its PUT is later"
        elif not puts:
            what = f"{what}: it was never put there"
    return finding._replace(what=what, events=seqs[-SHOWN:])

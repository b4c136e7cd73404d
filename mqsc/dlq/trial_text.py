"""What a trial of a rules table came to, as text for people and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mqsc.console.terminal import printable
from mqsc.console.text_table import table_lines
from mqsc.dlq.dead_letter_text import reason_text, target_row, target_text
from mqsc.dlq.explain import Verdict, explain
from mqsc.dlq.rules import Rule, RulesTable
from mqsc.dlq.trial import Fate, Tally
from mqsc.dlq.values import name_of_number
from store.constants import name_of

# A rule is one line, however long: the table is as wide as it needs to be.
WIDTH = 1_000_000
UNKNOWN = "not known without a queue manager"


def put_text(reason: int | None) -> str:
    """How a put would end."""
    if reason is None:
        return UNKNOWN
    return f"fails with {reason} {name_of('MQRC', reason)}" if reason else "succeeds"


def fate_lines(table: RulesTable, fate: Fate) -> Iterator[str]:
    """A message, why each rule does or does not take it, and what comes of that."""
    letter = fate.letter
    identifier = letter.descriptor.msg_id.hex().upper()
    if letter.is_expired:
        yield f"message {letter.number}, MsgId {identifier}: expired; the handler's browse discards it"
        return
    if letter.header is None or fate.facts is None:
        yield f"message {letter.number}, MsgId {identifier}: {letter.fault}; reported as AMQ8721 and left"
        return
    place = target_text((letter.header.dest_q_name, letter.header.dest_q_mgr_name))
    yield printable(f"message {letter.number}, MsgId {identifier}: {reason_text(letter.header.reason)}, for {place}")
    for verdict in explain(table, fate.facts):
        yield printable(f"   {verdict}" + (f": {verdict.rule}" if verdict.outcome == "chosen" else ""))
    yield printable(f"   {consequence(fate)}")


def consequence(fate: Fate) -> str:
    """What the rule does with the message, in words."""
    if fate.rule is None:
        return "no rule is left: it stays"
    if fate.target is not None:
        return f"would go to {target_text(fate.target)}: {put_text(fate.reason)}"
    return "would be thrown away" if fate.rule.action == "DISCARD" else "would stay"


def fate_row(table: RulesTable, fate: Fate) -> dict[str, Any]:
    """The same as an object; `message` counts from the head of the queue."""
    letter, header = fate.letter, fate.letter.header
    verdicts = [] if fate.facts is None else list(explain(table, fate.facts))
    return {
        "message": letter.number,
        "msg_id": letter.descriptor.msg_id.hex(),
        "correl_id": letter.descriptor.correl_id.hex(),
        "expired": letter.is_expired,
        "fault": letter.fault,
        "reason": None if header is None else header.reason,
        "dest_q_name": None if header is None else header.dest_q_name,
        "dest_q_mgr_name": None if header is None else header.dest_q_mgr_name,
        "rule": None if fate.rule is None else fate.rule.line,
        "action": None if fate.rule is None else fate.rule.action,
        **target_row(fate.target),
        "put_reason": fate.reason,
        "rules": [_verdict_row(each) for each in verdicts],
    }


def tally_lines(table: RulesTable, tally: Tally) -> Iterator[str]:
    """Counts by rule, then by reason and destination, then by target."""
    rules = [(f"line {rule.line}", tally.rules[rule.line], str(rule)) for rule in table.rules]
    left = [("left over", tally.left, "no rule matches"), ("no MQDLH", tally.without_header, "reported and left")]
    left += [("expired", tally.expired, "discarded by the browse")] if tally.expired else []
    yield from _table(("RULE", "MESSAGES", "WHAT"), [*rules, *left])
    if tally.reasons:
        rows = [
            (count, reason_text(reason), target_text((queue, manager)))
            for (reason, queue, manager), count in tally.reasons.most_common()
        ]
        yield ""
        yield from _table(("MESSAGES", "REASON", "DESTINATION"), rows)
    if tally.puts:
        puts = [(count, target_text(target), put_text(reason)) for (target, reason), count in tally.puts.most_common()]
        yield ""
        yield from _table(("MESSAGES", "WOULD GO TO", "THAT PUT"), puts)


def tally_rows(table: RulesTable, tally: Tally) -> Iterator[dict[str, Any]]:
    """The same as objects; `of` says what is counted."""
    for rule in table.rules:
        yield {"of": "rule", "rule": rule.line, "text": str(rule), **_action(rule), "messages": tally.rules[rule.line]}
    for name, count in (("left", tally.left), ("no header", tally.without_header), ("expired", tally.expired)):
        yield {"of": name, "messages": count}
    for (number, queue, manager), count in tally.reasons.most_common():
        name = name_of_number(number, ("MQRC", "MQFB"))
        destination = {"dest_q_name": queue, "dest_q_mgr_name": manager}
        yield {"of": "reason", "reason": number, "reason_name": name, **destination, "messages": count}
    for (target, reason), count in tally.puts.most_common():
        yield {"of": "target", **target_row(target), "put_reason": reason, "messages": count}


def _action(rule: Rule) -> dict[str, Any]:
    return {"action": rule.action, "retry": rule.retry}


def _verdict_row(verdict: Verdict) -> dict[str, Any]:
    return {
        "rule": verdict.rule.line,
        "outcome": verdict.outcome,
        "mismatches": [
            {"keyword": each.keyword, "field": each.source, "pattern": each.pattern, "value": each.value}
            for each in verdict.mismatches
        ],
    }


def _table(headings: tuple[str, ...], rows: list[tuple[Any, ...]]) -> Iterator[str]:
    return (printable(line) for line in table_lines(headings, rows, WIDTH))

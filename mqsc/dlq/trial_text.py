"""The results and totals of a trial as text and as JSON."""

import sys
from collections.abc import Iterator
from typing import Any

from msgspec import structs

from mqsc.console.terminal import printable
from mqsc.console.text.reasons import legend_lines
from mqsc.dlq.dead_letter_text import target_row
from mqsc.dlq.rule_results import explain
from mqsc.dlq.rules_table import Rule, RulesTable
from mqsc.dlq.text_parts import printed_table, reason_name, reason_text, target_text
from mqsc.dlq.trial import CountedPut, TrialAction, TrialCounts, TrialResult
from mqsc.store.constants import name_of

UNKNOWN = "unknown without a queue manager"


def put_text(reason: int | None) -> str:
    if reason is None:
        return UNKNOWN
    return f"fails with {reason} {name_of('MQRC', reason)}" if reason else "succeeds"


def outcome_text(put: CountedPut) -> str:
    """The result of the put, and what follows when it keeps failing."""
    return "; ".join([put_text(put.reason), *map(later_text, put.later)])


def later_text(action: TrialAction) -> str:
    """What happens after failed attempts: the line of the rule, and what becomes of the message."""
    after = f"after {action.after} attempt{'' if action.after == 1 else 's'}"
    if action.rule is None:
        return f"{after}: no rule, stays on the queue"
    line = f"{after}: line {action.rule.line}"
    if action.target is None:
        ending = "discarded" if action.rule.effect.removes_message else "stays on the queue"
        return f"{line}, {ending}"
    failure = f", which {put_text(action.reason)}" if action.reason else ""
    return f"{line}, to {target_text(action.target)}{failure}"


def trial_lines(table: RulesTable, result: TrialResult) -> Iterator[str]:
    """The message, then each rule up to the one that applies, then what would happen."""
    dead_letter = result.dead_letter
    heading = f"message {dead_letter.number}, MsgId {dead_letter.descriptor.msg_id.hex().upper()}"
    if dead_letter.is_locked:
        yield f"{heading}: locked by another program; the handler does not find it"
        return
    if dead_letter.is_expired:
        yield f"{heading}: expired; the handler discards it when it browses"
        return
    if dead_letter.header is None or result.facts is None:
        yield f"{heading}: {dead_letter.fault}; reported as AMQ8721, stays on the queue"
        return
    destination = target_text((dead_letter.header.dest_q_name, dead_letter.header.dest_q_mgr_name))
    yield printable(f"{heading}: {reason_text(dead_letter.header.reason)}, for {destination}")
    for each in explain(table, result.facts):
        yield printable(f"   {each}" + (f": {each.rule}" if each.outcome == "chosen" else ""))
    yield printable(f"   {consequence(result)}")


def consequence(result: TrialResult) -> str:
    if result.rule is None:
        return "no rule applies: it would stay on the queue"
    if result.target is not None:
        put = CountedPut(result.target, result.reason, result.later)
        return f"would go to {target_text(result.target)}: {outcome_text(put)}"
    return "would be discarded" if result.rule.effect.removes_message else "would stay on the queue"


def trial_row(table: RulesTable, result: TrialResult) -> dict[str, Any]:
    """`message` counts from 1 at the head of the queue."""
    dead_letter, header = result.dead_letter, result.dead_letter.header
    rules = [] if result.facts is None else list(explain(table, result.facts))
    return {
        "message": dead_letter.number,
        "msg_id": dead_letter.descriptor.msg_id.hex(),
        "correl_id": dead_letter.descriptor.correl_id.hex(),
        "expired": dead_letter.is_expired,
        "locked": dead_letter.is_locked,
        "fault": dead_letter.fault,
        "reason": None if header is None else header.reason,
        "dest_q_name": None if header is None else header.dest_q_name,
        "dest_q_mgr_name": None if header is None else header.dest_q_mgr_name,
        "rule": None if result.rule is None else result.rule.line,
        "action": None if result.rule is None else result.rule.action,
        **target_row(result.target),
        "put_reason": result.reason,
        "later": [*map(_later_row, result.later)],
        "rules": [
            {
                "rule": tried.rule.line,
                "outcome": tried.outcome,
                "mismatches": [*map(structs.asdict, tried.mismatches)],
            }
            for tried in rules
        ],
    }


def _later_row(action: TrialAction) -> dict[str, Any]:
    return {
        "after_attempts": action.after,
        "rule": None if action.rule is None else action.rule.line,
        "action": None if action.rule is None else action.rule.action,
        **target_row(action.target),
        "put_reason": action.reason,
    }


def count_lines(table: RulesTable, counts: TrialCounts, width: int = sys.maxsize) -> Iterator[str]:
    """Totals by rule, then by reason and destination, then by target, and what the reason codes
    mean; the tables take at most `width`.
    """
    rules = [
        (f"line {rule.line}", counts.rules[rule.line], _rule_text(rule, counts))
        for rule in table.rules
    ]
    others = [
        ("no rule", counts.unmatched, "stays on the queue"),
        ("no MQDLH", counts.without_header, "reported as AMQ8721, stays on the queue"),
    ]
    others += [("expired", counts.expired, "discarded by the browse")] if counts.expired else []
    others += (
        [("locked", counts.locked, "locked by another program, not found")] if counts.locked else []
    )
    yield from printed_table(("RULE", "MESSAGES", "WHAT"), [*rules, *others], width)
    if counts.reasons:
        rows = [
            (count, reason_text(reason), target_text((queue, manager)))
            for (reason, queue, manager), count in counts.reasons.most_common()
        ]
        yield ""
        yield from printed_table(("MESSAGES", "REASON", "DESTINATION"), rows, width)
    if counts.puts:
        puts = [
            (count, target_text(put.target), outcome_text(put))
            for put, count in counts.puts.most_common()
        ]
        yield ""
        yield from printed_table(("MESSAGES", "WOULD GO TO", "PUT"), puts, width)
    reasons = [reason for reason, *_ in counts.reasons]
    for put in counts.puts:
        reasons += [put.reason or 0, *(action.reason or 0 for action in put.later)]
    yield from legend_lines(reasons)


def _rule_text(rule: Rule, counts: TrialCounts) -> str:
    """The rule, and how many messages it gets after failed attempts."""
    later = counts.later_rules[rule.line]
    return f"{rule} (and {later} after failed attempts)" if later else str(rule)


def count_rows(table: RulesTable, counts: TrialCounts) -> Iterator[dict[str, Any]]:
    """The same totals as JSON objects; `of` says what is counted."""
    for rule in table.rules:
        action = {"action": rule.action, "retry": rule.retry}
        yield {
            "of": "rule",
            "rule": rule.line,
            "text": str(rule),
            **action,
            "messages": counts.rules[rule.line],
            "messages_later": counts.later_rules[rule.line],
        }
    others = {
        "left": counts.unmatched,
        "no header": counts.without_header,
        "expired": counts.expired,
    }
    for name, count in (others | {"locked": counts.locked}).items():
        yield {"of": name, "messages": count}
    for (number, queue, manager), count in counts.reasons.most_common():
        names = {"reason": number, "reason_name": reason_name(number)}
        yield {
            "of": "reason",
            **names,
            "dest_q_name": queue,
            "dest_q_mgr_name": manager,
            "messages": count,
        }
    for put, count in counts.puts.most_common():
        yield {
            "of": "target",
            **target_row(put.target),
            "put_reason": put.reason,
            "later": [*map(_later_row, put.later)],
            "messages": count,
        }

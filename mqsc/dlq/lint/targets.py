"""Advice on where messages are sent."""

from __future__ import annotations

from collections.abc import Iterator

from mqsc.dlq.lint.hit import Hit, Surroundings, hit
from mqsc.dlq.lint.order import takes_every_message
from mqsc.dlq.patterns import is_wild, matches_text
from mqsc.dlq.rules import Rule, RulesTable

_NAME_LENGTH = 48
# Where a symbol takes its name from, as far as the pattern of the rule tells it.
_PATTERN_OF = {"&DESTQ": "DESTQ", "&DESTQM": "DESTQM", "&REPLYQ": "REPLYQ", "&REPLYQM": "REPLYQM"}


def forwards_to_itself(table: RulesTable, surroundings: Surroundings) -> Iterator[Hit]:
    """A message that comes back as a new one starts from no attempts again, without an end (trap 30)."""
    control = table.control
    own = control.input_queue or surroundings.dead_letter_queue
    managers = {"", control.input_queue_manager, surroundings.queue_manager}
    behind = surroundings.leads_to(own, "")
    for rule in _forwarding(table):
        queue, manager = _name(rule, rule.forward_queue), _name(rule, rule.forward_queue_manager)
        if not (own and queue) or manager is None:
            continue
        if (queue == own and manager in managers) or (behind and surroundings.leads_to(queue, manager) == behind):
            back = "without an end" if rule.header == "YES" else "without the MQDLH that any rule needs"
            yield hit(rule, "FWDQ", f"{queue} is the queue worked on: messages come back {back}", "another queue")


def replies_to_nowhere(table: RulesTable, surroundings: Surroundings) -> Iterator[Hit]:
    """A blank ReplyToQ makes the put fail (dlq-rules §2.3)."""
    for rule in _forwarding(table):
        pattern = str(_value(rule, "REPLYQ"))
        if rule.forward_queue == "&REPLYQ" and matches_text(pattern, "", _NAME_LENGTH):
            yield hit(rule, "FWDQ", "the put fails for messages without a reply queue", "REPLYQ(?*) in the pattern")


def reply_queue_manager_left_out(table: RulesTable, surroundings: Surroundings) -> Iterator[Hit]:
    """A reply queue belongs to the queue manager that the same message names."""
    for rule in _forwarding(table):
        if rule.forward_queue in ("&REPLYQ", "&DESTQ") and not rule.forward_queue_manager:
            right = f"FWDQM({rule.forward_queue}M)"
            message = f"the queue that {rule.forward_queue} names is looked for on the local queue manager"
            yield hit(rule, "FWDQ", message, right)


def not_defined(table: RulesTable, surroundings: Surroundings) -> Iterator[Hit]:
    """A put to a queue that does not exist fails with MQRC 2085 on every attempt."""
    if surroundings.is_reachable is None:
        return
    for rule in _forwarding(table):
        queue, manager = _name(rule, rule.forward_queue), _name(rule, rule.forward_queue_manager)
        if queue and manager is not None and not surroundings.is_reachable(queue, manager):
            where = f" on {manager}" if manager else ""
            yield hit(rule, "FWDQ", f"there is no queue {queue}{where}", f"DEFINE QLOCAL({queue})")


def rest_without_header(table: RulesTable, surroundings: Surroundings) -> Iterator[Hit]:
    """Whoever looks at what is left wants to know why it could not be delivered."""
    for rule in _forwarding(table):
        if rule.header == "NO" and takes_every_message(rule):
            message = "reason and destination of whatever is left are lost with the MQDLH"
            yield hit(rule, "HEADER", message, "HEADER(YES)")


def _forwarding(table: RulesTable) -> Iterator[Rule]:
    return (rule for rule in table.rules if rule.action == "FWD")


def _value(rule: Rule, keyword: str) -> str | int | None:
    return next((pattern.value for pattern in rule.patterns if pattern.keyword == keyword), "*")


def _name(rule: Rule, written: str) -> str | None:
    """The one name that `written` stands for in this rule; None when it differs from message to message."""
    if written not in _PATTERN_OF:
        return written
    value = str(_value(rule, _PATTERN_OF[written]))
    return None if is_wild(value) else value

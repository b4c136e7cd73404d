"""Lint rules on the order of the rules: rules that never apply, and messages that no rule removes."""

from __future__ import annotations

from collections.abc import Iterator

from mqsc.diagnostic import Violation
from mqsc.dlq.lint.shadowing import covers_rule, shadowed_rules
from mqsc.dlq.lint.table_rule import REST, QueueManagerFacts, TableLintRule, violation
from mqsc.dlq.patterns import matches_everything
from mqsc.dlq.rules import Rule, RulesTable

CATCH_ALL = "ACTION(FWD) FWDQ(queue) HEADER(YES) as the last rule"


def matches_every_message(rule: Rule) -> bool:
    return all(matches_everything(pattern.value) for pattern in rule.patterns)


def never_reached(table: RulesTable, manager_facts: QueueManagerFacts) -> Iterator[Violation]:
    """IGNORE and DISCARD never pass a message on to the next rule."""
    for rule, wider in shadowed_rules(table.rules, ("IGNORE", "DISCARD")):
        message = f"never applies: {wider.action} in line {wider.line} matches every message that this rule matches"
        yield violation(table, rule, "ACTION", message, f"move this rule before line {wider.line}, or remove it")


def reached_after_failures(table: RulesTable, manager_facts: QueueManagerFacts) -> Iterator[Violation]:
    for rule, wider in shadowed_rules(table.rules, ("FWD",)):
        if not covers_rule(rule, wider):
            times = "once" if wider.retry == 1 else f"{wider.retry} times"
            message = f"applies only to messages that line {wider.line} failed to forward {times}"
            yield violation(table, rule, "ACTION", message, f"move this rule before line {wider.line}")


def no_catch_all(table: RulesTable, manager_facts: QueueManagerFacts) -> Iterator[Violation]:
    """dlq-rules §4.7."""
    if not any(matches_every_message(rule) and rule.action in ("FWD", "DISCARD") for rule in table.rules):
        message = "messages that no rule moves or discards stay on the queue for ever"
        yield violation(table, table.rules[-1], "ACTION", message, CATCH_ALL)


def ignore_in_the_middle(table: RulesTable, manager_facts: QueueManagerFacts) -> Iterator[Violation]:
    """Trap 5."""
    for rule in table.rules[:-1]:
        if rule.action == "IGNORE":
            message = "ignored messages stay on the queue, and no later rule applies to them"
            yield violation(table, rule, "ACTION", message, "ACTION(FWD) to a queue for these messages")


def ignore_at_the_end(table: RulesTable, manager_facts: QueueManagerFacts) -> Iterator[Violation]:
    """Messages that stay cost memory and time (dlq-rules §4.7)."""
    if table.rules[-1].action == "IGNORE":
        message = "ignored messages stay on the queue, which can fill up"
        yield violation(table, table.rules[-1], "ACTION", message, CATCH_ALL)


RULES = (
    TableLintRule(
        "DLQ01",
        "warning",
        "Rule that never applies",
        "ACTION(IGNORE) and ACTION(DISCARD) finish every message that they match. A later rule that matches only such "
        "messages is dead.",
        "FORMAT(MQ*) ACTION(DISCARD)\nFORMAT(MQSTR) ACTION(RETRY)\n" + REST,
        "FORMAT(MQSTR) ACTION(RETRY)\nFORMAT(MQ*) ACTION(DISCARD)\n" + REST,
        never_reached,
    ),
    TableLintRule(
        "DLQ02",
        "note",
        "Rule only for messages that could not be forwarded",
        "An earlier rule with a wider pattern and ACTION(FWD) handles every message, as long as its puts succeed.",
        REST + "REASON(MQRC_Q_FULL) ACTION(RETRY)\n",
        "REASON(MQRC_Q_FULL) ACTION(RETRY)\n" + REST,
        reached_after_failures,
    ),
    TableLintRule(
        "DLQ03",
        "warning",
        "No rule for the remaining messages",
        "A message that no rule matches, or that every rule failed on, stays for ever: it is read again and again, and "
        "such messages fill the queue.",
        "REASON(MQRC_Q_FULL) ACTION(RETRY)\n",
        "REASON(MQRC_Q_FULL) ACTION(RETRY)\n" + REST,
        no_catch_all,
    ),
    TableLintRule(
        "DLQ04",
        "warning",
        "IGNORE before other rules",
        "IGNORE ends the search for a rule: messages that it matches stay on the queue, and no later rule applies.",
        "DESTQ(A) ACTION(IGNORE)\n" + REST,
        "DESTQ(A) ACTION(FWD) FWDQ(SET.ASIDE)\n" + REST,
        ignore_in_the_middle,
    ),
    TableLintRule(
        "DLQ05",
        "note",
        "IGNORE as the last rule",
        "Without this rule the messages would stay too. Either way the handler remembers each of them, and the queue "
        "can fill up.",
        "ACTION(RETRY)\nACTION(IGNORE)\n",
        "ACTION(RETRY)\n" + REST,
        ignore_at_the_end,
    ),
)

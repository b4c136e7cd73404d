"""Advice on the order of the rules: what never comes to pass, and what is left over."""

from __future__ import annotations

from collections.abc import Iterator

from mqsc.dlq.lint.hit import Hit, Surroundings, hit
from mqsc.dlq.patterns import takes_anything
from mqsc.dlq.rules import Rule, RulesTable
from mqsc.dlq.shadows import covered, covers_rule

CATCH_ALL = "ACTION(FWD) FWDQ(a queue for the rest) HEADER(YES) as the last rule"


def takes_every_message(rule: Rule) -> bool:
    """Whether the rule consists of an action only, or of patterns that leave nothing out."""
    return all(takes_anything(pattern.value) for pattern in rule.patterns)


def never_reached(table: RulesTable, surroundings: Surroundings) -> Iterator[Hit]:
    """A rule behind an IGNORE or DISCARD with a pattern as wide or wider: neither ever hands a message on."""
    for rule, wider in covered(table.rules, ("IGNORE", "DISCARD")):
        message = f"no message gets here: the {wider.action} in line {wider.line} takes all that this rule matches"
        yield hit(rule, "ACTION", message, f"this rule before line {wider.line}, or not at all")


def reached_after_failures(table: RulesTable, surroundings: Surroundings) -> Iterator[Hit]:
    """A rule behind a FWD with a wider pattern: it gets only what could not be forwarded."""
    for rule, wider in covered(table.rules, ("FWD",)):
        if not covers_rule(rule, wider):
            message = f"messages get here only after line {wider.line} failed to forward them {wider.retry} times"
            yield hit(rule, "ACTION", message, f"this rule before line {wider.line}")


def no_catch_all(table: RulesTable, surroundings: Surroundings) -> Iterator[Hit]:
    """No rule moves or deletes whatever is left (dlq-rules §4.7)."""
    if not any(takes_every_message(rule) and rule.action in ("FWD", "DISCARD") for rule in table.rules):
        yield hit(table.rules[-1], "ACTION", "messages that no rule moves stay on the queue for ever", CATCH_ALL)


def ignore_in_the_middle(table: RulesTable, surroundings: Surroundings) -> Iterator[Hit]:
    """IGNORE ends the search: the rules behind it never see what it matches (trap 5)."""
    for rule in table.rules[:-1]:
        if rule.action == "IGNORE":
            message = "the messages stay on the queue, and no rule behind this one ever sees them"
            yield hit(rule, "ACTION", message, "ACTION(FWD) to a queue where they are set aside")


def ignore_at_the_end(table: RulesTable, surroundings: Surroundings) -> Iterator[Hit]:
    """What is left on the queue costs memory and time, and can fill it (dlq-rules §4.7)."""
    if table.rules[-1].action == "IGNORE":
        yield hit(table.rules[-1], "ACTION", "the messages stay on the queue, which can fill up", CATCH_ALL)

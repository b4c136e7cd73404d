"""Lint rules on the order of rules: a rule that follows another which matches all of its messages."""

from collections.abc import Collection, Iterator

from mqsc.diagnostic import Violation
from mqsc.dlq.keywords import RULE_ACTIONS
from mqsc.dlq.lint.table_rule import QueueManagerFacts, table_lint_rule, violation
from mqsc.dlq.rules_table import Rule, RulesTable
from mqsc.dlq.text_patterns import covers, matches_everything

CATCH_ALL = "ACTION(FWD) FWDQ(queue) HEADER(YES) as the last rule"


def matches_every_message(rule: Rule) -> bool:
    return all(matches_everything(pattern.value) for pattern in rule.patterns)


@table_lint_rule("DLQ01", "warning", "Rule that never applies")
def never_reached(table: RulesTable, manager_facts: QueueManagerFacts) -> Iterator[Violation]:
    """ACTION(IGNORE) and ACTION(DISCARD) finish every message that they match. A later rule that
    matches only such messages is dead.

    Bad:
        FORMAT(MQ*) ACTION(DISCARD)
        FORMAT(MQSTR) ACTION(RETRY)
        ACTION(FWD) FWDQ(REST)

    Good:
        FORMAT(MQSTR) ACTION(RETRY)
        FORMAT(MQ*) ACTION(DISCARD)
        ACTION(FWD) FWDQ(REST)
    """
    # An action that puts nothing cannot fail, so it never passes a message on to the next rule.
    final = [name for name, action in RULE_ACTIONS.items() if not action.puts_message]
    for rule, wider in shadowed_rules(table.rules, final):
        message = (
            f"never applies: {wider.action} in line {wider.line} matches every message that this "
            "rule matches"
        )
        yield violation(
            table,
            rule,
            "ACTION",
            message,
            f"move this rule before line {wider.line}, or remove it",
        )


@table_lint_rule("DLQ02", "note", "Rule only for messages that could not be forwarded")
def reached_after_failures(
    table: RulesTable,
    manager_facts: QueueManagerFacts,
) -> Iterator[Violation]:
    """An earlier rule with a wider pattern and ACTION(FWD) handles every message, as long as its
    puts succeed.

    Bad:
        ACTION(FWD) FWDQ(REST)
        REASON(MQRC_Q_FULL) ACTION(RETRY)

    Good:
        REASON(MQRC_Q_FULL) ACTION(RETRY)
        ACTION(FWD) FWDQ(REST)
    """
    for rule, wider in shadowed_rules(table.rules, ("FWD",)):
        if not covers_rule(rule, wider):
            times = "once" if wider.retry == 1 else f"{wider.retry} times"
            message = f"applies only to messages that line {wider.line} failed to forward {times}"
            yield violation(
                table,
                rule,
                "ACTION",
                message,
                f"move this rule before line {wider.line}",
            )


@table_lint_rule("DLQ03", "warning", "No rule for the remaining messages")
def no_catch_all(table: RulesTable, manager_facts: QueueManagerFacts) -> Iterator[Violation]:
    """A message that no rule matches, or that every rule failed on, stays forever: it is read
    again and again, and such messages fill the queue.

    Bad:
        REASON(MQRC_Q_FULL) ACTION(RETRY)

    Good:
        REASON(MQRC_Q_FULL) ACTION(RETRY)
        ACTION(FWD) FWDQ(REST)
    """
    # dlq-rules §4.7.
    if not any(
        matches_every_message(rule) and rule.action in ("FWD", "DISCARD") for rule in table.rules
    ):
        message = "messages that no rule moves or discards stay on the queue forever"
        yield violation(table, table.rules[-1], "ACTION", message, CATCH_ALL)


@table_lint_rule("DLQ04", "warning", "IGNORE before other rules")
def ignore_in_the_middle(
    table: RulesTable,
    manager_facts: QueueManagerFacts,
) -> Iterator[Violation]:
    """IGNORE ends the search for a rule: messages that it matches stay on the queue, and no later
    rule applies.

    Bad:
        DESTQ(A) ACTION(IGNORE)
        ACTION(FWD) FWDQ(REST)

    Good:
        DESTQ(A) ACTION(FWD) FWDQ(SET.ASIDE)
        ACTION(FWD) FWDQ(REST)
    """
    # Trap 5.
    for rule in table.rules[:-1]:
        if rule.action == "IGNORE":
            message = "ignored messages stay on the queue, and no later rule applies to them"
            yield violation(
                table,
                rule,
                "ACTION",
                message,
                "ACTION(FWD) to a queue for these messages",
            )


@table_lint_rule("DLQ05", "note", "IGNORE as the last rule")
def ignore_at_the_end(table: RulesTable, manager_facts: QueueManagerFacts) -> Iterator[Violation]:
    """Without this rule the messages would stay too. Either way the handler remembers each of them,
    and the queue can fill up.

    Bad:
        ACTION(RETRY)
        ACTION(IGNORE)

    Good:
        ACTION(RETRY)
        ACTION(FWD) FWDQ(REST)
    """
    # Messages that stay cost memory and time (dlq-rules §4.7).
    if table.rules[-1].action == "IGNORE":
        message = "ignored messages stay on the queue, which can fill up"
        yield violation(table, table.rules[-1], "ACTION", message, CATCH_ALL)


def shadowed_rules(
    rules: tuple[Rule, ...],
    actions: Collection[str],
) -> Iterator[tuple[Rule, Rule]]:
    """Each rule that an earlier rule with one of the actions covers, with the first such rule."""
    earlier: list[Rule] = []
    for rule in rules:
        wider = next((each for each in earlier if covers_rule(each, rule)), None)
        if wider is not None:
            yield rule, wider
        elif rule.action in actions:
            earlier.append(rule)


def covers_rule(wide: Rule, narrow: Rule) -> bool:
    """Whether every message that matches `narrow` certainly matches `wide`."""
    patterns = {pattern.keyword: pattern.value for pattern in narrow.patterns}
    return all(_covers(pattern.value, patterns.get(pattern.keyword)) for pattern in wide.patterns)


def _covers(wide: str | int | None, narrow: str | int | None) -> bool:
    if matches_everything(wide):
        return True
    if isinstance(wide, str) and isinstance(narrow, str):
        return covers(wide, narrow)
    return wide == narrow

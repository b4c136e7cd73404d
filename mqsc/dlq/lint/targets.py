"""Lint rules on the targets of ACTION(FWD) and ACTION(RETRY)."""

from collections.abc import Iterator

from mqsc.diagnostic import Violation
from mqsc.dlq.lint.order import matches_every_message
from mqsc.dlq.lint.table_rule import QueueManagerFacts, table_lint_rule, violation
from mqsc.dlq.rules_table import Rule, RulesTable
from mqsc.dlq.text_patterns import is_wild, matches_text
from mqsc.store.constants import MQRC

_NAME_LENGTH = 48
# The pattern keyword for the field that each symbol stands for.
_PATTERN_OF = {"&DESTQ": "DESTQ", "&DESTQM": "DESTQM", "&REPLYQ": "REPLYQ", "&REPLYQM": "REPLYQM"}


@table_lint_rule("DLQ06", "warning", "Forwards to the queue being processed")
def forwards_to_itself(table: RulesTable, manager_facts: QueueManagerFacts) -> Iterator[Violation]:
    """A message that returns is new to the handler: its attempts are counted from zero, so it is
    moved again and again.

    Bad:
        INPUTQ(DLQ)
        ACTION(FWD) FWDQ(DLQ)

    Good:
        INPUTQ(DLQ)
        ACTION(FWD) FWDQ(REST)
    """
    # Trap 30.
    control = table.control
    own = control.input_queue or manager_facts.dead_letter_queue
    managers = {"", control.input_queue_manager, manager_facts.queue_manager}
    behind = manager_facts.leads_to(own, "")
    for rule in _forwarding(table):
        queue = _target_name(rule, rule.forward_queue)
        manager = _target_name(rule, rule.forward_queue_manager)
        if not (own and queue) or manager is None:
            continue
        if (queue == own and manager in managers) or (
            behind and manager_facts.leads_to(queue, manager) == behind
        ):
            how = (
                "again and again"
                if rule.header == "YES"
                else "without the MQDLH that every rule needs"
            )
            message = f"{queue} is the queue being processed: messages return {how}"
            yield violation(table, rule, "FWDQ", message, "another queue")


@table_lint_rule("DLQ07", "warning", "Forwards to a reply queue that may be blank")
def blank_reply_queue(table: RulesTable, manager_facts: QueueManagerFacts) -> Iterator[Violation]:
    """A message without a ReplyToQ cannot be put there. REPLYQ(?*) matches only messages that have
    one.

    Bad:
        ACTION(FWD) FWDQ(&REPLYQ) FWDQM(&REPLYQM)
        ACTION(FWD) FWDQ(REST)

    Good:
        REPLYQ(?*) ACTION(FWD) FWDQ(&REPLYQ) FWDQM(&REPLYQM)
        ACTION(FWD) FWDQ(REST)
    """
    # dlq-rules §2.3.
    for rule in _forwarding(table):
        pattern = str(_pattern_value(rule, "REPLYQ"))
        if rule.forward_queue == "&REPLYQ" and matches_text(pattern, "", _NAME_LENGTH):
            message = "the put fails for messages without a reply queue"
            yield violation(table, rule, "FWDQ", message, "REPLYQ(?*) as a pattern of this rule")


@table_lint_rule("DLQ13", "note", "Queue of a message without its queue manager")
def queue_manager_left_out(
    table: RulesTable,
    manager_facts: QueueManagerFacts,
) -> Iterator[Violation]:
    """The message names the queue together with a queue manager. Without FWDQM, the handler uses a
    queue of that name on the local queue manager.

    Bad:
        REPLYQ(?*) ACTION(FWD) FWDQ(&REPLYQ)
        ACTION(FWD) FWDQ(REST)

    Good:
        REPLYQ(?*) ACTION(FWD) FWDQ(&REPLYQ) FWDQM(&REPLYQM)
        ACTION(FWD) FWDQ(REST)
    """
    for rule in _forwarding(table):
        if rule.forward_queue in ("&REPLYQ", "&DESTQ") and not rule.forward_queue_manager:
            message = (
                f"{rule.forward_queue} is used as the name of a queue on the local queue manager"
            )
            yield violation(table, rule, "FWDQ", message, f"FWDQM({rule.forward_queue}M)")


@table_lint_rule("DLQ11", "warning", "Target that is not defined")
def target_not_defined(table: RulesTable, manager_facts: QueueManagerFacts) -> Iterator[Violation]:
    """Every put to it fails with MQRC_UNKNOWN_OBJECT_NAME until the attempts are used up.

    Bad:
        ACTION(FWD) FWDQ(RSET)

    Good:
        ACTION(FWD) FWDQ(REST)
    """
    if manager_facts.is_reachable is None:
        return
    for rule in _forwarding(table):
        queue = _target_name(rule, rule.forward_queue)
        manager = _target_name(rule, rule.forward_queue_manager)
        if queue and manager is not None and not manager_facts.is_reachable(queue, manager):
            where = f" on {manager}" if manager else ""
            yield violation(
                table,
                rule,
                "FWDQ",
                f"there is no queue {queue}{where}",
                f"DEFINE QLOCAL({queue})",
            )


@table_lint_rule("DLQ14", "note", "Header removed from the remaining messages")
def catch_all_without_header(
    table: RulesTable,
    manager_facts: QueueManagerFacts,
) -> Iterator[Violation]:
    """The MQDLH records why a message could not be delivered, and its destination.

    Bad:
        ACTION(FWD) FWDQ(REST) HEADER(NO)

    Good:
        ACTION(FWD) FWDQ(REST)
    """
    for rule in _forwarding(table):
        if rule.header == "NO" and matches_every_message(rule):
            message = (
                "the reason and the destination of the remaining messages are lost with the MQDLH"
            )
            yield violation(table, rule, "HEADER", message, "HEADER(YES)")


@table_lint_rule("DLQ15", "warning", "Retry of a message that was backed out too often")
def retries_backed_out(table: RulesTable, manager_facts: QueueManagerFacts) -> Iterator[Violation]:
    """MQRC_BACKOUT_THRESHOLD_REACHED means that the program could not process the message however
    often it got it. It will back the message out again, and the message will return to the
    dead-letter queue.

    Bad:
        REASON(MQRC_BACKOUT_THRESHOLD_REACHED) ACTION(RETRY)
        ACTION(FWD) FWDQ(REST)

    Good:
        REASON(MQRC_BACKOUT_THRESHOLD_REACHED) ACTION(FWD) FWDQ(POISON)
        ACTION(FWD) FWDQ(REST)
    """
    for rule in table.rules:
        is_retried = rule.action == "RETRY" or rule.forward_queue == "&DESTQ"
        if is_retried and _pattern_value(rule, "REASON") == MQRC.BACKOUT_THRESHOLD_REACHED:
            message = "puts the message back for the program that has backed it out too often"
            yield violation(
                table,
                rule,
                "ACTION",
                message,
                "ACTION(FWD) to a queue for these messages",
            )


def _forwarding(table: RulesTable) -> Iterator[Rule]:
    return (rule for rule in table.rules if rule.action == "FWD")


def _pattern_value(rule: Rule, keyword: str) -> str | int | None:
    return next((pattern.value for pattern in rule.patterns if pattern.keyword == keyword), "*")


def _target_name(rule: Rule, written: str) -> str | None:
    """The name that `written` always stands for in this rule; None when it differs between
    messages.
    """
    if written not in _PATTERN_OF:
        return written
    value = str(_pattern_value(rule, _PATTERN_OF[written]))
    return None if is_wild(value) else value

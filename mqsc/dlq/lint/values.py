"""Lint rules on the values of keywords."""

import re
from collections.abc import Iterator, Mapping

from mqsc.diagnostic import Location, Violation
from mqsc.dlq.keywords import KEYWORDS
from mqsc.dlq.lint.table_rule import QueueManagerFacts, table_lint_rule, violation
from mqsc.dlq.rules_table import COLUMNS, Pattern, Rule, RulesTable

_OBJECT_NAME = re.compile(r"[A-Za-z0-9./_%?*]*")
_NAME_CHARACTERS = "letters, digits and . / _ % without blanks"

# The values that a field can have, where the language allows more: numbers, and the text for them.
# Persistence has only two values here because a put resolves MQPER_PERSISTENCE_AS_Q_DEF.
POSSIBLE: Mapping[str, tuple[range, str]] = {
    "MSGTYPE": (range(1, 1_000_000_000), "1 to 999999999"),
    "PERSIST": (range(2), "MQPER_PERSISTENT or MQPER_NOT_PERSISTENT"),
}
# Patterns for fields that contain the names of objects.
NAMES = ("DESTQ", "DESTQM", "REPLYQ", "REPLYQM")
# Keywords without effect when nothing is put.
OF_PUTS = ("PUTAUT", "RETRY")


@table_lint_rule("DLQ08", "warning", "Impossible value")
def impossible_value(table: RulesTable, manager_facts: QueueManagerFacts) -> Iterator[Violation]:
    """The language allows the value, but no message can match it, or no object can have this name.

    Bad:
        PERSIST(5) ACTION(DISCARD)
        ACTION(FWD) FWDQ(REST)

    Good:
        PERSIST(MQPER_NOT_PERSISTENT) ACTION(DISCARD)
        ACTION(FWD) FWDQ(REST)
    """
    for rule in table.rules:
        yield from (
            impossible
            for pattern in rule.patterns
            for impossible in _impossible_pattern(table, rule, pattern)
        )
    for entry in table.entries:
        for keyword in ("INPUTQ", "INPUTQM", "FWDQ", "FWDQM"):
            value = entry.written.get(keyword)
            if (
                value
                and not value.text.startswith("&")
                and not _OBJECT_NAME.fullmatch(value.text.rstrip(" "))
            ):
                message = f"{value.raw} cannot be the name of an object"
                yield violation(table, entry, keyword, message, _NAME_CHARACTERS)


def _impossible_pattern(table: RulesTable, rule: Rule, pattern: Pattern) -> Iterator[Violation]:
    keyword, value = pattern.keyword, pattern.value
    source = KEYWORDS[keyword].source
    if keyword in POSSIBLE and isinstance(value, int) and value not in POSSIBLE[keyword][0]:
        yield violation(
            table,
            rule,
            keyword,
            f"{source} never matches {pattern}",
            POSSIBLE[keyword][1],
        )
    if keyword in NAMES and not _OBJECT_NAME.fullmatch(str(value)):
        message = f"{source} is the name of an object and never matches {pattern}"
        yield violation(table, rule, keyword, message, _NAME_CHARACTERS)


@table_lint_rule("DLQ09", "note", "Lower case outside quotes")
def lower_case(table: RulesTable, manager_facts: QueueManagerFacts) -> Iterator[Violation]:
    """Lower case outside quotes is read as upper case. Names and texts in messages are
    case-sensitive.

    Bad:
        USERID(alice) ACTION(DISCARD)
        ACTION(FWD) FWDQ(REST)

    Good:
        USERID('alice') ACTION(DISCARD)
        ACTION(FWD) FWDQ(REST)
    """
    # Trap 15.
    for entry in table.entries:
        for keyword, value in entry.written.items():
            is_text = KEYWORDS[keyword].is_text and not value.text.startswith("&")
            if is_text and not value.quoted and value.raw != value.text:
                suggestion = (
                    f"{keyword}('{value.raw}') for lower case, {keyword}({value.text}) for upper "
                    "case"
                )
                yield violation(
                    table,
                    entry,
                    keyword,
                    f"{value.raw} is read as {value.text}",
                    suggestion,
                )


@table_lint_rule("DLQ10", "note", "Line longer than 72 columns")
def beyond_column_72(table: RulesTable, manager_facts: QueueManagerFacts) -> Iterator[Violation]:
    """Handlers on other systems read columns 1 to 72 and silently drop the rest.

    Bad:
        REASON(MQRC_UNKNOWN_OBJECT_NAME) DESTQ('ORDERS.OF.THE.NORTHERN.BRANCH') ACTION(RETRY)
        ACTION(FWD) FWDQ(REST)

    Good:
        REASON(MQRC_UNKNOWN_OBJECT_NAME) +
          DESTQ('ORDERS.OF.THE.NORTHERN.BRANCH') ACTION(RETRY)
        ACTION(FWD) FWDQ(REST)
    """
    # dlq-rules §3, 8.
    for line in table.wide:
        message = f"some handlers do not read text after column {COLUMNS}"
        yield Violation(
            Location(table.file, line, COLUMNS + 1),
            message,
            "continue the line with +",
        )


@table_lint_rule("DLQ12", "note", "Keyword without effect")
def without_effect(table: RulesTable, manager_facts: QueueManagerFacts) -> Iterator[Violation]:
    """DISCARD and IGNORE put nothing, and neither is retried.

    Bad:
        DESTQ(A) ACTION(DISCARD) RETRY(3)
        ACTION(FWD) FWDQ(REST)

    Good:
        DESTQ(A) ACTION(DISCARD)
        ACTION(FWD) FWDQ(REST)
    """
    for rule in table.rules:
        for keyword in OF_PUTS:
            if not rule.effect.puts_message and keyword in rule.written:
                message = f"{keyword} has no effect with ACTION({rule.action})"
                yield violation(table, rule, keyword, message, f"remove {keyword}")
